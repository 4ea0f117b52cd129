/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of formats of recorded series, and reading a file through one of them. */
#include "found.h"
#include "reading.h"
#include "series_reading.h"

#define SERIES_BUFFER_BYTES ((size_t)2 << 30) /* of a reader: lines, names of series */

static const ws_trace_series_type *const series_types[] = {
    &ws_trace_prometheus_json, &ws_trace_aws_prices,      &ws_trace_promtool_dump,
    &ws_trace_openmetrics,     &ws_trace_prometheus_text, &ws_trace_series_csv};

size_t ws_trace_series_type_count(void)
{
    return WS_COUNT_OF(series_types);
}

const ws_trace_series_type *ws_trace_series_type_at(size_t index)
{
    WS_ASSERT(index < WS_COUNT_OF(series_types));

    return series_types[index];
}

const ws_trace_series_type *ws_trace_series_type_find(ws_text name)
{
    for (size_t i = 0; i < WS_COUNT_OF(series_types); i++) {
        if (ws_text_is(name, series_types[i]->name)) {
            return series_types[i];
        }
    }
    return NULL;
}

const ws_trace_series_type *ws_trace_series_sniff_head(ws_text head)
{
    for (size_t i = 0; i < WS_COUNT_OF(series_types); i++) {
        if (series_types[i]->sniff(head)) {
            return series_types[i];
        }
    }
    return NULL;
}

static const ws_trace_series_type *series_choose(const ws_trace_series_reading *reading)
{
    const ws_trace_series_type *type = reading->options->type;
    ws_text head = {.start = NULL};

    if (type != NULL || !ws_trace_read_head(&head, reading->file, reading->diag)) {
        return type;
    }
    type = ws_trace_series_sniff_head(head);
    if (type == NULL) {
        (void)ws_diag_error(reading->diag, 6107, reading->file->at,
                            "`%.*s` looks like no known format of recorded series",
                            WS_TEXT_ARGS(reading->file->shown));
    }
    return type;
}

bool ws_series_read_untold(ws_trace_series_reading *reading)
{
    WS_ASSERT(reading != NULL);

    const ws_trace_series_type *type = series_choose(reading);
    ws_arena scratch;
    bool is_read = false;

    if (type == NULL) {
        return false;
    }
    ws_arena_init(&scratch, &reading->diag->arena->allocator, SERIES_BUFFER_BYTES);
    reading->arena = &scratch;
    reading->type = type;
    ws_trace_names_init(&reading->names, &scratch);
    reading->key = ws_arena_alloc(&scratch, char, WS_SERIES_NAME_BYTES);
    is_read = reading->key != NULL
                  ? type->read(reading)
                  : ws_diag_error(reading->diag, 9020, ws_span_none, "not enough memory to read");
    ws_arena_reset(&scratch);
    reading->arena = NULL;
    return is_read;
}

bool ws_series_read_tell(const ws_trace_series_reading *reading, bool is_read)
{
    WS_ASSERT(reading != NULL);

    const ws_trace_series_report *report = reading->report;
    const ws_trace_told told = {
        .unit = "samples", .total = report->samples_read, .strict = reading->options->strict};
    size_t errors_before = reading->diag->error_count;

    for (size_t i = 0; i < WS_SERIES_FINDING_COUNT; i++) {
        ws_trace_count_tell(&report->found[i],
                            ws_trace_series_finding_at((ws_trace_series_finding)i), &told,
                            reading->diag);
    }
    if (is_read && report->samples_kept == 0 && reading->diag->error_count == errors_before) {
        ws_diag_warning(reading->diag, 6184, reading->file->at, "`%.*s` holds no sample",
                        WS_TEXT_ARGS(reading->file->shown));
    }
    return is_read && reading->diag->error_count == errors_before;
}

bool ws_trace_series_read(const ws_file_name *file, const ws_trace_series_options *options,
                          ws_trace_series_sink sink, ws_trace_series_report *report, ws_diag *diag)
{
    ws_trace_series_report found = {.samples_read = 0};
    ws_trace_series_reading reading = {
        .file = file, .options = options, .sink = sink, .report = &found, .diag = diag};

    WS_ASSERT(file != NULL);
    WS_ASSERT(options != NULL);
    WS_ASSERT(sink.take != NULL);
    WS_ASSERT(report != NULL);
    WS_ASSERT(diag != NULL);

    bool is_read = ws_series_read_untold(&reading);

    is_read = ws_series_read_tell(&reading, is_read);
    report->samples_read += found.samples_read;
    report->samples_kept += found.samples_kept;
    ws_trace_counts_add(report->found, found.found, WS_SERIES_FINDING_COUNT);
    return is_read;
}
