/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Charts of made-up arms, and their drawings as text. */
#ifndef WS_TESTS_CHART_CASE_H
#define WS_TESTS_CHART_CASE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "support/support.h"
#include "ws/chart.h"

typedef struct {
    ws_arena arena;
    ws_diag diag;
    ws_canvas canvas;
    ws_chart_arm arms[WS_CHART_ARMS_MAX];
    ws_chart_course course;
    ws_chart_step steps[1000];
    ws_text stages[3];
    ws_chart_accounts accounts;
    ws_chart_part parts[3];
    ws_chart_split_row rows[40];
    ws_chart_split breakdown;
    ws_chart_panel panel_items[3];
    ws_text panel_labels[2];
    double panel_x[2];
    double panel_y[2];
    ws_chart_panels panels;
    ws_chart_data data;
} chart_case;

static inline void chart_case_begin(chart_case *c)
{
    memset(c, 0, sizeof *c);
    ws_arena_init(&c->arena, &ws_allocator_default, (size_t)64 << 20);
    ws_diag_init(&c->diag, &c->arena);
    c->data = (ws_chart_data){
        .source = WS_TEXT("summary.csv"),
        .replications = 20,
        .confidence = 0.95,
        .interval = WS_TEXT("Student's t"),
        .x = {.label = WS_TEXT("cost"), .unit = WS_TEXT("USD")},
        .y = {.label = WS_TEXT("throughput"),
              .unit = WS_TEXT("tokens/s"),
              .higher_is_better = true},
        .arms = c->arms,
    };
    c->course = (ws_chart_course){.arm = WS_TEXT("arm"), .steps = c->steps, .stages = c->stages};
}

/* One more step of a course, from `begin_s` on: everything of one value, in no stage. */
static inline ws_chart_step *chart_case_step(chart_case *c, double begin_s, double value)
{
    ws_chart_step *step = &c->steps[c->course.step_count++];
    ws_chart_range range = {.low = value, .high = value};

    c->data.course = &c->course;
    *step = (ws_chart_step){.begin_s = begin_s,
                            .paid = range,
                            .ready = range,
                            .busy = range,
                            .waiting = range,
                            .wanted = range,
                            .main_gpus = range,
                            .stage = -1};
    return step;
}

/* A panel of each kind, two series each. */
static inline void chart_case_panels(chart_case *c, const char *name, double value)
{
    const ws_chart_numbers numbers = {
        .name = ws_text_of(name), .x = c->panel_x, .y = c->panel_y, .count = 2};

    c->panel_labels[0] = ws_text_of(name);
    c->panel_labels[1] = ws_text_of(name);
    c->panel_x[0] = 0;
    c->panel_x[1] = 5000;
    c->panel_y[0] = 0.5;
    c->panel_y[1] = value;
    for (int i = 0; i < 3; i++) {
        c->panel_items[i] = (ws_chart_panel){.kind = (ws_chart_panel_kind)i,
                                             .row = i / 2,
                                             .share = 1,
                                             .heading = ws_text_of(name),
                                             .x_title = ws_text_of(name),
                                             .labels = c->panel_labels,
                                             .label_count = 2,
                                             .end_x = 10000,
                                             .series = {numbers, numbers},
                                             .series_count = 2};
    }
    c->panels = (ws_chart_panels){.panels = c->panel_items, .count = 3};
    c->data.panels = &c->panels;
}

/* A course of two stages and accounts of an arm, so that each kind has something to draw. */
static inline void chart_case_fill(chart_case *c, const char *name, double value)
{
    c->course.arm = ws_text_of(name);
    c->course.main_job = ws_text_of(name);
    c->course.stage_count = 2;
    c->course.end_s = 100000;
    c->course.warmup_s = 10;
    c->stages[0] = ws_text_of(name);
    c->stages[1] = ws_text_of(name);
    chart_case_step(c, 0, 1)->stage = 0;
    chart_case_step(c, 50000, value)->stage = 1;
    c->accounts =
        (ws_chart_accounts){.arm = ws_text_of(name), .paid_gpu_h = value, .axis_gpu_h = value};
    c->accounts.account_gpu_h[WS_ACCOUNT_IDLE] = value;
    c->data.accounts = &c->accounts;
    c->parts[0] = (ws_chart_part){.name = ws_text_of(name), .account = WS_ACCOUNT_USEFUL};
    c->parts[1] = (ws_chart_part){.name = ws_text_of(name), .account = WS_ACCOUNT_USEFUL};
    c->rows[0] = (ws_chart_split_row){.label = ws_text_of(name),
                                      .value = ws_text_of(name),
                                      .shares = {value, 0.5},
                                      .is_marked = true};
    c->rows[1] = (ws_chart_split_row){.label = ws_text_of(name), .reason = ws_text_of("too large")};
    c->breakdown = (ws_chart_split){.parts = c->parts,
                                    .part_count = 2,
                                    .rows = c->rows,
                                    .row_count = 2,
                                    .values = ws_text_of(name)};
    c->data.breakdown = &c->breakdown;
    chart_case_panels(c, name, value);
}

static inline void chart_case_end(chart_case *c)
{
    ws_arena_reset(&c->arena);
}

/* One more arm, without intervals. */
static inline ws_chart_arm *chart_case_add(chart_case *c, const char *name, double x, double y)
{
    ws_chart_arm *arm = &c->arms[c->data.arm_count++];

    *arm = (ws_chart_arm){.name = ws_text_of(name),
                          .x = {.mean = x, .low = (double)NAN, .high = (double)NAN},
                          .y = {.mean = y, .low = (double)NAN, .high = (double)NAN}};
    return arm;
}

static inline void chart_case_draw(chart_case *c, const char *type)
{
    ws_chart_draw(ws_chart_type_find(ws_text_of(type)), &c->data, WS_TEXT("c1"), &c->canvas,
                  &c->arena);
    cr_assert(not(c->canvas.failed));
    cr_assert(eq(sz, c->canvas.depth, 0));
}

static inline ws_text chart_case_svg(chart_case *c)
{
    ws_writer writer;

    ws_writer_init_memory(&writer, &c->arena);
    cr_assert(ws_canvas_write_svg(&c->canvas, &writer, &c->diag));
    cr_assert(ws_writer_finish(&writer, &c->diag));
    return ws_writer_text(&writer);
}

static inline ws_text chart_case_list(chart_case *c)
{
    ws_writer writer;

    ws_writer_init_memory(&writer, &c->arena);
    ws_canvas_write_list(&c->canvas, &writer);
    cr_assert(ws_writer_finish(&writer, &c->diag));
    return ws_writer_text(&writer);
}

/* How often `part` stands in `text`. */
static inline int chart_case_count(ws_text text, const char *part)
{
    size_t length = strlen(part);
    int count = 0;

    for (size_t i = 0; i + length <= text.length; i++) {
        count += memcmp(text.start + i, part, length) == 0;
    }
    return count;
}

/* Calls of a kind. */
static inline int chart_case_calls(const chart_case *c, ws_canvas_kind kind)
{
    int count = 0;

    for (size_t i = 0; i < c->canvas.count; i++) {
        count += c->canvas.calls[i].kind == kind;
    }
    return count;
}

/* The text call that holds `text`, or NULL. */
static inline const ws_canvas_call *chart_case_text(const chart_case *c, const char *text)
{
    for (size_t i = 0; i < c->canvas.count; i++) {
        const ws_canvas_call *call = &c->canvas.calls[i];

        if (call->kind == WS_CANVAS_TEXT && ws_text_is(call->text, text)) {
            return call;
        }
    }
    return NULL;
}

#endif
