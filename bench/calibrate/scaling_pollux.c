/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows that are profiles of a small model: every second one is fitted, the others are predicted. */
#include <math.h>

#include "ws/fit_pollux.h"
#include "ws/scaling.h"

static bool pollux_is_row(const ws_scaling_row *row, ws_text group)
{
    return ws_text_equals(row->group, group) && row->local_batch > 0 && row->nodes >= 1 &&
           row->gpus >= row->nodes && row->step_s > 0 && row->sync_s >= 0 &&
           row->step_s > row->sync_s;
}

typedef struct {
    ws_pollux_sample *items;
    size_t count;
} pollux_samples;

static ws_pollux_sample pollux_sample(const ws_scaling_row *row)
{
    return (ws_pollux_sample){.nodes = (int32_t)row->nodes,
                              .replicas = row->gpus,
                              .local_batch = row->local_batch,
                              .grad_s = row->step_s - row->sync_s,
                              .step_s = row->step_s};
}

/* Every second row of a group, from its first or its second on. */
static void pollux_collect(const ws_scaling_row *rows, size_t count, ws_text group, size_t parity,
                           pollux_samples *to)
{
    size_t number = 0;

    for (size_t i = 0; i < count; i++) {
        if (pollux_is_row(&rows[i], group) && number++ % 2 == parity) {
            to->items[to->count++] = pollux_sample(&rows[i]);
        }
    }
}

bool ws_scaling_pollux(const ws_scaling_row *rows, size_t count, ws_text group, ws_arena *arena,
                       ws_scaling_profile *profile)
{
    pollux_samples seen = {.items = ws_arena_alloc(arena, ws_pollux_sample, count)};
    pollux_samples unseen = {.items = ws_arena_alloc(arena, ws_pollux_sample, count)};
    double *errors = ws_arena_alloc(arena, double, count);
    ws_diag diag;
    ws_pollux_fit fit;

    if (seen.items == NULL || unseen.items == NULL || errors == NULL) {
        return false;
    }
    ws_diag_init(&diag, arena);
    pollux_collect(rows, count, group, 0, &seen);
    pollux_collect(rows, count, group, 1, &unseen);
    if (unseen.count == 0 || !ws_pollux_fit_to(&fit, seen.items, seen.count, &diag)) {
        return false;
    }
    for (size_t i = 0; i < unseen.count; i++) {
        const ws_pollux_sample *sample = &unseen.items[i];
        double step_s =
            ws_pollux_step_s(&fit.theta, sample->nodes, sample->replicas, sample->local_batch);
        errors[i] = step_s / sample->step_s - 1;
    }
    *profile =
        (ws_scaling_profile){.fitted = seen.count, .predicted = unseen.count, .errors = errors};
    return true;
}
