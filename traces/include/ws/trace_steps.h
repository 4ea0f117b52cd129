/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Recorded training steps: what a training program said of its progress, in numbers.
 *
 * A report is one line or entry that tells of a step (or of the mean over the steps since the
 * report before). Reports are taken one by one and never kept: a few numbers of each, for the
 * quantiles, are all that memory holds (56 bytes). Several ranks may write into one file: a step
 * that was told of already is counted once. Where the number of the step falls back, the run was
 * restarted from a checkpoint, and the steps since are done again.
 */
#ifndef WS_TRACE_STEPS_H
#define WS_TRACE_STEPS_H

#include "ws/trace.h"
#include "ws/trace_summary.h"

#define WS_TRACE_REPORTS_MAX INT64_C(100000000)

/* ---- what was found ---- */

typedef enum {
    WS_STEPS_CUT,        /* rejected: begins to tell of a step and breaks off */
    WS_STEPS_BAD_NUMBER, /* rejected: a step or a time that is no number */
    WS_STEPS_REPEATED,   /* left out: tells of a step that was told of, as each rank does */
    WS_STEPS_RESTART,    /* kept: the number of the step falls back */
    WS_STEPS_NAN_LOSS,   /* kept */
    WS_STEPS_FINDING_COUNT
} ws_trace_steps_finding;

const ws_trace_finding_row *ws_trace_steps_finding_at(ws_trace_steps_finding finding);

typedef struct {
    int64_t reports_read; /* kept + left out + rejected */
    int64_t reports_kept;
    ws_trace_count found[WS_STEPS_FINDING_COUNT];
} ws_trace_steps_report;

/* ---- in numbers ---- */

/** NAN where the source does not tell. Spreads are over reports, each counted once. */
typedef struct {
    int64_t first_step; /* of the first report and of the last; 0 without one */
    int64_t last_step;
    int64_t step_max;
    int64_t steps_wanted; /* that the run was to do, as it was told last; 0: not told */
    int64_t restarts;
    int64_t lost_steps;     /* that restarts did again: from the checkpoint, which lies at most the
                               distance of two reports before the first step that is told again */
    int64_t skipped_steps;  /* whose update was left out: the loss scale overflowed */
    int64_t nan_steps;      /* that the program itself counts as NaN */
    int64_t world_size_min; /* processes, as the source states them; 0: not told */
    int64_t world_size_max;
    bool has_times;   /* of reports; on a wall clock whose zone the source does not tell */
    int64_t first_ns; /* the earliest, and the latest */
    int64_t last_ns;
    int64_t stated;         /* reports that state the time of a step; of others it is the difference
                               of dates over that of steps */
    ws_trace_spread step_s; /* time of a step */
    ws_trace_spread samples_per_s;
    ws_trace_spread gpu_tokens_per_s; /* of one GPU */
    ws_trace_spread gpu_tflops;       /* of one GPU */
    ws_trace_spread pause_s; /* between two reports, beyond the time of their steps: checkpoints,
                                evaluations, restarts. What is shorter than a median step or than
                                a second counts as none. `n` times its mean is their sum */
    ws_trace_spread evaluation_s; /* stated ones */
    double run_s;                 /* stated, of the whole run */
    double loss_first;
    double loss_last;
} ws_trace_steps_summary;

/* ---- formats ---- */

typedef struct ws_trace_steps_type ws_trace_steps_type;
typedef struct ws_trace_steps_reading ws_trace_steps_reading; /* traces/steps_reading.h */

typedef struct {
    const ws_trace_steps_type *type; /* NULL: found by content */
    bool strict;                     /* a report that cannot be used is an error */
    ws_input_limits limits;
} ws_trace_steps_options;

/** A format. Every function may be called from any thread; a type holds no state. */
struct ws_trace_steps_type {
    const char *name;
    const char *summary; /* one line */
    /** Tells of a step, of a log of lines; else NULL. */
    bool (*sniff_line)(ws_text line);
    /** Of other files: true when the first lines look like it; else NULL. */
    bool (*sniff)(ws_text head);
    bool (*read)(ws_trace_steps_reading *reading);
};

size_t ws_trace_steps_type_count(void);
const ws_trace_steps_type *ws_trace_steps_type_at(size_t index);

/** NULL when there is no such format. */
const ws_trace_steps_type *ws_trace_steps_type_find(ws_text name);

/** The format of the first line that tells of a step, within the first MiB: a log may begin with
 * much else. NULL when there is none, or the file cannot be read (nothing is told of that). */
const ws_trace_steps_type *ws_trace_steps_sniff(const ws_file_name *file, ws_arena *arena);

/**
 * Reads a file and sums it up.
 *
 * @param summary  untouched on false
 * @param report   zeroed by the caller
 * @param arena    holds what quantiles need
 * @return         false with an error: an unreadable file, an unknown format (WS6107), too many
 * reports (WS9020), any rejected report when strict
 */
WS_NODISCARD bool ws_trace_steps_summarise(ws_trace_steps_summary *summary,
                                           const ws_file_name *file,
                                           const ws_trace_steps_options *options,
                                           ws_trace_steps_report *report, ws_arena *arena,
                                           ws_diag *diag);

#endif
