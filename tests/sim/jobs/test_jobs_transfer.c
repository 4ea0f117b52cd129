/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checkpoints and loads as flows, and what interrupts them; worked by hand. The storage writes 10
 * bytes/s and reads 20. A checkpoint has 50 bytes: alone it is written in 5 s and read in 2.5 s.
 */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "jobs_world.h"

static void transfer_open(jobs_world *world)
{
    jobs_world_init(world, 0, 2, 100);
    world->has_channels = true;
    world->specs[WS_CHANNEL_WRITE] = (ws_channel_spec){.bytes_per_s = 10};
    world->specs[WS_CHANNEL_READ] = (ws_channel_spec){.bytes_per_s = 20};
    world->kind.has_checkpoint = true;
    world->kind.checkpoint = (ws_checkpoint_spec){.every = jobs_world_duration(10),
                                                  .write = jobs_world_duration(5),
                                                  .read = jobs_world_duration(3),
                                                  .write_bytes = 50,
                                                  .read_bytes = 50};
}

/* Somebody else, on one node, writes or reads for as long as the test takes. */
static void transfer_beside(const jobs_world *world, ws_channel channel)
{
    (void)ws_channels_begin(world->channels, channel, 1, 1e6, NULL, 0);
}

static size_t flows(const jobs_world *world)
{
    return ws_sharing_flow_count(ws_channels_sharing(world->channels));
}

static void transfer_start(jobs_world *world)
{
    jobs_world_run_to(world, 0);
    cr_assert(ws_jobs_start(world->jobs, 0, 1));
}

/* Steps 0 to 10, writes 10 to 15, steps to 25, ... */
Test(jobs_transfer, a_write_alone_takes_its_bytes_over_the_bandwidth)
{
    static jobs_world world;

    transfer_open(&world);
    jobs_world_open(&world);
    transfer_start(&world);
    jobs_world_run_to(&world, 31);
    cr_expect(eq(str, world.news, "0 submitted; 0 started; 15 saved; 30 saved; "));
    cr_expect(eq(i64, ws_jobs_history(world.jobs, 0).transfer.ns, 10 * WS_NS_PER_S));
    cr_expect(eq(i64, ws_jobs_history(world.jobs, 0).transfer_alone.ns, 10 * WS_NS_PER_S));
    cr_expect(epsilon_eq(dbl, jobs_world_account(&world, WS_ACCOUNT_CHECKPOINT), 10, 1e-9));
    jobs_world_close(&world);
}

/* With another writer each has 5 bytes/s: 10 to 20. The latency of 2 s comes after the bytes. */
Test(jobs_transfer, two_writers_take_twice_as_long)
{
    static jobs_world world;

    transfer_open(&world);
    world.specs[WS_CHANNEL_WRITE].latency = jobs_world_duration(2);
    jobs_world_open(&world);
    transfer_beside(&world, WS_CHANNEL_WRITE);
    transfer_start(&world);
    jobs_world_run_to(&world, 23);
    cr_expect(eq(str, world.news, "0 submitted; 0 started; 22 saved; "));
    ws_job_transfer last = ws_jobs_last_transfer(world.jobs, 0);
    cr_expect(eq(int, last.channel, WS_CHANNEL_WRITE));
    cr_expect(eq(i64, last.took.ns, 10 * WS_NS_PER_S));
    cr_expect(eq(i64, last.alone.ns, 5 * WS_NS_PER_S));
    jobs_world_close(&world);
}

/* Taken away at 12, in the middle of a write: the 10 s of work are lost and nobody writes. */
Test(jobs_transfer, a_preempted_job_writes_no_more)
{
    static jobs_world world;

    transfer_open(&world);
    jobs_world_open(&world);
    transfer_start(&world);
    jobs_world_run_to(&world, 12);
    cr_expect(eq(sz, flows(&world), 1));
    cr_expect(ws_jobs_preempt(world.jobs, 0));
    cr_expect(eq(sz, flows(&world), 0));
    jobs_world_run_to(&world, 40);
    cr_expect(eq(str, world.news, "0 submitted; 0 started; 12 needs GPUs; "));
    cr_expect(eq(i64, ws_jobs_history(world.jobs, 0).transfer.ns, 0));
    cr_expect(epsilon_eq(dbl, jobs_world_account(&world, WS_ACCOUNT_LOST), 12, 1e-9));
    jobs_world_close(&world);
}

/* Two replicas are asked for at 12: the write goes on to 15; both load from 15 to 20 beside another
 * reader, at two thirds of 20 bytes/s, as they are on two nodes and that is on one: 3.75 s. */
Test(jobs_transfer, a_resize_waits_for_the_write_and_reads_with_the_weight_of_its_nodes)
{
    static jobs_world world;

    transfer_open(&world);
    jobs_world_open(&world);
    transfer_beside(&world, WS_CHANNEL_READ);
    transfer_start(&world);
    jobs_world_run_to(&world, 12);
    cr_expect(ws_jobs_resize(world.jobs, 0, 2));
    jobs_world_run_to(&world, 18);
    cr_expect(eq(str, world.news, "0 submitted; 0 started; 15 saved; "));
    cr_expect(eq(int, ws_jobs_state(world.jobs, 0), WS_JOB_STARTING));
    jobs_world_run_to(&world, 20);
    cr_expect(eq(str, world.news, "0 submitted; 0 started; 15 saved; 18 started; "));
    cr_expect(eq(i64, ws_jobs_last_transfer(world.jobs, 0).took.ns, 3750000000));
    jobs_world_close(&world);
}

/* The first start loads 40 bytes once its workers are up at 3 s: 2 s, and 1 s of warm-up. A start
 * that is begun anew at 4 s for another size begins with the workers again. */
Test(jobs_transfer, a_start_that_begins_anew_loads_anew)
{
    static jobs_world world;

    transfer_open(&world);
    world.kind.start.container = jobs_world_s(3);
    world.kind.start.warm_up = jobs_world_s(1);
    world.kind.start.load_bytes = 40;
    jobs_world_open(&world);
    transfer_start(&world);
    jobs_world_run_to(&world, 4);
    cr_expect(eq(sz, flows(&world), 1));
    cr_expect(ws_jobs_resize(world.jobs, 0, 2));
    cr_expect(eq(sz, flows(&world), 0));
    jobs_world_run_to(&world, 11);
    cr_expect(eq(str, world.news, "0 submitted; 10 started; "));
    cr_expect(epsilon_eq(dbl, jobs_world_account(&world, WS_ACCOUNT_COLD_START), 4 + 2 * 6, 1e-9));
    jobs_world_close(&world);
}

/* Its node fails at 2 s, while it loads 80 bytes from 0 to 4 s: noticed 1 s later; nobody reads. */
Test(jobs_transfer, a_failure_ends_a_load)
{
    static jobs_world world;

    transfer_open(&world);
    world.pools[0] = jobs_world_pool("weak", 1);
    world.pools[1] = jobs_world_pool("sure", 0);
    jobs_world_let_fail(&world, 2, 1);
    world.pools[0].failures.repair = jobs_world_s(100);
    world.kind.start.load_bytes = 80;
    jobs_world_open(&world);
    transfer_start(&world);
    jobs_world_run_to(&world, 1);
    cr_expect(eq(sz, flows(&world), 1));
    jobs_world_run_to(&world, 10);
    cr_expect(eq(sz, flows(&world), 0));
    cr_expect(eq(str, world.news, "0 submitted; 2 node lost; 3 needs GPUs; "));
    jobs_world_close(&world);
}
