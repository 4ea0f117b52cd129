/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Statistical efficiency: how much a sample of a larger batch is worth.
 *
 * With the gradient noise scale phi, a sample of a step of M samples advances the training by
 *
 *     (phi + M0) / (phi + M)
 *
 * of what a sample of a step of M0 does. Source: Qiao et al., Pollux, OSDI 2021, sec. 3.1; the
 * noise scale is McCandlish et al., arXiv:1812.06162. Work is therefore counted in samples at M0: a
 * world of larger steps gets through more samples for the same work.
 *
 * The noise scale may change over the work of a stage: it is constant from each of its points to
 * the next, so that rates are constant between events, and a point is an event.
 */
#ifndef WS_EFFICIENCY_H
#define WS_EFFICIENCY_H

#include <stddef.h>

/** Most points of a noise scale. */
#define WS_NOISE_POINTS_MAX 4096

typedef struct {
    double from;        /* work of the stage from which it holds */
    double noise_scale; /* phi, samples, >= 0 */
} ws_noise_point;

typedef struct {
    double base_batch;            /* M0, samples, > 0 */
    const ws_noise_point *points; /* ascending, the first from 0 */
    size_t count;                 /* 0: a sample is worth the same in every batch */
} ws_efficiency;

/** Efficiency of a step of `batch` samples (> 0) when `done` of the stage is done; 1 without
 * points. */
double ws_efficiency_at(const ws_efficiency *efficiency, double done, double batch);

/** Where the noise scale changes next after `done`; `end` when it does not before that. */
double ws_efficiency_until(const ws_efficiency *efficiency, double done, double end);

/** How a learning rate follows the batch. */
typedef enum {
    WS_LEARNING_RATE_KEPT,
    WS_LEARNING_RATE_LINEAR,  /* by M / M0: Goyal et al., arXiv:1706.02677 */
    WS_LEARNING_RATE_SQRT,    /* by its root: for Adam, Malladi et al., arXiv:2205.10287 */
    WS_LEARNING_RATE_ADASCALE /* by the gain below: Johnson et al., arXiv:2007.05105 */
} ws_learning_rate_rule;

/** NULL-terminated, in the order above: "kept", "linear", "sqrt", "adascale". */
extern const char *const ws_learning_rate_names[];

/** AdaScale's gain of steps that are `scale` = M / M0 times as large: (v + 1) / (v / scale + 1)
 * with v = phi / M0; steps at M0 that one of them is worth. */
double ws_adascale_gain(double noise_scale, double base_batch, double scale);

/**
 * What a rule multiplies the learning rate by for a step of `batch` samples.
 *
 * @param efficiency  for AdaScale, which is 1 without points; its base_batch is M0 of all rules
 */
double ws_learning_rate_factor(ws_learning_rate_rule rule, const ws_efficiency *efficiency,
                               double done, double batch);

#endif
