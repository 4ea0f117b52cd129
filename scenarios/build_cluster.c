/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pools: sums, prices, and what the tables cannot know of them. */
#include "build.h"

/** The entry of `map` under `key`, for a second place. */
static ws_span cluster_key_at(const ws_document *map, const char *key)
{
    const ws_document_entry *entry = ws_document_find_entry(map, key);
    return entry != NULL ? entry->key_at : map->at;
}

static bool cluster_check_nodes(ws_build *context, const ws_file_pool *pool)
{
    const ws_document *map = pool->nodes.self;
    const ws_file_nodes *nodes = &pool->nodes;
    bool too_many = nodes->initial > nodes->max;
    bool too_few = nodes->initial < nodes->min;

    if (nodes->min > nodes->max) {
        ws_diag_add(
            context->diag,
            &(ws_diagnostic){
                .severity = WS_SEVERITY_ERROR,
                .code = 4202,
                .message = ws_build_text(context, "`min` is above `max` in pool `%.*s`",
                                         WS_TEXT_ARGS(pool->name)),
                .at = ws_build_at(map, "min"),
                .label = ws_build_text(context, "%lld nodes at least", (long long)nodes->min),
                .also = ws_build_at(map, "max"),
                .also_label = ws_build_text(context, "but at most %lld", (long long)nodes->max)});
        return false;
    }
    if (!too_many && !too_few) {
        return true;
    }
    ws_diag_add(
        context->diag,
        &(ws_diagnostic){
            .severity = WS_SEVERITY_ERROR,
            .code = 4202,
            .message =
                ws_build_text(context, "`initial` is %s in pool `%.*s`",
                              too_many ? "above `max`" : "below `min`", WS_TEXT_ARGS(pool->name)),
            .at = ws_build_at(map, "initial"),
            .label = ws_build_text(context, "%lld nodes at the start", (long long)nodes->initial),
            .also = ws_build_at(map, too_many ? "max" : "min"),
            .also_label = ws_build_text(context, "but at %s %lld", too_many ? "most" : "least",
                                        (long long)(too_many ? nodes->max : nodes->min))});
    return false;
}

/** A price as people write it, with cents: "$23.92/h". */
static ws_text cluster_price_text(ws_build *context, ws_price price)
{
    char text[WS_TOTAL_TEXT_BYTES];

    (void)ws_money_print((ws_money){.nano = price.nano_per_h}, text);
    return ws_build_text(context, "$%s/h", text);
}

/** With both prices: the note tells whether they disagree. */
static bool cluster_price_twice(ws_build *context, const ws_file_pool *pool)
{
    const ws_document *map = pool->price.self;
    ws_price product = {.nano_per_h = pool->price.per_gpu.nano_per_h * pool->gpu.per_node};
    ws_text one = cluster_price_text(context, pool->price.per_gpu);
    ws_text all = cluster_price_text(context, product);
    ws_text node = cluster_price_text(context, pool->price.per_node);

    ws_diag_add(
        context->diag,
        &(ws_diagnostic){
            .severity = WS_SEVERITY_ERROR,
            .code = 2301,
            .message = WS_TEXT("`price` has both `per_gpu` and `per_node`"),
            .at = cluster_key_at(map, "per_node"),
            .label = WS_TEXT("remove this one"),
            .also = cluster_key_at(map, "per_gpu"),
            .also_label = WS_TEXT("or this one"),
            .notes = {
                product.nano_per_h == pool->price.per_node.nano_per_h
                    ? (ws_text){.length = 0}
                    : ws_build_text(context,
                                    "with `gpu.per_node: %lld` the two disagree: %lld x %.*s is "
                                    "%.*s, not %.*s",
                                    (long long)pool->gpu.per_node, (long long)pool->gpu.per_node,
                                    WS_TEXT_ARGS(one), WS_TEXT_ARGS(all), WS_TEXT_ARGS(node))}});
    return false;
}

static bool cluster_price(ws_build *context, const ws_file_pool *pool, ws_price *price)
{
    int64_t nano = 0;

    if (pool->price.has_per_gpu && pool->price.has_per_node) {
        return cluster_price_twice(context, pool);
    }
    if (!pool->price.has_per_gpu && !pool->price.has_per_node) {
        return ws_build_error(context, 2102, pool->price.self->at,
                              ws_build_text(context, "the price of pool `%.*s` has no amount",
                                            WS_TEXT_ARGS(pool->name)),
                              "this price",
                              WS_TEXT("add `per_gpu:`, for example `per_gpu: $2.99/h`"));
    }
    if (pool->price.has_per_node) {
        *price = pool->price.per_node;
        return true;
    }
    if (__builtin_mul_overflow(pool->price.per_gpu.nano_per_h, pool->gpu.per_node, &nano)) {
        return ws_build_error(context, 3107, ws_build_at(pool->price.self, "per_gpu"),
                              WS_TEXT("the price of a node is beyond what can be counted"),
                              "too large", WS_TEXT(""));
    }
    price->nano_per_h = nano;
    return true;
}

static ws_node_failures cluster_failures(const ws_file_failures *file)
{
    if (file == NULL) {
        return (ws_node_failures){.present = false};
    }
    return (ws_node_failures){
        .present = true,
        .time_to_failure = file->node_mtbf,
        .repair = file->repair,
        .billed_in_repair = file->billed,
        .crash_detection = file->detection.crash,
        .hang_detection = file->detection.hang,
        .hang_probability = file->detection.hang_probability,
    };
}

static bool cluster_check_failures(ws_build *context, const ws_file_pool *pool)
{
    if (pool->failures == NULL || ws_distribution_mean(&pool->failures->node_mtbf) > 0) {
        return true;
    }
    return ws_build_error(context, 3107,
                          ws_build_at(ws_document_find(pool->self, "failures"), "node_mtbf"),
                          WS_TEXT("`node_mtbf` is longer than 0"), "fails at once, and again",
                          WS_TEXT("leave `failures` out for nodes that never fail"));
}

static bool cluster_pool(ws_build *context, const ws_file_pool *file, ws_pool_spec *pool)
{
    bool sound = cluster_check_nodes(context, file);
    ws_price price = {.nano_per_h = 0};

    sound = cluster_price(context, file, &price) && sound;
    sound = cluster_check_failures(context, file) && sound;
    *pool = (ws_pool_spec){
        .name = file->name,
        .gpu_type = file->gpu.type,
        .gpus_per_node = (int32_t)file->gpu.per_node,
        .nodes_initial = (int32_t)file->nodes.initial,
        .nodes_min = (int32_t)file->nodes.min,
        .nodes_max = (int32_t)file->nodes.max,
        .node_price = price,
        .billing_increment = file->price.billing_increment,
        .billing_minimum = file->price.minimum,
        .start = {.request = file->cold_start.request,
                  .boot = file->cold_start.boot,
                  .image_pull = file->cold_start.image_pull,
                  .join = file->cold_start.join,
                  .fail_probability = file->cold_start.fail_probability,
                  .retry = file->cold_start.retry},
        .failures = cluster_failures(file->failures),
    };
    return sound;
}

static bool cluster_check_names(ws_build *context, const ws_file_pool *pools, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        for (size_t k = 0; k < i; k++) {
            if (!ws_text_equals(pools[i].name, pools[k].name)) {
                continue;
            }
            ws_diag_add(
                context->diag,
                &(ws_diagnostic){.severity = WS_SEVERITY_ERROR,
                                 .code = 4102,
                                 .message = ws_build_text(context, "two pools are named `%.*s`",
                                                          WS_TEXT_ARGS(pools[i].name)),
                                 .at = ws_build_at(pools[i].self, "name"),
                                 .label = WS_TEXT("second use"),
                                 .also = ws_build_at(pools[k].self, "name"),
                                 .also_label = WS_TEXT("first use is here")});
            return false;
        }
    }
    return true;
}

bool ws_build_cluster(ws_build *context)
{
    const ws_list *list = &context->file->cluster.pools;
    const ws_file_pool *files = list->items;
    ws_pool_spec *pools = ws_build_new(context, ws_pool_spec, list->count + 1);
    bool sound = true;
    int64_t gpus = 0;

    if (pools == NULL) {
        return false;
    }
    if (list->count == 0 || list->count > WS_POOLS_MAX) {
        return ws_build_error(context, 9020, context->file->self->at,
                              ws_build_text(context, "a cluster has 1 to %d pools, not %zu",
                                            WS_POOLS_MAX, list->count),
                              "this scenario", WS_TEXT(""));
    }
    for (size_t i = 0; i < list->count; i++) {
        sound = cluster_pool(context, &files[i], &pools[i]) && sound;
        gpus += files[i].nodes.max * files[i].gpu.per_node;
        if (gpus > WS_FLEET_GPUS_MAX) {
            return ws_build_error(context, 9021, ws_build_at(files[i].nodes.self, "max"),
                                  ws_build_text(context, "a scenario has at most %lld GPUs",
                                                (long long)WS_FLEET_GPUS_MAX),
                                  "passed here", WS_TEXT(""));
        }
    }
    sound = cluster_check_names(context, files, list->count) && sound;
    context->scenario->pools = pools;
    context->scenario->pool_count = list->count;
    return sound;
}
