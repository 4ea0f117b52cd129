/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sizes each stage of a job for the objective. With work W, rate r(n), GPUs g(n), a price p of a
 * GPU-hour and a value V of an hour of the job's time, a stage of n replicas costs W / r(n) x (g(n)
 * p + V): the smallest of these over the legal sizes is wanted. A running job is resized only if
 * that saves more than the change costs: the restart and the work since the last checkpoint, both
 * at g(n) p + V. Before a boundary, nodes for the next stage are asked for as early as the pool's
 * cold start has been seen to take.
 */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "ws/assert.h"
#include "ws/policy.h"
#include "ws/quantity.h"

#include "list.h"

#define STAGE_POOLS_MAX 64
#define STAGE_SIZES_MAX 4096    /* legal sizes that are looked at for one stage */
#define STAGE_FIRST_START_S 180 /* cold start of a node before one was seen */

typedef enum { STAGE_NODES_LEAVE, STAGE_NODES_FOLLOW } stage_nodes;

typedef struct {
    ws_duration period;
    double margin;
    int32_t nodes;
    double lead;
    ws_duration release_after;
} stage_parameters;

typedef struct {
    bool has_objective;
    ws_text objective_job;
    double value_per_s; /* of the objective's job */
    ws_duration deadline;
    ws_time low_since[STAGE_POOLS_MAX]; /* since when a pool has been larger than it needs to be;
                                           NEVER: it is not */
} stage_state;

static const char *const stage_nodes_choices[] = {"leave", "follow", NULL};

static const ws_parameter stage_rows[] = {
    {.name = "period",
     .kind = WS_PARAMETER_DURATION,
     .offset = offsetof(stage_parameters, period),
     .default_text = "1m",
     .min = "1s",
     .help = "from one look to the next; boundaries of stages are looked at at once"},
    {.name = "margin",
     .kind = WS_PARAMETER_PERCENT,
     .offset = offsetof(stage_parameters, margin),
     .default_text = "110%",
     .help = "a resize must save this much of what it costs"},
    {.name = "nodes",
     .kind = WS_PARAMETER_CHOICE,
     .offset = offsetof(stage_parameters, nodes),
     .choices = stage_nodes_choices,
     .choice_noun = "what to do about nodes",
     .default_text = "leave",
     .help = "`follow`: also asks for the nodes that all jobs want, cheapest pool first, ahead of "
             "a boundary"},
    {.name = "lead",
     .kind = WS_PARAMETER_PERCENT,
     .offset = offsetof(stage_parameters, lead),
     .default_text = "150%",
     .help = "nodes are asked for this much of the observed cold start ahead"},
    {.name = "release_after",
     .kind = WS_PARAMETER_DURATION,
     .offset = offsetof(stage_parameters, release_after),
     .default_text = "10m",
     .help = "a pool must have been too large for this long before it shrinks"},
};

static const ws_parameter_table stage_table = {
    .noun = "stage-aware",
    .rows = stage_rows,
    .count = WS_COUNT_OF(stage_rows),
    .bytes = sizeof(stage_parameters),
};

static ws_duration stage_period(const void *parameters)
{
    const stage_parameters *given = parameters;
    return given->period;
}

static bool stage_init(void *state, const void *parameters, const ws_policy_site *site,
                       ws_arena *arena)
{
    stage_state *stage = state;

    (void)parameters;
    (void)arena;
    stage->has_objective = site->has_objective;
    stage->objective_job = site->objective_job;
    stage->value_per_s = (double)site->value_of_time.nano_per_h / 1e9 / 3600;
    stage->deadline = site->deadline;
    for (size_t pool = 0; pool < STAGE_POOLS_MAX; pool++) {
        stage->low_since[pool] = WS_TIME_NEVER;
    }
    return true;
}

/* ---- sizes ---- */

/** Money that a second of the job is worth and costs at a size. */
static double stage_money_per_s(const ws_view *view, size_t index, double value_per_s,
                                int32_t replicas)
{
    ws_view_job job = ws_view_job_at(view, index);
    double gpu_per_s = (double)ws_view_job_gpu_price(view, index).nano_per_h / 1e9 / 3600;

    return (double)replicas * job.gpus_per_replica * gpu_per_s + value_per_s;
}

/** Cost of the rest of a stage at a size. */
static double stage_cost(const ws_view *view, size_t index, int32_t stage, double value_per_s,
                         int32_t replicas)
{
    ws_view_stage at = ws_view_job_stage_at(view, index, stage);
    double rate = ws_view_job_rate_at(view, index, stage, replicas);

    return (at.work - at.done) / rate * stage_money_per_s(view, index, value_per_s, replicas);
}

/** The legal size at which the rest of a stage costs least; the smaller one of equals. */
static int32_t stage_best(const ws_view *view, size_t index, int32_t stage, double value_per_s)
{
    int32_t size = ws_view_job_legal_at_most(view, index, stage, INT32_MAX);
    int32_t best = size;
    double least = HUGE_VAL;

    for (int looked = 0; size > 0 && looked < STAGE_SIZES_MAX; looked++) {
        double cost = stage_cost(view, index, stage, value_per_s, size);
        if (cost <= least) {
            least = cost;
            best = size;
        }
        size = ws_view_job_legal_at_most(view, index, stage, size - 1);
    }
    return best;
}

/** Time that the rest of a job takes when each stage has its best size. */
static double stage_rest_s(const ws_view *view, size_t index, double value_per_s)
{
    ws_view_job job = ws_view_job_at(view, index);
    double rest_s = 0;

    for (int32_t stage = job.stage; stage < job.stage_count; stage++) {
        ws_view_stage at = ws_view_job_stage_at(view, index, stage);
        int32_t best = stage_best(view, index, stage, value_per_s);
        rest_s += (at.work - at.done) / ws_view_job_rate_at(view, index, stage, best);
    }
    return rest_s;
}

/** What a second of this job's time is worth: nothing while its deadline is met anyway. */
static double stage_value_per_s(const stage_state *state, const ws_view *view, size_t index)
{
    ws_view_job job = ws_view_job_at(view, index);

    if (!state->has_objective || !ws_text_equals(job.name, state->objective_job)) {
        return 0;
    }
    if (state->deadline.ns == 0) {
        return state->value_per_s;
    }
    ws_time due = ws_time_add(job.submitted, state->deadline);
    double left_s = ws_duration_s(ws_time_since(due, ws_view_now(view)));
    return stage_rest_s(view, index, 0) > left_s ? state->value_per_s : 0;
}

/** True when going from the present size to another saves more than the change costs. */
static bool stage_resize_pays(const stage_parameters *given, const ws_view *view, size_t index,
                              double value_per_s, int32_t to)
{
    ws_view_job job = ws_view_job_at(view, index);
    double saved = stage_cost(view, index, job.stage, value_per_s, job.replicas_existing) -
                   stage_cost(view, index, job.stage, value_per_s, to);
    double stopped_s =
        ws_view_job_restart_s(view, index) + ws_duration_s(ws_view_job_unsaved_age(view, index));
    double change = stopped_s * stage_money_per_s(view, index, value_per_s, to);

    return saved > given->margin * change;
}

/** "stage 2 of 4 of train costs least at 16 replicas, which do 677 of its work a second; 8 do 425".
 */
static void stage_reason_size(const ws_view *view, size_t index, int32_t best, ws_plan *plan)
{
    ws_view_job job = ws_view_job_at(view, index);
    double rate = ws_view_job_rate_at(view, index, job.stage, best);

    if (job.replicas_existing == 0) {
        ws_plan_reason(plan,
                       "stage %" PRId32 " of %" PRId32 " of %.*s costs least at %" PRId32
                       " replicas, which do %.4g of its work a second",
                       job.stage + 1, job.stage_count, WS_TEXT_ARGS(job.name), best, rate);
        return;
    }
    ws_plan_reason(plan,
                   "stage %" PRId32 " of %" PRId32 " of %.*s costs least at %" PRId32
                   " replicas, which do %.4g of its work a second; %" PRId32 " do %.4g",
                   job.stage + 1, job.stage_count, WS_TEXT_ARGS(job.name), best, rate,
                   job.replicas_existing,
                   ws_view_job_rate_at(view, index, job.stage, job.replicas_existing));
}

/** Sets what one job should have. Returns GPUs that its next stage will want beyond that, if it
 * begins soon. */
static int64_t stage_decide_job(const stage_parameters *given, const stage_state *state,
                                const ws_view *view, size_t index, ws_plan *plan)
{
    ws_view_job job = ws_view_job_at(view, index);
    double value_per_s = stage_value_per_s(state, view, index);
    int32_t best = stage_best(view, index, job.stage, value_per_s);
    bool places = job.replicas_existing == 0;
    bool out_of_range =
        job.replicas_existing < job.replicas_min || job.replicas_existing > job.replicas_max;

    if (best == 0 || best == job.replicas_wanted) {
        return 0;
    }
    if (places || out_of_range || stage_resize_pays(given, view, index, value_per_s, best)) {
        stage_reason_size(view, index, best, plan);
        ws_plan_set_replicas(plan, job.id, best);
        return ((int64_t)best - job.replicas_wanted) * job.gpus_per_replica;
    }
    ws_plan_explain(plan, "%.*s: %d replicas would be better, but not by what a restart costs",
                    WS_TEXT_ARGS(job.name), best);
    return 0;
}

/* ---- nodes ---- */

/** GPUs that jobs want. */
typedef struct {
    int64_t now;
    int64_t ahead; /* beyond these, for stages that begin soon */
} stage_demand;

/** What a pool should have of them. */
typedef struct {
    stage_demand demand;
    ws_view_pool pool;
    size_t index;
    int64_t nodes;
} stage_share;

/** The longest cold start that the pools have shown. */
static double stage_start_s(const ws_view *view)
{
    double longest_s = 0;

    for (size_t pool = 0; pool < ws_view_pool_count(view); pool++) {
        longest_s = fmax(longest_s, ws_view_pool_at(view, pool).observed_start_s);
    }
    return longest_s > 0 ? longest_s : STAGE_FIRST_START_S;
}

/** GPUs that a job will want more when its next stage begins, if that is within the lead time. */
static int64_t stage_ahead_gpus(const stage_parameters *given, const stage_state *state,
                                const ws_view *view, size_t index, ws_plan *plan)
{
    ws_view_job job = ws_view_job_at(view, index);
    ws_view_stage now = ws_view_job_stage_at(view, index, job.stage);
    double lead_s = given->lead * stage_start_s(view);

    if (job.rate <= 0 || job.stage + 1 >= job.stage_count) {
        return 0;
    }
    double left_s = (now.work - now.done) / job.rate;
    if (left_s > lead_s) {
        ws_duration until = ws_duration_of_s(left_s - lead_s);
        ws_plan_call_back(plan, ws_time_add(ws_view_now(view), until));
        return 0;
    }
    double value_per_s = stage_value_per_s(state, view, index);
    int32_t next = stage_best(view, index, job.stage + 1, value_per_s);
    return next > job.replicas_wanted ? ((int64_t)next - job.replicas_wanted) * job.gpus_per_replica
                                      : 0;
}

/** The pool with the lowest price of a GPU among those not yet taken; SIZE_MAX: none is left. */
static size_t stage_cheapest(const ws_view *view, uint64_t taken)
{
    size_t best = SIZE_MAX;
    double least = HUGE_VAL;

    for (size_t pool = 0; pool < ws_view_pool_count(view); pool++) {
        ws_view_pool at = ws_view_pool_at(view, pool);
        double price = (double)at.node_price.nano_per_h / at.gpus_per_node;
        if (((taken >> pool) & 1) == 0 && price < least) {
            least = price;
            best = pool;
        }
    }
    return best;
}

/** "jobs want 96 GPUs in all, and soon 32 more for another stage: 12 nodes of spot". */
static void stage_ask(const stage_share *share, const char *since, ws_plan *plan)
{
    char ahead[64] = "";

    if (share->demand.ahead > 0) {
        (void)snprintf(ahead, sizeof ahead, ", and soon %" PRId64 " more for another stage",
                       share->demand.ahead);
    }
    ws_plan_reason(plan, "jobs want %" PRId64 " GPU%s in all%s: %" PRId64 " node%s of %.*s%s",
                   share->demand.now, share->demand.now == 1 ? "" : "s", ahead, share->nodes,
                   share->nodes == 1 ? "" : "s", WS_TEXT_ARGS(share->pool.name), since);
    ws_plan_set_nodes(plan, share->index, share->nodes);
}

/** A pool grows at once and shrinks when it has been too large for a while. */
static void stage_set_nodes(const stage_parameters *given, stage_state *state, const ws_view *view,
                            const stage_share *share, ws_plan *plan)
{
    ws_time now = ws_view_now(view);
    ws_time *low_since = &state->low_since[share->index];

    if (share->nodes >= share->pool.nodes_wanted) {
        *low_since = WS_TIME_NEVER;
        if (share->nodes > share->pool.nodes_wanted) {
            stage_ask(share, "", plan);
        }
        return;
    }
    if (low_since->ns == WS_TIME_NEVER.ns) {
        *low_since = now;
    }
    if (ws_time_since(now, *low_since).ns >= given->release_after.ns) {
        char span[WS_QUANTITY_TEXT_BYTES];
        char since[WS_QUANTITY_TEXT_BYTES + 40];

        (void)ws_duration_print_human(given->release_after, span);
        (void)snprintf(since, sizeof since, ", which has been too large for %s", span);
        stage_ask(share, since, plan);
    }
}

/** GPUs that the pools have at their smallest. */
static int64_t stage_least_gpus(const ws_view *view)
{
    int64_t gpus = 0;

    for (size_t pool = 0; pool < ws_view_pool_count(view); pool++) {
        ws_view_pool at = ws_view_pool_at(view, pool);
        gpus += (int64_t)at.nodes_min * at.gpus_per_node;
    }
    return gpus;
}

/** Nodes for all GPUs that jobs want: every pool at its smallest, the rest from the cheapest first.
 */
static void stage_follow(const stage_parameters *given, stage_state *state, const ws_view *view,
                         stage_demand demand, ws_plan *plan)
{
    int64_t rest = demand.now + demand.ahead - stage_least_gpus(view);
    uint64_t taken = 0;
    size_t pool = stage_cheapest(view, taken);

    while (pool != SIZE_MAX) {
        ws_view_pool at = ws_view_pool_at(view, pool);
        int64_t more = rest > 0 ? (rest + at.gpus_per_node - 1) / at.gpus_per_node : 0;
        int64_t most = (int64_t)at.nodes_max - at.nodes_min;
        more = more > most ? most : more;
        rest -= more * at.gpus_per_node;
        stage_share share = {
            .demand = demand, .pool = at, .index = pool, .nodes = at.nodes_min + more};
        stage_set_nodes(given, state, view, &share, plan);
        taken |= UINT64_C(1) << pool;
        pool = stage_cheapest(view, taken);
    }
}

static void stage_decide(void *state, const void *parameters, const ws_view *view, ws_plan *plan)
{
    const stage_parameters *given = parameters;
    stage_demand demand = {.now = 0};

    WS_ASSERT(ws_view_pool_count(view) <= STAGE_POOLS_MAX);
    for (size_t i = 0; i < ws_view_job_count(view); i++) {
        ws_view_job job = ws_view_job_at(view, i);
        demand.now += (int64_t)job.replicas_wanted * job.gpus_per_replica;
        if (job.elastic) {
            demand.now += stage_decide_job(given, state, view, i, plan);
            demand.ahead += stage_ahead_gpus(given, state, view, i, plan);
        }
    }
    if (given->nodes == STAGE_NODES_FOLLOW) {
        stage_follow(given, state, view, demand, plan);
    }
}

const ws_policy_type ws_policy_stage_aware = {
    .name = "stage-aware",
    .summary =
        "sizes each stage for the objective, pre-warms before a boundary, resizes only if it pays",
    .parameters = &stage_table,
    .state_bytes = sizeof(stage_state),
    .deployable = true,
    .wakes = WS_WAKE_START | WS_WAKE_JOB_ARRIVED | WS_WAKE_STAGE_DONE | WS_WAKE_JOB_DONE |
             WS_WAKE_CALLBACK,
    .target_kinds = 1u << WS_TARGET_JOBS,
    .period = stage_period,
    .init = stage_init,
    .decide = stage_decide,
};
