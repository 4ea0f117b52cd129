/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cost against what it buys: one mark an arm with a cross of its intervals, faint dots for single
 * replications, and the Pareto set joined by steps: what one gets for at most so much.
 */
#include <float.h>
#include <math.h>

#include "chart_list.h"
#include "labels.h"
#include "palette.h"
#include "pareto_print.h"
#include "plot.h"

#define PARETO_MARK_PX 5.5
#define PARETO_DOT_PX 1.8
#define PARETO_NEST_PX 3.0 /* by which a mark is larger than the one that would hide it */
#define PARETO_NESTED_MAX 5
#define PARETO_X_STEPS 8
#define PARETO_Y_STEPS 6
#define PARETO_ROOM_RATIO 0.03
#define PARETO_VALUE_MAX 1e290 /* differences of such values are finite */
#define PARETO_NAME_PX_MAX 260.0
#define PARETO_BOUND_MARK WS_MARKER_DIAMOND

typedef struct {
    const ws_chart_data *data;
    ws_plot plot;
    ws_pareto_members members;
    ws_text names[WS_CHART_ARMS_MAX]; /* as labels */
} pareto_chart;

/* --- what is there -------------------------------------------------------------------------- */

static size_t pareto_drawn_count(const ws_chart_data *data)
{
    size_t count = 0;

    for (size_t i = 0; i < data->arm_count; i++) {
        count += ws_pareto_is_drawn(&data->arms[i]) ? 1 : 0;
    }
    return count;
}

/* Position among the arms that are not the baseline: it sets colour and mark. */
static size_t pareto_style_index(const ws_chart_data *data, size_t arm)
{
    size_t index = 0;

    for (size_t i = 0; i < arm; i++) {
        index += data->arms[i].is_baseline ? 0 : 1;
    }
    return index;
}

static uint32_t pareto_rgb(const ws_chart_data *data, size_t arm)
{
    return data->arms[arm].is_baseline ? WS_INK_BASELINE
                                       : ws_palette_rgb(pareto_style_index(data, arm));
}

static ws_marker pareto_marker(const ws_chart_data *data, size_t arm)
{
    if (data->arms[arm].is_bound) {
        return PARETO_BOUND_MARK;
    }
    /* The baseline's circle is black; no other arm is. */
    return data->arms[arm].is_baseline ? WS_MARKER_CIRCLE
                                       : ws_palette_marker(pareto_style_index(data, arm));
}

/* --- axes ----------------------------------------------------------------------------------- */

typedef struct {
    double low;
    double high;
} pareto_range;

static void pareto_cover(pareto_range *range, double value)
{
    if (isfinite(value)) {
        double bounded = fmax(-PARETO_VALUE_MAX, fmin(PARETO_VALUE_MAX, value));

        range->low = fmin(range->low, bounded);
        range->high = fmax(range->high, bounded);
    }
}

/* Single values to draw: every k-th, so that there are at most WS_CHART_VALUES_MAX. */
static size_t pareto_stride(const ws_chart_arm *arm)
{
    return arm->value_count / WS_CHART_VALUES_MAX + 1;
}

static void pareto_cover_all(pareto_range *range, ws_chart_estimate estimate, const double *values,
                             const ws_chart_arm *arm)
{
    pareto_cover(range, estimate.mean);
    if (ws_pareto_has_interval(estimate)) {
        pareto_cover(range, estimate.low);
        pareto_cover(range, estimate.high);
    }
    for (size_t i = 0; values != NULL && i < arm->value_count; i += pareto_stride(arm)) {
        pareto_cover(range, values[i]);
    }
}

/* A little room, so that no mark lies on the frame. An end at 0 stays there if it has to. */
static void pareto_pad(pareto_range *range, bool keeps_zero)
{
    double room = PARETO_ROOM_RATIO * (range->high - range->low);

    range->low -= keeps_zero && range->low >= 0 ? 0 : room;
    range->high += keeps_zero && range->high <= 0 ? 0 : room;
}

static void pareto_set_axes(pareto_chart *chart)
{
    const ws_chart_data *data = chart->data;
    pareto_range x = {.low = DBL_MAX, .high = -DBL_MAX};
    pareto_range y = x;

    for (size_t i = 0; i < data->arm_count; i++) {
        const ws_chart_arm *arm = &data->arms[i];

        if (ws_pareto_is_drawn(arm)) {
            pareto_cover_all(&x, arm->x, arm->x_values, arm);
            pareto_cover_all(&y, arm->y, arm->y_values, arm);
        }
    }
    if (!data->x.is_cut) {
        pareto_cover(&x, 0);
    }
    pareto_pad(&x, !data->x.is_cut);
    pareto_pad(&y, false);
    chart->plot.x = ws_axis_of_range(x.low, x.high, PARETO_X_STEPS);
    chart->plot.y = ws_axis_of_range(y.low, y.high, PARETO_Y_STEPS);
    chart->plot.is_y_down = !data->y.higher_is_better;
}

/* --- marks ---------------------------------------------------------------------------------- */

static void pareto_draw_dots(const pareto_chart *chart, size_t index)
{
    const ws_chart_arm *arm = &chart->data->arms[index];
    const ws_paint paint = {.fill = {pareto_rgb(chart->data, index), 0.3}};

    if (arm->x_values == NULL || arm->y_values == NULL) {
        return;
    }
    for (size_t i = 0; i < arm->value_count; i += pareto_stride(arm)) {
        if (isfinite(arm->x_values[i]) && isfinite(arm->y_values[i])) {
            ws_point at = ws_plot_place(&chart->plot, arm->x_values[i], arm->y_values[i]);

            ws_canvas_circle(chart->plot.canvas, at, PARETO_DOT_PX, &paint);
        }
    }
}

static void pareto_draw_cross(const pareto_chart *chart, size_t index)
{
    const ws_chart_arm *arm = &chart->data->arms[index];
    const ws_plot *plot = &chart->plot;
    const ws_paint paint = {.stroke = {pareto_rgb(chart->data, index), 1}, .stroke_width_px = 1.5};

    if (ws_pareto_has_interval(arm->x)) {
        ws_canvas_line(plot->canvas, ws_plot_place(plot, arm->x.low, arm->y.mean),
                       ws_plot_place(plot, arm->x.high, arm->y.mean), &paint);
    }
    if (ws_pareto_has_interval(arm->y)) {
        ws_canvas_line(plot->canvas, ws_plot_place(plot, arm->x.mean, arm->y.low),
                       ws_plot_place(plot, arm->x.mean, arm->y.high), &paint);
    }
}

/* A bound, and an uncertain member of the Pareto set, are hollow. */
static bool pareto_is_hollow(const pareto_chart *chart, size_t index)
{
    const ws_chart_arm *arm = &chart->data->arms[index];
    bool is_member = false;

    for (size_t i = 0; i < chart->members.count; i++) {
        is_member = is_member || chart->members.arms[i] == index;
    }
    return arm->is_bound || (is_member && arm->is_uncertain);
}

/* Marks in one place are nested: those drawn first are larger, so that each shows. */
static double pareto_radius(const pareto_chart *chart, size_t index)
{
    const ws_chart_data *data = chart->data;
    const ws_chart_arm *arm = &data->arms[index];
    ws_point at = ws_plot_place(&chart->plot, arm->x.mean, arm->y.mean);
    int above = 0;

    for (size_t i = index + 1; i < data->arm_count; i++) {
        if (ws_pareto_is_drawn(&data->arms[i]) && above < PARETO_NESTED_MAX) {
            ws_point other =
                ws_plot_place(&chart->plot, data->arms[i].x.mean, data->arms[i].y.mean);

            above += fabs(other.x - at.x) < PARETO_NEST_PX && fabs(other.y - at.y) < PARETO_NEST_PX;
        }
    }
    return PARETO_MARK_PX + above * PARETO_NEST_PX;
}

static void pareto_draw_mark(const pareto_chart *chart, size_t index)
{
    const ws_chart_arm *arm = &chart->data->arms[index];
    uint32_t rgb = pareto_rgb(chart->data, index);
    bool is_hollow = pareto_is_hollow(chart, index);
    ws_paint paint = {.fill = {is_hollow ? WS_INK_WHITE : rgb, 1},
                      .stroke = {is_hollow ? rgb : WS_INK_WHITE, 1},
                      .stroke_width_px = is_hollow ? 2 : 1};

    ws_canvas_marker(chart->plot.canvas, pareto_marker(chart->data, index),
                     ws_plot_place(&chart->plot, arm->x.mean, arm->y.mean),
                     pareto_radius(chart, index), &paint);
}

/* From each member level to the next one's cost, then up to it. */
static void pareto_draw_steps(const pareto_chart *chart)
{
    const ws_paint paint = {
        .stroke = {WS_INK_AXIS, 1}, .stroke_width_px = 1.25, .dash_on_px = 5, .dash_off_px = 3};
    ws_point points[2 * WS_CHART_ARMS_MAX];
    size_t count = 0;

    for (size_t i = 0; i < chart->members.count; i++) {
        const ws_chart_arm *arm = &chart->data->arms[chart->members.arms[i]];
        ws_point at = ws_plot_place(&chart->plot, arm->x.mean, arm->y.mean);

        if (count > 0) {
            points[count] = (ws_point){.x = at.x, .y = points[count - 1].y};
            count++;
        }
        points[count++] = at;
    }
    if (count > 1) {
        ws_canvas_polyline(chart->plot.canvas, points, count, &paint);
    }
}

/* --- names ---------------------------------------------------------------------------------- */

static ws_text pareto_name(const ws_chart_arm *arm, ws_arena *arena)
{
    const char *role = arm->is_baseline ? " (baseline)" : "";
    ws_text name =
        ws_text_elide_middle(arm->name, WS_PLOT_LABEL_PX, false, PARETO_NAME_PX_MAX, arena);

    role = arm->is_bound ? " (bound)" : role;
    return ws_arena_format(arena, "%.*s%s", WS_TEXT_ARGS(name), role);
}

static ws_rect pareto_box(ws_point a, ws_point b, double margin_px)
{
    return (ws_rect){.x = fmin(a.x, b.x) - margin_px,
                     .y = fmin(a.y, b.y) - margin_px,
                     .width = fabs(a.x - b.x) + 2 * margin_px,
                     .height = fabs(a.y - b.y) + 2 * margin_px};
}

#define PARETO_OBSTACLES_MAX ((size_t)5 * WS_CHART_ARMS_MAX)

/* The mark and the cross of an arm. */
static size_t pareto_arm_obstacles(const pareto_chart *chart, size_t index, ws_obstacle *obstacles)
{
    const ws_chart_arm *arm = &chart->data->arms[index];
    const ws_plot *plot = &chart->plot;
    ws_point at = ws_plot_place(plot, arm->x.mean, arm->y.mean);
    size_t count = 0;

    obstacles[count++] =
        (ws_obstacle){.rect = pareto_box(at, at, pareto_radius(chart, index) * 1.5), .weight = 20};
    if (ws_pareto_has_interval(arm->x)) {
        ws_point low = ws_plot_place(plot, arm->x.low, arm->y.mean);
        ws_point high = ws_plot_place(plot, arm->x.high, arm->y.mean);

        obstacles[count++] = (ws_obstacle){.rect = pareto_box(low, high, 1.5), .weight = 5};
    }
    if (ws_pareto_has_interval(arm->y)) {
        ws_point low = ws_plot_place(plot, arm->x.mean, arm->y.low);
        ws_point high = ws_plot_place(plot, arm->x.mean, arm->y.high);

        obstacles[count++] = (ws_obstacle){.rect = pareto_box(low, high, 1.5), .weight = 5};
    }
    return count;
}

/* The two legs of each step of the Pareto line. */
static size_t pareto_step_obstacles(const pareto_chart *chart, ws_obstacle *obstacles)
{
    size_t count = 0;

    for (size_t i = 1; i < chart->members.count; i++) {
        const ws_chart_arm *before = &chart->data->arms[chart->members.arms[i - 1]];
        const ws_chart_arm *arm = &chart->data->arms[chart->members.arms[i]];
        ws_point from = ws_plot_place(&chart->plot, before->x.mean, before->y.mean);
        ws_point to = ws_plot_place(&chart->plot, arm->x.mean, arm->y.mean);
        ws_point corner = {.x = to.x, .y = from.y};

        obstacles[count++] = (ws_obstacle){.rect = pareto_box(from, corner, 1), .weight = 0.5};
        obstacles[count++] = (ws_obstacle){.rect = pareto_box(corner, to, 1), .weight = 0.5};
    }
    return count;
}

/* The names of the drawn arms: where each goes and whose it is. False when the arena is exhausted.
 */
static bool pareto_place_names(const pareto_chart *chart, ws_label *labels, size_t *arms,
                               size_t *count)
{
    ws_obstacle *obstacles =
        ws_arena_alloc(chart->plot.canvas->arena, ws_obstacle, PARETO_OBSTACLES_MAX);

    if (obstacles == NULL) {
        return false;
    }
    size_t obstacle_count = pareto_step_obstacles(chart, obstacles);
    for (size_t i = 0; i < chart->data->arm_count; i++) {
        const ws_chart_arm *arm = &chart->data->arms[i];

        if (!ws_pareto_is_drawn(arm)) {
            continue;
        }
        obstacle_count += pareto_arm_obstacles(chart, i, obstacles + obstacle_count);
        arms[*count] = i;
        labels[(*count)++] = (ws_label){
            .point = ws_plot_place(&chart->plot, arm->x.mean, arm->y.mean),
            .radius_px = pareto_radius(chart, i),
            .width_px = ws_text_width_px(chart->names[i], WS_PLOT_LABEL_PX, false),
            .height_px = WS_PLOT_LABEL_PX + 3,
        };
    }
    WS_ASSERT(obstacle_count <= PARETO_OBSTACLES_MAX);
    ws_labels_place(labels, *count, chart->plot.area, obstacles, obstacle_count);
    return true;
}

static void pareto_draw_leader(const pareto_chart *chart, const ws_label *label, size_t arm)
{
    const ws_paint paint = {.stroke = {pareto_rgb(chart->data, arm), 1}, .stroke_width_px = 1};
    ws_rect box = label->box;
    ws_point end = {.x = fmax(box.x, fmin(label->point.x, box.x + box.width)),
                    .y = fmax(box.y, fmin(label->point.y, box.y + box.height))};

    if (label->has_leader) {
        ws_canvas_line(chart->plot.canvas, label->point, end, &paint);
    }
}

/* Keeps dots and grid lines from running through a name. */
static void pareto_draw_veil(const pareto_chart *chart, const ws_label *label)
{
    const ws_paint veil = {.fill = {WS_INK_WHITE, 0.8}};

    ws_canvas_rect(chart->plot.canvas, label->box, &veil);
}

static void pareto_draw_name(const pareto_chart *chart, const ws_label *label, size_t arm)
{
    const ws_text_style style = {.size_px = WS_PLOT_LABEL_PX, .rgb = WS_INK_TEXT};
    ws_point at = {.x = label->box.x, .y = label->box.y + WS_PLOT_LABEL_PX};

    ws_canvas_text(chart->plot.canvas, at, chart->names[arm], &style);
}

/* --- the whole ------------------------------------------------------------------------------ */

static void pareto_draw_arms(const pareto_chart *chart)
{
    ws_canvas *canvas = chart->plot.canvas;
    ws_label *labels = ws_arena_alloc(canvas->arena, ws_label, WS_CHART_ARMS_MAX);
    size_t arms[WS_CHART_ARMS_MAX];
    size_t count = 0;

    if (labels == NULL || !pareto_place_names(chart, labels, arms, &count)) {
        canvas->failed = true;
        return;
    }
    for (size_t i = 0; i < count; i++) {
        pareto_draw_dots(chart, arms[i]);
    }
    pareto_draw_steps(chart);
    for (size_t i = 0; i < count; i++) {
        pareto_draw_veil(chart, &labels[i]);
    }
    for (size_t i = 0; i < count; i++) {
        pareto_draw_leader(chart, &labels[i], arms[i]);
    }
    for (size_t i = 0; i < count; i++) {
        const ws_chart_arm *arm = &chart->data->arms[arms[i]];

        ws_canvas_begin_group(canvas, ws_pareto_arm_title(chart->data, arm, canvas->arena));
        pareto_draw_cross(chart, arms[i]);
        pareto_draw_mark(chart, arms[i]);
        pareto_draw_name(chart, &labels[i], arms[i]);
        ws_canvas_end_group(canvas);
    }
}

static void pareto_draw(ws_canvas *canvas, const ws_chart_data *data)
{
    pareto_chart chart = {.data = data, .plot = {.canvas = canvas}};
    ws_text print = {.start = NULL};
    double top_px = 0;
    double print_px = 0;

    WS_ASSERT(canvas != NULL);
    WS_ASSERT(data != NULL);
    WS_ASSERT(data->arm_count <= WS_CHART_ARMS_MAX);

    top_px = ws_plot_draw_title(canvas, canvas->frame.title);
    if (pareto_drawn_count(data) == 0) {
        ws_plot_draw_print(canvas, WS_TEXT("There is no arm with a value in both metrics."),
                           top_px);
        return;
    }
    chart.members = ws_pareto_set(data);
    for (size_t i = 0; i < data->arm_count; i++) {
        chart.names[i] = pareto_name(&data->arms[i], canvas->arena);
    }
    pareto_set_axes(&chart);
    print = ws_pareto_print(data, &chart.members, canvas->arena);
    print_px = ws_plot_print_height(canvas, print) + 12;
    ws_plot_lay_out(&chart.plot, top_px, canvas->frame.height_px - print_px);
    ws_plot_draw_axes(&chart.plot, &data->x, &data->y);
    pareto_draw_arms(&chart);
    ws_plot_draw_print(canvas, print, canvas->frame.height_px - print_px);
}

const ws_chart_type ws_chart_pareto = {
    .name = "pareto",
    .summary = "cost against throughput or time, with intervals and the Pareto set",
    .question = "What does each policy cost, and what does it give for it?",
    .width_px = 840,
    .height_px = 560,
    .draw = pareto_draw,
    .describe = ws_pareto_describe,
};
