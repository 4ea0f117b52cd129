/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of GPUs. FLOP/s are dense: where a sheet shows sparse ones, half of them. */
#include <assert.h>

#include "ws/assert.h"
#include "ws/machine.h"

#define TERA 1e12
#define GB 1e9
#define TB 1e12
#define GIB 1073741824.0

const char *const ws_precision_names[] = {"fp32", "tf32", "bf16", "fp8", "fp4", NULL};

static_assert(WS_COUNT_OF(ws_precision_names) == WS_PRECISIONS + 1,
              "a name for each precision, then NULL");

static const ws_gpu_model gpu_models[] = {
    {.name = "V100-SXM2-32GB",
     .aliases = "V100 V100-SXM2",
     .generation = WS_GENERATION_VOLTA,
     .memory_bytes = 32 * GIB,
     .memory_bytes_per_s = 900 * GB,
     .flops_per_s = {[WS_FP32] = 15.7 * TERA, [WS_BF16] = 125 * TERA},
     .source = "NVIDIA V100 Tensor Core GPU datasheet, January 2020: FP16 tensor rate"},
    {.name = "A100-SXM4-40GB",
     .aliases = "A100-40GB",
     .generation = WS_GENERATION_AMPERE,
     .memory_bytes = 40 * GIB,
     .memory_bytes_per_s = 1555 * GB,
     .flops_per_s = {[WS_FP32] = 19.5 * TERA, [WS_TF32] = 156 * TERA, [WS_BF16] = 312 * TERA},
     .source = "NVIDIA A100 Tensor Core GPU datasheet, June 2021"},
    {.name = "A100-SXM4-80GB",
     .aliases = "A100 A100-80GB A100-SXM4 A800",
     .generation = WS_GENERATION_AMPERE,
     .memory_bytes = 80 * GIB,
     .memory_bytes_per_s = 2039 * GB,
     .flops_per_s = {[WS_FP32] = 19.5 * TERA, [WS_TF32] = 156 * TERA, [WS_BF16] = 312 * TERA},
     .source = "NVIDIA A100 Tensor Core GPU datasheet, June 2021"},
    {.name = "H100-SXM5-80GB",
     .aliases = "H100 H100-80GB H100-SXM5 H100-SXM H800",
     .generation = WS_GENERATION_HOPPER,
     .memory_bytes = 80 * GIB,
     .memory_bytes_per_s = 3350 * GB,
     .flops_per_s = {[WS_FP32] = 66.9 * TERA,
                     [WS_TF32] = 494.7 * TERA,
                     [WS_BF16] = 989.4 * TERA,
                     [WS_FP8] = 1978.9 * TERA},
     .source = "NVIDIA H100 Tensor Core GPU Architecture whitepaper v1.04, table of peak rates"},
    {.name = "H200-SXM-141GB",
     .aliases = "H200 H200-SXM H200-SXM5 H200-141GB",
     .generation = WS_GENERATION_HOPPER,
     .memory_bytes = 141 * GB,
     .memory_bytes_per_s = 4800 * GB,
     .flops_per_s = {[WS_FP32] = 66.9 * TERA,
                     [WS_TF32] = 494.7 * TERA,
                     [WS_BF16] = 989.4 * TERA,
                     [WS_FP8] = 1978.9 * TERA},
     .source = "NVIDIA H200 Tensor Core GPU datasheet; the chip is that of the H100"},
    {.name = "B200-SXM-180GB",
     .aliases = "B200 B200-SXM",
     .generation = WS_GENERATION_BLACKWELL,
     .memory_bytes = 180 * GB,
     .memory_bytes_per_s = 8 * TB,
     .flops_per_s = {[WS_FP32] = 75 * TERA,
                     [WS_TF32] = 1125 * TERA,
                     [WS_BF16] = 2250 * TERA,
                     [WS_FP8] = 4500 * TERA,
                     [WS_FP4] = 9000 * TERA},
     .source = "NVIDIA DGX B200 datasheet, an eighth of the node: 1440 GB, 64 TB/s, FP8 72 PFLOP/s "
               "sparse; NVIDIA HGX platform page for the other rates"},
    {.name = "GB200-186GB",
     .aliases = "GB200",
     .generation = WS_GENERATION_BLACKWELL,
     .memory_bytes = 186 * GB,
     .memory_bytes_per_s = 8 * TB,
     .flops_per_s = {[WS_FP32] = 80 * TERA,
                     [WS_TF32] = 1250 * TERA,
                     [WS_BF16] = 2500 * TERA,
                     [WS_FP8] = 5000 * TERA,
                     [WS_FP4] = 10000 * TERA},
     .source = "NVIDIA GB200 NVL72 product page, a 72nd of the rack: 13.4 TB, 576 TB/s, FP8 720 "
               "PFLOP/s sparse"},
    {.name = "MI300X-192GB",
     .aliases = "MI300X",
     .generation = WS_GENERATION_OTHER,
     .memory_bytes = 192 * GB,
     .memory_bytes_per_s = 5.3 * TB,
     .flops_per_s = {[WS_FP32] = 163.4 * TERA,
                     [WS_TF32] = 653.7 * TERA,
                     [WS_BF16] = 1307.4 * TERA,
                     [WS_FP8] = 2614.9 * TERA},
     .source = "AMD Instinct MI300X Accelerator data sheet, 2023"},
    {.name = "RTX-4090-24GB",
     .aliases = "RTX4090 RTX-4090",
     .generation = WS_GENERATION_OTHER,
     .memory_bytes = 24 * GIB,
     .memory_bytes_per_s = 1008 * GB,
     .flops_per_s = {[WS_FP32] = 82.6 * TERA,
                     [WS_TF32] = 82.6 * TERA,
                     [WS_BF16] = 165.2 * TERA,
                     [WS_FP8] = 330.3 * TERA},
     .source = "NVIDIA Ada GPU Architecture whitepaper v2, appendix A: rates with FP32 accumulate"},
    {.name = "TPU-v5p",
     .aliases = "v5p",
     .generation = WS_GENERATION_OTHER,
     .memory_bytes = 95 * GIB,
     .memory_bytes_per_s = 2765 * GB,
     .flops_per_s = {[WS_BF16] = 459 * TERA, [WS_FP8] = 459 * TERA},
     .source = "Google Cloud documentation, TPU v5p"},
};

static char gpu_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool gpu_same_name(ws_text a, ws_text b)
{
    if (a.length != b.length) {
        return false;
    }
    for (size_t i = 0; i < a.length; i++) {
        if (gpu_lower(a.start[i]) != gpu_lower(b.start[i])) {
            return false;
        }
    }
    return true;
}

static bool gpu_has_alias(const ws_gpu_model *model, ws_text name)
{
    ws_text rest = ws_text_of(model->aliases);

    while (rest.length > 0) {
        size_t end = ws_text_find_byte(rest, ' ');

        if (gpu_same_name(ws_text_slice(rest, 0, end), name)) {
            return true;
        }
        rest = ws_text_slice(rest, end + 1, rest.length);
    }
    return false;
}

const ws_gpu_model *ws_gpu_model_find(ws_text name)
{
    for (size_t i = 0; i < WS_COUNT_OF(gpu_models); i++) {
        const ws_gpu_model *model = &gpu_models[i];

        if (gpu_same_name(ws_text_of(model->name), name) || gpu_has_alias(model, name)) {
            return model;
        }
    }
    return NULL;
}

const ws_gpu_model *ws_gpu_model_at(size_t index)
{
    return index < WS_COUNT_OF(gpu_models) ? &gpu_models[index] : NULL;
}
