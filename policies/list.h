/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The policy types that list.c lists: one line for each file that ends in one. */
#ifndef WS_POLICIES_LIST_H
#define WS_POLICIES_LIST_H

#include "ws/policy.h"

extern const ws_policy_type ws_policy_fixed;
extern const ws_policy_type ws_policy_hpa;
extern const ws_policy_type ws_policy_predictive;
extern const ws_policy_type ws_policy_stage_aware;

#endif
