/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pods in numbers: their phases, and reasons by how often they were given. */
#include <math.h>

#include "found.h"
#include "pods_reading.h"
#include "spread.h"
#include "ws/trace_keys.h"

#define PODS_SCRATCH_BYTES ((size_t)16 << 30)

static const char *const pods_phases[WS_POD_PHASE_COUNT] = {[WS_POD_WAIT] = "wait",
                                                            [WS_POD_PULL] = "pull",
                                                            [WS_POD_START] = "start",
                                                            [WS_POD_READY] = "ready",
                                                            [WS_POD_TOTAL] = "total"};

const char *ws_trace_pod_phase_name(ws_trace_pod_phase phase)
{
    WS_ASSERT(phase < WS_POD_PHASE_COUNT);

    return pods_phases[phase];
}

/* From one time to another; unknown where one of them is. */
static int64_t pods_between(int64_t from_ns, int64_t to_ns)
{
    return from_ns == WS_TRACE_UNKNOWN_NS || to_ns == WS_TRACE_UNKNOWN_NS ? WS_TRACE_UNKNOWN_NS
                                                                          : to_ns - from_ns;
}

static int64_t pods_phase(const ws_pod *pod, ws_trace_pod_phase phase)
{
    switch (phase) {
    case WS_POD_WAIT:
        return pods_between(pod->created_ns, pod->scheduled_ns);
    case WS_POD_PULL:
        return pod->pull_ns != WS_TRACE_UNKNOWN_NS ? pod->pull_ns
                                                   : pods_between(pod->pulling_ns, pod->pulled_ns);
    case WS_POD_START:
        return pods_between(pod->scheduled_ns, pod->started_ns);
    case WS_POD_READY:
        return pods_between(pod->started_ns, pod->ready_ns);
    case WS_POD_TOTAL:
        return pods_between(pod->created_ns, pod->ready_ns);
    case WS_POD_PHASE_COUNT:
        break;
    }
    return WS_TRACE_UNKNOWN_NS;
}

/* A phase of all pods; what ends before it begins is counted. `room` is for all of them. */
static ws_trace_spread pods_spread(ws_pods_reading *reading, ws_trace_pod_phase phase, double *room)
{
    size_t count = 0;
    double sum = 0;

    for (size_t i = 0; i < reading->names.count; i++) {
        int64_t length_ns = pods_phase(&reading->pods[i], phase);

        if (length_ns == WS_TRACE_UNKNOWN_NS) {
            continue;
        }
        if (length_ns < 0) {
            (void)ws_trace_count_add(&reading->report->found[WS_PODS_BACKWARDS], 0);
            continue;
        }
        room[count] = (double)length_ns / 1e9;
        sum += room[count++];
    }
    return ws_trace_spread_of(room, count, count > 0 ? sum / (double)count : (double)NAN);
}

static bool pods_reasons(ws_pods_reading *reading, ws_trace_pods_summary *summary)
{
    size_t count = reading->reasons.count;
    ws_trace_key *keys = ws_arena_alloc(reading->scratch, ws_trace_key, 2 * count + 1);
    ws_trace_pod_reason *unsorted =
        ws_arena_alloc(reading->scratch, ws_trace_pod_reason, count + 1);
    ws_trace_pod_reason *reasons = ws_arena_alloc(reading->arena, ws_trace_pod_reason, count + 1);

    if (keys == NULL || unsorted == NULL || reasons == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        unsorted[i].name = reading->reasons.items[i];
        unsorted[i].count = reading->reason_counts[i];
        keys[i] = (ws_trace_key){.key = -unsorted[i].count, .item = &unsorted[i]};
    }
    ws_trace_keys_sort(keys, keys + count, count);
    for (size_t i = 0; i < count; i++) {
        const ws_trace_pod_reason *reason = keys[i].item;
        reasons[i] = *reason;
    }
    summary->reasons = reasons;
    summary->reason_count = count;
    return true;
}

static bool pods_derive(ws_pods_reading *reading, ws_trace_pods_summary *summary)
{
    size_t count = reading->names.count;
    double *room = ws_arena_alloc(reading->scratch, double, count + 1);

    *summary = (ws_trace_pods_summary){.pods = (int64_t)count,
                                       .failed_scheduling = reading->failed_scheduling};
    if (room == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        summary->restarts += reading->pods[i].restarts;
        summary->cached += reading->pods[i].is_cached ? 1 : 0;
    }
    for (int phase = 0; phase < WS_POD_PHASE_COUNT; phase++) {
        summary->phases[phase] = pods_spread(reading, (ws_trace_pod_phase)phase, room);
    }
    return pods_reasons(reading, summary);
}

static bool pods_tell(const ws_pods_reading *reading, bool is_read)
{
    const ws_trace_pods_report *report = reading->report;
    const ws_trace_told told = {
        .unit = "objects", .total = report->objects_read, .strict = reading->options->strict};
    size_t errors_before = reading->diag->error_count;

    for (size_t i = 0; i < WS_PODS_FINDING_COUNT; i++) {
        ws_trace_count_tell(&report->found[i], ws_trace_pods_finding_at((ws_trace_pods_finding)i),
                            &told, reading->diag);
    }
    if (is_read && report->objects_kept == 0 && reading->diag->error_count == errors_before) {
        ws_diag_warning(reading->diag, 6435, reading->file->at,
                        "`%.*s` holds neither pods nor events of pods",
                        WS_TEXT_ARGS(reading->file->shown));
    }
    return is_read && reading->diag->error_count == errors_before;
}

bool ws_trace_pods_summarise(ws_trace_pods_summary *summary, const ws_file_name *file,
                             const ws_trace_pods_options *options, ws_trace_pods_report *report,
                             ws_arena *arena, ws_diag *diag)
{
    ws_trace_pods_summary derived;
    ws_arena scratch;

    WS_ASSERT(summary != NULL);
    WS_ASSERT(file != NULL);
    WS_ASSERT(options != NULL);
    WS_ASSERT(report != NULL);

    ws_pods_reading reading = {.file = file,
                               .options = options,
                               .report = report,
                               .arena = arena,
                               .scratch = &scratch,
                               .diag = diag};

    ws_arena_init(&scratch, &arena->allocator, PODS_SCRATCH_BYTES);
    ws_trace_names_init(&reading.names, &scratch);
    ws_trace_names_init(&reading.reasons, arena);
    bool is_read = ws_pods_read(&reading);

    if (is_read && !pods_derive(&reading, &derived)) {
        is_read = ws_diag_error(diag, 9020, file->at, "`%.*s` holds more pods than memory allows",
                                WS_TEXT_ARGS(file->shown));
    }
    is_read = pods_tell(&reading, is_read);
    ws_arena_reset(&scratch);
    if (is_read) {
        *summary = derived;
    }
    return is_read;
}
