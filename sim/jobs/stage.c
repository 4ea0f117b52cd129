/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pace of a stage: what its step model says, in the work that the stage counts, as far as its
 * data can be read. */
#include "ws/job.h"

#include <math.h>

bool ws_stage_has_batch(const ws_stage_spec *stage)
{
    return stage->batch.global_batch > 0 || stage->batch.replica_batch > 0;
}

/** As if its data were always there. */
static ws_pace stage_fed_pace(const ws_stage_spec *stage, const ws_world *world, double done)
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

double ws_stage_read_bytes_per_s(const ws_stage_spec *stage, const ws_world *world,
                                 const ws_pace *pace)
{
    double bytes = stage->read_bytes;

    WS_ASSERT(bytes >= 0);
    if (stage->is_work_steps) {
        bytes *= ws_batch_at(&stage->batch, world->replicas).samples;
    }
    return bytes * ws_pace_processed(pace);
}

ws_pace ws_stage_pace(const ws_stage_spec *stage, const ws_world *world, double done)
{
    ws_pace pace = stage_fed_pace(stage, world, done);
    double needed = ws_stage_read_bytes_per_s(stage, world, &pace);

    if (world->read_bytes_per_s > 0 && needed > world->read_bytes_per_s) {
        return ws_pace_waiting(&pace, world->read_bytes_per_s / needed);
    }
    return pace;
}

double ws_job_read_bytes_per_s(const ws_job_kind *kind, int32_t nodes, double disk_bytes_per_s)
{
    const ws_channel_spec *storage = &kind->data.storage;

    WS_ASSERT(nodes >= 1);
    if (kind->data.is_local) {
        return disk_bytes_per_s;
    }
    return storage->node_bytes_per_s > 0
               ? fmin(storage->bytes_per_s, nodes * storage->node_bytes_per_s)
               : storage->bytes_per_s;
}

ws_world ws_job_world_packed(const ws_job_kind *kind, size_t pool, const ws_pool_spec *spec,
                             const ws_fabric *fabric, int32_t replicas)
{
    ws_world world = ws_world_packed(replicas, kind->gpus_per_replica, spec->gpus_per_node, fabric);

    world.speed = kind->pool_speed[pool];
    double disks = (double)replicas * kind->gpus_per_replica / spec->gpus_per_node;
    world.read_bytes_per_s =
        ws_job_read_bytes_per_s(kind, world.nodes, disks * spec->disk.read_bytes_per_s);
    return world;
}
