/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "step_subject.h"

#include "output.h"
#include "ws/workload.h"

#define SUBJECT_NAMES_MAX 256

const ws_stage_spec *ws_step_subject_stage(const ws_step_subject *subject)
{
    return &subject->job.stages[subject->stage];
}

ws_world ws_step_subject_world(const ws_step_subject *subject, int32_t replicas)
{
    return ws_job_world_packed(subject->kind, subject->pool_index, subject->pool, subject->fabric,
                               replicas);
}

/* ---- names that are not there ---- */

typedef struct {
    const char *names[SUBJECT_NAMES_MAX];
    size_t count;
} subject_names;

static void subject_add_name(subject_names *names, ws_text name, ws_arena *arena)
{
    if (names->count < SUBJECT_NAMES_MAX) {
        names->names[names->count++] = ws_arena_copy_text(arena, name).start;
    }
}

/* "there is no job `x`; did you mean `y`?", or all of them. */
static bool subject_unknown(const char *noun, ws_text wrong, const subject_names *names,
                            ws_arena *arena)
{
    int near = ws_text_nearest(wrong, names->names, names->count);

    ws_output_error("worldsize explain step: there is no %s `%.*s`", noun,
                    WS_TEXT_ARGS(ws_output_shown(wrong, arena)));
    if (near >= 0) {
        ws_output_error("\ndid you mean `%s`?\n", names->names[near]);
        return false;
    }
    for (size_t i = 0; i < names->count && i < 10; i++) {
        ws_text shown = ws_output_shown(ws_text_of(names->names[i]), arena);
        ws_output_error("%s`%.*s`", i == 0 ? "; there are " : ", ", WS_TEXT_ARGS(shown));
    }
    ws_output_error("%s\n", names->count > 10 ? ", ..." : "");
    return false;
}

/* ---- job ---- */

static bool subject_of_template(ws_step_subject *subject, const ws_job_template *template,
                                ws_arena *arena)
{
    ws_stage_spec *stages = ws_arena_alloc(arena, ws_stage_spec, template->stage_count);

    if (stages == NULL) {
        ws_output_error("worldsize: out of memory\n");
        return false;
    }
    for (size_t i = 0; i < template->stage_count; i++) {
        stages[i] = template->stages[i].spec;
    }
    subject->job = ws_workload_job(template, stages);
    return true;
}

/* The main job, else the first one. */
static bool subject_default_job(ws_step_subject *subject, const ws_workload *workload,
                                ws_arena *arena)
{
    for (size_t i = 0; i < workload->template_count; i++) {
        if (workload->templates[i].kind.main_job) {
            return subject_of_template(subject, &workload->templates[i], arena);
        }
    }
    if (workload->template_count > 0) {
        return subject_of_template(subject, &workload->templates[0], arena);
    }
    if (workload->recorded_count == 0) {
        ws_output_error("worldsize explain step: the scenario has no job\n");
        return false;
    }
    subject->job = workload->recorded[0];
    return true;
}

static bool subject_find_job(ws_step_subject *subject, const ws_workload *workload, ws_text name,
                             ws_arena *arena)
{
    subject_names *names = ws_arena_alloc(arena, subject_names, 1);

    if (name.length == 0) {
        return subject_default_job(subject, workload, arena);
    }
    for (size_t i = 0; i < workload->template_count; i++) {
        if (ws_text_equals(workload->templates[i].kind.name, name)) {
            return subject_of_template(subject, &workload->templates[i], arena);
        }
    }
    for (size_t i = 0; i < workload->recorded_count; i++) {
        if (ws_text_equals(workload->recorded[i].name, name)) {
            subject->job = workload->recorded[i];
            return true;
        }
    }
    for (size_t i = 0; names != NULL && i < workload->template_count; i++) {
        subject_add_name(names, workload->templates[i].kind.name, arena);
    }
    for (size_t i = 0; names != NULL && i < workload->recorded_count; i++) {
        subject_add_name(names, workload->recorded[i].name, arena);
    }
    return names != NULL && subject_unknown("job", name, names, arena);
}

/* ---- pool ---- */

static bool subject_accepts(const ws_step_subject *subject, size_t pool)
{
    return (subject->kind->pools >> pool & 1) != 0;
}

static bool subject_find_pool(ws_step_subject *subject, const ws_scenario *scenario, ws_text name,
                              ws_arena *arena)
{
    subject_names *names = ws_arena_alloc(arena, subject_names, 1);

    for (size_t i = 0; names != NULL && i < scenario->pool_count; i++) {
        const ws_pool_spec *pool = &scenario->pools[i];
        if (!subject_accepts(subject, i)) {
            continue;
        }
        subject->pools_accepted++;
        subject->gpus_max += (int64_t)pool->nodes_max * pool->gpus_per_node;
        subject_add_name(names, pool->name, arena);
        if (subject->pool == NULL && (name.length == 0 || ws_text_equals(pool->name, name))) {
            subject->pool = pool;
            subject->pool_index = i;
            subject->gpu_price_per_h =
                (double)pool->node_price.nano_per_h / 1e9 / pool->gpus_per_node;
        }
    }
    return subject->pool != NULL ||
           (names != NULL && subject_unknown("accepted pool", name, names, arena));
}

/* ---- stage ---- */

/* Seconds of a stage at the initial size, or the nearest that is legal there. */
static double subject_stage_s(const ws_step_subject *subject, size_t stage)
{
    int32_t replicas = ws_job_legal_at_most(&subject->job, stage, subject->job.replicas_initial);

    if (replicas == 0) {
        replicas = ws_job_legal_at_least(&subject->job, stage, 1);
    }
    if (replicas == 0) {
        return 0;
    }
    ws_world world = ws_step_subject_world(subject, replicas);
    return subject->job.stages[stage].work /
           ws_stage_pace(&subject->job.stages[stage], &world, 0).work_per_s;
}

static bool subject_find_stage(ws_step_subject *subject, ws_text name, ws_arena *arena)
{
    subject_names *names = ws_arena_alloc(arena, subject_names, 1);
    double longest_s = 0;

    for (size_t i = 0; name.length == 0 && i < subject->job.stage_count; i++) {
        double seconds = subject_stage_s(subject, i);
        if (seconds > longest_s) {
            longest_s = seconds;
            subject->stage = i;
        }
    }
    for (size_t i = 0; name.length > 0 && names != NULL && i < subject->job.stage_count; i++) {
        if (ws_text_equals(subject->job.stages[i].name, name)) {
            subject->stage = i;
            return true;
        }
        subject_add_name(names, subject->job.stages[i].name, arena);
    }
    return name.length == 0 || (names != NULL && subject_unknown("stage", name, names, arena));
}

bool ws_step_subject_find(ws_step_subject *subject, const ws_loaded *loaded,
                          const ws_step_question *question, ws_arena *arena)
{
    const ws_scenario *scenario = &loaded->scenario;

    *subject =
        (ws_step_subject){.fabric = scenario->network != NULL ? &scenario->network->fabric : NULL};
    if (!subject_find_job(subject, &scenario->workload, question->job, arena)) {
        return false;
    }
    subject->kind = subject->job.kind;
    return subject_find_pool(subject, scenario, question->pool, arena) &&
           subject_find_stage(subject, question->stage, arena);
}
