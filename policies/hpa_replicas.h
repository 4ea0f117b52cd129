/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * What one metric of a HorizontalPodAutoscaler proposes, and what several of them come to.
 *
 * Rules, numbers and rounding are those of the Kubernetes controller (pkg/controller/podautoscaler,
 * replica_calculator.go and horizontal.go, v1.37): quantities are int64 milli-units, integer
 * divisions truncate, ratios are doubles, ceil is taken of doubles. What Go leaves to the platform
 * (a double beyond int32) saturates here.
 *
 * Pods and samples are added one by one to a tally; the proposal is computed from the tally alone,
 * so that no sample is kept and nothing is allocated. Two switches of the tally's reader depend on
 * the ratio that only the whole set gives (what a pod without a sample counts as); the tally keeps
 * both sums.
 */
#ifndef WS_HPA_REPLICAS_H
#define WS_HPA_REPLICAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/time.h"

#include "hpa_reason.h"

#define WS_HPA_METRICS_MAX 8

typedef enum {
    WS_HPA_RESOURCE,
    WS_HPA_CONTAINER_RESOURCE,
    WS_HPA_PODS,
    WS_HPA_OBJECT,
    WS_HPA_EXTERNAL,
    WS_HPA_UNKNOWN_SOURCE /* a type that the controller does not know: every reading fails */
} ws_hpa_source;

typedef enum {
    WS_HPA_UTILIZATION,   /* RESOURCE, CONTAINER_RESOURCE */
    WS_HPA_AVERAGE_VALUE, /* all */
    WS_HPA_VALUE          /* OBJECT, EXTERNAL */
} ws_hpa_target_kind;

typedef struct {
    ws_hpa_source source;
    ws_hpa_target_kind target_kind;
    bool is_cpu;    /* of RESOURCE and CONTAINER_RESOURCE: only cpu looks at readiness */
    int64_t target; /* milli-units; percent of UTILIZATION; > 0 */
} ws_hpa_metric;

typedef enum {
    WS_HPA_POD_PENDING,
    WS_HPA_POD_RUNNING,
    WS_HPA_POD_SUCCEEDED,
    WS_HPA_POD_FAILED
} ws_hpa_phase;

/** Status of the pod's Ready condition. */
typedef enum {
    WS_HPA_READY_ABSENT, /* no such condition */
    WS_HPA_READY_UNKNOWN,
    WS_HPA_READY_FALSE,
    WS_HPA_READY_TRUE
} ws_hpa_ready;

typedef struct {
    ws_hpa_phase phase;
    ws_hpa_ready ready;
    bool deleted; /* its deletion was asked for */
    bool has_start;
    ws_duration start_age;
    ws_duration ready_age; /* since the Ready condition last changed */
    bool has_value;
    int64_t value; /* milli-units */
    ws_duration value_age;
    ws_duration value_window;
    bool has_request; /* UTILIZATION: one pod without a request disables the metric */
    int64_t request;  /* milli-units */
} ws_hpa_pod;

/** How far from 1 a ratio may be without a change of size. */
typedef struct {
    double up;
    double down;
    bool is_absolute; /* |1 - r| <= tolerance, as before 1.33; false: 1 - down <= r <= 1 + up */
} ws_hpa_tolerance;

/** How long a young pod's cpu is not believed; flags of the controller. */
typedef struct {
    ws_duration cpu_initialization_period;
    ws_duration initial_readiness_delay;
} ws_hpa_readiness;

typedef enum {
    WS_HPA_GROUP_IGNORED, /* on its way out */
    WS_HPA_GROUP_UNREADY,
    WS_HPA_GROUP_MISSING, /* no sample */
    WS_HPA_GROUP_COUNTED
} ws_hpa_group;

/** Sums over a set of samples. */
typedef struct {
    int64_t usage;   /* milli-units; for UTILIZATION only of samples that have a request */
    int64_t request; /* milli-units, of the same samples */
    size_t counted;  /* samples in `usage` */
    size_t size;     /* samples in the set */
} ws_hpa_sums;

/** All that a proposal needs to know of the pods and samples. Begin with zeros. */
typedef struct {
    ws_hpa_sums sums; /* samples of counted pods, and of pods that are not listed */
    size_t pod_count;
    size_t sample_count; /* of any pod, listed or not, in any group */
    size_t counted_count;
    size_t unready_count;
    size_t missing_count;
    size_t ignored_count;
    size_t serving_count; /* Running and Ready, whatever the metric says */
    bool request_is_missing;
    int64_t missing_usage; /* what the missing pods would use if they took their share */
    int64_t missing_request;
    int64_t unready_request;
    int64_t total; /* OBJECT, EXTERNAL: sum of the series */
    size_t series_count;
} ws_hpa_tally;

typedef enum {
    WS_HPA_NO_FAULT,
    WS_HPA_FETCH_FAILED,
    WS_HPA_NO_SAMPLE,
    WS_HPA_NO_POD,
    WS_HPA_NO_USABLE_SAMPLE,
    WS_HPA_NO_REQUEST, /* a pod lacks one, or they sum to nothing */
    WS_HPA_BAD_TARGET
} ws_hpa_fault;

typedef struct {
    ws_hpa_fault fault;
    ws_hpa_reason reason; /* ValidMetricFound, or the failure's */
    int32_t replicas;     /* 0 with a fault, and so are the rest */
    int32_t utilization;  /* percent; UTILIZATION */
    int64_t usage; /* milli-units: the average of the first pass, or the total of a VALUE target */
    int64_t total; /* OBJECT, EXTERNAL: the sum of the series, milli-units */
    size_t series_count; /* that it sums */
    double ratio;        /* usage over target, the one that decided */
    bool is_within;      /* the ratio is within the tolerance */
} ws_hpa_proposal;

/** Replicas wanted (scale.spec.replicas) and existing (scale.status.replicas). */
typedef struct {
    int32_t wanted;
    int32_t existing;
} ws_hpa_scale;

/** What all metrics come to. */
typedef struct {
    bool is_active;       /* false: nothing may be scaled, recorded or normalised */
    ws_hpa_reason reason; /* ValidMetricFound, or that of the first metric that failed */
    int32_t replicas;     /* the largest proposal */
    size_t chosen;        /* index of the metric whose it is, or of the first that failed */
    size_t failed_count;  /* > 0: the run counts as failed even when it scales */
} ws_hpa_combination;

/**
 * A quantity in milli-units; a finer one rounds up. A double that is within 1e-9 of a whole number
 * of milli-units, as the product of a decimal fraction is, counts as that number. Beyond int64 it
 * saturates.
 *
 * @return  false for NaN and infinities: there is no such quantity; `*milli` is untouched then
 */
bool ws_hpa_milli(double value, int64_t *milli);

/** Whether a ratio is near enough to 1. NaN never is. */
bool ws_hpa_is_within(const ws_hpa_tolerance *tolerance, double ratio);

/** Which group a pod is in for a metric. */
ws_hpa_group ws_hpa_group_of(const ws_hpa_metric *metric, const ws_hpa_readiness *readiness,
                             const ws_hpa_pod *pod);

/** Adds one sample to a set; `request` NULL: its pod has none, or is not listed. Sums saturate. */
void ws_hpa_sums_add(ws_hpa_sums *sums, ws_hpa_target_kind kind, int64_t value,
                     const int64_t *request);

/**
 * Ratio of a set to a target: UTILIZATION by the percentage, truncated, that its usage is of its
 * requests; AVERAGE_VALUE by the mean, truncated.
 *
 * @param target       > 0, percent of UTILIZATION, else milli-units
 * @param utilization  receives the percentage, for UTILIZATION; else 0
 * @param usage        receives the mean, milli-units
 * @return             false when UTILIZATION has no request to divide by, or the set is empty;
 * outputs are untouched
 */
bool ws_hpa_sums_ratio(const ws_hpa_sums *sums, const ws_hpa_metric *metric, double *ratio,
                       int32_t *utilization, int64_t *usage);

/** Usage of each existing replica, rounded up; 0 when there is none. Saturates. */
int64_t ws_hpa_usage_each(int64_t total, int32_t existing);

/** Adds a listed pod. */
void ws_hpa_tally_add_pod(ws_hpa_tally *tally, const ws_hpa_metric *metric,
                          const ws_hpa_readiness *readiness, const ws_hpa_pod *pod);

/** Adds a sample of a pod that is not listed (RESOURCE, CONTAINER_RESOURCE, PODS). */
void ws_hpa_tally_add_stray(ws_hpa_tally *tally, const ws_hpa_metric *metric, int64_t value);

/** Adds a series (EXTERNAL) or the value (OBJECT), milli-units. */
void ws_hpa_tally_add_series(ws_hpa_tally *tally, int64_t value);

/** The metric's proposal from a full tally. */
ws_hpa_proposal ws_hpa_propose(const ws_hpa_metric *metric, const ws_hpa_tally *tally,
                               const ws_hpa_scale *scale, const ws_hpa_tolerance *tolerance);

/** A proposal that failed for `fault` before the tally could be made. */
ws_hpa_proposal ws_hpa_propose_nothing(const ws_hpa_metric *metric, ws_hpa_fault fault);

/** The fault in words, for a reason: "no sample". */
const char *ws_hpa_fault_words(ws_hpa_fault fault);

/**
 * The largest proposal. A metric that failed blocks scaling down, not up: with one the result is
 * active only when the largest healthy proposal is at least what is wanted now.
 *
 * @param count   1..WS_HPA_METRICS_MAX
 */
ws_hpa_combination ws_hpa_combine(const ws_hpa_proposal *proposals, size_t count, int32_t wanted);

#endif
