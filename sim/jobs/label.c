/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A job has a handful of labels and a selector a handful of requirements: both are walked. */
#include "ws/label.h"

#include "ws/assert.h"

static const ws_label *label_find(const ws_labels *labels, ws_text key)
{
    for (size_t i = 0; i < labels->count; i++) {
        if (ws_text_equals(labels->items[i].key, key)) {
            return &labels->items[i];
        }
    }
    return NULL;
}

static bool label_is_among(const ws_requirement *requirement, ws_text value)
{
    for (size_t i = 0; i < requirement->value_count; i++) {
        if (ws_text_equals(requirement->values[i], value)) {
            return true;
        }
    }
    return false;
}

static bool label_fulfils(const ws_label *label, const ws_requirement *requirement)
{
    switch (requirement->relation) {
    case WS_SELECT_IN:
        return label != NULL && label_is_among(requirement, label->value);
    case WS_SELECT_NOT_IN:
        return label == NULL || !label_is_among(requirement, label->value);
    case WS_SELECT_EXISTS:
        return label != NULL;
    case WS_SELECT_ABSENT:
        return label == NULL;
    }
    WS_ASSERT(false && "not a relation");
    return false;
}

bool ws_selector_matches(const ws_selector *selector, const ws_labels *labels)
{
    WS_ASSERT(selector != NULL);
    WS_ASSERT(labels != NULL);

    for (size_t i = 0; i < selector->count; i++) {
        const ws_requirement *requirement = &selector->requirements[i];

        if (!label_fulfils(label_find(labels, requirement->key), requirement)) {
            return false;
        }
    }
    return true;
}
