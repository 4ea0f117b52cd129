/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recorded outages and reclaims: slots that close, lose what is there, and open again.
 *
 * A pool has one pending event for the next of its absences to begin; each that has begun has one
 * for its next moment: the loss, then the end. A slot counts the absences that it is in; while it
 * is in one it is closed, and the roster keeps it out of the classes that the fleet asks in.
 */
#include "fleet_private.h"

#define ABSENCE_INDEX_BITS 40

static const ws_absence *absence_at(const ws_fleet *fleet, uint64_t argument, int32_t *node)
{
    const ws_pool *pool = &fleet->pools[argument >> ABSENCE_INDEX_BITS];
    size_t index = (size_t)(argument & ((UINT64_C(1) << ABSENCE_INDEX_BITS) - 1));

    WS_ASSERT(index < pool->spec->absence_count);
    const ws_absence *absence = &pool->spec->absences[index];
    *node = pool->node_first + absence->slot;
    return absence;
}

static void absence_schedule(ws_fleet *fleet, ws_time when, ws_phase phase, ws_event_action *action,
                             uint64_t argument)
{
    (void)ws_kernel_at(
        fleet->kernel, when,
        &(ws_event){.action = action, .context = fleet, .argument = argument, .phase = phase});
}

/* One absence more (1) or less (-1) of a slot. */
static void absence_count(ws_fleet *fleet, int32_t node, int32_t change)
{
    ws_node_change changing = ws_roster_open_change(fleet, node);

    fleet->nodes[node].absences += change;
    WS_ASSERT(fleet->nodes[node].absences >= 0);
    ws_roster_close_change(fleet, changing);
}

/* A machine is back: a node that broke with it is ready, an absent slot may be asked for. */
static void absence_on_end(void *context, uint64_t argument)
{
    ws_fleet *fleet = context;
    int32_t node = WS_NONE;

    (void)absence_at(fleet, argument, &node);
    const ws_node *opening = &fleet->nodes[node];

    absence_count(fleet, node, -1);
    if (opening->absences > 0) {
        return;
    }
    if (opening->state == WS_NODE_BROKEN && opening->loss == WS_LOSS_RECORDED) {
        ws_fleet_make_ready(fleet, node);
        ws_fleet_tell(fleet, fleet->listener.node_ready, node);
    }
    ws_fleet_reach(fleet, ws_fleet_pool_of(fleet, node));
}

/* Whether what is in the slot, and not ready, is given up: what is on the way, and what is broken
 * and will be somebody else's. */
static bool absence_ends_node(const ws_absence *absence, const ws_node *node)
{
    return node->state == WS_NODE_REQUESTED || node->state == WS_NODE_STARTING ||
           (node->state == WS_NODE_BROKEN && absence->is_reclaim);
}

static void absence_on_loss(void *context, uint64_t argument)
{
    ws_fleet *fleet = context;
    int32_t node = WS_NONE;
    const ws_absence *absence = absence_at(fleet, argument, &node);
    const ws_node *losing = &fleet->nodes[node];

    absence_schedule(fleet, absence->back, WS_PHASE_ENDS, absence_on_end, argument);
    if (losing->state == WS_NODE_READY) {
        ws_fleet_lose(fleet, node, absence->is_reclaim ? WS_LOSS_RECLAIM : WS_LOSS_RECORDED);
    } else if (absence_ends_node(absence, losing)) {
        ws_fleet_release(fleet, node);
    }
    ws_fleet_reach(fleet, ws_fleet_pool_of(fleet, node));
}

/* The notice of a reclaim: whoever is on the node may leave it; what nobody uses goes at once. */
static void absence_give_notice(ws_fleet *fleet, int32_t node)
{
    const ws_node *noticed = &fleet->nodes[node];
    const ws_pool *pool = ws_fleet_pool_of(fleet, node);
    bool is_held = noticed->gpus_free < pool->spec->gpus_per_node;

    if (noticed->state == WS_NODE_ABSENT) {
        return;
    }
    if (!is_held) {
        ws_fleet_release(fleet, node);
    } else if (!noticed->is_draining) {
        ws_fleet_set_draining(fleet, node, true);
        ws_fleet_tell(fleet, fleet->listener.node_draining, node);
    }
    ws_fleet_reach(fleet, pool);
}

static void absence_on_begin(void *context, uint64_t argument)
{
    ws_fleet *fleet = context;
    ws_pool *pool = &fleet->pools[argument];
    uint64_t index = argument << ABSENCE_INDEX_BITS | pool->absence_next;
    int32_t node = WS_NONE;
    const ws_absence *absence = absence_at(fleet, index, &node);

    pool->absence_next++;
    if (pool->absence_next < pool->spec->absence_count) {
        absence_schedule(fleet, pool->spec->absences[pool->absence_next].closed, WS_PHASE_LOSSES,
                         absence_on_begin, argument);
    }
    absence_count(fleet, node, 1);
    if (absence->lost.ns == absence->closed.ns) {
        absence_on_loss(fleet, index);
        return;
    }
    absence_schedule(fleet, absence->lost, WS_PHASE_LOSSES, absence_on_loss, index);
    if (absence->is_reclaim) {
        absence_give_notice(fleet, node);
    }
}

/* A machine that is down from the start: its node is there, and broken. */
static void absence_begin_broken(ws_fleet *fleet, int32_t node)
{
    ws_pool *pool = ws_fleet_pool_of(fleet, node);
    ws_node *broken = &fleet->nodes[node];

    if (node - pool->node_first >= pool->spec->nodes_initial || broken->absences > 1) {
        return; /* nobody's node, or at the same time taken back */
    }
    ws_node_change change = ws_roster_open_change(fleet, node);

    broken->state = WS_NODE_BROKEN;
    broken->since = ws_kernel_now(fleet->kernel);
    broken->loss = WS_LOSS_RECORDED;
    if (pool->spec->failures.billed_in_repair) {
        ws_lease_begin(fleet, node);
    }
    ws_roster_close_change(fleet, change);
}

void ws_absences_begin(ws_fleet *fleet, int32_t pool_index)
{
    ws_pool *pool = &fleet->pools[pool_index];
    const ws_absence *absences = pool->spec->absences;
    size_t count = pool->spec->absence_count;
    uint64_t argument = (uint64_t)pool_index;

    for (; pool->absence_next < count && absences[pool->absence_next].closed.ns == 0;
         pool->absence_next++) {
        const ws_absence *absence = &absences[pool->absence_next];

        absence_count(fleet, pool->node_first + absence->slot, 1);
        absence_schedule(fleet, absence->back, WS_PHASE_ENDS, absence_on_end,
                         argument << ABSENCE_INDEX_BITS | pool->absence_next);
    }
    for (size_t i = 0; i < pool->absence_next; i++) {
        if (!absences[i].is_reclaim) {
            absence_begin_broken(fleet, pool->node_first + absences[i].slot);
        }
    }
    if (pool->absence_next < count) {
        absence_schedule(fleet, absences[pool->absence_next].closed, WS_PHASE_LOSSES,
                         absence_on_begin, argument);
    }
}

void ws_absences_check(const ws_pool_spec *spec)
{
    ws_time before = {.ns = 0};

    for (size_t i = 0; i < spec->absence_count; i++) {
        const ws_absence *absence = &spec->absences[i];

        WS_ASSERT(absence->slot >= 0);
        WS_ASSERT(absence->slot < spec->nodes_max);
        WS_ASSERT(absence->closed.ns >= before.ns);
        WS_ASSERT(absence->lost.ns >= absence->closed.ns);
        WS_ASSERT(absence->back.ns >= absence->lost.ns);
        before = absence->closed;
    }
}
