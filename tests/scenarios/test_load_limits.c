/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bounds and contradictions: the hostile inputs H11 to H17 and H19 of the reference on reliability,
 * numbers at and beyond each limit, and values that parse but make no sense.
 */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <string.h>

#include "scenarios/edited.h"

static ws_edited edited;

static void set_up(void)
{
    ws_edited_init(&edited, "load-limits");
}

static void tear_down(void)
{
    ws_edited_fini(&edited);
}

TestSuite(load_limits, .init = set_up, .fini = tear_down);

/* An edit of the week's text, and the one diagnostic that comes of it. Code 0: none. */
typedef struct {
    const char *find;
    const char *replace;
    int code;
} limit_case;

static void check_cases(const limit_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool good = ws_edited_load_one(&edited, cases[i].find, cases[i].replace);
        const char *printed = ws_edited_printed(&edited);

        cr_expect(eq(sz, edited.diag.count, cases[i].code == 0 ? 0 : 1), "%s\n%s", cases[i].replace,
                  printed);
        cr_expect(eq(int, good, edited.diag.error_count == 0), "%s", cases[i].replace);
        if (edited.diag.count > 0) {
            cr_expect(eq(int, edited.diag.entries[0].code, cases[i].code), "%s\n%s",
                      cases[i].replace, printed);
        }
    }
}

/* Cases of which each is an error, or none. */
#define CHECK(...)                                                                                 \
    do {                                                                                           \
        static const limit_case cases[] = {__VA_ARGS__};                                           \
        check_cases(cases, WS_COUNT_OF(cases));                                                    \
    } while (0)

Test(load_limits, numbers_of_things)
{
    CHECK({"replications: 20 ", "replications: 10000 ", 0},
          {"replications: 20 ", "replications: 10001 ", 9020},
          {"replications: 20 ", "replications: 0 ", 3107},
          {"seed: 42 ", "seed: 9007199254740991 ", 0},
          {"seed: 42 ", "seed: 9007199254740992 ", 3107}, {"seed: 42 ", "seed: -1 ", 3107},
          {"seed: 42 ", "seed: 1e3 ", 3106}, {"seed: 42 ", "seed: 0x10 ", 3102},
          {"seed: 42 ", "seed: 0o7 ", 3102}, {"seed: 42 ", "seed: 1_000 ", 3102},
          {"seed: 42 ", "seed: 18446744073709551616 ", 3107},
          {"submit: {dist: poisson, rate: 4/h,",
           "count: 1T\n      submit: {dist: poisson, rate: 4/h,", 9020},
          {"max: 24}\n      price", "max: 4294967297}\n      price", 9021},
          {"max: 24}\n      price", "max: 1250000}\n      price", 0},    /* 10^7 GPUs */
          {"max: 24}\n      price", "max: 1250001}\n      price", 9021}, /* 8 more */
          {"per_node: 8}\n      nodes", "per_node: 1025}\n      nodes", 3107});
}

Test(load_limits, times)
{
    CHECK({"horizon: 7d", "horizon: 36525d", 0}, {"horizon: 7d", "horizon: 36526d", 9022},
          {"horizon: 7d", "horizon: 0s", 3107}, {"horizon: 7d", "horizon: -5s", 3109},
          {"horizon: 7d", "horizon: nan", 3106}, {"horizon: 7d", "horizon: infs", 3106},
          {"horizon: 7d", "horizon: 1e400s", 3107}, {"horizon: 7d", "horizon: 99999999999d", 3107},
          {"horizon: 7d", "horizon: 1h -5m", 3109}, {"horizon: 7d", "horizon: 0.0000000001s", 3108},
          {"horizon: 7d", "horizon: [7d]", 2201}, {"horizon: 7d", "horizon:", 2201},
          {"every: 30m", "every: 0s", 3107},
          {"node_mtbf: {dist: weibull, shape: 0.8, mean: 30d}", "node_mtbf: 0s", 3107},
          {"node_mtbf: {dist: weibull, shape: 0.8, mean: 30d}", "node_mtbf: 1ns", 0});
}

/* 0 and a mix of currencies: H15. A billion dollars an hour for all nodes is the most. */
Test(load_limits, prices)
{
    CHECK({"per_gpu: $2.99/h", "per_gpu: $0/h", 0}, {"per_gpu: $2.99/h", "per_gpu: $-2/h", 3109},
          {"per_gpu: $2.99/h", "per_gpu: $1e308/h", 3107},
          {"per_gpu: $2.99/h", "per_gpu: $9000000000/h", 3107},
          {"per_gpu: $2.99/h", "per_node: $41666666/h", 0},    /* x 24 is 999,999,984 */
          {"per_gpu: $2.99/h", "per_node: $41666667/h", 3107}, /* x 24 is 1,000,000,008 */
          {"{per_gpu: $2.99/h, ", "{", 2102}, {"per_gpu: $2.99/h", "per_gpu: 2.99EUR/h", 0},
          {"    nodes: 12\n",
           "    nodes: 12\n    set: {\"cluster.pools[0].price.per_gpu\": 2EUR/h}\n", 3111});
}

Test(load_limits, a_second_pool_in_another_currency)
{
    cr_expect_not(
        ws_edited_load_one(&edited, "storage:\n",
                           "    - {name: b, gpu: {type: B200, per_node: 8}, nodes: {max: 1},\n"
                           "       price: {per_node: 30EUR/h}}\n\nstorage:\n"));
    cr_assert(eq(sz, edited.diag.count, 1), "%s", ws_edited_printed(&edited));
    cr_expect(ws_text_is(edited.diag.entries[0].message, "amounts are in USD and in EUR"));
}

Test(load_limits, what_is_assumed_of_prices_is_said)
{
    cr_assert(ws_edited_load_one(&edited, "per_gpu: $2.99/h", "per_gpu: $0/h"));
    cr_assert(eq(sz, edited.loaded.assumption_count, 1));
    cr_expect(ws_text_is(edited.loaded.assumptions[0], "pool h100 costs nothing"));
    cr_assert(ws_edited_load_one(&edited, "per_gpu: $2.99/h", "per_gpu: 2.99EUR/h"));
    cr_expect(ws_text_is(edited.loaded.currency, "EUR"));
    cr_expect(
        ws_text_is(edited.loaded.assumptions[0], "amounts are in EUR, also where a name says usd"));
}

/* H14: requests that always fail are a warning, since the initial nodes are there. */
Test(load_limits, nodes_that_never_start)
{
    CHECK({"fail_probability: 1%", "fail_probability: 100%", 4310},
          {"fail_probability: 1%", "fail_probability: 101%", 3105});
    cr_assert(ws_edited_load_one(&edited, "fail_probability: 1%", "fail_probability: 100%"));
    cr_expect(ws_text_is(edited.diag.entries[0].message, "no node of pool `h100` will ever start"));
}

/* H17 */
Test(load_limits, sizes)
{
    CHECK({"initial: 8, min: 2, max: 16}", "initial: 8, min: 2, max: 16, step: 0}", 3107},
          {"initial: 8, min: 2, max: 16}", "initial: 8, min: 2, max: 16, step: 2}", 0},
          {"initial: 8, min: 2, max: 16}", "initial: 8, min: 17, max: 16}", 4203},
          {"initial: 8, min: 2, max: 16}", "initial: 8, min: 9}", 4203},
          {"initial: 8, min: 2, max: 16}", "initial: 17, min: 2, max: 16}", 4203},
          {"initial: 8, min: 2, max: 16}", "initial: 8, min: 2, max: 1000001}", 3107},
          {"initial: 8, min: 2, max: 16}", "initial: 8, min: 2, sizes: [2, 8]}", 4203},
          {"initial: 8, min: 2, max: 16}", "initial: 8, step: 2, sizes: [2, 8]}", 4203},
          {"initial: 8, min: 2, max: 16}", "initial: 8, sizes: [8, 2]}", 3107},
          {"initial: 8, min: 2, max: 16}", "initial: 8, sizes: [2, 2, 8]}", 3107},
          {"initial: 8, min: 2, max: 16}", "initial: 8, sizes: [0, 8]}", 3107},
          {"initial: 8, min: 2, max: 16}", "initial: 8, sizes: [2, 4]}", 4203},
          {"initial: 8, min: 2, max: 16}", "initial: 8, sizes: 8}", 2201},
          {"elasticity: {mode: restart}", "elasticity: rigid", 4203},
          {"replicas: {max: 2}", "replicas: {min: 3, max: 2}", 4203},
          {"replicas: {max: 2}", "replicas: {max: 1}", 4203}, /* the job has 2 at least */
          {"initial: 12, min: 4, max: 24}", "initial: 1, max: 1}", 4303},
          {"per_replica: 8}\n      replicas: {", "per_replica: 12}\n      replicas: {", 4204});
}

/* A replica of 3 GPUs lies on one node of 8, which holds two: 24 nodes hold 48, not 64. */
Test(load_limits, replicas_that_do_not_fill_a_node)
{
    static const ws_edit edits[] = {
        {"gpus: {per_replica: 8}\n      replicas: {initial: 8, min: 2, max: 16}\n"
         "      elasticity: {mode: restart}",
         "gpus: {per_replica: 3}\n      replicas: {initial: 49}"},
        {"work: 4M samples, replicas: {max: 4}", "work: 4M samples"},
        {"work: 1M samples, replicas: {max: 2}", "work: 1M samples"},
    };

    cr_expect_not(ws_edited_load(
        &edited, ws_edited_apply(&edited, ws_edited_quickstart(&edited), edits, 3), NULL));
    const ws_diagnostic *found = ws_edited_found(&edited, 4303);
    cr_assert(ne(ptr, (void *)found, NULL), "%s", ws_edited_printed(&edited));
    cr_expect(
        ws_text_is(found->message, "job `pretrain` needs 147 GPUs; all pools together reach 144"));
    cr_expect(ws_text_is(found->notes[0], "h100 24 x 8 = 192, 144 of them in whole replicas of 3"));
}

Test(load_limits, work_and_rates)
{
    CHECK({"work: 4M samples", "work: 4M", 3101}, {"work: 4M samples", "work: 0 samples", 3107},
          {"work: 4M samples", "work: 4M tokens", 0}, /* the rates do not say of what */
          {"2: 118/s, 4: 231/s", "2: 118 tokens/s, 4: 231 samples/s", 4205},
          {"4: 231/s", "2.0: 231/s", 3107}, {"4: 231/s", "0: 231/s", 3107},
          {"4: 231/s", "-4: 231/s", 3109}, {"4: 231/s", "four: 231/s", 3106},
          {"4: 231/s", "4: [231/s]", 2201},
          {"      step:\n        curve: {", "      step:\n        curv: {", 2203},
          {"{name: main, work: 150M samples}", "{name: main, work: 150M samples, duration: 3h}",
           2302},
          {"{name: main, work: 150M samples}", "{name: main, duration: 3h}", 2102},
          {"{name: main, work: 150M samples}", "{name: main, duration: 0s, speedup: linear}", 3107},
          {"{name: main, work: 150M samples}", "{name: main, duration: 3h, speedup: linear}", 0},
          {"{name: main, work: 150M samples}",
           "{name: main, duration: 3h, speedup: {curve: {50%: 60%, 100%: 90%}}}", 3107},
          {"{name: main, work: 150M samples}",
           "{name: main, duration: 3h, speedup: {curve: {50%: 60%, 100%: 100%}}}", 4305},
          {"{name: main, work: 150M samples}",
           "{name: main, duration: 3h, speedup: {gustafson: 1}}", 2203});
}

/* Rates in another unit than the work's are told once a stage, here of four. */
Test(load_limits, rates_of_something_else)
{
    cr_expect_not(ws_edited_load_one(&edited,
                                     "curve: {2: 118/s, 4: 231/s, 8: 442/s, 12: 630/s, 16: 795/s}",
                                     "curve: {2: 118 tokens/s, 16: 795 tokens/s}"));
    cr_assert(eq(sz, edited.diag.count, 4), "%s", ws_edited_printed(&edited));
    cr_expect(ws_text_is(edited.diag.entries[0].message,
                         "stage `warm-up` is samples, but its rates are tokens a second"));
}

Test(load_limits, arrivals)
{
    CHECK({"rate: 4/h", "rate: 0/h", 3107}, {"rate: 4/h", "rate: 4", 3101},
          {"ratio: 6", "ratio: 0.5", 3107}, {"peak: 14h", "peak: 25h", 3107},
          {"dist: poisson", "dist: poison", 2203},
          {"submit: {dist: poisson, rate: 4/h, daily: {peak: 14h, ratio: 6}}", "submit: 3d", 0},
          {"submit: {dist: poisson, rate: 4/h, daily: {peak: 14h, ratio: 6}}", "submit: 7d", 4307},
          {"submit: {dist: poisson, rate: 4/h, daily: {peak: 14h, ratio: 6}}",
           "submit: 3d\n      count: 5", 2302});
}

Test(load_limits, checkpoints)
{
    CHECK({"checkpoint: {every: 30m, size: 94GiB}", "checkpoint: {every: 30m}", 2102},
          {"checkpoint: {every: 30m, size: 94GiB}", "checkpoint: {every: 30m, write: 5s}", 2102},
          {"checkpoint: {every: 30m, size: 94GiB}", "checkpoint: {every: 30m, write: 5s, read: 5s}",
           0},
          {"checkpoint: {every: 30m, size: 94GiB}", "checkpoint: {every: 30m, size: 8000PiB}", 0},
          {"checkpoint: {every: 30m, size: 94GiB}", "checkpoint: {every: 30m, size: 1GB, read: 5s}",
           2302},
          {"write: {bandwidth: 4GB/s,", "write: {bandwidth: 0B/s,", 3107},
          {"write: {bandwidth: 4GB/s,", "write: {bandwidth: 4GB/s, per_node: 0B/s,", 3107},
          {"storage:\n  checkpoint:\n", "storage:\n  checkpoint:\n    sharing: max\n", 2203},
          {"storage:\n  checkpoint:\n", "storage:\n  checkpoint:\n    sharing: none\n", 0});
}

/* A size needs something to go over; a map with none of its keys is a distribution. */
Test(load_limits, images_and_loads)
{
    CHECK(
        {"load: 60s", "load: {size: 28GiB}", 0}, {"load: 60s", "load: {size: 28}", 3101},
        {"load: 60s", "load: {size: 0B}", 3107}, {"load: 60s", "load: {bytes: 28GiB}", 2102},
        {"image_pull: {dist: lognormal, median: 70s, p95: 180s}", "image_pull: {size: 14GiB}",
         4104},
        {"image_pull: {dist: lognormal, median: 70s, p95: 180s}", "image_pull: {cached: 4s}", 2102},
        {"storage:\n", "registry: {bandwidth: 25Gb/s}\nstorage:\n", 0},
        {"storage:\n", "registry: {}\nstorage:\n", 2102});
}

/* Without storage a size says nothing; each of the two jobs is told. */
Test(load_limits, sizes_of_checkpoints_need_storage)
{
    cr_expect_not(ws_edited_load_one(&edited,
                                     "storage:\n  checkpoint:\n"
                                     "    write: {bandwidth: 4GB/s, latency: 20ms}\n"
                                     "    read: {bandwidth: 6GB/s, latency: 20ms}\n",
                                     ""));
    cr_assert(eq(sz, edited.diag.count, 2), "%s", ws_edited_printed(&edited));
    cr_expect(eq(int, edited.diag.entries[0].code, 4104));
    cr_expect(eq(int, edited.diag.entries[1].code, 4104));
}

/* A GPU type that no pool has is probably misspelt, and would be taken at full speed. */
Test(load_limits, types_of_gpus)
{
    CHECK({"gpus: {per_replica: 8}\n      replicas: {",
           "gpus: {per_replica: 8, types: [A100]}\n"
           "      replicas: {",
           4103},
          {"gpus: {per_replica: 8}\n      replicas: {",
           "gpus: {per_replica: 8, types: [A100, H100-SXM5-80GB]}\n      replicas: {", 4306},
          {"gpus: {per_replica: 8}\n      replicas: {",
           "gpus: {per_replica: 8, speed: {H100: 50%}}\n      replicas: {", 4306},
          {"gpus: {per_replica: 8}\n      replicas: {",
           "gpus: {per_replica: 8, speed: {H100-SXM5-80GB: 0%}}\n      replicas: {", 3107},
          {"gpus: {per_replica: 8}\n      replicas: {",
           "gpus: {per_replica: 8, speed: H100}\n      replicas: {", 2201});
}

/* H19 */
Test(load_limits, names)
{
    static const char *const names[] = {
        "../../x", "con",
        ".",       "\"\"",
        "a/b",     "\xF0\x9F\x9A\x80",
        "A",       "a234567890123456789012345678901234567890123456789012345678901234"};
    char replace[200];

    for (size_t i = 0; i < WS_COUNT_OF(names); i++) {
        (void)snprintf(replace, sizeof replace, "name: %s\ndescription", names[i]);
        cr_expect_not(ws_edited_load_one(&edited, "name: quickstart\ndescription", replace));
        cr_assert(eq(sz, edited.diag.count, 1), "%s", ws_edited_printed(&edited));
        cr_expect(eq(int, edited.diag.entries[0].code, 2205), "%s", ws_edited_printed(&edited));
    }
}

Test(load_limits, stages_pools_and_policies)
{
    CHECK({"      stages:\n        - {name: sft, duration: {dist: lognormal, median: 40m, p95: "
           "3h}}\n",
           "      stages: []\n", 9020});
}

/* Lines with a number between `before` and `after`. */
static ws_text repeated(const char *before, const char *after, size_t count)
{
    ws_text all = WS_TEXT("");

    for (size_t i = 0; i < count; i++) {
        all = ws_arena_format(&edited.arena, "%.*s%s%zu%s", WS_TEXT_ARGS(all), before, i, after);
    }
    return all;
}

Test(load_limits, many_pools)
{
    ws_text pools = repeated("    - {name: p",
                             ", gpu: {type: T, per_node: 8}, nodes: {max: 1}, "
                             "price: {per_node: $1/h}}\n",
                             64);
    ws_text all = ws_arena_format(&edited.arena, "%.*sstorage:\n", WS_TEXT_ARGS(pools));

    cr_expect_not(ws_edited_load_one(&edited, "storage:\n", all.start)); /* the 65th */
    cr_assert(ne(ptr, (void *)ws_edited_found(&edited, 9020), NULL));
    all = ws_arena_format(&edited.arena, "%sstorage:\n",
                          strchr(pools.start, '\n') + 1); /* 63 and the week's own */
    cr_expect(ws_edited_load_one(&edited, "storage:\n", all.start), "%s",
              ws_edited_printed(&edited));
}

Test(load_limits, many_policies)
{
    ws_text policies = repeated("  - {name: q", ", type: fixed, target: {pool: h100}}\n", 998);
    ws_text all = ws_arena_format(&edited.arena, "policies:\n%.*s", WS_TEXT_ARGS(policies));

    cr_expect_not(ws_edited_load_one(&edited, "policies:\n", all.start)); /* 1001 */
    all = ws_arena_format(&edited.arena, "policies:\n%s", strchr(policies.start, '\n') + 1);
    cr_expect(ws_edited_load_one(&edited, "policies:\n", all.start));
    cr_expect(eq(sz, edited.loaded.arm_count, 1000));
}

/* A long value is told with its beginning. */
Test(load_limits, long_values_are_cut_in_messages)
{
    ws_text digits = repeated("", "", 5000);
    ws_text schema = ws_arena_format(&edited.arena, "schema: %.*s", WS_TEXT_ARGS(digits));

    cr_expect_not(ws_edited_load_one(&edited, "schema: worldsize.scenario/v1", schema.start));
    cr_assert(eq(sz, edited.diag.count, 1));
    cr_expect(lt(sz, edited.diag.entries[0].message.length, 120));
}

/* ---- memory ---- */

/* However little memory there is, loading ends with a diagnostic: each bound up to the one that is
 * enough. */
Test(load_limits, memory_that_ends_anywhere)
{
    ws_text text = ws_edited_quickstart(&edited);
    size_t needed = 0;

    for (size_t bound = 1 << 12; needed == 0; bound += 20011) {
        ws_arena arena;
        ws_arena notes;
        ws_diag diag;
        ws_loaded loaded;

        ws_arena_init(&arena, &ws_allocator_default, bound);
        ws_arena_init(&notes, &ws_allocator_default, (size_t)1 << 22);
        ws_diag_init(&diag, &notes);
        bool good = ws_scenario_load(
            &loaded, &(ws_load_options){.path = "week.yaml", .content = text}, &arena, &diag);
        cr_assert(eq(int, good, diag.error_count == 0), "bound %zu", bound);
        for (size_t i = 0; i < diag.count; i++) {
            cr_expect(diag.entries[i].code == 9007 || diag.entries[i].code == 9030, "WS%d: %.*s",
                      diag.entries[i].code, WS_TEXT_ARGS(diag.entries[i].message));
        }
        needed = good ? bound : 0;
        ws_arena_reset(&arena);
        ws_arena_reset(&notes);
        cr_assert(lt(sz, bound, (size_t)64 << 20));
    }
}
