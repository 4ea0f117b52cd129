/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The list of policies. */
#ifndef WS_POLICIES_H
#define WS_POLICIES_H

#include <stddef.h>

#include "ws/policy.h"

/** Number of policy types, and each of them, sorted by name. */
size_t ws_policy_count(void);
const ws_policy_type *ws_policy_at(size_t index);

/** NULL when there is no such type. */
const ws_policy_type *ws_policy_find(ws_text name);

/** Names, in order, NULL-terminated: for choices and near names. */
extern const char *const ws_policy_names[];

#endif
