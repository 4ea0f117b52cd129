/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What `trace synth` drew, and its answer for people and for machines. */
#ifndef WS_CLI_TRACE_SYNTH_ANSWER_H
#define WS_CLI_TRACE_SYNTH_ANSWER_H

#include "terminal.h"
#include "ws/trace_synth.h"

typedef struct {
    const ws_synth *synth;
    const ws_trace_shape *shape;    /* of what was drawn */
    const ws_trace_shape *recorded; /* NULL: there is nothing to be like */
    uint64_t seed;
    const ws_trace_export *form;
    ws_text file; /* as it may be shown */
    int64_t bytes;
    char sha256[WS_SHA256_TEXT_BYTES];
    const ws_diag *diag;
    const ws_terminal *terminal;
} ws_synth_answer;

/** A word and its meaning a line; of a fit its quality, and the distances. */
void ws_synth_answer_write_text(const ws_synth_answer *answer, ws_writer *out, ws_arena *arena);

/** One document: schema worldsize.trace-synth/v1, described in docs/output.md. */
void ws_synth_answer_write_json(const ws_synth_answer *answer, ws_writer *json);

#endif
