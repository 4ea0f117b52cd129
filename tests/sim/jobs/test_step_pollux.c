/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "ws/step_pollux.h"

TestSuite(step_pollux);

/* Fitted to the measurements of the Pollux artifact (six applications on nodes of four T4). */
static const ws_pollux_theta imagenet = {0.0630923, 0.0045079,   0.316349, 0.00652916,
                                         0.0676183, 0.000573745, 2.4993};
static const ws_pollux_theta cifar10 = {0.0177109, 0.000695511, 0.126773, 0.00266963,
                                        0.0407808, 0.000458725, 2.3120};
static const ws_pollux_theta bert = {0.176065, 0.0585252, 1.40535, 0.00824524,
                                     0.255715, 0.0108825, 1.8325};
static const ws_pollux_theta deepspeech2 = {0.311729, 0.0232403,  0.521529, 0.0091454,
                                            0.131755, 0.00532555, 1.4753};
static const ws_pollux_theta yolov3 = {0.194367, 0.0255872, 0.754079, 0.00995533,
                                       0.108661, 0.0208168, 1.1099};

typedef struct {
    const char *name;
    const ws_pollux_theta *theta;
    int32_t nodes;
    int32_t replicas;
    double local_batch;
    double accumulation; /* s */
    double iteration_s;
    double throughput;
} worked;

/* Worked values of the model with the parameters above: T_iter in s, throughput in samples/s. */
static const worked rows[] = {
    {"imagenet 1", &imagenet, 1, 1, 200, 0, 0.964672, 207.324290},
    {"imagenet 4", &imagenet, 1, 4, 200, 0, 0.965197, 828.846590},
    {"imagenet 16", &imagenet, 4, 16, 200, 0, 1.008060, 3174.412918},
    {"imagenet 16 accumulated", &imagenet, 4, 16, 100, 1, 1.127983, 2836.921947},
    {"imagenet 64", &imagenet, 16, 64, 200, 0, 1.129510, 11332.346033},
    {"cifar10 4", &cifar10, 1, 4, 256, 0, 0.198114, 5168.730874},
    {"bert 16", &bert, 4, 16, 12, 0, 1.802746, 106.504200},
    {"deepspeech2 8", &deepspeech2, 2, 8, 20, 1, 1.864330, 171.643417},
    {"yolov3 16", &yolov3, 4, 16, 8, 0, 1.216692, 105.203315},
};

static ws_pace pace_of(const ws_pollux *pollux, int32_t nodes, int32_t replicas, double speed)
{
    ws_world world = {.replicas = replicas,
                      .gpus_per_replica = 1,
                      .nodes = nodes,
                      .fabric_share = 1,
                      .speed = speed};
    ws_pace pace = ws_step_pollux.pace(pollux, &world);

    pace.work_per_s *= speed; /* as ws_step_pace() does */
    return pace;
}

/* The throughput is given to a millionth of a sample/s, T_iter to a microsecond. */
Test(step_pollux, gives_the_worked_throughputs)
{
    for (size_t i = 0; i < WS_COUNT_OF(rows); i++) {
        const worked *row = &rows[i];
        double batch = row->replicas * row->local_batch * (row->accumulation + 1);
        ws_pollux pollux = {
            .theta = *row->theta,
            .batch = {.global_batch = batch, .micro_batch = row->local_batch},
        };
        ws_pace pace = pace_of(&pollux, row->nodes, row->replicas, 1);

        cr_expect(epsilon_eq(dbl, pace.work_per_s, row->throughput, 5.1e-7), "%s: %.9f", row->name,
                  pace.work_per_s);
        cr_expect(epsilon_eq(dbl, batch / pace.work_per_s, row->iteration_s, 5.1e-7), "%s",
                  row->name);
    }
}

/* alpha_c 1 s, beta_c 0.1 s, two nodes: 3 s + 0.5 s for each replica above 2; gamma 2. Four
 * replicas with 20 of 80 samples: T_grad 3 s, T_sync 4 s, T_step 5 s, of which 2 s are exposed. In
 * two micro-batches of 10: T_grad 2 s, T_step sqrt(20) s, T_iter 2 s more. */
Test(step_pollux, books_what_is_exposed)
{
    ws_pollux pollux = {.theta = {1, 0.1, 3, 0.5, 0.25, 0, 2}, .batch = {.global_batch = 80}};
    ws_pace whole = pace_of(&pollux, 2, 4, 1);
    pollux.batch.micro_batch = 10;
    ws_pace halves = pace_of(&pollux, 2, 4, 1);

    cr_expect(epsilon_eq(dbl, whole.work_per_s, 16, 1e-12));
    cr_expect(epsilon_eq(dbl, whole.communication, 0.4, 1e-12));
    cr_expect(eq(dbl, whole.straggle, 0));
    cr_expect(epsilon_eq(dbl, halves.work_per_s, 80 / (2 + sqrt(20)), 1e-12));
    cr_expect(epsilon_eq(dbl, halves.communication, (sqrt(20) - 2) / (2 + sqrt(20)), 1e-12));
}

/* 10 samples on 4 replicas: two have 3, and all wait for them. gamma 1: T_iter is 1 + 0.3 + 0.25 s,
 * of which half a sample, 0.05 s, is waiting on average. */
Test(step_pollux, an_uneven_batch_waits)
{
    ws_pollux pollux = {.theta = {1, 0.1, 3, 0.5, 0.25, 0, 1}, .batch = {.global_batch = 10}};
    ws_pace pace = pace_of(&pollux, 1, 4, 1);

    cr_expect(epsilon_eq(dbl, pace.work_per_s, 10 / 1.55, 1e-12));
    cr_expect(epsilon_eq(dbl, pace.straggle, 0.05 / 1.55, 1e-12));
    cr_expect(epsilon_eq(dbl, pace.communication, 0.25 / 1.55, 1e-12));
}

/* A GPU of half the speed: T_grad 2 x 1.3 s, and the same 0.25 s of synchronisation. */
Test(step_pollux, speed_slows_compute_alone)
{
    ws_pollux pollux = {.theta = {1, 0.1, 3, 0.5, 0.25, 0, 1}, .batch = {.global_batch = 12}};
    ws_pace pace = pace_of(&pollux, 1, 4, 0.5);

    cr_expect(epsilon_eq(dbl, pace.work_per_s, 12 / 2.85, 1e-12));
    cr_expect(epsilon_eq(dbl, pace.communication, 0.25 / 2.85, 1e-12));
}

/* One replica synchronises with nobody, two at alpha, more at alpha + beta (K - 2). */
Test(step_pollux, synchronises_by_nodes_and_replicas)
{
    ws_pollux_theta theta = {1, 1, 4, 0.5, 2, 0.25, 1};

    cr_expect(eq(dbl, ws_pollux_sync_s(&theta, 1, 1), 0));
    cr_expect(eq(dbl, ws_pollux_sync_s(&theta, 1, 2), 2));
    cr_expect(eq(dbl, ws_pollux_sync_s(&theta, 1, 4), 2.5));
    cr_expect(eq(dbl, ws_pollux_sync_s(&theta, 2, 2), 4));
    cr_expect(eq(dbl, ws_pollux_sync_s(&theta, 3, 6), 6));
}

/* 3-4-5 at gamma 2; a sum at 1; at 10, (1 + 1)^(1/10) = 1.0717735 of two equal ones. */
Test(step_pollux, overlaps_by_gamma)
{
    cr_expect(epsilon_eq(dbl, ws_pollux_overlap_s(3, 4, 2), 5, 1e-14));
    cr_expect(epsilon_eq(dbl, ws_pollux_overlap_s(3, 4, 1), 7, 1e-14));
    cr_expect(epsilon_eq(dbl, ws_pollux_overlap_s(1, 1, 10), 1.0717734625, 1e-10));
    cr_expect(eq(dbl, ws_pollux_overlap_s(3, 0, 5), 3));
    cr_expect(eq(dbl, ws_pollux_overlap_s(1e300, 1e-300, 10), 1e300));
}
