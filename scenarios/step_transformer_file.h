/* SPDX-License-Identifier: GPL-3.0-or-later */
/** `step: {transformer: {...}}` as it is written. */
#ifndef WS_SCENARIOS_STEP_TRANSFORMER_FILE_H
#define WS_SCENARIOS_STEP_TRANSFORMER_FILE_H

#include "file.h"
#include "ws/machine.h"

typedef struct {
    const ws_document *self;
    int64_t layers;
    int64_t hidden;
    int64_t heads;
    int64_t kv_heads;
    int64_t head_size;
    int64_t ffn;
    bool gated;
    int64_t vocabulary;
    int64_t sequence;
    int64_t experts;
    int64_t experts_used;
    int64_t expert_ffn;
    int64_t shared_ffn;
    int64_t experts_every;
    int64_t dense_first;
    bool biases;
    bool learned_positions;
    bool untied;
    bool dropout;
    bool bidirectional;
    bool plain_attention;
} ws_file_transformer_model;

typedef struct {
    const ws_document *self;
    int64_t tensor;
    int64_t pipeline;
    int64_t interleave;
    int64_t context;
    int64_t expert;
    bool sequence;
    int32_t sharding;
    int64_t shard;
} ws_file_transformer_parallel;

typedef struct {
    const ws_document *self;
    double products;
    double attention;
    double memory;
    ws_duration launch;
    bool overlap_gradients;
    double overlap_tensor;
    double overlap_pipeline;
    double overlap_expert;
    double interference;
    int64_t bucket;
    int64_t gathers_per_layer;
    int64_t optimizer_traffic;
} ws_file_transformer_software;

/** `batch`: what a global batch counts. */
enum { WS_FILE_BATCH_SAMPLES, WS_FILE_BATCH_TOKENS };

typedef struct {
    const ws_document *self;
    ws_file_transformer_model model;
    ws_file_transformer_parallel parallel;
    ws_text gpu;
    int32_t precision;
    int32_t recompute;
    int32_t batch;
    int64_t micro_batch;
    ws_file_transformer_software software;
    int64_t reserve;
    int64_t gradient_bytes;
    int64_t optimizer_bytes;
    double input;
    double jitter;
    ws_duration hiccup;
} ws_file_transformer;

/** The precision of a choice: fp16 counts as bf16. */
ws_precision ws_file_transformer_precision(int32_t choice);

#endif
