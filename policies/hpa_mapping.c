/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A handful of names: looked through one after the other. */
#include "hpa_mapping.h"

#include "ws/assert.h"
#include "ws/metric.h"
#include "ws/parameter.h"

#define SERIES_AVERAGE 1

static const char *const series_names[] = {"per_replica", "average", NULL};

static const ws_parameter mapping_rows[] = {
    {.kind = WS_PARAMETER_SELF, .offset = offsetof(ws_hpa_mapping_entry, self)},
    {.name = "from",
     .kind = WS_PARAMETER_CHOICE,
     .offset = offsetof(ws_hpa_mapping_entry, from),
     .choices = ws_metric_names,
     .choice_noun = "a metric that worldsize simulates",
     .required = true,
     .help = "the metric that stands for it"},
    {.name = "series",
     .kind = WS_PARAMETER_CHOICE,
     .offset = offsetof(ws_hpa_mapping_entry, series),
     .choices = series_names,
     .choice_noun = "a choice of series",
     .default_text = "per_replica",
     .help = "one value for each replica, which an External metric sums, or one average over all "
             "that are selected"},
};

static const ws_parameter_table mapping_table = {
    .noun = "metric",
    .rows = mapping_rows,
    .count = WS_COUNT_OF(mapping_rows),
    .bytes = sizeof(ws_hpa_mapping_entry),
    .scalar_key = "from",
};

bool ws_hpa_mapping_read(ws_hpa_mapping *mapping, const ws_document *map, ws_arena *arena,
                         ws_diag *diag)
{
    bool is_good = true;

    WS_ASSERT(mapping != NULL);

    *mapping = (ws_hpa_mapping){.count = 0};
    if (map == NULL) {
        return true;
    }
    mapping->count = map->count;
    mapping->entries = ws_arena_alloc(arena, ws_hpa_mapping_entry, mapping->count + 1);
    if (mapping->entries == NULL) {
        return ws_diag_error(diag, 9007, ws_span_none, "out of memory while loading");
    }
    for (size_t i = 0; i < mapping->count; i++) {
        ws_hpa_mapping_entry *entry = &mapping->entries[i];
        ws_text where = ws_arena_format(arena, "metrics.%.*s", WS_TEXT_ARGS(map->entries[i].key));
        ws_parameter_binding binding = {.table = &mapping_table, .object = entry};

        is_good =
            ws_parameters_read(map->entries[i].value, where, &binding, 1, arena, diag) && is_good;
        entry->name = map->entries[i].key;
        entry->name_at = map->entries[i].key_at;
    }
    return is_good;
}

static ws_hpa_mapping_entry *mapping_find(const ws_hpa_mapping *mapping, ws_text name)
{
    for (size_t i = 0; i < mapping->count; i++) {
        if (ws_text_equals(mapping->entries[i].name, name)) {
            return &mapping->entries[i];
        }
    }
    return NULL;
}

/* "metrics are `a`, `b`". */
static ws_text mapping_known(ws_arena *arena)
{
    ws_text all = WS_TEXT("metrics are");

    for (size_t i = 0; ws_metric_names[i] != NULL; i++) {
        all = ws_arena_format(arena, "%.*s%s `%s`", WS_TEXT_ARGS(all), i == 0 ? "" : ",",
                              ws_metric_names[i]);
    }
    return all;
}

static void mapping_refuse_unmapped(ws_hpa_reader *reader, const ws_hpa_stated_metric *metric,
                                    const char *type)
{
    int near = ws_text_nearest(metric->name, ws_metric_names, WS_METRIC_COUNT);
    const char *likely = metric->query.source == WS_QUERY_EXTERNAL ? "pending_gpus" : "gpu_util";
    ws_diagnostic diagnostic = {
        .severity = WS_SEVERITY_ERROR,
        .code = WS_HPA_CODE_UNMAPPED,
        .message = ws_arena_format(
            reader->arena, "HPA metric `%.*s` is not mapped to anything worldsize simulates",
            WS_TEXT_ARGS(metric->name)),
        .at = metric->query.at,
        .label = ws_arena_format(reader->arena, "%s metric without a source", type),
        .help =
            ws_arena_format(reader->arena, "add `metrics: {%.*s: %s}` to the policy",
                            WS_TEXT_ARGS(metric->name), near >= 0 ? ws_metric_names[near] : likely),
        .notes = {mapping_known(reader->arena)},
    };

    reader->is_good = false;
    ws_diag_add(reader->diag, &diagnostic);
}

/* Whether the series suit the source: an Object is one value, a pod has its own. */
static void mapping_check_series(ws_hpa_reader *reader, const ws_hpa_stated_metric *metric,
                                 const ws_hpa_mapping_entry *entry, const char *type)
{
    ws_metric_id id = ws_metric_find(metric->query.metric);
    bool is_one = ws_metrics[id].scope == WS_METRIC_CLUSTER || metric->query.average;
    ws_span at = entry == NULL ? metric->query.at : entry->self->at;

    WS_ASSERT(id < WS_METRIC_COUNT);

    if (metric->metric.source == WS_HPA_OBJECT && !is_one) {
        ws_hpa_refuse_with(
            reader, WS_HPA_CODE_UNFIT, at,
            ws_arena_format(reader->arena,
                            "an Object metric is one value, and `%.*s` has one for "
                            "each replica",
                            WS_TEXT_ARGS(metric->query.metric)),
            "which of them?",
            ws_arena_format(reader->arena, "write `metrics: {%.*s: {from: %.*s, series: average}}`",
                            WS_TEXT_ARGS(metric->name), WS_TEXT_ARGS(metric->query.metric)));
    } else if (metric->query.source != WS_QUERY_EXTERNAL && metric->query.average) {
        ws_hpa_refuse_with(
            reader, WS_HPA_CODE_UNFIT, at,
            ws_arena_format(reader->arena, "a %s metric has a value for each pod", type),
            "one average over all", WS_TEXT("write `series: per_replica`"));
    }
}

void ws_hpa_mapping_apply(ws_hpa_mapping *mapping, ws_hpa_reader *reader,
                          ws_hpa_stated_metric *metric, const char *type)
{
    ws_hpa_mapping_entry *entry = mapping_find(mapping, metric->name);

    WS_ASSERT(metric->name.length > 0);

    if (entry != NULL) {
        entry->is_used = true;
        metric->mapped_at = entry->self->at;
        metric->query.metric = ws_text_of(ws_metric_names[entry->from]);
        metric->query.average = entry->series == SERIES_AVERAGE;
    } else if (ws_metric_find(metric->name) < WS_METRIC_COUNT) {
        metric->query.metric = metric->name;
    } else {
        mapping_refuse_unmapped(reader, metric, type);
        return;
    }
    mapping_check_series(reader, metric, entry, type);
}

void ws_hpa_mapping_warn_unused(const ws_hpa_mapping *mapping, const ws_hpa_reader *reader)
{
    for (size_t i = 0; i < mapping->count; i++) {
        const ws_hpa_mapping_entry *entry = &mapping->entries[i];

        if (!entry->is_used) {
            ws_diag_add(reader->diag,
                        &(ws_diagnostic){.severity = WS_SEVERITY_WARNING,
                                         .code = WS_HPA_CODE_UNMAPPED,
                                         .message = ws_arena_format(
                                             reader->arena, "the manifest has no metric `%.*s`",
                                             WS_TEXT_ARGS(entry->name)),
                                         .at = entry->name_at,
                                         .label = WS_TEXT("mapped for nothing")});
        }
    }
}
