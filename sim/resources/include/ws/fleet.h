/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The fleet: pools and their nodes, from request to release, who holds their GPUs, what they cost.
 *
 * A pool has `nodes_max` slots. A slot is absent, requested (not paid), starting (boot, pull, join:
 * paid), ready, or broken. A ready or broken node may be draining: nothing new is placed on it, and
 * it is released when nobody holds a GPU of it. The pool's wanted number of nodes is set from
 * above; the fleet reaches it at once where it can: it stops draining, then requests the lowest
 * absent slots; or it gives up requests, then starting nodes, then broken, then idle ones (highest
 * slot first), and drains the least used of the rest (highest slot first). It stops draining the
 * most used first (lowest slot first).
 *
 * Owners in the ledger: 2p are the idle GPUs of pool p, what billing adds and, where they are paid,
 * its broken nodes; 2p + 1 its starting nodes; the rest, from ws_fleet_first_job_owner() on, are
 * the holders, by that index. A grant is a number of GPUs of one node for one holder. A replica of
 * up to one node's GPUs lies on one node; a larger one takes whole nodes of one pool, and a pool
 * whose nodes do not divide it cannot bear it.
 *
 * A lease runs from the answer to the request until the node is released, from time 0 for an
 * initial node. It is billed when it ends: its time rounded up to the increment, or the minimum;
 * what that adds is idle time of the pool. Its cost is the integral of the pool's price over the
 * billed time, rounded once. A failure ends the lease unless repairs are paid; the
 * repair begins a new one.
 *
 * An image whose size is stated is pulled between boot and join, as a flow from the registry that
 * is shared with all who pull at that time.
 *
 * A request that is refused is sent again after the pool's `retry`, for as long as the node is
 * wanted, and draws anew. Answers and repairs come in the phase of ends, failures in that of
 * losses, nodes that join in that of arrivals.
 *
 * Recorded outages and reclaims (ws_absence) are of slots, in absolute time. A slot without a
 * machine is closed: no node is asked for in it. Where all absent slots are closed the pool stays
 * below its wanted number until one opens. A node whose notice of a reclaim has come drains and
 * does not stop draining; held by nobody it is released at once.
 *
 * News goes up through ws_fleet_listener; the fleet calls nothing else above it. Draws: (pool,
 * slot, incarnation), so that nobody's draws depend on what others do. Nothing is allocated after
 * ws_fleet_new().
 */
#ifndef WS_FLEET_H
#define WS_FLEET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/arena.h"
#include "ws/channels.h"
#include "ws/kernel.h"
#include "ws/ledger.h"
#include "ws/pool.h"
#include "ws/topology.h"

typedef struct {
    int32_t index; /* over all slots of all pools, in order of the pools; -1: none */
} ws_node_id;

typedef enum {
    WS_NODE_ABSENT,
    WS_NODE_REQUESTED, /* asked for, not yet paid */
    WS_NODE_STARTING,  /* booting, pulling, joining: paid */
    WS_NODE_READY,
    WS_NODE_BROKEN
} ws_node_state;

/** How a node was lost last. */
typedef enum {
    WS_LOSS_NONE,
    WS_LOSS_FAILURE,  /* drawn */
    WS_LOSS_RECORDED, /* an outage of its machine */
    WS_LOSS_RECLAIM
} ws_node_loss;

/**
 * Called after each step, when the fleet's own state is whole; they may call the fleet again. Each
 * may be NULL. A release by ws_fleet_take() is told when all is taken. Initial nodes, and requests
 * that are given up, are no news.
 */
typedef struct {
    void *context;
    void (*node_requested)(void *context,
                           ws_node_id node); /* asked for, not again after a refusal */
    void (*node_ready)(
        void *context,
        ws_node_id node); /* joined, repaired, or no longer draining: capacity grew */
    /** A node failed or was reclaimed. Its GPUs no longer count, and its holders' grants on it are
     * gone; `holders` lists them, ascending. */
    void (*node_lost)(void *context, ws_node_id node, const size_t *holders, size_t holder_count);
    void (*node_draining)(void *context,
                          ws_node_id node); /* somebody holds GPUs of a node that is to go */
    void (*node_released)(void *context, ws_node_id node);
    void (*node_request_failed)(void *context, ws_node_id node);
} ws_fleet_listener;

/** What a gang asks for. */
typedef struct {
    int32_t replicas;         /* >= 1 */
    int32_t gpus_per_replica; /* at most a node's GPUs, or a whole number of nodes */
    uint64_t pools;           /* bit p: pool p is accepted */
} ws_gang;

/** Counts of one pool. */
typedef struct {
    int32_t wanted; /* nodes that the pool was asked to have */
    int32_t requested;
    int32_t starting;
    int32_t ready; /* draining included */
    int32_t broken;
    int32_t draining;
    int64_t gpus_free; /* on ready nodes that do not drain */
    int64_t gpus_held; /* granted */
    int64_t gpus_paid; /* of open leases */
} ws_pool_counts;

typedef struct {
    int64_t requests; /* retries included */
    int64_t request_failures;
    int64_t failures; /* nodes that broke */
    int64_t reclaims; /* nodes that the provider took from a ready state */
    int64_t released; /* nodes given up; requests that are given up do not count */
} ws_fleet_counts;

typedef struct {
    const ws_pool_spec *pools;
    size_t pool_count;
    size_t job_owner_count; /* holders */
    uint64_t seed;
    uint64_t replication;
    bool spread;             /* placement: spread over nodes instead of packing */
    const ws_fabric *fabric; /* switches above the nodes; NULL: none that count */
    ws_channels *channels;   /* to pull images over; NULL: no pool has `image_bytes` */
} ws_fleet_options;

typedef struct ws_fleet ws_fleet;

/** NULL when the arena is exhausted. Ends with the arena. The kernel and the specs must outlive it.
 */
ws_fleet *ws_fleet_new(ws_arena *arena, ws_kernel *kernel, const ws_fleet_options *options);

/** Most events that the fleet has pending at once, for the kernel's capacity. */
size_t ws_fleet_event_capacity(const ws_pool_spec *pools, size_t pool_count);

/** Sets who is told the news; the table is copied. Nobody before. */
void ws_fleet_listen(ws_fleet *fleet, const ws_fleet_listener *listener);

/** Brings the initial nodes to ready at time 0 and asks for what the pools' minimum needs beyond;
 * once, before the first event. */
void ws_fleet_begin(ws_fleet *fleet);

/** The ledger that the fleet books in; it ends with the fleet. */
ws_ledger *ws_fleet_ledger(ws_fleet *fleet);

/** The first holder: 2 x pools. */
size_t ws_fleet_first_job_owner(const ws_fleet *fleet);

/** Sets the wanted number of nodes, clamped to the pool's min..max, and does at once what can be
 * done. Returns the clamped number. */
int32_t ws_fleet_want(ws_fleet *fleet, size_t pool, int32_t nodes);

/**
 * Grants a whole gang to a holder, beside what it holds already, or nothing.
 *
 * The accepted pools are filled in their order, one before the next. Packing takes, for replicas
 * within a node, the nodes with the fewest free GPUs that suffice, lowest slot first; for larger
 * ones the lowest wholly free slots. Spreading takes, for each replica, the node with the most free
 * GPUs, lowest slot first.
 *
 * @return  false, and nothing done, when the gang does not fit
 */
WS_NODISCARD bool ws_fleet_grant(ws_fleet *fleet, size_t holder, const ws_gang *gang);

/** The most replicas, up to gang->replicas, that would fit now beside what everybody holds. O(pools
 * x GPUs of a node), no change. */
int32_t ws_fleet_fit(const ws_fleet *fleet, const ws_gang *gang);

/**
 * Takes back `replicas` whole replicas of a holder: from draining nodes first, then from its
 * least-held nodes, highest slot first. A replica of several nodes begins with such a node and
 * takes the next ones of its pool. More than the holder has is a bug. After the loss of a node the
 * rest of a replica of several nodes is no whole replica. O(n log n) in the nodes of the holder.
 */
void ws_fleet_take(ws_fleet *fleet, size_t holder, int32_t gpus_per_replica, int32_t replicas);

/** Takes back all that a holder has. Draining nodes that become empty are released. */
void ws_fleet_take_all(ws_fleet *fleet, size_t holder);

/** GPUs that a holder has. O(1), as the next one. */
int64_t ws_fleet_held(const ws_fleet *fleet, size_t holder);

/** Those of them that are on draining nodes. */
int64_t ws_fleet_held_draining(const ws_fleet *fleet, size_t holder);

/** GPUs that a holder has in some pools (bits) on nodes that stay: what others could have if it
 * gave them back. O(its nodes). */
int64_t ws_fleet_held_staying(const ws_fleet *fleet, size_t holder, uint64_t pools);

/** The number of nodes that a holder is on. */
int32_t ws_fleet_nodes_of(const ws_fleet *fleet, size_t holder);

/** Where a holder's nodes are. */
typedef struct {
    int32_t nodes;
    int32_t leaves; /* different ones; 1 without a fabric, or when it holds nothing */
    int32_t pods;
} ws_span_of_nodes;

/** The nodes, leaves and pods that a holder is on, whatever the order of its grants. O(its nodes)
 * with a fabric that has leaves, else O(1). */
ws_span_of_nodes ws_fleet_span(ws_fleet *fleet, size_t holder);

/** The switches, as handed to ws_fleet_new(), or NULL. */
const ws_fabric *ws_fleet_fabric(const ws_fleet *fleet);

/** Number of the leaf that a node is below, over all pools; 0 without leaves. */
int32_t ws_fleet_node_leaf(const ws_fleet *fleet, ws_node_id node);

/** Bit p: the holder has GPUs in pool p. */
uint64_t ws_fleet_pools_of(const ws_fleet *fleet, size_t holder);

/** Nodes of a holder, in order of granting; returns how many there are, fills at most `capacity`.
 */
size_t ws_fleet_list_nodes(const ws_fleet *fleet, size_t holder, ws_node_id *nodes, int32_t *gpus,
                           size_t capacity);

/** The state of a node. An id that is out of range is a bug, as in the next ones. */
ws_node_state ws_fleet_node_state(const ws_fleet *fleet, ws_node_id node);

/** True while a ready (or, within the news of its loss, broken) node is to be released as soon as
 * nobody holds a GPU of it. */
bool ws_fleet_node_is_draining(const ws_fleet *fleet, ws_node_id node);

/** True while its slot is absent from the recording or about to be: from the notice of a reclaim or
 * the begin of an outage on, until a machine is back. */
bool ws_fleet_node_is_closed(const ws_fleet *fleet, ws_node_id node);

/** How the node of a slot was lost last, for the news of it. */
ws_node_loss ws_fleet_node_loss(const ws_fleet *fleet, ws_node_id node);

/** When it entered its state. */
ws_time ws_fleet_node_since(const ws_fleet *fleet, ws_node_id node);

/** Index of its pool. */
size_t ws_fleet_node_pool(const ws_fleet *fleet, ws_node_id node);

/** Its number within the pool, from 0. */
int32_t ws_fleet_node_slot(const ws_fleet *fleet, ws_node_id node);

/** What a pool was stated to be; the caller's, as handed to ws_fleet_new(). */
const ws_pool_spec *ws_fleet_pool(const ws_fleet *fleet, size_t pool);

/** What a node of a pool costs now. */
ws_price ws_fleet_node_price(const ws_fleet *fleet, size_t pool);

size_t ws_fleet_pool_count(const ws_fleet *fleet);

/** Counts of a pool as it stands. O(1). */
ws_pool_counts ws_fleet_pool_counts(const ws_fleet *fleet, size_t pool);

/** Counts of all pools since the beginning. O(1). */
ws_fleet_counts ws_fleet_totals(const ws_fleet *fleet);

/** The mean time from request to ready that the pool has seen so far, refusals included, s; 0
 * before the first. */
double ws_fleet_observed_start_s(const ws_fleet *fleet, size_t pool);

/**
 * Cost of a pool up to now: closed leases, each rounded once to the nano, and the open ones as if
 * they ended now without rounding up of their time. Never falls. O(nodes of the pool).
 */
ws_money ws_fleet_cost(const ws_fleet *fleet, size_t pool);

/** Billed GPU-time of all leases up to now, from the leases alone (not from the ledger). O(pools).
 */
ws_gpu_time ws_fleet_billed(const ws_fleet *fleet);

/** GPU-time of nodes that were there (requested or in repair) without being billed. O(pools). */
ws_gpu_time ws_fleet_unbilled(const ws_fleet *fleet);

/**
 * Whether everything that is kept equals what the nodes, leases and grants sum to: counts, classes,
 * holders, the ledger's GPUs, its sum against the billed GPU-time, its price x time against the
 * leases'. A bug if not. O(nodes + grants x holders of a node + owners).
 */
bool ws_fleet_is_balanced(const ws_fleet *fleet);

#endif
