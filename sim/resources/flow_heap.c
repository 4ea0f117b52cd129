/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A pairing heap: insertion is O(1), removal O(log n) amortised, and a heap needs no storage but
 * the links in its members, so that each class can have its own. Source: M. Fredman, R. Sedgewick,
 * D. Sleator, R. Tarjan, "The pairing heap: a new form of self-adjusting heap", Algorithmica 1
 * (1986).
 */
#include "sharing_private.h"

static bool flow_heap_is_before(const ws_flow_record *a, const ws_flow_record *b)
{
    return a->tag < b->tag || (!(b->tag < a->tag) && a->sequence < b->sequence);
}

/* Joins two heaps, neither empty, into one; the one whose root comes first takes the other in. */
static uint32_t flow_heap_meld(ws_flow_record *flows, uint32_t a, uint32_t b)
{
    uint32_t root = flow_heap_is_before(&flows[a], &flows[b]) ? a : b;
    uint32_t child = root == a ? b : a;

    flows[child].next = flows[root].child;
    if (flows[child].next != WS_NOTHING) {
        flows[flows[child].next].previous = child;
    }
    flows[child].previous = root;
    flows[root].child = child;
    return root;
}

/* Joins a list of siblings: in pairs from left to right, then the pairs from right to left. */
static uint32_t flow_heap_combine(ws_flow_record *flows, uint32_t first)
{
    uint32_t pairs = WS_NOTHING; /* the last one first, by `next` */
    uint32_t root = WS_NOTHING;

    while (first != WS_NOTHING) {
        uint32_t second = flows[first].next;
        uint32_t rest = second == WS_NOTHING ? WS_NOTHING : flows[second].next;
        uint32_t pair = second == WS_NOTHING ? first : flow_heap_meld(flows, first, second);

        flows[pair].next = pairs;
        pairs = pair;
        first = rest;
    }
    while (pairs != WS_NOTHING) {
        uint32_t before = flows[pairs].next;

        root = root == WS_NOTHING ? pairs : flow_heap_meld(flows, root, pairs);
        pairs = before;
    }
    if (root != WS_NOTHING) {
        flows[root].next = WS_NOTHING;
        flows[root].previous = WS_NOTHING;
    }
    return root;
}

uint32_t ws_flow_heap_insert(ws_flow_record *flows, uint32_t root, uint32_t flow)
{
    WS_ASSERT(flows != NULL);
    flows[flow].child = WS_NOTHING;
    flows[flow].next = WS_NOTHING;
    flows[flow].previous = WS_NOTHING;
    return root == WS_NOTHING ? flow : flow_heap_meld(flows, root, flow);
}

uint32_t ws_flow_heap_remove(ws_flow_record *flows, uint32_t root, uint32_t flow)
{
    WS_ASSERT(flows != NULL);

    uint32_t below = flow_heap_combine(flows, flows[flow].child);

    flows[flow].child = WS_NOTHING;
    if (flow == root) {
        return below;
    }
    uint32_t previous = flows[flow].previous;
    uint32_t next = flows[flow].next;
    if (flows[previous].child == flow) {
        flows[previous].child = next;
    } else {
        flows[previous].next = next;
    }
    if (next != WS_NOTHING) {
        flows[next].previous = previous;
    }
    return below == WS_NOTHING ? root : flow_heap_meld(flows, root, below);
}
