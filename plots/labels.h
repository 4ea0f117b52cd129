/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Where to write names beside their points, so that they hide neither each other nor the points.
 */
#ifndef WS_PLOTS_LABELS_H
#define WS_PLOTS_LABELS_H

#include <stdbool.h>
#include <stddef.h>

#include "ws/canvas.h"

typedef struct {
    ws_point point;   /* that it names */
    double radius_px; /* of the mark there */
    double width_px;  /* of the text's box */
    double height_px;
    ws_rect box;     /* out: where the text goes */
    bool has_leader; /* out: far from its point, so a line should join them */
} ws_label;

typedef struct {
    ws_rect rect;
    double weight; /* cost of a px^2 of overlap: 1 for lines, more for marks */
} ws_obstacle;

/**
 * Places all labels. Deterministic: each in turn takes the cheapest of the places around its point,
 * in rings that grow outward; a few rounds repeat this with all others in place. A label too large
 * for `bounds` lies at its left upper corner.
 */
void ws_labels_place(ws_label *labels, size_t count, ws_rect bounds, const ws_obstacle *obstacles,
                     size_t obstacle_count);

/** Common area of two boxes, px^2. */
double ws_labels_overlap(ws_rect a, ws_rect b);

#endif
