/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The changes of all series are swept by time: a heap says whose is next. Sums over the series that
 * are seen come from a tree of partial sums, so that they depend on the values of now alone: adding
 * and taking away would leave the rounding of what is past.
 */
#include "demand_course.h"

#include <math.h>

#include "ws/assert.h"

typedef enum { COURSE_ABSENT, COURSE_SEEN, COURSE_HOLE } course_state;

/** A walk through the changes of one series: each sample, and each end of what the last one says.
 */
typedef struct {
    const ws_trace_series *series;
    size_t next;   /* sample */
    bool ends;     /* the next change is the end of the sample before it */
    int64_t at_ns; /* of the next change; INT64_MAX: there is none */
} course_walk;

typedef struct {
    const ws_demand_recording *recording;
    ws_demand_course *course;
    course_walk *walks; /* of the series, then of the sizes */
    size_t *heap;       /* of walks, the earliest change first, then by index */
    size_t walk_count;
    course_state *states; /* as the walks */
    double *sums;         /* a binary heap of partial sums; leaves from `leaf` on */
    size_t leaf;
    size_t seen;
    size_t in_hole;
    double size; /* recorded replicas */
    ws_demand_step *steps;
    size_t step_count;
    bool was_hole;
} course_sweep;

/* ---- changes ---- */

/** Sets when the next change of a series is. */
static void course_walk_look(course_walk *walk)
{
    const ws_trace_series *series = walk->series;

    if (walk->ends) {
        walk->at_ns = series->samples[walk->next - 1].at_ns + series->step_ns;
    } else {
        walk->at_ns = walk->next < series->count ? series->samples[walk->next].at_ns : INT64_MAX;
    }
}

/** Whether what a sample says ends before the next one. */
static bool course_walk_ends(const course_walk *walk, size_t sample)
{
    const ws_trace_series *series = walk->series;

    if (sample + 1 == series->count) {
        return true;
    }
    int64_t gap_ns = series->samples[sample + 1].at_ns - series->samples[sample].at_ns;
    return (double)gap_ns > series->hole_steps * (double)series->step_ns;
}

static bool course_is_before(const course_sweep *sweep, size_t a, size_t b)
{
    int64_t a_ns = sweep->walks[a].at_ns;
    int64_t b_ns = sweep->walks[b].at_ns;

    return a_ns < b_ns || (a_ns == b_ns && a < b);
}

/** Puts the walk at a place of the heap where it belongs below it. */
static void course_sift(course_sweep *sweep, size_t place)
{
    size_t walk = sweep->heap[place];
    size_t below = 2 * place + 1;

    while (below < sweep->walk_count) {
        bool right = below + 1 < sweep->walk_count &&
                     course_is_before(sweep, sweep->heap[below + 1], sweep->heap[below]);
        below += right ? 1 : 0;
        if (!course_is_before(sweep, sweep->heap[below], walk)) {
            break;
        }
        sweep->heap[place] = sweep->heap[below];
        place = below;
        below = 2 * place + 1;
    }
    sweep->heap[place] = walk;
}

static void course_begin(course_sweep *sweep)
{
    const ws_demand_recording *recording = sweep->recording;

    sweep->walk_count = recording->count + (recording->sizes != NULL ? 1 : 0);
    for (size_t i = 0; i < sweep->walk_count; i++) {
        const ws_trace_series *series =
            i < recording->count ? recording->series[i] : recording->sizes;
        sweep->walks[i] = (course_walk){.series = series, .next = series->untimed};
        course_walk_look(&sweep->walks[i]);
        sweep->heap[i] = i;
    }
    for (size_t place = sweep->walk_count; place > 0; place--) {
        course_sift(sweep, place - 1);
    }
}

/* ---- the state of now ---- */

static void course_set_sum(course_sweep *sweep, size_t series, double value)
{
    size_t node = sweep->leaf + series;

    sweep->sums[node] = value;
    for (node /= 2; node >= 1; node /= 2) {
        sweep->sums[node] = sweep->sums[2 * node] + sweep->sums[2 * node + 1];
    }
}

/** A value within the scale of its metric: a share of all of it, or a rate. */
static double course_value(const ws_demand_recording *recording, double value)
{
    if (recording->full > 0) {
        return fmin(fmax(value / recording->full, 0), 1);
    }
    return fmax(value, 0);
}

static void course_set(course_sweep *sweep, size_t index, course_state state, double value)
{
    course_state *before = &sweep->states[index];

    if (index == sweep->recording->count) {
        sweep->size = value;
        *before = state;
        return;
    }
    sweep->seen -= *before == COURSE_SEEN ? 1 : 0;
    sweep->in_hole -= *before == COURSE_HOLE ? 1 : 0;
    *before = state;
    sweep->seen += state == COURSE_SEEN ? 1 : 0;
    sweep->in_hole += state == COURSE_HOLE ? 1 : 0;
    course_set_sum(sweep, index, state == COURSE_SEEN ? course_value(sweep->recording, value) : 0);
}

/** The earliest change of all takes place. */
static void course_apply(course_sweep *sweep)
{
    size_t index = sweep->heap[0];
    course_walk *walk = &sweep->walks[index];
    const ws_trace_series *series = walk->series;

    if (walk->ends) {
        bool is_last = walk->next == series->count;
        course_set(sweep, index, is_last ? COURSE_ABSENT : COURSE_HOLE, 0);
        walk->ends = false;
    } else {
        course_set(sweep, index, COURSE_SEEN, series->samples[walk->next].value);
        walk->ends = course_walk_ends(walk, walk->next);
        walk->next++;
    }
    course_walk_look(walk);
    course_sift(sweep, 0);
}

/** Recorded replicas now; 0: not known. */
static double course_replicas(const course_sweep *sweep)
{
    const ws_demand_recording *recording = sweep->recording;

    if (recording->sizes != NULL) {
        return sweep->states[recording->count] == COURSE_SEEN ? fmax(sweep->size, 0) : 0;
    }
    if (recording->replicas > 0 || !(recording->full > 0)) {
        return recording->replicas;
    }
    return (double)(sweep->seen + sweep->in_hole) / recording->gpus_per_replica;
}

/** Work a second that so many replicas can do; between whole numbers in proportion. */
static double course_capacity(const ws_demand_recording *recording, double replicas)
{
    int32_t whole = (int32_t)fmin(fmax(floor(replicas + 0.5), 1), WS_REPLICAS_MAX);
    ws_world world = ws_world_packed(whole, recording->gpus_per_replica, INT32_MAX, NULL);

    return ws_stage_pace(recording->stage, &world, 0).work_per_s * (replicas / whole);
}

/** Demand now. */
typedef struct {
    double rate;
    bool is_known;
    bool is_saturated;
} course_moment;

static course_moment course_look(const course_sweep *sweep)
{
    const ws_demand_recording *recording = sweep->recording;
    double replicas = course_replicas(sweep);
    course_moment moment = {.is_known = sweep->seen > 0};

    if (!moment.is_known) {
        return moment;
    }
    double mean = sweep->sums[1] / (double)sweep->seen;
    double capacity = replicas > 0 ? course_capacity(recording, replicas) : 0;
    if (recording->full > 0) {
        moment.rate = mean * capacity;
        moment.is_known = replicas > 0;
    } else {
        moment.rate = mean * (double)(sweep->seen + sweep->in_hole);
    }
    moment.is_saturated = replicas > 0 && moment.rate >= WS_DEMAND_SATURATED * capacity;
    return moment;
}

/* ---- steps ---- */

static void course_count(course_sweep *sweep, const course_moment *moment, int64_t span_ns)
{
    ws_demand_course *course = sweep->course;

    course->total_ns += span_ns;
    course->hole_ns += moment->is_known ? 0 : span_ns;
    course->hole_count += !moment->is_known && !sweep->was_hole ? 1 : 0;
    course->patched_ns += moment->is_known && sweep->in_hole > 0 ? span_ns : 0;
    course->saturated_ns += moment->is_saturated ? span_ns : 0;
    course->peak = fmax(course->peak, moment->rate);
    sweep->was_hole = !moment->is_known;
}

/** One more span, unless it goes on as the last one. */
static void course_add_step(course_sweep *sweep, const course_moment *moment, int64_t at_ns)
{
    WS_ASSERT(sweep->steps != NULL);

    ws_demand_step *last = sweep->step_count > 0 ? &sweep->steps[sweep->step_count - 1] : NULL;
    ws_demand_step step = {.begin = {.ns = at_ns - sweep->recording->from_ns},
                           .rate = moment->rate,
                           .is_known = moment->is_known};

    if (!moment->is_known && sweep->recording->holds && last != NULL && last->is_known) {
        return;
    }
    if (last != NULL && last->is_known == step.is_known && !(last->rate < step.rate) &&
        !(last->rate > step.rate)) {
        return;
    }
    sweep->steps[sweep->step_count++] = step;
}

/** The span from a time until the next change, or the end. */
static void course_span(course_sweep *sweep, int64_t at_ns, int64_t next_ns)
{
    course_moment moment = course_look(sweep);

    course_add_step(sweep, &moment, at_ns);
    course_count(sweep, &moment, next_ns - at_ns);
}

static void course_run(course_sweep *sweep)
{
    const ws_demand_recording *recording = sweep->recording;
    int64_t at_ns = recording->from_ns;

    while (at_ns < recording->to_ns) {
        while (sweep->walks[sweep->heap[0]].at_ns <= at_ns) {
            course_apply(sweep);
        }
        int64_t change_ns = sweep->walks[sweep->heap[0]].at_ns;
        int64_t next_ns = change_ns < recording->to_ns ? change_ns : recording->to_ns;
        course_span(sweep, at_ns, next_ns);
        at_ns = next_ns;
    }
}

/* ---- the whole ---- */

bool ws_demand_recording_span(const ws_trace_series *const *series, size_t count, int64_t *first_ns,
                              int64_t *end_ns)
{
    bool is_known = false;

    WS_ASSERT(count >= 1);
    for (size_t i = 0; i < count; i++) {
        const ws_trace_series *one = series[i];
        if (one->count == one->untimed) {
            continue;
        }
        int64_t first = one->samples[one->untimed].at_ns;
        int64_t end = one->samples[one->count - 1].at_ns + one->step_ns;
        *first_ns = is_known && *first_ns < first ? *first_ns : first;
        *end_ns = is_known && *end_ns > end ? *end_ns : end;
        is_known = true;
    }
    return is_known;
}

static bool course_reserve(course_sweep *sweep, ws_arena *arena)
{
    const ws_demand_recording *recording = sweep->recording;
    size_t samples = recording->sizes != NULL ? recording->sizes->count : 0;

    for (size_t i = 0; i < recording->count; i++) {
        samples += recording->series[i]->count;
    }
    if (samples > WS_DEMAND_STEPS_MAX / 2) {
        return false;
    }
    sweep->leaf = 1;
    while (sweep->leaf < recording->count) {
        sweep->leaf *= 2;
    }
    sweep->walks = ws_arena_alloc(arena, course_walk, recording->count + 1);
    sweep->heap = ws_arena_alloc(arena, size_t, recording->count + 1);
    sweep->steps = ws_arena_alloc(arena, ws_demand_step, 2 * samples + 1);
    sweep->states = ws_arena_alloc(arena, course_state, recording->count + 1);
    sweep->sums = ws_arena_alloc(arena, double, 2 * sweep->leaf);
    return sweep->walks != NULL && sweep->heap != NULL && sweep->steps != NULL &&
           sweep->states != NULL && sweep->sums != NULL;
}

bool ws_demand_course_of(ws_demand_course *course, const ws_demand_recording *recording,
                         ws_arena *arena)
{
    course_sweep sweep = {.recording = recording, .course = course};

    WS_ASSERT(recording->count >= 1);
    WS_ASSERT(recording->from_ns < recording->to_ns);
    *course =
        (ws_demand_course){.is_saturation_known = recording->full > 0 || recording->sizes != NULL ||
                                                  recording->replicas > 0};
    if (!course_reserve(&sweep, arena)) {
        return false;
    }
    course_begin(&sweep);
    course_run(&sweep);
    course->demand = ws_demand_of(sweep.steps, sweep.step_count,
                                  (ws_time){.ns = recording->to_ns - recording->from_ns});
    return true;
}
