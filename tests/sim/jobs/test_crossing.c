/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shares of links that jobs cross, with a stub above: job i computes for `compute` and communicates
 * for `wire` at its own rate, one after the other. A step at share s takes compute + wire / s.
 *
 * Two equal jobs with compute 1 and communication 1 on a link that carries one of them. By duty
 * each has 1/(1 + d) of the link while it communicates, d = (1 + d)/(2 + d), so d^2 + d - 1 = 0:
 * d = 0.618, and a step takes 1 + 1.618. As if both communicated always: 1 + 2.
 */
#include <math.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "crossing.h"
#include "support/support.h"
#include "ws/random.h"

TestSuite(crossing);

#define JOBS 8
#define LINKS 6
#define GOLDEN 1.6180339887498949

typedef struct {
    ws_arena arena;
    ws_kernel *kernel;
    ws_crossing *crossing;
    double capacities[LINKS];
    double compute[JOBS];
    double wire[JOBS];
    double demand[JOBS];
    uint32_t paths[JOBS][LINKS];
    uint32_t path_counts[JOBS];
    bool flips; /* a job that is slowed down communicates for less */
    ws_crossing_outcome outcomes[JOBS];
    int32_t told[JOBS];
} stub;

static ws_crossing_load stub_load(void *context, size_t job, double share)
{
    const stub *self = context;
    double wire = self->wire[job] / share;
    double step = self->compute[job] + wire;

    if (self->flips) {
        return (ws_crossing_load){.step = step, .wire = share < 0.75 ? 0.1 : 1};
    }
    return (ws_crossing_load){.step = step, .wire = fmin(wire / step, 1)};
}

static void stub_settled(void *context, size_t job, const ws_crossing_outcome *outcome)
{
    stub *self = context;

    self->outcomes[job] = *outcome;
    self->told[job]++;
}

static void stub_open(stub *self)
{
    *self = (stub){.flips = false};
    for (size_t i = 0; i < JOBS; i++) {
        self->compute[i] = 1;
        self->wire[i] = 1;
        self->demand[i] = 1;
    }
    for (size_t i = 0; i < LINKS; i++) {
        self->capacities[i] = 1;
    }
    ws_arena_init(&self->arena, &ws_allocator_default, (size_t)1 << 24);
    self->kernel = ws_kernel_new(&self->arena, 1);
    cr_assert(self->kernel != NULL);
}

/* After the capacities are set. */
static void stub_make(stub *self, bool is_duty)
{
    self->crossing =
        ws_crossing_new(&self->arena, self->kernel,
                        &(ws_crossing_options){.capacities = self->capacities,
                                               .link_count = LINKS,
                                               .job_count = JOBS,
                                               .crossing_capacity = JOBS * LINKS,
                                               .is_duty = is_duty,
                                               .above = {self, stub_load, stub_settled}});
    cr_assert(self->crossing != NULL);
}

static void stub_close(stub *self)
{
    ws_arena_reset(&self->arena);
}

static void stub_settle(stub *self)
{
    cr_assert(ws_crossing_is_balanced(self->crossing));
    (void)ws_kernel_run(self->kernel, ws_kernel_now(self->kernel), UINT64_MAX);
    cr_assert(ws_crossing_is_balanced(self->crossing));
}

/* The job is on one link from now on. */
static void stub_begin(stub *self, size_t job, uint32_t link)
{
    self->paths[job][0] = link;
    self->path_counts[job] = 1;
    ws_crossing_begin(self->crossing, job, &link, 1, self->demand[job]);
}

static void expect_steps(const stub *self, size_t job, double collide, double duty)
{
    double alone = self->compute[job] + self->wire[job];
    const ws_crossing_outcome *outcome = &self->outcomes[job];

    cr_expect(epsilon_eq(dbl, outcome->step_collide * alone, collide, 1e-8));
    cr_expect(epsilon_eq(dbl, outcome->step_duty * alone, duty, 1e-8));
    cr_expect(outcome->is_settled);
}

Test(crossing, two_equal_jobs)
{
    stub self;

    for (int is_duty = 0; is_duty < 2; is_duty++) {
        stub_open(&self);
        stub_make(&self, is_duty == 1);
        stub_begin(&self, 0, 2);
        stub_begin(&self, 5, 2);
        cr_expect(eq(dbl, ws_crossing_share(self.crossing, 0), 1));
        stub_settle(&self);
        expect_steps(&self, 0, 3, 1 + GOLDEN);
        expect_steps(&self, 5, 3, 1 + GOLDEN);
        double share = is_duty == 1 ? 1 / GOLDEN : 0.5;
        cr_expect(epsilon_eq(dbl, ws_crossing_share(self.crossing, 5), share, 1e-8));
        cr_expect(
            epsilon_eq(dbl, self.outcomes[0].step, is_duty == 1 ? (1 + GOLDEN) / 2 : 1.5, 1e-8));
        stub_close(&self);
    }
}

/* Three: d = (1 + 2d)/(2 + 2d), so d = 1/sqrt(2), a step 2 + 2d; always: 1 + 3. */
Test(crossing, three_equal_jobs)
{
    stub self;

    stub_open(&self);
    stub_make(&self, true);
    for (size_t job = 0; job < 3; job++) {
        stub_begin(&self, job, 0);
    }
    stub_settle(&self);
    for (size_t job = 0; job < 3; job++) {
        expect_steps(&self, job, 4, 2 + sqrt(2));
    }
    stub_close(&self);
}

/* One that only communicates, and one that does so for a quarter of its step. The first is always
 * on the wire: the other takes 3 + 2, of which 2/5 are on it, so that the first takes 1 + 2/5. */
Test(crossing, unequal_jobs)
{
    stub self;

    stub_open(&self);
    stub_make(&self, true);
    self.compute[0] = 0;
    self.compute[1] = 3;
    stub_begin(&self, 0, 0);
    stub_begin(&self, 1, 0);
    stub_settle(&self);
    expect_steps(&self, 0, 2, 1.4);
    expect_steps(&self, 1, 5, 5);
    stub_close(&self);
}

/* Each can send at 0.6 of the link. Alone they communicate for half of the time: 1/(1 + 1/2) of it
 * is more than 0.6, nobody waits. Always: half of it each, 0.6/0.5 = 1.2. */
Test(crossing, a_link_that_is_wide_enough_most_of_the_time)
{
    stub self;

    stub_open(&self);
    stub_make(&self, true);
    self.demand[0] = 0.6;
    self.demand[1] = 0.6;
    stub_begin(&self, 0, 0);
    stub_begin(&self, 1, 0);
    stub_settle(&self);
    expect_steps(&self, 0, 2.2, 2);
    cr_expect(eq(dbl, ws_crossing_share(self.crossing, 0), 1));
    stub_close(&self);
}

/* A link that its jobs cannot fill connects nobody; what is not touched is not told. */
Test(crossing, only_what_is_connected_is_solved)
{
    stub self;

    stub_open(&self);
    self.capacities[1] = 2;
    stub_make(&self, true);
    stub_begin(&self, 0, 0);
    stub_begin(&self, 1, 0);
    stub_begin(&self, 2, 1);
    stub_begin(&self, 3, 1);
    stub_settle(&self);
    cr_expect(eq(sz, ws_crossing_component_size(self.crossing, 0), 2));
    cr_expect(eq(sz, ws_crossing_component_size(self.crossing, 2), 1));
    cr_expect(eq(i32, self.told[0], 1));
    cr_expect(eq(i32, self.told[2], 0));
    stub_begin(&self, 4, 1); /* three fill it: 2/3 each, if all send */
    stub_settle(&self);
    cr_expect(eq(sz, ws_crossing_component_size(self.crossing, 2), 3));
    cr_expect(epsilon_eq(dbl, self.outcomes[2].step_collide, (1 + 1.5) / 2, 1e-9));
    cr_expect(eq(i32, self.told[0], 1));
    cr_expect(eq(i32, self.told[4], 1));
    stub_close(&self);
}

Test(crossing, who_is_left_alone_is_as_fast_as_alone)
{
    stub self;

    stub_open(&self);
    stub_make(&self, true);
    stub_begin(&self, 0, 0);
    stub_begin(&self, 1, 0);
    stub_settle(&self);
    ws_crossing_end(self.crossing, 0);
    ws_crossing_end(self.crossing, 0); /* nothing */
    cr_expect(eq(dbl, ws_crossing_share(self.crossing, 0), 1));
    stub_settle(&self);
    cr_expect(eq(dbl, self.outcomes[1].step, 1));
    cr_expect(eq(dbl, ws_crossing_share(self.crossing, 1), 1));
    cr_expect(eq(i32, self.told[1], 2));
    cr_expect(eq(i32, self.told[0], 1), "nobody is told of what it ended itself");
    /* One that ends and begins anew within an instant is where it was. */
    stub_begin(&self, 0, 0);
    ws_crossing_end(self.crossing, 0);
    stub_settle(&self);
    cr_expect(eq(i32, self.told[1], 2));
    stub_close(&self);
}

/* Shares that make for shares that make for the first: said, and left there. */
Test(crossing, no_fixed_point)
{
    stub self;

    stub_open(&self);
    stub_make(&self, true);
    self.flips = true;
    stub_begin(&self, 0, 0);
    stub_begin(&self, 1, 0);
    (void)ws_kernel_run(self.kernel, ws_kernel_now(self.kernel), UINT64_MAX);
    cr_expect(not(self.outcomes[0].is_settled));
    cr_expect(self.outcomes[0].share > 0);
    cr_expect(self.outcomes[0].share <= 1);
    cr_expect(ws_crossing_is_balanced(self.crossing));
    stub_close(&self);
}

/* ---- random networks ---- */

#define NETWORKS_FULL 500
#define NETWORKS_LEAST 100

static double draw(ws_stream *stream, double low, double high)
{
    return low + (high - low) * ws_stream_uniform(stream);
}

static void draw_job(stub *self, ws_stream *stream, size_t job, uint32_t links)
{
    double least = 1e9;

    self->compute[job] = draw(stream, 0.1, 2);
    self->wire[job] = draw(stream, 0.1, 2);
    self->path_counts[job] = 0;
    for (uint32_t link = 0; link < links; link++) {
        double u = ws_stream_uniform(stream);
        if (u < 0.5 || links == 1) {
            self->paths[job][self->path_counts[job]++] = link;
            least = fmin(least, self->capacities[link]);
        }
    }
    self->demand[job] = least * draw(stream, 0.3, 1);
    ws_crossing_begin(self->crossing, job, self->paths[job], self->path_counts[job],
                      self->demand[job]);
}

/* The shares of all jobs on all links at once: for each as one flow, or for `of` as one and for the
 * others as their share of time. */
static double whole_share(stub *self, size_t of, bool is_duty)
{
    ws_max_min_solver *solver = ws_max_min_solver_new(&self->arena, LINKS, JOBS, JOBS * LINKS);
    ws_max_min_class classes[JOBS];
    ws_max_min_problem problem = {.capacities = self->capacities,
                                  .link_count = LINKS,
                                  .classes = classes,
                                  .links = &self->paths[0][0]};
    double rate = 0;
    size_t own = JOBS;

    cr_assert(solver != NULL);
    for (size_t job = 0; job < JOBS; job++) {
        double share = ws_crossing_share(self->crossing, job);
        double flows = is_duty && job != of ? stub_load(self, job, share).wire : 1;
        if (self->path_counts[job] > 0) {
            own = job == of ? problem.class_count : own;
            classes[problem.class_count++] =
                (ws_max_min_class){.path_first = (uint32_t)(job * LINKS),
                                   .path_count = self->path_counts[job],
                                   .weight = 1,
                                   .cap = self->demand[job],
                                   .flows = flows};
        }
    }
    ws_max_min_solve(solver, &problem);
    rate = classes[own].rate;
    return rate / self->demand[of];
}

/* Jobs come and go; after each the shares are those of the whole network, solved at once: without
 * components, and without leaving out what cannot be full. */
static void expect_whole(uint64_t seed, bool is_duty)
{
    ws_stream stream;
    stub self;

    ws_stream_open(&stream, (ws_stream_key){.seed = seed, .purpose = WS_PURPOSE_POLICY});
    stub_open(&self);
    for (size_t i = 0; i < LINKS; i++) {
        self.capacities[i] = draw(&stream, 0.5, 4);
    }
    stub_make(&self, is_duty);
    for (int change = 0; change < 12; change++) {
        double u = ws_stream_uniform(&stream);
        size_t job = (size_t)(u * JOBS);
        double goes = ws_stream_uniform(&stream);
        if (goes < 0.3) {
            self.path_counts[job] = 0;
            ws_crossing_end(self.crossing, job);
        } else {
            draw_job(&self, &stream, job, LINKS);
        }
        stub_settle(&self);
        for (size_t i = 0; i < JOBS; i++) {
            if (self.path_counts[i] > 0) {
                double share = ws_crossing_share(self.crossing, i);
                cr_assert(epsilon_eq(dbl, share, whole_share(&self, i, is_duty), 1e-7));
            }
        }
    }
    stub_close(&self);
}

Test(crossing, components_have_the_shares_of_the_whole)
{
    int64_t networks = ws_test_scaled(NETWORKS_FULL, NETWORKS_LEAST);

    for (int64_t seed = 0; seed < networks; seed++) {
        expect_whole((uint64_t)seed, seed % 2 == 0);
    }
}

/* On one link: one job more makes nobody faster, duty is between alone and collide. */
Test(crossing, more_load_is_never_faster)
{
    int64_t networks = ws_test_scaled(NETWORKS_FULL, NETWORKS_LEAST);

    for (int64_t seed = 0; seed < networks; seed++) {
        ws_stream stream;
        stub self;

        ws_stream_open(&stream,
                       (ws_stream_key){.seed = (uint64_t)seed, .purpose = WS_PURPOSE_POLICY});
        stub_open(&self);
        stub_make(&self, seed % 2 == 0);
        for (size_t job = 0; job < JOBS; job++) {
            ws_crossing_outcome before[JOBS];

            for (size_t i = 0; i < JOBS; i++) {
                before[i] = self.outcomes[i];
            }
            draw_job(&self, &stream, job, 1);
            stub_settle(&self);
            for (size_t i = 0; i < job; i++) {
                const ws_crossing_outcome *now = &self.outcomes[i];
                cr_assert(now->step_duty >= before[i].step_duty * (1 - 1e-8));
                cr_assert(now->step_collide >= before[i].step_collide * (1 - 1e-8));
                cr_assert(now->step_duty <= now->step_collide * (1 + 1e-8) || now->step_duty <= 1);
            }
        }
        stub_close(&self);
    }
}
