/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a course of demand is made of: recorded samples, sizes and holes, by hand. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "demand_course.h"
#include "support/arena_suite.h"

WS_TEST_ARENA_SUITE(demand_course);

enum { MINUTE = 60 };

#define NONE ((double)NAN)

static const ws_trace_metric percent = {.name = "util", .unit = "%", .full = 100};

/* A sample each minute from `first`, at most 16. */
static ws_trace_series series_of(int first, const double *values, size_t count)
{
    ws_trace_series series = {.metric = &percent,
                              .samples = ws_arena_alloc(&arena, ws_trace_sample, 16),
                              .step_ns = MINUTE * WS_NS_PER_S,
                              .hole_steps = WS_TRACE_HOLE_STEPS};

    for (size_t i = 0; i < count; i++) {
        if (!isnan(values[i])) {
            series.samples[series.count++] = (ws_trace_sample){
                .at_ns = (first + (int64_t)i) * MINUTE * WS_NS_PER_S, .value = values[i]};
        }
    }
    return series;
}

#define SERIES(first, ...)                                                                         \
    series_of((first), (const double[]){__VA_ARGS__},                                              \
              sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

static const ws_amdahl linear = {.parallel_fraction = 1, .recorded_replicas = 1};
static const ws_stage_spec stage = {.name = {.start = "demand", .length = 6},
                                    .step = {&ws_step_amdahl, &linear},
                                    .replicas_min = 1,
                                    .replicas_max = 1000};

static ws_demand_recording recording_of(const ws_trace_series *const *series, size_t count)
{
    ws_demand_recording recording = {
        .series = series, .count = count, .full = 100, .gpus_per_replica = 1, .stage = &stage};

    cr_assert(ws_demand_recording_span(series, count, &recording.from_ns, &recording.to_ns));
    return recording;
}

/* "0 1.5; 120 ?; 180 0.5; end 240": begins in seconds, rates, holes. */
static const char *printed(const ws_demand *demand)
{
    static char text[500];
    size_t length = 0;

    for (size_t i = 0; i < demand->count; i++) {
        const ws_demand_step *step = &demand->steps[i];
        length +=
            (size_t)snprintf(text + length, sizeof text - length, "%g ", ws_time_s(step->begin));
        length += step->is_known
                      ? (size_t)snprintf(text + length, sizeof text - length, "%.9g; ", step->rate)
                      : (size_t)snprintf(text + length, sizeof text - length, "?; ");
    }
    (void)snprintf(text + length, sizeof text - length, "end %g", ws_time_s(demand->end));
    return text;
}

static ws_demand_course course_of(const ws_demand_recording *recording)
{
    ws_demand_course course;

    cr_assert(ws_demand_course_of(&course, recording, &arena));
    return course;
}

static void check(const ws_demand_recording *recording, const char *expected)
{
    ws_demand_course course = course_of(recording);

    cr_expect_str_eq(printed(&course.demand), expected);
}

/* Two GPUs, busy half and all of the time, then both half: 1.5 busy replicas, then 1. The last
 * sample holds for its step. */
Test(demand_course, gpus_are_summed)
{
    ws_trace_series a = SERIES(10, 50, 50);
    ws_trace_series b = SERIES(10, 100, 50);
    const ws_trace_series *both[] = {&a, &b};
    ws_demand_recording recording = recording_of(both, 2);

    check(&recording, "0 1.5; 60 1; end 120");
    recording.gpus_per_replica = 2; /* both are one replica: busy 75 % of the time, then 50 % */
    check(&recording, "0 0.75; 60 0.5; end 120");
    recording.gpus_per_replica = 1;
    recording.replicas = 10; /* of which two were looked at */
    check(&recording, "0 7.5; 60 5; end 120");
    ws_demand_course course = course_of(&recording);
    cr_expect(eq(dbl, course.demand.total, 7.5 * 60 + 5 * 60));
    cr_expect(eq(dbl, course.peak, 7.5));
}

/* A series is there from its first to its last sample: one GPU, two, one. */
Test(demand_course, pods_come_and_go)
{
    ws_trace_series a = SERIES(0, 40, 40, 40);
    ws_trace_series b = SERIES(1, 60);
    b.step_ns = MINUTE * WS_NS_PER_S;
    const ws_trace_series *both[] = {&a, &b};
    ws_demand_recording recording = recording_of(both, 2);

    check(&recording, "0 0.4; 60 1; 120 0.4; end 180");
}

/* No sample in minutes 1 and 2: a hole from 60 s to 180 s, and not 0. Held, the 0.8 go on. */
Test(demand_course, a_hole_is_no_zero)
{
    ws_trace_series a = SERIES(0, 80, NONE, NONE, 20, 0);
    const ws_trace_series *one[] = {&a};
    ws_demand_recording recording = recording_of(one, 1);

    check(&recording, "0 0.8; 60 ?; 180 0.2; 240 0; end 300");
    ws_demand_course course = course_of(&recording);
    cr_expect(eq(i64, course.hole_ns, 120 * WS_NS_PER_S));
    cr_expect(eq(i64, course.hole_count, 1));
    cr_expect(eq(i64, course.total_ns, 300 * WS_NS_PER_S));
    cr_expect(eq(dbl, course.demand.total, 60));
    recording.holds = true;
    check(&recording, "0 0.8; 180 0.2; 240 0; end 300");
    course = course_of(&recording);
    cr_expect(eq(i64, course.hole_ns, 120 * WS_NS_PER_S)); /* told all the same */
    cr_expect(eq(dbl, course.demand.total, 0.8 * 180 + 0.2 * 60));
}

/* While one of three is in a hole it is taken to be at the mean of the others: (60 + 30) / 2 of 3.
 */
Test(demand_course, one_in_a_hole_is_at_the_mean_of_the_others)
{
    ws_trace_series a = SERIES(0, 60, 60, 60, 60);
    ws_trace_series b = SERIES(0, 30, 30, 30, 30);
    ws_trace_series c = SERIES(0, 90, NONE, NONE, 90);
    const ws_trace_series *all[] = {&a, &b, &c};
    ws_demand_recording recording = recording_of(all, 3);

    check(&recording, "0 1.8; 60 1.35; 180 1.8; end 240");
    ws_demand_course course = course_of(&recording);
    cr_expect(eq(i64, course.patched_ns, 120 * WS_NS_PER_S));
    cr_expect(eq(i64, course.hole_ns, 0));
}

/* 50 % of 2, then of 4 replicas, then nobody knows of how many. */
Test(demand_course, recorded_sizes)
{
    ws_trace_series mean = SERIES(0, 50, 50, 50, 50);
    ws_trace_series sizes = SERIES(0, 2, 4, NONE, NONE);
    const ws_trace_series *one[] = {&mean};
    ws_demand_recording recording = recording_of(one, 1);

    recording.sizes = &sizes;
    check(&recording, "0 1; 60 2; 120 ?; end 240");
}

/* All of the time busy is at least so much; more than all of it is taken for all of it. */
Test(demand_course, saturation_is_counted)
{
    ws_trace_series a = SERIES(0, 98.9, 99, 100, 130, -5);
    const ws_trace_series *one[] = {&a};
    ws_demand_recording recording = recording_of(one, 1);
    ws_demand_course course = course_of(&recording);

    check(&recording, "0 0.989; 60 0.99; 120 1; 240 0; end 300");
    cr_expect(eq(i64, course.saturated_ns, 180 * WS_NS_PER_S));
    cr_expect(course.is_saturation_known);
}

/* Rates are demand as they are; sizes say when the workers could do no more: 2 x 10 a second. */
Test(demand_course, rates)
{
    ws_trace_series a = SERIES(0, 12, 20);
    const ws_trace_series *one[] = {&a};
    ws_demand_recording recording = recording_of(one, 1);
    ws_stage_spec ten = stage;

    ten.work_per_step_work = 10;
    recording.full = 0;
    recording.stage = &ten;
    check(&recording, "0 12; 60 20; end 120");
    ws_demand_course course = course_of(&recording);
    cr_expect_not(course.is_saturation_known);
    recording.replicas = 2;
    course = course_of(&recording);
    cr_expect(course.is_saturation_known);
    cr_expect(eq(i64, course.saturated_ns, 60 * WS_NS_PER_S));
}

/* Four replicas with a parallel part of 75 % do 1 / (1/4 + 3/16) = 16/7 of what one does. */
Test(demand_course, what_a_size_can_do)
{
    static const ws_amdahl amdahl = {.parallel_fraction = 0.75, .recorded_replicas = 1};
    ws_trace_series a = SERIES(0, 70);
    const ws_trace_series *one[] = {&a};
    ws_demand_recording recording = recording_of(one, 1);
    ws_stage_spec slower = stage;

    slower.step.parameters = &amdahl;
    recording.stage = &slower;
    recording.replicas = 4;
    check(&recording, "0 1.6; end 60");
}

/* A window cuts the course, and what was before it holds at its begin; before the first sample
 * nothing is known. */
Test(demand_course, windows)
{
    ws_trace_series a = SERIES(10, 10, 20, 30, 40);
    const ws_trace_series *one[] = {&a};
    ws_demand_recording recording = recording_of(one, 1);

    recording.from_ns = (11 * MINUTE + 30) * WS_NS_PER_S;
    recording.to_ns = 13 * MINUTE * WS_NS_PER_S;
    check(&recording, "0 0.2; 30 0.3; end 90");
    recording.from_ns = 9 * MINUTE * WS_NS_PER_S;
    check(&recording, "0 ?; 60 0.1; 120 0.2; 180 0.3; end 240");
}

/* ---- at random ---- */

enum { MANY = 5, SAMPLES = 16 };

static uint64_t state;

/* Knuth's constants; the upper bits. */
static double uniform(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state >> 11) / 9007199254740992.0;
}

/* Samples about a minute apart, some of them missing. */
static ws_trace_series random_series(void)
{
    double first = 10 * uniform();
    ws_trace_series series = series_of(0, NULL, 0);
    double at_s = 60 * first;

    for (int i = 0; i < SAMPLES; i++) {
        double missing = uniform();
        double value = 100 * uniform();
        if (missing > 0.25) {
            series.samples[series.count++] =
                (ws_trace_sample){.at_ns = (int64_t)(at_s * 1e9), .value = value};
        }
        at_s += 50 + 20 * uniform();
    }
    return series;
}

/* A moment of one series: what its own question says, and whether it lies between its samples. */
static bool is_there(const ws_trace_series *series, int64_t at_ns)
{
    return series->count > 0 && series->samples[0].at_ns <= at_ns &&
           at_ns < series->samples[series->count - 1].at_ns + series->step_ns;
}

/* At each moment: the mean of the series that say something, times those that are there. */
static void check_moment(const ws_demand *demand, const ws_demand_recording *recording,
                         int64_t at_ns)
{
    const ws_demand_step *step =
        &demand->steps[ws_demand_find(demand, (ws_time){.ns = at_ns - recording->from_ns})];
    double sum = 0;
    size_t seen = 0;
    size_t there = 0;

    for (size_t i = 0; i < recording->count; i++) {
        double value = 0;
        there += is_there(recording->series[i], at_ns) ? 1 : 0;
        if (ws_trace_series_at(recording->series[i], at_ns, &value)) {
            sum += value / 100;
            seen++;
        }
    }
    cr_assert(eq(int, step->is_known, seen > 0));
    if (seen > 0) {
        double rate = sum / (double)seen * (double)there;
        cr_assert(epsilon_eq(dbl, step->rate, rate, 1e-9));
    }
}

Test(demand_course, as_the_series_say_at_each_moment)
{
    for (int round = 0; round < 30; round++) {
        ws_trace_series series[MANY];
        const ws_trace_series *all[MANY];

        state = (uint64_t)round + 1;
        for (int i = 0; i < MANY; i++) {
            series[i] = random_series();
            all[i] = &series[i];
        }
        ws_demand_recording recording = recording_of(all, MANY);
        ws_demand_course course = course_of(&recording);
        for (int64_t at_ns = recording.from_ns; at_ns < recording.to_ns; at_ns += 1300000007) {
            check_moment(&course.demand, &recording, at_ns);
        }
    }
}
