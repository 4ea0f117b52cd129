/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One container without a request is enough for the whole pod to have none: a sum over the others
 * would be too small. */
#include "hpa_request.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/assert.h"

/* Whether a container runs beside the others; an init container that ends does not. */
static bool request_stays(const ws_hpa_container *container)
{
    return !container->is_init || container->is_restartable;
}

static bool request_of_container(const ws_hpa_pod_spec *pod, ws_text name, int64_t *request)
{
    WS_ASSERT(name.length > 0);

    for (size_t i = 0; i < pod->container_count; i++) {
        const ws_hpa_container *container = &pod->containers[i];

        if (request_stays(container) && ws_text_equals(container->name, name)) {
            *request = container->has_request ? container->request : *request;
            return container->has_request;
        }
    }
    return false;
}

bool ws_hpa_pod_request(const ws_hpa_pod_spec *pod, ws_text container, int64_t *request)
{
    int64_t sum = 0;

    WS_ASSERT(pod != NULL);
    WS_ASSERT(request != NULL);

    if (container.length > 0) {
        return request_of_container(pod, container, request);
    }
    if (pod->has_request) {
        *request = pod->request;
        return true;
    }
    for (size_t i = 0; i < pod->container_count; i++) {
        const ws_hpa_container *part = &pod->containers[i];

        if (!request_stays(part)) {
            continue;
        }
        if (!part->has_request) {
            return false;
        }
        if (__builtin_add_overflow(sum, part->request, &sum)) {
            sum = INT64_MAX;
        }
    }
    *request = sum;
    return true;
}
