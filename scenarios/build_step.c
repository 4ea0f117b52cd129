/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rates: measured curves, and what is assumed for sizes that a recording did not see. */
#include <math.h>

#include "build_step.h"

/** Sorts points by size (insertion sort: a few of them, mostly sorted). */
static void step_sort(ws_curve_point *points, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        ws_curve_point point = points[i];
        size_t k = i;
        for (; k > 0 && points[k - 1].size > point.size; k--) {
            points[k] = points[k - 1];
        }
        points[k] = point;
    }
}

/** How sizes and rates of a curve are written. */
typedef struct {
    ws_quantity_kind size;
    ws_quantity_kind rate;
    const char *words;
} step_kinds;

static const step_kinds step_measured = {WS_QUANTITY_COUNT, WS_QUANTITY_WORK_RATE,
                                         "`REPLICAS: RATE`"};
static const step_kinds step_relative = {WS_QUANTITY_PERCENT, WS_QUANTITY_PERCENT, "`50%: 55%`"};

/** One point: a size as the key, a rate as the value, both of the given kinds. */
static bool step_read_point(ws_build *context, const ws_document_entry *entry,
                            const step_kinds *kinds, ws_curve_point *point, ws_work_unit *unit)
{
    ws_document key = {.kind = WS_DOCUMENT_SCALAR, .scalar = entry->key, .at = entry->key_at};
    ws_quantity size = {.integer = 0};
    ws_quantity rate = {.real = 0};

    if (!ws_build_quantity(context, &key, kinds->size, WS_TEXT("curve"), &size) ||
        !ws_build_quantity(context, entry->value, kinds->rate, WS_TEXT("curve"), &rate)) {
        return false;
    }
    point->size = kinds->size == WS_QUANTITY_COUNT ? (double)size.integer : size.real;
    point->rate = rate.real;
    *unit = rate.unit;
    return (point->size > 0 && point->rate > 0) ||
           ws_build_error(context, 3107, point->size > 0 ? entry->value->at : entry->key_at,
                          WS_TEXT("sizes and rates of a `curve` are above 0"), "not above 0",
                          WS_TEXT(""));
}

/** Two rates of one curve in different units. */
static bool step_check_unit(ws_build *context, ws_work_unit unit, ws_span at, ws_work_unit *all)
{
    if (unit == WS_WORK_NONE || *all == WS_WORK_NONE || unit == *all) {
        *all = unit == WS_WORK_NONE ? *all : unit;
        return true;
    }
    return ws_build_error(context, 4205, at, WS_TEXT("the rates of a `curve` have one unit"),
                          "not that of the rates before", WS_TEXT(""));
}

/** Equal sizes, written differently ("1k" and "1000"), would have two rates. */
static bool step_check_distinct(ws_build *context, const ws_document *map,
                                const ws_curve_point *points)
{
    for (size_t i = 1; i < map->count; i++) {
        if (!(points[i - 1].size < points[i].size)) {
            return ws_build_error(context, 3107, map->at,
                                  WS_TEXT("a `curve` has one rate for each size"),
                                  "two keys are the same size", WS_TEXT(""));
        }
    }
    return true;
}

static bool step_read_points(ws_build *context, const ws_document *map, const step_kinds *kinds,
                             ws_curve_point **points, ws_work_unit *unit)
{
    bool sound = true;

    if (map->kind != WS_DOCUMENT_MAP || map->count == 0 || map->count > WS_CURVE_POINTS_MAX) {
        return ws_build_error(context, 2201, map->at,
                              ws_build_text(context, "`curve` is a map of 1 to %d points, %s",
                                            WS_CURVE_POINTS_MAX, kinds->words),
                              "not such a map", WS_TEXT(""));
    }
    *points = ws_build_new(context, ws_curve_point, map->count);
    *unit = WS_WORK_NONE;
    if (*points == NULL) {
        return false;
    }
    for (size_t i = 0; i < map->count; i++) {
        ws_work_unit here = WS_WORK_NONE;
        const ws_document_entry *entry = &map->entries[i];

        sound = step_read_point(context, entry, kinds, &(*points)[i], &here) &&
                step_check_unit(context, here, entry->value->at, unit) && sound;
    }
    if (!sound) {
        return false;
    }
    step_sort(*points, map->count);
    return step_check_distinct(context, map, *points);
}

/** The one entry of a map that names a kind; NULL with a diagnostic when there is none, or several.
 */
static const ws_document_entry *step_only_entry(ws_build *context, const ws_document *map,
                                                const char *key, const char *allowed)
{
    if (map->kind == WS_DOCUMENT_MAP && map->count == 1) {
        return &map->entries[0];
    }
    (void)ws_build_error(context, 2201, map->at,
                         ws_build_text(context, "`%s` is one of %s", key, allowed),
                         "not one of these", WS_TEXT(""));
    return NULL;
}

static bool step_read_curve(ws_build *context, ws_build_model *model)
{
    ws_curve *curve = ws_build_new(context, ws_curve, 1);
    ws_curve_point *points = NULL;

    if (curve == NULL ||
        !step_read_points(context, model->value, &step_measured, &points, &model->unit)) {
        return false;
    }
    *curve = ws_curve_of(points, model->value->count, 1, false);
    model->parameters = curve;
    return true;
}

/** Measured at one batch: that is stated only to convert one unit into another. */
static bool step_apply_curve(ws_build *context, const ws_build_model *model,
                             const ws_file_stage *stage, ws_stage_spec *spec)
{
    bool converts = model->unit != WS_WORK_NONE && model->unit != (ws_work_unit)stage->work.unit;

    if (stage->global_batch > 0 && !converts) {
        return ws_build_error(context, 4107, ws_build_at(stage->self, "global_batch"),
                              WS_TEXT("a `curve` says nothing about a `global_batch`"),
                              "measured at one batch", WS_TEXT("remove `global_batch`"));
    }
    if (stage->replica_batch > 0) {
        return ws_build_error(context, 4107, ws_build_at(stage->self, "replica_batch"),
                              WS_TEXT("a `curve` says nothing about a `replica_batch`"),
                              "measured at one batch", WS_TEXT("remove `replica_batch`"));
    }
    spec->step = (ws_step){.type = &ws_step_curve, .parameters = model->parameters};
    return true;
}

static const ws_build_step_kind step_curve = {
    .type = &ws_step_curve,
    .shape = "`{curve: {REPLICAS: RATE, ...}}`",
    .read = step_read_curve,
    .apply = step_apply_curve,
};

/* ---- the list of step models ---- */

static const ws_build_step_kind *const step_kind_list[] = {
    &step_curve,
    &ws_build_step_pollux,
    &ws_build_step_profile,
    &ws_build_step_transformer,
};

/** How each of them is written, for messages. */
static const char *step_shapes(ws_build *context)
{
    ws_text shapes = {.length = 0};

    for (size_t i = 0; i < WS_COUNT_OF(step_kind_list); i++) {
        shapes = ws_build_text(context, "%.*s%s%s", WS_TEXT_ARGS(shapes), i == 0 ? "" : ", ",
                               step_kind_list[i]->shape);
    }
    return shapes.length > 0 ? shapes.start : "";
}

static const ws_build_step_kind *step_find_kind(ws_text name)
{
    for (size_t i = 0; i < WS_COUNT_OF(step_kind_list); i++) {
        if (ws_text_is(name, step_kind_list[i]->type->name)) {
            return step_kind_list[i];
        }
    }
    return NULL;
}

bool ws_build_read_model(ws_build *context, const ws_document *document, ws_build_model *model)
{
    WS_ASSERT(model != NULL);

    const char *shapes = step_shapes(context);
    const ws_document_entry *entry = step_only_entry(context, document, "step", shapes);

    *model = (ws_build_model){.kind = NULL};
    if (entry == NULL) {
        return false;
    }
    const ws_build_step_kind *kind = step_find_kind(entry->key);
    if (kind == NULL) {
        ws_text shown = ws_build_shown(entry->key);
        return ws_build_error(
            context, 2203, entry->key_at,
            ws_build_text(context, "`%.*s` is not a step model", WS_TEXT_ARGS(shown)),
            "unknown model", ws_build_text(context, "write one of %s", shapes));
    }
    model->value = entry->value;
    if (!kind->read(context, model)) {
        return false;
    }
    model->kind = kind;
    return true;
}

bool ws_build_apply_model(ws_build *context, const ws_build_model *model,
                          const ws_file_stage *stage, ws_stage_spec *spec)
{
    WS_ASSERT(model->kind != NULL);
    return model->kind->apply(context, model, stage, spec);
}

bool ws_build_check_model(ws_build *context, const ws_build_model *model,
                          const ws_job_template *template, const ws_file_stage *stage,
                          const ws_stage_spec *spec)
{
    WS_ASSERT(model->kind != NULL);
    return model->kind->check == NULL || model->kind->check(context, model, template, stage, spec);
}

bool ws_build_need_batch(ws_build *context, const ws_build_model *model, const ws_file_stage *stage,
                         const ws_stage_spec *spec)
{
    if (ws_stage_has_batch(spec)) {
        return true;
    }
    return ws_build_error(context, 2102, stage->self->at,
                          ws_build_text(context,
                                        "stage `%.*s` has no `global_batch`, which a `%s` needs",
                                        WS_TEXT_ARGS(stage->name), model->kind->type->name),
                          "this stage", WS_TEXT("add `global_batch: 1024`"));
}

/* ---- speedup ---- */

static bool step_read_amdahl(ws_build *context, const ws_document *value, ws_build_speedup *speedup)
{
    ws_quantity fraction = {.real = 0};
    char text[WS_QUANTITY_TEXT_BYTES];

    if (!ws_build_quantity(context, value, WS_QUANTITY_FRACTION, WS_TEXT("amdahl"), &fraction)) {
        return false;
    }
    (void)ws_quantity_print(fraction, WS_QUANTITY_FRACTION, text);
    speedup->kind = WS_BUILD_SPEEDUP_AMDAHL;
    speedup->parallel_fraction = fraction.real;
    speedup->words = ws_build_text(context, "Amdahl's law with a parallel fraction of %s", text);
    return true;
}

/** At the recorded size a job runs as it was recorded. */
static bool step_check_recorded(ws_build *context, const ws_document *map,
                                const ws_curve_point *points)
{
    WS_ASSERT(points != NULL);
    for (size_t i = 0; i < map->count; i++) {
        bool is_same_size = !(points[i].size < 1) && !(points[i].size > 1);
        bool is_same_rate = !(points[i].rate < 1) && !(points[i].rate > 1);

        if (is_same_size && is_same_rate) {
            return true;
        }
    }
    return ws_build_error(context, 3107, map->at,
                          WS_TEXT("a `speedup` curve is 100% at 100%, the size that was recorded"),
                          "not here", WS_TEXT("add `100%: 100%`"));
}

static bool step_read_relative(ws_build *context, const ws_document *value,
                               ws_build_speedup *speedup)
{
    ws_curve_point *points = NULL;
    ws_work_unit unit = WS_WORK_NONE;

    if (!step_read_points(context, value, &step_relative, &points, &unit) ||
        !step_check_recorded(context, value, points)) {
        return false;
    }
    speedup->kind = WS_BUILD_SPEEDUP_CURVE;
    speedup->words = WS_TEXT("the scenario's curve");
    speedup->points = points;
    speedup->point_count = value->count;
    return true;
}

bool ws_build_read_speedup(ws_build *context, const ws_document *document,
                           ws_build_speedup *speedup)
{
    WS_ASSERT(speedup != NULL);

    static const char allowed[] =
        "`linear`, `{amdahl: FRACTION}`, `{curve: {50%: 55%, 100%: 100%}}`";

    *speedup = (ws_build_speedup){.kind = WS_BUILD_SPEEDUP_NONE};
    if (document == NULL || document->kind == WS_DOCUMENT_NULL) {
        return true;
    }
    if (document->kind == WS_DOCUMENT_SCALAR && ws_text_is(document->scalar, "linear")) {
        speedup->kind = WS_BUILD_SPEEDUP_AMDAHL;
        speedup->parallel_fraction = 1;
        speedup->words = WS_TEXT("linear scaling");
        return true;
    }
    const ws_document_entry *entry = step_only_entry(context, document, "speedup", allowed);
    if (entry == NULL) {
        return false;
    }
    if (ws_text_is(entry->key, "amdahl")) {
        return step_read_amdahl(context, entry->value, speedup);
    }
    if (ws_text_is(entry->key, "curve")) {
        return step_read_relative(context, entry->value, speedup);
    }
    ws_text shown = ws_build_shown(entry->key);
    return ws_build_error(context, 2203, entry->key_at,
                          ws_build_text(context, "`%.*s` is not a speed-up", WS_TEXT_ARGS(shown)),
                          "unknown", ws_build_text(context, "it is one of %s", allowed));
}

bool ws_build_apply_speedup(ws_build *context, const ws_build_speedup *speedup, int32_t replicas,
                            ws_step *step)
{
    WS_ASSERT(replicas >= 1);
    WS_ASSERT(step != NULL);
    if (speedup->kind == WS_BUILD_SPEEDUP_CURVE) {
        ws_curve *curve = ws_build_new(context, ws_curve, 1);
        if (curve == NULL) {
            return false;
        }
        *curve = ws_curve_of(speedup->points, speedup->point_count, replicas, false);
        *step = (ws_step){.type = &ws_step_curve, .parameters = curve};
        return true;
    }
    ws_amdahl *amdahl = ws_build_new(context, ws_amdahl, 1);
    if (amdahl == NULL) {
        return false;
    }
    *amdahl =
        (ws_amdahl){.parallel_fraction =
                        speedup->kind == WS_BUILD_SPEEDUP_NONE ? 1 : speedup->parallel_fraction,
                    .recorded_replicas = replicas};
    *step = (ws_step){.type = &ws_step_amdahl, .parameters = amdahl};
    return true;
}
