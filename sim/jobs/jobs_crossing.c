/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the collectives of jobs put on the links that they share: which links a job crosses, how
 * much it loads them, and what its share does to its pace.
 *
 * A ring over several leaves leaves each of them once and comes back once: a load of its rate on
 * each way up, in either direction. The same for pods, and for the NICs of a node that it does not
 * have for itself. Other patterns count as rings. A ring is as fast as its slowest hop, so that one
 * full link slows all of a job.
 */
#include <math.h>

#include "collective_links.h"
#include "jobs_private.h"

/* ---- the links ---- */

static bool links_are_shared(const ws_jobs *jobs)
{
    const ws_network *network = jobs->options.network;

    return network != NULL && network->sharing != WS_NETWORK_SHARING_NONE;
}

/** What the nodes of a pool can send each, bytes/s. */
static double links_of_node(const ws_network *network, const ws_pool_spec *pool)
{
    double nics = network->inter_per_gpu ? pool->gpus_per_node : fmax(network->nics, 1);

    return network->inter_node.bytes_per_s * nics;
}

static void links_fill_node(const ws_jobs *jobs, const ws_pool_spec *pool, int32_t node)
{
    const ws_network *network = jobs->options.network;
    const ws_jobs_links *links = &jobs->links;
    double *capacities = links->capacities;
    double out = links_of_node(network, pool);

    if (links->leaves > 0) {
        int32_t leaf = ws_fleet_node_leaf(jobs->fleet, (ws_node_id){.index = node});
        const ws_tier *tier = &network->fabric.leaf;
        capacities[leaf] = tier->nodes * out / tier->oversubscription;
        if (links->pods > 0) { /* of pools with different nodes: by those that can send most */
            double *pod = &capacities[links->leaves + (uint32_t)(leaf / links->leaves_of_pod)];
            tier = &network->fabric.pod;
            *pod = fmax(*pod, tier->nodes * out / tier->oversubscription);
        }
    }
    if (links->nodes > 0) {
        capacities[links->leaves + links->pods + (uint32_t)node] = out;
    }
}

static void links_count(ws_jobs *jobs, int32_t node_count)
{
    const ws_network *network = jobs->options.network;
    ws_jobs_links *links = &jobs->links;

    if (ws_fleet_fabric(jobs->fleet) != NULL && network->fabric.leaf.nodes > 0) {
        ws_node_id last = {.index = node_count - 1};
        links->leaves = (uint32_t)ws_fleet_node_leaf(jobs->fleet, last) + 1;
    }
    if (links->leaves > 0 && network->fabric.pod.nodes > 0) {
        links->leaves_of_pod = network->fabric.pod.nodes / network->fabric.leaf.nodes;
        links->pods = (links->leaves - 1) / (uint32_t)links->leaves_of_pod + 1;
    }
    links->nodes = network->inter_per_gpu ? 0 : (uint32_t)node_count;
}

static bool links_new_crossing(ws_jobs *jobs, ws_arena *arena, uint32_t link_count, int64_t gpus);

bool ws_jobs_links_init(ws_jobs *jobs, ws_arena *arena)
{
    ws_jobs_links *links = &jobs->links;
    int32_t node_count = 0;
    int64_t gpus = 0;

    if (!links_are_shared(jobs)) {
        return true;
    }
    for (size_t pool = 0; pool < ws_fleet_pool_count(jobs->fleet); pool++) {
        const ws_pool_spec *spec = ws_fleet_pool(jobs->fleet, pool);
        node_count += spec->nodes_max;
        gpus += (int64_t)spec->nodes_max * spec->gpus_per_node;
    }
    if (node_count == 0) {
        return true;
    }
    links_count(jobs, node_count);
    uint32_t link_count = links->leaves + links->pods + links->nodes;
    if (link_count == 0) {
        return true;
    }
    links->capacities = ws_arena_alloc(arena, double, link_count);
    links->path = ws_arena_alloc(arena, uint32_t, link_count);
    links->at = ws_arena_alloc(arena, ws_node_id, (size_t)node_count);
    links->gpus = ws_arena_alloc(arena, int32_t, (size_t)node_count);
    if (links->capacities == NULL || links->path == NULL || links->at == NULL ||
        links->gpus == NULL || !ws_index_set_init(&links->on_path, arena, link_count)) {
        return false;
    }
    int32_t node = 0;
    for (size_t pool = 0; pool < ws_fleet_pool_count(jobs->fleet); pool++) {
        const ws_pool_spec *spec = ws_fleet_pool(jobs->fleet, pool);
        for (int32_t i = 0; i < spec->nodes_max; i++) {
            links_fill_node(jobs, spec, node++);
        }
    }
    return links_new_crossing(jobs, arena, link_count, gpus);
}

/* ---- the layer below ---- */

/** The share of the links between nodes that a share of a job's own rate is. */
static double links_fabric_share(const ws_job_run *run, double share)
{
    return share < 1 ? fmin(share * run->demand / run->out, 1) : 1;
}

static ws_crossing_load links_load(void *context, size_t job, double share)
{
    const ws_jobs *jobs = context;
    const ws_job_run *run = &jobs->runs[job];
    ws_world world = run->world;

    world.fabric_share = links_fabric_share(run, share);
    ws_pace pace = ws_stage_pace(&jobs->options.jobs[job].stages[run->stage], &world, run->done);
    double busy = run->backlog != NULL ? ws_jobs_demand_busy(run, &pace) : 1;
    return (ws_crossing_load){.step = 1 / pace.work_per_s, .wire = busy * pace.wire};
}

static void links_remember(ws_job_run *run, const ws_crossing_outcome *outcome, ws_time now)
{
    double most = run->history.step_collide / run->history.step_duty;

    run->step_ratio = outcome->step;
    run->history.step_ratio = fmax(run->history.step_ratio, outcome->step);
    run->history.unsettled += outcome->is_settled ? 0 : 1;
    if (outcome->step_collide / outcome->step_duty > most) {
        run->history.step_duty = outcome->step_duty;
        run->history.step_collide = outcome->step_collide;
        run->history.differ_at = now;
    }
}

/** The pace in a world whose share of the links has changed, and when its goal is reached. */
static ws_time links_set_pace(ws_jobs *jobs, size_t job)
{
    ws_job_run *run = &jobs->runs[job];

    if (run->backlog != NULL) {
        return ws_jobs_demand_pace(jobs, job);
    }
    ws_jobs_set_pace(jobs, job, fmin(run->done, run->goal));
    return ws_jobs_goal_time(jobs, job);
}

/** Goes on at another pace towards the same goal. */
static void links_settled(void *context, size_t job, const ws_crossing_outcome *outcome)
{
    ws_jobs *jobs = context;
    ws_job_run *run = &jobs->runs[job];
    double share = links_fabric_share(run, outcome->share);

    WS_ASSERT(run->state == WS_JOB_RUNNING);
    WS_ASSERT(!run->is_evaluating);
    links_remember(run, outcome, ws_kernel_now(jobs->kernel));
    if (!(share < run->world.fabric_share) && !(share > run->world.fabric_share)) {
        return;
    }
    ws_jobs_advance(jobs, job);
    run->world.fabric_share = share;
    ws_time end = links_set_pace(jobs, job);
    ws_jobs_read(jobs, job);
    ws_jobs_book_pace(jobs, job);
    ws_jobs_set_end(jobs, job, end);
    if (jobs->listener.repaced != NULL) {
        jobs->listener.repaced(jobs->listener.context, job);
    }
}

/** Most lengths of paths together: a GPU belongs to one job, which crosses one link of each kind
 * because of it; and no job crosses a link twice. */
static uint32_t links_crossing_capacity(const ws_jobs *jobs, uint32_t link_count, int64_t gpus)
{
    const ws_jobs_links *links = &jobs->links;
    int64_t kinds = (links->leaves > 0) + (links->pods > 0) + (links->nodes > 0);
    int64_t all = (int64_t)jobs->options.job_count * link_count;

    WS_ASSERT(kinds * gpus < UINT32_MAX);
    return (uint32_t)(all < kinds * gpus ? all : kinds * gpus);
}

static bool links_new_crossing(ws_jobs *jobs, ws_arena *arena, uint32_t link_count, int64_t gpus)
{
    ws_crossing_options options = {
        .capacities = jobs->links.capacities,
        .link_count = link_count,
        .job_count = (uint32_t)jobs->options.job_count,
        .crossing_capacity = links_crossing_capacity(jobs, link_count, gpus),
        .is_duty = jobs->options.network->sharing == WS_NETWORK_SHARING_DUTY,
        .above = {.context = jobs, .load = links_load, .settled = links_settled}};

    jobs->links.crossing = ws_crossing_new(arena, jobs->kernel, &options);
    return jobs->links.crossing != NULL;
}

/* ---- a job ---- */

static void links_add(ws_jobs_links *links, uint32_t link, uint32_t *count)
{
    if (ws_index_set_insert(&links->on_path, link)) {
        links->path[(*count)++] = link;
    }
}

/** The links that the job crosses, in `path`. */
static uint32_t links_find_path(ws_jobs *jobs, size_t job)
{
    ws_jobs_links *links = &jobs->links;
    const ws_world *world = &jobs->runs[job].world;
    size_t nodes = ws_fleet_list_nodes(jobs->fleet, ws_jobs_owner(jobs, job), links->at,
                                       links->gpus, (size_t)world->nodes);
    uint32_t count = 0;

    for (size_t i = 0; i < nodes; i++) {
        ws_node_id node = links->at[i];
        uint32_t leaf = (uint32_t)ws_fleet_node_leaf(jobs->fleet, node);
        size_t pool = ws_fleet_node_pool(jobs->fleet, node);

        if (world->leaves > 1) {
            links_add(links, leaf, &count);
        }
        if (world->pods > 1) {
            links_add(links, links->leaves + leaf / (uint32_t)links->leaves_of_pod, &count);
        }
        if (links->nodes > 0 && links->gpus[i] < ws_fleet_pool(jobs->fleet, pool)->gpus_per_node) {
            links_add(links, links->leaves + links->pods + (uint32_t)node.index, &count);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        (void)ws_index_set_remove(&links->on_path, links->path[i]);
    }
    return count;
}

/** Its rate when it is alone: of the chains of its data-parallel groups, side by side. */
static void links_set_demand(ws_jobs *jobs, size_t job, uint32_t path_count)
{
    const ws_network *network = jobs->options.network;
    ws_job_run *run = &jobs->runs[job];
    ws_world world = run->world;

    world.fabric_share = 1;
    ws_group all = ws_world_group(&world, world.replicas * world.gpus_per_replica, 1);
    ws_group copies = ws_world_group(&world, world.replicas, world.gpus_per_replica);
    run->out = ws_links_chain_out_bytes_per_s(network, &all);
    run->demand = run->out;
    if (copies.nodes > 1) {
        run->demand = fmin(run->out, copies.groups_per_node * network->intra_node.bytes_per_s);
    }
    for (uint32_t i = 0; i < path_count; i++) { /* of nodes with fewer NICs than its others */
        run->demand = fmin(run->demand, jobs->links.capacities[jobs->links.path[i]]);
    }
}

void ws_jobs_cross(ws_jobs *jobs, size_t job)
{
    ws_job_run *run = &jobs->runs[job];

    if (jobs->links.crossing == NULL) {
        return;
    }
    if (run->is_evaluating || run->world.nodes < 2 || !(run->pace.wire > 0)) {
        ws_jobs_uncross(jobs, job);
        return;
    }
    uint32_t count = links_find_path(jobs, job);
    links_set_demand(jobs, job, count);
    ws_crossing_begin(jobs->links.crossing, job, jobs->links.path, count, run->demand);
}

void ws_jobs_uncross(ws_jobs *jobs, size_t job)
{
    if (jobs->links.crossing != NULL) {
        ws_crossing_end(jobs->links.crossing, job);
        jobs->runs[job].step_ratio = 1;
    }
}

double ws_jobs_fabric_share(const ws_jobs *jobs, size_t job)
{
    const ws_jobs_links *links = &jobs->links;

    return links->crossing == NULL
               ? 1
               : links_fabric_share(&jobs->runs[job], ws_crossing_share(links->crossing, job));
}

double ws_jobs_step_ratio(const ws_jobs *jobs, size_t job)
{
    return jobs->runs[job].step_ratio;
}

bool ws_jobs_shares_are_balanced(ws_jobs *jobs)
{
    return jobs->links.crossing == NULL || ws_crossing_is_balanced(jobs->links.crossing);
}
