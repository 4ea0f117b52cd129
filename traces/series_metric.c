/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Metrics of GPU exporters, with their units. Sources: NVIDIA dcgm-exporter, default-counters.csv
 * and its help texts; utkuozdemir/nvidia_gpu_exporter, METRICS.md;
 * mindprince/nvidia_gpu_prometheus_exporter and pytimer/gpu-exporter, README; cAdvisor,
 * docs/storage/prometheus.md.
 */
#include <math.h>

#include "ws/trace_series.h"

static const ws_trace_metric metric_unknown = {.name = "", .unit = ""};

static const ws_trace_metric metrics[] = {
    /* DCGM: device */
    {"DCGM_FI_DEV_GPU_UTIL", "%", 100},
    {"DCGM_FI_DEV_MEM_COPY_UTIL", "%", 100},
    {"DCGM_FI_DEV_ENC_UTIL", "%", 100},
    {"DCGM_FI_DEV_DEC_UTIL", "%", 100},
    {"DCGM_FI_DEV_SM_CLOCK", "MHz", 0},
    {"DCGM_FI_DEV_MEM_CLOCK", "MHz", 0},
    {"DCGM_FI_DEV_GPU_TEMP", "C", 0},
    {"DCGM_FI_DEV_MEMORY_TEMP", "C", 0},
    {"DCGM_FI_DEV_POWER_USAGE", "W", 0},
    {"DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", "mJ", 0},
    {"DCGM_FI_DEV_FB_TOTAL", "MiB", 0},
    {"DCGM_FI_DEV_FB_FREE", "MiB", 0},
    {"DCGM_FI_DEV_FB_USED", "MiB", 0},
    {"DCGM_FI_DEV_FB_RESERVED", "MiB", 0},
    {"DCGM_FI_DEV_XID_ERRORS", "Xid", 0},
    /* DCGM: profiling */
    {"DCGM_FI_PROF_GR_ENGINE_ACTIVE", "ratio", 1},
    {"DCGM_FI_PROF_SM_ACTIVE", "ratio", 1},
    {"DCGM_FI_PROF_SM_OCCUPANCY", "ratio", 1},
    {"DCGM_FI_PROF_PIPE_TENSOR_ACTIVE", "ratio", 1},
    {"DCGM_FI_PROF_PIPE_FP64_ACTIVE", "ratio", 1},
    {"DCGM_FI_PROF_PIPE_FP32_ACTIVE", "ratio", 1},
    {"DCGM_FI_PROF_PIPE_FP16_ACTIVE", "ratio", 1},
    {"DCGM_FI_PROF_DRAM_ACTIVE", "ratio", 1},
    {"DCGM_FI_PROF_PCIE_TX_BYTES", "B/s", 0},
    {"DCGM_FI_PROF_PCIE_RX_BYTES", "B/s", 0},
    {"DCGM_FI_PROF_NVLINK_TX_BYTES", "B/s", 0},
    {"DCGM_FI_PROF_NVLINK_RX_BYTES", "B/s", 0},
    /* DCGM under the names of older exporters */
    {"dcgm_gpu_utilization", "%", 100},
    {"dcgm_mem_copy_utilization", "%", 100},
    {"dcgm_enc_utilization", "%", 100},
    {"dcgm_dec_utilization", "%", 100},
    {"dcgm_sm_clock", "MHz", 0},
    {"dcgm_memory_clock", "MHz", 0},
    {"dcgm_gpu_temp", "C", 0},
    {"dcgm_memory_temp", "C", 0},
    {"dcgm_power_usage", "W", 0},
    {"dcgm_total_energy_consumption", "mJ", 0},
    {"dcgm_fb_free", "MiB", 0},
    {"dcgm_fb_used", "MiB", 0},
    /* nvidia_gpu_exporter */
    {"nvidia_smi_utilization_gpu_ratio", "ratio", 1},
    {"nvidia_smi_utilization_memory_ratio", "ratio", 1},
    {"nvidia_smi_fan_speed_ratio", "ratio", 1},
    {"nvidia_smi_power_draw_watts", "W", 0},
    {"nvidia_smi_temperature_gpu", "C", 0},
    {"nvidia_smi_memory_total_bytes", "B", 0},
    {"nvidia_smi_memory_used_bytes", "B", 0},
    {"nvidia_smi_memory_free_bytes", "B", 0},
    /* older exporters, cAdvisor */
    {"nvidia_gpu_utilization", "%", 100},
    {"nvidia_gpu_duty_cycle", "%", 100},
    {"nvidia_gpu_memory_total_mb", "MB", 0},
    {"nvidia_gpu_memory_used_mb", "MB", 0},
    {"container_accelerator_duty_cycle", "%", 100},
    {"container_accelerator_memory_total_bytes", "B", 0},
    {"container_accelerator_memory_used_bytes", "B", 0},
};

static char metric_lower(char byte)
{
    return byte >= 'A' && byte <= 'Z' ? (char)(byte - 'A' + 'a') : byte;
}

static bool metric_begins(ws_text name, ws_text with)
{
    for (size_t i = 0; i < with.length; i++) {
        if (i >= name.length || metric_lower(name.start[i]) != metric_lower(with.start[i])) {
            return false;
        }
    }
    return true;
}

const ws_trace_metric *ws_trace_metric_find(ws_text name)
{
    for (size_t i = 0; i < WS_COUNT_OF(metrics); i++) {
        ws_text known = ws_text_of(metrics[i].name);

        if (name.length == known.length && metric_begins(name, known)) {
            return &metrics[i];
        }
    }
    return &metric_unknown;
}

/* The first of four numbers that follow each other: blank, not found, not supported, not permitted.
 */
#define METRIC_BLANK_INT32 2147483632.0          /* 0x7ffffff0 */
#define METRIC_BLANK_FP64 140737488355328.0      /* 2^47 */
#define METRIC_BLANK_INT64 9223372036854775808.0 /* 0x7ffffffffffffff0, nearest to 2^63 */
#define METRIC_BLANK_KINDS 3.0

bool ws_trace_value_is_blank(ws_text name, double value)
{
    if (isnan(value)) {
        return true;
    }
    if (name.length > 0 && !metric_begins(name, WS_TEXT("dcgm_"))) {
        return false;
    }
    return (value >= METRIC_BLANK_INT32 && value <= METRIC_BLANK_INT32 + METRIC_BLANK_KINDS) ||
           (value >= METRIC_BLANK_FP64 && value <= METRIC_BLANK_FP64 + METRIC_BLANK_KINDS) ||
           (value >= METRIC_BLANK_INT64 && value <= METRIC_BLANK_INT64 * (1 + 1e-12));
}
