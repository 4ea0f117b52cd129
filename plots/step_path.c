/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Steps are gathered in cells, one a pixel column or one a step, whichever is wider. A cell takes
 * at most five vertices: two where its level begins, three for its needle. A needle is needed only
 * where the lowest value lies below both neighbours: else the line passes it anyway. So smooth
 * series take few vertices, and only a series that jumps in every column needs wider ones.
 */
#include "step_path.h"

#include <math.h>

#define PATH_CELL_VERTICES 5

typedef struct {
    double x_px; /* where it begins */
    double low;
    double high;
} path_cell;

/* A path under construction. */
typedef struct {
    const ws_plot *plot;
    ws_point *points;
    size_t count;
    size_t capacity;
} path_pen;

const ws_chart_range *ws_step_series_at(const ws_step_series *series, size_t step)
{
    const ws_chart_step *steps = series->course->steps;

    WS_ASSERT(step < series->course->step_count);
    return (const void *)((const char *)&steps[step] + series->offset);
}

ws_chart_range ws_step_series_range(const ws_step_series *series)
{
    WS_ASSERT(series->course != NULL);

    ws_chart_range all = {.low = 0, .high = 0};

    for (size_t i = 0; i < series->course->step_count; i++) {
        const ws_chart_range *range = ws_step_series_at(series, i);
        all.low = i == 0 ? range->low : fmin(all.low, range->low);
        all.high = i == 0 ? range->high : fmax(all.high, range->high);
    }
    return all;
}

/* Gathers steps whose begins lie in one column. Returns the number of cells, at most one a step. */
static size_t path_gather(const ws_plot *plot, const ws_step_series *series, double column_px,
                          path_cell *cells)
{
    size_t count = 0;
    double column = -1;

    for (size_t i = 0; i < series->course->step_count; i++) {
        const ws_chart_range *range = ws_step_series_at(series, i);
        double x_px = ws_plot_place(plot, series->course->steps[i].begin_s, 0).x;
        double here = floor((x_px - plot->area.x) / column_px + 1e-9);
        if (count == 0 || here > column) {
            cells[count++] = (path_cell){.x_px = x_px, .low = range->low, .high = range->high};
            column = here;
            continue;
        }
        cells[count - 1].low = fmin(cells[count - 1].low, range->low);
        cells[count - 1].high = fmax(cells[count - 1].high, range->high);
    }
    return count;
}

/* Vertices beyond the capacity are counted and not kept, values beyond the axis lie at its end. */
static void path_add(path_pen *pen, double x_px, double value)
{
    const ws_axis *axis = &pen->plot->y;

    if (pen->count < pen->capacity) {
        double shown = fmax(ws_axis_low(axis), fmin(ws_axis_high(axis), value));
        pen->points[pen->count] = (ws_point){.x = x_px, .y = ws_plot_place(pen->plot, 0, shown).y};
    }
    pen->count++;
}

static bool path_needs_needle(const path_cell *cells, size_t count, size_t i)
{
    double low = cells[i].low;
    double before = i > 0 ? cells[i - 1].high : (double)INFINITY;
    double after = i + 1 < count ? cells[i + 1].high : (double)INFINITY;

    return low < cells[i].high && low < before && low < after;
}

/* The riser to a cell's highest value, from that of the cell before it. */
static void path_draw_riser(path_pen *pen, const path_cell *cells, size_t i)
{
    if (i == 0) {
        path_add(pen, cells[i].x_px, cells[i].high);
        return;
    }
    if (cells[i].high < cells[i - 1].high || cells[i].high > cells[i - 1].high) {
        path_add(pen, cells[i].x_px, cells[i - 1].high);
        path_add(pen, cells[i].x_px, cells[i].high);
    }
}

/* Down to the lowest value and back, in the middle of the cell, which ends at `end_px`. */
static void path_draw_needle(path_pen *pen, const path_cell *cell, double end_px)
{
    double middle_px = (cell->x_px + end_px) / 2;

    path_add(pen, middle_px, cell->high);
    path_add(pen, middle_px, cell->low);
    path_add(pen, middle_px, cell->high);
}

/* Returns the number of vertices that the whole line takes. */
static size_t path_draw(path_pen *pen, const path_cell *cells, size_t count, double end_px)
{
    WS_ASSERT(count >= 1);

    pen->count = 0;
    for (size_t i = 0; i < count; i++) {
        path_draw_riser(pen, cells, i);
        if (path_needs_needle(cells, count, i)) {
            path_draw_needle(pen, &cells[i], i + 1 < count ? cells[i + 1].x_px : end_px);
        }
    }
    path_add(pen, end_px, cells[count - 1].high);
    return pen->count;
}

size_t ws_step_path(const ws_plot *plot, const ws_step_series *series, ws_point *points,
                    size_t capacity, bool *is_exhausted)
{
    path_cell *cells = ws_arena_alloc(plot->canvas->arena, path_cell, series->course->step_count);
    path_pen pen = {.plot = plot, .points = points, .capacity = capacity};
    double end_px = ws_plot_place(plot, series->course->end_s, 0).x;
    size_t fewest = (capacity - 1) / PATH_CELL_VERTICES - 1;

    WS_ASSERT(capacity >= WS_STEP_PATH_VERTICES_MIN);
    if (cells == NULL) {
        *is_exhausted = true;
        return 0;
    }
    if (series->course->step_count == 0) {
        return 0;
    }
    size_t count = path_gather(plot, series, 1, cells);
    if (path_draw(&pen, cells, count, end_px) > capacity) {
        count = path_gather(plot, series, plot->area.width / (double)fewest, cells);
        (void)path_draw(&pen, cells, count, end_px);
    }
    WS_ASSERT(pen.count <= capacity);
    return pen.count;
}
