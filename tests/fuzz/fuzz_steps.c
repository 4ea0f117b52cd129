/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Logs of training: whatever the bytes of a file, reading ends, and the numbers fit together.
 *
 * The first byte sets the options, the second the format (0: by content, then the list of
 * ws_trace_steps_type_at()), the rest is the file.
 */
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include "check_diag.h"
#include "write_file.h"
#include "ws/trace_steps.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

#define FUZZ_ARENA_BYTES ((size_t)256 << 20)

static void fuzz_check_spread(const ws_trace_spread *spread)
{
    WS_ASSERT(spread->n >= 0);
    WS_ASSERT(spread->n == 0 || (spread->p10 <= spread->p50 && spread->p50 <= spread->max));
}

static void fuzz_check(const ws_trace_steps_summary *summary, const ws_trace_steps_report *report)
{
    int64_t dropped = report->reports_read - report->reports_kept;

    for (int i = 0; i < WS_STEPS_FINDING_COUNT; i++) {
        ws_trace_finding_kind kind = ws_trace_steps_finding_at((ws_trace_steps_finding)i)->kind;

        dropped -= kind == WS_TRACE_NOTED ? 0 : report->found[i].count;
    }
    WS_ASSERT(dropped == 0);
    WS_ASSERT(summary->restarts == report->found[WS_STEPS_RESTART].count);
    WS_ASSERT(summary->lost_steps >= summary->restarts);
    WS_ASSERT(summary->first_step <= summary->step_max && summary->last_step <= summary->step_max);
    WS_ASSERT(summary->skipped_steps >= 0 && summary->nan_steps >= 0);
    WS_ASSERT(summary->world_size_min <= summary->world_size_max);
    WS_ASSERT(!summary->has_times || summary->first_ns <= summary->last_ns);
    WS_ASSERT(summary->pause_s.n < report->reports_kept || summary->pause_s.n == 0);
    fuzz_check_spread(&summary->step_s);
    fuzz_check_spread(&summary->samples_per_s);
    fuzz_check_spread(&summary->gpu_tokens_per_s);
    fuzz_check_spread(&summary->pause_s);
    fuzz_check_spread(&summary->evaluation_s);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    uint8_t choice = count > 0 ? bytes[0] : 0;
    size_t format = count > 1 ? bytes[1] % (ws_trace_steps_type_count() + 1) : 0;
    size_t head = count < 2 ? count : 2;
    const ws_trace_steps_options options = {.type = format > 0 ? ws_trace_steps_type_at(format - 1)
                                                               : NULL,
                                            .strict = (choice & 1) != 0};
    ws_trace_steps_report report = {.reports_read = 0};
    ws_trace_steps_summary summary = {.restarts = 0};
    char path[WS_FUZZ_PATH_BYTES];
    ws_arena arena;
    ws_diag diag;

    ws_fuzz_write_file(path, bytes + head, count - head);
    const ws_file_name file = {.path = path, .shown = WS_TEXT("fuzzed")};

    ws_arena_init(&arena, &ws_allocator_default, FUZZ_ARENA_BYTES);
    ws_diag_init(&diag, &arena);
    bool is_read = ws_trace_steps_summarise(&summary, &file, &options, &report, &arena, &diag);

    (void)unlink(path);
    ws_check_diag(&diag, is_read, &arena);
    if (is_read) {
        fuzz_check(&summary, &report);
    }
    ws_arena_reset(&arena);
    return 0;
}
