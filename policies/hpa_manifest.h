/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * A HorizontalPodAutoscaler's manifest as it is deployed: autoscaling/v1 with its annotations,
 * v2beta1, v2beta2 and v2.
 *
 * What the API server would reject is an error, where it stands; what it would drop is a warning,
 * and so is a version that clusters no longer serve. Sources: the API's types, defaults, validation
 * and conversion (k8s.io/api/autoscaling, pkg/apis/autoscaling), 1.33.
 */
#ifndef WS_HPA_MANIFEST_H
#define WS_HPA_MANIFEST_H

#include <stdbool.h>
#include <stddef.h>

#include "ws/arena.h"
#include "ws/diag.h"

#include "hpa_mapping.h"
#include "hpa_parameters.h"
#include "hpa_reader.h"

/**
 * Reads parameters->manifest: sizes, directions and stated metrics, these by parameters->mapping.
 *
 * Errors: WS2201 a wrong kind of value, WS3106 no quantity, WS5101 an unknown version, WS5102
 * another kind, WS5103 a list of several, WS5104 a Helm template, WS5201 to WS5214 what the API
 * server rejects, WS5301 a metric that is nothing here, WS5302 one that has no such series.
 * Warnings: WS5101 a removed version, WS5105 unknown fields, WS5106 an annotation that is no JSON,
 * WS5208 zero replicas, WS5301 a mapping that no metric uses.
 *
 * @return  false when an error was added
 */
bool ws_hpa_manifest_read(ws_hpa_parameters *parameters, ws_arena *arena, ws_diag *diag);

/* ---- parts of it, for the files that read them ---- */

/** Room for what is read; `capacity` metrics. */
typedef struct {
    ws_hpa_reader *reader;
    ws_hpa_mapping *mapping;
    ws_hpa_stated_metric *metrics;
    size_t count; /* beyond `capacity` only counted */
    size_t capacity;
} ws_hpa_metric_list;

/** Adds the metrics of a list: `metrics` of a spec, or of v1's annotation. @param is_flat  in the
 * shape of v2beta1 (`targetAverageValue`), else in that of v2 (`target: {averageValue: ..}`) */
void ws_hpa_manifest_metrics(ws_hpa_metric_list *list, const ws_document *metrics, bool is_flat);

/** Adds the metric that stands for a share of the request of cpu, in percent. */
void ws_hpa_manifest_add_cpu(ws_hpa_metric_list *list, int64_t percent, ws_span at);

/** Reads a selector of labels; NULL, and one with errors, selects everything. */
ws_selector ws_hpa_manifest_selector(ws_hpa_reader *reader, const ws_document *selector);

/** Refuses a reference to an object without a kind or a name. @param what  "scaleTargetRef" */
void ws_hpa_manifest_check_reference(ws_hpa_reader *reader, const ws_document *reference,
                                     const char *what);

/** Reads `behavior`, whose two directions are then both there. */
void ws_hpa_manifest_behaviour(ws_hpa_reader *reader, const ws_document *behaviour,
                               ws_hpa_parameters *parameters);

#endif
