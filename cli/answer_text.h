/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The sentences under the tables. */
#ifndef WS_CLI_ANSWER_TEXT_H
#define WS_CLI_ANSWER_TEXT_H

#include "answer.h"

/** What the numbers are, what limits them, thresholds, assumptions, and where everything is. */
void ws_answer_write_text(const ws_evaluation *evaluation, const ws_answer_context *context,
                          ws_writer *out, ws_arena *arena);

#endif
