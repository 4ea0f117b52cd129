/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A series of steps, each with its lowest and highest value, as a line of a bounded number of
 * vertices. */
#ifndef WS_PLOTS_STEP_PATH_H
#define WS_PLOTS_STEP_PATH_H

#include "plot.h"

/** One series of a timeline. */
typedef struct {
    const ws_chart_course *course;
    size_t offset; /* of its range in ws_chart_step */
} ws_step_series;

/** The range of a step. */
const ws_chart_range *ws_step_series_at(const ws_step_series *series, size_t step);

/** The lowest and the highest value of all steps; 0 and 0 when there are none. */
ws_chart_range ws_step_series_range(const ws_step_series *series);

/**
 * The line: along the highest value of each pixel column, with a needle down to the lowest where
 * that would not show otherwise; never a mean. Steps wider than a pixel keep their exact ends.
 * Where that takes more than `capacity` vertices, columns are made wider.
 *
 * @param points    receives the vertices, in the plot's px
 * @param capacity  at least WS_STEP_PATH_VERTICES_MIN
 * @return          how many there are; 0 without steps. `*is_exhausted` is set when the canvas's
 * arena is
 */
size_t ws_step_path(const ws_plot *plot, const ws_step_series *series, ws_point *points,
                    size_t capacity, bool *is_exhausted);

#define WS_STEP_PATH_VERTICES_MIN 64

#endif
