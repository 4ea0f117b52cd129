/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "../../plots/waterfall_print.h"
#include "chart_case.h"

/* 100 GPU-hours: 20 idle, 5 lost, 15 of communication, 60 useful. */
static void hundred(chart_case *c)
{
    chart_case_begin(c);
    c->accounts = (ws_chart_accounts){.arm = WS_TEXT("hpa"), .paid_gpu_h = 100, .axis_gpu_h = 100};
    c->accounts.account_gpu_h[WS_ACCOUNT_IDLE] = 20;
    c->accounts.account_gpu_h[WS_ACCOUNT_LOST] = 5;
    c->accounts.account_gpu_h[WS_ACCOUNT_COMMUNICATION] = 15;
    c->accounts.account_gpu_h[WS_ACCOUNT_USEFUL] = 60;
    c->data.accounts = &c->accounts;
}

/* The bar of the index-th row: those that have an outline. */
static const ws_canvas_call *bar_at(const chart_case *c, size_t index)
{
    for (size_t i = 0; i < c->canvas.count; i++) {
        const ws_canvas_call *call = &c->canvas.calls[i];

        if (call->kind == WS_CANVAS_RECT && call->paint.stroke.opacity > 0 && index-- == 0) {
            return call;
        }
    }
    return NULL;
}

/*
 * By hand. "communication" is 7735/1000 of 12 px wide (550 + 612 + 974 + 974 + 634 + 634 + 278 +
 * 550 + 613
 * + 392 + 278 + 612 + 634): bars begin at 20 + 8 + 92.82. The widest value is "20.0 GPUh, 20.0 %":
 * two numbers of 2226, two blanks and commas of 318 each and one blank more, "GPUh" of 2744, "%" of
 * 950: 2226 + 318 + 2744 + 318 + 318 + 2226 + 318 + 950 = 9418, 113.016 px. So 840 - 120.82 -
 * 141.016 = 578.164 px are 100 GPU-hours.
 */
Test(waterfall, bars_lie_where_their_values_are)
{
    static const struct {
        double from;
        double to;
        uint32_t rgb;
    } rows[] = {
        {0, 100, 0x4B5563},  /* paid */
        {80, 100, 0xD1D5DB}, /* idle */
        {75, 80, 0x000000},  /* lost */
        {75, 75, 0xD55E00},  /* recovery */
        {75, 75, 0x8B5E3C},  /* resize */
        {75, 75, 0xE69F00},  /* cold start */
        {75, 75, 0xF0E442},  /* checkpoint */
        {75, 75, 0xCC79A7},  /* straggle */
        {75, 75, 0x56B4E9},  /* input stall */
        {60, 75, 0x0072B2},  /* communication */
        {0, 60, 0x009E73},   /* useful */
    };
    chart_case c;

    hundred(&c);
    chart_case_draw(&c, "waterfall");
    for (size_t i = 0; i < WS_COUNT_OF(rows); i++) {
        const ws_canvas_call *bar = bar_at(&c, i);

        cr_assert(bar != NULL);
        cr_expect(epsilon_eq(dbl, bar->rect.x, 120.82 + 5.78164 * rows[i].from, 1e-6), "%zu", i);
        cr_expect(epsilon_eq(dbl, bar->rect.width, 5.78164 * (rows[i].to - rows[i].from), 1e-6));
        cr_expect(eq(u32, bar->paint.fill.rgb, rows[i].rgb));
        cr_expect(eq(u32, bar->paint.stroke.rgb, 0x111827)); /* dark, for the light ones */
    }
    cr_expect(bar_at(&c, WS_COUNT_OF(rows)) == NULL);
    /* one link between two bars each, one grid line each 10 GPU-hours */
    cr_expect(eq(int, chart_case_calls(&c, WS_CANVAS_LINE), 10 + 11));
    chart_case_end(&c);
}

/* The widest arm sets the axis of all: half of it paid is half as long. */
Test(waterfall, one_axis_for_all_arms)
{
    chart_case c;

    hundred(&c);
    c.accounts.axis_gpu_h = 200;
    chart_case_draw(&c, "waterfall");
    cr_expect(epsilon_eq(dbl, bar_at(&c, 0)->rect.width, 578.164 / 2, 1e-6));
    cr_expect(chart_case_text(&c, "200") != NULL);
    chart_case_end(&c);
}

Test(waterfall, values_and_shares)
{
    static const struct {
        double paid;
        double value;
        const char *text;
    } rows[] = {
        {100, 100, "100 GPUh, 100 %"},          {100, 0, "0 GPUh, 0 %"},
        {100, 7.7349, "7.7 GPUh, 7.7 %"},       {14801.3, 10802.4, "10,802 GPUh, 73.0 %"},
        {14801.3, 0.1776, "0.2 GPUh, < 0.1 %"}, {14801.3, 7.4007, "7.4 GPUh, 0.1 %"},
        {100, 0.0123, "< 0.1 GPUh, < 0.1 %"},   {1, 0.333333, "0.333 GPUh, 33.3 %"},
        {100, -1, "-1.0 GPUh, -1.0 %"},         {0, 0, "0 GPUh"},
    };
    chart_case c;

    chart_case_begin(&c);
    for (size_t i = 0; i < WS_COUNT_OF(rows); i++) {
        ws_chart_accounts accounts = {.paid_gpu_h = rows[i].paid};
        ws_text text = ws_waterfall_value(&accounts, rows[i].value, &c.arena);
        cr_expect_str_eq(text.start, rows[i].text);
    }
    chart_case_end(&c);
}

/* Every account once, useful last; names without underscores; each says what it is. */
Test(waterfall, accounts)
{
    unsigned seen = 0;
    chart_case c;

    hundred(&c);
    for (size_t i = 0; i < WS_ACCOUNT_COUNT; i++) {
        ws_text name = ws_waterfall_name(ws_waterfall_account(i), &c.arena);
        seen |= 1u << ws_waterfall_account(i);
        cr_expect(eq(sz, ws_text_find_byte(name, '_'), name.length));
    }
    cr_expect(eq(u32, seen, (1u << WS_ACCOUNT_COUNT) - 1));
    cr_expect(eq(int, (int)ws_waterfall_account(WS_ACCOUNT_COUNT - 1), (int)WS_ACCOUNT_USEFUL));
    cr_expect_str_eq(ws_waterfall_title(&c.accounts, WS_ACCOUNT_LOST, &c.arena).start,
                     "lost: 5.0 GPUh, 5.0 %: work thrown away");
    chart_case_end(&c);
}

Test(waterfall, words)
{
    chart_case c;

    hundred(&c);
    chart_case_draw(&c, "waterfall");
    cr_expect(chart_case_text(&c, "GPU-hours, means of n = 20") != NULL);
    cr_expect_str_eq(c.canvas.frame.description.start,
                     "hpa: paid: 100 GPUh, 100 %; idle 20.0 GPUh, 20.0 %; lost 5.0 GPUh, 5.0 %; "
                     "recovery 0 GPUh, 0 %; resize 0 GPUh, 0 %; cold start 0 GPUh, 0 %; "
                     "checkpoint 0 GPUh, 0 %; straggle 0 GPUh, 0 %; input stall 0 GPUh, 0 %; "
                     "communication 15.0 GPUh, 15.0 %; useful 60.0 GPUh, 60.0 %");
    chart_case_end(&c);

    hundred(&c);
    c.data.replications = 1;
    chart_case_draw(&c, "waterfall");
    cr_expect(chart_case_text(&c, "GPU-hours") != NULL);
    c.accounts.paid_gpu_h = (double)NAN;
    chart_case_draw(&c, "waterfall");
    cr_expect(chart_case_text(&c, "There is no run of this policy.") != NULL);
    chart_case_end(&c);
}
