/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run times as a line of pieces through normal quantiles, and limits to sizes. */
#include <math.h>

#include <gsl/gsl_cdf.h>

#include "ws/trace_synth.h"

#define DURATIONS_CELLS 5000

/* The first of the two points whose line holds at `z`. */
static size_t durations_piece(const ws_synth_durations *durations, double z)
{
    size_t low = 0;
    size_t high = durations->count - 1;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (durations->points[middle].z <= z) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

double ws_synth_durations_at(const ws_synth_durations *durations, double z)
{
    double log_s = durations->points[0].log_s;

    WS_ASSERT(durations->count >= 1);
    if (durations->count > 1) {
        const ws_synth_point *a = &durations->points[durations_piece(durations, z)];
        const ws_synth_point *b = a + 1;

        log_s = a->log_s + (b->log_s - a->log_s) * ((z - a->z) / (b->z - a->z));
    }
    return fmin(fmax(exp(log_s), durations->least_s), durations->most_s);
}

void ws_synth_durations_mean(const ws_synth_durations *durations, double *mean_s,
                             double *longest_fraction)
{
    double sum = 0;
    double longest = 0;

    for (int i = 0; i < DURATIONS_CELLS; i++) {
        double p = (i + 0.5) / DURATIONS_CELLS;
        double value = ws_synth_durations_at(durations, gsl_cdf_ugaussian_Pinv(p));

        sum += value;
        longest += p > WS_SYNTH_SHORT_FRACTION ? value : 0;
    }
    *mean_s = sum / DURATIONS_CELLS;
    *longest_fraction = longest / sum;
}

/* A class without the sizes beyond the limit; weight 0 when none is left. False when the arena is
 * exhausted. */
static bool synth_limit_class(ws_synth_class *class, int32_t gpus_max, ws_arena *arena)
{
    ws_synth_size *kept = ws_arena_alloc(arena, ws_synth_size, class->size_count);
    double all = 0;
    double left = 0;
    size_t count = 0;

    for (size_t i = 0; kept != NULL && i < class->size_count; i++) {
        all += class->sizes[i].weight;
        if (class->sizes[i].gpus <= gpus_max) {
            left += class->sizes[i].weight;
            kept[count++] = class->sizes[i];
        }
    }
    class->weight *= all > 0 ? left / all : 0;
    class->sizes = kept;
    class->size_count = count;
    return kept != NULL;
}

bool ws_synth_limit_gpus(ws_synth *synth, int32_t gpus_max, ws_arena *arena)
{
    ws_synth_class *classes = ws_arena_alloc(arena, ws_synth_class, synth->class_count);
    size_t count = 0;

    for (size_t i = 0; classes != NULL && i < synth->class_count; i++) {
        classes[count] = synth->classes[i];
        if (!synth_limit_class(&classes[count], gpus_max, arena)) {
            return false;
        }
        count += classes[count].weight > 0 ? 1 : 0;
    }
    if (classes == NULL || count == 0) {
        return false;
    }
    synth->classes = classes;
    synth->class_count = count;
    return true;
}
