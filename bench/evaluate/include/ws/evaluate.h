/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Every arm in every random world, and what can be said about the differences.
 *
 * Runs are independent: threads take them from one list in order, each with memory of its own, and
 * put what came of them into the slot [arm][replication]. Everything after that walks the slots in
 * order, so that results do not depend on the number of threads.
 *
 * What is compared with what is the scenario's business (ws/load.h): the baseline, the metrics, the
 * confidence, the thresholds. A value may be missing (a job that did not end has no time to
 * finish): a mean is then over the runs that have one, a comparison over the pairs that have both,
 * and `n` says how many there were.
 */
#ifndef WS_EVALUATE_H
#define WS_EVALUATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/arena.h"
#include "ws/diag.h"
#include "ws/load.h"
#include "ws/record.h"
#include "ws/run.h"
#include "ws/statistics.h"

#define WS_EVALUATE_THREADS_MAX 1024

/** Memory of one run unless said otherwise, bytes. */
#define WS_EVALUATE_RUN_BYTES ((size_t)1 << 34)

typedef struct {
    size_t threads; /* 1..WS_EVALUATE_THREADS_MAX; never more are started than there are runs */
    size_t run_bytes_max; /* memory of one run; 0: WS_EVALUATE_RUN_BYTES */
    uint64_t events_max;  /* events of one run; 0: the limit of ws_run() */
    bool check;           /* every invariant after every event; slow */

    /**
     * Called on the calling thread after runs have ended, and about ten times a second in between;
     * may be NULL. When it answers false, no further run is begun, those that are under way are
     * finished, and the evaluation is incomplete.
     */
    bool (*watch)(void *context, int64_t done, int64_t total);
    void *watch_context;
} ws_evaluation_options;

typedef enum {
    WS_RUN_ABSENT, /* not made: the evaluation was stopped, or the arm had failed before */
    WS_RUN_DONE,
    WS_RUN_FAILED
} ws_run_state;

typedef struct {
    ws_run_state state;
    ws_run_result result; /* of WS_RUN_DONE */
} ws_evaluation_run;

/** One metric of one arm over the replications. */
typedef struct {
    const ws_column *column;
    const double *values; /* by replication; NAN: missing, or no such run */
    ws_summary summary;   /* of those that are there; n = 0: none */
} ws_metric_values;

typedef struct {
    const ws_arm *arm;
    bool failed; /* a run of it failed: it has no statistics, and no runs after the one that failed
                  */
    const ws_evaluation_run *runs; /* by replication */
    size_t runs_done;
    const ws_metric_values *metrics; /* one for each name in ws_comparable_names, in that order */
} ws_evaluation_arm;

typedef struct {
    ws_threshold threshold;
    double observed; /* change of the ratio to the baseline, less 1; NAN: there is no such value */
    bool passed;     /* false too when there is no value */
} ws_threshold_result;

typedef struct {
    const ws_loaded *loaded;
    size_t replications;
    size_t arm_count;
    const ws_evaluation_arm *arms; /* in the order of the scenario */
    size_t metric_count;           /* of each arm */
    const ws_comparison_record
        *comparisons; /* arms but the baseline in order, the scenario's metrics within each */
    size_t comparison_count;
    const ws_threshold_result *thresholds;
    size_t threshold_count;
    size_t runs_done;
    bool complete; /* every run was made */
    bool stopped;  /* the watcher wanted no more */
    bool failed;   /* at least one arm */
    bool passed;   /* every threshold */

    struct ws_evaluation_worker *workers; /* whose memory the runs' records are in */
    size_t worker_count;
} ws_evaluation;

/**
 * Makes all runs and compares the arms.
 *
 * A run that fails (too many events, no memory) fails its arm; the others go on. Its diagnostic is
 * added to `diag`, with the run's place in the order of arms and replications, and the evaluation
 * says `failed`. Warnings tell where numbers mean less than they seem to: WS8201 (rare runs decide
 * a difference), WS8202 (runs without a value), WS8204 and WS8205 (shares of links that depend on
 * the model, or have no fixed point).
 *
 * @param evaluation  filled on true; to be ended with ws_evaluation_fini()
 * @param loaded      must outlive it
 * @param arena       takes the statistics; runs have memory of their own
 * @return            false with WS9030 when memory is exhausted, or with a diagnostic of severity
 * bug; nothing to end then
 */
WS_NODISCARD bool ws_evaluation_init(ws_evaluation *evaluation, const ws_loaded *loaded,
                                     const ws_evaluation_options *options, ws_arena *arena,
                                     ws_diag *diag);

/** Returns the memory of the runs. What lies in the caller's arena ends with that. */
void ws_evaluation_fini(ws_evaluation *evaluation);

/** The metric of an arm, by the name of its column; NULL when it is none that arms are compared by.
 */
const ws_metric_values *ws_evaluation_metric(const ws_evaluation *evaluation, size_t arm,
                                             ws_text name);

/** The comparison of an arm with the baseline in a metric; NULL when the scenario does not ask for
 * it. */
const ws_comparison_record *ws_evaluation_comparison(const ws_evaluation *evaluation, size_t arm,
                                                     ws_text metric);

/** Draws that ws_evaluation_pareto() makes. */
#define WS_PARETO_DRAWS 1000

/**
 * How sure it is that an arm belongs to the Pareto set of two metrics, that is, that no other arm
 * is at least as good in both and better in one. Replications are drawn anew with replacement, the
 * same for all arms (paired bootstrap), and the set of the means is taken; the draws depend on the
 * scenario's seed alone. A value that is missing is passed over; an arm without any is no member.
 * O(draws x arms x (replications + arms)).
 *
 * @param shares  receives for each arm the share of draws in which it is a member, 0..1
 * @return        false when the arena is exhausted
 */
WS_NODISCARD bool ws_evaluation_pareto(const ws_evaluation *evaluation, ws_text x, ws_text y,
                                       double *shares, ws_arena *arena);

#endif
