/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The proposal follows the controller's two passes: a ratio over the samples that count, and, when
 * pods without a sample or young pods could change the answer, a second one over the set enlarged
 * by cautious guesses for them.
 */
#include "hpa_replicas.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/assert.h"
#include "ws/total.h"

#define MILLI_SLACK 1e-9

static int64_t hpa_add(int64_t a, int64_t b)
{
    int64_t sum = 0;

    if (__builtin_add_overflow(a, b, &sum)) {
        return b < 0 ? INT64_MIN : INT64_MAX;
    }
    return sum;
}

/* value * by / over, truncated toward zero as Go's integer division does, without overflow. */
static int64_t hpa_scaled(int64_t value, int64_t by, int64_t over)
{
    ws_i128 scaled = 0;

    WS_ASSERT(over > 0);

    scaled = (ws_i128)value * by / over;
    if (scaled > INT64_MAX) {
        return INT64_MAX;
    }
    return scaled < INT64_MIN ? INT64_MIN : (int64_t)scaled;
}

static int32_t hpa_narrow(int64_t value)
{
    if (value > INT32_MAX) {
        return INT32_MAX;
    }
    return value < INT32_MIN ? INT32_MIN : (int32_t)value;
}

/* The smallest count that is not below a double. NaN cannot come from a target above zero; it
 * counts as nothing. */
static int32_t hpa_count(double replicas)
{
    double up = ceil(replicas);

    if (up >= (double)INT32_MAX) {
        return INT32_MAX;
    }
    if (up <= (double)INT32_MIN) {
        return INT32_MIN;
    }
    return isnan(up) ? 0 : (int32_t)up;
}

/* 2^63 is the first double beyond int64. */
static int64_t hpa_wide(double value)
{
    if (value >= 0x1p63) {
        return INT64_MAX;
    }
    if (value < -0x1p63) {
        return INT64_MIN;
    }
    return isnan(value) ? 0 : (int64_t)value;
}

bool ws_hpa_milli(double value, int64_t *milli)
{
    double scaled = value * 1000.0;
    double whole = rint(scaled);

    WS_ASSERT(milli != NULL);

    if (!isfinite(value)) {
        return false;
    }
    if (fabs(scaled - whole) > MILLI_SLACK * fmax(1.0, fabs(scaled))) {
        whole = ceil(scaled);
    }
    *milli = hpa_wide(whole);
    return true;
}

bool ws_hpa_is_within(const ws_hpa_tolerance *tolerance, double ratio)
{
    WS_ASSERT(tolerance != NULL);

    if (tolerance->is_absolute) {
        return fabs(1.0 - ratio) <= (ratio > 1.0 ? tolerance->up : tolerance->down);
    }
    return 1.0 - tolerance->down <= ratio && ratio <= 1.0 + tolerance->up;
}

/* Whether cpu of this pod would be that of its start. Comparisons are strict; Unknown is not False.
 */
static bool hpa_cpu_is_young(const ws_hpa_readiness *readiness, const ws_hpa_pod *pod)
{
    WS_ASSERT(pod->phase == WS_HPA_POD_RUNNING);

    if (!pod->has_start || pod->ready == WS_HPA_READY_ABSENT) {
        return true;
    }
    if (pod->start_age.ns < readiness->cpu_initialization_period.ns) {
        return pod->ready == WS_HPA_READY_FALSE ||
               pod->ready_age.ns - pod->value_age.ns < pod->value_window.ns;
    }
    return pod->ready == WS_HPA_READY_FALSE &&
           pod->start_age.ns - pod->ready_age.ns < readiness->initial_readiness_delay.ns;
}

ws_hpa_group ws_hpa_group_of(const ws_hpa_metric *metric, const ws_hpa_readiness *readiness,
                             const ws_hpa_pod *pod)
{
    bool is_resource =
        metric->source == WS_HPA_RESOURCE || metric->source == WS_HPA_CONTAINER_RESOURCE;

    WS_ASSERT(readiness != NULL);
    WS_ASSERT(pod != NULL);

    if (pod->deleted || pod->phase == WS_HPA_POD_FAILED || pod->phase == WS_HPA_POD_SUCCEEDED) {
        return WS_HPA_GROUP_IGNORED;
    }
    if (pod->phase == WS_HPA_POD_PENDING) {
        return WS_HPA_GROUP_UNREADY;
    }
    if (!pod->has_value) {
        return WS_HPA_GROUP_MISSING;
    }
    if (is_resource && metric->is_cpu && hpa_cpu_is_young(readiness, pod)) {
        return WS_HPA_GROUP_UNREADY;
    }
    return WS_HPA_GROUP_COUNTED;
}

void ws_hpa_sums_add(ws_hpa_sums *sums, ws_hpa_target_kind kind, int64_t value,
                     const int64_t *request)
{
    WS_ASSERT(sums != NULL);

    sums->size++;
    if (kind == WS_HPA_UTILIZATION && request == NULL) {
        return;
    }
    sums->counted++;
    sums->usage = hpa_add(sums->usage, value);
    sums->request = hpa_add(sums->request, request == NULL ? 0 : *request);
}

bool ws_hpa_sums_ratio(const ws_hpa_sums *sums, const ws_hpa_metric *metric, double *ratio,
                       int32_t *utilization, int64_t *usage)
{
    bool is_utilization = metric->target_kind == WS_HPA_UTILIZATION;
    int32_t percent = 0;

    WS_ASSERT(metric->target > 0);
    WS_ASSERT(metric->target_kind != WS_HPA_VALUE);

    if (sums->counted == 0 || (is_utilization && sums->request <= 0)) {
        return false;
    }
    if (is_utilization) {
        percent = hpa_narrow(hpa_scaled(sums->usage, 100, sums->request));
    }
    *utilization = percent;
    *usage = sums->usage / (int64_t)sums->counted;
    *ratio = (double)(is_utilization ? percent : *usage) / (double)metric->target;
    return true;
}

int64_t ws_hpa_usage_each(int64_t total, int32_t existing)
{
    if (existing == 0) {
        return 0;
    }
    return hpa_wide(ceil((double)total / (double)existing));
}

static void hpa_tally_add_request(ws_hpa_tally *tally, const ws_hpa_metric *metric,
                                  const ws_hpa_pod *pod, ws_hpa_group group)
{
    int64_t share = metric->target;

    /* A pod on its way out is asked for its request like any other. */
    if (!pod->has_request && metric->target_kind == WS_HPA_UTILIZATION) {
        tally->request_is_missing = true;
    }
    if (group == WS_HPA_GROUP_UNREADY) {
        tally->unready_request = hpa_add(tally->unready_request, pod->request);
    }
    if (group == WS_HPA_GROUP_MISSING) {
        if (metric->target_kind == WS_HPA_UTILIZATION) {
            /* Above 100 % the target itself; 1.20 and older took 100 % always. */
            share = hpa_scaled(pod->request, metric->target > 100 ? metric->target : 100, 100);
        }
        tally->missing_usage = hpa_add(tally->missing_usage, share);
        tally->missing_request = hpa_add(tally->missing_request, pod->request);
    }
}

void ws_hpa_tally_add_pod(ws_hpa_tally *tally, const ws_hpa_metric *metric,
                          const ws_hpa_readiness *readiness, const ws_hpa_pod *pod)
{
    ws_hpa_group group = ws_hpa_group_of(metric, readiness, pod);

    WS_ASSERT(tally != NULL);
    WS_ASSERT(pod->has_request || pod->request == 0);

    tally->pod_count++;
    tally->sample_count += pod->has_value ? 1 : 0;
    tally->counted_count += group == WS_HPA_GROUP_COUNTED ? 1 : 0;
    tally->unready_count += group == WS_HPA_GROUP_UNREADY ? 1 : 0;
    tally->missing_count += group == WS_HPA_GROUP_MISSING ? 1 : 0;
    tally->ignored_count += group == WS_HPA_GROUP_IGNORED ? 1 : 0;
    if (pod->phase == WS_HPA_POD_RUNNING && pod->ready == WS_HPA_READY_TRUE) {
        tally->serving_count++;
    }
    hpa_tally_add_request(tally, metric, pod, group);
    if (group == WS_HPA_GROUP_COUNTED) {
        ws_hpa_sums_add(&tally->sums, metric->target_kind, pod->value,
                        pod->has_request ? &pod->request : NULL);
    }
}

void ws_hpa_tally_add_stray(ws_hpa_tally *tally, const ws_hpa_metric *metric, int64_t value)
{
    WS_ASSERT(tally != NULL);

    tally->sample_count++;
    ws_hpa_sums_add(&tally->sums, metric->target_kind, value, NULL);
}

void ws_hpa_tally_add_series(ws_hpa_tally *tally, int64_t value)
{
    WS_ASSERT(tally != NULL);

    tally->series_count++;
    tally->total = hpa_add(tally->total, value);
}

static ws_hpa_reason hpa_failure_reason(ws_hpa_source source)
{
    switch (source) {
    case WS_HPA_RESOURCE:
        return WS_HPA_FAILED_GET_RESOURCE_METRIC;
    case WS_HPA_CONTAINER_RESOURCE:
        return WS_HPA_FAILED_GET_CONTAINER_RESOURCE_METRIC;
    case WS_HPA_PODS:
        return WS_HPA_FAILED_GET_PODS_METRIC;
    case WS_HPA_OBJECT:
        return WS_HPA_FAILED_GET_OBJECT_METRIC;
    case WS_HPA_EXTERNAL:
        return WS_HPA_FAILED_GET_EXTERNAL_METRIC;
    case WS_HPA_UNKNOWN_SOURCE:
        break;
    }
    return WS_HPA_INVALID_METRIC_SOURCE_TYPE;
}

ws_hpa_proposal ws_hpa_propose_nothing(const ws_hpa_metric *metric, ws_hpa_fault fault)
{
    WS_ASSERT(fault != WS_HPA_NO_FAULT);

    return (ws_hpa_proposal){.fault = fault, .reason = hpa_failure_reason(metric->source)};
}

const char *ws_hpa_fault_words(ws_hpa_fault fault)
{
    switch (fault) {
    case WS_HPA_NO_FAULT:
        return "no fault";
    case WS_HPA_FETCH_FAILED:
        return "the metric cannot be read";
    case WS_HPA_NO_SAMPLE:
        return "no sample";
    case WS_HPA_NO_POD:
        return "no pod";
    case WS_HPA_NO_USABLE_SAMPLE:
        return "no pod with a sample is ready";
    case WS_HPA_NO_REQUEST:
        return "a pod requests none of the resource";
    case WS_HPA_BAD_TARGET:
        break;
    }
    return "its target is not above 0";
}

/* The set with a guess for every pod that gave no usable sample: missing pods are taken to want a
 * scale-down as little as possible and not to want a scale-up, unready ones not to want a scale-up.
 */
static ws_hpa_sums hpa_enlarged(const ws_hpa_tally *tally, double ratio, bool with_unready)
{
    ws_hpa_sums sums = tally->sums;

    if (tally->missing_count > 0 && ratio != 1.0) {
        sums.usage = hpa_add(sums.usage, ratio < 1.0 ? tally->missing_usage : 0);
        sums.request = hpa_add(sums.request, tally->missing_request);
        sums.counted += tally->missing_count;
        sums.size += tally->missing_count;
    }
    if (with_unready) {
        sums.request = hpa_add(sums.request, tally->unready_request);
        sums.counted += tally->unready_count;
        sums.size += tally->unready_count;
    }
    WS_ASSERT(sums.size >= tally->sums.size);
    return sums;
}

static void hpa_propose_enlarged(ws_hpa_proposal *proposal, const ws_hpa_metric *metric,
                                 const ws_hpa_sums *sums, int32_t wanted,
                                 const ws_hpa_tolerance *tolerance)
{
    double first = proposal->ratio;
    double second = first;
    int32_t unused_percent = 0;
    int64_t unused_usage = 0;
    bool found = ws_hpa_sums_ratio(sums, metric, &second, &unused_percent, &unused_usage);
    int32_t replicas = hpa_count(second * (double)sums->size);

    WS_ASSERT(found); /* the first pass had a ratio, and requests only grow */

    proposal->ratio = second;
    proposal->is_within = ws_hpa_is_within(tolerance, second);
    proposal->replicas = wanted;
    if (proposal->is_within || (first < 1.0 && second > 1.0) || (second < 1.0 && first > 1.0)) {
        return;
    }
    /* The guesses may not turn the direction round. */
    if ((second < 1.0 && replicas > wanted) || (second > 1.0 && replicas < wanted)) {
        return;
    }
    proposal->replicas = replicas;
}

static ws_hpa_fault hpa_pods_fault(const ws_hpa_metric *metric, const ws_hpa_tally *tally)
{
    if (tally->sample_count == 0) {
        return WS_HPA_NO_SAMPLE;
    }
    if (tally->pod_count == 0) {
        return WS_HPA_NO_POD;
    }
    if (tally->sums.size == 0) {
        return WS_HPA_NO_USABLE_SAMPLE;
    }
    if (metric->target_kind == WS_HPA_UTILIZATION && tally->request_is_missing) {
        return WS_HPA_NO_REQUEST;
    }
    return metric->target_kind == WS_HPA_VALUE ? WS_HPA_BAD_TARGET : WS_HPA_NO_FAULT;
}

static ws_hpa_proposal hpa_propose_pods(const ws_hpa_metric *metric, const ws_hpa_tally *tally,
                                        int32_t wanted, const ws_hpa_tolerance *tolerance)
{
    ws_hpa_fault fault = hpa_pods_fault(metric, tally);
    ws_hpa_proposal proposal = {.reason = WS_HPA_VALID_METRIC_FOUND};
    bool with_unready = false;

    WS_ASSERT(metric->target > 0);

    if (fault != WS_HPA_NO_FAULT) {
        return ws_hpa_propose_nothing(metric, fault);
    }
    if (!ws_hpa_sums_ratio(&tally->sums, metric, &proposal.ratio, &proposal.utilization,
                           &proposal.usage)) {
        return ws_hpa_propose_nothing(metric, WS_HPA_NO_REQUEST);
    }
    with_unready = tally->unready_count > 0 && proposal.ratio > 1.0;
    if (with_unready || tally->missing_count > 0) {
        ws_hpa_sums sums = hpa_enlarged(tally, proposal.ratio, with_unready);

        hpa_propose_enlarged(&proposal, metric, &sums, wanted, tolerance);
        return proposal;
    }
    proposal.is_within = ws_hpa_is_within(tolerance, proposal.ratio);
    proposal.replicas =
        proposal.is_within ? wanted : hpa_count(proposal.ratio * (double)tally->counted_count);
    return proposal;
}

static ws_hpa_proposal hpa_propose_value(const ws_hpa_metric *metric, const ws_hpa_tally *tally,
                                         int32_t wanted, const ws_hpa_tolerance *tolerance)
{
    ws_hpa_proposal proposal = {
        .reason = WS_HPA_VALID_METRIC_FOUND,
        .usage = tally->total,
        .total = tally->total,
        .series_count = tally->series_count,
    };

    WS_ASSERT(metric->target > 0);

    proposal.ratio = (double)tally->total / (double)metric->target;
    if (wanted == 0) {
        /* From nothing there is no tolerance: any value above nothing starts one. */
        proposal.replicas = hpa_count(proposal.ratio);
        return proposal;
    }
    proposal.is_within = ws_hpa_is_within(tolerance, proposal.ratio);
    if (proposal.is_within) {
        proposal.replicas = wanted;
        return proposal;
    }
    if (tally->pod_count == 0) {
        return ws_hpa_propose_nothing(metric, WS_HPA_NO_POD);
    }
    proposal.replicas = hpa_count(proposal.ratio * (double)tally->serving_count);
    return proposal;
}

/* Within the tolerance the answer is what exists, not what is wanted: the controller does so. */
static ws_hpa_proposal hpa_propose_average(const ws_hpa_metric *metric, const ws_hpa_tally *tally,
                                           int32_t existing, const ws_hpa_tolerance *tolerance)
{
    ws_hpa_proposal proposal = {.reason = WS_HPA_VALID_METRIC_FOUND,
                                .total = tally->total,
                                .series_count = tally->series_count};
    double total = (double)tally->total;
    double target = (double)metric->target;

    WS_ASSERT(metric->target > 0);

    proposal.usage = ws_hpa_usage_each(tally->total, existing);
    proposal.ratio = total / (target * (double)existing);
    proposal.is_within = ws_hpa_is_within(tolerance, proposal.ratio);
    proposal.replicas = proposal.is_within ? existing : hpa_count(total / target);
    return proposal;
}

ws_hpa_proposal ws_hpa_propose(const ws_hpa_metric *metric, const ws_hpa_tally *tally,
                               const ws_hpa_scale *scale, const ws_hpa_tolerance *tolerance)
{
    WS_ASSERT(metric != NULL);
    WS_ASSERT(tally != NULL);
    WS_ASSERT(scale != NULL);

    if (metric->source == WS_HPA_UNKNOWN_SOURCE) {
        return ws_hpa_propose_nothing(metric, WS_HPA_FETCH_FAILED);
    }
    if (metric->target <= 0) {
        return ws_hpa_propose_nothing(metric, WS_HPA_BAD_TARGET);
    }
    if (metric->source != WS_HPA_OBJECT && metric->source != WS_HPA_EXTERNAL) {
        return hpa_propose_pods(metric, tally, scale->wanted, tolerance);
    }
    if (tally->series_count == 0) {
        return ws_hpa_propose_nothing(metric, WS_HPA_NO_SAMPLE);
    }
    if (metric->target_kind == WS_HPA_AVERAGE_VALUE) {
        return hpa_propose_average(metric, tally, scale->existing, tolerance);
    }
    if (metric->target_kind == WS_HPA_VALUE) {
        return hpa_propose_value(metric, tally, scale->wanted, tolerance);
    }
    return ws_hpa_propose_nothing(metric, WS_HPA_BAD_TARGET);
}

ws_hpa_combination ws_hpa_combine(const ws_hpa_proposal *proposals, size_t count, int32_t wanted)
{
    ws_hpa_combination all = {.reason = WS_HPA_VALID_METRIC_FOUND};
    size_t first_failed = 0;

    WS_ASSERT(proposals != NULL);
    WS_ASSERT(count >= 1);

    for (size_t i = 0; i < count; i++) {
        if (proposals[i].fault != WS_HPA_NO_FAULT) {
            first_failed = all.failed_count == 0 ? i : first_failed;
            all.failed_count++;
        } else if (all.replicas == 0 || proposals[i].replicas > all.replicas) {
            all.replicas = proposals[i].replicas;
            all.chosen = i;
        }
    }
    all.is_active = all.failed_count < count && (all.failed_count == 0 || all.replicas >= wanted);
    if (!all.is_active) {
        all.reason = proposals[first_failed].reason;
        all.replicas = 0;
        all.chosen = first_failed;
    }
    return all;
}
