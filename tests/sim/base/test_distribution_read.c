/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Expectations: the printed diagnostics of vectors/scenario/bad/19 and 20, the rules and texts of
 * the scenario reference, and numbers worked by hand.
 */
#include "ws/distribution.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <gsl/gsl_errno.h>

#include "support/support.h"
#include "ws/assert.h"
#include "ws/random.h"

static void turn_handler_off(void)
{
    (void)gsl_set_error_handler_off();
}

TestSuite(distribution_read, .init = turn_handler_off);

typedef struct {
    ws_arena arena;
    ws_diag diag;
    ws_source source;
    ws_distribution distribution;
    bool read;
} reading;

/* A flow value of the source from `*at` on, with the places that a YAML reader would give. */
static ws_document *parse_flow(reading *r, size_t *at)
{
    const char *bytes = r->source.content.start;
    size_t from = *at;

    if (bytes[from] != '{' && bytes[from] != '[') {
        while (*at < r->source.content.length && strchr(",}]\n", bytes[*at]) == NULL) {
            (*at)++;
        }
        ws_document *scalar = ws_document_new_scalar(
            &r->arena, ws_text_slice(r->source.content, from, *at), (ws_text){.start = NULL});
        scalar->at = ws_span_of_bytes(&r->source, from, *at);
        return scalar;
    }
    bool is_map = bytes[from] == '{';
    ws_document *parent = is_map ? ws_document_new_map(&r->arena) : ws_document_new_list(&r->arena);
    (*at)++;
    while (strchr("}]", bytes[*at]) == NULL) {
        ws_text key = {.start = NULL};
        size_t key_from = *at;
        if (is_map) {
            while (bytes[*at] != ':') {
                (*at)++;
            }
            key = ws_text_slice(r->source.content, key_from, *at);
            *at += 2;
        }
        ws_document *value = parse_flow(r, at);
        cr_assert(ws_document_put(parent, key, value, &r->arena));
        if (is_map) {
            parent->entries[parent->count - 1].key_at =
                ws_span_of_bytes(&r->source, key_from, key_from + key.length);
        }
        while (bytes[*at] == ',' || bytes[*at] == ' ') {
            (*at)++;
        }
    }
    (*at)++;
    parent->at = ws_span_of_bytes(&r->source, from, *at);
    return parent;
}

static void begin(reading *r)
{
    *r = (reading){.read = false};
    ws_arena_init(&r->arena, &ws_allocator_default, (size_t)16 << 20);
    ws_diag_init(&r->diag, &r->arena);
}

static void finish(reading *r)
{
    ws_arena_reset(&r->arena);
}

/* Reads the value of `boot: ` in the source. */
static void read_boot(reading *r)
{
    const char *found = strstr(r->source.content.start, " boot: ");

    cr_assert(found != NULL);
    size_t at = (size_t)(found - r->source.content.start) + strlen(" boot: ");
    ws_document *document = parse_flow(r, &at);
    r->read =
        ws_distribution_read(document, WS_TEXT("boot"), &r->distribution, &r->arena, &r->diag);
    cr_assert(eq(int, r->read, !ws_diag_has_errors(&r->diag)));
}

static void read_text(reading *r, const char *text)
{
    begin(r);
    r->source = (ws_source){.name = WS_TEXT("s.yaml"),
                            .content = ws_arena_format(&r->arena, " boot: %s\n", text)};
    read_boot(r);
}

static void assert_text(ws_text text, const char *expected)
{
    cr_assert(ws_text_is(text, expected), "`%.*s` is not `%s`", WS_TEXT_ARGS(text), expected);
}

static void assert_near(double value, double expected, double tolerance)
{
    cr_assert(le(dbl, fabs(value - expected), tolerance), "%.17g is not %.17g", value, expected);
}

/* One error with this code and message, underlining this text of the source. */
static const ws_diagnostic *assert_error(reading *r, const char *text, int code,
                                         const char *message, const char *underlined)
{
    read_text(r, text);
    cr_assert(not(r->read), "%s is accepted", text);
    cr_assert(eq(sz, r->diag.count, 1));
    const ws_diagnostic *error = &r->diag.entries[0];
    cr_assert(eq(int, error->code, code));
    assert_text(error->message, message);
    cr_assert(error->at.source == &r->source);
    size_t from = (size_t)error->at.offset;
    assert_text(ws_text_slice(r->source.content, from, from + (size_t)error->at.length),
                underlined);
    return error;
}

static void assert_printed(const char *name)
{
    reading r;
    char yaml[300];
    char expected[300];
    char path[4096];
    char expected_path[4096];

    (void)snprintf(yaml, sizeof yaml, "vectors/scenario/bad/%s.yaml", name);
    (void)snprintf(expected, sizeof expected, "vectors/scenario/bad/%s.stderr", name);
    if (ws_test_shared(yaml, path, sizeof path) == NULL ||
        ws_test_shared(expected, expected_path, sizeof expected_path) == NULL) {
        cr_skip_test();
    }
    begin(&r);
    ws_text wanted = ws_test_load(expected_path);
    r.source = (ws_source){.name = ws_arena_format(&r.arena, "%s.yaml", name),
                           .content = ws_test_load(path)};
    read_boot(&r);
    cr_assert(eq(sz, r.diag.count, 1));
    ws_text printed = ws_diagnostic_print(&r.diag.entries[0], false, &r.arena);
    cr_assert(ws_text_equals(ws_text_trimmed(printed), ws_text_trimmed(wanted)), "%.*s",
              WS_TEXT_ARGS(printed));
    free((void *)wanted.start);
    free((void *)r.source.content.start);
    finish(&r);
}

Test(distribution_read, crossed_quantiles_read_as_documented)
{
    assert_printed("19-quantiles-crossed");
}

Test(distribution_read, overspecified_reads_as_documented)
{
    assert_printed("20-distribution-overspecified");
}

Test(distribution_read, families_with_their_numbers)
{
    static const struct {
        const char *text;
        ws_distribution_family family;
        double mean;
        double sd;
    } cases[] = {
        {"95s", WS_DISTRIBUTION_CONSTANT, 95, 0},
        {"0s", WS_DISTRIBUTION_CONSTANT, 0, 0},
        {"1h30m", WS_DISTRIBUTION_CONSTANT, 5400, 0},
        {"{dist: constant, value: 250ms}", WS_DISTRIBUTION_CONSTANT, 0.25, 0},
        {"{dist: uniform, min: 0s, max: 12s}", WS_DISTRIBUTION_UNIFORM, 6, 3.4641016151377544},
        {"{dist: exponential, mean: 18h}", WS_DISTRIBUTION_EXPONENTIAL, 64800, 64800},
        {"{dist: exponential, median: 1m}", WS_DISTRIBUTION_EXPONENTIAL, 86.561702453,
         86.561702453},
        {"{dist: lognormal, mean: 100s, sd: 30s}", WS_DISTRIBUTION_LOGNORMAL, 100, 30},
        {"{dist: lognormal, sd: 30s, mean: 100s}", WS_DISTRIBUTION_LOGNORMAL, 100, 30},
        {"{dist: weibull, shape: 1, scale: 5s}", WS_DISTRIBUTION_WEIBULL, 5, 5},
        {"{dist: weibull, mean: 1s, shape: 0.7}", WS_DISTRIBUTION_WEIBULL, 1, 1.4624245051},
        {"{dist: gamma, mean: 10s, sd: 2s}", WS_DISTRIBUTION_GAMMA, 10, 2},
        {"{dist: gamma, shape: 25, mean: 10s}", WS_DISTRIBUTION_GAMMA, 10, 2},
        {"{dist: empirical, values: [4s, 1s, 2s]}", WS_DISTRIBUTION_EMPIRICAL, 2.25, 0.8779711460},
        {"{dist: exponential, x-note: measured, mean: 5s}", WS_DISTRIBUTION_EXPONENTIAL, 5, 5},
    };

    for (size_t i = 0; i < WS_COUNT_OF(cases); i++) {
        reading r;
        read_text(&r, cases[i].text);
        cr_assert(r.read, "%s", cases[i].text);
        cr_assert(eq(int, (int)r.distribution.family, (int)cases[i].family));
        assert_near(ws_distribution_mean(&r.distribution), cases[i].mean, 1e-6);
        assert_near(ws_distribution_sd(&r.distribution), cases[i].sd, 1e-6);
        finish(&r);
    }
}

Test(distribution_read, crossed_statistics)
{
    reading r;
    const ws_diagnostic *error = assert_error(&r, "{dist: lognormal, p99: 2.5s, median: 10s}", 3201,
                                              "a lognormal needs `p99` above `median`", "2.5s");
    assert_text(error->label, "99% of draws are below this");
    assert_text(error->also_label, "yet half of them are above this");
    assert_text(error->help, "was `25s` meant?");
    finish(&r);

    /* Ten times 5 s would still be below 95 s. */
    error = assert_error(&r, "{dist: lognormal, median: 95s, p95: 5s}", 3201,
                         "a lognormal needs `p95` above `median`", "5s");
    assert_text(error->help, "");
    finish(&r);

    error = assert_error(&r, "{dist: lognormal, median: 95s, p95: 95s}", 3201,
                         "a lognormal needs `p95` above `median`", "95s");
    assert_text(error->help, "for a time that is always the same write `boot: 95s`");
    finish(&r);

    error = assert_error(&r, "{dist: lognormal, p95: 1h, mean: 2h}", 3201,
                         "a lognormal needs `p95` above `mean`", "1h");
    assert_text(error->also_label, "yet their mean is this");
    finish(&r);

    /* 900 s are 9 means: the help must not lead into the next error. */
    error = assert_error(&r, "{dist: lognormal, mean: 100s, p95: 90s}", 3201,
                         "a lognormal needs `p95` above `mean`", "90s");
    assert_text(error->help, "");
    finish(&r);

    (void)assert_error(&r, "{dist: uniform, min: 2m, max: 90s}", 3201,
                       "a uniform needs `max` above `min`", "90s");
    finish(&r);
}

Test(distribution_read, too_much_is_said)
{
    reading r;
    const ws_diagnostic *error =
        assert_error(&r, "{dist: exponential, mean: 10s, median: 7s}", 3202,
                     "an exponential takes one of `median`, `mean`; two are given", "median");
    assert_text(error->notes[0], "`mean: 10s` alone already gives median 6.9 s (sd 10.0 s)");
    finish(&r);

    /* scale = 60 s / Gamma(1.5) = 67.7 s, sd = 67.7 s x sqrt(1 - pi/4) = 31.4 s */
    error =
        assert_error(&r, "{dist: weibull, shape: 2, mean: 1m, scale: 1m}", 3202,
                     "a weibull takes one of `median`, `mean`, `scale`; two are given", "scale");
    assert_text(error->notes[0],
                "`shape: 2, mean: 1m` alone already gives scale 67.7 s (sd 31.4 s)");
    finish(&r);

    error = assert_error(&r, "{dist: lognormal, mean: 1s, median: 2s, p90: 3s, p99: 4s}", 3202,
                         "a lognormal takes two of `median`, `mean`, `sd`, `p90`, `p95`, `p99`; "
                         "four are given",
                         "p90");
    assert_text(error->notes[0], ""); /* the first two cross */
    finish(&r);
}

Test(distribution_read, too_little_is_said)
{
    reading r;
    const ws_diagnostic *error =
        assert_error(&r, "{dist: lognormal, median: 95s}", 3203,
                     "a lognormal takes two of `median`, `mean`, `sd`, `p90`, `p95`, `p99`; "
                     "one is given",
                     "lognormal");
    assert_text(error->help, "add one of `mean`, `sd`, `p90`, `p95`, `p99`");
    finish(&r);
    error = assert_error(&r, "{dist: weibull, mean: 90d}", 3203,
                         "a weibull takes `shape` and one of `median`, `mean`, `scale`; "
                         "`shape` is missing",
                         "weibull");
    assert_text(error->help, "add `shape`");
    finish(&r);
    (void)assert_error(&r, "{dist: exponential}", 3203,
                       "an exponential takes one of `median`, `mean`; none is given",
                       "exponential");
    finish(&r);
    (void)assert_error(&r, "{dist: uniform}", 3203,
                       "a uniform takes `min`, `max`; `min`, `max` are missing", "uniform");
    finish(&r);
    (void)assert_error(&r, "{dist: empirical, values: []}", 3203,
                       "an empirical takes at least one of `values`", "[]");
    finish(&r);
}

Test(distribution_read, out_of_range)
{
    reading r;

    (void)assert_error(&r, "{dist: exponential, mean: 0s}", 3204,
                       "`mean` of an exponential is above 0", "0s");
    finish(&r);
    (void)assert_error(&r, "{dist: weibull, shape: 0, mean: 1s}", 3204,
                       "`shape` of a weibull is above 0", "0");
    finish(&r);
    (void)assert_error(&r, "{dist: weibull, shape: 0.01, mean: 1s}", 3204,
                       "`shape` of a weibull is between 0.05 and 1000", "0.01");
    finish(&r);
    (void)assert_error(&r, "{dist: gamma, mean: 1s, sd: 31s}", 3204,
                       "`sd` of a gamma is between 0.001 and 30 times its `mean`", "31s");
    finish(&r);
    /* exp(1.6448536^2 / 2) = 3.868 */
    const ws_diagnostic *error = assert_error(&r, "{dist: lognormal, mean: 1m, p95: 5m}", 3204,
                                              "no lognormal has this `mean` and this `p95`", "5m");
    assert_text(error->label, "at most 3.87 times the mean");
    finish(&r);
}

Test(distribution_read, keys_and_families_that_do_not_exist)
{
    reading r;
    const ws_diagnostic *error = assert_error(&r, "{dist: lognormal, medain: 95s, p95: 4m}", 2101,
                                              "unknown key `medain` in `boot`", "medain");
    assert_text(error->label, "not a key here");
    assert_text(error->help, "did you mean `median`?");
    assert_text(error->notes[0], "keys of a lognormal are `dist`, `median`, `mean`, `sd`, `p90`, "
                                 "`p95`, `p99`");
    finish(&r);
    (void)assert_error(&r, "{dist: gamma, mean: 1s, sd: 1s, scale: 2s}", 2101,
                       "unknown key `scale` in `boot`", "scale");
    finish(&r);
    error = assert_error(&r, "{dist: log-normal, median: 1s, p95: 2s}", 2203,
                         "`log-normal` is not a distribution", "log-normal");
    assert_text(error->help, "did you mean `lognormal`?");
    finish(&r);
    error = assert_error(&r, "{dist: poisson, rate: 6/h}", 2203, "`poisson` is not a distribution",
                         "poisson");
    assert_text(error->help, "`poisson` is for arrivals; the times between them are `exponential`");
    finish(&r);
    error = assert_error(&r, "{dist: pareto}", 2203, "`pareto` is not a distribution", "pareto");
    assert_text(error->help, "write one of constant, uniform, exponential, lognormal, weibull, "
                             "gamma, empirical");
    finish(&r);
    (void)assert_error(&r, "{median: 95s, p95: 4m}", 2102, "`boot` has no `dist`",
                       "{median: 95s, p95: 4m}");
    finish(&r);
}

Test(distribution_read, values_of_a_wrong_kind)
{
    reading r;

    (void)assert_error(&r, "[1s, 2s]", 2201, "`boot` takes a time or a map with `dist`, not a list",
                       "[1s, 2s]");
    finish(&r);
    (void)assert_error(&r, "{dist: [gamma], mean: 1s, sd: 1s}", 2201,
                       "`dist` takes the name of a distribution, not a list", "[gamma]");
    finish(&r);
    (void)assert_error(&r, "{dist: exponential, mean: {dist: exponential}}", 2201,
                       "`mean` takes a time, not a map", "{dist: exponential}");
    finish(&r);
    (void)assert_error(&r, "{dist: empirical, values: 3s}", 2201,
                       "`values` takes a list of times, not a single value", "3s");
    finish(&r);
}

/* The texts are those of the unit rules; here it counts that they name the key and point at the
 * value. */
Test(distribution_read, units_are_checked_in_every_place)
{
    reading r;

    (void)assert_error(&r, "95", 3101, "`boot` is a time and needs a unit", "95");
    finish(&r);
    (void)assert_error(&r, "{dist: lognormal, median: 95, p95: 4m}", 3101,
                       "`median` is a time and needs a unit", "95");
    finish(&r);
    (void)assert_error(&r, "{dist: empirical, values: [1s, 2]}", 3101,
                       "`values` is a time and needs a unit", "2");
    finish(&r);
    read_text(&r, "{dist: lognormal, median: 95, p95: 4}");
    cr_assert(eq(sz, r.diag.count, 2)); /* both are told at once */
    finish(&r);
    read_text(&r, "{dist: weibull, shape: nan, mean: 1s}");
    cr_assert(eq(sz, r.diag.count, 1));
    cr_assert(eq(int, r.diag.entries[0].code, 3106));
    finish(&r);
}

/* A place reached by an alias says where it is used. */
Test(distribution_read, a_value_by_alias_says_where)
{
    reading r;
    ws_document *map = NULL;

    begin(&r);
    r.source = (ws_source){.name = WS_TEXT("s.yaml"), .content = WS_TEXT("x: 95\n")};
    map = ws_document_new_map(&r.arena);
    ws_document *dist =
        ws_document_new_scalar(&r.arena, WS_TEXT("exponential"), (ws_text){.start = NULL});
    ws_document *mean = ws_document_new_scalar(&r.arena, WS_TEXT("95"), (ws_text){.start = NULL});
    mean->at = ws_span_of_bytes(&r.source, 3, 5);
    mean->alias = WS_TEXT("m");
    mean->alias_at = (ws_span){.source = &r.source, .line = 29, .column = 1, .length = 2};
    cr_assert(ws_document_put(map, WS_TEXT("dist"), dist, &r.arena));
    cr_assert(ws_document_put(map, WS_TEXT("mean"), mean, &r.arena));
    cr_assert(not(ws_distribution_read(map, WS_TEXT("boot"), &r.distribution, &r.arena, &r.diag)));
    const ws_text *notes = r.diag.entries[0].notes;
    cr_assert(ws_text_is(notes[0], "used at line 29 through *m") ||
              ws_text_is(notes[1], "used at line 29 through *m"));
    finish(&r);
}

Test(distribution_read, an_exhausted_arena_is_a_diagnosis)
{
    reading r;
    ws_arena empty = {.used_bytes = 0};

    begin(&r);
    ws_arena_init(&empty, &ws_allocator_default, 0);
    ws_document *scalar =
        ws_document_new_scalar(&r.arena, WS_TEXT("95s"), (ws_text){.start = NULL});
    cr_assert(not(ws_distribution_read(scalar, WS_TEXT("boot"), &r.distribution, &empty, &r.diag)));
    cr_assert(eq(int, r.diag.entries[0].code, 9030));
    finish(&r);
}
