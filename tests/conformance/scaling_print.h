/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The error table of a back-test. */
#ifndef WS_SCALING_PRINT_H
#define WS_SCALING_PRINT_H

#include <stdio.h>

#include "ws/scaling.h"

/** Sizes of errors of one kind. */
typedef struct {
    double sizes[WS_SCALING_ROWS_MAX];
    size_t count;
} ws_scaling_errors;

void ws_scaling_errors_add(ws_scaling_errors *errors, double error);

/** A line: number, mean, median, p90 (by nearest rank) and largest of them. */
void ws_scaling_print_errors(FILE *out, const char *what, ws_scaling_errors *errors);

/** Sums by code base, of rows that were read, of rows that were recalled, and of all. */
void ws_scaling_print_sums(FILE *out, const ws_scaling_table *table,
                           const ws_scaling_prediction *predictions);

/** All of it: rows by group, what was left out and why, what was fitted, what was missed, and the
 * sums at the end. */
void ws_scaling_print(FILE *out, const ws_scaling_table *table,
                      const ws_scaling_prediction *predictions);

#endif
