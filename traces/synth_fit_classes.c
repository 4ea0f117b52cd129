/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which jobs arrive in a recorded trace: classes, their sizes, run times and outcomes; repeats. */
#include <math.h>

#include <gsl/gsl_cdf.h>

#include "names.h"
#include "synth_fit.h"
#include "ws/trace_keys.h"

#define FIT_CLASS_LEAST 30
#define FIT_CLASS_MOST 200 /* a class has at least a 200th of the jobs */
#define FIT_POINTS 401
#define FIT_LILLIEFORS 0.886
#define FIT_LIKENESS_MAX 0.98
#define FIT_REPEAT_MAX 0.98

typedef struct {
    const ws_trace *trace;
    ws_arena *arena; /* of the parameters */
    ws_arena *scratch;
    ws_trace_names kinds;
    ws_trace_key *keys; /* of jobs with a run time; class by class in the end */
    ws_trace_key *spare;
    size_t count;
    ws_synth_class *classes;
    size_t class_count;
    size_t *class_of; /* of each job of the trace */
    double *z;        /* of each job's run time in its class */
} fit_jobs;

static const ws_trace_job *fit_job(const fit_jobs *fit, size_t i)
{
    return fit->keys[i].item;
}

/* ---- order ---- */

/* Jobs by kind, then by GPUs. */
static bool fit_sort(fit_jobs *fit)
{
    const ws_trace *trace = fit->trace;

    ws_trace_names_init(&fit->kinds, fit->scratch);
    for (size_t i = 0; i < trace->count; i++) {
        const ws_trace_job *job = &trace->jobs[i];
        size_t kind = 0;

        if (job->duration_ns == WS_TRACE_UNKNOWN_NS) {
            continue;
        }
        if (!ws_trace_names_index(&fit->kinds, job->kind, &kind)) {
            return false;
        }
        fit->keys[fit->count++] =
            (ws_trace_key){.key = ((int64_t)kind << 32) | job->gpus, .item = job};
    }
    ws_trace_keys_sort(fit->keys, fit->spare, fit->count);
    return true;
}

/* Kind, and between which powers of two the GPUs lie: 1, 2, 3..4, 5..8, ... */
static int64_t fit_group(int64_t key)
{
    int64_t power = 0;

    while ((INT64_C(1) << power) < (key & UINT32_MAX)) {
        power++;
    }
    return (key >> 32) * 64 + power;
}

/* Where the class that begins at `from` ends: whole groups of one kind, until there are enough
 * jobs, and the rest of the kind where that is too little for a class. */
static size_t fit_class_end(const fit_jobs *fit, size_t from)
{
    size_t least = fit->count / FIT_CLASS_MOST;
    size_t end = from;
    size_t enough = 0;

    least = least > FIT_CLASS_LEAST ? least : FIT_CLASS_LEAST;
    while (end < fit->count && fit->keys[end].key >> 32 == fit->keys[from].key >> 32) {
        bool is_new_group =
            end > from && fit_group(fit->keys[end].key) != fit_group(fit->keys[end - 1].key);

        if (is_new_group && enough == 0 && end - from >= least) {
            enough = end;
        }
        end++;
    }
    return enough > 0 && end - enough >= least ? enough : end;
}

/* ---- a class ---- */

static bool fit_sizes(const fit_jobs *fit, ws_synth_class *class, size_t from, size_t to)
{
    size_t distinct = 1;

    for (size_t i = from + 1; i < to; i++) {
        distinct += fit->keys[i].key != fit->keys[i - 1].key ? 1 : 0;
    }
    ws_synth_size *sizes = ws_arena_alloc(fit->arena, ws_synth_size, distinct);

    for (size_t i = from; sizes != NULL && i < to; i++) {
        if (i == from || fit->keys[i].key != fit->keys[i - 1].key) {
            sizes[class->size_count++] = (ws_synth_size){.gpus = fit_job(fit, i)->gpus};
        }
        sizes[class->size_count - 1].weight += 1;
    }
    class->sizes = sizes;
    return sizes != NULL;
}

/* ln seconds of the job at a place of a class whose keys are sorted by run time. */
static double fit_log_s(const fit_jobs *fit, size_t i)
{
    return log((double)fit_job(fit, i)->duration_ns / 1e9);
}

/* The points of the log-normal distribution, or a quantile table, that run times are of. */
static ws_synth_point *fit_quantiles(const fit_jobs *fit, ws_synth_class *class, size_t from)
{
    size_t jobs = (size_t) class->jobs;
    size_t count = jobs < FIT_POINTS ? jobs : FIT_POINTS;
    ws_synth_point *points = ws_arena_alloc(fit->arena, ws_synth_point, count);
    double outer = gsl_cdf_ugaussian_Pinv(1 - 0.5 / (double)jobs);

    for (size_t i = 0; points != NULL && i < count; i++) {
        double z = count > 1 ? outer * (2 * (double)i / (double)(count - 1) - 1) : 0;
        double at = fmin(fmax(gsl_cdf_ugaussian_P(z) * (double)jobs - 0.5, 0), (double)jobs - 1);
        size_t low = (size_t)at;
        size_t high = low + 1 < jobs ? low + 1 : low;
        double a = fit_log_s(fit, from + low);
        double b = fit_log_s(fit, from + high);

        points[i] = (ws_synth_point){.z = z, .log_s = a + (b - a) * (at - (double)low)};
    }
    class->durations.count = count;
    return points;
}

static ws_synth_point *fit_lognormal(const fit_jobs *fit, ws_synth_class *class, double mu,
                                     double sigma)
{
    ws_synth_point *points = ws_arena_alloc(fit->arena, ws_synth_point, 2);

    if (points != NULL) {
        points[0] = (ws_synth_point){.z = 0, .log_s = mu};
        points[1] = (ws_synth_point){.z = 1, .log_s = mu + sigma};
    }
    class->durations.count = 2;
    return points;
}

/* Kolmogorov's distance of a class's run times from the log-normal of their moments. */
static double fit_distance(const fit_jobs *fit, size_t from, size_t to, double mu, double sigma)
{
    double n = (double)(to - from);
    double distance = 0;

    for (size_t i = from; i < to; i++) {
        double share = gsl_cdf_ugaussian_P((fit_log_s(fit, i) - mu) / sigma);
        double below = (double)(i - from) / n;

        distance = fmax(distance, fmax(share - below, below + 1 / n - share));
    }
    return distance;
}

static bool fit_durations(const fit_jobs *fit, ws_synth_class *class, size_t from, size_t to)
{
    ws_synth_durations *durations = &class->durations;
    double n = (double)(to - from);
    double mu = 0;
    double square = 0;

    for (size_t i = from; i < to; i++) {
        mu += fit_log_s(fit, i) / n;
    }
    for (size_t i = from; i < to; i++) {
        square += (fit_log_s(fit, i) - mu) * (fit_log_s(fit, i) - mu);
    }
    double sigma = sqrt(square / n);

    class->jobs = (int64_t)(to - from);
    class->lognormal_ks = sigma > 0 ? fit_distance(fit, from, to, mu, sigma) : 1;
    class->lognormal_ks_limit = FIT_LILLIEFORS / sqrt(n);
    durations->points = class->lognormal_ks < class->lognormal_ks_limit
                            ? fit_lognormal(fit, class, mu, sigma)
                            : fit_quantiles(fit, class, from);
    durations->most_s = fmax((double)fit_job(fit, to - 1)->duration_ns / 1e9, 1);
    durations->least_s = fmax((double)fit_job(fit, from)->duration_ns / 1e9, 1);
    return durations->points != NULL;
}

/* Outcomes of the shorter nine tenths and of the longest tenth; normal quantiles of the ranks. */
static void fit_ranks(fit_jobs *fit, ws_synth_class *class, size_t from, size_t to)
{
    double n = (double)(to - from);
    bool has_longest = false;

    for (size_t i = from; i < to; i++) {
        const ws_trace_job *job = fit_job(fit, i);
        size_t place = (size_t)(job - fit->trace->jobs);
        double p = ((double)(i - from) + 0.5) / n;
        size_t band = p > WS_SYNTH_SHORT_FRACTION ? 1 : 0;

        class->outcomes[band][job->outcome] += 1;
        has_longest = has_longest || band == 1;
        fit->z[place] = gsl_cdf_ugaussian_Pinv(p);
        fit->class_of[place] = fit->class_count;
    }
    for (size_t i = 0; i < WS_TRACE_OUTCOME_COUNT && !has_longest; i++) {
        class->outcomes[1][i] = class->outcomes[0][i];
    }
}

static bool fit_class(fit_jobs *fit, size_t from, size_t to)
{
    ws_synth_class *class = &fit->classes[fit->class_count];

    *class = (ws_synth_class){.weight = (double)(to - from), .kind = fit_job(fit, from)->kind};
    if (!fit_sizes(fit, class, from, to)) {
        return false;
    }
    for (size_t i = from; i < to; i++) {
        fit->keys[i].key = fit_job(fit, i)->duration_ns;
    }
    ws_trace_keys_sort(fit->keys + from, fit->spare, to - from);
    if (!fit_durations(fit, class, from, to)) {
        return false;
    }
    fit_ranks(fit, class, from, to);
    fit->class_count++;
    return true;
}

static size_t fit_count_classes(const fit_jobs *fit)
{
    size_t count = 0;

    for (size_t from = 0; from < fit->count; from = fit_class_end(fit, from)) {
        count++;
    }
    return count;
}

/* ---- repeats ---- */

/* What repeated submissions have in common: class, queue, user. */
static bool fit_identity(const fit_jobs *fit, ws_trace_names *names, size_t place, size_t *identity)
{
    const ws_trace_job *job = &fit->trace->jobs[place];
    ws_text text =
        ws_arena_format(fit->scratch, "%zu/%zu%.*s/%.*s", fit->class_of[place], job->queue.length,
                        WS_TEXT_ARGS(job->queue), WS_TEXT_ARGS(job->user));

    return text.start != NULL && ws_trace_names_index(names, text, identity);
}

/* Sums over jobs and over neighbours. */
typedef struct {
    double pairs;
    double same;
    double product; /* of the normal quantiles of those that are the same */
    double squares; /* of the shares of identities: how many would be the same by chance */
} fit_repeats;

static void fit_set_repeats(ws_synth *synth, const fit_repeats *found)
{
    double fraction = found->pairs > 0 ? found->same / found->pairs : 0;
    double chance = found->squares;
    double repeat = chance < 1 ? (fraction - chance) / (1 - chance) : 0;

    if (!(repeat > 0)) {
        return;
    }
    /* Pairs that are the same by chance are alike in nothing else. */
    double likeness = found->product / found->same * fraction / repeat;

    synth->repeat_fraction = fmin(repeat, FIT_REPEAT_MAX);
    synth->repeat_likeness = fmin(fmax(likeness, 0), FIT_LIKENESS_MAX);
}

/* Counts identities and neighbours, in order of arrival. */
static bool fit_find_repeats(fit_jobs *fit, ws_synth *synth)
{
    ws_trace_names names;
    double *counts = ws_arena_alloc(fit->scratch, double, fit->trace->count);
    fit_repeats found = {.pairs = 0};
    size_t last_identity = SIZE_MAX;
    size_t last = 0;

    ws_trace_names_init(&names, fit->scratch);
    for (size_t i = 0; counts != NULL && i < fit->trace->count; i++) {
        size_t identity = 0;

        if (fit->trace->jobs[i].duration_ns == WS_TRACE_UNKNOWN_NS) {
            continue;
        }
        if (!fit_identity(fit, &names, i, &identity)) {
            return false;
        }
        found.pairs += last_identity != SIZE_MAX ? 1 : 0;
        if (identity == last_identity) {
            found.same += 1;
            found.product += fit->z[i] * fit->z[last];
        }
        counts[identity] += 1;
        last_identity = identity;
        last = i;
    }
    for (size_t i = 0; counts != NULL && i < names.count; i++) {
        double share = counts[i] / (double)fit->count;
        found.squares += share * share;
    }
    fit_set_repeats(synth, &found);
    return counts != NULL;
}

/* ---- all of it ---- */

static bool fit_prepare(fit_jobs *fit)
{
    size_t room = fit->trace->count;

    fit->keys = ws_arena_alloc(fit->scratch, ws_trace_key, room);
    fit->spare = ws_arena_alloc(fit->scratch, ws_trace_key, room);
    fit->class_of = ws_arena_alloc(fit->scratch, size_t, room);
    fit->z = ws_arena_alloc(fit->scratch, double, room);
    return fit->keys != NULL && fit->spare != NULL && fit->class_of != NULL && fit->z != NULL &&
           fit_sort(fit);
}

static bool fit_all_classes(fit_jobs *fit, ws_synth *synth)
{
    if (!fit_prepare(fit)) {
        return false;
    }
    fit->classes = ws_arena_alloc(fit->arena, ws_synth_class, fit_count_classes(fit));
    if (fit->classes == NULL) {
        return false;
    }
    for (size_t from = 0; from < fit->count;) {
        size_t to = fit_class_end(fit, from);

        if (!fit_class(fit, from, to)) {
            return false;
        }
        from = to;
    }
    synth->classes = fit->classes;
    synth->class_count = fit->class_count;
    return fit_find_repeats(fit, synth);
}

bool ws_synth_fit_classes(ws_synth *synth, const ws_trace *trace, ws_arena *arena)
{
    ws_arena scratch;

    ws_arena_init(&scratch, &arena->allocator, arena->bound_bytes);
    fit_jobs fit = {.trace = trace, .arena = arena, .scratch = &scratch};
    bool sound = fit_all_classes(&fit, synth);
    ws_arena_reset(&scratch);
    return sound;
}
