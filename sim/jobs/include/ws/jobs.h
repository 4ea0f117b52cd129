/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The jobs of a run: what each is doing, from submission to its end.
 *
 *     future -> waiting -> starting -> running <-> writing -> done
 *                  ^          |           |           |
 *                  |          +--- a node fails ------+
 *                  +------- detecting <---+
 *
 * Waiting jobs hold no GPU. Who starts and who grows is decided above: ws_jobs_start() and
 * ws_jobs_resize() take the GPUs from the fleet and run the consequences. Between events the rate
 * is constant: progress is integrated when something changes, observing it commits nothing, and a
 * completion sets the work to its end. A checkpoint becomes durable when its write ends; then the
 * ledger settles. A stage, but the last, ends with a write. A failure or a resize without a write
 * of its own rolls back to the last durable point.
 *
 * Between them a job may write to the disks of its nodes, where a checkpoint lasts for as long as
 * the job holds all of these nodes: a planned change that gives none of them back goes on from it;
 * a failure, a preemption and a smaller world go back to the last durable one. Source: the local
 * checkpoints of NVIDIA's Megatron-LM (`--non-persistent-save-interval`); A. Moody et al., "Design,
 * Modeling, and Evaluation of a Scalable Multi-level Checkpointing System", SC 2010.
 */
#ifndef WS_JOBS_H
#define WS_JOBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/arena.h"
#include "ws/fleet.h"
#include "ws/job.h"
#include "ws/kernel.h"

typedef enum {
    WS_JOB_FUTURE,
    WS_JOB_WAITING,
    WS_JOB_STARTING,
    WS_JOB_RUNNING,
    WS_JOB_WRITING,
    WS_JOB_DETECTING, /* a node of it failed; nobody has noticed yet, or all wait for the
                         collective's time-out */
    WS_JOB_DONE
} ws_job_state;

/** Called from within events; they may call the jobs again. Each may be NULL. */
typedef struct {
    void *context;
    void (*submitted)(void *context, size_t job);
    void (*needs_gpus)(void *context, size_t job); /* it is waiting again, after a failure */
    void (*placed)(void *context,
                   size_t job); /* it waited and has its GPUs: its workers begin to start */
    void (*started)(void *context, size_t job); /* first step of a world */
    /** A planned change has begun; ws_jobs_replicas_next() is the new size, `from` the old one. */
    void (*resized)(void *context, size_t job, int32_t from);
    void (*stage_done)(void *context,
                       size_t job);           /* the next stage has begun; its limits may differ */
    void (*saved)(void *context, size_t job); /* a write is durable; a resize that waited for it has
                                                 begun: GPUs may be free */
    void (*done)(void *context, size_t job);  /* its GPUs are free */
    /** A write or a load that is a flow is through; ws_jobs_last_transfer() tells of it. */
    void (*transferred)(void *context, size_t job);
    /** Its reads of training data have another share of what its steps need; ws_jobs_reads() tells.
     */
    void (*fed)(void *context, size_t job);
    /** Its pace is another because others came to the links that it crosses, or went. */
    void (*repaced)(void *context, size_t job);
    void (*changed)(void *context,
                    size_t job); /* before its state, rate or size changes: for histories */
} ws_jobs_listener;

typedef struct {
    const ws_job_spec *jobs; /* sorted by submit */
    size_t job_count;
    uint64_t seed;
    uint64_t replication;
    ws_channels *channels; /* that checkpoints, loads and reads of data are flows over; NULL: none
                              is */
    const ws_network
        *network;          /* whose links collectives share, as its `sharing` says; NULL: none */
    ws_time measured_from; /* end of the warm-up: what comes of demand counts from here on */
} ws_jobs_options;

/** What a job has been through. */
typedef struct {
    ws_time first_start; /* first placed; WS_TIME_NEVER: never */
    ws_time end;         /* WS_TIME_NEVER: not done */
    int64_t resizes;     /* planned changes of a running world */
    int64_t restarts;    /* starts after the first */
    int64_t failures;    /* failures of nodes that it was on */
    int64_t preemptions;
    int64_t checkpoints;       /* durable writes */
    int64_t local_checkpoints; /* writes to the nodes' own disks */
    int64_t disk_losses; /* times that such a checkpoint was the newest, and was lost with a node or
                            given up with the GPUs */
    ws_duration productive; /* time in which it stepped, work that was lost later included */
    ws_duration lost;       /* of that, the time of work that was rolled back */
    ws_duration held;       /* time with GPUs */
    double work_done;       /* of all stages, durable or not, without what was rolled back */
    double work_lost;       /* rolled back, in the stages' own units */
    double trained_s;       /* time in which it stepped, without evaluations */
    double effective_s;     /* of that, weighted with the statistical efficiency */
    ws_duration transfer; /* time of checkpoints and loads that were flows and came to their end */
    ws_duration transfer_alone; /* what they would have taken if nobody else had transferred */
    double data_bytes;          /* of training data that it read, lost work's included */
    double data_wait_s;         /* time that its steps waited for it */
    double data_wait_alone_s; /* time that the same steps would have waited if nobody else had used
                                 the storage */
    int32_t replicas_peak;
    double step_ratio;   /* largest time of a step over that alone; 1: it was never slowed down */
    double step_duty;    /* the same as `duty` has it, when that and the next differed most */
    double step_collide; /* and `collide` */
    ws_time differ_at;   /* when; WS_TIME_NEVER: the two never differed */
    int64_t unsettled;   /* settlements without a fixed point of shares and step times */
} ws_job_history;

/** A write or a load that was a flow. */
typedef struct {
    ws_channel channel;
    ws_duration took;
    ws_duration alone; /* what it would have taken if nobody else had transferred */
} ws_job_transfer;

/** Reads of training data while a job steps, bytes/s. */
typedef struct {
    double needed; /* at the pace that it has when nobody else reads; 0: nothing that counts is read
                    */
    double given;
    double waiting; /* 0..1: share of its time that it waits for data */
} ws_job_reads;

typedef struct ws_jobs ws_jobs;

/** NULL when the arena is exhausted. Kernel, fleet and specs must outlive it. */
ws_jobs *ws_jobs_new(ws_arena *arena, ws_kernel *kernel, ws_fleet *fleet,
                     const ws_jobs_options *options);

/** Most events that the jobs have pending at once. */
size_t ws_jobs_event_capacity(size_t job_count);

/** Sets who hears of the jobs; copied. To be called before the first event. */
void ws_jobs_listen(ws_jobs *jobs, const ws_jobs_listener *listener);

/** Schedules the arrivals; once, before the first event. */
void ws_jobs_begin(ws_jobs *jobs);

/**
 * Starts a waiting job with a legal number of replicas. False, and nothing done, when the gang does
 * not fit.
 */
WS_NODISCARD bool ws_jobs_start(ws_jobs *jobs, size_t job, int32_t replicas);

/**
 * Changes the size of a starting, running or writing job by the way of its mode. Growing takes the
 * new GPUs at once. A job that is writing goes on from that write; one that is starting begins its
 * start anew, booked as the start was.
 *
 * @param replicas  legal in the current stage, or at least not 0
 * @return          false, and nothing done, when the new GPUs do not fit, the mode refuses, or a
 * resize is under way
 */
bool ws_jobs_resize(ws_jobs *jobs, size_t job, int32_t replicas);

/**
 * Takes a job's GPUs away for another one: what it has done since its last durable point is lost,
 * and it waits again.
 *
 * @return  false, and nothing done, when it holds none, or has just lost a node and will give back
 * the rest anyway
 */
bool ws_jobs_preempt(ws_jobs *jobs, size_t job);

/** A node that the job held GPUs of has failed and its grants are gone. */
void ws_jobs_node_lost(ws_jobs *jobs, size_t job, ws_node_id node);

/** Sets how many replicas the job should have; a number to remember for whoever hands out GPUs,
 * nothing else happens. */
void ws_jobs_want(ws_jobs *jobs, size_t job, int32_t replicas);

/** The kernel's time. */
ws_time ws_jobs_now(const ws_jobs *jobs);

/** Jobs of the run, done ones and those not submitted yet included; `job` is 0..count - 1 below. */
size_t ws_jobs_count(const ws_jobs *jobs);

/** What was handed to ws_jobs_new(). */
const ws_job_spec *ws_jobs_spec(const ws_jobs *jobs, size_t job);

/** What a job does now. */
ws_job_state ws_jobs_state(const ws_jobs *jobs, size_t job);

/** Replicas that were last asked for by ws_jobs_want(), at first those of the spec. */
int32_t ws_jobs_wanted(const ws_jobs *jobs, size_t job);

/** Replicas that are placed; those that a pending shrink will give back are among them. */
int32_t ws_jobs_replicas(const ws_jobs *jobs, size_t job);

/** Replicas after the resize that is under way; those placed when none is. */
int32_t ws_jobs_replicas_next(const ws_jobs *jobs, size_t job);

/** Replicas in the running world; while that is resized or starts again, those that were in it and
 * stay. */
int32_t ws_jobs_joined(const ws_jobs *jobs, size_t job);

/** True while a resize waits for a write; no other is possible meanwhile. */
bool ws_jobs_is_resizing(const ws_jobs *jobs, size_t job);

/** Index of the stage that a job is in. */
size_t ws_jobs_stage(const ws_jobs *jobs, size_t job);

/** Work of that stage done by now, in the stage's unit, at most all of it. */
double ws_jobs_stage_done(const ws_jobs *jobs, size_t job);

/** Work a second now; 0 while the job does not step. */
double ws_jobs_rate(const ws_jobs *jobs, size_t job);

/** Since when the job is in its state. */
ws_time ws_jobs_state_since(const ws_jobs *jobs, size_t job);

/** Since when the job steps (writes included), or does not. */
ws_time ws_jobs_ready_since(const ws_jobs *jobs, size_t job);

/** The last start or resize; WS_TIME_NEVER: none. */
ws_time ws_jobs_last_resize(const ws_jobs *jobs, size_t job);

/** When the last durable point was reached; of a job with demand now, for it loses no work. */
ws_time ws_jobs_saved_at(const ws_jobs *jobs, size_t job);

/**
 * Pace that a job would have in a stage at another size (with the noise scale of now, or of the
 * beginning of another stage; evaluations are not in it), packed on as few nodes as it takes, on
 * GPUs of the first pool that it accepts; the step model's answer, whatever it has measured.
 */
ws_pace ws_jobs_pace_at(const ws_jobs *jobs, size_t job, size_t stage, int32_t replicas);

/** Mean time of a start from its phases' means, s; the slowest of many replicas is not in it.
 * @param again  reads a checkpoint */
double ws_jobs_start_mean_s(const ws_jobs *jobs, size_t job, bool again);

/** Ledger owner of a job. */
size_t ws_jobs_owner(const ws_jobs *jobs, size_t job);

/** Seconds of compute alone on each of the job's GPUs, up to now. */
double ws_jobs_compute_s(const ws_jobs *jobs, size_t job);

/** Seconds in which a kernel was resident on each of them, NCCL's spinning included. */
double ws_jobs_busy_s(const ws_jobs *jobs, size_t job);

/** Work that the job got through, lost or not, whatever it was worth, up to now. */
double ws_jobs_work(const ws_jobs *jobs, size_t job);

/** The last transfer that came to its end; all zero before the first. */
ws_job_transfer ws_jobs_last_transfer(const ws_jobs *jobs, size_t job);

/** What the storage of its checkpoints has cost up to now, rounded once. Never falls. */
ws_money ws_jobs_storage_cost(const ws_jobs *jobs, size_t job);

/** What a job reads now; all zero while it does not step. */
ws_job_reads ws_jobs_reads(const ws_jobs *jobs, size_t job);

/** Time of its steps now, over that if no other job crossed its links; >= 1. */
double ws_jobs_step_ratio(const ws_jobs *jobs, size_t job);

/** The queue of a job with demand, now; false, and nothing written, when it has none. */
bool ws_jobs_demand_queue(const ws_jobs *jobs, size_t job, ws_demand_queue *queue);

/** What came of a job's demand up to now; it must have one. False when the arena is exhausted. */
WS_NODISCARD bool ws_jobs_demand_outcome(const ws_jobs *jobs, size_t job,
                                         ws_demand_outcome *outcome);

/** Work that has arrived up to now; 0 without demand. */
double ws_jobs_arrived(const ws_jobs *jobs, size_t job);

/** Since when the job's demand has been known at a time; always, without demand. False in a hole:
 * nothing was recorded, so nothing is shown. */
bool ws_jobs_known_since(const ws_jobs *jobs, size_t job, ws_time at, ws_time *since);

/** What a job went through up to now: sums for its record. */
ws_job_history ws_jobs_history(const ws_jobs *jobs, size_t job);

/** Number of jobs submitted so far; they are jobs 0 .. n - 1. */
size_t ws_jobs_submitted_count(const ws_jobs *jobs);

/** Internal consistency of every submitted job against the fleet: for tests and checked builds. */
bool ws_jobs_are_consistent(const ws_jobs *jobs);

/** Whether what the jobs' collectives have of the links is what solving anew gives. Likewise. */
bool ws_jobs_shares_are_balanced(ws_jobs *jobs);

#endif
