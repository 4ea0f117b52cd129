/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From `{dist: lognormal, median: 95s, p95: 240s}` to a distribution: one table says what each
 * family takes, and what is checked follows from it. Unknown keys end the reading, since whatever
 * is missing then was probably misspelt.
 */
#include <assert.h>
#include <math.h>

#include "ws/assert.h"
#include "ws/distribution.h"
#include "ws/quantity.h"
#include "ws/statistics.h"

#include "distribution_reader.h"

#define KEY(name) WS_DISTRIBUTION_BIT(WS_DISTRIBUTION_KEY_##name)

/* Outside these shapes and spreads quantiles lose their digits. */
#define READ_WEIBULL_SHAPE_MIN 0.05
#define READ_WEIBULL_SHAPE_MAX 1000.0
#define READ_GAMMA_SHAPE_MIN 0.001
#define READ_GAMMA_SHAPE_MAX 1e6
#define READ_GAMMA_SPREAD_MIN 0.001
#define READ_GAMMA_SPREAD_MAX 30.0

static const ws_distribution_rule read_rules[] = {
    {"constant", "a constant", WS_DISTRIBUTION_CONSTANT, KEY(VALUE), 0, 0},
    {"uniform", "a uniform", WS_DISTRIBUTION_UNIFORM, KEY(MIN) | KEY(MAX), 0, 0},
    {"exponential", "an exponential", WS_DISTRIBUTION_EXPONENTIAL, 0, KEY(MEDIAN) | KEY(MEAN), 1},
    {"lognormal", "a lognormal", WS_DISTRIBUTION_LOGNORMAL, 0,
     KEY(MEDIAN) | KEY(MEAN) | KEY(SD) | KEY(P90) | KEY(P95) | KEY(P99), 2},
    {"weibull", "a weibull", WS_DISTRIBUTION_WEIBULL, KEY(SHAPE),
     KEY(MEDIAN) | KEY(MEAN) | KEY(SCALE), 1},
    {"gamma", "a gamma", WS_DISTRIBUTION_GAMMA, KEY(MEAN), KEY(SHAPE) | KEY(SD), 1},
    {"empirical", "an empirical", WS_DISTRIBUTION_EMPIRICAL, KEY(VALUES), 0, 0},
};

static const char *const read_key_names[] = {
    "value", "min", "max", "shape", "median", "mean", "sd", "p90", "p95", "p99", "scale", "values",
};

static_assert(WS_COUNT_OF(read_key_names) == WS_DISTRIBUTION_KEY_COUNT, "a name for each key");

const char *ws_distribution_key_name(ws_distribution_key key)
{
    WS_ASSERT(key < WS_DISTRIBUTION_KEY_COUNT);

    return read_key_names[key];
}

size_t ws_distribution_given(const ws_distribution_reader *reader, uint32_t mask)
{
    size_t count = 0;

    for (size_t i = 0; i < reader->order_count; i++) {
        count += (mask >> reader->order[i]) & 1u;
    }
    return count;
}

ws_statistic_kind ws_distribution_statistic(ws_distribution_key key)
{
    static const ws_statistic_kind kinds[WS_DISTRIBUTION_KEY_COUNT] = {
        [WS_DISTRIBUTION_KEY_MEDIAN] = WS_STATISTIC_MEDIAN,
        [WS_DISTRIBUTION_KEY_MEAN] = WS_STATISTIC_MEAN,
        [WS_DISTRIBUTION_KEY_SD] = WS_STATISTIC_SD,
        [WS_DISTRIBUTION_KEY_P90] = WS_STATISTIC_P90,
        [WS_DISTRIBUTION_KEY_P95] = WS_STATISTIC_P95,
        [WS_DISTRIBUTION_KEY_P99] = WS_STATISTIC_P99,
        [WS_DISTRIBUTION_KEY_SCALE] = WS_STATISTIC_SCALE,
    };

    WS_ASSERT(key >= WS_DISTRIBUTION_KEY_MEDIAN && key <= WS_DISTRIBUTION_KEY_SCALE);
    return kinds[key];
}

static ws_statistic read_statistic(const ws_distribution_reader *reader, ws_distribution_key key)
{
    return (ws_statistic){.kind = ws_distribution_statistic(key), .value = reader->values[key]};
}

/* The choice of a rank, in the order of the file; the rule's count of them must be given. */
static ws_distribution_key read_choice(const ws_distribution_reader *reader, size_t rank)
{
    for (size_t i = 0; i < reader->order_count; i++) {
        bool is_choice = (reader->rule->choices >> reader->order[i]) & 1u;
        if (is_choice && rank == 0) {
            return reader->order[i];
        }
        rank -= is_choice;
    }
    WS_ASSERT(rank < reader->order_count);
    return WS_DISTRIBUTION_KEY_COUNT;
}

static ws_distribution read_gamma(const ws_distribution_reader *reader)
{
    double mean = reader->values[WS_DISTRIBUTION_KEY_MEAN];
    double shape = reader->values[WS_DISTRIBUTION_KEY_SHAPE];

    if (read_choice(reader, 0) == WS_DISTRIBUTION_KEY_SHAPE) {
        return (ws_distribution){.family = WS_DISTRIBUTION_GAMMA, .a = shape, .b = mean / shape};
    }
    return ws_distribution_gamma_of(mean, reader->values[WS_DISTRIBUTION_KEY_SD]);
}

static ws_distribution read_exponential(const ws_distribution_reader *reader)
{
    ws_distribution_key key = read_choice(reader, 0);
    double mean = reader->values[key];

    if (key == WS_DISTRIBUTION_KEY_MEDIAN) {
        mean /= log(2);
    }
    return (ws_distribution){.family = WS_DISTRIBUTION_EXPONENTIAL, .a = mean};
}

bool ws_distribution_build(const ws_distribution_reader *reader, ws_distribution *distribution)
{
    const double *values = reader->values;

    switch (reader->rule->family) {
    case WS_DISTRIBUTION_CONSTANT:
        *distribution = ws_distribution_constant(values[WS_DISTRIBUTION_KEY_VALUE]);
        return true;
    case WS_DISTRIBUTION_UNIFORM:
        *distribution = (ws_distribution){.family = WS_DISTRIBUTION_UNIFORM,
                                          .a = values[WS_DISTRIBUTION_KEY_MIN],
                                          .b = values[WS_DISTRIBUTION_KEY_MAX]};
        return true;
    case WS_DISTRIBUTION_EXPONENTIAL:
        *distribution = read_exponential(reader);
        return true;
    case WS_DISTRIBUTION_LOGNORMAL:
        return ws_distribution_fit_lognormal(distribution,
                                             read_statistic(reader, read_choice(reader, 0)),
                                             read_statistic(reader, read_choice(reader, 1)));
    case WS_DISTRIBUTION_WEIBULL:
        return ws_distribution_fit_weibull(distribution, values[WS_DISTRIBUTION_KEY_SHAPE],
                                           read_statistic(reader, read_choice(reader, 0)));
    case WS_DISTRIBUTION_GAMMA:
        *distribution = read_gamma(reader);
        return true;
    case WS_DISTRIBUTION_EMPIRICAL:
        break;
    }
    return false; /* samples are no parameters */
}

/* A scalar as a quantity; durations come out in seconds. */
static bool read_quantity(const ws_distribution_reader *reader, const char *key,
                          const ws_document *value, ws_quantity_kind kind, double *result)
{
    ws_quantity quantity = {0};
    ws_quantity_fault fault = {0};

    if (value->kind != WS_DOCUMENT_SCALAR) {
        return ws_distribution_fault_kind(reader, key, value,
                                          kind == WS_QUANTITY_DURATION ? "a time" : "a number");
    }
    if (!ws_quantity_parse(value->scalar, kind, ws_text_of(key), &quantity, &fault,
                           reader->arena)) {
        return ws_distribution_fault(reader, value,
                                     &(ws_diagnostic){.code = fault.code,
                                                      .message = fault.message,
                                                      .label = fault.label,
                                                      .help = fault.help,
                                                      .notes = {fault.note}});
    }
    *result = kind == WS_QUANTITY_DURATION ? ws_duration_s((ws_duration){.ns = quantity.integer})
                                           : quantity.real;
    return true;
}

static bool read_samples(const ws_distribution_reader *reader, ws_distribution *distribution)
{
    const ws_document *list = reader->given[WS_DISTRIBUTION_KEY_VALUES]->value;
    bool complete = true;

    if (list->kind != WS_DOCUMENT_LIST) {
        return ws_distribution_fault_kind(reader, "values", list, "a list of times");
    }
    if (list->count == 0) {
        return ws_distribution_fault(
            reader, list,
            &(ws_diagnostic){.code = 3203,
                             .message = WS_TEXT("an empirical takes at least one of `values`"),
                             .label = WS_TEXT("nothing to draw from")});
    }
    double *samples = ws_arena_alloc(reader->arena, double, list->count);
    if (samples == NULL) {
        return ws_distribution_fault_memory(reader);
    }
    for (size_t i = 0; i < list->count; i++) {
        complete = read_quantity(reader, "values", list->entries[i].value, WS_QUANTITY_DURATION,
                                 &samples[i]) &&
                   complete;
    }
    if (!complete) {
        return false;
    }
    ws_sort_doubles(samples, list->count);
    *distribution = (ws_distribution){
        .family = WS_DISTRIBUTION_EMPIRICAL, .samples = samples, .sample_count = list->count};
    return true;
}

static bool read_rule(ws_distribution_reader *reader)
{
    const char *names[WS_COUNT_OF(read_rules)];

    for (size_t i = 0; i < WS_COUNT_OF(read_rules); i++) {
        names[i] = read_rules[i].name;
    }
    reader->dist = ws_document_find(reader->document, "dist");
    if (reader->dist == NULL) {
        return ws_distribution_fault_no_dist(reader, names, WS_COUNT_OF(names));
    }
    if (reader->dist->kind != WS_DOCUMENT_SCALAR) {
        return ws_distribution_fault_kind(reader, "dist", reader->dist,
                                          "the name of a distribution");
    }
    for (size_t i = 0; i < WS_COUNT_OF(read_rules); i++) {
        if (ws_text_is(reader->dist->scalar, names[i])) {
            reader->rule = &read_rules[i];
            return true;
        }
    }
    return ws_distribution_fault_family(reader, names, WS_COUNT_OF(names));
}

static bool read_key(ws_distribution_reader *reader, const ws_document_entry *entry)
{
    uint32_t allowed = reader->rule->required | reader->rule->choices;

    if (ws_text_is(entry->key, "dist") || ws_text_starts_with(entry->key, WS_TEXT("x-"))) {
        return true;
    }
    for (size_t key = 0; key < WS_DISTRIBUTION_KEY_COUNT; key++) {
        if (((allowed >> key) & 1u) == 0 || !ws_text_is(entry->key, read_key_names[key])) {
            continue;
        }
        if (reader->given[key] ==
            NULL) { /* a key that comes twice was reported by who read the file */
            reader->given[key] = entry;
            reader->order[reader->order_count] = (ws_distribution_key)key;
            reader->order_count++;
        }
        return true;
    }
    return ws_distribution_fault_unknown(reader, entry);
}

static bool read_keys(ws_distribution_reader *reader)
{
    bool known = true;

    for (size_t i = 0; i < reader->document->count; i++) {
        known = read_key(reader, &reader->document->entries[i]) && known;
    }
    return known;
}

static bool read_values(ws_distribution_reader *reader)
{
    bool complete = true;

    for (size_t i = 0; i < reader->order_count; i++) {
        ws_distribution_key key = reader->order[i];
        bool is_shape = key == WS_DISTRIBUTION_KEY_SHAPE;
        complete = read_quantity(reader, read_key_names[key], reader->given[key]->value,
                                 is_shape ? WS_QUANTITY_NUMBER : WS_QUANTITY_DURATION,
                                 &reader->values[key]) &&
                   complete;
    }
    return complete;
}

/* A value of 0 is a time like any other for a constant and as the lower bound of a uniform, but no
 * scale of a spread. */
static bool read_check_positive(const ws_distribution_reader *reader)
{
    bool positive = true;

    for (size_t i = 0; i < reader->order_count; i++) {
        ws_distribution_key key = reader->order[i];
        bool may_be_zero = key == WS_DISTRIBUTION_KEY_VALUE || key == WS_DISTRIBUTION_KEY_MIN;
        if (!may_be_zero && !(reader->values[key] > 0)) {
            positive =
                ws_distribution_fault_range(reader, key, "above 0", "there would be no spread");
        }
    }
    return positive;
}

static bool read_check_order(const ws_distribution_reader *reader, ws_distribution_key lower,
                             ws_distribution_key upper)
{
    return reader->values[lower] < reader->values[upper] ||
           ws_distribution_fault_crossed(reader, lower, upper);
}

static bool read_check_lognormal(const ws_distribution_reader *reader)
{
    ws_distribution_key first = read_choice(reader, 0);
    ws_distribution_key second = read_choice(reader, 1);

    if (first == WS_DISTRIBUTION_KEY_SD || second == WS_DISTRIBUTION_KEY_SD) {
        return true;
    }
    return first < second ? read_check_order(reader, first, second)
                          : read_check_order(reader, second, first);
}

static bool read_check_gamma(const ws_distribution_reader *reader)
{
    double spread =
        reader->values[WS_DISTRIBUTION_KEY_SD] / reader->values[WS_DISTRIBUTION_KEY_MEAN];
    double shape = reader->values[WS_DISTRIBUTION_KEY_SHAPE];

    if (reader->given[WS_DISTRIBUTION_KEY_SHAPE] != NULL) {
        return (shape >= READ_GAMMA_SHAPE_MIN && shape <= READ_GAMMA_SHAPE_MAX) ||
               ws_distribution_fault_range(reader, WS_DISTRIBUTION_KEY_SHAPE,
                                           "between 0.001 and 1000000", "outside");
    }
    return (spread >= READ_GAMMA_SPREAD_MIN && spread <= READ_GAMMA_SPREAD_MAX) ||
           ws_distribution_fault_range(reader, WS_DISTRIBUTION_KEY_SD,
                                       "between 0.001 and 30 times its `mean`", "outside");
}

/* What the numbers of one family must fulfil among each other. */
static bool read_check_family(const ws_distribution_reader *reader)
{
    double shape = reader->values[WS_DISTRIBUTION_KEY_SHAPE];

    switch (reader->rule->family) {
    case WS_DISTRIBUTION_UNIFORM:
        return read_check_order(reader, WS_DISTRIBUTION_KEY_MIN, WS_DISTRIBUTION_KEY_MAX);
    case WS_DISTRIBUTION_LOGNORMAL:
        return read_check_lognormal(reader);
    case WS_DISTRIBUTION_WEIBULL:
        return (shape >= READ_WEIBULL_SHAPE_MIN && shape <= READ_WEIBULL_SHAPE_MAX) ||
               ws_distribution_fault_range(reader, WS_DISTRIBUTION_KEY_SHAPE,
                                           "between 0.05 and 1000", "outside");
    case WS_DISTRIBUTION_GAMMA:
        return read_check_gamma(reader);
    case WS_DISTRIBUTION_CONSTANT:
    case WS_DISTRIBUTION_EXPONENTIAL:
    case WS_DISTRIBUTION_EMPIRICAL:
        break;
    }
    return true;
}

static bool read_check_count(const ws_distribution_reader *reader)
{
    const ws_distribution_rule *rule = reader->rule;
    size_t required = (size_t)__builtin_popcount(rule->required);
    size_t choices = ws_distribution_given(reader, rule->choices);

    if (ws_distribution_given(reader, rule->required) < required || choices < rule->choose) {
        return ws_distribution_fault_lack(reader);
    }
    return choices == rule->choose || ws_distribution_fault_surplus(reader);
}

static bool read_map(ws_distribution_reader *reader, ws_distribution *distribution)
{
    ws_distribution built = {0};

    if (!read_rule(reader) || !read_keys(reader)) {
        return false;
    }
    if (reader->rule->family == WS_DISTRIBUTION_EMPIRICAL) {
        return read_check_count(reader) && read_samples(reader, distribution);
    }
    if (!read_values(reader) || !read_check_positive(reader) || !read_check_count(reader) ||
        !read_check_family(reader)) {
        return false;
    }
    if (!ws_distribution_build(reader, &built)) {
        return ws_distribution_fault_impossible(reader);
    }
    *distribution = built;
    return true;
}

bool ws_distribution_read(const ws_document *document, ws_text name, ws_distribution *distribution,
                          ws_arena *arena, ws_diag *diag)
{
    double seconds = 0;

    WS_ASSERT(document != NULL);
    WS_ASSERT(distribution != NULL);

    ws_text key = ws_arena_copy_text(arena, name);
    ws_distribution_reader reader = {
        .name = key, .document = document, .arena = arena, .diag = diag};
    if (key.start == NULL) {
        return ws_distribution_fault_memory(&reader);
    }
    if (document->kind == WS_DOCUMENT_MAP) {
        return read_map(&reader, distribution);
    }
    if (document->kind != WS_DOCUMENT_SCALAR) {
        return ws_distribution_fault_kind(&reader, key.start, document,
                                          "a time or a map with `dist`");
    }
    if (!read_quantity(&reader, key.start, document, WS_QUANTITY_DURATION, &seconds)) {
        return false;
    }
    *distribution = ws_distribution_constant(seconds);
    return true;
}
