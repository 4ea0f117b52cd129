/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table as a whole, and predicting each group from all others. */
#include "ws/scaling.h"

#include <math.h>

#include "ws/assert.h"

#include "scaling_case.h"

/* The index of a text in a list, which it joins when it is new; `capacity` when there is no room.
 */
static size_t scaling_index(ws_text *list, size_t *count, size_t capacity, ws_text text)
{
    size_t i = 0;

    while (i < *count && !ws_text_equals(list[i], text)) {
        i++;
    }
    if (i == *count && i < capacity) {
        list[(*count)++] = text;
    }
    return i;
}

static size_t scaling_class_index(ws_scaling_table *table, const ws_scaling_class *class)
{
    size_t i = 0;

    for (; i < table->class_count; i++) {
        const ws_scaling_class *known = &table->classes[i];
        if (ws_text_equals(known->gpu, class->gpu) &&
            ws_text_equals(known->precision, class->precision) &&
            ws_text_equals(known->code_base, class->code_base)) {
            return i;
        }
    }
    if (i < WS_SCALING_CLASSES_MAX) {
        table->classes[table->class_count++] = *class;
    }
    return i;
}

/* The micro-batch that the model would choose before anything is fitted stays, so that what is
 * fitted is smooth. */
static void scaling_choose_micro_batch(ws_scaling_case *item)
{
    ws_scaling_fit plain = {.efficiency = {0.6}, .bandwidth = {0.8}, .latency = {1}};
    ws_scaling_case alone = *item;

    alone.class_index = 0;
    alone.machine_index = 0;
    item->transformer.micro_batch = ws_scaling_predict(&alone, &plain).batch.micro_batch;
}

static bool scaling_add(ws_scaling_table *table, const ws_scaling_row *row)
{
    ws_scaling_case *item = &table->cases[table->count];

    ws_scaling_case_init(item, row);
    item->group_index =
        scaling_index(table->groups, &table->group_count, WS_SCALING_GROUPS_MAX, row->group);
    if (item->left_out == NULL) {
        item->class_index = scaling_class_index(table, &item->class);
        item->machine_index = scaling_index(table->machines, &table->machine_count,
                                            WS_SCALING_MACHINES_MAX, row->machine);
        scaling_choose_micro_batch(item);
    }
    table->count++;
    return item->group_index < WS_SCALING_GROUPS_MAX &&
           item->class_index < WS_SCALING_CLASSES_MAX &&
           item->machine_index < WS_SCALING_MACHINES_MAX;
}

const ws_scaling_table *ws_scaling_table_of(const ws_scaling_row *rows, size_t count,
                                            ws_arena *arena)
{
    ws_scaling_table *table = ws_arena_alloc(arena, ws_scaling_table, 1);

    if (table == NULL || count > WS_SCALING_ROWS_MAX) {
        return NULL;
    }
    table->cases = ws_arena_alloc(arena, ws_scaling_case, count);
    if (table->cases == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        if (!scaling_add(table, &rows[i])) {
            return NULL;
        }
    }
    return table;
}

/* ---- the back-test ---- */

static double scaling_rate(const ws_scaling_case *item, double step_s)
{
    return item->work / step_s / item->row->gpus;
}

/* The group's first row is what its others are compared with. */
static void scaling_compare(const ws_scaling_prediction *first, ws_scaling_prediction *prediction)
{
    const ws_scaling_case *item = prediction->item;

    prediction->has_ratio = true;
    prediction->measured_ratio =
        scaling_rate(item, item->measured_s) / scaling_rate(first->item, first->item->measured_s);
    prediction->predicted_ratio =
        scaling_rate(item, prediction->predicted_s) / scaling_rate(first->item, first->predicted_s);
    prediction->ratio_error = prediction->predicted_ratio / prediction->measured_ratio - 1;
}

static void scaling_predict_group(const ws_scaling_table *table, size_t group,
                                  const ws_scaling_fit *fit, ws_scaling_prediction *predictions)
{
    const ws_scaling_prediction *first = NULL;

    for (size_t i = 0; i < table->count; i++) {
        const ws_scaling_case *item = &table->cases[i];
        ws_scaling_prediction *prediction = &predictions[i];

        if (item->group_index != group || item->left_out != NULL) {
            continue;
        }
        prediction->parts = ws_scaling_predict(item, fit);
        prediction->predicted_s = prediction->parts.step_s;
        prediction->error = prediction->predicted_s / item->measured_s - 1;
        prediction->is_borrowed = fit->is_borrowed[item->class_index];
        if (first == NULL) {
            first = prediction;
        } else {
            scaling_compare(first, prediction);
        }
    }
}

static bool scaling_group_has_cases(const ws_scaling_table *table, size_t group)
{
    for (size_t i = 0; i < table->count; i++) {
        if (table->cases[i].group_index == group && table->cases[i].left_out == NULL) {
            return true;
        }
    }
    return false;
}

bool ws_scaling_back_test(const ws_scaling_table *table, ws_scaling_prediction *predictions)
{
    WS_ASSERT(table != NULL);
    WS_ASSERT(predictions != NULL);

    ws_scaling_fit fit;

    for (size_t i = 0; i < table->count; i++) {
        predictions[i] = (ws_scaling_prediction){.item = &table->cases[i]};
    }
    for (size_t group = 0; group < table->group_count; group++) {
        if (!scaling_group_has_cases(table, group)) {
            continue;
        }
        if (!ws_scaling_fit_without(table, group, &fit)) {
            return false;
        }
        scaling_predict_group(table, group, &fit, predictions);
    }
    return true;
}
