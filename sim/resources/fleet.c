/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The life of a node: requested, starting, ready, broken, released.
 *
 * Each transition is one open change, after which the fleet is whole; then the listener is told,
 * and it may call the fleet again. So a loop that makes transitions looks at the counts anew each
 * time, and nothing is kept across a call of the listener but the node's index.
 *
 * Each slot has at most one pending event, or flow: the end of its request (or of the wait before
 * the next one), its boot, its pull, its joining, its failure, or its repair.
 */
#include "fleet_private.h"

/* --- draws and events --- */

static void fleet_open_stream(const ws_fleet *fleet, int32_t node, ws_purpose purpose,
                              ws_stream *stream)
{
    const ws_node *drawing = &fleet->nodes[node];
    const ws_pool *pool = ws_fleet_pool_of(fleet, node);
    WS_ASSERT(node >= pool->node_first);
    uint64_t slot = (uint64_t)(node - pool->node_first);

    ws_stream_open(stream, (ws_stream_key){.seed = fleet->options.seed,
                                           .replication = fleet->options.replication,
                                           .purpose = purpose,
                                           .entity = pool->entity,
                                           .index = slot << 32 | drawing->incarnation});
}

static ws_duration fleet_draw(const ws_fleet *fleet, int32_t node, ws_purpose purpose,
                              const ws_distribution *distribution)
{
    ws_stream stream;

    fleet_open_stream(fleet, node, purpose, &stream);
    return ws_distribution_draw_duration(distribution, &stream.rng);
}

/* The one pending event of a node. A delay beyond the clock is never: no event. */
static void fleet_schedule(ws_fleet *fleet, int32_t node, ws_duration delay, ws_phase phase,
                           ws_event_action *action)
{
    ws_event event = {
        .action = action, .context = fleet, .argument = (uint64_t)node, .phase = phase};

    WS_ASSERT(!ws_kernel_is_pending(fleet->kernel, fleet->nodes[node].event));
    fleet->nodes[node].event = ws_kernel_after(fleet->kernel, delay, &event);
}

/* From here on the slot draws from new streams. */
static void fleet_next_incarnation(ws_node *node)
{
    WS_ASSERT(node->incarnation < UINT32_MAX);
    node->incarnation++;
}

/* Within an open change of the node. */
static void fleet_enter_state(ws_fleet *fleet, int32_t node, ws_node_state state)
{
    WS_ASSERT(fleet->nodes[node].state != state);
    ws_lease_end_wait(fleet, node);
    fleet->nodes[node].state = state;
    fleet->nodes[node].since = ws_kernel_now(fleet->kernel);
}

void ws_fleet_tell(const ws_fleet *fleet, void (*news)(void *context, ws_node_id node),
                   int32_t node)
{
    if (news != NULL) {
        news(fleet->listener.context, (ws_node_id){.index = node});
    }
}

/* --- the way in --- */

static void fleet_on_failure(void *context, uint64_t argument);
static void fleet_on_request_end(void *context, uint64_t argument);

/* The clock of failures runs while the node is ready, draining or not; it begins anew with each
 * repair. */
static void fleet_start_failure_clock(ws_fleet *fleet, int32_t node)
{
    const ws_node_failures *failures = &ws_fleet_pool_of(fleet, node)->spec->failures;

    if (failures->present) {
        ws_duration delay =
            fleet_draw(fleet, node, WS_PURPOSE_NODE_FAILURE, &failures->time_to_failure);
        fleet_schedule(fleet, node, delay, WS_PHASE_LOSSES, fleet_on_failure);
    }
}

/* Joining, repaired, or there from the beginning. A broken node whose repair was paid has its lease
 * still. */
void ws_fleet_make_ready(ws_fleet *fleet, int32_t node)
{
    WS_ASSERT(fleet->nodes[node].grant_first == WS_NONE);
    ws_node_change change = ws_roster_open_change(fleet, node);

    fleet_enter_state(fleet, node, WS_NODE_READY);
    fleet->nodes[node].has_image = true;
    if (!fleet->nodes[node].has_lease) {
        ws_lease_begin(fleet, node);
    }
    ws_roster_close_change(fleet, change);
    fleet_start_failure_clock(fleet, node);
}

static void fleet_on_join(void *context, uint64_t argument)
{
    ws_fleet *fleet = context;
    int32_t node = (int32_t)argument;
    const ws_node *joining = &fleet->nodes[node];
    ws_pool *pool = ws_fleet_pool_of(fleet, node);

    WS_ASSERT(joining->state == WS_NODE_STARTING);
    pool->starts++;
    pool->start_ns += ws_time_since(ws_kernel_now(fleet->kernel), joining->requested).ns;
    ws_fleet_make_ready(fleet, node);
    ws_fleet_tell(fleet, fleet->listener.node_ready, node);
}

static void fleet_on_repair(void *context, uint64_t argument)
{
    ws_fleet *fleet = context;
    int32_t node = (int32_t)argument;
    ws_node *repaired = &fleet->nodes[node];

    WS_ASSERT(repaired->state == WS_NODE_BROKEN);
    if (repaired->absences > 0) { /* an outage has begun meanwhile: it is ready when that is over */
        repaired->loss = WS_LOSS_RECORDED;
        return;
    }
    ws_fleet_make_ready(fleet, node);
    ws_fleet_tell(fleet, fleet->listener.node_ready, node);
}

/* An image of a stated size is pulled between boot and join. */

/* Whether the next start of a slot has to pull its image from the registry. */
static bool fleet_pulls_image(const ws_fleet *fleet, int32_t node)
{
    const ws_node_start *start = &ws_fleet_pool_of(fleet, node)->spec->start;

    return start->image_bytes > 0 && !(start->keeps_image && fleet->nodes[node].has_image);
}

static void fleet_on_boot(void *context, uint64_t argument)
{
    ws_fleet *fleet = context;
    const ws_node_start *start = &ws_fleet_pool_of(fleet, (int32_t)argument)->spec->start;

    WS_ASSERT(fleet->nodes[argument].state == WS_NODE_STARTING);
    WS_ASSERT(fleet->options.channels != NULL);
    fleet->nodes[argument].pull =
        ws_channels_begin(fleet->options.channels, WS_CHANNEL_REGISTRY, 1, start->image_bytes,
                          &fleet->pull_listener, argument);
}

static void fleet_on_pulled(void *context, uint64_t argument)
{
    ws_fleet *fleet = context;

    WS_ASSERT(fleet->nodes[argument].state == WS_NODE_STARTING);
    fleet_schedule(fleet, (int32_t)argument, fleet->nodes[argument].join, WS_PHASE_ARRIVALS,
                   fleet_on_join);
}

/* What a start takes by the clock; the rest is a flow. */
static ws_duration fleet_start_time(const ws_fleet *fleet, int32_t node, ws_duration boot,
                                    ws_duration pull)
{
    const ws_node_start *start = &ws_fleet_pool_of(fleet, node)->spec->start;
    ws_time end = {.ns = boot.ns};

    if (fleet_pulls_image(fleet, node)) {
        return boot;
    }
    end = ws_time_add(end, start->image_bytes > 0 ? start->cached : pull);
    return (ws_duration){.ns = ws_time_add(end, fleet->nodes[node].join).ns};
}

/* Draws all of a cold start at once, in the order of its phases. One draw a statement. */
static void fleet_send_request(ws_fleet *fleet, int32_t node)
{
    ws_node *requested = &fleet->nodes[node];
    const ws_node_start *start = &ws_fleet_pool_of(fleet, node)->spec->start;
    ws_stream stream;

    fleet_next_incarnation(requested);
    fleet_open_stream(fleet, node, WS_PURPOSE_NODE_COLD_START, &stream);
    ws_duration answer = ws_distribution_draw_duration(&start->request, &stream.rng);
    double luck = ws_stream_uniform(&stream);
    ws_duration boot = ws_distribution_draw_duration(&start->boot, &stream.rng);
    ws_duration pull = ws_distribution_draw_duration(&start->image_pull, &stream.rng);
    requested->join = ws_distribution_draw_duration(&start->join, &stream.rng);

    requested->request_fails = luck < start->fail_probability;
    requested->start = fleet_start_time(fleet, node, boot, pull);
    fleet->totals.requests++;
    fleet_schedule(fleet, node, answer, WS_PHASE_ENDS, fleet_on_request_end);
}

static void fleet_on_retry(void *context, uint64_t argument)
{
    ws_fleet *fleet = context;

    WS_ASSERT(fleet->nodes[argument].state == WS_NODE_REQUESTED);
    fleet_send_request(fleet, (int32_t)argument);
}

/* Payment begins with a yes. A no is told only when the next request is already due, so that the
 * listener may give it up. */
static void fleet_on_request_end(void *context, uint64_t argument)
{
    ws_fleet *fleet = context;
    int32_t node = (int32_t)argument;

    WS_ASSERT(fleet->nodes[node].state == WS_NODE_REQUESTED);
    if (fleet->nodes[node].request_fails) {
        fleet->totals.request_failures++;
        fleet_schedule(fleet, node, ws_fleet_pool_of(fleet, node)->spec->start.retry, WS_PHASE_ENDS,
                       fleet_on_retry);
        ws_fleet_tell(fleet, fleet->listener.node_request_failed, node);
        return;
    }
    ws_node_change change = ws_roster_open_change(fleet, node);
    fleet_enter_state(fleet, node, WS_NODE_STARTING);
    ws_lease_begin(fleet, node);
    ws_roster_close_change(fleet, change);
    if (fleet_pulls_image(fleet, node)) {
        fleet_schedule(fleet, node, fleet->nodes[node].start, WS_PHASE_ENDS, fleet_on_boot);
    } else {
        fleet_schedule(fleet, node, fleet->nodes[node].start, WS_PHASE_ARRIVALS, fleet_on_join);
    }
}

void ws_fleet_request(ws_fleet *fleet, int32_t node)
{
    WS_ASSERT(node != WS_NONE);
    WS_ASSERT(fleet->nodes[node].state == WS_NODE_ABSENT);

    ws_node_change change = ws_roster_open_change(fleet, node);

    fleet_enter_state(fleet, node, WS_NODE_REQUESTED);
    fleet->nodes[node].requested = fleet->nodes[node].since;
    ws_roster_close_change(fleet, change);
    fleet_send_request(fleet, node);
    ws_fleet_tell(fleet, fleet->listener.node_requested, node);
}

/* --- the way out --- */

/* A request that is given up was never a node: it costs nothing and is no news. */
void ws_fleet_release(ws_fleet *fleet, int32_t node)
{
    ws_node *leaving = &fleet->nodes[node];
    bool was_node = leaving->state != WS_NODE_REQUESTED;

    WS_ASSERT(leaving->state != WS_NODE_ABSENT);
    WS_ASSERT(leaving->grant_first == WS_NONE);

    (void)ws_kernel_cancel(fleet->kernel, leaving->event);
    if (fleet->options.channels != NULL) {
        (void)ws_sharing_end(ws_channels_sharing(fleet->options.channels), leaving->pull);
    }
    ws_node_change change = ws_roster_open_change(fleet, node);
    fleet_enter_state(fleet, node, WS_NODE_ABSENT);
    leaving->is_draining = false;
    if (leaving->has_lease) {
        ws_lease_end(fleet, node);
    }
    ws_roster_close_change(fleet, change);
    if (was_node) {
        fleet->totals.released++;
        ws_fleet_tell(fleet, fleet->listener.node_released, node);
    }
}

/* A draining node that nobody holds, or WS_NONE. */
static int32_t fleet_going(const ws_pool *pool)
{
    int32_t going = ws_roster_lowest(pool, ws_class_of_other(pool, WS_CLASS_GOING));

    return going != WS_NONE
               ? going
               : ws_roster_lowest(pool, ws_class_of_other(pool, WS_CLASS_NOTICED_GOING));
}

void ws_fleet_sweep(ws_fleet *fleet)
{
    WS_ASSERT(fleet != NULL);
    for (size_t i = 0; i < fleet->options.pool_count; i++) {
        const ws_pool *pool = &fleet->pools[i];
        int32_t going = fleet_going(pool);

        while (going != WS_NONE) {
            ws_fleet_release(fleet, going);
            going = fleet_going(pool);
        }
    }
}

/* The grants go first, with the node still ready; a node that drained is released after the news,
 * unless it is wanted again. */
void ws_fleet_lose(ws_fleet *fleet, int32_t node, ws_node_loss loss)
{
    ws_node *losing = &fleet->nodes[node];
    const ws_node_failures *failures = &ws_fleet_pool_of(fleet, node)->spec->failures;
    bool is_gone = loss == WS_LOSS_RECLAIM;

    WS_ASSERT(losing->state == WS_NODE_READY);
    (void)ws_kernel_cancel(fleet->kernel, losing->event);
    size_t lost = ws_grant_lose_node(fleet, node);
    ws_node_change change = ws_roster_open_change(fleet, node);
    fleet_enter_state(fleet, node, is_gone ? WS_NODE_ABSENT : WS_NODE_BROKEN);
    losing->loss = loss;
    losing->is_draining = losing->is_draining && !is_gone;
    if (is_gone || !failures->billed_in_repair) {
        ws_lease_end(fleet, node);
    }
    ws_roster_close_change(fleet, change);
    fleet->totals.failures += is_gone ? 0 : 1;
    fleet->totals.reclaims += is_gone ? 1 : 0;
    if (loss == WS_LOSS_FAILURE) {
        ws_duration repair = fleet_draw(fleet, node, WS_PURPOSE_NODE_REPAIR, &failures->repair);
        fleet_schedule(fleet, node, repair, WS_PHASE_ENDS, fleet_on_repair);
    }
    fleet_next_incarnation(losing);
    if (fleet->listener.node_lost != NULL) {
        fleet->listener.node_lost(fleet->listener.context, (ws_node_id){.index = node},
                                  fleet->lost_holders, lost);
    }
    ws_fleet_sweep(fleet);
}

static void fleet_on_failure(void *context, uint64_t argument)
{
    ws_fleet_lose(context, (int32_t)argument, WS_LOSS_FAILURE);
}

/* --- beginning --- */

/* What the loader has checked: beyond it is a bug, not a fault of the scenario. */
static void fleet_check_spec(const ws_pool_spec *spec)
{
    WS_ASSERT(spec->gpus_per_node >= 1);
    WS_ASSERT(spec->gpus_per_node <= WS_NODE_GPUS_MAX);
    WS_ASSERT(spec->nodes_min >= 0);
    WS_ASSERT(spec->nodes_initial >= 0);
    WS_ASSERT(spec->nodes_initial <= spec->nodes_max);
    WS_ASSERT(spec->nodes_min <= spec->nodes_max);
    WS_ASSERT(spec->node_price.nano_per_h >= 0);
    for (size_t i = 0; i < spec->price_step_count; i++) {
        WS_ASSERT(spec->price_steps[i].node_price.nano_per_h >= 0);
        WS_ASSERT(spec->price_steps[i].at.ns > (i == 0 ? 0 : spec->price_steps[i - 1].at.ns));
    }
    WS_ASSERT(spec->billing_increment.ns > 0);
    WS_ASSERT(spec->billing_minimum.ns >= 0);
    WS_ASSERT(spec->start.image_bytes >= 0);
    ws_absences_check(spec);
}

ws_price ws_pool_highest_price(const ws_pool_spec *spec)
{
    ws_price highest = spec->node_price;

    WS_ASSERT(spec->price_step_count == 0 || spec->price_steps != NULL);
    for (size_t i = 0; i < spec->price_step_count; i++) {
        ws_price price = spec->price_steps[i].node_price;
        highest = price.nano_per_h > highest.nano_per_h ? price : highest;
    }
    return highest;
}

size_t ws_fleet_event_capacity(const ws_pool_spec *pools, size_t pool_count)
{
    size_t nodes = 0;

    WS_ASSERT(pool_count <= WS_POOLS_MAX);
    for (size_t i = 0; i < pool_count; i++) {
        WS_ASSERT(pools[i].nodes_max >= 0);
        nodes += (size_t)pools[i].nodes_max + (pools[i].price_step_count > 0 ? 1 : 0);
        if (pools[i].absence_count > 0) { /* of each slot an outage and a reclaim; the next one */
            nodes += 2 * (size_t)pools[i].nodes_max + 1;
        }
    }
    return nodes;
}

/* Checks the specs and adds up the nodes. The sum of prices is bounded so that price x time fits.
 */
static int32_t fleet_count_nodes(const ws_fleet_options *options)
{
    int64_t gpus = 0;
    int64_t nodes = 0;
    ws_i128 price = 0;

    WS_ASSERT(options->pool_count <= WS_POOLS_MAX);
    for (size_t i = 0; i < options->pool_count; i++) {
        const ws_pool_spec *spec = &options->pools[i];

        fleet_check_spec(spec);
        nodes += spec->nodes_max;
        gpus += (int64_t)spec->nodes_max * spec->gpus_per_node;
        price += (ws_i128)spec->nodes_max * ws_pool_highest_price(spec).nano_per_h;
    }
    WS_ASSERT(gpus <= WS_FLEET_GPUS_MAX);
    WS_ASSERT(price <= WS_FLEET_PRICE_MAX);
    return (int32_t)nodes;
}

static bool fleet_init_pools(ws_fleet *fleet, ws_arena *arena)
{
    int32_t node_first = 0;

    for (size_t i = 0; i < fleet->options.pool_count; i++) {
        if (!ws_roster_init(fleet, (int32_t)i, node_first, arena)) {
            return false;
        }
        node_first += fleet->options.pools[i].nodes_max;
    }
    WS_ASSERT(node_first == fleet->node_count);
    return true;
}

ws_fleet *ws_fleet_new(ws_arena *arena, ws_kernel *kernel, const ws_fleet_options *options)
{
    WS_ASSERT(kernel != NULL);
    WS_ASSERT(options != NULL);

    int32_t nodes = fleet_count_nodes(options);
    ws_fleet *fleet = ws_arena_alloc(arena, ws_fleet, 1);
    if (fleet == NULL) {
        return NULL;
    }
    *fleet = (ws_fleet){.kernel = kernel, .options = *options, .node_count = nodes};
    fleet->pull_listener = (ws_flow_listener){.context = fleet, .finished = fleet_on_pulled};
    fleet->nodes = ws_arena_alloc(arena, ws_node, (size_t)nodes);
    fleet->pools = ws_arena_alloc(arena, ws_pool, options->pool_count);
    fleet->ledger =
        ws_ledger_new(arena, ws_fleet_first_job_owner(fleet) + options->job_owner_count);
    if (fleet->nodes == NULL || fleet->pools == NULL || fleet->ledger == NULL ||
        !ws_grant_init(fleet, arena) || !fleet_init_pools(fleet, arena) ||
        !ws_switches_init(fleet, arena)) {
        return NULL;
    }
    for (size_t i = 0; i < options->pool_count; i++) {
        ws_ledger_set_activity(fleet->ledger, ws_fleet_starting_owner((int32_t)i),
                               (ws_activity){.main = WS_ACCOUNT_COLD_START}, ws_kernel_now(kernel));
    }
    return fleet;
}

void ws_fleet_listen(ws_fleet *fleet, const ws_fleet_listener *listener)
{
    WS_ASSERT(fleet != NULL);
    WS_ASSERT(listener != NULL);
    fleet->listener = *listener;
}

/* The initial nodes, but for slots that begin without a machine. */
static void fleet_begin_pool(ws_fleet *fleet, int32_t index)
{
    const ws_pool *pool = &fleet->pools[index];

    ws_lease_begin_prices(fleet, index);
    ws_absences_begin(fleet, index);
    for (int32_t slot = 0; slot < pool->spec->nodes_initial; slot++) {
        if (fleet->nodes[pool->node_first + slot].absences == 0) {
            ws_fleet_make_ready(fleet, pool->node_first + slot);
        }
    }
}

void ws_fleet_begin(ws_fleet *fleet)
{
    WS_ASSERT(!fleet->has_begun);
    WS_ASSERT(ws_kernel_now(fleet->kernel).ns == 0);

    fleet->has_begun = true;
    for (size_t i = 0; i < fleet->options.pool_count; i++) {
        fleet_begin_pool(fleet, (int32_t)i);
        (void)ws_fleet_want(fleet, i, fleet->pools[i].spec->nodes_initial);
    }
}
