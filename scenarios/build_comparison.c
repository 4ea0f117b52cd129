/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is compared with what: baseline, metrics, thresholds, and the arms that were asked for. */
#include "build.h"
#include "ws/record.h"

/* ---- metrics ---- */

static size_t comparison_comparable_count(void)
{
    size_t count = 0;

    while (ws_comparable_names[count] != NULL) {
        count++;
    }
    return count;
}

static bool comparison_check_metric(ws_build *context, ws_text metric, ws_span at)
{
    const ws_column *column = ws_columns_find(&ws_run_columns, metric);
    int near = ws_text_nearest(metric, ws_comparable_names, comparison_comparable_count());
    ws_text shown = ws_build_shown(metric);

    if (column != NULL && column->better != WS_BETTER_NONE) {
        return true;
    }
    return ws_build_error(
        context, 2203, at,
        ws_build_text(context, "`%.*s` is not a metric that arms are compared by",
                      WS_TEXT_ARGS(shown)),
        "unknown metric",
        near < 0 ? WS_TEXT("for example `cost_usd`, `goodput_fraction`, `jct_p95_s`")
                 : ws_build_text(context, "did you mean `%s`?", ws_comparable_names[near]));
}

static bool comparison_has_main(const ws_workload *workload)
{
    for (size_t i = 0; i < workload->template_count; i++) {
        if (workload->templates[i].kind.main_job) {
            return true;
        }
    }
    return false;
}

/** Without a choice: utilisation, cost, time, and what failures cost. */
static bool comparison_default_metrics(ws_build *context)
{
    static const char *const names[] = {"goodput_fraction", "cost_usd", "main_finish_s",
                                        "jct_p95_s", "effective_training_ratio"};
    bool has_main = comparison_has_main(&context->scenario->workload);
    ws_text *metrics = ws_build_new(context, ws_text, WS_COUNT_OF(names));

    if (metrics == NULL) {
        return false;
    }
    for (size_t i = 0; i < WS_COUNT_OF(names); i++) {
        bool is_main = ws_text_is(WS_TEXT("main_finish_s"), names[i]);

        metrics[i] = ws_text_of(is_main && !has_main ? "jct_mean_s" : names[i]);
    }
    context->loaded->metrics = metrics;
    context->loaded->metric_count = WS_COUNT_OF(names);
    return true;
}

/** Each is known, and none comes twice: intervals are adjusted for their number. */
static bool comparison_metrics(ws_build *context)
{
    const ws_list *list = &context->file->compare.metrics;
    const ws_text *metrics = list->items;
    const ws_document *written = ws_document_find(context->file->compare.self, "metrics");
    bool sound = true;

    if (list->count == 0) {
        return comparison_default_metrics(context);
    }
    ws_build_named *named = ws_build_new(context, ws_build_named, list->count);
    if (named == NULL) {
        return false;
    }
    for (size_t i = 0; i < list->count; i++) {
        bool is_list = written->kind == WS_DOCUMENT_LIST;

        named[i] = (ws_build_named){.name = metrics[i],
                                    .at = is_list ? written->entries[i].value->at : written->at};
        sound = comparison_check_metric(context, metrics[i], named[i].at) && sound;
    }
    context->loaded->metrics = metrics;
    context->loaded->metric_count = list->count;
    return sound && ws_build_check_names(context, "metrics", named, list->count, WS_TEXT(""));
}

/* ---- arms by name ---- */

/** Index of an arm, or an error with the names that there are. */
static bool comparison_find_arm(ws_build *context, ws_text name, ws_span at, size_t *index)
{
    const ws_loaded *loaded = context->loaded;
    const char **names = ws_build_new(context, const char *, loaded->arm_count);
    ws_text shown = ws_build_shown(name);

    WS_ASSERT(loaded->arm_count >= 1);
    if (names == NULL) {
        return false;
    }
    for (size_t i = 0; i < loaded->arm_count; i++) {
        if (loaded->arms[i].name.length == 0) {
            return false; /* it could not be read, and may be the one that is meant */
        }
        if (ws_text_equals(loaded->arms[i].name, name)) {
            *index = i;
            return true;
        }
        names[i] = ws_build_string(context, loaded->arms[i].name);
    }
    return ws_build_error(
        context, 4101, at, ws_build_text(context, "no policy is named `%.*s`", WS_TEXT_ARGS(shown)),
        "unknown policy", ws_build_known(context, "policy name", names, loaded->arm_count, name));
}

static bool comparison_thresholds(ws_build *context)
{
    const ws_list *list = &context->file->compare.thresholds;
    const ws_file_threshold *files = list->items;
    ws_threshold *thresholds = ws_build_new(context, ws_threshold, list->count + 1);
    bool sound = thresholds != NULL;
    size_t arm = 0;

    for (size_t i = 0; thresholds != NULL && i < list->count; i++) {
        const ws_file_threshold *file = &files[i];

        sound =
            comparison_find_arm(context, file->policy, ws_build_at(file->self, "policy"), &arm) &&
            sound;
        sound = comparison_check_metric(context, file->metric, ws_build_at(file->self, "metric")) &&
                sound;
        thresholds[i] = (ws_threshold){
            .policy = file->policy, .metric = file->metric, .max_change = file->max_change};
    }
    context->loaded->thresholds = thresholds;
    context->loaded->threshold_count = list->count;
    return sound;
}

/* ---- the arms that were asked for ---- */

static bool comparison_is_wanted(const ws_load_options *options, ws_text name, ws_text baseline)
{
    for (size_t i = 0; i < options->policy_count; i++) {
        if (ws_text_equals(options->policies[i], name)) {
            return true;
        }
    }
    return options->policy_count == 0 || ws_text_equals(name, baseline);
}

/** Keeps the arms that were named on the command line, and the baseline. */
static bool comparison_select(ws_build *context, ws_text baseline)
{
    const ws_load_options *options = context->options;
    ws_loaded *loaded = context->loaded;
    bool sound = true;
    size_t kept = 0;
    size_t unused = 0;

    for (size_t i = 0; i < options->policy_count; i++) {
        sound = comparison_find_arm(context, options->policies[i], ws_span_none, &unused) && sound;
    }
    if (!sound) {
        return false;
    }
    for (size_t i = 0; i < loaded->arm_count; i++) {
        if (comparison_is_wanted(options, loaded->arms[i].name, baseline)) {
            loaded->arms[kept++] = loaded->arms[i];
        }
    }
    WS_ASSERT(kept >= 1);
    loaded->arm_count = kept;
    return comparison_find_arm(context, baseline, ws_span_none, &loaded->baseline);
}

bool ws_build_comparison(ws_build *context)
{
    WS_ASSERT(context->file != NULL);

    const ws_file_compare *file = &context->file->compare;
    ws_text baseline = file->baseline;
    bool sound = comparison_metrics(context);
    size_t unused = 0;

    context->loaded->confidence = file->confidence;
    if (context->loaded->arm_count == 0) {
        return sound; /* no list of policies: told already */
    }
    sound = comparison_thresholds(context) && sound;
    if (baseline.length > 0) {
        sound =
            comparison_find_arm(context, baseline, ws_build_at(file->self, "baseline"), &unused) &&
            sound;
    } else {
        baseline = context->loaded->arms[0].name;
    }
    return sound && comparison_select(context, baseline);
}
