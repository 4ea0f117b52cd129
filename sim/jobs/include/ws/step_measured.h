/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Step times as they were measured: (nodes, GPUs, samples of one GPU) -> seconds, for jobs that
 * keep their global batch.
 *
 * A job of batch M on K GPUs has M/K samples a GPU. Up to the largest batch that was measured on
 * one GPU they are one micro-batch; above it gradients are accumulated: s + 1 equal micro-batches
 * of m samples, the fewest that fit, and a step takes s g(m) + t(nodes, K, m), where g(m) is the
 * time of m samples on one GPU and t the measured step. Source of the form T_iter = s T_grad +
 * T_step: Qiao et al., Pollux, OSDI 2021, sec. 3, and adaptdl/goodput.py of its artifact; g is
 * measured here, not fitted.
 *
 * t(nodes, K, m) is a mean over the measurements of equal nodes, K and m (how K lies on the nodes
 * does not count), and linear in between:
 *
 * - in m between two measured batches of a size; outside of them it moves as g does, so that what a
 * step waits for stays;
 * - in K between two measured sizes of as many nodes; outside of them it stays;
 * - in nodes between two measured numbers of nodes; above the largest it stays.
 *
 * So it is exact at measured points, lies between its neighbours elsewhere, and is monotone
 * wherever they are. g(m) is linear likewise and stays outside of its batches. What a step takes
 * longer than the compute of its micro-batches on one GPU, (s + 1) g(m), is exposed communication;
 * a step that was measured shorter than that exposes none.
 */
#ifndef WS_STEP_MEASURED_H
#define WS_STEP_MEASURED_H

#include "ws/arena.h"
#include "ws/step.h"

/** One measurement. */
typedef struct {
    int32_t nodes;      /* >= 1 */
    int32_t gpus;       /* of all nodes, >= nodes */
    double local_batch; /* samples of one GPU, > 0 */
    double step_s;      /* > 0 */
} ws_measurement;

/** Measurements in order: by nodes, GPUs, batch, all different. */
typedef struct {
    const ws_measurement *rows;
    size_t count;
    size_t single_count; /* the first ones: those of one GPU, >= 1 */
    int32_t gpus_max;
} ws_measured_profile;

/** A profile with the batch of one job. */
typedef struct {
    const ws_measured_profile *profile;
    double global_batch; /* samples, > 0; kept at every size */
} ws_measured;

extern const ws_step_type ws_step_measured; /* parameters: ws_measured; work is samples */

/** True when measurements of one GPU are among them, without which there is no profile. */
bool ws_measured_has_single(const ws_measurement *rows, size_t count);

/**
 * Sorts measurements into a profile, those of equal nodes, GPUs and batch as their mean. O(count
 * log count).
 *
 * @param rows  left as they are; with ws_measured_has_single()
 * @return      in the arena; NULL when it is exhausted
 */
const ws_measured_profile *ws_measured_profile_of(const ws_measurement *rows, size_t count,
                                                  ws_arena *arena);

/** Time of a step of `local_batch` samples a GPU (> 0), s, without accumulation: t above. O(log
 * count). */
double ws_measured_step_s(const ws_measured_profile *profile, int32_t nodes, int32_t gpus,
                          double local_batch);

#endif
