/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which charts there are in a results folder, and their files. */
#include "charts.h"

#include "chart_data.h"
#include "ws/canvas.h"

/* Device pixels a px: sharp enough for slides and print, and quick to write. */
#define CHARTS_PNG_SCALE 1.5

const char ws_charts_file_names[] = "charts/*.svg charts/*.png";

/* What the writing of all charts shares. */
typedef struct {
    const ws_evaluation *evaluation;
    ws_results *results;
    ws_arena *arena;
    ws_diag *diag;
} charts_task;

static bool charts_memory(const charts_task *task)
{
    return ws_diag_error(task->diag, 9030, ws_span_none, "out of memory while drawing");
}

static bool charts_write_svg(const charts_task *task, const ws_canvas *canvas, const char *file)
{
    ws_writer writer;

    return ws_results_open_file(task->results, file, true, &writer) &&
           ws_canvas_write_svg(canvas, &writer, task->diag) &&
           ws_results_close_file(task->results, &writer);
}

static bool charts_write_png(const charts_task *task, const ws_canvas *canvas, const char *file)
{
    ws_writer writer;

    return ws_results_open_file(task->results, file, false, &writer) &&
           ws_canvas_write_png(canvas, CHARTS_PNG_SCALE, &writer, task->diag) &&
           ws_results_close_file(task->results, &writer);
}

/* @param name  of the file without its ending, and prefix of the ids */
static bool charts_write(const charts_task *task, const char *type, ws_text name,
                         const ws_chart_data *data)
{
    ws_text svg = ws_arena_format(task->arena, "charts/%.*s.svg", WS_TEXT_ARGS(name));
    ws_text png = ws_arena_format(task->arena, "charts/%.*s.png", WS_TEXT_ARGS(name));
    ws_canvas canvas;

    if (name.start == NULL || svg.start == NULL || png.start == NULL) {
        return charts_memory(task);
    }
    ws_chart_draw(ws_chart_type_find(ws_text_of(type)), data, name, &canvas, task->arena);
    return charts_write_svg(task, &canvas, svg.start) && charts_write_png(task, &canvas, png.start);
}

/* ---- the charts ---- */

static bool charts_pareto(const charts_task *task)
{
    ws_chart_data data;

    if (!ws_chart_data_pareto(&data, task->evaluation, task->arena)) {
        return charts_memory(task);
    }
    return charts_write(task, "pareto", WS_TEXT("pareto"), &data);
}

static bool charts_timeline(const charts_task *task, size_t arm)
{
    ws_chart_course course;
    bool has_course = false;

    if (!ws_chart_data_course(&course, &has_course, task->evaluation, arm, task->arena)) {
        return charts_memory(task);
    }
    if (!has_course) {
        return true;
    }
    ws_chart_data data = {
        .title = ws_arena_format(task->arena,
                                 "%.*s: how many GPUs are paid, used and waited for, over time?",
                                 WS_TEXT_ARGS(course.arm)),
        .source = WS_TEXT("extremes.csv; means of each pool: timeline.csv"),
        .course = &course,
    };
    return charts_write(task, "timeline",
                        ws_arena_format(task->arena, "timeline-%.*s", WS_TEXT_ARGS(course.arm)),
                        &data);
}

static bool charts_waterfall(const charts_task *task, size_t arm)
{
    ws_chart_accounts accounts = ws_chart_data_accounts(task->evaluation, arm);
    ws_chart_data data = {
        .title = ws_arena_format(task->arena, "%.*s: where do the paid GPU-hours go?",
                                 WS_TEXT_ARGS(accounts.arm)),
        .source = WS_TEXT("summary.csv"),
        .replications = (int)task->evaluation->arms[arm].runs_done,
        .accounts = &accounts,
    };

    if (data.replications == 0) {
        return true;
    }
    return charts_write(task, "waterfall",
                        ws_arena_format(task->arena, "waterfall-%.*s", WS_TEXT_ARGS(accounts.arm)),
                        &data);
}

bool ws_charts_write(const ws_evaluation *evaluation, ws_results *results, ws_arena *arena,
                     ws_diag *diag)
{
    charts_task task = {.evaluation = evaluation, .results = results, .arena = arena, .diag = diag};
    size_t arms =
        evaluation->arm_count < WS_CHART_ARMS_MAX ? evaluation->arm_count : WS_CHART_ARMS_MAX;

    WS_ASSERT(results != NULL);
    WS_ASSERT(arms >= 1);

    if (!charts_pareto(&task)) {
        return false;
    }
    for (size_t arm = 0; arm < arms; arm++) {
        if (!charts_timeline(&task, arm) || !charts_waterfall(&task, arm)) {
            return false;
        }
    }
    return true;
}
