/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The network: links of a preset or stated ones, and the switches above. The model of collectives
 * is in build_collectives.c. */
#include "build_network.h"

/* ---- links ---- */

static bool network_find_preset(ws_build *context, const ws_file_network *file,
                                const ws_machine **machine)
{
    const char *names[32] = {NULL};
    size_t count = 0;

    *machine = NULL;
    if (file->preset.length == 0) {
        return true;
    }
    *machine = ws_machine_find(file->preset);
    if (*machine != NULL) {
        return true;
    }
    for (; count < WS_COUNT_OF(names) && ws_machine_at(count) != NULL; count++) {
        names[count] = ws_machine_at(count)->name;
    }
    ws_text shown = ws_build_shown(file->preset);
    return ws_build_error(
        context, 2203, ws_build_at(file->self, "preset"),
        ws_build_text(context, "`%.*s` is not a known machine", WS_TEXT_ARGS(shown)),
        "unknown machine", ws_build_known(context, "machine", names, count, file->preset));
}

/** What the file gives takes the place of the preset's; without a preset the bandwidth is due. */
static bool network_link(ws_build *context, const ws_file_network *network, const char *key,
                         const ws_file_link *file, ws_link *link)
{
    if (file->has_latency) {
        link->latency_s = ws_duration_s(file->latency);
    }
    if (file->has_bandwidth) {
        link->bytes_per_s = file->bandwidth;
        return true;
    }
    return link->bytes_per_s > 0 ||
           ws_build_error(context, 2102, network->self->at,
                          ws_build_text(context, "the network's `%s` has no `bandwidth`", key),
                          "this network",
                          ws_build_text(context,
                                        "add `%s: {bandwidth: 400Gb/s}`, or `preset:` with the "
                                        "name of a known machine",
                                        key));
}

static bool network_nics(ws_build *context, const ws_file_link *file, ws_network *network)
{
    bool per_nic = file->has_per && file->per == 2;

    if (file->has_per || file->nics > 0) {
        network->inter_per_gpu = !per_nic && file->per == 0 && file->has_per;
        network->nics = per_nic ? (int32_t)file->nics : 0;
    }
    if (per_nic && file->nics == 0) {
        return ws_build_error(context, 2102, ws_build_at(file->self, "per"),
                              WS_TEXT("`per: nic` needs the number of a node's NICs"), "how many?",
                              WS_TEXT("add `nics: 4`"));
    }
    return per_nic || file->nics == 0 ||
           ws_build_error(context, 2302, ws_build_key_at(file->self, "nics"),
                          WS_TEXT("`nics` says nothing unless a bandwidth is `per: nic`"),
                          "not used", WS_TEXT("write `per: nic`, or remove it"));
}

static void network_warn_gpus(ws_build *context, const ws_file_network *file,
                              const ws_machine *machine)
{
    for (size_t i = 0; machine != NULL && i < context->scenario->pool_count; i++) {
        const ws_pool_spec *pool = &context->scenario->pools[i];

        if (pool->gpus_per_node <= machine->gpus_per_node) {
            continue;
        }
        ws_build_warn(
            context,
            &(ws_diagnostic){.code = 4311,
                             .message = ws_build_text(
                                 context, "a `%s` has %d GPUs, a node of pool `%.*s` has %d",
                                 machine->name, machine->gpus_per_node, WS_TEXT_ARGS(pool->name),
                                 pool->gpus_per_node),
                             .at = ws_build_at(file->self, "preset"),
                             .label = WS_TEXT("of smaller nodes"),
                             .notes = {WS_TEXT("its links are taken for the pool's nodes too")}});
    }
}

static bool network_links(ws_build *context, const ws_file_network *file, ws_network *network,
                          const ws_machine **machine)
{
    if (!network_find_preset(context, file, machine)) {
        return false;
    }
    if (*machine != NULL) {
        *network = ws_machine_network(*machine);
        network_warn_gpus(context, file, *machine);
    }
    bool sound = network_link(context, file, "intra_node", &file->intra_node, &network->intra_node);
    sound =
        network_link(context, file, "inter_node", &file->inter_node, &network->inter_node) && sound;
    return network_nics(context, &file->inter_node, network) && sound;
}

/* ---- switches ---- */

/** A key that means nothing without the number of nodes below a switch. */
static bool network_needs_nodes(ws_build *context, const ws_file_fabric *file, const char *key,
                                const char *nodes)
{
    return ws_build_error(context, 2102, ws_build_key_at(file->self, key),
                          ws_build_text(context, "`%s` needs `%s`", key, nodes),
                          "of how many nodes?", ws_build_text(context, "add `%s: 16`", nodes));
}

static bool network_check_fabric(ws_build *context, const ws_file_fabric *file)
{
    static const char *const of_leaf[] = {"oversubscription", "pod_nodes", "rails", "ecmp_flows"};
    const ws_document *map = file->self;

    for (size_t i = 0; file->leaf_nodes == 0 && i < WS_COUNT_OF(of_leaf); i++) {
        if (ws_build_is_given(map, of_leaf[i])) {
            return network_needs_nodes(context, file, of_leaf[i], "leaf_nodes");
        }
    }
    if (file->pod_nodes == 0 && ws_build_is_given(map, "pod_oversubscription")) {
        return network_needs_nodes(context, file, "pod_oversubscription", "pod_nodes");
    }
    if (file->pod_nodes == 0 || file->pod_nodes % file->leaf_nodes == 0) {
        return true;
    }
    return ws_build_fault(
        context, &(ws_diagnostic){.code = 4206,
                                  .message = WS_TEXT("a pod is a whole number of leaves"),
                                  .at = ws_build_at(map, "pod_nodes"),
                                  .label = ws_build_text(context, "%lld nodes of a pod",
                                                         (long long)file->pod_nodes),
                                  .also = ws_build_at(map, "leaf_nodes"),
                                  .also_label = ws_build_text(context, "%lld nodes of a leaf",
                                                              (long long)file->leaf_nodes)});
}

static bool network_fabric(ws_build *context, const ws_file_fabric *file, ws_fabric *fabric)
{
    if (file == NULL) {
        return true;
    }
    if (!network_check_fabric(context, file)) {
        return false;
    }
    *fabric = (ws_fabric){
        .leaf = {.nodes = (int32_t)file->leaf_nodes, .oversubscription = file->oversubscription},
        .pod = {.nodes = (int32_t)file->pod_nodes, .oversubscription = file->pod_oversubscription},
        .rails = (int32_t)file->rails,
        .ecmp_flows = (int32_t)file->ecmp_flows};
    return true;
}

/* ---- all of it ---- */

/** Without switches that can be oversubscribed nothing is assumed to be shared. */
static ws_network_sharing network_sharing(const ws_file_network *file, const ws_fabric *fabric)
{
    if (file->has_sharing) {
        return (ws_network_sharing)file->sharing;
    }
    return fabric->leaf.nodes > 0 ? WS_NETWORK_SHARING_DUTY : WS_NETWORK_SHARING_NONE;
}

bool ws_build_network(ws_build *context)
{
    WS_ASSERT(context->file != NULL);

    const ws_file_network *file = context->file->network;
    const ws_machine *machine = NULL;
    ws_network *network = NULL;

    if (file == NULL) {
        return true;
    }
    network = ws_build_new(context, ws_network, 1);
    if (network == NULL) {
        return false;
    }
    *network = (ws_network){.intra_node = {.latency_s = 3e-6},
                            .inter_node = {.latency_s = 5e-6},
                            .inter_per_gpu = true};
    context->scenario->network = network;
    bool sound = network_links(context, file, network, &machine);
    sound = network_fabric(context, file->fabric, &network->fabric) && sound;
    network->sharing = network_sharing(file, &network->fabric);
    sound = ws_build_collectives(context, file->collectives, machine, network) && sound;
    if (!sound) {
        *network = (ws_network){.intra_node = {.bytes_per_s = 1}, .inter_node = {.bytes_per_s = 1}};
    }
    return sound;
}
