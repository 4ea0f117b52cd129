/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The answer of `explain step` for people: one table, then the sentences that it needs. */
#include "output.h"
#include "paragraph.h"
#include "step_columns.h"

/* ---- the table ---- */

static ws_table_cell step_cell(const ws_step_text *task, size_t column, const ws_step_size *size)
{
    const ws_step_column *shown = &task->columns[column];
    bool is_possible = size->reason.length == 0;

    if (column > 0 && !is_possible) {
        return (ws_table_cell){.text = column == 1 ? WS_TEXT("no") : WS_TEXT("-"),
                               .tone = column == 1 ? WS_TONE_BAD : WS_TONE_FAINT};
    }
    ws_text text = shown->cell != NULL
                       ? shown->cell(task, size)
                       : ws_step_text_seconds(task, size->explanation.seconds[shown->term]);
    return (ws_table_cell){.text = text,
                           .tone = is_possible && size->is_knee ? WS_TONE_GOOD : WS_TONE_PLAIN};
}

static void step_write_table(const ws_step_text *task)
{
    const ws_step_study *study = task->study;
    ws_table_column headings[WS_TABLE_COLUMNS_MAX];
    ws_table_cell *cells =
        ws_arena_alloc(task->arena, ws_table_cell, task->column_count * study->count);
    size_t hidden = 0;

    if (cells == NULL) {
        return;
    }
    for (size_t i = 0; i < task->column_count; i++) {
        headings[i] = (ws_table_column){.heading = task->columns[i].heading, .to_the_right = true};
    }
    for (size_t row = 0; row < study->count; row++) {
        for (size_t i = 0; i < task->column_count; i++) {
            cells[row * task->column_count + i] = step_cell(task, i, &study->sizes[row]);
        }
    }
    ws_table table = {.columns = headings,
                      .column_count = task->column_count,
                      .kept = 2,
                      .cells = cells,
                      .row_count = study->count};
    size_t width = task->answer->wide ? 0 : task->answer->terminal->width;
    ws_write_text(task->out,
                  ws_table_print(&table, task->answer->terminal, width, &hidden, task->arena));
    if (hidden > 0) {
        ws_write_format(task->out, "%zu column%s hidden (", hidden, hidden == 1 ? "" : "s");
        for (size_t i = task->column_count - hidden; i < task->column_count; i++) {
            ws_write_format(task->out, "%s%s", task->columns[i].heading,
                            i + 1 < task->column_count ? ", " : "");
        }
        ws_write_string(task->out, "); use --wide or --json\n");
    }
}

/* ---- sentences ---- */

static void step_paragraph(const ws_step_text *task, ws_text text)
{
    ws_paragraph_write(
        task->out, text,
        (ws_paragraph){.width = ws_paragraph_width(task->answer->terminal), .indent = 2});
}

static void step_write_reasons(const ws_step_text *task)
{
    for (size_t i = 0; i < task->study->count; i++) {
        const ws_step_size *size = &task->study->sizes[i];
        if (size->reason.length > 0) {
            step_paragraph(task,
                           ws_arena_format(task->arena, "%lld GPUs: %.*s", (long long)size->gpus,
                                           WS_TEXT_ARGS(size->reason)));
        }
    }
    if (task->study->legal_beyond > 0) {
        step_paragraph(task, ws_arena_format(task->arena,
                                             "Legal sizes from %lld GPUs on are more than the "
                                             "pools that the job accepts hold.",
                                             (long long)task->study->legal_beyond));
    }
}

/* Terms that the model has and that are 0 wherever it is asked. */
static void step_write_zeros(const ws_step_text *task)
{
    ws_text zeros = {.length = 0};

    for (int term = 0; term < WS_TERMS; term++) {
        if ((task->study->known >> term & 1) != 0 &&
            !ws_step_study_has(task->study, (ws_term)term)) {
            zeros = ws_arena_format(task->arena, "%.*s%s%s", WS_TEXT_ARGS(zeros),
                                    zeros.length > 0 ? ", " : "", ws_terms[term].name);
        }
    }
    if (zeros.length > 0) {
        step_paragraph(task,
                       ws_arena_format(task->arena, "0 at every size: %.*s.", WS_TEXT_ARGS(zeros)));
    }
}

static void step_write_knee(const ws_step_text *task)
{
    for (size_t i = 0; i < task->study->count; i++) {
        const ws_step_size *size = &task->study->sizes[i];
        if (size->is_knee) {
            step_paragraph(task,
                           ws_arena_format(task->arena,
                                           "* The knee is at %lld GPUs, where cost x time for the "
                                           "same work is least (Eager, "
                                           "Zahorjan and Lazowska, 1989)%s.",
                                           (long long)size->gpus,
                                           task->study->is_knee_last
                                               ? "; it is the largest of these sizes, so the knee "
                                                 "of all may lie beyond"
                                               : ""));
        }
    }
}

/* What the steps read, where they wait for it. */
static void step_write_data(const ws_step_text *task)
{
    for (size_t i = 0; i < task->study->count; i++) {
        const ws_step_size *size = &task->study->sizes[i];
        if (size->data_waiting > 0) {
            step_paragraph(
                task, ws_arena_format(task->arena,
                                      "%lld GPUs would read %.3g GB/s of training data and get "
                                      "%.3g: they wait %.1f %% of the time.",
                                      (long long)size->gpus, size->data_needed / 1e9,
                                      size->data_needed * (1 - size->data_waiting) / 1e9,
                                      100 * size->data_waiting));
        }
    }
}

static void step_write_notes(const ws_step_text *task)
{
    ws_text extrapolated = {.length = 0};

    if (!task->study->is_step) {
        step_paragraph(task, WS_TEXT("Terms are percent of the time in which it steps; a step is "
                                     "not known."));
    }
    if (task->study->unsplit != NULL) {
        step_paragraph(task, ws_text_of(task->study->unsplit));
    }
    for (size_t i = 0; i < task->study->count; i++) {
        if (task->study->sizes[i].is_extrapolated) {
            extrapolated = ws_arena_format(task->arena, "%.*s%s%lld", WS_TEXT_ARGS(extrapolated),
                                           extrapolated.length > 0 ? ", " : "",
                                           (long long)task->study->sizes[i].gpus);
        }
    }
    if (extrapolated.length > 0) {
        step_paragraph(task, ws_arena_format(task->arena,
                                             "Extrapolated, outside of what was measured: %.*s "
                                             "GPUs.",
                                             WS_TEXT_ARGS(extrapolated)));
    }
}

static void step_write_heading(const ws_step_text *task)
{
    const ws_step_study *study = task->study;
    ws_arena *arena = task->arena;
    bool is_chosen = study->stage_count > 1 && task->answer->is_stage_chosen;
    ws_text longest = is_chosen
                          ? ws_arena_format(arena, " (the longest of %zu)", study->stage_count)
                          : WS_TEXT("");

    step_paragraph(task, ws_arena_format(arena,
                                         "%.*s, stage %.*s%.*s, by the step model `%s`; alone on "
                                         "packed nodes of the pool %.*s, GPUs %.*s.",
                                         WS_TEXT_ARGS(ws_output_shown(study->job, arena)),
                                         WS_TEXT_ARGS(ws_output_shown(study->stage, arena)),
                                         WS_TEXT_ARGS(longest), study->model->name,
                                         WS_TEXT_ARGS(ws_output_shown(study->pool, arena)),
                                         WS_TEXT_ARGS(ws_output_shown(study->gpu_type, arena))));
    ws_write_string(task->out, "\n");
}

void ws_step_answer_write_text(const ws_step_answer *answer, ws_writer *out, ws_arena *arena)
{
    ws_step_text *task = ws_arena_alloc(arena, ws_step_text, 1);

    if (task == NULL) {
        return;
    }
    *task = (ws_step_text){.answer = answer, .study = answer->study, .out = out, .arena = arena};
    ws_step_text_look(task);
    step_write_heading(task);
    if (task->study->possible == 0) {
        step_write_reasons(task);
        return;
    }
    ws_step_text_lay_out(task);
    step_write_table(task);
    ws_write_string(task->out, "\n");
    step_write_reasons(task);
    step_write_zeros(task);
    step_write_knee(task);
    step_write_data(task);
    step_write_notes(task);
}
