/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bars side by side, shares over a logarithmic time, steps over time. */
#include <math.h>

#include "palette.h"
#include "panels.h"
#include "timeline_print.h"

#define PANEL_Y_STEPS 5
#define PANEL_X_STEPS 10
#define PANEL_VALUE_MAX 1e15
#define PANEL_BAR_SHARE 0.78 /* of the room of a label */
#define PANEL_LABEL_GAP_PX 6.0
#define PANEL_BAR_MOST_PX 48.0
#define PANEL_SECOND_LEAST_S 1.0 /* where the logarithmic axis begins: 0 s cannot be on it */

/* A value that may be drawn: finite, not negative. */
static double panel_value(const ws_chart_panel *panel, double value)
{
    double most = panel->is_percent ? 1 : PANEL_VALUE_MAX;

    return value > 0 ? fmin(value, most) : 0;
}

ws_paint ws_panel_paint(ws_chart_panel_kind kind, size_t series)
{
    uint32_t rgb = ws_palette_rgb(series);
    bool is_first = series == 0;

    if (kind == WS_CHART_BARS) {
        return (ws_paint){.fill = {rgb, is_first ? 0.85 : 0.18},
                          .stroke = {rgb, 1},
                          .stroke_width_px = is_first ? 0 : 1.25};
    }
    return (ws_paint){.fill = {rgb, is_first ? 0.22 : 0},
                      .stroke = {rgb, 1},
                      .stroke_width_px = is_first ? 1.75 : 1.25,
                      .dash_on_px = is_first ? 0 : 4,
                      .dash_off_px = is_first ? 0 : 3};
}

ws_axis ws_panel_y_axis(const ws_chart_panel *panel)
{
    double high = 0;

    if (panel->kind == WS_CHART_CURVE) {
        return ws_axis_of_range(0, 100, PANEL_Y_STEPS);
    }
    for (size_t i = 0; i < panel->series_count; i++) {
        for (size_t k = 0; k < panel->series[i].count; k++) {
            high = fmax(high, panel_value(panel, panel->series[i].y[k]));
        }
    }
    if (panel->is_percent) {
        return ws_axis_of_range(0, high > 0 ? 100 * high : 1, PANEL_Y_STEPS);
    }
    high = fmax(ceil(high), 1);
    return ws_axis_of_range(0, high, high < PANEL_Y_STEPS ? (int)high : PANEL_Y_STEPS);
}

/* The y of a value, px. */
static double panel_y(const ws_plot *plot, const ws_chart_panel *panel, double value)
{
    bool is_percent = panel->is_percent || panel->kind == WS_CHART_CURVE;
    double shown = panel_value(panel, value) * (is_percent ? 100 : 1);
    double ratio = fmin(ws_axis_ratio(&plot->y, shown), 1);

    return plot->area.y + plot->area.height * (1 - ratio);
}

static double panel_bottom(const ws_plot *plot)
{
    return plot->area.y + plot->area.height;
}

static void panel_draw_label(const ws_plot *plot, double x, ws_text text)
{
    const ws_text_style style = {
        .size_px = WS_PLOT_TEXT_PX, .anchor = WS_ANCHOR_MIDDLE, .rgb = WS_INK_MUTED};

    ws_canvas_text(plot->canvas, (ws_point){x, panel_bottom(plot) + WS_PLOT_TICK_PX + 11}, text,
                   &style);
}

/* ---- bars ---- */

/* Every which label has room: 1, 2, 3, 4, 6, ... */
static size_t panel_label_step(const ws_plot *plot, const ws_chart_panel *panel)
{
    double room_px = plot->area.width / (double)panel->label_count;
    double widest_px = 0;
    size_t step = 1;

    for (size_t i = 0; i < panel->label_count; i++) {
        widest_px = fmax(widest_px, ws_text_width_px(panel->labels[i], WS_PLOT_TEXT_PX, false));
    }
    while (step < panel->label_count && (double)step * room_px < widest_px + PANEL_LABEL_GAP_PX) {
        step += step < 4 ? 1 : 2;
    }
    return step;
}

/* Where the bar of a series stands: all bars of a label in the middle of its room. */
static ws_rect panel_bar(const ws_plot *plot, const ws_chart_panel *panel, size_t series,
                         size_t label)
{
    double room_px = plot->area.width / (double)panel->label_count;
    double count = (double)panel->series_count;
    double width_px = fmin(room_px * PANEL_BAR_SHARE / count, PANEL_BAR_MOST_PX);
    double top_px = panel_y(plot, panel, panel->series[series].y[label]);

    return (ws_rect){.x = plot->area.x + room_px * ((double)label + 0.5) +
                          width_px * ((double)series - count / 2),
                     .y = top_px,
                     .width = width_px,
                     .height = panel_bottom(plot) - top_px};
}

static void panel_draw_bar(const ws_plot *plot, const ws_chart_panel *panel, size_t series,
                           size_t label)
{
    const ws_paint paint = ws_panel_paint(WS_CHART_BARS, series);
    const ws_chart_numbers *numbers = &panel->series[series];
    double value = panel_value(panel, numbers->y[label]);
    char text[WS_AXIS_TEXT_BYTES];

    if (!(value > 0)) {
        return;
    }
    (void)ws_axis_print_short(panel->is_percent ? 100 * value : value, 4, text);
    ws_canvas_begin_group(plot->canvas, ws_arena_format(plot->canvas->arena, "%.*s, %.*s: %s%s",
                                                        WS_TEXT_ARGS(panel->labels[label]),
                                                        WS_TEXT_ARGS(numbers->name), text,
                                                        panel->is_percent ? " %" : ""));
    ws_canvas_rect(plot->canvas, panel_bar(plot, panel, series, label), &paint);
    ws_canvas_end_group(plot->canvas);
}

static void panel_draw_bars(const ws_plot *plot, const ws_chart_panel *panel)
{
    size_t step = panel_label_step(plot, panel);
    double room_px = plot->area.width / (double)panel->label_count;

    ws_plot_draw_y_ticks(plot);
    for (size_t i = 0; i < panel->label_count; i++) {
        for (size_t k = 0; k < panel->series_count; k++) {
            WS_ASSERT(panel->series[k].count == panel->label_count);
            panel_draw_bar(plot, panel, k, i);
        }
        if (i % step == 0) {
            panel_draw_label(plot, plot->area.x + room_px * ((double)i + 0.5),
                             ws_text_elide(panel->labels[i], WS_PLOT_TEXT_PX, false,
                                           (double)step * room_px, plot->canvas->arena));
        }
    }
}

/* ---- lines ---- */

/* Vertices of one series, and what closes the area below. */
typedef struct {
    ws_point *points;
    size_t count;
} panel_path;

static void panel_add(panel_path *path, double x, double y)
{
    path->points[path->count++] = (ws_point){.x = x, .y = y};
}

static void panel_draw_path(const ws_plot *plot, const ws_chart_panel *panel, size_t series,
                            panel_path *path)
{
    ws_paint paint = ws_panel_paint(panel->kind, series);
    const ws_paint fill = {.fill = paint.fill};
    size_t count = path->count;

    paint.fill.opacity = 0;
    ws_canvas_begin_group(plot->canvas, panel->series[series].name);
    if (fill.fill.opacity > 0) {
        panel_add(path, path->points[count - 1].x, panel_bottom(plot));
        panel_add(path, path->points[0].x, panel_bottom(plot));
        ws_canvas_polygon(plot->canvas, path->points, path->count, &fill);
    }
    ws_canvas_polyline(plot->canvas, path->points, count, &paint);
    ws_canvas_end_group(plot->canvas);
}

/* Room for the vertices of a series; NULL when the canvas's arena is exhausted. */
static ws_point *panel_room(const ws_plot *plot, const ws_chart_numbers *numbers)
{
    ws_point *points = ws_arena_alloc(plot->canvas->arena, ws_point, 2 * numbers->count + 4);

    plot->canvas->failed = plot->canvas->failed || points == NULL;
    return points;
}

/* Round times on the logarithmic axis. */
typedef struct {
    const char *name;
    double at_s;
} panel_time;

static const panel_time panel_times[] = {
    {"1 s", 1},     {"10 s", 10},     {"1 min", 60},    {"10 min", 600},   {"1 h", 3600},
    {"1 d", 86400}, {"10 d", 864000}, {"100 d", 864e4}, {"1000 d", 864e5},
};

static double panel_log_x(const ws_plot *plot, double from_s, double to_s, double at_s)
{
    double ratio = log(fmin(fmax(at_s, from_s), to_s) / from_s) / log(to_s / from_s);

    return plot->area.x + plot->area.width * ratio;
}

static double panel_last_time(const ws_chart_panel *panel)
{
    double last_s = PANEL_SECOND_LEAST_S;
    size_t i = 1;

    for (size_t k = 0; k < panel->series_count; k++) {
        const ws_chart_numbers *numbers = &panel->series[k];
        last_s = fmax(last_s, numbers->count > 0 ? numbers->x[numbers->count - 1] : 0);
    }
    while (i + 1 < WS_COUNT_OF(panel_times) && panel_times[i].at_s < last_s) {
        i++;
    }
    return panel_times[i].at_s;
}

static void panel_draw_times(const ws_plot *plot, double from_s, double to_s)
{
    const ws_paint grid = {.stroke = {WS_INK_GRID, 1}, .stroke_width_px = 1};
    double free_px = -1e9;

    for (size_t i = 0; i < WS_COUNT_OF(panel_times) && panel_times[i].at_s <= to_s; i++) {
        double x = panel_log_x(plot, from_s, to_s, panel_times[i].at_s);
        ws_text name = ws_text_of(panel_times[i].name);
        double half_px = ws_text_width_px(name, WS_PLOT_TEXT_PX, false) / 2;

        ws_canvas_line(plot->canvas, (ws_point){x, plot->area.y}, (ws_point){x, panel_bottom(plot)},
                       &grid);
        if (x - half_px > free_px) {
            panel_draw_label(plot, x, name);
            free_px = x + half_px + PANEL_LABEL_GAP_PX;
        }
    }
}

static void panel_draw_curve(const ws_plot *plot, const ws_chart_panel *panel)
{
    double from_s = PANEL_SECOND_LEAST_S;
    double to_s = panel_last_time(panel);

    ws_plot_draw_y_ticks(plot);
    panel_draw_times(plot, from_s, to_s);
    for (size_t i = 0; i < panel->series_count; i++) {
        const ws_chart_numbers *numbers = &panel->series[i];
        panel_path path = {.points = panel_room(plot, numbers)};

        for (size_t k = 0; path.points != NULL && k < numbers->count; k++) {
            panel_add(&path, panel_log_x(plot, from_s, to_s, numbers->x[k]),
                      panel_y(plot, panel, numbers->y[k]));
        }
        if (path.count > 0) {
            panel_add(&path, plot->area.x + plot->area.width, path.points[path.count - 1].y);
            panel_draw_path(plot, panel, i, &path);
        }
    }
}

static void panel_draw_steps(ws_plot *plot, const ws_chart_panel *panel)
{
    ws_timeline_clock clock = ws_timeline_clock_of(panel->end_x);

    plot->x = ws_timeline_axis(&clock, panel->end_x, PANEL_X_STEPS);
    ws_plot_draw_x_ticks(plot, true);
    ws_plot_draw_y_ticks(plot);
    for (size_t i = 0; i < panel->series_count; i++) {
        const ws_chart_numbers *numbers = &panel->series[i];
        panel_path path = {.points = panel_room(plot, numbers)};

        for (size_t k = 0; path.points != NULL && k < numbers->count; k++) {
            double end_s = k + 1 < numbers->count ? numbers->x[k + 1] : panel->end_x;
            double y = panel_y(plot, panel, numbers->y[k]);

            panel_add(&path, ws_plot_place(plot, numbers->x[k], 0).x, y);
            panel_add(&path, ws_plot_place(plot, end_s, 0).x, y);
        }
        if (path.count > 0) {
            panel_draw_path(plot, panel, i, &path);
        }
    }
}

void ws_panel_draw(ws_plot *plot, const ws_chart_panel *panel)
{
    WS_ASSERT(panel->series_count >= 1);
    WS_ASSERT(panel->series_count <= WS_CHART_PANEL_SERIES_MAX);
    switch (panel->kind) {
    case WS_CHART_BARS:
        panel_draw_bars(plot, panel);
        break;
    case WS_CHART_CURVE:
        panel_draw_curve(plot, panel);
        break;
    case WS_CHART_STEPS:
        panel_draw_steps(plot, panel);
        break;
    }
    ws_plot_draw_frame(plot);
}
