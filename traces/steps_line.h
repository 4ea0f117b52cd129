/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Pieces of a line of a training log: labels, dates, and numbers behind words. */
#ifndef WS_TRACES_STEPS_LINE_H
#define WS_TRACES_STEPS_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "ws/assert.h"
#include "ws/text.h"

#define WS_STEPS_LINE_BYTES 16384 /* a longer line tells of no step */

/** Copies a line without the escape sequences of colours (ECMA-48, `ESC [ ... letter`) into `room`,
 * which is WS_STEPS_LINE_BYTES; a line without any is not copied. */
ws_text ws_steps_plain(ws_text line, char *room);

/** The line behind the label of whoever wrote it: `3: ` (srun --label), `[rank3]:`, `[default3]:`,
 * `stdout: `. `*rank` is its number, or untouched. */
ws_text ws_steps_unlabelled(ws_text line, int64_t *rank);

/** The first date within the first 160 bytes, with the milliseconds behind a comma or a point.
 * False when there is none. */
bool ws_steps_date(ws_text line, int64_t *at_ns);

/** What stands behind the first `word`; false when that is not in the line. */
bool ws_steps_behind(ws_text line, const char *word, ws_text *rest);

/** The number at the beginning of a text, behind blanks: digits in groups of three (`5,856`) too;
 * `nan` and `inf` as written read as NAN. False when there is none. */
bool ws_steps_number(ws_text text, double *value);

/** Likewise a whole number of at most ten digits, and what is behind it (`rest` may be NULL). */
bool ws_steps_count(ws_text text, int64_t *value, ws_text *rest);

/** The number behind a word. False when the word is not there, or no number behind it. */
bool ws_steps_number_behind(ws_text line, const char *word, double *value);

/** The whole number behind a word. */
bool ws_steps_count_behind(ws_text line, const char *word, int64_t *value);

#endif
