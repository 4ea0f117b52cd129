/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pods and events of Kubernetes: whatever the bytes of a file, reading ends, and the numbers fit
 * together. The first byte sets the options, the rest is the file.
 */
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include "check_diag.h"
#include "write_file.h"
#include "ws/trace_pods.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

#define FUZZ_ARENA_BYTES ((size_t)256 << 20)

static void fuzz_check(const ws_trace_pods_summary *summary, const ws_trace_pods_report *report)
{
    int64_t dropped = report->objects_read - report->objects_kept;

    for (int i = 0; i < WS_PODS_FINDING_COUNT; i++) {
        ws_trace_finding_kind kind = ws_trace_pods_finding_at((ws_trace_pods_finding)i)->kind;

        dropped -= kind == WS_TRACE_NOTED ? 0 : report->found[i].count;
    }
    WS_ASSERT(dropped == 0);
    WS_ASSERT(summary->pods <= report->objects_kept && summary->restarts >= 0);
    for (size_t i = 0; i < WS_POD_PHASE_COUNT; i++) {
        const ws_trace_spread *phase = &summary->phases[i];

        WS_ASSERT(phase->n <= summary->pods);
        WS_ASSERT(phase->n == 0 || (phase->p10 >= 0 && phase->p10 <= phase->max));
    }
    for (size_t i = 1; i < summary->reason_count; i++) {
        WS_ASSERT(summary->reasons[i].count <= summary->reasons[i - 1].count);
        WS_ASSERT(summary->reasons[i].count >= 1);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    const ws_trace_pods_options options = {.strict = count > 0 && (bytes[0] & 1) != 0};
    size_t head = count < 1 ? count : 1;
    ws_trace_pods_report report = {.objects_read = 0};
    ws_trace_pods_summary summary = {.pods = 0};
    char path[WS_FUZZ_PATH_BYTES];
    ws_arena arena;
    ws_diag diag;

    ws_fuzz_write_file(path, bytes + head, count - head);
    const ws_file_name file = {.path = path, .shown = WS_TEXT("fuzzed")};

    ws_arena_init(&arena, &ws_allocator_default, FUZZ_ARENA_BYTES);
    ws_diag_init(&diag, &arena);
    bool is_read = ws_trace_pods_summarise(&summary, &file, &options, &report, &arena, &diag);

    (void)unlink(path);
    ws_check_diag(&diag, is_read, &arena);
    if (is_read) {
        fuzz_check(&summary, &report);
    }
    ws_arena_reset(&arena);
    return 0;
}
