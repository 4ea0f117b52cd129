/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pools: sums, prices, and what the tables cannot know of them. */
#include "build.h"

/* ---- sizes ---- */

/** Two numbers of nodes that contradict each other: `key` with its label, `than` with the other's.
 */
static bool cluster_nodes_fault(ws_build *context, const ws_file_pool *pool, const char *key,
                                const char *than, ws_text labels[2])
{
    const ws_document *map = pool->nodes.self;
    const char *relation = ws_text_is(ws_text_of(than), "max") ? "above" : "below";

    return ws_build_fault(
        context,
        &(ws_diagnostic){.code = 4202,
                         .message = ws_build_text(context, "`%s` is %s `%s` in pool `%.*s`", key,
                                                  relation, than, WS_TEXT_ARGS(pool->name)),
                         .at = ws_build_at(map, key),
                         .label = labels[0],
                         .also = ws_build_at(map, than),
                         .also_label = labels[1]});
}

static bool cluster_check_nodes(ws_build *context, const ws_file_pool *pool)
{
    const ws_file_nodes *nodes = &pool->nodes;
    ws_text initial = ws_build_text(context, "%lld nodes at the start", (long long)nodes->initial);
    ws_text least = ws_build_text(context, "but at least %lld", (long long)nodes->min);
    ws_text most = ws_build_text(context, "but at most %lld", (long long)nodes->max);

    if (nodes->min > nodes->max) {
        ws_text min = ws_build_text(context, "%lld nodes at least", (long long)nodes->min);
        return cluster_nodes_fault(context, pool, "min", "max", (ws_text[]){min, most});
    }
    if (nodes->initial > nodes->max) {
        return cluster_nodes_fault(context, pool, "initial", "max", (ws_text[]){initial, most});
    }
    if (nodes->initial < nodes->min) {
        return cluster_nodes_fault(context, pool, "initial", "min", (ws_text[]){initial, least});
    }
    return true;
}

/* ---- prices ---- */

/** A price as people write it, with cents: "$23.92/h". */
static ws_text cluster_price_text(ws_build *context, int64_t nano_per_h)
{
    char text[WS_TOTAL_TEXT_BYTES];

    (void)ws_money_print((ws_money){.nano = nano_per_h}, text);
    return ws_build_text(context, "$%s/h", text);
}

/** With both prices: the note tells whether they disagree. */
static bool cluster_price_twice(ws_build *context, const ws_file_pool *pool)
{
    const ws_document *map = pool->price.self;
    int64_t product = 0;
    bool is_counted =
        !__builtin_mul_overflow(pool->price.per_gpu.nano_per_h, pool->gpu.per_node, &product);
    ws_diagnostic fault = {.code = 2301,
                           .message = WS_TEXT("`price` has both `per_gpu` and `per_node`"),
                           .at = ws_build_key_at(map, "per_node"),
                           .label = WS_TEXT("remove this one"),
                           .also = ws_build_key_at(map, "per_gpu"),
                           .also_label = WS_TEXT("or this one")};

    if (is_counted && product != pool->price.per_node.nano_per_h) {
        ws_text one = cluster_price_text(context, pool->price.per_gpu.nano_per_h);
        ws_text all = cluster_price_text(context, product);
        ws_text node = cluster_price_text(context, pool->price.per_node.nano_per_h);
        fault.notes[0] = ws_build_text(
            context, "with `gpu.per_node: %lld` the two disagree: %lld x %.*s is %.*s, not %.*s",
            (long long)pool->gpu.per_node, (long long)pool->gpu.per_node, WS_TEXT_ARGS(one),
            WS_TEXT_ARGS(all), WS_TEXT_ARGS(node));
    }
    return ws_build_fault(context, &fault);
}

static bool cluster_price_too_large(ws_build *context, const ws_file_pool *pool)
{
    const char *key = pool->price.has_per_node  ? "per_node"
                      : pool->price.has_per_gpu ? "per_gpu"
                                                : "recorded";

    return ws_build_error(context, 3107, ws_build_at(pool->price.self, key),
                          WS_TEXT("the price of all nodes together is beyond what can be counted"),
                          "passed here", WS_TEXT("it is at most $1000000000/h"));
}

/** A recording is the whole price; it is read when the pool is known. */
static bool cluster_check_recorded_price(ws_build *context, const ws_file_pool *pool)
{
    const ws_document *map = pool->price.self;
    const char *key = pool->price.has_per_gpu ? "per_gpu" : "per_node";

    if (!pool->price.has_per_gpu && !pool->price.has_per_node) {
        return true;
    }
    return ws_build_fault(
        context, &(ws_diagnostic){
                     .code = 2302,
                     .message = ws_build_text(context, "`price` has both `recorded` and `%s`", key),
                     .at = ws_build_key_at(map, key),
                     .label = WS_TEXT("remove this one"),
                     .also = ws_build_key_at(map, "recorded"),
                     .also_label = WS_TEXT("or this one")});
}

/** The price of a node, unless it is recorded. */
static bool cluster_price(ws_build *context, const ws_file_pool *pool, ws_price *price)
{
    if (pool->price.recorded != NULL) {
        return cluster_check_recorded_price(context, pool);
    }
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
    *price = pool->price.per_node;
    if (pool->price.has_per_gpu && __builtin_mul_overflow(pool->price.per_gpu.nano_per_h,
                                                          pool->gpu.per_node, &price->nano_per_h)) {
        return cluster_price_too_large(context, pool);
    }
    if (price->nano_per_h == 0) {
        ws_build_assume(
            context, ws_build_text(context, "pool %.*s costs nothing", WS_TEXT_ARGS(pool->name)));
    }
    return true;
}

/* ---- failures ---- */

static ws_node_failures cluster_failures(const ws_file_failures *file)
{
    if (file == NULL) {
        return (ws_node_failures){.present = false};
    }
    return (ws_node_failures){
        .present = file->recorded == NULL,
        .time_to_failure = file->node_mtbf,
        .repair = file->repair,
        .billed_in_repair = file->billed,
        .crash_detection = file->detection.crash,
        .hang_detection = file->detection.hang,
        .hang_probability = file->detection.hang_probability,
    };
}

/** A recording says when outages begin and end. */
static bool cluster_check_recorded(ws_build *context, const ws_file_failures *failures,
                                   bool is_drawn)
{
    const char *key = is_drawn ? "node_mtbf" : "repair";

    if (!is_drawn && !ws_build_is_given(failures->self, "repair")) {
        return true;
    }
    return ws_build_fault(
        context,
        &(ws_diagnostic){.code = 2302,
                         .message =
                             ws_build_text(context, "`failures` has both `recorded` and `%s`", key),
                         .at = ws_build_key_at(failures->self, key),
                         .label = WS_TEXT("remove this one"),
                         .also = ws_build_key_at(failures->self, "recorded"),
                         .also_label = WS_TEXT("it says when each outage begins and ends")});
}

static bool cluster_check_failures(ws_build *context, const ws_file_pool *pool)
{
    const ws_file_failures *failures = pool->failures;

    if (failures == NULL) {
        return true;
    }
    bool is_drawn = ws_build_is_given(failures->self, "node_mtbf");

    if (failures->recorded != NULL) {
        return cluster_check_recorded(context, failures, is_drawn);
    }
    if (!is_drawn) {
        return ws_build_error(context, 2102, failures->self->at,
                              WS_TEXT("nothing says when nodes fail"), "neither drawn nor recorded",
                              WS_TEXT("add `node_mtbf: 30d`, or `recorded: {file: FILE}`"));
    }
    if (ws_distribution_mean(&failures->node_mtbf) > 0) {
        return true;
    }
    return ws_build_error(context, 3107, ws_build_at(failures->self, "node_mtbf"),
                          WS_TEXT("`node_mtbf` is longer than 0"), "fails at once, and again",
                          WS_TEXT("leave `failures` out for nodes that never fail"));
}

static void cluster_warn_no_start(ws_build *context, const ws_file_pool *pool)
{
    const ws_document *map = ws_document_find(pool->self, "cold_start");

    if (pool->cold_start.fail_probability < 1) {
        return;
    }
    ws_build_warn(context,
                  &(ws_diagnostic){
                      .code = 4310,
                      .message = ws_build_text(context, "no node of pool `%.*s` will ever start",
                                               WS_TEXT_ARGS(pool->name)),
                      .at = ws_build_at(map, "fail_probability"),
                      .label = WS_TEXT("every request ends in \"no capacity\""),
                      .notes = {WS_TEXT("it has the nodes that it begins with, and no others")}});
}

/* ---- GPUs ---- */

/** The known GPU that a pool has: by `preset`, or by its type. */
static bool cluster_gpu_model(ws_build *context, const ws_file_pool *file,
                              const ws_gpu_model **model)
{
    const char *names[32] = {NULL};
    size_t count = 0;

    *model = ws_gpu_model_find(file->gpu.preset.length > 0 ? file->gpu.preset : file->gpu.type);
    if (*model != NULL || file->gpu.preset.length == 0) {
        return true;
    }
    for (; count < WS_COUNT_OF(names) && ws_gpu_model_at(count) != NULL; count++) {
        names[count] = ws_gpu_model_at(count)->name;
    }
    ws_text shown = ws_build_shown(file->gpu.preset);
    return ws_build_error(context, 2203, ws_build_at(file->gpu.self, "preset"),
                          ws_build_text(context, "`%.*s` is not a known GPU", WS_TEXT_ARGS(shown)),
                          "unknown GPU",
                          ws_build_known(context, "GPU", names, count, file->gpu.preset));
}

/* ---- a pool ---- */

static bool cluster_pool(ws_build *context, const ws_file_pool *file, ws_pool_spec *pool)
{
    ws_price price = {.nano_per_h = 0};
    const ws_gpu_model *model = NULL;
    bool sound = cluster_check_nodes(context, file);

    sound = cluster_gpu_model(context, file, &model) && sound;

    sound = cluster_price(context, file, &price) && sound;
    sound = cluster_check_failures(context, file) && sound;
    cluster_warn_no_start(context, file);
    *pool = (ws_pool_spec){
        .name = file->name,
        .gpu_type = file->gpu.type,
        .gpu_model = model,
        .gpu_memory_bytes = file->gpu.has_memory ? (double)file->gpu.memory
                            : model != NULL      ? model->memory_bytes
                                                 : 0,
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
    if (file->local_disk != NULL) {
        pool->disk = (ws_local_disk){.bytes = (double)file->local_disk->size,
                                     .read_bytes_per_s = file->local_disk->read,
                                     .write_bytes_per_s = file->local_disk->write};
    }
    sound = sound && ws_build_absences(context, file, pool);
    sound = sound && (file->price.recorded == NULL || ws_build_prices(context, file, pool));
    return ws_build_image(context, &file->cold_start, &pool->start) && sound;
}

/** Sums over all pools that the simulator counts in bounded numbers. */
static bool cluster_check_sums(ws_build *context, const ws_file_pool *files,
                               const ws_pool_spec *pools, size_t count)
{
    int64_t gpus = 0;
    int64_t nano_per_h = 0;

    for (size_t i = 0; i < count; i++) {
        int64_t price = 0;

        gpus += (int64_t)pools[i].nodes_max * pools[i].gpus_per_node;
        if (gpus > WS_FLEET_GPUS_MAX) {
            return ws_build_error(context, 9021, ws_build_at(files[i].nodes.self, "max"),
                                  ws_build_text(context, "a scenario has at most %lld GPUs",
                                                (long long)WS_FLEET_GPUS_MAX),
                                  "passed here", WS_TEXT(""));
        }
        if (__builtin_mul_overflow(ws_pool_highest_price(&pools[i]).nano_per_h, pools[i].nodes_max,
                                   &price) ||
            price > WS_FLEET_PRICE_MAX - nano_per_h) {
            return cluster_price_too_large(context, &files[i]);
        }
        nano_per_h += price;
    }
    return true;
}

static bool cluster_check_names(ws_build *context, const ws_file_pool *files, size_t count)
{
    ws_build_named *named = ws_build_new(context, ws_build_named, count);

    WS_ASSERT(count <= WS_POOLS_MAX);
    if (named == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        named[i] =
            (ws_build_named){.name = files[i].name, .at = ws_build_at(files[i].self, "name")};
    }
    return ws_build_check_names(context, "pools", named, count, WS_TEXT(""));
}

bool ws_build_cluster(ws_build *context)
{
    WS_ASSERT(context->file != NULL);

    const ws_list *list = &context->file->cluster.pools;
    const ws_file_pool *files = list->items;
    const ws_document *cluster = ws_document_find(context->file->self, "cluster");
    bool sound = true;

    if (list->count == 0 || list->count > WS_POOLS_MAX) {
        return ws_build_error(context, 9020, ws_build_key_at(cluster, "pools"),
                              ws_build_text(context, "a cluster has 1 to %d pools, not %zu",
                                            WS_POOLS_MAX, list->count),
                              list->count == 0 ? "none" : "too many", WS_TEXT(""));
    }
    ws_pool_spec *pools = ws_build_new(context, ws_pool_spec, list->count);
    if (pools == NULL) {
        return false;
    }
    for (size_t i = 0; i < list->count; i++) {
        sound = cluster_pool(context, &files[i], &pools[i]) && sound;
    }
    sound = sound && cluster_check_sums(context, files, pools, list->count);
    context->scenario->pools = pools;
    context->scenario->pool_count = list->count;
    return cluster_check_names(context, files, list->count) && sound;
}
