/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of machines.
 *
 * What large rings reach within a node is NCCL's own figure where it has one: links of a GPU times
 * 20 (V100, A100), 20.6 (H100) or 40.1 GB/s (B200), src/graph/topo.h of 2.30. Where it has none it
 * is a published measurement. Of a NIC, NCCL counts on 12 of 12.5 GB/s for each 100 Gb/s, 48 of 50
 * at 400 Gb/s, which is what rings reach there (nccl-tests issue 290). Hop latencies are NCCL's
 * (NVLink 0.6 us, PCIe 1 us, InfiniBand 5 us), or what published latencies of small all-reduces
 * need with its formulas.
 */
#include "ws/assert.h"
#include "ws/machine.h"

#define GB 1e9
#define GBIT 0.125e9
#define US 1e-6

#define NVLINK2 .intra_bytes_per_s = 150 * GB, .intra_ring_bytes_per_s = 120 * GB
#define NVLINK3 .intra_bytes_per_s = 300 * GB, .intra_ring_bytes_per_s = 240 * GB
#define NVLINK4 .intra_bytes_per_s = 450 * GB, .intra_ring_bytes_per_s = 370.8 * GB
#define NVLINK5 .intra_bytes_per_s = 900 * GB, .intra_ring_bytes_per_s = 721.8 * GB
#define NVLINK_HOP .joint = WS_JOINED_BY_NVLINK, .intra_latency_s = 0.6 * US

/** `count` NICs of `rate` Gb/s each. */
#define NICS(count, rate)                                                                          \
    .nics = (count), .nic_bytes_per_s = (rate)*GBIT, .nic_ring_bytes_per_s = 0.96 * (rate)*GBIT
#define INFINIBAND_LATENCY_S (5 * US)

static const int32_t machine_v5p_slices[] = {4,   8,    32,   64,   128,  256,
                                             512, 1024, 2048, 4096, 6144, 0};

static const ws_machine machines[] = {
    {.name = "dgx-1-v100",
     .gpu = "V100-SXM2-32GB",
     .gpus_per_node = 8,
     NVLINK_HOP,
     NVLINK2,
     NICS(4, 100),
     .nic_latency_s = INFINIBAND_LATENCY_S,
     .source = "NVIDIA DGX-1 datasheet: 4 EDR InfiniBand"},
    {.name = "p3dn.24xlarge",
     .gpu = "V100-SXM2-32GB",
     .gpus_per_node = 8,
     NVLINK_HOP,
     NVLINK2,
     NICS(1, 100),
     .nic_latency_s = 35 * US,
     .source = "AWS EC2 P3 instances: 100 Gb/s EFA; latency from all-reduces on 2 and 4 nodes, "
               "163.4 and 318.4 us, of a ring"},
    {.name = "dgx-a100",
     .gpu = "A100-SXM4-80GB",
     .gpus_per_node = 8,
     NVLINK_HOP,
     NVLINK3,
     NICS(8, 200),
     .nic_latency_s = INFINIBAND_LATENCY_S,
     .source = "NVIDIA DGX A100 80GB datasheet: 8 HDR InfiniBand"},
    {.name = "p4d.24xlarge",
     .gpu = "A100-SXM4-40GB",
     .gpus_per_node = 8,
     NVLINK_HOP,
     NVLINK3,
     NICS(4, 100),
     .nic_latency_s = 76 * US,
     .source =
         "AWS EC2 P4 instances: 400 Gb/s EFA; latency from an all-reduce of 167 us, aws-efa-eks"},
    {.name = "a2-highgpu-8g",
     .gpu = "A100-SXM4-40GB",
     .gpus_per_node = 8,
     NVLINK_HOP,
     NVLINK3,
     NICS(1, 100),
     .nic_latency_s = 20 * US,
     .source = "Google Cloud GPU machine types: 100 Gb/s, TCP; latency as of another TCP network, "
               "51 us for an all-reduce of 2x4 GH200, CSCS documentation"},
    {.name = "dgx-h100",
     .gpu = "H100-SXM5-80GB",
     .gpus_per_node = 8,
     NVLINK_HOP,
     NVLINK4,
     NICS(8, 400),
     .nic_latency_s = INFINIBAND_LATENCY_S,
     .source = "NVIDIA DGX H100 datasheet: 8 NDR InfiniBand"},
    {.name = "h100-roce",
     .gpu = "H100-SXM5-80GB",
     .gpus_per_node = 8,
     NVLINK_HOP,
     NVLINK4,
     NICS(8, 400),
     .nic_latency_s = INFINIBAND_LATENCY_S,
     .source = "NVIDIA HGX H100 with 8 ConnectX-7, 400GbE; latency taken as InfiniBand's"},
    {.name = "p5.48xlarge",
     .gpu = "H100-SXM5-80GB",
     .gpus_per_node = 8,
     NVLINK_HOP,
     NVLINK4,
     NICS(8, 400),
     .nic_latency_s = 76 * US,
     .source = "AWS EC2 P5 instances: 3200 Gb/s EFA; latency taken as p4d's"},
    {.name = "a3-megagpu-8g",
     .gpu = "H100-SXM5-80GB",
     .gpus_per_node = 8,
     NVLINK_HOP,
     NVLINK4,
     NICS(8, 200),
     .nic_latency_s = 54 * US,
     .source = "Google Cloud GPU machine types: 1800 Gb/s, GPUDirect-TCPXO on 8 NICs; latency from "
               "an all-reduce of 123 us on two nodes"},
    {.name = "dgx-h200",
     .gpu = "H200-SXM-141GB",
     .gpus_per_node = 8,
     NVLINK_HOP,
     NVLINK4,
     NICS(8, 400),
     .nic_latency_s = INFINIBAND_LATENCY_S,
     .source = "NVIDIA DGX H200 datasheet: 8 NDR InfiniBand"},
    {.name = "p5en.48xlarge",
     .gpu = "H200-SXM-141GB",
     .gpus_per_node = 8,
     NVLINK_HOP,
     NVLINK4,
     NICS(8, 400),
     .nic_latency_s = 76 * US,
     .source = "AWS EC2 P5 instances: 3200 Gb/s EFA; latency taken as p4d's"},
    {.name = "dgx-b200",
     .gpu = "B200-SXM-180GB",
     .gpus_per_node = 8,
     NVLINK_HOP,
     NVLINK5,
     NICS(8, 400),
     .nic_latency_s = INFINIBAND_LATENCY_S,
     .source = "NVIDIA DGX B200 datasheet: 8 ConnectX-7 of 400 Gb/s"},
    {.name = "p6-b200.48xlarge",
     .gpu = "B200-SXM-180GB",
     .gpus_per_node = 8,
     NVLINK_HOP,
     NVLINK5,
     NICS(8, 400),
     .nic_latency_s = 76 * US,
     .source = "AWS EC2 P6 instances: 3200 Gb/s EFA; latency taken as p4d's"},
    {.name = "gb200-nvl72",
     .gpu = "GB200-186GB",
     .gpus_per_node = 72,
     NVLINK_HOP,
     NVLINK5,
     NICS(72, 400),
     .nic_latency_s = INFINIBAND_LATENCY_S,
     .source = "NVIDIA GB200 NVL72 product page: a node is the rack, which NVLink joins; 4 "
               "ConnectX-7 of 400 Gb/s a tray"},
    {.name = "mi300x-roce",
     .gpu = "MI300X-192GB",
     .gpus_per_node = 8,
     .joint = WS_JOINED_BY_OTHER,
     .intra_bytes_per_s = 448 * GB,
     .intra_ring_bytes_per_s = 313 * GB,
     .intra_latency_s = 1 * US,
     NICS(8, 400),
     .nic_latency_s = INFINIBAND_LATENCY_S,
     .source = "AMD Instinct MI300X data sheet: 7 Infinity Fabric links of 64 GB/s; 313 GB/s "
               "all-reduce on 8 GPUs, ml-engineering network benchmarks; hops taken as PCIe's and "
               "InfiniBand's"},
    {.name = "rtx-4090-box",
     .gpu = "RTX-4090-24GB",
     .gpus_per_node = 8,
     .joint = WS_JOINED_BY_PCIE,
     .intra_bytes_per_s = 32 * GB,
     .intra_ring_bytes_per_s = 14.5 * GB,
     .intra_latency_s = 1 * US,
     NICS(1, 25),
     .nic_latency_s = 20 * US,
     .source = "PCIe 4.0 x16 without peer-to-peer: 14.5 GB/s all-reduce on 8 GPUs (20.6 with a "
               "driver that has it); one 25GbE, TCP"},
    {.name = "tpu-v5p-pod",
     .gpu = "TPU-v5p",
     .gpus_per_node = 4,
     .joint = WS_JOINED_BY_OTHER,
     .intra_bytes_per_s = 600 * GB,
     .intra_ring_bytes_per_s = 600 * GB,
     .intra_latency_s = 1 * US,
     .nics = 4,
     .nic_bytes_per_s = 600 * GB,
     .nic_ring_bytes_per_s = 600 * GB,
     .nic_latency_s = 1 * US,
     .slices = machine_v5p_slices,
     .source =
         "Google Cloud documentation, TPU v5p: 1200 GB/s both ways over the six links of a 3D "
         "torus, common slices; 1 us a hop, J. Austin et al., How to Scale Your Model"},
};

const ws_machine *ws_machine_find(ws_text name)
{
    for (size_t i = 0; i < WS_COUNT_OF(machines); i++) {
        if (ws_text_is(name, machines[i].name)) {
            return &machines[i];
        }
    }
    return NULL;
}

const ws_machine *ws_machine_at(size_t index)
{
    return index < WS_COUNT_OF(machines) ? &machines[index] : NULL;
}

ws_network ws_machine_network(const ws_machine *machine)
{
    bool per_gpu = machine->nics == machine->gpus_per_node;

    WS_ASSERT(machine->nics <= machine->gpus_per_node);
    return (ws_network){.intra_node = {.latency_s = machine->intra_latency_s,
                                       .bytes_per_s = machine->intra_ring_bytes_per_s},
                        .inter_node = {.latency_s = machine->nic_latency_s,
                                       .bytes_per_s = machine->nic_ring_bytes_per_s},
                        .inter_per_gpu = per_gpu,
                        .nics = per_gpu ? 0 : machine->nics};
}
