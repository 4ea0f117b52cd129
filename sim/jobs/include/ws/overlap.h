/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * How much of a sequence of collectives hides behind compute, and what waiting for the slowest of
 * many costs.
 */
#ifndef WS_OVERLAP_H
#define WS_OVERLAP_H

#include <stddef.h>
#include <stdint.h>

/** Gradients that are reduced together. */
typedef struct {
    double bytes;   /* of one GPU */
    double ready_s; /* when the last of them exists, from the beginning of the backward */
} ws_bucket;

/**
 * Time by which reducing the buckets, one after the other, outlasts a backward of `backward_s`:
 * bucket i starts at max(ready_i, end of i - 1) and takes seconds[i]; max(0, end of the last -
 * backward_s). Source: S. Li et al., PyTorch Distributed, VLDB 13 (2020).
 *
 * @param seconds  of each bucket; `buckets` are in the order in which they get ready
 */
double ws_overlap_exposed_s(const ws_bucket *buckets, const double *seconds, size_t count,
                            double backward_s);

/** The same for `count` equal buckets of `each_s` that get ready at equal distances, the last of
 * them at the end: max(c, N c - (N - 1)/N T). */
double ws_overlap_equal_exposed_s(double count, double each_s, double backward_s);

/**
 * Units of a sharded model that are gathered while the one before them computes:
 * gather_s + (units - 1) max(0, gather_s - compute_s). Source: Y. Zhao et al., PyTorch FSDP, VLDB
 * 16 (2023), on prefetching.
 */
double ws_overlap_prefetch_exposed_s(double units, double gather_s, double compute_s);

/** Mean of the largest of n standard normal draws, Blom's approximation: Phi^-1((n - 0.375)/(n +
 * 0.25)). Source: G. Blom, Statistical Estimates and Transformed Beta-Variables (1958). */
double ws_straggler_normal(double n);

/** Mean of the largest of n exponential draws of mean 1: 1 + 1/2 + ... + 1/n. */
double ws_straggler_exponential(int64_t n);

#endif
