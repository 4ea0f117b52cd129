/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What the files of the jobs' state machine share. */
#ifndef WS_JOBS_PRIVATE_H
#define WS_JOBS_PRIVATE_H

#include "backlog.h"
#include "crossing.h"
#include "ws/index_set.h"
#include "ws/jobs.h"

/** Why a world is being started: says which account its start is booked in. */
typedef enum {
    WS_START_COLD,    /* the first start, or again before the first step */
    WS_START_RESIZE,  /* planned */
    WS_START_RECOVERY /* after a failure */
} ws_start_kind;

/** A point that a job can go back to. */
typedef struct {
    size_t stage;
    double done;
    int64_t evaluations;
    int64_t writes_due;
    ws_duration productive; /* history.productive at that point */
} ws_job_point;

typedef struct {
    ws_job_state state;
    ws_time since;       /* of the state */
    ws_time ready_since; /* of it being one that steps or writes, or not */
    int32_t wanted;
    int32_t replicas; /* placed */
    int32_t joined;   /* in the running world; while that is resized or starts again: those that
                         were in it and stay */
    int32_t next; /* replicas after the write that precedes a resize; 0: no resize is under way */
    ws_start_kind start_kind;
    uint64_t starts; /* of worlds */
    uint64_t entity; /* key of its own streams: hash of its name */

    size_t stage;
    double done;      /* work of the stage at `at` */
    double work;      /* got through at all, lost or not, at `at` */
    double busy_s;    /* with a kernel resident, at `at` */
    double compute_s; /* computing, at `at` */
    ws_world world;   /* while running */
    ws_pace pace;     /* while running */
    ws_pace unshared; /* that pace, if nobody else read from the storage */
    double goal;      /* work of the stage at which it changes next, or the stage ends */
    ws_time at;       /* time of what is integrated: done, work and the sums of seconds */

    int64_t evaluations; /* of the stage, that are over */
    int64_t writes_due;  /* of the stage, by its work, that have begun */
    bool is_evaluating;
    ws_time evaluation_end;
    bool write_waits; /* for the evaluation that is under way */

    size_t saved_stage; /* the last durable point */
    double saved_done;
    int64_t saved_evaluations;
    int64_t saved_writes_due;
    ws_time saved_at;
    bool is_local_write; /* the write that is under way goes to the nodes' own disks */
    bool has_local;      /* the newest checkpoint is there: `local` */
    ws_job_point local;
    ws_duration local_read;  /* of it, at a start */
    ws_time durable_at;      /* of the last durable one */
    ws_duration paced_since; /* history.productive from which the time to the next durable one is
                                counted */
    int32_t staged;          /* replicas whose data is on their disks: parts of so many; 0: none */
    bool was_preempted;      /* the next start is neither a recovery nor the first */
    bool has_saved;          /* a checkpoint was written; else it starts from nothing */
    ws_duration saved_productive; /* history.productive at that point */

    int32_t kept; /* checkpoints that the storage holds */
    ws_time kept_at;
    ws_cost_integral kept_cost; /* up to then */
    ws_backlog *backlog;        /* of a job whose work arrives while it runs; NULL: none */
    double capacity; /* work a second, if there is always some to do; of such a job, running */

    double demand;     /* of its collectives on the links that they cross, alone, bytes/s */
    double out;        /* likewise, of what its chains' hops from node to node could carry */
    double step_ratio; /* time of its steps over that alone */

    ws_flow reads;     /* of training data, while it steps */
    double reads_need; /* bytes/s at the unshared pace; 0: nothing that counts is read */
    double fed;        /* 0 < f <= 1: what is read over that */

    ws_event_handle timer; /* end of the state */
    ws_flow flow;          /* the write or load that is under way */
    ws_time flow_begin;
    ws_job_transfer transfer; /* that flow, or the last one */
    double load_bytes;        /* of a start: to be read when the workers are up; 0: by the clock */
    double load_bytes_per_s;  /* most of that; INFINITY: as fast as the storage */
    ws_duration after_load;   /* of a start: from there to the first step */
    ws_event_handle checkpoint; /* next write */
    ws_time last_resize;
    ws_time held_since; /* WS_TIME_NEVER: holds nothing */
    ws_job_history history;
} ws_job_run;

/** The links that collectives share: ways up of leaves, then of pods, then out of nodes. */
typedef struct {
    ws_crossing *crossing; /* NULL: nothing is shared */
    uint32_t leaves;       /* 0: the fabric has none */
    uint32_t pods;
    uint32_t nodes; /* 0: each GPU has a NIC of its own */
    int32_t leaves_of_pod;
    double *capacities; /* bytes/s */
    uint32_t *path;     /* of the job at hand */
    ws_index_set on_path;
    ws_node_id *at; /* its nodes */
    int32_t *gpus;  /* on each */
} ws_jobs_links;

struct ws_jobs {
    ws_kernel *kernel;
    ws_fleet *fleet;
    ws_ledger *ledger;
    ws_jobs_options options;
    ws_jobs_listener listener;
    ws_flow_listener flow_listener;
    ws_flow_listener reads_listener;
    ws_job_run *runs;
    size_t submitted_count;
    ws_jobs_links links;
};

/** True while the job steps. */
static inline bool ws_job_run_is_stepping(const ws_job_run *run)
{
    return run->state == WS_JOB_RUNNING;
}

/** Tells the listener, then integrates work and time up to now. Call before anything of the job
 * changes. */
void ws_jobs_advance(ws_jobs *jobs, size_t job);

/** Enters a state and sets the event that ends it. WS_TIME_NEVER: nothing ends it by itself. */
void ws_jobs_enter(ws_jobs *jobs, size_t job, ws_job_state state, ws_time end);

/** Sets anew when the state ends. */
void ws_jobs_set_end(ws_jobs *jobs, size_t job, ws_time end);

/** Begins a write or a load of at most so many bytes a second; the state goes on until it is
 * through, plus what follows it. */
void ws_jobs_transfer(ws_jobs *jobs, size_t job, ws_channel channel, double bytes,
                      double bytes_per_s);

/** Ends a transfer that did not come to its end, if there is one. */
void ws_jobs_abandon_transfer(ws_jobs *jobs, size_t job);

/** A transfer of the job in `argument` is through. */
void ws_jobs_transferred(void *context, uint64_t argument);

/** Starts the world on the GPUs that the job holds now. `survivors` of its replicas were in the
 * world before. */
void ws_jobs_launch(ws_jobs *jobs, size_t job, ws_start_kind kind, int32_t survivors);

/** Ends a start that did not get to its first step, and books what it has cost so far. */
void ws_jobs_abandon_launch(ws_jobs *jobs, size_t job);

/** The world of a start is ready: its first step. */
void ws_jobs_launched(ws_jobs *jobs, size_t job);

/** Steps from now on: pace, activity, completion, next write. */
void ws_jobs_step(ws_jobs *jobs, size_t job);

/** The links of the network, if its sharing says that they are shared. False when the arena is
 * exhausted. */
bool ws_jobs_links_init(ws_jobs *jobs, ws_arena *arena);

/** The job steps: its collectives load the links that they cross from now on. */
void ws_jobs_cross(ws_jobs *jobs, size_t job);

/** It does not step. */
void ws_jobs_uncross(ws_jobs *jobs, size_t job);

/** What contention leaves of the links of a job that steps; 1 before it is known. */
double ws_jobs_fabric_share(const ws_jobs *jobs, size_t job);

/** Sets the pace of the stage in the world as it is, when `done` of the work is done. */
void ws_jobs_set_pace(ws_jobs *jobs, size_t job, double done);

/** The job steps, at the pace that is set: it reads what that needs from now on. */
void ws_jobs_read(ws_jobs *jobs, size_t job);

/** It does not step. */
void ws_jobs_stop_reading(ws_jobs *jobs, size_t job);

/** The reads of the job in `argument` are given so much. */
void ws_jobs_reads_changed(void *context, uint64_t argument, double bytes_per_s);

/** Adds what was read, and waited for, in a span in which the job stepped. */
void ws_jobs_count_reads(ws_job_history *history, const ws_job_run *run, double span_s);

/** Tells the ledger how the job's GPUs spend their time while it steps. */
void ws_jobs_book_pace(ws_jobs *jobs, size_t job);

/** When the goal will be reached at the pace of now. */
ws_time ws_jobs_goal_time(const ws_jobs *jobs, size_t job);

/** Work of the stage at which its pace changes next (its end, a point of the noise scale, an
 * evaluation, a write), given what is done. */
double ws_jobs_goal(const ws_stage_spec *stage, const ws_job_run *run);

/** An evaluation begins before the next step. */
bool ws_jobs_evaluation_is_due(const ws_stage_spec *stage, const ws_job_run *run);

/** The goal is reached, or the evaluation over: what comes next. */
void ws_jobs_goal_reached(ws_jobs *jobs, size_t job);

/** The stage is done: the next one, or the end. */
void ws_jobs_stage_completed(ws_jobs *jobs, size_t job);

/** The queues of jobs with demand. False when the arena is exhausted. */
bool ws_jobs_demands_init(ws_jobs *jobs, ws_arena *arena);

/** Brings the queue of such a job to the time up to which it is integrated. */
void ws_jobs_demand_advance(ws_jobs *jobs, size_t job);

/** Share of the time in which its workers have something to do, at a pace with all they could do.
 */
double ws_jobs_demand_busy(const ws_job_run *run, const ws_pace *full);

/** Pace of such a job from now on, in its world, and until when if no step of demand comes before.
 */
ws_time ws_jobs_demand_pace(ws_jobs *jobs, size_t job);

/** Schedules the next step of its demand. */
void ws_jobs_demand_follow(ws_jobs *jobs, size_t job);

/** Nothing waits any more. */
void ws_jobs_demand_caught_up(ws_jobs *jobs, size_t job);

/** Goes back to the newest checkpoint, or to the last durable one when that on the nodes' own disks
 * is gone as well; what was done since is lost. */
void ws_jobs_roll_back(ws_jobs *jobs, size_t job, bool loses_disks);

/** Gives up what is on the disks of the job's nodes while it is in no world that steps or writes.
 */
void ws_jobs_lose_disks(ws_jobs *jobs, size_t job);

/** Begins a write, to the nodes' own disks or to the storage; the world stands still until it is
 * there. */
void ws_jobs_write(ws_jobs *jobs, size_t job, bool is_local);

/** Whether a write that is due by time goes to the nodes' own disks. */
bool ws_jobs_write_is_local(const ws_jobs *jobs, size_t job);

/** Running time from now on to the next write by time, of a kind that has such. */
ws_duration ws_jobs_next_write(const ws_jobs *jobs, size_t job);

/** A write to the nodes' own disks begins, and is there. */
void ws_jobs_write_local(ws_jobs *jobs, size_t job);
void ws_jobs_written_local(ws_jobs *jobs, size_t job);

/** What the parts of so many of the job's replicas of its nodes' disks can read or write, bytes/s;
 * 0: they have none. */
double ws_jobs_disks_bytes_per_s(const ws_jobs *jobs, size_t job, int32_t replicas, bool writes);

/** Bytes of training data that a start has to copy to the nodes' disks, when the parts of
 * `survivors` replicas are there. */
double ws_jobs_copy_bytes(const ws_jobs *jobs, size_t job, int32_t survivors);

/** The write that is under way is durable. */
void ws_jobs_written(ws_jobs *jobs, size_t job);

/** Stops the world and starts it at another size. */
void ws_jobs_restart_at(ws_jobs *jobs, size_t job, int32_t replicas);

/** The storage holds so many checkpoints of the job from now on. */
void ws_jobs_keep(ws_jobs *jobs, size_t job, int32_t kept);

/** The event of a job's `checkpoint` handle. */
void ws_jobs_checkpoint_due(void *context, uint64_t job);

/** The detection time after a failure is over. */
void ws_jobs_detected(ws_jobs *jobs, size_t job);

#endif
