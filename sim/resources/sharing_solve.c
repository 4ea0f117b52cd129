/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rates: what is connected with the links that were touched is gathered, solved, and put back. */
#include <math.h>

#include "sharing_private.h"

bool ws_sharing_solve_init(ws_sharing *sharing, ws_arena *arena)
{
    ws_flow_component *component = &sharing->component;
    uint32_t links = sharing->options.link_count;
    uint32_t classes = sharing->options.flow_capacity;
    uint32_t crossings = sharing->options.crossing_capacity;

    *component =
        (ws_flow_component){.links = ws_arena_alloc(arena, uint32_t, (size_t)links + 1),
                            .classes = ws_arena_alloc(arena, uint32_t, (size_t)classes + 1),
                            .capacities = ws_arena_alloc(arena, double, (size_t)links + 1),
                            .problem = ws_arena_alloc(arena, ws_max_min_class, (size_t)classes + 1),
                            .paths = ws_arena_alloc(arena, uint32_t, (size_t)crossings + 1),
                            .solver = ws_max_min_solver_new(arena, links, classes, crossings)};
    sharing->touched = ws_arena_alloc(arena, uint32_t, (size_t)links + 1);
    sharing->news = ws_arena_alloc(arena, ws_flow, (size_t)classes + 1);
    return component->links != NULL && component->classes != NULL &&
           component->capacities != NULL && component->problem != NULL &&
           component->paths != NULL && component->solver != NULL && sharing->touched != NULL &&
           sharing->news != NULL;
}

void ws_sharing_advance(const ws_sharing *sharing, ws_flow_class *class)
{
    ws_time now = ws_kernel_now(sharing->kernel);

    class->served += class->rate * ws_duration_s(ws_time_since(now, class->at));
    class->at = now;
}

static ws_time solve_first_finish(const ws_sharing *sharing, const ws_flow_class *class)
{
    if (class->heap_root == WS_NOTHING || !(class->rate > 0)) {
        return WS_TIME_NEVER;
    }
    double left = sharing->flows[class->heap_root].tag - class->served;
    double left_s = left > 0 ? left / class->rate : 0;

    if (left_s >= ws_duration_s((ws_duration){.ns = WS_HORIZON_MAX_NS})) {
        return WS_TIME_NEVER;
    }
    return ws_time_add(class->at, ws_duration_of_s(left_s));
}

void ws_sharing_schedule(ws_sharing *sharing, uint32_t class_index)
{
    ws_flow_class *class = &sharing->classes[class_index];
    ws_time when = solve_first_finish(sharing, class);

    class->has_another_head = false;
    if (ws_kernel_is_pending(sharing->kernel, class->event)) {
        (void)ws_kernel_move(sharing->kernel, class->event, when);
    } else {
        ws_event event = {.action = ws_sharing_on_finish,
                          .context = sharing,
                          .argument = class_index,
                          .phase = WS_PHASE_ENDS};
        class->event = ws_kernel_at(sharing->kernel, when, &event);
    }
    sharing->work.events_moved++;
}

/* ---- what is connected ---- */

static void solve_add_link(ws_sharing *sharing, uint32_t link)
{
    ws_flow_component *component = &sharing->component;

    if (!sharing->links[link].is_member) {
        sharing->links[link].is_member = true;
        sharing->links[link].member = component->link_count;
        component->links[component->link_count++] = link;
    }
}

static void solve_add_class(ws_sharing *sharing, uint32_t class_index)
{
    ws_flow_component *component = &sharing->component;
    ws_flow_class *class = &sharing->classes[class_index];
    uint32_t crossing = class->crossing_first;

    if (class->is_member) {
        return;
    }
    class->is_member = true;
    class->member = component->class_count;
    component->classes[component->class_count++] = class_index;
    for (; crossing != WS_NOTHING; crossing = sharing->crossings[crossing].class_next) {
        solve_add_link(sharing, sharing->crossings[crossing].link);
    }
}

/* Walks from the touched links over classes to further links until nothing new is found. */
static void solve_gather(ws_sharing *sharing)
{
    ws_flow_component *component = &sharing->component;

    component->link_count = 0;
    component->class_count = 0;
    for (uint32_t i = 0; i < sharing->touched_count; i++) {
        sharing->links[sharing->touched[i]].is_touched = false;
        solve_add_link(sharing, sharing->touched[i]);
    }
    sharing->touched_count = 0;
    for (uint32_t i = 0; i < component->link_count; i++) {
        uint32_t crossing = sharing->links[component->links[i]].crossing_first;

        for (; crossing != WS_NOTHING; crossing = sharing->crossings[crossing].link_next) {
            solve_add_class(sharing, sharing->crossings[crossing].class_index);
        }
    }
}

static void solve_dismiss(ws_sharing *sharing)
{
    const ws_flow_component *component = &sharing->component;

    for (uint32_t i = 0; i < component->link_count; i++) {
        sharing->links[component->links[i]].is_member = false;
    }
    for (uint32_t i = 0; i < component->class_count; i++) {
        sharing->classes[component->classes[i]].is_member = false;
    }
}

/* States the problem of what was gathered, with the rates as they are. */
static ws_max_min_problem solve_state(ws_sharing *sharing)
{
    ws_flow_component *component = &sharing->component;
    uint32_t crossings = 0;

    for (uint32_t i = 0; i < component->link_count; i++) {
        component->capacities[i] = sharing->links[component->links[i]].capacity;
    }
    for (uint32_t i = 0; i < component->class_count; i++) {
        const ws_flow_class *class = &sharing->classes[component->classes[i]];
        uint32_t crossing = class->crossing_first;

        component->problem[i] = (ws_max_min_class){.path_first = crossings,
                                                   .path_count = class->path_count,
                                                   .weight = class->weight,
                                                   .cap = class->cap,
                                                   .flows = class->flows,
                                                   .rate = class->rate};
        for (; crossing != WS_NOTHING; crossing = sharing->crossings[crossing].class_next) {
            component->paths[crossings++] =
                sharing->links[sharing->crossings[crossing].link].member;
        }
    }
    return (ws_max_min_problem){.capacities = component->capacities,
                                .link_count = component->link_count,
                                .classes = component->problem,
                                .class_count = component->class_count,
                                .links = component->paths};
}

/* ---- putting back ---- */

static bool solve_is_same(double a, double b)
{
    return !(a < b) && !(b < a);
}

/* Adds the standing loads of a class to those that are to be told. */
static size_t solve_note_standing(const ws_sharing *sharing, const ws_flow_class *class,
                                  size_t count)
{
    uint32_t flow = class->standing_first;

    for (; flow != WS_NOTHING; flow = sharing->flows[flow].next) {
        sharing->news[count++] =
            (ws_flow){.index = flow + 1, .generation = sharing->flows[flow].generation};
    }
    return count;
}

static void solve_set_loads(ws_sharing *sharing)
{
    const ws_flow_component *component = &sharing->component;
    ws_time now = ws_kernel_now(sharing->kernel);

    for (uint32_t i = 0; i < component->link_count; i++) {
        ws_flow_link *link = &sharing->links[component->links[i]];

        link->carried += link->load * ws_duration_s(ws_time_since(now, link->at));
        link->at = now;
        link->load = 0;
    }
    for (uint32_t i = 0; i < component->class_count; i++) {
        const ws_max_min_class *class = &component->problem[i];

        for (uint32_t k = 0; k < class->path_count; k++) {
            uint32_t member = component->paths[class->path_first + k];
            sharing->links[component->links[member]].load += class->flows * class->rate;
        }
    }
}

/* Sets the rates that changed, and the events of classes that finish at another time. Returns how
 * many standing loads are to be told. */
static size_t solve_set_rates(ws_sharing *sharing)
{
    const ws_flow_component *component = &sharing->component;
    size_t news = 0;

    for (uint32_t i = 0; i < component->class_count; i++) {
        ws_flow_class *class = &sharing->classes[component->classes[i]];
        double rate = component->problem[i].rate;
        bool is_same = solve_is_same(rate, class->rate);

        if (!is_same || class->has_newcomer) {
            news = solve_note_standing(sharing, class, news);
            class->has_newcomer = false;
        }
        if (!is_same || class->has_another_head) {
            ws_sharing_advance(sharing, class);
            class->rate = rate;
            ws_sharing_schedule(sharing, component->classes[i]);
        }
    }
    return news;
}

static void solve_tell(ws_sharing *sharing, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        ws_flow flow = sharing->news[i];

        if (!ws_sharing_is_flowing(sharing, flow)) {
            continue;
        }
        const ws_flow_record *record = &sharing->flows[flow.index - 1];
        const ws_flow_listener *listener = record->listener;
        if (listener != NULL && listener->changed != NULL) {
            listener->changed(listener->context, record->argument, ws_sharing_rate(sharing, flow));
        }
    }
}

static void solve_settle(void *context, uint64_t argument)
{
    ws_sharing *sharing = context;

    (void)argument;
    solve_gather(sharing);
    ws_max_min_problem problem = solve_state(sharing);
    ws_max_min_solve(sharing->component.solver, &problem);
    sharing->work.solutions++;
    sharing->work.classes_solved += problem.class_count;
    solve_set_loads(sharing);
    size_t news = solve_set_rates(sharing);
    solve_dismiss(sharing);
    solve_tell(sharing, news);
}

void ws_sharing_touch(ws_sharing *sharing, uint32_t class_index)
{
    uint32_t crossing = sharing->classes[class_index].crossing_first;

    if (crossing == WS_NOTHING) {
        return; /* its cap is its rate */
    }
    for (; crossing != WS_NOTHING; crossing = sharing->crossings[crossing].class_next) {
        uint32_t link = sharing->crossings[crossing].link;

        if (!sharing->links[link].is_touched) {
            sharing->links[link].is_touched = true;
            sharing->touched[sharing->touched_count++] = link;
        }
    }
    if (!ws_kernel_is_pending(sharing->kernel, sharing->settling)) {
        ws_event event = {.action = solve_settle, .context = sharing, .phase = WS_PHASE_SETTLE};
        sharing->settling = ws_kernel_after(sharing->kernel, (ws_duration){.ns = 0}, &event);
    }
}

/* ---- checking ---- */

static bool solve_is_close(double a, double b, double scale)
{
    return fabs(a - b) <= 1e-9 * scale;
}

/* Whether the loads of links are what the rates sum to. Overwrites the capacities of the problem.
 */
static bool solve_loads_are_right(const ws_sharing *sharing)
{
    const ws_flow_component *component = &sharing->component;

    for (uint32_t i = 0; i < component->link_count; i++) {
        component->capacities[i] = 0;
    }
    for (uint32_t i = 0; i < component->class_count; i++) {
        const ws_max_min_class *class = &component->problem[i];
        for (uint32_t k = 0; k < class->path_count; k++) {
            component->capacities[component->paths[class->path_first + k]] +=
                class->flows * class->rate;
        }
    }
    for (uint32_t i = 0; i < component->link_count; i++) {
        const ws_flow_link *link = &sharing->links[component->links[i]];
        if (!solve_is_close(link->load, component->capacities[i], link->capacity)) {
            return false;
        }
    }
    return true;
}

/* Every live flow counted in its class, and no head that is overdue by more than the rounding. */
static bool solve_classes_are_right(const ws_sharing *sharing)
{
    uint64_t counted = 0;

    for (uint32_t i = 0; i < sharing->component.class_count; i++) {
        const ws_flow_class *class = &sharing->classes[sharing->component.classes[i]];
        uint32_t root = class->heap_root;

        counted += class->flows;
        if (root != WS_NOTHING &&
            sharing->flows[root].tag < class->served - class->rate * 1e-9 - 1e-9 * class->served) {
            return false;
        }
    }
    return counted <= sharing->flow_count;
}

bool ws_sharing_is_balanced(ws_sharing *sharing)
{
    if (ws_kernel_is_pending(sharing->kernel, sharing->settling)) {
        return true; /* between an arrival and its consequences */
    }
    WS_ASSERT(sharing->touched_count == 0);
    sharing->component.link_count = 0;
    sharing->component.class_count = 0;
    for (uint32_t i = 0; i < sharing->options.link_count; i++) {
        solve_add_link(sharing, i);
    }
    for (uint32_t i = 0; i < sharing->options.link_count; i++) {
        uint32_t crossing = sharing->links[i].crossing_first;
        for (; crossing != WS_NOTHING; crossing = sharing->crossings[crossing].link_next) {
            solve_add_class(sharing, sharing->crossings[crossing].class_index);
        }
    }
    ws_max_min_problem problem = solve_state(sharing);
    bool is_fair = ws_max_min_is_fair(sharing->component.solver, &problem);
    bool is_right = solve_classes_are_right(sharing) && solve_loads_are_right(sharing);
    solve_dismiss(sharing);
    return is_fair && is_right;
}
