/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Flows and their classes: how they come to be and end. How rates are found is in sharing_solve.c.
 */
#include "ws/sharing.h"

#include <math.h>
#include <string.h>

#include "sharing_private.h"

size_t ws_sharing_event_capacity(uint32_t flow_capacity)
{
    return (size_t)flow_capacity + 1; /* one for each class, and the solving */
}

static uint32_t sharing_bucket_count(uint32_t flow_capacity)
{
    uint32_t count = 1;

    while (count < flow_capacity && count < UINT32_C(1) << 30) {
        count *= 2;
    }
    return count;
}

/* Chains the free records of each pool. */
static void sharing_init_records(ws_sharing *sharing)
{
    uint32_t flows = sharing->options.flow_capacity;
    uint32_t crossings = sharing->options.crossing_capacity;

    for (uint32_t i = 0; i < flows; i++) {
        sharing->flows[i].next = i + 1 < flows ? i + 1 : WS_NOTHING;
        sharing->classes[i].bucket_next = i + 1 < flows ? i + 1 : WS_NOTHING;
    }
    for (uint32_t i = 0; i < crossings; i++) {
        sharing->crossings[i].class_next = i + 1 < crossings ? i + 1 : WS_NOTHING;
    }
    for (uint32_t i = 0; i <= sharing->bucket_mask; i++) {
        sharing->buckets[i] = WS_NOTHING;
    }
    for (uint32_t i = 0; i < sharing->options.link_count; i++) {
        WS_ASSERT(sharing->options.capacities[i] > 0);
        sharing->links[i] = (ws_flow_link){.capacity = sharing->options.capacities[i],
                                           .crossing_first = WS_NOTHING};
    }
    sharing->flow_free = flows > 0 ? 0 : WS_NOTHING;
    sharing->class_free = flows > 0 ? 0 : WS_NOTHING;
    sharing->crossing_free = crossings > 0 ? 0 : WS_NOTHING;
}

ws_sharing *ws_sharing_new(ws_arena *arena, ws_kernel *kernel, const ws_sharing_options *options)
{
    WS_ASSERT(options != NULL);

    ws_sharing *sharing = ws_arena_alloc(arena, ws_sharing, 1);
    size_t flows = (size_t)options->flow_capacity + 1;
    uint32_t buckets = sharing_bucket_count(options->flow_capacity);

    if (sharing == NULL) {
        return NULL;
    }
    *sharing =
        (ws_sharing){.kernel = kernel,
                     .options = *options,
                     .flows = ws_arena_alloc(arena, ws_flow_record, flows),
                     .classes = ws_arena_alloc(arena, ws_flow_class, flows),
                     .crossings = ws_arena_alloc(arena, ws_flow_crossing,
                                                 (size_t)options->crossing_capacity + 1),
                     .links = ws_arena_alloc(arena, ws_flow_link, (size_t)options->link_count + 1),
                     .buckets = ws_arena_alloc(arena, uint32_t, buckets),
                     .bucket_mask = buckets - 1};
    if (sharing->flows == NULL || sharing->classes == NULL || sharing->crossings == NULL ||
        sharing->links == NULL || sharing->buckets == NULL ||
        !ws_sharing_solve_init(sharing, arena)) {
        return NULL;
    }
    sharing_init_records(sharing);
    return sharing;
}

/* ---- classes ---- */

/* The finaliser of MurmurHash3 (A. Appleby, public domain). */
static uint64_t sharing_mix(uint64_t hash, uint64_t value)
{
    hash ^= value;
    hash = (hash ^ (hash >> 33)) * UINT64_C(0xff51afd7ed558ccd);
    hash = (hash ^ (hash >> 33)) * UINT64_C(0xc4ceb9fe1a85ec53);
    return hash ^ (hash >> 33);
}

static uint64_t sharing_bits(double value)
{
    uint64_t bits = 0;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint32_t *sharing_bucket(const ws_sharing *sharing, const ws_flow_spec *spec)
{
    uint64_t hash = sharing_mix(sharing_bits(spec->weight), sharing_bits(spec->cap_bytes_per_s));

    for (uint32_t i = 0; i < spec->path_count; i++) {
        hash = sharing_mix(hash, spec->path[i]);
    }
    return &sharing->buckets[hash & sharing->bucket_mask];
}

static bool sharing_class_is(const ws_sharing *sharing, const ws_flow_class *class,
                             const ws_flow_spec *spec)
{
    uint32_t crossing = class->crossing_first;

    if (sharing_bits(class->weight) != sharing_bits(spec->weight) ||
        sharing_bits(class->cap) != sharing_bits(spec->cap_bytes_per_s) ||
        class->path_count != spec->path_count) {
        return false;
    }
    for (uint32_t i = 0; i < spec->path_count; i++) {
        if (sharing->crossings[crossing].link != spec->path[i]) {
            return false;
        }
        crossing = sharing->crossings[crossing].class_next;
    }
    return true;
}

/* Puts a class on a link, before its other classes. */
static uint32_t sharing_cross(ws_sharing *sharing, uint32_t class_index, uint32_t link)
{
    uint32_t index = sharing->crossing_free;

    WS_ASSERT(index != WS_NOTHING);
    WS_ASSERT(link < sharing->options.link_count);
    ws_flow_crossing *crossing = &sharing->crossings[index];
    sharing->crossing_free = crossing->class_next;
    *crossing = (ws_flow_crossing){.class_index = class_index,
                                   .link = link,
                                   .class_next = WS_NOTHING,
                                   .link_next = sharing->links[link].crossing_first,
                                   .link_previous = WS_NOTHING};
    if (crossing->link_next != WS_NOTHING) {
        sharing->crossings[crossing->link_next].link_previous = index;
    }
    sharing->links[link].crossing_first = index;
    return index;
}

static void sharing_uncross(ws_sharing *sharing, uint32_t index)
{
    ws_flow_crossing *crossing = &sharing->crossings[index];

    if (crossing->link_previous == WS_NOTHING) {
        sharing->links[crossing->link].crossing_first = crossing->link_next;
    } else {
        sharing->crossings[crossing->link_previous].link_next = crossing->link_next;
    }
    if (crossing->link_next != WS_NOTHING) {
        sharing->crossings[crossing->link_next].link_previous = crossing->link_previous;
    }
    crossing->class_next = sharing->crossing_free;
    sharing->crossing_free = index;
}

static uint32_t sharing_class_new(ws_sharing *sharing, const ws_flow_spec *spec, uint32_t *bucket)
{
    uint32_t index = sharing->class_free;
    uint32_t last = WS_NOTHING;

    WS_ASSERT(index != WS_NOTHING);
    ws_flow_class *class = &sharing->classes[index];
    sharing->class_free = class->bucket_next;
    *class = (ws_flow_class){.weight = spec->weight,
                             .cap = spec->cap_bytes_per_s,
                             .at = ws_kernel_now(sharing->kernel),
                             .path_count = spec->path_count,
                             .crossing_first = WS_NOTHING,
                             .heap_root = WS_NOTHING,
                             .standing_first = WS_NOTHING,
                             .bucket_next = *bucket};
    *bucket = index;
    for (uint32_t i = 0; i < spec->path_count; i++) {
        uint32_t crossing = sharing_cross(sharing, index, spec->path[i]);
        if (last == WS_NOTHING) {
            class->crossing_first = crossing;
        } else {
            sharing->crossings[last].class_next = crossing;
        }
        last = crossing;
    }
    return index;
}

static uint32_t sharing_class_get(ws_sharing *sharing, const ws_flow_spec *spec)
{
    uint32_t *bucket = sharing_bucket(sharing, spec);
    uint32_t index = *bucket;

    while (index != WS_NOTHING && !sharing_class_is(sharing, &sharing->classes[index], spec)) {
        index = sharing->classes[index].bucket_next;
    }
    return index != WS_NOTHING ? index : sharing_class_new(sharing, spec, bucket);
}

/* Takes an empty class off its links and out of its bucket, which is found by what it is. */
static void sharing_class_drop(ws_sharing *sharing, uint32_t index)
{
    ws_flow_class *class = &sharing->classes[index];
    uint64_t hash = sharing_mix(sharing_bits(class->weight), sharing_bits(class->cap));
    uint32_t crossing = class->crossing_first;

    WS_ASSERT(class->flows == 0);
    (void)ws_kernel_cancel(sharing->kernel, class->event);
    while (crossing != WS_NOTHING) {
        uint32_t next = sharing->crossings[crossing].class_next;
        hash = sharing_mix(hash, sharing->crossings[crossing].link);
        sharing_uncross(sharing, crossing);
        crossing = next;
    }
    uint32_t *at = &sharing->buckets[hash & sharing->bucket_mask];
    while (*at != index) {
        at = &sharing->classes[*at].bucket_next;
    }
    *at = class->bucket_next;
    class->bucket_next = sharing->class_free;
    sharing->class_free = index;
}

/* ---- flows ---- */

static void sharing_enter_standing(ws_sharing *sharing, ws_flow_class *class, uint32_t flow)
{
    sharing->flows[flow].previous = WS_NOTHING;
    sharing->flows[flow].next = class->standing_first;
    if (class->standing_first != WS_NOTHING) {
        sharing->flows[class->standing_first].previous = flow;
    }
    class->standing_first = flow;
}

static void sharing_leave_standing(ws_sharing *sharing, ws_flow_class *class, uint32_t flow)
{
    const ws_flow_record *record = &sharing->flows[flow];

    if (record->previous == WS_NOTHING) {
        class->standing_first = record->next;
    } else {
        sharing->flows[record->previous].next = record->next;
    }
    if (record->next != WS_NOTHING) {
        sharing->flows[record->next].previous = record->previous;
    }
}

static void sharing_check_spec(const ws_flow_spec *spec)
{
    WS_ASSERT(spec->weight > 0);
    WS_ASSERT(spec->weight < (double)INFINITY);
    WS_ASSERT(spec->cap_bytes_per_s > 0);
    WS_ASSERT(spec->bytes >= 0);
    WS_ASSERT(spec->path_count > 0 || spec->cap_bytes_per_s < (double)INFINITY);
}

/* A class without links has its cap whatever happens elsewhere: it is never solved for. */
static void sharing_set_alone(ws_sharing *sharing, uint32_t class_index)
{
    ws_flow_class *class = &sharing->classes[class_index];

    if (class->path_count == 0 && class->flows > 0) {
        class->rate = class->cap;
        ws_sharing_advance(sharing, class);
        ws_sharing_schedule(sharing, class_index);
    }
}

ws_flow ws_sharing_begin(ws_sharing *sharing, const ws_flow_spec *spec)
{
    uint32_t flow = sharing->flow_free;

    sharing_check_spec(spec);
    WS_ASSERT(flow != WS_NOTHING);
    uint32_t class_index = sharing_class_get(sharing, spec);
    ws_flow_class *class = &sharing->classes[class_index];
    ws_flow_record *record = &sharing->flows[flow];
    sharing->flow_free = record->next;
    ws_sharing_advance(sharing, class);
    *record = (ws_flow_record){.tag = class->served + spec->bytes,
                               .sequence = sharing->sequence++,
                               .class_index = class_index,
                               .generation = record->generation,
                               .is_flowing = true,
                               .is_standing = isinf(spec->bytes) != 0,
                               .listener = spec->listener,
                               .argument = spec->argument};
    if (record->is_standing) {
        sharing_enter_standing(sharing, class, flow);
        class->has_newcomer = true;
    } else {
        uint32_t head = class->heap_root;
        class->heap_root = ws_flow_heap_insert(sharing->flows, head, flow);
        class->has_another_head = class->has_another_head || class->heap_root != head;
    }
    class->flows++;
    sharing->flow_count++;
    sharing_set_alone(sharing, class_index);
    ws_sharing_touch(sharing, class_index);
    return (ws_flow){.index = flow + 1, .generation = record->generation};
}

/* Takes a flow out of its class, and the class off its links when it was the last. */
static void sharing_remove(ws_sharing *sharing, uint32_t flow)
{
    ws_flow_record *record = &sharing->flows[flow];
    uint32_t class_index = record->class_index;
    ws_flow_class *class = &sharing->classes[class_index];

    if (record->is_standing) {
        sharing_leave_standing(sharing, class, flow);
    } else {
        uint32_t head = class->heap_root;
        class->heap_root = ws_flow_heap_remove(sharing->flows, head, flow);
        class->has_another_head = class->has_another_head || class->heap_root != head;
    }
    record->is_flowing = false;
    record->generation++;
    record->next = sharing->flow_free;
    sharing->flow_free = flow;
    sharing->flow_count--;
    class->flows--;
    ws_sharing_touch(sharing, class_index);
    if (class->flows == 0) {
        sharing_class_drop(sharing, class_index);
    }
}

bool ws_sharing_is_flowing(const ws_sharing *sharing, ws_flow flow)
{
    if (flow.index == 0) {
        return false;
    }
    WS_ASSERT(flow.index <= sharing->options.flow_capacity);
    const ws_flow_record *record = &sharing->flows[flow.index - 1];
    return record->is_flowing && record->generation == flow.generation;
}

bool ws_sharing_end(ws_sharing *sharing, ws_flow flow)
{
    if (!ws_sharing_is_flowing(sharing, flow)) {
        return false;
    }
    uint32_t class_index = sharing->flows[flow.index - 1].class_index;
    sharing_remove(sharing, flow.index - 1);
    sharing_set_alone(sharing, class_index);
    return true;
}

/* The first flow is through. The next one may be due at the same time; else its time follows when
 * the rates are solved, unless the class has no link to be solved for. */
void ws_sharing_on_finish(void *context, uint64_t class_index)
{
    ws_sharing *sharing = context;
    ws_flow_class *class = &sharing->classes[class_index];
    uint32_t flow = class->heap_root;

    WS_ASSERT(flow != WS_NOTHING);
    ws_sharing_advance(sharing, class);
    const ws_flow_listener *listener = sharing->flows[flow].listener;
    uint64_t argument = sharing->flows[flow].argument;
    sharing_remove(sharing, flow);
    if (class->flows > 0) {
        ws_sharing_schedule(sharing, (uint32_t)class_index);
    }
    if (listener != NULL && listener->finished != NULL) {
        listener->finished(listener->context, argument);
    }
}

/* ---- what can be asked ---- */

double ws_sharing_rate(const ws_sharing *sharing, ws_flow flow)
{
    return ws_sharing_is_flowing(sharing, flow)
               ? sharing->classes[sharing->flows[flow.index - 1].class_index].rate
               : 0;
}

double ws_sharing_left_bytes(const ws_sharing *sharing, ws_flow flow)
{
    if (!ws_sharing_is_flowing(sharing, flow)) {
        return 0;
    }
    const ws_flow_record *record = &sharing->flows[flow.index - 1];
    const ws_flow_class *class = &sharing->classes[record->class_index];
    ws_duration since = ws_time_since(ws_kernel_now(sharing->kernel), class->at);
    return fmax(record->tag - class->served - class->rate * ws_duration_s(since), 0);
}

size_t ws_sharing_flow_count(const ws_sharing *sharing)
{
    WS_ASSERT(sharing != NULL);
    return sharing->flow_count;
}

uint32_t ws_sharing_link_count(const ws_sharing *sharing)
{
    WS_ASSERT(sharing != NULL);
    return sharing->options.link_count;
}

double ws_sharing_load(const ws_sharing *sharing, uint32_t link)
{
    WS_ASSERT(link < sharing->options.link_count);
    return sharing->links[link].load;
}

double ws_sharing_carried_bytes(const ws_sharing *sharing, uint32_t link)
{
    WS_ASSERT(link < sharing->options.link_count);
    const ws_flow_link *at = &sharing->links[link];
    ws_duration since = ws_time_since(ws_kernel_now(sharing->kernel), at->at);
    return at->carried + at->load * ws_duration_s(since);
}

ws_sharing_work ws_sharing_work_done(const ws_sharing *sharing)
{
    WS_ASSERT(sharing != NULL);
    return sharing->work;
}
