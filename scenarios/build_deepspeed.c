/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Legal sizes by DeepSpeed's elastic batch rule. */
#include "build.h"
#include "ws/deepspeed.h"

static bool deepspeed_fault(ws_build *context, const ws_file_deepspeed *file, const char *key,
                            ws_text message, const char *label)
{
    return ws_build_error(context, 4203, ws_build_at(file->self, key), message, label, WS_TEXT(""));
}

/** Micro-batches in order. */
static bool deepspeed_micro(ws_build *context, const ws_file_deepspeed *file, ws_deepspeed *rule)
{
    const int64_t *stated = file->micro_batch_sizes.items;
    size_t count = file->micro_batch_sizes.count;
    int32_t *micro = ws_build_new(context, int32_t, count + 1);

    if (micro == NULL) {
        return false;
    }
    if (count == 0 || count > WS_DEEPSPEED_MICRO_BATCHES_MAX) {
        return deepspeed_fault(context, file, "micro_batch_sizes",
                               ws_build_text(context, "`micro_batch_sizes` are 1 to %d",
                                             WS_DEEPSPEED_MICRO_BATCHES_MAX),
                               count == 0 ? "none" : "too many");
    }
    for (size_t i = 0; i < count; i++) {
        micro[i] = (int32_t)stated[i];
        if (i > 0 && micro[i] <= micro[i - 1]) {
            return deepspeed_fault(context, file, "micro_batch_sizes",
                                   WS_TEXT("`micro_batch_sizes` ascend"), "not in order");
        }
    }
    rule->micro_batches = micro;
    rule->micro_batch_count = count;
    return micro[0] <= rule->batch_max ||
           deepspeed_fault(context, file, "micro_batch_sizes",
                           WS_TEXT("the smallest micro-batch is above `max_train_batch_size`"),
                           "no step holds it");
}

/** Data-parallel ranks of a replica; 0 with a diagnostic when they are no whole number. */
static int32_t deepspeed_ranks(ws_build *context, const ws_file_deepspeed *file,
                               int32_t gpus_per_replica)
{
    if (gpus_per_replica % file->model_parallel_size == 0) {
        return (int32_t)(gpus_per_replica / file->model_parallel_size);
    }
    (void)deepspeed_fault(context, file, "model_parallel_size",
                          ws_build_text(context,
                                        "a replica of %d GPUs is no whole number of ranks of %lld",
                                        gpus_per_replica, (long long)file->model_parallel_size),
                          "does not divide it");
    return 0;
}

/** Of the legal numbers of ranks, those that are whole replicas. */
static size_t deepspeed_replicas(int32_t *sizes, size_t count, int32_t ranks)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        if (sizes[i] % ranks == 0) {
            sizes[kept++] = sizes[i] / ranks;
        }
    }
    return kept;
}

static bool deepspeed_rule(ws_build *context, const ws_file_deepspeed *file, ws_deepspeed *rule)
{
    int64_t parallel = file->model_parallel_size;
    bool by_nodes = file->version == 1;

    if (by_nodes && file->num_gpus_per_node % parallel != 0) {
        return deepspeed_fault(context, file, "num_gpus_per_node",
                               WS_TEXT("a node is a whole number of `model_parallel_size`"),
                               "not divisible");
    }
    *rule = (ws_deepspeed){.batch_max = file->max_train_batch_size,
                           .ranks_min = (file->min_gpus + parallel - 1) / parallel,
                           .ranks_max = file->max_gpus / parallel,
                           .prefers_smaller_batch = !file->prefer_larger_batch,
                           .ranks_per_node =
                               by_nodes ? (int32_t)(file->num_gpus_per_node / parallel) : 0};
    return deepspeed_micro(context, file, rule);
}

/** The batch is of whole ranks; a replica takes the micro-batches of all of its ranks at once. */
static bool deepspeed_batch(ws_build *context, const ws_deepspeed *rule, int64_t batch,
                            int32_t ranks, ws_batch *out)
{
    int32_t *micro = ws_build_new(context, int32_t, rule->micro_batch_count);

    if (micro == NULL) {
        return false;
    }
    for (size_t i = 0; i < rule->micro_batch_count; i++) {
        micro[i] = rule->micro_batches[i] * ranks;
    }
    *out = (ws_batch){.global_batch = (double)batch,
                      .micro_batches = micro,
                      .micro_batch_count = rule->micro_batch_count};
    return true;
}

bool ws_build_deepspeed(ws_build *context, const ws_file_deepspeed *file, ws_job_template *template)
{
    int32_t *sizes = ws_build_new(context, int32_t, WS_DEEPSPEED_SIZES_MAX);
    ws_deepspeed rule = {.batch_max = 0};
    int64_t batch = 0;

    if (sizes == NULL || !deepspeed_rule(context, file, &rule)) {
        return false;
    }
    int32_t ranks = deepspeed_ranks(context, file, template->kind.gpus_per_replica);
    if (ranks == 0) {
        return false;
    }
    size_t count = ws_deepspeed_sizes(&rule, &batch, sizes);
    count = deepspeed_replicas(sizes, count, ranks);
    if (count == 0) {
        return deepspeed_fault(context, file, "max_train_batch_size",
                               WS_TEXT("the elastic batch rule leaves no legal size"),
                               "within these limits");
    }
    template->legal = sizes;
    template->legal_count = count;
    template->replicas_min = sizes[0];
    template->replicas_max = sizes[count - 1];
    ws_build_assume(context, ws_build_text(context,
                                           "job %.*s: steps of %lld samples at each of %zu legal "
                                           "sizes, %d to %d replicas, by DeepSpeed's elastic "
                                           "batch rule",
                                           WS_TEXT_ARGS(template->kind.name), (long long)batch,
                                           count, sizes[0], sizes[count - 1]));
    return deepspeed_batch(context, &rule, batch, ranks, &template->batch);
}
