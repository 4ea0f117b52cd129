/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The PNG back end, the one place that knows cairo. Text is drawn with cairo's toy interface in the
 * machine's sans-serif font: pictures of two machines may differ in their letters, and only there.
 */
#include <cairo.h>
#include <stddef.h>

#include "ws/canvas.h"
#include "ws/glyph.h"
#include "ws/thread.h"

#define PNG_SCALE_MAX 8.0
#define PNG_TEXT_BYTES 1024

static void png_source(cairo_t *cairo, ws_colour colour)
{
    cairo_set_source_rgba(cairo, (double)(colour.rgb >> 16 & 0xFF) / 255,
                          (double)(colour.rgb >> 8 & 0xFF) / 255, (double)(colour.rgb & 0xFF) / 255,
                          colour.opacity);
}

/* Fills and strokes the current path, and drops it. */
static void png_paint(cairo_t *cairo, const ws_paint *paint)
{
    const double dashes[] = {paint->dash_on_px, paint->dash_off_px};

    if (paint->fill.opacity > 0) {
        png_source(cairo, paint->fill);
        cairo_fill_preserve(cairo);
    }
    if (paint->stroke.opacity > 0) {
        png_source(cairo, paint->stroke);
        cairo_set_line_width(cairo, paint->stroke_width_px);
        cairo_set_dash(cairo, dashes, paint->dash_on_px > 0 ? 2 : 0, 0);
        cairo_stroke_preserve(cairo);
    }
    cairo_new_path(cairo);
}

static void png_path(cairo_t *cairo, const ws_canvas_call *call)
{
    for (size_t i = 0; i < call->point_count; i++) {
        cairo_line_to(cairo, call->points[i].x, call->points[i].y);
    }
    if (call->kind == WS_CANVAS_POLYGON) {
        cairo_close_path(cairo);
    }
}

/* The shown form of a text, terminated; what does not fit is left off at a whole character. */
static void png_shown(ws_text text, char out[PNG_TEXT_BYTES])
{
    size_t length = 0;
    ws_glyph glyph;

    for (size_t at = 0; at < text.length;) {
        at += ws_glyph_next(text, at, &glyph);
        if (length + glyph.length >= PNG_TEXT_BYTES) {
            break;
        }
        for (size_t i = 0; i < glyph.length; i++) {
            out[length++] = glyph.bytes[i];
        }
    }
    out[length] = '\0';
}

static void png_text(cairo_t *cairo, const ws_canvas_call *call)
{
    char text[PNG_TEXT_BYTES];
    cairo_text_extents_t extents;
    double back = 0;

    png_shown(call->text, text);
    cairo_select_font_face(cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           call->is_bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cairo, call->text_size_px);
    cairo_text_extents(cairo, text, &extents);
    switch (call->anchor) {
    case WS_ANCHOR_START:
        back = 0;
        break;
    case WS_ANCHOR_MIDDLE:
        back = extents.x_advance / 2;
        break;
    case WS_ANCHOR_END:
        back = extents.x_advance;
        break;
    }
    png_source(cairo, call->paint.fill);
    cairo_move_to(cairo, call->points[0].x - back, call->points[0].y);
    cairo_show_text(cairo, text);
    cairo_new_path(cairo);
}

static void png_call(cairo_t *cairo, const ws_canvas_call *call)
{
    switch (call->kind) {
    case WS_CANVAS_LINE:
    case WS_CANVAS_POLYLINE:
    case WS_CANVAS_POLYGON:
        png_path(cairo, call);
        png_paint(cairo, &call->paint);
        return;
    case WS_CANVAS_RECT:
        cairo_rectangle(cairo, call->rect.x, call->rect.y, call->rect.width, call->rect.height);
        png_paint(cairo, &call->paint);
        return;
    case WS_CANVAS_CIRCLE:
        cairo_arc(cairo, call->points[0].x, call->points[0].y, call->radius_px, 0,
                  6.283185307179586);
        png_paint(cairo, &call->paint);
        return;
    case WS_CANVAS_TEXT:
        png_text(cairo, call);
        return;
    case WS_CANVAS_BEGIN_GROUP:
    case WS_CANVAS_END_GROUP:
        return;
    }
}

static cairo_status_t png_write(void *context, const unsigned char *bytes, unsigned length)
{
    ws_write_bytes(context, bytes, length);
    return CAIRO_STATUS_SUCCESS; /* the writer is sticky and tells for itself */
}

/*
 * Cairo looks for a font by fontconfig, whose reader of its configuration takes some 60 KiB of
 * stack (libfontconfig 2.14): more than is left where the stack of the process is limited. So a
 * picture is drawn by a thread of its own.
 */
#define PNG_STACK_BYTES ((size_t)1 << 20)

typedef struct {
    const ws_canvas *canvas;
    double scale; /* device pixels a px */
    ws_writer *writer;
    cairo_status_t status; /* out */
} png_task;

static cairo_status_t png_draw(const ws_canvas *canvas, double scale, cairo_surface_t *surface)
{
    cairo_t *cairo = cairo_create(surface);
    cairo_status_t status = CAIRO_STATUS_SUCCESS;

    cairo_scale(cairo, scale, scale);
    cairo_set_source_rgb(cairo, 1, 1, 1);
    cairo_paint(cairo);
    for (size_t i = 0; i < canvas->count; i++) {
        png_call(cairo, &canvas->calls[i]);
    }
    status = cairo_status(cairo);
    cairo_destroy(cairo);
    return status;
}

static void *png_make(void *context)
{
    png_task *task = context;
    const ws_canvas_frame *frame = &task->canvas->frame;
    cairo_surface_t *surface =
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)(frame->width_px * task->scale + 0.5),
                                   (int)(frame->height_px * task->scale + 0.5));

    task->status = png_draw(task->canvas, task->scale, surface);
    if (task->status == CAIRO_STATUS_SUCCESS) {
        task->status = cairo_surface_write_to_png_stream(surface, png_write, task->writer);
    }
    cairo_surface_destroy(surface);
    return NULL;
}

bool ws_canvas_write_png(const ws_canvas *canvas, double scale, ws_writer *writer, ws_diag *diag)
{
    png_task task = {.canvas = canvas, .scale = scale, .writer = writer};
    pthread_t thread;

    WS_ASSERT(canvas != NULL);
    WS_ASSERT(canvas->depth == 0);
    WS_ASSERT(writer != NULL);
    WS_ASSERT(scale > 0 && scale <= PNG_SCALE_MAX);

    if (canvas->failed) {
        return ws_diag_error(diag, 9020, ws_span_none, "not enough memory for a chart");
    }
    if (ws_thread_start(&thread, PNG_STACK_BYTES, png_make, &task)) {
        (void)pthread_join(thread, NULL);
    } else {
        (void)png_make(&task); /* where no thread may be started, on what stack there is */
    }
    if (task.status != CAIRO_STATUS_SUCCESS) {
        return ws_diag_error(diag, 9020, ws_span_none, "cannot draw a chart as PNG: %s",
                             cairo_status_to_string(task.status));
    }
    return true;
}
