/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The text formats of Prometheus, one sample a line. They look alike and write times in two units:
 *
 * - OpenMetrics: seconds, and `# EOF` as the last line (`promtool tsdb create-blocks-from
 *   openmetrics` reads it, `promtool tsdb dump-openmetrics` writes it);
 * - the exposition format, which a scrape answers: milliseconds where there is a time at all;
 * - the output of `promtool tsdb dump`: milliseconds, the name among the labels.
 *
 * Sources: OpenMetrics 1.0 (RFC draft-richih-opsawg-openmetrics); Prometheus documentation,
 * "Exposition formats"; Prometheus, cmd/promtool/tsdb.go.
 */
#include "exposition.h"
#include "reading.h"
#include "ws/number.h"

typedef struct {
    ws_trace_series_reading *reading;
    ws_input *input;
    ws_exposition parsed;
    ws_text line;
    ws_series_clock clock;
    bool has_end; /* `# EOF` was read */
} text_reader;

/* ---- sniffing ---- */

/* The first line that is a sample. */
static bool text_first_sample(ws_text head, ws_exposition *parsed)
{
    while (head.length > 0) {
        size_t end = ws_text_find_byte(head, '\n');
        ws_text line = ws_text_trimmed(ws_text_slice(head, 0, end));

        if (line.length > 0 && line.start[0] != '#') {
            double value = 0;
            bool is_word =
                ws_exposition_parse(parsed, line) &&
                (ws_text_is(parsed->value, "NaN") || ws_text_is(parsed->value, "+Inf") ||
                 ws_text_is(parsed->value, "-Inf") || ws_parse_f64(parsed->value, &value));
            return is_word && (parsed->time.length == 0 || ws_parse_f64(parsed->time, &value));
        }
        head = ws_text_slice(head, end + 1, head.length);
    }
    return false;
}

static bool text_sniff_dump(ws_text head)
{
    ws_exposition parsed;

    return ws_text_starts_with(ws_text_trimmed(head), WS_TEXT("{__name__=\"")) &&
           text_first_sample(head, &parsed) && parsed.time.length > 0;
}

/* Seconds, or what a scrape of the format never has. */
static bool text_sniff_openmetrics(ws_text head)
{
    ws_exposition parsed;
    double at = 0;

    if (text_sniff_dump(head) || !text_first_sample(head, &parsed)) {
        return false;
    }
    if (parsed.time.length > 0 && ws_parse_f64(parsed.time, &at)) {
        return at < 1e11;
    }
    return ws_trace_head_holds(head, "\n# EOF");
}

static bool text_sniff_plain(ws_text head)
{
    ws_exposition parsed;

    return !text_sniff_dump(head) && !text_sniff_openmetrics(head) &&
           text_first_sample(head, &parsed);
}

/* ---- reading ---- */

/* One sample. False when the reading must stop. */
static bool text_read_sample(text_reader *reader, int64_t line)
{
    ws_trace_series_reading *reading = reader->reading;
    ws_exposition *parsed = &reader->parsed;
    ws_series_place place = {.line = line, .text = reader->line, .to = reader->line.length};
    int64_t at_ns = WS_TRACE_UNKNOWN_NS;

    reading->report->samples_read++;
    if (!ws_exposition_parse(parsed, reader->line)) {
        (void)ws_series_reading_fault(reading, WS_SERIES_BAD_LINE, &place);
        return true;
    }
    if (parsed->time.length > 0) {
        place.from = (size_t)(parsed->time.start - reader->line.start);
        place.to = place.from + parsed->time.length;
        ws_series_time time =
            ws_series_reading_time(reading, parsed->time, reader->clock, &place, &at_ns);
        if (time != WS_SERIES_TIME) {
            return time == WS_SERIES_TIME_BAD;
        }
    }
    const ws_trace_series_id *series = ws_series_reading_name(reading, &parsed->labels);

    place.from = (size_t)(parsed->value.start - reader->line.start);
    place.to = place.from + parsed->value.length;
    return series != NULL && ws_series_reading_take(reading, series, at_ns, parsed->value, &place);
}

static bool text_read_lines(text_reader *reader)
{
    int64_t line = 0;
    ws_text read = {.start = NULL};

    while (ws_input_read_line(reader->input, &read, &line)) {
        reader->line = ws_text_trimmed(read);
        if (ws_text_is(reader->line, "# EOF")) {
            reader->has_end = true;
        } else if (reader->line.length > 0 && reader->line.start[0] != '#' &&
                   !text_read_sample(reader, line)) {
            return false;
        }
    }
    return true;
}

static bool text_read(ws_trace_series_reading *reading, ws_series_clock clock, bool wants_end)
{
    text_reader *reader = ws_arena_alloc(reading->arena, text_reader, 1);

    if (reader == NULL) {
        return ws_diag_error(reading->diag, 9020, ws_span_none, "not enough memory to read");
    }
    *reader = (text_reader){.reading = reading, .clock = clock};
    if (!ws_input_open(&reader->input, reading->file, &reading->options->limits, reading->diag)) {
        return false;
    }
    bool is_read = text_read_lines(reader);

    is_read = ws_input_close(reader->input) && is_read;
    if (is_read && wants_end && !reader->has_end) {
        ws_diag_warning(reading->diag, 6183, reading->file->at,
                        "`%.*s` does not end with `# EOF`: it may be cut off",
                        WS_TEXT_ARGS(reading->file->shown));
    }
    return is_read;
}

static bool text_read_openmetrics(ws_trace_series_reading *reading)
{
    return text_read(reading, WS_SERIES_SECONDS, true);
}

static bool text_read_milliseconds(ws_trace_series_reading *reading)
{
    return text_read(reading, WS_SERIES_MILLISECONDS, false);
}

const ws_trace_series_type ws_trace_openmetrics = {
    .name = "openmetrics",
    .summary = "OpenMetrics text: samples with times in seconds, up to `# EOF`",
    .sniff = text_sniff_openmetrics,
    .read = text_read_openmetrics,
};

const ws_trace_series_type ws_trace_prometheus_text = {
    .name = "prometheus-text",
    .summary = "what an exporter answers to a scrape: samples, times (if any) in milliseconds",
    .sniff = text_sniff_plain,
    .read = text_read_milliseconds,
};

const ws_trace_series_type ws_trace_promtool_dump = {
    .name = "promtool-dump",
    .summary = "output of `promtool tsdb dump`: samples with times in milliseconds",
    .sniff = text_sniff_dump,
    .read = text_read_milliseconds,
};
