/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "ws/assert.h"
#include "ws/efficiency.h"

TestSuite(efficiency);

static double at(double noise_scale, double base_batch, double batch)
{
    ws_noise_point point = {0, noise_scale};
    ws_efficiency efficiency = {.base_batch = base_batch, .points = &point, .count = 1};

    return ws_efficiency_at(&efficiency, 0, batch);
}

/* Worked values of the applications of the Pollux artifact: noise scale, M0, M, efficiency. */
Test(efficiency, gives_the_worked_values)
{
    static const double rows[][4] = {
        {5985.5, 200, 200, 1},          {5985.5, 200, 800, 0.911576}, {5985.5, 200, 3200, 0.673398},
        {14322.8, 200, 12800, .535446}, {2563.8, 128, 1024, .750265}, {423, 12, 192, .707317},
        {2738.9, 20, 320, .901926},     {433.4, 8, 128, .786249},
    };

    for (size_t i = 0; i < WS_COUNT_OF(rows); i++) {
        cr_expect(epsilon_eq(dbl, at(rows[i][0], rows[i][1], rows[i][2]), rows[i][3], 5.1e-7),
                  "%zu", i);
    }
}

/* Throughputs of the worked values times their efficiency: the goodputs beside them. */
Test(efficiency, makes_the_worked_goodputs)
{
    static const double rows[][5] = {
        {828.846590, 5985.5, 200, 800, 755.556788},
        {3174.412918, 5985.5, 200, 3200, 2137.644233},
        {2836.921947, 5985.5, 200, 3200, 1910.378390},
        {11332.346033, 14322.8, 200, 12800, 6067.861540},
        {5168.730874, 2563.8, 128, 1024, 3877.916764},
        {106.504200, 423, 12, 192, 75.332239},
        {171.643417, 2738.9, 20, 320, 154.809580},
        {105.203315, 433.4, 8, 128, 82.715966},
    };

    for (size_t i = 0; i < WS_COUNT_OF(rows); i++) {
        const double *row = rows[i];
        cr_expect(epsilon_eq(dbl, row[0] * at(row[1], row[2], row[3]), row[4], 1.1e-6), "%zu", i);
    }
}

/* Published gains, of noise scale, M0 and M / M0; efficiency times M / M0 is the gain. */
Test(efficiency, gives_the_worked_gains_of_adascale)
{
    static const double rows[][4] = {
        {5985.5, 200, 16, 10.774373}, {2563.8, 128, 8, 6.002118}, {423, 12, 32, 17.249071}};

    for (size_t i = 0; i < WS_COUNT_OF(rows); i++) {
        const double *row = rows[i];
        cr_expect(epsilon_eq(dbl, ws_adascale_gain(row[0], row[1], row[2]), row[3], 5.1e-7));
        cr_expect(epsilon_eq(dbl, at(row[0], row[1], row[1] * row[2]) * row[2], row[3], 5.1e-7));
    }
}

/* 16 times the batch: linear 16, root 4, AdaScale the gain above. */
Test(efficiency, learning_rates_follow_their_rule)
{
    ws_noise_point point = {0, 5985.5};
    ws_efficiency with = {.base_batch = 200, .points = &point, .count = 1};

    cr_expect(eq(dbl, ws_learning_rate_factor(WS_LEARNING_RATE_KEPT, &with, 0, 3200), 1));
    cr_expect(eq(dbl, ws_learning_rate_factor(WS_LEARNING_RATE_LINEAR, &with, 0, 3200), 16));
    cr_expect(eq(dbl, ws_learning_rate_factor(WS_LEARNING_RATE_SQRT, &with, 0, 3200), 4));
    cr_expect(epsilon_eq(dbl, ws_learning_rate_factor(WS_LEARNING_RATE_ADASCALE, &with, 0, 3200),
                         10.774373, 5.1e-7));
}

/* A point holds from its work on. */
Test(efficiency, a_noise_scale_is_constant_between_its_points)
{
    static const ws_noise_point points[] = {{0, 100}, {50, 300}, {80, 900}};
    ws_efficiency efficiency = {.base_batch = 100, .points = points, .count = 3};

    /* (100 + 100) / (100 + 300) = 1/2, (300 + 100) / 600 = 2/3, (900 + 100) / 1200 = 5/6 */
    cr_expect(eq(dbl, ws_efficiency_at(&efficiency, 0, 300), 0.5));
    cr_expect(eq(dbl, ws_efficiency_at(&efficiency, 49.9, 300), 0.5));
    cr_expect(epsilon_eq(dbl, ws_efficiency_at(&efficiency, 50, 300), 2.0 / 3, 1e-15));
    cr_expect(epsilon_eq(dbl, ws_efficiency_at(&efficiency, 1e9, 300), 5.0 / 6, 1e-15));
    cr_expect(eq(dbl, ws_efficiency_until(&efficiency, 0, 1000), 50));
    cr_expect(eq(dbl, ws_efficiency_until(&efficiency, 50, 1000), 80));
    cr_expect(eq(dbl, ws_efficiency_until(&efficiency, 50, 60), 60));
    cr_expect(eq(dbl, ws_efficiency_until(&efficiency, 80, 1000), 1000));
}

Test(efficiency, without_points_every_sample_counts)
{
    ws_efficiency none = {.base_batch = 0};

    cr_expect(eq(dbl, ws_efficiency_at(&none, 5, 300), 1));
    cr_expect(eq(dbl, ws_efficiency_until(&none, 5, 7), 7));
}
