/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>

#include "scaling_print.h"

void ws_scaling_errors_add(ws_scaling_errors *errors, double error)
{
    errors->sizes[errors->count++] = fabs(error);
}

static int print_compare(const void *left, const void *right)
{
    double a = *(const double *)left;
    double b = *(const double *)right;

    return (a > b) - (a < b);
}

/* The nearest rank: the smallest size that `share` of all do not exceed. */
static double print_quantile(const ws_scaling_errors *errors, double share)
{
    double rank = ceil(share * (double)errors->count);

    return errors->sizes[rank < 1 ? 0 : (size_t)rank - 1];
}

void ws_scaling_print_errors(FILE *out, const char *what, ws_scaling_errors *errors)
{
    double sum = 0;

    if (errors->count == 0) {
        (void)fprintf(out, "%-44s none\n", what);
        return;
    }
    qsort(errors->sizes, errors->count, sizeof(double), print_compare);
    for (size_t i = 0; i < errors->count; i++) {
        sum += errors->sizes[i];
    }
    (void)fprintf(
        out, "%-44s %4zu rows  mean %5.1f %%  median %5.1f %%  p90 %5.1f %%  max %5.1f %%\n", what,
        errors->count, 100 * sum / (double)errors->count, 100 * print_quantile(errors, 0.5),
        100 * print_quantile(errors, 0.9), 100 * errors->sizes[errors->count - 1]);
}

/* ---- of what ---- */

/* Which predictions a line is of. */
typedef enum { SUMS_ALL, SUMS_READ, SUMS_RECALLED } sums_part;

static bool sums_takes(const ws_scaling_prediction *prediction, sums_part part, ws_text code_base)
{
    const ws_scaling_case *item = prediction->item;

    if (item->left_out != NULL || (part == SUMS_READ && item->is_recalled) ||
        (part == SUMS_RECALLED && !item->is_recalled)) {
        return false;
    }
    return code_base.length == 0 || ws_text_equals(item->class.code_base, code_base);
}

typedef struct {
    ws_scaling_errors ratios;
    ws_scaling_errors steps;
} sums_pair;

static void sums_collect(sums_pair *sums, const ws_scaling_table *table,
                         const ws_scaling_prediction *predictions, sums_part part,
                         ws_text code_base)
{
    sums->ratios.count = 0;
    sums->steps.count = 0;
    for (size_t i = 0; i < table->count; i++) {
        if (!sums_takes(&predictions[i], part, code_base)) {
            continue;
        }
        ws_scaling_errors_add(&sums->steps, predictions[i].error);
        if (predictions[i].has_ratio) {
            ws_scaling_errors_add(&sums->ratios, predictions[i].ratio_error);
        }
    }
}

static bool sums_is_first(const ws_scaling_table *table, size_t class)
{
    for (size_t i = 0; i < class; i++) {
        if (ws_text_equals(table->classes[i].code_base, table->classes[class].code_base)) {
            return false;
        }
    }
    return true;
}

static void sums_by_code_base(FILE *out, const ws_scaling_table *table,
                              const ws_scaling_prediction *predictions, sums_pair *sums)
{
    char name[64];

    (void)fprintf(out, "\nby code base:\n");
    for (size_t class = 0; class < table->class_count; class ++) {
        ws_text code_base = table->classes[class].code_base;
        if (!sums_is_first(table, class)) {
            continue;
        }
        sums_collect(sums, table, predictions, SUMS_ALL, code_base);
        (void)snprintf(name, sizeof(name), "  %.*s, ratios", WS_TEXT_ARGS(code_base));
        ws_scaling_print_errors(out, name, &sums->ratios);
        (void)snprintf(name, sizeof(name), "  %.*s, step times", WS_TEXT_ARGS(code_base));
        ws_scaling_print_errors(out, name, &sums->steps);
    }
}

void ws_scaling_print_sums(FILE *out, const ws_scaling_table *table,
                           const ws_scaling_prediction *predictions)
{
    static const struct {
        sums_part part;
        const char *ratios;
        const char *steps;
    } lines[] = {
        {SUMS_READ, "ratios, rows that were read", "step times, rows that were read"},
        {SUMS_RECALLED, "ratios, rows recalled", "step times, rows recalled"},
        {SUMS_ALL, "ratios within groups", "step times"},
    };
    sums_pair *sums = calloc(1, sizeof(*sums));

    if (sums == NULL) {
        return;
    }
    sums_by_code_base(out, table, predictions, sums);
    (void)fprintf(out, "\n");
    for (size_t i = 0; i < WS_COUNT_OF(lines); i++) {
        sums_collect(sums, table, predictions, lines[i].part, WS_TEXT(""));
        ws_scaling_print_errors(out, lines[i].ratios, &sums->ratios);
        ws_scaling_print_errors(out, lines[i].steps, &sums->steps);
    }
    free(sums);
}
