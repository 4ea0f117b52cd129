/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Every chart kind of this folder: one line for each, and one in chart_list.c. */
#ifndef WS_PLOTS_CHART_LIST_H
#define WS_PLOTS_CHART_LIST_H

#include "ws/chart.h"

extern const ws_chart_type ws_chart_breakdown;
extern const ws_chart_type ws_chart_panels_kind;
extern const ws_chart_type ws_chart_pareto;
extern const ws_chart_type ws_chart_timeline;
extern const ws_chart_type ws_chart_waterfall;

#endif
