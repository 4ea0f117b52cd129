/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a job has on the disks of its nodes, worked by hand. A node has one GPU, a replica does one
 * unit a second. Disks write 50 and read 100 bytes/s; the storage writes 10 and reads 20. A
 * checkpoint has 50 bytes: 1 s to the disk of one node, 5 s to the storage.
 */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "jobs_world.h"

TestSuite(jobs_disk);

static jobs_world world;

static void disk_init(int32_t weak, int32_t sure)
{
    jobs_world_init(&world, weak, sure, 1000);
    world.has_channels = true;
    world.specs[WS_CHANNEL_WRITE] = (ws_channel_spec){.bytes_per_s = 10};
    world.specs[WS_CHANNEL_READ] = (ws_channel_spec){.bytes_per_s = 20};
    for (size_t i = 0; i < 2; i++) {
        world.pools[i].disk =
            (ws_local_disk){.bytes = 1000, .read_bytes_per_s = 100, .write_bytes_per_s = 50};
    }
}

/* Durable every 30 s of running time, on the disks every 10 s. */
static void disk_checkpoints(bool before_resize)
{
    world.kind.has_checkpoint = true;
    world.kind.checkpoint = (ws_checkpoint_spec){.every = jobs_world_duration(30),
                                                 .write = jobs_world_duration(5),
                                                 .read = jobs_world_duration(3),
                                                 .write_bytes = 50,
                                                 .read_bytes = 50,
                                                 .local_every = jobs_world_duration(10),
                                                 .local_bytes = 50,
                                                 .before_resize = before_resize};
}

static void disk_start(int32_t replicas)
{
    jobs_world_open(&world);
    jobs_world_run_to(&world, 0);
    cr_assert(ws_jobs_start(world.jobs, 0, replicas));
}

static void expect_close(double is, double should)
{
    cr_expect(epsilon_eq(dbl, is, should, 1e-8), "%.9f, not %.9f", is, should);
}

static double started_s(void)
{
    return ws_time_s(ws_jobs_ready_since(world.jobs, 0));
}

/* Steps 0-10, disk to 11, steps to 21, disk to 22, steps to 32: 30 s of running, storage to 37;
 * disk again from 47 to 48. */
Test(jobs_disk, writes_to_disks_come_between_durable_ones)
{
    disk_init(0, 1);
    disk_checkpoints(false);
    disk_start(1);
    jobs_world_run_to(&world, 36);
    cr_expect_str_eq(world.news, "0 submitted; 0 started; 11 saved; 22 saved; ");
    cr_expect(eq(i64, ws_jobs_history(world.jobs, 0).local_checkpoints, 2));
    cr_expect(eq(i64, ws_jobs_history(world.jobs, 0).checkpoints, 0));
    cr_expect(eq(dbl, ws_time_s(ws_jobs_saved_at(world.jobs, 0)), 22));
    jobs_world_run_to(&world, 49);
    cr_expect_str_eq(world.news,
                     "0 submitted; 0 started; 11 saved; 22 saved; 37 saved; 48 saved; ");
    cr_expect(eq(i64, ws_jobs_history(world.jobs, 0).checkpoints, 1));
    expect_close(jobs_world_account(&world, WS_ACCOUNT_CHECKPOINT), 1 + 1 + 5 + 1);
    expect_close(jobs_world_account(&world, WS_ACCOUNT_USEFUL), 41);
    jobs_world_close(&world);
}

/* The node fails at 25 s: what it had since 22 s is gone with it, and nothing is durable. All 25 s
 * are lost, 23 of them work. */
Test(jobs_disk, a_node_takes_its_checkpoint_with_it)
{
    disk_init(1, 1);
    disk_checkpoints(false);
    jobs_world_let_fail(&world, 25, 1);
    world.kind.pools = 1;
    disk_start(1);
    jobs_world_run_to(&world, 25);
    ws_job_history history = ws_jobs_history(world.jobs, 0);
    expect_close(history.work_lost, 23);
    expect_close(ws_duration_s(history.lost), 23);
    cr_expect(eq(i64, history.disk_losses, 1));
    expect_close(jobs_world_account(&world, WS_ACCOUNT_LOST), 25);
    expect_close(jobs_world_account(&world, WS_ACCOUNT_USEFUL), 0);
    cr_expect(eq(dbl, ws_time_s(ws_jobs_saved_at(world.jobs, 0)), 0));
    jobs_world_close(&world);
}

/* It fails at 45 s, after the durable one at 37 s: 8 s are lost, none of them twice. */
Test(jobs_disk, a_durable_checkpoint_stays)
{
    disk_init(1, 1);
    disk_checkpoints(false);
    jobs_world_let_fail(&world, 45, 1);
    world.kind.pools = 1;
    disk_start(1);
    jobs_world_run_to(&world, 45);
    expect_close(ws_jobs_history(world.jobs, 0).work_lost, 8);
    cr_expect(eq(i64, ws_jobs_history(world.jobs, 0).disk_losses, 0));
    expect_close(jobs_world_account(&world, WS_ACCOUNT_LOST), 8);
    expect_close(jobs_world_account(&world, WS_ACCOUNT_USEFUL), 30);
    expect_close(jobs_world_account(&world, WS_ACCOUNT_CHECKPOINT), 7);
    jobs_world_close(&world);
}

/* Grown at 25 s the job keeps its node: it goes back to 22 s and reads 50 bytes in half a second.
 * Taken away at 30 s it goes back to nothing: 20 units of two writes, 3 that were lost before, and
 * 2 x 4.5 of the larger world. */
Test(jobs_disk, a_planned_change_goes_on_from_the_disks)
{
    disk_init(0, 2);
    disk_checkpoints(false);
    disk_start(1);
    jobs_world_run_to(&world, 25);
    cr_expect(ws_jobs_resize(world.jobs, 0, 2));
    expect_close(ws_jobs_history(world.jobs, 0).work_lost, 3);
    expect_close(ws_jobs_stage_done(world.jobs, 0), 20);
    jobs_world_run_to(&world, 30);
    expect_close(started_s(), 25.5);
    expect_close(ws_jobs_stage_done(world.jobs, 0), 29);
    expect_close(jobs_world_account(&world, WS_ACCOUNT_LOST), 3);
    expect_close(jobs_world_account(&world, WS_ACCOUNT_USEFUL), 20 + 9);
    cr_expect(ws_jobs_preempt(world.jobs, 0));
    ws_job_history history = ws_jobs_history(world.jobs, 0);
    expect_close(history.work_lost, 3 + 29);
    expect_close(ws_duration_s(history.lost), 3 + 20 + 4.5);
    expect_close(jobs_world_account(&world, WS_ACCOUNT_LOST), 3 + 20 + 2 + 9);
    cr_expect(eq(i64, history.disk_losses, 1));
    jobs_world_close(&world);
}

/* Two replicas write to two disks in half a second, at 10 and 20.5 s. A smaller world may not have
 * both nodes: at 25 s it goes back to nothing, 2 x (10 + 10 + 4) units. */
Test(jobs_disk, a_smaller_world_has_not_all_disks)
{
    disk_init(0, 2);
    disk_checkpoints(false);
    disk_start(2);
    jobs_world_run_to(&world, 25);
    cr_expect(ws_jobs_resize(world.jobs, 0, 1));
    expect_close(ws_jobs_history(world.jobs, 0).work_lost, 48);
    cr_expect(eq(i64, ws_jobs_history(world.jobs, 0).disk_losses, 1));
    expect_close(jobs_world_account(&world, WS_ACCOUNT_LOST), 50);
    jobs_world_close(&world);
}

/* With a write before the resize it writes to the storage, from 25 to 30 s, and loads that in 2.5
 * s. Growing again at 40 s it writes to the disk: 41 s, and 0.5 s of reading. */
Test(jobs_disk, a_write_before_a_resize_goes_where_it_lasts)
{
    disk_init(0, 2);
    disk_checkpoints(true);
    disk_start(2);
    jobs_world_run_to(&world, 25);
    cr_expect(ws_jobs_resize(world.jobs, 0, 1));
    jobs_world_run_to(&world, 40);
    cr_expect_str_eq(world.news,
                     "0 submitted; 0 started; 10 saved; 21 saved; 30 saved; 32 started; ");
    cr_expect(eq(i64, ws_jobs_history(world.jobs, 0).checkpoints, 1));
    cr_expect(ws_jobs_resize(world.jobs, 0, 2));
    jobs_world_run_to(&world, 42);
    expect_close(started_s(), 41.5);
    cr_expect(eq(i64, ws_jobs_history(world.jobs, 0).checkpoints, 1));
    expect_close(ws_jobs_history(world.jobs, 0).work_lost, 0);
    jobs_world_close(&world);
}

/* Asked to shrink while it writes to its slow disks, from 10 to 15 s: that is of no use, it writes
 * to the storage as well, to 20 s, and loads in 2.5 s. */
Test(jobs_disk, a_write_to_disks_is_not_enough_for_a_smaller_world)
{
    disk_init(0, 2);
    disk_checkpoints(false);
    world.pools[1].disk.write_bytes_per_s = 5;
    disk_start(2);
    jobs_world_run_to(&world, 12);
    cr_expect(ws_jobs_resize(world.jobs, 0, 1));
    jobs_world_run_to(&world, 24);
    cr_expect_str_eq(world.news, "0 submitted; 0 started; 20 saved; 22 started; ");
    cr_expect(eq(i64, ws_jobs_history(world.jobs, 0).local_checkpoints, 0));
    expect_close(ws_jobs_history(world.jobs, 0).work_lost, 0);
    jobs_world_close(&world);
}

/* 100 bytes of data, copied at the storage's 20 bytes/s: 5 s before the first step. A second
 * replica at 8 s copies its half in 2.5 s; alone again at 12 s the first one copies the other half.
 * 20 bytes a unit at the disk's 15 bytes/s: three quarters of the pace, with one replica or two. */
Test(jobs_disk, data_is_copied_where_it_is_not_and_read_there)
{
    disk_init(0, 2);
    world.stages[0].read_bytes = 20;
    world.pools[1].disk.read_bytes_per_s = 15;
    world.kind.data = (ws_job_data){
        .storage = world.specs[WS_CHANNEL_READ], .is_shared = true, .is_local = true, .bytes = 100};
    disk_start(1);
    jobs_world_run_to(&world, 8);
    expect_close(started_s(), 5);
    expect_close(ws_jobs_rate(world.jobs, 0), 0.75);
    cr_expect(ws_jobs_resize(world.jobs, 0, 2));
    jobs_world_run_to(&world, 12);
    expect_close(started_s(), 10.5);
    expect_close(ws_jobs_rate(world.jobs, 0), 1.5);
    expect_close(ws_jobs_history(world.jobs, 0).data_wait_s, (3 + 1.5) / 4);
    cr_expect(ws_jobs_resize(world.jobs, 0, 1));
    jobs_world_run_to(&world, 16);
    expect_close(started_s(), 14.5);
    jobs_world_close(&world);
}

/* Disks that write 10 bytes/s each: 10 s on one node, 5 s on two; where the storage is not shared,
 * the same by the clock. */
Test(jobs_disk, data_is_copied_as_fast_as_disks_write)
{
    for (int32_t shared = 0; shared < 2; shared++) {
        for (int32_t replicas = 1; replicas <= 2; replicas++) {
            disk_init(0, 2);
            world.pools[1].disk.write_bytes_per_s = 10;
            world.kind.data = (ws_job_data){.storage = world.specs[WS_CHANNEL_READ],
                                            .is_shared = shared == 1,
                                            .is_local = true,
                                            .bytes = 100};
            disk_start(replicas);
            jobs_world_run_to(&world, 12);
            expect_close(started_s(), 10.0 / replicas);
            jobs_world_close(&world);
        }
    }
}
