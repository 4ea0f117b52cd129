/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Taking GPUs back from a holder.
 *
 * The holder's grants go into a heap in the order in which they are to be given up: those on
 * draining nodes, then the smallest, then the highest node. Replicas of a part of a node are taken
 * as they come. A replica of several nodes begins with the next node of a pool in which the holder
 * has a whole replica left; the nodes that follow in that pool complete it. So one walk does it.
 *
 * Nodes that are to go are released afterwards, when the heap is no longer needed: the listener may
 * call the fleet again.
 */
#include "fleet_private.h"

#define TAKING_HELD_SHIFT 32
#define TAKING_STAYS_SHIFT 63

/* How much is still to be taken, in nodes of each pool, and how many whole replicas are left there.
 */
typedef struct {
    int32_t gpus_per_replica;
    int32_t replicas;
    int64_t owed_total;
    int32_t owed[WS_POOLS_MAX];
    int32_t whole[WS_POOLS_MAX];
} taking;

/* The order of giving up as one number; no two grants of a holder are on one node, so there are no
 * ties. */
static uint64_t taking_key(const ws_fleet *fleet, const ws_grant *grant)
{
    WS_ASSERT(grant->gpus > 0);

    uint64_t stays = fleet->nodes[grant->node].is_draining ? 0 : 1;
    uint64_t highest_first = (uint64_t)(UINT32_MAX - (uint32_t)grant->node);

    return stays << TAKING_STAYS_SHIFT | (uint64_t)grant->gpus << TAKING_HELD_SHIFT | highest_first;
}

/* Moves the candidate at `at` down to where neither of its children is smaller. */
static void taking_sift_down(ws_take_candidate *heap, int32_t count, int32_t at)
{
    ws_take_candidate moved = heap[at];
    int32_t child = 2 * at + 1;

    while (child < count) {
        if (child + 1 < count && heap[child + 1].key < heap[child].key) {
            child++;
        }
        if (moved.key <= heap[child].key) {
            break;
        }
        heap[at] = heap[child];
        at = child;
        child = 2 * at + 1;
    }
    heap[at] = moved;
    WS_ASSERT(at < count || count == 0);
}

/* Makes the heap of a holder's grants; returns how many. */
static int32_t taking_gather(ws_fleet *fleet, size_t holder)
{
    int32_t grant = ws_fleet_holder(fleet, holder)->grant_first;
    int32_t count = 0;

    while (grant != WS_NONE) {
        WS_ASSERT(count < fleet->node_count);
        fleet->candidates[count] =
            (ws_take_candidate){.key = taking_key(fleet, &fleet->grants[grant]), .grant = grant};
        count++;
        grant = fleet->grants[grant].holder_next;
    }
    for (int32_t i = count / 2 - 1; i >= 0; i--) {
        taking_sift_down(fleet->candidates, count, i);
    }
    return count;
}

/* The grant that is given up next. */
static int32_t taking_pop(ws_fleet *fleet, int32_t *count)
{
    WS_ASSERT(*count > 0);
    int32_t grant = fleet->candidates[0].grant;

    *count -= 1;
    fleet->candidates[0] = fleet->candidates[*count];
    taking_sift_down(fleet->candidates, *count, 0);
    return grant;
}

/* Fills `nodes` with how many nodes of each pool the holder has as a whole. */
static void taking_count_whole_nodes(const ws_fleet *fleet, size_t holder,
                                     int32_t nodes[WS_POOLS_MAX])
{
    int32_t grant = ws_fleet_holder(fleet, holder)->grant_first;

    for (size_t i = 0; i < WS_POOLS_MAX; i++) {
        nodes[i] = 0;
    }
    while (grant != WS_NONE) {
        int32_t node = fleet->grants[grant].node;

        if (fleet->grants[grant].gpus == ws_fleet_pool_of(fleet, node)->spec->gpus_per_node) {
            nodes[fleet->nodes[node].pool]++;
        }
        grant = fleet->grants[grant].holder_next;
    }
}

/* GPUs of this grant that are to be taken, given what was taken before. */
static int32_t taking_from(const ws_fleet *fleet, taking *left, const ws_grant *grant)
{
    int32_t pool = fleet->nodes[grant->node].pool;
    const ws_pool_spec *spec = fleet->pools[pool].spec;
    int32_t nodes = ws_placement_nodes_per_replica(spec, left->gpus_per_replica);

    if (left->gpus_per_replica <= spec->gpus_per_node) {
        int32_t here = grant->gpus / left->gpus_per_replica;

        here = here < left->replicas ? here : left->replicas;
        left->replicas -= here;
        return here * left->gpus_per_replica;
    }
    if (nodes == 0 || grant->gpus < spec->gpus_per_node) {
        return 0;
    }
    if (left->owed[pool] == 0) {
        if (left->replicas == 0 || left->whole[pool] == 0) {
            return 0;
        }
        left->replicas--;
        left->whole[pool]--;
        left->owed[pool] = nodes;
        left->owed_total += nodes;
    }
    WS_ASSERT(left->owed_total > 0);
    left->owed[pool]--;
    left->owed_total--;
    return grant->gpus;
}

void ws_fleet_take(ws_fleet *fleet, size_t holder, int32_t gpus_per_replica, int32_t replicas)
{
    taking left = {.gpus_per_replica = gpus_per_replica, .replicas = replicas};

    WS_ASSERT(ws_fleet_is_holder(fleet, holder));
    WS_ASSERT(replicas >= 0);
    taking_count_whole_nodes(fleet, holder, left.whole);
    for (size_t i = 0; i < fleet->options.pool_count; i++) {
        int32_t nodes = ws_placement_nodes_per_replica(fleet->pools[i].spec, gpus_per_replica);
        left.whole[i] = nodes == 0 ? 0 : left.whole[i] / nodes;
    }
    int32_t count = taking_gather(fleet, holder);
    while (left.replicas > 0 || left.owed_total > 0) {
        WS_ASSERT(count > 0); /* else the holder has fewer replicas than are to be taken */
        int32_t grant = taking_pop(fleet, &count);
        int32_t gpus = taking_from(fleet, &left, &fleet->grants[grant]);

        if (gpus > 0) {
            ws_grant_resize(fleet, grant, -gpus);
        }
    }
    ws_fleet_sweep(fleet);
}

void ws_fleet_take_all(ws_fleet *fleet, size_t holder)
{
    const ws_holder *owner = ws_fleet_holder(fleet, holder);

    while (owner->grant_first != WS_NONE) {
        int32_t grant = owner->grant_first;

        ws_grant_resize(fleet, grant, -fleet->grants[grant].gpus);
    }
    WS_ASSERT(owner->gpus == 0);
    ws_fleet_sweep(fleet);
}
