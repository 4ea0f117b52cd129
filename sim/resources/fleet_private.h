/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the files of the fleet share: its state, and the one way to change a node.
 *
 * A node's contribution to its pool (counts, sets, open leases, what the pool's own owners hold in
 * the ledger) is a function of the node alone. So a change is: take the contribution out, change
 * the node, put the new one in (ws_roster_open_change, ws_roster_close_change). Nothing else
 * touches the counts, and they cannot drift; ws_fleet_is_balanced() sums everything anew.
 *
 * The nodes of a pool lie in sets by class: ready with f free GPUs, draining with f free GPUs, and
 * one class for each other state. Finding the node to use is finding a class and then a member, so
 * no grant looks at all nodes.
 *
 * Grants are records of a fixed pool, each in two lists: of its node and of its holder. A node and
 * a holder have at most one between them. So there are never more than min(GPUs, holders) of a
 * node.
 */
#ifndef WS_FLEET_PRIVATE_H
#define WS_FLEET_PRIVATE_H

#include "ws/fleet.h"
#include "ws/index_set.h"
#include "ws/random.h"

#define WS_NONE (-1)

typedef struct {
    ws_time since;                     /* when it entered its state */
    ws_time requested;                 /* when it was asked for; retries do not move it */
    ws_time lease_begin;               /* while has_lease */
    ws_cost_integral lease_begin_cost; /* of a node from time 0 until then */
    ws_duration start; /* drawn with the request: boot, image pull and join together; where the
                          pull is a flow, boot alone */
    ws_duration join;  /* drawn with the request */
    ws_flow pull;
    ws_price held_price; /* an hour, of its granted GPUs */
    ws_event_handle event;
    uint32_t
        incarnation; /* numbers the draws of its slot: rises with each request and each repair */
    int32_t pool;
    int32_t absences;  /* recorded ones that its slot is in; > 0: closed */
    int32_t gpus_free; /* of the node; nobody holds one unless it is ready */
    int32_t grant_first;
    ws_node_state state;
    ws_node_loss loss;
    bool is_draining;
    bool has_lease;
    bool request_fails; /* drawn with the request */
    bool has_image;     /* it was ready once */
} ws_node;

typedef struct {
    size_t holder;
    int32_t node;
    int32_t gpus;
    int32_t node_next;
    int32_t node_previous;
    int32_t holder_next; /* of a free record: the next free one */
    int32_t holder_previous;
} ws_grant;

typedef struct {
    int64_t gpus;
    int64_t gpus_draining;
    int32_t node_count;
    int32_t grant_first;
    int32_t grant_last;
} ws_holder;

typedef struct {
    const ws_pool_spec *spec;
    uint64_t entity; /* hash of its name, for the random streams */
    int32_t node_first;
    int32_t leaf_first;
    size_t absence_next; /* the first that has not begun */
    ws_price price;      /* of a node, now */
    ws_time price_since;
    ws_cost_integral price_cost; /* of a node from time 0 until then */
    size_t price_next;           /* the first step that has not come */
    ws_index_set *classes;       /* by ws_roster_class(): slots */
    ws_index_set occupied;       /* classes that have a slot */
    ws_pool_counts counts;
    int64_t starts;   /* nodes that became ready from a request */
    ws_i128 start_ns; /* what they took together */
    /* Of open leases and of waits for which nothing is paid: their number and the sum of when they
     * began. */
    int64_t leases;
    ws_i128 lease_begin_ns;
    int64_t waits;
    ws_i128 wait_begin_ns;
    /* Of closed ones. */
    ws_money cost;
    ws_cost_integral elapsed_cost; /* without rounding and minimum */
    ws_gpu_time billed;
    ws_gpu_time unbilled;
} ws_pool;

typedef struct {
    uint64_t key; /* the smallest is taken first */
    int32_t grant;
} ws_take_candidate;

struct ws_fleet {
    ws_kernel *kernel;
    ws_ledger *ledger;
    ws_fleet_listener listener;
    ws_fleet_options options;
    ws_flow_listener pull_listener;
    ws_pool *pools;
    ws_node *nodes;
    int32_t node_count;
    bool has_begun;
    ws_fleet_counts totals;
    ws_holder *holders;
    int32_t *holder_pool_nodes; /* [holder x pools + pool] */
    ws_grant *grants;
    int32_t grant_capacity;
    int32_t grant_used;            /* records from here on were never used */
    int32_t grant_free;            /* list of those given back */
    size_t *lost_holders;          /* of the node that is failing */
    ws_take_candidate *candidates; /* a heap, during ws_fleet_take() */
    uint64_t *leaf_marks;          /* [leaf] the count that saw it last; NULL: no leaves */
    uint64_t *pod_marks;
    uint64_t switch_counts; /* that were made */
};

/* What a node makes its pool's own owners hold. */
typedef struct {
    size_t owner;
    int64_t gpus;
    ws_price price;
} ws_holding;

typedef struct {
    int32_t node;
    ws_holding before;
} ws_node_change;

/* The pool that a node's slot belongs to. */
static inline ws_pool *ws_fleet_pool_of(const ws_fleet *fleet, int32_t node)
{
    WS_ASSERT(node >= 0);
    WS_ASSERT(node < fleet->node_count);
    return &fleet->pools[fleet->nodes[node].pool];
}

/* True for the owners of jobs, not for the pools' own. */
static inline bool ws_fleet_is_holder(const ws_fleet *fleet, size_t owner)
{
    size_t first = ws_fleet_first_job_owner(fleet);

    return owner >= first && owner - first < fleet->options.job_owner_count;
}

/* Any other owner is a bug. */
static inline ws_holder *ws_fleet_holder(const ws_fleet *fleet, size_t holder)
{
    WS_ASSERT(ws_fleet_is_holder(fleet, holder));
    return &fleet->holders[holder - ws_fleet_first_job_owner(fleet)];
}

/* The ledger's owner of a pool's idle GPUs, and of what is billed for no span. */
static inline size_t ws_fleet_idle_owner(int32_t pool)
{
    WS_ASSERT(pool >= 0);
    return 2 * (size_t)pool;
}

/* The ledger's owner of a pool's nodes in cold start. */
static inline size_t ws_fleet_starting_owner(int32_t pool)
{
    WS_ASSERT(pool >= 0);
    return 2 * (size_t)pool + 1;
}

/* True while a node is there, or asked for, and nothing is paid for it. */
static inline bool ws_node_is_waiting(const ws_node *node)
{
    return node->state == WS_NODE_REQUESTED || (node->state == WS_NODE_BROKEN && !node->has_lease);
}

/* --- roster.c: classes and counts --- */

/* The class of ready nodes that do not drain, by free GPUs: first, so that the class is the number.
 */
static inline int32_t ws_class_ready(int32_t gpus_free)
{
    WS_ASSERT(gpus_free >= 0);
    return gpus_free;
}

/* The class of draining nodes that are held, by free GPUs. That with all GPUs free is never
 * occupied: see GOING. */
static inline int32_t ws_class_draining(const ws_pool *pool, int32_t gpus_free)
{
    WS_ASSERT(gpus_free >= 0);
    WS_ASSERT(gpus_free <= pool->spec->gpus_per_node);
    return pool->spec->gpus_per_node + 1 + gpus_free;
}

/* The classes behind those of ready and draining nodes. GOING: draining and held by nobody. CLOSED:
 * absent, and cannot be asked for. NOTICED: draining, held, and cannot stay; NOTICED_GOING: that,
 * and held by nobody. */
typedef enum {
    WS_CLASS_ABSENT,
    WS_CLASS_CLOSED,
    WS_CLASS_REQUESTED,
    WS_CLASS_STARTING,
    WS_CLASS_BROKEN,
    WS_CLASS_GOING,
    WS_CLASS_NOTICED,
    WS_CLASS_NOTICED_GOING,
    WS_CLASS_OTHERS
} ws_class_other;

/* The index of such a class; that of OTHERS is the number of classes of the pool. */
static inline int32_t ws_class_of_other(const ws_pool *pool, ws_class_other other)
{
    WS_ASSERT(other <= WS_CLASS_OTHERS);
    return 2 * (pool->spec->gpus_per_node + 1) + (int32_t)other;
}

/* Sets and the nodes of a pool, all absent. False when the arena is exhausted. */
WS_NODISCARD bool ws_roster_init(ws_fleet *fleet, int32_t pool, int32_t node_first,
                                 ws_arena *arena);

/* The class that a node belongs to as it is. */
int32_t ws_roster_class(const ws_pool *pool, const ws_node *node);

/* What a node makes its pool's own owners hold as it is. */
ws_holding ws_roster_holding(const ws_fleet *fleet, const ws_node *node);

/* Takes what a node contributes out of the counts and sets; until the change is closed the pool is
 * not whole. */
ws_node_change ws_roster_open_change(ws_fleet *fleet, int32_t node);

/* Puts in what the node contributes now, and books what the pool's own owners gain or lose. */
void ws_roster_close_change(ws_fleet *fleet, ws_node_change change);

/* The lowest node of a class, or WS_NONE. */
int32_t ws_roster_lowest(const ws_pool *pool, int32_t class_index);

/* The highest node of a class, or WS_NONE. */
int32_t ws_roster_highest(const ws_pool *pool, int32_t class_index);

/* The first occupied class of first..last, or WS_NONE. */
int32_t ws_roster_class_first(const ws_pool *pool, int32_t first, int32_t last);

/* The last occupied class of first..last, or WS_NONE. */
int32_t ws_roster_class_last(const ws_pool *pool, int32_t first, int32_t last);

/* --- lease.c: what is paid; within an open change of the node --- */

/* Waits for the first change of a pool's price. */
void ws_lease_begin_prices(ws_fleet *fleet, int32_t pool_index);

/* Begins a node's lease now. */
void ws_lease_begin(ws_fleet *fleet, int32_t node);

/* Ends it now: prices it, and books as idle what it is billed beyond its time. Nobody may hold a
 * GPU of the node. */
void ws_lease_end(ws_fleet *fleet, int32_t node);

/* Ends a wait for which nothing was paid, if the node is in one. */
void ws_lease_end_wait(ws_fleet *fleet, int32_t node);

/* Billed GPU-time of a pool, open leases counted to now. */
ws_gpu_time ws_lease_billed(const ws_fleet *fleet, const ws_pool *pool);

/* --- switches.c: leaves and pods above the nodes --- */

/* Numbers the leaves. False when the arena is exhausted. */
WS_NODISCARD bool ws_switches_init(ws_fleet *fleet, ws_arena *arena);

/* --- grant.c: records of who holds what --- */

/* Values the grants of a node at another price of the whole node, and books that. Returns an hour
 * of them all. */
ws_price ws_grant_reprice(ws_fleet *fleet, int32_t node, ws_price node_price);

/* Records and holders, all free. False when the arena is exhausted. */
WS_NODISCARD bool ws_grant_init(ws_fleet *fleet, ws_arena *arena);

/* The grant of a holder on a node, or WS_NONE. O(holders of the node). */
int32_t ws_grant_find(const ws_fleet *fleet, size_t holder, int32_t node);

/* A new grant of 0 GPUs; resize it at once. */
int32_t ws_grant_link(ws_fleet *fleet, size_t holder, int32_t node);

/* Adds GPUs to a grant, or takes them away, and books them. A grant without any is gone. */
void ws_grant_resize(ws_fleet *fleet, int32_t grant, int32_t gpus);

/* Takes all grants off a node; fills fleet->lost_holders, ascending, and returns how many there
 * are. */
size_t ws_grant_lose_node(ws_fleet *fleet, int32_t node);

/* Tells the holders' sums that a node begins or ceases to drain. */
void ws_grant_note_draining(ws_fleet *fleet, int32_t node, bool is_draining);

/* --- placement.c --- */

/* Nodes that a replica takes in a pool: 1 also for a part of one, 0 when it cannot lie there. */
int32_t ws_placement_nodes_per_replica(const ws_pool_spec *spec, int32_t gpus_per_replica);

/* --- absences.c --- */

/* Puts the slots into the absences that a pool begins with, and waits for the others. Before its
 * initial nodes are there. */
void ws_absences_begin(ws_fleet *fleet, int32_t pool_index);

/* Asserts what the loader promises of them. */
void ws_absences_check(const ws_pool_spec *spec);

/* --- fleet.c --- */

/* Tells one piece of news, if somebody wants it; the listener may call the fleet again. */
void ws_fleet_tell(const ws_fleet *fleet, void (*news)(void *context, ws_node_id node),
                   int32_t node);

/* A node joins, is repaired, or is there from the beginning; no news. */
void ws_fleet_make_ready(ws_fleet *fleet, int32_t node);

/* Asks for a node in an absent slot; tells it. */
void ws_fleet_request(ws_fleet *fleet, int32_t node);

/* Gives up a request, or releases a node that nobody holds, and tells it. */
void ws_fleet_release(ws_fleet *fleet, int32_t node);

/* A ready node breaks, or is gone if it was reclaimed; tells it. Ends no repair: that is the
 * caller's. */
void ws_fleet_lose(ws_fleet *fleet, int32_t node, ws_node_loss loss);

/* Lets a node drain, or stay; no news. */
void ws_fleet_set_draining(ws_fleet *fleet, int32_t node, bool is_draining);

/* Does what can be done at once for the wanted number of nodes; tells it. */
void ws_fleet_reach(ws_fleet *fleet, const ws_pool *pool);

/* Releases the draining nodes that nobody holds. Tells the listener, which may call the fleet
 * again. */
void ws_fleet_sweep(ws_fleet *fleet);

#endif
