/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The columns of the table of `explain step`: which there are, and their cells. */
#ifndef WS_CLI_STEP_COLUMNS_H
#define WS_CLI_STEP_COLUMNS_H

#include "step_answer.h"
#include "table.h"

typedef struct ws_step_text ws_step_text;

/* One column: what it shows of a size. */
typedef struct {
    const char *heading;
    ws_text (*cell)(const ws_step_text *task, const ws_step_size *size);
    ws_term term; /* of time_cell */
} ws_step_column;

/** What the writing of one answer has at hand. */
struct ws_step_text {
    const ws_step_answer *answer;
    const ws_step_study *study;
    ws_writer *out;
    ws_arena *arena;
    double time_factor; /* from seconds to what is shown */
    int time_decimals;
    const char *time_unit;
    bool has_batch; /* at a size that is possible, as all below */
    bool has_micro;
    bool has_memory;
    bool has_pauses;
    bool has_noise;
    ws_step_column columns[WS_TABLE_COLUMNS_MAX];
    size_t column_count;
};

/** Finds units and what is known, from all sizes; before the columns. */
void ws_step_text_look(ws_step_text *task);

/** Chooses the columns. */
void ws_step_text_lay_out(ws_step_text *task);

/** A time as the table shows times. */
ws_text ws_step_text_seconds(const ws_step_text *task, double seconds);

#endif
