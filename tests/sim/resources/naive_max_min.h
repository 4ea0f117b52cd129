/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Max-min fairness as the textbook says it, over the whole network, for comparison. */
#ifndef WS_NAIVE_MAX_MIN_H
#define WS_NAIVE_MAX_MIN_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#define NAIVE_LINKS_MAX 16
#define NAIVE_FLOWS_MAX 64

typedef struct {
    bool is_there;
    bool crosses[NAIVE_LINKS_MAX];
    double weight;
    double cap;
    double rate;
} naive_flow;

typedef struct {
    double capacities[NAIVE_LINKS_MAX];
    size_t link_count;
    naive_flow flows[NAIVE_FLOWS_MAX];
    size_t flow_count;
} naive_network;

/* The least rise of the level at which a link becomes full or an open flow meets its cap. */
static inline double naive_rise(const naive_network *network, const bool *open)
{
    double rise = (double)INFINITY;

    for (size_t link = 0; link < network->link_count; link++) {
        double used = 0;
        double weight = 0;
        for (size_t i = 0; i < network->flow_count; i++) {
            const naive_flow *flow = &network->flows[i];
            used += flow->crosses[link] && flow->is_there ? flow->rate : 0;
            weight += flow->crosses[link] && open[i] ? flow->weight : 0;
        }
        rise = weight > 0 ? fmin(rise, (network->capacities[link] - used) / weight) : rise;
    }
    for (size_t i = 0; i < network->flow_count; i++) {
        const naive_flow *flow = &network->flows[i];
        rise = open[i] ? fmin(rise, (flow->cap - flow->rate) / flow->weight) : rise;
    }
    return fmax(rise, 0);
}

static inline double naive_used(const naive_network *network, size_t link)
{
    double used = 0;

    for (size_t i = 0; i < network->flow_count; i++) {
        const naive_flow *flow = &network->flows[i];
        used += flow->crosses[link] && flow->is_there ? flow->rate : 0;
    }
    return used;
}

/* Closes the flows at their cap or on a full link; returns how many are open. */
static inline size_t naive_close(const naive_network *network, bool *open)
{
    size_t count = 0;

    for (size_t i = 0; i < network->flow_count; i++) {
        const naive_flow *flow = &network->flows[i];
        bool is_stopped = flow->rate >= flow->cap * (1 - 1e-12);

        for (size_t link = 0; link < network->link_count; link++) {
            double full = network->capacities[link] * (1 - 1e-12);
            is_stopped = is_stopped || (flow->crosses[link] && naive_used(network, link) >= full);
        }
        open[i] = open[i] && !is_stopped;
        count += open[i];
    }
    return count;
}

/** Sets the rates of the flows that are there. */
static inline void naive_solve(naive_network *network)
{
    bool open[NAIVE_FLOWS_MAX] = {false};
    size_t count = 0;

    for (size_t i = 0; i < network->flow_count; i++) {
        network->flows[i].rate = 0;
        open[i] = network->flows[i].is_there;
        count += open[i];
    }
    while (count > 0) {
        double rise = naive_rise(network, open);

        for (size_t i = 0; i < network->flow_count; i++) {
            network->flows[i].rate += open[i] ? rise * network->flows[i].weight : 0;
        }
        count = naive_close(network, open);
    }
}

#endif
