/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The calling thread runs nothing itself: it waits on a pipe, so that it can tell its watcher how
 * far things are without a clock and hear of a signal at once. Where no thread can be started, it
 * does the work alone.
 */
#include "workers.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <unistd.h>

#include "ws/thread.h"

#define WORK_WATCH_MS 100
#define WORK_STACK_BYTES ((size_t)2 << 20)

static size_t work_slot(const work_list *list, size_t index)
{
    WS_ASSERT(index < list->total);

    size_t arm = index % list->loaded->arm_count;
    size_t replication = index / list->loaded->arm_count;

    return arm * list->replications + replication;
}

/* The next run; those of arms that have failed are passed over. False: there is none left. */
static bool work_take(work_list *list, size_t *index)
{
    WS_ASSERT(list->next <= list->total);

    size_t arms = list->loaded->arm_count;

    (void)pthread_mutex_lock(&list->lock);
    while (list->next < list->total && list->arm_failed[list->next % arms]) {
        list->next++;
        list->done++;
    }
    bool found = list->next < list->total && !list->is_stopped && !list->has_bug;
    if (found) {
        *index = list->next++;
    }
    (void)pthread_mutex_unlock(&list->lock);
    return found;
}

static bool work_is_bug(const ws_diag *diag)
{
    for (size_t i = 0; i < diag->count; i++) {
        if (diag->entries[i].severity == WS_SEVERITY_BUG) {
            return true;
        }
    }
    return false;
}

static void work_finish(work_list *list, size_t index, const ws_diag *diag)
{
    WS_ASSERT(list->runs[work_slot(list, index)].state != WS_RUN_ABSENT);

    bool failed = list->runs[work_slot(list, index)].state == WS_RUN_FAILED;

    (void)pthread_mutex_lock(&list->lock);
    list->done++;
    if (failed) {
        list->arm_failed[index % list->loaded->arm_count] = true;
    }
    list->has_bug = list->has_bug || work_is_bug(diag);
    (void)pthread_mutex_unlock(&list->lock);
}

static void work_wake(const work_list *list)
{
    if (list->wake[1] >= 0) {
        /* A full pipe has woken the watcher already. */
        ssize_t written = write(list->wake[1], "", 1);
        (void)written;
    }
}

/* Timelines, job records and events are of replication 0, or of all where the scenario wants that.
 */
static ws_run_options work_options(const work_list *list, size_t replication)
{
    WS_ASSERT(replication < list->replications);

    const ws_loaded *loaded = list->loaded;
    bool recorded = replication == 0 || loaded->record_all;

    return (ws_run_options){
        .replication = replication,
        .events_max = list->options->events_max,
        .timeline_step = recorded ? loaded->timeline_step : (ws_duration){.ns = 0},
        .with_jobs = recorded,
        .with_events = recorded,
        .check = list->options->check,
    };
}

static void work_run(ws_evaluation_worker *worker, size_t index, ws_diag *diag)
{
    WS_ASSERT(worker->list != NULL);

    work_list *list = worker->list;
    size_t slot = work_slot(list, index);
    const ws_arm *arm = &list->loaded->arms[index % list->loaded->arm_count];
    ws_run_options options = work_options(list, index / list->loaded->arm_count);
    ws_evaluation_run *run = &list->runs[slot];

    ws_diag_init(diag, &worker->keep);
    bool done = ws_run(&run->result, arm, &options, &worker->keep, &worker->scratch, diag);
    ws_arena_reset(&worker->scratch);
    run->state = done ? WS_RUN_DONE : WS_RUN_FAILED;
    if (diag->count > 0) {
        /* Without memory for the fault's record the failed state alone has to tell. */
        ws_diag *fault = ws_arena_alloc(&worker->keep, ws_diag, 1);
        list->faults[slot] = fault;
        if (fault != NULL) {
            *fault = *diag;
        }
    }
}

/* Runs until there is nothing left. The watcher is told when there is no other thread to do so. */
static void work_all(ws_evaluation_worker *worker, bool is_alone)
{
    work_list *list = worker->list;
    const ws_evaluation_options *options = list->options;
    size_t index = 0;

    while (work_take(list, &index)) {
        ws_diag diag;
        work_run(worker, index, &diag);
        work_finish(list, index, &diag);
        work_wake(list);
        if (is_alone && options->watch != NULL &&
            !options->watch(options->watch_context, (int64_t)list->done, (int64_t)list->total)) {
            list->is_stopped = true;
        }
    }
}

static void *work_thread(void *argument)
{
    ws_evaluation_worker *worker = argument;
    work_list *list = worker->list;

    work_all(worker, false);
    (void)pthread_mutex_lock(&list->lock);
    list->busy_workers--;
    (void)pthread_mutex_unlock(&list->lock);
    work_wake(list);
    return NULL;
}

/* Sleeps until a run has ended, a signal has come, or a tenth of a second has gone by. */
static void work_wait(const work_list *list)
{
    struct pollfd ready = {.fd = list->wake[0], .events = POLLIN};
    char bytes[256];

    if (poll(&ready, 1, WORK_WATCH_MS) <= 0) {
        return;
    }
    while (read(list->wake[0], bytes, sizeof bytes) > 0) {
    }
}

static void work_watch(work_list *list)
{
    const ws_evaluation_options *options = list->options;

    for (;;) {
        (void)pthread_mutex_lock(&list->lock);
        size_t busy = list->busy_workers;
        size_t done = list->done;
        (void)pthread_mutex_unlock(&list->lock);
        bool goes_on = options->watch == NULL ||
                       options->watch(options->watch_context, (int64_t)done, (int64_t)list->total);
        if (busy == 0) {
            return;
        }
        if (!goes_on) {
            (void)pthread_mutex_lock(&list->lock);
            list->is_stopped = true;
            (void)pthread_mutex_unlock(&list->lock);
        }
        work_wait(list);
    }
}

static void work_open_pipe(work_list *list)
{
    if (pipe(list->wake) != 0) {
        list->wake[0] = -1;
        list->wake[1] = -1;
        return;
    }
    for (int end = 0; end < 2; end++) {
        (void)fcntl(list->wake[end], F_SETFD, FD_CLOEXEC);
        (void)fcntl(list->wake[end], F_SETFL, O_NONBLOCK);
    }
}

static void work_close_pipe(work_list *list)
{
    for (int end = 0; end < 2; end++) {
        if (list->wake[end] >= 0) {
            (void)close(list->wake[end]);
        }
    }
}

/* Starts the threads and returns how many there are. */
static size_t work_start(work_list *list, ws_evaluation_worker *workers, size_t worker_count)
{
    WS_ASSERT(worker_count >= 1);

    size_t started = 0;

    (void)pthread_mutex_lock(&list->lock);
    for (size_t i = 0; i < worker_count; i++) {
        ws_evaluation_worker *worker = &workers[i];
        worker->is_started =
            ws_thread_start(&worker->thread, WORK_STACK_BYTES, work_thread, worker);
        started += worker->is_started ? 1 : 0;
    }
    list->busy_workers = started;
    (void)pthread_mutex_unlock(&list->lock);
    return started;
}

void ws_work_through(work_list *list, ws_evaluation_worker *workers, size_t worker_count)
{
    WS_ASSERT(worker_count >= 1);
    WS_ASSERT(list->total == list->loaded->arm_count * list->replications);

    (void)pthread_mutex_init(&list->lock, NULL);
    work_open_pipe(list);
    if (work_start(list, workers, worker_count) == 0) {
        work_all(&workers[0], true);
    } else {
        work_watch(list);
    }
    for (size_t i = 0; i < worker_count; i++) {
        if (workers[i].is_started) {
            (void)pthread_join(workers[i].thread, NULL);
        }
    }
    work_close_pipe(list);
    (void)pthread_mutex_destroy(&list->lock);
}
