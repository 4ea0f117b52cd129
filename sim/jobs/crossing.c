/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who communicates over which links, and when that has consequences. */
#include "crossing_private.h"

#include <math.h>

#include "ws/assert.h"

static const ws_crossing_outcome crossing_alone = {
    .share = 1, .step = 1, .step_collide = 1, .step_duty = 1, .is_settled = true};

/* ---- making one ---- */

/** Most jobs that communicate at once: each crosses a link. */
static uint32_t crossing_members_max(const ws_crossing_options *options)
{
    return options->job_count < options->crossing_capacity ? options->job_count
                                                           : options->crossing_capacity;
}

static bool crossing_reserve(ws_crossing *crossing, ws_arena *arena)
{
    const ws_crossing_options *options = &crossing->options;
    size_t members = (size_t)crossing_members_max(options) + 1;
    size_t records = (size_t)options->crossing_capacity + 1;
    size_t links = (size_t)options->link_count + 1;

    crossing->links = ws_arena_alloc(arena, ws_crossing_link, links);
    crossing->jobs = ws_arena_alloc(arena, ws_crossing_job, (size_t)options->job_count + 1);
    crossing->records = ws_arena_alloc(arena, ws_crossing_record, records);
    crossing->queue = ws_arena_alloc(arena, uint32_t, members);
    crossing->local_links = ws_arena_alloc(arena, uint32_t, links);
    crossing->capacities = ws_arena_alloc(arena, double, links);
    crossing->paths = ws_arena_alloc(arena, uint32_t, records);
    crossing->classes = ws_arena_alloc(arena, ws_max_min_class, members);
    crossing->class_members = ws_arena_alloc(arena, uint32_t, members);
    crossing->collide = ws_arena_alloc(arena, double, members);
    crossing->duty = ws_arena_alloc(arena, double, members);
    crossing->next = ws_arena_alloc(arena, double, members);
    crossing->wires = ws_arena_alloc(arena, double, members);
    crossing->solver =
        ws_max_min_solver_new(arena, options->link_count, (uint32_t)members, (uint32_t)records);
    return crossing->links != NULL && crossing->jobs != NULL && crossing->records != NULL &&
           crossing->queue != NULL && crossing->local_links != NULL &&
           crossing->capacities != NULL && crossing->paths != NULL && crossing->classes != NULL &&
           crossing->class_members != NULL && crossing->collide != NULL && crossing->duty != NULL &&
           crossing->next != NULL && crossing->wires != NULL && crossing->solver != NULL &&
           ws_index_set_init(&crossing->touched, arena, options->job_count) &&
           ws_index_set_init(&crossing->members, arena, options->job_count);
}

ws_crossing *ws_crossing_new(ws_arena *arena, ws_kernel *kernel, const ws_crossing_options *options)
{
    ws_crossing *crossing = ws_arena_alloc(arena, ws_crossing, 1);

    if (crossing == NULL) {
        return NULL;
    }
    *crossing =
        (ws_crossing){.kernel = kernel, .options = *options, .record_free = WS_CROSSING_NOTHING};
    if (!crossing_reserve(crossing, arena)) {
        return NULL;
    }
    for (uint32_t i = 0; i < options->link_count; i++) {
        WS_ASSERT(options->capacities[i] > 0);
        crossing->links[i] = (ws_crossing_link){.capacity = options->capacities[i],
                                                .first = WS_CROSSING_NOTHING,
                                                .local = WS_CROSSING_NOTHING};
    }
    for (uint32_t i = 0; i < options->job_count; i++) {
        crossing->jobs[i] =
            (ws_crossing_job){.outcome = crossing_alone, .first = WS_CROSSING_NOTHING};
    }
    return crossing;
}

/* ---- records ---- */

static uint32_t crossing_take_record(ws_crossing *crossing)
{
    uint32_t index = crossing->record_free;

    if (index != WS_CROSSING_NOTHING) {
        crossing->record_free = crossing->records[index].job_next;
    } else {
        index = crossing->record_count++;
    }
    crossing->path_count++;
    WS_ASSERT(crossing->path_count <= crossing->options.crossing_capacity);
    return index;
}

static void crossing_insert(ws_crossing *crossing, uint32_t job, uint32_t link)
{
    uint32_t index = crossing_take_record(crossing);
    uint32_t after = crossing->links[link].first;

    WS_ASSERT(link < crossing->options.link_count);
    crossing->records[index] = (ws_crossing_record){.link = link,
                                                    .job = job,
                                                    .job_next = crossing->jobs[job].first,
                                                    .link_next = after,
                                                    .link_previous = WS_CROSSING_NOTHING};
    if (after != WS_CROSSING_NOTHING) {
        crossing->records[after].link_previous = index;
    }
    crossing->links[link].first = index;
    crossing->jobs[job].first = index;
    crossing->jobs[job].count++;
}

static void crossing_remove(ws_crossing *crossing, uint32_t index)
{
    ws_crossing_record *record = &crossing->records[index];

    if (record->link_previous != WS_CROSSING_NOTHING) {
        crossing->records[record->link_previous].link_next = record->link_next;
    } else {
        crossing->links[record->link].first = record->link_next;
    }
    if (record->link_next != WS_CROSSING_NOTHING) {
        crossing->records[record->link_next].link_previous = record->link_previous;
    }
    record->job_next = crossing->record_free;
    crossing->record_free = index;
    crossing->path_count--;
}

bool ws_crossing_can_be_full(const ws_crossing *crossing, uint32_t link)
{
    double demand = 0;

    for (uint32_t at = crossing->links[link].first; at != WS_CROSSING_NOTHING;
         at = crossing->records[at].link_next) {
        demand += crossing->jobs[crossing->records[at].job].demand;
    }
    return demand > crossing->links[link].capacity * (1 + 1e-9);
}

/* ---- components ---- */

static void crossing_add_member(ws_crossing *crossing, uint32_t job)
{
    if (ws_index_set_insert(&crossing->members, job)) {
        crossing->queue[crossing->member_count++] = job;
    }
}

static void crossing_add_link(ws_crossing *crossing, uint32_t link)
{
    if (crossing->links[link].local != WS_CROSSING_NOTHING ||
        !ws_crossing_can_be_full(crossing, link)) {
        return;
    }
    crossing->links[link].local = crossing->local_count;
    crossing->local_links[crossing->local_count++] = link;
    for (uint32_t at = crossing->links[link].first; at != WS_CROSSING_NOTHING;
         at = crossing->records[at].link_next) {
        crossing_add_member(crossing, crossing->records[at].job);
    }
}

void ws_crossing_gather(ws_crossing *crossing, uint32_t job)
{
    WS_ASSERT(crossing->member_count == 0);
    WS_ASSERT(crossing->local_count == 0);
    crossing_add_member(crossing, job);
    for (uint32_t i = 0; i < crossing->member_count; i++) {
        for (uint32_t at = crossing->jobs[crossing->queue[i]].first; at != WS_CROSSING_NOTHING;
             at = crossing->records[at].job_next) {
            crossing_add_link(crossing, crossing->records[at].link);
        }
    }
    size_t member = 0;
    for (uint32_t i = 0; i < crossing->member_count; i++) { /* in ascending order */
        member = ws_index_set_next(&crossing->members, member);
        crossing->queue[i] = (uint32_t)member++;
    }
}

void ws_crossing_dismiss(ws_crossing *crossing)
{
    for (uint32_t i = 0; i < crossing->member_count; i++) {
        (void)ws_index_set_remove(&crossing->members, crossing->queue[i]);
    }
    for (uint32_t i = 0; i < crossing->local_count; i++) {
        crossing->links[crossing->local_links[i]].local = WS_CROSSING_NOTHING;
    }
    crossing->member_count = 0;
    crossing->local_count = 0;
}

/* ---- consequences ---- */

static double crossing_step(const ws_crossing *crossing, uint32_t job, double share, double alone)
{
    const ws_crossing_above *above = &crossing->options.above;

    return share < 1 ? fmax(above->load(above->context, job, share).step / alone, 1) : 1;
}

static bool crossing_is_same(const ws_crossing_outcome *a, const ws_crossing_outcome *b)
{
    const double values[][2] = {{a->share, b->share},
                                {a->step, b->step},
                                {a->step_collide, b->step_collide},
                                {a->step_duty, b->step_duty}};

    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        if (values[i][0] < values[i][1] || values[i][0] > values[i][1]) {
            return false;
        }
    }
    return a->is_settled == b->is_settled;
}

static void crossing_tell(ws_crossing *crossing, uint32_t member, bool is_settled)
{
    const ws_crossing_above *above = &crossing->options.above;
    uint32_t job = crossing->queue[member];
    double collide = crossing->collide[member];
    double duty = crossing->duty[member];
    double alone = above->load(above->context, job, 1).step;
    ws_crossing_outcome outcome = {.share = crossing->options.is_duty ? duty : collide,
                                   .step_collide = crossing_step(crossing, job, collide, alone),
                                   .step_duty = crossing_step(crossing, job, duty, alone),
                                   .is_settled = is_settled};

    outcome.step = crossing->options.is_duty ? outcome.step_duty : outcome.step_collide;
    if (!crossing_is_same(&outcome, &crossing->jobs[job].outcome)) {
        crossing->jobs[job].outcome = outcome;
        above->settled(above->context, job, &outcome);
    }
}

static void crossing_settle(void *context, uint64_t argument)
{
    ws_crossing *crossing = context;
    size_t job = 0;

    (void)argument;
    while ((job = ws_index_set_next(&crossing->touched, job)) != WS_INDEX_NONE) {
        if (crossing->jobs[job].count == 0) {
            (void)ws_index_set_remove(&crossing->touched, job);
            continue;
        }
        ws_crossing_gather(crossing, (uint32_t)job);
        bool is_settled = ws_crossing_solve(crossing);
        for (uint32_t i = 0; i < crossing->member_count; i++) {
            (void)ws_index_set_remove(&crossing->touched, crossing->queue[i]);
            crossing_tell(crossing, i, is_settled);
        }
        ws_crossing_dismiss(crossing);
    }
}

/** The job is solved again after this instant, and all that it shares a link with that can be full.
 */
static void crossing_touch(ws_crossing *crossing, uint32_t job)
{
    for (uint32_t own = crossing->jobs[job].first; own != WS_CROSSING_NOTHING;
         own = crossing->records[own].job_next) {
        uint32_t link = crossing->records[own].link;

        for (uint32_t at = ws_crossing_can_be_full(crossing, link) ? crossing->links[link].first
                                                                   : WS_CROSSING_NOTHING;
             at != WS_CROSSING_NOTHING; at = crossing->records[at].link_next) {
            (void)ws_index_set_insert(&crossing->touched, crossing->records[at].job);
        }
    }
    (void)ws_index_set_insert(&crossing->touched, job);
    if (!ws_kernel_is_pending(crossing->kernel, crossing->settling)) {
        ws_event event = {.action = crossing_settle, .context = crossing, .phase = WS_PHASE_SETTLE};
        crossing->settling = ws_kernel_after(crossing->kernel, (ws_duration){.ns = 0}, &event);
    }
}

/** Takes the job from its links. */
static void crossing_clear(ws_crossing *crossing, uint32_t job)
{
    if (crossing->jobs[job].count == 0) {
        return;
    }
    crossing_touch(crossing, job);
    for (uint32_t at = crossing->jobs[job].first; at != WS_CROSSING_NOTHING;) {
        uint32_t next = crossing->records[at].job_next;
        crossing_remove(crossing, at);
        at = next;
    }
    crossing->jobs[job].first = WS_CROSSING_NOTHING;
    crossing->jobs[job].count = 0;
    crossing->jobs[job].demand = 0;
}

void ws_crossing_begin(ws_crossing *crossing, size_t job, const uint32_t *path, uint32_t count,
                       double demand)
{
    WS_ASSERT(job < crossing->options.job_count);
    WS_ASSERT(count == 0 || demand > 0);
    if (count == 0) {
        ws_crossing_end(crossing, job);
        return;
    }
    crossing_clear(crossing, (uint32_t)job);
    crossing->jobs[job].demand = demand;
    for (uint32_t i = 0; i < count; i++) {
        WS_ASSERT(demand <= crossing->links[path[i]].capacity * (1 + 1e-9));
        crossing_insert(crossing, (uint32_t)job, path[i]);
    }
    crossing_touch(crossing, (uint32_t)job);
}

void ws_crossing_end(ws_crossing *crossing, size_t job)
{
    WS_ASSERT(job < crossing->options.job_count);
    crossing_clear(crossing, (uint32_t)job);
    crossing->jobs[job].outcome = crossing_alone;
}

/* ---- what can be asked ---- */

double ws_crossing_share(const ws_crossing *crossing, size_t job)
{
    WS_ASSERT(job < crossing->options.job_count);
    return crossing->jobs[job].outcome.share;
}

size_t ws_crossing_component_size(ws_crossing *crossing, size_t job)
{
    ws_crossing_gather(crossing, (uint32_t)job);
    size_t size = crossing->member_count;
    ws_crossing_dismiss(crossing);
    return size;
}

/** The list of one link, whose records are added to `count`. */
static bool crossing_link_fits(const ws_crossing *crossing, uint32_t link, uint32_t *count)
{
    uint32_t previous = WS_CROSSING_NOTHING;

    for (uint32_t at = crossing->links[link].first; at != WS_CROSSING_NOTHING;
         at = crossing->records[at].link_next) {
        const ws_crossing_record *record = &crossing->records[at];
        if (record->link != link || record->link_previous != previous ||
            crossing->jobs[record->job].count == 0) {
            return false;
        }
        previous = at;
        (*count)++;
    }
    return true;
}

/** Both lists of every record, and their numbers. */
static bool crossing_records_fit(const ws_crossing *crossing)
{
    uint32_t of_links = 0;
    uint32_t of_jobs = 0;

    for (uint32_t link = 0; link < crossing->options.link_count; link++) {
        if (!crossing_link_fits(crossing, link, &of_links)) {
            return false;
        }
    }
    for (uint32_t job = 0; job < crossing->options.job_count; job++) {
        of_jobs += crossing->jobs[job].count;
    }
    return of_links == crossing->path_count && of_jobs == crossing->path_count;
}

/** Whether the shares of a component are those of a solution from the beginning. */
static bool crossing_component_fits(ws_crossing *crossing, uint32_t job)
{
    bool fits = true;

    ws_crossing_gather(crossing, job);
    if (crossing->queue[0] != job) { /* seen with its first */
        ws_crossing_dismiss(crossing);
        return true;
    }
    (void)ws_crossing_solve(crossing);
    for (uint32_t i = 0; i < crossing->member_count; i++) {
        double share = crossing->options.is_duty ? crossing->duty[i] : crossing->collide[i];
        double kept = crossing->jobs[crossing->queue[i]].outcome.share;
        fits = fits && fabs(share - kept) <= 1e-9 * kept && kept > 0 && kept <= 1;
    }
    ws_crossing_dismiss(crossing);
    return fits;
}

bool ws_crossing_is_balanced(ws_crossing *crossing)
{
    if (!crossing_records_fit(crossing)) {
        return false;
    }
    if (ws_kernel_is_pending(crossing->kernel, crossing->settling)) {
        return true; /* between a change and its consequences */
    }
    for (uint32_t job = 0; job < crossing->options.job_count; job++) {
        if (crossing->jobs[job].count > 0 && !crossing_component_fits(crossing, job)) {
            return false;
        }
    }
    return true;
}
