/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each algorithm against its formula worked by hand. The network: 100 GB/s and 1 us within a node,
 * 10 GB/s and 10 us for each GPU's NIC. So 100 MB take 1000 us over a link within a node and 10000
 * us over one NIC.
 */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <math.h>

#include "collective_case.h"
#include "ws/assert.h"

#define MB 1e6

static void expect_us(double found, double expected)
{
    cr_expect(epsilon_eq(dbl, found, expected, 1e-9 * expected), "%.9g instead of %.9g", found,
              expected);
}

/* ---- rings ---- */

/* 2 (n-1)/n S/B + 2 (n-1) a. Source: published values of the ring formula. */
Test(collective_algorithms, rings_give_the_published_values)
{
    static const struct {
        int32_t ranks;
        double bytes;
        double bytes_per_s;
        double latency_s;
        double seconds;
    } rows[] = {{8, 14e9, 450e9, 5e-6, 0.05451444},
                {64, 14e9, 50e9, 10e-6, 0.55251000},
                {1024, 2e9, 50e9, 10e-6, 0.10038188}};

    for (size_t i = 0; i < WS_COUNT_OF(rows); i++) {
        ws_network network = round_network(&ws_collective_ring);

        network.intra_node =
            (ws_link){.latency_s = rows[i].latency_s, .bytes_per_s = rows[i].bytes_per_s};
        cr_expect(epsilon_eq(dbl, 1e-6 * all_reduce_us(&network, rows[i].bytes, rows[i].ranks, 1),
                             rows[i].seconds, 5e-9));
    }
}

/* 8 ranks on 2 nodes, 100 MB: 6 hops of 1 us and one of 10 us a round; 4 NICs give 40 GB/s, so a
 * round takes 16 + 7/8 x 2500 = 2203.5 us. */
Test(collective_algorithms, rings_take_rounds)
{
    ws_network network = round_network(&ws_collective_ring);

    expect_us(operation_us(&network, WS_REDUCE_SCATTER, 100 * MB, 8, 2), 2203.5);
    expect_us(operation_us(&network, WS_ALL_GATHER, 100 * MB, 8, 2), 2203.5);
    expect_us(all_reduce_us(&network, 100 * MB, 8, 2), 4407);
    /* gamma of 10 us a MB: 7/8 of 1000 us more, once. */
    network.reduce_s_per_byte = 10e-12;
    expect_us(operation_us(&network, WS_REDUCE_SCATTER, 100 * MB, 8, 2), 3078.5);
    expect_us(operation_us(&network, WS_ALL_GATHER, 100 * MB, 8, 2), 2203.5);
    expect_us(all_reduce_us(&network, 100 * MB, 8, 2), 5282);
}

/* A chain of 7 hops within a node, 100 MB: 6 x 1 us to fill, 1000 us, 2 sqrt(6 x 1000) = 154.919
 * us of pieces. With 1 kB (0.01 us) one piece is best: 7 x 1.01 us. */
Test(collective_algorithms, broadcasts_are_chains_of_pieces)
{
    ws_network network = round_network(&ws_collective_ring);

    expect_us(operation_us(&network, WS_BROADCAST, 100 * MB, 8, 1), 1006 + 2 * sqrt(6000));
    expect_us(operation_us(&network, WS_BROADCAST, 1000, 8, 1), 7.07);
    /* On 2 nodes 6 hops of 1 us and one of 10, at the pace of 10 us and 40 GB/s: 2500 us for the
     * bytes, 6 of 7 hops of 10 us in the root, start-up 16 us less the last one's 10. */
    expect_us(operation_us(&network, WS_BROADCAST, 100 * MB, 8, 2), 6 + 2500 + 2 * sqrt(60 * 2500));
}

/* 8 ranks on 2 nodes: 3 peers within the node, each 12.5 MB: 3 x (1 + 125) us; 4 elsewhere over a
 * NIC each: 4 x (10 + 1250). */
Test(collective_algorithms, pairs_exchange)
{
    ws_network network = round_network(&ws_collective_ring);

    expect_us(operation_us(&network, WS_ALL_TO_ALL, 100 * MB, 8, 1), 7 * 126);
    expect_us(operation_us(&network, WS_ALL_TO_ALL, 100 * MB, 8, 2), 3 * 126 + 4 * 1260);
    expect_us(operation_us(&network, WS_SEND_RECV, 100 * MB, 2, 1), 1001);
    expect_us(operation_us(&network, WS_SEND_RECV, 100 * MB, 2, 2), 10010);
    expect_us(operation_us(&network, WS_SEND_RECV, 100 * MB, 8, 2), 10010); /* one NIC each */
}

/* ---- the others ---- */

/* 8 ranks in a node: 3 levels: 2 (3 + 1000 + 2 sqrt(3 x 1000)). 8 on 4 nodes: one level of 1 us,
 * two of 10; 2 NICs: 5000 us; the pieces go at the pace of 3 x 10 us. */
Test(collective_algorithms, trees)
{
    ws_network network = round_network(&ws_collective_tree);

    expect_us(all_reduce_us(&network, 100 * MB, 8, 1), 2 * (3 + 1000 + 2 * sqrt(3000)));
    expect_us(all_reduce_us(&network, 100 * MB, 8, 4), 2 * (21 + 5000 + 2 * sqrt(30 * 5000)));
    expect_us(operation_us(&network, WS_BROADCAST, 100 * MB, 5, 1), 1003 + 2 * sqrt(3000));
    network.reduce_s_per_byte = 10e-12;
    expect_us(all_reduce_us(&network, 100 * MB, 8, 1), 2 * (1003 + 2 * sqrt(3000)) + 1000);
}

/* 8 in a node: 2 x 3 us + 2 x 7/8 x 1000. 8 on 2 nodes: within, 2 steps and 3/4 of 1000 us; then
 * one step with half of a rank's 25 MB over its NIC, 1250 us. 6 in a node: 4 of them, and the other
 * two hand over all they have. */
Test(collective_algorithms, halving_and_doubling)
{
    ws_network network = round_network(&ws_collective_halving_doubling);

    expect_us(all_reduce_us(&network, 100 * MB, 8, 1), 6 + 1750);
    expect_us(all_reduce_us(&network, 100 * MB, 8, 2), 2 * (2 + 750 + 10 + 1250));
    expect_us(all_reduce_us(&network, 100 * MB, 6, 1), 2 * (2 + 750 + 1 + 1000));
    expect_us(all_reduce_us(&network, 100 * MB, 3, 3), 2 * (10 + 5000 + 10 + 10000));
    expect_us(operation_us(&network, WS_ALL_GATHER, 100 * MB, 8, 2), 2012);
}

/* 8 on 2 nodes: within, 3 hops and 3/4 of 1000 us; between, a hop of 10 us and half of 25 MB: 1250.
 */
Test(collective_algorithms, two_levels)
{
    ws_network network = round_network(&ws_collective_hierarchical);

    expect_us(all_reduce_us(&network, 100 * MB, 8, 2), 2 * (3 + 750 + 10 + 1250));
    expect_us(all_reduce_us(&network, 100 * MB, 8, 1), 2 * (7 + 875));
    expect_us(operation_us(&network, WS_REDUCE_SCATTER, 100 * MB, 8, 2), 2013);
    /* One NIC at 10 us to the other node, then 3 hops in it. */
    expect_us(operation_us(&network, WS_BROADCAST, 100 * MB, 8, 2), 10010 + 1002 + 2 * sqrt(2000));
    /* 3/4 within, then half of the bytes in one piece over a NIC. */
    expect_us(operation_us(&network, WS_ALL_TO_ALL, 100 * MB, 8, 2), 753 + 10 + 5000);
}

/* In a node: two hops and S (1 + 1/8). Between nodes with SHARP: two hops of 10 us, 25 MB over each
 * NIC once: 2500 us; rings within take 2 (3 + 750). Both: 2 + S (1 + 1/4) + 20 + 2500. */
Test(collective_algorithms, switches_that_reduce)
{
    ws_network nvls = round_network(&ws_collective_nvls);
    ws_network sharp = round_network(&ws_collective_sharp);
    ws_network both = round_network(&ws_collective_nvls_sharp);

    expect_us(all_reduce_us(&nvls, 100 * MB, 8, 1), 2 + 1125);
    expect_us(all_reduce_us(&nvls, 100 * MB, 8, 2), 2 + 1250 + 2 * (10 + 1250));
    expect_us(all_reduce_us(&sharp, 100 * MB, 8, 2), 1506 + 2520);
    expect_us(all_reduce_us(&both, 100 * MB, 8, 2), 1252 + 2520);
    expect_us(all_reduce_us(&sharp, 100 * MB, 4, 4), 20 + 10000); /* each byte over a NIC once */
    expect_us(operation_us(&nvls, WS_ALL_GATHER, 100 * MB, 8, 1), 1002);
}

/* The gain of reduction in NVSwitch over rings: 2 (n-1)/n over 1 + 1/n is 1.5556 for 8. Busbw on 5
 * to 8 of 8 H200 as published, from one rate of 308 GB/s. */
Test(collective_algorithms, nvls_follows_the_number_of_gpus)
{
    static const double published[] = {[5] = 414, [6] = 436, [7] = 460, [8] = 480};
    ws_network network = round_network(&ws_collective_nvls);

    network.intra_node.bytes_per_s = 308e9;
    for (int32_t gpus = 5; gpus <= 8; gpus++) {
        cr_expect(epsilon_eq(dbl, bus_gb(&network, 16e9, gpus, 1), published[gpus],
                             0.015 * published[gpus]),
                  "%d", gpus);
    }
}

/* 4 ranks on 4 nodes, 2 servers: each worker sends 100 MB in 10000 us; a server takes 4 x 50 MB in
 * 20000. Asynchronous ones push and pull at once: 2 x 10000 of a worker, 20000 of the servers. */
Test(collective_algorithms, parameter_servers)
{
    ws_servers servers = {.count = 2};
    ws_network network = round_network(&ws_collective_parameter_server);

    network.collective_parameters = &servers;
    expect_us(operation_us(&network, WS_PUSH, 100 * MB, 4, 4), 20010);
    expect_us(operation_us(&network, WS_PULL, 100 * MB, 4, 4), 20010);
    expect_us(all_reduce_us(&network, 100 * MB, 4, 4), 40020);
    servers.asynchronous = true;
    expect_us(all_reduce_us(&network, 100 * MB, 4, 4), 20020);
    servers.count = 8; /* the workers' own links bind */
    expect_us(operation_us(&network, WS_PUSH, 100 * MB, 4, 4), 10010);
    /* Without servers of their own: one on each node, which takes 4 x 25 MB. */
    network.collective_parameters = NULL;
    expect_us(operation_us(&network, WS_PUSH, 100 * MB, 4, 4), 10010);
    /* Any network can be asked for them. */
    network.collectives = &ws_collective_tree;
    expect_us(operation_us(&network, WS_PULL, 100 * MB, 4, 4), 10010);
}

/* ---- switches above the nodes ---- */

/* 16 nodes of one rank below leaves of 4 with an oversubscription of 8: half a node's rate goes up.
 * A ring crosses a boundary once: 5 GB/s in place of 10. All-to-all: of a leaf's 4 nodes 12/15 of
 * the traffic goes up, 3.2 nodes' rate where 0.5 can: 6.4 times as long. */
Test(collective_algorithms, oversubscription)
{
    ws_network network = round_network(&ws_collective_ring);
    ws_group group = group_of(16, 16);

    network.fabric.leaf = (ws_tier){.nodes = 4, .oversubscription = 8};
    group.leaves = 4;
    expect_us(1e6 * ws_collective_s(&network, WS_ALL_GATHER, 16 * MB, &group),
              150 + 15 * 1 * MB / 5e3);
    expect_us(1e6 * ws_collective_s(&network, WS_ALL_TO_ALL, 16 * MB, &group),
              150 + 15 * 1 * MB / 10e3 * 6.4);
    /* Below 4: a ring does not notice, an exchange of whole leaves does. */
    network.fabric.leaf.oversubscription = 2;
    expect_us(1e6 * ws_collective_s(&network, WS_ALL_GATHER, 16 * MB, &group), 150 + 1500);
    expect_us(1e6 * ws_collective_s(&network, WS_ALL_TO_ALL, 16 * MB, &group), 150 + 1500 * 1.6);
    /* Halving: 8 MB to the neighbour, 4 MB within the leaf, 2 MB and 1 MB with all four nodes of
     * the leaf at once: twice as long. */
    network.collectives = &ws_collective_halving_doubling;
    expect_us(1e6 * ws_collective_s(&network, WS_ALL_GATHER, 16 * MB, &group), 40 + 1200 + 300 * 2);
    group.leaves = 1;
    expect_us(1e6 * ws_collective_s(&network, WS_ALL_GATHER, 16 * MB, &group), 40 + 1500);
}

/* Llama 3's pods: 1:7 between them. Two pods of 8 nodes; with all of them exchanging, 8/15 of the
 * traffic of 8 nodes wants a way of 8/7: 56/15 times as long. */
Test(collective_algorithms, pods)
{
    ws_network network = round_network(&ws_collective_ring);
    ws_group group = group_of(16, 16);

    network.fabric.leaf = (ws_tier){.nodes = 4, .oversubscription = 1};
    network.fabric.pod = (ws_tier){.nodes = 8, .oversubscription = 7};
    group.leaves = 4;
    group.pods = 2;
    expect_us(1e6 * ws_collective_s(&network, WS_ALL_TO_ALL, 16 * MB, &group),
              150 + 1500 * 56.0 / 15);
    expect_us(1e6 * ws_collective_s(&network, WS_ALL_GATHER, 16 * MB, &group), 1650);
}

/* Hashing 8 flows (8 nodes of a leaf, one NIC each) on 8 ways up: the fullest has 1 + sqrt(2 ln 8)
 * = 3.0393. With 16 flows to a pair of NICs 1 + sqrt(2 ln 8 / 16) = 1.5098. Of a hundred thousand
 * random hashes the fullest of 8 has 2.6 on average: the formula is of many flows, and above. */
Test(collective_algorithms, hashed_flows_collide)
{
    ws_network network = round_network(&ws_collective_halving_doubling);
    ws_group group = group_of(16, 16);

    network.fabric.leaf = (ws_tier){.nodes = 8, .oversubscription = 1};
    network.fabric.ecmp_flows = 1;
    group.leaves = 2;
    /* 8, 4 and 2 MB within the leaf, 1 MB across. */
    expect_us(1e6 * ws_collective_s(&network, WS_ALL_GATHER, 16 * MB, &group),
              40 + 1400 + 100 * (1 + sqrt(2 * log(8))));
    network.fabric.ecmp_flows = 16;
    expect_us(1e6 * ws_collective_s(&network, WS_ALL_GATHER, 16 * MB, &group),
              40 + 1400 + 100 * (1 + sqrt(log(8) / 8)));
}

/* 4 groups of 4 ranks on 4 nodes: each has one of a node's four NICs. One NIC for the node: a
 * quarter of it; two: a half. Contention that leaves a half: twice as long. */
Test(collective_algorithms, groups_share_the_way_out)
{
    ws_network network = round_network(&ws_collective_ring);
    ws_group group = group_of(4, 4);

    group.groups_per_node = 4;
    expect_us(1e6 * ws_collective_s(&network, WS_ALL_GATHER, 4 * MB, &group), 30 + 300);
    network.inter_per_gpu = false;
    expect_us(1e6 * ws_collective_s(&network, WS_ALL_GATHER, 4 * MB, &group), 30 + 1200);
    network.nics = 2;
    expect_us(1e6 * ws_collective_s(&network, WS_ALL_GATHER, 4 * MB, &group), 30 + 600);
    group.fabric_share = 0.5;
    expect_us(1e6 * ws_collective_s(&network, WS_ALL_GATHER, 4 * MB, &group), 30 + 1200);
}
