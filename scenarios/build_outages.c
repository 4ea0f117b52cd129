/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recorded faults become outages of slots. Which recorded node is which slot is one table for the
 * whole pool, so that what failed together in the recording fails together in the run.
 */
#include "build_absences.h"
#include "ws/random.h"

#define DRAWN_CHOICE 1
#define NO_SLOT (-1)

/** A replay: a recording, the part of it that counts, and whose outages go where. */
typedef struct {
    const ws_file_outages *file;
    const ws_pool_spec *pool;
    ws_build_outages recording;
    int64_t from_ns;
    int64_t to_ns;
    int64_t nodes;    /* of the recorded cluster, unnamed ones too */
    int32_t *slot_of; /* of each named node; NO_SLOT: left out */
    int64_t outages;  /* that are replayed, each counted once, however often it is repeated */
    int64_t left_out; /* outages in the window of nodes that have no slot */
} outage_replay;

/* ---- which node is which slot ---- */

/** Slots are drawn one after the other from the recorded nodes that are left. */
static bool outages_draw_slots(ws_build *context, outage_replay *replay)
{
    size_t nodes = (size_t)replay->nodes;
    int64_t *left = ws_build_new(context, int64_t, nodes);
    ws_stream stream;

    if (left == NULL) {
        return false;
    }
    ws_stream_open(&stream, (ws_stream_key){.seed = context->scenario->seed,
                                            .purpose = WS_PURPOSE_RECORDED_NODES,
                                            .entity = ws_text_hash(replay->pool->name)});
    for (size_t i = 0; i < nodes; i++) {
        left[i] = (int64_t)i;
    }
    for (size_t slot = 0; slot < nodes && slot < (size_t)replay->pool->nodes_max; slot++) {
        size_t at = slot + (size_t)gsl_rng_uniform_int(&stream.rng, (unsigned long)(nodes - slot));
        int64_t node = left[at];

        left[at] = left[slot];
        if ((size_t)node < replay->recording.found.node_count) {
            replay->slot_of[node] = (int32_t)slot;
        }
    }
    return true;
}

static bool outages_assign(ws_build *context, outage_replay *replay)
{
    size_t named = replay->recording.found.node_count;

    replay->slot_of = ws_build_new(context, int32_t, named + 1);
    if (replay->slot_of == NULL) {
        return false;
    }
    for (size_t i = 0; i < named; i++) {
        bool fits = replay->file->assign != DRAWN_CHOICE && i < (size_t)replay->pool->nodes_max;
        replay->slot_of[i] = fits ? (int32_t)i : NO_SLOT;
    }
    return replay->file->assign != DRAWN_CHOICE || outages_draw_slots(context, replay);
}

/* ---- outages ---- */

/** One outage, shifted by whole periods. Its end is not known when it was open, or, where the
 * recording is repeated, lies beyond the part that is. */
static bool outages_add_once(ws_build *context, const outage_replay *replay,
                             const ws_trace_outage *outage, int64_t shift_ns,
                             ws_build_absence_list *list)
{
    int64_t horizon_ns = context->scenario->horizon.ns;
    int64_t period_ns = replay->to_ns - replay->from_ns;
    int64_t down_ns = outage->down_ns - replay->from_ns;
    int64_t up_ns = outage->up_ns - replay->from_ns;
    ws_time back = WS_TIME_NEVER;

    down_ns = (down_ns > 0 ? down_ns : 0) + shift_ns;
    if (replay->file->repeat && (outage->is_open || up_ns > period_ns)) {
        back.ns = period_ns + shift_ns;
    } else if (!outage->is_open) {
        back.ns = up_ns + shift_ns;
    }
    if (down_ns > horizon_ns || back.ns == 0) {
        return true;
    }
    return ws_build_absence_add(context, list,
                                (ws_absence){.slot = replay->slot_of[outage->node],
                                             .closed.ns = down_ns,
                                             .lost.ns = down_ns,
                                             .back = back});
}

/** True when the outage lies in the part of the recording that is replayed; what began with the
 * last event is a part of it, unless it is repeated. */
static bool outages_in_window(const outage_replay *replay, const ws_trace_outage *outage)
{
    bool ends_before =
        !outage->is_open && outage->up_ns <= replay->from_ns && outage->down_ns < replay->from_ns;

    bool begins_at_end = outage->down_ns == replay->to_ns && !replay->file->has_to;

    return !ends_before &&
           (outage->down_ns < replay->to_ns || (begins_at_end && !replay->file->repeat));
}

/** An outage as often as it is repeated. */
static bool outages_add(ws_build *context, const outage_replay *replay,
                        const ws_trace_outage *outage, ws_build_absence_list *list)
{
    int64_t period_ns = replay->to_ns - replay->from_ns;
    int64_t copies = replay->file->repeat ? context->scenario->horizon.ns / period_ns + 1 : 1;

    for (int64_t copy = 0; copy < copies; copy++) {
        if (!outages_add_once(context, replay, outage, copy * period_ns, list)) {
            return false;
        }
    }
    return true;
}

static bool outages_add_all(ws_build *context, outage_replay *replay, ws_build_absence_list *list)
{
    const ws_trace_outages *found = &replay->recording.found;

    for (size_t i = 0; i < found->count; i++) {
        const ws_trace_outage *outage = &found->outages[i];

        if (!outages_in_window(replay, outage)) {
            continue;
        }
        if (replay->slot_of[outage->node] == NO_SLOT) {
            replay->left_out++;
            continue;
        }
        replay->outages++;
        if (!outages_add(context, replay, outage, list)) {
            return false;
        }
    }
    return true;
}

/* ---- what is said of it ---- */

static int64_t outages_named_slots(const outage_replay *replay)
{
    int64_t count = 0;

    for (size_t i = 0; i < replay->recording.found.node_count; i++) {
        count += replay->slot_of[i] != NO_SLOT ? 1 : 0;
    }
    return count;
}

static void outages_assume(ws_build *context, const outage_replay *replay)
{
    const ws_trace_outages *found = &replay->recording.found;
    ws_text from = ws_build_span_text(context, replay->from_ns);

    ws_build_assume(
        context,
        ws_build_text(
            context,
            "pool %.*s fails as recorded in %.*s: %lld outages on %lld of %d nodes, from %.*s "
            "on%s; "
            "every replication meets the same ones, so no interval says what another recording "
            "would have brought",
            WS_TEXT_ARGS(replay->pool->name), WS_TEXT_ARGS(replay->file->file),
            (long long)replay->outages, (long long)outages_named_slots(replay),
            (int)replay->pool->nodes_max, WS_TEXT_ARGS(from),
            replay->file->repeat ? ", again and again" : ""));
    if (replay->file->assign == DRAWN_CHOICE) {
        ws_build_assume(context,
                        ws_build_text(context,
                                      "pool %.*s: its nodes are drawn from %lld recorded ones, "
                                      "of which %zu had a fault",
                                      WS_TEXT_ARGS(replay->pool->name), (long long)replay->nodes,
                                      found->node_count));
    }
}

/** The names of nodes that failed are a choice; the first of them is a worse one. */
static void outages_warn_left_out(ws_build *context, const outage_replay *replay)
{
    int64_t left_out =
        (int64_t)replay->recording.found.node_count - (int64_t)replay->pool->nodes_max;

    if (left_out <= 0 || replay->file->assign == DRAWN_CHOICE) {
        return;
    }
    ws_build_warn(
        context,
        &(ws_diagnostic){
            .code = 4322,
            .message = ws_build_text(context,
                                     "%lld of %zu recorded nodes have no place in pool `%.*s`: "
                                     "%lld outages are left out",
                                     (long long)left_out, replay->recording.found.node_count,
                                     WS_TEXT_ARGS(replay->pool->name), (long long)replay->left_out),
            .at = ws_build_at(replay->file->self, "file"),
            .label = ws_build_text(context, "the first %d nodes that it names are replayed",
                                   (int)replay->pool->nodes_max),
            .help = WS_TEXT("with `assign: drawn` and `nodes: N`, the size of the recorded "
                            "cluster, the pool fails as that cluster did")});
}

static void outages_warn_no_recording(ws_build *context, const outage_replay *replay)
{
    if (replay->nodes >= replay->pool->nodes_max) {
        return;
    }
    ws_build_warn(
        context,
        &(ws_diagnostic){
            .code = 4323,
            .message = ws_build_text(context,
                                     "pool `%.*s` has %d nodes, the recording %lld: the others "
                                     "never fail",
                                     WS_TEXT_ARGS(replay->pool->name), (int)replay->pool->nodes_max,
                                     (long long)replay->nodes),
            .at = ws_build_at(replay->file->self, "file"),
            .label = WS_TEXT("nothing is known of so many nodes"),
            .help = WS_TEXT("if the recorded cluster had nodes without a fault, say so: "
                            "`nodes: N`")});
}

static void outages_warn_end(ws_build *context, const outage_replay *replay)
{
    int64_t length_ns = replay->to_ns - replay->from_ns;

    if (replay->file->repeat || length_ns >= context->scenario->horizon.ns) {
        return;
    }
    ws_text length = ws_build_span_text(context, length_ns / WS_NS_PER_S * WS_NS_PER_S);
    ws_build_warn(
        context,
        &(ws_diagnostic){.code = 4324,
                         .message =
                             ws_build_text(context,
                                           "the recording ends after %.*s of the run: from "
                                           "then on pool `%.*s` has no failure",
                                           WS_TEXT_ARGS(length), WS_TEXT_ARGS(replay->pool->name)),
                         .at = ws_build_at(replay->file->self, "file"),
                         .label = WS_TEXT("shorter than the horizon"),
                         .help = WS_TEXT("shorten the `horizon`, or write `repeat: true`")});
}

/* ---- all of it ---- */

static bool outages_check(ws_build *context, const outage_replay *replay)
{
    const ws_file_outages *file = replay->file;
    size_t named = replay->recording.found.node_count;

    if (replay->to_ns <= replay->from_ns) {
        return ws_build_error(context, 4201, ws_build_at(file->self, file->has_to ? "to" : "from"),
                              WS_TEXT("nothing of the recording lies between `from` and its end"),
                              "nothing would be replayed", WS_TEXT(""));
    }
    if (replay->nodes < (int64_t)named) {
        return ws_build_error(context, 4325, ws_build_at(file->self, "nodes"),
                              ws_build_text(context, "`nodes` is %lld, but the recording names %zu",
                                            (long long)replay->nodes, named),
                              "of the whole recorded cluster",
                              WS_TEXT("leave it out, or count all of them"));
    }
    return true;
}

bool ws_build_outages_replay(ws_build *context, const ws_file_outages *file,
                             const ws_pool_spec *pool, ws_build_absence_list *list)
{
    outage_replay replay = {
        .file = file,
        .pool = pool,
        .recording = {.self = file->self, .file = file->file, .format = file->format}};

    WS_ASSERT(list != NULL);
    if (!ws_build_outages_read(context, &replay.recording)) {
        return false;
    }
    replay.from_ns = file->from.ns;
    replay.to_ns = file->has_to ? file->to.ns : replay.recording.found.end_ns;
    replay.nodes = file->nodes > 0 ? file->nodes : (int64_t)replay.recording.found.node_count;
    if (!outages_check(context, &replay) || !outages_assign(context, &replay) ||
        !outages_add_all(context, &replay, list)) {
        return false;
    }
    outages_assume(context, &replay);
    outages_warn_left_out(context, &replay);
    outages_warn_no_recording(context, &replay);
    outages_warn_end(context, &replay);
    return true;
}
