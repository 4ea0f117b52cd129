/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Single decisions on an average, as documented: ceil(current x metric / target) outside a
 * tolerance of 0.1. At exactly 1.1 the closed interval of Kubernetes 1.33 holds, and the older test
 * scales, since 1.1 - 1 is 0.10000000000000009 in doubles. At 0.9 both hold, since 1 - 0.9 is
 * 0.09999999999999998.
 */
#ifndef WS_TESTS_HPA_SINGLE_DECISIONS_H
#define WS_TESTS_HPA_SINGLE_DECISIONS_H

#include <stdint.h>

static const struct {
    int32_t current;
    int32_t metric;
    int32_t target;
    int32_t replicas;
    int32_t replicas_before_1_33;
} hpa_single_decisions[] = {
    {1, 200, 100, 2, 2},    {4, 50, 100, 2, 2},  {10, 105, 100, 10, 10}, {10, 110, 100, 10, 11},
    {10, 111, 100, 12, 12}, {10, 89, 100, 9, 9}, {10, 91, 100, 10, 10},  {3, 90, 60, 5, 5},
    {5, 95, 80, 6, 6},      {8, 63, 70, 8, 8},
};

#endif
