/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What the metrics of a manifest are in the simulation: the adapter between a monitoring system
 * and an autoscaler, in a map. */
#ifndef WS_HPA_MAPPING_H
#define WS_HPA_MAPPING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/arena.h"
#include "ws/diag.h"
#include "ws/document.h"

#include "hpa_parameters.h"
#include "hpa_reader.h"

/** One entry: `gpu_utilization: {from: gpu_util, series: per_replica}`, or `gpu_utilization:
 * gpu_util`. */
typedef struct {
    ws_text name;
    ws_span name_at;
    const ws_document *self;
    int32_t from;   /* index in ws_metric_names */
    int32_t series; /* 0: one for each replica, 1: their average */
    bool is_used;
} ws_hpa_mapping_entry;

typedef struct {
    ws_hpa_mapping_entry *entries;
    size_t count;
} ws_hpa_mapping;

/** Reads `map`, NULL: an empty mapping. False with an error. */
WS_NODISCARD bool ws_hpa_mapping_read(ws_hpa_mapping *mapping, const ws_document *map,
                                      ws_arena *arena, ws_diag *diag);

/**
 * Says in a metric's query what it is here: what the mapping says of its name, else the metric of
 * that very name. Errors WS5301, WS5302 go to the reader.
 *
 * @param type  "External", ...: for messages
 */
void ws_hpa_mapping_apply(ws_hpa_mapping *mapping, ws_hpa_reader *reader,
                          ws_hpa_stated_metric *metric, const char *type);

/** Warns of entries whose name no metric has had. */
void ws_hpa_mapping_warn_unused(const ws_hpa_mapping *mapping, const ws_hpa_reader *reader);

#endif
