/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scaling_borrow.h"

#include <math.h>

#include "ws/assert.h"

#define BORROW_FACTORS 3
#define BORROW_SWEEPS 200
#define BORROW_SHRINK (0.15 * 0.15 / (0.2 * 0.2))

/** An additive model: a mean, and an effect of each class's level of each factor. */
typedef struct {
    double mean;
    double effects[BORROW_FACTORS][WS_SCALING_CLASSES_MAX];
} borrow_model;

static bool borrow_is_alike(const ws_scaling_class *a, const ws_scaling_class *b, int factor)
{
    if (factor == 0) {
        return a->generation == b->generation;
    }
    return factor == 1 ? a->width == b->width : ws_text_equals(a->code_base, b->code_base);
}

static double borrow_predict(const borrow_model *model, size_t class)
{
    double sum = model->mean;

    for (int factor = 0; factor < BORROW_FACTORS; factor++) {
        sum += model->effects[factor][class];
    }
    return sum;
}

/* The effect of one class's level, all others as they are: a shrunken mean of what they leave. */
static double borrow_effect(const ws_scaling_class *classes, size_t count,
                            const ws_scaling_fit *fit, const borrow_model *model, size_t of,
                            int factor)
{
    double sum = 0;
    double weight = BORROW_SHRINK;

    for (size_t i = 0; i < count; i++) {
        if (!fit->is_borrowed[i] && borrow_is_alike(&classes[of], &classes[i], factor)) {
            sum += log(fit->efficiency[i]) - borrow_predict(model, i) + model->effects[factor][i];
            weight += 1;
        }
    }
    return sum / weight;
}

static double borrow_mean(size_t count, const ws_scaling_fit *fit, const borrow_model *model)
{
    double sum = 0;
    size_t used = 0;

    for (size_t i = 0; i < count; i++) {
        if (!fit->is_borrowed[i]) {
            sum += log(fit->efficiency[i]) - borrow_predict(model, i) + model->mean;
            used++;
        }
    }
    return used > 0 ? sum / (double)used : log(0.6);
}

/* One factor's effects, from what the model was before: classes of one level get the same. */
static void borrow_sweep(const ws_scaling_class *classes, size_t count, const ws_scaling_fit *fit,
                         borrow_model *model, int factor)
{
    double next[WS_SCALING_CLASSES_MAX];

    for (size_t i = 0; i < count; i++) {
        next[i] = borrow_effect(classes, count, fit, model, i, factor);
    }
    for (size_t i = 0; i < count; i++) {
        model->effects[factor][i] = next[i];
    }
}

void ws_scaling_borrow(const ws_scaling_class *classes, size_t count, ws_scaling_fit *fit)
{
    borrow_model model = {.mean = 0};

    WS_ASSERT(count <= WS_SCALING_CLASSES_MAX);
    for (int sweep = 0; sweep < BORROW_SWEEPS; sweep++) {
        model.mean = borrow_mean(count, fit, &model);
        for (int factor = 0; factor < BORROW_FACTORS; factor++) {
            borrow_sweep(classes, count, fit, &model, factor);
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (fit->is_borrowed[i]) {
            fit->efficiency[i] = exp(borrow_predict(&model, i));
        }
    }
}
