/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From events to outages and steps: events are sorted by time (equal ones stay in the order of the
 * file) and each node counts how many of its faults are open.
 */
#include <string.h>

#include "found.h"
#include "outage_reading.h"
#include "reading.h"
#include "ws/trace_keys.h"

#define OUTAGE_SCRATCH_BYTES ((size_t)8 << 30)

/* A node while the events pass. */
typedef struct {
    int64_t open;   /* faults; of a log of availability: 1 while it is there */
    size_t current; /* its last outage, and 1; 0: it had none */
} outage_node;

typedef struct {
    ws_trace_outage_reading reading;
    ws_trace_outages found;
    bool starts_empty;
    outage_node *nodes;
    ws_trace_key *keys; /* of the events, by time */
    size_t events;
    int64_t there; /* nodes, now */
} outage_state;

/* ---- one event ---- */

static bool outage_reject(outage_state *state, ws_trace_outage_finding finding,
                          const ws_outage_event *event)
{
    ws_outage_reading_note(&state->reading, finding, event);
    return false;
}

static void outage_begin(outage_state *state, const ws_outage_event *event)
{
    ws_trace_outages *found = &state->found;

    found->outages[found->count++] = (ws_trace_outage){
        .node = event->node, .down_ns = event->at_ns, .faults = 1, .is_open = true};
    state->nodes[event->node].current = found->count;
    state->there--;
}

/* Ends the outage of a node, if it has one. */
static void outage_end(outage_state *state, const ws_outage_event *event)
{
    size_t current = state->nodes[event->node].current;

    state->there++;
    if (current == 0) {
        return;
    }
    ws_trace_outage *outage = &state->found.outages[current - 1];

    outage->up_ns = event->at_ns;
    outage->is_open = false;
    if (outage->up_ns == outage->down_ns) {
        ws_outage_reading_note(&state->reading, WS_OUTAGE_NO_LENGTH, event);
    }
}

/* A log of faults. False when the event cannot be. */
static bool outage_take_fault(outage_state *state, const ws_outage_event *event)
{
    outage_node *node = &state->nodes[event->node];

    if (!event->is_down && node->open == 0) {
        return outage_reject(state, WS_OUTAGE_NO_BEGIN, event);
    }
    if (!event->is_down) {
        node->open--;
        if (node->open == 0) {
            outage_end(state, event);
        }
        return true;
    }
    node->open++;
    state->found.faults++;
    if (node->open == 1) {
        outage_begin(state, event);
    } else {
        state->found.outages[node->current - 1].faults++;
        ws_outage_reading_note(&state->reading, WS_OUTAGE_OVERLAP, event);
    }
    return true;
}

/* A log of availability. */
static bool outage_take_change(outage_state *state, const ws_outage_event *event)
{
    outage_node *node = &state->nodes[event->node];
    int64_t *came_ns = &state->found.came_ns[event->node];

    if (event->is_down && node->open == 0) {
        return outage_reject(state, WS_OUTAGE_NO_BEGIN, event);
    }
    if (!event->is_down && node->open == 1) {
        return outage_reject(state, WS_OUTAGE_THERE_TWICE, event);
    }
    node->open = event->is_down ? 0 : 1;
    if (event->is_down) {
        state->found.faults++;
        outage_begin(state, event);
    } else {
        state->found.additions++;
        *came_ns = *came_ns == WS_TRACE_UNKNOWN_NS ? event->at_ns : *came_ns;
        outage_end(state, event);
    }
    return true;
}

/* The nodes that are there from a moment on; equal moments are one step. */
static void outage_step(ws_trace_outages *found, int64_t at_ns, int64_t nodes)
{
    if (found->step_count > 0 && found->steps[found->step_count - 1].at_ns == at_ns) {
        found->step_count--;
    }
    if (found->step_count == 0 || found->steps[found->step_count - 1].nodes != nodes) {
        found->steps[found->step_count++] =
            (ws_trace_capacity_step){.at_ns = at_ns, .nodes = nodes};
    }
}

/* ---- all of them ---- */

static void outage_sweep(outage_state *state)
{
    ws_trace_outages *found = &state->found;

    state->there = state->starts_empty ? 0 : (int64_t)found->node_count;
    if (!state->starts_empty) {
        outage_step(found, 0, state->there);
    }
    for (size_t i = 0; i < state->events; i++) {
        const ws_outage_event *event = state->keys[i].item;
        bool is_kept = state->starts_empty ? outage_take_change(state, event)
                                           : outage_take_fault(state, event);
        if (!is_kept) {
            continue;
        }
        if (state->reading.report->events_kept == 0) {
            found->begin_ns = state->starts_empty ? event->at_ns : 0;
        }
        state->reading.report->events_kept++;
        found->end_ns = event->at_ns;
        outage_step(found, event->at_ns, state->there);
    }
}

/* What is down when the recording ends is open; nodes of a spot market that went are not missed. */
static void outage_close(outage_state *state)
{
    ws_trace_outages *found = &state->found;

    for (size_t i = 0; i < found->count; i++) {
        ws_trace_outage *outage = &found->outages[i];
        if (!outage->is_open) {
            continue;
        }
        outage->up_ns = found->end_ns;
        if (!state->starts_empty) {
            const ws_outage_event event = {.at_ns = outage->down_ns};
            ws_outage_reading_note(&state->reading, WS_OUTAGE_OPEN, &event);
        }
    }
}

/* Classes by their faults, the most first. */
static bool outage_classes(outage_state *state)
{
    ws_trace_outage_reading *reading = &state->reading;
    size_t count = reading->classes.count;
    size_t faults = reading->class_of.count;
    const size_t *class_of = ws_trace_pile_gather(&reading->class_of, reading->scratch);
    int64_t *of = ws_arena_alloc(reading->scratch, int64_t, count + 1);
    ws_trace_key *keys = ws_arena_alloc(reading->scratch, ws_trace_key, 2 * count + 1);
    ws_trace_fault_class *classes = ws_arena_alloc(reading->arena, ws_trace_fault_class, count + 1);

    if (class_of == NULL || of == NULL || keys == NULL || classes == NULL) {
        return false;
    }
    for (size_t i = 0; i < faults; i++) {
        of[class_of[i]]++;
    }
    for (size_t i = 0; i < count; i++) {
        keys[i] = (ws_trace_key){.key = -of[i], .item = &reading->classes.items[i]};
    }
    ws_trace_keys_sort(keys, keys + count, count);
    for (size_t i = 0; i < count; i++) {
        const ws_text *name = keys[i].item;
        classes[i] = (ws_trace_fault_class){.name = *name, .faults = -keys[i].key};
    }
    state->found.classes = classes;
    state->found.class_count = count;
    return true;
}

static bool outage_derive(outage_state *state)
{
    ws_trace_outage_reading *reading = &state->reading;
    ws_trace_outages *found = &state->found;
    size_t count = reading->events.count;
    const ws_outage_event *events = ws_trace_pile_gather(&reading->events, reading->scratch);
    ws_trace_key *keys = ws_arena_alloc(reading->scratch, ws_trace_key, 2 * count + 1);

    found->starts_empty = state->starts_empty;
    found->nodes = reading->nodes.items;
    found->node_count = reading->nodes.count;
    found->outages = ws_arena_alloc(reading->arena, ws_trace_outage, count + 1);
    found->steps = ws_arena_alloc(reading->arena, ws_trace_capacity_step, count + 2);
    found->came_ns = ws_arena_alloc(reading->arena, int64_t, found->node_count + 1);
    state->nodes = ws_arena_alloc(reading->scratch, outage_node, found->node_count + 1);
    state->keys = keys;
    state->events = count;
    if (events == NULL || keys == NULL || found->outages == NULL || found->steps == NULL ||
        found->came_ns == NULL || state->nodes == NULL || !outage_classes(state)) {
        return false;
    }
    for (size_t i = 0; i < found->node_count; i++) {
        found->came_ns[i] = state->starts_empty ? WS_TRACE_UNKNOWN_NS : 0;
    }
    for (size_t i = 0; i < count; i++) {
        keys[i] = (ws_trace_key){.key = events[i].at_ns, .item = &events[i]};
    }
    ws_trace_keys_sort(keys, keys + count, count);
    outage_sweep(state);
    outage_close(state);
    return true;
}

static const ws_trace_outage_type *outage_choose(const ws_trace_outage_reading *reading)
{
    const ws_trace_outage_type *type = reading->options->type;
    ws_text head = {.start = NULL};

    if (type != NULL || !ws_trace_read_head(&head, reading->file, reading->diag)) {
        return type;
    }
    type = ws_trace_outage_sniff_head(head);
    if (type == NULL) {
        (void)ws_diag_error(reading->diag, 6107, reading->file->at,
                            "`%.*s` looks like no known format of recorded outages",
                            WS_TEXT_ARGS(reading->file->shown));
    }
    return type;
}

static bool outage_read(outage_state *state)
{
    ws_trace_outage_reading *reading = &state->reading;
    const ws_trace_outage_type *type = outage_choose(reading);

    if (type == NULL) {
        return false;
    }
    state->starts_empty = type->starts_empty;
    return type->read(reading) &&
           (outage_derive(state) || ws_diag_error(reading->diag, 9020, reading->file->at,
                                                  "`%.*s` holds more events than memory allows",
                                                  WS_TEXT_ARGS(reading->file->shown)));
}

static bool outage_tell(const ws_trace_outage_reading *reading, bool is_read)
{
    const ws_trace_outage_report *report = reading->report;
    const ws_trace_told told = {
        .unit = "events", .total = report->events_read, .strict = reading->options->strict};
    size_t errors_before = reading->diag->error_count;

    for (size_t i = 0; i < WS_OUTAGE_FINDING_COUNT; i++) {
        ws_trace_count_tell(&report->found[i],
                            ws_trace_outage_finding_at((ws_trace_outage_finding)i), &told,
                            reading->diag);
    }
    if (is_read && report->events_kept == 0 && reading->diag->error_count == errors_before) {
        ws_diag_warning(reading->diag, 6197, reading->file->at, "`%.*s` holds no event",
                        WS_TEXT_ARGS(reading->file->shown));
    }
    return is_read && reading->diag->error_count == errors_before;
}

bool ws_trace_outages_load(ws_trace_outages *outages, const ws_file_name *file,
                           const ws_trace_outage_options *options, ws_trace_outage_report *report,
                           ws_arena *arena, ws_diag *diag)
{
    ws_arena scratch;

    WS_ASSERT(outages != NULL);
    WS_ASSERT(file != NULL);
    WS_ASSERT(options != NULL);
    WS_ASSERT(report != NULL);
    WS_ASSERT(arena != NULL);
    WS_ASSERT(diag != NULL);

    ws_arena_init(&scratch, &arena->allocator, OUTAGE_SCRATCH_BYTES);
    outage_state state = {.reading = {.file = file,
                                      .options = options,
                                      .report = report,
                                      .arena = arena,
                                      .scratch = &scratch,
                                      .diag = diag}};

    ws_trace_names_init(&state.reading.nodes, arena);
    ws_trace_names_init(&state.reading.classes, arena);
    ws_trace_pile_init(&state.reading.events, sizeof(ws_outage_event), &scratch);
    ws_trace_pile_init(&state.reading.class_of, sizeof(size_t), &scratch);
    bool is_loaded = outage_tell(&state.reading, outage_read(&state));

    ws_trace_pile_fini(&state.reading.events);
    ws_trace_pile_fini(&state.reading.class_of);
    ws_arena_reset(&scratch);
    if (is_loaded) {
        *outages = state.found;
    }
    return is_loaded;
}
