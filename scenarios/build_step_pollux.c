/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The step model `pollux`. */
#include "build_step.h"
#include "ws/step_pollux.h"

typedef struct {
    ws_duration alpha_c;
    double beta_c;
    ws_duration alpha_n;
    ws_duration beta_n;
    ws_duration alpha_r;
    ws_duration beta_r;
    double gamma;
    int64_t micro_batch;
} pollux_file;

static const ws_parameter pollux_rows[] = {
    {.name = "alpha_c",
     .kind = WS_PARAMETER_DURATION,
     .offset = offsetof(pollux_file, alpha_c),
     .required = true,
     .help = "computing a micro-batch takes alpha_c + beta_c x samples"},
    {.name = "beta_c",
     .kind = WS_PARAMETER_PER_WORK,
     .offset = offsetof(pollux_file, beta_c),
     .required = true,
     .help = "4.5ms/sample"},
    {.name = "alpha_n",
     .kind = WS_PARAMETER_DURATION,
     .offset = offsetof(pollux_file, alpha_n),
     .required = true,
     .help = "synchronising K replicas over several nodes takes alpha_n + beta_n x max(K - 2, 0)"},
    {.name = "beta_n",
     .kind = WS_PARAMETER_DURATION,
     .offset = offsetof(pollux_file, beta_n),
     .default_text = "0s",
     .help = "each replica from the third on"},
    {.name = "alpha_r",
     .kind = WS_PARAMETER_DURATION,
     .offset = offsetof(pollux_file, alpha_r),
     .required = true,
     .help = "likewise on one node"},
    {.name = "beta_r",
     .kind = WS_PARAMETER_DURATION,
     .offset = offsetof(pollux_file, beta_r),
     .default_text = "0s",
     .help = "likewise"},
    {.name = "gamma",
     .kind = WS_PARAMETER_NUMBER,
     .offset = offsetof(pollux_file, gamma),
     .default_text = "1",
     .min = "1",
     .max = "10",
     .help = "overlap of the two: 1 is none, 10 nearly all"},
    {.name = "micro_batch",
     .kind = WS_PARAMETER_COUNT,
     .offset = offsetof(pollux_file, micro_batch),
     .default_text = "0",
     .help = "most samples of one replica at a time, above it gradients are accumulated; 0: its "
             "whole share of the global batch"},
};
const ws_parameter_table ws_file_pollux_table = {.noun = "pollux",
                                                 .rows = pollux_rows,
                                                 .count = WS_COUNT_OF(pollux_rows),
                                                 .bytes = sizeof(pollux_file)};

static bool pollux_read(ws_build *context, ws_build_model *model)
{
    pollux_file file = {.gamma = 1};
    ws_pollux *pollux = ws_build_new(context, ws_pollux, 1);

    if (pollux == NULL || !ws_parameters_read((ws_document *)model->value, WS_TEXT("step.pollux"),
                                              &(ws_parameter_binding){
                                                  .table = &ws_file_pollux_table, .object = &file},
                                              1, context->arena, context->diag)) {
        return false;
    }
    *pollux = (ws_pollux){.theta = {.alpha_c = ws_duration_s(file.alpha_c),
                                    .beta_c = file.beta_c,
                                    .alpha_n = ws_duration_s(file.alpha_n),
                                    .beta_n = ws_duration_s(file.beta_n),
                                    .alpha_r = ws_duration_s(file.alpha_r),
                                    .beta_r = ws_duration_s(file.beta_r),
                                    .gamma = file.gamma},
                          .batch = {.micro_batch = (double)file.micro_batch}};
    model->parameters = pollux;
    model->unit = WS_WORK_SAMPLES;
    return file.alpha_c.ns > 0 || file.beta_c > 0 ||
           ws_build_error(context, 3107, ws_build_at(model->value, "beta_c"),
                          WS_TEXT("one of `alpha_c` and `beta_c` is longer than 0"),
                          "no time at all", WS_TEXT(""));
}

static bool pollux_apply(ws_build *context, const ws_build_model *model, const ws_file_stage *stage,
                         ws_stage_spec *spec)
{
    ws_pollux *pollux = ws_build_new(context, ws_pollux, 1);

    if (pollux == NULL || !ws_build_need_batch(context, model, stage, spec)) {
        return false;
    }
    *pollux = *(const ws_pollux *)model->parameters;
    spec->batch.micro_batch = pollux->batch.micro_batch;
    pollux->batch = spec->batch;
    spec->step = (ws_step){.type = &ws_step_pollux, .parameters = pollux};
    return true;
}

const ws_build_step_kind ws_build_step_pollux = {
    .type = &ws_step_pollux,
    .shape = "`{pollux: {...}}`",
    .read = pollux_read,
    .apply = pollux_apply,
};
