/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "chart_case.h"

/* Two sizes of three parts, two of one account, and a size that is not possible. */
static void two_sizes(chart_case *c)
{
    chart_case_begin(c);
    c->parts[0] = (ws_chart_part){.name = WS_TEXT("compute"), .account = WS_ACCOUNT_USEFUL};
    c->parts[1] = (ws_chart_part){.name = WS_TEXT("tensor"), .account = WS_ACCOUNT_COMMUNICATION};
    c->parts[2] = (ws_chart_part){.name = WS_TEXT("data"), .account = WS_ACCOUNT_COMMUNICATION};
    c->rows[0] = (ws_chart_split_row){
        .label = WS_TEXT("8 GPUs"), .value = WS_TEXT("2 s"), .shares = {0.75, 0.25, 0}};
    c->rows[1] =
        (ws_chart_split_row){.label = WS_TEXT("9 GPUs"), .reason = WS_TEXT("not a legal size")};
    c->rows[2] = (ws_chart_split_row){.label = WS_TEXT("16 GPUs"),
                                      .value = WS_TEXT("1 s"),
                                      .shares = {0.5, 0.3, 0.2},
                                      .is_marked = true};
    c->breakdown =
        (ws_chart_split){.parts = c->parts, .part_count = 3, .rows = c->rows, .row_count = 3};
    c->data.breakdown = &c->breakdown;
}

/* The index-th rectangle with an outline: first the three of the legend. */
static const ws_canvas_call *outlined(const chart_case *c, size_t index)
{
    for (size_t i = 0; i < c->canvas.count; i++) {
        const ws_canvas_call *call = &c->canvas.calls[i];

        if (call->kind == WS_CANVAS_RECT && call->paint.stroke.opacity > 0 && index-- == 0) {
            return call;
        }
    }
    return NULL;
}

/* Bars are cut where the shares say: of a whole of `first` + `second` px 3 of 4, then 5, 3 and 2
 * of 10. The second part of the same account is its colour with 22 % of white: 0 + 255 x 0.22 = 56,
 * 0x72 + 141 x 0.22 = 145, 0xB2 + 77 x 0.22 = 194, rounded down. */
Test(breakdown, bars_are_cut_by_their_shares)
{
    static const struct {
        double from;
        double to;
        uint32_t rgb;
    } parts[] = {
        {0, 0.75, 0x009E73}, {0.75, 1, 0x0072B2},                      /* 8 GPUs */
        {0, 0.5, 0x009E73},  {0.5, 0.8, 0x0072B2}, {0.8, 1, 0x3891C2}, /* 16 GPUs */
    };
    chart_case c;

    two_sizes(&c);
    chart_case_draw(&c, "breakdown");
    double left = outlined(&c, 3)->rect.x;
    double whole = outlined(&c, 3)->rect.width / 0.75;
    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
        const ws_canvas_call *bar = outlined(&c, 3 + i);

        cr_assert(ne(ptr, (void *)bar, NULL));
        cr_expect(epsilon_eq(dbl, bar->rect.x, left + parts[i].from * whole, 1e-6));
        cr_expect(epsilon_eq(dbl, bar->rect.width, (parts[i].to - parts[i].from) * whole, 1e-6));
        cr_expect(eq(u32, bar->paint.fill.rgb, parts[i].rgb));
    }
    cr_expect(eq(ptr, (void *)outlined(&c, 8), NULL));
    chart_case_end(&c);
}

Test(breakdown, says_why_there_is_no_bar)
{
    chart_case c;

    two_sizes(&c);
    chart_case_draw(&c, "breakdown");
    cr_expect(eq(int, chart_case_count(chart_case_list(&c), "not a legal size"), 1));
    cr_expect(eq(int,
                 chart_case_count(c.canvas.frame.description,
                                  "16 GPUs: 1 s, compute 50.0 %, tensor 30.0 %, data 20.0 %"),
                 1));
    chart_case_end(&c);
}

/* Of 40 sizes 24 at most are drawn, the ends and the marked one among them, and the rest is told.
 */
Test(breakdown, too_many_sizes)
{
    chart_case c;
    char labels[40][16];

    two_sizes(&c);
    for (int i = 0; i < 40; i++) {
        c.rows[i] = c.rows[0];
        (void)snprintf(labels[i], sizeof labels[i], "n%d", i);
        c.rows[i].label = ws_text_of(labels[i]);
        c.rows[i].is_marked = i == 20;
    }
    c.breakdown.row_count = 40;
    chart_case_draw(&c, "breakdown");
    int bars = 0;
    while (outlined(&c, (size_t)bars) != NULL) {
        bars++;
    }
    int rows = (bars - 3) / 2;
    cr_expect(le(int, rows, WS_CHART_ROWS_MAX));
    cr_expect(ge(int, rows, WS_CHART_ROWS_MAX - 1));
    ws_text list = chart_case_list(&c);
    cr_expect(ge(int, chart_case_count(list, "n0"), 1));
    cr_expect(ge(int, chart_case_count(list, "n20"), 1));
    cr_expect(ge(int, chart_case_count(list, "n39"), 1));
    char told[64];
    (void)snprintf(told, sizeof told, "%d of 40 sizes", 40 - rows);
    cr_expect(eq(int, chart_case_count(list, told), 1), "%.*s", WS_TEXT_ARGS(list));
    chart_case_end(&c);
}
