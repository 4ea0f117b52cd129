/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A recorded series of prices becomes the price of a pool at time 0 and the steps after it. A value
 * holds until the next one, also over a hole and after the end; before the first one nothing is
 * known.
 */
#include <math.h>
#include <string.h>

#include "build.h"
#include "ws/trace_series.h"

/** A value beyond it is no price. */
#define PRICE_VALUE_MAX 1e9

typedef struct {
    const ws_file_pool *pool;
    const ws_file_prices *file;
    ws_trace_series_set set;
    const ws_trace_series *series;
    const ws_trace_sample *samples; /* those with a time */
    size_t count;
    int64_t from_ns;
} price_series;

/* ---- reading ---- */

static bool prices_unknown_format(ws_build *context, const ws_file_prices *file)
{
    const char *names[WS_BUILD_KNOWN_MAX] = {NULL};
    size_t count = 0;
    ws_text shown = ws_build_shown(file->format);

    for (; count < WS_COUNT_OF(names) && count < ws_trace_series_type_count(); count++) {
        names[count] = ws_trace_series_type_at(count)->name;
    }
    return ws_build_error(
        context, 2203, ws_build_at(file->self, "format"),
        ws_build_text(context, "`%.*s` is not a format of recorded series", WS_TEXT_ARGS(shown)),
        "unknown format", ws_build_known(context, "format", names, count, file->format));
}

static bool prices_read(ws_build *context, price_series *prices)
{
    const ws_file_prices *file = prices->file;
    ws_file_name name = {.path = NULL};
    ws_trace_series_options options = {.type = NULL};
    ws_trace_series_report report = {.samples_read = 0};

    if (!ws_text_is(file->format, "auto")) {
        options.type = ws_trace_series_type_find(file->format);
        if (options.type == NULL) {
            return prices_unknown_format(context, file);
        }
    }
    return ws_build_file_name(context, file->file, "file", file->self, &name) &&
           ws_build_note_input(context, &name, WS_TEXT("prices")) &&
           ws_trace_series_load(&prices->set, &name, &options, &report, context->arena,
                                context->diag);
}

/* ---- which series ---- */

/** Whether a series has a label: `{a="x",b="y"}` holds `b="y"` behind a brace or a comma. */
static bool prices_has_label(ws_build *context, const ws_trace_series *series, ws_text key,
                             ws_text value)
{
    ws_text wanted =
        ws_build_text(context, "%.*s=\"%.*s\"", WS_TEXT_ARGS(key), WS_TEXT_ARGS(value));

    if (ws_text_is(key, "__name__")) {
        return ws_text_equals(series->name, value);
    }
    for (size_t i = 1; i + wanted.length < series->labels.length; i++) {
        char before = series->labels.start[i - 1];

        if ((before == '{' || before == ',') &&
            memcmp(series->labels.start + i, wanted.start, wanted.length) == 0) {
            return true;
        }
    }
    return false;
}

static bool prices_is_wanted(ws_build *context, const price_series *prices,
                             const ws_trace_series *series)
{
    const ws_document *match = prices->file->match;

    for (size_t i = 0; match != NULL && i < match->count; i++) {
        if (!prices_has_label(context, series, match->entries[i].key,
                              match->entries[i].value->scalar)) {
            return false;
        }
    }
    return true;
}

static bool prices_check_match(ws_build *context, const ws_document *match)
{
    bool is_map = match == NULL || match->kind == WS_DOCUMENT_MAP;

    for (size_t i = 0; is_map && match != NULL && i < match->count; i++) {
        is_map = match->entries[i].value->kind == WS_DOCUMENT_SCALAR;
    }
    return is_map || ws_build_error(context, 2201, match->at, WS_TEXT("`match` is a map of labels"),
                                    "not a map of texts",
                                    WS_TEXT("write `match: {InstanceType: p5.48xlarge}`"));
}

/** Names of series, so that one can be told from the others. */
static ws_text prices_known(ws_build *context, const price_series *prices)
{
    ws_text all = WS_TEXT("it holds");

    for (size_t i = 0; i < prices->set.count && i < WS_BUILD_KNOWN_MAX; i++) {
        const ws_trace_series *series = &prices->set.items[i];
        all = ws_build_text(context, "%.*s%s `%.*s%.*s`", WS_TEXT_ARGS(all), i == 0 ? "" : ",",
                            WS_TEXT_ARGS(series->name), WS_TEXT_ARGS(series->labels));
    }
    return prices->set.count <= WS_BUILD_KNOWN_MAX
               ? all
               : ws_build_text(context, "%.*s and %zu more", WS_TEXT_ARGS(all),
                               prices->set.count - WS_BUILD_KNOWN_MAX);
}

static bool prices_choose(ws_build *context, price_series *prices)
{
    const ws_file_prices *file = prices->file;
    size_t found = 0;

    if (!prices_check_match(context, file->match)) {
        return false;
    }
    for (size_t i = 0; i < prices->set.count; i++) {
        if (prices_is_wanted(context, prices, &prices->set.items[i])) {
            prices->series = &prices->set.items[i];
            found++;
        }
    }
    if (found == 1) {
        prices->samples = prices->series->samples + prices->series->untimed;
        prices->count = prices->series->count - prices->series->untimed;
        return prices->count > 0 || ws_build_error(context, 4331, ws_build_at(file->self, "file"),
                                                   WS_TEXT("the recorded prices have no times"),
                                                   "when was that?", WS_TEXT(""));
    }
    return ws_build_error(
        context, 4331, ws_build_at(file->self, file->match != NULL ? "match" : "file"),
        found == 0 ? WS_TEXT("no series of the recording is meant")
                   : ws_build_text(context, "%zu series of the recording could be meant", found),
        found == 0 ? "none has these labels" : "which of them?", prices_known(context, prices));
}

/* ---- prices ---- */

/** A value as the price of a node, to the nearest nano. */
static bool prices_of_value(ws_build *context, const price_series *prices, double value,
                            ws_price *price)
{
    const ws_file_prices *file = prices->file;
    const ws_price *one = file->has_per_gpu ? &file->per_gpu : &file->per_node;
    double gpus = file->has_per_gpu ? (double)prices->pool->gpu.per_node : 1;
    double nano = value * (double)one->nano_per_h;

    if (value < 0 || value > PRICE_VALUE_MAX || nano * gpus > (double)WS_FLEET_PRICE_MAX) {
        return ws_build_error(context, 4332, ws_build_at(file->self, "file"),
                              ws_build_text(context, "a recorded price is %.6g", value),
                              value < 0 ? "nobody is paid for a node" : "beyond what is counted",
                              WS_TEXT(""));
    }
    price->nano_per_h = (int64_t)floor(nano + 0.5) * (int64_t)gpus;
    return true;
}

/** The last sample at or before time 0. */
static bool prices_begin(ws_build *context, price_series *prices, size_t *first)
{
    const ws_file_prices *file = prices->file;
    size_t next = 0;

    WS_ASSERT(prices->samples != NULL);
    prices->from_ns = file->from.given ? file->from.unix_s * WS_NS_PER_S : prices->samples[0].at_ns;
    while (next < prices->count && prices->samples[next].at_ns <= prices->from_ns) {
        next++;
    }
    if (next == 0) {
        return ws_build_error(context, 4333, ws_build_at(file->self, "from"),
                              WS_TEXT("no price is known at `from`: the recording begins later"),
                              "before the first price", WS_TEXT("leave it out for the first one"));
    }
    *first = next - 1;
    return true;
}

/** Steps of the price within the horizon; equal ones are one. */
static bool prices_fill(ws_build *context, const price_series *prices, size_t first,
                        ws_pool_spec *pool)
{
    ws_price_step *steps = ws_build_new(context, ws_price_step, prices->count - first + 1);
    size_t count = 0;

    WS_ASSERT(prices->samples != NULL);
    if (steps == NULL ||
        !prices_of_value(context, prices, prices->samples[first].value, &pool->node_price)) {
        return false;
    }
    ws_price last = pool->node_price;

    for (size_t i = first + 1; i < prices->count; i++) {
        ws_price_step step = {.at.ns = prices->samples[i].at_ns - prices->from_ns};

        if (step.at.ns > context->scenario->horizon.ns) {
            break;
        }
        if (!prices_of_value(context, prices, prices->samples[i].value, &step.node_price)) {
            return false;
        }
        if (step.node_price.nano_per_h != last.nano_per_h) {
            steps[count++] = step;
            last = step.node_price;
        }
    }
    pool->price_steps = steps;
    pool->price_step_count = count;
    return true;
}

/* ---- what is said of it ---- */

static void prices_assume(ws_build *context, const price_series *prices, const ws_pool_spec *pool)
{
    WS_ASSERT(prices->series != NULL);
    ws_build_assume(context,
                    ws_build_text(context,
                                  "pool %.*s costs what is recorded in %.*s (%.*s%.*s): %zu "
                                  "changes; every replication meets the same prices",
                                  WS_TEXT_ARGS(pool->name), WS_TEXT_ARGS(prices->file->file),
                                  WS_TEXT_ARGS(prices->series->name),
                                  WS_TEXT_ARGS(prices->series->labels), pool->price_step_count));
    if (prices->series->holes > 0) {
        ws_text missing =
            ws_build_span_text(context, prices->series->hole_ns / WS_NS_PER_S * WS_NS_PER_S);
        ws_build_assume(context,
                        ws_build_text(context,
                                      "pool %.*s: in %lld holes of the recorded prices, %.*s "
                                      "together, the last price holds",
                                      WS_TEXT_ARGS(pool->name), (long long)prices->series->holes,
                                      WS_TEXT_ARGS(missing)));
    }
}

/** Of a log of changes nobody knows whether one more would have come; samples say when they end. */
static void prices_warn_end(ws_build *context, const price_series *prices, const ws_pool_spec *pool)
{
    WS_ASSERT(prices->samples != NULL);
    WS_ASSERT(prices->series != NULL);

    int64_t length_ns = prices->samples[prices->count - 1].at_ns - prices->from_ns;

    length_ns = length_ns > 0 ? length_ns : 0;
    if (length_ns + prices->series->step_ns >= context->scenario->horizon.ns) {
        return;
    }
    ws_text length = ws_build_span_text(context, length_ns / WS_NS_PER_S * WS_NS_PER_S);
    ws_build_warn(context,
                  &(ws_diagnostic){
                      .code = 4334,
                      .message = ws_build_text(
                          context,
                          "the last recorded price of pool `%.*s` is of %.*s of the run: it holds "
                          "from then on",
                          WS_TEXT_ARGS(pool->name), WS_TEXT_ARGS(length)),
                      .at = ws_build_at(prices->file->self, "file"),
                      .label = WS_TEXT("shorter than the horizon"),
                      .help = WS_TEXT("shorten the `horizon`, or record for longer")});
}

/* ---- all of it ---- */

static bool prices_check_unit(ws_build *context, const ws_file_prices *file)
{
    if (file->has_per_gpu != file->has_per_node) {
        return true;
    }
    return ws_build_error(
        context, 2302, file->has_per_gpu ? ws_build_key_at(file->self, "per_node") : file->self->at,
        file->has_per_gpu ? WS_TEXT("a recorded value is of a GPU or of a node, not of both")
                          : WS_TEXT("nothing says what a recorded value of 1 is"),
        file->has_per_gpu ? "remove one" : "of what, in which unit?",
        WS_TEXT("dollars an hour of a whole node: `per_node: $1/h`"));
}

bool ws_build_prices(ws_build *context, const ws_file_pool *file, ws_pool_spec *pool)
{
    price_series prices = {.pool = file, .file = file->price.recorded};
    size_t first = 0;

    WS_ASSERT(prices.file != NULL);
    if (!prices_check_unit(context, prices.file) || !prices_read(context, &prices) ||
        !prices_choose(context, &prices) || !prices_begin(context, &prices, &first) ||
        !prices_fill(context, &prices, first, pool)) {
        return false;
    }
    prices_assume(context, &prices, pool);
    prices_warn_end(context, &prices, pool);
    return true;
}
