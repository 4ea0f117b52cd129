/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys of jobs and stages that say what a step is worth, when it pauses, and which batch it has. */
#include "file.h"
#include "ws/efficiency.h"

#define ROW(structure, field) .name = #field, .offset = offsetof(structure, field)
#define SELF(structure)                                                                            \
    {                                                                                              \
        .kind = WS_PARAMETER_SELF, .offset = offsetof(structure, self)                             \
    }

static const ws_parameter efficiency_rows[] = {
    SELF(ws_file_efficiency),
    {ROW(ws_file_efficiency, noise_scale), .kind = WS_PARAMETER_DOCUMENT,
     .help =
         "gradient noise scale in samples: a number, {0%: 900, 50%: 5900} over the progress, or "
         "{file: validation-BATCH.csv}; absent: all samples are worth the same"},
    {ROW(ws_file_efficiency, batch), .kind = WS_PARAMETER_COUNT, .required = true, .min = "1",
     .help = "samples of a step at which work is counted: M0"},
    {ROW(ws_file_efficiency, learning_rate), .kind = WS_PARAMETER_CHOICE,
     .choices = ws_learning_rate_names, .choice_noun = "a rule of the learning rate",
     .default_text = "kept",
     .help = "how it follows the batch from `batch` on; noted, and changes no pace"},
};
const ws_parameter_table ws_file_efficiency_table = {.noun = "efficiency",
                                                     .rows = efficiency_rows,
                                                     .count = WS_COUNT_OF(efficiency_rows),
                                                     .bytes = sizeof(ws_file_efficiency)};

static const ws_parameter evaluation_rows[] = {
    SELF(ws_file_evaluation),
    {ROW(ws_file_evaluation, every), .kind = WS_PARAMETER_WORK, .required = true,
     .help = "work between two evaluations: 1k steps"},
    {ROW(ws_file_evaluation, time), .kind = WS_PARAMETER_DURATION, .required = true, .min = "1ms",
     .help = "of one evaluation; booked as useful"},
};
const ws_parameter_table ws_file_evaluation_table = {.noun = "evaluation",
                                                     .rows = evaluation_rows,
                                                     .count = WS_COUNT_OF(evaluation_rows),
                                                     .bytes = sizeof(ws_file_evaluation)};

static const ws_parameter schedule_rows[] = {
    SELF(ws_file_schedule),
    {ROW(ws_file_schedule, preset), .kind = WS_PARAMETER_NAME, .required = true,
     .help = "name of the schedule"},
    {ROW(ws_file_schedule, scale), .kind = WS_PARAMETER_PERCENT, .default_text = "100%",
     .min = "0.0001%", .max = "10000%", .help = "of the work of every stage"},
};
const ws_parameter_table ws_file_schedule_table = {.noun = "schedule",
                                                   .rows = schedule_rows,
                                                   .count = WS_COUNT_OF(schedule_rows),
                                                   .bytes = sizeof(ws_file_schedule)};

static const char *const version_choices[] = {"0.1", "0.2", NULL};

static const ws_parameter deepspeed_rows[] = {
    SELF(ws_file_deepspeed),
    {ROW(ws_file_deepspeed, max_train_batch_size), .kind = WS_PARAMETER_COUNT, .required = true,
     .min = "1", .max = "100M", .help = "largest global batch, samples"},
    {ROW(ws_file_deepspeed, micro_batch_sizes), .kind = WS_PARAMETER_INTEGER_LIST, .required = true,
     .min = "1", .max = "1000000",
     .help = "that fit a data-parallel rank; the largest that divides its share is taken"},
    {ROW(ws_file_deepspeed, min_gpus), .kind = WS_PARAMETER_INTEGER, .default_text = "1",
     .min = "1", .max = "100000000", .help = "fewest GPUs"},
    {ROW(ws_file_deepspeed, max_gpus), .kind = WS_PARAMETER_INTEGER, .min = "1", .max = "100000000",
     .help = "most GPUs; default: as many as have the smallest micro-batch each"},
    {ROW(ws_file_deepspeed, prefer_larger_batch), .kind = WS_PARAMETER_BOOL, .default_text = "true",
     .help = "of batches with as many legal sizes"},
    {ROW(ws_file_deepspeed, version), .kind = WS_PARAMETER_CHOICE, .choices = version_choices,
     .choice_noun = "a version of the rule", .default_text = "0.1",
     .help = "0.1 counts GPUs, 0.2 whole nodes"},
    {ROW(ws_file_deepspeed, model_parallel_size), .kind = WS_PARAMETER_INTEGER, .default_text = "1",
     .min = "1", .max = "100000", .help = "GPUs of a data-parallel rank; divides a replica's"},
    {ROW(ws_file_deepspeed, num_gpus_per_node), .kind = WS_PARAMETER_INTEGER, .default_text = "8",
     .min = "1", .max = "1024", .help = "of version 0.2"},
};
const ws_parameter_table ws_file_deepspeed_table = {.noun = "deepspeed",
                                                    .rows = deepspeed_rows,
                                                    .count = WS_COUNT_OF(deepspeed_rows),
                                                    .bytes = sizeof(ws_file_deepspeed)};
