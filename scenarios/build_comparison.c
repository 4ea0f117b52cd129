/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is compared with what: baseline, metrics, thresholds, and the arms that were asked for. */
#include <math.h>

#include "build.h"
#include "ws/record.h"

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
    size_t count = comparison_comparable_count();
    const ws_column *column = ws_columns_find(&ws_run_columns, metric);
    int near = ws_text_nearest(metric, ws_comparable_names, count);

    if (column != NULL && column->better != WS_BETTER_NONE) {
        return true;
    }
    return ws_build_error(
        context, 2203, at,
        ws_build_text(context, "`%.*s` is not a metric that arms are compared by",
                      WS_TEXT_ARGS(metric)),
        "unknown metric",
        near < 0 ? WS_TEXT("for example `cost_usd`, `goodput_fraction`, `jct_p95_s`")
                 : ws_build_text(context, "did you mean `%s`?", ws_comparable_names[near]));
}

/** Without a choice: utilisation, cost, time, and what failures cost. */
static bool comparison_default_metrics(ws_build *context)
{
    static const char *const with_main[] = {"goodput_fraction", "cost_usd", "main_finish_s",
                                            "jct_p95_s", "effective_training_ratio"};
    static const char *const without_main[] = {"goodput_fraction", "cost_usd", "jct_mean_s",
                                               "jct_p95_s", "effective_training_ratio"};
    const ws_workload *workload = &context->scenario->workload;
    bool has_main = false;
    ws_text *metrics = ws_build_new(context, ws_text, WS_COUNT_OF(with_main));

    if (metrics == NULL) {
        return false;
    }
    for (size_t i = 0; i < workload->template_count; i++) {
        has_main = has_main || workload->templates[i].kind.main_job;
    }
    for (size_t i = 0; i < WS_COUNT_OF(with_main); i++) {
        metrics[i] = ws_text_of(has_main ? with_main[i] : without_main[i]);
    }
    context->loaded->metrics = metrics;
    context->loaded->metric_count = WS_COUNT_OF(with_main);
    return true;
}

static bool comparison_metrics(ws_build *context)
{
    const ws_list *list = &context->file->compare.metrics;
    const ws_text *metrics = list->items;
    const ws_document *written = ws_document_find(context->file->compare.self, "metrics");
    bool sound = true;

    if (list->count == 0) {
        return comparison_default_metrics(context);
    }
    for (size_t i = 0; i < list->count; i++) {
        ws_span at =
            written->kind == WS_DOCUMENT_LIST ? written->entries[i].value->at : written->at;
        sound = comparison_check_metric(context, metrics[i], at) && sound;
    }
    context->loaded->metrics = metrics;
    context->loaded->metric_count = list->count;
    return sound;
}

/** Index of an arm, or an error with the names that there are. */
static bool comparison_find_arm(ws_build *context, ws_text name, ws_span at, size_t *index)
{
    const ws_loaded *loaded = context->loaded;
    const char **names = ws_build_new(context, const char *, loaded->arm_count + 1);

    if (names == NULL) {
        return false;
    }
    for (size_t i = 0; i < loaded->arm_count; i++) {
        if (ws_text_equals(loaded->arms[i].name, name)) {
            *index = i;
            return true;
        }
        names[i] = ws_arena_copy_text(context->arena, loaded->arms[i].name).start;
    }
    int near = ws_text_nearest(name, names, loaded->arm_count);
    return ws_build_error(context, 4101, at,
                          ws_build_text(context, "no policy is named `%.*s`", WS_TEXT_ARGS(name)),
                          "unknown policy",
                          near < 0 ? ws_build_text(context, "the first one is `%s`", names[0])
                                   : ws_build_text(context, "did you mean `%s`?", names[near]));
}

static bool comparison_thresholds(ws_build *context)
{
    const ws_list *list = &context->file->compare.thresholds;
    const ws_file_threshold *files = list->items;
    ws_threshold *thresholds = ws_build_new(context, ws_threshold, list->count + 1);
    bool sound = thresholds != NULL;

    for (size_t i = 0; sound && i < list->count; i++) {
        size_t arm = 0;
        sound =
            comparison_find_arm(context, files[i].policy, ws_build_at(files[i].self, "policy"),
                                &arm) &&
            comparison_check_metric(context, files[i].metric, ws_build_at(files[i].self, "metric"));
        thresholds[i] = (ws_threshold){.policy = files[i].policy,
                                       .metric = files[i].metric,
                                       .max_change = files[i].max_change};
    }
    context->loaded->thresholds = thresholds;
    context->loaded->threshold_count = list->count;
    return sound;
}

/** Keeps the arms that were named on the command line, and the baseline. */
static bool comparison_select(ws_build *context, ws_text baseline)
{
    const ws_load_options *options = context->options;
    ws_loaded *loaded = context->loaded;
    size_t kept = 0;
    size_t unused = 0;

    for (size_t i = 0; i < options->policy_count; i++) {
        if (!comparison_find_arm(context, options->policies[i], ws_span_none, &unused)) {
            return false;
        }
    }
    for (size_t i = 0; options->policy_count > 0 && i < loaded->arm_count; i++) {
        bool wanted = ws_text_equals(loaded->arms[i].name, baseline);
        for (size_t k = 0; k < options->policy_count; k++) {
            wanted = wanted || ws_text_equals(loaded->arms[i].name, options->policies[k]);
        }
        if (wanted) {
            loaded->arms[kept++] = loaded->arms[i];
        }
    }
    loaded->arm_count = options->policy_count > 0 ? kept : loaded->arm_count;
    return comparison_find_arm(context, baseline, ws_span_none, &loaded->baseline);
}

bool ws_build_comparison(ws_build *context)
{
    const ws_file_compare *file = &context->file->compare;
    size_t first = 0;
    ws_text baseline = file->baseline.length > 0 ? file->baseline : context->loaded->arms[0].name;
    bool sound = comparison_metrics(context);

    sound = comparison_thresholds(context) && sound;
    if (file->baseline.length > 0) {
        sound =
            comparison_find_arm(context, baseline, ws_build_at(file->self, "baseline"), &first) &&
            sound;
    }
    context->loaded->confidence = file->confidence;
    return sound && comparison_select(context, baseline);
}
