/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small charts on one page: where bars, curves and steps lie, by hand. */
#include "chart_case.h"

/* The rectangles and lines of a drawing, by their order. */
static const ws_canvas_call *nth(const chart_case *c, ws_canvas_kind kind, int n)
{
    for (size_t i = 0; i < c->canvas.count; i++) {
        if (c->canvas.calls[i].kind == kind && n-- == 0) {
            return &c->canvas.calls[i];
        }
    }
    cr_assert(false, "there is no such call");
    return NULL;
}

static void begin(chart_case *c, ws_chart_panel_kind kind)
{
    chart_case_begin(c);
    chart_case_panels(c, "x", 1);
    c->panel_items[0].kind = kind;
    c->panels.count = 1;
}

/*
 * One panel is as wide as the page less two margins of 20 and 38 for the labels of its y axis: 922
 * px from x = 58. Two labels have 461 each; two bars of each are 48 px wide, which is the most, and
 * stand around the middle. 0.5 is half as high as 1, the end of the axis.
 */
Test(panels, bars)
{
    chart_case c;

    begin(&c, WS_CHART_BARS);
    c.panel_items[0].is_percent = true;
    chart_case_draw(&c, "panels");
    /* two samples of the series come first */
    const ws_rect half = nth(&c, WS_CANVAS_RECT, 2)->rect;
    const ws_rect beside = nth(&c, WS_CANVAS_RECT, 3)->rect;
    const ws_rect full = nth(&c, WS_CANVAS_RECT, 4)->rect;
    cr_expect(epsilon_eq(dbl, half.width, 48, 1e-9));
    cr_expect(epsilon_eq(dbl, half.x, 58 + 230.5 - 48, 1e-9));
    cr_expect(epsilon_eq(dbl, beside.x, 58 + 230.5, 1e-9));
    cr_expect(epsilon_eq(dbl, full.x, 58 + 691.5 - 48, 1e-9));
    cr_expect(epsilon_eq(dbl, full.height, 2 * half.height, 1e-9));
    cr_expect(epsilon_eq(dbl, full.y + full.height, half.y + half.height, 1e-9));
    cr_expect(chart_case_text(&c, "100") != NULL && chart_case_text(&c, "20") != NULL);
    chart_case_end(&c);
}

/* From 1 s to 1 h, the first round time beyond 600 s and 3600 s: 600 s lies at ln 600/ln 3600 =
 * 0.7812 of 922 px; 0 s lies where the axis begins. */
Test(panels, curve_over_logarithmic_time)
{
    chart_case c;

    begin(&c, WS_CHART_CURVE);
    c.panel_x[1] = 3600;
    c.panel_items[0].series_count = 1;
    chart_case_draw(&c, "panels");
    const ws_canvas_call *line = nth(&c, WS_CANVAS_POLYLINE, 0);
    cr_expect(epsilon_eq(dbl, line->points[0].x, 58, 1e-9));
    cr_expect(epsilon_eq(dbl, line->points[1].x, 980, 1e-9));
    const ws_canvas_call *label = chart_case_text(&c, "10 min");
    cr_assert(label != NULL);
    cr_expect(epsilon_eq(dbl, label->points[0].x, 58 + 0.78122 * 922, 0.05));
    cr_expect(chart_case_text(&c, "1 d") == NULL);
    chart_case_end(&c);
}

/* Steps of 0.5 from 0 to 5,000 s and of 1 to 10,000 s: two level pieces, and the time in hours on
 * an axis to 3 h. */
Test(panels, steps)
{
    chart_case c;

    begin(&c, WS_CHART_STEPS);
    chart_case_draw(&c, "panels");
    const ws_canvas_call *line = nth(&c, WS_CANVAS_POLYLINE, 0);
    cr_assert(eq(sz, line->point_count, 4));
    cr_expect(epsilon_eq(dbl, line->points[1].x, line->points[2].x, 1e-9));
    cr_expect(epsilon_eq(dbl, line->points[0].y, line->points[1].y, 1e-9));
    cr_expect(lt(dbl, line->points[2].y, line->points[1].y));
    cr_expect(epsilon_eq(dbl, line->points[3].x - line->points[0].x,
                         2 * (line->points[1].x - line->points[0].x), 1e-9));
    cr_expect(chart_case_text(&c, "x (h)") != NULL);
    chart_case_end(&c);
}

Test(panels, nothing_to_show)
{
    chart_case c;

    chart_case_begin(&c);
    chart_case_draw(&c, "panels");
    cr_expect(chart_case_text(&c, "There is nothing to show.") != NULL);
    chart_case_end(&c);
}
