/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Nanoseconds as exact seconds: whole ones as an integer, others with up to nine decimals. */
#ifndef WS_TRACES_SECONDS_H
#define WS_TRACES_SECONDS_H

#include <stdint.h>

#include "ws/total.h"
#include "ws/writer.h"

/** A field of a CSV row. */
void ws_trace_write_s(ws_writer *writer, int64_t ns);

/** A number of a JSON object. */
void ws_trace_json_s(ws_writer *writer, const char *key, int64_t ns);

/** Likewise as text, empty for WS_TRACE_UNKNOWN_NS. */
void ws_trace_print_s(int64_t ns, char out[WS_TOTAL_TEXT_BYTES]);

#endif
