/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ws/arbiter.h"

#include <assert.h>

#include "ws/assert.h"

static const ws_arbiter_type *const arbiter_list[] = {
    &ws_arbiter_fifo,
    &ws_arbiter_priority,
};

const char *const ws_arbiter_names[] = {"fifo", "priority", NULL};

static_assert(WS_COUNT_OF(ws_arbiter_names) == WS_COUNT_OF(arbiter_list) + 1,
              "a name for each arbiter, then NULL");

const ws_arbiter_type *ws_arbiter_at(size_t index)
{
    WS_ASSERT(index < WS_COUNT_OF(arbiter_list));
    return arbiter_list[index];
}
