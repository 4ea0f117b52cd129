/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Books that balance, whatever the world: random scenarios (random_world.h), each checked after
 * every event (the ledger against the leases, every node's grants, every job against the fleet),
 * and at the end against accounts that this test has kept itself, from nothing but the states of
 * the nodes: what was paid for, and what it cost.
 */
#include <inttypes.h>
#include <math.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "laws/random_world.h"
#include "support/support.h"

TestSuite(random_ledger);

#define SCENARIOS_FULL 1000
#define SCENARIOS_LEAST 200
#define NODES_MAX 64
#define JOBS_MAX 256

/* Leases as they follow from the states of the nodes. */
typedef struct {
    const random_world *world;
    bool leased[NODES_MAX];
    ws_time begin[NODES_MAX];
    ws_i128 cost_nano;
    ws_i128 billed_gpu_ns;
    int64_t events;
    int64_t absent; /* looks at a slot within a recorded absence */
} lease_book;

static bool lease_is_paid(const ws_pool_spec *pool, ws_node_state state)
{
    return state == WS_NODE_STARTING || state == WS_NODE_READY ||
           (state == WS_NODE_BROKEN && pool->failures.billed_in_repair);
}

/* Price x time, rounded once to the nano-dollar, half up. */
static ws_i128 lease_cost(const ws_pool_spec *pool, int64_t begin_ns, int64_t span_ns)
{
    ws_i128 product = 0;
    int64_t end_ns = begin_ns + span_ns;

    for (size_t i = 0; i <= pool->price_step_count; i++) { /* the part in each price's time */
        int64_t from_ns = i == 0 ? 0 : pool->price_steps[i - 1].at.ns;
        int64_t to_ns = i == pool->price_step_count ? INT64_MAX : pool->price_steps[i].at.ns;
        int64_t price =
            i == 0 ? pool->node_price.nano_per_h : pool->price_steps[i - 1].node_price.nano_per_h;

        from_ns = from_ns > begin_ns ? from_ns : begin_ns;
        to_ns = to_ns < end_ns ? to_ns : end_ns;
        product += to_ns > from_ns ? (ws_i128)price * (to_ns - from_ns) : 0;
    }
    return (product * 2 + WS_NS_PER_H) / (2 * (ws_i128)WS_NS_PER_H);
}

static void lease_close(lease_book *book, const ws_pool_spec *pool, size_t node, ws_time now,
                        bool rounds)
{
    int64_t span_ns = now.ns - book->begin[node].ns;
    int64_t increment_ns = pool->billing_increment.ns;

    if (rounds) {
        span_ns = (span_ns + increment_ns - 1) / increment_ns * increment_ns;
        span_ns = span_ns < pool->billing_minimum.ns ? pool->billing_minimum.ns : span_ns;
    }
    book->cost_nano += lease_cost(pool, book->begin[node].ns, span_ns);
    book->billed_gpu_ns += (ws_i128)span_ns * pool->gpus_per_node;
    book->leased[node] = false;
}

/* Within a recorded absence there is no ready node, or it drains since the notice of a reclaim; and
 * nothing is on its way. At the very moments of an absence other events may come first. */
static void absence_look(lease_book *book, const ws_fleet *fleet, const ws_pool_spec *pool,
                         int32_t first, ws_time now)
{
    for (size_t i = 0; i < pool->absence_count; i++) {
        const ws_absence *absence = &pool->absences[i];
        ws_node_id node = {.index = first + absence->slot};
        ws_node_state state = ws_fleet_node_state(fleet, node);
        bool is_noticed = now.ns < absence->lost.ns;

        if (now.ns <= absence->closed.ns || now.ns >= absence->back.ns ||
            now.ns == absence->lost.ns) {
            continue;
        }
        book->absent++;
        cr_assert(ws_fleet_node_is_closed(fleet, node));
        cr_assert(
            state == WS_NODE_ABSENT || (state == WS_NODE_BROKEN && !absence->is_reclaim) ||
                (state == WS_NODE_READY && is_noticed && ws_fleet_node_is_draining(fleet, node)),
            "seed %" PRIu64 ": slot %d of %.*s is in state %d at %" PRId64 " ns",
            book->world->scenario.seed, (int)absence->slot, WS_TEXT_ARGS(pool->name), (int)state,
            now.ns);
    }
}

static void lease_look(void *context, const ws_run_parts *parts)
{
    lease_book *book = context;
    ws_time now = ws_kernel_now(parts->kernel);
    size_t node = 0;

    book->events++;
    for (size_t p = 0; p < book->world->scenario.pool_count; p++) {
        const ws_pool_spec *pool = &book->world->pools[p];

        absence_look(book, parts->fleet, pool, (int32_t)node, now);
        for (int32_t slot = 0; slot < pool->nodes_max; slot++, node++) {
            ws_node_state state =
                ws_fleet_node_state(parts->fleet, (ws_node_id){.index = (int32_t)node});
            bool paid = lease_is_paid(pool, state);

            WS_ASSERT(node < NODES_MAX);
            if (paid && !book->leased[node]) {
                book->leased[node] = true;
                book->begin[node] = now;
            } else if (!paid && book->leased[node]) {
                lease_close(book, pool, node, now, true);
            }
        }
    }
}

/* Whether the node of an initial slot is paid for at 0: not one that is down or not there. */
static bool lease_begins(const ws_pool_spec *pool, int32_t slot)
{
    bool is_paid = slot < pool->nodes_initial;

    for (size_t i = 0; i < pool->absence_count; i++) {
        const ws_absence *absence = &pool->absences[i];

        if (absence->slot == slot && absence->closed.ns == 0) {
            is_paid = is_paid && !absence->is_reclaim && pool->failures.billed_in_repair;
        }
    }
    return is_paid;
}

/* Nodes that are there at 0; and the open leases at the end, which are not rounded up. */
static void lease_begin(lease_book *book)
{
    size_t node = 0;

    for (size_t p = 0; p < book->world->scenario.pool_count; p++) {
        for (int32_t slot = 0; slot < book->world->pools[p].nodes_max; slot++, node++) {
            book->leased[node] = lease_begins(&book->world->pools[p], slot);
        }
    }
}

static void lease_end(lease_book *book)
{
    size_t node = 0;

    for (size_t p = 0; p < book->world->scenario.pool_count; p++) {
        for (int32_t slot = 0; slot < book->world->pools[p].nodes_max; slot++, node++) {
            if (book->leased[node]) {
                lease_close(book, &book->world->pools[p], node, book->world->scenario.horizon,
                            false);
            }
        }
    }
}

/* ---- checkpoints that the storage holds ---- */

/* As they follow from the number of durable writes and the ends of jobs. */
typedef struct {
    int64_t written;
    int64_t kept;
    ws_i128 nano_ns_per_h;
} kept_job;

typedef struct {
    kept_job jobs[JOBS_MAX];
    ws_time at;
} kept_book;

static void kept_pass(kept_book *book, const ws_jobs *jobs, ws_time now)
{
    for (size_t i = 0; i < ws_jobs_submitted_count(jobs); i++) {
        ws_price price = ws_jobs_spec(jobs, i)->kind->checkpoint.keep_price;
        book->jobs[i].nano_ns_per_h +=
            (ws_i128)price.nano_per_h * book->jobs[i].kept * (now.ns - book->at.ns);
    }
    book->at = now;
}

static void kept_look(kept_book *book, const ws_run_parts *parts)
{
    kept_pass(book, parts->jobs, ws_kernel_now(parts->kernel));
    for (size_t i = 0; i < ws_jobs_submitted_count(parts->jobs); i++) {
        ws_job_history history = ws_jobs_history(parts->jobs, i);
        int64_t keep = ws_jobs_spec(parts->jobs, i)->kind->checkpoint.keep;
        kept_job *job = &book->jobs[i];

        job->kept += history.checkpoints - job->written;
        job->kept = job->kept > (keep > 1 ? keep : 1) ? keep : job->kept;
        job->written = history.checkpoints;
        job->kept = history.end.ns == WS_TIME_NEVER.ns ? job->kept : 0;
    }
}

static ws_i128 kept_rounded(ws_i128 nano_ns_per_h)
{
    return (nano_ns_per_h * 2 + WS_NS_PER_H) / (2 * (ws_i128)WS_NS_PER_H);
}

/* Of a storage that is paid for by its size, and of all jobs, each rounded once. The last event is
 * the horizon's. */
static ws_i128 kept_cost(const kept_book *book, const random_world *world)
{
    const ws_scenario *scenario = &world->scenario;
    ws_i128 cost = kept_rounded((ws_i128)scenario->storage_price.nano_per_h * scenario->horizon.ns);

    for (size_t i = 0; i < JOBS_MAX; i++) {
        cost += kept_rounded(book->jobs[i].nano_ns_per_h);
    }
    return cost;
}

/* ---- what must hold at the end ---- */

static void expect_accounts(uint64_t seed, const ws_accounts *accounts)
{
    for (size_t i = 0; i < WS_ACCOUNT_COUNT; i++) {
        cr_assert(accounts->account[i].gpu_ns >= 0, "seed %" PRIu64 ": %s", seed,
                  ws_account_names[i]);
    }
}

static double work_asked(const ws_job_spec *spec)
{
    double work = 0;

    for (size_t i = 0; i < spec->stage_count; i++) {
        work += spec->stages[i].work;
    }
    return work;
}

/* Sums of doubles over thousands of spans: they may differ in the last places. */
static void expect_job(uint64_t seed, const ws_job_record *job, double asked)
{
    expect_accounts(seed, &job->accounts);
    cr_assert(job->work <= asked * (1 + 1e-9), "seed %" PRIu64 ": %g of %g", seed, job->work,
              asked);
    cr_assert(job->work_lost >= -1e-9 * asked, "seed %" PRIu64, seed);
    cr_assert(job->data_wait_alone_s <= job->data_wait_s * (1 + 1e-9) + 1e-6, "seed %" PRIu64,
              seed);
    cr_assert(job->accounts.account[WS_ACCOUNT_IDLE].gpu_ns == 0, "seed %" PRIu64, seed);
    if (job->state == WS_JOB_OUTCOME_DONE) {
        cr_assert(fabs(job->work - asked) <= 1e-9 * asked, "seed %" PRIu64, seed);
        cr_assert(job->end_s >= job->first_start_s && job->first_start_s >= job->submit_s,
                  "seed %" PRIu64, seed);
    }
    cr_assert(job->pace_alone_ratio >= 1, "seed %" PRIu64, seed);
    cr_assert(job->pace_duty_ratio >= 1, "seed %" PRIu64, seed);
    cr_assert(job->pace_collide_ratio >= job->pace_duty_ratio, "seed %" PRIu64, seed);
    cr_assert(job->pace_unsettled == 0, "seed %" PRIu64, seed);
    cr_assert(job->gpus_mean <= (double)job->gpus_max * (1 + 1e-9), "seed %" PRIu64, seed);
}

/* With a warm-up the run's record leaves the first part out; costs add up all the same. */
static void expect_run(uint64_t seed, const ws_run_result *result, const lease_book *book,
                       const kept_book *kept)
{
    const ws_run_record *run = &result->run;
    bool whole = book->world->scenario.warmup.ns == 0;
    ws_gpu_time held = {.gpu_ns = 0};

    for (size_t i = 0; i < result->job_count; i++) {
        held = ws_gpu_time_add(held, result->jobs[i].gpu_time);
    }
    cr_assert(ws_money_add(run->cost, run->warmup_cost).nano ==
                  book->cost_nano + kept_cost(kept, book->world),
              "seed %" PRIu64 ": the cost is not that of the leases and of the storage", seed);
    cr_assert(run->cost.nano == run->compute_cost.nano + run->storage_cost.nano);
    cr_assert(ws_accounts_sum(&run->accounts).gpu_ns == run->paid.gpu_ns, "seed %" PRIu64, seed);
    cr_assert(held.gpu_ns <= book->billed_gpu_ns, "seed %" PRIu64, seed);
    if (whole) {
        expect_accounts(seed, &run->accounts);
        cr_assert(run->paid.gpu_ns == book->billed_gpu_ns,
                  "seed %" PRIu64 ": what is paid is not what is billed", seed);
        cr_assert(isnan(run->goodput_fraction) ||
                      (run->goodput_fraction >= 0 && run->goodput_fraction <= 1),
                  "seed %" PRIu64, seed);
    }
    cr_assert(run->jobs_done + run->jobs_censored == run->jobs_submitted, "seed %" PRIu64, seed);
    cr_assert(eq(i64, run->events, book->events));
}

/* ---- one scenario ---- */

/* What is kept of a run; `asked` is the work of each job. */
typedef struct {
    lease_book book;
    kept_book kept;
    double asked[JOBS_MAX];
} scenario_watch;

static void watch_event(void *context, const ws_run_parts *parts)
{
    scenario_watch *watch = context;
    size_t submitted = ws_jobs_submitted_count(parts->jobs);

    lease_look(&watch->book, parts);
    kept_look(&watch->kept, parts);
    WS_ASSERT(submitted <= WS_COUNT_OF(watch->asked));
    if (submitted > 0) {
        watch->asked[submitted - 1] = work_asked(ws_jobs_spec(parts->jobs, submitted - 1));
    }
}

static ws_run_result run_world(const random_world *world, scenario_watch *watch, ws_arena *keep)
{
    ws_run_watch watcher = {.context = watch, .event_done = watch_event};
    ws_run_options options = {.with_jobs = true,
                              .check = true,
                              .replication = 1,
                              .events_max = 1000000,
                              .watch = &watcher};
    ws_run_result result;
    ws_arena scratch;
    ws_diag diag;

    *watch = (scenario_watch){.book = {.world = world}};
    lease_begin(&watch->book);
    ws_arena_init(&scratch, &ws_allocator_default, (size_t)1 << 28);
    ws_diag_init(&diag, keep);
    bool ran = ws_run(&result, &world->arm, &options, keep, &scratch, &diag);
    cr_assert(ran, "seed %" PRIu64 ": %.*s", world->scenario.seed,
              WS_TEXT_ARGS(diag.entries[0].message));
    ws_arena_reset(&scratch);
    lease_end(&watch->book);
    return result;
}

/* The same world again gives the same numbers. */
static void expect_the_same(uint64_t seed, const ws_run_result *first, const ws_run_result *second)
{
    cr_assert(first->run.cost.nano == second->run.cost.nano, "seed %" PRIu64, seed);
    cr_assert(first->run.events == second->run.events, "seed %" PRIu64, seed);
    for (size_t i = 0; i < WS_ACCOUNT_COUNT; i++) {
        cr_assert(first->run.accounts.account[i].gpu_ns == second->run.accounts.account[i].gpu_ns,
                  "seed %" PRIu64, seed);
    }
}

static bool has_waited(const ws_run_result *result)
{
    for (size_t i = 0; i < result->job_count; i++) {
        if (result->jobs[i].data_wait_s > result->jobs[i].data_wait_alone_s * 1.05 + 1) {
            return true;
        }
    }
    return false;
}

static int64_t disk_losses(const ws_run_result *result)
{
    int64_t losses = 0;

    for (size_t i = 0; i < result->job_count; i++) {
        losses += result->jobs[i].disk_losses;
    }
    return losses;
}

Test(random_ledger, books_balance_in_every_world)
{
    int64_t scenarios = ws_test_scaled(SCENARIOS_FULL, SCENARIOS_LEAST);
    int64_t events = 0;
    int64_t done = 0;
    int64_t failures = 0;
    int64_t reclaims = 0;
    int64_t absent = 0;
    int64_t slowed = 0; /* by others on their links */
    int64_t waited = 0; /* for data that others read, too */
    int64_t disks = 0;  /* lost with a checkpoint */

    for (int64_t i = 1; i <= scenarios; i++) {
        uint64_t seed = (uint64_t)i;
        random_world world;
        scenario_watch watch;
        ws_arena keep;

        ws_arena_init(&keep, &ws_allocator_default, (size_t)1 << 28);
        random_world_draw(&world, seed, &keep);
        ws_run_result result = run_world(&world, &watch, &keep);
        expect_run(seed, &result, &watch.book, &watch.kept);
        for (size_t job = 0; job < result.job_count; job++) {
            expect_job(seed, &result.jobs[job], watch.asked[job]);
        }
        if (i % 10 == 0) {
            ws_run_result again = run_world(&world, &watch, &keep);
            expect_the_same(seed, &result, &again);
        }
        events += result.run.events;
        done += result.run.jobs_done;
        failures += result.run.failures;
        reclaims += result.run.reclaims;
        absent += watch.book.absent;
        slowed += result.run.pace_alone_ratio > 1.05 ? 1 : 0;
        waited += has_waited(&result) ? 1 : 0;
        disks += disk_losses(&result);
        ws_arena_reset(&keep);
    }
    /* Else the worlds were dull. */
    cr_expect(events > 200 * scenarios, "%" PRId64 " events", events);
    cr_expect(done > 5 * scenarios, "%" PRId64 " jobs", done);
    cr_expect(failures > 3 * scenarios, "%" PRId64 " failures", failures);
    cr_expect(reclaims > scenarios / 2, "%" PRId64 " reclaims", reclaims);
    cr_expect(absent > 100 * scenarios, "%" PRId64 " looks at absent slots", absent);
    cr_expect(slowed > scenarios / 10, "%" PRId64 " worlds with slowed jobs", slowed);
    cr_expect(waited > scenarios / 10, "%" PRId64 " worlds with jobs that wait for data", waited);
    cr_expect(disks > scenarios / 2, "%" PRId64 " local checkpoints lost", disks);
}
