/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "step_columns.h"

#include <math.h>

#include "present.h"

/* ---- cells ---- */

static ws_text step_number(const ws_step_text *task, double value)
{
    double size = fabs(value);
    int decimals = size >= 999.5 ? 0 : size >= 99.95 ? 1 : size >= 9.995 ? 2 : 3;

    return ws_present_number(value, fabs(value - round(value)) < 1e-9 ? 0 : decimals, task->arena);
}

static ws_text step_known(const ws_step_text *task, double value)
{
    return value > 0 ? step_number(task, value) : WS_TEXT("-");
}

static ws_text step_gpus_cell(const ws_step_text *task, const ws_step_size *size)
{
    ws_text number = ws_present_number((double)size->gpus, 0, task->arena);

    return size->is_knee ? ws_arena_format(task->arena, "* %.*s", WS_TEXT_ARGS(number)) : number;
}

ws_text ws_step_text_seconds(const ws_step_text *task, double seconds)
{
    return ws_present_number(seconds * task->time_factor, task->time_decimals, task->arena);
}

static ws_text step_period_cell(const ws_step_text *task, const ws_step_size *size)
{
    return ws_step_text_seconds(task, size->explanation.period_s);
}

static ws_text step_pauses_cell(const ws_step_text *task, const ws_step_size *size)
{
    return ws_step_text_seconds(task, size->pauses_s);
}

static ws_text step_rate_cell(const ws_step_text *task, const ws_step_size *size)
{
    return step_number(task, size->work_per_s);
}

static ws_text step_efficiency_cell(const ws_step_text *task, const ws_step_size *size)
{
    return ws_present_number(100 * size->efficiency, 1, task->arena);
}

static ws_text step_marginal_cell(const ws_step_text *task, const ws_step_size *size)
{
    return isnan(size->marginal) ? WS_TEXT("-")
                                 : ws_present_number(100 * size->marginal, 1, task->arena);
}

static ws_text step_batch_cell(const ws_step_text *task, const ws_step_size *size)
{
    return step_known(task, size->batch);
}

static ws_text step_micro_cell(const ws_step_text *task, const ws_step_size *size)
{
    return step_known(task, size->explanation.micro_batch);
}

static ws_text step_accumulation_cell(const ws_step_text *task, const ws_step_size *size)
{
    return step_known(task, size->explanation.micro_batches);
}

static ws_text step_noise_cell(const ws_step_text *task, const ws_step_size *size)
{
    return ws_present_number(100 * size->batch_efficiency, 1, task->arena);
}

static ws_text step_memory_cell(const ws_step_text *task, const ws_step_size *size)
{
    return ws_present_number(size->explanation.memory_bytes / 1e9, 1, task->arena);
}

static ws_text step_cost_cell(const ws_step_text *task, const ws_step_size *size)
{
    return ws_present_number(size->cost, 2, task->arena);
}

/* ---- columns ---- */

static void step_add(ws_step_text *task, const char *heading,
                     ws_text (*cell)(const ws_step_text *, const ws_step_size *))
{
    WS_ASSERT(task->column_count < WS_TABLE_COLUMNS_MAX);
    task->columns[task->column_count++] = (ws_step_column){.heading = heading, .cell = cell};
}

static const char *step_heading(const ws_step_text *task, const char *words)
{
    return ws_arena_format(task->arena, "%s %s", words, task->time_unit).start;
}

static void step_add_terms(ws_step_text *task)
{
    for (int term = 0; term < WS_TERMS; term++) {
        if (ws_step_study_has(task->study, (ws_term)term)) {
            step_add(task, ws_terms[term].heading, NULL);
            task->columns[task->column_count - 1].term = (ws_term)term;
        }
    }
    if (task->has_pauses) {
        step_add(task, "PAUSES", step_pauses_cell);
    }
}

static const char *step_rate_heading(const ws_step_text *task)
{
    switch (task->study->unit) {
    case WS_WORK_TOKENS:
        return "TOKENS/s";
    case WS_WORK_SAMPLES:
        return "SAMPLES/s";
    case WS_WORK_STEPS:
        return "STEPS/s";
    case WS_WORK_NONE:
        break;
    }
    return "PACE";
}

static void step_add_speed(ws_step_text *task)
{
    if (task->study->is_step) {
        step_add(task, step_heading(task, "STEP"), step_period_cell);
    }
    step_add(task, step_rate_heading(task), step_rate_cell);
    step_add(task, "EFF %", step_efficiency_cell);
}

static void step_add_batch(ws_step_text *task)
{
    if (task->has_batch) {
        step_add(task, "BATCH", step_batch_cell);
    }
    if (task->has_noise) {
        step_add(task, "WORTH %", step_noise_cell);
    }
    if (task->has_micro) {
        step_add(task, "MICRO", step_micro_cell);
        step_add(task, "ACCUM", step_accumulation_cell);
    }
    if (task->has_memory) {
        step_add(task, "GB/GPU", step_memory_cell);
    }
}

static void step_add_cost(ws_step_text *task)
{
    const ws_step_study *study = task->study;
    bool is_dollar = ws_text_is(study->currency, "USD");

    step_add(task, "MORE %", step_marginal_cell);
    step_add(task,
             ws_arena_format(task->arena, "%.*s/%s",
                             WS_TEXT_ARGS(is_dollar ? WS_TEXT("$") : study->currency),
                             ws_step_study_cost_unit(study))
                 .start,
             step_cost_cell);
}

void ws_step_text_lay_out(ws_step_text *task)
{
    step_add(task, "GPUS", step_gpus_cell);
    if (task->answer->is_legal_list) {
        step_add_batch(task);
        step_add_speed(task);
        step_add_cost(task);
        step_add_terms(task);
        return;
    }
    step_add_speed(task);
    step_add_terms(task);
    step_add_batch(task);
    step_add_cost(task);
}

/* The unit of the column of times: percent, or ms below ten seconds, and as many decimals as show
 * four digits of the longest. */
static void step_choose_unit(ws_step_text *task, double longest_s)
{
    bool is_short = longest_s < 9.9995;

    if (!task->study->is_step) {
        task->time_unit = "%";
        task->time_factor = 100;
        task->time_decimals = 1;
        return;
    }
    task->time_unit = is_short ? "ms" : "s";
    task->time_factor = is_short ? 1000 : 1;
    double largest = longest_s * task->time_factor;
    task->time_decimals = largest >= 999.5 ? 1 : largest >= 99.95 ? 2 : 3;
}

void ws_step_text_look(ws_step_text *task)
{
    double longest_s = 0;

    for (size_t i = 0; i < task->study->count; i++) {
        const ws_step_size *size = &task->study->sizes[i];
        if (size->reason.length > 0) {
            continue;
        }
        longest_s = fmax(longest_s, size->explanation.period_s);
        task->has_batch = task->has_batch || size->batch > 0;
        task->has_micro = task->has_micro || size->explanation.micro_batches > 0;
        task->has_memory = task->has_memory || size->explanation.memory_bytes > 0;
        task->has_pauses = task->has_pauses || size->pauses_s > 0;
        task->has_noise =
            task->has_noise || size->batch_efficiency < 1 || size->batch_efficiency > 1;
    }
    step_choose_unit(task, longest_s);
}
