/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What jobs have on the disks of their nodes, and whether it fits. */
#include "build.h"

#define DISKS_LOCAL 1 /* of `data.from` */

/** Bytes of a job on all of its nodes together. */
typedef struct {
    double bytes;
    ws_span at; /* what they are of */
    int32_t replicas_min;
} disks_use;

static bool disks_missing(ws_build *context, ws_span at, const ws_pool_spec *pool)
{
    return ws_build_error(
        context, 4104, at,
        ws_build_text(context, "the nodes of pool `%.*s` have no `local_disk`",
                      WS_TEXT_ARGS(pool->name)),
        "where is that?",
        WS_TEXT("add `local_disk: {size: 28TB, read: 25GB/s, write: 12GB/s}` to the pool"));
}

/** The smallest world has the largest parts. */
static bool disks_fit(ws_build *context, const disks_use *use, const ws_job_kind *kind,
                      const ws_pool_spec *pool)
{
    double gpus = (double)use->replicas_min * kind->gpus_per_replica;
    double part = use->bytes / gpus;
    double room = pool->disk.bytes / pool->gpus_per_node;

    if (part <= room) {
        return true;
    }
    return ws_build_error(
        context, 4214, use->at,
        ws_build_text(context,
                      "job `%.*s` does not fit on the local disks of pool `%.*s`: %.4g GB on %.0f "
                      "GPUs are %.4g GB each, of a disk there are %.4g GB for each",
                      WS_TEXT_ARGS(kind->name), WS_TEXT_ARGS(pool->name), use->bytes / 1e9, gpus,
                      part / 1e9, room / 1e9),
        "too large", WS_TEXT("raise the smallest size of the job, or the `size` of the disk"));
}

static bool disks_check_pools(ws_build *context, const disks_use *use, const ws_job_kind *kind)
{
    for (size_t i = 0; i < context->scenario->pool_count; i++) {
        const ws_pool_spec *pool = &context->scenario->pools[i];
        if (((kind->pools >> i) & 1) == 0) {
            continue;
        }
        if (!(pool->disk.bytes > 0)) {
            return disks_missing(context, use->at, pool);
        }
        if (!disks_fit(context, use, kind, pool)) {
            return false;
        }
    }
    return true;
}

/** Two of them: the old one stays until the new one is there. */
static bool disks_checkpoint(ws_build *context, const ws_file_checkpoint *file, ws_job_kind *kind,
                             disks_use *use)
{
    if (!file->has_size) {
        return ws_build_error(context, 2102, file->local->self->at,
                              WS_TEXT("a `local` checkpoint needs the `size` of a checkpoint"),
                              "how long does that take?", WS_TEXT("add `size: 94GiB`"));
    }
    if (file->every.ns > 0 && file->local->every.ns >= file->every.ns) {
        return ws_build_error(context, 2302, ws_build_at(file->local->self, "every"),
                              WS_TEXT("local checkpoints come between those in the storage"),
                              "not below `every` of the checkpoint", WS_TEXT(""));
    }
    kind->checkpoint.local_every = file->local->every;
    kind->checkpoint.local_bytes = (double)file->size;
    use->bytes += 2 * (double)file->size;
    use->at = file->local->self->at;
    return true;
}

static bool disks_data(ws_build *context, const ws_file_data *file, ws_job_kind *kind,
                       disks_use *use)
{
    if (file->from != DISKS_LOCAL) {
        return file->size == 0 ||
               ws_build_error(context, 2302, ws_build_key_at(file->self, "size"),
                              WS_TEXT("the `size` of data says nothing unless it is `from: local`"),
                              "not used", WS_TEXT("write `from: local`, or remove it"));
    }
    if (file->size == 0) {
        return ws_build_error(context, 2102, ws_build_at(file->self, "from"),
                              WS_TEXT("data on local disks needs its `size`"),
                              "how much is copied there?", WS_TEXT("add `size: 10TB`"));
    }
    kind->data.is_local = true;
    kind->data.bytes = (double)file->size;
    use->bytes += (double)file->size;
    use->at = ws_build_at(file->self, "size");
    return true;
}

bool ws_build_disks(ws_build *context, const ws_file_checkpoint *checkpoint,
                    const ws_file_data *data, int32_t replicas_min, ws_job_kind *kind)
{
    disks_use use = {.replicas_min = replicas_min};

    WS_ASSERT(replicas_min >= 1);
    if (checkpoint != NULL && checkpoint->local != NULL &&
        !disks_checkpoint(context, checkpoint, kind, &use)) {
        return false;
    }
    if (data != NULL && !disks_data(context, data, kind, &use)) {
        return false;
    }
    return !(use.bytes > 0) || disks_check_pools(context, &use, kind);
}
