/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WS_TESTS_NAIVE_DRAW_H
#define WS_TESTS_NAIVE_DRAW_H

#include "naive.h"

/** Draws a small scenario: 1 to 3 pools, 1 to 8 jobs, up to 8 orders, 320 to 1120 s. A function of
 * the seed. */
void naive_draw(uint64_t seed, naive_scenario *scenario);

#endif
