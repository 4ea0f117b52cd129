/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Networks as scenarios state them: presets and what replaces their values, switches, models of
 * collectives, and what is refused. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

#include "scenarios/edited.h"
#include "ws/collective_measured.h"
#include "ws/nccl.h"

static ws_edited edited;

static void set_up(void)
{
    ws_edited_init(&edited, "networks");
}

static void tear_down(void)
{
    ws_edited_fini(&edited);
}

TestSuite(networks, .init = set_up, .fini = tear_down);

/* The week with this network. */
static bool load(const char *network)
{
    char text[2000];

    (void)snprintf(text, sizeof text, "storage:\n  checkpoint:");
    ws_text replaced =
        ws_arena_format(&edited.arena, "network: %s\nstorage:\n  checkpoint:", network);
    return ws_edited_load_one(&edited, text, replaced.start);
}

static const ws_network *loaded(const char *network)
{
    bool good = load(network);

    cr_assert(good, "%s\n%s", network, ws_edited_printed(&edited));
    cr_assert(edited.loaded.scenario.network != NULL);
    return edited.loaded.scenario.network;
}

static void near(double value, double expected)
{
    cr_expect(ieee_ulp_eq(dbl, value, expected, 16), "%.17g instead of %.17g", value, expected);
}

Test(networks, stated_links)
{
    const ws_network *network =
        loaded("{intra_node: {bandwidth: 450GB/s}, inter_node: {bandwidth: 400Gb/s}}");

    near(network->intra_node.bytes_per_s, 450e9);
    near(network->intra_node.latency_s, 3e-6);
    near(network->inter_node.bytes_per_s, 50e9);
    near(network->inter_node.latency_s, 5e-6);
    cr_expect(network->inter_per_gpu);
    cr_expect(network->collectives == NULL); /* rings */
    cr_expect(eq(i32, network->fabric.leaf.nodes, 0));
    network = loaded("{intra_node: {bandwidth: 450GB/s}, inter_node: {bandwidth: 100Gb/s, per: "
                     "nic, nics: 4}}");
    cr_expect(network->inter_per_gpu == false);
    cr_expect(eq(i32, network->nics, 4));
}

/* dgx-h100: 18 links of 20.6 GB/s, 48 of 50 GB/s of a NIC, 0.6 us and 5 us. */
Test(networks, a_preset_and_what_replaces_it)
{
    const ws_network *network = loaded("{preset: dgx-h100, inter_node: {latency: 7us}}");

    near(network->intra_node.bytes_per_s, 370.8e9);
    near(network->intra_node.latency_s, 0.6e-6);
    near(network->inter_node.bytes_per_s, 48e9);
    near(network->inter_node.latency_s, 7e-6);
    cr_expect(network->inter_per_gpu);
    network = loaded("{preset: p4d.24xlarge, inter_node: {per: node, bandwidth: 40GB/s}}");
    near(network->inter_node.bytes_per_s, 40e9);
    cr_expect(network->inter_per_gpu == false);
    cr_expect(eq(i32, network->nics, 0));
}

Test(networks, switches)
{
    const ws_network *network =
        loaded("{preset: dgx-h100, fabric: {leaf_nodes: 16, oversubscription: 2, pod_nodes: 384, "
               "pod_oversubscription: 7, rails: 8, ecmp_flows: 16}}");

    cr_expect(eq(i32, network->fabric.leaf.nodes, 16));
    near(network->fabric.leaf.oversubscription, 2);
    cr_expect(eq(i32, network->fabric.pod.nodes, 384));
    near(network->fabric.pod.oversubscription, 7);
    cr_expect(eq(i32, network->fabric.rails, 8));
    cr_expect(eq(i32, network->fabric.ecmp_flows, 16));
}

/* The pool's H100 says which of NCCL's constants are meant. */
Test(networks, models_of_collectives)
{
    const ws_network *network = loaded("{preset: dgx-h100, collectives: tree}");

    cr_expect(network->collectives == &ws_collective_tree);
    network = loaded("{preset: dgx-h100, collectives: {model: nccl, sharp: true}}");
    const ws_nccl *nccl = network->collective_parameters;
    cr_expect(eq(int, nccl->generation, WS_GENERATION_HOPPER));
    cr_expect(eq(int, nccl->joint, WS_NCCL_NVLINK));
    cr_expect(nccl->collnet);
    network = loaded("{preset: rtx-4090-box, collectives: {model: nccl, gpu: ampere, processor: "
                     "amd, version: \"2.30\"}}");
    nccl = network->collective_parameters;
    cr_expect(eq(int, nccl->generation, WS_GENERATION_AMPERE));
    cr_expect(eq(int, nccl->joint, WS_NCCL_PCIE));
    cr_expect(nccl->amd_processor);
    network = loaded("{preset: dgx-h100, collectives: {model: parameter-server, servers: 4, "
                     "reduce: 200GB/s}}");
    cr_expect(eq(i32, ((const ws_servers *)network->collective_parameters)->count, 4));
    near(network->reduce_s_per_byte, 5e-12);
}

/* 5 us at 1 MiB are 5 us / 1024 for each root of a byte. */
Test(networks, measured_collectives)
{
    const ws_network *network =
        loaded("{preset: dgx-h100, collectives: {model: measured, measured: [{ranks: 16, nodes: 2, "
               "times: {1MiB: 41us, 1GiB: 2.9ms}}]}}");
    const ws_measured_collectives *all = network->collective_parameters;

    cr_assert(eq(sz, all->count, 1));
    cr_expect(eq(int, all->items[0].operation, WS_ALL_REDUCE));
    cr_assert(eq(sz, all->items[0].point_count, 2));
    near(all->items[0].points[0].bytes, 1048576);
    near(all->items[0].points[1].seconds, 2.9e-3);
    network = loaded("{preset: dgx-h100, collectives: {model: square-root, measured: [{operation: "
                     "all-gather, ranks: 8, nodes: 1, latency: 20us, root: 5us, bandwidth: "
                     "180GB/s, to: 8GiB}]}}");
    all = network->collective_parameters;
    near(all->items[0].root_s_per_sqrt_byte, 5e-6 / 1024);
    near(all->items[0].bytes_max, 8 * 1073741824.0);
}

/* A network, and the one error that comes of it. */
Test(networks, what_is_refused)
{
    static const struct {
        const char *network;
        int code;
    } rows[] = {
        {"{inter_node: {bandwidth: 400Gb/s}}", 2102},
        {"{intra_node: {bandwidth: 450GB/s}}", 2102},
        {"{preset: dgx-h101}", 2203},
        {"{preset: dgx-h100, inter_node: {per: nic}}", 2102},
        {"{preset: dgx-h100, inter_node: {nics: 4}}", 2302},
        {"{preset: dgx-h100, fabric: {oversubscription: 2}}", 2102},
        {"{preset: dgx-h100, fabric: {leaf_nodes: 16, pod_oversubscription: 2}}", 2102},
        {"{preset: dgx-h100, fabric: {leaf_nodes: 16, pod_nodes: 40}}", 4206},
        {"{preset: dgx-h100, fabric: {leaf_nodes: 16, oversubscription: 0.5}}", 3107},
        {"{preset: dgx-h100, collectives: torus}", 2203},
        {"{preset: dgx-h100, collectives: {model: ring, sharp: true}}", 4108},
        {"{preset: dgx-h100, collectives: {model: nccl, servers: 2}}", 4108},
        {"{preset: dgx-h100, collectives: {model: nccl, version: \"1.0\"}}", 2203},
        {"{preset: dgx-h100, collectives: {model: measured}}", 2102},
        {"{preset: dgx-h100, collectives: {model: measured, measured: [{ranks: 8, nodes: 1}]}}",
         2102},
        {"{preset: dgx-h100, collectives: {model: measured, measured: [{ranks: 8, nodes: 1, times: "
         "{1MiB: 40us, 1GiB: 30us}}]}}",
         4207},
        {"{preset: dgx-h100, collectives: {model: measured, measured: [{ranks: 8, nodes: 1, times: "
         "{1GiB: 40us, 1MiB: 50us}}]}}",
         4207},
        {"{preset: dgx-h100, collectives: {model: measured, measured: [{ranks: 4, nodes: 8, times: "
         "{1GiB: 40us}}]}}",
         4207},
        {"{preset: dgx-h100, collectives: {model: square-root, measured: [{ranks: 8, nodes: 1, "
         "latency: 20us}]}}",
         2102},
        {"{preset: dgx-h100, collectives: {model: measured, measured: [{ranks: 8, nodes: 1, times: "
         "{1GiB: 40us}, root: 2us}]}}",
         4108},
    };

    for (size_t i = 0; i < WS_COUNT_OF(rows); i++) {
        bool good = load(rows[i].network);
        const char *printed = ws_edited_printed(&edited);

        cr_expect_not(good, "%s", rows[i].network);
        cr_assert(eq(sz, edited.diag.count, 1), "%s\n%s", rows[i].network, printed);
        cr_expect(eq(int, edited.diag.entries[0].code, rows[i].code), "%s", printed);
    }
}

/* NCCL's constants of a GPU that they do not know. */
Test(networks, nccl_needs_a_known_gpu)
{
    static const ws_edit edits[] = {
        {"gpu: {type: H100-SXM5-80GB, per_node: 8}", "gpu: {type: mine, per_node: 8}"},
        {"storage:\n  checkpoint:",
         "network: {preset: dgx-h100, collectives: nccl}\nstorage:\n  checkpoint:"}};
    ws_text week = ws_edited_quickstart(&edited);

    cr_expect_not(ws_edited_load(&edited, ws_edited_apply(&edited, week, edits, 2), NULL));
    cr_expect(ws_edited_found(&edited, 4104) != NULL);
    ws_text known = ws_edited_apply(
        &edited, ws_edited_apply(&edited, week, edits, 2),
        &(ws_edit){"type: mine, per_node", "type: mine, preset: h100, per_node"}, 1);
    cr_expect(ws_edited_load(&edited, known, NULL), "%s", ws_edited_printed(&edited));
    cr_expect(ws_edited_load_one(&edited, "type: H100-SXM5-80GB, per_node",
                                 "type: H100-SXM5-80GB, preset: h1, per_node") == false);
    cr_expect(ws_edited_found(&edited, 2203) != NULL);
}

/* What is known of a GPU comes with its type; memory can be stated. */
Test(networks, pools_know_their_gpus)
{
    cr_assert(ws_edited_load(&edited, ws_edited_quickstart(&edited), NULL));
    const ws_pool_spec *pool = &edited.loaded.scenario.pools[0];

    cr_assert(pool->gpu_model != NULL);
    near(pool->gpu_model->flops_per_s[WS_BF16], 989.4e12);
    near(pool->gpu_memory_bytes, 80 * 1073741824.0);
    cr_assert(ws_edited_load_one(&edited, "type: H100-SXM5-80GB, per_node: 8",
                                 "type: mine, memory: 94GB, per_node: 8"));
    pool = &edited.loaded.scenario.pools[0];
    cr_expect(pool->gpu_model == NULL);
    near(pool->gpu_memory_bytes, 94e9);
}

/* Slices of a TPU v5p of 4, 8, 32, ... 6144 chips; a replica of 8 chips cannot be in one of 4. */
Test(networks, slices_are_legal_sizes)
{
    static const ws_edit edits[] = {
        {"type: H100-SXM5-80GB, per_node: 8", "type: TPU-v5p, per_node: 8"},
        {"replicas: {initial: 8, min: 2, max: 16}", "replicas: {initial: 8, sizes: slices}"},
        {"storage:\n  checkpoint:", "network: {preset: tpu-v5p-pod}\nstorage:\n  checkpoint:"}};
    ws_text week = ws_edited_quickstart(&edited);

    cr_assert(ws_edited_load(&edited, ws_edited_apply(&edited, week, edits, 3), NULL), "%s",
              ws_edited_printed(&edited));
    const ws_job_template *job = &edited.loaded.scenario.workload.templates[0];
    cr_assert(eq(sz, job->legal_count, 10));
    cr_expect(eq(i32, job->legal[0], 1));
    cr_expect(eq(i32, job->legal[1], 4));
    cr_expect(eq(i32, job->legal[9], 768));
    cr_expect_not(ws_edited_load(&edited, ws_edited_apply(&edited, week, edits, 2), NULL));
    cr_expect(ws_edited_found(&edited, 4104) != NULL, "%s", ws_edited_printed(&edited));
}

/* Nodes of 16 GPUs on a network of nodes with 8. */
Test(networks, a_preset_of_smaller_nodes_is_a_warning)
{
    static const ws_edit edits[] = {
        {"type: H100-SXM5-80GB, per_node: 8", "type: H100-SXM5-80GB, per_node: 16"},
        {"storage:\n  checkpoint:", "network: {preset: dgx-h100}\nstorage:\n  checkpoint:"}};

    cr_expect(ws_edited_load(
        &edited, ws_edited_apply(&edited, ws_edited_quickstart(&edited), edits, 2), NULL));
    cr_expect(ws_edited_found(&edited, 4311) != NULL, "%s", ws_edited_printed(&edited));
}

Test(networks, stale_gradients_are_a_warning)
{
    const char *const networks[] = {
        "network: {preset: dgx-h100, collectives: {model: parameter-server, asynchronous: "
        "true}}\nstorage:\n  checkpoint:",
        "network: {preset: dgx-h100, collectives: {model: parameter-server, asynchronous: "
        "false}}\nstorage:\n  checkpoint:"};

    for (size_t i = 0; i < WS_COUNT_OF(networks); i++) {
        const ws_edit edits[] = {{"storage:\n  checkpoint:", networks[i]}};

        cr_expect(ws_edited_load(
            &edited, ws_edited_apply(&edited, ws_edited_quickstart(&edited), edits, 1), NULL));
        cr_expect(eq(int, ws_edited_found(&edited, 4319) != NULL, i == 0), "%s",
                  ws_edited_printed(&edited));
    }
}

/* 13.5 GB of a replica of 8 GPUs: each reduces 1.6875 GB with its peers. */
static bool load_profile(const char *size)
{
    const ws_edit edits[] = {
        {"curve: {2: 118/s, 4: 231/s, 8: 442/s, 12: 630/s, 16: 795/s}",
         "profile: {compute: 17ms/sample, bytes: 13.5GB}"},
        {"work: 4M samples, ", "work: 4M samples, global_batch: 512, "},
        {"work: 150M samples}", "work: 150M samples, global_batch: 512}"},
        {"work: 20M samples}", "work: 20M samples, global_batch: 512}"},
        {"work: 1M samples, ", "work: 1M samples, global_batch: 512, "},
        {"storage:\n  checkpoint:",
         ws_arena_format(&edited.arena,
                         "network: {preset: dgx-h100, collectives: {model: measured, measured: "
                         "[{ranks: 8, nodes: 8, times: {1MB: 40us, %s: 90ms}}]}}\nstorage:\n  "
                         "checkpoint:",
                         size)
             .start}};

    return ws_edited_load(
        &edited, ws_edited_apply(&edited, ws_edited_quickstart(&edited), edits, WS_COUNT_OF(edits)),
        NULL);
}

Test(networks, measurements_end)
{
    cr_expect(load_profile("2GB"), "%s", ws_edited_printed(&edited)); /* 2 to 16 ranks: warned */
    cr_expect(eq(sz, edited.diag.warning_count, 4), "%s", ws_edited_printed(&edited));
    cr_expect(eq(int, edited.diag.entries[0].code, 4305));
    cr_expect(load_profile("400MB") == false); /* more than 4 times: 1.6875 GB */
    cr_expect(eq(int, edited.diag.entries[0].code, 4208), "%s", ws_edited_printed(&edited));
}
