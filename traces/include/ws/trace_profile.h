/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Measured profiles of an application: how long a step takes at a size, and how many steps it
 * trains.
 *
 * The files are those of the Pollux artifact (github.com/petuum/adaptdl, branch osdi21-artifact,
 * simulator/traces/APPLICATION/): placements.csv and scalability.csv hold step times,
 * validation-BATCH.csv a whole training with a global batch of BATCH samples. Unlike a trace, a
 * profile with one bad row is refused: each row stands for many.
 */
#ifndef WS_TRACE_PROFILE_H
#define WS_TRACE_PROFILE_H

#include "ws/trace.h"

#define WS_TRACE_PROFILE_ROWS_MAX ((size_t)100000)
#define WS_TRACE_PROFILE_NODES_MAX 1000000

/** One measured step. */
typedef struct {
    int32_t nodes;       /* 1..WS_TRACE_PROFILE_NODES_MAX */
    int32_t gpus;        /* of all nodes together, nodes..WS_TRACE_GPUS_MAX */
    int32_t local_batch; /* samples of one GPU, 1..WS_TRACE_BATCH_MAX */
    double step_s; /* 1 ns to 10^7 s; with what synchronisation does not hide behind compute */
    double sync_s; /* of it, in synchronisation: 0 up to below step_s; -1: the file does not say */
} ws_trace_profile_row;

/** Rows as they were read, file after file; in the arena that they were read into. Zeroed before
 * the first. */
typedef struct {
    ws_trace_profile_row *rows;
    size_t count;
    size_t capacity;
} ws_trace_profile;

/**
 * Adds the rows of a placements.csv: placement (one digit a node: its GPUs, 1 to 9), local_bsz,
 * step_time, and sync_time where there is one.
 *
 * @return  false with an error: the file cannot be read, a column is missing (WS6101), a value
 * cannot be used (WS6130), there is no row (WS6131), or there are too many (WS9020); `*profile` may
 * then hold some of the rows
 */
WS_NODISCARD bool ws_trace_profile_read_placements(ws_trace_profile *profile,
                                                   const ws_file_name *file, ws_arena *arena,
                                                   ws_diag *diag);

/** Adds the rows of a scalability.csv: num_nodes, num_replicas, local_bsz, step_time, and
 * sync_time where there is one. Otherwise the same. */
WS_NODISCARD bool ws_trace_profile_read_scalability(ws_trace_profile *profile,
                                                    const ws_file_name *file, ws_arena *arena,
                                                    ws_diag *diag);

/**
 * The last `iteration` of a validation-BATCH.csv: the steps that the training took, 1 to 2^53. They
 * must not fall from row to row.
 *
 * @return  false with an error as above; `*iterations` is untouched then
 */
WS_NODISCARD bool ws_trace_profile_read_iterations(int64_t *iterations, const ws_file_name *file,
                                                   ws_diag *diag);

/** Gradient statistics over a training: the noise of a gradient over its square, until a progress.
 */
typedef struct {
    double progress; /* where the row was measured; ascending */
    double noise;    /* grad_var / grad_sqr, >= 0: the noise scale over M0 */
} ws_trace_profile_noise;

/**
 * The gradient statistics of a validation-BATCH.csv. Rows whose grad_sqr is not above 0 or whose
 * grad_var is below 0 say nothing (noise has swamped the gradient) and are passed over.
 *
 * @param rows   out: in the arena
 * @param count  out: >= 1
 * @return       false with an error as above, also when no row says anything
 */
WS_NODISCARD bool ws_trace_profile_read_noise(const ws_trace_profile_noise **rows, size_t *count,
                                              const ws_file_name *file, ws_arena *arena,
                                              ws_diag *diag);

#endif
