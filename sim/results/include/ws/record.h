/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Records of what was found, and the dictionary of their columns.
 *
 * A record is plain data; a column says its name, unit, meaning, and where in the record it stands.
 * The dictionary drives every CSV file, the tables of the command line and the documentation. A
 * double that is NAN is a missing value: empty in CSV, null in JSON.
 */
#ifndef WS_RECORD_H
#define WS_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/account.h"
#include "ws/text.h"
#include "ws/total.h"
#include "ws/writer.h"

/** One arm in one random world, over the measured time (after the warm-up). */
typedef struct {
    ws_text scenario;
    ws_text policy;      /* the arm's name */
    ws_text policy_type; /* types of its controllers, joined by + */
    int64_t replication;
    uint64_t seed;
    bool complete; /* reached the horizon, or everything was done */
    ws_money cost;
    ws_money warmup_cost; /* not in `cost` */
    ws_gpu_time paid;
    ws_accounts accounts; /* sum: paid */
    ws_gpu_time unbilled;
    double goodput_fraction;         /* useful / paid */
    double effective_training_ratio; /* time of work that survived / time since the first start,
                                        over jobs, weighted by GPUs */
    double objective_usd; /* cost, value of the job's time, penalty; NAN: no objective is stated */
    double samples;       /* of jobs whose work is samples; NAN: there are none */
    double samples_per_s; /* over the measured time */
    double main_finish_s; /* submission to end of the main job; NAN: none, or not done */
    double makespan_s;    /* first submission to last end; NAN when a job was not done */
    double jct_mean_s;    /* submission to end, completed jobs */
    double jct_p50_s;
    double jct_p95_s;
    double wait_mean_s; /* submission to first start, started jobs */
    double wait_p95_s;
    double slowdown_p95;           /* max(1, jct / max(productive time, 60 s)), completed jobs */
    double deadline_miss_fraction; /* of jobs with a deadline; NAN: none has one */
    int64_t jobs_submitted;
    int64_t jobs_done;
    int64_t jobs_censored; /* submitted, not done at the horizon */
    int64_t scale_ups;
    int64_t scale_downs;
    int64_t resizes;
    int64_t restarts;
    int64_t preemptions;  /* of jobs */
    int64_t failures;     /* of nodes */
    int64_t job_failures; /* of nodes that a job was on, per job */
    int64_t checkpoints;
    int64_t clamps;
    double gpus_mean; /* paid, over the measured time */
    double gpus_peak; /* paid, at any time */
    int64_t evaluations;
    int64_t events;
    double pace_alone_ratio;   /* largest time of a job's step over that alone; 1: none was slowed
                                  down by others on its links */
    double pace_duty_ratio;    /* the same as `duty` has it, where that and the next differ most */
    double pace_collide_ratio; /* and `collide` */
    ws_text pace_differ_job;   /* name of that job; empty: the two never differed */
    double pace_differ_at_s;   /* when; NAN likewise */
    int64_t pace_unsettled;    /* times that a job's share was no fixed point, over jobs */
    int64_t reclaims;          /* of nodes, by their provider */
    ws_money compute_cost;     /* lines of `cost`: they sum to it */
    ws_money storage_cost;
    double demand; /* work that arrived; this and what follows: NAN without demand */
    double demand_served_fraction; /* of what arrived and what waited before */
    double backlog_end;            /* work that waited at the end */
    double backlog_max;
    double backlog_time_fraction; /* of the counted time, in which demand is known or work waits */
    double lag_mean_s;            /* age of the oldest work that waits, over the counted time */
    double lag_p95_s;
    double lag_p99_s;
    double lag_max_s;
    double demand_hole_s; /* time that did not count */
} ws_run_record;

typedef enum {
    WS_JOB_OUTCOME_DONE,
    WS_JOB_OUTCOME_CENSORED, /* still waiting or running at the horizon */
    WS_JOB_OUTCOME_COUNT
} ws_job_outcome;

typedef struct {
    ws_text policy;
    int64_t replication;
    int64_t job; /* index in the run, in order of submission */
    ws_text name;
    ws_text user;
    ws_text queue;
    double submit_s;
    double first_start_s; /* NAN: never */
    double end_s;         /* NAN: not done */
    ws_job_outcome state;
    double wait_s; /* NAN: never started */
    double run_s;  /* first start to end; NAN: not done */
    double jct_s;  /* NAN: not done */
    double slowdown;
    int64_t gpus_requested;
    int64_t gpus_min;
    int64_t gpus_max;
    double gpus_mean; /* over the time in which it had any */
    int64_t gpus_peak;
    int64_t resizes;
    int64_t restarts;
    int64_t preemptions;
    int64_t failures;
    int64_t checkpoints;
    double work; /* done and kept, in the unit of its stages */
    double work_lost;
    double statistical_efficiency; /* NAN: it did not train */
    double effective_training_ratio;
    ws_gpu_time gpu_time; /* held */
    ws_accounts accounts;
    ws_money cost;           /* of the GPUs that it held, without billing minimum and rounding */
    double deadline_s;       /* NAN: none */
    bool deadline_met;       /* means nothing, and is missing in files, when there is no deadline */
    double transfer_s;       /* of checkpoints and loads over a shared storage */
    double transfer_alone_s; /* what they would have taken if nobody else had used it */
    double pace_alone_ratio; /* the same as of the run, of this job */
    double pace_duty_ratio;
    double pace_collide_ratio;
    double pace_differ_at_s;
    int64_t pace_unsettled;
    double data_bytes;         /* of training data that it read */
    double data_wait_s;        /* time that its steps waited for it */
    double data_wait_alone_s;  /* what they would have waited if nobody else had used the storage */
    ws_money storage_cost;     /* of the checkpoints that it kept; not in `cost` */
    int64_t local_checkpoints; /* on the disks of its nodes */
    int64_t disk_losses;       /* times that one of these was the newest, and was lost */
} ws_job_record;

/** Gauges are time-weighted means over the step that begins at t_s, unless said otherwise. One row
 * for each pool. */
typedef struct {
    ws_text policy;
    int64_t replication;
    double t_s;
    ws_text pool;
    double nodes_wanted;
    double nodes_requested;
    double nodes_starting;
    double nodes_ready;
    double nodes_draining;
    double nodes_broken;
    double gpus_paid;
    double gpus_ready;
    double gpus_busy;    /* held by jobs */
    double gpus_waiting; /* wanted and not placed, by jobs that accept the pool */
    double jobs_running; /* over all pools, with GPUs */
    double jobs_waiting;
    double main_gpus;    /* held by the main job */
    double cost_usd_cum; /* of the pool, at the end of the step */
    double main_stage; /* index of the main job's stage at the end of the step; NAN: not submitted,
                          done, or there is none */
    double demand_per_s;   /* work that arrived a second, over all pools; this and what follows: NAN
                        without demand */
    double served_per_s;   /* work that was done a second */
    double capacity_per_s; /* work a second that the workers could have done */
    double backlog;        /* work that waited */
    double lag_s;          /* age of the oldest, at the end of the step */
} ws_timeline_record;

/** The lowest and the highest value within a step. */
typedef struct {
    int64_t low;
    int64_t high;
} ws_gauge_range;

/** All pools together, over the step that begins at t_s: what lasted for some time, however short.
 */
typedef struct {
    ws_text policy;
    int64_t replication;
    double t_s;
    ws_gauge_range gpus_paid;
    ws_gauge_range gpus_ready;
    ws_gauge_range gpus_busy;    /* held by jobs */
    ws_gauge_range gpus_waiting; /* wanted and not placed, of all jobs */
    ws_gauge_range gpus_wanted;  /* busy and waiting: the demand */
    ws_gauge_range main_gpus;    /* held by the main job */
} ws_extremes_record;

/** An arm against the baseline in one metric, over paired replications. */
typedef struct {
    ws_text policy;
    ws_text baseline;
    ws_text metric;
    int64_t n_pairs;
    double mean;   /* of the arm */
    double ci_low; /* of the arm's mean; NAN below WS_INTERVAL_MIN values */
    double ci_high;
    double baseline_mean;
    double diff_mean;
    double diff_ci_low;
    double diff_ci_high;
    double ratio; /* NAN when a value is not positive */
    double ratio_ci_low;
    double ratio_ci_high;
    double correlation;
    double p; /* adjusted */
    double confidence;
    int64_t comparisons; /* that the adjustment is over */
    bool resolved;       /* a difference was shown */
    bool identical;
    ws_text
        verdict; /* better, worse, no difference shown, identical, too few replications, no value */
} ws_comparison_record;

typedef enum {
    WS_COLUMN_TEXT, /* ws_text */
    WS_COLUMN_I64,
    WS_COLUMN_U64,
    WS_COLUMN_F64, /* NAN: missing */
    WS_COLUMN_BOOL,
    WS_COLUMN_MONEY,  /* ws_money; of tables in currency units */
    WS_COLUMN_GPU_H,  /* ws_gpu_time; of tables in GPU-hours */
    WS_COLUMN_OUTCOME /* ws_job_outcome, by name: "done", "censored" */
} ws_column_kind;

typedef enum { WS_BETTER_NONE, WS_BETTER_LOWER, WS_BETTER_HIGHER } ws_better;

typedef struct {
    const char *name;
    ws_column_kind kind;
    ws_better better; /* of metrics that arms are compared by */
    size_t offset;
    const char *unit;     /* "USD", "GPU*h", "GPU", "s", "1/s"; "1" for fractions and counts; "" for
                             text, yes or no, and indices */
    const char *help;     /* one sentence, without a full stop */
    size_t needed_offset; /* of a double in the record without which (NAN) the value is missing; 0:
                             none */
} ws_column;

typedef struct {
    const char *file; /* "summary.csv" */
    const char *rows; /* one sentence without a full stop: what a row is, for the manual */
    const ws_column *columns;
    size_t count;
} ws_columns;

extern const ws_columns ws_run_columns;        /* summary.csv */
extern const ws_columns ws_job_columns;        /* jobs.csv */
extern const ws_columns ws_timeline_columns;   /* timeline.csv */
extern const ws_columns ws_extremes_columns;   /* extremes.csv */
extern const ws_columns ws_comparison_columns; /* comparisons.csv */

/** Column of a name, or NULL. O(count). */
const ws_column *ws_columns_find(const ws_columns *columns, ws_text name);

/** True when the record has no value for the column: a double that is not finite, or one that hangs
 * on such a double. */
bool ws_column_is_missing(const ws_column *column, const void *record);

/**
 * The value of a numeric column as a double, in the column's unit: false is 0 and true 1, money and
 * GPU-time are rounded to the nearest double. NAN when it is missing or the column is text (an
 * outcome is text).
 *
 * @param record  of the kind that the column's dictionary describes
 */
double ws_column_value(const ws_column *column, const void *record);

/** Names of run columns that arms can be compared by (`better` is set), in their order,
 * NULL-terminated. */
extern const char *const ws_comparable_names[];

/**
 * The header line, and one record as a line, in the order of the dictionary. A missing value is an
 * empty field, money and GPU-time are exact. As every use of a writer they do nothing after its
 * first failure; ws_writer_finish() tells.
 */
void ws_columns_write_header(const ws_columns *columns, ws_writer *csv);
void ws_columns_write(const ws_columns *columns, const void *record, ws_writer *csv);

/** The dictionary as a Markdown table for the manual. NULL start when the arena is exhausted. */
ws_text ws_columns_print_markdown(const ws_columns *columns, ws_arena *arena);

/** All dictionaries of a results folder, those of events too, each under a heading: the part of
 * docs/output.md that the code writes. NULL start when the arena is exhausted. */
ws_text ws_output_print_markdown(ws_arena *arena);

#endif
