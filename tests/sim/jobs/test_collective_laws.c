/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What holds of every algorithm, whatever its formula. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <math.h>

#include "collective_case.h"
#include "ws/assert.h"
#include "ws/collective_measured.h"
#include "ws/nccl.h"

static const ws_collective_point curve[] = {{1e3, 30e-6}, {1e6, 45e-6}, {1e9, 9e-3}};
static const ws_measured_collective measured_one = {.operation = WS_ALL_REDUCE,
                                                    .ranks = 16,
                                                    .nodes = 2,
                                                    .points = curve,
                                                    .point_count = 3,
                                                    .latency_s = 20e-6,
                                                    .root_s_per_sqrt_byte = 1e-8,
                                                    .bytes_per_s = 100e9,
                                                    .bytes_min = 1e3,
                                                    .bytes_max = 1e9};
static const ws_measured_collectives measured = {.items = &measured_one, .count = 1};

/* A network of the type, with parameters where it needs some. */
static ws_network network_of(const ws_collective_type *type, ws_nccl *nccl)
{
    ws_network network = ws_machine_network(ws_machine_find(WS_TEXT("dgx-h100")));

    *nccl = (ws_nccl){.constants = ws_nccl_constants_at(0),
                      .generation = WS_GENERATION_HOPPER,
                      .joint = WS_NCCL_NVLINK};
    network.collectives = type;
    if (type == &ws_collective_nccl) {
        network.collective_parameters = nccl;
    } else if (type == &ws_collective_measured || type == &ws_collective_square_root) {
        network.collective_parameters = &measured;
    }
    return network;
}

static const ws_group groups[] = {{2, 1, 2, 1, 1, 1, 1},     {8, 1, 8, 1, 1, 1, 1},
                                  {7, 1, 7, 1, 1, 1, 1},     {16, 2, 8, 1, 1, 1, 1},
                                  {4, 4, 1, 2, 1, 8, 1},     {10, 3, 4, 2, 1, 2, 0.5},
                                  {96, 12, 8, 3, 2, 1, 0.3}, {1024, 128, 8, 16, 4, 1, 1}};

Test(collective_laws, more_bytes_never_take_less_time)
{
    for (size_t t = 0; ws_collective_at(t) != NULL; t++) {
        ws_nccl nccl;
        ws_network network = network_of(ws_collective_at(t), &nccl);

        network.fabric.leaf = (ws_tier){.nodes = 4, .oversubscription = 3};
        for (size_t g = 0; g < WS_COUNT_OF(groups); g++) {
            for (int op = 0; op < WS_COLLECTIVE_OPERATIONS; op++) {
                double before = 0;

                for (double bytes = 1; bytes < 1e11; bytes *= 1.07) {
                    double now =
                        ws_collective_s(&network, (ws_collective_operation)op, bytes, &groups[g]);
                    if (!(now >= before) || !isfinite(now) || !(now > 0)) {
                        cr_fatal("%s, %s, group %zu, %g bytes: %g after %g",
                                 ws_collective_at(t)->name, ws_collective_operation_names[op], g,
                                 bytes, now, before);
                    }
                    before = now;
                }
            }
        }
    }
}

/* An all-reduce among point-to-point links takes ceil(log2 n) start-ups and 2 (n-1)/n of the bytes
 * past one link; the others half of it. Links of one kind. */
Test(collective_laws, lower_bounds_hold)
{
    static const ws_collective_type *const types[] = {&ws_collective_ring, &ws_collective_tree,
                                                      &ws_collective_halving_doubling,
                                                      &ws_collective_hierarchical};

    for (size_t t = 0; t < WS_COUNT_OF(types); t++) {
        ws_network network = round_network(types[t]);

        for (int32_t n = 2; n <= 130; n++) {
            double latency_us = ceil(log2(n) - 1e-12);
            double rounds_us = 1000.0 * (n - 1) / n; /* of 100 MB */

            cr_expect(all_reduce_us(&network, 0, n, 1) >= latency_us - 1e-9, "%d", n);
            cr_expect(all_reduce_us(&network, 100e6, n, 1) >= 2 * rounds_us - 1e-6, "%d", n);
            cr_expect(operation_us(&network, WS_ALL_GATHER, 100e6, n, 1) >= rounds_us - 1e-6);
            cr_expect(operation_us(&network, WS_REDUCE_SCATTER, 100e6, n, 1) >= rounds_us - 1e-6);
            cr_expect(operation_us(&network, WS_BROADCAST, 100e6, n, 1) >= 1000 - 1e-6);
            cr_expect(operation_us(&network, WS_BROADCAST, 0, n, 1) >= latency_us - 1e-9);
        }
    }
}

Test(collective_laws, less_of_the_fabric_is_never_faster)
{
    for (size_t t = 0; ws_collective_at(t) != NULL; t++) {
        ws_nccl nccl;
        ws_network network = network_of(ws_collective_at(t), &nccl);

        for (size_t g = 3; g < WS_COUNT_OF(groups); g++) {
            ws_group all = groups[g];
            ws_group half = groups[g];

            half.fabric_share /= 2;
            for (int op = 0; op < WS_COLLECTIVE_OPERATIONS; op++) {
                ws_collective_operation operation = (ws_collective_operation)op;
                double fast = ws_collective_s(&network, operation, 1e9, &all);
                double slow = ws_collective_s(&network, operation, 1e9, &half);

                cr_expect(slow >= fast, "%s %s", ws_collective_at(t)->name,
                          ws_collective_operation_names[op]);
                cr_expect(slow <= 2 * fast * (1 + 1e-9));
            }
        }
    }
}

Test(collective_laws, one_rank_takes_no_time_and_names_are_found)
{
    ws_group alone = {1, 1, 1, 1, 1, 1, 1};

    for (size_t t = 0; ws_collective_at(t) != NULL; t++) {
        const ws_collective_type *type = ws_collective_at(t);
        ws_nccl nccl;
        ws_network network = network_of(type, &nccl);

        cr_expect(ws_collective_find(ws_text_of(type->name)) == type);
        for (int op = 0; op < WS_COLLECTIVE_OPERATIONS; op++) {
            cr_expect(
                eq(dbl, ws_collective_s(&network, (ws_collective_operation)op, 1e9, &alone), 0));
        }
    }
    cr_expect(ws_collective_find(WS_TEXT("torus")) == NULL);
}

/* ---- hashed flows ---- */

static double fullest_of(int flows, int ways, uint64_t *state)
{
    int load[64] = {0};
    int most = 0;

    for (int i = 0; i < flows; i++) {
        *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        int way = (int)((*state >> 33) % (uint64_t)ways);
        load[way]++;
        most = load[way] > most ? load[way] : most;
    }
    return most;
}

/* The fullest way of flows that are hashed, against two thousand random hashes: the formula of
 * large numbers is within 20 % from one flow a way on. 8 nodes below a leaf with 8 x `ports` ways
 * up, all sending across. */
Test(collective_laws, hashed_flows_collide_as_sampled)
{
    static const int rows[][2] = {{1, 1}, {1, 16}, {4, 1}, {8, 4}}; /* ports, flows of a NIC */

    for (size_t i = 0; i < WS_COUNT_OF(rows); i++) {
        int ways = 8 * rows[i][0];
        uint64_t state = 1;
        double sampled = 0;
        ws_network network = round_network(&ws_collective_halving_doubling);
        ws_group group = {2 * ways, 16, rows[i][0], 2, 1, 1, 1};

        for (int k = 0; k < 2000; k++) {
            sampled += fullest_of(ways * rows[i][1], ways, &state) / 2000 / rows[i][1];
        }
        network.inter_node.latency_s = 0;
        network.intra_node.latency_s = 0;
        network.intra_node.bytes_per_s = 1e15;
        network.fabric.leaf = (ws_tier){.nodes = 8, .oversubscription = 1};
        network.fabric.ecmp_flows = rows[i][1];
        double hashed = ws_collective_s(&network, WS_ALL_GATHER, 1e9, &group);
        network.fabric.ecmp_flows = 0;
        double even = ws_collective_s(&network, WS_ALL_GATHER, 1e9, &group);
        /* 14/15 of the bytes stay in a leaf; 1/15 of them cross, at the pace of the fullest. */
        double factor = 1 + (hashed / even - 1) * 15;
        cr_expect(epsilon_eq(dbl, factor, sampled, 0.2 * sampled), "%d ways: %g, sampled %g", ways,
                  factor, sampled);
    }
}
