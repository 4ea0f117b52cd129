/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measured and fitted collectives: what lies between measurements, and what lies outside. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "collective_case.h"
#include "ws/assert.h"
#include "ws/collective_measured.h"

/* 2x8: 30 us up to 1 MB, then 300 us at 100 MB: a factor of 10 in time for 100 in size. */
static const ws_collective_point points[] = {{1e3, 30e-6}, {1e6, 30e-6}, {100e6, 300e-6}};
static const ws_measured_collective one = {
    .operation = WS_ALL_REDUCE, .ranks = 16, .nodes = 2, .points = points, .point_count = 3};
static const ws_measured_collectives measured = {.items = &one, .count = 1};

static ws_network network_of(const ws_collective_type *type,
                             const ws_measured_collectives *parameters)
{
    ws_network network = round_network(type);

    network.collective_parameters = parameters;
    return network;
}

static ws_coverage coverage(const ws_network *network, double bytes, int32_t ranks, int32_t nodes)
{
    ws_group group = group_of(ranks, nodes);

    return ws_collective_coverage(network, WS_ALL_REDUCE, bytes, &group);
}

/* Half-way between 1 and 100 MB in logarithms is 10 MB: 30 x sqrt(10) = 94.868 us. */
Test(collective_measured, curves_are_straight_in_logarithms)
{
    ws_network network = network_of(&ws_collective_measured, &measured);

    cr_expect(epsilon_eq(dbl, all_reduce_us(&network, 1e3, 16, 2), 30, 1e-9));
    cr_expect(epsilon_eq(dbl, all_reduce_us(&network, 31622, 16, 2), 30, 1e-9));
    cr_expect(epsilon_eq(dbl, all_reduce_us(&network, 10e6, 16, 2), 94.868329805, 1e-8));
    cr_expect(epsilon_eq(dbl, all_reduce_us(&network, 100e6, 16, 2), 300, 1e-9));
    cr_expect(eq(int, coverage(&network, 10e6, 16, 2), WS_COVERED));
}

/* Below: the time of the smallest. Above: its bandwidth, for 4 times its size. */
Test(collective_measured, outside_it_is_extrapolated)
{
    ws_network network = network_of(&ws_collective_measured, &measured);

    cr_expect(epsilon_eq(dbl, all_reduce_us(&network, 8, 16, 2), 30, 1e-9));
    cr_expect(epsilon_eq(dbl, all_reduce_us(&network, 400e6, 16, 2), 1200, 1e-9));
    cr_expect(eq(int, coverage(&network, 8, 16, 2), WS_EXTRAPOLATED));
    cr_expect(eq(int, coverage(&network, 400e6, 16, 2), WS_EXTRAPOLATED));
    cr_expect(eq(int, coverage(&network, 401e6, 16, 2), WS_BEYOND));
    cr_expect(eq(int, coverage(&network, 10e6, 32, 4), WS_EXTRAPOLATED));
    cr_expect(eq(int, coverage(&network, 10e6, 1, 1), WS_COVERED));
}

/* 32 on 4 nodes: rings start up in 2 (28 + 30) = 116 us there, in 2 (14 + 10) = 48 on 16 of 2, and
 * move 100 MB in 2 x 31/32 x 1250 = 2421.875 us there, in 2 x 15/16 x 1250 = 2343.75. So the 30 us
 * become 72.5, the other 270 grow by 2421.875 / 2343.75 = 31/30. */
Test(collective_measured, other_sizes_go_as_rings_go)
{
    ws_network network = network_of(&ws_collective_measured, &measured);

    cr_expect(epsilon_eq(dbl, all_reduce_us(&network, 100e6, 32, 4), 72.5 + 279, 1e-9));
    cr_expect(epsilon_eq(dbl, all_reduce_us(&network, 1e3, 32, 4), 72.5, 1e-9));
    /* Contention that leaves a half doubles what is not start-up. */
    ws_group group = group_of(16, 2);
    group.fabric_share = 0.5;
    cr_expect(
        epsilon_eq(dbl, 1e6 * ws_collective_s(&network, WS_ALL_REDUCE, 100e6, &group), 570, 1e-9));
    /* An operation without measurements is that of rings, and said to be beyond them. */
    cr_expect(epsilon_eq(dbl, operation_us(&network, WS_ALL_GATHER, 100e6, 16, 2), 1195.875, 1e-9));
    cr_expect(eq(int, ws_collective_coverage(&network, WS_ALL_GATHER, 1e6, &group), WS_BEYOND));
}

/* Of 8 on 1 and 32 on 4, 24 on 3 nodes is nearer to the latter: start-up times 2 (21 + 20) = 82 for
 * 116. */
Test(collective_measured, the_nearest_placement_is_taken)
{
    static const ws_collective_point fast[] = {{1e6, 10e-6}};
    static const ws_collective_point slow[] = {{1e6, 50e-6}};
    static const ws_measured_collective items[] = {
        {.operation = WS_ALL_REDUCE, .ranks = 8, .nodes = 1, .points = fast, .point_count = 1},
        {.operation = WS_ALL_REDUCE, .ranks = 32, .nodes = 4, .points = slow, .point_count = 1}};
    static const ws_measured_collectives two = {.items = items, .count = 2};
    ws_network network = network_of(&ws_collective_measured, &two);

    cr_expect(epsilon_eq(dbl, all_reduce_us(&network, 1e6, 8, 1), 10, 1e-9));
    cr_expect(epsilon_eq(dbl, all_reduce_us(&network, 1e6, 32, 4), 50, 1e-9));
    cr_expect(epsilon_eq(dbl, all_reduce_us(&network, 1e6, 24, 3), 50 * 82.0 / 116, 1e-9));
}

/* 20 us + 0.01 us sqrt(bytes) + bytes / 100 GB/s: of 1 MB 20 + 10 + 10, of 100 MB 20 + 100 + 1000.
 */
Test(collective_measured, square_roots)
{
    static const ws_measured_collective fit = {.operation = WS_ALL_REDUCE,
                                               .ranks = 16,
                                               .nodes = 2,
                                               .latency_s = 20e-6,
                                               .root_s_per_sqrt_byte = 1e-8,
                                               .bytes_per_s = 100e9,
                                               .bytes_min = 1e4,
                                               .bytes_max = 100e6};
    static const ws_measured_collectives fits = {.items = &fit, .count = 1};
    ws_network network = network_of(&ws_collective_square_root, &fits);

    cr_expect(epsilon_eq(dbl, all_reduce_us(&network, 1e6, 16, 2), 40, 1e-9));
    cr_expect(epsilon_eq(dbl, all_reduce_us(&network, 100e6, 16, 2), 1120, 1e-9));
    cr_expect(epsilon_eq(dbl, all_reduce_us(&network, 1, 16, 2), 20 + 1 + 0.1, 1e-9));
    cr_expect(eq(int, coverage(&network, 1e6, 16, 2), WS_COVERED));
    cr_expect(eq(int, coverage(&network, 400e6, 16, 2), WS_EXTRAPOLATED));
    cr_expect(eq(int, coverage(&network, 500e6, 16, 2), WS_BEYOND));
}
