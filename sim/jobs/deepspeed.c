/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ws/deepspeed.h"

#include "ws/assert.h"

/** Highly composite numbers: more divisors than any smaller number. */
static const int64_t deepspeed_composites[] = {
    1,      2,      4,      6,      12,     24,     36,     48,     60,    120,
    180,    240,    360,    720,    840,    1260,   1680,   2520,   5040,  7560,
    10080,  15120,  20160,  25200,  27720,  45360,  50400,  55440,  83160, 110880,
    166320, 221760, 277200, 332640, 498960, 554400, 665280, 720720,
};

static int64_t deepspeed_gcd(int64_t a, int64_t b)
{
    WS_ASSERT(a >= 1);

    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/** The least common multiple of the micro-batches; 0 when it is above `most`. */
static int64_t deepspeed_common(const ws_deepspeed *rule, int64_t most)
{
    int64_t common = 1;

    for (size_t i = 0; i < rule->micro_batch_count; i++) {
        int64_t micro = rule->micro_batches[i];
        WS_ASSERT(micro >= 1);
        common = common / deepspeed_gcd(common, micro) * micro;
        if (common > most) {
            return 0;
        }
    }
    return common;
}

/** The largest batch that a base is scaled to; 0 for a base above the largest batch. */
static int64_t deepspeed_candidate(int64_t base, int64_t batch_max)
{
    int64_t factor = 0;

    if (base == 0) {
        return 0;
    }
    for (size_t i = 0; i < WS_COUNT_OF(deepspeed_composites); i++) {
        if (deepspeed_composites[i] <= batch_max / base) {
            factor = deepspeed_composites[i];
        }
    }
    return base * factor;
}

/** Puts a size that is within limits where it belongs in an ascending array, once. Returns the new
 * count. */
static size_t deepspeed_insert(int32_t *sizes, size_t count, const int64_t limits[2], int64_t size)
{
    size_t at = count;

    if (size < limits[0] || size > limits[1]) {
        return count;
    }
    while (at > 0 && sizes[at - 1] >= size) {
        if (sizes[at - 1] == size) {
            return count;
        }
        at--;
    }
    for (size_t i = count; i > at; i--) {
        sizes[i] = sizes[i - 1];
    }
    sizes[at] = (int32_t)size;
    return count + 1;
}

/** Divisors of a number within limits are added to an ascending array. */
static size_t deepspeed_divisors(int64_t number, const int64_t limits[2], int32_t *sizes,
                                 size_t count)
{
    for (int64_t low = 1; low * low <= number; low++) {
        if (number % low != 0) {
            continue;
        }
        count = deepspeed_insert(sizes, count, limits, low);
        count = deepspeed_insert(sizes, count, limits, number / low);
    }
    return count;
}

static size_t deepspeed_legal(const ws_deepspeed *rule, int64_t batch, const int64_t limits[2],
                              int32_t *sizes)
{
    size_t count = 0;

    for (size_t i = 0; i < rule->micro_batch_count; i++) {
        if (batch % rule->micro_batches[i] == 0) {
            count = deepspeed_divisors(batch / rule->micro_batches[i], limits, sizes, count);
        }
    }
    return count;
}

/** The candidate of the base at an index: the micro-batches, then their common multiple. */
static int64_t deepspeed_candidate_at(const ws_deepspeed *rule, size_t index, int64_t batch_max)
{
    int64_t base = index < rule->micro_batch_count ? rule->micro_batches[index]
                                                   : deepspeed_common(rule, batch_max);
    return deepspeed_candidate(base, batch_max);
}

/** Version 0.1, for batches up to `batch_max`. */
static size_t deepspeed_choose(const ws_deepspeed *rule, int64_t batch_max, const int64_t limits[2],
                               int64_t *batch, int32_t *sizes)
{
    size_t best = 0;

    *batch = 0;
    for (size_t i = 0; i <= rule->micro_batch_count; i++) {
        int64_t candidate = deepspeed_candidate_at(rule, i, batch_max);
        size_t count = candidate == 0 ? 0 : deepspeed_legal(rule, candidate, limits, sizes);
        bool wins_tie = rule->prefers_smaller_batch ? candidate < *batch : candidate > *batch;

        if (count > best || (count == best && count > 0 && wins_tie)) {
            best = count;
            *batch = candidate;
        }
    }
    return *batch == 0 ? 0 : deepspeed_legal(rule, *batch, limits, sizes);
}

size_t ws_deepspeed_sizes(const ws_deepspeed *rule, int64_t *batch, int32_t *sizes)
{
    int32_t per_node = rule->ranks_per_node > 0 ? rule->ranks_per_node : 1;
    int64_t ranks_max =
        rule->ranks_max > 0 ? rule->ranks_max : rule->batch_max / rule->micro_batches[0];
    int64_t limits[2] = {(rule->ranks_min + per_node - 1) / per_node, ranks_max / per_node};

    WS_ASSERT(rule->batch_max >= 1);
    WS_ASSERT(rule->batch_max <= WS_DEEPSPEED_BATCH_MAX);
    WS_ASSERT(rule->micro_batch_count >= 1);
    WS_ASSERT(rule->micro_batch_count <= WS_DEEPSPEED_MICRO_BATCHES_MAX);
    WS_ASSERT(rule->ranks_min >= 1);
    size_t count = deepspeed_choose(rule, rule->batch_max / per_node, limits, batch, sizes);
    *batch *= per_node;
    for (size_t i = 0; i < count; i++) {
        sizes[i] *= per_node;
    }
    return count;
}

/** The largest micro-batch that divides a rank's share; 0: none. */
static int32_t deepspeed_micro(const ws_deepspeed *rule, int64_t share)
{
    for (size_t i = rule->micro_batch_count; i > 0; i--) {
        if (share % rule->micro_batches[i - 1] == 0) {
            return rule->micro_batches[i - 1];
        }
    }
    return 0;
}

bool ws_deepspeed_at(const ws_deepspeed *rule, int32_t ranks, int64_t *batch, int32_t *micro_batch)
{
    int64_t best = 0;

    WS_ASSERT(ranks >= 1);
    for (size_t i = 0; i < rule->micro_batch_count; i++) {
        int64_t smallest = (int64_t)ranks * rule->micro_batches[i];
        int64_t here = rule->batch_max / smallest * smallest;
        best = here > best ? here : best;
    }
    if (best == 0) {
        return false;
    }
    *batch = best;
    *micro_batch = deepspeed_micro(rule, best / ranks);
    return true;
}
