/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Checks the autoscaler against vectors: JSON objects with inputs and what the Kubernetes
 * controller makes of them. Three forms: one metric's proposal (without a `kind`), the controller's
 * steps, and small building blocks.
 */
#ifndef WS_HPA_CHECK_H
#define WS_HPA_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

/** What differed, as "replicas: expected 4, got 3; ...". Empty: the vector passes. */
typedef struct {
    char text[480];
    size_t length;
} ws_hpa_check;

/** Runs one vector. True when nothing differs. */
bool ws_hpa_check_vector(const json_t *vector, ws_hpa_check *check);

/** Counts over a file. */
typedef struct {
    size_t passed;
    size_t failed;
} ws_hpa_check_count;

/** Called for each vector that fails. */
typedef void ws_hpa_check_tell(void *context, const char *name, const ws_hpa_check *check);

/**
 * Runs every vector of a file of any form.
 *
 * @param tell   may be NULL
 * @return       false when the file cannot be read as a JSON array; `*count` is untouched then
 */
bool ws_hpa_check_file(const char *path, ws_hpa_check_tell *tell, void *context,
                       ws_hpa_check_count *count);

#endif
