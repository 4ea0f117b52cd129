/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list, sorted by name. A new policy is a line here, one in `ws_policy_names`, and one in
 * list.h. */
#include "list.h"

#include <assert.h>
#include <stddef.h>

#include "ws/assert.h"
#include "ws/policies.h"

static const ws_policy_type *const policy_types[] = {
    &ws_policy_fixed,
    &ws_policy_hpa,
    &ws_policy_predictive,
    &ws_policy_stage_aware,
};

const char *const ws_policy_names[] = {
    "fixed", "hpa", "predictive", "stage-aware", NULL,
};

static_assert(WS_COUNT_OF(ws_policy_names) == WS_COUNT_OF(policy_types) + 1,
              "one name for each type, and NULL");

size_t ws_policy_count(void)
{
    return WS_COUNT_OF(policy_types);
}

const ws_policy_type *ws_policy_at(size_t index)
{
    WS_ASSERT(index < WS_COUNT_OF(policy_types));

    return policy_types[index];
}

const ws_policy_type *ws_policy_find(ws_text name)
{
    for (size_t i = 0; i < WS_COUNT_OF(policy_types); i++) {
        if (ws_text_is(name, policy_types[i]->name)) {
            return policy_types[i];
        }
    }
    return NULL;
}
