/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Time and words of a timeline. Every text lives in `arena`; NULL start when it is exhausted. */
#ifndef WS_PLOTS_TIMELINE_PRINT_H
#define WS_PLOTS_TIMELINE_PRINT_H

#include "step_path.h"

/** The unit of the time axis. */
typedef struct {
    const char *unit; /* "d", "h", "min", "s" */
    double unit_s;
} ws_timeline_clock;

/** The largest unit of which there are at least two. */
ws_timeline_clock ws_timeline_clock_of(double end_s);

/** An axis over seconds from 0 to `end_s` or a little beyond, whose ticks are round numbers of the
 * clock's unit: parts of a day or of an hour where that is shorter. */
ws_axis ws_timeline_axis(const ws_timeline_clock *clock, double end_s, int wanted);

/** A stretch of time in which the main job is in one stage. */
typedef struct {
    size_t next_step; /* where to go on; 0 for the first */
    int stage;
    double begin_s;
    double end_s;
} ws_timeline_span;

/** The next stretch from `span->next_step` on. False when there is none. */
bool ws_timeline_next_span(const ws_chart_course *course, ws_timeline_span *span);

/** What a pointer at rest on a line shows: "paid: 32 to 96 GPUs". */
ws_text ws_timeline_series_title(const char *name, const ws_step_series *series, ws_arena *arena);

/** The small print below the chart. */
ws_text ws_timeline_print(const ws_chart_data *data, const ws_timeline_clock *clock,
                          ws_arena *arena);

/** All series in numbers. */
ws_text ws_timeline_describe(const ws_chart_data *data, ws_arena *arena);

#endif
