/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Passes the news of a run on: to its journal and to whoever watches it. */
#ifndef WS_WATCHER_H
#define WS_WATCHER_H

#include "journal.h"

typedef struct {
    const ws_run_watch *watch; /* NULL: nobody watches */
    ws_journal *journal;       /* NULL: none is kept */
    ws_run_parts parts;
} ws_watcher;

/** Listens above control; once, before the first event. The watcher must stay where it is. Nothing
 * when nobody wants to hear. */
void ws_watcher_begin(ws_watcher *watcher, ws_control *control);

/** To be called after every event. */
void ws_watcher_event_done(const ws_watcher *watcher);

#endif
