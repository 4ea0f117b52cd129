/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Quantities as Kubernetes writes them: `80`, `1500m`, `8Gi`, `1e3`, `1E2`.
 *
 * Grammar and rounding are those of resource.Quantity (apimachinery, pkg/api/resource): a decimal
 * number, then a binary suffix (Ki Mi Gi Ti Pi Ei), a decimal one (n u m k M G T P E) or an
 * exponent (e or E and an integer), never two of them; `1E` is 10^18, `1E2` is 100.
 */
#ifndef WS_HPA_QUANTITY_H
#define WS_HPA_QUANTITY_H

#include <stdbool.h>
#include <stdint.h>

#include "ws/assert.h"
#include "ws/text.h"

typedef struct {
    int64_t milli; /* milli-units; a finer quantity rounds up, one beyond int64 saturates */
    double value;  /* the nearest double, for what is compared as one (a tolerance) */
} ws_hpa_quantity;

/** Reads a whole text. False, `*quantity` untouched, when it is no quantity. O(length). */
WS_NODISCARD bool ws_hpa_quantity_parse(ws_text text, ws_hpa_quantity *quantity);

#endif
