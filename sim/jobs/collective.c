/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of algorithms, and the way from an operation to its formula. */
#include "ws/collective.h"

#include <assert.h>

#include "ws/assert.h"

static const ws_collective_type *const collective_list[] = {
    &ws_collective_halving_doubling,
    &ws_collective_hierarchical,
    &ws_collective_measured,
    &ws_collective_nccl,
    &ws_collective_nvls,
    &ws_collective_nvls_sharp,
    &ws_collective_parameter_server,
    &ws_collective_ring,
    &ws_collective_sharp,
    &ws_collective_square_root,
    &ws_collective_tree,
};

const char *const ws_collective_operation_names[] = {"all-reduce", "reduce-scatter", "all-gather",
                                                     "broadcast",  "all-to-all",     "send-recv",
                                                     "push",       "pull",           NULL};

static_assert(WS_COUNT_OF(ws_collective_operation_names) == WS_COLLECTIVE_OPERATIONS + 1,
              "a name for each operation, then NULL");

double ws_collective_s(const ws_network *network, ws_collective_operation operation, double bytes,
                       const ws_group *group)
{
    const ws_collective_type *type =
        network->collectives != NULL ? network->collectives : &ws_collective_ring;

    WS_ASSERT(operation < WS_COLLECTIVE_OPERATIONS);
    WS_ASSERT(bytes >= 0);
    WS_ASSERT(group->nodes >= 1);
    WS_ASSERT(group->nodes <= group->ranks);
    WS_ASSERT(group->ranks_per_node >= 1);
    WS_ASSERT(group->leaves >= 1);
    WS_ASSERT(group->pods >= 1);
    if (group->ranks == 1) {
        return 0;
    }
    if (type->seconds[operation] == NULL) {
        type = operation == WS_PUSH || operation == WS_PULL ? &ws_collective_parameter_server
                                                            : &ws_collective_ring;
    }
    return type->seconds[operation](network, bytes, group);
}

ws_coverage ws_collective_coverage(const ws_network *network, ws_collective_operation operation,
                                   double bytes, const ws_group *group)
{
    WS_ASSERT(bytes >= 0);
    WS_ASSERT(operation < WS_COLLECTIVE_OPERATIONS);

    const ws_collective_type *type = network->collectives;

    if (type == NULL || type->coverage == NULL || group->ranks == 1) {
        return WS_COVERED;
    }
    return type->coverage(network, operation, bytes, group);
}

const ws_collective_type *ws_collective_at(size_t index)
{
    return index < WS_COUNT_OF(collective_list) ? collective_list[index] : NULL;
}

const ws_collective_type *ws_collective_find(ws_text name)
{
    for (size_t i = 0; i < WS_COUNT_OF(collective_list); i++) {
        if (ws_text_is(name, collective_list[i]->name)) {
            return collective_list[i];
        }
    }
    return NULL;
}
