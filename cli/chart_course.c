/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What one arm did in the first world, and where its GPU-hours went, as data of charts. */
#include <math.h>

#include "chart_data.h"

/* ---- the main job ---- */

/* The template of the job that is reported by name; NULL: none, or it is a recorded one. */
static const ws_job_template *course_main_template(const ws_workload *workload)
{
    for (size_t i = 0; i < workload->template_count; i++) {
        if (workload->templates[i].kind.main_job) {
            return &workload->templates[i];
        }
    }
    return NULL;
}

static bool course_set_stages(ws_chart_course *course, const ws_job_template *template,
                              ws_arena *arena)
{
    ws_text *names = ws_arena_alloc(arena, ws_text, template->stage_count);

    if (names == NULL) {
        return false;
    }
    for (size_t i = 0; i < template->stage_count; i++) {
        names[i] = template->stages[i].spec.name;
    }
    course->main_job = template->kind.name;
    course->stages = names;
    course->stage_count = template->stage_count;
    return true;
}

/* ---- steps ---- */

static ws_chart_range course_range(ws_gauge_range range)
{
    return (ws_chart_range){.low = (double)range.low, .high = (double)range.high};
}

/* A stage that is not named is not drawn. */
static int course_stage(const ws_chart_course *course, double main_stage)
{
    bool is_named = isfinite(main_stage) && main_stage < (double)course->stage_count;

    return is_named ? (int)main_stage : -1;
}

/* The timeline has a row for each pool and step, all pools with the same stage. */
static ws_chart_step course_step(const ws_chart_course *course, const ws_run_result *result,
                                 size_t step)
{
    const ws_extremes_record *extremes = &result->extremes[step];
    size_t pools = result->timeline_count / result->extremes_count;

    WS_ASSERT(pools >= 1);
    return (ws_chart_step){
        .begin_s = extremes->t_s,
        .paid = course_range(extremes->gpus_paid),
        .ready = course_range(extremes->gpus_ready),
        .busy = course_range(extremes->gpus_busy),
        .waiting = course_range(extremes->gpus_waiting),
        .wanted = course_range(extremes->gpus_wanted),
        .main_gpus = course_range(extremes->main_gpus),
        .stage = course_stage(course, result->timeline[step * pools].main_stage),
    };
}

bool ws_chart_data_course(ws_chart_course *course, bool *has_course,
                          const ws_evaluation *evaluation, size_t arm, ws_arena *arena)
{
    WS_ASSERT(arm < evaluation->arm_count);

    const ws_scenario *scenario = evaluation->arms[arm].arm->scenario;
    const ws_job_template *template = course_main_template(&scenario->workload);
    const ws_evaluation_run *run = &evaluation->arms[arm].runs[0];
    size_t count = run->state == WS_RUN_DONE ? run->result.extremes_count : 0;
    ws_chart_step *steps = ws_arena_alloc(arena, ws_chart_step, count + 1);

    *has_course = count > 0;
    *course = (ws_chart_course){.arm = evaluation->arms[arm].arm->name,
                                .end_s = ws_time_s(scenario->horizon),
                                .warmup_s = ws_duration_s(scenario->warmup),
                                .steps = steps,
                                .step_count = count};
    if (steps == NULL || (template != NULL && !course_set_stages(course, template, arena))) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        steps[i] = course_step(course, &run->result, i);
    }
    return true;
}

/* ---- accounts ---- */

/* What the runs of an arm booked, all together. */
static ws_accounts course_accounts(const ws_evaluation *evaluation, size_t arm)
{
    ws_accounts sum = {.account = {{.gpu_ns = 0}}};

    for (size_t i = 0; i < evaluation->replications; i++) {
        const ws_evaluation_run *run = &evaluation->arms[arm].runs[i];
        if (run->state == WS_RUN_DONE) {
            sum = ws_accounts_add(sum, run->result.run.accounts);
        }
    }
    return sum;
}

static double course_mean_h(const ws_evaluation *evaluation, size_t arm, ws_gpu_time sum)
{
    size_t runs = evaluation->arms[arm].runs_done;

    return runs > 0 ? ws_gpu_time_h(sum) / (double)runs : (double)NAN;
}

ws_chart_accounts ws_chart_data_accounts(const ws_evaluation *evaluation, size_t arm)
{
    WS_ASSERT(arm < evaluation->arm_count);

    ws_accounts sum = course_accounts(evaluation, arm);
    ws_chart_accounts accounts = {
        .arm = evaluation->arms[arm].arm->name,
        .paid_gpu_h = course_mean_h(evaluation, arm, ws_accounts_sum(&sum)),
    };

    for (size_t i = 0; i < WS_ACCOUNT_COUNT; i++) {
        accounts.account_gpu_h[i] = course_mean_h(evaluation, arm, sum.account[i]);
    }
    for (size_t other = 0; other < evaluation->arm_count; other++) {
        ws_accounts all = course_accounts(evaluation, other);
        double paid_h = course_mean_h(evaluation, other, ws_accounts_sum(&all));
        accounts.axis_gpu_h = fmax(accounts.axis_gpu_h, paid_h);
    }
    return accounts;
}
