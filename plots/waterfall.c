/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the paid GPU-hours of one arm went: a bar for all that was paid, one for each account that
 * takes from it, and what is useful at the end. Bars lie level, so that names need no turning; the
 * same accounts in the same order and colours for every arm, and one axis for all arms.
 */
#include <math.h>
#include <stddef.h>

#include "chart_list.h"
#include "palette.h"
#include "plot.h"
#include "waterfall_print.h"

#define WATERFALL_ROWS (WS_ACCOUNT_COUNT + 1)
#define WATERFALL_BAR_PX 17.0
#define WATERFALL_GAP_PX 8.0
#define WATERFALL_X_STEPS 10
#define WATERFALL_BELOW_PX 48.0   /* labels and title of the axis */
#define WATERFALL_VALUE_MAX 1e290 /* sums of such values are finite */

typedef struct {
    ws_text name;
    ws_text value; /* "1,234 GPUh  12.3 %" */
    ws_text title; /* what a pointer at rest shows */
    double from;   /* GPU-hours */
    double to;
    uint32_t rgb;
} waterfall_row;

typedef struct {
    ws_chart_accounts accounts;
    ws_plot plot;
    double row_px; /* height of a row */
    waterfall_row rows[WATERFALL_ROWS];
} waterfall_chart;

/* ---- rows ---- */

static waterfall_row waterfall_paid_row(const ws_chart_accounts *accounts, ws_arena *arena)
{
    return (waterfall_row){
        .name = WS_TEXT("paid"),
        .value = ws_waterfall_value(accounts, accounts->paid_gpu_h, arena),
        .title = ws_waterfall_paid_title(accounts, arena),
        .to = accounts->paid_gpu_h,
        .rgb = WS_INK_MUTED,
    };
}

/* @param left  of what was paid, before this account */
static waterfall_row waterfall_account_row(const ws_chart_accounts *accounts, ws_account account,
                                           double left, ws_arena *arena)
{
    double value = accounts->account_gpu_h[account];
    bool is_last = account == WS_ACCOUNT_USEFUL;

    return (waterfall_row){
        .name = ws_waterfall_name(account, arena),
        .value = ws_waterfall_value(accounts, value, arena),
        .title = ws_waterfall_title(accounts, account, arena),
        .from = is_last ? 0 : left - value,
        .to = is_last ? value : left,
        .rgb = ws_palette_account_rgb(account),
    };
}

static double waterfall_bounded(double gpu_h)
{
    return isnan(gpu_h) ? 0 : fmax(-WATERFALL_VALUE_MAX, fmin(WATERFALL_VALUE_MAX, gpu_h));
}

/* What is drawn: numbers that can be added. */
static ws_chart_accounts waterfall_bound(const ws_chart_accounts *accounts)
{
    ws_chart_accounts bounded = *accounts;

    bounded.paid_gpu_h = waterfall_bounded(accounts->paid_gpu_h);
    bounded.axis_gpu_h = waterfall_bounded(accounts->axis_gpu_h);
    for (size_t i = 0; i < WS_ACCOUNT_COUNT; i++) {
        bounded.account_gpu_h[i] = waterfall_bounded(accounts->account_gpu_h[i]);
    }
    return bounded;
}

static void waterfall_list_rows(waterfall_chart *chart, ws_arena *arena)
{
    double left = chart->accounts.paid_gpu_h;

    chart->rows[0] = waterfall_paid_row(&chart->accounts, arena);
    for (size_t i = 0; i < WS_ACCOUNT_COUNT; i++) {
        ws_account account = ws_waterfall_account(i);
        chart->rows[i + 1] = waterfall_account_row(&chart->accounts, account, left, arena);
        left -= chart->accounts.account_gpu_h[account];
    }
}

/* ---- where ---- */

static double waterfall_widest(const waterfall_chart *chart, size_t offset)
{
    double widest_px = 0;

    for (size_t i = 0; i < WATERFALL_ROWS; i++) {
        const ws_text *text = (const void *)((const char *)&chart->rows[i] + offset);
        widest_px = fmax(widest_px, ws_text_width_px(*text, WS_PLOT_TEXT_PX, false));
    }
    return widest_px;
}

static void waterfall_set_axis(waterfall_chart *chart)
{
    double low = 0;
    double high = fmax(chart->accounts.axis_gpu_h, chart->accounts.paid_gpu_h);

    /* An account may be below 0 when work from before the warm-up's end is lost after it. */
    for (size_t i = 0; i < WATERFALL_ROWS; i++) {
        low = fmin(low, fmin(chart->rows[i].from, chart->rows[i].to));
        high = fmax(high, fmax(chart->rows[i].from, chart->rows[i].to));
    }
    chart->plot.x = ws_axis_of_range(low, high, WATERFALL_X_STEPS);
    chart->plot.y = ws_axis_of_range(0, WATERFALL_ROWS, WATERFALL_ROWS);
}

/* @param bottom_px  where the small print begins */
static void waterfall_lay_out(waterfall_chart *chart, double top_px, double bottom_px)
{
    double left_px = WS_PLOT_MARGIN_PX + WATERFALL_GAP_PX +
                     waterfall_widest(chart, offsetof(waterfall_row, name));
    double right_px = WS_PLOT_MARGIN_PX + WATERFALL_GAP_PX +
                      waterfall_widest(chart, offsetof(waterfall_row, value));

    chart->plot.area =
        (ws_rect){.x = left_px,
                  .y = top_px,
                  .width = fmax(1, chart->plot.canvas->frame.width_px - left_px - right_px),
                  .height = fmax(1, bottom_px - top_px - WATERFALL_BELOW_PX)};
    chart->row_px = chart->plot.area.height / WATERFALL_ROWS;
}

static double waterfall_x(const waterfall_chart *chart, double gpu_h)
{
    return ws_plot_place(&chart->plot, gpu_h, 0).x;
}

static double waterfall_y(const waterfall_chart *chart, size_t row)
{
    return chart->plot.area.y + ((double)row + 0.5) * chart->row_px;
}

/* ---- drawing ---- */

/* From the end of what is left to the bar that takes from it. */
static void waterfall_draw_link(const waterfall_chart *chart, size_t row)
{
    const ws_paint paint = {
        .stroke = {WS_INK_AXIS, 1}, .stroke_width_px = 1, .dash_on_px = 2, .dash_off_px = 2};
    const waterfall_row *below = &chart->rows[row + 1];
    double x = waterfall_x(chart, below->to);

    ws_canvas_line(chart->plot.canvas,
                   (ws_point){x, waterfall_y(chart, row) + WATERFALL_BAR_PX / 2},
                   (ws_point){x, waterfall_y(chart, row + 1) - WATERFALL_BAR_PX / 2}, &paint);
}

static void waterfall_draw_row(const waterfall_chart *chart, size_t index)
{
    const waterfall_row *row = &chart->rows[index];
    const ws_text_style name_style = {
        .size_px = WS_PLOT_TEXT_PX, .anchor = WS_ANCHOR_END, .rgb = WS_INK_TEXT};
    const ws_text_style value_style = {.size_px = WS_PLOT_TEXT_PX, .rgb = WS_INK_TEXT};
    const ws_paint paint = {
        .fill = {row->rgb, 1}, .stroke = {WS_INK_TEXT, 1}, .stroke_width_px = 1};
    const ws_paint veil = {.fill = {WS_INK_WHITE, 0.8}}; /* over grid lines */
    double from_px = waterfall_x(chart, fmin(row->from, row->to));
    double to_px = waterfall_x(chart, fmax(row->from, row->to));
    double y = waterfall_y(chart, index);

    ws_canvas_begin_group(chart->plot.canvas, row->title);
    ws_canvas_text(chart->plot.canvas, (ws_point){chart->plot.area.x - WATERFALL_GAP_PX, y + 4},
                   row->name, &name_style);
    ws_canvas_rect(chart->plot.canvas,
                   (ws_rect){.x = from_px,
                             .y = y - WATERFALL_BAR_PX / 2,
                             .width = to_px - from_px,
                             .height = WATERFALL_BAR_PX},
                   &paint);
    ws_canvas_rect(chart->plot.canvas,
                   (ws_rect){.x = to_px + WATERFALL_GAP_PX - 2,
                             .y = y - 8,
                             .width = ws_text_width_px(row->value, WS_PLOT_TEXT_PX, false) + 4,
                             .height = 16},
                   &veil);
    ws_canvas_text(chart->plot.canvas, (ws_point){to_px + WATERFALL_GAP_PX, y + 4}, row->value,
                   &value_style);
    ws_canvas_end_group(chart->plot.canvas);
}

static void waterfall_draw_axis_title(const waterfall_chart *chart, const ws_chart_data *data)
{
    const ws_text_style style = {
        .size_px = WS_PLOT_LABEL_PX, .anchor = WS_ANCHOR_END, .rgb = WS_INK_TEXT};
    const ws_rect area = chart->plot.area;
    ws_text title = data->replications == 1
                        ? WS_TEXT("GPU-hours")
                        : ws_arena_format(chart->plot.canvas->arena, "GPU-hours, means of n = %d",
                                          data->replications);

    ws_canvas_text(chart->plot.canvas,
                   (ws_point){area.x + area.width, area.y + area.height + WATERFALL_BELOW_PX - 10},
                   title, &style);
}

static bool waterfall_is_exhausted(const waterfall_chart *chart)
{
    bool is_exhausted = false;

    for (size_t i = 0; i < WATERFALL_ROWS; i++) {
        const waterfall_row *row = &chart->rows[i];
        is_exhausted = is_exhausted || row->name.start == NULL || row->value.start == NULL ||
                       row->title.start == NULL;
    }
    return is_exhausted;
}

static void waterfall_draw(ws_canvas *canvas, const ws_chart_data *data)
{
    waterfall_chart chart = {.plot = {.canvas = canvas}};
    double top_px = ws_plot_draw_title(canvas, canvas->frame.title);

    if (data->accounts == NULL || !isfinite(data->accounts->paid_gpu_h)) {
        ws_plot_draw_print(canvas, WS_TEXT("There is no run of this policy."), top_px);
        return;
    }
    chart.accounts = waterfall_bound(data->accounts);
    waterfall_list_rows(&chart, canvas->arena);
    if (waterfall_is_exhausted(&chart)) {
        canvas->failed = true;
        return;
    }
    ws_text print = ws_waterfall_print(data, canvas->arena);
    double print_top_px = canvas->frame.height_px - ws_plot_print_height(canvas, print) - 12;
    waterfall_set_axis(&chart);
    waterfall_lay_out(&chart, top_px - 4, print_top_px);
    ws_plot_draw_x_ticks(&chart.plot, true);
    ws_plot_draw_frame(&chart.plot);
    for (size_t i = 0; i < WATERFALL_ROWS; i++) {
        if (i + 1 < WATERFALL_ROWS) {
            waterfall_draw_link(&chart, i);
        }
        waterfall_draw_row(&chart, i);
    }
    waterfall_draw_axis_title(&chart, data);
    ws_plot_draw_print(canvas, print, print_top_px);
}

const ws_chart_type ws_chart_waterfall = {
    .name = "waterfall",
    .summary = "where the paid GPU-hours of a policy went, account by account",
    .question = "Where do the GPU-hours go that are paid for?",
    .width_px = 840,
    .height_px = 480,
    .draw = waterfall_draw,
    .describe = ws_waterfall_describe,
};
