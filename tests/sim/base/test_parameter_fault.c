/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the engine says of bad maps. The texts are those of vectors/scenario/bad/NN-*.stderr in the
 * shared folder as far as one map can know them; the others follow the rules of
 * reference/ux/scenario-yaml.md, section 4, and reliability.md, H11, H12 and H19.
 */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/arena_suite.h"
#include "support/flow_document.h"
#include "support/support.h"
#include "ws/distribution.h"
#include "ws/parameter.h"
#include "ws/total.h"

WS_TEST_ARENA_SUITE(parameter_fault);

/* The tables of the vectors: just the keys of the maps that are bad there. */

typedef struct {
    const ws_document *ignored;
    ws_duration horizon;
    ws_duration time;
    ws_price price;
    double fraction;
    double bandwidth;
    int64_t number;
    int64_t bytes;
    ws_text name;
    int32_t choice;
    bool flag;
    ws_money money;
} scene;

#define ANY(key)                                                                                   \
    {                                                                                              \
        .name = (key), .kind = WS_PARAMETER_DOCUMENT, .offset = offsetof(scene, ignored)           \
    }
#define FIELD(key, what, field)                                                                    \
    .name = (key), .kind = WS_PARAMETER_##what, .offset = offsetof(scene, field)
#define TABLE(word, list)                                                                          \
    {                                                                                              \
        .noun = (word), .rows = (list), .count = WS_COUNT_OF(list), .bytes = sizeof(scene)         \
    }

static const ws_parameter scenario_rows[] = {
    ANY("schema"),
    ANY("name"),
    ANY("description"),
    ANY("seed"),
    ANY("replications"),
    {FIELD("horizon", DURATION, horizon), .required = true},
    {FIELD("warmup", DURATION, time), .default_text = "0s"},
    ANY("start"),
    ANY("cluster"),
    ANY("network"),
    ANY("storage"),
    ANY("workload"),
    {FIELD("policies", DOCUMENT, ignored), .required = true},
    ANY("compare"),
    ANY("outputs"),
};
static const ws_parameter_table scenario_table = TABLE("a scenario", scenario_rows);

static const ws_parameter nodes_rows[] = {
    {FIELD("initial", COUNT, number), .default_text = "0"},
    {FIELD("min", COUNT, number), .required = true},
    {FIELD("max", COUNT, number), .required = true},
};
static const ws_parameter_table nodes_table = TABLE("a map of nodes", nodes_rows);

static const ws_parameter link_rows[] = {{FIELD("bandwidth", BANDWIDTH, bandwidth)},
                                         {FIELD("latency", DURATION, time)}};
static const ws_parameter_table link_table = TABLE("a link", link_rows);

static const ws_parameter price_rows[] = {{FIELD("per_gpu", PRICE, price)},
                                          {FIELD("billing_increment", DURATION, time)},
                                          {FIELD("minimum", DURATION, time)}};
static const ws_parameter_table price_table = TABLE("a price", price_rows);

static const ws_parameter compare_rows[] = {
    ANY("baseline"), ANY("metrics"), ANY("thresholds"), {FIELD("confidence", FRACTION, fraction)}};
static const ws_parameter_table compare_table = TABLE("a comparison", compare_rows);

static const ws_parameter checkpoint_rows[] = {{FIELD("every", DURATION, time)},
                                               {FIELD("size", BYTES, bytes)},
                                               {FIELD("on_preempt", BOOL, flag)}};
static const ws_parameter_table checkpoint_table = TABLE("a checkpoint", checkpoint_rows);

static const char *const policy_types[] = {"static",     "hpa",    "queue", "marginal-cost",
                                           "predictive", "oracle", "exec",  NULL};
static const ws_parameter policy_rows[] = {
    {FIELD("name", NAME, name), .required = true},
    ANY("gpus"),
    {FIELD("type", CHOICE, choice), .required = true, .choices = policy_types,
     .choice_noun = "a policy type"},
};
static const ws_parameter_table policy_table = TABLE("policy", policy_rows);

static const char *const modes[] = {"malleable", "moldable", "rigid", NULL};
static const ws_parameter elasticity_rows[] = {
    {FIELD("mode", CHOICE, choice), .choices = modes,
     .choices_help =
         "`malleable` resizes while running; `moldable` picks a size once at the start; "
         "`rigid` never changes",
     .choice_noun = "an elasticity mode"},
    ANY("min"),
    ANY("max"),
    ANY("step"),
    ANY("unit"),
};
static const ws_parameter_table elasticity_table = TABLE("an elasticity", elasticity_rows);

typedef struct {
    const char *file;
    const char *needle; /* where the map begins */
    size_t skip;        /* bytes of the needle before the map */
    bool is_block;
    const char *where;
    const ws_parameter_table *table;
} vector;

static const vector vectors[] = {
    {"01-unknown-key", "schema:", 0, true, "", &scenario_table},
    {"02-unknown-nested-key", "nodes: {", 7, false, "cluster.pools[0].nodes", &nodes_table},
    {"06-unit-missing", "schema:", 0, true, "", &scenario_table},
    {"07-unit-unknown", "schema:", 0, true, "", &scenario_table},
    {"08-unit-ambiguous-case", "inter_node: {bandwidth: 400gb", 12, false, "network.inter_node",
     &link_table},
    {"09-price-without-unit", "price: {", 7, false, "cluster.pools[0].price", &price_table},
    {"11-percent-as-number", "baseline:", 0, true, "compare", &compare_table},
    {"12-yaml11-boolean", "checkpoint: {every", 12, false, "workload.jobs[0].checkpoint",
     &checkpoint_table},
    {"13-missing-required", "name: fixed-64", 0, true, "policies[0]", &policy_table},
    {"14-bad-enum", "elasticity: {", 12, false, "workload.jobs[0].elasticity", &elasticity_table},
};

/* A vector's file with a suffix, or an empty text when the shared folder is absent. */
static ws_text load_vector(const char *file, const char *suffix)
{
    char relative[256];
    char path[4096];

    (void)snprintf(relative, sizeof relative, "vectors/scenario/bad/%s%s", file, suffix);
    if (ws_test_shared(relative, path, sizeof path) == NULL) {
        cr_skip_test();
    }
    return ws_test_load(path);
}

static void check_vector(const vector *v)
{
    char name[128];
    ws_text expected = load_vector(v->file, ".stderr");
    ws_text content = load_vector(v->file, ".yaml");
    const ws_source *source = NULL;
    ws_document *map = NULL;
    size_t from = 0;
    scene object = {0};
    ws_parameter_binding binding = {.table = v->table, .object = &object};
    ws_text printed;

    (void)snprintf(name, sizeof name, "%s.yaml", v->file);
    source = ws_test_source(name, content, &arena);
    from = ws_test_offset(source, v->needle) + v->skip;
    map = v->is_block ? ws_test_block(source, from, &arena) : ws_test_flow(source, from, &arena);
    cr_assert(not(ws_parameters_read(map, ws_text_of(v->where), &binding, 1, &arena, &diag)));
    cr_assert(eq(sz, diag.count, 1), "%s", v->file);
    printed = ws_diagnostic_print(&diag.entries[0], false, &arena);
    cr_expect(eq(str, (char *)printed.start, (char *)expected.start));
    free((char *)expected.start);
    free((char *)content.start);
}

Test(parameter_fault, says_what_the_vectors_say)
{
    for (size_t i = 0; i < WS_COUNT_OF(vectors); i++) {
        ws_diag_init(&diag, &arena);
        check_vector(&vectors[i]);
    }
}

/* Reads a flow map with a table, at the top; the faults are in `diag`. */
static bool read_flow(const char *text, const ws_parameter_table *table, const char *where)
{
    scene object = {0};
    ws_parameter_binding binding = {.table = table, .object = &object};
    const ws_source *source = ws_test_source("test.yaml", ws_text_of(text), &arena);

    ws_diag_init(&diag, &arena);
    return ws_parameters_read(ws_test_flow(source, 0, &arena), ws_text_of(where), &binding, 1,
                              &arena, &diag);
}

static const char *string(ws_text text)
{
    return text.length == 0 ? "" : ws_arena_copy_text(&arena, text).start;
}

static void expect_fault(size_t index, int code, const char *message, const char *label)
{
    cr_assert(lt(sz, index, diag.count));
    cr_expect(eq(int, diag.entries[index].code, code));
    cr_expect(eq(str, (char *)string(diag.entries[index].message), (char *)message));
    cr_expect(eq(str, (char *)string(diag.entries[index].label), (char *)label));
}

static void expect_help(size_t index, const char *help)
{
    cr_assert(lt(sz, index, diag.count));
    cr_expect(eq(str, (char *)string(diag.entries[index].help), (char *)help));
}

static void expect_note(size_t index, size_t which, const char *note)
{
    cr_assert(lt(sz, index, diag.count));
    cr_expect(eq(str, (char *)string(diag.entries[index].notes[which]), (char *)note));
}

Test(parameter_fault, reports_every_fault_of_a_map)
{
    cr_assert(not(read_flow("{every: 30, size: 94, on_preempt: no, evry: 1s}", &checkpoint_table,
                            "checkpoint")));
    cr_assert(eq(sz, diag.count, 4));
    expect_fault(0, 2101, "unknown key `evry` in `checkpoint`", "not a key here");
    expect_help(0, "did you mean `every`?");
    expect_note(0, 0, "keys of `checkpoint` are `every`, `size`, `on_preempt`");
    cr_expect(eq(int, diag.entries[1].code, 3101));
    cr_expect(eq(int, diag.entries[2].code, 3101));
    expect_fault(3, 2204, "`on_preempt` is true or false", "`no` is a string in YAML 1.2");
    expect_help(3, "write `false`");
}

Test(parameter_fault, passes_over_keys_for_anchors)
{
    cr_expect(read_flow("{x-boot: {a: b}, x-: 1, every: 30m}", &checkpoint_table, ""));
    cr_expect(not(read_flow("{x_boot: 1}", &checkpoint_table, "")));
}

Test(parameter_fault, excuses_a_required_key_that_was_misspelled)
{
    cr_assert(not(read_flow("{mim: 1, max: 2}", &nodes_table, "nodes")));
    cr_expect(eq(sz, diag.count, 1));
    expect_help(0, "did you mean `min`?");
}

Test(parameter_fault, lists_the_keys_when_none_is_near)
{
    cr_assert(not(read_flow("{zebra: 1, min: 1, max: 2}", &nodes_table, "")));
    expect_fault(0, 2101, "unknown key `zebra` in a map of nodes", "not a key here");
    expect_help(0, "");
    expect_note(0, 0, "keys of this map of nodes are `initial`, `min`, `max`");
    cr_assert(not(read_flow("{zebra: 1, min: 1, max: 2}", &nodes_table, "pools[3]")));
    expect_note(0, 0, "keys of this map of nodes are `initial`, `min`, `max`");
}

Test(parameter_fault, names_what_is_missing_and_what_to_add)
{
    cr_assert(not(read_flow("{}", &nodes_table, "cluster.pools[0].nodes")));
    cr_assert(eq(sz, diag.count, 2));
    expect_fault(0, 2102, "`cluster.pools[0].nodes` has no `min`", "this map of nodes");
    expect_help(0, "add `min:`, a count such as `40k`");
    expect_fault(1, 2102, "`cluster.pools[0].nodes` has no `max`", "this map of nodes");
    cr_assert(not(read_flow("{type: hpa}", &policy_table, "policies[2]")));
    expect_fault(0, 2102, "`policies[2]` has no `name`", "this policy");
    expect_help(0, "add `name:`, a name");
    cr_assert(not(read_flow("{policies: 1}", &scenario_table, "")));
    expect_fault(0, 2102, "a scenario has no `horizon`", "this scenario");
}

Test(parameter_fault, tells_kinds_apart_once)
{
    cr_assert(not(read_flow("[1, 2]", &nodes_table, "cluster.nodes")));
    cr_assert(eq(sz, diag.count, 1));
    expect_fault(0, 2201, "`cluster.nodes` takes a map, not a list", "a list");
    cr_assert(not(read_flow("4", &scenario_table, "")));
    cr_assert(eq(sz, diag.count, 1));
    expect_fault(0, 2201, "a scenario is a map, not a single value", "a single value");
    cr_assert(not(read_flow("{every: [30m], size: {a: 1}, on_preempt: ~}", &checkpoint_table, "")));
    cr_assert(eq(sz, diag.count, 3));
    expect_fault(0, 2201, "`every` takes a time, not a list", "a list");
    expect_help(0, "write `every: 30m`");
    expect_fault(1, 2201, "`size` takes a size in bytes, not a map", "a map");
    expect_fault(2, 2201, "`on_preempt` has no value", "nothing is here");
    cr_expect(eq(int, diag.entries[2].at.column, 30)); /* the key, since there is no value */
}

Test(parameter_fault, knows_other_spellings_of_booleans)
{
    cr_assert(not(read_flow("{on_preempt: True}", &checkpoint_table, "")));
    expect_fault(0, 2204, "`on_preempt` is true or false", "only lower case is read");
    expect_help(0, "write `true`");
    cr_assert(not(read_flow("{on_preempt: \"false\"}", &checkpoint_table, "")));
    expect_fault(0, 2204, "`on_preempt` is true or false", "what stands in quotes is a string");
    expect_help(0, "write `false`");
    cr_assert(not(read_flow("{on_preempt: 1}", &checkpoint_table, "")));
    expect_fault(0, 2204, "`on_preempt` is true or false", "`1` is a number");
    cr_assert(not(read_flow("{on_preempt: maybe}", &checkpoint_table, "")));
    expect_help(0, "write `true` or `false`");
}

Test(parameter_fault, offers_a_near_choice)
{
    cr_assert(not(read_flow("{mode: maleable}", &elasticity_table, "")));
    expect_fault(0, 2203, "`maleable` is not an elasticity mode", "unknown mode");
    expect_help(0, "did you mean `malleable`?");
    cr_assert(not(read_flow("{name: a, type: 42}", &policy_table, "")));
    expect_fault(0, 2203, "`42` is not a policy type", "unknown type");
    expect_help(0, "one of `static`, `hpa`, `queue`, `marginal-cost`, `predictive`, `oracle`, "
                   "`exec`");
    expect_note(0, 0, "see `worldsize explain WS2203`");
}

/* H19: what must not become a file name. */
Test(parameter_fault, refuses_names_that_are_unsafe)
{
    static const char *const bad[][3] = {
        {"{name: ../../x, type: hpa}", "`.` is not allowed", "write `x`"},
        {"{name: con, type: hpa}", "the name of a device on some systems", ""},
        {"{name: ., type: hpa}", "`.` is not allowed", ""},
        {"{name: aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggg, type: hpa}",
         "64 characters",
         "write `aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffggg`"},
        {"{name: \"\", type: hpa}", "empty", ""},
        {"{name: a/b, type: hpa}", "`/` is not allowed", "write `a-b`"},
        {"{name: Fixed_64, type: hpa}", "`F` is not allowed", "write `fixed-64`"},
        {"{name: fast\xf0\x9f\x9a\x80, type: hpa}", "holds a character that is not allowed",
         "write `fast`"},
    };

    for (size_t i = 0; i < WS_COUNT_OF(bad); i++) {
        cr_assert(not(read_flow(bad[i][0], &policy_table, "policies[0]")));
        cr_assert(eq(sz, diag.count, 1));
        expect_fault(0, 2205, "`name` is a name of 1 to 63 letters a-z, digits and `-`", bad[i][1]);
        expect_help(0, bad[i][2]);
    }
    cr_expect(read_flow("{name: aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffggg, "
                        "type: hpa}",
                        &policy_table, ""));
    cr_expect(read_flow("{name: com0, type: hpa}", &policy_table, ""));
}

static const ws_parameter range_rows[] = {
    {FIELD("seed", INTEGER, number), .min = "0", .max = "9007199254740991"},
    {FIELD("horizon", DURATION, horizon), .min = "0s", .above_min = true, .max = "36525d"},
    {FIELD("step", COUNT, number), .min = "1"},
    {FIELD("share", NUMBER, fraction), .max = "2.5"},
};
static const ws_parameter_table range_table = TABLE("a range", range_rows);

Test(parameter_fault, names_the_range)
{
    cr_assert(not(read_flow("{seed: 9007199254740992, step: 0, share: 3}", &range_table, "")));
    cr_assert(eq(sz, diag.count, 3));
    expect_fault(0, 3107, "`seed` is between 0 and 9007199254740991",
                 "9007199254740992 is more than 9007199254740991");
    expect_fault(1, 3107, "`step` is at least 1", "0 is less than 1");
    expect_fault(2, 3107, "`share` is at most 2.5", "3 is more than 2.5");
    cr_assert(not(read_flow("{horizon: 0s, seed: -1}", &range_table, "")));
    expect_fault(0, 3107, "`seed` is between 0 and 9007199254740991", "-1 is less than 0");
    expect_fault(1, 3107, "`horizon` is more than 0s and at most 36525d", "0s is not more than 0s");
    cr_assert(not(read_flow("{horizon: 36526d}", &range_table, "")));
    expect_fault(0, 3107, "`horizon` is more than 0s and at most 36525d",
                 "36526d is more than 36525d");
    cr_expect(read_flow("{seed: 9007199254740991, step: 1, share: 2.5, horizon: 36525d}",
                        &range_table, ""));
    cr_expect(read_flow("{seed: 0, horizon: 0.000000001s}", &range_table, ""));
}

/* H11: whatever is no whole number is told the range. */
Test(parameter_fault, tells_the_range_with_what_is_no_number)
{
    static const char *const bad[] = {
        "{seed: 1e3}",   "{seed: 0x10}",         "{seed: 0o7}",
        "{seed: 1_000}", "{seed: \xef\xbc\x99}", "{seed: 99999999999999999999999999999999999}",
        "{seed: 1.5}"};

    static const char range[] = "`seed` is between 0 and 9007199254740991";

    for (size_t i = 0; i < WS_COUNT_OF(bad); i++) {
        bool has_range = false;

        cr_assert(not(read_flow(bad[i], &range_table, "")), "%s", bad[i]);
        cr_assert(eq(sz, diag.count, 1), "%s", bad[i]);
        cr_expect(eq(int, diag.entries[0].code / 1000, 3));
        has_range = ws_text_is(diag.entries[0].message, range) ||
                    ws_text_is(diag.entries[0].notes[0], range) ||
                    ws_text_is(diag.entries[0].notes[1], range);
        cr_expect(has_range, "%s", bad[i]);
    }
}

Test(parameter_fault, wants_whole_numbers_in_digits)
{
    cr_assert(not(read_flow("{seed: 1e3}", &range_table, "")));
    expect_fault(0, 3106, "`seed` is a whole number, but `1e3` is not written as one",
                 "not digits alone");
    expect_help(0, "write `1000`");
    cr_expect(read_flow("{seed: +7}", &range_table, ""));
}

/* H12: never infinite, never zero by rounding. */
Test(parameter_fault, refuses_times_that_are_none)
{
    static const char *const bad[] = {"{horizon: 1e400s}",        "{horizon: infs}",
                                      "{horizon: nan}",           "{horizon: -5s}",
                                      "{horizon: 99999999999d}",  "{horizon: 1h -5m}",
                                      "{horizon: 0.0000000001s}", "{horizon: 0s}"};

    for (size_t i = 0; i < WS_COUNT_OF(bad); i++) {
        cr_assert(not(read_flow(bad[i], &range_table, "")), "%s", bad[i]);
        cr_assert(eq(sz, diag.count, 1), "%s", bad[i]);
        cr_expect(eq(int, diag.entries[0].code / 100, 31), "%s", bad[i]);
    }
}

Test(parameter_fault, says_where_an_anchored_value_is_used)
{
    const ws_source *source = ws_test_source("test.yaml", WS_TEXT("{on_preempt: yes}"), &arena);
    ws_document *map = ws_test_flow(source, 0, &arena);
    scene object = {0};
    ws_parameter_binding binding = {.table = &checkpoint_table, .object = &object};

    map->alias = WS_TEXT("cloud-boot");
    map->alias_at = (ws_span){.source = source, .line = 29, .column = 1, .length = 1};
    cr_assert(not(ws_parameters_read(map, WS_TEXT("checkpoint"), &binding, 1, &arena, &diag)));
    expect_note(0, 0, "used at line 29 through *cloud-boot");
}

static const ws_parameter inner_rows[] = {{FIELD("spares", COUNT, number), .default_text = "0"},
                                          {FIELD("target", COUNT, bytes), .required = true}};
static const ws_parameter_table inner_table = TABLE("a map of nodes", inner_rows);

typedef struct {
    scene nodes;
    ws_list jobs;
    ws_list sizes;
    ws_text path;
    ws_text text;
    ws_timestamp start;
    ws_distribution repair;
} outer;

static const ws_parameter outer_rows[] = {
    {.name = "nodes",
     .kind = WS_PARAMETER_MAP,
     .offset = offsetof(outer, nodes),
     .table = &inner_table},
    {.name = "jobs",
     .kind = WS_PARAMETER_MAP_LIST,
     .offset = offsetof(outer, jobs),
     .table = &policy_table},
    {.name = "sizes",
     .kind = WS_PARAMETER_INTEGER_LIST,
     .offset = offsetof(outer, sizes),
     .min = "1"},
    {.name = "file", .kind = WS_PARAMETER_PATH, .offset = offsetof(outer, path)},
    {.name = "title", .kind = WS_PARAMETER_TEXT, .offset = offsetof(outer, text)},
    {.name = "start", .kind = WS_PARAMETER_TIMESTAMP, .offset = offsetof(outer, start)},
    {.name = "repair",
     .kind = WS_PARAMETER_DISTRIBUTION,
     .offset = offsetof(outer, repair),
     .min = "0s",
     .above_min = true},
};
static const ws_parameter_table outer_table = {
    .noun = "pool", .rows = outer_rows, .count = WS_COUNT_OF(outer_rows), .bytes = sizeof(outer)};

static bool read_outer(const char *text)
{
    outer object = {.path = {0}};
    ws_parameter_binding binding = {.table = &outer_table, .object = &object};
    const ws_source *source = ws_test_source("test.yaml", ws_text_of(text), &arena);

    ws_diag_init(&diag, &arena);
    return ws_parameters_read(ws_test_flow(source, 0, &arena), WS_TEXT("pools[1]"), &binding, 1,
                              &arena, &diag);
}

Test(parameter_fault, points_at_the_map_around_an_absent_one)
{
    cr_assert(not(read_outer("{file: a.csv}")));
    cr_assert(eq(sz, diag.count, 1));
    expect_fault(0, 2102, "`pools[1].nodes` has no `target`", "this pool");
    cr_expect(eq(int, diag.entries[0].at.column, 1));
    cr_assert(not(read_outer("{file: a.csv, nodes: }")));
    expect_fault(0, 2102, "`pools[1].nodes` has no `target`", "this map of nodes");
    cr_expect(eq(int, diag.entries[0].at.column, 15));
}

Test(parameter_fault, says_once_where_an_anchored_distribution_is_used)
{
    const ws_source *source =
        ws_test_source("test.yaml", WS_TEXT("{nodes: {target: 1}, repair: {dist: zebra}}"), &arena);
    ws_document *map = ws_test_flow(source, 0, &arena);
    ws_document *repair = ws_document_find(map, "repair");
    outer object = {.path = {0}};
    ws_parameter_binding binding = {.table = &outer_table, .object = &object};

    repair->alias = WS_TEXT("slow");
    repair->alias_at = (ws_span){.source = source, .line = 7, .column = 1, .length = 1};
    cr_assert(not(ws_parameters_read(map, WS_TEXT(""), &binding, 1, &arena, &diag)));
    cr_assert(eq(sz, diag.count, 1));
    cr_expect(eq(int, diag.entries[0].code, 2203));
    cr_expect(eq(int,
                 ws_text_is(diag.entries[0].notes[0], "used at line 7 through *slow") +
                     ws_text_is(diag.entries[0].notes[1], "used at line 7 through *slow"),
                 1));
}

Test(parameter_fault, knows_a_key_that_belongs_one_level_deeper)
{
    cr_assert(not(read_outer("{nodes: {target: 1}, spares: 2}")));
    cr_assert(eq(sz, diag.count, 1));
    expect_fault(0, 2101, "unknown key `spares` in `pools[1]`", "not a key here");
    expect_help(0, "`spares` belongs under `nodes`");
}

Test(parameter_fault, writes_the_path_of_entries)
{
    cr_assert(
        not(read_outer("{nodes: {target: 1}, jobs: [{name: a, type: hpa}, {name: b, typ: hpa}, "
                       "c, {name: d}]}")));
    cr_assert(eq(sz, diag.count, 3));
    expect_fault(0, 2101, "unknown key `typ` in `pools[1].jobs[1]`", "not a key here");
    expect_fault(1, 2201, "`pools[1].jobs[2]` takes a map, not a single value", "a single value");
    expect_fault(2, 2102, "policy `d` has no `type`", "this policy");
    cr_assert(not(read_outer("{nodes: {target: 1}, jobs: {name: a, type: hpa}}")));
    expect_fault(0, 2201, "`jobs` takes a list of maps, not a map", "a map");
    expect_help(0, "begin each entry with `- `");
}

Test(parameter_fault, checks_each_element_of_a_list)
{
    cr_assert(not(read_outer("{nodes: {target: 1}, sizes: [8, 0, x, [1], ~]}")));
    cr_assert(eq(sz, diag.count, 4));
    expect_fault(0, 3107, "`sizes` is at least 1", "0 is less than 1");
    cr_expect(eq(int, diag.entries[0].at.column, 33));
    cr_expect(eq(int, diag.entries[1].code, 3106));
    expect_fault(2, 2201, "`sizes` takes a whole number, not a list", "a list");
    expect_fault(3, 2201, "`sizes` has no value", "nothing is here");
    cr_expect(read_outer("{nodes: {target: 1}, sizes: 8}"));
    cr_expect(read_outer("{nodes: {target: 1}, sizes: []}"));
}

Test(parameter_fault, refuses_texts_that_a_terminal_would_obey)
{
    cr_assert(not(read_outer("{nodes: {target: 1}, title: \"a\x1b[31m\"}")));
    expect_fault(0, 1305, "`title` holds a character that cannot be shown", "`\\x1b` is in it");
    cr_assert(not(read_outer("{nodes: {target: 1}, title: \"a\xe2\x80\xae\"}")));
    expect_fault(0, 1305, "`title` holds a character that cannot be shown", "`\\u202e` is in it");
    cr_assert(not(read_outer("{nodes: {target: 1}, file: \"a\tb\"}")));
    cr_expect(eq(int, diag.entries[0].code, 1305));
    cr_assert(not(read_outer("{nodes: {target: 1}, file: \"\"}")));
    expect_fault(0, 2201, "`file` has no value", "nothing is here");
    cr_expect(read_outer("{nodes: {target: 1}, title: \"a\tb\nc \xc3\xa9 \\\", file: a b}"));
}

Test(parameter_fault, says_what_is_wrong_with_a_point_in_time)
{
    cr_assert(not(read_outer("{nodes: {target: 1}, start: 2017-02-29}")));
    expect_fault(0, 3110, "`start` is a date and time", "no such day in that month");
    expect_help(0, "write it like `2026-01-05T00:00:00Z`");
    cr_assert(not(read_outer("{nodes: {target: 1}, start: 05.01.2026}")));
    expect_fault(0, 3110, "`start` is a date and time", "not a date such as 2026-01-05");
}

Test(parameter_fault, holds_the_mean_of_a_distribution_against_the_range)
{
    cr_assert(not(read_outer("{nodes: {target: 1}, repair: 0s}")));
    expect_fault(0, 3107, "`repair` is more than 0s", "0s is not more than 0s");
    cr_assert(not(read_outer("{nodes: {target: 1}, repair: {dist: constant, value: 0s}}")));
    expect_fault(0, 3107, "`repair` is more than 0s", "its mean is not more than 0s");
    cr_assert(not(read_outer("{nodes: {target: 1}, repair: [1s]}")));
    expect_fault(0, 2201, "`repair` takes a time or a distribution of times, not a list", "a list");
    cr_assert(not(read_outer("{nodes: {target: 1}, repair: 5}")));
    cr_expect(eq(int, diag.entries[0].code, 3101));
    cr_expect(read_outer("{nodes: {target: 1}, repair: {dist: exponential, mean: 90d}}"));
}
