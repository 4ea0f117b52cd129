/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace_fetch_flags.h"

#include <stdlib.h>

#include "output.h"
#include "trace_flags.h"
#include "ws/number.h"
#include "ws/parameter.h"
#include "ws/quantity.h"

#define FETCH_NS_PER_MS INT64_C(1000000)
#define FETCH_TIME_MAX_NS (INT64_C(4000000000) * WS_NS_PER_S)
#define FETCH_TIMEOUT_MAX_S 86400
#define FETCH_TOKEN_BYTES_MAX 7000

/* ---- times ---- */

static bool fetch_span(const char *flag, ws_text text, int64_t *ns, ws_diag *diag)
{
    ws_quantity span = {.integer = 0};
    ws_quantity_fault fault;

    if (ws_quantity_parse(text, WS_QUANTITY_DURATION, ws_text_of(flag), &span, &fault,
                          diag->arena) &&
        span.integer > 0) {
        *ns = span.integer;
        return true;
    }
    ws_text shown = ws_output_shown(text, diag->arena);

    return ws_diag_error(diag, 3106, ws_span_none, "`--%s` is a time, as 15s or 6h, not `%.*s`",
                         flag, WS_TEXT_ARGS(shown));
}

static bool fetch_size(ws_trace_fetch *fetch, const ws_settings *settings, ws_diag *diag)
{
    ws_text text = ws_text_of(settings->max_bytes);
    ws_quantity size = {.integer = WS_TRACE_FETCH_BYTES_MAX};
    ws_quantity_fault fault;

    if (text.length > 0 && (!ws_quantity_parse(text, WS_QUANTITY_BYTES, WS_TEXT("max-bytes"), &size,
                                               &fault, diag->arena) ||
                            size.integer < 1)) {
        ws_text shown = ws_output_shown(text, diag->arena);
        return ws_diag_error(diag, 3106, ws_span_none,
                             "`--max-bytes` is a size in bytes, as 4GiB, not `%.*s`",
                             WS_TEXT_ARGS(shown));
    }
    fetch->bytes_max = size.integer;
    return true;
}

/* A date, Unix seconds, `now`, or `now-6h`; cut to whole milliseconds, which Prometheus counts in.
 */
static bool fetch_time(const char *flag, const char *given, int64_t now_s, int64_t *at_ns,
                       ws_diag *diag)
{
    ws_text text = ws_text_of(given);
    ws_text before = WS_TEXT("now-");
    ws_timestamp date = {.given = false};
    int64_t read_ns = now_s * WS_NS_PER_S;
    int64_t back_ns = 0;
    bool inexact = false;
    bool is_read = ws_text_is(text, "now") || ws_parse_scaled(text, 9, &read_ns, &inexact);

    if (ws_text_starts_with(text, before)) {
        if (!fetch_span(flag, ws_text_slice(text, before.length, text.length), &back_ns, diag)) {
            return false;
        }
        read_ns -= back_ns;
        is_read = true;
    } else if (ws_timestamp_parse(text, &date)) {
        is_read = date.unix_s >= 0 && date.unix_s <= FETCH_TIME_MAX_NS / WS_NS_PER_S;
        read_ns = is_read ? date.unix_s * WS_NS_PER_S : 0;
    }
    if (!is_read || read_ns < 0 || read_ns > FETCH_TIME_MAX_NS) {
        ws_text shown = ws_output_shown(text, diag->arena);
        return ws_diag_error(diag, 3106, ws_span_none,
                             "`--%s` is a date, as 2026-01-05T00:00:00Z, Unix time in seconds, "
                             "`now`, or `now-6h`, not `%.*s`",
                             flag, WS_TEXT_ARGS(shown));
    }
    *at_ns = read_ns - read_ns % FETCH_NS_PER_MS;
    return true;
}

static bool fetch_times(ws_trace_fetch *fetch, const ws_settings *settings, int64_t now_s,
                        ws_diag *diag)
{
    const char *end = settings->end != NULL ? settings->end : "now";
    int64_t timeout_ns = WS_TRACE_FETCH_TIMEOUT_S * WS_NS_PER_S;

    if (!fetch_time("start", settings->start, now_s, &fetch->start_ns, diag) ||
        !fetch_time("end", end, now_s, &fetch->end_ns, diag) ||
        !fetch_span("step", ws_text_of(settings->step), &fetch->step_ns, diag) ||
        (settings->timeout != NULL &&
         !fetch_span("timeout", ws_text_of(settings->timeout), &timeout_ns, diag))) {
        return false;
    }
    if (fetch->step_ns % FETCH_NS_PER_MS != 0) {
        return ws_diag_error(diag, 3108, ws_span_none,
                             "`--step` is less than a millisecond, or no whole number of them");
    }
    if (fetch->end_ns < fetch->start_ns) {
        return ws_diag_error(diag, 4201, ws_span_none,
                             "`--end` is before `--start`: nothing would be fetched");
    }
    fetch->timeout_s = (timeout_ns + WS_NS_PER_S - 1) / WS_NS_PER_S;
    fetch->timeout_s =
        fetch->timeout_s > FETCH_TIMEOUT_MAX_S ? FETCH_TIMEOUT_MAX_S : fetch->timeout_s;
    return true;
}

/* ---- the server ---- */

static bool fetch_address(ws_trace_fetch *fetch, const ws_settings *settings, ws_diag *diag)
{
    fetch->url = ws_text_of(settings->url);
    const char *fault = ws_trace_fetch_url_fault(fetch->url);

    if (fault == NULL) {
        return true;
    }
    ws_diagnostic diagnostic = {.severity = WS_SEVERITY_ERROR, .code = 6408, .at = ws_span_none};
    /* not shown: it may hold what must not be seen */
    diagnostic.message = ws_arena_format(diag->arena, "the address of `--url` %s", fault);
    diagnostic.help = WS_TEXT("--url https://prometheus.example.org, without /api/v1; a token is "
                              "given by --bearer-token-file FILE");
    ws_diag_add(diag, &diagnostic);
    return false;
}

static bool fetch_check_token(ws_text token, const char *from, ws_diag *diag)
{
    bool is_sound = token.length > 0 && token.length <= FETCH_TOKEN_BYTES_MAX;

    for (size_t i = 0; is_sound && i < token.length; i++) {
        is_sound = token.start[i] > ' ' && token.start[i] < 0x7F;
    }
    return is_sound ||
           ws_diag_error(diag, 6409, ws_span_none,
                         "`%s` holds no token: one word of printable ASCII characters", from);
}

/* The token of a file, or of the environment; never of the command line, which others can see. */
static bool fetch_token(ws_trace_fetch *fetch, const ws_settings *settings, ws_arena *arena,
                        ws_diag *diag)
{
    const ws_input_limits limits = {.bytes_max = (int64_t)64 << 10, .allow_stdin = true};
    const char *path = settings->bearer_token_file;
    /* NOLINTNEXTLINE(concurrency-mt-unsafe): there is one thread */
    const char *variable = getenv(WS_TRACE_FETCH_TOKEN_VARIABLE);

    if (path == NULL && variable == NULL) {
        return true;
    }
    fetch->token = ws_text_of(variable);
    if (path != NULL) {
        const ws_file_name file = ws_trace_flags_file(path, arena);

        if (!ws_input_load(&fetch->token, &file, &limits, arena, diag)) {
            return false;
        }
        fetch->token = ws_text_trimmed(fetch->token);
    }
    return fetch_check_token(fetch->token, path != NULL ? path : WS_TRACE_FETCH_TOKEN_VARIABLE,
                             diag);
}

/* True of the machine itself, where nobody listens in between. */
static bool fetch_is_loopback(ws_text url)
{
    static const char *const hosts[] = {"http://localhost", "http://127.", "http://[::1]"};

    for (size_t i = 0; i < WS_COUNT_OF(hosts); i++) {
        if (ws_text_starts_with(url, ws_text_of(hosts[i]))) {
            return true;
        }
    }
    return false;
}

bool ws_trace_fetch_of_flags(ws_trace_fetch *fetch, const ws_settings *settings, int64_t now_s,
                             ws_arena *arena, ws_diag *diag)
{
    WS_ASSERT(fetch != NULL);
    WS_ASSERT(settings->url != NULL && settings->query != NULL);
    WS_ASSERT(settings->start != NULL && settings->step != NULL);

    fetch->query = ws_text_of(settings->query);
    fetch->ca_file = ws_text_of(settings->ca_file);
    if (!fetch_address(fetch, settings, diag) || !fetch_times(fetch, settings, now_s, diag) ||
        !fetch_size(fetch, settings, diag) || !fetch_token(fetch, settings, arena, diag)) {
        return false;
    }
    if (fetch->token.length > 0 && ws_text_starts_with(fetch->url, WS_TEXT("http://")) &&
        !fetch_is_loopback(fetch->url)) {
        ws_diag_warning(diag, 6410, ws_span_none,
                        "the token goes over http://, where everybody on the way can read it");
    }
    return true;
}
