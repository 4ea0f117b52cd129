/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * A drawing as a list of calls, which two back ends turn into SVG and PNG.
 *
 * Coordinates are in px, x to the right, y downward, from the upper left corner. Charts draw;
 * nothing is measured on the way: the width of a text is estimated from a table of one common font,
 * so that the SVG has the same bytes on every machine. A drawing is sticky: when its arena is
 * exhausted, later calls do nothing, and the back ends refuse it.
 */
#ifndef WS_CANVAS_H
#define WS_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/arena.h"
#include "ws/diag.h"
#include "ws/text.h"
#include "ws/writer.h"

#define WS_CANVAS_SIDE_MAX_PX 20000
#define WS_CANVAS_TEXT_SIZE_MIN_PX 12

/** Beyond this no coordinate counts: they are cut there, so that a chart of 1e300 dollars is still
 * a drawing. */
#define WS_CANVAS_COORDINATE_MAX_PX 1e6

typedef struct {
    double x;
    double y;
} ws_point;

typedef struct {
    double x; /* of the upper left corner */
    double y;
    double width;  /* >= 0 */
    double height; /* >= 0 */
} ws_rect;

typedef struct {
    uint32_t rgb;   /* 0xRRGGBB */
    double opacity; /* 0..1; 0: not painted */
} ws_colour;

typedef struct {
    ws_colour fill;
    ws_colour stroke;
    double stroke_width_px;
    double dash_on_px; /* 0: a solid line */
    double dash_off_px;
} ws_paint;

typedef enum {
    WS_MARKER_CIRCLE,
    WS_MARKER_SQUARE,
    WS_MARKER_TRIANGLE_UP,
    WS_MARKER_TRIANGLE_DOWN,
    WS_MARKER_DIAMOND,
    WS_MARKER_PENTAGON,
    WS_MARKER_STAR,
    WS_MARKER_COUNT
} ws_marker;

typedef enum {
    WS_ANCHOR_START, /* the text begins at the point */
    WS_ANCHOR_MIDDLE,
    WS_ANCHOR_END
} ws_anchor;

typedef enum {
    WS_CANVAS_LINE,        /* points[0] to points[1] */
    WS_CANVAS_POLYLINE,    /* through all points */
    WS_CANVAS_POLYGON,     /* likewise, closed */
    WS_CANVAS_RECT,        /* rect */
    WS_CANVAS_CIRCLE,      /* around points[0], radius_px */
    WS_CANVAS_TEXT,        /* on a base line through points[0] */
    WS_CANVAS_BEGIN_GROUP, /* text is its title */
    WS_CANVAS_END_GROUP
} ws_canvas_kind;

typedef struct {
    ws_canvas_kind kind;
    const ws_point *points;
    size_t point_count;
    ws_rect rect;
    double radius_px;
    ws_paint paint; /* of a text: fill alone */
    ws_text text;
    double text_size_px;
    bool is_bold;
    ws_anchor anchor;
} ws_canvas_call;

typedef struct {
    double width_px;
    double height_px;
    ws_text id_prefix;   /* [a-z0-9-]+, before every id, so that several drawings fit one page */
    ws_text title;       /* what it is */
    ws_text description; /* what it shows, in numbers */
} ws_canvas_frame;

typedef struct {
    ws_arena *arena; /* holds the calls and copies of all points and texts */
    ws_canvas_frame frame;
    ws_canvas_call *calls;
    size_t count;
    size_t capacity;
    size_t depth; /* open groups */
    bool failed;  /* the arena was exhausted */
} ws_canvas;

/** An empty drawing on white. The frame's texts are copied. */
void ws_canvas_init(ws_canvas *canvas, ws_arena *arena, const ws_canvas_frame *frame);

/* Drawing. Numbers must be finite (asserted); text is UTF-8 of any origin and is shown, not obeyed.
 */

/** A straight line. */
void ws_canvas_line(ws_canvas *canvas, ws_point from, ws_point to, const ws_paint *paint);

/** A line through points, which are copied. */
void ws_canvas_polyline(ws_canvas *canvas, const ws_point *points, size_t count,
                        const ws_paint *paint);

/** The same, closed and filled. */
void ws_canvas_polygon(ws_canvas *canvas, const ws_point *points, size_t count,
                       const ws_paint *paint);

/** A rectangle with its sides along the axes. */
void ws_canvas_rect(ws_canvas *canvas, ws_rect rect, const ws_paint *paint);

/** A circle around a point. */
void ws_canvas_circle(ws_canvas *canvas, ws_point centre, double radius_px, const ws_paint *paint);

/** A mark of about equal area for every shape; a circle of that radius, or a polygon. */
void ws_canvas_marker(ws_canvas *canvas, ws_marker marker, ws_point centre, double radius_px,
                      const ws_paint *paint);

typedef struct {
    double size_px; /* >= WS_CANVAS_TEXT_SIZE_MIN_PX */
    bool is_bold;
    ws_anchor anchor;
    uint32_t rgb;
} ws_text_style;

/** One line of text; `at` lies on its base line. */
void ws_canvas_text(ws_canvas *canvas, ws_point at, ws_text text, const ws_text_style *style);

/** Calls up to the matching end belong together; the title is what a pointer at rest shows. */
void ws_canvas_begin_group(ws_canvas *canvas, ws_text title);
void ws_canvas_end_group(ws_canvas *canvas);

/* Text without fonts. */

/** Estimated width of one line, px: from the advance widths of DejaVu Sans 2.37, the widest of the
 * usual fonts, so mostly a little too much. */
double ws_text_width_px(ws_text text, double size_px, bool is_bold);

/** The text, or its start and an ellipsis, so that it is estimated no wider than `width_px`. NULL
 * start when exhausted. */
ws_text ws_text_elide(ws_text text, double size_px, bool is_bold, double width_px, ws_arena *arena);

/** Likewise, with the ellipsis in the middle: names often differ at their ends. */
ws_text ws_text_elide_middle(ws_text text, double size_px, bool is_bold, double width_px,
                             ws_arena *arena);

/**
 * The next line of a text that is broken at blanks: takes it off `*rest`, which is empty after the
 * last. A word that is too wide stands alone.
 */
ws_text ws_text_next_line(ws_text *rest, double size_px, bool is_bold, double width_px);

/* Back ends. All groups must be closed. */

/**
 * SVG 1.1: text stays text, coordinates have two decimals, ids bear the prefix, names are escaped.
 * No script, no style sheet, no outside reference: it may stand in a page as it is. The same
 * drawing gives the same bytes everywhere.
 *
 * @return  false with WS9020 when the drawing had failed; the writer's own failures are told by
 * ws_writer_finish()
 */
WS_NODISCARD bool ws_canvas_write_svg(const ws_canvas *canvas, ws_writer *writer, ws_diag *diag);

/**
 * PNG by cairo, in the font that "sans-serif" names on this machine.
 *
 * @param scale  device pixels a px, above 0, at most 8
 * @return       false with WS9020 when the drawing had failed, or memory for the image is lacking
 */
WS_NODISCARD bool ws_canvas_write_png(const ws_canvas *canvas, double scale, ws_writer *writer,
                                      ws_diag *diag);

/** The list of calls as text, one a line, two decimals: for tests. */
void ws_canvas_write_list(const ws_canvas *canvas, ws_writer *writer);

#endif
