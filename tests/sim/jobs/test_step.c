/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "ws/step.h"

TestSuite(step);

static const ws_curve_point points[] = {{2, 200}, {4, 360}, {8, 480}};

static ws_pace pace_of(const ws_step_type *type, const void *parameters, int32_t replicas,
                       int32_t gpus, double speed)
{
    ws_step step = {type, parameters};
    ws_world world = {.replicas = replicas,
                      .gpus_per_replica = gpus,
                      .nodes = 1,
                      .leaves = 1,
                      .pods = 1,
                      .fabric_share = 1,
                      .speed = speed};

    return ws_step_pace(&step, &world);
}

/* 100 a replica is the best; 3 is half-way between 200 and 360; 1 falls in proportion, 16 stays. */
Test(step, a_curve_goes_through_its_points)
{
    static const struct {
        int32_t replicas;
        double rate;
        double communication;
    } rows[] = {{1, 100, 0},   {2, 200, 0},   {3, 280, 1 - 280.0 / 300},
                {4, 360, 0.1}, {6, 420, 0.3}, {8, 480, 0.4},
                {16, 480, 0.7}};
    ws_curve curve = ws_curve_of(points, WS_COUNT_OF(points), 1, false);

    for (size_t i = 0; i < WS_COUNT_OF(rows); i++) {
        ws_pace pace = pace_of(&ws_step_curve, &curve, rows[i].replicas, 8, 1);
        cr_expect(ieee_ulp_eq(dbl, pace.work_per_s, rows[i].rate, 4), "%d", rows[i].replicas);
        cr_expect(epsilon_eq(dbl, pace.communication, rows[i].communication, 1e-15), "%d",
                  rows[i].replicas);
        cr_expect(eq(dbl, pace.input_stall, 0));
        cr_expect(eq(dbl, pace.straggle, 0));
    }
}

/* Sizes in GPUs: 2 replicas of 2 are 4 GPUs. */
Test(step, a_curve_may_count_gpus)
{
    ws_curve curve = ws_curve_of(points, WS_COUNT_OF(points), 1, true);

    cr_expect(eq(dbl, pace_of(&ws_step_curve, &curve, 2, 2, 1).work_per_s, 360));
}

/* Relative to a recorded size of 4 replicas: size 0.5 are 2 replicas, size 2 are 8. */
Test(step, a_curve_may_be_relative)
{
    static const ws_curve_point relative[] = {{0.5, 0.6}, {1, 1}, {2, 1.5}};
    ws_curve curve = ws_curve_of(relative, WS_COUNT_OF(relative), 4, false);
    int32_t low = 0;
    int32_t high = 0;

    cr_expect(eq(dbl, curve.best_rate_per_size, 1.2));
    cr_expect(eq(dbl, pace_of(&ws_step_curve, &curve, 2, 1, 1).work_per_s, 0.6));
    cr_expect(eq(dbl, pace_of(&ws_step_curve, &curve, 6, 1, 1).work_per_s, 1.25));
    /* 1.5 of 2 x 1.2 */
    cr_expect(ieee_ulp_eq(dbl, pace_of(&ws_step_curve, &curve, 8, 1, 1).communication, 0.375, 4));
    ws_step_curve.valid_range(&curve, &low, &high);
    cr_expect(eq(i32, low, 2));
    cr_expect(eq(i32, high, 8));
}

/* One measured point: in proportion below it, constant above it. */
Test(step, a_curve_may_be_one_point)
{
    static const ws_curve_point one = {4, 40};
    ws_curve curve = ws_curve_of(&one, 1, 1, false);

    cr_expect(eq(dbl, pace_of(&ws_step_curve, &curve, 1, 1, 1).work_per_s, 10));
    cr_expect(eq(dbl, pace_of(&ws_step_curve, &curve, 8, 1, 1).work_per_s, 40));
    cr_expect(eq(dbl, pace_of(&ws_step_curve, &curve, 8, 1, 1).communication, 0.5));
}

Test(step, a_faster_gpu_multiplies_the_rate_alone)
{
    ws_curve curve = ws_curve_of(points, WS_COUNT_OF(points), 1, false);
    ws_pace pace = pace_of(&ws_step_curve, &curve, 8, 1, 2.5);

    cr_expect(eq(dbl, pace.work_per_s, 1200));
    cr_expect(ieee_ulp_eq(dbl, pace.communication, 0.4, 4));
}

/* Amdahl's speed-ups. Source: the table of scaling laws in the elastic validation values. */
Test(step, amdahl_gives_the_published_speed_ups)
{
    static const struct {
        double parallel;
        int32_t replicas;
        double speed_up;
    } rows[] = {{0.9, 2, 1.818182},    {0.9, 8, 4.705882},      {0.9, 64, 8.767123},
                {0.95, 64, 15.421687}, {0.99, 1024, 91.184328}, {0.999, 1024, 506.178942}};

    for (size_t i = 0; i < WS_COUNT_OF(rows); i++) {
        ws_amdahl amdahl = {.parallel_fraction = rows[i].parallel, .recorded_replicas = 1};
        ws_pace pace = pace_of(&ws_step_amdahl, &amdahl, rows[i].replicas, 1, 1);
        cr_expect(epsilon_eq(dbl, pace.work_per_s, rows[i].speed_up, 5e-7));
        cr_expect(
            epsilon_eq(dbl, pace.communication, 1 - rows[i].speed_up / rows[i].replicas, 5e-7));
    }
}

/* At the recorded size the rate is 1 and nothing is said of communication; below it each worker
 * does no worse. 0.9 at 8 of 8: 1; at 2: 1.818182 / 4.705882. */
Test(step, amdahl_is_relative_to_the_recorded_size)
{
    ws_amdahl amdahl = {.parallel_fraction = 0.9, .recorded_replicas = 8};
    ws_pace at = pace_of(&ws_step_amdahl, &amdahl, 8, 1, 1);
    ws_pace below = pace_of(&ws_step_amdahl, &amdahl, 2, 1, 1);

    cr_expect(eq(dbl, at.work_per_s, 1));
    cr_expect(eq(dbl, at.communication, 0));
    cr_expect(epsilon_eq(dbl, below.work_per_s, 0.386364, 5e-7));
    cr_expect(eq(dbl, below.communication, 0));
}

Test(step, linear_work_scales_without_loss)
{
    ws_amdahl amdahl = {.parallel_fraction = 1, .recorded_replicas = 1};
    ws_pace pace = pace_of(&ws_step_amdahl, &amdahl, 64, 1, 1);

    cr_expect(eq(dbl, pace.work_per_s, 64));
    cr_expect(eq(dbl, pace.communication, 0));
}
