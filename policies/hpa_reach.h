/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Whether a metric can ever be at its target: what an autoscaler would do for ever, said before
 * any run. */
#ifndef WS_HPA_REACH_H
#define WS_HPA_REACH_H

#include <stdbool.h>

#include "ws/arena.h"
#include "ws/diag.h"
#include "ws/policy.h"

/**
 * Warns (WS5303) of every metric whose value and target do not meet at any size: one that stays
 * above its target runs to the largest size, one that stays below it falls to the smallest, and one
 * average over all replicas with a target for each of them asks for the same few whatever the size.
 *
 * The values are those of the target's models (ws_target's outlook) while the job steps; of
 * percentages it is known without these that they are at most 100.
 *
 * @param parameters  completed ws_hpa_parameters
 * @return            true: warnings alone
 */
bool ws_hpa_reach_check(const void *parameters, const ws_target *target, ws_arena *arena,
                        ws_diag *diag);

#endif
