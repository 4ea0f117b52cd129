/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The answer of `run` for people: a table of means, the changes against the baseline, and what to
 * make of them. */
#ifndef WS_CLI_ANSWER_H
#define WS_CLI_ANSWER_H

#include "terminal.h"
#include "ws/evaluate.h"
#include "ws/writer.h"

typedef struct {
    const ws_terminal *terminal;
    bool wide; /* all columns */
    double wall_s;
    size_t threads;
    const char *folder; /* of the results */
    ws_text files;      /* their names */
    const ws_diag
        *diag; /* whose warnings from index `new_from` on are shown: they came with the numbers */
    size_t new_from;
} ws_answer_context;

void ws_answer_write(const ws_evaluation *evaluation, const ws_answer_context *context,
                     ws_writer *out, ws_arena *arena);

#endif
