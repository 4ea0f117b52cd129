/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * What all nodes and jobs of a scenario share beside the GPUs: a storage that is written to and
 * read from, and a registry of images. Each is one link of a sharing (ws/sharing.h); who transfers
 * has a weight and a cap by the number of its nodes, as each node is a client of its own.
 *
 * So n clients that read s bytes each at once take n s / B from a storage of B bytes/s, but never
 * less than s / B_client. Source: the usual bound of parallel file systems, which leaves out
 * metadata; a latency for each transfer stands for it.
 */
#ifndef WS_CHANNELS_H
#define WS_CHANNELS_H

#include "ws/sharing.h"

typedef enum {
    WS_CHANNEL_WRITE,    /* of the storage */
    WS_CHANNEL_READ,     /* of the storage */
    WS_CHANNEL_REGISTRY, /* image pulls */
    WS_CHANNEL_COUNT
} ws_channel;

/** All zero: there is none. */
typedef struct {
    double bytes_per_s;      /* of all transfers together, > 0 */
    double node_bytes_per_s; /* most of one node; 0: no limit of its own */
    ws_duration latency;     /* of one transfer, after its bytes */
} ws_channel_spec;

typedef struct ws_channels ws_channels;

/** NULL when the arena is exhausted. The kernel must outlive it; the specs are copied.
 * @param flow_capacity  most transfers at once */
ws_channels *ws_channels_new(ws_arena *arena, ws_kernel *kernel,
                             const ws_channel_spec specs[WS_CHANNEL_COUNT], uint32_t flow_capacity);

/** Begins a transfer now, for somebody on so many nodes (>= 1). The latency is the caller's to add.
 */
ws_flow ws_channels_begin(ws_channels *channels, ws_channel channel, int32_t nodes, double bytes,
                          const ws_flow_listener *listener, uint64_t argument);

/** Somebody who uses a channel on so many nodes, and takes no more than `bytes_per_s` (> 0). */
typedef struct {
    ws_channel channel;
    int32_t nodes;
    double bytes_per_s;
} ws_channel_user;

/** Begins a transfer for such a one, or a use that goes on (INFINITY bytes): the listener hears
 * what it gets then. */
ws_flow ws_channels_begin_capped(ws_channels *channels, const ws_channel_user *user, double bytes,
                                 const ws_flow_listener *listener, uint64_t argument);

/** Seconds that so many bytes would take if nobody else transferred, without the latency. */
double ws_channels_alone_s(const ws_channels *channels, ws_channel channel, int32_t nodes,
                           double bytes);

ws_duration ws_channels_latency(const ws_channels *channels, ws_channel channel);

/** What the transfers are flows of. The link of a channel has its number. */
ws_sharing *ws_channels_sharing(const ws_channels *channels);

#endif
