/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is wrong with a distribution, in the words of docs/diagnostics.md: one function for each
 * fault, which builds one diagnostic at the smallest place and returns false.
 */
#include <math.h>
#include <string.h>

#include <gsl/gsl_cdf.h>

#include "ws/assert.h"
#include "ws/number.h"
#include "ws/quantity.h"

#include "buffer.h"
#include "distribution_reader.h"

#define FAULT_SHOWN_BYTES_MAX 80 /* of a piece of the input in a message */

static const char *const fault_counts[] = {"none", "one", "two", "three", "four", "five", "six"};

static ws_text fault_shown(ws_text text)
{
    return ws_text_slice(text, 0, FAULT_SHOWN_BYTES_MAX);
}

static const ws_document *fault_value(const ws_distribution_reader *reader, ws_distribution_key key)
{
    WS_ASSERT(reader->given[key] != NULL);

    return reader->given[key]->value;
}

bool ws_distribution_fault(const ws_distribution_reader *reader, const ws_document *value,
                           ws_diagnostic *fault)
{
    bool is_own_alias =
        value->alias.length > 0 && !ws_text_equals(value->alias, reader->document->alias);

    fault->severity = WS_SEVERITY_ERROR;
    if (fault->at.source == NULL) {
        fault->at = value->at;
    }
    /* Whoever reads the whole map says where that is used. */
    if (is_own_alias) {
        fault->notes[fault->notes[0].length > 0] = ws_document_alias_note(value, reader->arena);
    }
    ws_diag_add(reader->diag, fault);
    return false;
}

bool ws_distribution_fault_memory(const ws_distribution_reader *reader)
{
    return ws_diag_error(reader->diag, 9030, ws_span_none,
                         "reading this takes more memory than allowed");
}

bool ws_distribution_fault_kind(const ws_distribution_reader *reader, const char *key,
                                const ws_document *value, const char *takes)
{
    static const char *const kinds[] = {
        [WS_DOCUMENT_NULL] = "nothing",
        [WS_DOCUMENT_SCALAR] = "a single value",
        [WS_DOCUMENT_LIST] = "a list",
        [WS_DOCUMENT_MAP] = "a map",
    };

    ws_diagnostic fault = {.code = 2201, .label = ws_text_of(kinds[value->kind])};
    fault.message =
        ws_arena_format(reader->arena, "`%s` takes %s, not %s", key, takes, kinds[value->kind]);
    return ws_distribution_fault(reader, value, &fault);
}

static ws_text fault_join(const char *const *names, size_t count, const char *quote,
                          ws_arena *arena)
{
    ws_buffer joined;

    ws_buffer_init(&joined, arena);
    for (size_t i = 0; i < count; i++) {
        ws_buffer_add_string(&joined, i == 0 ? "" : ", ");
        ws_buffer_add_string(&joined, quote);
        ws_buffer_add_string(&joined, names[i]);
        ws_buffer_add_string(&joined, quote);
    }
    return ws_buffer_text(&joined);
}

bool ws_distribution_fault_no_dist(const ws_distribution_reader *reader, const char *const *names,
                                   size_t count)
{
    ws_arena *arena = reader->arena;
    ws_text list = fault_join(names, count, "", arena);
    ws_diagnostic fault = {.code = 2102, .label = WS_TEXT("this distribution")};

    fault.message = ws_arena_format(arena, "`%.*s` has no `dist`", WS_TEXT_ARGS(reader->name));
    fault.help = ws_arena_format(arena, "add `dist:`, one of %.*s", WS_TEXT_ARGS(list));
    return ws_distribution_fault(reader, reader->document, &fault);
}

bool ws_distribution_fault_family(const ws_distribution_reader *reader, const char *const *names,
                                  size_t count)
{
    ws_arena *arena = reader->arena;
    ws_text wrong = fault_shown(reader->dist->scalar);
    ws_text list = fault_join(names, count, "", arena);
    int nearest = ws_text_nearest(reader->dist->scalar, names, count);
    ws_diagnostic fault = {.code = 2203, .label = WS_TEXT("unknown distribution")};

    fault.message = ws_arena_format(arena, "`%.*s` is not a distribution", WS_TEXT_ARGS(wrong));
    fault.help = ws_arena_format(arena, "write one of %.*s", WS_TEXT_ARGS(list));
    if (ws_text_is(wrong, "poisson")) {
        fault.help = WS_TEXT("`poisson` is for arrivals; the times between them are `exponential`");
    } else if (nearest >= 0) {
        fault.help = ws_arena_format(arena, "did you mean `%s`?", names[nearest]);
    }
    return ws_distribution_fault(reader, reader->dist, &fault);
}

/* Names of the keys in a mask; returns how many. */
static size_t fault_names(uint32_t mask, const char *names[WS_DISTRIBUTION_KEY_COUNT])
{
    size_t count = 0;

    for (size_t key = 0; key < WS_DISTRIBUTION_KEY_COUNT; key++) {
        if ((mask >> key) & 1u) {
            names[count] = ws_distribution_key_name((ws_distribution_key)key);
            count++;
        }
    }
    return count;
}

static ws_text fault_quoted(uint32_t mask, ws_arena *arena)
{
    const char *names[WS_DISTRIBUTION_KEY_COUNT];

    return fault_join(names, fault_names(mask, names), "`", arena);
}

bool ws_distribution_fault_unknown(const ws_distribution_reader *reader,
                                   const ws_document_entry *entry)
{
    ws_arena *arena = reader->arena;
    const char *names[WS_DISTRIBUTION_KEY_COUNT];
    uint32_t allowed = reader->rule->required | reader->rule->choices;
    int nearest = ws_text_nearest(entry->key, names, fault_names(allowed, names));
    ws_text list = fault_quoted(allowed, arena);
    ws_diagnostic fault = {.code = 2101, .label = WS_TEXT("not a key here"), .at = entry->key_at};

    fault.message =
        ws_arena_format(arena, "unknown key `%.*s` in `%.*s`",
                        WS_TEXT_ARGS(fault_shown(entry->key)), WS_TEXT_ARGS(reader->name));
    if (nearest >= 0) {
        fault.help = ws_arena_format(arena, "did you mean `%s`?", names[nearest]);
    }
    fault.notes[0] = ws_arena_format(arena, "keys of %s are `dist`, %.*s", reader->rule->noun,
                                     WS_TEXT_ARGS(list));
    return ws_distribution_fault(reader, entry->value, &fault);
}

/* "`shape` and one of `median`, `mean`, `scale`": all that the family takes. */
static ws_text fault_takes(const ws_distribution_rule *rule, ws_arena *arena)
{
    ws_text required = fault_quoted(rule->required, arena);
    ws_text choices = fault_quoted(rule->choices, arena);

    if (rule->choose == 0) {
        return required;
    }
    return ws_arena_format(arena, "%.*s%s%s of %.*s", WS_TEXT_ARGS(required),
                           required.length > 0 ? " and " : "", fault_counts[rule->choose],
                           WS_TEXT_ARGS(choices));
}

bool ws_distribution_fault_lack(const ws_distribution_reader *reader)
{
    ws_arena *arena = reader->arena;
    const ws_distribution_rule *rule = reader->rule;
    ws_text takes = fault_takes(rule, arena);
    uint32_t missing = 0;
    ws_diagnostic fault = {.code = 3203, .label = WS_TEXT("not enough to go by")};

    for (size_t key = 0; key < WS_DISTRIBUTION_KEY_COUNT; key++) {
        missing |= reader->given[key] == NULL ? WS_DISTRIBUTION_BIT(key) : 0;
    }
    if ((rule->required & missing) != 0) {
        ws_text list = fault_quoted(rule->required & missing, arena);
        fault.message = ws_arena_format(arena, "%s takes %.*s; %.*s %s missing", rule->noun,
                                        WS_TEXT_ARGS(takes), WS_TEXT_ARGS(list),
                                        ws_text_find_byte(list, ',') < list.length ? "are" : "is");
        fault.help = ws_arena_format(arena, "add %.*s", WS_TEXT_ARGS(list));
    } else {
        ws_text list = fault_quoted(rule->choices & missing, arena);
        fault.message =
            ws_arena_format(arena, "%s takes %.*s; %s is given", rule->noun, WS_TEXT_ARGS(takes),
                            fault_counts[ws_distribution_given(reader, rule->choices)]);
        fault.help = ws_arena_format(
            arena, "add %s of %.*s",
            fault_counts[rule->choose - ws_distribution_given(reader, rule->choices)],
            WS_TEXT_ARGS(list));
    }
    return ws_distribution_fault(reader, reader->dist, &fault);
}

/* "68.1 s": one decimal, in the unit that keeps the number below a thousand. */
static ws_text fault_time(double seconds, ws_arena *arena)
{
    static const struct {
        double s;
        const char *unit;
    } units[] = {{1e-6, "us"}, {1e-3, "ms"}, {1, "s"}, {60, "min"}, {3600, "h"}, {86400, "d"}};
    size_t unit = 0;

    while (unit + 1 < WS_COUNT_OF(units) && seconds >= 1000 * units[unit].s) {
        unit++;
    }
    return ws_arena_format(arena, "%.1f %s", seconds / units[unit].s, units[unit].unit);
}

/* What a distribution has for a key that was given in surplus: "sd 68.1 s". */
static ws_text fault_statistic(const ws_distribution *distribution, ws_distribution_key key,
                               ws_arena *arena)
{
    double value = 0;

    if (key == WS_DISTRIBUTION_KEY_SHAPE) {
        return ws_arena_format(arena, "shape %.3g", distribution->a);
    }
    switch (ws_distribution_statistic(key)) {
    case WS_STATISTIC_MEDIAN:
        value = ws_distribution_quantile(distribution, 0.5);
        break;
    case WS_STATISTIC_MEAN:
        value = ws_distribution_mean(distribution);
        break;
    case WS_STATISTIC_SD:
        value = ws_distribution_sd(distribution);
        break;
    case WS_STATISTIC_P90:
        value = ws_distribution_quantile(distribution, 0.90);
        break;
    case WS_STATISTIC_P95:
        value = ws_distribution_quantile(distribution, 0.95);
        break;
    case WS_STATISTIC_P99:
        value = ws_distribution_quantile(distribution, 0.99);
        break;
    case WS_STATISTIC_SCALE:
        value = distribution->a;
        break;
    }
    ws_text time = fault_time(value, arena);
    return ws_arena_format(arena, "%s %.*s", ws_distribution_key_name(key), WS_TEXT_ARGS(time));
}

/* "`median: 95s, p95: 240s` alone already gives sd 68.1 s (mean 111.3 s)"; empty when it does not.
 */
static ws_text fault_surplus_note(const ws_distribution_reader *reader, ws_text kept,
                                  ws_distribution_key surplus, uint32_t known)
{
    static const ws_distribution_key also[] = {WS_DISTRIBUTION_KEY_MEAN, WS_DISTRIBUTION_KEY_SD};
    ws_arena *arena = reader->arena;
    ws_distribution distribution = {0};

    if (!ws_distribution_build(reader, &distribution)) {
        return (ws_text){.start = NULL};
    }
    ws_text gives = fault_statistic(&distribution, surplus, arena);
    for (size_t i = 0; i < WS_COUNT_OF(also); i++) {
        if (((known >> also[i]) & 1u) == 0) {
            ws_text more = fault_statistic(&distribution, also[i], arena);
            gives = ws_arena_format(arena, "%.*s (%.*s)", WS_TEXT_ARGS(gives), WS_TEXT_ARGS(more));
            break;
        }
    }
    return ws_arena_format(arena, "`%.*s` alone already gives %.*s", WS_TEXT_ARGS(kept),
                           WS_TEXT_ARGS(gives));
}

bool ws_distribution_fault_surplus(const ws_distribution_reader *reader)
{
    ws_arena *arena = reader->arena;
    const ws_distribution_rule *rule = reader->rule;
    ws_text choices = fault_quoted(rule->choices, arena);
    ws_distribution_key surplus = WS_DISTRIBUTION_KEY_COUNT;
    ws_text kept = {.start = NULL};
    uint32_t known = 0;
    size_t taken = 0;
    ws_diagnostic fault = {.code = 3202, .label = WS_TEXT("remove one")};

    for (size_t i = 0; i < reader->order_count; i++) {
        ws_distribution_key key = reader->order[i];
        bool is_choice = (rule->choices >> key) & 1u;
        if (is_choice && taken == rule->choose) {
            surplus = surplus == WS_DISTRIBUTION_KEY_COUNT ? key : surplus;
            continue;
        }
        taken += is_choice;
        known |= WS_DISTRIBUTION_BIT(key);
        kept = ws_arena_format(arena, "%.*s%s%s: %.*s", WS_TEXT_ARGS(kept),
                               kept.length > 0 ? ", " : "", ws_distribution_key_name(key),
                               WS_TEXT_ARGS(fault_shown(fault_value(reader, key)->scalar)));
    }
    WS_ASSERT(surplus != WS_DISTRIBUTION_KEY_COUNT);
    fault.message = ws_arena_format(arena, "%s takes %s of %.*s; %s are given", rule->noun,
                                    fault_counts[rule->choose], WS_TEXT_ARGS(choices),
                                    fault_counts[ws_distribution_given(reader, rule->choices)]);
    fault.notes[0] =
        fault_surplus_note(reader, kept, surplus, known | WS_DISTRIBUTION_BIT(surplus));
    fault.at = reader->given[surplus]->key_at; /* the key has to go, not only its value */
    return ws_distribution_fault(reader, fault_value(reader, surplus), &fault);
}

/* What it says of all draws that a statistic is the upper or the lower one of two. */
static const char *fault_upper_label(ws_distribution_key key)
{
    switch (ws_distribution_statistic(key)) {
    case WS_STATISTIC_MEAN:
        return "the mean of all draws";
    case WS_STATISTIC_P90:
        return "90% of draws are below this";
    case WS_STATISTIC_P95:
        return "95% of draws are below this";
    case WS_STATISTIC_P99:
        return "99% of draws are below this";
    case WS_STATISTIC_MEDIAN:
    case WS_STATISTIC_SD:
    case WS_STATISTIC_SCALE:
        break;
    }
    return "";
}

static const char *fault_lower_label(ws_distribution_key key)
{
    switch (ws_distribution_statistic(key)) {
    case WS_STATISTIC_MEDIAN:
        return "yet half of them are above this";
    case WS_STATISTIC_MEAN:
        return "yet their mean is this";
    case WS_STATISTIC_P90:
        return "yet 10% of them are above this";
    case WS_STATISTIC_P95:
        return "yet 5% of them are above this";
    case WS_STATISTIC_P99:
    case WS_STATISTIC_SD:
    case WS_STATISTIC_SCALE:
        break;
    }
    return "";
}

/* "240s" for "24s", or an empty text: a digit is what people lose most easily. Sums such as 1h30m
 * have no such reading. */
static ws_text fault_ten_times(ws_text text, ws_arena *arena)
{
    char digits[WS_NUMBER_TEXT_BYTES];
    double number = 0;
    size_t unit = 0;

    while (unit < text.length && strchr("0123456789.", text.start[unit]) != NULL) {
        unit++;
    }
    for (size_t i = unit; i < text.length; i++) {
        if (text.start[i] < 'a' || text.start[i] > 'z') {
            return (ws_text){.start = NULL};
        }
    }
    if (!ws_parse_f64(ws_text_slice(text, 0, unit), &number)) {
        return (ws_text){.start = NULL};
    }
    (void)ws_print_f64(number * 10, digits);
    return ws_arena_format(arena, "%s%.*s", digits,
                           WS_TEXT_ARGS(ws_text_slice(text, unit, text.length)));
}

static ws_text fault_crossed_help(const ws_distribution_reader *reader, ws_distribution_key lower,
                                  ws_distribution_key upper)
{
    ws_arena *arena = reader->arena;
    ws_text written = fault_value(reader, upper)->scalar;
    ws_text meant = fault_ten_times(written, arena);
    ws_distribution_reader tenfold = *reader;
    ws_distribution built = {0};

    if (!(reader->values[upper] < reader->values[lower])) {
        return ws_arena_format(arena, "for a time that is always the same write `%.*s: %.*s`",
                               WS_TEXT_ARGS(reader->name), WS_TEXT_ARGS(fault_shown(written)));
    }
    tenfold.values[upper] *= 10;
    if (meant.length > 0 && tenfold.values[upper] > tenfold.values[lower] &&
        ws_distribution_build(&tenfold, &built)) {
        return ws_arena_format(arena, "was `%.*s` meant?", WS_TEXT_ARGS(fault_shown(meant)));
    }
    return (ws_text){.start = NULL};
}

bool ws_distribution_fault_crossed(const ws_distribution_reader *reader, ws_distribution_key lower,
                                   ws_distribution_key upper)
{
    bool is_uniform = reader->rule->family == WS_DISTRIBUTION_UNIFORM;
    ws_diagnostic fault = {.code = 3201, .also = fault_value(reader, lower)->at};

    fault.message =
        ws_arena_format(reader->arena, "%s needs `%s` above `%s`", reader->rule->noun,
                        ws_distribution_key_name(upper), ws_distribution_key_name(lower));
    fault.label = ws_text_of(is_uniform ? "all draws are below this" : fault_upper_label(upper));
    fault.also_label =
        ws_text_of(is_uniform ? "yet all of them are above this" : fault_lower_label(lower));
    fault.help = fault_crossed_help(reader, lower, upper);
    return ws_distribution_fault(reader, fault_value(reader, upper), &fault);
}

bool ws_distribution_fault_range(const ws_distribution_reader *reader, ws_distribution_key key,
                                 const char *range, const char *label)
{
    ws_diagnostic fault = {.code = 3204, .label = ws_text_of(label)};

    fault.message = ws_arena_format(reader->arena, "`%s` of %s is %s",
                                    ws_distribution_key_name(key), reader->rule->noun, range);
    return ws_distribution_fault(reader, fault_value(reader, key), &fault);
}

bool ws_distribution_fault_impossible(const ws_distribution_reader *reader)
{
    ws_distribution_key first = reader->order[0];
    ws_distribution_key second = reader->order[1];
    ws_distribution_key lower = first < second ? first : second;
    ws_distribution_key upper = first < second ? second : first;
    ws_diagnostic fault = {.code = 3204, .also = fault_value(reader, lower)->at};

    WS_ASSERT(reader->order_count == 2);
    fault.message =
        ws_arena_format(reader->arena, "no %s has this `%s` and this `%s`", reader->rule->name,
                        ws_distribution_key_name(lower), ws_distribution_key_name(upper));
    fault.label = WS_TEXT("too far from the other");
    if (lower == WS_DISTRIBUTION_KEY_MEAN) {
        /* The quantile over the mean is exp(z sigma - sigma^2/2), which is largest at sigma = z. */
        double p = upper == WS_DISTRIBUTION_KEY_P90   ? 0.90
                   : upper == WS_DISTRIBUTION_KEY_P95 ? 0.95
                                                      : 0.99;
        double z = gsl_cdf_ugaussian_Pinv(p);
        fault.label = ws_arena_format(reader->arena, "at most %.3g times the mean", exp(z * z / 2));
    }
    return ws_distribution_fault(reader, fault_value(reader, upper), &fault);
}
