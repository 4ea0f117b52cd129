/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What the files that turn a scenario file into the simulator's structures share. */
#ifndef WS_SCENARIOS_BUILD_H
#define WS_SCENARIOS_BUILD_H

#include "file.h"
#include "ws/load.h"
#include "ws/quantity.h"

typedef struct {
    ws_arena *arena;
    ws_diag *diag;
    const ws_load_options *options;
    ws_text folder;    /* of the scenario file: paths are relative to it */
    ws_loaded *loaded; /* takes inputs and assumptions */
    const ws_file_scenario *file;
    ws_scenario *scenario; /* that is being built */
} ws_build;

/** Arena memory; on exhaustion a diagnostic WS9007 and NULL. */
void *ws_build_alloc(ws_build *context, size_t count, size_t size);
#define ws_build_new(context, type, count)                                                         \
    ((type *)ws_build_alloc((context), (count), sizeof(type)))

/** Place of a key's value in a map; of the map when the key is absent. */
ws_span ws_build_at(const ws_document *map, const char *key);

/** Adds an error with a place, a label under it and a help; texts may be NULL. Returns false. */
bool ws_build_error(ws_build *context, int code, ws_span at, ws_text message, const char *label,
                    ws_text help);

/** printf into the arena. */
ws_text ws_build_text(ws_build *context, const char *format, ...) WS_PRINTF(2, 3);

/** Reads a scalar as a quantity; false with a diagnostic at its place. */
WS_NODISCARD bool ws_build_quantity(ws_build *context, const ws_document *document,
                                    ws_quantity_kind kind, ws_text name, ws_quantity *value);

/** Adds a sentence to the assumptions, once. */
void ws_build_assume(ws_build *context, ws_text sentence);

/** Each adds its part to context->scenario; false with diagnostics. */
WS_NODISCARD bool ws_build_cluster(ws_build *context);
WS_NODISCARD bool ws_build_jobs(ws_build *context);
WS_NODISCARD bool ws_build_trace(ws_build *context);

/** What is common to stated and recorded jobs. */
WS_NODISCARD bool ws_build_accepted_pools(ws_build *context, const ws_list *types,
                                          const ws_document *speed, ws_span at, ws_job_kind *kind);
WS_NODISCARD bool ws_build_checkpoint(ws_build *context, const ws_file_checkpoint *file,
                                      ws_job_kind *kind);
ws_worker_start ws_build_worker_start(const ws_file_worker_start *file);

/** GPUs that all pools which a kind accepts can have together. */
int64_t ws_build_reachable_gpus(const ws_build *context, const ws_job_kind *kind);

/** How fast a stage's work is done: {curve: {SIZE: RATE, ...}} or {profile: {...}}. @param
 * global_batch  0: not stated */
WS_NODISCARD bool ws_build_step(ws_build *context, const ws_document *document,
                                int64_t global_batch, ws_step *step);

/** What a recording is taken to do at other sizes. One object serves all jobs of the same recorded
 * size. */
typedef struct {
    enum { WS_BUILD_SPEEDUP_NONE, WS_BUILD_SPEEDUP_AMDAHL, WS_BUILD_SPEEDUP_CURVE } kind;
    double parallel_fraction;
    const ws_curve_point *points; /* relative */
    size_t point_count;
    ws_text words; /* for the assumptions: "linear", "Amdahl's law with ..." */
} ws_build_speedup;

WS_NODISCARD bool ws_build_read_speedup(ws_build *context, const ws_document *document,
                                        ws_build_speedup *speedup);

/** The step model of a job recorded at `replicas`. False when the arena is exhausted. */
WS_NODISCARD bool ws_build_apply_speedup(ws_build *context, const ws_build_speedup *speedup,
                                         int32_t replicas, ws_step *step);

/** The arms, from context->file->policies; `root` is the document before defaults, for arms with
 * overrides of their own. */
WS_NODISCARD bool ws_build_arms(ws_build *context, const ws_document *pristine);

/** Builds a scenario from a document, in place of defaults and all. Used once for the file and once
 * for each arm with `set`. */
WS_NODISCARD bool ws_build_scenario(ws_build *context, ws_document *root);

/** Metrics, baseline, thresholds. */
WS_NODISCARD bool ws_build_comparison(ws_build *context);

#endif
