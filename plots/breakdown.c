/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a whole is made of, at several sizes: a bar of full length for each, cut into parts, so that
 * shares compare whatever the sizes are. A part has one colour, one number and one place in the
 * order in all bars; names stand in the legend, and in the bars where they fit.
 */
#include <math.h>

#include "chart_list.h"
#include "palette.h"
#include "plot.h"

#define BREAKDOWN_ROW_PX 34.0
#define BREAKDOWN_BAR_MAX_PX 24.0
#define BREAKDOWN_GAP_PX 8.0
#define BREAKDOWN_BELOW_PX 52.0 /* labels and title of the axis */
#define BREAKDOWN_SWATCH_PX 12.0
#define BREAKDOWN_NAME_PX 180.0 /* widest name in the legend */
#define BREAKDOWN_SIDE_PX 240.0 /* widest text beside the bars */
#define BREAKDOWN_X_STEPS 10

typedef struct {
    const ws_chart_split *data;
    ws_plot plot;
    double row_px;
    const ws_chart_split_row *rows[WS_CHART_ROWS_MAX];
    size_t row_count;
    ws_text labels[WS_CHART_ROWS_MAX]; /* cut to what fits */
    ws_text values[WS_CHART_ROWS_MAX];
} breakdown_chart;

/* ---- what is drawn ---- */

/* Rows that are kept: evenly many, the last and the marked one among them. */
static void breakdown_choose(breakdown_chart *chart)
{
    const ws_chart_split *data = chart->data;
    size_t most = WS_CHART_ROWS_MAX - 1; /* and the marked one */
    size_t count = data->row_count <= WS_CHART_ROWS_MAX ? data->row_count : most;
    size_t next = 0;

    for (size_t i = 0; i < data->row_count; i++) {
        size_t wanted = count < 2 ? 0 : next * (data->row_count - 1) / (count - 1);
        bool is_next = next < count && i == wanted;
        if (is_next || (data->rows[i].is_marked && chart->row_count < WS_CHART_ROWS_MAX)) {
            chart->rows[chart->row_count++] = &data->rows[i];
        }
        next += is_next;
    }
}

static double breakdown_share(const ws_chart_split_row *row, size_t part)
{
    double share = row->shares[part];

    return share > 0 ? fmin(share, 1) : 0;
}

/* The account's colour, lighter for each part of the same account before. */
static uint32_t breakdown_rgb(const ws_chart_split *data, size_t part)
{
    uint32_t rgb = ws_palette_account_rgb(data->parts[part].account);
    uint32_t mixed = 0;
    unsigned before = 0;

    for (size_t i = 0; i < part; i++) {
        before += data->parts[i].account == data->parts[part].account;
    }
    unsigned white = before < 4 ? before * 22 : 88; /* percent */
    for (unsigned shift = 0; shift <= 16; shift += 8) {
        uint32_t channel = rgb >> shift & 0xFFu;
        mixed |= (channel + (0xFFu - channel) * white / 100) << shift;
    }
    return mixed;
}

/* ---- the legend ---- */

static void breakdown_draw_swatch(ws_canvas *canvas, uint32_t rgb, double x, double y)
{
    const ws_paint paint = {.fill = {rgb, 1}, .stroke = {WS_INK_TEXT, 1}, .stroke_width_px = 1};

    ws_canvas_rect(canvas,
                   (ws_rect){.x = x,
                             .y = y - BREAKDOWN_SWATCH_PX + 1,
                             .width = BREAKDOWN_SWATCH_PX,
                             .height = BREAKDOWN_SWATCH_PX},
                   &paint);
}

/* Returns the y below it. */
static double breakdown_draw_legend(const breakdown_chart *chart, double top_px)
{
    const ws_text_style style = {.size_px = WS_PLOT_TEXT_PX, .rgb = WS_INK_TEXT};
    ws_canvas *canvas = chart->plot.canvas;
    double x = WS_PLOT_MARGIN_PX;
    double y = top_px + WS_PLOT_TEXT_PX;

    for (size_t i = 0; i < chart->data->part_count; i++) {
        ws_text name = ws_text_elide(chart->data->parts[i].name, WS_PLOT_TEXT_PX, false,
                                     BREAKDOWN_NAME_PX, canvas->arena);
        ws_text text = ws_arena_format(canvas->arena, "%zu %.*s", i + 1, WS_TEXT_ARGS(name));
        double width_px = BREAKDOWN_SWATCH_PX + 5 + ws_text_width_px(text, WS_PLOT_TEXT_PX, false);
        if (x + width_px > canvas->frame.width_px - WS_PLOT_MARGIN_PX) {
            x = WS_PLOT_MARGIN_PX;
            y += WS_PLOT_LINE_PX + 2;
        }
        breakdown_draw_swatch(canvas, breakdown_rgb(chart->data, i), x, y);
        ws_canvas_text(canvas, (ws_point){x + BREAKDOWN_SWATCH_PX + 5, y}, text, &style);
        x += width_px + 14;
    }
    return y + 14;
}

/* ---- bars ---- */

static double breakdown_y(const breakdown_chart *chart, size_t row)
{
    return chart->plot.area.y + ((double)row + 0.5) * chart->row_px;
}

/* "3 data" where it fits, else "3", else nothing. */
static void breakdown_draw_name(const breakdown_chart *chart, size_t part, ws_rect bar)
{
    const ws_text_style style = {
        .size_px = WS_PLOT_TEXT_PX, .anchor = WS_ANCHOR_MIDDLE, .rgb = WS_INK_TEXT};
    const ws_paint veil = {.fill = {WS_INK_WHITE, 0.85}};
    ws_canvas *canvas = chart->plot.canvas;
    ws_text number = ws_arena_format(canvas->arena, "%zu", part + 1);
    ws_text text = ws_arena_format(canvas->arena, "%zu %.*s", part + 1,
                                   WS_TEXT_ARGS(chart->data->parts[part].name));

    if (ws_text_width_px(text, WS_PLOT_TEXT_PX, false) + 12 > bar.width) {
        text = number;
    }
    double width_px = ws_text_width_px(text, WS_PLOT_TEXT_PX, false) + 4;
    if (text.start == NULL || width_px + 2 > bar.width || bar.height < 14) {
        return;
    }
    ws_point middle = {bar.x + bar.width / 2, bar.y + bar.height / 2};
    ws_canvas_rect(
        canvas,
        (ws_rect){.x = middle.x - width_px / 2, .y = middle.y - 7, .width = width_px, .height = 14},
        &veil);
    ws_canvas_text(canvas, (ws_point){middle.x, middle.y + 4}, text, &style);
}

static void breakdown_draw_part(const breakdown_chart *chart, size_t row, size_t part, double from)
{
    const ws_paint paint = {.fill = {breakdown_rgb(chart->data, part), 1},
                            .stroke = {WS_INK_TEXT, 1},
                            .stroke_width_px = 1};
    ws_canvas *canvas = chart->plot.canvas;
    double share = fmin(breakdown_share(chart->rows[row], part), 1 - from);
    double height = fmin(chart->row_px * 0.75, BREAKDOWN_BAR_MAX_PX);
    ws_rect bar = {.x = ws_plot_place(&chart->plot, 100 * from, 0).x,
                   .y = breakdown_y(chart, row) - height / 2,
                   .height = height};

    if (!(share > 0)) {
        return;
    }
    bar.width = ws_plot_place(&chart->plot, 100 * (from + share), 0).x - bar.x;
    ws_canvas_begin_group(canvas, ws_arena_format(canvas->arena, "%.*s: %.*s %.1f %%",
                                                  WS_TEXT_ARGS(chart->rows[row]->label),
                                                  WS_TEXT_ARGS(chart->data->parts[part].name),
                                                  100 * share));
    ws_canvas_rect(canvas, bar, &paint);
    breakdown_draw_name(chart, part, bar);
    ws_canvas_end_group(canvas);
}

static void breakdown_draw_bar(const breakdown_chart *chart, size_t row)
{
    const ws_text_style style = {.size_px = WS_PLOT_TEXT_PX, .rgb = WS_INK_MUTED};
    ws_text reason = chart->rows[row]->reason;
    double from = 0;

    if (reason.length > 0) {
        ws_canvas *canvas = chart->plot.canvas;
        reason =
            ws_text_elide(reason, WS_PLOT_TEXT_PX, false,
                          fmax(chart->plot.area.width - 2 * BREAKDOWN_GAP_PX, 20), canvas->arena);
        ws_canvas_text(
            canvas, (ws_point){chart->plot.area.x + BREAKDOWN_GAP_PX, breakdown_y(chart, row) + 4},
            reason, &style);
        return;
    }
    for (size_t part = 0; part < chart->data->part_count; part++) {
        breakdown_draw_part(chart, row, part, from);
        from = fmin(from + breakdown_share(chart->rows[row], part), 1);
    }
}

static void breakdown_draw_row(const breakdown_chart *chart, size_t row)
{
    bool is_marked = chart->rows[row]->is_marked;
    const ws_text_style left = {.size_px = WS_PLOT_TEXT_PX,
                                .is_bold = is_marked,
                                .anchor = WS_ANCHOR_END,
                                .rgb = WS_INK_TEXT};
    const ws_text_style right = {
        .size_px = WS_PLOT_TEXT_PX, .is_bold = is_marked, .rgb = WS_INK_TEXT};
    const ws_rect area = chart->plot.area;
    double y = breakdown_y(chart, row) + 4;

    ws_canvas_text(chart->plot.canvas, (ws_point){area.x - BREAKDOWN_GAP_PX, y}, chart->labels[row],
                   &left);
    breakdown_draw_bar(chart, row);
    ws_canvas_text(chart->plot.canvas, (ws_point){area.x + area.width + BREAKDOWN_GAP_PX, y},
                   chart->values[row], &right);
}

/* ---- the frame ---- */

/* Cuts the texts beside the bars; returns the width of the widest, px. */
static double breakdown_fit(ws_text *fitted, ws_text text, bool is_bold, ws_canvas *canvas)
{
    *fitted = ws_text_elide(text, WS_PLOT_TEXT_PX, is_bold, BREAKDOWN_SIDE_PX, canvas->arena);
    canvas->failed = canvas->failed || fitted->start == NULL;
    return ws_text_width_px(*fitted, WS_PLOT_TEXT_PX, is_bold);
}

static void breakdown_lay_out(breakdown_chart *chart, double top_px, double bottom_px)
{
    ws_canvas *canvas = chart->plot.canvas;
    double left_px = 0;
    double right_px = ws_text_width_px(chart->data->values, WS_PLOT_TEXT_PX, false);

    right_px = fmin(right_px, BREAKDOWN_SIDE_PX);
    for (size_t i = 0; i < chart->row_count; i++) {
        bool is_bold = chart->rows[i]->is_marked;
        left_px =
            fmax(left_px, breakdown_fit(&chart->labels[i], chart->rows[i]->label, is_bold, canvas));
        right_px = fmax(right_px,
                        breakdown_fit(&chart->values[i], chart->rows[i]->value, is_bold, canvas));
    }
    left_px += WS_PLOT_MARGIN_PX + BREAKDOWN_GAP_PX;
    right_px += WS_PLOT_MARGIN_PX + BREAKDOWN_GAP_PX;
    double height = fmax(1, bottom_px - top_px - BREAKDOWN_BELOW_PX);
    chart->row_px = fmin(BREAKDOWN_ROW_PX, height / (double)chart->row_count);
    chart->plot.area = (ws_rect){.x = left_px,
                                 .y = top_px,
                                 .width = fmax(1, canvas->frame.width_px - left_px - right_px),
                                 .height = chart->row_px * (double)chart->row_count};
    chart->plot.x = ws_axis_of_range(0, 100, BREAKDOWN_X_STEPS);
    chart->plot.y = ws_axis_of_range(0, 1, 2);
}

static void breakdown_draw_titles(const breakdown_chart *chart, const ws_chart_data *data)
{
    const ws_text_style style = {
        .size_px = WS_PLOT_LABEL_PX, .anchor = WS_ANCHOR_END, .rgb = WS_INK_TEXT};
    const ws_text_style values = {.size_px = WS_PLOT_TEXT_PX, .rgb = WS_INK_MUTED};
    const ws_rect area = chart->plot.area;
    ws_canvas *canvas = chart->plot.canvas;
    double y = area.y + area.height + WS_PLOT_TICK_PX + WS_PLOT_TEXT_PX;

    ws_canvas_text(canvas, (ws_point){area.x + area.width, y + 20},
                   ws_plot_axis_title(&data->x, canvas->arena), &style);
    ws_canvas_text(canvas, (ws_point){area.x + area.width + BREAKDOWN_GAP_PX, y + 20},
                   ws_text_elide(chart->data->values, WS_PLOT_TEXT_PX, false, BREAKDOWN_SIDE_PX,
                                 canvas->arena),
                   &values);
}

static ws_text breakdown_print(const breakdown_chart *chart, const ws_chart_data *data)
{
    ws_arena *arena = chart->plot.canvas->arena;
    size_t left_out = chart->data->row_count - chart->row_count;
    ws_text omitted = left_out == 0 ? WS_TEXT("")
                                    : ws_arena_format(arena, " %zu of %zu sizes are not drawn.",
                                                      left_out, chart->data->row_count);

    return ws_arena_format(arena, "Each bar is one whole.%s%.*s%.*s%s%.*s%s",
                           data->note.length > 0 ? " " : "", WS_TEXT_ARGS(data->note),
                           WS_TEXT_ARGS(omitted), data->source.length > 0 ? " Numbers: " : "",
                           WS_TEXT_ARGS(data->source), data->source.length > 0 ? "." : "");
}

static void breakdown_draw(ws_canvas *canvas, const ws_chart_data *data)
{
    breakdown_chart chart = {.data = data->breakdown, .plot = {.canvas = canvas}};
    double top_px = ws_plot_draw_title(canvas, canvas->frame.title);

    if (chart.data == NULL || chart.data->row_count == 0) {
        ws_plot_draw_print(canvas, WS_TEXT("There is no size to show."), top_px);
        return;
    }
    WS_ASSERT(chart.data->part_count <= WS_CHART_PARTS_MAX);
    breakdown_choose(&chart);
    ws_text print = breakdown_print(&chart, data);
    if (print.start == NULL) {
        canvas->failed = true;
        return;
    }
    double print_top_px = canvas->frame.height_px - ws_plot_print_height(canvas, print) - 12;
    top_px = breakdown_draw_legend(&chart, top_px - 6);
    breakdown_lay_out(&chart, top_px, print_top_px);
    ws_plot_draw_x_ticks(&chart.plot, true);
    ws_plot_draw_frame(&chart.plot);
    for (size_t i = 0; i < chart.row_count; i++) {
        breakdown_draw_row(&chart, i);
    }
    breakdown_draw_titles(&chart, data);
    ws_plot_draw_print(canvas, print, print_top_px);
}

/* ---- in words ---- */

static ws_text breakdown_describe_row(const ws_chart_split *data, const ws_chart_split_row *row,
                                      ws_text all, ws_arena *arena)
{
    all = ws_arena_format(arena, "%.*s%s%.*s: %.*s", WS_TEXT_ARGS(all), all.length > 0 ? "; " : "",
                          WS_TEXT_ARGS(row->label),
                          WS_TEXT_ARGS(row->reason.length > 0 ? row->reason : row->value));
    for (size_t part = 0; part < data->part_count && row->reason.length == 0; part++) {
        double share = breakdown_share(row, part);
        if (share > 0 && all.start != NULL) {
            all = ws_arena_format(arena, "%.*s, %.*s %.1f %%", WS_TEXT_ARGS(all),
                                  WS_TEXT_ARGS(data->parts[part].name), 100 * share);
        }
    }
    return all;
}

static ws_text breakdown_describe(const ws_chart_data *data, ws_arena *arena)
{
    ws_text all = WS_TEXT("");

    if (data->breakdown == NULL) {
        return all;
    }
    for (size_t i = 0; i < data->breakdown->row_count && all.start != NULL; i++) {
        all = breakdown_describe_row(data->breakdown, &data->breakdown->rows[i], all, arena);
    }
    return all;
}

const ws_chart_type ws_chart_breakdown = {
    .name = "breakdown",
    .summary = "what a step is made of, size by size",
    .question = "Where does a step go, at each size?",
    .width_px = 960,
    .height_px = 480,
    .draw = breakdown_draw,
    .describe = breakdown_describe,
};
