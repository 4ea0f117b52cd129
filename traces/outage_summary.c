/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Outages in numbers. Totals are 128-bit, so that they hang on no order of summing. */
#include <math.h>

#include "spread.h"
#include "ws/trace_outage.h"

static double summary_ratio(double part, double whole)
{
    return whole > 0 ? part / whole : (double)NAN;
}

/* Nodes over time. Returns the nodes' time in which they were there, in node-ns. */
static ws_i128 summary_steps(ws_trace_outage_summary *summary, const ws_trace_outages *outages)
{
    ws_i128 there = 0;

    for (size_t i = 0; i < outages->step_count; i++) {
        const ws_trace_capacity_step *step = &outages->steps[i];
        bool is_last = i + 1 == outages->step_count;
        int64_t until_ns = is_last ? outages->end_ns : outages->steps[i + 1].at_ns;

        there += (ws_i128)step->nodes * (until_ns - step->at_ns);
        if (i == 0 || step->nodes < summary->nodes_min) {
            summary->nodes_min = step->nodes;
        }
        if (i == 0 || step->nodes > summary->nodes_max) {
            summary->nodes_max = step->nodes;
        }
    }
    return there;
}

bool ws_trace_outages_summarise(ws_trace_outage_summary *summary, const ws_trace_outages *outages,
                                ws_arena *arena)
{
    WS_ASSERT(summary != NULL);
    WS_ASSERT(outages != NULL);
    WS_ASSERT(arena != NULL);

    double *lengths = ws_arena_alloc(arena, double, outages->count + 1);
    double span_s = (double)(outages->end_ns - outages->begin_ns) / 1e9;
    double nodes_s = span_s * (double)outages->node_count;
    ws_i128 down = 0;
    ws_i128 mended = 0;
    size_t ended = 0;

    if (lengths == NULL) {
        return false;
    }
    *summary = (ws_trace_outage_summary){.open = 0};
    for (size_t i = 0; i < outages->count; i++) {
        const ws_trace_outage *outage = &outages->outages[i];
        int64_t length_ns = outage->up_ns - outage->down_ns;

        down += length_ns;
        summary->open += outage->is_open ? 1 : 0;
        if (!outage->is_open) {
            summary->no_length += length_ns == 0 ? 1 : 0;
            mended += length_ns;
            lengths[ended++] = (double)length_ns / 1e9;
        }
    }
    double there_s = (double)summary_steps(summary, outages) / 1e9;

    summary->down_s = (double)down / 1e9;
    summary->mtbf_s = summary_ratio(there_s, (double)outages->count);
    summary->mttr_s = summary_ratio((double)mended / 1e9, (double)ended);
    summary->availability = outages->starts_empty ? (double)NAN : summary_ratio(there_s, nodes_s);
    summary->nodes_mean = summary_ratio(there_s, span_s);
    summary->down = ws_trace_spread_of(lengths, ended, summary->mttr_s);
    return true;
}
