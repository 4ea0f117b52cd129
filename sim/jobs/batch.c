/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ws/batch.h"

#include <math.h>

#include "ws/assert.h"

/** The largest listed micro-batch that divides a share; the smallest one when none does. */
static double batch_listed(const ws_batch *batch, double share)
{
    for (size_t i = batch->micro_batch_count; i > 0; i--) {
        double micro = batch->micro_batches[i - 1];

        if (!(fmod(share, micro) > 0)) {
            return micro;
        }
    }
    return batch->micro_batches[0];
}

ws_batch_split ws_batch_at(const ws_batch *batch, int32_t replicas)
{
    ws_batch_split split = {.samples = batch->global_batch};
    double most = batch->micro_batch;

    WS_ASSERT(replicas >= 1);
    if (batch->micro_batches != NULL) {
        WS_ASSERT(batch->micro_batch_count >= 1);
    }
    if (!(split.samples > 0)) {
        split.samples = batch->replica_batch * replicas;
    }
    WS_ASSERT(split.samples > 0);
    split.even = split.samples / replicas;
    split.share = ceil(split.even - 1e-9);
    if (batch->micro_batches != NULL) {
        most = batch_listed(batch, split.share);
    }
    split.micro_batches = most > 0 ? fmax(ceil(split.share / most - 1e-9), 1) : 1;
    split.micro = split.share / split.micro_batches;
    return split;
}
