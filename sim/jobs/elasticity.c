/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ws/elasticity.h"

#include <assert.h>

#include "ws/assert.h"

const ws_elasticity_type ws_elasticity_rigid = {
    .name = "rigid",
    .summary = "the size never changes; a failure stops everyone and all start anew at that size",
    .resize = WS_RESIZE_REFUSED,
    .may_start_smaller = false,
};

const ws_elasticity_type ws_elasticity_restart = {
    .name = "restart",
    .summary = "every worker stops, WORLD_SIZE is rewritten, all start from the last checkpoint",
    .resize = WS_RESIZE_FROM_CHECKPOINT,
    .may_start_smaller = true,
};

const ws_elasticity_type ws_elasticity_moldable = {
    .name = "moldable",
    .summary =
        "the size is chosen when the job starts, and again after a failure, never in between",
    .resize = WS_RESIZE_REFUSED,
    .may_start_smaller = true,
};

static const ws_elasticity_type *const elasticity_list[] = {
    &ws_elasticity_moldable,
    &ws_elasticity_restart,
    &ws_elasticity_rigid,
};

const char *const ws_elasticity_names[] = {"moldable", "restart", "rigid", NULL};

static_assert(WS_COUNT_OF(ws_elasticity_names) == WS_COUNT_OF(elasticity_list) + 1,
              "a name for each mode, then NULL");

size_t ws_elasticity_count(void)
{
    return WS_COUNT_OF(elasticity_list);
}

const ws_elasticity_type *ws_elasticity_at(size_t index)
{
    WS_ASSERT(index < WS_COUNT_OF(elasticity_list));
    return elasticity_list[index];
}
