/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `explain step` writes into files: the chart, and the buckets. */
#include "present.h"
#include "step_answer.h"
#include "ws/canvas.h"

#define STEP_PNG_SCALE 1.5

/* ---- the chart ---- */

static ws_text step_chart_value(const ws_step_size *size, ws_arena *arena)
{
    double seconds = size->explanation.period_s;
    bool is_short = seconds < 1;
    const char *efficiency = ws_present_number(100 * size->efficiency, 1, arena).start;

    if (!size->explanation.is_step) {
        return ws_arena_format(arena, "%s %%", efficiency);
    }
    return ws_arena_format(arena, "%s %s, %s %%",
                           ws_present_number(is_short ? 1000 * seconds : seconds, 2, arena).start,
                           is_short ? "ms" : "s", efficiency);
}

static ws_chart_split_row step_chart_row(const ws_step_study *study, size_t index, ws_arena *arena)
{
    const ws_step_size *size = &study->sizes[index];
    ws_chart_split_row row = {
        .label = ws_arena_format(arena, "%lld GPU%s%s", (long long)size->gpus,
                                 size->gpus == 1 ? "" : "s", size->is_knee ? " (knee)" : ""),
        .value = size->reason.length == 0 ? step_chart_value(size, arena) : WS_TEXT(""),
        .reason = size->reason,
        .is_marked = size->is_knee};
    size_t part = 0;

    for (int term = 0; term < WS_TERMS; term++) {
        if (ws_step_study_has(study, (ws_term)term)) {
            row.shares[part++] = size->reason.length > 0
                                     ? 0
                                     : size->explanation.seconds[term] / size->explanation.period_s;
        }
    }
    return row;
}

static size_t step_chart_parts(const ws_step_study *study, ws_chart_part parts[WS_TERMS])
{
    size_t count = 0;

    for (int term = 0; term < WS_TERMS; term++) {
        if (ws_step_study_has(study, (ws_term)term)) {
            parts[count++] = (ws_chart_part){.name = ws_text_of(ws_terms[term].name),
                                             .account = ws_terms[term].account};
        }
    }
    return count;
}

static ws_text step_chart_note(const ws_step_study *study, ws_arena *arena)
{
    ws_text note = study->is_step ? WS_TEXT("Checkpoints and evaluations are beside it.")
                                  : WS_TEXT("The model has rates and no steps: shares of time.");

    if (study->has_knee) {
        note = ws_arena_format(arena,
                               "%.*s Knee: cost x time for the same work is least (Eager, Zahorjan "
                               "and Lazowska, 1989).",
                               WS_TEXT_ARGS(note));
    }
    return study->unsplit == NULL
               ? note
               : ws_arena_format(arena, "%.*s %s", WS_TEXT_ARGS(note), study->unsplit);
}

bool ws_step_answer_write_chart(const ws_step_answer *answer, bool is_png, ws_writer *out,
                                ws_arena *arena, ws_diag *diag)
{
    const ws_step_study *study = answer->study;
    ws_chart_part parts[WS_TERMS];
    ws_chart_split_row *rows = ws_arena_alloc(arena, ws_chart_split_row, study->count + 1);
    ws_canvas canvas;

    if (rows == NULL) {
        return ws_diag_error(diag, 9030, ws_span_none, "out of memory while drawing");
    }
    for (size_t i = 0; i < study->count; i++) {
        rows[i] = step_chart_row(study, i, arena);
    }
    ws_chart_split breakdown = {.parts = parts,
                                .part_count = step_chart_parts(study, parts),
                                .rows = rows,
                                .row_count = study->count,
                                .values = study->is_step ? WS_TEXT("a step, efficiency")
                                                         : WS_TEXT("efficiency")};
    ws_chart_data data = {
        .title = ws_arena_format(arena, "%.*s, %.*s: where does a step go, at each size?",
                                 WS_TEXT_ARGS(study->job), WS_TEXT_ARGS(study->stage)),
        .note = step_chart_note(study, arena),
        .source = WS_TEXT("worldsize explain step --json"),
        .x = {.label = WS_TEXT("share of a step"), .unit = WS_TEXT("%")},
        .breakdown = &breakdown};
    ws_chart_draw(ws_chart_type_find(WS_TEXT("breakdown")), &data, WS_TEXT("step"), &canvas, arena);
    return is_png ? ws_canvas_write_png(&canvas, STEP_PNG_SCALE, out, diag)
                  : ws_canvas_write_svg(&canvas, out, diag);
}

/* ---- buckets ---- */

static void step_write_buckets(const ws_step *step, const ws_step_size *size, ws_writer *csv,
                               ws_arena *arena)
{
    size_t count = step->type->buckets(step->parameters, &size->world, NULL, 0);
    ws_bucket *buckets = ws_arena_alloc(arena, ws_bucket, count);

    if (buckets == NULL) {
        return;
    }
    (void)step->type->buckets(step->parameters, &size->world, buckets, count);
    for (size_t i = 0; i < count; i++) {
        ws_csv_i64(csv, size->gpus);
        ws_csv_u64(csv, i);
        ws_csv_f64(csv, buckets[i].bytes);
        ws_csv_f64(csv, buckets[i].ready_s);
        ws_csv_end_row(csv);
    }
}

void ws_step_answer_write_buckets(const ws_step_answer *answer, ws_writer *csv, ws_arena *arena)
{
    const ws_step_study *study = answer->study;

    WS_ASSERT(study->step.type->buckets != NULL);
    ws_write_string(csv, "gpus,bucket,bytes,ready_s\n");
    for (size_t i = 0; i < study->count; i++) {
        if (study->sizes[i].reason.length == 0) {
            step_write_buckets(&study->step, &study->sizes[i], csv, arena);
        }
    }
}
