/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The naive simulator's jobs and plans, and its loop over the seconds. */
#include "naive.h"

#include <string.h>

#include "naive_world.h"
#include "ws/assert.h"

#define NANO INT64_C(1000000000)

void naive_log(naive_world *world, int32_t kind, int32_t index, int32_t number)
{
    naive_outcome *outcome = world->outcome;

    WS_ASSERT(outcome->event_count < NAIVE_EVENTS);
    outcome->events[outcome->event_count++] =
        (naive_event){.at = world->now, .kind = kind, .index = index, .number = number};
}

/* --- legal sizes --- */

static bool job_is_legal(const naive_job_spec *spec, int32_t stage, int32_t size)
{
    bool within = size >= spec->min && size <= spec->max && size >= spec->stages[stage].min &&
                  size <= spec->stages[stage].max;
    bool listed = spec->list != 0 ? (spec->list >> size & 1) != 0
                                  : within && (size - spec->min) % spec->step == 0;

    return within && listed;
}

/* The largest legal size up to a number; 0: none. */
int32_t naive_job_at_most(const naive_world *world, int32_t job, int32_t size)
{
    size = size < NAIVE_SIZES ? size : NAIVE_SIZES - 1;
    while (size > 0 && !job_is_legal(&world->scenario->jobs[job], world->jobs[job].stage, size)) {
        size--;
    }
    return size > 0 ? size : 0;
}

/* That, or the smallest legal size. */
int32_t naive_job_clamp(const naive_world *world, int32_t job, int32_t size)
{
    int32_t found = naive_job_at_most(world, job, size);

    for (int32_t least = 1; found == 0; least++) {
        WS_ASSERT(least < NAIVE_SIZES);
        found = naive_job_at_most(world, job, least);
    }
    return found;
}

/* --- the life of a job --- */

static void job_settle(naive_world *world, int32_t job)
{
    naive_job *run = &world->jobs[job];

    for (int32_t i = 0; i < WS_ACCOUNT_COUNT; i++) {
        world->outcome->jobs[job].accounts.account[i] += run->pending.account[i];
    }
    memset(&run->pending, 0, sizeof run->pending);
}

static void job_roll_back(naive_world *world, int32_t job)
{
    naive_job *run = &world->jobs[job];
    naive_job_outcome *outcome = &world->outcome->jobs[job];

    for (int32_t i = 0; i < WS_ACCOUNT_COUNT; i++) {
        outcome->accounts.account[WS_ACCOUNT_LOST] += run->pending.account[i];
    }
    memset(&run->pending, 0, sizeof run->pending);
    for (int32_t stage = run->saved_stage; stage < run->stage; stage++) {
        outcome->work_lost += world->scenario->jobs[job].stages[stage].work;
    }
    outcome->work_lost += run->done - run->saved_done;
    run->stage = run->saved_stage;
    run->done = run->saved_done;
}

static void job_launch(naive_world *world, int32_t job)
{
    naive_job *run = &world->jobs[job];
    const naive_job_spec *spec = &world->scenario->jobs[job];
    naive_job_outcome *outcome = &world->outcome->jobs[job];

    run->state = WS_JOB_STARTING;
    run->timer = world->now + spec->start + (run->has_saved ? spec->read : spec->load);
    run->last_resize = world->now;
    outcome->peak = run->replicas > outcome->peak ? run->replicas : outcome->peak;
}

bool naive_job_start(naive_world *world, int32_t job, int32_t replicas)
{
    naive_job *run = &world->jobs[job];
    naive_job_outcome *outcome = &world->outcome->jobs[job];
    bool first = outcome->first_start == NAIVE_NEVER;

    for (int32_t i = 0; i < replicas; i++) {
        bool placed = naive_fleet_place(world, job);
        WS_ASSERT(placed);
    }
    run->replicas = replicas;
    run->start = first || run->was_preempted ? NAIVE_COLD : NAIVE_RECOVERY;
    run->was_preempted = false;
    run->survivors = 0;
    outcome->first_start = first ? world->now : outcome->first_start;
    outcome->restarts += first ? 0 : 1;
    job_launch(world, job);
    naive_log(world, WS_NEWS_JOB_PLACED, job, replicas);
    return true;
}

static void job_run_on(naive_world *world, int32_t job)
{
    naive_job *run = &world->jobs[job];

    run->state = WS_JOB_RUNNING;
    run->write_at = world->scenario->jobs[job].has_checkpoint
                        ? world->now + world->scenario->jobs[job].every
                        : NAIVE_NEVER;
}

static void job_write(naive_world *world, int32_t job)
{
    world->jobs[job].state = WS_JOB_WRITING;
    world->jobs[job].timer = world->now + world->scenario->jobs[job].write;
}

/* The world starts at another size; the GPUs of a larger one are there already. */
static void job_restart(naive_world *world, int32_t job, int32_t replicas)
{
    naive_job *run = &world->jobs[job];

    if (replicas < run->replicas) {
        naive_fleet_take(world, job, run->replicas - replicas);
    }
    run->replicas = replicas;
    run->next = 0;
    run->survivors = run->survivors < replicas ? run->survivors : replicas;
    world->outcome->jobs[job].restarts++;
    job_launch(world, job);
}

/* A planned restart is a resize for those who have been in a world that stepped. */
static void job_restart_planned(naive_world *world, int32_t job, int32_t replicas)
{
    naive_job *run = &world->jobs[job];

    run->start = run->has_stepped ? NAIVE_RESIZE : NAIVE_COLD;
    job_restart(world, job, replicas);
}

static void job_written(naive_world *world, int32_t job)
{
    naive_job *run = &world->jobs[job];

    run->saved_stage = run->stage;
    run->saved_done = run->done;
    run->saved_at = world->now;
    run->has_saved = true;
    run->has_stepped = true;
    world->outcome->jobs[job].checkpoints++;
    job_settle(world, job);
    if (run->next != 0) {
        job_restart_planned(world, job, run->next);
    } else {
        job_run_on(world, job);
    }
}

static void job_stage_completed(naive_world *world, int32_t job)
{
    naive_job *run = &world->jobs[job];
    const naive_job_spec *spec = &world->scenario->jobs[job];

    if (run->stage + 1 == spec->stage_count) {
        job_settle(world, job);
        run->state = WS_JOB_DONE;
        run->replicas = 0;
        world->outcome->jobs[job].end = world->now;
        naive_fleet_take_all(world, job);
        naive_log(world, WS_NEWS_JOB_DONE, job, 0);
        return;
    }
    run->stage++;
    run->done = 0;
    if (spec->has_checkpoint) {
        job_write(world, job);
    }
    naive_log(world, WS_NEWS_JOB_STAGE_DONE, job, run->stage);
}

void naive_job_lost_node(naive_world *world, int32_t job)
{
    naive_job *run = &world->jobs[job];

    world->outcome->jobs[job].failures++;
    naive_log(world, WS_NEWS_JOB_LOST_NODE, job, 0);
    if (run->state == WS_JOB_DETECTING) {
        return;
    }
    if (run->state != WS_JOB_STARTING) {
        job_roll_back(world, job);
    }
    run->next = 0;
    run->state = WS_JOB_DETECTING;
    run->timer = world->now + world->scenario->detection;
}

static void job_wait_again(naive_world *world, int32_t job)
{
    world->jobs[job].state = WS_JOB_WAITING;
    world->jobs[job].replicas = 0;
    world->jobs[job].next = 0;
    naive_fleet_take_all(world, job);
    naive_log(world, WS_NEWS_JOB_NEEDS_GPUS, job, 0);
}

bool naive_job_has_world(const naive_job *run)
{
    return run->state == WS_JOB_STARTING || run->state == WS_JOB_RUNNING ||
           run->state == WS_JOB_WRITING;
}

void naive_job_preempt(naive_world *world, int32_t job)
{
    if (world->jobs[job].state != WS_JOB_STARTING) {
        job_roll_back(world, job);
    }
    world->jobs[job].was_preempted = true;
    world->outcome->jobs[job].preemptions++;
    job_wait_again(world, job);
}

/* Changes a size if the mode and the moment allow; false: nothing was done. */
bool naive_job_resize(naive_world *world, int32_t job, int32_t replicas)
{
    naive_job *run = &world->jobs[job];
    const naive_job_spec *spec = &world->scenario->jobs[job];

    if (!naive_job_has_world(run) || spec->mode != NAIVE_RESTART || run->next != 0 ||
        replicas == run->replicas) {
        return false;
    }
    for (int32_t i = run->replicas; i < replicas; i++) {
        bool placed = naive_fleet_place(world, job);
        WS_ASSERT(placed);
    }
    naive_log(world, WS_NEWS_JOB_RESIZED, job, NAIVE_SIZES * run->replicas + replicas);
    if (run->state == WS_JOB_STARTING) {
        job_restart(world, job, replicas); /* for the same reason as before */
        return true;
    }
    run->survivors = run->replicas;
    run->replicas = replicas > run->replicas ? replicas : run->replicas;
    world->outcome->jobs[job].resizes++;
    if (run->state == WS_JOB_WRITING || (spec->has_checkpoint && spec->before_resize)) {
        run->next = replicas;
        if (run->state == WS_JOB_RUNNING) {
            job_write(world, job);
        }
        return true;
    }
    job_roll_back(world, job);
    job_restart_planned(world, job, replicas);
    return true;
}

int32_t naive_job_next_size(const naive_job *run)
{
    return run->next != 0 ? run->next : run->replicas;
}

/* --- phases --- */

static bool jobs_end(naive_world *world)
{
    for (int32_t job = 0; job < world->scenario->job_count; job++) {
        naive_job *run = &world->jobs[job];
        int64_t work = world->scenario->jobs[job].stages[run->stage].work;
        bool over = run->timer == world->now;

        if (run->state == WS_JOB_RUNNING && run->done >= work) {
            world->outcome->off_grid = world->outcome->off_grid || run->done > work;
            job_stage_completed(world, job);
            return true;
        }
        if (run->state == WS_JOB_STARTING && over) {
            job_run_on(world, job);
            naive_log(world, WS_NEWS_JOB_STARTED, job, run->replicas);
            return true;
        }
        if (run->state == WS_JOB_WRITING && over) {
            job_written(world, job);
            return true;
        }
        if (run->state == WS_JOB_DETECTING && over) {
            job_wait_again(world, job);
            return true;
        }
    }
    return false;
}

static bool jobs_arrive(naive_world *world)
{
    for (int32_t job = 0; job < world->scenario->job_count; job++) {
        naive_job *run = &world->jobs[job];

        if (run->state == WS_JOB_FUTURE && world->scenario->jobs[job].submit == world->now) {
            run->state = WS_JOB_WAITING;
            run->saved_at = world->now;
            naive_log(world, WS_NEWS_JOB_SUBMITTED, job, 0);
            return true;
        }
        if (run->state == WS_JOB_RUNNING && run->write_at == world->now) {
            job_write(world, job);
            return true;
        }
    }
    return false;
}

/* --- plans --- */

static void plan_apply(naive_world *world, const naive_order *order)
{
    naive_job *run = &world->jobs[order->index];

    if (order->is_pool) {
        int32_t before = world->wanted[order->index];
        if (before == order->number) {
            return;
        }
        const naive_pool_spec *spec = &world->scenario->pools[order->index];
        int32_t after = order->number < spec->min ? spec->min : order->number;
        after = after > spec->max ? spec->max : after;
        if (after != before || after != order->number) {
            naive_log(world, NAIVE_DECIDED_POOL, order->index, after);
        }
        (void)naive_fleet_want(world, order->index, order->number);
        return;
    }
    if (run->state == WS_JOB_FUTURE || run->state == WS_JOB_DONE || run->wanted == order->number) {
        return;
    }
    int32_t before = run->wanted;
    run->wanted = naive_job_clamp(world, order->index, order->number);
    if (run->wanted != before || run->wanted != order->number) {
        naive_log(world, NAIVE_DECIDED_JOB, order->index, run->wanted);
    }
}

static bool plan_due(naive_world *world)
{
    const naive_scenario *scenario = world->scenario;

    if (world->orders_done == scenario->order_count ||
        scenario->orders[world->orders_done].at != world->now) {
        return false;
    }
    plan_apply(world, &scenario->orders[world->orders_done]);
    world->orders_done++;
    return true;
}

/* --- a second --- */

static void second_of_start(const naive_job *run, int64_t gpus, naive_accounts *accounts)
{
    int64_t survivors = gpus / run->replicas * run->survivors;

    switch (run->start) {
    case NAIVE_COLD:
        accounts->account[WS_ACCOUNT_COLD_START] += gpus * NANO;
        break;
    case NAIVE_RECOVERY:
        accounts->account[WS_ACCOUNT_RECOVERY] += gpus * NANO;
        break;
    case NAIVE_RESIZE:
        accounts->account[WS_ACCOUNT_RESIZE] += survivors * NANO;
        accounts->account[WS_ACCOUNT_COLD_START] += (gpus - survivors) * NANO;
        break;
    }
}

/* Steps for a second. What a size loses against the best rate per replica is communication. */
static void second_of_steps(naive_world *world, int32_t job, int64_t gpus)
{
    naive_job *run = &world->jobs[job];
    const naive_job_spec *spec = &world->scenario->jobs[job];
    int64_t rate = spec->rate[run->replicas];
    int64_t best = (int64_t)spec->best * run->replicas;
    int64_t communication = gpus * NANO * (best - rate) / best;

    run->pending.account[WS_ACCOUNT_COMMUNICATION] += communication;
    run->pending.account[WS_ACCOUNT_USEFUL] += gpus * NANO - communication;
    run->done += rate * naive_fleet_speed(world, job);
    run->has_stepped = true;
}

static void second_of_job(naive_world *world, int32_t job)
{
    naive_job *run = &world->jobs[job];
    naive_accounts *accounts = &world->outcome->jobs[job].accounts;
    int64_t gpus = naive_fleet_held(world, job);
    int64_t joining = run->next != 0 ? gpus / run->replicas * (run->replicas - run->survivors) : 0;

    switch (run->state) {
    case WS_JOB_STARTING:
        second_of_start(run, gpus, accounts);
        break;
    case WS_JOB_RUNNING:
        second_of_steps(world, job, gpus);
        break;
    case WS_JOB_WRITING:
        accounts->account[WS_ACCOUNT_COLD_START] += joining * NANO;
        run->pending.account[WS_ACCOUNT_CHECKPOINT] += (gpus - joining) * NANO;
        break;
    case WS_JOB_DETECTING:
        accounts->account[WS_ACCOUNT_RECOVERY] += gpus * NANO;
        break;
    case WS_JOB_FUTURE:
    case WS_JOB_WAITING:
    case WS_JOB_DONE:
        break;
    }
}

static void second_of_gauges(naive_world *world, int32_t job)
{
    const naive_job *run = &world->jobs[job];
    const naive_job_spec *spec = &world->scenario->jobs[job];

    if (run->state == WS_JOB_FUTURE || run->state == WS_JOB_DONE) {
        return;
    }
    int32_t lacking = naive_job_clamp(world, job, run->wanted) - naive_job_next_size(run);
    if (spec->mode != NAIVE_RESTART && naive_job_has_world(run)) {
        lacking = 0; /* it has all that it will get */
    }
    for (int32_t pool = 0; pool < world->scenario->pool_count; pool++) {
        if (spec->speed[pool] > 0 && lacking > 0) {
            world->outcome->gauges[pool].waiting += (int64_t)lacking * spec->gpus_per_replica;
        }
    }
    world->outcome->jobs_waiting += run->state == WS_JOB_WAITING ? 1 : 0;
    world->outcome->jobs_running += run->state != WS_JOB_WAITING ? 1 : 0;
}

/* All that is due now, in the order of the phases, again and again until nothing is. */
static void instant(naive_world *world)
{
    bool busy = true;

    while (busy) {
        busy = naive_fleet_ends(world) || jobs_end(world) || naive_fleet_losses(world) ||
               naive_fleet_arrivals(world) || jobs_arrive(world) || naive_settle(world) ||
               plan_due(world);
    }
}

static void finish_job(naive_world *world, int32_t job)
{
    const naive_job *run = &world->jobs[job];
    naive_job_outcome *outcome = &world->outcome->jobs[job];

    job_settle(world, job);
    outcome->work = run->done;
    for (int32_t stage = 0; stage < run->stage; stage++) {
        outcome->work += world->scenario->jobs[job].stages[stage].work;
    }
    for (int32_t i = 0; i < WS_ACCOUNT_COUNT; i++) {
        world->outcome->accounts.account[i] += outcome->accounts.account[i];
    }
}

void naive_run(const naive_scenario *scenario, naive_outcome *outcome)
{
    naive_world world = {.scenario = scenario, .outcome = outcome};

    memset(outcome, 0, sizeof *outcome);
    for (int32_t job = 0; job < scenario->job_count; job++) {
        world.jobs[job].wanted = scenario->jobs[job].initial;
        world.jobs[job].write_at = NAIVE_NEVER;
        outcome->jobs[job].first_start = NAIVE_NEVER;
        outcome->jobs[job].end = NAIVE_NEVER;
    }
    naive_fleet_begin(&world);
    instant(&world);
    while (world.now < scenario->horizon) {
        naive_fleet_second(&world);
        for (int32_t job = 0; job < scenario->job_count; job++) {
            second_of_gauges(&world, job);
            second_of_job(&world, job);
        }
        world.now++;
        instant(&world);
    }
    naive_fleet_end(&world);
    for (int32_t job = 0; job < scenario->job_count; job++) {
        finish_job(&world, job);
    }
}
