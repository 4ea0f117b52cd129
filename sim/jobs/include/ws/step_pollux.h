/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The throughput model of Pollux: seven parameters, fitted to measured step times.
 *
 *     T_grad(m)    = alpha_c + beta_c m
 *     T_sync(N, K) = 0                                for one replica
 *                    alpha_r + beta_r max(K - 2, 0)   on one node
 *                    alpha_n + beta_n max(K - 2, 0)   on several
 *     T_step       = (T_grad^gamma + T_sync^gamma)^(1 / gamma)
 *     T_iter       = s T_grad + T_step
 *
 * for N nodes, K replicas, m samples of a replica at once and s accumulated micro-batches before
 * the last. gamma = 1 hides nothing of the communication, 10 nearly all of the shorter one. Source:
 * Qiao et al., Pollux, OSDI 2021, sec. 3.2, and adaptdl/goodput.py of its artifact
 * (github.com/petuum/adaptdl, branch osdi21-artifact), whose names the parameters have.
 */
#ifndef WS_STEP_POLLUX_H
#define WS_STEP_POLLUX_H

#include "ws/batch.h"
#include "ws/step.h"

#define WS_POLLUX_GAMMA_MAX 10.0

typedef struct {
    double alpha_c; /* s of a micro-batch, whatever its samples; >= 0 */
    double beta_c;  /* s of a sample; > 0 where alpha_c is 0 */
    double alpha_n; /* s of a synchronisation over several nodes; >= 0 */
    double beta_n;  /* s that each replica from the third on adds to it; >= 0 */
    double alpha_r; /* s of one within a node; >= 0 */
    double beta_r;  /* likewise */
    double gamma;   /* 1..WS_POLLUX_GAMMA_MAX */
} ws_pollux_theta;

/** The parameters with a batch. */
typedef struct {
    ws_pollux_theta theta; /* on the GPU type of speed 1 */
    ws_batch batch;
} ws_pollux;

extern const ws_step_type ws_step_pollux; /* parameters: ws_pollux; work is samples */

/** T_grad, s. @param local_batch  m > 0 */
double ws_pollux_grad_s(const ws_pollux_theta *theta, double local_batch);

/** T_sync, s. @param nodes  >= 1 @param replicas  >= 1 */
double ws_pollux_sync_s(const ws_pollux_theta *theta, int32_t nodes, int32_t replicas);

/** T_step of a computation and a synchronisation that overlap, s. */
double ws_pollux_overlap_s(double grad_s, double sync_s, double gamma);

/** T_step, s. */
double ws_pollux_step_s(const ws_pollux_theta *theta, int32_t nodes, int32_t replicas,
                        double local_batch);

#endif
