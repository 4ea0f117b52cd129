/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Drawing a synthetic trace, job by job.
 *
 * Time runs in hours of constant intensity. The gap before a job is drawn in operational time, in
 * which one job arrives a unit, and used up hour by hour. Job k draws all that it may need from
 * the stream of (seed, k), each in its own place, so that no parameter moves another one's draws.
 */
#include <math.h>
#include <stdio.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_heapsort.h>

#include "ws/time.h"
#include "ws/trace_synth.h"

#define SYNTH_ID_BYTES 32
#define SYNTH_ATTEMPTS_MAX WS_TRACE_ATTEMPTS_MAX

/* Sums of weights, for drawing. */
typedef struct {
    double *sums;
    size_t count;
} synth_choice;

/* An hour of the block and its place in the Gaussian series. */
typedef struct {
    double score;
    size_t hour;
} synth_rank;

/* What a repeated submission takes over. */
typedef struct {
    size_t class;
    size_t size;
    size_t user;
    size_t queue;
    size_t gpu_type;
    double z; /* of the run time */
} synth_traits;

/* The uniform numbers of a job. */
typedef enum {
    SYNTH_GAP_KIND,
    SYNTH_GAP,
    SYNTH_REPEAT,
    SYNTH_CLASS,
    SYNTH_SIZE,
    SYNTH_DURATION,
    SYNTH_OUTCOME,
    SYNTH_USER,
    SYNTH_QUEUE,
    SYNTH_GPU_TYPE,
    SYNTH_DRAWS
} synth_draw;

struct ws_synth_state {
    const ws_synth *synth;
    uint64_t seed;
    uint64_t entity;
    synth_choice classes;
    synth_choice *sizes; /* of each class */
    synth_choice users;
    synth_choice queues;
    synth_choice gpu_types;
    /* arrivals */
    synth_rank *ranks;
    double *block; /* the levels of its hours */
    int64_t hour;  /* since the origin */
    double passed; /* of the hour, 0..1 */
    double lambda; /* of the hour */
    double score;  /* of the last hour that was drawn */
    /* jobs */
    int64_t number; /* of the next job, from 0 */
    synth_traits last;
    ws_stream stream;
    ws_trace_attempt *attempts;
    char id[SYNTH_ID_BYTES];
    char user[SYNTH_ID_BYTES];
};

/* ---- choices ---- */

/* The one of `count` that a uniform number hits. */
static size_t choice_draw(const synth_choice *choice, double uniform)
{
    size_t low = 0;
    size_t high = choice->count - 1;
    double at = uniform * choice->sums[high];

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (at < choice->sums[middle]) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

static bool choice_init(synth_choice *choice, size_t count, ws_arena *arena)
{
    *choice = (synth_choice){.count = count};
    choice->sums = ws_arena_alloc(arena, double, count > 0 ? count : 1);
    return choice->sums != NULL;
}

static void choice_add(synth_choice *choice, size_t i, double weight)
{
    choice->sums[i] = (i > 0 ? choice->sums[i - 1] : 0) + weight;
}

static bool choice_of_names(synth_choice *choice, const ws_synth_names *names, ws_arena *arena)
{
    bool sound = choice_init(choice, names->count, arena);

    for (size_t i = 0; sound && i < names->count; i++) {
        choice_add(choice, i, names->items[i].weight);
    }
    return sound;
}

static bool choice_of_sizes(synth_choice *choice, const ws_synth_class *class, ws_arena *arena)
{
    bool sound = choice_init(choice, class->size_count, arena);

    for (size_t i = 0; sound && i < class->size_count; i++) {
        choice_add(choice, i, class->sizes[i].weight);
    }
    return sound;
}

static bool synth_prepare_classes(ws_synth_state *state, ws_arena *arena)
{
    const ws_synth *synth = state->synth;

    state->sizes = ws_arena_alloc(arena, synth_choice, synth->class_count);
    if (state->sizes == NULL || !choice_init(&state->classes, synth->class_count, arena)) {
        return false;
    }
    for (size_t i = 0; i < synth->class_count; i++) {
        choice_add(&state->classes, i, synth->classes[i].weight);
        if (!choice_of_sizes(&state->sizes[i], &synth->classes[i], arena)) {
            return false;
        }
    }
    return true;
}

static bool synth_prepare_users(ws_synth_state *state, ws_arena *arena)
{
    const ws_synth *synth = state->synth;

    if (!choice_init(&state->users, (size_t)synth->user_count, arena)) {
        return false;
    }
    for (size_t i = 0; i < state->users.count; i++) {
        choice_add(&state->users, i, pow((double)i + 1, -synth->user_exponent));
    }
    return true;
}

/* ---- arrivals ---- */

static ws_stream_key synth_key(const ws_synth_state *state, ws_purpose purpose, int64_t index)
{
    return (ws_stream_key){
        .seed = state->seed, .purpose = purpose, .entity = state->entity, .index = (uint64_t)index};
}

static int synth_compare_ranks(const void *left, const void *right)
{
    const synth_rank *a = left;
    const synth_rank *b = right;

    if (a->score < b->score || a->score > b->score) {
        return a->score < b->score ? -1 : 1;
    }
    return (a->hour > b->hour) - (a->hour < b->hour);
}

/* The next value of the Gaussian autoregression. */
static double synth_next_score(ws_synth_state *state, int64_t hour)
{
    double persistence = state->synth->arrivals.persistence;
    ws_stream stream;

    ws_stream_open(&stream, synth_key(state, WS_PURPOSE_ARRIVALS, hour));
    double fresh = gsl_cdf_ugaussian_Pinv(ws_stream_uniform(&stream));
    state->score = hour == 0
                       ? fresh
                       : persistence * state->score + sqrt(1 - persistence * persistence) * fresh;
    return state->score;
}

/* Gives each hour of the block that begins its level. */
static void synth_begin_block(ws_synth_state *state)
{
    const ws_synth_arrivals *arrivals = &state->synth->arrivals;
    size_t count = arrivals->level_count;

    for (size_t i = 0; i < count; i++) {
        state->ranks[i] =
            (synth_rank){.score = synth_next_score(state, state->hour + (int64_t)i), .hour = i};
    }
    gsl_heapsort(state->ranks, count, sizeof *state->ranks, synth_compare_ranks);
    for (size_t i = 0; i < count; i++) {
        state->block[state->ranks[i].hour] = arrivals->levels[i];
    }
}

static void synth_begin_hour(ws_synth_state *state)
{
    const ws_synth_arrivals *arrivals = &state->synth->arrivals;
    int64_t count = (int64_t)arrivals->level_count;
    int64_t hour = state->synth->origin_ns / WS_NS_PER_H + state->hour;
    int64_t of_day = (hour % 24 + 24) % 24;
    int64_t day = (hour - of_day) / 24;

    if (count > 1 && state->hour % count == 0) {
        synth_begin_block(state);
    }
    /* 1970-01-01 was a Thursday. */
    state->lambda = arrivals->rate_per_h * arrivals->day[of_day] *
                    arrivals->week[((day + 3) % 7 + 7) % 7] * state->block[state->hour % count];
    state->passed = 0;
}

/* Goes on by a gap of operational time; false when that leads behind the limit. */
static bool synth_advance(ws_synth_state *state, double gap, int64_t until_ns)
{
    double rest = state->lambda * (1 - state->passed);

    while (gap >= rest) {
        gap -= rest;
        state->hour++;
        if (state->hour >= WS_HORIZON_MAX_NS / WS_NS_PER_H ||
            state->hour * WS_NS_PER_H >= until_ns) {
            return false;
        }
        synth_begin_hour(state);
        rest = state->lambda;
    }
    state->passed += gap / state->lambda;
    return true;
}

/* Since the origin, in whole seconds. */
static int64_t synth_now_ns(const ws_synth_state *state)
{
    int64_t second = (int64_t)(state->passed * 3600);

    return state->hour * WS_NS_PER_H + (second < 3600 ? second : 3599) * WS_NS_PER_S;
}

/* ---- a job ---- */

static double synth_gap(const ws_synth_arrivals *arrivals, const double draws[SYNTH_DRAWS])
{
    double near = arrivals->near_fraction;
    double mean = 1;

    if (near > 0) {
        mean = draws[SYNTH_GAP_KIND] < near ? arrivals->near_mean
                                            : (1 - near * arrivals->near_mean) / (1 - near);
    }
    return mean * gsl_cdf_exponential_Pinv(draws[SYNTH_GAP], 1);
}

static size_t synth_draw_name(const synth_choice *choice, double uniform)
{
    return choice->count > 0 ? choice_draw(choice, uniform) : 0;
}

static synth_traits synth_draw_traits(const ws_synth_state *state, const double draws[SYNTH_DRAWS])
{
    const ws_synth *synth = state->synth;
    double z = gsl_cdf_ugaussian_Pinv(draws[SYNTH_DURATION]);
    synth_traits traits = state->last;

    if (state->number > 0 && draws[SYNTH_REPEAT] < synth->repeat_fraction) {
        double likeness = synth->repeat_likeness;

        traits.z = likeness * traits.z + sqrt(1 - likeness * likeness) * z;
        return traits;
    }
    traits.class = choice_draw(&state->classes, draws[SYNTH_CLASS]);
    traits.size = choice_draw(&state->sizes[traits.class], draws[SYNTH_SIZE]);
    traits.user = synth_draw_name(&state->users, draws[SYNTH_USER]);
    traits.queue = synth_draw_name(&state->queues, draws[SYNTH_QUEUE]);
    traits.gpu_type = synth_draw_name(&state->gpu_types, draws[SYNTH_GPU_TYPE]);
    traits.z = z;
    return traits;
}

static ws_trace_outcome synth_outcome(const ws_synth_class *class, double z, double uniform)
{
    double short_z = gsl_cdf_ugaussian_Pinv(WS_SYNTH_SHORT_FRACTION);
    const double *weights = class->outcomes[z > short_z ? 1 : 0];
    double rest = 0;

    for (size_t i = 0; i < WS_TRACE_OUTCOME_COUNT; i++) {
        rest += weights[i];
    }
    rest *= uniform;
    for (size_t i = 0; i < WS_TRACE_OUTCOME_COUNT; i++) {
        if (rest < weights[i]) {
            return (ws_trace_outcome)i;
        }
        rest -= weights[i];
    }
    return WS_TRACE_OUTCOME_UNKNOWN;
}

/* Whole seconds, at least one, of an exponential span. */
static int64_t synth_span_s(ws_synth_state *state, double mean_s)
{
    double uniform = ws_stream_uniform(&state->stream);
    double span_s = gsl_cdf_exponential_Pinv(uniform, mean_s);

    return span_s < 1e12 ? (int64_t)fmax(round(span_s), 1) : INT64_C(1000000000000);
}

/* Cuts a job's run time where its nodes are lost; a job that is never interrupted has no attempts.
 */
static void synth_cut(ws_synth_state *state, ws_trace_job *job)
{
    const ws_synth_restarts *restarts = &state->synth->restarts;
    int32_t nodes = (job->gpus - 1) / restarts->gpus_per_node + 1;
    double mean_s = 86400 / (restarts->per_node_day * (double)nodes);
    int64_t left_s = job->duration_ns / WS_NS_PER_S;
    int64_t at_ns = job->arrival_ns;
    int32_t count = 0;
    int64_t run_s = synth_span_s(state, mean_s);

    while (run_s < left_s && count + 1 < SYNTH_ATTEMPTS_MAX) {
        state->attempts[count++] = (ws_trace_attempt){.start_ns = at_ns,
                                                      .end_ns = at_ns + run_s * WS_NS_PER_S,
                                                      .gpus = job->gpus,
                                                      .outcome = WS_TRACE_OUTCOME_NODE_FAIL};
        at_ns += (run_s + synth_span_s(state, restarts->gap_mean_s)) * WS_NS_PER_S;
        left_s -= run_s;
        run_s = synth_span_s(state, mean_s);
    }
    if (count > 0) {
        state->attempts[count++] = (ws_trace_attempt){.start_ns = at_ns,
                                                      .end_ns = at_ns + left_s * WS_NS_PER_S,
                                                      .gpus = job->gpus,
                                                      .outcome = job->outcome};
        job->queue_ns = 0;
        job->attempt_count = count;
        job->attempts = state->attempts;
    }
}

static ws_text synth_name(const ws_synth_names *names, size_t index)
{
    return names->count > 0 ? names->items[index].name : WS_TEXT("");
}

/* The record of a job that arrives now. */
static void synth_fill(ws_synth_state *state, ws_trace_job *job, double outcome)
{
    const ws_synth *synth = state->synth;
    const synth_traits *traits = &state->last;
    const ws_synth_class *class = &synth->classes[traits->class];
    double duration_s = ws_synth_durations_at(&class->durations, traits->z);

    (void)snprintf(state->id, sizeof state->id, "job-%lld", (long long)state->number + 1);
    (void)snprintf(state->user, sizeof state->user, "user-%zu", traits->user + 1);
    *job = (ws_trace_job){
        .id = ws_text_of(state->id),
        .arrival_ns = synth_now_ns(state),
        .duration_ns = (int64_t)fmax(round(duration_s), 1) * WS_NS_PER_S,
        .queue_ns = WS_TRACE_UNKNOWN_NS,
        .gpus = class->sizes[traits->size].gpus,
        .outcome = synth_outcome(class, traits->z, outcome),
        .user = synth->user_count > 0 ? ws_text_of(state->user) : WS_TEXT(""),
        .queue = synth_name(&synth->queues, traits->queue),
        .gpu_type = synth_name(&synth->gpu_types, traits->gpu_type),
        .kind = class->kind,
    };
    if (synth->restarts.per_node_day > 0) {
        synth_cut(state, job);
    }
}

bool ws_synth_next(ws_synth_state *state, int64_t until_ns, ws_trace_job *job)
{
    double draws[SYNTH_DRAWS];

    ws_stream_open(&state->stream, synth_key(state, WS_PURPOSE_JOB, state->number));
    for (size_t i = 0; i < SYNTH_DRAWS; i++) {
        draws[i] = ws_stream_uniform(&state->stream);
    }
    if (!synth_advance(state, synth_gap(&state->synth->arrivals, draws), until_ns) ||
        synth_now_ns(state) >= until_ns) {
        return false;
    }
    state->last = synth_draw_traits(state, draws);
    synth_fill(state, job, draws[SYNTH_OUTCOME]);
    WS_DEBUG_ASSERT(ws_trace_job_is_valid(job));
    state->number++;
    return true;
}

ws_synth_state *ws_synth_open(const ws_synth *synth, uint64_t seed, ws_arena *arena)
{
    ws_synth_state *state = ws_arena_alloc(arena, ws_synth_state, 1);
    size_t levels = synth->arrivals.level_count;

    WS_ASSERT(levels >= 1 && levels <= WS_SYNTH_LEVELS_MAX);
    WS_ASSERT(synth->class_count >= 1);
    WS_ASSERT(synth->arrivals.rate_per_h > 0);
    if (state == NULL) {
        return NULL;
    }
    state->synth = synth;
    state->seed = seed;
    state->entity = ws_text_hash(WS_TEXT("trace synth"));
    state->ranks = ws_arena_alloc(arena, synth_rank, levels);
    state->block = ws_arena_alloc(arena, double, levels);
    state->attempts = ws_arena_alloc(arena, ws_trace_attempt, SYNTH_ATTEMPTS_MAX);
    if (state->ranks == NULL || state->block == NULL || state->attempts == NULL ||
        !synth_prepare_classes(state, arena) || !synth_prepare_users(state, arena) ||
        !choice_of_names(&state->queues, &synth->queues, arena) ||
        !choice_of_names(&state->gpu_types, &synth->gpu_types, arena)) {
        return NULL;
    }
    state->block[0] = synth->arrivals.levels[0];
    synth_begin_hour(state);
    return state;
}
