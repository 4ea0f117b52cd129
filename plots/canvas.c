/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The list of calls. Points and texts are copied, so that a chart may draw from values on its
 * stack.
 */
#include "ws/canvas.h"

#include <math.h>
#include <string.h>

#define CANVAS_TAU 6.283185307179586

void ws_canvas_init(ws_canvas *canvas, ws_arena *arena, const ws_canvas_frame *frame)
{
    WS_ASSERT(canvas != NULL);
    WS_ASSERT(arena != NULL);
    WS_ASSERT(frame->width_px > 0 && frame->width_px <= WS_CANVAS_SIDE_MAX_PX);
    WS_ASSERT(frame->height_px > 0 && frame->height_px <= WS_CANVAS_SIDE_MAX_PX);
    WS_ASSERT(frame->id_prefix.length > 0);

    *canvas = (ws_canvas){.arena = arena, .frame = *frame};
    canvas->frame.id_prefix = ws_arena_copy_text(arena, frame->id_prefix);
    canvas->frame.title = ws_arena_copy_text(arena, frame->title);
    canvas->frame.description = ws_arena_copy_text(arena, frame->description);
    canvas->failed = canvas->frame.id_prefix.start == NULL || canvas->frame.title.start == NULL ||
                     canvas->frame.description.start == NULL;
}

static double canvas_bounded(double px)
{
    WS_ASSERT(isfinite(px));

    return fmax(-WS_CANVAS_COORDINATE_MAX_PX, fmin(WS_CANVAS_COORDINATE_MAX_PX, px));
}

/* Copies points into the arena; NULL when it is exhausted. */
static const ws_point *canvas_points(ws_canvas *canvas, const ws_point *points, size_t count)
{
    ws_point *copy = ws_arena_alloc(canvas->arena, ws_point, count > 0 ? count : 1);

    for (size_t i = 0; i < count && copy != NULL; i++) {
        copy[i] = (ws_point){.x = canvas_bounded(points[i].x), .y = canvas_bounded(points[i].y)};
    }
    return copy;
}

static void canvas_add(ws_canvas *canvas, const ws_canvas_call *call, const ws_point *points,
                       size_t point_count)
{
    ws_canvas_call added = *call;
    ws_canvas_call *grown = NULL;

    WS_ASSERT(canvas != NULL);
    if (canvas->failed) {
        return;
    }
    added.point_count = point_count;
    added.points = canvas_points(canvas, points, point_count);
    added.text = ws_arena_copy_text(canvas->arena, call->text);
    grown = ws_arena_grow(canvas->arena, canvas->calls, canvas->count, canvas->count + 1,
                          &canvas->capacity, sizeof *canvas->calls);
    if (added.points == NULL || added.text.start == NULL || grown == NULL) {
        canvas->failed = true;
        return;
    }
    canvas->calls = grown;
    canvas->calls[canvas->count] = added;
    canvas->count++;
}

void ws_canvas_line(ws_canvas *canvas, ws_point from, ws_point to, const ws_paint *paint)
{
    const ws_point points[] = {from, to};

    WS_ASSERT(paint != NULL);
    canvas_add(canvas, &(ws_canvas_call){.kind = WS_CANVAS_LINE, .paint = *paint}, points, 2);
}

void ws_canvas_polyline(ws_canvas *canvas, const ws_point *points, size_t count,
                        const ws_paint *paint)
{
    WS_ASSERT(points != NULL || count == 0);
    WS_ASSERT(paint != NULL);

    if (count > 0) {
        canvas_add(canvas, &(ws_canvas_call){.kind = WS_CANVAS_POLYLINE, .paint = *paint}, points,
                   count);
    }
}

void ws_canvas_polygon(ws_canvas *canvas, const ws_point *points, size_t count,
                       const ws_paint *paint)
{
    WS_ASSERT(points != NULL || count == 0);
    WS_ASSERT(paint != NULL);

    if (count > 0) {
        canvas_add(canvas, &(ws_canvas_call){.kind = WS_CANVAS_POLYGON, .paint = *paint}, points,
                   count);
    }
}

void ws_canvas_rect(ws_canvas *canvas, ws_rect rect, const ws_paint *paint)
{
    WS_ASSERT(rect.width >= 0 && rect.height >= 0);
    WS_ASSERT(paint != NULL);

    rect = (ws_rect){.x = canvas_bounded(rect.x),
                     .y = canvas_bounded(rect.y),
                     .width = canvas_bounded(rect.width),
                     .height = canvas_bounded(rect.height)};
    canvas_add(canvas, &(ws_canvas_call){.kind = WS_CANVAS_RECT, .rect = rect, .paint = *paint},
               NULL, 0);
}

void ws_canvas_circle(ws_canvas *canvas, ws_point centre, double radius_px, const ws_paint *paint)
{
    WS_ASSERT(radius_px >= 0);
    WS_ASSERT(paint != NULL);

    canvas_add(canvas,
               &(ws_canvas_call){.kind = WS_CANVAS_CIRCLE,
                                 .radius_px = canvas_bounded(radius_px),
                                 .paint = *paint},
               &centre, 1);
}

/* A shape as corners on rings: corner i lies at first_turn + i/corners of a full turn, on the ring
 * of ratio[i % 2] of the radius. */
typedef struct {
    int corners;
    double first_turn; /* from the upward direction, clockwise */
    double ratio[2];
} canvas_shape;

/* Ratios give each shape about the area of the circle. */
static const canvas_shape canvas_shapes[] = {
    [WS_MARKER_CIRCLE] = {.corners = 0},
    [WS_MARKER_SQUARE] = {.corners = 4, .first_turn = 0.125, .ratio = {1.25, 1.25}},
    [WS_MARKER_TRIANGLE_UP] = {.corners = 3, .first_turn = 0, .ratio = {1.5, 1.5}},
    [WS_MARKER_TRIANGLE_DOWN] = {.corners = 3, .first_turn = 0.5, .ratio = {1.5, 1.5}},
    [WS_MARKER_DIAMOND] = {.corners = 4, .first_turn = 0, .ratio = {1.35, 1.35}},
    [WS_MARKER_PENTAGON] = {.corners = 5, .first_turn = 0, .ratio = {1.2, 1.2}},
    [WS_MARKER_STAR] = {.corners = 10, .first_turn = 0, .ratio = {1.65, 0.75}},
};

void ws_canvas_marker(ws_canvas *canvas, ws_marker marker, ws_point centre, double radius_px,
                      const ws_paint *paint)
{
    const canvas_shape *shape = NULL;
    ws_point corners[10];

    WS_ASSERT(marker < WS_MARKER_COUNT);
    shape = &canvas_shapes[marker];
    if (shape->corners == 0) {
        ws_canvas_circle(canvas, centre, radius_px, paint);
        return;
    }
    for (int i = 0; i < shape->corners; i++) {
        double turn = shape->first_turn + (double)i / shape->corners;
        double ring_px = radius_px * shape->ratio[i % 2];

        corners[i].x = centre.x + ring_px * sin(turn * CANVAS_TAU);
        corners[i].y = centre.y - ring_px * cos(turn * CANVAS_TAU);
    }
    ws_canvas_polygon(canvas, corners, (size_t)shape->corners, paint);
}

void ws_canvas_text(ws_canvas *canvas, ws_point at, ws_text text, const ws_text_style *style)
{
    WS_ASSERT(style != NULL);
    WS_ASSERT(style->size_px >= WS_CANVAS_TEXT_SIZE_MIN_PX);

    canvas_add(canvas,
               &(ws_canvas_call){.kind = WS_CANVAS_TEXT,
                                 .text = text,
                                 .text_size_px = style->size_px,
                                 .is_bold = style->is_bold,
                                 .anchor = style->anchor,
                                 .paint = {.fill = {.rgb = style->rgb, .opacity = 1}}},
               &at, 1);
}

void ws_canvas_begin_group(ws_canvas *canvas, ws_text title)
{
    WS_ASSERT(canvas != NULL);

    canvas->depth++;
    canvas_add(canvas, &(ws_canvas_call){.kind = WS_CANVAS_BEGIN_GROUP, .text = title}, NULL, 0);
}

void ws_canvas_end_group(ws_canvas *canvas)
{
    WS_ASSERT(canvas != NULL);
    WS_ASSERT(canvas->depth > 0);

    canvas->depth--;
    canvas_add(canvas, &(ws_canvas_call){.kind = WS_CANVAS_END_GROUP}, NULL, 0);
}
