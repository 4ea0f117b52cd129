/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recorded series: whatever the bytes of a file, reading ends, and what was loaded keeps its
 * promises.
 *
 * The first byte sets the options, the second the format (0: by content, then the list of
 * ws_trace_series_type_at()), the rest is the file.
 */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include "check_diag.h"
#include "write_file.h"
#include "ws/trace_series.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

#define FUZZ_ARENA_BYTES ((size_t)256 << 20)

/* Samples by time, strictly; holes and steps of them; a value at each of them. */
static void fuzz_check_series(const ws_trace_series *series)
{
    double value = 0;

    WS_ASSERT(series->untimed <= series->count);
    WS_ASSERT(series->holes >= 0 && series->hole_ns >= 0 && series->step_ns >= 0);
    WS_ASSERT(series->holes < (int64_t)series->count || series->holes == 0);
    for (size_t i = 0; i < series->count; i++) {
        const ws_trace_sample *sample = &series->samples[i];

        WS_ASSERT(isfinite(sample->value));
        WS_ASSERT((sample->at_ns == WS_TRACE_UNKNOWN_NS) == (i < series->untimed));
        if (i >= series->untimed) {
            bool is_known = ws_trace_series_at(series, sample->at_ns, &value);

            WS_ASSERT(is_known && !(value < sample->value) && !(value > sample->value));
            WS_ASSERT(i == series->untimed || sample->at_ns > series->samples[i - 1].at_ns);
        }
    }
}

static void fuzz_check(const ws_trace_series_set *set, const ws_trace_series_report *report,
                       ws_arena *arena)
{
    ws_trace_series_summary summary;
    int64_t dropped = report->samples_read - report->samples_kept;
    int64_t samples = 0;

    for (int i = 0; i < WS_SERIES_FINDING_COUNT; i++) {
        ws_trace_finding_kind kind = ws_trace_series_finding_at((ws_trace_series_finding)i)->kind;

        dropped -= kind == WS_TRACE_NOTED ? 0 : report->found[i].count;
    }
    WS_ASSERT(dropped == 0);
    for (size_t i = 0; i < set->count; i++) {
        fuzz_check_series(&set->items[i]);
        samples += (int64_t)set->items[i].count;
    }
    WS_ASSERT(samples == report->samples_kept);
    bool is_summed = ws_trace_series_summarise(&summary, set, arena);

    WS_ASSERT(is_summed && summary.samples == samples);
    WS_ASSERT(summary.metric_count <= set->count);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    uint8_t choice = count > 0 ? bytes[0] : 0;
    size_t format = count > 1 ? bytes[1] % (ws_trace_series_type_count() + 1) : 0;
    size_t head = count < 2 ? count : 2;
    const ws_trace_series_options options = {
        .type = format > 0 ? ws_trace_series_type_at(format - 1) : NULL,
        .strict = (choice & 1) != 0,
        .hole_steps = (choice & 2) != 0 ? 3 : 0};
    ws_trace_series_report report = {.samples_read = 0};
    ws_trace_series_set set = {.count = 0};
    char path[WS_FUZZ_PATH_BYTES];
    ws_arena arena;
    ws_diag diag;

    ws_fuzz_write_file(path, bytes + head, count - head);
    const ws_file_name file = {.path = path, .shown = WS_TEXT("fuzzed")};

    ws_arena_init(&arena, &ws_allocator_default, FUZZ_ARENA_BYTES);
    ws_diag_init(&diag, &arena);
    bool is_loaded = ws_trace_series_load(&set, &file, &options, &report, &arena, &diag);

    (void)unlink(path);
    ws_check_diag(&diag, is_loaded, &arena);
    if (is_loaded) {
        fuzz_check(&set, &report, &arena);
    }
    ws_arena_reset(&arena);
    return 0;
}
