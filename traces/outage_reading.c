/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The formats of recorded outages, what may be found in them, and the events as they come. */
#include "outage_reading.h"

#include <assert.h>

#include "found.h"

static const ws_trace_outage_type *const outage_types[] = {&ws_trace_bamboo, &ws_trace_infinitehbd};

static const ws_trace_finding_row outage_rows[] = {
    [WS_OUTAGE_BAD_EVENT] = {.name = "bad_event",
                             .kind = WS_TRACE_REJECTED,
                             .severity = WS_SEVERITY_WARNING,
                             .code = 6190,
                             .text = "are no begin and no end, or name no node",
                             .text_one = "is no begin and no end, or names no node"},
    [WS_OUTAGE_BAD_TIME] = {.name = "bad_time",
                            .kind = WS_TRACE_REJECTED,
                            .severity = WS_SEVERITY_WARNING,
                            .code = 6191,
                            .text = "have no usable time",
                            .text_one = "has no usable time"},
    [WS_OUTAGE_NO_BEGIN] = {.name = "no_begin",
                            .kind = WS_TRACE_REJECTED,
                            .severity = WS_SEVERITY_WARNING,
                            .code = 6192,
                            .text = "end what has not begun",
                            .text_one = "ends what has not begun"},
    [WS_OUTAGE_THERE_TWICE] = {.name = "there_twice",
                               .kind = WS_TRACE_REJECTED,
                               .severity = WS_SEVERITY_WARNING,
                               .code = 6193,
                               .text = "add a node that is there already",
                               .text_one = "adds a node that is there already"},
    [WS_OUTAGE_UNSORTED] = {.name = "unsorted",
                            .kind = WS_TRACE_NOTED,
                            .text = "are earlier than the one before them",
                            .text_one = "is earlier than the one before it"},
    [WS_OUTAGE_OVERLAP] =
        {.name = "overlap",
         .kind = WS_TRACE_NOTED,
         .severity = WS_SEVERITY_NOTE,
         .code = 6194,
         .text = "begin while another fault of their node is open: the node is down for both",
         .text_one = "begins while another fault of its node is open: the node is down for both"},
    [WS_OUTAGE_NO_LENGTH] = {.name = "no_length",
                             .kind = WS_TRACE_NOTED,
                             .severity = WS_SEVERITY_NOTE,
                             .code = 6195,
                             .text = "end an outage when it begins; it counts as one nevertheless",
                             .text_one =
                                 "ends an outage when it begins; it counts as one nevertheless"},
    [WS_OUTAGE_OPEN] = {.name = "open",
                        .kind = WS_TRACE_NOTED,
                        .severity = WS_SEVERITY_NOTE,
                        .code = 6196,
                        .text = "begin an outage that had not ended when the recording did",
                        .text_one = "begins an outage that had not ended when the recording did"},
};

static_assert(WS_COUNT_OF(outage_rows) == WS_OUTAGE_FINDING_COUNT, "one row for each finding");

const ws_trace_finding_row *ws_trace_outage_finding_at(ws_trace_outage_finding finding)
{
    WS_ASSERT(finding < WS_OUTAGE_FINDING_COUNT);

    return &outage_rows[finding];
}

size_t ws_trace_outage_type_count(void)
{
    return WS_COUNT_OF(outage_types);
}

const ws_trace_outage_type *ws_trace_outage_type_at(size_t index)
{
    WS_ASSERT(index < WS_COUNT_OF(outage_types));

    return outage_types[index];
}

const ws_trace_outage_type *ws_trace_outage_type_find(ws_text name)
{
    for (size_t i = 0; i < WS_COUNT_OF(outage_types); i++) {
        if (ws_text_is(name, outage_types[i]->name)) {
            return outage_types[i];
        }
    }
    return NULL;
}

const ws_trace_outage_type *ws_trace_outage_sniff_head(ws_text head)
{
    for (size_t i = 0; i < WS_COUNT_OF(outage_types); i++) {
        if (outage_types[i]->sniff(head)) {
            return outage_types[i];
        }
    }
    return NULL;
}

/* Counts a finding at the place of an event; true, for the reading goes on. */
static bool outage_fault(ws_trace_outage_reading *reading, ws_trace_outage_finding finding,
                         const ws_outage_found *found)
{
    ws_trace_count *count = &reading->report->found[finding];

    if (ws_trace_count_add(count, found->line)) {
        ws_text row = ws_text_slice(found->row, 0, ws_text_find_byte(found->row, '\n'));
        count->first = ws_trace_line_span(reading->file->shown, row, found->line, 0, row.length,
                                          reading->diag->arena);
        count->first.column = (int32_t)found->column;
    }
    return true;
}

void ws_outage_reading_note(ws_trace_outage_reading *reading, ws_trace_outage_finding finding,
                            const ws_outage_event *event)
{
    ws_trace_count *count = &reading->report->found[finding];

    if (ws_trace_count_add(count, event->line)) {
        count->first = ws_trace_line_span(reading->file->shown, WS_TEXT(""), event->line, 0, 0,
                                          reading->diag->arena);
    }
}

bool ws_outage_reading_take(ws_trace_outage_reading *reading, const ws_outage_found *found)
{
    ws_outage_event event = {.at_ns = found->at_ns, .line = found->line, .is_down = found->is_down};
    size_t fault_class = 0;

    WS_ASSERT(reading != NULL);

    reading->report->events_read++;
    if (!found->has_kind || found->node.length == 0) {
        return outage_fault(reading, WS_OUTAGE_BAD_EVENT, found);
    }
    if (found->at_ns == WS_TRACE_UNKNOWN_NS) {
        return outage_fault(reading, WS_OUTAGE_BAD_TIME, found);
    }
    if (found->at_ns < reading->last_ns) {
        (void)outage_fault(reading, WS_OUTAGE_UNSORTED, found);
    }
    reading->last_ns = found->at_ns;
    bool has_room = reading->report->events_read <= WS_TRACE_EVENTS_MAX &&
                    ws_trace_names_index(&reading->nodes, found->node, &event.node) &&
                    ws_trace_pile_add(&reading->events, &event);

    if (has_room && found->is_down && found->fault_class.length > 0) {
        has_room = ws_trace_names_index(&reading->classes, found->fault_class, &fault_class) &&
                   ws_trace_pile_add(&reading->class_of, &fault_class);
    }
    return has_room || ws_diag_error(reading->diag, 9020, reading->file->at,
                                     "`%.*s` holds more events than memory allows",
                                     WS_TEXT_ARGS(reading->file->shown));
}
