/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ws/demand.h"

#include <math.h>

#include "ws/assert.h"

ws_demand ws_demand_of(ws_demand_step *steps, size_t count, ws_time end)
{
    double arrived = 0;

    WS_ASSERT(count >= 1);
    WS_ASSERT(steps[0].begin.ns == 0);
    for (size_t i = 0; i < count; i++) {
        ws_time next = i + 1 < count ? steps[i + 1].begin : end;

        WS_ASSERT(ws_time_is_before(steps[i].begin, next));
        WS_ASSERT(steps[i].rate >= 0 && isfinite(steps[i].rate));
        WS_ASSERT(steps[i].is_known || !(steps[i].rate > 0));
        bool goes_on = i > 0 && steps[i].is_known && steps[i - 1].is_known;
        steps[i].known_since = goes_on ? steps[i - 1].known_since : steps[i].begin;
        steps[i].arrived = arrived;
        arrived += steps[i].rate * ws_duration_s(ws_time_since(next, steps[i].begin));
    }
    return (ws_demand){.steps = steps, .count = count, .end = end, .total = arrived};
}

size_t ws_demand_find(const ws_demand *demand, ws_time at)
{
    size_t low = 0;
    size_t high = demand->count;

    WS_ASSERT(at.ns >= 0);
    if (at.ns >= demand->end.ns) {
        return demand->count;
    }
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (demand->steps[middle].begin.ns <= at.ns) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

double ws_demand_arrived(const ws_demand *demand, ws_time at)
{
    size_t index = ws_demand_find(demand, at);

    if (index == demand->count) {
        return demand->total;
    }
    const ws_demand_step *step = &demand->steps[index];
    return step->arrived + step->rate * ws_duration_s(ws_time_since(at, step->begin));
}

bool ws_demand_known_since(const ws_demand *demand, ws_time at, ws_time *since)
{
    size_t index = ws_demand_find(demand, at);

    WS_ASSERT(since != NULL);
    if (index < demand->count) {
        if (demand->steps[index].is_known) {
            *since = demand->steps[index].known_since;
        }
        return demand->steps[index].is_known;
    }
    const ws_demand_step *last = &demand->steps[demand->count - 1];
    *since = last->is_known ? last->known_since : demand->end;
    return true;
}
