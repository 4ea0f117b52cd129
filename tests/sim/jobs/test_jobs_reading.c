/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Training data that a job reads while it steps, and what interrupts that; worked by hand. A
 * replica does one unit of work a second and reads 10 bytes for each; the storage reads 15 bytes/s.
 */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "jobs_world.h"

TestSuite(jobs_reading);

static jobs_world world;

static void reading_init(double work)
{
    jobs_world_init(&world, 0, 2, work);
    world.has_channels = true;
    world.specs[WS_CHANNEL_WRITE] = (ws_channel_spec){.bytes_per_s = 10};
    world.specs[WS_CHANNEL_READ] = (ws_channel_spec){.bytes_per_s = 15};
    world.stages[0].read_bytes = 10;
    world.kind.data = (ws_job_data){.storage = world.specs[WS_CHANNEL_READ], .is_shared = true};
}

static void reading_start(int32_t replicas)
{
    jobs_world_open(&world);
    jobs_world_run_to(&world, 0);
    cr_assert(ws_jobs_start(world.jobs, 0, replicas));
}

static double read_load(void)
{
    return ws_sharing_load(ws_channels_sharing(world.channels), WS_CHANNEL_READ);
}

static void expect_close(double is, double should)
{
    cr_expect(epsilon_eq(dbl, is, should, 1e-8), "%.9f, not %.9f", is, should);
}

/* Two replicas would read 20 bytes/s: 15 of them let 1.5 of 2 units a second be done, whoever else
 * is there. 30 units in 20 s, 5 of them waiting. */
Test(jobs_reading, a_job_that_reads_too_slowly_alone_waits)
{
    reading_init(30);
    reading_start(2);
    jobs_world_run_to(&world, 10);
    cr_expect(eq(dbl, read_load(), 15));
    expect_close(ws_jobs_rate(world.jobs, 0), 1.5);
    expect_close(ws_jobs_busy_s(world.jobs, 0), 7.5);
    expect_close(ws_jobs_reads(world.jobs, 0).needed, 15);
    expect_close(ws_jobs_reads(world.jobs, 0).waiting, 0.25);
    jobs_world_run_to(&world, 21);
    cr_expect_str_eq(world.news, "0 submitted; 0 started; 20 done; ");
    cr_expect(eq(dbl, read_load(), 0));
    expect_close(jobs_world_account(&world, WS_ACCOUNT_USEFUL), 30);
    expect_close(jobs_world_account(&world, WS_ACCOUNT_INPUT_STALL), 10);
    ws_job_history history = ws_jobs_history(world.jobs, 0);
    expect_close(history.data_bytes, 300);
    expect_close(history.data_wait_s, 5);
    expect_close(history.data_wait_alone_s, 5);
    jobs_world_close(&world);
}

/* Beside a load of 75 bytes by somebody on a node, from 0 on, a replica has 7.5 of its 10 bytes/s:
 * 0.75 units a second for 10 s, then 1. 20 units: 10 + 12.5 s, 2.5 of them waiting. */
Test(jobs_reading, a_load_beside_it_slows_it_down)
{
    reading_init(20);
    jobs_world_open(&world);
    (void)ws_channels_begin(world.channels, WS_CHANNEL_READ, 1, 75, NULL, 0);
    jobs_world_run_to(&world, 0);
    cr_assert(ws_jobs_start(world.jobs, 0, 1));
    jobs_world_run_to(&world, 5);
    expect_close(ws_jobs_rate(world.jobs, 0), 0.75);
    expect_close(ws_jobs_stage_done(world.jobs, 0), 3.75);
    jobs_world_run_to(&world, 23);
    expect_close((double)ws_jobs_history(world.jobs, 0).end.ns / 1e9, 22.5);
    expect_close(ws_jobs_history(world.jobs, 0).data_wait_s, 2.5);
    expect_close(ws_jobs_history(world.jobs, 0).data_wait_alone_s, 0);
    expect_close(jobs_world_account(&world, WS_ACCOUNT_INPUT_STALL), 2.5);
    jobs_world_close(&world);
}

/* A write of 5 s every 10 s, an evaluation of 4 s after every 6 units: it reads from 0 to 6, not
 * while it evaluates to 10; writes at 10, reads from 15 on. */
Test(jobs_reading, a_job_that_writes_or_evaluates_reads_nothing)
{
    reading_init(100);
    world.stages[0].evaluation = (ws_stage_evaluation){.every = 6, .time = {4 * WS_NS_PER_S}};
    world.kind.has_checkpoint = true;
    world.kind.checkpoint = (ws_checkpoint_spec){.every = jobs_world_duration(10),
                                                 .write = jobs_world_duration(5),
                                                 .write_bytes = 50,
                                                 .read_bytes = 50};
    reading_start(1);
    jobs_world_run_to(&world, 5);
    cr_expect(eq(dbl, read_load(), 10));
    jobs_world_run_to(&world, 8);
    cr_expect(eq(dbl, read_load(), 0));
    cr_expect(eq(dbl, ws_jobs_reads(world.jobs, 0).needed, 0));
    jobs_world_run_to(&world, 12);
    cr_expect(eq(dbl, read_load(), 0));
    jobs_world_run_to(&world, 17);
    cr_expect(eq(dbl, read_load(), 10));
    expect_close(ws_jobs_history(world.jobs, 0).data_bytes, 80);
    jobs_world_close(&world);
}

/* Grown to two replicas at 4 s it loads nothing, steps at once and needs 20 bytes/s. Taken away at
 * 8 s it reads no more; the 4 and 6 units are lost, their bytes were read. */
Test(jobs_reading, sizes_change_what_is_read_and_preemption_ends_it)
{
    reading_init(100);
    reading_start(1);
    jobs_world_run_to(&world, 4);
    cr_expect(ws_jobs_resize(world.jobs, 0, 2));
    jobs_world_run_to(&world, 8);
    cr_expect(eq(dbl, read_load(), 15));
    cr_expect(ws_jobs_preempt(world.jobs, 0));
    jobs_world_run_to(&world, 9);
    cr_expect(eq(dbl, read_load(), 0));
    expect_close(ws_jobs_history(world.jobs, 0).data_bytes, 40 + 60);
    expect_close(ws_jobs_history(world.jobs, 0).data_wait_s, 1);
    expect_close(jobs_world_account(&world, WS_ACCOUNT_LOST), 4 + 8);
    jobs_world_close(&world);
}

/* Where nobody shares, the limit of the storage holds for each, and no flow is there. */
Test(jobs_reading, reads_that_are_not_shared)
{
    reading_init(30);
    world.kind.data.is_shared = false;
    reading_start(2);
    jobs_world_run_to(&world, 21);
    cr_expect_str_eq(world.news, "0 submitted; 0 started; 20 done; ");
    cr_expect(eq(dbl, read_load(), 0));
    expect_close(ws_jobs_history(world.jobs, 0).data_bytes, 300);
    jobs_world_close(&world);
}

/* A quarter of it communicates and a tenth waits for input anyway: at 60 % of the pace these are 15
 * and 6 %, and 40 % more wait. */
Test(jobs_reading, a_pace_that_waits)
{
    ws_pace pace = {.work_per_s = 100,
                    .communication = 0.25,
                    .input_stall = 0.1,
                    .straggle = 0.05,
                    .wire = 0.5,
                    .efficiency = 0.9};
    ws_pace waits = ws_pace_waiting(&pace, 0.6);

    expect_close(waits.work_per_s, 60);
    expect_close(waits.communication, 0.15);
    expect_close(waits.input_stall, 0.46);
    expect_close(waits.reading, 0.4);
    expect_close(waits.straggle, 0.03);
    expect_close(waits.wire, 0.3);
    expect_close(waits.efficiency, 0.9);
    expect_close(ws_pace_compute(&waits), 0.6 * ws_pace_compute(&pace));
}
