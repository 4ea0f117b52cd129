/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Max-min fair rates: worked examples, and random networks against a filling that looks at
 * everything each time. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <math.h>
#include <signal.h>

#include "naive_max_min.h"
#include "ws/max_min.h"
#include "ws/random.h"

#define CLASSES_MAX NAIVE_FLOWS_MAX
#define CROSSINGS_MAX (NAIVE_FLOWS_MAX * NAIVE_LINKS_MAX)

typedef struct {
    ws_arena arena;
    ws_max_min_solver *solver;
    double capacities[NAIVE_LINKS_MAX];
    ws_max_min_class classes[CLASSES_MAX];
    uint32_t links[CROSSINGS_MAX];
    uint32_t crossings;
    ws_max_min_problem problem;
} network;

static void network_open(network *net, const double *capacities, uint32_t link_count)
{
    *net = (network){.crossings = 0};
    ws_arena_init(&net->arena, &ws_allocator_default, SIZE_MAX);
    net->solver = ws_max_min_solver_new(&net->arena, NAIVE_LINKS_MAX, CLASSES_MAX, CROSSINGS_MAX);
    cr_assert(net->solver != NULL);
    for (uint32_t i = 0; i < link_count; i++) {
        net->capacities[i] = capacities[i];
    }
    net->problem = (ws_max_min_problem){.capacities = net->capacities,
                                        .link_count = link_count,
                                        .classes = net->classes,
                                        .links = net->links};
}

static void network_close(network *net)
{
    ws_arena_reset(&net->arena);
}

/* Bit l of `path`: crosses link l. */
static void network_add(network *net, uint32_t path, double weight, double cap, double flows)
{
    ws_max_min_class *class = &net->classes[net->problem.class_count++];

    *class = (ws_max_min_class){
        .path_first = net->crossings, .weight = weight, .cap = cap, .flows = flows};
    for (uint32_t link = 0; link < net->problem.link_count; link++) {
        if (((path >> link) & 1) != 0) {
            net->links[net->crossings++] = link;
            class->path_count++;
        }
    }
}

static void network_expect(network *net, const double *rates, double tolerance)
{
    ws_max_min_solve(net->solver, &net->problem);
    for (uint32_t i = 0; i < net->problem.class_count; i++) {
        cr_expect(fabs(net->classes[i].rate - rates[i]) <= tolerance * rates[i],
                  "class %u: %.12g, not %.12g", i, net->classes[i].rate, rates[i]);
    }
    cr_expect(ws_max_min_is_fair(net->solver, &net->problem));
}

/* One link; demands are caps. */
static void expect_on_one_link(double capacity, size_t count, const double *demands,
                               const double *weights, const double *rates, double tolerance)
{
    static network net;

    network_open(&net, &capacity, 1);
    for (size_t i = 0; i < count; i++) {
        network_add(&net, 1, weights != NULL ? weights[i] : 1, demands[i], 1);
    }
    network_expect(&net, rates, tolerance);
    network_close(&net);
}

/* The textbook's: 10 - 2 - 2.6 leaves 5.4 for two. */
Test(max_min, one_link_serves_small_demands_first)
{
    expect_on_one_link(10, 4, (double[]){2, 2.6, 4, 5}, NULL, (double[]){2, 2.6, 2.7, 2.7}, 1e-12);
    expect_on_one_link(64, 4, (double[]){8, 16, 32, 64}, NULL, (double[]){8, 16, 20, 20}, 1e-12);
    expect_on_one_link(100, 4, (double[]){10, 20, 30, 80}, NULL, (double[]){10, 20, 30, 40}, 1e-12);
}

/* 16 over weights 8 is a level of 2: 5, 8, 1, 2. The first wants 4 and the second 2; of the 10 that
 * they leave the third and fourth have 10 x .5/1.5 and 10 x 1/1.5, but the fourth wants only 4, so
 * that 6 are left. And 30: the first wants 5 of its 7.5; 25 over weights 3. */
Test(max_min, weights_divide_what_is_left)
{
    expect_on_one_link(16, 4, (double[]){4, 2, 10, 4}, (double[]){2.5, 4, .5, 1},
                       (double[]){4, 2, 6, 4}, 1e-12);
    expect_on_one_link(30, 3, (double[]){5, 25, 25}, (double[]){1, 2, 1},
                       (double[]){5, 50. / 3, 25. / 3}, 1e-12);
}

/*
 * Four links of 1, after Bertsekas and Gallager, figure 6.10: flow 0 crosses all of the first
 * three, 1 and 2 the first with it, 3 the second with it, 4 the third and fourth. Link 0 bears
 * three: 1/3 each. Link 1 leaves 2/3 for flow 3; links 2 and 3 leave 2/3 for flow 4.
 */
Test(max_min, a_flow_is_as_slow_as_its_fullest_link)
{
    static network net;

    network_open(&net, (double[]){1, 1, 1, 1}, 4);
    network_add(&net, 7, 1, (double)INFINITY, 1);
    network_add(&net, 1, 1, (double)INFINITY, 1);
    network_add(&net, 1, 1, (double)INFINITY, 1);
    network_add(&net, 2, 1, (double)INFINITY, 1);
    network_add(&net, 12, 1, (double)INFINITY, 1);
    network_expect(&net, (double[]){1. / 3, 1. / 3, 1. / 3, 2. / 3, 2. / 3}, 1e-12);
    network_close(&net);
}

/* The parking lot: links of 10; the long flow beside one, two and four flows. Link 2 gives 2 to
 * each; the long one leaves 8 on link 0, and 8 on link 1 for two. */
Test(max_min, the_long_flow_of_a_parking_lot)
{
    static network net;

    network_open(&net, (double[]){10, 10, 10}, 3);
    network_add(&net, 7, 1, (double)INFINITY, 1);
    network_add(&net, 1, 1, (double)INFINITY, 1);
    network_add(&net, 2, 1, (double)INFINITY, 2);
    network_add(&net, 4, 1, (double)INFINITY, 4);
    network_expect(&net, (double[]){2, 8, 4, 2}, 1e-12);
    network_close(&net);
}

/* A class of a hundred thousand flows and one of another cap: 1 GB/s / 100,000 is 10 kB/s, of which
 * the one flow takes 4 kB/s. */
Test(max_min, a_class_counts_as_its_flows)
{
    static network net;

    network_open(&net, (double[]){1e9}, 1);
    network_add(&net, 1, 1, (double)INFINITY, 99999);
    network_add(&net, 1, 1, 4e3, 1);
    network_expect(&net, (double[]){(1e9 - 4e3) / 99999, 4e3}, 1e-12);
    network_close(&net);
}

Test(max_min, a_flow_without_links_has_its_cap)
{
    static network net;

    network_open(&net, (double[]){1}, 1);
    network_add(&net, 0, 3, 17, 1);
    network_expect(&net, (double[]){17}, 0);
    network_close(&net);
}

/* Rates that somebody could raise, or that exceed a link, are found out. */
Test(max_min, unfair_rates_are_told)
{
    static network net;

    network_open(&net, (double[]){10, 4}, 2);
    network_add(&net, 1, 1, (double)INFINITY, 1);
    network_add(&net, 3, 1, (double)INFINITY, 1);
    network_expect(&net, (double[]){6, 4}, 1e-12);
    net.classes[0].rate = 5.9;
    cr_expect(not(ws_max_min_is_fair(net.solver, &net.problem)), "not all is used");
    net.classes[0].rate = 6.1;
    cr_expect(not(ws_max_min_is_fair(net.solver, &net.problem)), "more than there is");
    net.classes[0].rate = 7;
    net.classes[1].rate = 3;
    cr_expect(not(ws_max_min_is_fair(net.solver, &net.problem)), "the smaller one could have more");
    network_close(&net);
}

/* ---- random networks ---- */

typedef struct {
    ws_stream stream;
} dice;

static size_t roll(dice *random, size_t sides)
{
    double u = ws_stream_uniform(&random->stream);

    return (size_t)(u * (double)sides);
}

static double roll_between(dice *random, double low, double high)
{
    double u = ws_stream_uniform(&random->stream);

    return low * pow(high / low, u);
}

static void draw_network(naive_network *drawn, dice *random)
{
    *drawn = (naive_network){.link_count = 1 + roll(random, NAIVE_LINKS_MAX),
                             .flow_count = 1 + roll(random, 24)};
    for (size_t link = 0; link < drawn->link_count; link++) {
        drawn->capacities[link] = roll_between(random, 0.1, 1000);
    }
    for (size_t i = 0; i < drawn->flow_count; i++) {
        naive_flow *flow = &drawn->flows[i];
        size_t links = 1 + roll(random, 4);

        flow->is_there = true;
        flow->weight = roll(random, 2) == 0 ? 1 : roll_between(random, 0.1, 10);
        flow->cap = roll(random, 3) == 0 ? roll_between(random, 0.1, 100) : (double)INFINITY;
        for (size_t k = 0; k < links; k++) {
            size_t link = roll(random, drawn->link_count);
            flow->crosses[link] = true;
        }
    }
}

static uint32_t path_of(const naive_flow *flow)
{
    uint32_t path = 0;

    for (uint32_t link = 0; link < NAIVE_LINKS_MAX; link++) {
        path |= flow->crosses[link] ? UINT32_C(1) << link : 0;
    }
    return path;
}

Test(max_min, random_networks_have_the_rates_of_plain_filling)
{
    static network net;
    static naive_network drawn;
    size_t networks = 1000;
    dice random;

    ws_stream_open(&random.stream, (ws_stream_key){.seed = 7, .purpose = WS_PURPOSE_TEST});
    for (size_t n = 0; n < networks; n++) {
        double rates[NAIVE_FLOWS_MAX];

        draw_network(&drawn, &random);
        naive_solve(&drawn);
        network_open(&net, drawn.capacities, (uint32_t)drawn.link_count);
        for (size_t i = 0; i < drawn.flow_count; i++) {
            const naive_flow *flow = &drawn.flows[i];
            network_add(&net, path_of(flow), flow->weight, flow->cap, 1);
            rates[i] = flow->rate;
        }
        network_expect(&net, rates, 1e-9);
        network_close(&net);
    }
}
