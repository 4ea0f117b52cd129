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
    ws_text folder;        /* of the scenario file: paths are relative to it */
    ws_loaded *loaded;     /* takes inputs and assumptions */
    const file_scenario *file;
    ws_scenario *scenario; /* that is being built */
} build;

/** Arena memory; on exhaustion a diagnostic WS9007 and NULL. */
void *build_alloc(build *context, size_t count, size_t size);
#define build_new(context, type, count) ((type *)build_alloc((context), (count), sizeof(type)))

/** Place of a key's value in a map; of the map when the key is absent. */
ws_span build_at(const ws_document *map, const char *key);

/** Adds an error with a place, a label under it and a help; texts may be NULL. Returns false. */
bool build_error(build *context, int code, ws_span at, ws_text message, const char *label, ws_text help);

/** printf into the arena. */
ws_text build_text(build *context, const char *format, ...) WS_PRINTF(2, 3);

/** Reads a scalar as a quantity; false with a diagnostic at its place. */
WS_NODISCARD bool build_quantity(build *context, const ws_document *document, ws_quantity_kind kind, ws_text name,
                                 ws_quantity *value);

/** Adds a sentence to the assumptions, once. */
void build_assume(build *context, ws_text sentence);

/** Each adds its part to context->scenario; false with diagnostics. */
WS_NODISCARD bool build_cluster(build *context);
WS_NODISCARD bool build_jobs(build *context);
WS_NODISCARD bool build_trace(build *context);

/** What is common to stated and recorded jobs. */
WS_NODISCARD bool build_accepted_pools(build *context, const ws_list *types, const ws_document *speed, ws_span at,
                                       ws_job_kind *kind);
WS_NODISCARD bool build_checkpoint(build *context, const file_checkpoint *file, ws_job_kind *kind);
ws_worker_start build_worker_start(const file_worker_start *file);

/** GPUs that all pools which a kind accepts can have together. */
int64_t build_reachable_gpus(const build *context, const ws_job_kind *kind);

/** How fast a stage's work is done: {curve: {SIZE: RATE, ...}} or {profile: {...}}. @param global_batch  0: not stated */
WS_NODISCARD bool build_step(build *context, const ws_document *document, int64_t global_batch, ws_step *step);

/** What a recording is taken to do at other sizes. One object serves all jobs of the same recorded size. */
typedef struct {
    enum { BUILD_SPEEDUP_NONE, BUILD_SPEEDUP_AMDAHL, BUILD_SPEEDUP_CURVE } kind;
    double parallel_fraction;
    const ws_curve_point *points; /* relative */
    size_t point_count;
    ws_text words; /* for the assumptions: "linear", "Amdahl's law with ..." */
} build_speedup;

WS_NODISCARD bool build_read_speedup(build *context, const ws_document *document, build_speedup *speedup);

/** The step model of a job recorded at `replicas`. False when the arena is exhausted. */
WS_NODISCARD bool build_apply_speedup(build *context, const build_speedup *speedup, int32_t replicas, ws_step *step);

/** The arms, from context->file->policies; `root` is the document before defaults, for arms with overrides of their own. */
WS_NODISCARD bool build_arms(build *context, const ws_document *pristine);

/** Builds a scenario from a document, in place of defaults and all. Used once for the file and once for each arm with `set`. */
WS_NODISCARD bool build_scenario(build *context, ws_document *root);

/** Metrics, baseline, thresholds. */
WS_NODISCARD bool build_comparison(build *context);

#endif
