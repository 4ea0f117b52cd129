/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Efficiencies of classes of which nothing was measured. */
#ifndef WS_SCALING_BORROW_H
#define WS_SCALING_BORROW_H

#include "ws/scaling.h"

/**
 * Fills efficiency[] where is_borrowed[]: by an additive model of the logarithms of the others, an
 * effect for each generation of GPUs, width of precision, and code base, each drawn to 0 as if it
 * had a standard deviation of 0.2 against 0.15 of what is left.
 */
void ws_scaling_borrow(const ws_scaling_class *classes, size_t count, ws_scaling_fit *fit);

#endif
