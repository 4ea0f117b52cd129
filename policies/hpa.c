/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Kubernetes HorizontalPodAutoscaler, decision for decision. This file reads the view and
 * writes the plan; what a metric proposes is in hpa_replicas.c, what becomes of it in
 * hpa_normalise.c, keys and limits are in hpa_parameters.c and hpa_validate.c, those of a manifest
 * in hpa_manifest.c, the words in hpa_words.c.
 *
 * A pool's nodes are its pods, wanted nodes its spec.replicas, existing ones (requested ones too)
 * its status.replicas.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/assert.h"
#include "ws/policy.h"

#include "hpa_normalise.h"
#include "hpa_parameters.h"
#include "hpa_reach.h"
#include "hpa_replicas.h"
#include "hpa_words.h"
#include "list.h"

typedef struct {
    ws_hpa_settings settings;
    ws_hpa_memory memory;
    ws_hpa_tolerance tolerance;
    ws_hpa_readiness readiness;
    ws_hpa_named_metric metrics[WS_HPA_METRICS_MAX];
    size_t metric_count;
    ws_target target;
    int32_t site_min; /* what the target takes at most; 0 and 0 when it is not known */
    int32_t site_max;
} hpa_state;

static void hpa_subscribe(const void *parameters, ws_subscriptions *subscriptions)
{
    const ws_hpa_parameters *given = parameters;

    WS_ASSERT(given->stated_count <= WS_HPA_METRICS_MAX);

    for (size_t i = 0; i < given->stated_count; i++) {
        size_t index = ws_subscribe(subscriptions, &given->stated[i].query);

        WS_ASSERT(index == i); /* a metric's index is its query's */
    }
}

static ws_duration hpa_period(const void *parameters)
{
    const ws_hpa_parameters *given = parameters;

    WS_ASSERT(given->sync_period.ns > 0);

    return given->sync_period;
}

static bool hpa_init(void *state, const void *parameters, const ws_policy_site *site,
                     ws_arena *arena)
{
    hpa_state *hpa = state;
    const ws_hpa_parameters *given = parameters;

    WS_ASSERT(given->stated_count <= WS_HPA_METRICS_MAX);

    hpa->tolerance = ws_hpa_tolerance_of(given);
    hpa->readiness = (ws_hpa_readiness){
        .cpu_initialization_period = given->cpu_initialization_period,
        .initial_readiness_delay = given->initial_readiness_delay,
    };
    hpa->metric_count = given->stated_count;
    for (size_t i = 0; i < hpa->metric_count; i++) {
        hpa->metrics[i] =
            (ws_hpa_named_metric){.name = given->stated[i].name, .metric = given->stated[i].metric};
    }
    hpa->target = site->target;
    hpa->site_min = site->replicas_min;
    hpa->site_max = site->replicas_max;
    return ws_hpa_settings_of(given, arena, &hpa->settings) &&
           ws_hpa_memory_of(given, &hpa->settings, arena, &hpa->memory);
}

static ws_hpa_pod hpa_pod_of(const ws_pod *seen)
{
    ws_hpa_pod pod = {
        .phase = seen->phase == WS_POD_PENDING ? WS_HPA_POD_PENDING : WS_HPA_POD_RUNNING,
        .ready = seen->ready ? WS_HPA_READY_TRUE : WS_HPA_READY_FALSE,
        .deleted = seen->deleted,
        .has_start = seen->has_started,
        .start_age = seen->started_age,
        .ready_age = seen->ready_age,
        .value_age = seen->sample_age,
        .value_window = seen->sample_window,
    };

    WS_ASSERT(seen != NULL);

    /* A value that is no number is no sample, and an exporter that shows one is down. */
    pod.has_value = seen->has_sample && ws_hpa_milli(seen->value, &pod.value);
    pod.has_request = seen->request > 0.0 && ws_hpa_milli(seen->request, &pod.request);
    return pod;
}

static void hpa_tally_add_samples(ws_hpa_tally *tally, const ws_sample *samples, size_t count)
{
    int64_t milli = 0;

    WS_ASSERT(samples != NULL || count == 0);

    for (size_t i = 0; i < count; i++) {
        if (ws_hpa_milli(samples[i].value, &milli)) {
            ws_hpa_tally_add_series(tally, milli);
        }
    }
}

static ws_hpa_tally hpa_tally_of(const hpa_state *hpa, size_t index, const ws_view *view)
{
    const ws_hpa_metric *metric = &hpa->metrics[index].metric;
    ws_hpa_tally tally = {.pod_count = 0};
    size_t count = 0;
    const ws_pod *pods = ws_view_pods(view, index, &count);

    WS_ASSERT(index < hpa->metric_count);

    for (size_t i = 0; i < count; i++) {
        ws_hpa_pod pod = hpa_pod_of(&pods[i]);

        ws_hpa_tally_add_pod(&tally, metric, &hpa->readiness, &pod);
    }
    if (metric->source == WS_HPA_EXTERNAL || metric->source == WS_HPA_OBJECT) {
        const ws_sample *samples = ws_view_samples(view, index, &count);

        hpa_tally_add_samples(&tally, samples, count);
    }
    return tally;
}

/* A run begins with the cluster as it stands: a target at zero under an autoscaler that may go
 * there was put there by it. Without this, zero would mean "switched off" for the whole run. */
static void hpa_begin(hpa_state *hpa, int32_t wanted)
{
    if (!hpa->memory.has_begun && wanted == 0 && hpa->settings.replicas_min == 0 &&
        hpa->settings.has_outside_metric) {
        hpa->memory.scaled_to_zero = WS_HPA_SCALED_TO_ZERO;
    }
}

/* What the target will take of a size; events count by that. */
static int32_t hpa_taken(const hpa_state *hpa, int32_t replicas)
{
    if (hpa->site_max == 0) {
        return replicas;
    }
    if (replicas > hpa->site_max) {
        return hpa->site_max;
    }
    return replicas < hpa->site_min ? hpa->site_min : replicas;
}

/* Jobs of the target's name that are active: an autoscaler scales one thing, and several arrivals
 * of a template are several. */
static size_t hpa_target_count(const hpa_state *hpa, const ws_view *view)
{
    size_t count = 0;

    if (hpa->target.kind == WS_TARGET_POOL) {
        return 1;
    }
    for (size_t i = 0; i < ws_view_job_count(view) && count < 2; i++) {
        ws_view_job job = ws_view_job_at(view, i);

        count += ws_text_equals(job.name, hpa->target.job) ? 1 : 0;
    }
    return count;
}

/* The explanation passes plain numbers on: the plan formats them only when somebody reads it. */
static void hpa_explain_metric(const hpa_state *hpa, size_t index, const ws_hpa_tally *tally,
                               const ws_hpa_proposal *proposal, ws_plan *plan)
{
    ws_text name = hpa->metrics[index].name;

    WS_ASSERT(index < hpa->metric_count);

    ws_plan_explain(plan,
                    "%.*s: %zu series; pods: %zu counted, %zu unready, %zu missing, %zu ignored",
                    WS_TEXT_ARGS(name), tally->series_count, tally->counted_count,
                    tally->unready_count, tally->missing_count, tally->ignored_count);
    if (proposal->fault != WS_HPA_NO_FAULT) {
        ws_plan_explain(plan, "%.*s: %s (%s)", WS_TEXT_ARGS(name),
                        ws_hpa_fault_words(proposal->fault), ws_hpa_reason_name(proposal->reason));
    } else {
        ws_plan_explain(plan, "%.*s: ratio %.4g%s, proposes %" PRId32, WS_TEXT_ARGS(name),
                        proposal->ratio, proposal->is_within ? " is within tolerance" : "",
                        proposal->replicas);
    }
}

static void hpa_explain_outcome(const ws_hpa_outcome *outcome, ws_plan *plan)
{
    if (outcome->is_normalised) {
        ws_plan_explain(
            plan, "%" PRId32 " proposed, %" PRId32 " stabilised (%s), %" PRId32 " asked for (%s)",
            outcome->raw, outcome->stabilised, ws_hpa_reason_name(outcome->stabilisation),
            outcome->replicas, ws_hpa_reason_name(outcome->limited));
    } else if (outcome->active != WS_HPA_REASON_NONE) {
        ws_plan_explain(plan, "stays at %" PRId32 " (%s)", outcome->wanted,
                        ws_hpa_reason_name(outcome->active));
    }
}

static void hpa_read_metrics(const hpa_state *hpa, const ws_view *view, const ws_hpa_scale *scale,
                             ws_hpa_proposal *proposals, ws_plan *plan)
{
    WS_ASSERT(hpa->metric_count >= 1);

    for (size_t i = 0; i < hpa->metric_count; i++) {
        ws_hpa_tally tally = hpa_tally_of(hpa, i, view);

        proposals[i] = ws_hpa_propose(&hpa->metrics[i].metric, &tally, scale, &hpa->tolerance);
        hpa_explain_metric(hpa, i, &tally, &proposals[i], plan);
    }
}

/* One run of the controller's loop. */
static ws_hpa_outcome hpa_run(hpa_state *hpa, const ws_view *view, ws_hpa_proposal *proposals,
                              ws_plan *plan)
{
    ws_hpa_scale scale = {.wanted = ws_view_replicas_wanted(view),
                          .existing = ws_view_replicas_existing(view)};
    ws_hpa_situation situation = {.exists = true,
                                  .wanted = scale.wanted,
                                  .proposals = proposals,
                                  .proposal_count = hpa->metric_count,
                                  .now = ws_view_now(view)};
    ws_hpa_outcome outcome = {0};

    WS_ASSERT(scale.wanted >= 0);

    hpa_begin(hpa, scale.wanted);
    if (ws_hpa_reads_metrics(&hpa->memory, &hpa->settings, scale.wanted)) {
        hpa_read_metrics(hpa, view, &scale, proposals, plan);
    }
    outcome = ws_hpa_reconcile(&hpa->memory, &hpa->settings, &situation);
    if (outcome.is_rescale) {
        ws_hpa_rescaled(&hpa->memory, &hpa->settings, &outcome, hpa_taken(hpa, outcome.replicas),
                        situation.now);
    }
    return outcome;
}

static void hpa_decide(void *state, const void *parameters, const ws_view *view, ws_plan *plan)
{
    hpa_state *hpa = state;
    ws_hpa_proposal proposals[WS_HPA_METRICS_MAX] = {{0}};
    ws_hpa_telling telling = {
        .settings = &hpa->settings,
        .metrics = hpa->metrics,
        .proposals = proposals,
        .metric_count = hpa->metric_count,
        .noun = hpa->target.kind == WS_TARGET_POOL ? "node" : "replica",
    };
    ws_hpa_outcome outcome = {0};

    WS_ASSERT(parameters != NULL);

    if (!ws_view_target_exists(view)) {
        return;
    }
    if (hpa_target_count(hpa, view) > 1) {
        ws_plan_explain(plan, "several jobs named %.*s are active, and an autoscaler scales one",
                        WS_TEXT_ARGS(hpa->target.job));
        return;
    }
    outcome = hpa_run(hpa, view, proposals, plan);
    hpa_explain_outcome(&outcome, plan);
    if (outcome.is_rescale) {
        ws_plan_reason(plan, "%s", ws_hpa_words_reason(&telling, &outcome).text);
        ws_plan_set_target(plan, outcome.replicas);
    }
}

const ws_policy_type ws_policy_hpa = {
    .name = "hpa",
    .summary = "the Kubernetes HorizontalPodAutoscaler, decision for decision",
    .parameters = &ws_hpa_parameter_table,
    .state_bytes = sizeof(hpa_state),
    .deployable = true,
    .target_kinds = 1u << WS_TARGET_POOL | 1u << WS_TARGET_JOB,
    .scales_one = true,
    .complete = ws_hpa_parameters_complete,
    .check = ws_hpa_reach_check,
    .subscribe = hpa_subscribe,
    .period = hpa_period,
    .init = hpa_init,
    .decide = hpa_decide,
};
