/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sizes of a stated job: which are legal, and which can be reached. */
#include "build.h"

/** The key that lists the sizes, one way or the other. */
static const char *sizes_list_key(const ws_file_job *file)
{
    return file->replicas.deepspeed != NULL ? "deepspeed" : "sizes";
}

static bool sizes_fault(ws_build *context, const ws_file_job *file, const char *key,
                        ws_text message, const char *label, ws_text help)
{
    return ws_build_error(context, 4203, ws_build_at(file->replicas.self, key), message, label,
                          help);
}

/* ---- a list of sizes ---- */

/** One size of a list; it must be above the one before it. */
static bool sizes_read_one(ws_build *context, const ws_document *size, int32_t before,
                           int32_t *value)
{
    ws_quantity quantity = {.integer = 0};

    if (!ws_build_quantity(context, size, WS_QUANTITY_INTEGER, WS_TEXT("sizes"), &quantity)) {
        return false;
    }
    if (quantity.integer < 1 || quantity.integer > WS_REPLICAS_MAX) {
        return ws_build_error(
            context, 3107, size->at,
            ws_build_text(context, "`sizes` are between 1 and %d", WS_REPLICAS_MAX), "outside",
            WS_TEXT(""));
    }
    if (quantity.integer <= before) {
        return ws_build_error(context, 3107, size->at, WS_TEXT("`sizes` ascend"),
                              "not above the size before it", WS_TEXT(""));
    }
    *value = (int32_t)quantity.integer;
    return true;
}

static bool sizes_read_list(ws_build *context, const ws_document *sizes, ws_job_template *template)
{
    bool sound = true;

    if (sizes->kind != WS_DOCUMENT_LIST || sizes->count == 0) {
        return ws_build_error(context, 2201, sizes->at, WS_TEXT("`sizes` is a list of replicas"),
                              "not such a list", WS_TEXT("write `[2, 4, 8, 16]`"));
    }
    int32_t *legal = ws_build_new(context, int32_t, sizes->count);
    if (legal == NULL) {
        return false;
    }
    for (size_t i = 0; sound && i < sizes->count; i++) {
        sound =
            sizes_read_one(context, sizes->entries[i].value, i == 0 ? 0 : legal[i - 1], &legal[i]);
    }
    template->legal = legal;
    template->legal_count = sizes->count;
    template->replicas_min = legal[0];
    template->replicas_max = legal[sizes->count - 1];
    return sound;
}

/** The machine of the network's preset, when it has slices. */
static const ws_machine *sizes_sliced(const ws_build *context)
{
    const ws_file_network *network = context->file->network;
    const ws_machine *machine = network != NULL ? ws_machine_find(network->preset) : NULL;

    return machine != NULL && machine->slices != NULL ? machine : NULL;
}

/** `sizes: slices`: the slices of the machine that are whole replicas. */
static bool sizes_read_slices(ws_build *context, const ws_file_job *file, ws_job_template *template)
{
    const ws_machine *machine = sizes_sliced(context);
    size_t count = 0;

    if (machine == NULL) {
        return ws_build_error(context, 4104, file->replicas.sizes->at,
                              WS_TEXT("`slices` are of a machine that is sold in slices"),
                              "of which machine?",
                              WS_TEXT("add `network: {preset: tpu-v5p-pod}`, or list the sizes"));
    }
    while (machine->slices[count] != 0) {
        count++;
    }
    int32_t *legal = ws_build_new(context, int32_t, count);
    if (legal == NULL) {
        return false;
    }
    template->legal = legal;
    template->legal_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (machine->slices[i] % file->gpus.per_replica == 0) {
            legal[template->legal_count++] = (int32_t)(machine->slices[i] / file->gpus.per_replica);
        }
    }
    if (template->legal_count == 0) {
        return sizes_fault(
            context, file, "sizes",
            ws_build_text(context, "no slice of a `%s` is a whole replica", machine->name), "none",
            ws_build_text(context, "its smallest slice has %d chips", machine->slices[0]));
    }
    template->replicas_min = legal[0];
    template->replicas_max = legal[template->legal_count - 1];
    return true;
}

/* ---- what is legal ---- */

/** Why a size is none of the legal ones, in a few words. */
static const char *sizes_illegal_label(ws_build *context, const ws_job_template *template)
{
    if (template->legal != NULL) {
        return template->batch.global_batch > 0 ? "not one that the elastic batch rule allows"
                                                : "not one of `sizes`";
    }
    if (template->replicas_initial < template->replicas_min) {
        return "less than `min`";
    }
    if (template->replicas_initial > template->replicas_max) {
        return "more than `max`";
    }
    return ws_build_text(context, "not %d plus a multiple of %d", template->replicas_min,
                         template->replicas_step)
        .start;
}

ws_job_spec ws_build_probe(const ws_job_template *template, const ws_stage_spec *stage)
{
    WS_ASSERT(template != NULL);
    WS_ASSERT(template->legal != NULL || template->legal_count == 0);

    return (ws_job_spec){.replicas_min = template->replicas_min,
                         .replicas_max = template->replicas_max,
                         .replicas_step = template->replicas_step,
                         .legal = template->legal,
                         .legal_count = template->legal_count,
                         .stages = stage,
                         .stage_count = 1};
}

/** `initial` must be one of the legal sizes. */
static bool sizes_check_initial(ws_build *context, const ws_file_job *file,
                                const ws_job_template *template)
{
    ws_stage_spec stage = {.replicas_min = 1, .replicas_max = WS_REPLICAS_MAX};
    ws_job_spec probe = ws_build_probe(template, &stage);
    int32_t below = ws_job_legal_at_most(&probe, 0, template->replicas_initial);
    int32_t above = ws_job_legal_at_least(&probe, 0, template->replicas_initial);

    WS_ASSERT(template->replicas_min <= template->replicas_max);
    if (below == template->replicas_initial) {
        return true;
    }
    ws_text help = below > 0 && above > 0
                       ? ws_build_text(context, "use %d or %d", below, above)
                       : ws_build_text(context, "use %d", below > 0 ? below : above);
    return sizes_fault(context, file, "initial",
                       ws_build_text(context, "`initial: %d` is not a legal size of job `%.*s`",
                                     template->replicas_initial, WS_TEXT_ARGS(file->name)),
                       sizes_illegal_label(context, template), help);
}

/** A range, or a list in its place. */
static bool sizes_read(ws_build *context, const ws_file_job *file, ws_job_template *template)
{
    const ws_file_replicas *replicas = &file->replicas;

    template->replicas_initial = (int32_t)replicas->initial;
    template->replicas_min = (int32_t)(replicas->min > 0 ? replicas->min : replicas->initial);
    template->replicas_max = (int32_t)(replicas->max > 0 ? replicas->max : replicas->initial);
    template->replicas_step = (int32_t)(replicas->step > 0 ? replicas->step : 1);
    if (replicas->sizes == NULL && replicas->deepspeed == NULL) {
        return true;
    }
    if (replicas->sizes != NULL && replicas->deepspeed != NULL) {
        return sizes_fault(context, file, "deepspeed",
                           WS_TEXT("`replicas` has both `sizes` and `deepspeed`"), "keep one",
                           WS_TEXT(""));
    }
    if (replicas->min > 0 || replicas->max > 0 || replicas->step > 0) {
        const char *key = replicas->sizes != NULL ? "sizes" : "deepspeed";
        return sizes_fault(
            context, file, key, ws_build_text(context, "`replicas` has both `%s` and a range", key),
            "keep one", ws_build_text(context, "remove `min`, `max` and `step`, or `%s`", key));
    }
    if (replicas->deepspeed != NULL) {
        return ws_build_deepspeed(context, replicas->deepspeed, template);
    }
    if (replicas->sizes->kind == WS_DOCUMENT_SCALAR &&
        ws_text_is(replicas->sizes->scalar, "slices")) {
        return sizes_read_slices(context, file, template);
    }
    return sizes_read_list(context, replicas->sizes, template);
}

/** A mode that keeps one size for ever takes no range. */
static bool sizes_check_mode(ws_build *context, const ws_file_job *file,
                             const ws_job_template *template)
{
    const ws_elasticity_type *mode = template->kind.elasticity;
    const char *key = template->legal != NULL  ? sizes_list_key(file)
                      : file->replicas.max > 0 ? "max"
                                               : "min";

    if (mode->may_start_smaller || template->replicas_min == template->replicas_max) {
        return true;
    }
    return sizes_fault(
        context, file, key,
        ws_build_text(context,
                      "job `%.*s` has a range of sizes, but its mode `%s` never changes the size",
                      WS_TEXT_ARGS(file->name), mode->name),
        "never reached", WS_TEXT("add `elasticity: {mode: restart}`, or keep `initial` alone"));
}

bool ws_build_sizes(ws_build *context, const ws_file_job *file, ws_job_template *template)
{
    WS_ASSERT(template != NULL);
    if (!sizes_read(context, file, template)) {
        return false;
    }
    if (template->replicas_min > template->replicas_max) {
        const ws_document *map = file->replicas.self;
        return ws_build_fault(
            context,
            &(ws_diagnostic){
                .code = 4203,
                .message = ws_build_text(context, "`min` is above `max` in job `%.*s`",
                                         WS_TEXT_ARGS(file->name)),
                .at = ws_build_at(map, file->replicas.min > 0 ? "min" : "initial"),
                .label = ws_build_text(context, "%d replicas at least", template->replicas_min),
                .also = ws_build_at(map, file->replicas.max > 0 ? "max" : "initial"),
                .also_label = ws_build_text(context, "but at most %d", template->replicas_max)});
    }
    return sizes_check_mode(context, file, template) &&
           sizes_check_initial(context, file, template);
}

/* ---- what can be reached ---- */

/** "h100-od 16 x 8 + h100-spot 32 x 8 = 384; `--strict` ...": how the pools that a kind accepts add
 * up. */
static ws_text sizes_reach_note(ws_build *context, const ws_job_kind *kind)
{
    const ws_scenario *scenario = context->scenario;
    ws_text sum = {.length = 0};
    int64_t gpus = 0;

    for (size_t pool = 0; pool < scenario->pool_count; pool++) {
        const ws_pool_spec *spec = &scenario->pools[pool];

        if (((kind->pools >> pool) & 1) == 0) {
            continue;
        }
        sum = ws_build_text(context, "%.*s%s%.*s %d x %d", WS_TEXT_ARGS(sum),
                            sum.length == 0 ? "" : " + ", WS_TEXT_ARGS(spec->name), spec->nodes_max,
                            spec->gpus_per_node);
        gpus += (int64_t)spec->nodes_max * spec->gpus_per_node;
    }
    int64_t whole = ws_build_reachable_replicas(context, kind) * kind->gpus_per_replica;
    return whole == gpus
               ? ws_build_text(context, "%.*s = %lld", WS_TEXT_ARGS(sum), (long long)gpus)
               : ws_build_text(context, "%.*s = %lld, %lld of them in whole replicas of %d",
                               WS_TEXT_ARGS(sum), (long long)gpus, (long long)whole,
                               kind->gpus_per_replica);
}

/** "all pools together", when a job accepts them all. */
static const char *sizes_reach_words(const ws_build *context, const ws_job_kind *kind)
{
    size_t count = context->scenario->pool_count;

    WS_ASSERT(count >= 1);
    return kind->pools == UINT64_MAX >> (64 - count) ? "all pools together"
                                                     : "the pools that it accepts";
}

/** The largest of the sizes without which a stage cannot run. */
static int32_t sizes_least(const ws_job_template *template)
{
    ws_job_spec probe = ws_build_probe(template, NULL);
    bool smaller = template->kind.elasticity->may_start_smaller;
    int32_t least = 0;

    for (size_t i = 0; i < template->stage_count; i++) {
        probe.stages = &template->stages[i].spec;
        int32_t here = smaller ? ws_job_legal_at_least(&probe, 0, 1) : template->replicas_initial;
        least = here > least ? here : least;
    }
    return least;
}

static bool sizes_out_of_reach(ws_build *context, const ws_file_job *file,
                               const ws_job_template *template, int32_t least)
{
    const ws_job_kind *kind = &template->kind;
    const char *key = kind->elasticity->may_start_smaller && file->replicas.min > 0 ? "min"
                      : template->legal != NULL ? sizes_list_key(file)
                                                : "initial";
    int64_t reach = ws_build_reachable_replicas(context, kind) * kind->gpus_per_replica;

    return ws_build_fault(
        context,
        &(ws_diagnostic){.code = 4303,
                         .message = ws_build_text(
                             context, "job `%.*s` needs %lld GPUs; %s reach %lld",
                             WS_TEXT_ARGS(file->name), (long long)least * kind->gpus_per_replica,
                             sizes_reach_words(context, kind), (long long)reach),
                         .at = ws_build_at(file->replicas.self, key),
                         .label = WS_TEXT("it would wait for ever, and block the queue"),
                         .notes = {sizes_reach_note(context, kind)}});
}

bool ws_build_check_reach(ws_build *context, const ws_file_job *file,
                          const ws_job_template *template)
{
    WS_ASSERT(template != NULL);

    const ws_job_kind *kind = &template->kind;
    int64_t reach = ws_build_reachable_replicas(context, kind);
    int32_t least = sizes_least(template);
    const char *key = file->replicas.max > 0    ? "max"
                      : template->legal != NULL ? sizes_list_key(file)
                                                : "initial";

    if (least > reach) {
        return sizes_out_of_reach(context, file, template, least);
    }
    if (template->replicas_max <= reach) {
        return true;
    }
    ws_text sum = sizes_reach_note(context, kind);
    ws_build_warn(
        context,
        &(ws_diagnostic){
            .code = 4301,
            .message = ws_build_text(context, "job `%.*s` may ask for %lld GPUs; %s reach %lld",
                                     WS_TEXT_ARGS(file->name),
                                     (long long)template->replicas_max * kind->gpus_per_replica,
                                     sizes_reach_words(context, kind),
                                     (long long)(reach * kind->gpus_per_replica)),
            .at = ws_build_at(file->replicas.self, key),
            .label = ws_build_text(context, "sizes above %lld never happen", (long long)reach),
            .notes = {ws_build_text(context, "%.*s; `--strict` makes this an error",
                                    WS_TEXT_ARGS(sum))}});
    return true;
}
