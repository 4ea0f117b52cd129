/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Recorded jobs: one record that every trace format is read into, the formats, and what was found
 * while reading.
 *
 * A reader streams: it hands one job at a time to a sink and keeps nothing, so that a file of any
 * length can be checked in constant memory. ws_trace_load() is such a sink: it keeps the jobs,
 * finds the origin and sorts. Rows that cannot be used are left out and counted by reason; nothing
 * is dropped without a number in the report.
 *
 * Times are signed 64-bit nanoseconds. Calendar dates are reckoned in the proleptic Gregorian
 * calendar, by hand: neither the machine's time zone nor its locale has a say. A wall clock without
 * a zone is taken as if it were UTC.
 */
#ifndef WS_TRACE_H
#define WS_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/arena.h"
#include "ws/diag.h"
#include "ws/input.h"
#include "ws/text.h"
#include "ws/time.h"
#include "ws/total.h"
#include "ws/writer.h"

#define WS_TRACE_JOBS_MAX INT64_C(100000000)
#define WS_TRACE_GPUS_MAX 10000000
#define WS_TRACE_NODES_MAX 10000000
#define WS_TRACE_ATTEMPTS_MAX 512
#define WS_TRACE_BATCH_MAX 1000000000

/** A time or span that the source does not tell. No other negative span occurs. */
#define WS_TRACE_UNKNOWN_NS INT64_MIN

/* --- the record
 * -------------------------------------------------------------------------------------------------------------
 */

typedef enum {
    WS_TRACE_OUTCOME_UNKNOWN, /* the source does not say */
    WS_TRACE_OUTCOME_COMPLETED,
    WS_TRACE_OUTCOME_CANCELLED, /* by its user: the run time is a lower bound of the work wanted */
    WS_TRACE_OUTCOME_FAILED,    /* by its own error: likewise a lower bound */
    WS_TRACE_OUTCOME_TIMEOUT,   /* at its time limit: likewise */
    WS_TRACE_OUTCOME_NODE_FAIL,
    WS_TRACE_OUTCOME_PREEMPTED,
    WS_TRACE_OUTCOME_RUNNING, /* still ran when the recording ended: likewise */
    WS_TRACE_OUTCOME_PENDING, /* never ran */
    WS_TRACE_OUTCOME_COUNT
} ws_trace_outcome;

/** "completed", "node_fail", ...; "" for unknown. The spelling of files. */
const char *ws_trace_outcome_name(ws_trace_outcome outcome);

/** The outcome of such a name; the empty text is unknown. False, and `*outcome` untouched, when
 * there is none. */
WS_NODISCARD bool ws_trace_outcome_find(ws_text name, ws_trace_outcome *outcome);

/** True when the run time is the work that was wanted; false when it is only a lower bound of it,
 * or nobody knows. */
bool ws_trace_outcome_is_whole(ws_trace_outcome outcome);

/** One run of a job on its GPUs. */
typedef struct {
    int64_t start_ns; /* since the trace's origin */
    int64_t end_ns;   /* likewise; WS_TRACE_UNKNOWN_NS: still running, or not recorded */
    int32_t gpus;     /* >= 1 */
    ws_trace_outcome outcome;
} ws_trace_attempt;

/** One job. Texts and attempts live as long as the trace; inside of a sink only until it returns.
 */
typedef struct {
    ws_text id;          /* never empty; unique in files that name their jobs */
    int64_t arrival_ns;  /* since the trace's origin, >= 0 in a loaded trace */
    int64_t duration_ns; /* > 0: sum of the known runs; a file that gives only a duration means one
                            run; WS_TRACE_UNKNOWN_NS only of a job that states its batch instead,
                            without attempts: a profile says how long it runs */
    int64_t queue_ns; /* first start - arrival, >= 0; WS_TRACE_UNKNOWN_NS when the source does not
                         tell */
    int32_t gpus;     /* of the whole job (a gang), 1..WS_TRACE_GPUS_MAX */
    int32_t nodes;    /* 0: not recorded */
    double gpus_frac; /* shares of GPUs asked for, where they were rounded up to `gpus`; 0: whole
                         GPUs */
    ws_trace_outcome outcome;
    int32_t attempt_count;            /* 0: the source gives no times of runs */
    const ws_trace_attempt *attempts; /* one after the other, the first at arrival_ns + queue_ns */
    ws_text user;
    ws_text queue;         /* virtual cluster, partition, queue */
    ws_text gpu_type;      /* as the source spells it */
    ws_text kind;          /* application or type of job: "Pretrain", "ResNet-18" */
    int32_t batch_samples; /* global batch that the job was tuned to, >= gpus; 0: the source does
                              not tell */
} ws_trace_job;

/** GPU-time of the job's known runs: the sum of (end - start) x GPUs over its attempts, else
 * duration x GPUs; 0 when that is unknown. Exact. */
ws_gpu_time ws_trace_job_work(const ws_trace_job *job);

/** End of the last known run, or arrival + duration when no run is recorded; since the origin.
 * WS_TRACE_UNKNOWN_NS without a duration. */
int64_t ws_trace_job_end_ns(const ws_trace_job *job);

/** Keeps what the fields above promise. Readers hand over nothing else (asserted). */
bool ws_trace_job_is_valid(const ws_trace_job *job);

/** True when all fields are equal; without ids when `with_id` is false. */
bool ws_trace_job_equals(const ws_trace_job *a, const ws_trace_job *b, bool with_id);

/** What the times of a source count from. */
typedef enum {
    WS_TRACE_CLOCK_OWN,  /* from a zero of its own: no calendar */
    WS_TRACE_CLOCK_WALL, /* a wall clock in `zone`, taken as if it were UTC: off by the zone's
                            offset and its summer time */
    WS_TRACE_CLOCK_UTC   /* Unix time */
} ws_trace_clock;

typedef struct {
    ws_trace_clock clock;
    int64_t origin_ns;  /* where arrival_ns = 0 lies on that clock: ns since 1970-01-01T00:00 for
                           WALL and UTC */
    ws_text zone;       /* of WALL: "US/Pacific", or "unknown"; "UTC" of UTC; empty of OWN */
    ws_trace_job *jobs; /* by arrival; equal arrivals in the order of the file */
    size_t count;
} ws_trace;

/** Bytes that a printed date needs, the NUL included. */
#define WS_TRACE_DATE_BYTES 40

/**
 * A point in time as people read it: "2017-10-06T00:00:00", with up to nine decimals, a "Z" behind
 * it on a UTC clock; on a clock of its own "120.5 s". Returns the length.
 *
 * @param at_ns  since the trace's origin
 */
size_t ws_trace_print_date(const ws_trace *trace, int64_t at_ns, char out[WS_TRACE_DATE_BYTES]);

/** `clock_s` seconds of the trace's clock (Unix seconds for WALL and UTC) as ns since the trace's
 * origin; saturates. */
int64_t ws_trace_ns_of_clock_s(const ws_trace *trace, int64_t clock_s);

/* --- what was found
 * ---------------------------------------------------------------------------------------------------------
 */

/** Why a row is not among the jobs, or what else is worth saying about it. docs/diagnostics.md
 * explains each code. */
typedef enum {
    /* left out: no GPU job */
    WS_TRACE_NO_GPU,       /* asks for no GPU */
    WS_TRACE_NO_RUN,       /* never ran, or for no time at all */
    WS_TRACE_NO_KNOWN_RUN, /* ran, but no run has both a start and an end */
    WS_TRACE_STEP,         /* a step of a job, not a job */
    WS_TRACE_ORPHAN_ROW,   /* tells of a job that the file of jobs does not hold */
    WS_TRACE_MERGED_ROW,   /* tells more of the job of an earlier row */
    /* left out: cannot be used */
    WS_TRACE_RAGGED,
    WS_TRACE_BAD_QUOTES,
    WS_TRACE_BAD_ID,
    WS_TRACE_BAD_TIME,
    WS_TRACE_BAD_DURATION,
    WS_TRACE_ENDS_BEFORE_START,
    WS_TRACE_BAD_GPUS,
    WS_TRACE_FRACTIONAL_GPUS, /* an error unless options.ceil_gpus */
    WS_TRACE_BAD_NODES,
    WS_TRACE_BAD_OUTCOME,
    WS_TRACE_BAD_ATTEMPTS,
    WS_TRACE_BAD_KIND,
    WS_TRACE_BAD_BATCH,
    WS_TRACE_NO_TASK,       /* the table of tasks does not hold the job */
    WS_TRACE_NO_THROUGHPUT, /* nobody says how fast the job runs */
    /* kept */
    WS_TRACE_DUPLICATE_ROW, /* equal to an earlier row, in a source without ids: a copy, or a twin;
                               nobody can tell */
    WS_TRACE_DUPLICATE_ID,
    WS_TRACE_GPU_TIME_DIFFERS, /* the GPU-time of the file is not duration x GPUs */
    WS_TRACE_CEILED_GPUS,
    WS_TRACE_UNSORTED,         /* arrives before the row above it */
    WS_TRACE_RUN_UNKNOWN,      /* some runs have no start or no end: they count for nothing */
    WS_TRACE_RUNS_CUT,         /* runs that overlap, cut to where the next begins */
    WS_TRACE_EARLY_START,      /* starts before it arrives; taken to arrive at its start */
    WS_TRACE_DURATION_DIFFERS, /* the stated run time is not end - start, which is used */
    WS_TRACE_CLOCK_FOLD,       /* a time in the hour that the end of summer time repeats */
    WS_TRACE_CLOCK_CHANGED,    /* dates an hour off the stated run time, which is used */
    WS_TRACE_CLOCK_GAP,        /* a time in the hour that summer time skips */
    WS_TRACE_MIXED_OFFSETS,    /* another offset from UTC than the first row; converted */
    WS_TRACE_GANG_STOPPED,     /* instances were stopped since another one of the job failed */
    /* ws_trace_cut() */
    WS_TRACE_BEFORE_WINDOW,
    WS_TRACE_AFTER_WINDOW,
    WS_TRACE_RUNNING_AT_START, /* arrived before the window and still had work when it began: left
                                  out */
    WS_TRACE_REMAINDER,        /* likewise, and kept with the remaining work */
    WS_TRACE_RUNS_PAST_WINDOW, /* kept whole */
    WS_TRACE_FINDING_COUNT
} ws_trace_finding;

typedef enum {
    WS_TRACE_LEFT_OUT, /* no job of GPUs, or part of another row's: counted, a note */
    WS_TRACE_REJECTED, /* unusable: counted, a warning; an error when strict */
    WS_TRACE_NOTED,    /* kept */
    WS_TRACE_CUT       /* outside of a window */
} ws_trace_finding_kind;

typedef struct {
    const char *name; /* "no_gpu": for files and the manual */
    ws_trace_finding_kind kind;
    ws_severity severity; /* of its diagnostic */
    int code;             /* WS61xx; 0: counted, without a diagnostic */
    const char *text;     /* continues "3 of 118,204 rows" */
    const char *text_one; /* continues "1 of 118,204 rows" */
    const char *help;     /* NULL: none */
} ws_trace_finding_row;

/** The table of findings. */
const ws_trace_finding_row *ws_trace_finding_at(ws_trace_finding finding);

#define WS_TRACE_FIRST_LINES 3

typedef struct {
    int64_t count;
    int64_t
        lines[WS_TRACE_FIRST_LINES]; /* the first lines of the file; 0: none, or no line is known */
    ws_span first;                   /* the place of the first */
    ws_text label;                   /* what is wrong there; may be empty */
} ws_trace_count;

typedef struct {
    int64_t rows_read; /* without the header and blank lines */
    int64_t jobs_kept; /* rows_read less those left out, rejected and cut */
    ws_trace_count found[WS_TRACE_FINDING_COUNT];
} ws_trace_report;

/** Rows that were rejected, all reasons together. */
int64_t ws_trace_report_rejected(const ws_trace_report *report);

/* --- formats
 * ----------------------------------------------------------------------------------------------------------------
 */

typedef enum {
    WS_TRACE_UNIT_S, /* what the columns' names say */
    WS_TRACE_UNIT_MS,
    WS_TRACE_UNIT_US
} ws_trace_time_unit;

typedef struct ws_trace_type ws_trace_type;

/** Further files that some formats read besides their own. */
typedef enum {
    WS_TRACE_WITH_TASKS,       /* pai: pai_task_table.csv */
    WS_TRACE_WITH_INSTANCES,   /* pai: pai_instance_table.csv */
    WS_TRACE_WITH_THROUGHPUTS, /* gavel: steps per second by GPU, type of job and GPUs (JSON) */
    WS_TRACE_WITH_COUNT
} ws_trace_with;

/** "tasks", ...: as flags and scenarios spell them, in the order of ws_trace_with;
 * NULL-terminated. */
extern const char *const ws_trace_with_names[];

typedef struct {
    const ws_trace_type *type;    /* the format; NULL: found by content */
    bool strict;                  /* a row that cannot be used is an error */
    bool ceil_gpus;               /* shares of a GPU are rounded up, not refused */
    ws_trace_time_unit time_unit; /* of plain numbers in columns of seconds */
    ws_input_limits limits;
    /** Receives one row for each row of the file that cannot be used, under the header that
     * ws_trace_rejects_begin() writes; NULL: they are only counted. */
    ws_writer *rejects;
    ws_file_name with[WS_TRACE_WITH_COUNT]; /* path NULL: not given */
    ws_text gpu_type;      /* whose throughputs count; empty: the format's own choice */
    int32_t cores_per_gpu; /* of logs that count processors; 0: each is a GPU */
} ws_trace_options;

/** Writes the header line of a list of rejected rows: file,line,code,reason,detail,row. */
void ws_trace_rejects_begin(ws_writer *writer);

/**
 * Where jobs go, one after the other, in the order of the file. `arrival_ns` and the times of
 * attempts count from the zero of the source's clock here: a loaded trace counts from its origin.
 */
typedef struct {
    void *context;
    /** `line` is where the job begins in its file. False stops the reading, which then fails. */
    bool (*take)(void *context, const ws_trace_job *job, int64_t line);
} ws_trace_sink;

/** What a reader finds out about its source besides jobs. */
typedef struct {
    ws_trace_clock clock;
    ws_text zone;    /* a constant, or in the diagnostics' arena */
    bool names_jobs; /* the source has ids; else rows are numbered, and equal rows are counted */
    bool has_origin;
    int64_t origin_ns; /* when the source states one; else the earliest arrival is taken */
} ws_trace_about;

typedef struct ws_trace_reading ws_trace_reading; /* traces/reading.h */

/** A column of a table format: drives reading and the manual. */
typedef struct {
    const char *name;
    const char *unit; /* "" for text, "1" for counts */
    bool required;
    const char *help;
} ws_trace_column;

/** A format. Every function may be called from any thread; a type holds no state. */
struct ws_trace_type {
    const char *name;               /* "philly-csv" */
    const char *summary;            /* one line for `worldsize list` */
    const ws_trace_column *columns; /* NULL: no table with a header */
    size_t column_count;
    /** True when the first bytes of a file, whole lines, look like this format. */
    bool (*sniff)(ws_text head);
    /** Reads everything. False with an error in the reading's diagnostics. */
    bool (*read)(ws_trace_reading *reading);
};

/** Number of formats, and each of them, sorted by name. */
size_t ws_trace_type_count(void);
const ws_trace_type *ws_trace_type_at(size_t index);

/** NULL when there is no such format. */
const ws_trace_type *ws_trace_type_find(ws_text name);

/** Names in order, NULL-terminated: for choices and near names. */
extern const char *const ws_trace_type_names[];

/**
 * The one format that a file's first lines look like.
 *
 * @return  NULL with an error: the file cannot be read (WS6001..6004), is empty (WS6100), or is of
 * no known format (WS6107)
 */
const ws_trace_type *ws_trace_sniff(const ws_file_name *file, ws_diag *diag);

/* --- reading and writing
 * ----------------------------------------------------------------------------------------------------
 */

/**
 * Reads a file, handing its jobs to `sink` in the order of the file. Memory does not grow with the
 * file.
 *
 * Diagnostics: each kind of finding once, at its first row, with its count; a file without jobs is
 * a warning WS6109.
 *
 * @param about    receives the clock and the stated origin; may be NULL
 * @param report   added to, so that several files may share one; zeroed by the caller
 * @return         false with an error: an unreadable file, a missing column, an unclosed quote,
 * times that look like milliseconds (WS6103), fractional GPUs, any rejected row when strict, or a
 * sink that stopped
 */
WS_NODISCARD bool ws_trace_read(const ws_file_name *file, const ws_trace_options *options,
                                ws_trace_sink sink, ws_trace_about *about, ws_trace_report *report,
                                ws_diag *diag);

/**
 * Reads a file into memory: the jobs sorted by arrival, the origin at the earliest arrival unless
 * the source states one. Repeated ids, or repeated rows where there are no ids, are counted; all
 * are kept.
 *
 * @param arena   holds the trace; peak memory is about twice that of the trace
 * @return        as ws_trace_read(); also false with WS9020 beyond WS_TRACE_JOBS_MAX jobs or the
 * arena's bound. `*trace` is untouched then
 */
WS_NODISCARD bool ws_trace_load(ws_trace *trace, const ws_file_name *file,
                                const ws_trace_options *options, ws_trace_report *report,
                                ws_arena *arena, ws_diag *diag);

/** A form in which traces are written. */
typedef struct {
    const char *name;     /* "swf" */
    const char *summary;  /* one line */
    const char *not_held; /* what of the record it has no place for, in words; NULL: it holds all */
    /**
     * Writes a trace. The writer is sticky: ws_writer_finish() tells of failures, exhausted
     * `scratch` included (ENOMEM). `scratch` holds what has to be composed and may be reset
     * afterwards.
     */
    void (*write)(const ws_trace *trace, ws_writer *writer, ws_arena *scratch);
    /**
     * The same, job by job and in constant memory; both NULL where a form needs to see all jobs
     * before it writes the first. `about` has the clock, the origin and the zone, and no jobs.
     * `begin` writes what stands before the jobs, `add` one of them; `scratch` may be reset after
     * each. Jobs that come so must state no batch (asserted), which asks for a column of its own.
     */
    void (*begin)(const ws_trace *about, ws_writer *writer);
    void (*add)(const ws_trace *about, const ws_trace_job *job, ws_writer *writer,
                ws_arena *scratch);
} ws_trace_export;

/** Number of such forms, and each of them, sorted by name. */
size_t ws_trace_export_count(void);
const ws_trace_export *ws_trace_export_at(size_t index);

/** NULL when there is no such form. */
const ws_trace_export *ws_trace_export_find(ws_text name);

/** Names in order, NULL-terminated: for choices and near names. */
extern const char *const ws_trace_export_names[];

/* --- several traces
 * ---------------------------------------------------------------------------------------------------------
 */

/** Traces to be merged, and the file of each for messages. */
typedef struct {
    const ws_trace *traces;
    const ws_file_name *files;
    size_t count; /* >= 1 */
} ws_trace_parts;

/**
 * The jobs of several traces, sorted by arrival; of equal arrivals those of the earlier trace
 * first. The origin is the earliest of all.
 *
 * Clocks must be of one kind, wall clocks of one zone: others cannot be put in order. Clocks of
 * their own are laid zero on zero. A job whose id another one bears, in an earlier trace or earlier
 * in its own, gets `#2`, `#3`, ... behind it: the first that no job has.
 *
 * @param renamed  receives how many jobs got another id
 * @param merged   receives the trace; its texts are those of the parts, which must outlive it
 * @return         false with an error: clocks that differ (WS6148), more than WS_TRACE_JOBS_MAX
 * jobs or no memory (WS9020)
 */
WS_NODISCARD bool ws_trace_merge(ws_trace *merged, const ws_trace_parts *parts, int64_t *renamed,
                                 ws_arena *arena, ws_diag *diag);

/* --- windows
 * ----------------------------------------------------------------------------------------------------------------
 */

typedef struct {
    int64_t from_ns; /* since the trace's origin, inclusive; not earlier than 50 years before it
                        (such a start is moved there) */
    int64_t to_ns;   /* exclusive, > from_ns; INT64_MAX: no end */
    /** Jobs that arrived earlier and still had work at `from`: left out, or arriving at `from` with
     * the work that is left. */
    bool keep_remainders;
} ws_trace_window;

/**
 * The jobs that arrive in [from, to). The origin moves to `from`.
 *
 * What runs past `to` is kept whole: whoever simulates the window censors it. A job that arrived
 * before `from` and had not ended is counted, and left out unless `keep_remainders`: then it
 * arrives at `from` with the part of its run that lies beyond, with unknown queueing and no
 * attempts. A job of unknown duration that arrived earlier is taken to have ended.
 *
 * @param cut     receives the window; texts and attempts are shared with `trace`, which must
 * outlive it. May be `trace` itself
 * @param report  added to; jobs_kept is lessened
 * @return        false with WS9020 when the arena is exhausted; `*cut` is untouched then
 */
WS_NODISCARD bool ws_trace_cut(ws_trace *cut, const ws_trace *trace, const ws_trace_window *window,
                               ws_trace_report *report, ws_arena *arena, ws_diag *diag);

#endif
