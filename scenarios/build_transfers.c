/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checkpoints, loads and image pulls: each is a time, or a size that is moved over the storage or
 * the registry. A size becomes a flow, whose time follows from who else transfers; where the
 * storage is not shared, a time again.
 */
#include "build.h"

#define TRANSFERS_SHARED 0 /* of `storage.checkpoint.sharing` */

static ws_channel_spec transfers_channel(const ws_file_channel *file)
{
    return (ws_channel_spec){.bytes_per_s = file->bandwidth,
                             .node_bytes_per_s = file->per_node,
                             .latency = file->latency};
}

static bool transfers_share_storage(const ws_build *context)
{
    const ws_file_store *store = context->file->storage.checkpoint;

    return store != NULL && store->sharing == TRANSFERS_SHARED;
}

void ws_build_channels(ws_build *context)
{
    WS_ASSERT(context->file != NULL);

    const ws_file_registry *registry = context->file->registry;
    const ws_file_store *store = context->file->storage.checkpoint;
    ws_channel_spec *channels = context->scenario->channels;

    if (transfers_share_storage(context)) {
        channels[WS_CHANNEL_WRITE] = transfers_channel(&store->write);
        channels[WS_CHANNEL_READ] = transfers_channel(&store->read);
    }
    if (registry != NULL) {
        channels[WS_CHANNEL_REGISTRY] = (ws_channel_spec){.bytes_per_s = registry->bandwidth,
                                                          .node_bytes_per_s = registry->per_node};
    }
}

/** Time of a transfer of `bytes` that has a channel for itself; the longest duration when it is
 * beyond that. */
static ws_duration transfers_alone(int64_t bytes, const ws_file_channel *channel)
{
    ws_time end = {.ns = ws_duration_of_s((double)bytes / channel->bandwidth).ns};

    return (ws_duration){.ns = ws_time_add(end, channel->latency).ns};
}

/** Bytes of a flow; 0 where the storage is not shared. */
static double transfers_bytes(ws_build *context, int64_t size)
{
    if (!transfers_share_storage(context)) {
        return 0;
    }
    context->scenario->has_transfers = true;
    return (double)size;
}

/** @param message  what needs the storage @param instead  "or give a time here" */
static bool transfers_no_storage(ws_build *context, ws_span at, ws_text message,
                                 const char *instead)
{
    return ws_build_error(
        context, 4104, at, message, "how long does that take?",
        ws_build_text(context,
                      "add `storage: {checkpoint: {write: {bandwidth: 40GB/s}, read: "
                      "{bandwidth: 60GB/s}}}`%s",
                      instead));
}

/* ---- checkpoints ---- */

/** A size beside a time: which of them holds? */
static bool transfers_both_forms(ws_build *context, const ws_file_checkpoint *file)
{
    const char *time = file->has_write ? "write" : "read";

    return ws_build_fault(
        context,
        &(ws_diagnostic){
            .code = 2302,
            .message =
                ws_build_text(context, "a checkpoint has both a `size` and a time to `%s`", time),
            .at = ws_build_key_at(file->self, time),
            .label = WS_TEXT("remove this one"),
            .also = ws_build_key_at(file->self, "size"),
            .also_label = WS_TEXT("or this one"),
            .notes = {WS_TEXT("with `size` the times follow from `storage.checkpoint` and from who "
                              "else uses it")}});
}

static bool transfers_check_checkpoint(ws_build *context, const ws_file_checkpoint *file)
{
    if (file->every.ns == 0 && file->every_steps == 0) {
        return ws_build_error(context, 2102, file->self->at,
                              WS_TEXT("nothing says when a checkpoint is written"),
                              "this checkpoint", WS_TEXT("add `every: 30m` or `every_steps: 500`"));
    }
    if (file->has_size && (file->has_write || file->has_read)) {
        return transfers_both_forms(context, file);
    }
    if ((file->has_write && file->has_read) ||
        (file->has_size && context->file->storage.checkpoint != NULL)) {
        return true;
    }
    if (file->has_size) {
        return transfers_no_storage(
            context, ws_build_at(file->self, "size"),
            WS_TEXT(
                "a checkpoint's `size` needs `storage.checkpoint` to say how fast it is written"),
            ", or give `write` and `read` times here");
    }
    return ws_build_error(
        context, 2102, file->self->at, WS_TEXT("nothing says how long a checkpoint takes"),
        "this checkpoint",
        WS_TEXT("add `size:` with `storage.checkpoint`, or `write:` and `read:`"));
}

bool ws_build_checkpoint(ws_build *context, const ws_file_checkpoint *file, ws_job_kind *kind)
{
    WS_ASSERT(kind != NULL);

    const ws_file_store *store = context->file->storage.checkpoint;

    if (file == NULL) {
        return true;
    }
    if (!transfers_check_checkpoint(context, file)) {
        return false;
    }
    kind->has_checkpoint = true;
    kind->checkpoint = (ws_checkpoint_spec){.every = file->every,
                                            .write = file->write,
                                            .read = file->read,
                                            .before_resize = file->before_resize};
    if (file->has_size) {
        kind->checkpoint.write = transfers_alone(file->size, &store->write);
        kind->checkpoint.read = transfers_alone(file->size, &store->read);
        kind->checkpoint.write_bytes = transfers_bytes(context, file->size);
        kind->checkpoint.read_bytes = kind->checkpoint.write_bytes;
    }
    return ws_build_keep_price(context, file, &kind->checkpoint);
}

/* ---- cold starts ---- */

bool ws_build_worker_start(ws_build *context, const ws_file_worker_start *file,
                           ws_worker_start *start)
{
    WS_ASSERT(start != NULL);

    const ws_file_store *store = context->file->storage.checkpoint;

    *start = (ws_worker_start){
        .container = file->container,
        .framework = file->framework,
        .rendezvous = file->rendezvous,
        .init = file->init,
        .load = file->load,
        .warm_up = file->warm_up,
    };
    if (file->load_size == NULL) {
        return true;
    }
    if (store == NULL) {
        return transfers_no_storage(
            context, ws_build_at(file->load_size->self, "size"),
            WS_TEXT("a load's `size` needs `storage.checkpoint` to say how fast it is read"),
            ", or give a time here");
    }
    ws_duration alone = transfers_alone(file->load_size->size, &store->read);
    start->load = ws_distribution_constant(ws_duration_s(alone));
    start->load_bytes = transfers_bytes(context, file->load_size->size);
    return true;
}

/* ---- training data ---- */

/** Steps that wait for data at the size that the job starts with, even when nobody else reads. */
static void transfers_warn_waiting(ws_build *context, const ws_file_data *file,
                                   const ws_job_template *template, const ws_stage_spec *stage)
{
    const ws_job_kind *kind = &template->kind;
    const ws_network *network = context->scenario->network;
    size_t pool = 0;

    while (((kind->pools >> pool) & 1) == 0) {
        pool++;
    }
    ws_world world =
        ws_job_world_packed(kind, pool, &context->scenario->pools[pool],
                            network != NULL ? &network->fabric : NULL, template->replicas_initial);
    ws_pace pace = ws_stage_pace(stage, &world, 0);
    double given = ws_stage_read_bytes_per_s(stage, &world, &pace);
    if (pace.reading < 0.01) {
        return;
    }
    ws_build_warn(
        context,
        &(ws_diagnostic){
            .code = 4314,
            .message = ws_build_text(
                context,
                "job `%.*s`, stage `%.*s`: at its initial size it waits for data %.0f %% of the "
                "time, even when nobody else reads",
                WS_TEXT_ARGS(kind->name), WS_TEXT_ARGS(stage->name), 100 * pace.reading),
            .at = ws_build_at(file->self, "bytes_per_sample"),
            .label = ws_build_text(context, "%.3g GB/s of the %.3g that they need", given / 1e9,
                                   given / (1 - pace.reading) / 1e9)});
}

bool ws_build_data(ws_build *context, const ws_file_data *file, ws_job_template *template)
{
    const ws_file_store *store = context->file->storage.checkpoint;
    bool is_read = false;

    WS_ASSERT(template != NULL);
    if (file == NULL) {
        return true;
    }
    if (store == NULL) {
        return transfers_no_storage(
            context, ws_build_at(file->self, "bytes_per_sample"),
            WS_TEXT("training data needs `storage.checkpoint` to say how fast it is read"), "");
    }
    template->kind.data.storage = transfers_channel(&store->read);
    for (size_t i = 0; i < template->stage_count; i++) {
        const ws_stage_spec *stage = &template->stages[i].spec;
        if (stage->read_bytes > 0) {
            is_read = true;
            transfers_warn_waiting(context, file, template, stage);
        }
    }
    template->kind.data.is_shared = transfers_bytes(context, file->bytes_per_sample) > 0;
    return is_read ||
           ws_build_error(context, 4205, file->self->at,
                          WS_TEXT("every stage is a `duration`, which does not say how many "
                                  "samples are read"),
                          "read by none of them", WS_TEXT("state their `work`, or remove `data`"));
}

bool ws_build_image(ws_build *context, const ws_file_cold_start *file, ws_node_start *start)
{
    WS_ASSERT(start != NULL);

    const ws_file_image *image = file->image;

    if (image == NULL) {
        return true;
    }
    if (context->file->registry == NULL) {
        return ws_build_error(
            context, 4104, ws_build_at(image->self, "size"),
            WS_TEXT("an image's `size` needs a `registry` to say how fast it is pulled"),
            "how long does that take?",
            WS_TEXT("add `registry: {bandwidth: 25Gb/s}`, or give a time here"));
    }
    start->image_bytes = (double)image->size;
    start->keeps_image = image->has_cached;
    start->cached = image->cached;
    context->scenario->has_transfers = true;
    return true;
}
