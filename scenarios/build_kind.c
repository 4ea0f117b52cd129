/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stated and recorded jobs have in common: the pools that they accept, checkpoints, cold
 * starts. */
#include "build.h"

/* ---- pools ---- */

/** Relative speed of a type, from a map {TYPE: 45%}; 1 when it is not named. */
static bool kind_read_speed(ws_build *context, const ws_document *speed, ws_text type,
                            double *value)
{
    *value = 1;
    for (size_t i = 0; speed != NULL && i < speed->count; i++) {
        ws_quantity quantity = {.real = 0};

        if (!ws_text_equals(speed->entries[i].key, type)) {
            continue;
        }
        if (!ws_build_quantity(context, speed->entries[i].value, WS_QUANTITY_PERCENT, type,
                               &quantity)) {
            return false;
        }
        if (quantity.real <= 0) {
            return ws_build_error(context, 3107, speed->entries[i].value->at,
                                  WS_TEXT("a relative speed is above 0%"), "no speed at all",
                                  WS_TEXT("leave the type out of `types` instead"));
        }
        *value = quantity.real;
    }
    return true;
}

/** A type that no pool has is probably misspelt, and its speed would be 100% without a word. */
static void kind_warn_unknown_type(ws_build *context, ws_text type, ws_span at)
{
    const ws_scenario *scenario = context->scenario;
    const char *names[WS_POOLS_MAX];

    WS_ASSERT(scenario->pool_count <= WS_POOLS_MAX);
    for (size_t pool = 0; pool < scenario->pool_count; pool++) {
        if (ws_text_equals(scenario->pools[pool].gpu_type, type)) {
            return;
        }
        names[pool] = ws_build_string(context, scenario->pools[pool].gpu_type);
    }
    ws_text shown = ws_build_shown(type);
    ws_build_warn(context, &(ws_diagnostic){
                               .code = 4306,
                               .message = ws_build_text(context, "no pool has the GPU type `%.*s`",
                                                        WS_TEXT_ARGS(shown)),
                               .at = at,
                               .label = WS_TEXT("unknown type"),
                               .help = ws_build_known(context, "GPU type", names,
                                                      scenario->pool_count, type)});
}

static void kind_warn_types(ws_build *context, const ws_list *types, const ws_document *speed,
                            ws_span at)
{
    const ws_text *names = types->items;

    for (size_t i = 0; i < types->count; i++) {
        kind_warn_unknown_type(context, names[i], at);
    }
    for (size_t i = 0; speed != NULL && i < speed->count; i++) {
        if (!ws_text_starts_with(speed->entries[i].key, WS_TEXT("x-"))) {
            kind_warn_unknown_type(context, speed->entries[i].key, speed->entries[i].key_at);
        }
    }
}

static bool kind_accepts(const ws_list *types, ws_text type)
{
    const ws_text *names = types->items;

    for (size_t i = 0; i < types->count; i++) {
        if (ws_text_equals(names[i], type)) {
            return true;
        }
    }
    return types->count == 0;
}

static bool kind_no_pool(ws_build *context, ws_span at, const ws_job_kind *kind)
{
    const ws_pool_spec *first = &context->scenario->pools[0];

    return ws_build_error(
        context, 4103, at,
        ws_build_text(context, "no pool has a GPU type that `%.*s` accepts",
                      WS_TEXT_ARGS(kind->name)),
        "these types",
        ws_build_text(context, "the first pool has `%.*s`", WS_TEXT_ARGS(first->gpu_type)));
}

bool ws_build_accepted_pools(ws_build *context, const ws_list *types, const ws_document *speed,
                             ws_span at, ws_job_kind *kind)
{
    const ws_scenario *scenario = context->scenario;
    double *speeds = ws_build_new(context, double, scenario->pool_count);
    bool sound = speeds != NULL;

    WS_ASSERT(scenario->pool_count >= 1);
    if (speed != NULL && speed->kind != WS_DOCUMENT_MAP) {
        return ws_build_error(context, 2201, speed->at, WS_TEXT("`speed` is a map of GPU types"),
                              "not a map", WS_TEXT("write `{TYPE: 45%}`"));
    }
    for (size_t pool = 0; sound && pool < scenario->pool_count; pool++) {
        ws_text type = scenario->pools[pool].gpu_type;

        if (kind_accepts(types, type)) {
            sound = kind_read_speed(context, speed, type, &speeds[pool]);
            kind->pools |= UINT64_C(1) << pool;
        }
    }
    kind->pool_speed = speeds;
    if (!sound) {
        return false;
    }
    if (kind->pools == 0) {
        return kind_no_pool(context, at, kind);
    }
    kind_warn_types(context, types, speed, at);
    return true;
}

int64_t ws_build_reachable_replicas(const ws_build *context, const ws_job_kind *kind)
{
    const ws_scenario *scenario = context->scenario;
    int64_t replicas = 0;

    WS_ASSERT(kind->gpus_per_replica >= 1);
    for (size_t pool = 0; pool < scenario->pool_count; pool++) {
        const ws_pool_spec *spec = &scenario->pools[pool];

        if (((kind->pools >> pool) & 1) == 0) {
            continue;
        }
        /* A replica lies on one node, or takes whole nodes of one pool. */
        replicas += kind->gpus_per_replica <= spec->gpus_per_node
                        ? (int64_t)spec->nodes_max * (spec->gpus_per_node / kind->gpus_per_replica)
                        : spec->nodes_max / (kind->gpus_per_replica / spec->gpus_per_node);
    }
    return replicas;
}
