/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One table: the reason's name, its condition and the status it stands for. */
#include "hpa_reason.h"

#include <stddef.h>

#include "ws/assert.h"

#define ABLE "AbleToScale"
#define ACTIVE "ScalingActive"
#define LIMITED "ScalingLimited"
#define ZERO "ScaledToZero"

typedef struct {
    const char *name;
    const char *condition;
    bool is_true;
} reason_row;

static const reason_row reason_rows[] = {
    [WS_HPA_REASON_NONE] = {"", "", false},
    [WS_HPA_SUCCEEDED_GET_SCALE] = {"SucceededGetScale", ABLE, true},
    [WS_HPA_READY_FOR_NEW_SCALE] = {"ReadyForNewScale", ABLE, true},
    [WS_HPA_SCALE_DOWN_STABILIZED] = {"ScaleDownStabilized", ABLE, true},
    [WS_HPA_SCALE_UP_STABILIZED] = {"ScaleUpStabilized", ABLE, true},
    [WS_HPA_SUCCEEDED_RESCALE] = {"SucceededRescale", ABLE, true},
    [WS_HPA_FAILED_GET_SCALE] = {"FailedGetScale", ABLE, false},
    [WS_HPA_FAILED_UPDATE_SCALE] = {"FailedUpdateScale", ABLE, false},
    [WS_HPA_VALID_METRIC_FOUND] = {"ValidMetricFound", ACTIVE, true},
    [WS_HPA_SCALING_DISABLED] = {"ScalingDisabled", ACTIVE, false},
    [WS_HPA_INVALID_SELECTOR] = {"InvalidSelector", ACTIVE, false},
    [WS_HPA_AMBIGUOUS_SELECTOR] = {"AmbiguousSelector", ACTIVE, false},
    [WS_HPA_FAILED_GET_RESOURCE_METRIC] = {"FailedGetResourceMetric", ACTIVE, false},
    [WS_HPA_FAILED_GET_CONTAINER_RESOURCE_METRIC] = {"FailedGetContainerResourceMetric", ACTIVE,
                                                     false},
    [WS_HPA_FAILED_GET_PODS_METRIC] = {"FailedGetPodsMetric", ACTIVE, false},
    [WS_HPA_FAILED_GET_OBJECT_METRIC] = {"FailedGetObjectMetric", ACTIVE, false},
    [WS_HPA_FAILED_GET_EXTERNAL_METRIC] = {"FailedGetExternalMetric", ACTIVE, false},
    [WS_HPA_INVALID_METRIC_SOURCE_TYPE] = {"InvalidMetricSourceType", ACTIVE, false},
    [WS_HPA_TOO_FEW_REPLICAS] = {"TooFewReplicas", LIMITED, true},
    [WS_HPA_TOO_MANY_REPLICAS] = {"TooManyReplicas", LIMITED, true},
    [WS_HPA_SCALE_UP_LIMIT] = {"ScaleUpLimit", LIMITED, true},
    [WS_HPA_SCALE_DOWN_LIMIT] = {"ScaleDownLimit", LIMITED, true},
    [WS_HPA_DESIRED_WITHIN_RANGE] = {"DesiredWithinRange", LIMITED, false},
    [WS_HPA_SCALED_TO_ZERO] = {"ScaledToZero", ZERO, true},
    [WS_HPA_NOT_SCALED_TO_ZERO] = {"NotScaledToZero", ZERO, false},
};

static const reason_row *reason_find(ws_hpa_reason reason)
{
    WS_ASSERT((size_t)reason < WS_COUNT_OF(reason_rows));
    WS_ASSERT(reason_rows[reason].name != NULL);

    return &reason_rows[reason];
}

const char *ws_hpa_reason_name(ws_hpa_reason reason)
{
    return reason_find(reason)->name;
}

const char *ws_hpa_reason_condition(ws_hpa_reason reason)
{
    return reason_find(reason)->condition;
}

bool ws_hpa_reason_is_true(ws_hpa_reason reason)
{
    return reason_find(reason)->is_true;
}
