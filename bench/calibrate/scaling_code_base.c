/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the programs that were measured do, as their papers and sources say. Nothing here is fitted.
 */
#include "ws/scaling.h"

#define MIB (1024.0 * 1024)
#define ADAM                                                                                       \
    30          /* bytes: reads and writes 4-byte weight and two moments, reads the gradient,      \
                   writes the 2-byte weight */
#define LAMB 60 /* twice that: norms of the updates are known only after a pass */
#define ONE_BUCKET 1e12

/*
 * - Megatron-LM of 2021: fused but plain attention, full recomputation, gradients reduced in fp16
 *   after the backward, no sequence parallelism (Narayanan et al., SC21).
 * - DeepSpeed's ZeRO-3 as measured beside it: gathers each tensor of a layer by itself (12 of a GPT
 *   layer, biases included).
 * - Megatron-LM as MegaScale's authors ran it: distributed optimizer, interleaved, sequence
 *   parallel, selective recomputation, gradients in fp32 after the backward. MegaScale overlaps
 *   them and its tensor collectives (Jiang et al., NSDI 24).
 * - TorchTitan: FSDP2, reduces in fp32, one unit a layer; its selective recomputation keeps every
 *   other product.
 * - NeMo, of the DGX Cloud benchmarks: distributed optimizer with overlap, no recomputation.
 * - NVIDIA's BERT: LAMB, gradients of all layers in one piece after the backward
 *   (--allreduce_post_accumulation).
 * - nanotron: ZeRO-1, gradients accumulated in fp32.
 * - Llama 3: gradients sharded and reduced in fp32, no recomputation; a chunk of the pipeline is
 * one layer, so that a stage has 8 (Dubey et al., sec. 3.3).
 */
static const ws_scaling_code_base scaling_code_bases[] = {
    {.prefix = "megatron-sc21-t2-zero3",
     .name = "deepspeed-zero3",
     .unknown =
         "how it cuts and prefetches its gathers is not published; the time of a hop stands for it",
     .sharding = WS_SHARD_PARAMETERS,
     .recompute = WS_RECOMPUTE_FULL,
     .optimizer_traffic = ADAM,
     .bucket_bytes = ONE_BUCKET,
     .gathers_per_layer = 12,
     .plain_attention = true,
     .counts_recompute = true},
    {.prefix = "megatron",
     .name = "megatron-2021",
     .sharding = WS_SHARD_NOTHING,
     .recompute = WS_RECOMPUTE_FULL,
     .optimizer_traffic = ADAM,
     .bucket_bytes = ONE_BUCKET,
     .gathers_per_layer = 1,
     .plain_attention = true,
     .counts_recompute = true},
    {.prefix = "opt",
     .name = "opt",
     .sharding = WS_SHARD_PARAMETERS,
     .recompute = WS_RECOMPUTE_FULL,
     .optimizer_traffic = ADAM,
     .bucket_bytes = ONE_BUCKET,
     .gathers_per_layer = 1,
     .plain_attention = true,
     .overlaps_gradients = true,
     .counts_recompute = true},
    {.prefix = "bloom",
     .name = "megatron-deepspeed",
     .sharding = WS_SHARD_OPTIMIZER,
     .recompute = WS_RECOMPUTE_FULL,
     .optimizer_traffic = ADAM,
     .bucket_bytes = ONE_BUCKET,
     .gathers_per_layer = 1,
     .plain_attention = true,
     .counts_recompute = true},
    {.prefix = "megascale-t2-megatron",
     .name = "megatron-2023",
     .overlaps_sends = true,
     .sharding = WS_SHARD_OPTIMIZER,
     .recompute = WS_RECOMPUTE_SELECTIVE,
     .gradient_bytes = 4,
     .optimizer_traffic = ADAM,
     .bucket_bytes = ONE_BUCKET,
     .gathers_per_layer = 1,
     .sequence_parallel = true},
    {.prefix = "megascale-t2-megascale",
     .name = "megascale",
     .overlaps_sends = true,
     .sharding = WS_SHARD_GRADIENTS,
     .recompute = WS_RECOMPUTE_SELECTIVE,
     .gradient_bytes = 4,
     .optimizer_traffic = ADAM,
     .bucket_bytes = 200 * MIB,
     .gathers_per_layer = 1,
     .sequence_parallel = true,
     .overlaps_gradients = true},
    {.prefix = "titan",
     .name = "torchtitan",
     .unknown = "products of a narrow tensor-parallel shard and attention over context blocks are "
                "slower than whole ones; one efficiency stands for all",
     .sharding = WS_SHARD_PARAMETERS,
     .recompute = WS_RECOMPUTE_ALTERNATE,
     .selective = WS_RECOMPUTE_ALTERNATE,
     .gradient_bytes = 4,
     .optimizer_traffic = ADAM,
     .bucket_bytes = 25 * MIB,
     .gathers_per_layer = 1,
     .sequence_parallel = true,
     .overlaps_gradients = true},
    {.prefix = "dgxc",
     .name = "nemo",
     .unknown = "mixtures and dense models share one efficiency of products",
     .overlaps_sends = true,
     .sharding = WS_SHARD_OPTIMIZER,
     .recompute = WS_RECOMPUTE_NONE,
     .optimizer_traffic = ADAM,
     .bucket_bytes = 200 * MIB,
     .gathers_per_layer = 1,
     .sequence_parallel = true,
     .overlaps_gradients = true},
    {.prefix = "oci",
     .name = "nemo",
     .overlaps_sends = true,
     .sharding = WS_SHARD_OPTIMIZER,
     .recompute = WS_RECOMPUTE_NONE,
     .optimizer_traffic = ADAM,
     .bucket_bytes = 200 * MIB,
     .gathers_per_layer = 1,
     .sequence_parallel = true,
     .overlaps_gradients = true},
    {.prefix = "bert",
     .name = "nvidia-bert",
     .sharding = WS_SHARD_NOTHING,
     .recompute = WS_RECOMPUTE_NONE,
     .optimizer_traffic = LAMB,
     .bucket_bytes = ONE_BUCKET,
     .gathers_per_layer = 1,
     .plain_attention = true},
    {.prefix = "nanotron",
     .name = "nanotron",
     .unknown = "the host that launches kernels, and settings that exhaust memory, bound small "
                "micro-batches and wide tensor parallelism; the shape is not printed",
     .sharding = WS_SHARD_OPTIMIZER,
     .recompute = WS_RECOMPUTE_NONE,
     .gradient_bytes = 4,
     .optimizer_traffic = ADAM,
     .bucket_bytes = 25 * MIB,
     .gathers_per_layer = 1,
     .sequence_parallel = true},
    {.prefix = "llama3",
     .name = "llama3",
     .overlaps_sends = true,
     .interleave = 8,
     .sharding = WS_SHARD_GRADIENTS,
     .recompute = WS_RECOMPUTE_NONE,
     .gradient_bytes = 4,
     .optimizer_traffic = ADAM,
     .bucket_bytes = 200 * MIB,
     .gathers_per_layer = 1,
     .sequence_parallel = true,
     .overlaps_gradients = true},
};

const ws_scaling_code_base *ws_scaling_code_base_find(ws_text group)
{
    for (size_t i = 0; i < WS_COUNT_OF(scaling_code_bases); i++) {
        if (ws_text_starts_with(group, ws_text_of(scaling_code_bases[i].prefix))) {
            return &scaling_code_bases[i];
        }
    }
    return NULL;
}
