/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The model of collectives: its name, the keys that belong to it, and its parameters. */
#include "build_network.h"
#include "ws/nccl.h"

/* ---- which ---- */

static bool collectives_find(ws_build *context, const ws_file_collectives *file,
                             const ws_collective_type **type)
{
    const char *names[32] = {NULL};
    size_t count = 0;

    *type = ws_collective_find(file->model);
    if (*type != NULL) {
        return true;
    }
    for (; count < WS_COUNT_OF(names) && ws_collective_at(count) != NULL; count++) {
        names[count] = ws_collective_at(count)->name;
    }
    ws_text shown = ws_build_shown(file->model);
    return ws_build_error(
        context, 2203, ws_build_at(file->self, "model"),
        ws_build_text(context, "`%.*s` is not a model of collectives", WS_TEXT_ARGS(shown)),
        "unknown model", ws_build_known(context, "model", names, count, file->model));
}

/** A key, and the model that it belongs to. */
typedef struct {
    const char *key;
    const ws_collective_type *type;
    const ws_collective_type *other; /* likewise; NULL: none */
} collectives_key;

static const collectives_key collectives_keys[] = {
    {"version", &ws_collective_nccl, NULL},
    {"gpu", &ws_collective_nccl, NULL},
    {"joint", &ws_collective_nccl, NULL},
    {"processor", &ws_collective_nccl, NULL},
    {"sharp", &ws_collective_nccl, NULL},
    {"servers", &ws_collective_parameter_server, NULL},
    {"asynchronous", &ws_collective_parameter_server, NULL},
    {"measured", &ws_collective_measured, &ws_collective_square_root},
};

/** Keys of other models would be passed over: an error. */
static bool collectives_check_keys(ws_build *context, const ws_file_collectives *file,
                                   const ws_collective_type *type)
{
    bool sound = true;

    for (size_t i = 0; i < WS_COUNT_OF(collectives_keys); i++) {
        const collectives_key *key = &collectives_keys[i];

        if (!ws_build_is_given(file->self, key->key) || key->type == type || key->other == type) {
            continue;
        }
        sound = ws_build_error(
            context, 4108, ws_build_key_at(file->self, key->key),
            ws_build_text(context, "the model `%s` does not use `%s`", type->name, key->key),
            "of another model",
            ws_build_text(context, "write `model: %s`, or remove it", key->type->name));
    }
    return sound;
}

/* ---- NCCL ---- */

static bool collectives_version(ws_build *context, const ws_file_collectives *file, ws_nccl *nccl)
{
    const char *names[32] = {NULL};
    size_t count = 0;

    nccl->constants =
        file->version.length == 0 ? ws_nccl_constants_at(0) : ws_nccl_constants_find(file->version);
    if (nccl->constants != NULL) {
        return true;
    }
    for (; count < WS_COUNT_OF(names) && ws_nccl_constants_at(count) != NULL; count++) {
        names[count] = ws_nccl_constants_at(count)->version;
    }
    ws_text shown = ws_build_shown(file->version);
    return ws_build_error(
        context, 2203, ws_build_at(file->self, "version"),
        ws_build_text(context, "the constants of NCCL `%.*s` are not known", WS_TEXT_ARGS(shown)),
        "unknown version", ws_build_known(context, "version", names, count, file->version));
}

/** The oldest generation among the pools, as NCCL takes the lowest compute capability. */
static bool collectives_generation(ws_build *context, const ws_file_collectives *file,
                                   ws_nccl *nccl)
{
    nccl->generation = WS_GENERATION_OTHER;
    if (file->has_gpu) {
        nccl->generation = (ws_gpu_generation)file->gpu;
        return true;
    }
    for (size_t i = 0; i < context->scenario->pool_count; i++) {
        const ws_gpu_model *model = context->scenario->pools[i].gpu_model;

        if (model != NULL && model->generation < nccl->generation) {
            nccl->generation = model->generation;
        }
    }
    if (nccl->generation != WS_GENERATION_OTHER) {
        return true;
    }
    ws_text type = ws_build_shown(context->scenario->pools[0].gpu_type);
    return ws_build_error(
        context, 4104, ws_build_at(file->self, "model"),
        ws_build_text(context, "NCCL's constants do not know the GPU type `%.*s`",
                      WS_TEXT_ARGS(type)),
        "of which GPUs?",
        WS_TEXT("add `gpu: hopper` to `collectives`, or take another model, `ring`"));
}

static bool collectives_nccl(ws_build *context, const ws_file_collectives *file,
                             const ws_machine *machine, ws_network *network)
{
    ws_nccl *nccl = ws_build_new(context, ws_nccl, 1);
    bool has_pcie = machine != NULL && machine->joint == WS_JOINED_BY_PCIE;

    if (nccl == NULL || !collectives_version(context, file, nccl) ||
        !collectives_generation(context, file, nccl)) {
        return false;
    }
    if (file->has_joint) {
        has_pcie = file->joint == 1;
    }
    nccl->joint = has_pcie ? WS_NCCL_PCIE : WS_NCCL_NVLINK;
    nccl->amd_processor = file->processor == 1;
    nccl->collnet = file->sharp;
    network->collective_parameters = nccl;
    return true;
}

/* ---- all of it ---- */

/* How much a stale gradient is worth is not modelled: what the run says of progress is a bound. */
static void collectives_warn_stale(ws_build *context, const ws_file_collectives *file)
{
    ws_build_warn(
        context,
        &(ws_diagnostic){
            .code = 4319,
            .message = WS_TEXT("asynchronous servers: what stale gradients lose is not modelled"),
            .at = ws_build_at(file->self, "asynchronous"),
            .label = WS_TEXT("gradients of n replicas are up to n - 1 steps old"),
            .notes = {WS_TEXT("a step counts in full, so that times to the end are lower bounds, "
                              "further from the truth the larger the world")}});
}

static bool collectives_servers(ws_build *context, const ws_file_collectives *file,
                                ws_network *network)
{
    ws_servers *servers = ws_build_new(context, ws_servers, 1);

    if (servers == NULL) {
        return false;
    }
    if (file->asynchronous) {
        collectives_warn_stale(context, file);
    }
    *servers = (ws_servers){.count = (int32_t)file->servers, .asynchronous = file->asynchronous};
    network->collective_parameters = servers;
    return true;
}

bool ws_build_collectives(ws_build *context, const ws_file_collectives *file,
                          const ws_machine *machine, ws_network *network)
{
    WS_ASSERT(network != NULL);

    const ws_collective_type *type = NULL;

    if (file == NULL) {
        return true;
    }
    if (!collectives_find(context, file, &type) || !collectives_check_keys(context, file, type)) {
        return false;
    }
    network->reduce_s_per_byte = file->has_reduce ? 1 / file->reduce : 0;
    network->collectives = type;
    if (type == &ws_collective_nccl) {
        return collectives_nccl(context, file, machine, network);
    }
    if (type == &ws_collective_parameter_server) {
        return collectives_servers(context, file, network);
    }
    return (type != &ws_collective_measured && type != &ws_collective_square_root) ||
           ws_build_measured_collectives(context, file, network);
}
