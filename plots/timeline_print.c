/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words of a timeline: what the lines are, when the stages were, the numbers of each line. */
#include "timeline_print.h"

#include <stddef.h>

#define PRINT_SPANS_MAX 12 /* stages that are named; more would fill the page */

ws_timeline_clock ws_timeline_clock_of(double end_s)
{
    WS_ASSERT(end_s > 0);

    static const ws_timeline_clock clocks[] = {{"d", 86400}, {"h", 3600}, {"min", 60}};

    for (size_t i = 0; i < WS_COUNT_OF(clocks); i++) {
        if (end_s >= 2 * clocks[i].unit_s) {
            return clocks[i];
        }
    }
    return (ws_timeline_clock){.unit = "s", .unit_s = 1};
}

/* Of hours, minutes and seconds people count in parts of a day and of an hour, not in fives. 0: in
 * neither, but in ones, twos and fives. */
static double timeline_step(const ws_timeline_clock *clock, double least)
{
    static const double hours[] = {1, 2, 3, 4, 6, 12, 24};
    static const double sixtieths[] = {1, 2, 5, 10, 15, 20, 30, 60};
    bool is_hours = clock->unit_s >= 3600;
    const double *steps = is_hours ? hours : sixtieths;
    size_t count = is_hours ? WS_COUNT_OF(hours) : WS_COUNT_OF(sixtieths);

    for (size_t i = 0; i < count && clock->unit_s < 86400 && least > 0.5; i++) {
        if (steps[i] >= least - 1e-9) {
            return steps[i];
        }
    }
    return 0;
}

ws_axis ws_timeline_axis(const ws_timeline_clock *clock, double end_s, int wanted)
{
    WS_ASSERT(end_s > 0);
    WS_ASSERT(wanted >= 1);

    double end = end_s / clock->unit_s;
    double step = timeline_step(clock, end / wanted);
    ws_axis axis = step > 0 ? ws_axis_of_steps(end, step) : ws_axis_of_range(0, end, wanted);

    axis.step *= clock->unit_s;
    axis.divisor *= clock->unit_s;
    return axis;
}

bool ws_timeline_next_span(const ws_chart_course *course, ws_timeline_span *span)
{
    size_t i = span->next_step;

    while (i < course->step_count && course->steps[i].stage < 0) {
        i++;
    }
    if (i == course->step_count) {
        return false;
    }
    WS_ASSERT((size_t)course->steps[i].stage < course->stage_count);
    span->stage = course->steps[i].stage;
    span->begin_s = course->steps[i].begin_s;
    while (i < course->step_count && course->steps[i].stage == span->stage) {
        i++;
    }
    span->end_s = i < course->step_count ? course->steps[i].begin_s : course->end_s;
    span->next_step = i;
    return true;
}

ws_text ws_timeline_series_title(const char *name, const ws_step_series *series, ws_arena *arena)
{
    WS_ASSERT(name != NULL);
    WS_ASSERT(series->course != NULL);

    ws_chart_range range = ws_step_series_range(series);
    char low[WS_AXIS_TEXT_BYTES];
    char high[WS_AXIS_TEXT_BYTES];

    (void)ws_axis_print_value(range.low, low);
    (void)ws_axis_print_value(range.high, high);
    if (range.low < range.high) {
        return ws_arena_format(arena, "%s: %s to %s GPUs", name, low, high);
    }
    return ws_arena_format(arena, "%s: %s GPUs", name, high);
}

/* " Stages of pretrain: 1 warm-up (0 to 0.23 d), 2 main (0.23 to 4.41 d)." Begins are those of
 * steps. */
static ws_text print_stages(const ws_chart_course *course, const ws_timeline_clock *clock,
                            ws_arena *arena)
{
    ws_timeline_span span = {.next_step = 0};
    ws_text list = WS_TEXT("");
    int count = 0;

    while (count < PRINT_SPANS_MAX && ws_timeline_next_span(course, &span)) {
        char begin[WS_AXIS_TEXT_BYTES];
        char end[WS_AXIS_TEXT_BYTES];
        (void)ws_axis_print_short(span.begin_s / clock->unit_s, 3, begin);
        (void)ws_axis_print_short(span.end_s / clock->unit_s, 3, end);
        list = ws_arena_format(arena, "%.*s%s%d %.*s (%s to %s %s)", WS_TEXT_ARGS(list),
                               count > 0 ? ", " : "", span.stage + 1,
                               WS_TEXT_ARGS(course->stages[span.stage]), begin, end, clock->unit);
        count++;
    }
    if (count == 0) {
        return list;
    }
    bool has_more = ws_timeline_next_span(course, &span);
    return ws_arena_format(arena, " Stages of %.*s: %.*s%s.", WS_TEXT_ARGS(course->main_job),
                           WS_TEXT_ARGS(list), has_more ? ", and more" : "");
}

/* " Dotted: the end of the warm-up at 3 h; statistics begin there." */
static ws_text print_warmup(const ws_chart_course *course, const ws_timeline_clock *clock,
                            ws_arena *arena)
{
    char end[WS_AXIS_TEXT_BYTES];

    if (!(course->warmup_s > 0)) {
        return WS_TEXT("");
    }
    (void)ws_axis_print_short(course->warmup_s / clock->unit_s, 3, end);
    return ws_arena_format(arena,
                           " Dotted: the end of the warm-up at %s %s; statistics begin there.", end,
                           clock->unit);
}

ws_text ws_timeline_print(const ws_chart_data *data, const ws_timeline_clock *clock,
                          ws_arena *arena)
{
    WS_ASSERT(data != NULL);

    const ws_chart_course *course = data->course;
    ws_text stages = print_stages(course, clock, arena);
    ws_text warmup = print_warmup(course, clock, arena);
    bool has_source = data->source.length > 0;

    return ws_arena_format(
        arena,
        "One random world, replication %d. Lines: the highest number in each pixel column, with a "
        "needle down to the lowest where that was lower still; no means.%.*s%.*s%s%.*s%s%.*s%s",
        (int)course->replication, WS_TEXT_ARGS(warmup), WS_TEXT_ARGS(stages),
        data->note.length > 0 ? " " : "", WS_TEXT_ARGS(data->note), has_source ? " Numbers: " : "",
        WS_TEXT_ARGS(data->source), has_source ? "." : "");
}

ws_text ws_timeline_describe(const ws_chart_data *data, ws_arena *arena)
{
    WS_ASSERT(data != NULL);

    static const struct {
        const char *name;
        size_t offset;
    } rows[] = {
        {"paid", offsetof(ws_chart_step, paid)},
        {"ready", offsetof(ws_chart_step, ready)},
        {"busy", offsetof(ws_chart_step, busy)},
        {"waiting", offsetof(ws_chart_step, waiting)},
        {"wanted", offsetof(ws_chart_step, wanted)},
        {"main job", offsetof(ws_chart_step, main_gpus)},
    };

    if (data->course == NULL) {
        return WS_TEXT("");
    }
    ws_text all = ws_arena_format(arena, "%.*s, replication %d", WS_TEXT_ARGS(data->course->arm),
                                  (int)data->course->replication);
    for (size_t i = 0; i < WS_COUNT_OF(rows) && all.start != NULL; i++) {
        ws_step_series series = {.course = data->course, .offset = rows[i].offset};
        ws_text one = ws_timeline_series_title(rows[i].name, &series, arena);
        all = ws_arena_format(arena, "%.*s; %.*s", WS_TEXT_ARGS(all), WS_TEXT_ARGS(one));
    }
    return all;
}
