/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters after a recorded trace. */
#include <math.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_min.h>

#include "synth_fit.h"
#include "tally.h"
#include "ws/statistics.h"
#include "ws/time.h"

#define FIT_GPUS_PER_NODE 8
#define FIT_EXPONENT_MAX 8.0
#define FIT_EXPONENT_STEPS 100
#define FIT_GAP_LEAST_S 1.0

/* ---- names ---- */

/* The names of a tally by how often they come; none where no job has one. */
static bool fit_names(ws_synth_names *names, const ws_trace_tally *tally, ws_arena *arena)
{
    size_t count = tally->keys.count;
    bool has_names = count > 1 || (count == 1 && tally->entries[0].key.length > 0);

    *names = (ws_synth_names){.count = 0};
    if (!has_names) {
        return true;
    }
    ws_synth_name *items = ws_arena_alloc(arena, ws_synth_name, count);

    for (size_t i = 0; items != NULL && i < count; i++) {
        items[i] = (ws_synth_name){.name = ws_arena_copy_text(arena, tally->entries[i].key),
                                   .weight = (double)tally->entries[i].jobs};
    }
    *names = (ws_synth_names){.items = items, .count = count};
    return items != NULL;
}

/* Jobs of users, the most first. */
typedef struct {
    double *counts; /* ascending */
    size_t count;
    double jobs;
} fit_users;

/* -ln L of Zipf's law: s sum c_r ln r + n ln sum r^-s. */
static double fit_zipf_loss(double exponent, void *context)
{
    const fit_users *users = context;
    double logs = 0;
    double sum = 0;

    for (size_t i = 0; i < users->count; i++) {
        double log_rank = log((double)i + 1);

        logs += users->counts[users->count - 1 - i] * log_rank;
        sum += exp(-exponent * log_rank);
    }
    return exponent * logs + users->jobs * log(sum);
}

/* The end of the range where the loss is least, or 1: the loss is convex. */
static double fit_zipf_end(fit_users *users)
{
    double at_one = fit_zipf_loss(1, users);

    if (fit_zipf_loss(FIT_EXPONENT_MAX, users) < at_one) {
        return FIT_EXPONENT_MAX;
    }
    return fit_zipf_loss(0, users) < at_one ? 0 : 1;
}

/* Brent's method, where there is a bracket. */
static double fit_zipf(fit_users *users)
{
    gsl_function function = {.function = fit_zipf_loss, .params = users};
    gsl_min_fminimizer *minimizer = gsl_min_fminimizer_alloc(gsl_min_fminimizer_brent);
    double found = fit_zipf_end(users);

    if (minimizer != NULL &&
        gsl_min_fminimizer_set(minimizer, &function, 1, 0, FIT_EXPONENT_MAX) == GSL_SUCCESS) {
        int steps = 0;

        while (steps < FIT_EXPONENT_STEPS && gsl_min_fminimizer_iterate(minimizer) == GSL_SUCCESS) {
            steps++;
        }
        found = gsl_min_fminimizer_x_minimum(minimizer);
    }
    gsl_min_fminimizer_free(minimizer);
    return found;
}

static bool fit_set_users(ws_synth *synth, const ws_trace_tally *tally, ws_arena *scratch)
{
    fit_users users = {.counts = ws_arena_alloc(scratch, double, tally->keys.count + 1)};

    for (size_t i = 0; users.counts != NULL && i < tally->keys.count; i++) {
        if (tally->entries[i].key.length > 0) {
            users.counts[users.count++] = (double)tally->entries[i].jobs;
            users.jobs += (double)tally->entries[i].jobs;
        }
    }
    if (users.count > 0) {
        ws_sort_doubles(users.counts, users.count);
        synth->user_count = (int32_t)users.count;
        synth->user_exponent = users.count > 1 ? fit_zipf(&users) : 0;
    }
    return users.counts != NULL;
}

static bool fit_all_names(ws_synth *synth, const ws_trace *trace, ws_arena *arena,
                          ws_arena *scratch)
{
    const ws_gpu_time no_work = {.gpu_ns = 0};
    ws_trace_tally users;
    ws_trace_tally queues;
    ws_trace_tally gpu_types;

    ws_trace_tally_init(&users, scratch);
    ws_trace_tally_init(&queues, scratch);
    ws_trace_tally_init(&gpu_types, scratch);
    for (size_t i = 0; i < trace->count; i++) {
        const ws_trace_job *job = &trace->jobs[i];

        if (!ws_trace_tally_add(&users, job->user, no_work) ||
            !ws_trace_tally_add(&queues, job->queue, no_work) ||
            !ws_trace_tally_add(&gpu_types, job->gpu_type, no_work)) {
            return false;
        }
    }
    return fit_names(&synth->queues, &queues, arena) &&
           fit_names(&synth->gpu_types, &gpu_types, arena) && fit_set_users(synth, &users, scratch);
}

/* ---- restarts ---- */

/* Sums over the jobs. */
typedef struct {
    double node_days;
    double events;
    double gaps;
    double gaps_s;
} fit_runs;

static double fit_nodes(const ws_trace_job *job)
{
    int32_t nodes = job->nodes > 0 ? job->nodes : (job->gpus - 1) / FIT_GPUS_PER_NODE + 1;

    return (double)nodes;
}

static void fit_add_runs(fit_runs *runs, const ws_trace_job *job)
{
    if (job->duration_ns != WS_TRACE_UNKNOWN_NS) {
        runs->node_days += fit_nodes(job) * (double)job->duration_ns / (double)WS_NS_PER_D;
        runs->events += job->attempt_count > 1 ? job->attempt_count - 1 : 0;
    }
    for (int32_t k = 1; k < job->attempt_count; k++) {
        const ws_trace_attempt *before = &job->attempts[k - 1];

        if (before->end_ns != WS_TRACE_UNKNOWN_NS) {
            runs->gaps += 1;
            runs->gaps_s += (double)(job->attempts[k].start_ns - before->end_ns) / 1e9;
        }
    }
}

/* The rate of a Poisson process is its events over its time; the mean gap that of the gaps. */
static void fit_restarts(ws_synth_restarts *restarts, const ws_trace *trace)
{
    fit_runs runs = {.events = 0};

    for (size_t i = 0; i < trace->count; i++) {
        fit_add_runs(&runs, &trace->jobs[i]);
    }
    *restarts = (ws_synth_restarts){
        .per_node_day = runs.node_days > 0 ? runs.events / runs.node_days : 0,
        .gpus_per_node = FIT_GPUS_PER_NODE,
        .gap_mean_s = fmax(runs.gaps > 0 ? runs.gaps_s / runs.gaps : 0, FIT_GAP_LEAST_S),
    };
}

/* ---- all of it ---- */

static bool fit_is_possible(const ws_trace *trace, ws_text name, ws_diag *diag)
{
    size_t known = 0;

    for (size_t i = 0; i < trace->count; i++) {
        known += trace->jobs[i].duration_ns != WS_TRACE_UNKNOWN_NS ? 1 : 0;
    }
    if (known < WS_SYNTH_LIKE_MIN) {
        return ws_diag_error(diag, 6150, ws_span_none,
                             "`%.*s` holds %zu job%s of known run time: at least %d are needed to "
                             "draw others like them",
                             WS_TEXT_ARGS(name), known, known == 1 ? "" : "s", WS_SYNTH_LIKE_MIN);
    }
    if (trace->jobs[0].arrival_ns == trace->jobs[trace->count - 1].arrival_ns) {
        return ws_diag_error(diag, 6151, ws_span_none,
                             "all %zu jobs of `%.*s` arrive at one moment: nothing says how often "
                             "jobs come",
                             trace->count, WS_TEXT_ARGS(name));
    }
    return true;
}

static bool fit_everything(ws_synth *synth, const ws_trace *trace, ws_arena *arena,
                           ws_arena *scratch)
{
    return ws_synth_fit_arrivals(&synth->arrivals, trace, arena) &&
           ws_synth_fit_classes(synth, trace, arena) && fit_all_names(synth, trace, arena, scratch);
}

bool ws_synth_fit(ws_synth *synth, const ws_trace *trace, ws_text name, ws_arena *arena,
                  ws_diag *diag)
{
    ws_arena scratch;
    int64_t rest_ns = 0;

    WS_ASSERT(synth != NULL);
    WS_ASSERT(trace != NULL);
    if (!fit_is_possible(trace, name, diag)) {
        return false;
    }
    rest_ns = trace->origin_ns % WS_NS_PER_H;
    ws_synth made = {.name = name,
                     .source = WS_TEXT("fitted to the recorded jobs"),
                     .clock = trace->clock,
                     .zone = trace->zone,
                     .origin_ns =
                         trace->origin_ns - (rest_ns < 0 ? rest_ns + WS_NS_PER_H : rest_ns)};

    ws_arena_init(&scratch, &arena->allocator, arena->bound_bytes);
    bool sound = fit_everything(&made, trace, arena, &scratch);
    ws_arena_reset(&scratch);
    if (!sound) {
        return ws_diag_error(diag, 9020, ws_span_none, "`%.*s` holds more jobs than memory allows",
                             WS_TEXT_ARGS(name));
    }
    fit_restarts(&made.restarts, trace);
    *synth = made;
    return true;
}
