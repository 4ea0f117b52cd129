/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Ids that several jobs bear, made different. */
#ifndef WS_TRACES_IDS_H
#define WS_TRACES_IDS_H

#include "ws/trace.h"

/**
 * Gives each job an id of its own: one whose id an earlier job of the array bears gets `#2`, `#3`,
 * ... behind it, the first that no job has. Expected O(n).
 *
 * @param arena  holds the new ids
 * @return       how many jobs got one; -1 when memory is exhausted
 */
int64_t ws_trace_ids_part(ws_trace_job *jobs, size_t count, ws_arena *arena);

#endif
