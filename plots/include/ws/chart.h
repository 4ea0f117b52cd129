/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Kinds of charts: what they show, and plain data that they draw from.
 *
 * Every chart has a title that states its question, axis titles with units, the number of
 * replications, what its intervals are, and the name of the file that holds its numbers. Colour
 * never stands alone: shape and a direct label say the same.
 */
#ifndef WS_CHART_H
#define WS_CHART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/account.h"
#include "ws/canvas.h"
#include "ws/text.h"

#define WS_CHART_ARMS_MAX 64

/** Single values drawn for an arm; of more, every k-th. */
#define WS_CHART_VALUES_MAX 200

/** A mean and its interval. */
typedef struct {
    double mean; /* NaN: none, the arm is not drawn but named below the chart */
    double low;
    double high; /* both NaN: no interval */
} ws_chart_estimate;

/** One arm of a comparison in two metrics. */
typedef struct {
    ws_text name;
    ws_chart_estimate x;
    ws_chart_estimate y;
    const double *x_values; /* of each replication, in their order; may be NULL. NaN: passed over */
    const double *y_values;
    size_t value_count;
    bool is_baseline;
    bool is_bound; /* nobody can do it (the oracle's bound): a hollow diamond, not in the Pareto set
                    */
    bool is_uncertain; /* its place in the Pareto set holds in too few bootstrap draws: a hollow
                          mark */
} ws_chart_arm;

typedef struct {
    ws_text label; /* "cost" */
    ws_text unit;  /* "USD"; may be empty */
    bool higher_is_better;
    bool is_cut; /* the axis may begin elsewhere than at 0; the y axis of a Pareto chart always may
                  */
} ws_chart_axis;

/** Most vertices of one series of a timeline. */
#define WS_CHART_SERIES_VERTICES_MAX 2000

/** The lowest and the highest value within a step. */
typedef struct {
    double low;
    double high;
} ws_chart_range;

/** One step of time, over all pools. */
typedef struct {
    double begin_s;      /* ascending from step to step, >= 0 */
    ws_chart_range paid; /* all in GPUs */
    ws_chart_range ready;
    ws_chart_range busy;
    ws_chart_range waiting;
    ws_chart_range wanted; /* busy and waiting */
    ws_chart_range main_gpus;
    int stage; /* index of the main job's stage; -1: it has none now */
} ws_chart_step;

/** What one arm did in one world. */
typedef struct {
    ws_text arm;
    int64_t replication;
    double end_s;    /* of the last step, > its begin */
    double warmup_s; /* 0: measured from the beginning */
    const ws_chart_step *steps;
    size_t step_count;
    ws_text main_job;      /* empty: there is none, and no panel for it */
    const ws_text *stages; /* their names */
    size_t stage_count;
} ws_chart_course;

/** Where the paid GPU-time of one arm went, means over replications, GPU-hours. */
typedef struct {
    ws_text arm;
    double paid_gpu_h;                      /* NaN: the arm has no runs */
    double account_gpu_h[WS_ACCOUNT_COUNT]; /* sum: paid */
    double axis_gpu_h; /* end of the x axis: the largest `paid_gpu_h` of the arms that are shown
                          side by side */
} ws_chart_accounts;

/** Most parts of a breakdown, and most rows that are drawn; of more, the first, the last, the
 * marked and some between. */
#define WS_CHART_PARTS_MAX 16
#define WS_CHART_ROWS_MAX 24

/** A part that every row of a breakdown may have. */
typedef struct {
    ws_text name;
    ws_account account; /* that its colour is of; a part more of the same is lighter */
} ws_chart_part;

/** One bar of parts. */
typedef struct {
    ws_text label;                     /* on its left */
    ws_text value;                     /* on its right */
    ws_text reason;                    /* why there is no bar; empty: there is one */
    double shares[WS_CHART_PARTS_MAX]; /* 0..1, they sum to 1 */
    bool is_marked;
} ws_chart_split_row;

/** What a whole is made of, at several sizes. */
typedef struct {
    const ws_chart_part *parts;
    size_t part_count; /* at most WS_CHART_PARTS_MAX (asserted) */
    const ws_chart_split_row *rows;
    size_t row_count;
    ws_text values; /* heading of the values: "a step, efficiency"; may be empty */
} ws_chart_split;

/** Most panels of one chart, and most series and bars of a panel. */
#define WS_CHART_PANELS_MAX 12
#define WS_CHART_PANEL_SERIES_MAX 2
#define WS_CHART_PANEL_BARS_MAX 64

typedef enum {
    WS_CHART_BARS,  /* a bar of each series for each label */
    WS_CHART_CURVE, /* shares of values: x is time on a logarithmic axis, y goes from 0 to 1 */
    WS_CHART_STEPS  /* what is, over time: each value from its x to the next, the last to `end_x` */
} ws_chart_panel_kind;

/** Numbers of one kind; the first series of a panel is filled, the second one an outline. */
typedef struct {
    ws_text name;
    const double *x; /* s, ascending; unused by bars */
    const double *y; /* >= 0 */
    size_t count;    /* of bars: as many as there are labels (asserted) */
} ws_chart_numbers;

/** One of several small charts on a page. */
typedef struct {
    ws_chart_panel_kind kind;
    int row;      /* from 0, no gaps */
    double share; /* of the row's width, relative to those of its other panels */
    ws_text heading;
    ws_text x_title;       /* with the unit, but of steps, which get one; may be empty */
    const ws_text *labels; /* of bars */
    size_t label_count;
    bool is_percent; /* values are shares, 0..1 */
    double end_x;    /* of steps: s, > 0 */
    ws_chart_numbers series[WS_CHART_PANEL_SERIES_MAX];
    size_t series_count; /* >= 1 */
} ws_chart_panel;

typedef struct {
    const ws_chart_panel *panels; /* by row, then from left to right */
    size_t count;                 /* at most WS_CHART_PANELS_MAX (asserted) */
} ws_chart_panels;

/** What charts draw from; a kind reads the parts that it needs. All is borrowed until draw()
 * returns. */
typedef struct {
    ws_text title;     /* the question; empty: the kind's own */
    ws_text source;    /* file of the numbers: "summary.csv"; may be empty */
    ws_text note;      /* one more sentence below; may be empty */
    int replications;  /* n */
    double confidence; /* of the intervals, 0.95 */
    ws_text interval;  /* how they were made: "Student's t over replications"; may be empty */
    ws_chart_axis x;
    ws_chart_axis y;
    const ws_chart_arm *arms;
    size_t arm_count;                  /* at most WS_CHART_ARMS_MAX (asserted) */
    const ws_chart_course *course;     /* of kind timeline; NULL: none */
    const ws_chart_accounts *accounts; /* of kind waterfall; NULL: none */
    const ws_chart_split *breakdown;   /* of kind breakdown; NULL: none */
    const ws_chart_panels *panels;     /* of kind panels; NULL: none */
} ws_chart_data;

typedef struct {
    const char *name;     /* "pareto" */
    const char *summary;  /* one line for `worldsize list` */
    const char *question; /* the title when the data states none */
    double width_px;      /* that it is laid out for */
    double height_px;
    /**
     * Draws on a canvas that was initialised by ws_chart_draw(). Never fails: without data it says
     * so in words; a full arena is told by the canvas.
     */
    void (*draw)(ws_canvas *canvas, const ws_chart_data *data);
    /** What the chart shows, in numbers, for those who do not see it. NULL start when the arena is
     * exhausted. */
    ws_text (*describe)(const ws_chart_data *data, ws_arena *arena);
} ws_chart_type;

/** Number of kinds, and each of them, sorted by name. */
size_t ws_chart_type_count(void);
const ws_chart_type *ws_chart_type_at(size_t index);

/** NULL when there is no such kind. */
const ws_chart_type *ws_chart_type_find(ws_text name);

/** A drawing of one chart: the frame from its kind and data, then draw(). `id_prefix` as in
 * ws_canvas_frame. */
void ws_chart_draw(const ws_chart_type *type, const ws_chart_data *data, ws_text id_prefix,
                   ws_canvas *canvas, ws_arena *arena);

#endif
