/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pace of a stage: what its step model says, in the work that the stage counts. */
#include "ws/job.h"

bool ws_stage_has_batch(const ws_stage_spec *stage)
{
    return stage->batch.global_batch > 0 || stage->batch.replica_batch > 0;
}

ws_pace ws_stage_pace(const ws_stage_spec *stage, const ws_world *world, double done)
{
    ws_pace pace = ws_step_pace(&stage->step, world);

    pace.efficiency = 1;
    if (stage->work_per_step_work > 0) {
        pace.work_per_s *= stage->work_per_step_work;
    }
    if (!ws_stage_has_batch(stage)) {
        WS_ASSERT(stage->efficiency.count == 0);
        WS_ASSERT(!stage->is_work_steps);
        return pace;
    }
    double samples = ws_batch_at(&stage->batch, world->replicas).samples;
    if (stage->is_work_steps) {
        pace.work_per_s /= samples;
    }
    pace.efficiency = ws_efficiency_at(&stage->efficiency, done, samples);
    pace.work_per_s *= pace.efficiency;
    return pace;
}
