/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The keys of a network: links, switches, and the model of collectives. */
#include "file.h"
#include "ws/collective.h"

#define ROW(structure, field) .name = #field, .offset = offsetof(structure, field)
#define SELF(structure)                                                                            \
    {                                                                                              \
        .kind = WS_PARAMETER_SELF, .offset = offsetof(structure, self)                             \
    }

/* ---- links ---- */

static const ws_parameter intra_rows[] = {
    SELF(ws_file_link),
    {ROW(ws_file_link, bandwidth), .kind = WS_PARAMETER_BANDWIDTH, .min = "1B/s",
     .present_offset = offsetof(ws_file_link, has_bandwidth),
     .help = "between two GPUs of a node, one direction; needed without `preset`"},
    {ROW(ws_file_link, latency), .kind = WS_PARAMETER_DURATION,
     .present_offset = offsetof(ws_file_link, has_latency),
     .help = "of one hop; default: that of `preset`, else 3us"},
};
static const ws_parameter_table intra_table = {.noun = "link",
                                               .rows = intra_rows,
                                               .count = WS_COUNT_OF(intra_rows),
                                               .bytes = sizeof(ws_file_link)};

static const char *const per_choices[] = {"gpu", "node", "nic", NULL};

static const ws_parameter inter_rows[] = {
    SELF(ws_file_link),
    {ROW(ws_file_link, bandwidth), .kind = WS_PARAMETER_BANDWIDTH, .min = "1B/s",
     .present_offset = offsetof(ws_file_link, has_bandwidth),
     .help = "out of a node, one direction; needed without `preset`"},
    {ROW(ws_file_link, latency), .kind = WS_PARAMETER_DURATION,
     .present_offset = offsetof(ws_file_link, has_latency),
     .help = "of one hop; default: that of `preset`, else 5us"},
    {ROW(ws_file_link, per), .kind = WS_PARAMETER_CHOICE, .choices = per_choices,
     .choice_noun = "what a bandwidth is of", .present_offset = offsetof(ws_file_link, has_per),
     .help = "the bandwidth is of each GPU's own NIC, of the whole node, or of each of its `nics`; "
             "default: as `preset` has it, else `gpu`"},
    {ROW(ws_file_link, nics), .kind = WS_PARAMETER_INTEGER, .min = "1", .max = "1024",
     .help = "NICs of a node, with `per: nic`"},
};
static const ws_parameter_table inter_table = {.noun = "link",
                                               .rows = inter_rows,
                                               .count = WS_COUNT_OF(inter_rows),
                                               .bytes = sizeof(ws_file_link)};

/* ---- switches ---- */

static const ws_parameter fabric_rows[] = {
    SELF(ws_file_fabric),
    {ROW(ws_file_fabric, leaf_nodes), .kind = WS_PARAMETER_INTEGER, .default_text = "0", .min = "0",
     .max = "10000000",
     .help = "nodes below one leaf switch, in the order of a pool's nodes; 0: "
             "all of them, nothing is oversubscribed"},
    {ROW(ws_file_fabric, oversubscription), .kind = WS_PARAMETER_NUMBER, .default_text = "1",
     .min = "1", .max = "1000",
     .help = "what the nodes of a leaf can send, over what its ways up "
             "carry"},
    {ROW(ws_file_fabric, pod_nodes), .kind = WS_PARAMETER_INTEGER, .default_text = "0", .min = "0",
     .max = "10000000", .help = "nodes of a pod, whole leaves; 0: one pod"},
    {ROW(ws_file_fabric, pod_oversubscription), .kind = WS_PARAMETER_NUMBER, .default_text = "1",
     .min = "1", .max = "1000", .help = "likewise, of the nodes of a pod"},
    {ROW(ws_file_fabric, rails), .kind = WS_PARAMETER_INTEGER, .default_text = "1", .min = "1",
     .max = "1024", .help = "leaf switches side by side, each with its share of every node's NICs"},
    {ROW(ws_file_fabric, ecmp_flows), .kind = WS_PARAMETER_INTEGER, .default_text = "0", .min = "0",
     .max = "1024",
     .help = "flows between two NICs, each hashed to one way up, so that some collide; 0: none do"},
};
static const ws_parameter_table fabric_table = {.noun = "fabric",
                                                .rows = fabric_rows,
                                                .count = WS_COUNT_OF(fabric_rows),
                                                .bytes = sizeof(ws_file_fabric)};

/* ---- collectives ---- */

static const ws_parameter measured_rows[] = {
    SELF(ws_file_measured),
    {ROW(ws_file_measured, operation), .kind = WS_PARAMETER_CHOICE,
     .choices = ws_collective_operation_names, .choice_noun = "an operation",
     .default_text = "all-reduce", .help = "what was measured"},
    {ROW(ws_file_measured, ranks), .kind = WS_PARAMETER_INTEGER, .required = true, .min = "2",
     .max = "10000000", .help = "that took part"},
    {ROW(ws_file_measured, nodes), .kind = WS_PARAMETER_INTEGER, .required = true, .min = "1",
     .max = "10000000", .help = "that they were on"},
    {ROW(ws_file_measured, times), .kind = WS_PARAMETER_DOCUMENT,
     .help = "of `measured`: {1MiB: 41us, 1GiB: 2.9ms}, by size of the whole array"},
    {ROW(ws_file_measured, latency), .kind = WS_PARAMETER_DURATION,
     .help = "of `square-root`: the constant term"},
    {ROW(ws_file_measured, root), .kind = WS_PARAMETER_DURATION,
     .help = "of `square-root`: the term that grows with the root of the size, at 1MiB"},
    {ROW(ws_file_measured, bandwidth), .kind = WS_PARAMETER_BANDWIDTH, .min = "1B/s",
     .help = "of `square-root`: bytes of the array a second, for large ones"},
    {ROW(ws_file_measured, from), .kind = WS_PARAMETER_BYTES, .default_text = "8B", .min = "1B",
     .help = "of `square-root`: smallest size that was fitted"},
    {ROW(ws_file_measured, to), .kind = WS_PARAMETER_BYTES, .default_text = "1GiB", .min = "1B",
     .help = "of `square-root`: largest size that was fitted"},
};
static const ws_parameter_table measured_table = {.noun = "measurement",
                                                  .rows = measured_rows,
                                                  .count = WS_COUNT_OF(measured_rows),
                                                  .bytes = sizeof(ws_file_measured)};

static const char *const gpu_choices[] = {"volta", "ampere", "hopper", "blackwell", NULL};
static const char *const joint_choices[] = {"nvlink", "pcie", NULL};
static const char *const processor_choices[] = {"intel", "amd", NULL};

static const ws_parameter collectives_rows[] = {
    SELF(ws_file_collectives),
    {ROW(ws_file_collectives, model), .kind = WS_PARAMETER_TEXT, .default_text = "ring",
     .help = "the algorithm, or what was measured: see the list of models"},
    {ROW(ws_file_collectives, reduce), .kind = WS_PARAMETER_BANDWIDTH, .min = "1B/s",
     .present_offset = offsetof(ws_file_collectives, has_reduce),
     .help = "bytes a second that a GPU adds to others; default: hidden by the transfer"},
    {ROW(ws_file_collectives, version), .kind = WS_PARAMETER_TEXT,
     .help = "of `nccl`: the version whose constants are taken; default: the newest"},
    {ROW(ws_file_collectives, gpu), .kind = WS_PARAMETER_CHOICE, .choices = gpu_choices,
     .choice_noun = "a generation of GPUs",
     .present_offset = offsetof(ws_file_collectives, has_gpu),
     .help = "of `nccl`: default: the oldest among the pools' GPUs that are known"},
    {ROW(ws_file_collectives, joint), .kind = WS_PARAMETER_CHOICE, .choices = joint_choices,
     .choice_noun = "a link within a node",
     .present_offset = offsetof(ws_file_collectives, has_joint),
     .help = "of `nccl`: what joins a node's GPUs; default: as `preset` has it, else `nvlink`"},
    {ROW(ws_file_collectives, processor), .kind = WS_PARAMETER_CHOICE, .choices = processor_choices,
     .choice_noun = "a processor", .help = "of `nccl`: of the nodes; default: `intel`"},
    {ROW(ws_file_collectives, sharp), .kind = WS_PARAMETER_BOOL,
     .help = "of `nccl`: the switches reduce, and NCCL is told to let them (CollNet)"},
    {ROW(ws_file_collectives, servers), .kind = WS_PARAMETER_INTEGER, .min = "0", .max = "10000000",
     .help = "of `parameter-server`: how many, on nodes of their own; 0: one on each node"},
    {ROW(ws_file_collectives, asynchronous), .kind = WS_PARAMETER_BOOL,
     .help = "of `parameter-server`: nobody waits for the others"},
    {ROW(ws_file_collectives, measured), .kind = WS_PARAMETER_MAP_LIST, .table = &measured_table,
     .help = "of `measured` and `square-root`: what was, for each operation and placement"},
};
static const ws_parameter_table collectives_table = {.noun = "collectives",
                                                     .rows = collectives_rows,
                                                     .count = WS_COUNT_OF(collectives_rows),
                                                     .bytes = sizeof(ws_file_collectives),
                                                     .scalar_key = "model"};

/* In the order of ws_network_sharing. */
static const char *const sharing_choices[] = {"none", "collide", "duty", NULL};

static const ws_parameter network_rows[] = {
    SELF(ws_file_network),
    {ROW(ws_file_network, preset), .kind = WS_PARAMETER_TEXT,
     .help = "a known machine, whose links these are where the keys below do not say otherwise"},
    {ROW(ws_file_network, intra_node), .kind = WS_PARAMETER_MAP, .table = &intra_table,
     .help = "links within a node"},
    {ROW(ws_file_network, inter_node), .kind = WS_PARAMETER_MAP, .table = &inter_table,
     .help = "links between nodes"},
    {ROW(ws_file_network, fabric), .kind = WS_PARAMETER_OPTIONAL_MAP, .table = &fabric_table,
     .help = "switches above the nodes"},
    {ROW(ws_file_network, collectives), .kind = WS_PARAMETER_OPTIONAL_MAP,
     .table = &collectives_table, .help = "how they move data"},
    {ROW(ws_file_network, sharing), .kind = WS_PARAMETER_CHOICE, .choices = sharing_choices,
     .choice_noun = "how links are shared",
     .present_offset = offsetof(ws_file_network, has_sharing),
     .help =
         "jobs whose collectives cross the same links: `duty`: each slows the others as much of "
         "the time as it communicates; `collide`: as if all always did; `none`: not at all; "
         "default: `duty` with `fabric.leaf_nodes`, else `none`"},
};
const ws_parameter_table ws_file_network_table = {.noun = "network",
                                                  .rows = network_rows,
                                                  .count = WS_COUNT_OF(network_rows),
                                                  .bytes = sizeof(ws_file_network)};
