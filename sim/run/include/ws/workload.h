/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The jobs of one replication, drawn from the scenario's templates before the run. */
#ifndef WS_WORKLOAD_H
#define WS_WORKLOAD_H

#include "ws/arena.h"
#include "ws/scenario.h"

/**
 * Draws the arrivals and the work of all jobs of a replication, and merges them with the recorded
 * ones, sorted by submission (stable: templates in order, then recorded jobs). Draws depend on
 * (seed, replication, template, arrival number) alone.
 *
 * Arrivals by a rate that follows the day are thinned from a process of the highest rate (Lewis and
 * Shedler 1979).
 *
 * @param jobs   out: in the arena
 * @return       false when the arena is exhausted or there would be more than WS_JOBS_MAX jobs
 */
WS_NODISCARD bool ws_workload_draw(const ws_scenario *scenario, uint64_t replication,
                                   ws_arena *arena, const ws_job_spec **jobs, size_t *job_count);

/**
 * A job of a template with these stages, of which there are `template->stage_count`: the first one,
 * submitted at time 0, without a deadline. It refers to both.
 */
ws_job_spec ws_workload_job(const ws_job_template *template, const ws_stage_spec *stages);

#endif
