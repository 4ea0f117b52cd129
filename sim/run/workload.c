/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ws/workload.h"

#include <math.h>

#include <gsl/gsl_math.h>

#include "ws/random.h"

#define DAY_S 86400.0

typedef struct {
    ws_job_spec *jobs;
    size_t count;
    size_t capacity;
    ws_arena *arena;
} workload_list;

static ws_job_spec *workload_append(workload_list *list)
{
    if (list->count == list->capacity) {
        ws_job_spec *grown = ws_arena_grow(list->arena, list->jobs, list->count, list->count + 1,
                                           &list->capacity, sizeof *list->jobs);
        if (grown == NULL) {
            return NULL;
        }
        list->jobs = grown;
    }
    return &list->jobs[list->count++];
}

/** The stages of one job, with the work of this job where it is drawn. */
static ws_stage_spec *workload_draw_stages(const ws_scenario *scenario, uint64_t replication,
                                           const ws_job_template *template, uint64_t number,
                                           ws_arena *arena)
{
    ws_stage_spec *stages = ws_arena_alloc(arena, ws_stage_spec, template->stage_count);
    ws_stream stream;

    if (stages == NULL) {
        return NULL;
    }
    ws_stream_open(&stream, (ws_stream_key){.seed = scenario->seed,
                                            .replication = replication,
                                            .purpose = WS_PURPOSE_JOB,
                                            .entity = template->kind.entity,
                                            .index = number});
    for (size_t i = 0; i < template->stage_count; i++) {
        stages[i] = template->stages[i].spec;
        if (template->stages[i].is_drawn) {
            double work = ws_distribution_draw(&template->stages[i].work, &stream.rng);
            stages[i].work = fmax(work, 1e-9); /* no stage is empty */
        }
    }
    return stages;
}

/** The job's name: that of a template with one job, else with its number. */
static ws_text workload_name(const ws_job_template *template, uint64_t number, ws_arena *arena)
{
    if (template->arrivals.kind == WS_ARRIVALS_AT) {
        return template->kind.name;
    }
    return ws_arena_format(arena, "%.*s-%llu", WS_TEXT_ARGS(template->kind.name),
                           (unsigned long long)number);
}

ws_job_spec ws_workload_job(const ws_job_template *template, const ws_stage_spec *stages)
{
    WS_ASSERT(template != NULL && stages != NULL);

    return (ws_job_spec){
        .kind = &template->kind,
        .name = template->kind.name,
        .replicas_initial = template->replicas_initial,
        .replicas_min = template->replicas_min,
        .replicas_max = template->replicas_max,
        .replicas_step = template->replicas_step,
        .legal = template->legal,
        .legal_count = template->legal_count,
        .stages = stages,
        .stage_count = template->stage_count,
        .deadline = WS_TIME_NEVER,
    };
}

/** What all jobs of a template are drawn from. */
typedef struct {
    const ws_scenario *scenario;
    const ws_job_template *template;
    uint64_t replication;
} workload_source;

static bool workload_add(workload_list *list, const workload_source *source, uint64_t number,
                         ws_time submit)
{
    const ws_job_template *template = source->template;
    ws_job_spec *job = workload_append(list);
    const ws_stage_spec *stages =
        workload_draw_stages(source->scenario, source->replication, template, number, list->arena);
    ws_text name = workload_name(template, number, list->arena);

    if (job == NULL || stages == NULL || name.start == NULL) {
        return false;
    }
    ws_duration deadline = template->deadline;
    *job = ws_workload_job(template, stages);
    job->name = name;
    job->number = number;
    job->submit = submit;
    job->deadline = deadline.ns > 0 ? ws_time_add(submit, deadline) : WS_TIME_NEVER;
    return true;
}

/**
 * The rate at a time of the day over its highest value: (1 + a cos) / (1 + a), with a = (ratio - 1)
 * / (ratio + 1), so that highest over lowest is the ratio.
 */
static double workload_daily(const ws_arrivals *arrivals, double time_of_day_s)
{
    double a = (arrivals->daily_ratio - 1) / (arrivals->daily_ratio + 1);
    double phase = 2 * M_PI * (time_of_day_s - ws_duration_s(arrivals->daily_peak)) / DAY_S;

    return (1 + a * cos(phase)) / (1 + a);
}

static bool workload_add_poisson(workload_list *list, const workload_source *source)
{
    const ws_scenario *scenario = source->scenario;
    const ws_arrivals *arrivals = &source->template->arrivals;
    double a = (arrivals->daily_ratio - 1) / (arrivals->daily_ratio + 1);
    double highest_per_s = arrivals->rate_per_s * (1 + a);
    int64_t number = 0;
    double at_s = 0;
    ws_stream stream;

    ws_stream_open(&stream, (ws_stream_key){.seed = scenario->seed,
                                            .replication = source->replication,
                                            .purpose = WS_PURPOSE_ARRIVALS,
                                            .entity = source->template->kind.entity});
    while (number < arrivals->count) {
        double gap = ws_stream_uniform(&stream);
        double keep = ws_stream_uniform(&stream);
        at_s += -log(gap) / highest_per_s;
        if (at_s >= ws_time_s(scenario->horizon)) {
            return true;
        }
        if (keep >= workload_daily(arrivals, at_s + (double)scenario->day_offset_s)) {
            continue;
        }
        ws_time submit = {.ns = ws_duration_of_s(at_s).ns};
        if (!workload_add(list, source, (uint64_t)number, submit)) {
            return false;
        }
        number++;
    }
    return true;
}

/* ---- sorting ---- */

/** Merges two sorted runs, the left one first at equal times. */
static void workload_merge(const ws_job_spec *from, size_t left, size_t middle, size_t right,
                           ws_job_spec *to)
{
    size_t a = left;
    size_t b = middle;

    for (size_t i = left; i < right; i++) {
        bool take_left = b >= right || (a < middle && from[a].submit.ns <= from[b].submit.ns);
        to[i] = take_left ? from[a++] : from[b++];
    }
}

/** Stable merge sort by submission, bottom up. */
static bool workload_sort(workload_list *list)
{
    ws_job_spec *other = ws_arena_alloc(list->arena, ws_job_spec, list->count + 1);

    if (other == NULL) {
        return false;
    }
    for (size_t width = 1; width < list->count; width *= 2) {
        for (size_t left = 0; left < list->count; left += 2 * width) {
            size_t middle = left + width < list->count ? left + width : list->count;
            size_t right = left + 2 * width < list->count ? left + 2 * width : list->count;
            workload_merge(list->jobs, left, middle, right, other);
        }
        ws_job_spec *sorted = other;
        other = list->jobs;
        list->jobs = sorted;
    }
    return true;
}

bool ws_workload_draw(const ws_scenario *scenario, uint64_t replication, ws_arena *arena,
                      const ws_job_spec **jobs, size_t *job_count)
{
    WS_ASSERT(jobs != NULL);
    WS_ASSERT(job_count != NULL);

    const ws_workload *workload = &scenario->workload;
    workload_list list = {.arena = arena};

    for (size_t i = 0; i < workload->template_count; i++) {
        const ws_job_template *template = &workload->templates[i];
        workload_source source = {
            .scenario = scenario, .template = template, .replication = replication};
        bool added = template->arrivals.kind == WS_ARRIVALS_AT
                         ? workload_add(&list, &source, 0, template->arrivals.at)
                         : workload_add_poisson(&list, &source);
        if (!added) {
            return false;
        }
    }
    for (size_t i = 0; i < workload->recorded_count; i++) {
        ws_job_spec *job = workload_append(&list);
        if (job == NULL) {
            return false;
        }
        *job = workload->recorded[i];
    }
    if (list.count > (size_t)WS_JOBS_MAX || !workload_sort(&list)) {
        return false;
    }
    *jobs = list.jobs;
    *job_count = list.count;
    return true;
}
