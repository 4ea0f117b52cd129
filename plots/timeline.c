/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One arm in one world over time, as panels above one another with one time axis: what is paid,
 * ready and busy; what is wanted and waits; the world of the main job in its stages.
 */
#include <math.h>
#include <stddef.h>

#include "chart_list.h"
#include "palette.h"
#include "step_path.h"
#include "timeline_print.h"

#define TIMELINE_PANELS_MAX 3
#define TIMELINE_SERIES_MAX 3
#define TIMELINE_HEADING_PX 34.0 /* above a panel */
#define TIMELINE_BAND_PX 17.0    /* for the names of stages, above the panel of the main job */
#define TIMELINE_KEY_PX 18.0     /* length of the sample of a line beside its name */
#define TIMELINE_GAP_PX 5.0
#define TIMELINE_NAME_PX 15.0 /* from name to name */
#define TIMELINE_X_STEPS 9
#define TIMELINE_BELOW_PX 48.0 /* labels and title of the time axis */

typedef struct {
    const char *name;
    size_t offset; /* in ws_chart_step */
    ws_paint line;
    double fill_opacity; /* of the area below; 0: none */
    int rank;            /* of two lines that end in one place the higher one is named above */
} timeline_style;

/* Each line has a name beside it, and in a panel no two have the same dashes. */
static const timeline_style timeline_paid = {
    .name = "paid",
    .offset = offsetof(ws_chart_step, paid),
    .line = {.stroke = {WS_INK_BASELINE, 1}, .stroke_width_px = 1.75},
    .rank = 2,
};
static const timeline_style timeline_ready = {
    .name = "ready",
    .offset = offsetof(ws_chart_step, ready),
    .line = {.stroke = {0x0072B2, 1}, .stroke_width_px = 1.5, .dash_on_px = 6, .dash_off_px = 3},
    .rank = 1,
};
static const timeline_style timeline_busy = {
    .name = "busy",
    .offset = offsetof(ws_chart_step, busy),
    .line = {.stroke = {0x009E73, 1}, .stroke_width_px = 1.25},
    .fill_opacity = 0.3,
};
static const timeline_style timeline_wanted = {
    .name = "wanted",
    .offset = offsetof(ws_chart_step, wanted),
    .line = {.stroke = {WS_INK_BASELINE, 1}, .stroke_width_px = 1.25},
    .rank = 1,
};
static const timeline_style timeline_waiting = {
    .name = "waiting",
    .offset = offsetof(ws_chart_step, waiting),
    .line = {.stroke = {0xD55E00, 1}, .stroke_width_px = 1.25},
    .fill_opacity = 0.45,
};
static const timeline_style timeline_main = {
    .name = "main job",
    .offset = offsetof(ws_chart_step, main_gpus),
    .line = {.stroke = {0x0072B2, 1}, .stroke_width_px = 1.5},
    .fill_opacity = 0.15,
};

typedef struct {
    const timeline_style *styles[TIMELINE_SERIES_MAX]; /* drawn in this order */
    size_t count;
    ws_text heading;
    double share; /* of the height */
    bool has_bands;
    ws_plot plot;
} timeline_panel;

typedef struct {
    const ws_chart_course *course;
    ws_canvas *canvas;
    timeline_panel panels[TIMELINE_PANELS_MAX];
    size_t panel_count;
    ws_timeline_clock clock;
} timeline_chart;

/* ---- what goes where ---- */

static ws_step_series timeline_series(const timeline_chart *chart, const timeline_style *style)
{
    return (ws_step_series){.course = chart->course, .offset = style->offset};
}

static void timeline_list_panels(timeline_chart *chart)
{
    ws_text main_job = chart->course->main_job;
    ws_arena *arena = chart->canvas->arena;

    chart->panels[0] = (timeline_panel){
        .styles = {&timeline_busy, &timeline_paid, &timeline_ready},
        .count = 3,
        .heading = WS_TEXT("GPUs of all pools"),
        .share = 0.42,
    };
    chart->panels[1] = (timeline_panel){
        .styles = {&timeline_waiting, &timeline_wanted},
        .count = 2,
        .heading = WS_TEXT("GPUs wanted: those that are busy and those that jobs wait for"),
        .share = 0.29,
    };
    chart->panel_count = 2;
    if (main_job.length > 0) {
        chart->panels[2] = (timeline_panel){
            .styles = {&timeline_main},
            .count = 1,
            .heading =
                ws_arena_format(arena, "World size of %.*s, in GPUs", WS_TEXT_ARGS(main_job)),
            .share = 0.29,
            .has_bands = true,
        };
        chart->panel_count = 3;
    }
}

/* GPUs are counted from 0; a step of the axis is at least one. */
static ws_axis timeline_gpu_axis(const timeline_chart *chart, const timeline_panel *panel)
{
    double high = 1;

    for (size_t i = 0; i < panel->count; i++) {
        ws_step_series series = timeline_series(chart, panel->styles[i]);
        high = fmax(high, ws_step_series_range(&series).high);
    }
    int wanted = panel->share > 0.4 ? 6 : 4;
    return ws_axis_of_range(0, high, high < wanted ? (int)high : wanted);
}

static double timeline_names_width(const timeline_chart *chart)
{
    double widest_px = 0;

    for (size_t i = 0; i < chart->panel_count; i++) {
        for (size_t k = 0; k < chart->panels[i].count; k++) {
            ws_text name = ws_text_of(chart->panels[i].styles[k]->name);
            widest_px = fmax(widest_px, ws_text_width_px(name, WS_PLOT_TEXT_PX, false));
        }
    }
    return widest_px;
}

/* Areas of all panels between two heights: the same x for all. */
static void timeline_lay_out(timeline_chart *chart, double top_px, double bottom_px)
{
    double label_px = 0;
    double right_px = TIMELINE_GAP_PX * 2 + TIMELINE_KEY_PX + timeline_names_width(chart);
    double y = top_px;
    double shares = 0;

    for (size_t i = 0; i < chart->panel_count; i++) {
        label_px = fmax(label_px, ws_plot_tick_width(&chart->panels[i].plot.y));
        shares += chart->panels[i].share;
        bottom_px -= TIMELINE_HEADING_PX + (chart->panels[i].has_bands ? TIMELINE_BAND_PX : 0);
    }
    double left_px = WS_PLOT_MARGIN_PX + label_px + WS_PLOT_TICK_PX;
    double width_px = chart->canvas->frame.width_px - left_px - right_px - WS_PLOT_MARGIN_PX;
    for (size_t i = 0; i < chart->panel_count; i++) {
        timeline_panel *panel = &chart->panels[i];
        double height_px = (bottom_px - top_px - TIMELINE_BELOW_PX) * panel->share / shares;
        y += TIMELINE_HEADING_PX + (panel->has_bands ? TIMELINE_BAND_PX : 0);
        panel->plot.area =
            (ws_rect){.x = left_px, .y = y, .width = width_px, .height = fmax(1, height_px)};
        y += fmax(1, height_px);
    }
}

/* ---- stages ---- */

/* "2 main" where there is room, else "2", else nothing; the small print has them all. */
static ws_text timeline_band_name(const timeline_chart *chart, int stage, double width_px)
{
    const ws_chart_course *course = chart->course;
    ws_arena *arena = chart->canvas->arena;
    ws_text number = ws_arena_format(arena, "%d", stage + 1);
    ws_text full =
        ws_arena_format(arena, "%d %.*s", stage + 1, WS_TEXT_ARGS(course->stages[stage]));

    if (full.start == NULL || number.start == NULL) {
        chart->canvas->failed = true;
        return WS_TEXT("");
    }
    if (ws_text_width_px(full, WS_PLOT_TEXT_PX, false) + 6 <= width_px) {
        return full;
    }
    return ws_text_width_px(number, WS_PLOT_TEXT_PX, false) + 2 <= width_px ? number : WS_TEXT("");
}

static void timeline_draw_band(const timeline_chart *chart, const timeline_panel *panel,
                               const ws_timeline_span *span)
{
    const ws_paint shade = {.fill = {span->stage % 2 == 0 ? WS_INK_BAND : WS_INK_WHITE, 1}};
    const ws_paint edge = {.stroke = {WS_INK_AXIS, 1}, .stroke_width_px = 1};
    const ws_text_style style = {
        .size_px = WS_PLOT_TEXT_PX, .anchor = WS_ANCHOR_MIDDLE, .rgb = WS_INK_TEXT};
    const ws_rect area = panel->plot.area;
    double from_px = ws_plot_place(&panel->plot, span->begin_s, 0).x;
    double to_px = ws_plot_place(&panel->plot, span->end_s, 0).x;
    double top_px = area.y - TIMELINE_BAND_PX;
    ws_text name = timeline_band_name(chart, span->stage, to_px - from_px);

    ws_canvas_rect(chart->canvas,
                   (ws_rect){.x = from_px,
                             .y = top_px,
                             .width = to_px - from_px,
                             .height = area.height + TIMELINE_BAND_PX},
                   &shade);
    ws_canvas_line(chart->canvas, (ws_point){from_px, top_px},
                   (ws_point){from_px, area.y + area.height}, &edge);
    ws_canvas_line(chart->canvas, (ws_point){to_px, top_px},
                   (ws_point){to_px, area.y + area.height}, &edge);
    if (name.length > 0) {
        ws_canvas_text(chart->canvas, (ws_point){(from_px + to_px) / 2, area.y - 4}, name, &style);
    }
}

static void timeline_draw_bands(const timeline_chart *chart, const timeline_panel *panel)
{
    ws_timeline_span span = {.next_step = 0};

    while (ws_timeline_next_span(chart->course, &span)) {
        timeline_draw_band(chart, panel, &span);
    }
}

/* ---- lines ---- */

static void timeline_fill(const timeline_chart *chart, const timeline_panel *panel,
                          const timeline_style *style, ws_point *points, size_t count)
{
    const ws_paint paint = {.fill = {style->line.stroke.rgb, style->fill_opacity}};
    double bottom_px = panel->plot.area.y + panel->plot.area.height;

    points[count] = (ws_point){.x = points[count - 1].x, .y = bottom_px};
    points[count + 1] = (ws_point){.x = points[0].x, .y = bottom_px};
    ws_canvas_polygon(chart->canvas, points, count + 2, &paint);
}

/* Returns where the line ends. */
static double timeline_draw_line(const timeline_chart *chart, const timeline_panel *panel,
                                 const timeline_style *style)
{
    ws_point *points = ws_arena_alloc(chart->canvas->arena, ws_point, WS_CHART_SERIES_VERTICES_MAX);
    ws_step_series series = timeline_series(chart, style);
    size_t count = 0;

    if (points == NULL) {
        chart->canvas->failed = true;
    } else {
        count = ws_step_path(&panel->plot, &series, points, WS_CHART_SERIES_VERTICES_MAX - 2,
                             &chart->canvas->failed);
    }
    if (count == 0) {
        return panel->plot.area.y + panel->plot.area.height;
    }
    double end_px = points[count - 1].y;
    ws_canvas_begin_group(chart->canvas,
                          ws_timeline_series_title(style->name, &series, chart->canvas->arena));
    if (style->fill_opacity > 0) {
        timeline_fill(chart, panel, style, points, count);
    }
    ws_canvas_polyline(chart->canvas, points, count, &style->line);
    ws_canvas_end_group(chart->canvas);
    return end_px;
}

/* Names beside the ends of their lines, moved apart where they would overlap: from the bottom up in
 * the order of the ends, then down again from the top of the panel. */
static void timeline_spread(double *y, size_t count, ws_rect area)
{
    double low = area.y + area.height;

    for (size_t i = 0; i < count; i++) {
        y[i] = fmin(y[i], low);
        low = y[i] - TIMELINE_NAME_PX;
    }
    for (size_t i = count; i > 0; i--) {
        double least = area.y + (double)(count - i) * TIMELINE_NAME_PX;
        y[i - 1] = fmax(y[i - 1], least);
    }
}

/* True when the name of `a` goes below that of `b`. */
static bool timeline_is_below(const timeline_panel *panel, const double *ends_px, size_t a,
                              size_t b)
{
    if (fabs(ends_px[a] - ends_px[b]) > 0.01) {
        return ends_px[a] > ends_px[b];
    }
    return panel->styles[a]->rank < panel->styles[b]->rank;
}

/* Series from the lowest name to the highest. */
static void timeline_order_names(const timeline_panel *panel, const double *ends_px, size_t *order)
{
    for (size_t i = 0; i < panel->count; i++) {
        size_t at = i;
        for (; at > 0 && timeline_is_below(panel, ends_px, i, order[at - 1]); at--) {
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
}

static void timeline_draw_names(const timeline_chart *chart, const timeline_panel *panel,
                                const double *ends_px)
{
    const ws_text_style style = {.size_px = WS_PLOT_TEXT_PX, .rgb = WS_INK_TEXT};
    double right_px = panel->plot.area.x + panel->plot.area.width;
    size_t order[TIMELINE_SERIES_MAX];
    double y[TIMELINE_SERIES_MAX];

    timeline_order_names(panel, ends_px, order);
    for (size_t i = 0; i < panel->count; i++) {
        y[i] = ends_px[order[i]];
    }
    timeline_spread(y, panel->count, panel->plot.area);
    for (size_t i = 0; i < panel->count; i++) {
        const timeline_style *line = panel->styles[order[i]];
        ws_point from = {.x = right_px + TIMELINE_GAP_PX, .y = y[i]};
        ws_point to = {.x = from.x + TIMELINE_KEY_PX, .y = y[i]};
        ws_canvas_line(chart->canvas, from, to, &line->line);
        ws_canvas_text(chart->canvas, (ws_point){to.x + TIMELINE_GAP_PX, y[i] + 4},
                       ws_text_of(line->name), &style);
    }
}

/* What lies to the left is simulated and left out of the statistics. */
static void timeline_draw_warmup(const timeline_chart *chart, const timeline_panel *panel)
{
    const ws_paint line = {
        .stroke = {WS_INK_MUTED, 1}, .stroke_width_px = 1, .dash_on_px = 2, .dash_off_px = 2};
    const ws_rect area = panel->plot.area;
    double x = ws_plot_place(&panel->plot, chart->course->warmup_s, 0).x;

    ws_canvas_line(chart->canvas, (ws_point){x, area.y}, (ws_point){x, area.y + area.height},
                   &line);
}

static void timeline_draw_panel(const timeline_chart *chart, size_t index)
{
    const timeline_panel *panel = &chart->panels[index];
    const ws_text_style heading = {.size_px = WS_PLOT_LABEL_PX, .rgb = WS_INK_TEXT};
    const ws_rect area = panel->plot.area;
    double room_px = chart->canvas->frame.width_px - 2 * WS_PLOT_MARGIN_PX;
    double above_px = panel->has_bands ? TIMELINE_BAND_PX : 0;
    double ends_px[TIMELINE_SERIES_MAX];

    ws_canvas_text(
        chart->canvas, (ws_point){WS_PLOT_MARGIN_PX, area.y - above_px - 9},
        ws_text_elide(panel->heading, WS_PLOT_LABEL_PX, false, room_px, chart->canvas->arena),
        &heading);
    if (panel->has_bands) {
        timeline_draw_bands(chart, panel);
    }
    ws_plot_draw_x_ticks(&panel->plot, index + 1 == chart->panel_count);
    ws_plot_draw_y_ticks(&panel->plot);
    for (size_t i = 0; i < panel->count; i++) {
        ends_px[i] = timeline_draw_line(chart, panel, panel->styles[i]);
    }
    ws_plot_draw_frame(&panel->plot);
    timeline_draw_names(chart, panel, ends_px);
    if (chart->course->warmup_s > 0) {
        timeline_draw_warmup(chart, panel);
    }
}

/* ---- the whole ---- */

static void timeline_draw_time_title(const timeline_chart *chart)
{
    const ws_text_style style = {
        .size_px = WS_PLOT_LABEL_PX, .anchor = WS_ANCHOR_END, .rgb = WS_INK_TEXT};
    const ws_rect area = chart->panels[chart->panel_count - 1].plot.area;
    ws_text title =
        ws_arena_format(chart->canvas->arena, "time since the start (%s)", chart->clock.unit);

    ws_canvas_text(chart->canvas, (ws_point){area.x + area.width, area.y + area.height + 38}, title,
                   &style);
}

/* The time axis shows whole units; values stay in seconds, and so its ticks are seconds too. */
static void timeline_set_axes(timeline_chart *chart)
{
    for (size_t i = 0; i < chart->panel_count; i++) {
        timeline_panel *panel = &chart->panels[i];
        panel->plot.canvas = chart->canvas;
        panel->plot.x = ws_timeline_axis(&chart->clock, chart->course->end_s, TIMELINE_X_STEPS);
        panel->plot.y = timeline_gpu_axis(chart, panel);
    }
}

static void timeline_draw(ws_canvas *canvas, const ws_chart_data *data)
{
    timeline_chart chart = {.course = data->course, .canvas = canvas};
    double top_px = ws_plot_draw_title(canvas, canvas->frame.title);

    if (data->course == NULL || data->course->step_count == 0) {
        ws_plot_draw_print(canvas, WS_TEXT("No time series was kept."), top_px);
        return;
    }
    chart.clock = ws_timeline_clock_of(chart.course->end_s);
    ws_text print = ws_timeline_print(data, &chart.clock, canvas->arena);
    double print_px = ws_plot_print_height(canvas, print) + 12;
    timeline_list_panels(&chart);
    timeline_set_axes(&chart);
    timeline_lay_out(&chart, top_px - 12, canvas->frame.height_px - print_px);
    for (size_t i = 0; i < chart.panel_count; i++) {
        timeline_draw_panel(&chart, i);
    }
    timeline_draw_time_title(&chart);
    ws_plot_draw_print(canvas, print, canvas->frame.height_px - print_px);
}

const ws_chart_type ws_chart_timeline = {
    .name = "timeline",
    .summary = "GPUs paid, ready, busy, wanted, and the main job's world, over time",
    .question = "How many GPUs are paid, used and waited for, over time?",
    .width_px = 960,
    .height_px = 680,
    .draw = timeline_draw,
    .describe = ws_timeline_describe,
};
