/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What is drawn into one panel, and how. */
#ifndef WS_PLOTS_PANELS_H
#define WS_PLOTS_PANELS_H

#include "plot.h"

/** Fill and stroke of a series of a panel: the first is an area or a solid line, the second an
 * outline or a dashed line. */
ws_paint ws_panel_paint(ws_chart_panel_kind kind, size_t series);

/** The y axis of a panel: from 0; shares up to 100 %. */
ws_axis ws_panel_y_axis(const ws_chart_panel *panel);

/** Draws axes and series into the plot's area, whose y axis is set. */
void ws_panel_draw(ws_plot *plot, const ws_chart_panel *panel);

#endif
