/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GPUs of published tables: which of the known models they are, and where they differ. */
#include "ws/scaling.h"

#include "ws/assert.h"

#define GB 1e9

typedef struct {
    const char *part;    /* of what a table calls it */
    const char *model;   /* of ws/machine.h */
    double memory_bytes; /* 0: as the model's */
    double memory_bytes_per_s;
} scaling_gpu;

/* The first that is contained. The H100 of 96 GB has HBM2e, the GB300 288 GB of HBM3e. */
static const scaling_gpu scaling_gpus[] = {
    {"GB300", "GB200-186GB", 279 * GB, 0}, {"GB200", "GB200-186GB", 0, 0},
    {"H200", "H200-SXM-141GB", 0, 0},      {"H100-96GB", "H100-SXM5-80GB", 96 * GB, 2400 * GB},
    {"H100", "H100-SXM5-80GB", 0, 0},      {"A100", "A100-SXM4-80GB", 0, 0},
    {"V100-32GB", "V100-SXM2-32GB", 0, 0}, {"V100-16GB", "V100-SXM2-32GB", 16 * GB, 0},
};

/* True when `name` contains `part`. */
static bool gpu_contains(ws_text name, ws_text part)
{
    for (size_t at = 0; at + part.length <= name.length; at++) {
        if (ws_text_starts_with(ws_text_slice(name, at, name.length), part)) {
            return true;
        }
    }
    return false;
}

bool ws_scaling_gpu_find(ws_text name, ws_transformer_gpu *gpu, ws_gpu_generation *generation)
{
    for (size_t i = 0; i < WS_COUNT_OF(scaling_gpus); i++) {
        const scaling_gpu *known = &scaling_gpus[i];
        if (!gpu_contains(name, ws_text_of(known->part))) {
            continue;
        }
        const ws_gpu_model *model = ws_gpu_model_find(ws_text_of(known->model));
        WS_ASSERT(model != NULL);
        *gpu = ws_transformer_gpu_of(model);
        *generation = model->generation;
        gpu->memory_bytes = known->memory_bytes > 0 ? known->memory_bytes : gpu->memory_bytes;
        gpu->memory_bytes_per_s =
            known->memory_bytes_per_s > 0 ? known->memory_bytes_per_s : gpu->memory_bytes_per_s;
        return true;
    }
    return false;
}
