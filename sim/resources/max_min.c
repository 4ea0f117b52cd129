/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Progressive filling over a heap of what stops a rise: a link that is full, a class that meets its
 * cap. Keys are levels: rate for a weight of 1.
 *
 * A link's level is (what its frozen classes leave) / (the weight of its open ones). Freezing a
 * class elsewhere at a lower level can only raise it, so an entry moves down the heap, never up.
 * Both sums are kept by subtraction on the way and made anew when the link comes first, so that the
 * levels that count carry no drift.
 */
#include "ws/max_min.h"

#include <math.h>

#include "ws/assert.h"

#define MAX_MIN_TOLERANCE 1e-9
#define MAX_MIN_NOWHERE UINT32_MAX

typedef struct {
    double left;    /* capacity that frozen classes leave */
    double weight;  /* of open classes, all their flows */
    uint32_t open;  /* classes */
    uint32_t first; /* of its classes in `crossing_classes` */
    uint32_t count;
} max_min_link;

/* Entries of the heap are links (0 .. link_count - 1), then classes. */
struct ws_max_min_solver {
    const ws_max_min_problem *problem;
    max_min_link *links;
    uint32_t *crossing_classes; /* by link */
    double *keys;               /* by entry */
    uint32_t *heap;
    uint32_t *positions; /* in the heap, by entry; NOWHERE: not in it */
    uint32_t heap_count;
    double level;
    uint32_t links_max;
    uint32_t classes_max;
    uint32_t crossings_max;
};

ws_max_min_solver *ws_max_min_solver_new(ws_arena *arena, uint32_t links, uint32_t classes,
                                         uint32_t crossings)
{
    ws_max_min_solver *solver = ws_arena_alloc(arena, ws_max_min_solver, 1);
    size_t entries = (size_t)links + classes + 1;

    WS_ASSERT(entries < MAX_MIN_NOWHERE);
    if (solver == NULL) {
        return NULL;
    }
    *solver = (ws_max_min_solver){.links = ws_arena_alloc(arena, max_min_link, (size_t)links + 1),
                                  .crossing_classes =
                                      ws_arena_alloc(arena, uint32_t, (size_t)crossings + 1),
                                  .keys = ws_arena_alloc(arena, double, entries),
                                  .heap = ws_arena_alloc(arena, uint32_t, entries),
                                  .positions = ws_arena_alloc(arena, uint32_t, entries),
                                  .links_max = links,
                                  .classes_max = classes,
                                  .crossings_max = crossings};
    bool is_whole = solver->links != NULL && solver->crossing_classes != NULL &&
                    solver->keys != NULL && solver->heap != NULL && solver->positions != NULL;
    return is_whole ? solver : NULL;
}

/* ---- the heap ---- */

/* Equal levels in the order of the entries: links first, each kind by its index. */
static bool max_min_is_before(const ws_max_min_solver *solver, uint32_t a, uint32_t b)
{
    double key_a = solver->keys[a];
    double key_b = solver->keys[b];

    return key_a < key_b || (!(key_b < key_a) && a < b);
}

static void max_min_put(ws_max_min_solver *solver, uint32_t position, uint32_t entry)
{
    solver->heap[position] = entry;
    solver->positions[entry] = position;
}

static void max_min_sift_down(ws_max_min_solver *solver, uint32_t position)
{
    uint32_t entry = solver->heap[position];
    uint32_t child = 2 * position + 1;

    while (child < solver->heap_count) {
        if (child + 1 < solver->heap_count &&
            max_min_is_before(solver, solver->heap[child + 1], solver->heap[child])) {
            child++;
        }
        if (!max_min_is_before(solver, solver->heap[child], entry)) {
            break;
        }
        max_min_put(solver, position, solver->heap[child]);
        position = child;
        child = 2 * position + 1;
    }
    max_min_put(solver, position, entry);
}

static void max_min_sift_up(ws_max_min_solver *solver, uint32_t position)
{
    uint32_t entry = solver->heap[position];

    while (position > 0 && max_min_is_before(solver, entry, solver->heap[(position - 1) / 2])) {
        max_min_put(solver, position, solver->heap[(position - 1) / 2]);
        position = (position - 1) / 2;
    }
    max_min_put(solver, position, entry);
}

static void max_min_remove(ws_max_min_solver *solver, uint32_t entry)
{
    uint32_t position = solver->positions[entry];

    if (position == MAX_MIN_NOWHERE) {
        return;
    }
    solver->positions[entry] = MAX_MIN_NOWHERE;
    solver->heap_count--;
    if (position == solver->heap_count) {
        return;
    }
    max_min_put(solver, position, solver->heap[solver->heap_count]);
    max_min_sift_up(solver, position);
    max_min_sift_down(solver, solver->positions[solver->heap[position]]);
}

static void max_min_raise(ws_max_min_solver *solver, uint32_t entry, double key)
{
    WS_ASSERT(solver->positions[entry] != MAX_MIN_NOWHERE);
    solver->keys[entry] = fmax(key, solver->keys[entry]);
    max_min_sift_down(solver, solver->positions[entry]);
}

/* ---- setting up ---- */

static const uint32_t *max_min_path(const ws_max_min_problem *problem,
                                    const ws_max_min_class *class)
{
    return problem->links + class->path_first;
}

/* Lists the classes of each link, in their order. */
static void max_min_index(ws_max_min_solver *solver, const ws_max_min_problem *problem)
{
    uint32_t crossings = 0;

    for (uint32_t i = 0; i < problem->link_count; i++) {
        solver->links[i] = (max_min_link){.count = 0};
    }
    for (uint32_t i = 0; i < problem->class_count; i++) {
        const ws_max_min_class *class = &problem->classes[i];
        for (uint32_t k = 0; k < class->path_count; k++) {
            solver->links[max_min_path(problem, class)[k]].count++;
        }
    }
    for (uint32_t i = 0; i < problem->link_count; i++) {
        solver->links[i].first = crossings;
        crossings += solver->links[i].count;
        solver->links[i].count = 0;
    }
    WS_ASSERT(crossings <= solver->crossings_max);
    for (uint32_t i = 0; i < problem->class_count; i++) {
        const ws_max_min_class *class = &problem->classes[i];
        for (uint32_t k = 0; k < class->path_count; k++) {
            max_min_link *link = &solver->links[max_min_path(problem, class)[k]];
            solver->crossing_classes[link->first + link->count++] = i;
        }
    }
}

/* What a link has left, from its classes. A class is frozen when it has a rate. */
static void max_min_sum_link(ws_max_min_solver *solver, uint32_t index)
{
    const ws_max_min_problem *problem = solver->problem;
    max_min_link *link = &solver->links[index];

    link->left = problem->capacities[index];
    link->weight = 0;
    link->open = 0;
    for (uint32_t i = 0; i < link->count; i++) {
        const ws_max_min_class *class =
            &problem->classes[solver->crossing_classes[link->first + i]];
        if (class->rate > 0) {
            link->left -= class->flows * class->rate;
        } else {
            link->weight += class->flows * class->weight;
            link->open++;
        }
    }
}

static void max_min_enter(ws_max_min_solver *solver, uint32_t entry, double key)
{
    solver->keys[entry] = key;
    solver->positions[entry] = MAX_MIN_NOWHERE;
    if (key < (double)INFINITY) {
        max_min_put(solver, solver->heap_count++, entry);
    }
}

static void max_min_begin(ws_max_min_solver *solver, const ws_max_min_problem *problem)
{
    WS_ASSERT(problem->link_count <= solver->links_max);
    WS_ASSERT(problem->class_count <= solver->classes_max);
    solver->problem = problem;
    solver->heap_count = 0;
    solver->level = 0;
    for (uint32_t i = 0; i < problem->class_count; i++) {
        problem->classes[i].rate = 0;
    }
    max_min_index(solver, problem);
    for (uint32_t i = 0; i < problem->link_count; i++) {
        WS_ASSERT(problem->capacities[i] > 0);
        max_min_sum_link(solver, i);
        const max_min_link *link = &solver->links[i];
        max_min_enter(solver, i, link->open > 0 ? link->left / link->weight : (double)INFINITY);
    }
    for (uint32_t i = 0; i < problem->class_count; i++) {
        const ws_max_min_class *class = &problem->classes[i];
        WS_ASSERT(class->weight > 0);
        WS_ASSERT(class->flows > 0);
        WS_ASSERT(class->cap > 0);
        WS_ASSERT(class->path_count > 0 || class->cap < (double)INFINITY);
        max_min_enter(solver, problem->link_count + i, class->cap / class->weight);
    }
    for (uint32_t i = solver->heap_count / 2; i > 0; i--) {
        max_min_sift_down(solver, i - 1);
    }
}

/* ---- filling ---- */

/* Gives a class its rate. The links that it crosses, but `full`, have less left for the others. */
static void max_min_freeze(ws_max_min_solver *solver, uint32_t index, double rate, uint32_t full)
{
    const ws_max_min_problem *problem = solver->problem;
    ws_max_min_class *class = &problem->classes[index];

    WS_ASSERT(rate > 0);
    class->rate = rate;
    max_min_remove(solver, problem->link_count + index);
    for (uint32_t k = 0; k < class->path_count; k++) {
        uint32_t at = max_min_path(problem, class)[k];
        max_min_link *link = &solver->links[at];

        if (at == full) {
            continue;
        }
        link->left -= class->flows * rate;
        link->weight -= class->flows * class->weight;
        link->open--;
        if (link->open == 0) {
            max_min_remove(solver, at);
        } else if (link->weight > 0) {
            max_min_raise(solver, at, link->left / link->weight);
        }
    }
}

/* The link that comes first: full, unless the sums made anew say that something else is before it.
 */
static void max_min_fill_link(ws_max_min_solver *solver, uint32_t index)
{
    const ws_max_min_problem *problem = solver->problem;
    max_min_link *link = &solver->links[index];

    max_min_sum_link(solver, index);
    WS_ASSERT(link->open > 0);
    double level = fmax(link->left / link->weight, solver->level);
    if (level > solver->keys[index]) {
        max_min_raise(solver, index, level);
        if (solver->heap[0] != index) {
            return;
        }
    }
    solver->level = level;
    max_min_remove(solver, index);
    for (uint32_t i = 0; i < link->count; i++) {
        uint32_t at = solver->crossing_classes[link->first + i];
        const ws_max_min_class *class = &problem->classes[at];

        if (!(class->rate > 0)) {
            max_min_freeze(solver, at, fmin(class->cap, level * class->weight), index);
        }
    }
}

void ws_max_min_solve(ws_max_min_solver *solver, const ws_max_min_problem *problem)
{
    WS_ASSERT(solver != NULL);
    WS_ASSERT(problem != NULL);
    max_min_begin(solver, problem);
    while (solver->heap_count > 0) {
        uint32_t entry = solver->heap[0];

        if (entry < problem->link_count) {
            max_min_fill_link(solver, entry);
        } else {
            uint32_t index = entry - problem->link_count;
            solver->level = fmax(solver->level, solver->keys[entry]);
            max_min_freeze(solver, index, problem->classes[index].cap, MAX_MIN_NOWHERE);
        }
    }
}

/* ---- checking ---- */

/* The load of a link against its capacity, in `left`; the highest rate for a weight, in `weight`.
 */
static bool max_min_check_link(ws_max_min_solver *solver, uint32_t index)
{
    const ws_max_min_problem *problem = solver->problem;
    max_min_link *link = &solver->links[index];
    double load = 0;

    link->weight = 0;
    for (uint32_t i = 0; i < link->count; i++) {
        const ws_max_min_class *class =
            &problem->classes[solver->crossing_classes[link->first + i]];
        load += class->flows * class->rate;
        link->weight = fmax(link->weight, class->rate / class->weight);
    }
    link->left = problem->capacities[index] - load;
    return link->left >= -MAX_MIN_TOLERANCE * problem->capacities[index];
}

static bool max_min_has_bottleneck(const ws_max_min_solver *solver, const ws_max_min_class *class)
{
    const ws_max_min_problem *problem = solver->problem;

    if (class->rate >= class->cap * (1 - MAX_MIN_TOLERANCE)) {
        return true;
    }
    for (uint32_t k = 0; k < class->path_count; k++) {
        uint32_t at = max_min_path(problem, class)[k];
        const max_min_link *link = &solver->links[at];
        bool is_full = link->left <= MAX_MIN_TOLERANCE * problem->capacities[at];

        if (is_full && class->rate / class->weight >= link->weight * (1 - MAX_MIN_TOLERANCE)) {
            return true;
        }
    }
    return false;
}

bool ws_max_min_is_fair(ws_max_min_solver *solver, const ws_max_min_problem *problem)
{
    WS_ASSERT(solver != NULL);
    WS_ASSERT(problem != NULL);
    solver->problem = problem;
    max_min_index(solver, problem);
    for (uint32_t i = 0; i < problem->link_count; i++) {
        if (!max_min_check_link(solver, i)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < problem->class_count; i++) {
        const ws_max_min_class *class = &problem->classes[i];
        if (!(class->rate > 0) || class->rate > class->cap * (1 + MAX_MIN_TOLERANCE) ||
            !max_min_has_bottleneck(solver, class)) {
            return false;
        }
    }
    return true;
}
