/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "../../plots/labels.h"
#include "chart_case.h"

static const ws_rect bounds = {0, 0, 800, 400};

static ws_label label_at(double x, double y, double width)
{
    return (ws_label){.point = {x, y}, .radius_px = 5, .width_px = width, .height_px = 16};
}

Test(labels, a_lone_label_stands_to_the_right)
{
    ws_label label = label_at(100, 100, 60);

    ws_labels_place(&label, 1, bounds, NULL, 0);
    /* 5 px of mark and 5 px of gap; centred on the point's height */
    cr_assert(epsilon_eq(dbl, label.box.x, 110, 1e-9));
    cr_assert(epsilon_eq(dbl, label.box.y, 92, 1e-9));
    cr_assert(not(label.has_leader));
}

/* At the right edge it goes to the left: 790 - 10 - 60. */
Test(labels, stay_within_bounds)
{
    ws_label label = label_at(790, 100, 60);
    ws_obstacle mark = {.rect = {782, 92, 16, 16}, .weight = 20};

    ws_labels_place(&label, 1, bounds, &mark, 1);
    cr_assert(epsilon_eq(dbl, label.box.x, 720, 1e-9));

    label = label_at(100, 100, 5000); /* wider than everything */
    ws_labels_place(&label, 1, bounds, NULL, 0);
    cr_assert(epsilon_eq(dbl, label.box.x, 0, 1e-9));
}

Test(labels, overlap_of_boxes)
{
    cr_assert(epsilon_eq(dbl, ws_labels_overlap((ws_rect){0, 0, 10, 10}, (ws_rect){5, 8, 10, 10}),
                         10, 1e-9));
    cr_assert(epsilon_eq(dbl, ws_labels_overlap((ws_rect){0, 0, 10, 10}, (ws_rect){10, 0, 5, 5}), 0,
                         1e-9));
}

static void assert_apart(const ws_label *labels, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const ws_rect *box = &labels[i].box;

        cr_assert(box->x >= 0 && box->y >= 0 && box->x + box->width <= 800 &&
                  box->y + box->height <= 400);
        for (size_t j = 0; j < count; j++) {
            ws_rect mark = {labels[j].point.x - 5, labels[j].point.y - 5, 10, 10};

            cr_assert(i == j || ws_labels_overlap(*box, labels[j].box) <= 0, "%zu %zu", i, j);
            cr_assert(ws_labels_overlap(*box, mark) <= 0, "%zu on mark %zu", i, j);
        }
    }
}

/* Eight arms with long names: in a heap, in one place, in a row, in a column. */
Test(labels, do_not_overlap)
{
    for (int shape = 0; shape < 4; shape++) {
        ws_label labels[8];
        ws_obstacle marks[8];

        for (int i = 0; i < 8; i++) {
            double x = 400 + (shape == 0 ? i * 37 % 60 : shape == 2 ? i * 20 : 0);
            double y = 200 + (shape == 0 ? i * 53 % 40 : shape == 3 ? i * 12 : 0);

            labels[i] = label_at(x, y, 120);
            marks[i] = (ws_obstacle){.rect = {x - 8, y - 8, 16, 16}, .weight = 20};
        }
        ws_labels_place(labels, 8, bounds, marks, 8);
        assert_apart(labels, 8);

        ws_label again[8];
        memcpy(again, labels, sizeof again);
        ws_labels_place(again, 8, bounds, marks, 8);
        assert_apart(again, 8);
    }
}

/* The same input gives the same places, whatever was in the output fields before. */
Test(labels, are_deterministic)
{
    ws_label a[] = {label_at(100, 100, 80), label_at(104, 103, 80), label_at(96, 99, 80)};
    ws_label b[] = {label_at(100, 100, 80), label_at(104, 103, 80), label_at(96, 99, 80)};

    for (int i = 0; i < 3; i++) {
        b[i].box = (ws_rect){1, 2, 3, 4};
        b[i].has_leader = true;
    }
    ws_labels_place(a, 3, bounds, NULL, 0);
    ws_labels_place(b, 3, bounds, NULL, 0);
    cr_assert(memcmp(a, b, sizeof a) == 0);
}
