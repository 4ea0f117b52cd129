/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recorded prices: which one counts when, and what a run through them costs, worked out by hand. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <string.h>

#include "scenarios/edited.h"
#include "support/support.h"
#include "ws/run.h"

static ws_edited edited;

/* Changes of the price of an instance. */
typedef struct {
    const char *zone;
    const char *price;
    const char *time;
} price_change;

/* The newest first, as AWS has them. In zone b $12.3456 from 0:00, $10.0001 from 0:30, $20 from
 * 1:45.
 */
static const price_change changes[] = {{"us-east-1b", "20.000000", "01:45:00"},
                                       {"us-east-1a", "9.000000", "01:00:00"},
                                       {"us-east-1b", "10.000100", "00:30:00"},
                                       {"us-east-1b", "12.345600", "00:00:00"}};

/* Every 10 min, but for 0:20 and 0:30: a hole of 30 - 10 min. */
static const char csv[] = "time,value\n"
                          "2026-01-05T00:00:00Z,2\n2026-01-05T00:10:00Z,3\n"
                          "2026-01-05T00:40:00Z,1.5\n2026-01-05T00:50:00Z,1.5\n"
                          "1767574800,2.25\n";

static void write_file(const char *name, const char *content)
{
    char path[1200];
    FILE *file = NULL;

    (void)snprintf(path, sizeof path, "%s/%s", edited.folder, name);
    file = fopen(path, "w");
    cr_assert(file != NULL, "%s", path);
    cr_assert(fputs(content, file) >= 0);
    cr_assert(eq(int, fclose(file), 0));
}

/* What `aws ec2 describe-spot-price-history` writes. */
static const char *history(void)
{
    ws_text text = WS_TEXT("{\"SpotPriceHistory\": [");

    for (size_t i = 0; i < WS_COUNT_OF(changes); i++) {
        text = ws_arena_format(
            &edited.arena,
            "%.*s%s{\"AvailabilityZone\": \"%s\", \"InstanceType\": \"p5.48xlarge\", "
            "\"ProductDescription\": \"Linux/UNIX\", \"SpotPrice\": \"%s\", "
            "\"Timestamp\": \"2026-01-05T%s+00:00\"}",
            WS_TEXT_ARGS(text), i == 0 ? "" : ",", changes[i].zone, changes[i].price,
            changes[i].time);
    }
    return ws_arena_format(&edited.arena, "%.*s]}", WS_TEXT_ARGS(text)).start;
}

static void set_up(void)
{
    ws_edited_init(&edited, "prices");
    write_file("aws.json", history());
    write_file("prices.csv", csv);
}

static void tear_down(void)
{
    ws_edited_fini(&edited);
}

TestSuite(recorded_prices, .init = set_up, .fini = tear_down);

/* A pool of one node of 8 GPUs with such a price, for two hours. */
static bool load(const char *price)
{
    ws_text text = ws_arena_format(
        &edited.arena,
        "schema: worldsize.scenario/v1\n"
        "name: prices\n"
        "horizon: 2h\n"
        "cluster:\n"
        "  pools:\n"
        "    - name: p\n"
        "      gpu: {type: T, per_node: 8}\n"
        "      nodes: {initial: 1, max: 1}\n"
        "      price: {%s}\n"
        "workload: {jobs: [{name: j, step: {curve: {1: 1/s}}, replicas: {initial: 1}, "
        "elasticity: rigid, stages: [{name: s, work: 1M samples}]}]}\n"
        "policies: [{name: fixed, type: fixed, target: {pool: p}, nodes: 1}]\n",
        price);
    return ws_edited_load(&edited, text, NULL);
}

static void check_told(int code, const char *message)
{
    const ws_diagnostic *found = ws_edited_found(&edited, code);

    cr_assert(ne(ptr, (void *)found, NULL), "%d: %s", code, ws_edited_printed(&edited));
    cr_expect_str_eq(found->message.start, message);
}

static void check_refused(const char *price, int code, const char *message)
{
    cr_expect_not(load(price), "%s", price);
    cr_expect(eq(sz, edited.diag.error_count, 1), "%s", ws_edited_printed(&edited));
    check_told(code, message);
}

/* "NANO at SECOND" of each step, the one at 0 first. */
static const char *steps(void)
{
    static char text[1000];
    const ws_pool_spec *pool = &edited.loaded.scenario.pools[0];
    size_t length =
        (size_t)snprintf(text, sizeof text, "%lld", (long long)pool->node_price.nano_per_h);

    for (size_t i = 0; i < pool->price_step_count; i++) {
        length += (size_t)snprintf(text + length, sizeof text - length, ", %lld at %lld",
                                   (long long)pool->price_steps[i].node_price.nano_per_h,
                                   (long long)(pool->price_steps[i].at.ns / WS_NS_PER_S));
    }
    return text;
}

static bool is_assumed(const char *part)
{
    for (size_t i = 0; i < edited.loaded.assumption_count; i++) {
        if (strstr(edited.loaded.assumptions[i].start, part) != NULL) {
            return true;
        }
    }
    return false;
}

#define ZONE_B "recorded: {file: aws.json, per_node: $1/h, match: {AvailabilityZone: us-east-1b}"

Test(recorded_prices, of_an_instance_in_a_zone)
{
    cr_assert(load(ZONE_B "}"), "%s", ws_edited_printed(&edited));
    cr_expect_str_eq(steps(), "12345600000, 10000100000 at 1800, 20000000000 at 6300");
    cr_expect(is_assumed("pool p costs what is recorded in aws.json "
                         "(SpotPrice{AvailabilityZone=\"us-east-1b\",InstanceType=\"p5.48xlarge\","
                         "ProductDescription=\"Linux/UNIX\"}): 2 changes"));
    cr_expect_not(is_assumed("holes"));
    cr_assert(eq(sz, edited.loaded.input_count, 2));
    cr_expect(ws_text_is(edited.loaded.inputs[1].role, "prices"));
}

/* Time 0 at 0:40: the price of 0:30 holds, and the next comes 65 min later. */
Test(recorded_prices, a_window)
{
    cr_assert(load(ZONE_B ", from: 2026-01-05T00:40:00Z}"), "%s", ws_edited_printed(&edited));
    cr_expect_str_eq(steps(), "10000100000, 20000000000 at 3900");
    check_told(4334, "the last recorded price of pool `p` is of 1h5m of the run: it holds from "
                     "then on");
    check_refused(ZONE_B ", from: 2026-01-04T23:59:59Z}", 4333,
                  "no price is known at `from`: the recording begins later");
}

/* $1 for a GPU is $8 for the node; the price of 0:50 is that of 0:40. */
Test(recorded_prices, of_a_gpu_with_a_hole)
{
    cr_assert(load("recorded: {file: prices.csv, per_gpu: $0.5/h}"), "%s",
              ws_edited_printed(&edited));
    cr_expect_str_eq(steps(), "8000000000, 12000000000 at 600, 6000000000 at 2400, "
                              "9000000000 at 3600");
    cr_expect(is_assumed("pool p: in 1 holes of the recorded prices, 20m together, the last price "
                         "holds"));
}

/* 0.5 h x 12.3456 + 1.25 h x 10.0001 + 0.25 h x 20 = $23.672925, to the nano. */
Test(recorded_prices, a_run_costs_what_they_sum_to)
{
    ws_run_result result;
    ws_arena scratch;

    cr_assert(load(ZONE_B "}"), "%s", ws_edited_printed(&edited));
    ws_arena_init(&scratch, &ws_allocator_default, (size_t)1 << 28);
    cr_assert(ws_run(&result, &edited.loaded.arms[0],
                     &(ws_run_options){.with_jobs = true, .check = true}, &edited.arena, &scratch,
                     &edited.diag));
    cr_expect(result.run.cost.nano == (ws_i128)INT64_C(23672925000));
    cr_expect(result.jobs[0].cost.nano == (ws_i128)INT64_C(23672925000) / 8); /* 1 of 8 GPUs */
    ws_arena_reset(&scratch);
}

Test(recorded_prices, that_are_refused)
{
    check_refused("recorded: {file: aws.json, per_node: $1/h}", 4331,
                  "2 series of the recording could be meant");
    check_refused("recorded: {file: aws.json, per_node: $1/h, match: {AvailabilityZone: eu}}", 4331,
                  "no series of the recording is meant");
    check_refused("recorded: {file: prices.csv}", 2302,
                  "nothing says what a recorded value of 1 is");
    check_refused("recorded: {file: prices.csv, per_gpu: $1/h, per_node: $1/h}", 2302,
                  "a recorded value is of a GPU or of a node, not of both");
    check_refused("recorded: {file: prices.csv, per_gpu: $1/h}, per_gpu: $2/h", 2302,
                  "`price` has both `recorded` and `per_gpu`");
    check_refused("recorded: {file: prices.csv, per_gpu: $1/h, format: pai}", 2203,
                  "`pai` is not a format of recorded series");
    write_file("debt.csv", "time,price\n0,1\n3600,-1\n");
    check_refused("recorded: {file: debt.csv, per_gpu: $1/h}", 4332, "a recorded price is -1");
}
