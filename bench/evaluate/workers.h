/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Threads that take runs from one list and put results into slots. */
#ifndef WS_EVALUATE_WORKERS_H
#define WS_EVALUATE_WORKERS_H

#include <pthread.h>

#include "ws/evaluate.h"

struct work_list;

/** A thread and its memory. `keep` outlives the thread: records of its runs lie there. */
typedef struct ws_evaluation_worker {
    ws_arena keep;
    ws_arena scratch; /* reset after each run */
    pthread_t thread;
    bool is_started;
    struct work_list *list;
} ws_evaluation_worker;

/** All runs in the order in which they are begun: the arms of replication 0, those of replication
 * 1, ... so that what is there when the work is stopped early can be compared in pairs. Slots are
 * [arm * replications + replication]. */
typedef struct work_list {
    const ws_loaded *loaded;
    const ws_evaluation_options *options;
    size_t replications;
    ws_evaluation_run *runs;
    ws_diag **faults; /* of each slot: what its run had to say, NULL: nothing */

    pthread_mutex_t lock; /* over everything that follows */
    bool *arm_failed;
    size_t total;
    size_t next;
    size_t done;
    size_t busy_workers;
    bool is_stopped; /* by the watcher */
    bool has_bug;
    int wake[2]; /* a pipe: workers write, the watcher waits; -1: there is none */
} work_list;

/** Makes the runs of the list with as many of the workers as can be started, and returns when the
 * last one has ended. */
void ws_work_through(work_list *list, ws_evaluation_worker *workers, size_t worker_count);

#endif
