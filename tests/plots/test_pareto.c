/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "../../plots/pareto_set.h"
#include "chart_case.h"

/* The members' names in order, joined by blanks. */
static void assert_set(chart_case *c, const char *expected)
{
    ws_pareto_members members = ws_pareto_set(&c->data);
    char names[1024] = "";

    for (size_t i = 0; i < members.count; i++) {
        strcat(names, i > 0 ? " " : "");
        strncat(names, c->arms[members.arms[i]].name.start, c->arms[members.arms[i]].name.length);
    }
    cr_assert_str_eq(names, expected);
}

Test(pareto, set_of_cost_and_throughput)
{
    chart_case c;

    chart_case_begin(&c);
    assert_set(&c, "");
    chart_case_add(&c, "dear-and-good", 30, 400);
    assert_set(&c, "dear-and-good");
    chart_case_add(&c, "cheap-and-poor", 10, 100);
    chart_case_add(&c, "beaten", 31, 399);
    chart_case_add(&c, "middle", 20, 300);
    assert_set(&c, "cheap-and-poor middle dear-and-good");
    chart_case_add(&c, "same-cost-less", 20, 299); /* beaten in one, equal in the other */
    chart_case_add(&c, "twin", 20, 300);
    assert_set(&c, "cheap-and-poor middle twin dear-and-good");
    chart_case_add(&c, "bound", 5, 500)->is_bound = true;
    chart_case_add(&c, "failed", (double)NAN, 500);
    assert_set(&c, "cheap-and-poor middle twin dear-and-good");
    chart_case_end(&c);
}

Test(pareto, set_of_cost_and_time)
{
    chart_case c;

    chart_case_begin(&c);
    c.data.y.higher_is_better = false;
    chart_case_add(&c, "slow-cheap", 10, 9);
    chart_case_add(&c, "fast-dear", 30, 2);
    chart_case_add(&c, "slow-dear", 30, 9);
    assert_set(&c, "slow-cheap fast-dear");
    chart_case_end(&c);
}

/*
 * Where a mark lies, by hand. x from 0 to 35k in steps of 5k (32,149 and 3 % more), y from 408k to
 * 432k in steps of 2k or 5k: 412,000 - 3 % of 18,000 = 411,460; 430,540; 19,080 / 6 = 3,180, so 5k:
 * 410k to 435k. The widest y label is "410k": three digits of 636 and a k of 579, at 12 px 29.844
 * px; the plot begins at 20 + 29.844 + 6. "35k" is 22.212 px wide, half of it and 20 remain on the
 * right: 753.05 px of width. 24,310 lies at 55.844 + 753.05 x 24,310 / 35,000 = 578.892.
 */
Test(pareto, marks_lie_where_their_values_are)
{
    chart_case c;
    bool is_found = false;

    chart_case_begin(&c);
    chart_case_add(&c, "fixed-64", 32149, 430000)->is_baseline = true;
    chart_case_add(&c, "hpa-queue", 24310, 412000);
    chart_case_draw(&c, "pareto");
    for (size_t i = 0; i < c.canvas.count; i++) {
        const ws_canvas_call *call = &c.canvas.calls[i];

        if (call->kind == WS_CANVAS_POLYGON) {
            /* the square of the second arm: its corners' mean is its place */
            double x = (call->points[0].x + call->points[2].x) / 2;
            double y = (call->points[0].y + call->points[2].y) / 2;
            /* the plot spans from the y of the 435k grid line to that of 410k: 412k is 2/25 up */
            const ws_canvas_call *low = chart_case_text(&c, "410k");
            const ws_canvas_call *high = chart_case_text(&c, "435k");

            cr_assert(low != NULL && high != NULL);
            cr_assert(epsilon_eq(dbl, x, 578.892, 0.005));
            cr_assert(epsilon_eq(
                dbl, y, low->points[0].y - 4 + (high->points[0].y - low->points[0].y) * 2 / 25,
                1e-6));
            is_found = true;
        }
    }
    cr_assert(is_found);
    chart_case_end(&c);
}

/* Two arms with intervals, three values each: 2 crosses of 2 lines, 6 dots, 2 marks (a circle, a
 * square), 1 step line. */
Test(pareto, calls_by_kind)
{
    static const double xs[] = {100, 110, 120};
    static const double ys[] = {10, 11, 12};
    chart_case c;

    chart_case_begin(&c);
    for (int i = 0; i < 2; i++) {
        ws_chart_arm *arm = chart_case_add(&c, i == 0 ? "a" : "b", 110 + 100 * i, 11 + 5 * i);

        arm->x.low = arm->x.mean - 5;
        arm->x.high = arm->x.mean + 5;
        arm->y.low = arm->y.mean - 1;
        arm->y.high = arm->y.mean + 1;
        arm->x_values = xs;
        arm->y_values = ys;
        arm->value_count = 3;
    }
    c.arms[0].is_baseline = true;
    chart_case_draw(&c, "pareto");
    /* x: 0..250 by 50 (6 ticks); y: 9.79..17.21 by 2: 8..18 (6 ticks): 12 grid lines and 4 of
     * crosses */
    cr_assert(eq(int, chart_case_calls(&c, WS_CANVAS_LINE), 16));
    cr_assert(eq(int, chart_case_calls(&c, WS_CANVAS_CIRCLE), 7));
    cr_assert(eq(int, chart_case_calls(&c, WS_CANVAS_POLYGON), 1));
    cr_assert(
        eq(int, chart_case_calls(&c, WS_CANVAS_POLYLINE), 2)); /* the axes' corner and the steps */
    cr_assert(chart_case_text(&c, "a (baseline)") != NULL);
    cr_assert(chart_case_text(&c, "b") != NULL);
    cr_assert(chart_case_text(&c, "cost (USD), lower is better") != NULL);
    cr_assert(chart_case_text(&c, "throughput (tokens/s), higher is better") != NULL);
    cr_assert(chart_case_text(&c, "What does each policy cost, and what does it give for it?") !=
              NULL);
    /* what the small print says, wherever its lines break */
    ws_text svg = chart_case_svg(&c);
    cr_assert(eq(int, chart_case_count(svg, "Marks: means of n = 20 replications."), 1));
    cr_assert(eq(int, chart_case_count(svg, "95 % intervals (Student&#39;s t)"), 1));
    cr_assert(eq(int, chart_case_count(svg, "summary.csv"), 1));
    cr_assert(eq(int,
                 chart_case_count(svg, "<desc id=\"c1-desc\">a: cost 110 USD, throughput 11 "
                                       "tokens/s; b: cost 210 USD, throughput 16 tokens/s"
                                       "</desc>"),
                 1));
    chart_case_end(&c);
}

Test(pareto, small_values_lie_at_the_top_where_they_are_better)
{
    chart_case c;

    chart_case_begin(&c);
    c.data.y = (ws_chart_axis){.label = WS_TEXT("time"), .unit = WS_TEXT("h")};
    chart_case_add(&c, "a", 10, 1);
    chart_case_add(&c, "b", 20, 5);
    chart_case_draw(&c, "pareto");
    cr_assert(chart_case_text(&c, "time (h), lower is better (the axis points down)") != NULL);
    cr_assert(
        lt(dbl, chart_case_text(&c, "1")->points[0].y, chart_case_text(&c, "5")->points[0].y));
    chart_case_end(&c);
}

Test(pareto, x_begins_at_zero_unless_told_otherwise)
{
    chart_case c;

    chart_case_begin(&c);
    chart_case_add(&c, "a", 1000, 1);
    chart_case_add(&c, "b", 1100, 2);
    chart_case_draw(&c, "pareto");
    cr_assert(chart_case_text(&c, "0") != NULL);
    chart_case_end(&c);

    chart_case_begin(&c);
    chart_case_add(&c, "a", 1000, 1);
    chart_case_add(&c, "b", 1100, 2);
    c.data.x.is_cut = true;
    chart_case_draw(&c, "pareto");
    cr_assert(chart_case_text(&c, "0") == NULL);
    cr_assert(chart_case_text(&c, "1,000") != NULL);
    chart_case_end(&c);
}

Test(pareto, what_is_missing_is_named)
{
    chart_case c;

    chart_case_begin(&c);
    c.data.replications = 1;
    chart_case_add(&c, "fine", 1, 1);
    chart_case_add(&c, "broken", (double)NAN, 1);
    chart_case_add(&c, "endless", 1, (double)INFINITY);
    chart_case_draw(&c, "pareto");
    cr_assert(chart_case_text(&c,
                              "Marks: the one replication, n = 1. No intervals. Not drawn, "
                              "without a value: broken, endless. Numbers: summary.csv.") != NULL);
    cr_assert(chart_case_text(&c, "broken") == NULL);
    chart_case_end(&c);

    chart_case_begin(&c);
    chart_case_draw(&c, "pareto");
    cr_assert(chart_case_text(&c, "There is no arm with a value in both metrics.") != NULL);
    chart_case_end(&c);
}

/* A bound and an uncertain member are hollow: white inside, a coloured rim. */
Test(pareto, hollow_marks)
{
    chart_case c;

    chart_case_begin(&c);
    chart_case_add(&c, "sure", 10, 10);
    chart_case_add(&c, "unsure", 20, 20)->is_uncertain = true;
    chart_case_add(&c, "beaten", 20, 10)->is_uncertain =
        true; /* no member: nothing to be uncertain of */
    chart_case_add(&c, "oracle", 5, 30)->is_bound = true;
    chart_case_draw(&c, "pareto");
    cr_assert(chart_case_text(&c, "oracle (bound)") != NULL);
    ws_text list = chart_case_list(&c);
    cr_assert(eq(int, chart_case_calls(&c, WS_CANVAS_POLYGON), 4));
    cr_assert(eq(int, chart_case_count(list, "fill FFFFFF stroke D55E00\n"), 1));
    cr_assert(eq(int, chart_case_count(list, "fill FFFFFF stroke CC79A7\n"), 1));
    cr_assert(eq(int, chart_case_count(list, "fill 0072B2 stroke FFFFFF\n"), 1));
    cr_assert(eq(int, chart_case_count(list, "fill 009E73 stroke FFFFFF\n"), 1));
    cr_assert(eq(int, chart_case_count(chart_case_svg(&c), "Hollow: place in the Pareto set"), 1));
    chart_case_end(&c);
}

/* Of very many single values at most WS_CHART_VALUES_MAX are drawn. */
Test(pareto, single_values_are_thinned_out)
{
    enum { VALUES = 10000 };
    double *values = malloc(VALUES * sizeof *values);
    chart_case c;
    ws_chart_arm *arm = NULL;

    cr_assert(values != NULL);
    for (int i = 0; i < VALUES; i++) {
        values[i] = 1 + i % 7;
    }
    chart_case_begin(&c);
    arm = chart_case_add(&c, "a", 4, 4);
    arm->x_values = values;
    arm->y_values = values;
    arm->value_count = VALUES;
    chart_case_draw(&c, "pareto");
    cr_assert(le(int, chart_case_calls(&c, WS_CANVAS_CIRCLE), WS_CHART_VALUES_MAX));
    cr_assert(ge(int, chart_case_calls(&c, WS_CANVAS_CIRCLE), WS_CHART_VALUES_MAX / 2));
    chart_case_end(&c);
    free(values);
}

/* How often the small print says something, wherever its lines break. */
static int printed(chart_case *c, const char *part)
{
    chart_case_draw(c, "pareto");
    return chart_case_count(chart_case_svg(c), part);
}

/* One that is best in both is named, since no line joins anything; a chart of one says nothing. */
Test(pareto, a_single_member_is_named)
{
    chart_case c;

    chart_case_begin(&c);
    chart_case_add(&c, "best", 10, 400);
    cr_expect(eq(int, printed(&c, "Pareto set"), 0));
    chart_case_add(&c, "beaten", 20, 300);
    cr_expect(eq(int, printed(&c, "Pareto set, on the means: best alone."), 1));
    chart_case_add(&c, "cheap", 5, 100);
    cr_expect(eq(int, printed(&c, "Broken line: Pareto set, on the means."), 1));
    chart_case_end(&c);
}
