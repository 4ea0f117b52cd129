/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Availability of spot nodes as Bamboo recorded it on EC2: lines of time in ms, add or remove,
 * node. Source: github.com/uclasystem/bamboo (J. Thorpe et al., NSDI 2023), simulator traces.
 */
#include "csv_reader.h"
#include "outage_reading.h"
#include "ws/number.h"

enum { BAMBOO_TIME, BAMBOO_EVENT, BAMBOO_NODE, BAMBOO_FIELDS };

#define BAMBOO_TIME_MAX_NS (INT64_C(36525) * WS_NS_PER_D) /* a hundred years */

/* The first line: digits, `,add,`. */
static bool bamboo_sniff(ws_text head)
{
    ws_text line = ws_text_slice(head, 0, ws_text_find_byte(head, '\n'));
    size_t comma = ws_text_find_byte(line, ',');
    ws_text rest = ws_text_slice(line, comma, line.length);
    int64_t ms = 0;

    return ws_parse_i64(ws_text_slice(line, 0, comma), &ms) &&
           (ws_text_starts_with(rest, WS_TEXT(",add,")) ||
            ws_text_starts_with(rest, WS_TEXT(",remove,")));
}

static ws_outage_found bamboo_found(const ws_csv_reader *csv)
{
    ws_outage_found found = {
        .at_ns = WS_TRACE_UNKNOWN_NS, .line = csv->line, .column = 1, .row = csv->record};
    int64_t read_ns = 0;

    if (csv->field_count != BAMBOO_FIELDS) {
        return found;
    }
    ws_text event = ws_text_trimmed(csv->fields[BAMBOO_EVENT].text);

    found.is_down = ws_text_is(event, "remove");
    found.has_kind = found.is_down || ws_text_is(event, "add");
    found.node = ws_text_trimmed(csv->fields[BAMBOO_NODE].text);
    if (ws_parse_scaled(ws_text_trimmed(csv->fields[BAMBOO_TIME].text), 6, &read_ns, NULL) &&
        read_ns >= 0 && read_ns <= BAMBOO_TIME_MAX_NS) {
        found.at_ns = read_ns;
    }
    return found;
}

static bool bamboo_read(ws_trace_outage_reading *reading)
{
    ws_csv_reader csv;
    bool is_read = true;

    if (!ws_csv_reader_open(&csv, reading->file, &reading->options->limits, reading->scratch,
                            reading->diag)) {
        return false;
    }
    while (is_read && ws_csv_reader_next(&csv)) {
        ws_outage_found found = bamboo_found(&csv);
        is_read = ws_outage_reading_take(reading, &found);
    }
    return ws_csv_reader_close(&csv) && is_read;
}

const ws_trace_outage_type ws_trace_bamboo = {
    .name = "bamboo",
    .summary = "Bamboo (NSDI 2023): spot nodes that come and go, in ms",
    .starts_empty = true,
    .sniff = bamboo_sniff,
    .read = bamboo_read,
};
