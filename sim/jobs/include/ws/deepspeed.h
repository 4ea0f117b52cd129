/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * DeepSpeed's elastic batch: one global batch that many numbers of GPUs can divide, and these
 * numbers.
 *
 * The bases are the micro-batches and their least common multiple. Each, unless it is above the
 * largest batch B*, is multiplied by the largest highly composite number that keeps it at most B*.
 * Of these candidates the one with most legal numbers of ranks is taken: divisors of B / m for a
 * micro-batch m that divides B, within the limits; of several the larger one, or the smaller.
 * Version 0.2 does the same in nodes, with B* divided by the data-parallel ranks of a node; where
 * the size at hand is not legal then, the batch is the largest one not above B* that it divides
 * with a micro-batch. Source: DeepSpeed, deepspeed/elasticity/elasticity.py
 * (github.com/deepspeedai/DeepSpeed), and its documentation of elasticity.
 */
#ifndef WS_DEEPSPEED_H
#define WS_DEEPSPEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WS_DEEPSPEED_BATCH_MAX INT64_C(100000000)
#define WS_DEEPSPEED_MICRO_BATCHES_MAX 64

/** Most legal numbers of ranks of one batch: micro-batches x divisors of a number to 10^8 (768). */
#define WS_DEEPSPEED_SIZES_MAX ((size_t)WS_DEEPSPEED_MICRO_BATCHES_MAX * 768)

typedef struct {
    int64_t batch_max;            /* B*, 1..WS_DEEPSPEED_BATCH_MAX */
    const int32_t *micro_batches; /* ascending, >= 1, the first at most B* */
    size_t micro_batch_count;     /* 1..WS_DEEPSPEED_MICRO_BATCHES_MAX */
    int64_t ranks_min;            /* limits of the data-parallel ranks; >= 1 */
    int64_t ranks_max;            /* >= ranks_min; 0: B* / the smallest micro-batch */
    bool prefers_smaller_batch;   /* of several with as many legal sizes */
    int32_t ranks_per_node; /* data-parallel ranks of a node, of version 0.2; 0: version 0.1 */
} ws_deepspeed;

/**
 * The batch, and the legal numbers of data-parallel ranks, ascending.
 *
 * @param sizes  room for WS_DEEPSPEED_SIZES_MAX
 * @return       how many sizes; 0: none is legal within the limits, `*batch` is 0 then
 */
size_t ws_deepspeed_sizes(const ws_deepspeed *rule, int64_t *batch, int32_t *sizes);

/**
 * Version 0.2's batch and micro-batch for exactly this number of ranks.
 *
 * @return  false when no micro-batch fits B* at it
 */
bool ws_deepspeed_at(const ws_deepspeed *rule, int32_t ranks, int64_t *batch, int32_t *micro_batch);

#endif
