/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ws/trace_format.h"

#include "reading.h"

/* A new format has its line here, besides the list of its record. */
const char *const ws_trace_format_names[] = {
    "acme", "gavel", "helios", "openb", "pai", "philly-csv", "philly-json", "pollux", "sacct",
    "shockwave", "sia", "spot-v2026", "swf", "tiresias", "worldsize",
    /* series */
    "aws-spot-prices", "openmetrics", "prometheus-json", "prometheus-text", "promtool-dump",
    "series-csv",
    /* outages */
    "bamboo", "infinitehbd",
    /* training steps */
    "deepspeed", "hf-trainer", "megatron", "nemo", "torchtitan",
    /* pods */
    "kubernetes", NULL};

ws_trace_format ws_trace_format_at(size_t index)
{
    WS_ASSERT(index + 1 < WS_COUNT_OF(ws_trace_format_names));

    ws_text name = ws_text_of(ws_trace_format_names[index]);

    return (ws_trace_format){.jobs = ws_trace_type_find(name),
                             .series = ws_trace_series_type_find(name),
                             .outages = ws_trace_outage_type_find(name),
                             .steps = ws_trace_steps_type_find(name),
                             .is_pods = ws_text_is(name, ws_trace_pods_format_name)};
}

const char *ws_trace_format_name(const ws_trace_format *format)
{
    WS_ASSERT(format != NULL);

    if (format->jobs != NULL) {
        return format->jobs->name;
    }
    if (format->series != NULL) {
        return format->series->name;
    }
    if (format->outages != NULL) {
        return format->outages->name;
    }
    return format->is_pods ? ws_trace_pods_format_name : format->steps->name;
}

const char *ws_trace_format_summary(const ws_trace_format *format)
{
    WS_ASSERT(format != NULL);

    if (format->jobs != NULL) {
        return format->jobs->summary;
    }
    if (format->series != NULL) {
        return format->series->summary;
    }
    if (format->outages != NULL) {
        return format->outages->summary;
    }
    return format->is_pods ? ws_trace_pods_format_summary : format->steps->summary;
}

bool ws_trace_format_sniff(ws_trace_format *format, const ws_file_name *file, ws_diag *diag)
{
    ws_text head = {.start = NULL};

    WS_ASSERT(format != NULL);

    if (!ws_trace_read_head(&head, file, diag)) {
        return false;
    }
    *format = (ws_trace_format){.series = ws_trace_series_sniff_head(head),
                                .outages = ws_trace_outage_sniff_head(head)};
    if (format->series != NULL || format->outages != NULL) {
        return true;
    }
    format->is_pods = ws_trace_pods_sniff_head(head);
    if (format->is_pods) {
        return true;
    }
    format->steps = ws_trace_steps_sniff(file, diag->arena);
    if (format->steps != NULL) {
        return true;
    }
    format->jobs = ws_trace_sniff(file, diag);
    return format->jobs != NULL;
}
