/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The queue before a job with demand, against areas and distances worked out by hand, and against a
 * queue of parcels that is stepped through time.
 */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdlib.h>

#include "backlog.h"
#include "support/arena_suite.h"
#include "support/support.h"

WS_TEST_ARENA_SUITE(backlog);

static ws_time at_s(double seconds)
{
    return (ws_time){.ns = (int64_t)(seconds * 1e9)};
}

static ws_demand demand_of(ws_demand_step *steps, size_t count, double end_s)
{
    return ws_demand_of(steps, count, at_s(end_s));
}

static ws_demand_outcome outcome_of(const ws_backlog *backlog, double until_s, double capacity)
{
    ws_demand_outcome outcome = {.arrived = 0};

    cr_assert(ws_backlog_finish(backlog, at_s(until_s), capacity, &outcome));
    return outcome;
}

/*
 * 2 a second for 10 s, then none until 40; 1 a second is done. 10 wait at 10 s, none from 20 on;
 * the area is a triangle of 20 by 10. At t the work that came at t/2 is done: the lag is t/2, up
 * to 10. Of 40 s 20 are without a backlog, so that 95 % of the time are 18 s of the slope, where it
 * is 9.
 */
Test(backlog, one_burst)
{
    ws_demand_step steps[] = {{.rate = 2, .is_known = true}, {.begin = at_s(10), .is_known = true}};
    ws_demand demand = demand_of(steps, 2, 40);
    ws_backlog backlog = ws_backlog_of(&demand, at_s(0), &arena);

    ws_backlog_advance(&backlog, at_s(4), 1);
    cr_expect(eq(dbl, backlog.waiting, 4));
    cr_expect(eq(dbl, ws_backlog_at(&backlog, at_s(6), 1).lag_s, 3));
    cr_expect(eq(dbl, ws_backlog_rate(&backlog, 1), 1));
    cr_expect(eq(i64, ws_backlog_empty_at(&backlog, 1).ns, INT64_MAX));
    cr_expect(eq(i64, ws_backlog_next_step(&backlog).ns, at_s(10).ns));
    ws_backlog_advance(&backlog, at_s(10), 1);
    cr_expect(eq(i64, ws_backlog_empty_at(&backlog, 1).ns, at_s(20).ns));
    cr_expect(eq(i64, ws_backlog_empty_at(&backlog, 4).ns, at_s(12.5).ns));
    ws_demand_outcome outcome = outcome_of(&backlog, 40, 1);
    cr_expect(eq(dbl, outcome.arrived, 20));
    cr_expect(eq(dbl, outcome.served, 20));
    cr_expect(eq(dbl, outcome.waiting_max, 10));
    cr_expect(eq(dbl, outcome.counted_s, 40));
    cr_expect(eq(dbl, outcome.behind_s, 20));
    cr_expect(epsilon_eq(dbl, outcome.lag_mean_s, 2.5, 1e-12));
    cr_expect(eq(dbl, outcome.lag_max_s, 10));
    cr_expect(epsilon_eq(dbl, outcome.lag_p95_s, 9, 1e-9));
    cr_expect(epsilon_eq(dbl, outcome.lag_p99_s, 9.8, 1e-9));
    cr_expect(epsilon_eq(dbl, ws_backlog_at(&backlog, at_s(40), 1).waiting_s, 100, 1e-9));
    ws_backlog_advance(&backlog, at_s(40), 1);
    cr_expect(ws_backlog_is_over(&backlog));
}

/*
 * First in, first out: 5 a second for 5 s, nothing for 5 s, then 1 a second until 50; 2 a second
 * are done. The burst's 25 last until 12.5: at t its work of 0.4 t is done, a lag of 0.6 t, up
 * to 7.5. Then the oldest work is that of 10 s: a lag of 2.5, and 2.5 wait, until 15. So the mean
 * is (0.3 x 12.5^2 + 2.5^2 / 2) / 50 = 1, and more than 4.5 s of lag come in 7.5 s..12.5 s: 10 % of
 * the time.
 */
Test(backlog, the_oldest_first)
{
    ws_demand_step steps[] = {{.rate = 5, .is_known = true},
                              {.begin = at_s(5), .is_known = true},
                              {.begin = at_s(10), .rate = 1, .is_known = true}};
    ws_demand demand = demand_of(steps, 3, 50);
    ws_backlog backlog = ws_backlog_of(&demand, at_s(0), &arena);

    cr_expect(epsilon_eq(dbl, ws_backlog_at(&backlog, at_s(7), 2).lag_s, 4.2, 1e-12));
    cr_expect(epsilon_eq(dbl, ws_backlog_at(&backlog, at_s(12), 2).lag_s, 7.2, 1e-12));
    cr_expect(epsilon_eq(dbl, ws_backlog_at(&backlog, at_s(13), 2).lag_s, 2, 1e-12));
    cr_expect(epsilon_eq(dbl, ws_backlog_at(&backlog, at_s(13), 2).waiting, 2, 1e-12));
    ws_demand_outcome outcome = outcome_of(&backlog, 50, 2);
    cr_expect(epsilon_eq(dbl, outcome.lag_max_s, 7.5, 1e-12));
    cr_expect(epsilon_eq(dbl, outcome.lag_mean_s, 1, 1e-12));
    cr_expect(epsilon_eq(dbl, outcome.behind_s, 15, 1e-12));
    cr_expect(epsilon_eq(dbl, outcome.lag_p95_s, 6, 1e-9)); /* passed from 10 s to 12.5 s */
    cr_expect(epsilon_eq(dbl, outcome.lag_p99_s, 7.2, 1e-9));
}

/*
 * A hole from 10 s to 30 s: what waits is done in it, until 20, which counts; the 10 s in which
 * nothing is known and nothing waits do not. After the end at 40 what waits still counts: 2 a
 * second from 30 to 40 leave 10 at 40, done at 50.
 */
Test(backlog, a_hole_is_no_time)
{
    ws_demand_step steps[] = {{.rate = 2, .is_known = true},
                              {.begin = at_s(10), .is_known = false},
                              {.begin = at_s(30), .rate = 2, .is_known = true}};
    ws_demand demand = demand_of(steps, 3, 40);
    ws_backlog backlog = ws_backlog_of(&demand, at_s(0), &arena);
    ws_demand_outcome outcome = outcome_of(&backlog, 100, 1);
    ws_time since = {.ns = -1};

    cr_expect(eq(dbl, outcome.hole_s, 10));
    cr_expect(eq(dbl, outcome.counted_s, 40));
    cr_expect(eq(dbl, outcome.behind_s, 40));
    cr_expect(eq(dbl, outcome.arrived, 40));
    cr_expect(eq(dbl, outcome.waiting, 0));
    cr_expect(epsilon_eq(dbl, outcome.lag_mean_s, 5, 1e-12));
    cr_expect(ws_demand_known_since(&demand, at_s(9), &since));
    cr_expect(eq(i64, since.ns, 0));
    cr_expect(not(ws_demand_known_since(&demand, at_s(10), &since)));
    cr_expect(ws_demand_known_since(&demand, at_s(30), &since));
    cr_expect(eq(i64, since.ns, at_s(30).ns));
    cr_expect(ws_demand_known_since(&demand, at_s(99), &since));
    cr_expect(eq(i64, since.ns, at_s(30).ns));
}

/* Measured from 10 s on: 10 wait there, 15 arrive until 25, and 20 is all that 2 a second can do
 * until 20. What was before leaves no lag. */
Test(backlog, the_warm_up_is_left_out)
{
    ws_demand_step steps[] = {{.rate = 1, .is_known = true}};
    ws_demand demand = demand_of(steps, 1, 25);
    ws_backlog backlog = ws_backlog_of(&demand, at_s(10), &arena);

    ws_backlog_advance(&backlog, at_s(10), 0);
    ws_demand_outcome outcome = outcome_of(&backlog, 25, 2);
    cr_expect(eq(dbl, outcome.waiting_begin, 10));
    cr_expect(eq(dbl, outcome.arrived, 15));
    cr_expect(eq(dbl, outcome.served, 25));
    cr_expect(eq(dbl, outcome.counted_s, 15));
    cr_expect(eq(dbl, outcome.behind_s, 10));
    cr_expect(eq(dbl, outcome.lag_max_s, 10)); /* the oldest is that of 0 */
    cr_expect(eq(dbl, outcome.waiting_max, 10));
}

/* Nothing but holes: no moment counts, and there is no lag to speak of. */
Test(backlog, nothing_known)
{
    ws_demand_step steps[] = {{.is_known = false}};
    ws_demand demand = demand_of(steps, 1, 60);
    ws_backlog backlog = ws_backlog_of(&demand, at_s(0), &arena);
    ws_demand_outcome outcome = outcome_of(&backlog, 60, 1);

    cr_expect(eq(dbl, outcome.counted_s, 0));
    cr_expect(eq(dbl, outcome.hole_s, 60));
    cr_expect(eq(dbl, outcome.arrived, 0));
}

/* ---- random courses ---- */

enum { STEPS = 12, STEP_S = 10, TICKS_PER_S = 100, TICKS = STEPS * STEP_S * TICKS_PER_S };

static uint64_t state;

/* Knuth's constants; the upper bits. */
static double uniform(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state >> 11) / 9007199254740992.0;
}

/* A queue of what arrived in each tick. */
typedef struct {
    double arrived_s[TICKS];
    double amount[TICKS];
    size_t head;
    size_t tail;
    double lags_s[TICKS]; /* of the ticks that count */
    size_t lag_count;
} parcels;

/* One tick: its work arrives in one parcel, then the oldest parcels are worked on. */
static void parcels_tick(parcels *queue, double now_s, double arriving, double able)
{
    if (arriving > 0) {
        queue->arrived_s[queue->tail] = now_s;
        queue->amount[queue->tail++] = arriving;
    }
    while (queue->head < queue->tail && able > 0) {
        double done = fmin(able, queue->amount[queue->head]);
        queue->amount[queue->head] -= done;
        able -= done;
        queue->head += queue->amount[queue->head] <= 1e-12 ? 1 : 0;
    }
}

static double parcels_waiting(const parcels *queue)
{
    double sum = 0;

    for (size_t i = queue->head; i < queue->tail; i++) {
        sum += queue->amount[i];
    }
    return sum;
}

static double parcels_lag_s(const parcels *queue, double now_s)
{
    return queue->head < queue->tail ? now_s - queue->arrived_s[queue->head] : 0;
}

static void random_demand(ws_demand_step steps[STEPS])
{
    for (int i = 0; i < STEPS; i++) {
        double known = uniform();
        double some = uniform();
        double rate = 0.5 + 3.5 * uniform();
        steps[i] = (ws_demand_step){.begin = at_s(STEP_S * i),
                                    .rate = known < 0.85 && some < 0.8 ? rate : 0,
                                    .is_known = known < 0.85};
    }
}

static double random_capacity(void)
{
    double none = uniform();
    double some = 4 * uniform();

    return none < 0.25 ? 0 : some;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return (x > y) - (x < y);
}

/* What holds of every queue, at a tick's end, and that it is that of the parcels: they come and go
 * in lumps of at most a tick's work. Returns how far the lags differ. */
static double check_tick(const ws_backlog *backlog, const parcels *queue, double capacity)
{
    ws_demand_queue now = ws_backlog_at(backlog, backlog->now, capacity);
    double now_s = ws_time_s(backlog->now);

    cr_assert(ge(dbl, now.waiting, 0));
    cr_assert(le(dbl, now.served, now.arrived));
    cr_assert(epsilon_eq(dbl, now.served + now.waiting, now.arrived, 1e-12 * (1 + now.arrived)));
    cr_assert(epsilon_eq(dbl, now.waiting, parcels_waiting(queue), 4.0 / TICKS_PER_S), "at %g s",
              now_s);
    return fabs(now.lag_s - parcels_lag_s(queue, now_s));
}

static void check_outcome(const ws_demand_outcome *outcome, parcels *queue)
{
    double sum = 0;

    for (size_t i = 0; i < queue->lag_count; i++) {
        sum += queue->lags_s[i];
    }
    qsort(queue->lags_s, queue->lag_count, sizeof *queue->lags_s, by_size);
    double p95_s = queue->lags_s[(size_t)(0.95 * (double)queue->lag_count)];
    cr_expect(epsilon_eq(dbl, outcome->counted_s, (double)queue->lag_count / TICKS_PER_S, 0.3));
    cr_expect(epsilon_eq(dbl, outcome->lag_mean_s, sum / (double)queue->lag_count, 0.1));
    cr_expect(epsilon_eq(dbl, outcome->lag_p95_s, p95_s, 0.3));
    cr_expect(epsilon_eq(dbl, outcome->lag_max_s, queue->lags_s[queue->lag_count - 1], 0.3));
}

Test(backlog, as_a_queue_of_parcels)
{
    int64_t rounds = ws_test_scaled(20, 3);
    parcels *queue = ws_arena_alloc(&arena, parcels, 1);

    for (int64_t round = 0; round < rounds; round++) {
        ws_demand_step steps[STEPS];
        state = (uint64_t)round + 1;
        random_demand(steps);
        ws_demand demand = demand_of(steps, STEPS, STEPS * STEP_S);
        ws_backlog backlog = ws_backlog_of(&demand, at_s(0), &arena);
        double capacity = random_capacity();
        double apart_s = 0;
        queue->head = 0;
        queue->tail = 0;
        queue->lag_count = 0;
        for (int tick = 0; tick < TICKS; tick++) {
            const ws_demand_step *step = &steps[tick / (STEP_S * TICKS_PER_S)];
            if (tick % 1501 == 0) {
                capacity = random_capacity();
            }
            parcels_tick(queue, (double)tick / TICKS_PER_S, step->rate / TICKS_PER_S,
                         capacity / TICKS_PER_S);
            ws_backlog_advance(&backlog, (ws_time){.ns = (tick + 1) * (WS_NS_PER_S / TICKS_PER_S)},
                               capacity);
            apart_s += check_tick(&backlog, queue, capacity) / TICKS;
            if (step->is_known || parcels_waiting(queue) > 0) {
                queue->lags_s[queue->lag_count++] =
                    parcels_lag_s(queue, (double)(tick + 1) / TICKS_PER_S);
            }
        }
        cr_expect(lt(dbl, apart_s, 0.05), "round %d", (int)round);
        ws_demand_outcome outcome = outcome_of(&backlog, STEPS * STEP_S, capacity);
        check_outcome(&outcome, queue);
    }
}

/* The same course in one call and in many: what is looked at changes nothing but rounding. */
Test(backlog, the_way_does_not_matter)
{
    ws_demand_step steps[STEPS];
    ws_demand_outcome at_once;
    ws_demand_outcome by_and_by;

    state = 7;
    random_demand(steps);
    ws_demand demand = demand_of(steps, STEPS, STEPS * STEP_S);
    ws_backlog one = ws_backlog_of(&demand, at_s(3), &arena);
    ws_backlog many = ws_backlog_of(&demand, at_s(3), &arena);
    for (int i = 1; i <= 977; i++) {
        ws_backlog_advance(&many, (ws_time){.ns = i * (WS_NS_PER_S / 10)}, 1.5);
    }
    at_once = outcome_of(&one, 200, 1.5);
    by_and_by = outcome_of(&many, 200, 1.5);
    cr_expect(epsilon_eq(dbl, at_once.counted_s, by_and_by.counted_s, 1e-9));
    cr_expect(epsilon_eq(dbl, at_once.lag_mean_s, by_and_by.lag_mean_s, 1e-9));
    cr_expect(epsilon_eq(dbl, at_once.lag_p95_s, by_and_by.lag_p95_s, 1e-9));
    cr_expect(epsilon_eq(dbl, at_once.waiting_max, by_and_by.waiting_max, 1e-9));
    cr_expect(epsilon_eq(dbl, at_once.served, by_and_by.served, 1e-9));
}
