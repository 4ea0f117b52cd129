/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Traces: whatever the bytes of a file, reading ends, what was loaded keeps its promises, any
 * window of it too, and what was written in the own format reads back equal.
 *
 * The first byte sets the options and the format, the rest is the file. Files are read by path, so
 * the bytes go through a file in a folder of memory.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "ws/trace.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

#define FUZZ_ARENA_BYTES ((size_t)256 << 20)

/* Writes a file and loads it. */
static bool fuzz_load(ws_trace *trace, const ws_trace_options *options, ws_trace_report *report,
                      ws_text content, ws_arena *arena)
{
    char path[] = "/dev/shm/ws-fuzz-trace-XXXXXX";
    ws_file_name file = {.path = path, .shown = WS_TEXT("fuzzed.csv")};
    ws_diag diag;
    int fd = mkstemp(path);
    bool is_loaded = false;

    WS_ASSERT(fd >= 0);
    for (size_t done = 0; done < content.length;) {
        ssize_t written = write(fd, content.start + done, content.length - done);

        WS_ASSERT(written > 0);
        done += (size_t)written;
    }
    ws_diag_init(&diag, arena);
    is_loaded = ws_trace_load(trace, &file, options, report, arena, &diag);
    WS_ASSERT(is_loaded == !ws_diag_has_errors(&diag));
    for (size_t i = 0; i < diag.count; i++) {
        WS_ASSERT(ws_diagnostic_print(&diag.entries[i], false, arena).length > 0);
    }
    (void)close(fd);
    (void)unlink(path);
    return is_loaded;
}

static void fuzz_check(const ws_trace *trace, const ws_trace_report *report)
{
    int64_t dropped = report->rows_read - report->jobs_kept;

    for (int i = 0; i < WS_TRACE_FINDING_COUNT; i++) {
        ws_trace_finding_kind kind = ws_trace_finding_at((ws_trace_finding)i)->kind;

        dropped -= kind == WS_TRACE_NOTED ? 0 : report->found[i].count;
    }
    WS_ASSERT(dropped == 0);
    WS_ASSERT(report->jobs_kept == (int64_t)trace->count);
    for (size_t i = 0; i < trace->count; i++) {
        const ws_trace_job *job = &trace->jobs[i];
        char date[WS_TRACE_DATE_BYTES];

        WS_ASSERT(ws_trace_job_is_valid(job));
        WS_ASSERT(job->arrival_ns >= (i > 0 ? trace->jobs[i - 1].arrival_ns : 0));
        WS_ASSERT(job->duration_ns == WS_TRACE_UNKNOWN_NS ||
                  ws_trace_job_end_ns(job) > job->arrival_ns);
        WS_ASSERT(ws_trace_print_date(trace, job->arrival_ns, date) < sizeof date);
    }
}

static void fuzz_windows(const ws_trace *trace, const ws_trace_report *report, ws_arena *arena)
{
    int64_t last_ns = trace->count > 0 ? trace->jobs[trace->count - 1].arrival_ns : 0;
    const ws_trace_window windows[] = {
        {.from_ns = INT64_MIN, .to_ns = INT64_MAX, .keep_remainders = true},
        {.from_ns = last_ns / 2, .to_ns = last_ns + 1},
        {.from_ns = last_ns / 3, .to_ns = last_ns / 3 + WS_NS_PER_H, .keep_remainders = true},
        {.from_ns = last_ns, .to_ns = INT64_MAX, .keep_remainders = true},
    };

    for (size_t i = 0; i < WS_COUNT_OF(windows); i++) {
        ws_trace_report counted = *report;
        ws_trace cut;
        ws_diag diag;

        ws_diag_init(&diag, arena);
        bool is_cut = ws_trace_cut(&cut, trace, &windows[i], &counted, arena, &diag);

        WS_ASSERT(is_cut);
        fuzz_check(&cut, &counted);
    }
}

/* Writes a trace in the own format and loads that. */
static void fuzz_again(const ws_trace *trace, ws_trace *again, ws_arena *arena)
{
    const ws_trace_type *own = ws_trace_type_find(WS_TEXT("worldsize"));
    const ws_trace_options options = {.strict = true};
    ws_trace_report report = {.rows_read = 0};
    ws_writer writer;
    ws_diag diag;

    ws_diag_init(&diag, arena);
    ws_writer_init_memory(&writer, arena);
    own->write(trace, &writer, arena);
    bool is_written = ws_writer_finish(&writer, &diag);

    WS_ASSERT(is_written);
    bool is_loaded = fuzz_load(again, &options, &report, ws_writer_text(&writer), arena);

    WS_ASSERT(is_loaded);
    WS_ASSERT(again->count == trace->count);
    WS_ASSERT(again->count == 0 || again->origin_ns == trace->origin_ns);
    WS_ASSERT(again->count == 0 || again->clock == trace->clock);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    const ws_trace_type *types[] = {NULL, ws_trace_type_find(WS_TEXT("philly-csv")),
                                    ws_trace_type_find(WS_TEXT("worldsize")),
                                    ws_trace_type_find(WS_TEXT("pollux"))};
    uint8_t choice = count > 0 ? bytes[0] : 0;
    ws_text content = {.start = (const char *)bytes + (count > 0), .length = count - (count > 0)};
    ws_trace_options options = {.type = types[choice >> 4 & 3],
                                .strict = (choice & 1) != 0,
                                .ceil_gpus = (choice & 2) != 0,
                                .time_unit = (ws_trace_time_unit)((choice >> 2 & 3) % 3)};
    ws_trace_report report = {.rows_read = 0};
    ws_trace trace;
    ws_arena arena;

    ws_arena_init(&arena, &ws_allocator_default, FUZZ_ARENA_BYTES);
    if (fuzz_load(&trace, &options, &report, content, &arena)) {
        ws_trace once;
        ws_trace twice;

        fuzz_check(&trace, &report);
        fuzz_windows(&trace, &report, &arena);
        /* the first writing may mend bytes that are no UTF-8; from then on nothing changes */
        fuzz_again(&trace, &once, &arena);
        fuzz_again(&once, &twice, &arena);
        for (size_t i = 0; i < once.count; i++) {
            WS_ASSERT(ws_trace_job_equals(&once.jobs[i], &twice.jobs[i], true));
        }
    }
    ws_arena_reset(&arena);
    return 0;
}
