/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The step model `profile`. */
#include "build_step.h"

typedef struct {
    double compute;
    int64_t bytes;
    double overlap;
    int64_t micro_batch;
    int64_t buckets;
    double stall;
} profile_file;

static const ws_parameter profile_rows[] = {
    {.name = "compute",
     .kind = WS_PARAMETER_PER_WORK,
     .offset = offsetof(profile_file, compute),
     .required = true,
     .help = "of one replica, forward and backward: 310ms/sample"},
    {.name = "bytes",
     .kind = WS_PARAMETER_BYTES,
     .offset = offsetof(profile_file, bytes),
     .required = true,
     .help = "of gradients that a replica reduces in a step"},
    {.name = "overlap",
     .kind = WS_PARAMETER_FRACTION,
     .offset = offsetof(profile_file, overlap),
     .default_text = "0%",
     .help = "of the last micro-batch's compute that communication hides behind"},
    {.name = "micro_batch",
     .kind = WS_PARAMETER_COUNT,
     .offset = offsetof(profile_file, micro_batch),
     .default_text = "0",
     .help = "samples of one replica at a time; 0: its whole share of the global batch"},
    {.name = "buckets",
     .kind = WS_PARAMETER_COUNT,
     .offset = offsetof(profile_file, buckets),
     .default_text = "10",
     .min = "1",
     .help = "of gradients; the last one cannot hide"},
    {.name = "stall",
     .kind = WS_PARAMETER_FRACTION,
     .offset = offsetof(profile_file, stall),
     .default_text = "0%",
     .max = "99%",
     .help = "share of each step in which the GPUs wait for input, whatever the size"},
};
const ws_parameter_table ws_file_profile_table = {.noun = "profile",
                                                  .rows = profile_rows,
                                                  .count = WS_COUNT_OF(profile_rows),
                                                  .bytes = sizeof(profile_file)};

static bool profile_check(ws_build *context, const ws_document *value, const profile_file *file)
{
    if (context->scenario->network == NULL) {
        return ws_build_error(
            context, 4104, value->at,
            WS_TEXT("a `profile` needs a `network` to say what communication costs"),
            "over which links?",
            WS_TEXT("add `network: {intra_node: {bandwidth: 450GB/s}, inter_node: "
                    "{bandwidth: 400Gb/s, per: gpu}}`"));
    }
    return file->compute > 0 ||
           ws_build_error(context, 3107, ws_build_at(value, "compute"),
                          WS_TEXT("`compute` is longer than 0"), "no time at all", WS_TEXT(""));
}

static bool profile_read(ws_build *context, ws_build_model *model)
{
    profile_file file = {.compute = 0};
    ws_profile *profile = ws_build_new(context, ws_profile, 1);

    if (profile == NULL ||
        !ws_parameters_read(
            (ws_document *)model->value, WS_TEXT("step.profile"),
            &(ws_parameter_binding){.table = &ws_file_profile_table, .object = &file}, 1,
            context->arena, context->diag) ||
        !profile_check(context, model->value, &file)) {
        return false;
    }
    *profile = (ws_profile){.network = context->scenario->network,
                            .compute_s_per_sample = file.compute,
                            .bytes = (double)file.bytes,
                            .batch = {.micro_batch = (double)file.micro_batch},
                            .overlap = file.overlap,
                            .buckets = (double)file.buckets,
                            .stall = file.stall};
    model->parameters = profile;
    model->unit = WS_WORK_SAMPLES;
    return true;
}

static bool profile_apply(ws_build *context, const ws_build_model *model,
                          const ws_file_stage *stage, ws_stage_spec *spec)
{
    ws_profile *profile = ws_build_new(context, ws_profile, 1);

    if (profile == NULL || !ws_build_need_batch(context, model, stage, spec)) {
        return false;
    }
    *profile = *(const ws_profile *)model->parameters;
    spec->batch.micro_batch = profile->batch.micro_batch;
    profile->batch = spec->batch;
    spec->step = (ws_step){.type = &ws_step_profile, .parameters = profile};
    return true;
}

const ws_build_step_kind ws_build_step_profile = {
    .type = &ws_step_profile,
    .shape = "`{profile: {...}}`",
    .read = profile_read,
    .apply = profile_apply,
};
