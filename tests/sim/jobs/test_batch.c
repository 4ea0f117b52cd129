/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "ws/assert.h"
#include "ws/batch.h"

TestSuite(batch);

/* 100 samples on 8 replicas: 12.5 each, so some have 13; at most 5 at once: three micro-batches. */
Test(batch, a_global_batch_is_divided)
{
    ws_batch batch = {.global_batch = 100, .micro_batch = 5};
    ws_batch_split split = ws_batch_at(&batch, 8);

    cr_expect(eq(dbl, split.samples, 100));
    cr_expect(eq(dbl, split.even, 12.5));
    cr_expect(eq(dbl, split.share, 13));
    cr_expect(eq(dbl, split.micro_batches, 3));
    cr_expect(epsilon_eq(dbl, split.micro, 13.0 / 3, 1e-15));
}

/* 12 samples of each of 5 replicas; without a limit they are one micro-batch. */
Test(batch, a_replica_batch_follows_the_size)
{
    ws_batch batch = {.replica_batch = 12};
    ws_batch_split split = ws_batch_at(&batch, 5);

    cr_expect(eq(dbl, split.samples, 60));
    cr_expect(eq(dbl, split.share, 12));
    cr_expect(eq(dbl, split.micro_batches, 1));
    cr_expect(eq(dbl, split.micro, 12));
}

/* DeepSpeed's published example: batch 9792 of micro-batches 8, 12, 16, 17 has 17 at 64 GPUs
 * (9792 / 64 = 153 = 9 x 17); at 32, 306 = 18 x 17; at 36, 272 = 16 x 17; at 51, 192 = 12 x 16. */
Test(batch, a_listed_micro_batch_divides_the_share)
{
    static const int32_t listed[] = {8, 12, 16, 17};
    static const int32_t rows[][3] = {{64, 17, 9}, {32, 17, 18}, {36, 17, 16}, {51, 16, 12}};
    ws_batch batch = {.global_batch = 9792, .micro_batches = listed, .micro_batch_count = 4};

    for (size_t i = 0; i < WS_COUNT_OF(rows); i++) {
        ws_batch_split split = ws_batch_at(&batch, rows[i][0]);
        cr_expect(eq(dbl, split.micro, rows[i][1]), "%d", rows[i][0]);
        cr_expect(eq(dbl, split.micro_batches, rows[i][2]), "%d", rows[i][0]);
    }
}
