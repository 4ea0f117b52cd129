/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A place is a direction and a ring. Its cost is what it hides (other labels most, then marks, then
 * lines), and a little for distance and for unusual directions, so that a lone label stands to the
 * right of its point. All numbers are compared in a fixed order and ties go to the earlier place.
 */
#include "labels.h"

#include <float.h>
#include <math.h>

#define LABELS_ROUNDS 6
#define LABELS_RINGS 8
#define LABELS_GAP_PX 5.0
#define LABELS_RING_PX 15.0
#define LABELS_MARGIN_PX 2.0 /* between two labels */
#define LABELS_WEIGHT 30.0   /* cost of a px^2 of another label */
#define LABELS_RING_COST 60.0
#define LABELS_DIRECTION_COST 3.0
#define LABELS_WRONG_COST 150.0 /* nearer to another point than to its own */
#define LABELS_CLEAR_PX 8.0     /* so much nearer to its own point is clear */

/* Directions in order of preference: right, left, above, below, then the slanted ones. */
static const ws_point labels_directions[] = {
    {1, 0},    {-1, 0},    {0, -1},  {0, 1},    {1, -1},   {-1, -1},   {1, 1},   {-1, 1},
    {0.5, -1}, {-0.5, -1}, {0.5, 1}, {-0.5, 1}, {1, -0.5}, {-1, -0.5}, {1, 0.5}, {-1, 0.5},
};

double ws_labels_overlap(ws_rect a, ws_rect b)
{
    double width = fmin(a.x + a.width, b.x + b.width) - fmax(a.x, b.x);
    double height = fmin(a.y + a.height, b.y + b.height) - fmax(a.y, b.y);

    return width > 0 && height > 0 ? width * height : 0;
}

/* The box of a label in a direction from its point, `gap` away from the mark, within the bounds. */
static ws_rect labels_box(const ws_label *label, ws_point direction, double gap_px, ws_rect bounds)
{
    double distance_px = label->radius_px + gap_px;
    ws_rect box = {.width = label->width_px, .height = label->height_px};

    box.x = label->point.x + direction.x * distance_px - box.width * (1 - direction.x) / 2;
    box.y = label->point.y + direction.y * distance_px - box.height * (1 - direction.y) / 2;
    box.x = fmax(bounds.x, fmin(box.x, bounds.x + bounds.width - box.width));
    box.y = fmax(bounds.y, fmin(box.y, bounds.y + bounds.height - box.height));
    return box;
}

static ws_rect labels_grown(ws_rect box, double by_px)
{
    return (ws_rect){.x = box.x - by_px,
                     .y = box.y - by_px,
                     .width = box.width + 2 * by_px,
                     .height = box.height + 2 * by_px};
}

static double labels_distance(ws_rect box, ws_point point)
{
    double x = fmax(0, fmax(box.x - point.x, point.x - (box.x + box.width)));
    double y = fmax(0, fmax(box.y - point.y, point.y - (box.y + box.height)));

    return sqrt(x * x + y * y);
}

/* Points of others that a reader might take the box for. */
static int labels_rivals(const ws_label *labels, size_t count, size_t self, ws_rect box)
{
    double own_px = labels_distance(box, labels[self].point);
    int rivals = 0;

    for (size_t i = 0; i < count; i++) {
        if (i != self && labels_distance(box, labels[i].point) < own_px + LABELS_CLEAR_PX) {
            rivals++;
        }
    }
    return rivals;
}

typedef struct {
    ws_label *labels;
    size_t count;
    size_t placed; /* the first ones are where they are */
    ws_rect bounds;
    const ws_obstacle *obstacles;
    size_t obstacle_count;
} labels_task;

/* What a box would hide. */
static double labels_hidden(const labels_task *task, size_t self, ws_rect box)
{
    ws_rect grown = labels_grown(box, LABELS_MARGIN_PX);
    double cost = 0;

    for (size_t i = 0; i < task->placed; i++) {
        if (i != self) {
            cost += LABELS_WEIGHT * ws_labels_overlap(grown, task->labels[i].box);
        }
    }
    for (size_t i = 0; i < task->obstacle_count; i++) {
        cost += task->obstacles[i].weight * ws_labels_overlap(box, task->obstacles[i].rect);
    }
    return cost;
}

/* The cheapest place so far. */
typedef struct {
    double cost;
    ws_rect box;
    bool has_leader;
} labels_choice;

/* Looks at one place around a label's point, and takes it when it is cheaper. */
static void labels_try(const labels_task *task, size_t self, int ring, size_t direction,
                       labels_choice *best)
{
    double gap_px = LABELS_GAP_PX + ring * LABELS_RING_PX;
    ws_rect box =
        labels_box(&task->labels[self], labels_directions[direction], gap_px, task->bounds);
    int rivals = labels_rivals(task->labels, task->count, self, box);
    double cost = ring * LABELS_RING_COST + (double)direction * LABELS_DIRECTION_COST;

    cost += rivals * LABELS_WRONG_COST;
    if (cost < best->cost) {
        cost += labels_hidden(task, self, box);
    }
    if (cost < best->cost) {
        *best = (labels_choice){.cost = cost, .box = box, .has_leader = ring > 0 || rivals > 0};
    }
}

/* Moves one label to its cheapest place. */
static void labels_place_one(const labels_task *task, size_t self)
{
    ws_label *label = &task->labels[self];
    labels_choice best = {.cost = DBL_MAX, .box = label->box, .has_leader = label->has_leader};

    for (int ring = 0; ring < LABELS_RINGS; ring++) {
        for (size_t i = 0; i < WS_COUNT_OF(labels_directions); i++) {
            labels_try(task, self, ring, i, &best);
        }
    }
    label->box = best.box;
    label->has_leader = best.has_leader;
}

void ws_labels_place(ws_label *labels, size_t count, ws_rect bounds, const ws_obstacle *obstacles,
                     size_t obstacle_count)
{
    labels_task task = {
        .labels = labels,
        .count = count,
        .bounds = bounds,
        .obstacles = obstacles,
        .obstacle_count = obstacle_count,
    };

    WS_ASSERT(labels != NULL || count == 0);
    WS_ASSERT(obstacles != NULL || obstacle_count == 0);

    for (int round = 0; round < LABELS_ROUNDS; round++) {
        for (size_t i = 0; i < count; i++) {
            task.placed = round == 0 ? i : count;
            labels_place_one(&task, i);
        }
    }
}
