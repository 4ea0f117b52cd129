/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What good maps read as, what defaults do to structures and documents, and the table for the
 * manual. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "support/arena_suite.h"
#include "support/flow_document.h"
#include "ws/distribution.h"
#include "ws/parameter.h"
#include "ws/quantity.h"
#include "ws/total.h"

WS_TEST_ARENA_SUITE(parameter);

/* One row of every kind. */

typedef struct {
    int64_t min;
    int64_t max;
} range;

typedef struct {
    const ws_document *self;
    bool flag;
    int64_t integer;
    int64_t count;
    double number;
    double fraction;
    double percent;
    ws_duration duration;
    int64_t bytes;
    double bandwidth;
    ws_price price;
    double volume_price;
    ws_money money;
    double rate;
    ws_work work;
    double work_rate;
    double per_work;
    ws_text name;
    ws_text text;
    ws_text path;
    ws_timestamp timestamp;
    int32_t choice;
    ws_distribution distribution;
    range map;
    range *optional;
    ws_list maps;
    ws_list names;
    ws_list texts;
    ws_list integers;
    ws_list numbers;
    const ws_document *document;
    bool has_duration;
} everything;

static const ws_parameter range_rows[] = {
    {.name = "min", .kind = WS_PARAMETER_COUNT, .offset = offsetof(range, min)},
    {.name = "max", .kind = WS_PARAMETER_COUNT, .offset = offsetof(range, max)},
};
static const ws_parameter_table range_table = {.noun = "a range",
                                               .rows = range_rows,
                                               .count = WS_COUNT_OF(range_rows),
                                               .bytes = sizeof(range),
                                               .scalar_key = "max"};

static const char *const colours[] = {"red", "green", "blue", NULL};

#define ROW(key, what)                                                                             \
    .name = #key, .kind = WS_PARAMETER_##what, .offset = offsetof(everything, key)

static const ws_parameter everything_rows[] = {
    {.kind = WS_PARAMETER_SELF, .offset = offsetof(everything, self)},
    {ROW(flag, BOOL)},
    {ROW(integer, INTEGER)},
    {ROW(count, COUNT)},
    {ROW(number, NUMBER)},
    {ROW(fraction, FRACTION)},
    {ROW(percent, PERCENT)},
    {ROW(duration, DURATION), .present_offset = offsetof(everything, has_duration)},
    {ROW(bytes, BYTES)},
    {ROW(bandwidth, BANDWIDTH)},
    {ROW(price, PRICE)},
    {ROW(volume_price, VOLUME_PRICE)},
    {ROW(money, MONEY)},
    {ROW(rate, RATE)},
    {ROW(work, WORK)},
    {ROW(work_rate, WORK_RATE)},
    {ROW(per_work, PER_WORK)},
    {ROW(name, NAME)},
    {ROW(text, TEXT)},
    {ROW(path, PATH)},
    {ROW(timestamp, TIMESTAMP)},
    {ROW(choice, CHOICE), .choices = colours},
    {ROW(distribution, DISTRIBUTION)},
    {ROW(map, MAP), .table = &range_table},
    {ROW(optional, OPTIONAL_MAP), .table = &range_table},
    {ROW(maps, MAP_LIST), .table = &range_table},
    {ROW(names, NAME_LIST)},
    {ROW(texts, TEXT_LIST)},
    {ROW(integers, INTEGER_LIST)},
    {ROW(numbers, NUMBER_LIST)},
    {ROW(document, DOCUMENT)},
};
static const ws_parameter_table everything_table = {.noun = "a thing",
                                                    .rows = everything_rows,
                                                    .count = WS_COUNT_OF(everything_rows),
                                                    .bytes = sizeof(everything)};

static ws_document *flow(const char *text)
{
    return ws_test_flow(ws_test_source("test.yaml", ws_text_of(text), &arena), 0, &arena);
}

static void read_everything(const char *text, everything *object)
{
    ws_parameter_binding binding = {.table = &everything_table, .object = object};

    cr_assert(ws_parameters_read(flow(text), WS_TEXT(""), &binding, 1, &arena, &diag));
    cr_assert(eq(sz, diag.count, 0));
}

Test(parameter, reads_quantities_into_their_units)
{
    everything it = {.flag = false};

    read_everything(
        "{flag: true, integer: -8, count: 0.5M, number: -1.5e-3, fraction: 12%, percent: 250%, "
        "duration: 1h30m, bytes: 14GiB, bandwidth: 400Gb/s, price: $2.99/h, volume_price: "
        "$0.10/GiB/month, money: $20000, "
        "rate: 6/h, work: 0.5M samples, work_rate: 640 samples/s, per_work: 310ms/sample}",
        &it);
    cr_expect(it.flag);
    cr_expect(eq(i64, it.integer, -8));
    cr_expect(eq(i64, it.count, 500000));
    cr_expect(eq(dbl, it.number, -0.0015));
    cr_expect(eq(dbl, it.fraction, 0.12));
    cr_expect(eq(dbl, it.percent, 2.5));
    cr_expect(eq(i64, it.duration.ns, 5400 * INT64_C(1000000000)));
    cr_expect(eq(i64, it.bytes, 14 * INT64_C(1073741824)));
    cr_expect(eq(dbl, it.bandwidth, 50e9));
    cr_expect(eq(i64, it.price.nano_per_h, INT64_C(2990000000)));
    cr_expect(eq(dbl, it.volume_price, 0.1));
    cr_expect(it.money.nano == INT64_C(20000) * 1000000000);
    cr_expect(ieee_ulp_eq(dbl, it.rate, 6.0 / 3600.0, 1));
    cr_expect(eq(dbl, it.work.amount, 500000.0));
    cr_expect(eq(int, it.work.unit, WS_WORK_SAMPLES));
    cr_expect(eq(dbl, it.work_rate, 640.0));
    cr_expect(eq(dbl, it.per_work, 0.31));
    cr_expect(it.has_duration);
}

Test(parameter, reads_texts_choices_and_times)
{
    everything it = {.flag = false};

    read_everything("{name: h100-od, text: \"two words\", path: ../jobs.csv, timestamp: "
                    "2026-01-05T01:00:00+01:00, "
                    "choice: blue, distribution: 90s, document: {a: [b]}}",
                    &it);
    cr_expect(ws_text_is(it.name, "h100-od"));
    cr_expect(ws_text_is(it.text, "two words"));
    cr_expect(ws_text_is(it.path, "../jobs.csv"));
    cr_expect(eq(i64, it.timestamp.unix_s, 1767571200));
    cr_expect(it.timestamp.given && it.timestamp.has_zone);
    cr_expect(eq(int, it.choice, 2));
    cr_expect(eq(int, (int)it.distribution.family, WS_DISTRIBUTION_CONSTANT));
    cr_expect(eq(dbl, ws_distribution_mean(&it.distribution), 90.0));
    cr_assert(it.document != NULL);
    cr_expect(eq(int, (int)it.document->kind, WS_DOCUMENT_MAP));
    cr_expect(ws_document_find(it.self, "document") == it.document);
    cr_expect(not(it.has_duration));
}

Test(parameter, reads_maps_and_lists)
{
    everything it = {.flag = false};
    const range *ranges = NULL;

    read_everything("{map: {min: 1, max: 2}, optional: {max: 3}, maps: [{min: 4}, {max: 5}, 6], "
                    "names: [a, b-c], "
                    "texts: [\"x y\", H100], integers: [8, -16], numbers: [0.5]}",
                    &it);
    cr_expect(eq(i64, it.map.min, 1));
    cr_expect(eq(i64, it.map.max, 2));
    cr_assert(it.optional != NULL);
    cr_expect(eq(i64, it.optional->max, 3));
    cr_assert(eq(sz, it.maps.count, 3));
    ranges = it.maps.items;
    cr_expect(eq(i64, ranges[0].min, 4));
    cr_expect(eq(i64, ranges[1].max, 5));
    cr_expect(eq(i64, ranges[2].max, 6)); /* a scalar stands for a map with its key `max` */
    cr_assert(eq(sz, it.names.count, 2));
    cr_expect(ws_text_is(((const ws_text *)it.names.items)[1], "b-c"));
    cr_assert(eq(sz, it.texts.count, 2));
    cr_expect(ws_text_is(((const ws_text *)it.texts.items)[0], "x y"));
    cr_assert(eq(sz, it.integers.count, 2));
    cr_expect(eq(i64, ((const int64_t *)it.integers.items)[1], -16));
    cr_assert(eq(sz, it.numbers.count, 1));
    cr_expect(eq(dbl, ((const double *)it.numbers.items)[0], 0.5));
}

Test(parameter, leaves_absent_keys_at_zero)
{
    everything it = {.flag = false};

    read_everything("{}", &it);
    cr_expect(it.self != NULL);
    it.self = NULL;
    cr_expect(it.optional == NULL && it.document == NULL && it.maps.items == NULL);
    cr_expect(not(it.timestamp.given));
    cr_expect(eq(i64, it.duration.ns, 0));
    cr_expect(eq(sz, it.names.count, 0));
}

Test(parameter, takes_a_single_name_for_a_list_of_one)
{
    everything it = {.flag = false};

    read_everything("{names: solo, integers: 7, maps: []}", &it);
    cr_assert(eq(sz, it.names.count, 1));
    cr_expect(ws_text_is(((const ws_text *)it.names.items)[0], "solo"));
    cr_assert(eq(sz, it.integers.count, 1));
    cr_expect(eq(i64, ((const int64_t *)it.integers.items)[0], 7));
    cr_expect(eq(sz, it.maps.count, 0));
}

Test(parameter, makes_a_map_of_a_scalar_in_the_document)
{
    everything it = {.flag = false};
    ws_parameter_binding binding = {.table = &everything_table, .object = &it};
    ws_document *map = flow("{map: 7}");
    const ws_document *made = NULL;

    cr_assert(ws_parameters_read(map, WS_TEXT(""), &binding, 1, &arena, &diag));
    made = ws_document_find(map, "map");
    cr_assert(eq(int, (int)made->kind, WS_DOCUMENT_MAP));
    cr_assert(eq(sz, made->count, 1));
    cr_expect(ws_text_is(made->entries[0].key, "max"));
    cr_expect(ws_text_is(made->entries[0].value->scalar, "7"));
    cr_expect(eq(int, made->entries[0].value->at.column, 7));
    cr_expect(eq(i64, it.map.max, 7));
}

/* Defaults. */

typedef struct {
    int64_t spares;
    ws_duration window;
} inner;

typedef struct {
    ws_text name;
    ws_duration every;
    bool has_every;
    inner nodes;
    inner *spot;
    range bare;
    int32_t colour;
    ws_list names;
    ws_list sizes;
    ws_timestamp start;
    ws_distribution boot;
    bool is_shared;
} outer;

static const ws_parameter inner_rows[] = {
    {.name = "spares",
     .kind = WS_PARAMETER_COUNT,
     .offset = offsetof(inner, spares),
     .default_text = "2",
     .min = "1",
     .max = "10",
     .help = "Nodes that stand by."},
    {.name = "window",
     .kind = WS_PARAMETER_DURATION,
     .offset = offsetof(inner, window),
     .default_text = "1m",
     .min = "0s",
     .above_min = true,
     .help = "Mean over this | that."},
};
static const ws_parameter_table inner_table = {
    .noun = "nodes", .rows = inner_rows, .count = WS_COUNT_OF(inner_rows), .bytes = sizeof(inner)};

static const ws_parameter outer_rows[] = {
    {.name = "name",
     .kind = WS_PARAMETER_NAME,
     .offset = offsetof(outer, name),
     .required = true,
     .help = "What it is called."},
    {.name = "every",
     .kind = WS_PARAMETER_DURATION,
     .offset = offsetof(outer, every),
     .default_text = "30m",
     .present_offset = offsetof(outer, has_every)},
    {.name = "nodes",
     .kind = WS_PARAMETER_MAP,
     .offset = offsetof(outer, nodes),
     .table = &inner_table},
    {.name = "spot",
     .kind = WS_PARAMETER_OPTIONAL_MAP,
     .offset = offsetof(outer, spot),
     .table = &inner_table},
    {.name = "bare",
     .kind = WS_PARAMETER_MAP,
     .offset = offsetof(outer, bare),
     .table = &range_table},
    {.name = "colour",
     .kind = WS_PARAMETER_CHOICE,
     .offset = offsetof(outer, colour),
     .choices = colours,
     .default_text = "green"},
    {.name = "names",
     .kind = WS_PARAMETER_NAME_LIST,
     .offset = offsetof(outer, names),
     .default_text = "[cost, jct-p95]"},
    {.name = "sizes",
     .kind = WS_PARAMETER_INTEGER_LIST,
     .offset = offsetof(outer, sizes),
     .default_text = "[]"},
    {.name = "start",
     .kind = WS_PARAMETER_TIMESTAMP,
     .offset = offsetof(outer, start),
     .default_text = "2017-10-06"},
    {.name = "boot",
     .kind = WS_PARAMETER_DISTRIBUTION,
     .offset = offsetof(outer, boot),
     .default_text = "95s"},
    {.name = "is_shared",
     .kind = WS_PARAMETER_BOOL,
     .offset = offsetof(outer, is_shared),
     .default_text = "true"},
};
static const ws_parameter_table outer_table = {
    .noun = "pool", .rows = outer_rows, .count = WS_COUNT_OF(outer_rows), .bytes = sizeof(outer)};

static void expect_outer_defaults(const outer *it)
{
    cr_expect(eq(i64, it->nodes.window.ns, 60 * WS_NS_PER_S));
    cr_expect(it->spot == NULL);
    cr_expect(eq(int, it->colour, 1));
    cr_assert(eq(sz, it->names.count, 2));
    cr_expect(ws_text_is(((const ws_text *)it->names.items)[0], "cost"));
    cr_expect(ws_text_is(((const ws_text *)it->names.items)[1], "jct-p95"));
    cr_expect(eq(sz, it->sizes.count, 0));
    cr_expect(eq(i64, it->start.unix_s, 1507248000));
    cr_expect(not(it->start.has_zone));
    cr_expect(eq(dbl, ws_distribution_mean(&it->boot), 95.0));
    cr_expect(it->is_shared);
}

Test(parameter, fills_defaults_without_a_document)
{
    outer it = {.has_every = false};

    cr_assert(ws_parameters_default(&outer_table, &it, &arena));
    cr_expect(eq(i64, it.every.ns, 1800 * WS_NS_PER_S));
    cr_expect(eq(i64, it.nodes.spares, 2));
    cr_expect(eq(sz, it.name.length, 0));
    expect_outer_defaults(&it);
}

Test(parameter, says_when_a_default_of_the_table_is_bad)
{
    static const ws_parameter rows[] = {{.name = "window",
                                         .kind = WS_PARAMETER_DURATION,
                                         .offset = offsetof(inner, window),
                                         .default_text = "5"}};
    static const ws_parameter_table table = {
        .noun = "a bad table", .rows = rows, .count = 1, .bytes = sizeof(inner)};
    inner it = {.spares = 0};

    cr_expect(not(ws_parameters_default(&table, &it, &arena)));
}

static void expect_key(const ws_document *map, size_t index, const char *key, const char *scalar,
                       const char *origin)
{
    cr_assert(lt(sz, index, map->count));
    cr_expect(ws_text_is(map->entries[index].key, key), "key %zu is not %s", index, key);
    cr_expect(ws_text_is(map->entries[index].value->scalar, scalar), "%s", key);
    cr_expect(ws_text_is(map->entries[index].value->origin, origin), "%s", key);
}

Test(parameter, puts_defaults_behind_what_is_given)
{
    outer it = {.has_every = false};
    ws_parameter_binding binding = {.table = &outer_table, .object = &it};
    ws_document *map = flow("{is_shared: true, x-note: 1, nodes: {window: 1m}, name: a}");
    const ws_document *nodes = NULL;

    cr_assert(ws_parameters_read(map, WS_TEXT("pools[0]"), &binding, 1, &arena, &diag));
    expect_outer_defaults(&it);
    cr_assert(eq(sz, map->count, 10)); /* spot and the bare map stay away */
    expect_key(map, 0, "is_shared", "true", "");
    expect_key(map, 1, "x-note", "1", "");
    expect_key(map, 2, "nodes", "", "");
    expect_key(map, 3, "name", "a", "");
    expect_key(map, 4, "every", "30m", "default");
    expect_key(map, 5, "colour", "green", "default");
    expect_key(map, 6, "names", "", "default");
    expect_key(map, 7, "sizes", "", "default");
    expect_key(map, 8, "start", "2017-10-06", "default");
    expect_key(map, 9, "boot", "95s", "default");
    nodes = map->entries[2].value;
    expect_key(nodes, 0, "window", "1m", "");
    expect_key(nodes, 1, "spares", "2", "default");
    cr_expect(not(it.has_every));
}

Test(parameter, makes_and_fills_absent_maps)
{
    outer it = {.has_every = false};
    ws_parameter_binding binding = {.table = &outer_table, .object = &it};
    ws_document *map = flow("{name: a, every: 30m, spot: }");
    const ws_document *nodes = NULL;

    cr_assert(ws_parameters_read(map, WS_TEXT(""), &binding, 1, &arena, &diag));
    cr_expect(it.has_every);
    nodes = ws_document_find(map, "nodes");
    cr_assert(nodes != NULL);
    cr_expect(ws_text_is(nodes->origin, "default"));
    expect_key(nodes, 0, "spares", "2", "default");
    expect_key(nodes, 1, "window", "1m", "default");
    cr_assert(it.spot != NULL); /* an empty map is given, so it is filled */
    cr_expect(eq(i64, it.spot->spares, 2));
    cr_expect(eq(int, (int)ws_document_find(map, "spot")->kind, WS_DOCUMENT_MAP));
}

Test(parameter, reads_a_resolved_document_as_the_same)
{
    outer first = {.has_every = false};
    outer second = {.has_every = false};
    ws_parameter_binding one = {.table = &outer_table, .object = &first};
    ws_parameter_binding two = {.table = &outer_table, .object = &second};
    ws_document *map = flow("{name: a}");
    size_t count = 0;

    cr_assert(ws_parameters_read(map, WS_TEXT(""), &one, 1, &arena, &diag));
    count = map->count;
    cr_assert(ws_parameters_read(map, WS_TEXT(""), &two, 1, &arena, &diag));
    cr_expect(eq(sz, map->count, count));
    cr_expect(not(second.has_every)); /* what the first reading put in was not given */
    cr_expect(eq(i64, second.every.ns, first.every.ns));
    expect_outer_defaults(&second);
}

Test(parameter, reads_one_map_through_several_tables)
{
    outer arm = {.has_every = false};
    inner own = {.spares = 0};
    ws_parameter_binding bindings[] = {{.table = &outer_table, .object = &arm},
                                       {.table = &inner_table, .object = &own}};
    ws_document *map = flow("{name: a, spares: 3, colour: red}");

    cr_assert(ws_parameters_read(map, WS_TEXT("policies[0]"), bindings, 2, &arena, &diag));
    cr_expect(eq(i64, own.spares, 3));
    cr_expect(eq(i64, own.window.ns, 60 * WS_NS_PER_S));
    cr_expect(eq(int, arm.colour, 0));
    cr_expect(ws_document_find(map, "window") != NULL);
}

Test(parameter, reads_an_empty_value_as_an_empty_map)
{
    inner it = {.spares = 0};
    ws_parameter_binding binding = {.table = &inner_table, .object = &it};
    ws_document *map = flow("~");

    cr_assert(ws_parameters_read(map, WS_TEXT("nodes"), &binding, 1, &arena, &diag));
    cr_expect(eq(i64, it.spares, 2));
    cr_expect(eq(sz, map->count, 2));
}

/* A map may stand in a list's place where a row says so; a list then leaves it alone, and the other
 * way. */

typedef struct {
    ws_list ranges;
    const ws_document *named;
} either;

static const ws_parameter either_rows[] = {{.name = "ranges",
                                            .kind = WS_PARAMETER_MAP_LIST,
                                            .offset = offsetof(either, ranges),
                                            .map_offset = offsetof(either, named),
                                            .table = &inner_table,
                                            .help = "Some."}};
static const ws_parameter_table either_table = {.noun = "either",
                                                .rows = either_rows,
                                                .count = WS_COUNT_OF(either_rows),
                                                .bytes = sizeof(either)};

Test(parameter, takes_a_map_in_a_lists_place_where_the_row_says_so)
{
    either it = {.named = NULL};
    ws_parameter_binding binding = {.table = &either_table, .object = &it};

    cr_assert(
        ws_parameters_read(flow("{ranges: {a: {b: c}}}"), WS_TEXT(""), &binding, 1, &arena, &diag));
    cr_expect(eq(sz, it.ranges.count, 0));
    cr_assert(it.named != NULL);
    cr_expect(ws_text_is(it.named->entries[0].key, "a"));
    it = (either){.named = NULL};
    cr_assert(
        ws_parameters_read(flow("{ranges: [{}, {}]}"), WS_TEXT(""), &binding, 1, &arena, &diag));
    cr_expect(eq(sz, it.ranges.count, 2));
    cr_expect(it.named == NULL);
    cr_expect(
        not(ws_parameters_read(flow("{ranges: 7}"), WS_TEXT(""), &binding, 1, &arena, &diag)));
    cr_expect(eq(int, diag.entries[0].code, 2201));
}

/* Memory: whichever allocation fails, reading says no or is right, and nothing else. */

typedef struct {
    size_t left; /* allocations that succeed */
} meagre;

static void *meagre_allocate(void *context, size_t bytes)
{
    meagre *it = context;

    if (it->left == 0) {
        return NULL;
    }
    it->left--;
    return malloc(bytes);
}

static void meagre_release(void *context, void *memory, size_t bytes)
{
    (void)context;
    (void)bytes;
    free(memory);
}

static bool read_within(size_t bytes, size_t allocations)
{
    meagre supply = {.left = allocations};
    ws_allocator allocator = {
        .context = &supply, .allocate = meagre_allocate, .release = meagre_release};
    ws_arena small;
    ws_diag found;
    outer it = {.has_every = false};
    ws_parameter_binding binding = {.table = &outer_table, .object = &it};
    ws_document *map = flow("{name: a, nodes: {}, spot: {spares: 4}, zebra: 1, colour: grey}");
    bool is_read = false;

    ws_document_remove(map, bytes % 2 == 0 ? WS_TEXT("zebra") : WS_TEXT("-"));
    ws_document_remove(map, bytes % 2 == 0 ? WS_TEXT("colour") : WS_TEXT("-"));
    ws_arena_init(&small, &allocator, bytes);
    ws_diag_init(&found, &small);
    is_read = ws_parameters_read(map, WS_TEXT("a"), &binding, 1, &small, &found);
    cr_expect(eq(int, is_read, !ws_diag_has_errors(&found)));
    ws_arena_reset(&small);
    return is_read;
}

Test(parameter, survives_every_lack_of_memory)
{
    bool is_read = false;

    for (size_t bytes = 0; bytes < 60000; bytes += 31) {
        is_read = read_within(bytes, 1000) || is_read;
    }
    cr_expect(is_read);
    for (size_t allocations = 0; allocations < 8; allocations++) {
        (void)read_within(WS_TEST_ARENA_BYTES, allocations);
    }
}
