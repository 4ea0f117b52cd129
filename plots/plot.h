/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * What charts with two axes share: title, axes with their grid, the lines of small print, and the
 * way from values to px.
 */
#ifndef WS_PLOTS_PLOT_H
#define WS_PLOTS_PLOT_H

#include "axis.h"
#include "ws/chart.h"

#define WS_PLOT_MARGIN_PX 20.0
#define WS_PLOT_TICK_PX 6.0 /* between an axis and its labels */
#define WS_PLOT_TITLE_PX 17.0
#define WS_PLOT_TEXT_PX 12.0
#define WS_PLOT_LABEL_PX 13.0
#define WS_PLOT_LINE_PX 16.0 /* from base line to base line of small print */

typedef struct {
    ws_canvas *canvas;
    ws_rect area; /* between the axes */
    ws_axis x;
    ws_axis y;
    bool is_y_down; /* small values at the top */
} ws_plot;

/** Draws the title, wrapped; returns the y below it. */
double ws_plot_draw_title(ws_canvas *canvas, ws_text title);

/** Height of small print when it is wrapped to the canvas, px. */
double ws_plot_print_height(const ws_canvas *canvas, ws_text print);

/** Draws small print from `top_px` on. */
void ws_plot_draw_print(ws_canvas *canvas, ws_text print, double top_px);

/** Sets plot->area to what is left between `top_px` and `bottom_px` beside the tick labels and axis
 * titles. The axes must be set. */
void ws_plot_lay_out(ws_plot *plot, double top_px, double bottom_px);

/** Width of the widest tick label of an axis, px. */
double ws_plot_tick_width(const ws_axis *axis);

/* Pieces of axes, for charts that lay out areas of their own. */

/** Grid lines of the x axis, and their labels below the area. */
void ws_plot_draw_x_ticks(const ws_plot *plot, bool has_labels);

/** Grid lines of the y axis with their labels on the left. */
void ws_plot_draw_y_ticks(const ws_plot *plot);

/** The lines of both axes. */
void ws_plot_draw_frame(const ws_plot *plot);

/** Grid, tick labels and titles of both axes. */
void ws_plot_draw_axes(const ws_plot *plot, const ws_chart_axis *x, const ws_chart_axis *y);

/** Where a pair of values lies. */
ws_point ws_plot_place(const ws_plot *plot, double x, double y);

/** "cost (USD)". NULL start when exhausted. */
ws_text ws_plot_axis_title(const ws_chart_axis *axis, ws_arena *arena);

#endif
