/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two tables. The first has a row for each policy and a column for each metric of the scenario;
 * what does not fit the terminal is left out from the right. The second has a row for each change,
 * so that it fits anywhere: change, interval, verdict.
 */
#include "answer.h"

#include <math.h>
#include <string.h>

#include "answer_text.h"
#include "output.h"
#include "present.h"
#include "table.h"
#include "ws/quantity.h"

/* What writing one answer has at hand. */
typedef struct {
    const ws_evaluation *evaluation;
    const ws_answer_context *context;
    ws_presented *presented; /* one for each metric of the scenario */
    size_t metric_count;     /* of the scenario, as many as a table takes */
    ws_writer *out;
    ws_arena *arena;
} answer;

static size_t answer_width(const answer *task)
{
    return task->context->wide ? 0 : task->context->terminal->width;
}

static const ws_metric_values *answer_metric(const answer *task, size_t arm, size_t metric)
{
    WS_ASSERT(metric < task->metric_count);

    return ws_evaluation_metric(task->evaluation, arm, task->evaluation->loaded->metrics[metric]);
}

static bool answer_present(answer *task)
{
    const ws_evaluation *evaluation = task->evaluation;
    size_t count = evaluation->loaded->metric_count;

    task->metric_count = count < WS_TABLE_COLUMNS_MAX - 1 ? count : WS_TABLE_COLUMNS_MAX - 1;
    task->presented = ws_arena_alloc(task->arena, ws_presented, task->metric_count + 1);
    if (task->presented == NULL) {
        return false;
    }
    for (size_t i = 0; i < task->metric_count; i++) {
        double largest = 0;
        for (size_t arm = 0; arm < evaluation->arm_count; arm++) {
            largest = fmax(largest, fabs(answer_metric(task, arm, i)->summary.mean));
        }
        task->presented[i] = ws_present(answer_metric(task, 0, i)->column, largest, task->arena);
    }
    return true;
}

/* ---- the means ---- */

static ws_table_cell answer_mean_cell(const answer *task, size_t arm, size_t metric)
{
    WS_ASSERT(arm < task->evaluation->arm_count);

    const ws_metric_values *values = answer_metric(task, arm, metric);
    const ws_summary *summary = &values->summary;
    double half = summary->has_interval ? (summary->high - summary->low) / 2 : (double)NAN;
    bool is_partial = summary->n < task->evaluation->arms[arm].runs_done;

    if (task->evaluation->arms[arm].failed) {
        return (ws_table_cell){.text = WS_TEXT("failed"), .tone = WS_TONE_BAD};
    }
    if (summary->n == 0) {
        return (ws_table_cell){.text = WS_TEXT("-")};
    }
    ws_text text = ws_present_mean(&task->presented[metric], summary->mean, half,
                                   task->context->terminal->utf8, task->arena);
    return (ws_table_cell){
        .text = ws_arena_format(task->arena, "%.*s%s", WS_TEXT_ARGS(text), is_partial ? " *" : "")};
}

/* Names what was left out: the last `hidden` metrics. */
static void answer_write_hidden(const answer *task, size_t hidden)
{
    WS_ASSERT(hidden <= task->metric_count);

    if (hidden == 0) {
        return;
    }
    ws_write_format(task->out, "%zu column%s hidden (", hidden, hidden == 1 ? "" : "s");
    for (size_t i = task->metric_count - hidden; i < task->metric_count; i++) {
        ws_write_format(task->out, "%s%s", task->presented[i].words,
                        i + 1 < task->metric_count ? ", " : "");
    }
    ws_write_string(task->out, "); use --wide or --json\n");
}

static void answer_write_means(const answer *task)
{
    WS_ASSERT(task->metric_count < WS_TABLE_COLUMNS_MAX);

    const ws_evaluation *evaluation = task->evaluation;
    size_t columns = task->metric_count + 1;
    ws_table_column headings[WS_TABLE_COLUMNS_MAX] = {{.heading = "POLICY"}};
    ws_table_cell *cells =
        ws_arena_alloc(task->arena, ws_table_cell, columns * evaluation->arm_count);
    size_t hidden = 0;

    if (cells == NULL) {
        return;
    }
    for (size_t i = 0; i < task->metric_count; i++) {
        headings[i + 1] =
            (ws_table_column){.heading = task->presented[i].heading.start, .to_the_right = true};
    }
    for (size_t arm = 0; arm < evaluation->arm_count; arm++) {
        cells[arm * columns].text = evaluation->arms[arm].arm->name;
        for (size_t i = 0; i < task->metric_count; i++) {
            cells[arm * columns + i + 1] = answer_mean_cell(task, arm, i);
        }
    }
    ws_table table = {.columns = headings,
                      .column_count = columns,
                      .kept = 2,
                      .cells = cells,
                      .row_count = evaluation->arm_count};
    ws_write_text(task->out, ws_table_print(&table, task->context->terminal, answer_width(task),
                                            &hidden, task->arena));
    answer_write_hidden(task, hidden);
}

/* ---- the changes ---- */

enum {
    CHANGE_POLICY,
    CHANGE_METRIC,
    CHANGE_AMOUNT,
    CHANGE_INTERVAL,
    CHANGE_VERDICT,
    CHANGE_COLUMNS
};

/* A mark beside the word, so that colour never carries the meaning alone. */
static ws_table_cell answer_verdict(const answer *task, ws_text verdict)
{
    WS_ASSERT(verdict.length > 0);

    bool utf8 = task->context->terminal->utf8;
    const char *mark = " ";
    ws_tone tone = WS_TONE_PLAIN;

    if (ws_text_is(verdict, "better")) {
        mark = utf8 ? "\u2714" : "+";
        tone = WS_TONE_GOOD;
    } else if (ws_text_is(verdict, "worse")) {
        mark = utf8 ? "\u2718" : "-";
        tone = WS_TONE_BAD;
    }
    return (ws_table_cell){
        .text = ws_arena_format(task->arena, "%s %.*s", mark, WS_TEXT_ARGS(verdict)), .tone = tone};
}

static void answer_change_cells(const answer *task, const ws_comparison_record *record,
                                const ws_presented *presented, ws_table_cell *cells)
{
    WS_ASSERT(presented->words != NULL);

    bool has_ratio = !isnan(record->ratio);
    bool has_interval = !isnan(record->diff_ci_low) && !record->identical;

    cells[CHANGE_METRIC].text = ws_text_of(presented->words);
    cells[CHANGE_VERDICT] = answer_verdict(task, record->verdict);
    if (record->n_pairs == 0) {
        cells[CHANGE_AMOUNT].text = WS_TEXT("-");
        return;
    }
    cells[CHANGE_AMOUNT].text =
        has_ratio ? ws_present_change(record->ratio, task->arena)
                  : ws_present_difference(presented, record->diff_mean, task->arena);
    if (has_interval) {
        cells[CHANGE_INTERVAL].text =
            has_ratio ? ws_present_change_interval(record->ratio_ci_low, record->ratio_ci_high,
                                                   task->arena)
                      : ws_present_difference_interval(presented, record->diff_ci_low,
                                                       record->diff_ci_high, task->arena);
    }
}

static void answer_write_changes(const answer *task)
{
    const ws_evaluation *evaluation = task->evaluation;
    const ws_loaded *loaded = evaluation->loaded;
    ws_table_column headings[CHANGE_COLUMNS] = {
        [CHANGE_POLICY] = {.heading = "POLICY"},
        [CHANGE_METRIC] = {.heading = "METRIC"},
        [CHANGE_AMOUNT] = {.heading = "CHANGE", .to_the_right = true},
        [CHANGE_INTERVAL] = {.heading = "INTERVAL", .to_the_right = true},
        [CHANGE_VERDICT] = {.heading = "  VERDICT"},
    };
    size_t rows = evaluation->comparison_count;
    ws_table_cell *cells = ws_arena_alloc(task->arena, ws_table_cell, rows * CHANGE_COLUMNS + 1);
    size_t hidden = 0;

    if (rows == 0 || cells == NULL) {
        return;
    }
    for (size_t i = 0; i < rows; i++) {
        const ws_comparison_record *record = &evaluation->comparisons[i];
        size_t metric = i % loaded->metric_count;
        ws_table_cell *row = cells + i * CHANGE_COLUMNS;
        row[CHANGE_POLICY].text = metric == 0 ? record->policy : WS_TEXT("");
        if (metric < task->metric_count) {
            answer_change_cells(task, record, &task->presented[metric], row);
        }
    }
    ws_table table = {.columns = headings,
                      .column_count = CHANGE_COLUMNS,
                      .kept = CHANGE_COLUMNS,
                      .cells = cells,
                      .row_count = rows};
    ws_write_format(task->out, "\nAgainst %.*s, in the same random worlds:\n\n",
                    WS_TEXT_ARGS(loaded->arms[loaded->baseline].name));
    ws_write_text(task->out,
                  ws_table_print(&table, task->context->terminal, 0, &hidden, task->arena));
}

/* ---- the whole ---- */

static void answer_write_title(const answer *task)
{
    WS_ASSERT(task->evaluation->replications >= 1);

    const ws_evaluation *evaluation = task->evaluation;
    const ws_loaded *loaded = evaluation->loaded;
    char wall[WS_QUANTITY_TEXT_BYTES];
    char horizon[WS_QUANTITY_TEXT_BYTES];
    ws_quantity simulated = {.integer = loaded->scenario.horizon.ns};
    size_t arms = evaluation->arm_count;

    (void)ws_duration_print_human(ws_duration_of_s(task->context->wall_s), wall);
    (void)ws_quantity_print(simulated, WS_QUANTITY_DURATION, horizon);
    ws_write_format(task->out,
                    "%.*s   %zu polic%s x %zu replication%s of %s%s   %s on %zu thread%s\n\n",
                    WS_TEXT_ARGS(loaded->scenario.name), arms, arms == 1 ? "y" : "ies",
                    evaluation->replications, evaluation->replications == 1 ? "" : "s", horizon,
                    arms > 1 ? ", paired" : "", wall, task->context->threads,
                    task->context->threads == 1 ? "" : "s");
    if (!evaluation->complete) {
        ws_write_format(task->out, "INCOMPLETE: %zu of %zu runs were made\n\n",
                        evaluation->runs_done, arms * evaluation->replications);
    }
}

void ws_answer_write(const ws_evaluation *evaluation, const ws_answer_context *context,
                     ws_writer *out, ws_arena *arena)
{
    answer task = {.evaluation = evaluation, .context = context, .out = out, .arena = arena};

    WS_ASSERT(evaluation->arm_count > 0);
    if (!answer_present(&task)) {
        ws_output_error("worldsize: out of memory for the table; the results folder has it all\n");
        return;
    }
    answer_write_title(&task);
    answer_write_means(&task);
    answer_write_changes(&task);
    ws_answer_write_text(evaluation, context, out, arena);
}
