/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The frame of a chart. The title of the y axis lies level above it: turned text is hard to read,
 * and the canvas then needs no turning. Where small values are better the y axis points down, so
 * that better is up in every chart.
 */
#include "plot.h"

#include <math.h>

#include "palette.h"

#define PLOT_TITLE_LINES 3

static const ws_text_style plot_small_print = {.size_px = WS_PLOT_TEXT_PX, .rgb = WS_INK_MUTED};

double ws_plot_draw_title(ws_canvas *canvas, ws_text title)
{
    const ws_text_style style = {.size_px = WS_PLOT_TITLE_PX, .is_bold = true, .rgb = WS_INK_TEXT};
    double width_px = canvas->frame.width_px - 2 * WS_PLOT_MARGIN_PX;
    double y = WS_PLOT_MARGIN_PX + WS_PLOT_TITLE_PX;
    ws_text rest = title;

    for (int line = 0; line < PLOT_TITLE_LINES && rest.length > 0; line++) {
        ws_text text = ws_text_next_line(&rest, style.size_px, style.is_bold, width_px);

        if (line == PLOT_TITLE_LINES - 1 && rest.length > 0) {
            text = (ws_text){.start = text.start,
                             .length = (size_t)(rest.start + rest.length - text.start)};
        }
        text = ws_text_elide(text, style.size_px, style.is_bold, width_px, canvas->arena);
        ws_canvas_text(canvas, (ws_point){WS_PLOT_MARGIN_PX, y}, text, &style);
        y += 22;
    }
    return y;
}

double ws_plot_print_height(const ws_canvas *canvas, ws_text print)
{
    double width_px = canvas->frame.width_px - 2 * WS_PLOT_MARGIN_PX;
    int lines = 0;

    for (ws_text rest = print; rest.length > 0; lines++) {
        (void)ws_text_next_line(&rest, WS_PLOT_TEXT_PX, false, width_px);
    }
    return lines * WS_PLOT_LINE_PX;
}

void ws_plot_draw_print(ws_canvas *canvas, ws_text print, double top_px)
{
    double width_px = canvas->frame.width_px - 2 * WS_PLOT_MARGIN_PX;
    int lines = 0;

    for (ws_text rest = print; rest.length > 0; lines++) {
        double y = top_px + WS_PLOT_TEXT_PX + lines * WS_PLOT_LINE_PX;
        ws_text line = ws_text_next_line(&rest, WS_PLOT_TEXT_PX, false, width_px);

        line = ws_text_elide(line, WS_PLOT_TEXT_PX, false, width_px, canvas->arena);
        ws_canvas_text(canvas, (ws_point){WS_PLOT_MARGIN_PX, y}, line, &plot_small_print);
    }
}

double ws_plot_tick_width(const ws_axis *axis)
{
    WS_ASSERT(axis->ticks >= 2);

    double widest_px = 0;

    for (int i = 0; i < axis->ticks; i++) {
        char text[WS_AXIS_TEXT_BYTES];
        size_t length = ws_axis_print(axis, i, text);
        ws_text label = {.start = text, .length = length};

        widest_px = fmax(widest_px, ws_text_width_px(label, WS_PLOT_TEXT_PX, false));
    }
    return widest_px;
}

void ws_plot_lay_out(ws_plot *plot, double top_px, double bottom_px)
{
    WS_ASSERT(plot->canvas != NULL);

    double left_px = WS_PLOT_MARGIN_PX + ws_plot_tick_width(&plot->y) + WS_PLOT_TICK_PX;
    double right_px = WS_PLOT_MARGIN_PX + ws_plot_tick_width(&plot->x) / 2;
    double above_px = WS_PLOT_LABEL_PX + 14;                   /* title of the y axis */
    double below_px = WS_PLOT_TEXT_PX + WS_PLOT_LABEL_PX + 24; /* ticks and title of the x axis */

    plot->area = (ws_rect){
        .x = left_px,
        .y = top_px + above_px,
        .width = fmax(1, plot->canvas->frame.width_px - left_px - right_px),
        .height = fmax(1, bottom_px - top_px - above_px - below_px),
    };
}

ws_point ws_plot_place(const ws_plot *plot, double x, double y)
{
    double across = ws_axis_ratio(&plot->x, x);
    double up = ws_axis_ratio(&plot->y, y);

    up = plot->is_y_down ? 1 - up : up;
    return (ws_point){.x = plot->area.x + across * plot->area.width,
                      .y = plot->area.y + (1 - up) * plot->area.height};
}

ws_text ws_plot_axis_title(const ws_chart_axis *axis, ws_arena *arena)
{
    if (axis->unit.length == 0) {
        return ws_arena_copy_text(arena, axis->label);
    }
    return ws_arena_format(arena, "%.*s (%.*s)", WS_TEXT_ARGS(axis->label),
                           WS_TEXT_ARGS(axis->unit));
}

void ws_plot_draw_x_ticks(const ws_plot *plot, bool has_labels)
{
    WS_ASSERT(plot->canvas != NULL);

    const ws_paint grid = {.stroke = {WS_INK_GRID, 1}, .stroke_width_px = 1};
    const ws_text_style style = {
        .size_px = WS_PLOT_TEXT_PX, .anchor = WS_ANCHOR_MIDDLE, .rgb = WS_INK_MUTED};
    double bottom_px = plot->area.y + plot->area.height;

    for (int i = 0; i < plot->x.ticks; i++) {
        char text[WS_AXIS_TEXT_BYTES];
        size_t length = ws_axis_print(&plot->x, i, text);
        ws_point at = ws_plot_place(plot, ws_axis_tick(&plot->x, i), ws_axis_low(&plot->y));

        ws_canvas_line(plot->canvas, (ws_point){at.x, plot->area.y}, (ws_point){at.x, bottom_px},
                       &grid);
        if (has_labels) {
            ws_canvas_text(plot->canvas,
                           (ws_point){at.x, bottom_px + WS_PLOT_TICK_PX + WS_PLOT_TEXT_PX},
                           (ws_text){.start = text, .length = length}, &style);
        }
    }
}

void ws_plot_draw_y_ticks(const ws_plot *plot)
{
    WS_ASSERT(plot->canvas != NULL);

    const ws_paint grid = {.stroke = {WS_INK_GRID, 1}, .stroke_width_px = 1};
    const ws_text_style style = {
        .size_px = WS_PLOT_TEXT_PX, .anchor = WS_ANCHOR_END, .rgb = WS_INK_MUTED};
    double right_px = plot->area.x + plot->area.width;

    for (int i = 0; i < plot->y.ticks; i++) {
        char text[WS_AXIS_TEXT_BYTES];
        size_t length = ws_axis_print(&plot->y, i, text);
        ws_point at = ws_plot_place(plot, ws_axis_low(&plot->x), ws_axis_tick(&plot->y, i));

        ws_canvas_line(plot->canvas, (ws_point){plot->area.x, at.y}, (ws_point){right_px, at.y},
                       &grid);
        ws_canvas_text(plot->canvas,
                       (ws_point){plot->area.x - WS_PLOT_TICK_PX, at.y + WS_PLOT_TEXT_PX / 3},
                       (ws_text){.start = text, .length = length}, &style);
    }
}

void ws_plot_draw_frame(const ws_plot *plot)
{
    WS_ASSERT(plot->canvas != NULL);

    const ws_paint line = {.stroke = {WS_INK_AXIS, 1}, .stroke_width_px = 1};
    const ws_point corners[] = {
        {plot->area.x, plot->area.y},
        {plot->area.x, plot->area.y + plot->area.height},
        {plot->area.x + plot->area.width, plot->area.y + plot->area.height},
    };

    ws_canvas_polyline(plot->canvas, corners, WS_COUNT_OF(corners), &line);
}

/* "cost (USD), lower is better". */
static ws_text plot_full_title(const ws_chart_axis *axis, bool is_down, ws_arena *arena)
{
    const char *better = axis->higher_is_better ? "higher is better" : "lower is better";

    return ws_arena_format(arena, "%.*s, %s%s", WS_TEXT_ARGS(ws_plot_axis_title(axis, arena)),
                           better, is_down ? " (the axis points down)" : "");
}

void ws_plot_draw_axes(const ws_plot *plot, const ws_chart_axis *x, const ws_chart_axis *y)
{
    WS_ASSERT(plot->canvas != NULL);

    const ws_text_style y_style = {.size_px = WS_PLOT_LABEL_PX, .rgb = WS_INK_TEXT};
    const ws_text_style x_style = {
        .size_px = WS_PLOT_LABEL_PX, .anchor = WS_ANCHOR_END, .rgb = WS_INK_TEXT};
    ws_arena *arena = plot->canvas->arena;
    double width_px = plot->canvas->frame.width_px - 2 * WS_PLOT_MARGIN_PX;
    double right_px = plot->area.x + plot->area.width;
    double x_title_px = plot->area.y + plot->area.height + WS_PLOT_TEXT_PX + 12 + WS_PLOT_LABEL_PX;
    ws_text y_title = plot_full_title(y, plot->is_y_down, arena);
    ws_text x_title = plot_full_title(x, false, arena);

    ws_canvas_begin_group(plot->canvas, WS_TEXT("axes"));
    ws_plot_draw_x_ticks(plot, true);
    ws_plot_draw_y_ticks(plot);
    ws_plot_draw_frame(plot);
    y_title = ws_text_elide(y_title, WS_PLOT_LABEL_PX, false, width_px, arena);
    x_title = ws_text_elide(x_title, WS_PLOT_LABEL_PX, false, width_px, arena);
    ws_canvas_text(plot->canvas, (ws_point){WS_PLOT_MARGIN_PX, plot->area.y - 12}, y_title,
                   &y_style);
    ws_canvas_text(plot->canvas, (ws_point){right_px, x_title_px}, x_title, &x_style);
    ws_canvas_end_group(plot->canvas);
}
