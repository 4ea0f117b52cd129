/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Metrics of a manifest. Two shapes hold the same things: v2 nests a metric and a target, v2beta1
 * has all of it flat. A shape is a table of keys; what is checked afterwards is common to both.
 */
#include "hpa_manifest.h"

#include <inttypes.h>

#include "ws/assert.h"

#define TAKES_VALUE 1u
#define TAKES_AVERAGE 2u
#define TAKES_UTILIZATION 4u

/* ---- shapes ---- */

/* Where a block has its parts; NULL: it has no such part. */
typedef struct {
    const char *const *fields;
    const char *name;
    const char *selector;
    const char *value;
    const char *average;
    const char *utilization;
} metrics_shape;

/* A type of metric: its block and how the algorithm takes it. */
typedef struct {
    const char *type;
    const char *block;
    ws_hpa_source source;
    ws_query_source query;
    unsigned takes;
    metrics_shape flat;
    const char *const *nested; /* fields of the block in v2 */
} metrics_type;

static const char *const flat_resource[] = {"name", "targetAverageUtilization",
                                            "targetAverageValue", NULL};
static const char *const flat_container[] = {"name", "container", "targetAverageUtilization",
                                             "targetAverageValue", NULL};
static const char *const flat_pods[] = {"metricName", "selector", "targetAverageValue", NULL};
static const char *const flat_object[] = {"target",      "metricName",   "selector",
                                          "targetValue", "averageValue", NULL};
static const char *const flat_external[] = {"metricName", "metricSelector", "targetValue",
                                            "targetAverageValue", NULL};
static const char *const nested_resource[] = {"name", "target", NULL};
static const char *const nested_container[] = {"name", "container", "target", NULL};
static const char *const nested_metric[] = {"metric", "target", NULL};
static const char *const nested_object[] = {"describedObject", "metric", "target", NULL};
static const char *const metric_fields[] = {"name", "selector", NULL};
static const char *const target_fields[] = {"type", "value", "averageValue", "averageUtilization",
                                            NULL};

static const metrics_type metrics_types[] = {
    {.type = "Resource",
     .block = "resource",
     .source = WS_HPA_RESOURCE,
     .query = WS_QUERY_RESOURCE,
     .takes = TAKES_AVERAGE | TAKES_UTILIZATION,
     .flat = {flat_resource, "name", NULL, NULL, "targetAverageValue", "targetAverageUtilization"},
     .nested = nested_resource},
    {.type = "ContainerResource",
     .block = "containerResource",
     .source = WS_HPA_CONTAINER_RESOURCE,
     .query = WS_QUERY_RESOURCE,
     .takes = TAKES_AVERAGE | TAKES_UTILIZATION,
     .flat = {flat_container, "name", NULL, NULL, "targetAverageValue", "targetAverageUtilization"},
     .nested = nested_container},
    {.type = "Pods",
     .block = "pods",
     .source = WS_HPA_PODS,
     .query = WS_QUERY_PODS,
     .takes = TAKES_AVERAGE,
     .flat = {flat_pods, "metricName", "selector", NULL, "targetAverageValue", NULL},
     .nested = nested_metric},
    {.type = "Object",
     .block = "object",
     .source = WS_HPA_OBJECT,
     .query = WS_QUERY_EXTERNAL,
     .takes = TAKES_VALUE | TAKES_AVERAGE,
     .flat = {flat_object, "metricName", "selector", "targetValue", "averageValue", NULL},
     .nested = nested_object},
    {.type = "External",
     .block = "external",
     .source = WS_HPA_EXTERNAL,
     .query = WS_QUERY_EXTERNAL,
     .takes = TAKES_VALUE | TAKES_AVERAGE,
     .flat = {flat_external, "metricName", "metricSelector", "targetValue", "targetAverageValue",
              NULL},
     .nested = nested_metric},
};

static const char *const entry_fields[] = {
    "type", "resource", "containerResource", "pods", "object", "external", NULL};
static const char *const type_names[] = {"Resource", "ContainerResource", "Pods",
                                         "Object",   "External",          NULL};

/* One metric while it is read. */
typedef struct {
    ws_hpa_reader *reader;
    const metrics_type *type;
    bool is_flat;
    const ws_document *block;
    const ws_document *named;  /* holds name and selector */
    const ws_document *target; /* holds type and values */
    const char *name_key;
    const char *selector_key;
    const char *value_key;
    const char *average_key;
    const char *utilization_key;
} metrics_reading;

/* What a target says. */
typedef struct {
    bool has_value;
    bool has_average;
    bool has_utilization;
    ws_hpa_quantity value;
    ws_hpa_quantity average;
    int32_t utilization;
} metrics_target;

/* ---- the entry ---- */

static const metrics_type *metrics_find_type(ws_hpa_reader *reader, const ws_document *entry)
{
    ws_text name = ws_hpa_read_text(reader, entry, "type");
    int near = ws_text_nearest(name, type_names, WS_COUNT_OF(metrics_types));

    for (size_t i = 0; i < WS_COUNT_OF(metrics_types); i++) {
        if (ws_text_is(name, metrics_types[i].type)) {
            return &metrics_types[i];
        }
    }
    if (name.length > 0 || ws_hpa_find(reader, entry, "type") == NULL) {
        ws_hpa_refuse_with(
            reader, WS_HPA_CODE_SOURCE, ws_hpa_place(reader, entry, "type"),
            name.length == 0
                ? WS_TEXT("a metric has no `type`")
                : ws_arena_format(reader->arena, "`%.*s` is no type of metric", WS_TEXT_ARGS(name)),
            name.length == 0 ? "this metric" : "unknown type",
            near >= 0 ? ws_arena_format(reader->arena, "did you mean `%s`?", type_names[near])
                      : WS_TEXT("types are `Resource`, `ContainerResource`, `Pods`, `Object` and "
                                "`External`"));
    }
    return NULL;
}

/* The block that the type names, and no other. */
static const ws_document *metrics_find_block(ws_hpa_reader *reader, const ws_document *entry,
                                             const metrics_type *type)
{
    const ws_document *block = ws_hpa_read_map(reader, entry, type->block);
    bool is_alone = true;

    for (size_t i = 0; i < WS_COUNT_OF(metrics_types); i++) {
        const char *other = metrics_types[i].block;
        const ws_document *stray =
            &metrics_types[i] == type ? NULL : ws_hpa_find(reader, entry, other);

        if (stray != NULL) {
            is_alone = false;
            ws_hpa_refuse(reader, WS_HPA_CODE_SOURCE, stray->at,
                          ws_arena_format(reader->arena,
                                          "a metric of type `%s` has `%s`, and not `%s`",
                                          type->type, type->block, other));
        }
    }
    if (is_alone && ws_hpa_find(reader, entry, type->block) == NULL) {
        ws_hpa_refuse(reader, WS_HPA_CODE_SOURCE, ws_hpa_place(reader, entry, "type"),
                      ws_arena_format(reader->arena, "a metric of type `%s` needs `%s`", type->type,
                                      type->block));
    }
    return is_alone ? block : NULL;
}

static void metrics_open_flat(metrics_reading *reading)
{
    const metrics_shape *shape = &reading->type->flat;

    ws_hpa_check_fields(reading->reader, reading->block,
                        &(ws_hpa_fields){reading->type->block, shape->fields});
    reading->named = reading->block;
    reading->target = reading->block;
    reading->name_key = shape->name;
    reading->selector_key = shape->selector;
    reading->value_key = shape->value;
    reading->average_key = shape->average;
    reading->utilization_key = shape->utilization;
}

static bool metrics_open_nested(metrics_reading *reading)
{
    ws_hpa_reader *reader = reading->reader;
    bool is_resource = reading->type->query == WS_QUERY_RESOURCE;

    ws_hpa_check_fields(reader, reading->block,
                        &(ws_hpa_fields){reading->type->block, reading->type->nested});
    reading->named =
        is_resource ? reading->block : ws_hpa_read_map(reader, reading->block, "metric");
    reading->target = ws_hpa_read_map(reader, reading->block, "target");
    reading->name_key = "name";
    reading->selector_key = is_resource ? NULL : "selector";
    reading->value_key = "value";
    reading->average_key = "averageValue";
    reading->utilization_key = "averageUtilization";
    if (reading->named == NULL && ws_hpa_find(reader, reading->block, "metric") == NULL) {
        ws_hpa_refuse(reader, WS_HPA_CODE_METRIC_NAME, reading->block->at,
                      ws_arena_format(reader->arena, "`%s` has no `metric`", reading->type->block));
    }
    if (reading->target == NULL && ws_hpa_find(reader, reading->block, "target") == NULL) {
        ws_hpa_refuse(reader, WS_HPA_CODE_TARGET, reading->block->at,
                      ws_arena_format(reader->arena, "`%s` has no `target`", reading->type->block));
    }
    if (reading->named != NULL && !is_resource) {
        ws_hpa_check_fields(reader, reading->named, &(ws_hpa_fields){"`metric`", metric_fields});
    }
    if (reading->target != NULL) {
        ws_hpa_check_fields(reader, reading->target, &(ws_hpa_fields){"`target`", target_fields});
    }
    return reading->named != NULL && reading->target != NULL;
}

/* ---- name, container, object ---- */

/* False when there is no name to go on with. */
static bool metrics_check_name(const metrics_reading *reading, ws_text name)
{
    ws_hpa_reader *reader = reading->reader;
    const ws_document *value = ws_hpa_find(reader, reading->named, reading->name_key);
    ws_span at = ws_hpa_place(reader, reading->named, reading->name_key);

    if (name.length == 0) {
        if (value == NULL || value->scalar.length == 0) { /* else it is no text, which was told */
            ws_hpa_refuse(
                reader, WS_HPA_CODE_METRIC_NAME, at,
                ws_arena_format(reader->arena, "`%s` of a metric is missing", reading->name_key));
        }
        return false;
    }
    if (reading->type->query != WS_QUERY_RESOURCE && !ws_hpa_is_path_segment(name)) {
        ws_hpa_refuse(reader, WS_HPA_CODE_METRIC_NAME, at,
                      ws_arena_format(reader->arena,
                                      "`%s` is not `.` or `..`, and holds no `/` and no `%%`",
                                      reading->name_key));
        return false;
    }
    return true;
}

static void metrics_check_container(const metrics_reading *reading)
{
    ws_hpa_reader *reader = reading->reader;
    ws_text container = WS_TEXT("");

    if (reading->type->source != WS_HPA_CONTAINER_RESOURCE) {
        return;
    }
    container = ws_hpa_read_text(reader, reading->block, "container");
    if (!ws_hpa_is_dns_label(container)) {
        ws_hpa_refuse(reader, WS_HPA_CODE_METRIC_NAME,
                      ws_hpa_place(reader, reading->block, "container"),
                      container.length == 0
                          ? WS_TEXT("`container` is missing")
                          : WS_TEXT("`container` is at most 63 lower-case letters, digits and `-`, "
                                    "with a letter or digit at both ends"));
    }
}

static void metrics_check_object(const metrics_reading *reading)
{
    static const char *const names[] = {"apiVersion", "kind", "name", NULL};
    const char *key = reading->is_flat ? "target" : "describedObject";
    ws_hpa_reader *reader = reading->reader;
    const ws_document *object = NULL;

    if (reading->type->source != WS_HPA_OBJECT) {
        return;
    }
    object = ws_hpa_read_map(reader, reading->block, key);
    if (object != NULL) {
        ws_hpa_check_fields(reader, object, &(ws_hpa_fields){key, names});
        ws_hpa_manifest_check_reference(reader, object, key);
    } else if (ws_hpa_find(reader, reading->block, key) == NULL) {
        ws_hpa_refuse(reader, WS_HPA_CODE_REFERENCE, reading->block->at,
                      ws_arena_format(reader->arena, "`object` has no `%s`", key));
    }
}

/* ---- the target ---- */

/* Whether the target has the key, well written or not. */
static bool metrics_has(const metrics_reading *reading, const char *key)
{
    return key != NULL && ws_hpa_find(reading->reader, reading->target, key) != NULL;
}

static void metrics_read_quantity(const metrics_reading *reading, const char *key,
                                  ws_hpa_quantity *quantity)
{
    ws_hpa_reader *reader = reading->reader;

    if (ws_hpa_read_quantity(reader, reading->target, key, quantity) && quantity->milli <= 0) {
        ws_hpa_refuse(reader, WS_HPA_CODE_TARGET, ws_hpa_place(reader, reading->target, key),
                      ws_arena_format(reader->arena, "`%s` is above 0", key));
    }
}

static metrics_target metrics_read_target(const metrics_reading *reading)
{
    ws_hpa_reader *reader = reading->reader;
    metrics_target target = {.has_value = metrics_has(reading, reading->value_key),
                             .has_average = metrics_has(reading, reading->average_key),
                             .has_utilization = metrics_has(reading, reading->utilization_key)};

    if (target.has_value) {
        metrics_read_quantity(reading, reading->value_key, &target.value);
    }
    if (target.has_average) {
        metrics_read_quantity(reading, reading->average_key, &target.average);
    }
    if (target.has_utilization &&
        ws_hpa_read_integer(reader, reading->target, reading->utilization_key, WS_HPA_CODE_TARGET,
                            &target.utilization) &&
        target.utilization < 1) {
        ws_hpa_refuse(reader, WS_HPA_CODE_TARGET,
                      ws_hpa_place(reader, reading->target, reading->utilization_key),
                      ws_arena_format(reader->arena, "`%s` is at least 1, in percent",
                                      reading->utilization_key));
    }
    return target;
}

static void metrics_refuse_count(const metrics_reading *reading, ws_text rule)
{
    ws_hpa_refuse(reading->reader, WS_HPA_CODE_TARGET, reading->target->at,
                  ws_arena_format(reading->reader->arena, "a metric of type `%s` has %.*s",
                                  reading->type->type, WS_TEXT_ARGS(rule)));
}

/* "exactly one of `a` and `b`". */
static ws_text metrics_rule(const metrics_reading *reading, const char *words, const char *first,
                            const char *second)
{
    return ws_arena_format(reading->reader->arena, "%s `%s` and `%s`", words, first, second);
}

static void metrics_check_count(const metrics_reading *reading, const metrics_target *target)
{
    const char *exactly = "exactly one of";

    switch (reading->type->source) {
    case WS_HPA_RESOURCE:
    case WS_HPA_CONTAINER_RESOURCE:
        if (target->has_average == target->has_utilization) {
            metrics_refuse_count(reading, metrics_rule(reading, exactly, reading->utilization_key,
                                                       reading->average_key));
        }
        return;
    case WS_HPA_PODS:
        if (!target->has_average) {
            metrics_refuse_count(
                reading, ws_arena_format(reading->reader->arena, "`%s`", reading->average_key));
        }
        return;
    case WS_HPA_OBJECT:
        if (!target->has_average && !target->has_value) {
            metrics_refuse_count(
                reading, metrics_rule(reading, "one of", reading->value_key, reading->average_key));
        }
        return;
    case WS_HPA_EXTERNAL:
        if (target->has_average == target->has_value) {
            metrics_refuse_count(
                reading, metrics_rule(reading, exactly, reading->value_key, reading->average_key));
        }
        return;
    case WS_HPA_UNKNOWN_SOURCE:
        break;
    }
    WS_ASSERT(false && "no type of metric");
}

/* The type of a target, which v2 has and which counts for Object alone. */
static ws_text metrics_target_type(const metrics_reading *reading)
{
    static const char *const kinds[] = {"Utilization", "Value", "AverageValue", NULL};
    ws_hpa_reader *reader = reading->reader;
    ws_text type = WS_TEXT("");

    if (reading->is_flat) {
        return type;
    }
    type = ws_hpa_read_text(reader, reading->target, "type");
    for (size_t i = 0; kinds[i] != NULL; i++) {
        if (ws_text_is(type, kinds[i])) {
            return type;
        }
    }
    if (type.length > 0 || ws_hpa_find(reader, reading->target, "type") == NULL) {
        ws_hpa_refuse(reader, WS_HPA_CODE_TARGET, ws_hpa_place(reader, reading->target, "type"),
                      WS_TEXT("`type` of a target is Utilization, Value or AverageValue"));
    }
    return type;
}

/* An Object is read by its type, in flat shape by whether there is an average; all else by an
 * average first. An Object whose type has no value is never read. */
static void metrics_choose(const metrics_reading *reading, const metrics_target *target,
                           ws_text type, ws_hpa_stated_metric *metric)
{
    ws_hpa_reader *reader = reading->reader;
    bool by_type = reading->type->source == WS_HPA_OBJECT && !reading->is_flat;
    bool is_average = target->has_average && (!by_type || ws_text_is(type, "AverageValue"));
    bool is_value = target->has_value && (!by_type || ws_text_is(type, "Value"));

    if (is_average) {
        metric->metric.target_kind = WS_HPA_AVERAGE_VALUE;
        metric->metric.target = target->average.milli;
        metric->target_key = reading->average_key;
    } else if (is_value) {
        metric->metric.target_kind = WS_HPA_VALUE;
        metric->metric.target = target->value.milli;
        metric->target_key = reading->value_key;
    } else {
        metric->metric.target_kind = WS_HPA_UTILIZATION;
        metric->metric.target = target->utilization;
        metric->target_key = reading->utilization_key;
    }
    if (by_type && !is_average && !is_value && (target->has_value || target->has_average)) {
        metric->metric.target = 1;
        metric->target_key = "type";
        ws_diag_warning(reader->diag, WS_HPA_CODE_TARGET,
                        ws_hpa_place(reader, reading->target, "type"),
                        "the controller never reads this Object: its target has no value of type "
                        "`%.*s`",
                        WS_TEXT_ARGS(type));
    }
    metric->target_at = metric->target_key == NULL
                            ? reading->target->at /* none, which was told */
                            : ws_hpa_place(reader, reading->target, metric->target_key);
}

/* ---- one metric, and all ---- */

static void metrics_read_one(const metrics_reading *reading, ws_hpa_mapping *mapping,
                             ws_hpa_stated_metric *metric)
{
    ws_hpa_reader *reader = reading->reader;
    metrics_target target = metrics_read_target(reading);
    ws_text type = metrics_target_type(reading);

    metric->name = ws_hpa_read_text(reader, reading->named, reading->name_key);
    metric->metric.source = reading->type->source;
    metric->metric.is_cpu =
        reading->type->query == WS_QUERY_RESOURCE && ws_text_is(metric->name, "cpu");
    metric->query.source = reading->type->query;
    metric->query.at = ws_hpa_place(reader, reading->named, reading->name_key);
    metrics_check_container(reading);
    metrics_check_object(reading);
    metrics_check_count(reading, &target);
    if (reading->selector_key != NULL) {
        metric->query.selector = ws_hpa_manifest_selector(
            reader, ws_hpa_read_map(reader, reading->named, reading->selector_key));
    }
    metrics_choose(reading, &target, type, metric);
    if (metrics_check_name(reading, metric->name)) {
        ws_hpa_mapping_apply(mapping, reader, metric, reading->type->type);
    }
}

static void metrics_read_entry(ws_hpa_metric_list *list, const ws_document *entry, bool is_flat)
{
    ws_hpa_reader *reader = list->reader;
    metrics_reading reading = {.reader = reader, .is_flat = is_flat};

    ws_hpa_check_fields(reader, entry, &(ws_hpa_fields){"a metric", entry_fields});
    reading.type = metrics_find_type(reader, entry);
    if (reading.type == NULL) {
        return;
    }
    reading.block = metrics_find_block(reader, entry, reading.type);
    if (reading.block == NULL) {
        return;
    }
    if (is_flat) {
        metrics_open_flat(&reading);
    } else if (!metrics_open_nested(&reading)) {
        return;
    }
    if (list->count < list->capacity) {
        metrics_read_one(&reading, list->mapping, &list->metrics[list->count]);
    }
    list->count++;
}

void ws_hpa_manifest_metrics(ws_hpa_metric_list *list, const ws_document *metrics, bool is_flat)
{
    WS_ASSERT(list->metrics != NULL);

    if (metrics->kind != WS_DOCUMENT_LIST) {
        ws_hpa_refuse_with(list->reader, WS_HPA_CODE_SOURCE, metrics->at,
                           WS_TEXT("metrics are a list"), "none", WS_TEXT(""));
        return;
    }
    for (size_t i = 0; i < metrics->count; i++) {
        const ws_document *entry = ws_hpa_read_entry(list->reader, metrics, i, "a metric");

        if (entry != NULL) {
            metrics_read_entry(list, entry, is_flat);
        }
    }
}

void ws_hpa_manifest_add_cpu(ws_hpa_metric_list *list, int64_t percent, ws_span at)
{
    WS_ASSERT(percent >= 1);

    if (list->count < list->capacity) {
        ws_hpa_stated_metric *metric = &list->metrics[list->count];

        *metric = (ws_hpa_stated_metric){
            .name = WS_TEXT("cpu"),
            .metric = {.source = WS_HPA_RESOURCE,
                       .target_kind = WS_HPA_UTILIZATION,
                       .is_cpu = true,
                       .target = percent},
            .query = {.source = WS_QUERY_RESOURCE, .at = at},
            .target_key = "targetCPUUtilizationPercentage",
            .target_at = at,
        };
        ws_hpa_mapping_apply(list->mapping, list->reader, metric, "Resource");
    }
    list->count++;
}
