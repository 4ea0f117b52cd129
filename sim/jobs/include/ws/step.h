/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Step time: how fast a job works at a size, and where the time of its GPUs goes.
 *
 * A kind of step model is a constant ws_step_type; a stage names one with its parameters. To add
 * one: a file in sim/jobs/ that ends in its type, and a line in the list in step.c.
 */
#ifndef WS_STEP_H
#define WS_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/arena.h"
#include "ws/assert.h"
#include "ws/batch.h"
#include "ws/collective.h"
#include "ws/diag.h"
#include "ws/document.h"
#include "ws/explanation.h"
#include "ws/overlap.h"
#include "ws/text.h"

/** Most points of a measured curve. */
#define WS_CURVE_POINTS_MAX 256

/** A running world, as far as a step model needs it. */
typedef struct {
    int32_t replicas;         /* >= 1 */
    int32_t gpus_per_replica; /* >= 1 */
    int32_t nodes;            /* that it is placed on, >= 1 */
    int32_t leaves;           /* that its nodes are below, 1..nodes */
    int32_t pods;             /* 1..leaves */
    double fabric_share; /* 0 < s <= 1: what contention leaves of the inter-node links; 1: alone */
    double speed; /* of its slowest GPU type, relative to the one that the model states; > 0 */
    double read_bytes_per_s; /* of training data, when nobody else reads; 0: no limit */
} ws_world;

/** A world that has packed nodes for itself, side by side below as few switches as hold them, at
 * speed 1. `fabric` may be NULL. */
ws_world ws_world_packed(int32_t replicas, int32_t gpus_per_replica, int32_t gpus_per_node,
                         const ws_fabric *fabric);

/**
 * A group of a world's ranks: `ranks` of them, each `stride` after the one before, where the ranks
 * of the world are numbered node by node. So in the usual order (tensor, then data parallel) with t
 * GPUs a replica, the tensor-parallel groups are (t, 1) and the data-parallel ones (replicas, t).
 * A group that spans a part of the nodes is below as many leaves as that part holds, rounded up.
 *
 * @param ranks   >= 1; ranks x stride is at most the GPUs of the world
 * @param stride  >= 1
 */
ws_group ws_world_group(const ws_world *world, int32_t ranks, int32_t stride);

/** Work a second, and shares of each GPU's time; compute has the rest. */
typedef struct {
    double work_per_s;
    double communication; /* exposed */
    double input_stall;
    double straggle;
    double reading; /* of input_stall: waiting for training data to be read */
    double wire; /* share of a step in which it communicates between nodes, exposed or hidden; not
                    one of the shares above */
    double efficiency; /* of a stage's pace: useful of all work done, 1 without a noise scale */
} ws_pace;

typedef struct ws_step_type ws_step_type;

struct ws_step_type {
    const char *name;
    const char *summary;
    ws_pace (*pace)(const void *parameters, const ws_world *world);
    /** The range of replicas that was measured; outside it the run says "extrapolated". Both 0:
     * unbounded. */
    void (*valid_range)(const void *parameters, int32_t *low, int32_t *high);
    /** How far measured collectives cover what a world communicates; NULL: nothing is measured. */
    ws_coverage (*coverage)(const void *parameters, const ws_world *world);
    /** Fills in terms, their period, and what it knows of batch and memory; the rest is 0. */
    void (*explain)(const void *parameters, const ws_world *world, ws_explanation *explanation);
    /** The sequence in which one GPU's gradients are reduced: their number, of which at most
     * `capacity` are written. NULL: not known. */
    size_t (*buckets)(const void *parameters, const ws_world *world, ws_bucket *buckets,
                      size_t capacity);
};

/** A model with its parameters, which outlive it. */
typedef struct {
    const ws_step_type *type;
    const void *parameters;
} ws_step;

/** One measured size: `size` in replicas (or relative to the recorded size), `rate` in work/s (or
 * relative). */
typedef struct {
    double size;
    double rate;
} ws_curve_point;

/**
 * A curve through measured points. Between points the rate is interpolated linearly, which is
 * monotone where the points are; below the smallest it falls in proportion; above the largest it
 * stays, since nothing was measured there. The best rate per replica among the points is taken as
 * free of communication: what a size loses against it is booked as communication.
 */
typedef struct {
    const ws_curve_point *points; /* ascending in size, sizes and rates > 0 */
    size_t count;                 /* >= 1 */
    double best_rate_per_size;    /* max of rate / size */
    double unit;  /* replicas that size 1 stands for: 1, or the recorded size of a relative curve */
    bool in_gpus; /* sizes are GPUs, not replicas */
} ws_curve;

/** Fills best_rate_per_size; the points must be valid. */
ws_curve ws_curve_of(const ws_curve_point *points, size_t count, double unit, bool in_gpus);

/**
 * The speed-up that Amdahl's law gives relative to a recorded size: work with parallel fraction f
 * at relative size x of n0 workers runs at S(x n0) / S(n0), S(n) = 1 / (1 - f + f / n). Source:
 * Amdahl, AFIPS 1967.
 */
typedef struct {
    double parallel_fraction; /* 0..1; 1 is linear */
    double recorded_replicas; /* n0 >= 1 */
} ws_amdahl;

/**
 * A profile: a step of `global_batch` samples is divided over the replicas, each computes its
 * samples one micro-batch after the other, then the gradients are reduced over the network: each
 * GPU of a replica has its share of them, and reduces it with its peers in the others.
 * Communication hides behind `overlap` of the last micro-batch's compute, but for the last of the
 * `buckets`. A global batch that does not divide leaves replicas waiting for the one with a sample
 * more. Sources: bucketed overlap, S. Li et al., VLDB 13 (2020); exposed >= the last bucket, and >=
 * all less what the backward hides.
 */
typedef struct {
    const ws_network *network;
    double
        compute_s_per_sample; /* of one replica, forward and backward, on the GPU type of speed 1 */
    double bytes;             /* of gradients of one replica, a step */
    ws_batch batch;
    double overlap; /* 0..1 of the last micro-batch's compute */
    double buckets; /* >= 1 */
    double stall;   /* 0..1, below 1: share of a step that waits for input, whatever the size */
} ws_profile;

extern const ws_step_type ws_step_profile; /* parameters: ws_profile; work is samples */
extern const ws_step_type ws_step_curve;   /* parameters: ws_curve */
extern const ws_step_type
    ws_step_amdahl; /* parameters: ws_amdahl; work is seconds at the recorded size */

/** Share of each GPU's time in compute: what the others leave. */
static inline double ws_pace_compute(const ws_pace *pace)
{
    return 1 - pace->communication - pace->input_stall - pace->straggle;
}

/** Share in which a kernel is resident: a collective that waits is, a wait for input is not. */
static inline double ws_pace_busy(const ws_pace *pace)
{
    return 1 - pace->input_stall;
}

/** Work a second that is got through, whatever it is worth; of a stage's pace. */
static inline double ws_pace_processed(const ws_pace *pace)
{
    return pace->efficiency > 0 ? pace->work_per_s / pace->efficiency : 0;
}

/**
 * A pace among other jobs, of a model that states how long it communicates but not what: on several
 * nodes all of its communication goes over the links between them, and takes 1/fabric_share times
 * as long.
 *
 * @param alone  as measured, with `communication` set
 */
ws_pace ws_pace_among(const ws_pace *alone, const ws_world *world);

/**
 * A pace whose steps wait until their data is there: at `ratio` of the rate, the rest of the time
 * is input stall. Reading goes on beside computing and communicating, so that a step takes the
 * longer of the two. Source: the input pipelines of D. G. Murray et al., "tf.data: A Machine
 * Learning Data Processing Framework", VLDB 14 (2021); J. Mohan et al., "Analyzing and Mitigating
 * Data Stalls in DNN Training", VLDB 14 (2021), call the rest a fetch stall.
 *
 * @param ratio  0 < r <= 1: what is read over what the steps need
 */
ws_pace ws_pace_waiting(const ws_pace *pace, double ratio);

/** Pace of a world, with the GPU's speed applied to the rate. Never a rate of 0. */
ws_pace ws_step_pace(const ws_step *step, const ws_world *world);

/** Where the time of that pace goes. */
ws_explanation ws_step_explain(const ws_step *step, const ws_world *world);

#endif
