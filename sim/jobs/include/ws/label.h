/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Labels of jobs and selectors over them, as Kubernetes has them on pods and on the series of its
 * monitoring. */
#ifndef WS_LABEL_H
#define WS_LABEL_H

#include <stdbool.h>
#include <stddef.h>

#include "ws/text.h"

typedef struct {
    ws_text key;
    ws_text value; /* may be empty */
} ws_label;

/** The labels of one thing; keys differ. */
typedef struct {
    const ws_label *items;
    size_t count;
} ws_labels;

typedef enum {
    WS_SELECT_IN,     /* the key is there, with one of the values */
    WS_SELECT_NOT_IN, /* the key is absent, or has none of the values */
    WS_SELECT_EXISTS,
    WS_SELECT_ABSENT
} ws_select_relation;

typedef struct {
    ws_text key;
    ws_select_relation relation;
    const ws_text *values; /* of IN and NOT_IN, at least one */
    size_t value_count;
} ws_requirement;

/** All requirements must hold; without any it selects everything. */
typedef struct {
    const ws_requirement *requirements;
    size_t count;
} ws_selector;

/**
 * Whether labels fulfil a selector. O(requirements x (labels + values)).
 *
 * Source: Kubernetes, apimachinery's labels.Requirement.Matches (NotIn holds where the key is
 * absent).
 */
bool ws_selector_matches(const ws_selector *selector, const ws_labels *labels);

#endif
