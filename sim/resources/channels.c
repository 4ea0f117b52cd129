/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ws/channels.h"

#include <math.h>

struct ws_channels {
    ws_channel_spec specs[WS_CHANNEL_COUNT];
    ws_sharing *sharing;
};

ws_channels *ws_channels_new(ws_arena *arena, ws_kernel *kernel,
                             const ws_channel_spec specs[WS_CHANNEL_COUNT], uint32_t flow_capacity)
{
    ws_channels *channels = ws_arena_alloc(arena, ws_channels, 1);
    double capacities[WS_CHANNEL_COUNT];

    if (channels == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < WS_CHANNEL_COUNT; i++) {
        channels->specs[i] = specs[i];
        capacities[i] = specs[i].bytes_per_s > 0 ? specs[i].bytes_per_s : 1; /* nobody uses it */
    }
    channels->sharing = ws_sharing_new(arena, kernel,
                                       &(ws_sharing_options){.capacities = capacities,
                                                             .link_count = WS_CHANNEL_COUNT,
                                                             .flow_capacity = flow_capacity,
                                                             .crossing_capacity = flow_capacity});
    return channels->sharing != NULL ? channels : NULL;
}

/* Most that somebody on so many nodes can transfer. */
static double channels_cap(const ws_channels *channels, ws_channel channel, int32_t nodes)
{
    double of_a_node = channels->specs[channel].node_bytes_per_s;

    WS_ASSERT(nodes >= 1);
    return of_a_node > 0 ? nodes * of_a_node : (double)INFINITY;
}

/** A flow of somebody on so many nodes, without its bytes and its listener. */
static ws_flow_spec channels_flow(const ws_channels *channels, const uint32_t *link, int32_t nodes)
{
    ws_channel channel = (ws_channel)*link;

    WS_ASSERT(channels->specs[channel].bytes_per_s > 0);
    return (ws_flow_spec){.path = link,
                          .path_count = 1,
                          .weight = nodes,
                          .cap_bytes_per_s = channels_cap(channels, channel, nodes)};
}

ws_flow ws_channels_begin(ws_channels *channels, ws_channel channel, int32_t nodes, double bytes,
                          const ws_flow_listener *listener, uint64_t argument)
{
    uint32_t link = (uint32_t)channel;
    ws_flow_spec flow = channels_flow(channels, &link, nodes);

    flow.bytes = bytes;
    flow.listener = listener;
    flow.argument = argument;
    return ws_sharing_begin(channels->sharing, &flow);
}

ws_flow ws_channels_begin_capped(ws_channels *channels, const ws_channel_user *user, double bytes,
                                 const ws_flow_listener *listener, uint64_t argument)
{
    uint32_t link = (uint32_t)user->channel;
    ws_flow_spec flow = channels_flow(channels, &link, user->nodes);

    WS_ASSERT(user->bytes_per_s > 0);
    flow.cap_bytes_per_s = fmin(flow.cap_bytes_per_s, user->bytes_per_s);
    flow.bytes = bytes;
    flow.listener = listener;
    flow.argument = argument;
    return ws_sharing_begin(channels->sharing, &flow);
}

double ws_channels_alone_s(const ws_channels *channels, ws_channel channel, int32_t nodes,
                           double bytes)
{
    double cap = channels_cap(channels, channel, nodes);

    WS_ASSERT(channels->specs[channel].bytes_per_s > 0);
    return bytes / fmin(cap, channels->specs[channel].bytes_per_s);
}

ws_duration ws_channels_latency(const ws_channels *channels, ws_channel channel)
{
    WS_ASSERT(channel < WS_CHANNEL_COUNT);
    return channels->specs[channel].latency;
}

ws_sharing *ws_channels_sharing(const ws_channels *channels)
{
    WS_ASSERT(channels != NULL);
    return channels->sharing;
}
