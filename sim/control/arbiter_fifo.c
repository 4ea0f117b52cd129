/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ws/arbiter.h"

/** A waiting job takes the largest legal size that fits. False: it blocks the queue. */
static bool fifo_start(ws_arbitration *arbitration, size_t job)
{
    int32_t possible = ws_arbitration_possible(arbitration, job);
    return possible > 0 && ws_arbitration_grant(arbitration, job, possible);
}

static void fifo_pass(ws_arbitration *arbitration)
{
    size_t waiting = ws_arbitration_next_waiting(arbitration, 0);
    size_t hungry = ws_arbitration_next_hungry(arbitration, 0);

    while (waiting != WS_INDEX_NONE || hungry != WS_INDEX_NONE) {
        if (hungry < waiting) { /* WS_INDEX_NONE is larger than any job */
            ws_arbitration_grow(arbitration, hungry);
            hungry = ws_arbitration_next_hungry(arbitration, hungry + 1);
        } else if (fifo_start(arbitration, waiting)) {
            waiting = ws_arbitration_next_waiting(arbitration, waiting + 1);
        } else {
            waiting = WS_INDEX_NONE;
        }
    }
}

const ws_arbiter_type ws_arbiter_fifo = {
    .name = "fifo",
    .summary = "strictly in order of submission; a gang that does not fit blocks those behind it",
    .pass = fifo_pass,
};
