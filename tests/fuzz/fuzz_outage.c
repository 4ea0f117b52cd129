/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recorded outages: whatever the bytes of a file, reading ends, and what was loaded keeps its
 * promises.
 *
 * The first byte sets the options, the second the format (0: by content, then the list of
 * ws_trace_outage_type_at()), the rest is the file.
 */
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include "check_diag.h"
#include "write_file.h"
#include "ws/trace_outage.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

#define FUZZ_ARENA_BYTES ((size_t)256 << 20)

static void fuzz_check_outages(const ws_trace_outages *outages)
{
    int64_t faults = 0;

    for (size_t i = 0; i < outages->count; i++) {
        const ws_trace_outage *outage = &outages->outages[i];

        WS_ASSERT(outage->node < outages->node_count);
        WS_ASSERT(outage->down_ns >= outages->begin_ns && outage->up_ns <= outages->end_ns);
        WS_ASSERT(outage->up_ns >= outage->down_ns && outage->faults >= 1);
        WS_ASSERT(i == 0 || outage->down_ns >= outages->outages[i - 1].down_ns);
        faults += outage->faults;
    }
    WS_ASSERT(faults == outages->faults);
    for (size_t i = 0; i < outages->step_count; i++) {
        int64_t nodes = outages->steps[i].nodes;

        WS_ASSERT(nodes >= 0 && nodes <= (int64_t)outages->node_count);
        WS_ASSERT(i == 0 || outages->steps[i].at_ns > outages->steps[i - 1].at_ns);
    }
}

static void fuzz_check(const ws_trace_outages *outages, const ws_trace_outage_report *report,
                       ws_arena *arena)
{
    ws_trace_outage_summary summary;
    int64_t dropped = report->events_read - report->events_kept;

    for (int i = 0; i < WS_OUTAGE_FINDING_COUNT; i++) {
        ws_trace_finding_kind kind = ws_trace_outage_finding_at((ws_trace_outage_finding)i)->kind;

        dropped -= kind == WS_TRACE_NOTED ? 0 : report->found[i].count;
    }
    WS_ASSERT(dropped == 0);
    fuzz_check_outages(outages);
    bool is_summed = ws_trace_outages_summarise(&summary, outages, arena);

    WS_ASSERT(is_summed && summary.nodes_min <= summary.nodes_max);
    WS_ASSERT(!(summary.availability < 0) && !(summary.availability > 1 + 1e-9));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    uint8_t choice = count > 0 ? bytes[0] : 0;
    size_t format = count > 1 ? bytes[1] % (ws_trace_outage_type_count() + 1) : 0;
    size_t head = count < 2 ? count : 2;
    const ws_trace_outage_options options = {
        .type = format > 0 ? ws_trace_outage_type_at(format - 1) : NULL,
        .strict = (choice & 1) != 0};
    ws_trace_outage_report report = {.events_read = 0};
    ws_trace_outages outages = {.count = 0};
    char path[WS_FUZZ_PATH_BYTES];
    ws_arena arena;
    ws_diag diag;

    ws_fuzz_write_file(path, bytes + head, count - head);
    const ws_file_name file = {.path = path, .shown = WS_TEXT("fuzzed")};

    ws_arena_init(&arena, &ws_allocator_default, FUZZ_ARENA_BYTES);
    ws_diag_init(&diag, &arena);
    bool is_loaded = ws_trace_outages_load(&outages, &file, &options, &report, &arena, &diag);

    (void)unlink(path);
    ws_check_diag(&diag, is_loaded, &arena);
    if (is_loaded) {
        fuzz_check(&outages, &report, &arena);
    }
    ws_arena_reset(&arena);
    return 0;
}
