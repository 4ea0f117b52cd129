/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stddef.h>

#include "../../plots/step_path.h"
#include "../../plots/timeline_print.h"
#include "chart_case.h"

/* ---- lines of steps ---- */

/* A plot of 100 x 100 px over 10 s and 10 GPUs: a second is 10 px, a GPU is 10 px. */
static ws_plot plot_of(chart_case *c)
{
    ws_canvas_frame frame = {.width_px = 200, .height_px = 200, .id_prefix = WS_TEXT("c")};

    chart_case_begin(c);
    ws_canvas_init(&c->canvas, &c->arena, &frame);
    c->course.end_s = 10;
    return (ws_plot){.canvas = &c->canvas,
                     .area = {0, 0, 100, 100},
                     .x = ws_axis_of_range(0, 10, 10),
                     .y = ws_axis_of_range(0, 10, 10)};
}

static void expect_points(const ws_point *points, size_t count, const ws_point *expected,
                          size_t expected_count)
{
    cr_assert(eq(sz, count, expected_count));
    for (size_t i = 0; i < count; i++) {
        cr_expect(epsilon_eq(dbl, points[i].x, expected[i].x, 1e-9), "x of point %zu", i);
        cr_expect(epsilon_eq(dbl, points[i].y, expected[i].y, 1e-9), "y of point %zu", i);
    }
}

/* 4 until 2, up to 9 within the third second, 9 from then on with a dip to 1 within the fifth, 0
 * from 6 to the end at 10. The rise needs no needle: its lowest value is that of the step before.
 */
Test(timeline, a_line_by_hand)
{
    static const ws_point expected[] = {{0, 60},  {20, 60}, {20, 10},  {45, 10},  {45, 90},
                                        {45, 10}, {60, 10}, {60, 100}, {100, 100}};
    ws_step_series series = {.offset = offsetof(ws_chart_step, paid)};
    ws_point points[WS_STEP_PATH_VERTICES_MIN];
    bool is_exhausted = false;
    chart_case c;
    ws_plot plot = plot_of(&c);

    series.course = &c.course;
    chart_case_step(&c, 0, 4);
    chart_case_step(&c, 1, 4);
    chart_case_step(&c, 2, 9)->paid.low = 4;
    chart_case_step(&c, 3, 9);
    chart_case_step(&c, 4, 9)->paid.low = 1;
    chart_case_step(&c, 5, 9);
    chart_case_step(&c, 6, 0);
    size_t count = ws_step_path(&plot, &series, points, WS_COUNT_OF(points), &is_exhausted);
    expect_points(points, count, expected, WS_COUNT_OF(expected));
    cr_expect(not(is_exhausted));
    ws_chart_range range = ws_step_series_range(&series);
    cr_expect(eq(dbl, range.low, 0));
    cr_expect(eq(dbl, range.high, 9));
    chart_case_end(&c);
}

/* One step, and a step that is lower than all others from the first on. */
Test(timeline, lines_of_few_steps)
{
    static const ws_point flat[] = {{0, 70}, {100, 70}};
    static const ws_point dip[] = {{0, 70}, {50, 70}, {50, 80}, {50, 70}, {100, 70}};
    ws_step_series series = {.offset = offsetof(ws_chart_step, busy)};
    ws_point points[WS_STEP_PATH_VERTICES_MIN];
    bool is_exhausted = false;
    chart_case c;
    ws_plot plot = plot_of(&c);

    series.course = &c.course;
    cr_expect(eq(sz, ws_step_path(&plot, &series, points, WS_COUNT_OF(points), &is_exhausted), 0));
    chart_case_step(&c, 0, 3);
    expect_points(points, ws_step_path(&plot, &series, points, WS_COUNT_OF(points), &is_exhausted),
                  flat, WS_COUNT_OF(flat));
    c.steps[0].busy.low = 2;
    expect_points(points, ws_step_path(&plot, &series, points, WS_COUNT_OF(points), &is_exhausted),
                  dip, WS_COUNT_OF(dip));
    chart_case_end(&c);
}

/* 1000 steps in 100 pixel columns. The one spike of 0.01 s and the one dip are both there, at their
 * columns: 2.53 s lies in the one from 25 px on, 7.77 s in that from 77 px on. */
Test(timeline, nothing_is_averaged_away)
{
    ws_step_series series = {.offset = offsetof(ws_chart_step, paid)};
    ws_point points[WS_CHART_SERIES_VERTICES_MAX];
    bool is_exhausted = false;
    bool has_spike = false;
    bool has_dip = false;
    chart_case c;
    ws_plot plot = plot_of(&c);

    series.course = &c.course;
    for (int i = 0; i < 1000; i++) {
        chart_case_step(&c, i / 100.0, i == 253 ? 10 : i == 777 ? 0 : 5);
    }
    size_t count = ws_step_path(&plot, &series, points, WS_COUNT_OF(points), &is_exhausted);
    /* begin, up and down for the spike, three for the needle, end */
    cr_assert(eq(sz, count, 1 + 4 + 3 + 1));
    for (size_t i = 0; i < count; i++) {
        has_spike = has_spike || (points[i].y < 1e-9 && fabs(points[i].x - 25) < 1e-9);
        has_dip = has_dip || (points[i].y > 100 - 1e-9 && fabs(points[i].x - 77.5) < 1e-9);
    }
    cr_expect(has_spike);
    cr_expect(has_dip);
    chart_case_end(&c);
}

/* Every step jumps over the whole range, 834 of them wider than a pixel each: no more than 2,000
 * vertices, and both ends of the range everywhere. */
Test(timeline, vertices_are_bounded)
{
    static const size_t capacities[] = {WS_STEP_PATH_VERTICES_MIN, 500,
                                        WS_CHART_SERIES_VERTICES_MAX};
    ws_step_series series = {.offset = offsetof(ws_chart_step, paid)};
    ws_point points[WS_CHART_SERIES_VERTICES_MAX];
    bool is_exhausted = false;
    chart_case c;
    ws_plot plot = plot_of(&c);

    series.course = &c.course;
    plot.area.width = 1000;
    for (int i = 0; i < 1000; i++) {
        chart_case_step(&c, i / 100.0, 6 + i % 3)->paid.low = i % 2;
    }
    for (size_t i = 0; i < WS_COUNT_OF(capacities); i++) {
        size_t count = ws_step_path(&plot, &series, points, capacities[i], &is_exhausted);
        cr_assert(le(sz, count, capacities[i]));
        cr_assert(gt(sz, count, capacities[i] / 4));
        cr_expect(epsilon_eq(dbl, points[count - 1].x, 1000, 1e-9));
    }
    chart_case_end(&c);
}

/* ---- time ---- */

Test(timeline, the_clock_has_at_least_two_of_its_unit)
{
    static const struct {
        double end_s;
        const char *unit;
    } rows[] = {{1, "s"},    {119, "s"},    {120, "min"},  {7199, "min"},
                {7200, "h"}, {172799, "h"}, {172800, "d"}, {3.2e9, "d"}};

    for (size_t i = 0; i < WS_COUNT_OF(rows); i++) {
        ws_timeline_clock clock = ws_timeline_clock_of(rows[i].end_s);
        cr_expect_str_eq(clock.unit, rows[i].unit, "%g s", rows[i].end_s);
    }
}

/* A week: 0 to 7 d, a day apart, printed as days and placed as seconds. */
Test(timeline, the_axis_counts_whole_units)
{
    ws_timeline_clock clock = ws_timeline_clock_of(604800);
    ws_axis axis = ws_timeline_axis(&clock, 604800, 9);
    char text[WS_AXIS_TEXT_BYTES];

    cr_assert(eq(int, axis.ticks, 8));
    cr_expect(eq(dbl, ws_axis_tick(&axis, 3), 259200));
    (void)ws_axis_print(&axis, 3, text);
    cr_expect_str_eq(text, "3");
    cr_expect(eq(dbl, ws_axis_ratio(&axis, 302400), 0.5));
}

/* All ticks in the clock's unit. */
static void expect_ticks(double end_s, const char *expected)
{
    ws_timeline_clock clock = ws_timeline_clock_of(end_s);
    ws_axis axis = ws_timeline_axis(&clock, end_s, 9);
    char all[400] = "";

    for (int i = 0; i < axis.ticks; i++) {
        char text[WS_AXIS_TEXT_BYTES];
        (void)ws_axis_print(&axis, i, text);
        strcat(all, i > 0 ? " " : "");
        strcat(all, text);
    }
    strcat(all, " ");
    strcat(all, clock.unit);
    cr_expect_str_eq(all, expected);
}

/* A day of 24 hours is no multiple of 5. */
Test(timeline, hours_and_minutes_are_parts_of_days_and_hours)
{
    expect_ticks(86400, "0 3 6 9 12 15 18 21 24 h");
    expect_ticks(36 * 3600, "0 4 8 12 16 20 24 28 32 36 h");
    expect_ticks(8 * 3600, "0 1 2 3 4 5 6 7 8 h");
    expect_ticks(4 * 3600, "0 0.5 1.0 1.5 2.0 2.5 3.0 3.5 4.0 h");
    expect_ticks(119 * 60, "0 15 30 45 60 75 90 105 120 min");
    expect_ticks(90, "0 10 20 30 40 50 60 70 80 90 s");
    expect_ticks(30 * 86400, "0 5 10 15 20 25 30 d");
}

Test(timeline, spans_of_stages)
{
    static const int stages[] = {-1, 0, 0, 1, 0, -1, 1};
    static const double expected[][3] = {{0, 10, 30}, {1, 30, 40}, {0, 40, 50}, {1, 60, 70}};
    ws_timeline_span span = {.next_step = 0};
    chart_case c;

    chart_case_begin(&c);
    c.course.end_s = 70;
    c.course.stage_count = 2;
    for (size_t i = 0; i < WS_COUNT_OF(stages); i++) {
        chart_case_step(&c, 10 * (double)i, 1)->stage = stages[i];
    }
    for (size_t i = 0; i < WS_COUNT_OF(expected); i++) {
        cr_assert(ws_timeline_next_span(&c.course, &span));
        cr_expect(eq(int, span.stage, (int)expected[i][0]));
        cr_expect(eq(dbl, span.begin_s, expected[i][1]));
        cr_expect(eq(dbl, span.end_s, expected[i][2]));
    }
    cr_expect(not(ws_timeline_next_span(&c.course, &span)));
    chart_case_end(&c);
}

/* ---- the chart ---- */

/* Two steps of 5 s: 8 GPUs paid, then 4. */
static void two_steps(chart_case *c)
{
    chart_case_begin(c);
    c->course.end_s = 10;
    chart_case_step(c, 0, 8);
    chart_case_step(c, 5, 4);
}

/* Lines: paid, ready, busy, waiting, wanted, and the corner of each panel's axes; busy and waiting
 * are filled. The main job adds a panel, a line and its area. */
Test(timeline, calls_by_kind)
{
    chart_case c;

    two_steps(&c);
    chart_case_draw(&c, "timeline");
    cr_expect(eq(int, chart_case_calls(&c, WS_CANVAS_POLYLINE), 5 + 2));
    cr_expect(eq(int, chart_case_calls(&c, WS_CANVAS_POLYGON), 2));
    cr_expect(eq(int, chart_case_calls(&c, WS_CANVAS_RECT), 0));
    cr_expect(chart_case_text(&c, "main job") == NULL);
    chart_case_end(&c);

    two_steps(&c);
    c.course.main_job = WS_TEXT("pretrain");
    c.stages[0] = WS_TEXT("warm-up");
    c.stages[1] = WS_TEXT("main");
    c.course.stage_count = 2;
    c.steps[0].stage = 0;
    c.steps[1].stage = 1;
    chart_case_draw(&c, "timeline");
    cr_expect(eq(int, chart_case_calls(&c, WS_CANVAS_POLYLINE), 6 + 3));
    cr_expect(eq(int, chart_case_calls(&c, WS_CANVAS_POLYGON), 3));
    cr_expect(eq(int, chart_case_calls(&c, WS_CANVAS_RECT), 2)); /* the stages */
    cr_expect(chart_case_text(&c, "1 warm-up") != NULL);
    cr_expect(chart_case_text(&c, "2 main") != NULL);
    cr_expect(chart_case_text(&c, "World size of pretrain, in GPUs") != NULL);
    chart_case_end(&c);
}

/*
 * By hand, without a main job. Labels of the y axes are one digit, 636/1000 of 12 px: the areas
 * begin at 20 + 7.632 + 6 = 33.632. On the right stand 5 px, a sample of 18, 5 px, "wanted" (818 +
 * 613 + 634 + 392 + 615 + 635 = 3707: 44.484 px) and the margin of 20: 833.884 px remain, and 5 s
 * are half of 10.
 */
Test(timeline, lines_lie_where_their_values_are)
{
    chart_case c;
    int found = 0;

    two_steps(&c);
    chart_case_draw(&c, "timeline");
    for (size_t i = 0; i < c.canvas.count; i++) {
        const ws_canvas_call *call = &c.canvas.calls[i];

        if (call->kind == WS_CANVAS_POLYLINE && call->point_count == 4) {
            cr_expect(epsilon_eq(dbl, call->points[0].x, 33.632, 1e-6));
            cr_expect(epsilon_eq(dbl, call->points[1].x, 33.632 + 833.884 / 2, 1e-6));
            cr_expect(epsilon_eq(dbl, call->points[2].x, 33.632 + 833.884 / 2, 1e-6));
            cr_expect(epsilon_eq(dbl, call->points[3].x, 33.632 + 833.884, 1e-6));
            cr_expect(eq(dbl, call->points[0].y, call->points[1].y));
            cr_expect(lt(dbl, call->points[0].y, call->points[3].y)); /* 8 lies above 4 */
            found++;
        }
    }
    cr_expect(eq(int, found, 5));
    chart_case_end(&c);
}

/* Names beside lines that end in one place: the others in order below the first. */
Test(timeline, names_do_not_overlap)
{
    chart_case c;

    two_steps(&c);
    chart_case_draw(&c, "timeline");
    const ws_canvas_call *paid = chart_case_text(&c, "paid");
    const ws_canvas_call *ready = chart_case_text(&c, "ready");
    const ws_canvas_call *busy = chart_case_text(&c, "busy");

    cr_assert(paid != NULL && ready != NULL && busy != NULL);
    cr_expect(epsilon_eq(dbl, ready->points[0].y - paid->points[0].y, 15, 1e-9));
    cr_expect(epsilon_eq(dbl, busy->points[0].y - ready->points[0].y, 15, 1e-9));
    chart_case_end(&c);
}

/* A stage too narrow for its name shows its number, one narrower still nothing; the print has all.
 */
Test(timeline, narrow_stages)
{
    chart_case c;

    chart_case_begin(&c);
    c.course.end_s = 1000;
    c.course.main_job = WS_TEXT("job");
    c.course.stage_count = 3;
    c.stages[0] = WS_TEXT("a stage with a long name");
    c.stages[1] = WS_TEXT("short");
    c.stages[2] = WS_TEXT("main");
    chart_case_step(&c, 0, 1)->stage = 0;  /* 40 of 1000 s: 33 px */
    chart_case_step(&c, 40, 1)->stage = 1; /* 5 s: 4 px */
    chart_case_step(&c, 45, 1)->stage = 2;
    chart_case_draw(&c, "timeline");
    cr_expect(chart_case_text(&c, "1") != NULL);
    cr_expect(chart_case_text(&c, "2") == NULL || chart_case_text(&c, "2 short") == NULL);
    cr_expect(chart_case_text(&c, "3 main") != NULL);
    cr_expect(gt(int, chart_case_count(chart_case_list(&c), "2 short (0.667"), 0));
    chart_case_end(&c);
}

/* What is told to those who do not see it, and the warm-up. */
Test(timeline, words)
{
    chart_case c;

    two_steps(&c);
    c.course.warmup_s = 2.5;
    c.steps[1].waiting = (ws_chart_range){.low = 0, .high = 1500};
    chart_case_draw(&c, "timeline");
    cr_expect_str_eq(
        c.canvas.frame.description.start,
        "arm, replication 0; paid: 4 to 8 GPUs; ready: 4 to 8 GPUs; busy: 4 to 8 GPUs; "
        "waiting: 0 to 1,500 GPUs; wanted: 4 to 8 GPUs; main job: 4 to 8 GPUs");
    ws_text list = chart_case_list(&c);
    cr_expect(eq(int, chart_case_count(list, "begin 'waiting: 0 to 1,500 GPUs'"), 1));
    cr_expect(eq(int, chart_case_count(list, "end of the warm-up at 2.5 s"), 1));
    chart_case_end(&c);
}
