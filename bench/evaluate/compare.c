/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The family of comparisons is the scenario's metrics times the arms beside the baseline, whether
 * or not a comparison has values: it is declared before the runs. The intervals hold all at once
 * (Bonferroni: each at the level 1 - (1 - confidence) / comparisons), and a verdict says no more
 * than its interval shows: a difference where "no change" lies outside. The p-values are adjusted
 * by Holm, who finds at least as much.
 */
#include "compare.h"

#include <math.h>

/* Pairs of replications in which both sides have a value. */
typedef struct {
    double *values;
    double *baseline;
    size_t n;
} compare_pairs;

/* What the comparisons of one evaluation share. */
typedef struct {
    ws_evaluation *evaluation;
    ws_comparison_record *records;
    size_t count;
    compare_pairs pairs; /* memory for the pairs at hand */
    ws_diag *diag;
} comparison;

/* ---- values and summaries ---- */

static void compare_fill_values(const ws_evaluation_arm *arm, const ws_column *column,
                                size_t replications, double *values)
{
    WS_ASSERT(column->better != WS_BETTER_NONE);

    for (size_t i = 0; i < replications; i++) {
        const ws_evaluation_run *run = &arm->runs[i];
        bool counts = run->state == WS_RUN_DONE && !arm->failed;
        double value = counts ? ws_column_value(column, &run->result.run) : (double)NAN;
        values[i] = isfinite(value) ? value : (double)NAN;
    }
}

static size_t compare_pack(const double *values, size_t count, double *packed)
{
    size_t n = 0;

    for (size_t i = 0; i < count; i++) {
        if (!isnan(values[i])) {
            packed[n++] = values[i];
        }
    }
    return n;
}

bool ws_compare_summarise(ws_evaluation_arm *arm, size_t replications, double confidence,
                          ws_arena *arena)
{
    WS_ASSERT(arm->runs != NULL);
    WS_ASSERT(replications >= 1);

    size_t metric_count = 0;
    double *packed = ws_arena_alloc(arena, double, replications);

    while (ws_comparable_names[metric_count] != NULL) {
        metric_count++;
    }
    ws_metric_values *metrics = ws_arena_alloc(arena, ws_metric_values, metric_count);
    double *values = ws_arena_alloc(arena, double, metric_count *replications);
    if (packed == NULL || metrics == NULL || values == NULL) {
        return false;
    }
    for (size_t i = 0; i < metric_count; i++) {
        ws_text name = ws_text_of(ws_comparable_names[i]);
        const ws_column *column = ws_columns_find(&ws_run_columns, name);
        double *own = values + i * replications;
        WS_ASSERT(column != NULL);
        compare_fill_values(arm, column, replications, own);
        size_t n = compare_pack(own, replications, packed);
        metrics[i] = (ws_metric_values){
            .column = column, .values = own, .summary = ws_summary_of(packed, n, confidence)};
    }
    arm->metrics = metrics;
    return true;
}

/* ---- one comparison ---- */

static void compare_pair_up(const ws_metric_values *values, const ws_metric_values *baseline,
                            size_t replications, compare_pairs *pairs)
{
    WS_ASSERT(values->column == baseline->column);

    pairs->n = 0;
    for (size_t i = 0; i < replications; i++) {
        if (!isnan(values->values[i]) && !isnan(baseline->values[i])) {
            pairs->values[pairs->n] = values->values[i];
            pairs->baseline[pairs->n] = baseline->values[i];
            pairs->n++;
        }
    }
}

static double compare_if(bool known, double value)
{
    return known ? value : (double)NAN;
}

static void compare_fill(ws_comparison_record *record, const compare_pairs *pairs,
                         double confidence, size_t comparisons)
{
    WS_ASSERT(comparisons >= 1);

    double level = 1 - (1 - confidence) / (double)comparisons;
    ws_paired paired = ws_paired_of(pairs->values, pairs->baseline, pairs->n, level);
    ws_summary values = ws_summary_of(pairs->values, pairs->n, confidence);
    ws_summary baseline = ws_summary_of(pairs->baseline, pairs->n, confidence);
    bool has_value = pairs->n > 0;
    bool has_interval = paired.has_interval;

    record->n_pairs = (int64_t)pairs->n;
    record->mean = compare_if(has_value, values.mean);
    record->ci_low = compare_if(has_interval, values.low);
    record->ci_high = compare_if(has_interval, values.high);
    record->baseline_mean = compare_if(has_value, baseline.mean);
    record->diff_mean = compare_if(has_value, paired.difference);
    record->diff_ci_low = compare_if(has_interval, paired.difference_low);
    record->diff_ci_high = compare_if(has_interval, paired.difference_high);
    record->ratio = compare_if(paired.has_ratio, paired.ratio);
    record->ratio_ci_low = compare_if(has_interval && paired.has_ratio, paired.ratio_low);
    record->ratio_ci_high = compare_if(has_interval && paired.has_ratio, paired.ratio_high);
    record->correlation = compare_if(has_value, paired.correlation);
    record->p = paired.p;
    record->confidence = confidence;
    record->comparisons = (int64_t)comparisons;
    record->identical = has_value && paired.identical;
}

static ws_text compare_verdict(const ws_comparison_record *record, const ws_column *column)
{
    WS_ASSERT(column != NULL);
    WS_ASSERT(column->better != WS_BETTER_NONE);

    bool is_higher = isnan(record->ratio) ? record->diff_mean > 0 : record->ratio > 1;

    if (record->n_pairs == 0) {
        return WS_TEXT("no value");
    }
    if (record->identical) {
        return WS_TEXT("identical");
    }
    if (record->n_pairs < WS_INTERVAL_MIN) {
        return WS_TEXT("too few replications");
    }
    if (!record->resolved) {
        return WS_TEXT("no difference shown");
    }
    return is_higher == (column->better == WS_BETTER_HIGHER) ? WS_TEXT("better") : WS_TEXT("worse");
}

/* ---- warnings ---- */

static void compare_warn(ws_diag *diag, int code, ws_text message, ws_text help)
{
    WS_ASSERT(message.start != NULL || diag->arena != NULL);

    ws_diag_add(
        diag, &(ws_diagnostic){
                  .severity = WS_SEVERITY_WARNING, .code = code, .message = message, .help = help});
}

/* One replication or two make the difference; of the pairs at hand. */
static bool compare_is_dominated(const comparison *all, const ws_comparison_record *record)
{
    WS_ASSERT(all->pairs.n == (size_t)record->n_pairs);

    ws_paired paired =
        ws_paired_of(all->pairs.values, all->pairs.baseline, all->pairs.n, record->confidence);

    return paired.has_interval && paired.dominated;
}

/* `metrics` are names in quotes, with commas. */
static void compare_warn_dominated(const comparison *all, const ws_comparison_record *record,
                                   ws_text metrics)
{
    compare_warn(all->diag, 8201,
                 ws_arena_format(all->diag->arena,
                                 "few of the replications make the difference of `%.*s` from "
                                 "`%.*s` in %.*s",
                                 WS_TEXT_ARGS(record->policy), WS_TEXT_ARGS(record->baseline),
                                 WS_TEXT_ARGS(metrics)),
                 WS_TEXT("use more replications: intervals do not hold for rare events"));
}

/* A mean over the runs that ended well looks better than it is; so it is said. */
static void compare_warn_missing(const comparison *all, size_t arm_index, ws_text metric)
{
    WS_ASSERT(arm_index < all->evaluation->arm_count);

    const ws_evaluation_arm *arm = &all->evaluation->arms[arm_index];
    const ws_metric_values *values = ws_evaluation_metric(all->evaluation, arm_index, metric);

    if (arm->failed || values->summary.n == arm->runs_done) {
        return;
    }
    compare_warn(
        all->diag, 8202,
        ws_arena_format(all->diag->arena, "policy `%.*s` has no `%.*s` in %zu of %zu replications",
                        WS_TEXT_ARGS(arm->arm->name), WS_TEXT_ARGS(metric),
                        arm->runs_done - values->summary.n, arm->runs_done),
        values->summary.n > 0
            ? WS_TEXT("means and comparisons are over the others: a longer `horizon` may help")
            : WS_TEXT("it was not done before the horizon: a longer `horizon` may help"));
}

/* ---- all comparisons ---- */

static void compare_arm(comparison *all, size_t arm)
{
    WS_ASSERT(arm != all->evaluation->loaded->baseline);

    ws_evaluation *evaluation = all->evaluation;
    const ws_loaded *loaded = evaluation->loaded;
    size_t comparisons = loaded->metric_count * (loaded->arm_count - 1);
    ws_text dominated = WS_TEXT("");
    ws_comparison_record *record = NULL;

    for (size_t i = 0; i < loaded->metric_count; i++) {
        ws_text metric = loaded->metrics[i];
        const ws_metric_values *values = ws_evaluation_metric(evaluation, arm, metric);
        const ws_metric_values *baseline =
            ws_evaluation_metric(evaluation, loaded->baseline, metric);

        record = &all->records[all->count++];
        *record = (ws_comparison_record){.policy = loaded->arms[arm].name,
                                         .baseline = loaded->arms[loaded->baseline].name,
                                         .metric = metric};
        compare_pair_up(values, baseline, evaluation->replications, &all->pairs);
        compare_fill(record, &all->pairs, loaded->confidence, comparisons);
        if (compare_is_dominated(all, record)) {
            dominated = ws_arena_format(all->diag->arena, "%.*s%s`%.*s`", WS_TEXT_ARGS(dominated),
                                        dominated.length > 0 ? ", " : "", WS_TEXT_ARGS(metric));
        }
    }
    if (dominated.length > 0) {
        compare_warn_dominated(all, record, dominated);
    }
}

/* "No change" lies outside of the interval that is shown. */
static bool compare_is_resolved(const ws_comparison_record *record)
{
    if (!isnan(record->ratio_ci_low)) {
        return record->ratio_ci_low > 1 || record->ratio_ci_high < 1;
    }
    return record->diff_ci_low > 0 || record->diff_ci_high < 0; /* false where there is none */
}

static bool compare_adjust(comparison *all, ws_arena *arena)
{
    double *p = ws_arena_alloc(arena, double, all->count + 1);
    size_t *order = ws_arena_alloc(arena, size_t, all->count + 1);

    if (p == NULL || order == NULL) {
        return false;
    }
    for (size_t i = 0; i < all->count; i++) {
        p[i] = all->records[i].p;
    }
    ws_holm(p, order, all->count);
    for (size_t i = 0; i < all->count; i++) {
        ws_comparison_record *record = &all->records[i];
        const ws_column *column = ws_columns_find(&ws_run_columns, record->metric);
        record->p = p[i];
        record->resolved = compare_is_resolved(record);
        record->verdict = compare_verdict(record, column);
    }
    return true;
}

/* ---- thresholds ---- */

static size_t compare_find_arm(const ws_loaded *loaded, ws_text name)
{
    size_t arm = 0;

    while (arm < loaded->arm_count && !ws_text_equals(loaded->arms[arm].name, name)) {
        arm++;
    }
    return arm;
}

static double compare_change(comparison *all, size_t arm, ws_text metric)
{
    WS_ASSERT(arm < all->evaluation->arm_count);

    const ws_loaded *loaded = all->evaluation->loaded;

    compare_pair_up(ws_evaluation_metric(all->evaluation, arm, metric),
                    ws_evaluation_metric(all->evaluation, loaded->baseline, metric),
                    all->evaluation->replications, &all->pairs);
    ws_paired paired =
        ws_paired_of(all->pairs.values, all->pairs.baseline, all->pairs.n, loaded->confidence);
    ws_summary baseline = ws_summary_of(all->pairs.baseline, all->pairs.n, loaded->confidence);
    if (all->pairs.n == 0) {
        return (double)NAN;
    }
    if (paired.identical) {
        return 0;
    }
    if (paired.has_ratio) {
        return paired.ratio - 1;
    }
    return baseline.mean > 0 ? paired.difference / baseline.mean : (double)NAN;
}

static bool compare_thresholds(comparison *all, ws_arena *arena)
{
    ws_evaluation *evaluation = all->evaluation;
    const ws_loaded *loaded = evaluation->loaded;
    ws_threshold_result *results =
        ws_arena_alloc(arena, ws_threshold_result, loaded->threshold_count + 1);

    if (results == NULL) {
        return false;
    }
    evaluation->passed = true;
    for (size_t i = 0; i < loaded->threshold_count; i++) {
        const ws_threshold *threshold = &loaded->thresholds[i];
        size_t arm = compare_find_arm(loaded, threshold->policy);
        if (arm == loaded->arm_count) {
            compare_warn(
                all->diag, 8203,
                ws_arena_format(all->diag->arena,
                                "the threshold on `%.*s` was not looked at: it was not run",
                                WS_TEXT_ARGS(threshold->policy)),
                WS_TEXT("name it with `--policy`, too"));
            continue;
        }
        double observed = compare_change(all, arm, threshold->metric);
        bool passed = observed <= threshold->max_change;
        results[evaluation->threshold_count++] =
            (ws_threshold_result){.threshold = *threshold, .observed = observed, .passed = passed};
        evaluation->passed = evaluation->passed && passed;
    }
    evaluation->thresholds = results;
    return true;
}

bool ws_compare_arms(ws_evaluation *evaluation, ws_arena *arena, ws_diag *diag)
{
    WS_ASSERT(evaluation->arm_count == evaluation->loaded->arm_count);

    const ws_loaded *loaded = evaluation->loaded;
    size_t count = loaded->metric_count * (loaded->arm_count - 1);
    comparison all = {
        .evaluation = evaluation,
        .records = ws_arena_alloc(arena, ws_comparison_record, count + 1),
        .pairs = {.values = ws_arena_alloc(arena, double, evaluation->replications),
                  .baseline = ws_arena_alloc(arena, double, evaluation->replications)},
        .diag = diag,
    };

    if (all.records == NULL || all.pairs.values == NULL || all.pairs.baseline == NULL) {
        return false;
    }
    for (size_t arm = 0; arm < loaded->arm_count; arm++) {
        for (size_t i = 0; i < loaded->metric_count; i++) {
            compare_warn_missing(&all, arm, loaded->metrics[i]);
        }
    }
    for (size_t arm = 0; arm < loaded->arm_count; arm++) {
        if (arm != loaded->baseline) {
            compare_arm(&all, arm);
        }
    }
    WS_ASSERT(all.count == count);
    if (!compare_adjust(&all, arena) || !compare_thresholds(&all, arena)) {
        return false;
    }
    ws_compare_paces(evaluation, diag);
    evaluation->comparisons = all.records;
    evaluation->comparison_count = all.count;
    return true;
}
