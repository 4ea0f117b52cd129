/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The words of a Pareto chart: what the marks mean, how many replications stand behind them, what
 * is missing, and the numbers for those who do not see the drawing.
 */
#include "pareto_print.h"

#include "axis.h"

static bool print_has_any_interval(const ws_chart_data *data)
{
    bool has = false;

    for (size_t i = 0; i < data->arm_count; i++) {
        has = has || ws_pareto_has_interval(data->arms[i].x) ||
              ws_pareto_has_interval(data->arms[i].y);
    }
    return has;
}

static bool print_has_any_dot(const ws_chart_data *data)
{
    bool has = false;

    for (size_t i = 0; i < data->arm_count; i++) {
        const ws_chart_arm *arm = &data->arms[i];

        has = has || (arm->x_values != NULL && arm->y_values != NULL && arm->value_count > 0);
    }
    return has;
}

/* " Crosses: 95 % intervals (Student's t over replications)." */
static ws_text print_intervals(const ws_chart_data *data, ws_arena *arena)
{
    char percent[WS_AXIS_TEXT_BYTES];
    bool is_told = data->interval.length > 0;

    if (!print_has_any_interval(data)) {
        return WS_TEXT(" No intervals.");
    }
    (void)ws_axis_print_value(data->confidence * 100, percent);
    return ws_arena_format(arena, " Crosses: %s %% intervals%s%.*s%s, sampling only.", percent,
                           is_told ? " (" : "", WS_TEXT_ARGS(data->interval), is_told ? ")" : "");
}

static ws_text print_hollow(const ws_chart_data *data, const ws_pareto_members *members)
{
    bool has_uncertain = false;

    for (size_t i = 0; i < members->count; i++) {
        has_uncertain = has_uncertain || data->arms[members->arms[i]].is_uncertain;
    }
    return has_uncertain ? WS_TEXT(" Hollow: place in the Pareto set is uncertain.") : WS_TEXT("");
}

/* Several members are joined by a line; a single one is named. */
static ws_text print_set(const ws_chart_data *data, const ws_pareto_members *members,
                         ws_arena *arena)
{
    size_t drawn = 0;

    for (size_t i = 0; i < data->arm_count; i++) {
        drawn += ws_pareto_is_drawn(&data->arms[i]) ? 1 : 0;
    }
    if (members->count > 1) {
        return WS_TEXT(" Broken line: Pareto set, on the means.");
    }
    if (members->count == 0 || drawn < 2) {
        return WS_TEXT("");
    }
    return ws_arena_format(arena, " Pareto set, on the means: %.*s alone.",
                           WS_TEXT_ARGS(data->arms[members->arms[0]].name));
}

/* " Not drawn, without a value: a, b." */
static ws_text print_missing(const ws_chart_data *data, ws_arena *arena)
{
    ws_text list = WS_TEXT("");

    for (size_t i = 0; i < data->arm_count; i++) {
        if (!ws_pareto_is_drawn(&data->arms[i])) {
            list = ws_arena_format(arena, "%.*s%s%.*s", WS_TEXT_ARGS(list),
                                   list.length > 0 ? ", " : " Not drawn, without a value: ",
                                   WS_TEXT_ARGS(data->arms[i].name));
        }
    }
    return list.length > 0 ? ws_arena_format(arena, "%.*s.", WS_TEXT_ARGS(list)) : list;
}

ws_text ws_pareto_print(const ws_chart_data *data, const ws_pareto_members *members,
                        ws_arena *arena)
{
    WS_ASSERT(data != NULL);

    ws_text intervals = print_intervals(data, arena);
    ws_text set = print_set(data, members, arena);
    ws_text hollow = print_hollow(data, members);
    ws_text missing = print_missing(data, arena);
    bool has_source = data->source.length > 0;

    return ws_arena_format(
        arena, "Marks: %s = %d%s.%.*s%s%.*s%.*s%.*s%s%.*s%s%.*s%s",
        data->replications == 1 ? "the one replication, n" : "means of n", data->replications,
        data->replications == 1 ? "" : " replications", WS_TEXT_ARGS(intervals),
        print_has_any_dot(data) ? " Small dots: single replications." : "", WS_TEXT_ARGS(set),
        WS_TEXT_ARGS(hollow), WS_TEXT_ARGS(missing), data->note.length > 0 ? " " : "",
        WS_TEXT_ARGS(data->note), has_source ? " Numbers: " : "", WS_TEXT_ARGS(data->source),
        has_source ? "." : "");
}

/* What a pointer at rest on an arm shows. */
ws_text ws_pareto_arm_title(const ws_chart_data *data, const ws_chart_arm *arm, ws_arena *arena)
{
    WS_ASSERT(arm != NULL);

    char x[WS_AXIS_TEXT_BYTES];
    char y[WS_AXIS_TEXT_BYTES];

    (void)ws_axis_print_value(arm->x.mean, x);
    (void)ws_axis_print_value(arm->y.mean, y);
    return ws_arena_format(arena, "%.*s: %.*s %s%s%.*s, %.*s %s%s%.*s", WS_TEXT_ARGS(arm->name),
                           WS_TEXT_ARGS(data->x.label), x, data->x.unit.length > 0 ? " " : "",
                           WS_TEXT_ARGS(data->x.unit), WS_TEXT_ARGS(data->y.label), y,
                           data->y.unit.length > 0 ? " " : "", WS_TEXT_ARGS(data->y.unit));
}

/* "a: cost 24,310 USD, throughput 412,000 tokens/s; b: ..." */
ws_text ws_pareto_describe(const ws_chart_data *data, ws_arena *arena)
{
    WS_ASSERT(data != NULL);

    ws_text all = WS_TEXT("");

    for (size_t i = 0; i < data->arm_count && all.start != NULL; i++) {
        if (ws_pareto_is_drawn(&data->arms[i])) {
            ws_text one = ws_pareto_arm_title(data, &data->arms[i], arena);

            all = ws_arena_format(arena, "%.*s%s%.*s", WS_TEXT_ARGS(all),
                                  all.length > 0 ? "; " : "", WS_TEXT_ARGS(one));
        }
    }
    return all;
}
