/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What a job is, as a workload states it: plain data, filled above and constant during a run. */
#ifndef WS_JOB_H
#define WS_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/batch.h"
#include "ws/channels.h"
#include "ws/demand.h"
#include "ws/distribution.h"
#include "ws/efficiency.h"
#include "ws/elasticity.h"
#include "ws/label.h"
#include "ws/pool.h"
#include "ws/quantity.h"
#include "ws/step.h"
#include "ws/text.h"
#include "ws/time.h"

#define WS_STAGES_MAX 256
#define WS_JOBS_MAX INT64_C(100000000)
#define WS_REPLICAS_MAX 1000000

/** In-line evaluations: the world keeps its GPUs, computes and does not train. */
typedef struct {
    double every; /* work of the stage between two of them; 0: none */
    ws_duration time;
} ws_stage_evaluation;

typedef struct {
    ws_text name;
    double work; /* > 0; samples, tokens, steps, or seconds at the recorded size (unit NONE) */
    ws_work_unit unit;
    ws_step step;              /* in work a second of the model's own unit */
    double work_per_step_work; /* work of the stage in one unit of the model's; 0: the same unit */
    bool is_work_steps; /* the work is steps of a batch that follows the size: its rate is also
                           divided by the samples of a step */
    ws_batch batch;     /* without both batches: not known */
    ws_efficiency efficiency; /* needs a batch */
    ws_learning_rate_rule learning_rate;
    ws_stage_evaluation evaluation;
    double checkpoint_every; /* work between two writes besides those by time; 0: none */
    double read_bytes;       /* of training data, for each unit of work that is got through (of each
                                sample, where is_work_steps); 0: none that counts */
    const ws_demand *demand; /* of which `work` is the total: it arrives while the job runs. Such a
                                stage is the only one of its job, without a batch, evaluations and
                                checkpoints. NULL: all of it is there from the start */
    int32_t replicas_min;    /* limits of the stage, within the job's */
    int32_t replicas_max;
} ws_stage_spec;

typedef struct {
    ws_duration every;   /* running time between the end of one write and the begin of the next; 0:
                            only by  work, as the stages say */
    ws_duration write;   /* blocking time of one write */
    ws_duration read;    /* at a restart from it */
    double write_bytes;  /* > 0: a write is a flow of so many, and `write` what it takes alone */
    double read_bytes;   /* > 0: likewise */
    bool before_resize;  /* a write before every planned resize, so that it loses nothing */
    int32_t keep;        /* newest ones that the storage holds until the job ends; 0: one */
    ws_price keep_price; /* of each of them an hour */
    ws_duration local_every; /* > 0: writes to the nodes' own disks in between, after so much
                                running time */
    double local_bytes;      /* of one of them */
} ws_checkpoint_spec;

/** A worker's cold start, s. Container and framework differ from replica to replica and the gang
 * waits for the slowest; the rest is common. */
typedef struct {
    ws_distribution container;
    ws_distribution framework;
    ws_distribution rendezvous;
    ws_distribution init;    /* communicators */
    ws_distribution load;    /* initial weights and data, where there is no checkpoint to read */
    ws_distribution warm_up; /* to the first step */
    double load_bytes;       /* > 0: the load is a flow of so many, `load` what it takes alone */
} ws_worker_start;

/** Where the training data of a job is. All zero: its reads do not count. */
typedef struct {
    ws_channel_spec storage; /* that it is read from, or copied from */
    bool is_shared; /* that is done by flows over WS_CHANNEL_READ, beside those of others */
    bool is_local;  /* each node reads its part from a disk of its own, and has copied it there
                       before  the first step */
    double bytes;   /* of all of it, > 0 where is_local */
} ws_job_data;

/** How much of its request a worker uses while the job steps, for monitoring. */
typedef struct {
    double cpu; /* share of the request, 0..1 and above */
    double memory;
    double nccl_sm; /* share of the SMs that a resident collective keeps busy, 0..1 */
} ws_usage;

/** Constant over all arrivals of one template. */
typedef struct {
    ws_text name;
    uint64_t entity; /* ws_text_hash(name): key of its streams */
    int32_t priority;
    int32_t gpus_per_replica;
    const double
        *pool_speed; /* for each pool: relative speed of its GPUs for this job, 0: not accepted */
    uint64_t pools;  /* bit p: pool_speed[p] > 0 */
    const ws_elasticity_type *elasticity;
    bool has_checkpoint;
    ws_checkpoint_spec checkpoint;
    ws_worker_start start;
    ws_job_data data;
    ws_usage usage;
    ws_labels labels; /* of its pods and of their series */
    bool main_job;    /* reported by name */
    bool has_demand;  /* its stage has */
} ws_job_kind;

typedef struct {
    const ws_job_kind *kind;
    ws_text name;    /* unique in the run: the kind's name, or NAME-17 */
    uint64_t number; /* of this arrival within its kind, from 0 */
    ws_time submit;
    int32_t replicas_initial;
    int32_t replicas_min; /* of the job; min = max = initial when rigid */
    int32_t replicas_max;
    int32_t replicas_step; /* legal sizes are min, min + step, ...; >= 1; unless there is a list */
    const int32_t *legal;  /* ascending; NULL: by step */
    size_t legal_count;
    const ws_stage_spec *stages;
    size_t stage_count; /* >= 1 */
    ws_time deadline;   /* WS_TIME_NEVER: none */
    ws_text user;
    ws_text queue;
} ws_job_spec;

/** The largest legal size of a job in a stage that is at most `at_most`; 0: none. O(log sizes). */
int32_t ws_job_legal_at_most(const ws_job_spec *job, size_t stage, int32_t at_most);

/** The smallest legal size in a stage that is at least `at_least`; 0: none. */
int32_t ws_job_legal_at_least(const ws_job_spec *job, size_t stage, int32_t at_least);

/**
 * Pace of a stage in a world when `done` of its work is done: the step model's, converted to the
 * stage's work, times its statistical efficiency; waiting for its data where the world cannot read
 * it as fast.
 */
ws_pace ws_stage_pace(const ws_stage_spec *stage, const ws_world *world, double done);

/** Bytes of training data a second that a stage reads at a pace of its own; 0: none that count. */
double ws_stage_read_bytes_per_s(const ws_stage_spec *stage, const ws_world *world,
                                 const ws_pace *pace);

/** Most training data that a job on so many nodes can read when nobody else does, bytes/s; 0: no
 * limit. @param disk_bytes_per_s  what its part of the nodes' own disks can read */
double ws_job_read_bytes_per_s(const ws_job_kind *kind, int32_t nodes, double disk_bytes_per_s);

/** A world of a job that has packed nodes of a pool for itself (ws_world_packed()). `fabric` may be
 * NULL. */
ws_world ws_job_world_packed(const ws_job_kind *kind, size_t pool, const ws_pool_spec *spec,
                             const ws_fabric *fabric, int32_t replicas);

/** True when the stage says how many samples a step has. */
bool ws_stage_has_batch(const ws_stage_spec *stage);

/** Limits of a job in a stage. */
int32_t ws_job_replicas_min(const ws_job_spec *job, size_t stage);
int32_t ws_job_replicas_max(const ws_job_spec *job, size_t stage);

#endif
