/* SPDX-License-Identifier: GPL-3.0-or-later */
/** How far things are, on standard error: a bar on a terminal, a line now and then elsewhere,
 * nothing for what is quick. */
#ifndef WS_CLI_PROGRESS_H
#define WS_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "terminal.h"

typedef struct {
    bool wanted;
    bool moves;    /* the line can be overwritten */
    bool is_shown; /* a bar stands on the line */
    double started_s;
    double next_s; /* when to say something again */
} ws_progress;

ws_progress ws_progress_begin(const ws_terminal *terminal, bool quiet);

/** To be called often. */
void ws_progress_show(ws_progress *progress, int64_t done, int64_t total);

/** Takes the bar away. */
void ws_progress_end(ws_progress *progress);

#endif
