/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scaling_print.h"

#include <math.h>
#include <stdlib.h>

#include "ws/assert.h"

/* What a group may miss by before it is named. */
#define PRINT_RATIO_MISS 0.12
#define PRINT_ABSOLUTE_MISS 0.15

static const char *print_source(bool is_borrowed)
{
    return is_borrowed ? "borrowed from other classes" : "fitted on other groups";
}

/* ---- rows ---- */

/* Where the predicted step goes. */
static void print_parts(FILE *out, const ws_step_breakdown *parts)
{
    const struct {
        const char *name;
        double seconds;
    } rows[] = {{"compute", parts->compute_s}, {"bubble", parts->bubble_s},
                {"tensor", parts->tensor_s},   {"context", parts->context_s},
                {"expert", parts->expert_s},   {"pipeline", parts->pipeline_s},
                {"data", parts->data_s},       {"optimizer", parts->optimizer_s}};

    (void)fprintf(out, "    micro-batch %d x %lld:", parts->batch.micro_batch,
                  (long long)parts->batch.micro_batches);
    for (size_t i = 0; i < WS_COUNT_OF(rows); i++) {
        if (rows[i].seconds >= 0.0005 * parts->step_s) {
            (void)fprintf(out, " %s %.1f %%", rows[i].name, 100 * rows[i].seconds / parts->step_s);
        }
    }
    (void)fprintf(out, "\n");
}

static void print_row(FILE *out, const ws_scaling_prediction *prediction)
{
    const ws_scaling_case *item = prediction->item;

    (void)fprintf(out, "  %-40.*s %6d GPUs %9.3f s %9.3f s %+6.1f %%", WS_TEXT_ARGS(item->row->id),
                  item->row->gpus, item->measured_s, prediction->predicted_s,
                  100 * prediction->error);
    if (prediction->has_ratio) {
        (void)fprintf(out, "  %6.3f %6.3f %+6.1f %%", prediction->measured_ratio,
                      prediction->predicted_ratio, 100 * prediction->ratio_error);
    }
    if (item->is_recalled) {
        (void)fprintf(out, "  recalled");
    }
    (void)fprintf(out, "\n");
    print_parts(out, &prediction->parts);
}

static bool print_is_first_left_out(const ws_scaling_table *table, size_t at)
{
    for (size_t i = 0; i < at; i++) {
        if (table->cases[i].group_index == table->cases[at].group_index &&
            table->cases[i].left_out == table->cases[at].left_out) {
            return false;
        }
    }
    return true;
}

static void print_left_out(FILE *out, const ws_scaling_table *table)
{
    (void)fprintf(out, "\nleft out:\n");
    for (size_t i = 0; i < table->count; i++) {
        const ws_scaling_case *item = &table->cases[i];
        size_t alike = 0;

        if (item->left_out == NULL || !print_is_first_left_out(table, i)) {
            continue;
        }
        for (size_t k = i; k < table->count; k++) {
            alike += table->cases[k].group_index == item->group_index &&
                     table->cases[k].left_out == item->left_out;
        }
        (void)fprintf(out, "  %-36.*s %3zu rows: %s\n", WS_TEXT_ARGS(item->row->group), alike,
                      item->left_out);
    }
}

static void print_group(FILE *out, const ws_scaling_table *table,
                        const ws_scaling_prediction *predictions, size_t group)
{
    bool is_named = false;

    for (size_t i = 0; i < table->count; i++) {
        const ws_scaling_case *item = &table->cases[i];
        if (item->group_index != group || item->left_out != NULL) {
            continue;
        }
        if (!is_named) {
            (void)fprintf(out, "%.*s (efficiency: %s)\n", WS_TEXT_ARGS(table->groups[group]),
                          print_source(predictions[i].is_borrowed));
            is_named = true;
        }
        print_row(out, &predictions[i]);
    }
}

/* ---- what was fitted ---- */

static void print_fit(FILE *out, const ws_scaling_table *table)
{
    ws_scaling_fit fit;

    if (!ws_scaling_fit_without(table, table->group_count, &fit)) {
        return;
    }
    (void)fprintf(out, "\nfitted on all rows (root mean square of log errors %.1f %%):\n",
                  100 * fit.residual);
    for (size_t i = 0; i < table->class_count; i++) {
        const ws_scaling_class *class = &table->classes[i];
        (void)fprintf(out, "  efficiency %.3f  %.*s, %.*s, %.*s\n", fit.efficiency[i],
                      WS_TEXT_ARGS(class->code_base), WS_TEXT_ARGS(class->precision),
                      WS_TEXT_ARGS(class->gpu));
    }
    for (size_t i = 0; i < table->machine_count; i++) {
        (void)fprintf(out, "  bandwidth x %.3f, latency x %.3f  %.*s\n", fit.bandwidth[i],
                      fit.latency[i], WS_TEXT_ARGS(table->machines[i]));
    }
}

/* ---- misses ---- */

/* The largest errors of a group. */
typedef struct {
    double ratio;
    double step;
    bool is_borrowed;
} print_worst;

static double print_larger(double a, double b)
{
    return fabs(b) > fabs(a) ? b : a;
}

static print_worst print_worst_of(const ws_scaling_table *table,
                                  const ws_scaling_prediction *predictions, size_t group)
{
    print_worst worst = {.ratio = 0};

    for (size_t i = 0; i < table->count; i++) {
        if (table->cases[i].group_index == group && table->cases[i].left_out == NULL) {
            worst.ratio = print_larger(worst.ratio, predictions[i].ratio_error);
            worst.step = print_larger(worst.step, predictions[i].error);
            worst.is_borrowed = predictions[i].is_borrowed;
        }
    }
    return worst;
}

static void print_miss(FILE *out, ws_text group, const print_worst *worst)
{
    const ws_scaling_code_base *code = ws_scaling_code_base_find(group);
    const char *unknown = code != NULL ? code->unknown : NULL;

    (void)fprintf(out, "  %.*s: ratio %+.1f %%, step time %+.1f %%", WS_TEXT_ARGS(group),
                  100 * worst->ratio, 100 * worst->step);
    if (worst->is_borrowed) {
        (void)fprintf(out, "; no other group has its GPU, precision and code base, so that its "
                           "efficiency is borrowed");
    }
    if (unknown != NULL) {
        (void)fprintf(out, "; %s", unknown);
    }
    (void)fprintf(out, "%s\n", worst->is_borrowed || unknown != NULL ? "" : "; not explained");
}

static void print_misses(FILE *out, const ws_scaling_table *table,
                         const ws_scaling_prediction *predictions)
{
    (void)fprintf(out,
                  "\nmissed, with the largest errors (ratio by more than %.0f %%, or step time by "
                  "more than %.0f %%):\n",
                  100 * PRINT_RATIO_MISS, 100 * PRINT_ABSOLUTE_MISS);
    for (size_t group = 0; group < table->group_count; group++) {
        print_worst worst = print_worst_of(table, predictions, group);

        if (fabs(worst.ratio) > PRINT_RATIO_MISS || fabs(worst.step) > PRINT_ABSOLUTE_MISS) {
            print_miss(out, table->groups[group], &worst);
        }
    }
}

void ws_scaling_print(FILE *out, const ws_scaling_table *table,
                      const ws_scaling_prediction *predictions)
{
    (void)fprintf(out, "%-42s %11s %11s %11s %8s  %6s %6s %8s\n", "row", "GPUs", "measured",
                  "predicted", "error", "ratio", "pred.", "error");
    for (size_t group = 0; group < table->group_count; group++) {
        print_group(out, table, predictions, group);
    }
    print_left_out(out, table);
    print_fit(out, table);
    print_misses(out, table, predictions);
    ws_scaling_print_sums(out, table, predictions);
}
