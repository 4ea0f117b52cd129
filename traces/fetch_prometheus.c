/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Series of a range of time from Prometheus's HTTP API: pieces of the range one after the other,
 * each answer through the reader of `prometheus-json`, the samples of a series put together.
 *
 * A query goes by GET, since some proxies let tokens that may read do nothing else, and by POST
 * where the address would grow too long for them. Source: Prometheus documentation, "HTTP API".
 */
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "fetch.h"
#include "found.h"
#include "reading.h"
#include "seconds.h"
#include "series_reading.h"
#include "ws/number.h"

#define FETCH_SCRATCH_BYTES ((size_t)1 << 28) /* names of an answer's series */
#define FETCH_GET_BYTES_MAX 4000              /* of the query, encoded */
#define FETCH_SAID_BYTES 120                  /* of an answer that is no JSON */

typedef struct {
    const ws_trace_fetch *fetch;
    ws_trace_fetched found;
    size_t capacity;      /* of its series */
    ws_trace_names names; /* each with its labels */
    const ws_trace_series_id *last_id;
    ws_trace_fetched_series *last; /* of that id */
    int64_t bytes;                 /* of all answers so far */
    ws_text server;                /* the address without a slash at its end */
    ws_arena *arena;
    ws_arena scratch; /* of one answer */
    ws_writer body;   /* into the file of one answer */
    ws_diag *diag;
} fetch_task;

/* ---- what is asked ---- */

static const char *fetch_authority_fault(ws_text authority)
{
    if (authority.length == 0) {
        return "has no host";
    }
    if (ws_text_find_byte(authority, '@') < authority.length) {
        return "has a user or a password in it, which whoever lists the processes would see";
    }
    return NULL;
}

const char *ws_trace_fetch_url_fault(ws_text url)
{
    ws_text http = WS_TEXT("http://");
    ws_text https = WS_TEXT("https://");
    size_t scheme = ws_text_starts_with(url, https)  ? https.length
                    : ws_text_starts_with(url, http) ? http.length
                                                     : 0;

    if (scheme == 0) {
        return "begins with neither http:// nor https://";
    }
    for (size_t i = 0; i < url.length; i++) {
        unsigned char byte = (unsigned char)url.start[i];
        if (byte <= ' ' || byte >= 0x7F) {
            return "has a blank or a character that must be percent-encoded";
        }
        if (byte == '?' || byte == '#') {
            return "has a query or a fragment; it ends before /api/v1";
        }
    }
    ws_text rest = ws_text_slice(url, scheme, url.length);

    return fetch_authority_fault(ws_text_slice(rest, 0, ws_text_find_byte(rest, '/')));
}

/* Percent-encoded (RFC 3986): all but letters, digits and `-._~`. NULL when memory is exhausted. */
static const char *fetch_encoded(ws_text text, ws_arena *arena)
{
    static const char digits[] = "0123456789ABCDEF";
    char *out = ws_arena_alloc(arena, char, 3 * text.length + 1);
    size_t to = 0;

    if (out == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < text.length; i++) {
        unsigned char byte = (unsigned char)text.start[i];
        bool is_plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                        (byte >= '0' && byte <= '9') || byte == '-' || byte == '.' || byte == '_' ||
                        byte == '~';
        if (is_plain) {
            out[to++] = (char)byte;
        } else {
            out[to++] = '%';
            out[to++] = digits[byte >> 4];
            out[to++] = digits[byte & 15];
        }
    }
    out[to] = '\0';
    return out;
}

/* The request for the points from `from_ns` to `to_ns`. False when memory is exhausted. */
static bool fetch_prepare(fetch_task *task, int64_t from_ns, int64_t to_ns,
                          ws_fetch_request *request)
{
    const ws_trace_fetch *fetch = task->fetch;
    const char *query = fetch_encoded(fetch->query, &task->scratch);
    char from[WS_TOTAL_TEXT_BYTES];
    char to[WS_TOTAL_TEXT_BYTES];
    char step[WS_TOTAL_TEXT_BYTES];

    if (query == NULL) {
        return false;
    }
    ws_trace_print_s(from_ns, from);
    ws_trace_print_s(to_ns, to);
    ws_trace_print_s(fetch->step_ns, step);
    ws_text form =
        ws_arena_format(&task->scratch, "query=%s&start=%s&end=%s&step=%s", query, from, to, step);
    ws_text url =
        ws_arena_format(&task->scratch, "%.*s/api/v1/query_range", WS_TEXT_ARGS(task->server));

    if (form.length <= FETCH_GET_BYTES_MAX) {
        url = ws_arena_format(&task->scratch, "%.*s?%.*s", WS_TEXT_ARGS(url), WS_TEXT_ARGS(form));
    } else {
        request->form = form.start;
    }
    request->url = url.start;
    if (fetch->token.length > 0) {
        request->header = ws_arena_format(&task->scratch, "Authorization: Bearer %.*s",
                                          WS_TEXT_ARGS(fetch->token))
                              .start;
    }
    return form.start != NULL && url.start != NULL &&
           (fetch->token.length == 0 || request->header != NULL);
}

/* ---- what comes ---- */

static bool fetch_exhausted(fetch_task *task)
{
    return ws_diag_error(task->diag, 9020, ws_span_none,
                         "`%.*s` has more series than memory allows", WS_TEXT_ARGS(task->server));
}

/* The series of a name; NULL when memory is exhausted. */
static ws_trace_fetched_series *fetch_series(fetch_task *task, const ws_trace_series_id *id)
{
    ws_trace_fetched *found = &task->found;
    ws_text key = ws_arena_format(&task->scratch, "%.*s%.*s", WS_TEXT_ARGS(id->name),
                                  WS_TEXT_ARGS(id->labels));
    size_t index = 0;

    if (key.start == NULL || !ws_trace_names_index(&task->names, key, &index)) {
        return NULL;
    }
    if (index < found->count) {
        return &found->series[index];
    }
    void *grown = found->count < task->capacity
                      ? found->series
                      : ws_arena_grow(task->arena, found->series, found->count, found->count + 1,
                                      &task->capacity, sizeof *found->series);
    if (grown == NULL) {
        return NULL;
    }
    ws_text kept = task->names.items[index];

    found->series = grown;
    found->series[index] =
        (ws_trace_fetched_series){.name = ws_text_slice(kept, 0, id->name.length),
                                  .labels = ws_text_slice(kept, id->name.length, kept.length)};
    found->count++;
    return &found->series[index];
}

static bool fetch_add(fetch_task *task, ws_trace_fetched_series *series,
                      const ws_trace_sample *sample)
{
    if (series->count > 0 && sample->at_ns <= series->samples[series->count - 1].at_ns) {
        task->found.repeated++;
        return true;
    }
    if (series->count == series->capacity) {
        void *samples = ws_arena_grow(task->arena, series->samples, series->count,
                                      series->count + 1, &series->capacity, sizeof *sample);
        if (samples == NULL) {
            return false;
        }
        series->samples = samples;
    }
    series->samples[series->count++] = *sample;
    task->found.samples++;
    return true;
}

/* The sink of the reader. Its samples come series by series. */
static bool fetch_take(void *context, const ws_trace_series_id *id, const ws_trace_sample *sample,
                       int64_t line)
{
    fetch_task *task = context;

    (void)line;
    if (id != task->last_id) {
        task->last_id = id;
        task->last = fetch_series(task, id);
    }
    return (task->last != NULL && fetch_add(task, task->last, sample)) || fetch_exhausted(task);
}

/* ---- answers that are none ---- */

static bool fetch_fault(const fetch_task *task, int code, ws_text message, const char *help)
{
    ws_diagnostic diagnostic = {.severity = WS_SEVERITY_ERROR,
                                .code = code,
                                .at = ws_span_none,
                                .message = message,
                                .help = ws_text_of(help)};

    ws_diag_add(task->diag, &diagnostic);
    return false;
}

/* The request did not end as it should. */
static bool fetch_refuse_outcome(const fetch_task *task, const ws_fetch_answer *answer)
{
    ws_arena *arena = task->diag->arena;

    switch (answer->outcome) {
    case WS_FETCH_ANSWERED:
    case WS_FETCH_UNWRITTEN: /* told when the file is closed */
    case WS_FETCH_STOPPED:
        return false;
    case WS_FETCH_UNREACHED:
        return fetch_fault(task, 6401,
                           ws_arena_format(arena, "cannot ask `%.*s`: %s",
                                           WS_TEXT_ARGS(task->server), answer->reason),
                           NULL);
    case WS_FETCH_CUT:
        return fetch_fault(task, 6405,
                           ws_arena_format(arena, "the answer of `%.*s` broke off: %s",
                                           WS_TEXT_ARGS(task->server), answer->reason),
                           NULL);
    case WS_FETCH_TOO_LARGE:
        return fetch_fault(task, 6406,
                           ws_arena_format(arena,
                                           "the answers of `%.*s` hold more than %" PRId64 " bytes",
                                           WS_TEXT_ARGS(task->server), task->fetch->bytes_max),
                           "a longer step, a shorter range, a query with fewer series, or "
                           "--max-bytes SIZE");
    }
    return false;
}

/* The first line of a text, as it may be shown. */
static ws_text fetch_said(ws_text head)
{
    ws_text line = ws_text_trimmed(head);

    line = ws_text_slice(line, 0, ws_text_find_byte(line, '\n'));
    return ws_text_beginning(line, FETCH_SAID_BYTES);
}

static bool fetch_refuse_status(const fetch_task *task, const ws_fetch_answer *answer, ws_text head)
{
    bool wants_token = answer->status == 401 || answer->status == 403;
    ws_text said = fetch_said(head);
    bool is_text = said.length > 0 && said.start[0] != '<' && said.start[0] != '{';
    ws_text message =
        ws_arena_format(task->diag->arena, "`%.*s` answers with status %d%s%.*s",
                        WS_TEXT_ARGS(task->server), answer->status, is_text ? ": " : "",
                        is_text ? (int)said.length : 0, said.length > 0 ? said.start : "");

    return fetch_fault(task, 6402, message,
                       wants_token ? "--bearer-token-file FILE holds the token that it asks for"
                       : answer->status == 404
                           ? "--url is what stands before /api/v1, a path included"
                           : NULL);
}

static bool fetch_refuse_redirect(const fetch_task *task, const ws_fetch_answer *answer)
{
    ws_text to = ws_text_of(answer->location);

    /* the query may be long, and is known */
    to = ws_text_slice(to, 0, ws_text_find_byte(to, '?'));
    return fetch_fault(
        task, 6404,
        ws_arena_format(task->diag->arena, "`%.*s` answers with status %d and points to `%.*s`",
                        WS_TEXT_ARGS(task->server), answer->status, WS_TEXT_ARGS(to)),
        "redirects are not followed, so that no token goes elsewhere: --url is the "
        "address that answers");
}

static bool fetch_refuse_page(const fetch_task *task, ws_text head)
{
    ws_text said = fetch_said(head);
    bool is_page = said.length > 0 && said.start[0] == '<';

    return fetch_fault(
        task, 6403,
        ws_arena_format(task->diag->arena,
                        is_page ? "`%.*s` answers with a web page, not with JSON"
                                : "`%.*s` answers with something else than JSON",
                        WS_TEXT_ARGS(task->server)),
        is_page ? "often the page of a login: --bearer-token-file FILE, or an address behind it"
                : "--url is what stands before /api/v1, a path included");
}

/* ---- one answer ---- */

/* Reads the answer, which lies in its file. */
static bool fetch_read(fetch_task *task, const ws_fetch_answer *answer)
{
    ws_file_name file = {.path = task->fetch->answer_path,
                         .shown = ws_arena_format(task->arena, "%.*s, answer %" PRId64,
                                                  WS_TEXT_ARGS(task->server), task->found.answers)};
    const ws_trace_series_options options = {.type = &ws_trace_prometheus_json};
    ws_trace_series_reading reading = {.file = &file,
                                       .options = &options,
                                       .sink = {.context = task, .take = fetch_take},
                                       .report = &task->found.report,
                                       .diag = task->diag};
    ws_text head = {.start = NULL};

    if (answer->bytes > 0 && !ws_trace_read_head(&head, &file, task->diag)) {
        return false;
    }
    if (answer->status >= 300 && answer->status < 400) {
        return fetch_refuse_redirect(task, answer);
    }
    ws_text trimmed = ws_text_trimmed(head);
    bool is_json = trimmed.length > 0 && trimmed.start[0] == '{';

    if (!is_json && answer->status < 400) {
        return fetch_refuse_page(task, head);
    }
    if (!is_json || answer->status == 401 || answer->status == 403) {
        return fetch_refuse_status(task, answer, head);
    }
    task->last_id = NULL;
    return ws_series_read_untold(&reading) &&
           (answer->status < 400 || fetch_refuse_status(task, answer, head));
}

/* Asks for a piece of the range and takes what comes. */
static bool fetch_piece(fetch_task *task, int64_t from_ns, int64_t to_ns)
{
    const ws_trace_fetch *fetch = task->fetch;
    ws_fetch_answer answer = {.status = 0};
    ws_fetch_request request = {
        .fetch = fetch, .bytes_max = fetch->bytes_max - task->bytes, .body = &task->body};

    ws_arena_reset(&task->scratch);
    if (!fetch_prepare(task, from_ns, to_ns, &request)) {
        return fetch_exhausted(task);
    }
    if (!ws_writer_open(&task->body, fetch->answer_path, ws_text_of(fetch->answer_path),
                        task->diag)) {
        return false;
    }
    task->found.answers++;
    ws_fetch_ask(&request, &answer);
    task->bytes += answer.bytes;
    bool is_taken = ws_writer_finish(&task->body, task->diag) &&
                    (answer.outcome == WS_FETCH_ANSWERED ? fetch_read(task, &answer)
                                                         : fetch_refuse_outcome(task, &answer));

    (void)unlink(fetch->answer_path);
    return is_taken;
}

/* ---- all of them ---- */

static bool fetch_all(fetch_task *task)
{
    const ws_trace_fetch *fetch = task->fetch;
    int64_t last =
        (fetch->end_ns - fetch->start_ns) / fetch->step_ns; /* number of the last point */

    for (int64_t i = 0; i <= last; i += WS_TRACE_FETCH_POINTS) {
        int64_t to = last - i < WS_TRACE_FETCH_POINTS ? last : i + WS_TRACE_FETCH_POINTS - 1;

        if (!fetch_piece(task, fetch->start_ns + i * fetch->step_ns,
                         fetch->start_ns + to * fetch->step_ns)) {
            return false;
        }
    }
    return true;
}

/* What was found in all answers together. */
static bool fetch_tell(fetch_task *task)
{
    const ws_file_name file = {.shown = task->server};
    const ws_trace_series_options options = {.strict = false};
    const ws_trace_series_reading reading = {
        .file = &file, .options = &options, .report = &task->found.report, .diag = task->diag};

    if (task->found.repeated > 0) {
        ws_diag_warning(task->diag, 6407, ws_span_none,
                        "%" PRId64 " samples of `%.*s` were not later than the one before them, "
                        "and are left out",
                        task->found.repeated, WS_TEXT_ARGS(task->server));
    }
    return ws_series_read_tell(&reading, true);
}

bool ws_trace_fetch_prometheus(ws_trace_fetched *fetched, const ws_trace_fetch *fetch,
                               ws_arena *arena, ws_diag *diag)
{
    WS_ASSERT(fetched != NULL);
    WS_ASSERT(fetch != NULL);
    WS_ASSERT(ws_trace_fetch_url_fault(fetch->url) == NULL);
    WS_ASSERT(fetch->start_ns >= 0 && fetch->start_ns <= fetch->end_ns);
    WS_ASSERT(fetch->step_ns > 0);
    WS_ASSERT(fetch->start_ns % 1000000 == 0 && fetch->step_ns % 1000000 == 0);
    WS_ASSERT(fetch->bytes_max > 0);
    WS_ASSERT(fetch->answer_path != NULL);

    fetch_task *task = ws_arena_alloc(arena, fetch_task, 1);

    if (task == NULL) {
        return ws_diag_error(diag, 9020, ws_span_none, "not enough memory to fetch");
    }
    *task = (fetch_task){.fetch = fetch, .server = fetch->url, .arena = arena, .diag = diag};
    if (!ws_trace_fetch_is_built_in()) {
        return fetch_fault(task, 6400, WS_TEXT("this program was built without libcurl"),
                           "install libcurl4-openssl-dev and build again: `./ws build` does both");
    }
    while (ws_text_ends_with(task->server, WS_TEXT("/"))) {
        task->server.length--;
    }
    ws_arena_init(&task->scratch, &arena->allocator, FETCH_SCRATCH_BYTES);
    ws_trace_names_init(&task->names, arena);
    bool is_fetched = fetch_all(task) && fetch_tell(task);

    ws_arena_reset(&task->scratch);
    if (is_fetched) {
        *fetched = task->found;
    }
    return is_fetched;
}
