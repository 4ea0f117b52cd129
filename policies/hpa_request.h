/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * What a pod requests of a resource, from its containers: the denominator of a utilisation target.
 *
 * Rules are those of the Kubernetes controller (replica_calculator.go, v1.37).
 */
#ifndef WS_HPA_REQUEST_H
#define WS_HPA_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/assert.h"
#include "ws/text.h"

typedef struct {
    ws_text name;
    bool is_init;
    bool is_restartable; /* an init container that stays: a sidecar */
    bool has_request;
    int64_t request; /* milli-units */
} ws_hpa_container;

typedef struct {
    const ws_hpa_container *containers;
    size_t container_count;
    bool has_request; /* of the pod as a whole, where pod-level resources are on */
    int64_t request;  /* milli-units */
} ws_hpa_pod_spec;

/**
 * The pod's own request where it has one, else the sum over its containers and sidecars.
 *
 * @param container  empty: the whole pod; else the one container that is asked for
 * @return           false when a request, or the container, is missing; `*request` is untouched
 * then
 */
WS_NODISCARD bool ws_hpa_pod_request(const ws_hpa_pod_spec *pod, ws_text container,
                                     int64_t *request);

#endif
