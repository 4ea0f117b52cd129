/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A recorded spot market becomes reclaims of slots.
 *
 * The recorded machines that are there take the lowest free slots in the order in which they come;
 * those for which there is no slot wait, and the one that came first takes the next slot that falls
 * free. So at each time the pool can have min(slots, recorded machines) nodes, and a reclaim takes
 * the node in the slot of the machine that went.
 */
#include "build_absences.h"
#include "ws/index_set.h"
#include "ws/trace_keys.h"

#define NO_SLOT (-1)
#define WAITING (-2)

/** A machine comes or goes. */
typedef struct {
    int64_t at_ns; /* on the recording's clock */
    size_t machine;
    bool is_coming;
} supply_event;

/** A slot while the events pass. */
typedef struct {
    ws_absence absence; /* that it is in, or was in last */
    bool is_absent;
    bool was_absent; /* `absence` is over, and not in the list yet */
} supply_slot;

typedef struct {
    const ws_file_spot *file;
    const ws_pool_spec *pool;
    ws_build_outages recording;
    int64_t from_ns;
    supply_event *events;
    ws_trace_key *keys; /* of the events, by time */
    size_t event_count;
    int32_t *slot_of;  /* of each machine: NO_SLOT, WAITING, or its slot */
    size_t *waits_at;  /* of each machine: its place in the queue, while it waits */
    size_t *queue;     /* machines in the order in which they began to wait */
    size_t queue_next; /* the first that may still wait */
    size_t queue_end;
    supply_slot *slots;
    ws_index_set free_slots;
    bool has_begun;      /* until then machines wait: what counts is who is there at time 0 */
    int64_t initial;     /* slots that have a machine at time 0 */
    int64_t short_lives; /* machines that went within their notice */
} supply;

/* ---- events in order ---- */

static void supply_note(supply *market, int64_t at_ns, size_t machine, bool is_coming)
{
    market->events[market->event_count++] =
        (supply_event){.at_ns = at_ns, .machine = machine, .is_coming = is_coming};
}

/** By time; what is at the same time stays in the order in which it was noted, which of one machine
 * is that in which it happened. */
static bool supply_sort(ws_build *context, supply *market)
{
    size_t count = market->event_count;

    market->keys = ws_build_new(context, ws_trace_key, 2 * count + 1);
    if (market->keys == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        market->keys[i] =
            (ws_trace_key){.key = market->events[i].at_ns, .item = &market->events[i]};
    }
    ws_trace_keys_sort(market->keys, market->keys + count, count);
    return true;
}

static bool supply_collect(ws_build *context, supply *market)
{
    const ws_trace_outages *found = &market->recording.found;

    market->events = ws_build_new(context, supply_event, found->node_count + 2 * found->count + 1);
    if (market->events == NULL) {
        return false;
    }
    for (size_t i = 0; i < found->node_count; i++) {
        if (found->came_ns[i] != WS_TRACE_UNKNOWN_NS) {
            supply_note(market, found->came_ns[i], i, true);
        }
    }
    for (size_t i = 0; i < found->count; i++) {
        const ws_trace_outage *outage = &found->outages[i];

        supply_note(market, outage->down_ns, outage->node, false);
        if (!outage->is_open) {
            supply_note(market, outage->up_ns, outage->node, true);
        }
    }
    return supply_sort(context, market);
}

/* ---- slots ---- */

static bool supply_open(ws_build *context, supply *market)
{
    size_t machines = market->recording.found.node_count;
    size_t slots = (size_t)market->pool->nodes_max;

    market->slot_of = ws_build_new(context, int32_t, machines + 1);
    market->waits_at = ws_build_new(context, size_t, machines + 1);
    market->queue = ws_build_new(context, size_t, market->event_count + 1);
    market->slots = ws_build_new(context, supply_slot, slots);
    if (market->slot_of == NULL || market->waits_at == NULL || market->queue == NULL ||
        market->slots == NULL || !ws_index_set_init(&market->free_slots, context->arena, slots)) {
        return false;
    }
    for (size_t i = 0; i < machines; i++) {
        market->slot_of[i] = NO_SLOT;
    }
    for (size_t i = 0; i < slots; i++) {
        market->slots[i] = (supply_slot){
            .absence = {.slot = (int32_t)i, .is_reclaim = true, .back = WS_TIME_NEVER},
            .is_absent = true};
        (void)ws_index_set_insert(&market->free_slots, i);
    }
    return true;
}

static void supply_fill(supply *market, size_t slot, size_t machine, int64_t at_ns)
{
    supply_slot *filled = &market->slots[slot];

    WS_ASSERT(filled->is_absent);
    (void)ws_index_set_remove(&market->free_slots, slot);
    market->slot_of[machine] = (int32_t)slot;
    filled->absence.back.ns = at_ns;
    filled->is_absent = false;
    filled->was_absent = at_ns > 0;
}

static void supply_come(supply *market, size_t machine, int64_t at_ns)
{
    size_t slot = ws_index_set_next(&market->free_slots, 0);

    if (slot != WS_INDEX_NONE && market->has_begun) {
        supply_fill(market, slot, machine, at_ns);
        return;
    }
    market->slot_of[machine] = WAITING;
    market->waits_at[machine] = market->queue_end;
    market->queue[market->queue_end++] = machine;
}

/** The machine that waits longest takes a slot that has fallen free. */
static void supply_refill(supply *market, size_t slot, int64_t at_ns)
{
    while (market->queue_next < market->queue_end) {
        size_t place = market->queue_next++;
        size_t machine = market->queue[place];

        if (market->slot_of[machine] == WAITING && market->waits_at[machine] == place) {
            supply_fill(market, slot, machine, at_ns);
            return;
        }
    }
}

/** The notice comes before the machine goes, but not before it came. One that goes within its
 * notice was of no use: the absence before it goes on. */
static bool supply_go(ws_build *context, supply *market, size_t machine, int64_t at_ns,
                      ws_build_absence_list *list)
{
    int32_t slot = market->slot_of[machine];

    market->slot_of[machine] = NO_SLOT;
    if (slot < 0) {
        return true;
    }
    supply_slot *left = &market->slots[slot];
    int64_t came_ns = left->was_absent ? left->absence.back.ns : 0;
    int64_t notice_ns = at_ns - market->file->notice.ns;

    if (notice_ns <= came_ns) {
        market->short_lives++;
        left->absence.back = WS_TIME_NEVER;
    } else {
        if (left->was_absent && !ws_build_absence_add(context, list, left->absence)) {
            return false;
        }
        left->absence = (ws_absence){.slot = slot,
                                     .is_reclaim = true,
                                     .closed.ns = notice_ns,
                                     .lost.ns = at_ns,
                                     .back = WS_TIME_NEVER};
    }
    left->is_absent = true;
    left->was_absent = false;
    (void)ws_index_set_insert(&market->free_slots, (size_t)slot);
    supply_refill(market, (size_t)slot, at_ns);
    return true;
}

/** The machines that are there at time 0 take the lowest slots. */
static void supply_begin(supply *market)
{
    market->has_begun = true;
    for (size_t i = 0; i < (size_t)market->pool->nodes_max; i++) {
        supply_refill(market, i, 0);
    }
    market->initial = market->pool->nodes_max - (int64_t)market->free_slots.count;
}

/** What a slot ends with: an absence that goes on, or one that is over. */
static bool supply_close(ws_build *context, const supply *market, ws_build_absence_list *list)
{
    for (int32_t i = 0; i < market->pool->nodes_max; i++) {
        const supply_slot *slot = &market->slots[i];

        if ((slot->is_absent || slot->was_absent) &&
            !ws_build_absence_add(context, list, slot->absence)) {
            return false;
        }
    }
    return true;
}

static bool supply_pass(ws_build *context, supply *market, ws_build_absence_list *list)
{
    int64_t end_ns = market->from_ns + context->scenario->horizon.ns;

    for (size_t i = 0; i < market->event_count && market->keys[i].key <= end_ns; i++) {
        const supply_event *event = market->keys[i].item;
        int64_t since_ns = event->at_ns - market->from_ns;
        int64_t at_ns = since_ns > 0 ? since_ns : 0;

        if (at_ns > 0 && !market->has_begun) {
            supply_begin(market);
        }
        if (event->is_coming) {
            supply_come(market, event->machine, at_ns);
        } else if (!supply_go(context, market, event->machine, at_ns, list)) {
            return false;
        }
    }
    if (!market->has_begun) {
        supply_begin(market);
    }
    return supply_close(context, market, list);
}

/* ---- what is said of it ---- */

static void supply_assume(ws_build *context, const supply *market)
{
    const ws_trace_outages *found = &market->recording.found;
    ws_text from = ws_build_span_text(context, market->from_ns);
    int64_t most = 0;

    for (size_t i = 0; i < found->step_count; i++) {
        most = found->steps[i].nodes > most ? found->steps[i].nodes : most;
    }
    ws_build_assume(
        context,
        ws_build_text(context,
                      "pool %.*s has the nodes that the market had in %.*s, at most %lld, from "
                      "%.*s on; every replication meets the same market, so no interval says what "
                      "another one would have brought",
                      WS_TEXT_ARGS(market->pool->name), WS_TEXT_ARGS(market->recording.file),
                      (long long)most, WS_TEXT_ARGS(from)));
    if (market->short_lives > 0) {
        ws_build_assume(context,
                        ws_build_text(context,
                                      "pool %.*s: %lld nodes that the market took back within "
                                      "their notice are left out",
                                      WS_TEXT_ARGS(market->pool->name),
                                      (long long)market->short_lives));
    }
}

static void supply_warn_initial(ws_build *context, const supply *market)
{
    if (market->initial >= market->pool->nodes_initial) {
        return;
    }
    ws_build_warn(
        context,
        &(ws_diagnostic){.code = 4326,
                         .message = ws_build_text(
                             context,
                             "pool `%.*s` begins with %lld of its %d nodes: the market has no more",
                             WS_TEXT_ARGS(market->pool->name), (long long)market->initial,
                             (int)market->pool->nodes_initial),
                         .at = ws_build_at(market->recording.self, "file"),
                         .label = WS_TEXT("at time 0 of the run"),
                         .help = WS_TEXT("the others are asked for when they come; or begin later "
                                         "in the recording: `from: 1h`")});
}

static void supply_warn_end(ws_build *context, const supply *market)
{
    int64_t length_ns = market->recording.found.end_ns - market->from_ns;

    if (length_ns >= context->scenario->horizon.ns) {
        return;
    }
    ws_text length = ws_build_span_text(context, length_ns / WS_NS_PER_S * WS_NS_PER_S);
    ws_build_warn(context,
                  &(ws_diagnostic){.code = 4327,
                                   .message = ws_build_text(
                                       context,
                                       "the recording ends after %.*s of the run: from "
                                       "then on pool `%.*s` keeps what the market had",
                                       WS_TEXT_ARGS(length), WS_TEXT_ARGS(market->pool->name)),
                                   .at = ws_build_at(market->recording.self, "file"),
                                   .label = WS_TEXT("shorter than the horizon"),
                                   .help = WS_TEXT("shorten the `horizon`")});
}

/* ---- all of it ---- */

bool ws_build_supply(ws_build *context, const ws_file_spot *file, const ws_pool_spec *pool,
                     ws_build_absence_list *list)
{
    const ws_file_supply *recorded = &file->recorded;
    supply market = {.file = file,
                     .pool = pool,
                     .recording = {.self = recorded->self,
                                   .file = recorded->file,
                                   .format = recorded->format,
                                   .of_supply = true}};

    WS_ASSERT(list != NULL);
    if (!ws_build_outages_read(context, &market.recording)) {
        return false;
    }
    market.from_ns = recorded->has_from ? recorded->from.ns : market.recording.found.begin_ns;
    if (market.from_ns > market.recording.found.end_ns) {
        return ws_build_error(context, 4201, ws_build_at(recorded->self, "from"),
                              WS_TEXT("the recording ends before `from`"),
                              "nothing would be replayed", WS_TEXT(""));
    }
    if (!supply_collect(context, &market) || !supply_open(context, &market) ||
        !supply_pass(context, &market, list)) {
        return false;
    }
    supply_assume(context, &market);
    supply_warn_initial(context, &market);
    supply_warn_end(context, &market);
    return true;
}
