/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "paragraph.h"
#include "present.h"

#define ANSWER_ASSUMPTIONS_SHOWN 5

typedef struct {
    const ws_evaluation *evaluation;
    const ws_answer_context *context;
    ws_writer *out;
    ws_arena *arena;
} answer_text;

static void answer_paragraph(const answer_text *task, ws_text text)
{
    ws_paragraph_write(
        task->out, text,
        (ws_paragraph){.width = ws_paragraph_width(task->context->terminal), .indent = 2});
}

/* ---- what the numbers are ---- */

static bool answer_has_intervals(const ws_evaluation *evaluation)
{
    for (size_t arm = 0; arm < evaluation->arm_count; arm++) {
        if (!evaluation->arms[arm].failed && evaluation->arms[arm].runs_done >= WS_INTERVAL_MIN) {
            return true;
        }
    }
    return false;
}

/* Whether a metric that is compared is a percentage. */
static bool answer_has_percentages(const answer_text *task)
{
    const ws_loaded *loaded = task->evaluation->loaded;

    for (size_t i = 0; i < loaded->metric_count; i++) {
        const ws_column *column = ws_columns_find(&ws_run_columns, loaded->metrics[i]);
        if (strcmp(ws_present(column, 0, task->arena).unit, "%") == 0) {
            return true;
        }
    }
    return false;
}

static void answer_intervals(const answer_text *task)
{
    WS_ASSERT(task->evaluation->loaded->confidence > 0);

    const ws_evaluation *evaluation = task->evaluation;
    size_t comparisons = evaluation->comparison_count;
    char level[32];
    ws_text changes = {.length = 0};

    if (!answer_has_intervals(evaluation)) {
        answer_paragraph(task,
                         ws_arena_format(task->arena,
                                         "Fewer than %d replications: no intervals, no verdicts.",
                                         WS_INTERVAL_MIN));
        return;
    }
    (void)snprintf(level, sizeof level, "%.4g %%", 100 * evaluation->loaded->confidence);
    if (comparisons > 0) {
        changes = ws_arena_format(task->arena,
                                  " The intervals of the changes hold together (%s for all %zu "
                                  "comparison%s, Bonferroni), and a "
                                  "verdict says what they show.",
                                  level, comparisons, comparisons == 1 ? "" : "s");
    }
    answer_paragraph(
        task,
        ws_arena_format(task->arena,
                        "%s is half of the %s interval of a mean (Student, n = %zu).%.*s Intervals "
                        "cover chance alone, not errors of the models.",
                        task->context->terminal->utf8 ? "\u00b1" : "+-", level,
                        evaluation->replications, WS_TEXT_ARGS(changes)));
    if (comparisons > 0 && answer_has_percentages(task)) {
        answer_paragraph(task, WS_TEXT("Changes are relative, those of percentages too: from 50 % "
                                       "to 55 % is +10 %."));
    }
}

/* ---- what limits them ---- */

static double answer_mean_censored(const ws_evaluation_arm *arm, size_t replications)
{
    WS_ASSERT(arm->runs_done <= replications);

    double sum = 0;

    for (size_t i = 0; i < replications; i++) {
        if (arm->runs[i].state == WS_RUN_DONE) {
            sum += (double)arm->runs[i].result.run.jobs_censored;
        }
    }
    return arm->runs_done > 0 ? sum / (double)arm->runs_done : 0;
}

/* Jobs that are not done have no completion time; leaving them out makes a slow policy look fast.
 */
static void answer_censored(const answer_text *task)
{
    const ws_evaluation *evaluation = task->evaluation;
    ws_text list = {.length = 0};

    for (size_t i = 0; i < evaluation->arm_count; i++) {
        const ws_evaluation_arm *arm = &evaluation->arms[i];
        double mean = answer_mean_censored(arm, evaluation->replications);
        if (mean > 0) {
            ws_text number = ws_present_number(mean, 1, task->arena);
            list =
                ws_arena_format(task->arena, "%.*s%s %.*s%s of %.*s", WS_TEXT_ARGS(list),
                                list.length > 0 ? "," : "", WS_TEXT_ARGS(number),
                                list.length > 0 ? "" : " jobs a run", WS_TEXT_ARGS(arm->arm->name));
        }
    }
    if (list.length > 0) {
        answer_paragraph(task, ws_arena_format(task->arena,
                                               "Not done at the horizon, and in no completion "
                                               "time:%.*s.",
                                               WS_TEXT_ARGS(list)));
    }
}

static bool answer_is_partial(const ws_evaluation *evaluation, size_t arm)
{
    const ws_loaded *loaded = evaluation->loaded;

    for (size_t i = 0; i < loaded->metric_count; i++) {
        size_t n = ws_evaluation_metric(evaluation, arm, loaded->metrics[i])->summary.n;
        if (n > 0 && n < evaluation->arms[arm].runs_done) {
            return true;
        }
    }
    return false;
}

static bool answer_has_partial(const ws_evaluation *evaluation)
{
    for (size_t arm = 0; arm < evaluation->arm_count; arm++) {
        if (answer_is_partial(evaluation, arm)) {
            return true;
        }
    }
    return false;
}

static void answer_warnings(const answer_text *task)
{
    WS_ASSERT(task->context->new_from <= task->context->diag->count);

    const ws_diag *diag = task->context->diag;

    if (answer_has_partial(task->evaluation)) {
        answer_paragraph(task, WS_TEXT("* over the replications that have this value alone."));
    }
    for (size_t i = task->context->new_from; i < diag->count; i++) {
        const ws_diagnostic *entry = &diag->entries[i];
        if (entry->severity == WS_SEVERITY_WARNING) {
            answer_paragraph(task, ws_arena_format(task->arena, "warning[WS%04d]: %.*s; %.*s",
                                                   entry->code, WS_TEXT_ARGS(entry->message),
                                                   WS_TEXT_ARGS(entry->help)));
        }
    }
}

static void answer_assumptions(const answer_text *task)
{
    const ws_loaded *loaded = task->evaluation->loaded;

    for (size_t i = 0; i < loaded->assumption_count && i < ANSWER_ASSUMPTIONS_SHOWN; i++) {
        answer_paragraph(task, ws_arena_format(task->arena, "Assumed: %.*s",
                                               WS_TEXT_ARGS(loaded->assumptions[i])));
    }
    if (loaded->assumption_count > ANSWER_ASSUMPTIONS_SHOWN) {
        answer_paragraph(task,
                         ws_arena_format(task->arena, "%zu more assumptions in summary.json",
                                         loaded->assumption_count - ANSWER_ASSUMPTIONS_SHOWN));
    }
}

/* ---- thresholds ---- */

static void answer_thresholds(const answer_text *task)
{
    bool utf8 = task->context->terminal->utf8;

    for (size_t i = 0; i < task->evaluation->threshold_count; i++) {
        const ws_threshold_result *result = &task->evaluation->thresholds[i];
        const char *good = utf8 ? "\u2714" : "+";
        const char *bad = utf8 ? "\u2718" : "-";
        ws_text observed = isnan(result->observed)
                               ? WS_TEXT("no value")
                               : ws_present_change(1 + result->observed, task->arena);
        ws_text limit = ws_present_change(1 + result->threshold.max_change, task->arena);
        answer_paragraph(
            task,
            ws_arena_format(task->arena, "Threshold: %s %.*s %.*s: %.*s, at most %.*s: %s",
                            result->passed ? good : bad, WS_TEXT_ARGS(result->threshold.policy),
                            WS_TEXT_ARGS(result->threshold.metric), WS_TEXT_ARGS(observed),
                            WS_TEXT_ARGS(limit), result->passed ? "pass" : "FAIL"));
    }
}

void ws_answer_write_text(const ws_evaluation *evaluation, const ws_answer_context *context,
                          ws_writer *out, ws_arena *arena)
{
    answer_text task = {.evaluation = evaluation, .context = context, .out = out, .arena = arena};

    WS_ASSERT(context->folder != NULL);
    ws_write_string(out, "\n");
    answer_intervals(&task);
    answer_censored(&task);
    answer_warnings(&task);
    answer_assumptions(&task);
    answer_thresholds(&task);
    answer_paragraph(
        &task, ws_arena_format(arena, "%s: %.*s", context->folder, WS_TEXT_ARGS(context->files)));
}
