/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From what is written, in parameters or in a manifest, to the metrics that the autoscaler uses. */
#include "hpa_parameters.h"

#include <stddef.h>

#include "ws/assert.h"

#include "hpa_manifest.h"
#include "hpa_reader.h"

#define CODE_MISSING 2102
#define CODE_WRONG_KIND 2201

/* ---- metrics of parameters ---- */

/* The milli-units of a checked target, which is finite and above 0. */
static int64_t complete_milli(double target)
{
    int64_t milli = 0;
    bool is_finite = ws_hpa_milli(target, &milli);

    WS_ASSERT(is_finite);

    return milli;
}

static void complete_target(const ws_hpa_metric_parameters *given, ws_hpa_stated_metric *stated)
{
    const ws_document *value = NULL;

    stated->metric.target_kind = WS_HPA_VALUE;
    stated->target_key = "value";
    if (given->has_average_value) {
        stated->metric.target_kind = WS_HPA_AVERAGE_VALUE;
        stated->metric.target = complete_milli(given->average_value);
        stated->target_key = "average_value";
    } else if (given->has_average_utilization) {
        stated->metric.target_kind = WS_HPA_UTILIZATION;
        stated->metric.target = given->average_utilization;
        stated->target_key = "average_utilization";
    } else {
        stated->metric.target = complete_milli(given->value);
    }
    value = given->self == NULL ? NULL : ws_document_find(given->self, stated->target_key);
    stated->target_at = value == NULL ? ws_span_none : value->at;
}

static void complete_source(const ws_hpa_metric_parameters *given, ws_hpa_stated_metric *stated)
{
    const char *key = "resource";
    const ws_document *value = NULL;

    stated->name = given->resource;
    stated->metric.source = WS_HPA_RESOURCE;
    stated->metric.is_cpu = ws_text_is(given->resource, "cpu");
    stated->query.source = WS_QUERY_RESOURCE;
    if (given->external.length > 0) {
        key = "external";
        stated->name = given->external;
        stated->metric.source = WS_HPA_EXTERNAL;
        stated->query.source = WS_QUERY_EXTERNAL;
    } else if (given->pods.length > 0) {
        key = "pods";
        stated->name = given->pods;
        stated->metric.source = WS_HPA_PODS;
        stated->query.source = WS_QUERY_PODS;
    }
    WS_ASSERT(stated->name.length > 0);
    value = given->self == NULL ? NULL : ws_document_find(given->self, key);
    stated->query.metric = stated->name;
    stated->query.job = given->job;
    stated->query.at = value == NULL ? ws_span_none : value->at;
}

static bool complete_metrics(ws_hpa_parameters *given, ws_arena *arena, ws_diag *diag)
{
    const ws_hpa_metric_parameters *metrics = given->metrics.items;

    given->stated = ws_arena_alloc(arena, ws_hpa_stated_metric, given->metrics.count);
    if (given->stated == NULL) {
        return ws_diag_error(diag, 9007, ws_span_none, "out of memory while loading");
    }
    for (size_t i = 0; i < given->metrics.count; i++) {
        complete_target(&metrics[i], &given->stated[i]);
        complete_source(&metrics[i], &given->stated[i]);
    }
    given->stated_count = given->metrics.count;
    return true;
}

/* ---- either, and not both ---- */

/* A key whose words a manifest has. */
typedef struct {
    const char *key;
    const char *field;
} complete_held;

static const complete_held held[] = {
    {"min", "minReplicas"},
    {"max", "maxReplicas"},
    {"scale_up", "behavior.scaleUp"},
    {"scale_down", "behavior.scaleDown"},
};

static bool complete_refuse_both(const ws_hpa_parameters *given, const ws_document_entry *entry,
                                 ws_text help, ws_arena *arena, ws_diag *diag)
{
    ws_diagnostic diagnostic = {
        .severity = WS_SEVERITY_ERROR,
        .code = WS_HPA_CODE_BOTH,
        .message =
            ws_arena_format(arena, "`%.*s` stands beside a `manifest`, which says it already",
                            WS_TEXT_ARGS(entry->key)),
        .at = entry->key_at,
        .label = WS_TEXT("which of the two counts?"),
        .help = help,
    };
    const ws_document_entry *manifest = ws_document_find_entry(given->self, "manifest");

    if (manifest != NULL) {
        diagnostic.also = manifest->key_at;
        diagnostic.also_label = WS_TEXT("this one");
    }
    ws_diag_add(diag, &diagnostic);
    return false;
}

static bool complete_check_manifest_alone(const ws_hpa_parameters *given, ws_arena *arena,
                                          ws_diag *diag)
{
    const ws_document_entry *entry = NULL;
    bool is_good = true;

    for (size_t i = 0; given->self != NULL && i < WS_COUNT_OF(held); i++) {
        entry = ws_document_find_entry(given->self, held[i].key);
        if (entry != NULL) {
            ws_text help = ws_arena_format(
                arena, "remove it; to try another value, set `manifest.spec.%s`", held[i].field);

            is_good = complete_refuse_both(given, entry, help, arena, diag);
        }
    }
    entry = given->self == NULL ? NULL : ws_document_find_entry(given->self, "metrics");
    if (entry != NULL && given->mapping == NULL) {
        is_good = complete_refuse_both(
            given, entry,
            WS_TEXT("beside a manifest `metrics` is a map that says what its metrics are here: "
                    "`metrics: {NAME: {from: gpu_util}}`"),
            arena, diag);
    }
    return is_good;
}

static bool complete_check_parameters(const ws_hpa_parameters *given, ws_arena *arena,
                                      ws_diag *diag)
{
    ws_diagnostic diagnostic = {.severity = WS_SEVERITY_ERROR,
                                .code = CODE_MISSING,
                                .at = given->self == NULL ? ws_span_none : given->self->at,
                                .label = WS_TEXT("this policy")};
    const ws_document *metrics =
        given->self == NULL ? NULL : ws_document_find(given->self, "metrics");

    if (given->mapping != NULL) {
        diagnostic.code = CODE_WRONG_KIND;
        diagnostic.message =
            WS_TEXT("`metrics` is a map, but there is no `manifest` to go with it");
        diagnostic.at = given->mapping->at;
        diagnostic.label = WS_TEXT("a map");
        diagnostic.help = WS_TEXT("write a list: `metrics: [{external: pending_gpus, "
                                  "average_value: 8}]`");
    } else if (metrics == NULL) {
        diagnostic.message = WS_TEXT("a policy of type `hpa` needs `metrics` or a `manifest`");
        diagnostic.help = WS_TEXT("add `manifest: FILE`, or `metrics: [{external: pending_gpus, "
                                  "average_value: 8}]`");
    } else if (!given->has_max) {
        diagnostic.message = WS_TEXT("a policy of type `hpa` has no `max`");
        diagnostic.help = WS_TEXT("add `max:`, its largest size");
    } else {
        return ws_hpa_parameters_validate(given, arena, diag);
    }
    ws_diag_add(diag, &diagnostic);
    return false;
}

bool ws_hpa_parameters_complete(void *parameters, ws_arena *arena, ws_diag *diag)
{
    ws_hpa_parameters *given = parameters;

    WS_ASSERT(given != NULL);
    WS_ASSERT(arena != NULL);

    if (given->manifest != NULL) {
        bool is_alone = complete_check_manifest_alone(given, arena, diag);

        return ws_hpa_manifest_read(given, arena, diag) && is_alone;
    }
    given->replicas_min = given->has_min ? given->replicas_min : 1;
    return complete_check_parameters(given, arena, diag) && complete_metrics(given, arena, diag);
}
