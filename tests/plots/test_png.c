/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "chart_case.h"

/* fontconfig keeps a few hundred bytes for good, which the leak checker would count as ours. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libfontconfig";
}

static const ws_paint blue_fill = {.fill = {0x0072B2, 1}};

/* PNG: the signature, and width and height in the header (PNG specification, 5.2 and 11.2.2). */
Test(png, has_the_size_of_the_drawing)
{
    static const unsigned char head[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    ws_canvas_frame frame = {.width_px = 100, .height_px = 50, .id_prefix = WS_TEXT("c1")};
    chart_case c;
    ws_writer writer;

    chart_case_begin(&c);
    ws_canvas_init(&c.canvas, &c.arena, &frame);
    ws_canvas_text(&c.canvas, (ws_point){7, 8}, WS_TEXT("hi"),
                   &(ws_text_style){.size_px = 12, .anchor = WS_ANCHOR_MIDDLE});
    ws_canvas_marker(&c.canvas, WS_MARKER_STAR, (ws_point){50, 25}, 10, &blue_fill);
    ws_writer_init_memory(&writer, &c.arena);
    cr_assert(ws_canvas_write_png(&c.canvas, 2, &writer, &c.diag));
    cr_assert(ws_writer_finish(&writer, &c.diag));
    ws_text png = ws_writer_text(&writer);
    cr_assert(gt(sz, png.length, 100));
    cr_assert(memcmp(png.start, head, sizeof head) == 0);
    cr_assert(memcmp(png.start + 16, "\0\0\0\xC8\0\0\0\x64", 8) == 0); /* 200 x 100 */

    /* 20000 px at 8 device pixels each is more than cairo draws: an error, no crash */
    c.canvas.frame.width_px = WS_CANVAS_SIDE_MAX_PX;
    ws_writer_init_memory(&writer, &c.arena);
    cr_assert(not(ws_canvas_write_png(&c.canvas, 8, &writer, &c.diag)));
    cr_assert(eq(sz, c.diag.error_count, 1));
    chart_case_end(&c);
}

Test(png, refuses_an_incomplete_drawing)
{
    chart_case c;
    ws_writer writer;

    chart_case_begin(&c);
    c.canvas.failed = true;
    ws_writer_init_memory(&writer, &c.arena);
    cr_assert(not(ws_canvas_write_png(&c.canvas, 1, &writer, &c.diag)));
    cr_assert(eq(sz, c.diag.error_count, 1));
    cr_assert(eq(i64, writer.total_bytes, 0));
    chart_case_end(&c);
}
