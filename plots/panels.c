/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small charts of one thing on one page, in rows: each has a heading, its series with samples of
 * how they are drawn, and axes of its own. */
#include "panels.h"

#include <math.h>

#include "chart_list.h"
#include "palette.h"
#include "timeline_print.h"

#define PANELS_HEADING_PX 40.0 /* above a panel's area */
#define PANELS_BELOW_PX 40.0   /* labels and title of the x axis */
#define PANELS_GAP_PX 30.0     /* between panels of a row */
#define PANELS_LEFT_PX 38.0    /* for labels of the y axis */
#define PANELS_KEY_PX 12.0
#define PANELS_KEY_GAP_PX 5.0

typedef struct {
    ws_canvas *canvas;
    const ws_chart_panels *data;
    double top_px;
    double row_px; /* height of a row */
} panels_chart;

static int panels_rows(const ws_chart_panels *data)
{
    return data->panels[data->count - 1].row + 1;
}

/* ---- a panel's frame ---- */

/* Samples and names of the series, from the right; returns where they begin. */
static double panels_draw_keys(const panels_chart *chart, const ws_chart_panel *panel,
                               double right_px, double y)
{
    const ws_text_style style = {.size_px = WS_PLOT_TEXT_PX, .rgb = WS_INK_TEXT};

    for (size_t i = panel->series_count; i > 0; i--) {
        const ws_paint paint = ws_panel_paint(panel->kind, i - 1);
        ws_text name = ws_text_elide(panel->series[i - 1].name, WS_PLOT_TEXT_PX, false, 120,
                                     chart->canvas->arena);
        double text_px = right_px - ws_text_width_px(name, WS_PLOT_TEXT_PX, false);
        double key_px = text_px - PANELS_KEY_GAP_PX - PANELS_KEY_PX;

        ws_canvas_text(chart->canvas, (ws_point){text_px, y}, name, &style);
        if (panel->kind == WS_CHART_BARS) {
            ws_canvas_rect(chart->canvas,
                           (ws_rect){.x = key_px, .y = y - 9, .width = PANELS_KEY_PX, .height = 9},
                           &paint);
        } else {
            ws_canvas_line(chart->canvas, (ws_point){key_px - 6, y - 4},
                           (ws_point){key_px + PANELS_KEY_PX, y - 4}, &paint);
        }
        right_px = key_px - 6 - 2 * PANELS_KEY_GAP_PX;
    }
    return right_px;
}

/* With the unit of time, which hangs on how long it is. */
static ws_text panels_x_title(const ws_chart_panel *panel, ws_arena *arena)
{
    if (panel->kind != WS_CHART_STEPS || panel->x_title.length == 0) {
        return panel->x_title;
    }
    return ws_arena_format(arena, "%.*s (%s)", WS_TEXT_ARGS(panel->x_title),
                           ws_timeline_clock_of(panel->end_x).unit);
}

static void panels_draw_titles(const panels_chart *chart, const ws_chart_panel *panel, ws_rect area)
{
    const ws_text_style heading = {
        .size_px = WS_PLOT_LABEL_PX, .is_bold = true, .rgb = WS_INK_TEXT};
    const ws_text_style title = {
        .size_px = WS_PLOT_TEXT_PX, .anchor = WS_ANCHOR_END, .rgb = WS_INK_MUTED};
    double left_px = area.x - PANELS_LEFT_PX;
    double right_px = area.x + area.width;
    double y = area.y - 12;

    if (panel->series_count > 1) {
        right_px = panels_draw_keys(chart, panel, right_px, y);
    }
    ws_canvas_text(chart->canvas, (ws_point){left_px, y},
                   ws_text_elide(panel->heading, WS_PLOT_LABEL_PX, true,
                                 fmax(right_px - left_px, 20), chart->canvas->arena),
                   &heading);
    ws_text x_title = panels_x_title(panel, chart->canvas->arena);

    if (x_title.length > 0) {
        ws_canvas_text(
            chart->canvas, (ws_point){area.x + area.width, area.y + area.height + 34},
            ws_text_elide(x_title, WS_PLOT_TEXT_PX, false, area.width, chart->canvas->arena),
            &title);
    }
}

/* ---- rows ---- */

/* Draws the panels of one row; returns the first of the next. */
static size_t panels_draw_row(const panels_chart *chart, size_t first)
{
    const ws_chart_panel *panels = chart->data->panels;
    size_t end = first;
    double shares = 0;
    double x = WS_PLOT_MARGIN_PX;

    while (end < chart->data->count && panels[end].row == panels[first].row) {
        shares += panels[end++].share;
    }
    double room_px = chart->canvas->frame.width_px - 2 * WS_PLOT_MARGIN_PX -
                     PANELS_GAP_PX * (double)(end - first - 1);

    for (size_t i = first; i < end; i++) {
        double width_px = room_px * panels[i].share / shares;
        ws_plot plot = {
            .canvas = chart->canvas,
            .area = {.x = x + PANELS_LEFT_PX,
                     .y = chart->top_px + chart->row_px * panels[i].row + PANELS_HEADING_PX,
                     .width = fmax(width_px - PANELS_LEFT_PX, 1),
                     .height = chart->row_px - PANELS_HEADING_PX - PANELS_BELOW_PX},
            .x = ws_axis_of_range(0, 1, 1), /* bars and logarithms place themselves */
            .y = ws_panel_y_axis(&panels[i])};

        panels_draw_titles(chart, &panels[i], plot.area);
        ws_panel_draw(&plot, &panels[i]);
        x += width_px + PANELS_GAP_PX;
    }
    return end;
}

static void panels_draw(ws_canvas *canvas, const ws_chart_data *data)
{
    panels_chart chart = {.canvas = canvas, .data = data->panels};
    ws_text print = ws_arena_format(canvas->arena, "%.*s%s%s%.*s%s", WS_TEXT_ARGS(data->note),
                                    data->note.length > 0 ? " " : "",
                                    data->source.length > 0 ? "Numbers: " : "",
                                    WS_TEXT_ARGS(data->source), data->source.length > 0 ? "." : "");

    chart.top_px = ws_plot_draw_title(canvas, canvas->frame.title) - 8;
    if (chart.data == NULL || chart.data->count == 0) {
        ws_plot_draw_print(canvas, WS_TEXT("There is nothing to show."), chart.top_px + 8);
        return;
    }
    WS_ASSERT(chart.data->count <= WS_CHART_PANELS_MAX);
    if (print.start == NULL) {
        canvas->failed = true;
        return;
    }
    double print_top_px = canvas->frame.height_px - ws_plot_print_height(canvas, print) - 12;

    chart.row_px = (print_top_px - chart.top_px) / panels_rows(chart.data);
    for (size_t i = 0; i < chart.data->count;) {
        i = panels_draw_row(&chart, i);
    }
    ws_plot_draw_print(canvas, print, print_top_px);
}

/* ---- in words ---- */

/* The largest value of a series. */
static double panels_most(const ws_chart_numbers *numbers)
{
    double most = 0;

    for (size_t i = 0; i < numbers->count; i++) {
        most = fmax(most, numbers->y[i]);
    }
    return most;
}

static ws_text panels_describe_panel(const ws_chart_panel *panel, ws_text all, ws_arena *arena)
{
    all = ws_arena_format(arena, "%.*s%s%.*s:", WS_TEXT_ARGS(all), all.length > 0 ? "; " : "",
                          WS_TEXT_ARGS(panel->heading));
    for (size_t i = 0; i < panel->series_count && all.start != NULL; i++) {
        double most = panels_most(&panel->series[i]);
        char text[WS_AXIS_TEXT_BYTES];

        (void)ws_axis_print_short(panel->is_percent ? 100 * most : most, 4, text);
        all = panel->kind == WS_CHART_CURVE
                  ? ws_arena_format(arena, "%.*s %.*s", WS_TEXT_ARGS(all),
                                    WS_TEXT_ARGS(panel->series[i].name))
                  : ws_arena_format(arena, "%.*s%s %.*s at most %s%s", WS_TEXT_ARGS(all),
                                    i > 0 ? "," : "", WS_TEXT_ARGS(panel->series[i].name), text,
                                    panel->is_percent ? " %" : "");
    }
    return all;
}

static ws_text panels_describe(const ws_chart_data *data, ws_arena *arena)
{
    ws_text all = WS_TEXT("");

    for (size_t i = 0; data->panels != NULL && i < data->panels->count && all.start != NULL; i++) {
        all = panels_describe_panel(&data->panels->panels[i], all, arena);
    }
    return all;
}

const ws_chart_type ws_chart_panels_kind = {
    .name = "panels",
    .summary = "several small charts of one thing",
    .question = "What is in it?",
    .width_px = 1000,
    .height_px = 820,
    .draw = panels_draw,
    .describe = panels_describe,
};
