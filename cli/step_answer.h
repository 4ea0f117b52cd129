/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The answer of `explain step`: for people, for machines, as a chart, and the buckets alone. */
#ifndef WS_CLI_STEP_ANSWER_H
#define WS_CLI_STEP_ANSWER_H

#include "step_study.h"
#include "terminal.h"
#include "ws/chart.h"
#include "ws/writer.h"

typedef struct {
    const ws_step_study *study;
    const ws_terminal *terminal;
    const ws_diag *diag;  /* of loading */
    bool wide;            /* all columns */
    bool is_legal_list;   /* every legal size: batch, memory and cost come first */
    bool is_stage_chosen; /* nobody named the stage */
} ws_step_answer;

void ws_step_answer_write_text(const ws_step_answer *answer, ws_writer *out, ws_arena *arena);

/** One document: schema worldsize.explain-step/v1, described in docs/output.md. */
void ws_step_answer_write_json(const ws_step_answer *answer, ws_writer *json);

/** The picture of it. False after WS9020. */
WS_NODISCARD bool ws_step_answer_write_chart(const ws_step_answer *answer, bool is_png,
                                             ws_writer *out, ws_arena *arena, ws_diag *diag);

/** Rows gpus, bucket, bytes, ready_s of each possible size; the model must have buckets. */
void ws_step_answer_write_buckets(const ws_step_answer *answer, ws_writer *csv, ws_arena *arena);

#endif
