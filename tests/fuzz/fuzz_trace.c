/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Traces: whatever the bytes of a file, reading ends, what was loaded keeps its promises, any
 * window of it too, and what was written in the own format reads back equal.
 *
 * The first byte sets the options, the second the format (its place in `fuzz_formats`), the rest is
 * the file; behind a line of `====` stands a second one, where a format reads one more, and behind
 * another such line a third. Files are read by path, so the bytes go through files in a folder of
 * memory.
 */
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include "check_diag.h"
#include "write_file.h"
#include "ws/trace.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

#define FUZZ_ARENA_BYTES ((size_t)256 << 20)

/* New ones at the end: the corpus counts on their places. */
static const char *const fuzz_formats[] = {
    "", /* by content */
    "philly-csv", "worldsize", "pollux", "philly-json", "openb",     "pai",      "acme", "helios",
    "spot-v2026", "swf",       "sacct",  "gavel",       "shockwave", "tiresias", "sia"};

#define FUZZ_FILES 3

typedef struct {
    char path[FUZZ_FILES][WS_FUZZ_PATH_BYTES];
    ws_text content[FUZZ_FILES]; /* NULL start: there is none */
} fuzz_files;

/* Up to three files, cut at lines of `====`. */
static fuzz_files fuzz_cut(ws_text bytes)
{
    const ws_text cut = WS_TEXT("\n====\n");
    fuzz_files files = {.content = {bytes}};

    for (size_t i = 0; i + 1 < FUZZ_FILES; i++) {
        ws_text rest = files.content[i];
        size_t at = 0;

        while (at < rest.length &&
               !ws_text_starts_with(ws_text_slice(rest, at, rest.length), cut)) {
            at++;
        }
        if (at == rest.length) {
            break;
        }
        files.content[i] = ws_text_slice(rest, 0, at + 1);
        files.content[i + 1] = ws_text_slice(rest, at + cut.length, rest.length);
    }
    return files;
}

/* The further files where the options want them. */
static void fuzz_name_with(const fuzz_files *files, ws_trace_options *options)
{
    const ws_file_name second = {.path = files->path[1], .shown = WS_TEXT("second")};
    const ws_file_name third = {.path = files->path[2], .shown = WS_TEXT("third")};

    if (files->content[1].start != NULL) {
        options->with[WS_TRACE_WITH_TASKS] = second;
        options->with[WS_TRACE_WITH_THROUGHPUTS] = second;
    }
    if (files->content[2].start != NULL) {
        options->with[WS_TRACE_WITH_INSTANCES] = third;
    }
}

/* Writes the files and loads the first. */
static bool fuzz_load(ws_trace *trace, const ws_trace_options *given, ws_trace_report *report,
                      ws_text content, ws_arena *arena)
{
    ws_trace_options options = *given;
    fuzz_files files = fuzz_cut(content);
    ws_diag diag;
    ws_writer rejects;
    bool is_loaded = false;

    for (size_t i = 0; i < FUZZ_FILES && files.content[i].start != NULL; i++) {
        ws_fuzz_write_file(files.path[i], files.content[i].start, files.content[i].length);
    }
    const ws_file_name file = {.path = files.path[0], .shown = WS_TEXT("fuzzed")};

    fuzz_name_with(&files, &options);
    ws_diag_init(&diag, arena);
    ws_writer_init_memory(&rejects, arena);
    options.rejects = &rejects;
    is_loaded = ws_trace_load(trace, &file, &options, report, arena, &diag);
    ws_check_diag(&diag, is_loaded, arena);
    for (size_t i = 0; i < FUZZ_FILES && files.content[i].start != NULL; i++) {
        (void)unlink(files.path[i]);
    }
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
    const ws_trace_export *own = ws_trace_export_find(WS_TEXT("worldsize"));
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
    uint8_t choice = count > 0 ? bytes[0] : 0;
    size_t format = count > 1 ? bytes[1] % WS_COUNT_OF(fuzz_formats) : 0;
    size_t head = count < 2 ? count : 2;
    ws_text content = {.start = (const char *)bytes + head, .length = count - head};
    ws_trace_options options = {.type = ws_trace_type_find(ws_text_of(fuzz_formats[format])),
                                .strict = (choice & 1) != 0,
                                .ceil_gpus = (choice & 2) != 0,
                                .time_unit = (ws_trace_time_unit)((choice >> 2 & 3) % 3),
                                .cores_per_gpu = choice >> 4 & 7,
                                .gpu_type = (choice & 128) != 0 ? WS_TEXT("k80") : WS_TEXT("")};
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
