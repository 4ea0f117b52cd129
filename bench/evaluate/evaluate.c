/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ws/evaluate.h"

#include <string.h>

#include "compare.h"
#include "workers.h"

static bool evaluate_report_memory(ws_diag *diag)
{
    return ws_diag_error(diag, 9030, ws_span_none, "out of memory while comparing policies");
}

/* ---- the runs ---- */

static bool evaluate_list(work_list *list, const ws_loaded *loaded,
                          const ws_evaluation_options *options, ws_arena *arena)
{
    size_t replications = (size_t)loaded->scenario.replications;
    size_t total = loaded->arm_count * replications;

    *list = (work_list){
        .loaded = loaded,
        .options = options,
        .replications = replications,
        .total = total,
        .runs = ws_arena_alloc(arena, ws_evaluation_run, total),
        .faults = ws_arena_alloc(arena, ws_diag *, total),
        .arm_failed = ws_arena_alloc(arena, bool, loaded->arm_count),
        .wake = {-1, -1},
    };
    return list->runs != NULL && list->faults != NULL && list->arm_failed != NULL;
}

static bool evaluate_workers(ws_evaluation *evaluation, work_list *list, ws_arena *arena)
{
    WS_ASSERT(list->options->threads >= 1);

    const ws_evaluation_options *options = list->options;
    size_t bytes = options->run_bytes_max == 0 ? WS_EVALUATE_RUN_BYTES : options->run_bytes_max;
    size_t count = options->threads < list->total ? options->threads : list->total;

    evaluation->workers = ws_arena_alloc(arena, ws_evaluation_worker, count);
    if (evaluation->workers == NULL) {
        return false;
    }
    evaluation->worker_count = count;
    for (size_t i = 0; i < count; i++) {
        ws_evaluation_worker *worker = &evaluation->workers[i];
        worker->list = list;
        ws_arena_init(&worker->keep, &ws_allocator_default, bytes);
        ws_arena_init(&worker->scratch, &ws_allocator_default, bytes);
    }
    return true;
}

static void evaluate_hand_over(const ws_diag *from, ws_diag *diag)
{
    for (size_t i = 0; i < from->count; i++) {
        ws_diag_add(diag, &from->entries[i]);
    }
}

/*
 * Takes in the runs of one arm, in order. Threads may have made runs after one that failed, or not:
 * they are left out, so that what is there does not depend on luck. All runs before the first
 * failure have been made, since they are begun in order.
 */
static void evaluate_take_arm(const work_list *list, size_t index, ws_evaluation_arm *arm,
                              ws_diag *diag)
{
    WS_ASSERT(index < list->loaded->arm_count);

    ws_evaluation_run *runs = list->runs + index * list->replications;
    ws_diag **faults = list->faults + index * list->replications;

    *arm = (ws_evaluation_arm){.arm = &list->loaded->arms[index], .runs = runs};
    for (size_t i = 0; i < list->replications; i++) {
        if (arm->failed) {
            runs[i].state = WS_RUN_ABSENT;
            continue;
        }
        arm->failed = runs[i].state == WS_RUN_FAILED;
        arm->runs_done += runs[i].state == WS_RUN_DONE ? 1 : 0;
        if (faults[i] != NULL) {
            evaluate_hand_over(faults[i], diag);
        } else if (arm->failed) {
            (void)evaluate_report_memory(diag);
        }
    }
}

static bool evaluate_take(ws_evaluation *evaluation, const work_list *list, ws_arena *arena,
                          ws_diag *diag)
{
    WS_ASSERT(list->next <= list->total);

    const ws_loaded *loaded = list->loaded;
    ws_evaluation_arm *arms = ws_arena_alloc(arena, ws_evaluation_arm, loaded->arm_count);

    if (arms == NULL) {
        return evaluate_report_memory(diag);
    }
    for (size_t i = 0; i < loaded->arm_count; i++) {
        evaluate_take_arm(list, i, &arms[i], diag);
        evaluation->runs_done += arms[i].runs_done;
        evaluation->failed = evaluation->failed || arms[i].failed;
        if (!ws_compare_summarise(&arms[i], list->replications, loaded->confidence, arena)) {
            return evaluate_report_memory(diag);
        }
    }
    evaluation->arms = arms;
    evaluation->arm_count = loaded->arm_count;
    evaluation->complete = evaluation->runs_done == list->total;
    return !list->has_bug;
}

/* ---- the whole ---- */

static bool evaluate_run(ws_evaluation *evaluation, const ws_evaluation_options *options,
                         ws_arena *arena, ws_diag *diag)
{
    work_list list;

    if (!evaluate_list(&list, evaluation->loaded, options, arena) ||
        !evaluate_workers(evaluation, &list, arena)) {
        return evaluate_report_memory(diag);
    }
    ws_work_through(&list, evaluation->workers, evaluation->worker_count);
    evaluation->stopped = list.is_stopped;
    if (!evaluate_take(evaluation, &list, arena, diag)) {
        return false;
    }
    return ws_compare_arms(evaluation, arena, diag) || evaluate_report_memory(diag);
}

bool ws_evaluation_init(ws_evaluation *evaluation, const ws_loaded *loaded,
                        const ws_evaluation_options *options, ws_arena *arena, ws_diag *diag)
{
    ws_evaluation made = {.loaded = loaded};

    WS_ASSERT(loaded->arm_count >= 1);
    WS_ASSERT(loaded->baseline < loaded->arm_count);
    WS_ASSERT(loaded->scenario.replications >= 1);
    WS_ASSERT(options->threads >= 1);
    WS_ASSERT(options->threads <= WS_EVALUATE_THREADS_MAX);

    made.replications = (size_t)loaded->scenario.replications;
    while (ws_comparable_names[made.metric_count] != NULL) {
        made.metric_count++;
    }
    if (!evaluate_run(&made, options, arena, diag)) {
        ws_evaluation_fini(&made);
        return false;
    }
    *evaluation = made;
    return true;
}

void ws_evaluation_fini(ws_evaluation *evaluation)
{
    WS_ASSERT(evaluation->workers != NULL || evaluation->worker_count == 0);

    for (size_t i = 0; i < evaluation->worker_count; i++) {
        ws_arena_reset(&evaluation->workers[i].scratch);
        ws_arena_reset(&evaluation->workers[i].keep);
    }
    evaluation->worker_count = 0;
}

const ws_metric_values *ws_evaluation_metric(const ws_evaluation *evaluation, size_t arm,
                                             ws_text name)
{
    WS_ASSERT(arm < evaluation->arm_count);

    for (size_t i = 0; i < evaluation->metric_count; i++) {
        if (ws_text_is(name, ws_comparable_names[i])) {
            return &evaluation->arms[arm].metrics[i];
        }
    }
    return NULL;
}

const ws_comparison_record *ws_evaluation_comparison(const ws_evaluation *evaluation, size_t arm,
                                                     ws_text metric)
{
    WS_ASSERT(arm < evaluation->arm_count);

    for (size_t i = 0; i < evaluation->comparison_count; i++) {
        const ws_comparison_record *record = &evaluation->comparisons[i];
        if (ws_text_equals(record->policy, evaluation->arms[arm].arm->name) &&
            ws_text_equals(record->metric, metric)) {
            return record;
        }
    }
    return NULL;
}
