/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Synthetic traces: jobs drawn from parameters, which are stated, taken from a published cluster,
 * or fitted to a recorded trace.
 *
 * Arrivals are a doubly stochastic renewal process. An hour's intensity is
 *
 *     lambda(hour) = rate x day[hour of the day] x week[weekday] x level
 *
 * where the level has mean 1, does not change within the hour, and is correlated from hour to hour.
 * Jobs arrive where the integral of lambda passes the sums of gaps of mean 1. With gaps of squared
 * coefficient of variation k and levels of c, the number N of arrivals in an hour has, with m =
 * E[lambda] and p = day x week,
 *
 *     Var N = E[Var(N | lambda)] + Var(E[N | lambda]) ~ k m + m^2 (E[p^2] (1 + c) - 1),
 *
 * so that the variance-to-mean ratio is k + m (E[p^2] (1 + c) - 1); with exponential gaps (k = 1)
 * this is exact, and a flat profile leaves 1 + m c (D. R. Cox, "Some statistical methods connected
 * with series of events", J. R. Stat. Soc. B 17, 1955). Without levels it is a Poisson process.
 *
 * Levels come in blocks: in each block every level of the list occurs once, in an order that
 * follows the ranks of a Gaussian autoregression ("normal to anything": M. C. Cario and B. L.
 * Nelson, INFORMS J. Computing 10, 1998, with the ranks of a block in the place of the normal
 * distribution function). A trace as long as one block therefore has the dispersion of the list,
 * and not of a few draws from a heavy tail.
 *
 * Each job is drawn from a stream of its own, keyed by (seed, its number), so that what concerns
 * size, run time, outcome and restarts hangs on no other job; only repeated submissions take over
 * from the job before. Memory does not grow with the number of jobs. Times are whole seconds, as
 * in the logs of clusters.
 */
#ifndef WS_TRACE_SYNTH_H
#define WS_TRACE_SYNTH_H

#include "ws/random.h"
#include "ws/trace.h"

/** Most levels of a block: the hours of 366 days. */
#define WS_SYNTH_LEVELS_MAX 8784

/** Fewest jobs that can be imitated. */
#define WS_SYNTH_LIKE_MIN 10

/* --- parameters
 * -------------------------------------------------------------------------------------------------------------
 */

typedef struct {
    double rate_per_h;    /* > 0: jobs an hour, on average */
    double day[24];       /* by hour of the clock's day, >= 0, mean 1 */
    double week[7];       /* by weekday from Monday on, >= 0, mean 1 */
    const double *levels; /* ascending, >= 0, mean 1; one level: no modulation */
    size_t level_count;   /* 1..WS_SYNTH_LEVELS_MAX */
    double persistence;   /* correlation of the Gaussian ranks from hour to hour, 0 <= . < 1 */
    /* Gaps are of two exponentials: a share has `near_mean`, the others what makes the mean 1. */
    double near_fraction; /* 0 <= . < 1; 0: all gaps are of one exponential */
    double near_mean;     /* 0 < . <= 1 */
} ws_synth_arrivals;

/** A size, or a name, and how often it comes. */
typedef struct {
    int32_t gpus;
    double weight; /* >= 0 */
} ws_synth_size;

typedef struct {
    ws_text name;
    double weight; /* >= 0 */
} ws_synth_name;

/** Names that are drawn for each job, whatever its class. */
typedef struct {
    const ws_synth_name *items;
    size_t count; /* 0: jobs have none */
} ws_synth_names;

/** A point of a distribution function: `z` is the standard normal quantile of the share of jobs
 * that last no longer than exp(`log_s`) seconds. */
typedef struct {
    double z;
    double log_s;
} ws_synth_point;

/**
 * Run times: ln seconds is linear in the normal quantile between points, and beyond the outer ones
 * as between the last two, cut to [least_s, most_s]. Two points are a log-normal distribution; more
 * follow a table of quantiles.
 */
typedef struct {
    const ws_synth_point *points; /* ascending in both */
    size_t count;                 /* >= 1; one: a constant */
    double least_s;               /* >= 1 */
    double most_s;
} ws_synth_durations;

/** Jobs of a kind or of similar size. */
typedef struct {
    double weight; /* >= 0 */
    ws_text kind;  /* of the records; may be empty */
    const ws_synth_size *sizes;
    size_t size_count; /* >= 1 */
    ws_synth_durations durations;
    /* Of a fit, for its report; else 0: */
    int64_t jobs;        /* that it was made of */
    double lognormal_ks; /* distance of their run times from the log-normal of the same moments */
    double lognormal_ks_limit; /* below which it is taken: see ws_synth_fit() */
    /* Of the nine tenths with the shorter run times, and of the longest tenth. */
    double outcomes[2][WS_TRACE_OUTCOME_COUNT];
} ws_synth_class;

/** The share of a class's jobs whose outcome is drawn from the first row. */
#define WS_SYNTH_SHORT_FRACTION 0.9

/**
 * Interruptions, after which a job starts anew: a Poisson process over the time that its nodes run,
 * so that a job of n nodes and a run time D in all has 1 + n D rate runs on average (memoryless:
 * the runs but the last one are exponential of mean 1/(n rate)). Runs end as `node_fail`.
 */
typedef struct {
    double per_node_day;   /* 0: none */
    int32_t gpus_per_node; /* >= 1 */
    double gap_mean_s;     /* from an interruption to the next start: exponential */
} ws_synth_restarts;

typedef struct {
    ws_text name;   /* "philly"; of a fit: the file */
    ws_text source; /* where the figures come from, sentences */
    ws_trace_clock clock;
    ws_text zone;
    int64_t origin_ns; /* whole hours on the clock; the first arrival lies behind it */
    ws_synth_arrivals arrivals;
    const ws_synth_class *classes;
    size_t class_count; /* >= 1 */
    ws_synth_names queues;
    ws_synth_names gpu_types;
    int32_t user_count;   /* 0: jobs have no user */
    double user_exponent; /* user r submits in proportion to r^-exponent (Zipf) */
    /* Repeated submissions: a share of the jobs is of the class, size, user, queue and GPU type of
     * the one before, with a run time whose normal quantile correlates with that one's. */
    double repeat_fraction; /* 0 <= . < 1 */
    double repeat_likeness; /* correlation, 0 <= . < 1 */
    ws_synth_restarts restarts;
} ws_synth;

/** Mean of the squares of day x week over the week; 1 for a flat profile. */
double ws_synth_profile_square(const ws_synth_arrivals *arrivals);

/** Squared coefficient of variation of the gaps: q a^2 + (1 - q) b^2 times 2, less 1; 1 for one
 * exponential. */
double ws_synth_gap_dispersion(const ws_synth_arrivals *arrivals);

/** Variance-to-mean ratio of hourly counts, by the formula at the head of this file. */
double ws_synth_dispersion(const ws_synth_arrivals *arrivals);

/**
 * Sets log-normal levels (a log-Gaussian Cox process: J. Moller, A. R. Syversveen and R. P.
 * Waagepetersen, Scand. J. Statist. 25, 1998), `count` of them, whose squared coefficient of
 * variation over a block gives the wanted variance-to-mean ratio; a ratio at or below that of the
 * profile and the gaps alone gives one level.
 *
 * @return  false when the arena is exhausted, or when no such levels of that number exist (a ratio
 * beyond that of one busy hour a block)
 */
WS_NODISCARD bool ws_synth_set_dispersion(ws_synth_arrivals *arrivals, double dispersion,
                                          size_t count, ws_arena *arena);

/** Sets the persistence with which levels have a correlation from one hour to the next.
 * @param correlation  0..1; what cannot be reached gives the nearest that can */
void ws_synth_set_correlation(ws_synth_arrivals *arrivals, double correlation);

/** Mean run time, and of it the part of the longest tenth, over the distribution's own quantiles;
 * s and 0..1. By the midpoint rule on 5,000 quantiles. */
void ws_synth_durations_mean(const ws_synth_durations *durations, double *mean_s,
                             double *longest_fraction);

/** The run time at a normal quantile, s. */
double ws_synth_durations_at(const ws_synth_durations *durations, double z);

/**
 * Leaves out sizes beyond a limit; the weights of what is left keep their proportions, in a class
 * and between classes.
 *
 * @return  false when nothing is left, or the arena is exhausted; `*synth` is untouched then
 */
WS_NODISCARD bool ws_synth_limit_gpus(ws_synth *synth, int32_t gpus_max, ws_arena *arena);

/* --- named mixes
 * ------------------------------------------------------------------------------------------------------------
 */

/** Names in order, NULL-terminated: for choices and near names. */
extern const char *const ws_synth_mix_names[];

/** One line on each. */
const char *ws_synth_mix_summary(size_t index);

/** The parameters of a named mix, in the arena; false when it is exhausted. */
WS_NODISCARD bool ws_synth_mix(ws_synth *synth, size_t index, ws_arena *arena);

/* --- imitating
 * --------------------------------------------------------------------------------------------------------------
 */

/**
 * Fits the parameters to a recorded trace.
 *
 * - Rate: arrivals over whole hours of the clock. Profiles of day and week: means by hour and by
 *   weekday, drawn towards 1 as far as their spread is what chance makes of it (a random-effects
 *   analysis of variance: H. Scheffe, The Analysis of Variance, 1959, ch. 7): w = 1 - noise/spread.
 * - Levels: each hour's count over rate x profile, drawn towards 1 so that the variance of the
 *   counts comes out (see the head of this file); their correlation from hour to hour.
 * - Gaps: of hours with at least 8 arrivals, in units of their mean spacing: one exponential, or
 * two by maximum likelihood (GSL's simplex) where the likelihood ratio, 2 ln L, is above 9.21
 *   (chi-squared, two degrees of freedom, 1 %) and one gap in ten or more is of the longer kind.
 * - Classes: jobs of a kind whose GPUs lie between the same powers of two; small ones are joined
 *   with the next. Run times of a class are log-normal where their Kolmogorov distance from the
 *   log-normal of the same moments is below 0.886/sqrt(n) (H. W. Lilliefors, J. Am. Stat. Assoc.
 *   62, 1967: 5 %), else up to 401 of their own quantiles.
 * - Users: the exponent of Zipf's law by maximum likelihood (GSL's Brent minimiser). Queues and GPU
 *   types: their shares.
 * - Repeated submissions: how much more often than by chance a job is of the same class and queue
 *   as the one before; correlation of the normal quantiles of the run times of such pairs.
 * - Restarts: interruptions over the nodes' run time, and the mean gap to the next run.
 *
 * @param trace  by arrival; its texts must outlive `synth`
 * @param name   of the file, for the name and messages
 * @return       false with an error: fewer than WS_SYNTH_LIKE_MIN jobs of known run time (WS6150),
 * all in one moment (WS6151), or no memory (WS9020)
 */
WS_NODISCARD bool ws_synth_fit(ws_synth *synth, const ws_trace *trace, ws_text name,
                               ws_arena *arena, ws_diag *diag);

/* --- drawing
 * ----------------------------------------------------------------------------------------------------------------
 */

typedef struct ws_synth_state ws_synth_state;

/** Opens a generator; NULL when the arena is exhausted. `synth` and the arena must outlive it. */
ws_synth_state *ws_synth_open(const ws_synth *synth, uint64_t seed, ws_arena *arena);

/**
 * The next job, in order of arrival; times count from the synth's origin. Its texts and attempts
 * last until the next call. False when it would arrive at or behind `until_ns`, or beyond
 * WS_HORIZON_MAX_NS.
 */
WS_NODISCARD bool ws_synth_next(ws_synth_state *state, int64_t until_ns, ws_trace_job *job);

/* --- likeness
 * ---------------------------------------------------------------------------------------------------------------
 */

/** Bins of values by ln(1 + x), a hundred to the unit: from 0 to 1e10, those beyond in the last. */
#define WS_SHAPE_BINS 2304

/** How often each value comes, to 1 %. */
typedef struct {
    double weights[WS_SHAPE_BINS];
    double total;
} ws_shape_histogram;

/** What is compared of two traces, collected job by job in order of arrival. */
typedef struct {
    int64_t jobs;
    ws_shape_histogram durations; /* s */
    ws_shape_histogram gaps;      /* s, from arrival to arrival */
    ws_shape_histogram sizes;     /* GPUs, by jobs */
    ws_shape_histogram work;      /* GPUs, by GPU-seconds */
    double day[24];               /* arrivals by hour of the clock's day */
    int64_t first_ns;
    int64_t last_ns;
    int64_t attempts; /* of all jobs; one that tells none counts as one */
    /* Whole hours of the clock from the first arrival to the last: */
    int64_t hour;       /* the one that collects, since the clock's zero */
    int64_t hour_count; /* its arrivals */
    int64_t hours;      /* before it */
    double square_sum;  /* of their counts */
    double product_sum; /* of counts of neighbours */
    int64_t before;     /* the count of the hour before it; -1: none */
    double first_count; /* the count of the first hour, once it is over */
} ws_trace_shape;

/** An empty shape. */
void ws_trace_shape_init(ws_trace_shape *shape);

/** Counts a job; `origin_ns` as of its trace. Arrivals must not fall. O(1). */
void ws_trace_shape_add(ws_trace_shape *shape, const ws_trace_job *job, int64_t origin_ns);

/** Hourly counts of arrivals. */
typedef struct {
    int64_t hours;
    double mean;
    double dispersion;  /* variance (over all hours, not n - 1) to mean; NAN without jobs */
    double correlation; /* from an hour to the next; NAN where counts do not vary */
} ws_shape_counts;

ws_shape_counts ws_trace_shape_counts(const ws_trace_shape *shape);

/** How far two distributions are from each other. */
typedef struct {
    /** Kolmogorov and Smirnov's: the largest difference of the distribution functions, 0..1. */
    double ks;
    /** Wasserstein's of ln(1 + x), of order 1: 0.1 is 10 % on average. */
    double wasserstein;
} ws_shape_distance;

typedef struct {
    ws_shape_distance durations;
    ws_shape_distance gaps;
    ws_shape_distance sizes;
    ws_shape_distance work;
    double day; /* total variation of the shares of the hours of the day, 0..1 */
} ws_shape_distances;

/** Compares two shapes of at least one job. Sources: A. N. Kolmogorov (1933); L. N. Vaserstein
 * (1969): in one dimension the area between the distribution functions. NAN where one has no
 * value. */
ws_shape_distances ws_trace_shape_compare(const ws_trace_shape *a, const ws_trace_shape *b);

#endif
