/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ring all-reduces and profiles against arithmetic done by hand from the formulas that their
 * headers state. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "ws/step.h"

/* NVLink 450 GB/s and 3 us; a NIC of 400 Gb/s = 50 GB/s and 5 us for each GPU. */
static const ws_network machine = {
    .intra_node = {.latency_s = 3e-6, .bytes_per_s = 450e9},
    .inter_node = {.latency_s = 5e-6, .bytes_per_s = 50e9},
    .inter_per_gpu = true,
};

/* Of a whole replica's gradients, when each of its GPUs reduces its own share. */
typedef struct {
    int32_t replicas;
    int32_t gpus_per_replica;
    int32_t nodes;
} placed;

static double allreduce_ms(const ws_network *network, double bytes, placed where)
{
    ws_world world = {.replicas = where.replicas,
                      .gpus_per_replica = where.gpus_per_replica,
                      .nodes = where.nodes,
                      .leaves = 1,
                      .pods = 1,
                      .fabric_share = 1,
                      .speed = 1};
    ws_group group = ws_world_group(&world, where.replicas, where.gpus_per_replica);

    return 1e3 * ws_collective_s(network, WS_ALL_REDUCE, bytes / where.gpus_per_replica, &group);
}

Test(collective, one_rank_takes_no_time)
{
    cr_expect(eq(dbl, allreduce_ms(&machine, 1e9, (placed){1, 8, 1}), 0));
}

/* 8 ranks in a node: 14 hops of 3 us, 2 x 7/8 x 1 GB over 450 GB/s = 3.888889 ms. */
Test(collective, ring_within_a_node)
{
    double ms = allreduce_ms(&machine, 1e9, (placed){8, 1, 1});
    cr_expect(epsilon_eq(dbl, ms, 0.042 + 3.8888888888888888, 1e-12));
}

/* 16 ranks on 2 nodes: 28 hops of 3 us and 2 of 5 us; eight NICs of a node together give 400 GB/s,
 * less than NVLink: 2 x 15/16 x 1 GB / 400 GB/s = 4.6875 ms. */
Test(collective, ring_over_two_nodes)
{
    double ms = allreduce_ms(&machine, 1e9, (placed){16, 1, 2});
    cr_expect(epsilon_eq(dbl, ms, 0.094 + 4.6875, 1e-12));
}

/* One NIC of 50 GB/s for the whole node: 37.5 ms. */
Test(collective, ring_over_one_nic_a_node)
{
    ws_network network = machine;

    network.inter_per_gpu = false;
    double ms = allreduce_ms(&network, 1e9, (placed){16, 1, 2});
    cr_expect(epsilon_eq(dbl, ms, 0.094 + 37.5, 1e-12));
}

/* 4 replicas of 8 GPUs on 4 nodes: eight rings of 4 ranks side by side, each with 1/8 of the bytes
 * on its own NIC: 6 hops of 5 us, 2 x 3/4 x 125 MB / 50 GB/s = 3.75 ms. */
Test(collective, rings_of_large_replicas)
{
    double ms = allreduce_ms(&machine, 1e9, (placed){4, 8, 4});
    cr_expect(epsilon_eq(dbl, ms, 0.030 + 3.75, 1e-12));
}

/* A replica of 16 GPUs on two nodes: two replicas on 4 nodes, 2 hops from node to node; sixteen
 * rings, eight on each node: 2 x 1/2 x 62.5 MB / 50 GB/s = 1.25 ms. */
Test(collective, replicas_larger_than_a_node)
{
    double ms = allreduce_ms(&machine, 1e9, (placed){2, 16, 4});
    cr_expect(epsilon_eq(dbl, ms, 0.010 + 1.25, 1e-12));
}

static ws_pace pace_of(const ws_profile *profile, int32_t replicas, double speed)
{
    ws_step step = {.type = &ws_step_profile, .parameters = profile};
    ws_world world = {.replicas = replicas,
                      .gpus_per_replica = 8,
                      .nodes = replicas,
                      .leaves = 1,
                      .pods = 1,
                      .fabric_share = 1,
                      .speed = speed};
    return ws_step_pace(&step, &world);
}

/* 256 samples on 4 replicas: 64 x 310 ms = 19.84 s. 13.5 GB in rings: 30 us + 2 x 3/4 x 1.6875 GB /
 * 50 GB/s = 50.655 ms, which hides but for the last of 10 buckets. */
Test(step_profile, communication_hides)
{
    ws_profile profile = {.network = &machine,
                          .compute_s_per_sample = 0.31,
                          .bytes = 13.5e9,
                          .batch = {.global_batch = 256},
                          .overlap = 0.7,
                          .buckets = 10};
    ws_pace pace = pace_of(&profile, 4, 1);

    cr_expect(epsilon_eq(dbl, pace.work_per_s, 256 / 19.8450655, 1e-9));
    cr_expect(epsilon_eq(dbl, pace.communication, 0.0050655 / 19.8450655, 1e-12));
    cr_expect(eq(dbl, pace.straggle, 0));
}

/* One NIC of 10 Gb/s a node for eight rings: 30 us + 2 x 3/4 x 1.6875 GB / 0.15625 GB/s = 16.20003
 * s. With micro-batches of one sample only the last one's 0.7 x 310 ms = 217 ms hide: 15.98303 s
 * are exposed. */
Test(step_profile, accumulation_hides_one_micro_batch)
{
    ws_network slow = machine;

    slow.inter_per_gpu = false;
    slow.inter_node.bytes_per_s = 1.25e9;
    ws_profile profile = {.network = &slow,
                          .compute_s_per_sample = 0.31,
                          .bytes = 13.5e9,
                          .batch = {.global_batch = 256, .micro_batch = 1},
                          .overlap = 0.7,
                          .buckets = 10};
    ws_pace pace = pace_of(&profile, 4, 1);

    cr_expect(epsilon_eq(dbl, pace.work_per_s, 256 / (19.84 + 15.98303), 1e-9));
    cr_expect(epsilon_eq(dbl, pace.communication, 15.98303 / (19.84 + 15.98303), 1e-9));
}

/* N equal buckets of time c, ready evenly over a backward of T_b: exposed = max(c, N c - (N-1)/N
 * T_b). With T_b two thirds of the compute that is an overlap of (N-1)/N x 2/3. N = 4, c = 4.05 s
 * (16.2 s less latency), T = 19.84 s: 16.2 - 3/4 x 13.22667. */
Test(step_profile, equals_the_formula_of_equal_buckets)
{
    ws_network slow = machine;

    slow.inter_per_gpu = false;
    slow.inter_node = (ws_link){.latency_s = 0, .bytes_per_s = 1.25e9};
    ws_profile profile = {.network = &slow,
                          .compute_s_per_sample = 0.31,
                          .bytes = 13.5e9,
                          .batch = {.global_batch = 256},
                          .overlap = 0.75 * 2 / 3,
                          .buckets = 4};
    ws_pace pace = pace_of(&profile, 4, 1);
    double exposed_s = 16.2 - 0.75 * (19.84 * 2 / 3);

    cr_expect(epsilon_eq(dbl, pace.communication, exposed_s / (19.84 + exposed_s), 1e-12));
}

/* 10 samples on 4 replicas: two have 3, two have 2, mean 2.5: all wait for 3 x 0.31 = 0.93 s. */
Test(step_profile, an_uneven_batch_waits)
{
    ws_profile profile = {.network = &machine,
                          .compute_s_per_sample = 0.31,
                          .batch = {.global_batch = 10},
                          .buckets = 1};
    ws_pace pace = pace_of(&profile, 4, 1);

    cr_expect(epsilon_eq(dbl, pace.work_per_s, 10 / 0.93003, 1e-9)); /* 30 us of latency */
    cr_expect(epsilon_eq(dbl, pace.straggle, 0.155 / 0.93003, 1e-9));
}

/* Half as fast a GPU takes twice the compute, not twice the communication. */
Test(step_profile, speed_slows_compute_alone)
{
    ws_profile profile = {.network = &machine,
                          .compute_s_per_sample = 0.31,
                          .bytes = 13.5e9,
                          .batch = {.global_batch = 256},
                          .buckets = 10,
                          .overlap = 0.7};
    ws_pace pace = pace_of(&profile, 4, 0.5);

    cr_expect(epsilon_eq(dbl, pace.work_per_s, 256 / (39.68 + 0.0050655), 1e-9));
}

/* A twentieth of each step waits for input: 3 x 0.31 s of compute and 30 us of latency are the
 * other nineteen. */
Test(step_profile, a_stall_is_a_share_of_the_step)
{
    ws_profile profile = {.network = &machine,
                          .compute_s_per_sample = 0.31,
                          .batch = {.global_batch = 12},
                          .buckets = 1,
                          .stall = 0.05};
    ws_pace pace = pace_of(&profile, 4, 1);
    double step_s = 0.93003 / 0.95;

    cr_expect(epsilon_eq(dbl, pace.work_per_s, 12 / step_s, 1e-9));
    cr_expect(eq(dbl, pace.input_stall, 0.05));
    cr_expect(epsilon_eq(dbl, pace.communication, 30e-6 / step_s, 1e-12));
    cr_expect(epsilon_eq(dbl, ws_pace_compute(&pace), 0.93 / step_s, 1e-12));
    cr_expect(epsilon_eq(dbl, ws_pace_busy(&pace), 0.95, 1e-12));
}
