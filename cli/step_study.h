/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * What the step model of one stage says at several sizes: what `explain step` answers. Prints
 * nothing.
 *
 * The knee of a list of sizes is the one with the largest W^2 / n, W the work per second and n the
 * GPUs: where efficiency over time per unit of work is largest, and cost times time least. Source:
 * D. Eager, J. Zahorjan, E. Lazowska, "Speedup versus efficiency in parallel systems", IEEE Trans.
 * Computers 38(3), 1989. Near it one percent more GPUs brings half a percent more work.
 */
#ifndef WS_CLI_STEP_STUDY_H
#define WS_CLI_STEP_STUDY_H

#include "ws/load.h"

#define WS_STEP_SIZES_MAX 4096

/** What to look at. */
typedef struct {
    ws_text job;    /* empty: the main job, else the first */
    ws_text stage;  /* empty: the longest at the initial size */
    ws_text pool;   /* empty: the first that the job accepts */
    bool all_legal; /* every legal size that the accepted pools hold; else `gpus` */
    const int64_t *gpus;
    size_t gpus_count;
} ws_step_question;

/** One size. Where it is impossible all numbers but the GPUs are 0. */
typedef struct {
    int64_t gpus;
    int32_t replicas;
    ws_text reason; /* why it is impossible, a phrase; empty: it is possible */
    ws_world world;
    ws_explanation explanation; /* of a step where a step is known, else of a second */
    double batch;               /* samples of a step; 0: not known */
    double pauses_s;            /* checkpoints and evaluations, for each such step or second */
    double stepping_per_s;      /* useful work a second while it steps */
    double work_per_s;          /* with pauses counted */
    double batch_efficiency;    /* of a sample, by the noise scale; 1 without one */
    double efficiency;          /* work_per_s per GPU, relative to the smallest possible size */
    double marginal; /* work that one GPU more brought since the size before, relative to what a GPU
                        did there; NaN for the first */
    double data_needed;  /* training data that its steps would read if they never waited, bytes/s;
                            0: none that counts */
    double data_waiting; /* 0..1: share of its time that it waits for them */
    double price_per_h;  /* of its GPUs */
    double cost;         /* of cost_work */
    bool is_extrapolated;
    bool is_knee;
} ws_step_size;

typedef struct {
    ws_text job;
    ws_text stage;
    size_t stage_count; /* of the job */
    ws_text pool;
    size_t pool_count; /* that the job accepts */
    ws_text gpu_type;
    const ws_step_type *model;
    ws_work_unit unit;
    ws_text currency;
    double cost_work; /* work that `cost` is of: 10^9 tokens, 10^6 samples, 10^3 steps, an hour */
    bool is_step;     /* periods are steps */
    unsigned known;   /* terms that the model has */
    const char *unsplit; /* of the model, may be NULL */
    ws_step step;
    ws_step_size *sizes; /* ascending, all different */
    size_t count;
    size_t possible;
    bool has_knee;        /* at least two are possible */
    bool is_knee_last;    /* it is the largest possible one: the true one may lie beyond */
    int64_t legal_beyond; /* of all_legal: the smallest legal size, in GPUs, that no pool holds; 0:
                             none */
} ws_step_study;

/** False after a message on standard error, which names what was meant. */
WS_NODISCARD bool ws_step_study_make(ws_step_study *study, const ws_loaded *loaded,
                                     const ws_step_question *question, ws_arena *arena);

/** "samples", "tokens", "steps", "recorded seconds". */
const char *ws_step_study_unit(const ws_step_study *study);

/** "10^9 tokens". */
const char *ws_step_study_cost_unit(const ws_step_study *study);

/** Term of some possible size: above 0 anywhere. */
bool ws_step_study_has(const ws_step_study *study, ws_term term);

#endif
