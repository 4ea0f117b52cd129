/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The words of a waterfall. Every text lives in `arena`; NULL start when it is exhausted. */
#ifndef WS_PLOTS_WATERFALL_PRINT_H
#define WS_PLOTS_WATERFALL_PRINT_H

#include "ws/chart.h"

/** The accounts in the order in which they are taken from what is paid: from the coarsest waste to
 * the finest, then useful. */
ws_account ws_waterfall_account(size_t index);

/** "cold start". */
ws_text ws_waterfall_name(ws_account account, ws_arena *arena);

/** "1,234 GPUh  12.3 %" of what is paid; without a share when nothing is. */
ws_text ws_waterfall_value(const ws_chart_accounts *accounts, double gpu_h, ws_arena *arena);

/** What a pointer at rest on a bar shows: value and meaning. */
ws_text ws_waterfall_title(const ws_chart_accounts *accounts, ws_account account, ws_arena *arena);
ws_text ws_waterfall_paid_title(const ws_chart_accounts *accounts, ws_arena *arena);

/** The small print below the chart. */
ws_text ws_waterfall_print(const ws_chart_data *data, ws_arena *arena);

/** All bars in numbers. */
ws_text ws_waterfall_describe(const ws_chart_data *data, ws_arena *arena);

#endif
