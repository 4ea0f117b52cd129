/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Addresses of servers, and fetched series as a file. Fetching itself is tests/end_to_end/fetch.sh.
 */
#include <math.h>

#include "trace_case.h"
#include "ws/trace_fetch.h"

static const char *fault_of(const char *url)
{
    const char *fault = ws_trace_fetch_url_fault(ws_text_of(url));

    return fault == NULL ? "none" : fault;
}

Test(fetch, addresses)
{
    static const char *const sound[] = {"http://localhost:9090", "https://prometheus.example.org/",
                                        "https://h/a/b%20c/query", "http://[::1]:9090/prometheus",
                                        "http://h/path/with@sign"};

    for (size_t i = 0; i < WS_COUNT_OF(sound); i++) {
        cr_assert_str_eq(fault_of(sound[i]), "none");
    }
    cr_assert_str_eq(fault_of(""), "begins with neither http:// nor https://");
    cr_assert_str_eq(fault_of("HTTP://h"), "begins with neither http:// nor https://");
    cr_assert_str_eq(fault_of("gopher://h"), "begins with neither http:// nor https://");
    cr_assert_str_eq(fault_of("http://"), "has no host");
    cr_assert_str_eq(fault_of("http:///api"), "has no host");
    cr_assert(strncmp(fault_of("https://ann:pw@h"), "has a user or a password in it", 30) == 0);
    cr_assert(strncmp(fault_of("http://h/?a=b"), "has a query or a fragment", 25) == 0);
    cr_assert(strncmp(fault_of("http://h/#a"), "has a query or a fragment", 25) == 0);
    cr_assert(strncmp(fault_of("http://h\r\nX: y"), "has a blank or a character", 26) == 0);
    cr_assert(strncmp(fault_of("http://h/\xC3\xA4"), "has a blank or a character", 26) == 0);
}

/* What is written is read again: labels with every escape, times in ms, values, blanks. */
Test(fetch, written_and_read_again)
{
    ws_trace_sample samples[] = {{.at_ns = INT64_C(1741046400500) * 1000000, .value = 0.1},
                                 {.at_ns = INT64_C(1741046401000) * 1000000, .value = (double)NAN},
                                 {.at_ns = INT64_C(1741046401500) * 1000000, .value = -1e300}};
    ws_trace_fetched_series series[] = {
        {.name = WS_TEXT("u"),
         .labels = WS_TEXT("{a=\"q\\\"b\\\\s\\nl,x=\\\"\",b=\"\xC3\xA4}\"}"),
         .samples = samples,
         .count = 3},
        {.name = WS_TEXT(""), .labels = WS_TEXT(""), .samples = samples, .count = 1}};
    const ws_trace_fetched fetched = {.series = series, .count = 2, .samples = 4};
    ws_trace_series_report report = {.samples_read = 0};
    ws_trace_series_options options = {.strict = false};
    ws_trace_series_set set;
    ws_writer out;
    trace_case c;

    trace_case_begin(&c, "fetch-write");
    ws_file_name file = {.path = c.path, .shown = WS_TEXT("t.json")};

    cr_assert(ws_writer_open(&out, c.path, file.shown, &c.diag));
    cr_assert(ws_trace_fetched_write(&fetched, &out, &c.arena));
    cr_assert(ws_writer_finish(&out, &c.diag));
    cr_assert(ws_trace_series_load(&set, &file, &options, &report, &c.arena, &c.diag));
    cr_assert(eq(sz, set.count, 2));
    cr_assert(ws_text_equals(set.items[0].labels, series[0].labels));
    cr_assert(ws_text_is(set.items[0].name, "u"));
    cr_assert(eq(sz, set.items[1].labels.length, 0));
    cr_assert(eq(i64, set.items[0].blanks, 1));
    cr_assert(eq(sz, set.items[0].count, 2));
    cr_assert(eq(i64, set.items[0].samples[0].at_ns, samples[0].at_ns));
    cr_assert(eq(dbl, set.items[0].samples[1].value, -1e300));
    trace_case_end(&c);
}
