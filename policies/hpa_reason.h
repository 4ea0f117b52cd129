/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The reasons that a HorizontalPodAutoscaler shows in its conditions, spelled as Kubernetes spells
 * them.
 *
 * A reason belongs to one condition type (AbleToScale, ScalingActive, ScalingLimited, ScaledToZero)
 * and to one status of it, so the reason alone says both.
 */
#ifndef WS_HPA_REASON_H
#define WS_HPA_REASON_H

#include <stdbool.h>

typedef enum {
    WS_HPA_REASON_NONE, /* the condition is not set */
    /* AbleToScale */
    WS_HPA_SUCCEEDED_GET_SCALE, /* the target was read, nothing was decided */
    WS_HPA_READY_FOR_NEW_SCALE,
    WS_HPA_SCALE_DOWN_STABILIZED,
    WS_HPA_SCALE_UP_STABILIZED,
    WS_HPA_SUCCEEDED_RESCALE,
    WS_HPA_FAILED_GET_SCALE,
    WS_HPA_FAILED_UPDATE_SCALE,
    /* ScalingActive */
    WS_HPA_VALID_METRIC_FOUND,
    WS_HPA_SCALING_DISABLED,
    WS_HPA_INVALID_SELECTOR,
    WS_HPA_AMBIGUOUS_SELECTOR,
    WS_HPA_FAILED_GET_RESOURCE_METRIC,
    WS_HPA_FAILED_GET_CONTAINER_RESOURCE_METRIC,
    WS_HPA_FAILED_GET_PODS_METRIC,
    WS_HPA_FAILED_GET_OBJECT_METRIC,
    WS_HPA_FAILED_GET_EXTERNAL_METRIC,
    WS_HPA_INVALID_METRIC_SOURCE_TYPE,
    /* ScalingLimited */
    WS_HPA_TOO_FEW_REPLICAS,
    WS_HPA_TOO_MANY_REPLICAS,
    WS_HPA_SCALE_UP_LIMIT,
    WS_HPA_SCALE_DOWN_LIMIT,
    WS_HPA_DESIRED_WITHIN_RANGE,
    /* ScaledToZero (1.36 and later) */
    WS_HPA_SCALED_TO_ZERO,
    WS_HPA_NOT_SCALED_TO_ZERO
} ws_hpa_reason;

/** "SucceededRescale", ...: the API's spelling. Empty for WS_HPA_REASON_NONE. */
const char *ws_hpa_reason_name(ws_hpa_reason reason);

/** "AbleToScale", ...: the type of the condition that the reason belongs to. Empty for
 * WS_HPA_REASON_NONE. */
const char *ws_hpa_reason_condition(ws_hpa_reason reason);

/** Whether the condition's status is True. False for WS_HPA_REASON_NONE. */
bool ws_hpa_reason_is_true(ws_hpa_reason reason);

#endif
