/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The third back end: the calls themselves, one a line, for tests that compare drawings.
 */
#include <inttypes.h>
#include <math.h>

#include "ws/canvas.h"

static void list_number(ws_writer *writer, double value)
{
    int64_t hundredths = (int64_t)llround(value * 100);
    uint64_t magnitude = (uint64_t)(hundredths < 0 ? -hundredths : hundredths);

    ws_write_format(writer, " %s%" PRIu64 ".%02" PRIu64, hundredths < 0 ? "-" : "", magnitude / 100,
                    magnitude % 100);
}

static const char *list_word(const ws_canvas_call *call)
{
    switch (call->kind) {
    case WS_CANVAS_LINE:
        return "line";
    case WS_CANVAS_POLYLINE:
        return "polyline";
    case WS_CANVAS_POLYGON:
        return "polygon";
    case WS_CANVAS_RECT:
        return "rect";
    case WS_CANVAS_CIRCLE:
        return "circle";
    case WS_CANVAS_TEXT:
        return "text";
    case WS_CANVAS_BEGIN_GROUP:
        return "begin";
    case WS_CANVAS_END_GROUP:
        return "end";
    }
    return "";
}

static void list_call(ws_writer *writer, const ws_canvas_call *call)
{
    ws_write_string(writer, list_word(call));
    for (size_t i = 0; i < call->point_count; i++) {
        list_number(writer, call->points[i].x);
        list_number(writer, call->points[i].y);
    }
    if (call->kind == WS_CANVAS_RECT) {
        list_number(writer, call->rect.x);
        list_number(writer, call->rect.y);
        list_number(writer, call->rect.width);
        list_number(writer, call->rect.height);
    }
    if (call->kind == WS_CANVAS_CIRCLE) {
        list_number(writer, call->radius_px);
    }
    if (call->paint.fill.opacity > 0) {
        ws_write_format(writer, " fill %06" PRIX32, call->paint.fill.rgb);
    }
    if (call->paint.stroke.opacity > 0) {
        ws_write_format(writer, " stroke %06" PRIX32, call->paint.stroke.rgb);
    }
    if (call->text.length > 0) {
        ws_write_format(writer, " '%.*s'", WS_TEXT_ARGS(call->text));
    }
    ws_write_string(writer, "\n");
}

void ws_canvas_write_list(const ws_canvas *canvas, ws_writer *writer)
{
    WS_ASSERT(canvas != NULL);
    WS_ASSERT(writer != NULL);

    for (size_t i = 0; i < canvas->count; i++) {
        list_call(writer, &canvas->calls[i]);
    }
}
