/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * NCCL's predictor: latencies by its formulas, worked by hand from the constants of 2.30, against
 * published small and large all-reduces. Tables: nccl-tests issues 119, 290, 309, 322; the
 * ml-engineering network pages; CSCS documentation.
 */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <math.h>

#include "collective_case.h"
#include "ws/assert.h"
#include "ws/nccl.h"

typedef struct {
    ws_nccl nccl;
    ws_network network;
} nccl_machine;

static void machine_init(nccl_machine *made, const char *name)
{
    const ws_machine *machine = ws_machine_find(ws_text_of(name));

    cr_assert(machine != NULL, "%s", name);
    made->nccl =
        (ws_nccl){.constants = ws_nccl_constants_find(WS_TEXT("2.30")),
                  .generation = ws_gpu_model_find(ws_text_of(machine->gpu))->generation,
                  .joint = machine->joint == WS_JOINED_BY_PCIE ? WS_NCCL_PCIE : WS_NCCL_NVLINK};
    made->network = ws_machine_network(machine);
    made->network.collectives = &ws_collective_nccl;
    made->network.collective_parameters = &made->nccl;
}

static double part_us(const nccl_machine *machine, double bytes, int32_t ranks, int32_t nodes,
                      ws_nccl_algorithm algorithm, ws_nccl_protocol protocol)
{
    ws_group group = group_of(ranks, nodes);

    return 1e6 * ws_nccl_s(&machine->network, WS_ALL_REDUCE, bytes, &group, algorithm, protocol);
}

/* Trees with LL: 6.8 + 2 ((g - 1) 0.6 + log2(k) 5); on 2x2 rings are faster: 6.6 + 4 x 1 + 2 x 2.7.
 * Predicted, then measured, where constants suffice. */
Test(collective_nccl, small_messages)
{
    static const struct {
        const char *machine;
        int32_t ranks;
        int32_t nodes;
        double predicted_us;
        double measured_us;
    } rows[] = {{"dgx-h100", 16, 2, 25.2, 24.9},
                {"dgx-h100", 32, 4, 35.2, 34.8},
                {"dgx-a100", 16, 2, 25.2, 24.9},
                {"dgx-a100", 16, 2, 25.2, 22.5},
                {"dgx-h100", 4, 2, 16.0, 15.7}};

    for (size_t i = 0; i < WS_COUNT_OF(rows); i++) {
        nccl_machine machine;

        machine_init(&machine, rows[i].machine);
        double found = all_reduce_us(&machine.network, 0, rows[i].ranks, rows[i].nodes);
        cr_expect(epsilon_eq(dbl, found, rows[i].predicted_us, 1e-9), "row %zu: %g", i, found);
        cr_expect(epsilon_eq(dbl, found, rows[i].measured_us, 0.15 * rows[i].measured_us));
    }
}

/* Transports of clouds need their own hop: 6.8 + 2 (7 x 0.6 + 76) = 167.2 over EFA, 167 measured;
 * with 54 us 123.2 over TCPXO, 123 measured. */
Test(collective_nccl, slow_transports_add_to_a_hop)
{
    nccl_machine machine;

    machine_init(&machine, "p4d.24xlarge");
    cr_expect(epsilon_eq(dbl, all_reduce_us(&machine.network, 0, 16, 2), 167.2, 1e-9));
    machine_init(&machine, "a3-megagpu-8g");
    cr_expect(epsilon_eq(dbl, all_reduce_us(&machine.network, 0, 16, 2), 123.2, 1e-9));
}

/* Every latency of a 2x8 Hopper by hand. Rings: 28 steps within (at least the overhead of 1 us, 3
 * us for Simple), 2 between. */
Test(collective_nccl, latencies_by_hand)
{
    nccl_machine m;

    machine_init(&m, "dgx-h100");
    cr_expect(epsilon_eq(dbl, part_us(&m, 0, 16, 2, WS_NCCL_RING, WS_NCCL_LL),
                         6.6 + 28 * 1 + 2 * 2.7, 1e-9));
    cr_expect(epsilon_eq(dbl, part_us(&m, 0, 16, 2, WS_NCCL_RING, WS_NCCL_LL128),
                         14 + 28 * 1.9 + 2 * 4, 1e-9));
    cr_expect(epsilon_eq(dbl, part_us(&m, 0, 16, 2, WS_NCCL_RING, WS_NCCL_SIMPLE),
                         8.4 + 28 * 3.4 + 2 * 14, 1e-9));
    cr_expect(epsilon_eq(dbl, part_us(&m, 0, 16, 2, WS_NCCL_TREE, WS_NCCL_SIMPLE),
                         8.4 + 2 * (7 * 4 + 14), 1e-9));
    cr_expect(epsilon_eq(dbl, part_us(&m, 0, 16, 2, WS_NCCL_NVLS_TREE, WS_NCCL_SIMPLE),
                         25 + 2 * 20.9, 1e-9));
    cr_expect(epsilon_eq(dbl, part_us(&m, 0, 8, 1, WS_NCCL_NVLS, WS_NCCL_SIMPLE), 25, 1e-9));
    m.nccl.collnet = true;
    cr_expect(epsilon_eq(dbl, part_us(&m, 0, 16, 2, WS_NCCL_COLLNET_DIRECT, WS_NCCL_SIMPLE),
                         2 * (3.7 + 0.4 * 7) + 31, 1e-9));
    cr_expect(epsilon_eq(dbl, part_us(&m, 0, 16, 2, WS_NCCL_COLLNET_CHAIN, WS_NCCL_SIMPLE),
                         2 * 7 * 2.8 + 30, 1e-9));
    m.nccl.amd_processor = true;
    cr_expect(epsilon_eq(dbl, part_us(&m, 0, 16, 2, WS_NCCL_RING, WS_NCCL_SIMPLE),
                         8.4 + 28 * 6 + 2 * 14, 1e-9));
    /* One rank a node: rings take the network latency of trees. */
    cr_expect(epsilon_eq(dbl, part_us(&m, 0, 2, 2, WS_NCCL_RING, WS_NCCL_LL), 6.6 + 2 * 5, 1e-9));
}

/* 8 A100, 1 GB: rings at 240 GB/s: 8.4 + 14 x 3.4 + 1.75 x 1e9 / 240e3 us; LL at half, capped at
 * 87.7; LL128 at 0.92 of it. Trees of 64 MiB: 0.92 x 240 / 2, x 0.8 of the correction. */
Test(collective_nccl, bandwidths_by_hand)
{
    nccl_machine m;

    machine_init(&m, "dgx-a100");
    cr_expect(epsilon_eq(dbl, part_us(&m, 1e9, 8, 1, WS_NCCL_RING, WS_NCCL_SIMPLE),
                         56 + 1.75e6 / 240, 1e-6));
    cr_expect(epsilon_eq(dbl, part_us(&m, 1e9, 8, 1, WS_NCCL_RING, WS_NCCL_LL),
                         6.6 + 14 * 0.6 + 1.75e6 / 87.7, 1e-6));
    cr_expect(epsilon_eq(dbl, part_us(&m, 1e9, 8, 1, WS_NCCL_RING, WS_NCCL_LL128),
                         14 + 14 * 1.9 + 1.75e6 / 220.8, 1e-6));
    double bytes = 64 * 1048576.0;
    cr_expect(epsilon_eq(dbl, part_us(&m, bytes, 8, 1, WS_NCCL_TREE, WS_NCCL_SIMPLE),
                         8.4 + 56 + bytes / 1e3 / (110.4 * 0.8), 1e-6));
    /* The plateau of rings on several nodes: latency x 1.4. */
    cr_expect(epsilon_eq(dbl, part_us(&m, 1e9, 16, 2, WS_NCCL_RING, WS_NCCL_SIMPLE),
                         1.4 * (8.4 + 28 * 3.4 + 2 * 14) + 1.875e6 / 192, 1e-6));
}

Test(collective_nccl, what_does_not_exist)
{
    nccl_machine m;

    machine_init(&m, "dgx-a100");
    cr_expect(part_us(&m, 8, 8, 1, WS_NCCL_NVLS, WS_NCCL_SIMPLE) < 0);            /* Ampere */
    cr_expect(part_us(&m, 8, 16, 2, WS_NCCL_COLLNET_DIRECT, WS_NCCL_SIMPLE) < 0); /* no SHARP */
    cr_expect(part_us(&m, 8, 8, 1, WS_NCCL_PAT, WS_NCCL_SIMPLE) < 0);
    machine_init(&m, "dgx-h100");
    cr_expect(part_us(&m, 8, 8, 1, WS_NCCL_NVLS_TREE, WS_NCCL_SIMPLE) < 0); /* one node */
    cr_expect(part_us(&m, 8, 16, 2, WS_NCCL_NVLS, WS_NCCL_SIMPLE) < 0);     /* needs SHARP */
    cr_expect(part_us(&m, 8, 8, 1, WS_NCCL_NVLS, WS_NCCL_LL) < 0);
    m.nccl.joint = WS_NCCL_PCIE;
    m.nccl.generation = WS_GENERATION_AMPERE;
    cr_expect(part_us(&m, 8, 8, 1, WS_NCCL_RING, WS_NCCL_LL128) < 0);
}

/* Published busbw of large all-reduces, GB/s, and how far the constants are off: within 8 % where a
 * machine is a plain one, 15 % over a cloud's transport. */
Test(collective_nccl, large_messages)
{
    static const struct {
        const char *machine;
        int32_t ranks;
        int32_t nodes;
        double bus_gb;
        double tolerance;
    } rows[] = {
        {"dgx-1-v100", 8, 1, 129, 0.08},     {"dgx-a100", 8, 1, 235, 0.08},
        {"dgx-h100", 8, 1, 480, 0.08},       {"dgx-h200", 8, 1, 482, 0.08},
        {"dgx-h200", 5, 1, 414, 0.08},       {"dgx-h200", 6, 1, 436, 0.08},
        {"dgx-h200", 7, 1, 460, 0.08},       {"dgx-b200", 8, 1, 846, 0.08},
        {"dgx-h100", 16, 2, 469, 0.08},      {"dgx-h100", 32, 4, 366, 0.08},
        {"dgx-h100", 1024, 128, 367, 0.08},  {"p6-b200.48xlarge", 32, 4, 382, 0.08},
        {"a3-megagpu-8g", 16, 2, 339, 0.15},
    };

    for (size_t i = 0; i < WS_COUNT_OF(rows); i++) {
        nccl_machine machine;

        machine_init(&machine, rows[i].machine);
        double found = bus_gb(&machine.network, 17179869184.0, rows[i].ranks, rows[i].nodes);
        cr_expect(epsilon_eq(dbl, found, rows[i].bus_gb, rows[i].tolerance * rows[i].bus_gb),
                  "%s, %d ranks on %d nodes: %g instead of %g", rows[i].machine, rows[i].ranks,
                  rows[i].nodes, found, rows[i].bus_gb);
    }
}

/* Never carry busbw from two nodes to more: the doubling of NVLSTree ends there. Rings without
 * NVLS: 8 H100 reach 369. */
Test(collective_nccl, two_nodes_are_special)
{
    nccl_machine machine;

    machine_init(&machine, "dgx-h100");
    double two = bus_gb(&machine.network, 17179869184.0, 16, 2);
    double three = bus_gb(&machine.network, 17179869184.0, 24, 3);
    cr_expect(two > 1.2 * three, "%g %g", two, three);
    double ring_us = part_us(&machine, 17179869184.0, 8, 1, WS_NCCL_RING, WS_NCCL_SIMPLE);
    cr_expect(epsilon_eq(dbl, 1.75 * 17179869184.0 / 1e3 / ring_us, 369, 0.01 * 369));
}
