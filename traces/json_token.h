/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The lower half of the JSON reader: bytes with their places, texts, numbers and words. */
#ifndef WS_TRACES_JSON_TOKEN_H
#define WS_TRACES_JSON_TOKEN_H

#include "json_reader.h"

#define WS_JSON_NO_BYTE (-1)

/** The next byte, or WS_JSON_NO_BYTE at the end; for a failed input the reader has failed then. */
int ws_json_peek(ws_json_reader *json);

/** The same behind blanks and line ends. */
int ws_json_peek_behind_blanks(ws_json_reader *json);

/** Moves behind the byte that was peeked. */
void ws_json_pass(ws_json_reader *json);

/** A place as a span, without its line. */
ws_span ws_json_span(const ws_json_reader *json, ws_json_place place);

/** Reports a fault, unless one was told already, and ends the reading. Always false. */
bool ws_json_fail(ws_json_reader *json, int code, ws_json_place place, const char *message);

/** The same for a file that ends too early: told where what is open began. */
bool ws_json_fail_cut(ws_json_reader *json);

/** A text whose opening quote is the next byte, into json->text. */
WS_NODISCARD bool ws_json_take_text(ws_json_reader *json);

/** A number, whose digits go into json->text. */
WS_NODISCARD bool ws_json_take_number(ws_json_reader *json);

/** true, false or null. */
WS_NODISCARD bool ws_json_take_word(ws_json_reader *json);

#endif
