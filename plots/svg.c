/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The SVG back end. Numbers are printed as hundredths by integer arithmetic: no locale, no -0.00.
 * Foreign text passes in its shown form (ws/glyph.h), then escaped for XML, so that no name can end
 * an element or hold a character that XML forbids.
 */
#include <inttypes.h>
#include <math.h>

#include "ws/canvas.h"
#include "ws/glyph.h"

static void svg_number(ws_writer *writer, double value)
{
    int64_t hundredths = (int64_t)llround(value * 100);
    uint64_t magnitude = (uint64_t)(hundredths < 0 ? -hundredths : hundredths);

    ws_write_format(writer, "%s%" PRIu64 ".%02" PRIu64, hundredths < 0 ? "-" : "", magnitude / 100,
                    magnitude % 100);
}

static void svg_escape_byte(ws_writer *writer, char byte)
{
    switch (byte) {
    case '&':
        ws_write_string(writer, "&amp;");
        break;
    case '<':
        ws_write_string(writer, "&lt;");
        break;
    case '>':
        ws_write_string(writer, "&gt;");
        break;
    case '"':
        ws_write_string(writer, "&quot;");
        break;
    case '\'':
        ws_write_string(writer, "&#39;");
        break;
    default:
        ws_write_bytes(writer, &byte, 1);
        break;
    }
}

static void svg_text(ws_writer *writer, ws_text text)
{
    ws_glyph glyph;

    for (size_t at = 0; at < text.length;) {
        at += ws_glyph_next(text, at, &glyph);
        for (size_t i = 0; i < glyph.length; i++) {
            svg_escape_byte(writer, glyph.bytes[i]);
        }
    }
}

static void svg_attribute(ws_writer *writer, const char *name, double value)
{
    ws_write_format(writer, " %s=\"", name);
    svg_number(writer, value);
    ws_write_string(writer, "\"");
}

static void svg_colour(ws_writer *writer, const char *name, ws_colour colour)
{
    WS_ASSERT(colour.opacity >= 0 && colour.opacity <= 1);

    if (!(colour.opacity > 0)) {
        ws_write_format(writer, " %s=\"none\"", name);
        return;
    }
    ws_write_format(writer, " %s=\"#%06" PRIX32 "\"", name, colour.rgb & 0xFFFFFF);
    if (colour.opacity < 1) {
        ws_write_format(writer, " %s-opacity=\"", name);
        svg_number(writer, colour.opacity);
        ws_write_string(writer, "\"");
    }
}

static void svg_paint(ws_writer *writer, const ws_paint *paint)
{
    svg_colour(writer, "fill", paint->fill);
    if (!(paint->stroke.opacity > 0)) {
        return;
    }
    svg_colour(writer, "stroke", paint->stroke);
    svg_attribute(writer, "stroke-width", paint->stroke_width_px);
    if (paint->dash_on_px > 0) {
        ws_write_string(writer, " stroke-dasharray=\"");
        svg_number(writer, paint->dash_on_px);
        ws_write_string(writer, " ");
        svg_number(writer, paint->dash_off_px);
        ws_write_string(writer, "\"");
    }
}

static void svg_line(ws_writer *writer, const ws_canvas_call *call)
{
    ws_write_string(writer, "<line");
    svg_attribute(writer, "x1", call->points[0].x);
    svg_attribute(writer, "y1", call->points[0].y);
    svg_attribute(writer, "x2", call->points[1].x);
    svg_attribute(writer, "y2", call->points[1].y);
    svg_paint(writer, &call->paint);
    ws_write_string(writer, "/>\n");
}

static void svg_poly(ws_writer *writer, const ws_canvas_call *call, const char *element)
{
    ws_write_format(writer, "<%s points=\"", element);
    for (size_t i = 0; i < call->point_count; i++) {
        ws_write_string(writer, i > 0 ? " " : "");
        svg_number(writer, call->points[i].x);
        ws_write_string(writer, ",");
        svg_number(writer, call->points[i].y);
    }
    ws_write_string(writer, "\"");
    svg_paint(writer, &call->paint);
    ws_write_string(writer, "/>\n");
}

static void svg_rect(ws_writer *writer, const ws_canvas_call *call)
{
    ws_write_string(writer, "<rect");
    svg_attribute(writer, "x", call->rect.x);
    svg_attribute(writer, "y", call->rect.y);
    svg_attribute(writer, "width", call->rect.width);
    svg_attribute(writer, "height", call->rect.height);
    svg_paint(writer, &call->paint);
    ws_write_string(writer, "/>\n");
}

static void svg_circle(ws_writer *writer, const ws_canvas_call *call)
{
    ws_write_string(writer, "<circle");
    svg_attribute(writer, "cx", call->points[0].x);
    svg_attribute(writer, "cy", call->points[0].y);
    svg_attribute(writer, "r", call->radius_px);
    svg_paint(writer, &call->paint);
    ws_write_string(writer, "/>\n");
}

static const char *svg_anchor(ws_anchor anchor)
{
    switch (anchor) {
    case WS_ANCHOR_START:
        return "start";
    case WS_ANCHOR_MIDDLE:
        return "middle";
    case WS_ANCHOR_END:
        return "end";
    }
    return "start";
}

static void svg_text_call(ws_writer *writer, const ws_canvas_call *call)
{
    ws_write_string(writer, "<text");
    svg_attribute(writer, "x", call->points[0].x);
    svg_attribute(writer, "y", call->points[0].y);
    svg_attribute(writer, "font-size", call->text_size_px);
    ws_write_format(writer, " text-anchor=\"%s\"", svg_anchor(call->anchor));
    ws_write_string(writer, call->is_bold ? " font-weight=\"bold\"" : "");
    svg_colour(writer, "fill", call->paint.fill);
    ws_write_string(writer, ">");
    svg_text(writer, call->text);
    ws_write_string(writer, "</text>\n");
}

static void svg_call(ws_writer *writer, const ws_canvas_call *call)
{
    switch (call->kind) {
    case WS_CANVAS_LINE:
        svg_line(writer, call);
        return;
    case WS_CANVAS_POLYLINE:
        svg_poly(writer, call, "polyline");
        return;
    case WS_CANVAS_POLYGON:
        svg_poly(writer, call, "polygon");
        return;
    case WS_CANVAS_RECT:
        svg_rect(writer, call);
        return;
    case WS_CANVAS_CIRCLE:
        svg_circle(writer, call);
        return;
    case WS_CANVAS_TEXT:
        svg_text_call(writer, call);
        return;
    case WS_CANVAS_BEGIN_GROUP:
        ws_write_string(writer, "<g><title>");
        svg_text(writer, call->text);
        ws_write_string(writer, "</title>\n");
        return;
    case WS_CANVAS_END_GROUP:
        ws_write_string(writer, "</g>\n");
        return;
    }
}

static void svg_head(ws_writer *writer, const ws_canvas_frame *frame)
{
    ws_write_string(writer, "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" "
                            "aria-labelledby=\"");
    svg_text(writer, frame->id_prefix);
    ws_write_string(writer, "-title ");
    svg_text(writer, frame->id_prefix);
    ws_write_string(writer, "-desc\" viewBox=\"0 0 ");
    svg_number(writer, frame->width_px);
    ws_write_string(writer, " ");
    svg_number(writer, frame->height_px);
    ws_write_string(writer, "\"");
    svg_attribute(writer, "width", frame->width_px);
    svg_attribute(writer, "height", frame->height_px);
    ws_write_string(writer, " font-family=\"system-ui, sans-serif\">\n<title id=\"");
    svg_text(writer, frame->id_prefix);
    ws_write_string(writer, "-title\">");
    svg_text(writer, frame->title);
    ws_write_string(writer, "</title>\n<desc id=\"");
    svg_text(writer, frame->id_prefix);
    ws_write_string(writer, "-desc\">");
    svg_text(writer, frame->description);
    ws_write_string(writer, "</desc>\n<rect x=\"0.00\" y=\"0.00\"");
    svg_attribute(writer, "width", frame->width_px);
    svg_attribute(writer, "height", frame->height_px);
    ws_write_string(writer, " fill=\"#FFFFFF\"/>\n");
}

bool ws_canvas_write_svg(const ws_canvas *canvas, ws_writer *writer, ws_diag *diag)
{
    WS_ASSERT(canvas != NULL);
    WS_ASSERT(canvas->depth == 0);
    WS_ASSERT(writer != NULL);

    if (canvas->failed) {
        return ws_diag_error(diag, 9020, ws_span_none, "not enough memory for a chart");
    }
    svg_head(writer, &canvas->frame);
    for (size_t i = 0; i < canvas->count; i++) {
        svg_call(writer, &canvas->calls[i]);
    }
    ws_write_string(writer, "</svg>\n");
    return true;
}
