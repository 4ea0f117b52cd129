/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parameter servers: every rank pushes its gradients, which the servers add up, and pulls the
 * parameters. Each server has bytes/s of them; its own link is what n ranks wait for.
 *
 * Sources: M. Li et al., OSDI 2014, for push, pull and the sharding over servers; Y. Peng et al.
 * (Optimus), EuroSys 2018, for the terms: a transfer of n/s times the bytes at a server.
 */
#include <math.h>

#include "collective_links.h"
#include "ws/assert.h"

static const ws_servers server_default = {.count = 0, .asynchronous = false};

static const ws_servers *server_parameters(const ws_network *network)
{
    const void *parameters = network->collectives == &ws_collective_parameter_server
                                 ? network->collective_parameters
                                 : NULL;

    return parameters != NULL ? parameters : &server_default;
}

/** Without servers of their own: one on each node, reached within it when there is no other. */
static bool server_is_local(const ws_network *network, const ws_group *group)
{
    return server_parameters(network)->count == 0 && group->nodes == 1;
}

static double server_latency_s(const ws_network *network, const ws_group *group)
{
    return server_is_local(network, group) ? network->intra_node.latency_s
                                           : network->inter_node.latency_s;
}

/** All ranks of a node send at once, into whatever leaf the servers are. */
static double server_worker_s(const ws_network *network, double bytes, const ws_group *group)
{
    double on_node = (double)group->ranks / group->nodes;

    if (server_is_local(network, group)) {
        return bytes / network->intra_node.bytes_per_s;
    }
    double leaf = ws_links_slow_down(network, group, &network->fabric.leaf,
                                     group->leaves > 1 ? (double)group->nodes / group->leaves : 0);
    double pod = ws_links_slow_down(network, group, &network->fabric.pod,
                                    group->pods > 1 ? (double)group->nodes / group->pods : 0);
    double out = ws_group_way_out_bytes_per_s(network, group) / on_node / fmax(leaf, pod);
    return bytes / fmin(network->intra_node.bytes_per_s, out);
}

/** n times the bytes into all servers, from all groups that are there. */
static double server_all_s(const ws_network *network, double bytes, const ws_group *group)
{
    const ws_servers *servers = server_parameters(network);
    double count = servers->count > 0 ? servers->count : group->nodes;
    double rate = network->inter_node.bytes_per_s * group->fabric_share *
                  (network->inter_per_gpu ? 1 : fmax(network->nics, 1));

    if (server_is_local(network, group)) {
        rate = network->intra_node.bytes_per_s;
    }
    return bytes * group->ranks * group->groups_per_node / count / rate;
}

static double server_reduction_s(const ws_network *network, double bytes, const ws_group *group)
{
    const ws_servers *servers = server_parameters(network);
    double count = servers->count > 0 ? servers->count : group->nodes;

    return bytes * group->ranks * group->groups_per_node / count * network->reduce_s_per_byte;
}

static double server_pull(const ws_network *network, double bytes, const ws_group *group)
{
    return server_latency_s(network, group) +
           fmax(server_worker_s(network, bytes, group), server_all_s(network, bytes, group));
}

static double server_push(const ws_network *network, double bytes, const ws_group *group)
{
    return server_pull(network, bytes, group) + server_reduction_s(network, bytes, group);
}

/**
 * Synchronous: all push, then all pull. Asynchronous: each rank pushes and pulls on its own, so
 * that a server's two directions are busy at once; the ranks' rate is bounded by their own round
 * trip or by the servers, whichever is slower.
 */
static double server_all_reduce(const ws_network *network, double bytes, const ws_group *group)
{
    if (!server_parameters(network)->asynchronous) {
        return server_push(network, bytes, group) + server_pull(network, bytes, group);
    }
    return 2 * server_latency_s(network, group) +
           fmax(2 * server_worker_s(network, bytes, group),
                server_all_s(network, bytes, group) + server_reduction_s(network, bytes, group));
}

const ws_collective_type ws_collective_parameter_server = {
    .name = "parameter-server",
    .summary = "gradients are pushed to servers and parameters pulled from them",
    .seconds =
        {[WS_ALL_REDUCE] = server_all_reduce, [WS_PUSH] = server_push, [WS_PULL] = server_pull},
};
