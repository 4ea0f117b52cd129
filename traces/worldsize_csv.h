/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What reading and writing the program's own table share: its columns, and the guard of texts. */
#ifndef WS_TRACES_WORLDSIZE_CSV_H
#define WS_TRACES_WORLDSIZE_CSV_H

#include "ws/trace.h"

enum {
    OWN_ID,
    OWN_ARRIVAL,
    OWN_GPUS,
    OWN_NODES,
    OWN_DURATION,
    OWN_OUTCOME,
    OWN_USER,
    OWN_QUEUE,
    OWN_START,
    OWN_GPU_TYPE,
    OWN_KIND,
    OWN_GPUS_FRAC,
    OWN_ATTEMPTS,
    OWN_ORIGIN,
    OWN_ZONE,
    OWN_BATCH, /* written only where a job states one */
    OWN_COLUMN_COUNT
};

/** A row for each of OWN_COLUMN_COUNT columns. */
extern const ws_trace_column ws_own_columns[];

/** How many ' stand at the start, if a character follows that a spreadsheet takes for a formula;
 * else 0. */
size_t ws_own_guard_length(ws_text text);

#endif
