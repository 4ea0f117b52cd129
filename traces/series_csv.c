/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The plainest series: a table of two columns, `time,value`. A time is a number of Unix seconds, or
 * a date and time; without a zone it is taken as UTC. A row without a value says that there is
 * none.
 */
#include "clock.h"
#include "csv_reader.h"
#include "reading.h"
#include "series_reading.h"

enum { CSV_TIME, CSV_VALUE, CSV_FIELDS };

static bool csv_is_time(ws_text name)
{
    return ws_text_is(name, "time") || ws_text_is(name, "timestamp");
}

static bool csv_is_value(ws_text name)
{
    return ws_text_is(name, "value") || ws_text_is(name, "price");
}

static bool csv_sniff(ws_text head)
{
    ws_text line = ws_text_trimmed(ws_text_slice(head, 0, ws_text_find_byte(head, '\n')));
    size_t comma = ws_text_find_byte(line, ',');

    return comma < line.length && csv_is_time(ws_text_slice(line, 0, comma)) &&
           csv_is_value(ws_text_slice(line, comma + 1, line.length));
}

/* A date, or a number of seconds. */
static ws_series_time csv_time(ws_trace_series_reading *reading, ws_text text,
                               const ws_series_place *place, int64_t *at_ns)
{
    int64_t offset_ns = 0;

    if (ws_clock_parse(text, at_ns) || ws_clock_parse_zoned(text, at_ns, &offset_ns)) {
        if (*at_ns >= 0) {
            return WS_SERIES_TIME;
        }
        (void)ws_series_reading_fault(reading, WS_SERIES_BAD_TIME, place);
        return WS_SERIES_TIME_BAD;
    }
    return ws_series_reading_time(reading, text, WS_SERIES_SECONDS, place, at_ns);
}

/* False when the reading must stop. */
static bool csv_read_row(ws_trace_series_reading *reading, const ws_csv_reader *csv,
                         const ws_trace_series_id *series)
{
    ws_series_place place = {.line = csv->line, .text = csv->record, .to = csv->record.length};
    int64_t at_ns = 0;

    reading->report->samples_read++;
    if (csv->field_count != CSV_FIELDS) {
        (void)ws_series_reading_fault(reading, WS_SERIES_BAD_LINE, &place);
        return true;
    }
    ws_text value = ws_text_trimmed(csv->fields[CSV_VALUE].text);
    ws_series_time time =
        csv_time(reading, ws_text_trimmed(csv->fields[CSV_TIME].text), &place, &at_ns);

    if (time != WS_SERIES_TIME) {
        return time == WS_SERIES_TIME_BAD;
    }
    return ws_series_reading_take(reading, series, at_ns,
                                  value.length == 0 ? WS_TEXT("NaN") : value, &place);
}

static bool csv_read_rows(ws_trace_series_reading *reading, ws_csv_reader *csv)
{
    const ws_series_labels none = {.count = 0};
    const ws_trace_series_id *series = NULL;

    if (!ws_csv_reader_next(csv)) {
        return true;
    }
    if (csv->field_count != CSV_FIELDS || !csv_is_time(ws_text_trimmed(csv->fields[0].text)) ||
        !csv_is_value(ws_text_trimmed(csv->fields[1].text))) {
        return ws_diag_error(reading->diag, 6101, ws_csv_reader_span(csv, 0),
                             "`%.*s` has no columns `time` and `value`",
                             WS_TEXT_ARGS(reading->file->shown));
    }
    series = ws_series_reading_name(reading, &none);
    while (series != NULL && ws_csv_reader_next(csv)) {
        if (!csv_read_row(reading, csv, series)) {
            return false;
        }
    }
    return series != NULL;
}

static bool csv_read(ws_trace_series_reading *reading)
{
    ws_csv_reader csv;

    if (!ws_csv_reader_open(&csv, reading->file, &reading->options->limits, reading->arena,
                            reading->diag)) {
        return false;
    }
    bool is_read = csv_read_rows(reading, &csv);

    return ws_csv_reader_close(&csv) && is_read;
}

const ws_trace_series_type ws_trace_series_csv = {
    .name = "series-csv",
    .summary = "a table of two columns, `time,value`: one series",
    .sniff = csv_sniff,
    .read = csv_read,
};
