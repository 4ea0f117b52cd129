/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * What is in a trace, in numbers: sizes, run times, arrivals, outcomes, and how much ran at a time.
 *
 * Every format has it, since it is made of the common record alone. The file is read once and its
 * jobs are not kept: of each job some 60 bytes stay until the end, for exact quantiles and peaks.
 */
#ifndef WS_TRACE_SUMMARY_H
#define WS_TRACE_SUMMARY_H

#include "ws/trace.h"

/** Most steps of the course, and most named groups that are kept of one kind (those with the most
 * GPU-time). */
#define WS_TRACE_STEPS_MAX 168
#define WS_TRACE_GROUPS_MAX 100

/** Quantiles from the least to the largest value, half a percent apart. */
#define WS_TRACE_QUANTILES 201

/** How values are spread. Quantiles are interpolated (type 7 of Hyndman and Fan 1996). NAN when
 * there is no value. */
typedef struct {
    int64_t n;
    double mean;
    double p10;
    double p25;
    double p50;
    double p75;
    double p90;
    double p95;
    double p99;
    double max;
} ws_trace_spread;

/** Jobs that have something in common. */
typedef struct {
    ws_text name; /* of a queue, a GPU type, an application; empty for sizes */
    int64_t gpus; /* of a size; 0 for names */
    int64_t jobs;
    double jobs_fraction; /* of all jobs */
    ws_gpu_time work;     /* of those whose run time is known */
    double work_fraction; /* of all GPU-time; NAN when there is none */
} ws_trace_group;

typedef struct {
    ws_trace_group *items;
    size_t count;
    int64_t distinct; /* that there are; more than `count` when some were left out */
} ws_trace_groups;

/** What ran in a step of the course. Means are over the step, or the part of it before the end. */
typedef struct {
    int64_t begin_ns; /* since the first arrival */
    double jobs_mean;
    int64_t jobs_max;
    double gpus_mean;
    int64_t gpus_max;
} ws_trace_step;

typedef struct {
    ws_trace_clock clock;
    ws_text zone;
    int64_t jobs; /* all below is about these */

    int64_t first_arrival_ns; /* on the trace's clock; 0 without jobs, like the next two */
    int64_t last_arrival_ns;
    int64_t end_ns;           /* of the last run that is known, at least the last arrival */
    double arrivals_per_h;    /* over the time from the first to the last; NAN: at one moment */
    int64_t by_hour[24];      /* of the clock's day */
    int64_t by_weekday[7];    /* from Monday on; all 0 on a clock of its own */
    double hour_peak_to_mean; /* of by_hour; NAN without jobs */

    ws_trace_spread gpus;
    double power_of_two_fraction;                    /* of the jobs, by their GPUs */
    ws_trace_spread duration_s;                      /* of jobs with a known run time */
    ws_trace_spread wait_s;                          /* of jobs with a known first start */
    double duration_quantiles_s[WS_TRACE_QUANTILES]; /* where `duration_s` has values */
    double wait_quantiles_s[WS_TRACE_QUANTILES];     /* likewise */
    ws_gpu_time work;                                /* exact */
    double top_tenth_fraction; /* of `work`: in the tenth of the jobs (rounded up) with most */

    ws_trace_groups sizes;                           /* by GPUs, smallest first: all of them */
    ws_trace_group outcomes[WS_TRACE_OUTCOME_COUNT]; /* by ws_trace_outcome */
    ws_trace_groups queues;                          /* these by GPU-time, the most first */
    ws_trace_groups gpu_types;
    ws_trace_groups kinds;
    int64_t users; /* distinct */

    /* The course: who ran when. A job without a known start is taken to start when it arrives. */
    int64_t starts_known; /* jobs with one */
    int64_t step_ns;      /* 0: nothing is known to have run */
    ws_trace_step *steps;
    size_t step_count;
    double gpus_mean; /* from the first arrival to the end; NAN like the next ones: nothing ran */
    int64_t gpus_peak;
    int64_t gpus_peak_ns; /* when that many began to run, since the first arrival */
    int64_t jobs_peak;
} ws_trace_summary;

/**
 * Reads a file and sums it up.
 *
 * @param summary  untouched on false
 * @param report   added to; what was kept and what was not
 * @param arena    holds the summary's lists and texts
 * @return         as ws_trace_read(); also false with WS9020 when memory is exhausted
 */
WS_NODISCARD bool ws_trace_summarise(ws_trace_summary *summary, const ws_file_name *file,
                                     const ws_trace_options *options, ws_trace_report *report,
                                     ws_arena *arena, ws_diag *diag);

/** Sums up jobs in memory: a window of a trace, a synthetic one. False when memory is exhausted. */
WS_NODISCARD bool ws_trace_summarise_jobs(ws_trace_summary *summary, const ws_trace *trace,
                                          ws_arena *arena);

#endif
