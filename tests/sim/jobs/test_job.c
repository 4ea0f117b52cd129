/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "ws/job.h"

TestSuite(job);

/* Two stages; the first takes what the job allows, the second 4..9. */
static const ws_stage_spec stages[] = {
    {.work = 1, .replicas_min = 1, .replicas_max = WS_REPLICAS_MAX},
    {.work = 1, .replicas_min = 4, .replicas_max = 9},
};

/* 2, 5, 8, 11. */
static const ws_job_spec by_step = {
    .replicas_min = 2, .replicas_max = 12, .replicas_step = 3, .stages = stages, .stage_count = 2};

static const int32_t list[] = {1, 3, 4, 8, 16};

/* The list within 2..12: 3, 4, 8. */
static const ws_job_spec by_list = {.replicas_min = 2,
                                    .replicas_max = 12,
                                    .replicas_step = 1,
                                    .legal = list,
                                    .legal_count = WS_COUNT_OF(list),
                                    .stages = stages,
                                    .stage_count = 2};

typedef struct {
    int32_t asked;
    int32_t at_most;
    int32_t at_least;
} size_row;

static void expect_sizes(const ws_job_spec *job, size_t stage, const size_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int32_t asked = rows[i].asked;
        cr_expect(ws_job_legal_at_most(job, stage, asked) == rows[i].at_most, "at most %d", asked);
        cr_expect(ws_job_legal_at_least(job, stage, asked) == rows[i].at_least, "at least %d",
                  asked);
    }
}

Test(job, sizes_by_step)
{
    static const size_row rows[] = {{0, 0, 2},    {1, 0, 2},   {2, 2, 2},
                                    {4, 2, 5},    {5, 5, 5},   {10, 8, 11},
                                    {11, 11, 11}, {12, 11, 0}, {WS_REPLICAS_MAX, 11, 0}};

    expect_sizes(&by_step, 0, rows, WS_COUNT_OF(rows));
}

Test(job, sizes_by_step_within_a_stage)
{
    static const size_row rows[] = {{3, 0, 5}, {4, 0, 5}, {5, 5, 5},
                                    {7, 5, 8}, {9, 8, 0}, {99, 8, 0}};

    expect_sizes(&by_step, 1, rows, WS_COUNT_OF(rows));
}

Test(job, sizes_by_list)
{
    static const size_row rows[] = {{1, 0, 3}, {2, 0, 3}, {3, 3, 3},  {5, 4, 8},
                                    {7, 4, 8}, {8, 8, 8}, {12, 8, 0}, {16, 8, 0}};

    expect_sizes(&by_list, 0, rows, WS_COUNT_OF(rows));
}

Test(job, sizes_by_list_within_a_stage)
{
    static const size_row rows[] = {{1, 0, 4}, {3, 0, 4}, {4, 4, 4}, {9, 8, 0}};

    expect_sizes(&by_list, 1, rows, WS_COUNT_OF(rows));
}

Test(job, limits_are_the_narrower_of_job_and_stage)
{
    cr_expect(eq(i32, ws_job_replicas_min(&by_step, 0), 2));
    cr_expect(eq(i32, ws_job_replicas_max(&by_step, 0), 12));
    cr_expect(eq(i32, ws_job_replicas_min(&by_step, 1), 4));
    cr_expect(eq(i32, ws_job_replicas_max(&by_step, 1), 9));
}

/* A stage between two legal sizes has none. */
Test(job, a_stage_may_leave_no_size)
{
    static const ws_stage_spec narrow = {.work = 1, .replicas_min = 6, .replicas_max = 7};
    ws_job_spec job = by_step;

    job.stages = &narrow;
    job.stage_count = 1;
    cr_expect(eq(i32, ws_job_legal_at_most(&job, 0, 7), 0));
    cr_expect(eq(i32, ws_job_legal_at_least(&job, 0, 6), 0));
}

Test(job, modes_are_listed_by_name)
{
    cr_expect(eq(sz, ws_elasticity_count(), 3));
    for (size_t i = 0; i < ws_elasticity_count(); i++) {
        cr_expect(eq(str, (char *)ws_elasticity_at(i)->name, (char *)ws_elasticity_names[i]));
    }
    cr_expect(ws_elasticity_names[ws_elasticity_count()] == NULL);
}
