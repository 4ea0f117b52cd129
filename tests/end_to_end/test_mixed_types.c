/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two pools of different GPUs, one after the other below leaves of two nodes, and jobs that run on
 * one or on both. The times are worked by hand.
 *
 * A replica of 8 GPUs takes 100 ms a sample on the fast pool, twice that on the slow one. It
 * reduces 8 GB a step: 1 GB in each of 8 groups, over a NIC of 50 GB/s each, 5 us a hop. A leaf of
 * two nodes sends up half a node's rate (oversubscription 4), so that rings over several leaves run
 * at 25 GB/s. A step has 256 samples.
 *
 *   fast, 4 nodes: 64 x 100 ms, 6 x 5 us + 2 x 3/4 x 1 GB / 25 GB/s = 60.03 ms      6.46003 s
 *   slow, 4 nodes: 64 x 200 ms, the same                                           12.86003 s
 *   both, 8 nodes: 32 x 200 ms, 14 x 5 us + 2 x 7/8 x 1 GB / 25 GB/s = 70.07 ms     6.47007 s
 *   fast, 2 nodes: 128 x 100 ms, 2 x 5 us + 1 GB / 50 GB/s = 20.01 ms, one leaf    12.82001 s
 */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <stdio.h>

#include "ws/load.h"
#include "ws/run.h"

static double end_s(int replicas, const char *types, const char *speed)
{
    static const char scenario[] =
        "schema: worldsize.scenario/v1\nname: mixed\nhorizon: 1d\nreplications: 1\n"
        "cluster:\n  pools:\n"
        "    - {name: fast, gpu: {type: H100, per_node: 8}, nodes: {initial: 4, max: 4}, price: "
        "{per_gpu: $3/h}}\n"
        "    - {name: slow, gpu: {type: A100, per_node: 8}, nodes: {initial: 4, max: 4}, price: "
        "{per_gpu: $1/h}}\n"
        "network: {intra_node: {bandwidth: 450GB/s}, inter_node: {bandwidth: 50GB/s}, fabric: "
        "{leaf_nodes: 2, oversubscription: 4}}\n"
        "workload:\n  jobs:\n    - name: train\n"
        "      gpus: {types: %s, per_replica: 8, speed: %s}\n      replicas: %d\n"
        "      step: {profile: {compute: 100ms/sample, bytes: 8GB}}\n"
        "      stages: [{name: main, work: 25600 samples, global_batch: 256}]\n"
        "policies:\n  - {name: fixed, type: fixed, target: {pool: fast}, nodes: 4}\n";
    ws_arena arena;
    ws_arena scratch;
    ws_loaded loaded;
    ws_run_result result;
    ws_diag diag;

    ws_arena_init(&arena, &ws_allocator_default, (size_t)1 << 28);
    ws_arena_init(&scratch, &ws_allocator_default, (size_t)1 << 28);
    ws_diag_init(&diag, &arena);
    ws_text text = ws_arena_format(&arena, scenario, types, speed, replicas);
    cr_assert(ws_scenario_load(&loaded, &(ws_load_options){.path = "mixed.yaml", .content = text},
                               &arena, &diag));
    cr_assert(ws_run(&result, &loaded.arms[0], &(ws_run_options){.with_jobs = true, .check = true},
                     &arena, &scratch, &diag));
    cr_assert(eq(sz, result.job_count, 1));
    double end = result.jobs[0].end_s;
    ws_arena_reset(&scratch);
    ws_arena_reset(&arena);
    return end;
}

Test(mixed_types, a_world_runs_at_its_slowest)
{
    const char *half = "{A100: 50%}";

    cr_expect(epsilon_eq(dbl, end_s(4, "[H100]", "{}"), 646.003, 1e-6));
    cr_expect(epsilon_eq(dbl, end_s(4, "[A100]", half), 1286.003, 1e-6));
    cr_expect(epsilon_eq(dbl, end_s(8, "[H100, A100]", half), 647.007, 1e-6));
    cr_expect(epsilon_eq(dbl, end_s(2, "[H100]", "{}"), 1282.001, 1e-6));
}

/* The pools are filled in their order: two replicas on the fast one alone, though both are taken.
 */
Test(mixed_types, the_first_pool_is_filled_first)
{
    cr_expect(epsilon_eq(dbl, end_s(2, "[H100, A100]", "{A100: 50%}"), 1282.001, 1e-6));
}
