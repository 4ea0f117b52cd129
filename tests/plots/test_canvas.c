/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "chart_case.h"

static const ws_paint black_line = {.stroke = {0x000000, 1}, .stroke_width_px = 1};
static const ws_paint blue_fill = {.fill = {0x0072B2, 1}};

static void begin(chart_case *c)
{
    ws_canvas_frame frame = {.width_px = 100,
                             .height_px = 50,
                             .id_prefix = WS_TEXT("c1"),
                             .title = WS_TEXT("a title"),
                             .description = WS_TEXT("two marks")};

    chart_case_begin(c);
    ws_canvas_init(&c->canvas, &c->arena, &frame);
}

Test(canvas, calls_are_a_list_of_copies)
{
    ws_point points[] = {{1, 2}, {3, 4}, {5, 6.005}};
    chart_case c;

    begin(&c);
    ws_canvas_polyline(&c.canvas, points, 3, &black_line);
    points[0].x = 99;
    ws_canvas_begin_group(&c.canvas, WS_TEXT("g"));
    ws_canvas_rect(&c.canvas, (ws_rect){1, 2, 3, 4}, &blue_fill);
    ws_canvas_marker(&c.canvas, WS_MARKER_CIRCLE, (ws_point){10, 20}, 5, &blue_fill);
    ws_canvas_text(&c.canvas, (ws_point){7, 8}, WS_TEXT("hi"),
                   &(ws_text_style){.size_px = 12, .rgb = 0x111827});
    ws_canvas_end_group(&c.canvas);
    ws_canvas_polygon(&c.canvas, points, 0, &blue_fill);
    ws_canvas_line(&c.canvas, (ws_point){0, -0.001}, (ws_point){-1.5, 1}, &black_line);
    cr_assert(ws_text_is(chart_case_list(&c),
                         "polyline 1.00 2.00 3.00 4.00 5.00 6.01 stroke 000000\n"
                         "begin 'g'\n"
                         "rect 1.00 2.00 3.00 4.00 fill 0072B2\n"
                         "circle 10.00 20.00 5.00 fill 0072B2\n"
                         "text 7.00 8.00 fill 111827 'hi'\n"
                         "end\n"
                         "line 0.00 0.00 -1.50 1.00 stroke 000000\n"));
    chart_case_end(&c);
}

/* A square of the marker's size: corners at 1.25 radii in the four slanted directions, 1.25 / sqrt
 * 2 = 0.88388. */
Test(canvas, markers_are_polygons_around_their_point)
{
    static const int corners[] = {0, 4, 3, 3, 4, 5, 10};
    chart_case c;

    begin(&c);
    ws_canvas_marker(&c.canvas, WS_MARKER_SQUARE, (ws_point){50, 20}, 10, &blue_fill);
    cr_assert(ws_text_is(chart_case_list(&c), "polygon 58.84 11.16 58.84 28.84 41.16 28.84 41.16 "
                                              "11.16 fill 0072B2\n"));
    for (int marker = 1; marker < WS_MARKER_COUNT; marker++) {
        ws_canvas_marker(&c.canvas, (ws_marker)marker, (ws_point){50, 20}, 10, &blue_fill);
        const ws_canvas_call *call = &c.canvas.calls[c.canvas.count - 1];
        double x = 0;
        double y = 0;

        cr_assert(eq(sz, call->point_count, (size_t)corners[marker]));
        for (size_t i = 0; i < call->point_count; i++) {
            x += call->points[i].x / (double)call->point_count;
            y += call->points[i].y / (double)call->point_count;
        }
        cr_assert(epsilon_eq(dbl, x, 50, 1e-9));
        cr_assert(epsilon_eq(dbl, y, 20, 1e-9));
    }
    chart_case_end(&c);
}

Test(canvas, coordinates_are_bounded)
{
    chart_case c;

    begin(&c);
    ws_canvas_line(&c.canvas, (ws_point){1e300, -1e300}, (ws_point){0, 0}, &black_line);
    cr_assert(
        ws_text_is(chart_case_list(&c), "line 1000000.00 -1000000.00 0.00 0.00 stroke 000000\n"));
    chart_case_end(&c);
}

/* Widths of DejaVu Sans: A 684, B 686, i 278, l 278 thousandths; bold A 774. */
Test(canvas, widths_of_text)
{
    cr_assert(epsilon_eq(dbl, ws_text_width_px(WS_TEXT("AB"), 10, false), 13.70, 1e-9));
    cr_assert(epsilon_eq(dbl, ws_text_width_px(WS_TEXT("il"), 10, false), 5.56, 1e-9));
    cr_assert(epsilon_eq(dbl, ws_text_width_px(WS_TEXT("A"), 10, true), 7.74, 1e-9));
    cr_assert(epsilon_eq(dbl, ws_text_width_px(WS_TEXT(""), 10, false), 0, 1e-9));
    /* a hiragana letter takes a square; an invalid byte shows as \xff: four characters, 337 + 592 +
     * 352 + 352 */
    cr_assert(epsilon_eq(dbl, ws_text_width_px(WS_TEXT("\xE3\x81\x82"), 10, false), 10, 1e-9));
    cr_assert(epsilon_eq(dbl, ws_text_width_px(WS_TEXT("\xFF"), 10, false), 16.33, 1e-9));
}

Test(canvas, texts_are_elided_to_a_width)
{
    chart_case c;

    begin(&c);
    /* ten a's of 6.13 px at 10 px; the ellipsis takes 10 px */
    ws_text text = WS_TEXT("aaaaaaaaaa");
    cr_assert(ws_text_is(ws_text_elide(text, 10, false, 61.4, &c.arena), "aaaaaaaaaa"));
    cr_assert(ws_text_is(ws_text_elide(text, 10, false, 61.2, &c.arena), "aaaaaaaa\xE2\x80\xA6"));
    cr_assert(ws_text_is(ws_text_elide(text, 10, false, 1, &c.arena), "\xE2\x80\xA6"));
    cr_assert(ws_text_is(ws_text_elide_middle(WS_TEXT("aaaaaaaabb"), 10, false, 40, &c.arena),
                         "aa\xE2\x80\xA6"
                         "bb"));
    /* never within a character */
    cr_assert(
        ws_text_is(ws_text_elide(WS_TEXT("\xC3\xA9\xC3\xA9\xC3\xA9"), 10, false, 17, &c.arena),
                   "\xC3\xA9\xE2\x80\xA6"));
    chart_case_end(&c);
}

Test(canvas, texts_are_broken_at_blanks)
{
    ws_text rest = WS_TEXT("aaa aaa a-word-that-is-too-wide aa  ");

    /* three a's and a blank and three a's: 6 x 6.13 + 3.18 = 39.96 px */
    cr_assert(ws_text_is(ws_text_next_line(&rest, 10, false, 40), "aaa aaa"));
    cr_assert(ws_text_is(ws_text_next_line(&rest, 10, false, 40), "a-word-that-is-too-wide"));
    cr_assert(ws_text_is(ws_text_next_line(&rest, 10, false, 40), "aa"));
    cr_assert(eq(sz, rest.length, 0));
    cr_assert(ws_text_is(ws_text_next_line(&rest, 10, false, 40), ""));
}

/* The SVG of a small drawing, written out by hand from the rules: two decimals, ids with the
 * prefix, names escaped. */
Test(canvas, svg_bytes)
{
    chart_case c;

    begin(&c);
    ws_canvas_begin_group(&c.canvas, WS_TEXT("<g> & \"h\""));
    ws_canvas_circle(&c.canvas, (ws_point){-0.001, 2.005}, 1.5,
                     &(ws_paint){.fill = {0x0072B2, 0.3}});
    ws_canvas_line(
        &c.canvas, (ws_point){1, 2}, (ws_point){3, 4},
        &(ws_paint){
            .stroke = {0x6B7280, 1}, .stroke_width_px = 1.25, .dash_on_px = 5, .dash_off_px = 3});
    ws_canvas_end_group(&c.canvas);
    ws_canvas_text(
        &c.canvas, (ws_point){7, 8}, WS_TEXT("it's\n\x01"),
        &(ws_text_style){.size_px = 13, .is_bold = true, .anchor = WS_ANCHOR_END, .rgb = 0x111827});
    cr_assert_str_eq(
        chart_case_svg(&c).start,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-labelledby=\"c1-title "
        "c1-desc\" viewBox=\"0 0 100.00 50.00\" width=\"100.00\" height=\"50.00\" "
        "font-family=\"system-ui, sans-serif\">\n"
        "<title id=\"c1-title\">a title</title>\n"
        "<desc id=\"c1-desc\">two marks</desc>\n"
        "<rect x=\"0.00\" y=\"0.00\" width=\"100.00\" height=\"50.00\" fill=\"#FFFFFF\"/>\n"
        "<g><title>&lt;g&gt; &amp; &quot;h&quot;</title>\n"
        "<circle cx=\"0.00\" cy=\"2.01\" r=\"1.50\" fill=\"#0072B2\" fill-opacity=\"0.30\"/>\n"
        "<line x1=\"1.00\" y1=\"2.00\" x2=\"3.00\" y2=\"4.00\" fill=\"none\" stroke=\"#6B7280\" "
        "stroke-width=\"1.25\" stroke-dasharray=\"5.00 3.00\"/>\n"
        "</g>\n"
        "<text x=\"7.00\" y=\"8.00\" font-size=\"13.00\" text-anchor=\"end\" "
        "font-weight=\"bold\" fill=\"#111827\">it&#39;s\\x0a\\x01</text>\n"
        "</svg>\n");
    chart_case_end(&c);
}

/* However little memory there is: no crash, and the back ends refuse what is incomplete. */
Test(canvas, an_exhausted_arena_is_sticky)
{
    ws_canvas_frame frame = {
        .width_px = 10, .height_px = 10, .id_prefix = WS_TEXT("c"), .title = WS_TEXT("t")};
    chart_case c;
    bool has_failed = false;

    begin(&c);
    for (size_t bound = 0; bound < 20000; bound += 500) {
        ws_writer writer;
        ws_arena small;
        ws_canvas canvas;

        ws_arena_init(&small, &ws_allocator_default, bound);
        ws_canvas_init(&canvas, &small, &frame);
        ws_canvas_begin_group(&canvas, WS_TEXT("g"));
        for (int i = 0; i < 20; i++) {
            ws_canvas_line(&canvas, (ws_point){0, 0}, (ws_point){1, 1}, &black_line);
        }
        ws_canvas_end_group(&canvas);
        ws_writer_init_memory(&writer, &c.arena);
        cr_assert(eq(int, ws_canvas_write_svg(&canvas, &writer, &c.diag), !canvas.failed));
        cr_assert(canvas.failed || canvas.count == 22);
        has_failed = has_failed || canvas.failed;
        ws_arena_reset(&small);
    }
    cr_assert(has_failed);
    chart_case_end(&c);
}
