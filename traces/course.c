/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Between two edges the numbers of jobs and GPUs are constant, so that each stretch adds exactly to
 * the steps that it crosses. Means come of 128-bit integrals: they hang on no order of summing.
 */
#include "course.h"

#include <math.h>

#include <gsl/gsl_heapsort.h>

#include "ws/time.h"

static const int64_t course_steps[] = {
    WS_NS_PER_S,        5 * WS_NS_PER_S,    10 * WS_NS_PER_S,  30 * WS_NS_PER_S,
    WS_NS_PER_MIN,      2 * WS_NS_PER_MIN,  5 * WS_NS_PER_MIN, 10 * WS_NS_PER_MIN,
    15 * WS_NS_PER_MIN, 30 * WS_NS_PER_MIN, WS_NS_PER_H,       2 * WS_NS_PER_H,
    3 * WS_NS_PER_H,    6 * WS_NS_PER_H,    12 * WS_NS_PER_H,  WS_NS_PER_D,
    2 * WS_NS_PER_D,    7 * WS_NS_PER_D,    14 * WS_NS_PER_D,  28 * WS_NS_PER_D,
};

/* What a step has collected. */
typedef struct {
    ws_i128 job_ns;
    ws_i128 gpu_ns;
    int64_t jobs_max;
    int64_t gpus_max;
} course_step;

typedef struct {
    const ws_trace_runs *runs;
    ws_trace_summary *summary;
    course_step *steps;
    ws_i128 gpu_ns; /* of all */
    int64_t jobs;   /* now */
    int64_t gpus;
} course;

static int course_compare(const void *left, const void *right)
{
    const ws_trace_edge *a = left;
    const ws_trace_edge *b = right;

    return (a->at_ns > b->at_ns) - (a->at_ns < b->at_ns);
}

/* The shortest round step of which no more than the most are needed. */
static int64_t course_choose_step(int64_t span_ns)
{
    int64_t step_ns = course_steps[WS_COUNT_OF(course_steps) - 1];

    for (size_t i = 0; i < WS_COUNT_OF(course_steps); i++) {
        if ((span_ns - 1) / course_steps[i] < WS_TRACE_STEPS_MAX) {
            return course_steps[i];
        }
    }
    while ((span_ns - 1) / step_ns >= WS_TRACE_STEPS_MAX) {
        step_ns *= 2;
    }
    return step_ns;
}

/* So many jobs and GPUs from one moment to another. */
static void course_pass(course *self, int64_t from_ns, int64_t to_ns)
{
    ws_trace_summary *summary = self->summary;
    int64_t step_ns = summary->step_ns;

    if (self->gpus > summary->gpus_peak) {
        summary->gpus_peak = self->gpus;
        summary->gpus_peak_ns = from_ns - self->runs->from_ns;
    }
    summary->jobs_peak = self->jobs > summary->jobs_peak ? self->jobs : summary->jobs_peak;
    self->gpu_ns += (ws_i128)self->gpus * (to_ns - from_ns);
    while (from_ns < to_ns) {
        int64_t index = (from_ns - self->runs->from_ns) / step_ns;
        int64_t until_ns = self->runs->from_ns + (index + 1) * step_ns;
        course_step *step = &self->steps[index];
        until_ns = until_ns < to_ns ? until_ns : to_ns;
        step->job_ns += (ws_i128)self->jobs * (until_ns - from_ns);
        step->gpu_ns += (ws_i128)self->gpus * (until_ns - from_ns);
        step->jobs_max = self->jobs > step->jobs_max ? self->jobs : step->jobs_max;
        step->gpus_max = self->gpus > step->gpus_max ? self->gpus : step->gpus_max;
        from_ns = until_ns;
    }
}

static void course_sweep(course *self)
{
    const ws_trace_runs *runs = self->runs;
    int64_t now_ns = runs->from_ns;
    size_t started = 0;
    size_t ended = 0;

    while (ended < runs->count) {
        bool is_start =
            started < runs->count && runs->starts[started].at_ns < runs->ends[ended].at_ns;
        const ws_trace_edge *edge = is_start ? &runs->starts[started++] : &runs->ends[ended++];
        if (edge->at_ns > now_ns) {
            course_pass(self, now_ns, edge->at_ns);
            now_ns = edge->at_ns;
        }
        self->jobs += is_start ? 1 : -1;
        self->gpus += is_start ? edge->gpus : -edge->gpus;
    }
    WS_ASSERT(self->jobs == 0);
    WS_ASSERT(self->gpus == 0);
}

/* The last step may be cut short by the end. */
static void course_fill_steps(const course *self)
{
    ws_trace_summary *summary = self->summary;
    int64_t span_ns = self->runs->end_ns - self->runs->from_ns;

    for (size_t i = 0; i < summary->step_count; i++) {
        int64_t begin_ns = (int64_t)i * summary->step_ns;
        int64_t rest_ns = span_ns - begin_ns;
        int64_t length_ns = rest_ns < summary->step_ns ? rest_ns : summary->step_ns;
        summary->steps[i] = (ws_trace_step){
            .begin_ns = begin_ns,
            .jobs_mean = (double)self->steps[i].job_ns / (double)length_ns,
            .jobs_max = self->steps[i].jobs_max,
            .gpus_mean = (double)self->steps[i].gpu_ns / (double)length_ns,
            .gpus_max = self->steps[i].gpus_max,
        };
    }
    summary->gpus_mean = (double)self->gpu_ns / (double)span_ns;
}

bool ws_trace_course_of(ws_trace_summary *summary, const ws_trace_runs *runs, ws_arena *arena)
{
    WS_ASSERT(summary != NULL);

    int64_t span_ns = runs->end_ns - runs->from_ns;
    course self = {.runs = runs, .summary = summary};

    summary->gpus_mean = (double)NAN;
    if (runs->count == 0 || span_ns <= 0) {
        return true;
    }
    summary->step_ns = course_choose_step(span_ns);
    summary->step_count = (size_t)((span_ns - 1) / summary->step_ns) + 1;
    summary->steps = ws_arena_alloc(arena, ws_trace_step, summary->step_count);
    self.steps = ws_arena_alloc(arena, course_step, summary->step_count);
    if (summary->steps == NULL || self.steps == NULL) {
        return false;
    }
    gsl_heapsort(runs->starts, runs->count, sizeof *runs->starts, course_compare);
    gsl_heapsort(runs->ends, runs->count, sizeof *runs->ends, course_compare);
    course_sweep(&self);
    course_fill_steps(&self);
    return true;
}
