/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words of a waterfall: names and values of the bars, and what each account is. */
#include "waterfall_print.h"

#include <math.h>
#include <stdio.h>

#include "axis.h"
#include "ws/record.h"

ws_account ws_waterfall_account(size_t index)
{
    WS_ASSERT(index < WS_ACCOUNT_COUNT);

    return (ws_account)(WS_ACCOUNT_COUNT - 1 - index);
}

ws_text ws_waterfall_name(ws_account account, ws_arena *arena)
{
    WS_ASSERT(account < WS_ACCOUNT_COUNT);

    ws_text name = ws_text_of(ws_account_names[account]);
    size_t at = ws_text_find_byte(name, '_');

    if (at == name.length) {
        return name;
    }
    return ws_arena_format(arena, "%.*s %.*s", WS_TEXT_ARGS(ws_text_slice(name, 0, at)),
                           WS_TEXT_ARGS(ws_text_slice(name, at + 1, name.length)));
}

/* A tenth of a GPU-hour is fine enough, unless there are only a few. */
static void print_gpu_h(const ws_chart_accounts *accounts, double gpu_h,
                        char out[WS_AXIS_TEXT_BYTES])
{
    bool is_none = !(fabs(gpu_h) > 0);

    if (is_none || fabs(accounts->paid_gpu_h) < 10) {
        (void)ws_axis_print_short(gpu_h, 3, out);
    } else if (fabs(gpu_h) < 0.05) {
        (void)snprintf(out, WS_AXIS_TEXT_BYTES, "< 0.1");
    } else {
        (void)ws_axis_print_fixed(gpu_h, fabs(gpu_h) < 99.95 ? 1 : 0, out);
    }
}

/* "100 %", "12.3 %", "< 0.1 %", "0 %". */
static void print_share(double share, char out[WS_AXIS_TEXT_BYTES])
{
    double size = fabs(share);

    if (!(size > 0) || !(size < 1 || size > 1)) {
        (void)snprintf(out, WS_AXIS_TEXT_BYTES, "%.0f %%", share * 100);
    } else if (size < 0.0005) {
        (void)snprintf(out, WS_AXIS_TEXT_BYTES, "< 0.1 %%");
    } else {
        (void)snprintf(out, WS_AXIS_TEXT_BYTES, "%.1f %%", share * 100);
    }
}

ws_text ws_waterfall_value(const ws_chart_accounts *accounts, double gpu_h, ws_arena *arena)
{
    WS_ASSERT(accounts != NULL);

    char value[WS_AXIS_TEXT_BYTES];
    char share[WS_AXIS_TEXT_BYTES];

    print_gpu_h(accounts, gpu_h, value);
    if (!(accounts->paid_gpu_h > 0)) {
        return ws_arena_format(arena, "%s GPUh", value);
    }
    print_share(gpu_h / accounts->paid_gpu_h, share);
    return ws_arena_format(arena, "%s GPUh, %s", value, share);
}

ws_text ws_waterfall_title(const ws_chart_accounts *accounts, ws_account account, ws_arena *arena)
{
    WS_ASSERT(accounts != NULL);

    ws_text name = ws_waterfall_name(account, arena);
    ws_text value = ws_waterfall_value(accounts, accounts->account_gpu_h[account], arena);
    ws_text column = ws_arena_format(arena, "%s_gpu_h", ws_account_names[account]);
    const ws_column *row = ws_columns_find(&ws_run_columns, column);

    return ws_arena_format(arena, "%.*s: %.*s: %s", WS_TEXT_ARGS(name), WS_TEXT_ARGS(value),
                           row != NULL ? row->help : "");
}

ws_text ws_waterfall_paid_title(const ws_chart_accounts *accounts, ws_arena *arena)
{
    WS_ASSERT(accounts != NULL);

    ws_text value = ws_waterfall_value(accounts, accounts->paid_gpu_h, arena);

    return ws_arena_format(arena, "paid: %.*s", WS_TEXT_ARGS(value));
}

ws_text ws_waterfall_print(const ws_chart_data *data, ws_arena *arena)
{
    WS_ASSERT(data != NULL);

    bool has_source = data->source.length > 0;

    return ws_arena_format(arena,
                           "From what is paid each account takes its part; what is left is useful. "
                           "Shares are of what is paid. The axis is the same for all "
                           "policies.%s%.*s%s%.*s%s",
                           data->note.length > 0 ? " " : "", WS_TEXT_ARGS(data->note),
                           has_source ? " Numbers: " : "", WS_TEXT_ARGS(data->source),
                           has_source ? "." : "");
}

ws_text ws_waterfall_describe(const ws_chart_data *data, ws_arena *arena)
{
    WS_ASSERT(data != NULL);

    const ws_chart_accounts *accounts = data->accounts;

    if (accounts == NULL || !isfinite(accounts->paid_gpu_h)) {
        return WS_TEXT("");
    }
    ws_text paid = ws_waterfall_paid_title(accounts, arena);
    ws_text all =
        ws_arena_format(arena, "%.*s: %.*s", WS_TEXT_ARGS(accounts->arm), WS_TEXT_ARGS(paid));
    for (size_t i = 0; i < WS_ACCOUNT_COUNT && all.start != NULL; i++) {
        ws_account account = ws_waterfall_account(i);
        ws_text name = ws_waterfall_name(account, arena);
        ws_text value = ws_waterfall_value(accounts, accounts->account_gpu_h[account], arena);
        all = ws_arena_format(arena, "%.*s; %.*s %.*s", WS_TEXT_ARGS(all), WS_TEXT_ARGS(name),
                              WS_TEXT_ARGS(value));
    }
    return all;
}
