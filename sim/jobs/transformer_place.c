/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transformer_place.h"

#include "ws/assert.h"

ws_transformer_groups ws_transformer_place(const ws_transformer_layout *layout,
                                           const ws_world *world)
{
    int32_t tensor = layout->tensor;
    int32_t copies = world->replicas * layout->context;
    int32_t sharers = copies;
    int32_t expert = layout->expert < copies ? layout->expert : copies;

    WS_ASSERT(world->gpus_per_replica == tensor * layout->pipeline * layout->context);
    if (layout->shard > 0 && layout->shard < world->replicas) {
        sharers = layout->shard * layout->context;
    }
    return (ws_transformer_groups){
        .tensor = ws_world_group(world, tensor, 1),
        .context = ws_world_group(world, layout->context, tensor),
        .data = ws_world_group(world, sharers, tensor),
        .copies = ws_world_group(world, copies / sharers, tensor * sharers),
        .expert = ws_world_group(world, expert, tensor),
        .of_expert = ws_world_group(world, copies / expert, tensor * expert),
        .pipeline = ws_world_group(world, layout->pipeline > 1 ? 2 : 1, tensor * copies),
    };
}
