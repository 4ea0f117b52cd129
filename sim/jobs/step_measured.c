/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The measured model. The measurements are one sorted array; what has the same number of nodes, or
 * the same nodes and GPUs, is a stretch of it, found by bisection.
 */
#include "ws/step_measured.h"

#include <math.h>
#include <string.h>

/** Rows from `first` up to, not including, `end`; never empty. */
typedef struct {
    const ws_measurement *first;
    const ws_measurement *end;
} measured_stretch;

/* ---- a profile ---- */

static int measured_compare(const ws_measurement *a, const ws_measurement *b)
{
    if (a->nodes != b->nodes) {
        return a->nodes < b->nodes ? -1 : 1;
    }
    if (a->gpus != b->gpus) {
        return a->gpus < b->gpus ? -1 : 1;
    }
    return (a->local_batch > b->local_batch) - (a->local_batch < b->local_batch);
}

/* Merges [from, middle) and [middle, to) of `rows` into `out`; equal rows keep their order. */
static void measured_merge(const ws_measurement *rows, ws_measurement *out, const size_t bounds[3])
{
    size_t left = bounds[0];
    size_t right = bounds[1];

    for (size_t i = bounds[0]; i < bounds[2]; i++) {
        bool takes_left = left < bounds[1] &&
                          (right == bounds[2] || measured_compare(&rows[left], &rows[right]) <= 0);
        out[i] = takes_left ? rows[left++] : rows[right++];
    }
}

/* A stable merge sort, bottom up; the result is in one of the two arrays. */
static ws_measurement *measured_sort(ws_measurement *rows, ws_measurement *spare, size_t count)
{
    for (size_t width = 1; width < count; width *= 2) {
        ws_measurement *sorted = spare;

        for (size_t from = 0; from < count; from += 2 * width) {
            size_t middle = from + width < count ? from + width : count;
            size_t to = middle + width < count ? middle + width : count;
            measured_merge(rows, sorted, (const size_t[3]){from, middle, to});
        }
        spare = rows;
        rows = sorted;
    }
    return rows;
}

/* Equal rows become their mean. Returns how many are left. */
static size_t measured_average(ws_measurement *rows, size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i < count;) {
        ws_measurement row = rows[i];
        double sum = 0;
        size_t equal = 0;

        for (; i < count && measured_compare(&row, &rows[i]) == 0; i++) {
            sum += rows[i].step_s;
            equal++;
        }
        row.step_s = sum / (double)equal;
        rows[kept++] = row;
    }
    return kept;
}

bool ws_measured_has_single(const ws_measurement *rows, size_t count)
{
    WS_ASSERT(rows != NULL || count == 0);
    for (size_t i = 0; i < count; i++) {
        if (rows[i].nodes == 1 && rows[i].gpus == 1) {
            return true;
        }
    }
    return false;
}

const ws_measured_profile *ws_measured_profile_of(const ws_measurement *rows, size_t count,
                                                  ws_arena *arena)
{
    ws_measured_profile *profile = ws_arena_alloc(arena, ws_measured_profile, 1);
    ws_measurement *copy = ws_arena_alloc(arena, ws_measurement, count);
    ws_measurement *spare = ws_arena_alloc(arena, ws_measurement, count);

    WS_ASSERT(ws_measured_has_single(rows, count));
    if (profile == NULL || copy == NULL || spare == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        WS_ASSERT(rows[i].nodes >= 1);
        WS_ASSERT(rows[i].gpus >= rows[i].nodes);
        WS_ASSERT(rows[i].local_batch > 0);
        WS_ASSERT(rows[i].step_s > 0);
        copy[i] = rows[i];
        profile->gpus_max = rows[i].gpus > profile->gpus_max ? rows[i].gpus : profile->gpus_max;
    }
    copy = measured_sort(copy, spare, count);
    profile->count = measured_average(copy, count);
    profile->rows = copy;
    while (profile->single_count < profile->count && copy[profile->single_count].gpus == 1) {
        profile->single_count++;
    }
    return profile;
}

/* ---- looking up ---- */

/* The value at `x` on the line through two points; one of them, exactly, at its end. */
static double measured_between(double x, double x0, double y0, double x1, double y1)
{
    if (!(x > x0)) {
        return y0;
    }
    if (!(x < x1)) {
        return y1;
    }
    return y0 + (x - x0) / (x1 - x0) * (y1 - y0);
}

/* What decides the order on one level. */
static double measured_key(const ws_measurement *row, int level)
{
    if (level == 0) {
        return row->nodes;
    }
    return level == 1 ? (double)row->gpus : row->local_batch;
}

/* The first row of a stretch whose key is at least (or, `above`, greater than) x; its end: none. */
static const ws_measurement *measured_find(measured_stretch in, int level, double x, bool above)
{
    while (in.first < in.end) {
        const ws_measurement *middle = in.first + (in.end - in.first) / 2;
        double key = measured_key(middle, level);
        if (key < x || (above && !(key > x))) {
            in.first = middle + 1;
        } else {
            in.end = middle;
        }
    }
    return in.first;
}

/* Two neighbours of x on a level: the stretches with the largest key <= x and the smallest >= x,
 * both the outermost where x lies outside. */
static void measured_neighbours(measured_stretch in, int level, double x, measured_stretch *below,
                                measured_stretch *above)
{
    const ws_measurement *at = measured_find(in, level, x, false);
    const ws_measurement *upper = at == in.end ? in.end - 1 : at;
    const ws_measurement *lower = at;

    if (at == in.end || (at > in.first && measured_key(at, level) > x)) {
        lower = at - 1;
    }
    double upper_key = measured_key(upper, level);
    double lower_key = measured_key(lower, level);
    *above = (measured_stretch){measured_find(in, level, upper_key, false),
                                measured_find(in, level, upper_key, true)};
    *below = (measured_stretch){measured_find(in, level, lower_key, false),
                                measured_find(in, level, lower_key, true)};
}

/* Linear in the batch between its measurements; outside of them that of the nearest. */
static double measured_at_batch(measured_stretch in, double local_batch)
{
    measured_stretch below;
    measured_stretch above;

    measured_neighbours(in, 2, local_batch, &below, &above);
    return measured_between(local_batch, below.first->local_batch, below.first->step_s,
                            above.first->local_batch, above.first->step_s);
}

/* g: the time of as many samples on one GPU. */
static double measured_single_s(const ws_measured_profile *profile, double local_batch)
{
    measured_stretch single = {profile->rows, profile->rows + profile->single_count};

    return measured_at_batch(single, local_batch);
}

/* One measured size. */
static double measured_at_size(const ws_measured_profile *profile, measured_stretch in,
                               double local_batch)
{
    double nearest = fmin(fmax(local_batch, in.first->local_batch), (in.end - 1)->local_batch);
    double step_s = measured_at_batch(in, nearest);

    if (nearest < local_batch || nearest > local_batch) {
        double single_s = measured_single_s(profile, local_batch);
        step_s = fmax(step_s + single_s - measured_single_s(profile, nearest), single_s);
    }
    return step_s;
}

/* One measured number of nodes. */
static double measured_at_nodes(const ws_measured_profile *profile, measured_stretch in,
                                double gpus, double local_batch)
{
    measured_stretch below;
    measured_stretch above;

    measured_neighbours(in, 1, gpus, &below, &above);
    double below_s = measured_at_size(profile, below, local_batch);
    if (below.first == above.first) {
        return below_s;
    }
    return measured_between(gpus, below.first->gpus, below_s, above.first->gpus,
                            measured_at_size(profile, above, local_batch));
}

double ws_measured_step_s(const ws_measured_profile *profile, int32_t nodes, int32_t gpus,
                          double local_batch)
{
    measured_stretch all = {profile->rows, profile->rows + profile->count};
    measured_stretch below;
    measured_stretch above;

    WS_ASSERT(nodes >= 1);
    WS_ASSERT(gpus >= 1);
    WS_ASSERT(local_batch > 0);
    measured_neighbours(all, 0, nodes, &below, &above);
    double below_s = measured_at_nodes(profile, below, gpus, local_batch);
    if (below.first == above.first) {
        return below_s;
    }
    return measured_between(nodes, below.first->nodes, below_s, above.first->nodes,
                            measured_at_nodes(profile, above, gpus, local_batch));
}

/* ---- the model ---- */

/* A step of all micro-batches. */
typedef struct {
    double micro; /* samples of a GPU at once */
    double micro_batches;
    double single_s; /* of one GPU alone with as many samples */
    double step_s;
} measured_step;

static measured_step measured_step_of(const ws_measured *measured, const ws_world *world)
{
    const ws_measured_profile *profile = measured->profile;
    int64_t all = (int64_t)world->replicas * world->gpus_per_replica;
    int32_t gpus = (int32_t)(all < INT32_MAX ? all : INT32_MAX);
    double samples = measured->global_batch / gpus;
    double largest = profile->rows[profile->single_count - 1].local_batch;
    double micro_batches = fmax(ceil(samples / largest - 1e-9), 1);
    double micro = samples / micro_batches;
    double single_s = measured_single_s(profile, micro);

    WS_ASSERT(measured->global_batch > 0);
    return (measured_step){.micro = micro,
                           .micro_batches = micro_batches,
                           .single_s = micro_batches * single_s,
                           .step_s = (micro_batches - 1) * single_s +
                                     ws_measured_step_s(profile, world->nodes, gpus, micro)};
}

static ws_pace measured_pace(const void *parameters, const ws_world *world)
{
    const ws_measured *measured = parameters;
    measured_step step = measured_step_of(measured, world);

    ws_pace alone = {.work_per_s = measured->global_batch / step.step_s,
                     .communication = fmax(1 - step.single_s / step.step_s, 0)};
    return ws_pace_among(&alone, world);
}

static void measured_explain(const void *parameters, const ws_world *world,
                             ws_explanation *explanation)
{
    const ws_measured *measured = parameters;
    measured_step step = measured_step_of(measured, world);
    double more_s = fmax(step.step_s - step.single_s, 0);
    double speed = world->speed; /* the whole step goes with it */

    ws_explanation_set(explanation, WS_TERM_COMPUTE, (step.step_s - more_s) / speed);
    ws_explanation_set(explanation, WS_TERM_COMMUNICATION, more_s / speed);
    explanation->period_s = step.step_s / speed;
    explanation->is_step = true;
    explanation->samples = measured->global_batch;
    explanation->micro_batch = step.micro * world->gpus_per_replica;
    explanation->micro_batches = step.micro_batches;
    explanation->unsplit =
        "Measured step times do not say what they are spent on: what a step takes longer than on "
        "one GPU alone is taken for communication, the rest for compute.";
}

/** Up to the largest measured size, and to where a GPU's share is the smallest measured batch. */
static void measured_valid_range(const void *parameters, int32_t *low, int32_t *high)
{
    const ws_measured *measured = parameters;
    const ws_measured_profile *profile = measured->profile;
    double by_batch = floor(measured->global_batch / profile->rows[0].local_batch + 1e-9);

    *low = 1;
    *high = (int32_t)fmax(fmin(profile->gpus_max, by_batch), 1);
}

const ws_step_type ws_step_measured = {
    .name = "measured",
    .summary = "measured step times by nodes, GPUs and batch of a GPU, linear in between",
    .pace = measured_pace,
    .valid_range = measured_valid_range,
    .explain = measured_explain,
};
