/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Traces whose run times come from profiles: what a scenario may say, and what is refused. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/edited.h"
#include "ws/step_measured.h"

#define WORKLOAD "name,time,application,num_replicas,batch_size\n"
#define PLACEMENTS "placement,local_bsz,step_time,sync_time\n"
#define SCALABILITY "num_nodes,num_replicas,local_bsz,step_time,sync_time\n"
#define VALIDATION "progress,iteration,metric,grad_sqr,grad_var\n"

static void case_write(const ws_edited *edited, const char *name, const char *text)
{
    char path[1200];

    (void)snprintf(path, sizeof path, "%s/%s", edited->folder, name);
    FILE *file = fopen(path, "wb");
    cr_assert_not_null(file, "%s", path);
    cr_assert(fputs(text, file) >= 0);
    cr_assert(fclose(file) == 0);
}

/* An application of 1 s for 10 samples on a GPU, 1.5 s on two, and trainings of 100 steps. */
static void case_begin(ws_edited *edited, const char *name)
{
    char command[1300];

    ws_edited_init(edited, name);
    (void)snprintf(command, sizeof command, "mkdir -p '%s/profiles/app'", edited->folder);
    cr_assert_eq(system(command), 0); /* NOLINT(cert-env33-c): a folder of the test's own */
    case_write(edited, "t.csv", WORKLOAD "a,7,app,2,20\nb,9,app,2,20\n");
    case_write(edited, "profiles/app/placements.csv", PLACEMENTS "1,10,1,0\n2,10,1.5,0.5\n");
    case_write(edited, "profiles/app/scalability.csv", SCALABILITY "2,4,10,2,1\n");
    case_write(edited, "profiles/app/validation-20.csv", VALIDATION "1,50,0,1,1\n2,100,0,1,1\n");
}

/* A cluster of 4 GPUs that replays t.csv with more keys. */
static bool case_load(ws_edited *edited, const char *more)
{
    return ws_edited_load(
        edited,
        ws_arena_format(&edited->arena,
                        "schema: worldsize.scenario/v1\n"
                        "name: case\n"
                        "seed: 1\n"
                        "replications: 2\n"
                        "horizon: 1h\n"
                        "cluster:\n"
                        "  pools:\n"
                        "    - name: gpus\n"
                        "      gpu: {type: T4, per_node: 4}\n"
                        "      nodes: {initial: 1, min: 1, max: 1}\n"
                        "      price: {per_gpu: $0.53/h}\n"
                        "workload:\n"
                        "  trace: {file: t.csv, %s}\n"
                        "policies:\n"
                        "  - {name: fixed, type: fixed, target: {pool: gpus}, nodes: 1}\n"
                        "compare: {baseline: fixed, metrics: [jct_mean_s]}\n",
                        more),
        NULL);
}

static void assert_refused(ws_edited *edited, const char *more, int code, const char *message)
{
    cr_assert(not(case_load(edited, more)));
    const ws_diagnostic *found = ws_edited_found(edited, code);
    cr_assert_not_null(found, "%s", ws_edited_printed(edited));
    cr_assert_str_eq(found->message.start, message);
    cr_assert(eq(sz, edited->diag.error_count, 1), "%s", ws_edited_printed(edited));
}

/* 100 steps of 20 samples; on two GPUs 10 each, 1.5 s, of which 1 s is compute. */
Test(trace_profiles, work_and_pace_come_from_the_profile)
{
    ws_edited edited;

    case_begin(&edited, "profiles-good");
    cr_assert(case_load(&edited, "profiles: profiles/"), "%s", ws_edited_printed(&edited));
    const ws_workload *workload = &edited.loaded.scenario.workload;
    cr_assert(eq(sz, workload->recorded_count, 2));
    const ws_stage_spec *stage = &workload->recorded[0].stages[0];
    cr_assert(eq(dbl, stage->work, 2000));
    cr_assert(eq(int, stage->unit, WS_WORK_SAMPLES));
    ws_world world = {.replicas = 2,
                      .gpus_per_replica = 1,
                      .nodes = 1,
                      .leaves = 1,
                      .pods = 1,
                      .fabric_share = 1,
                      .speed = 1};
    ws_pace pace = ws_step_pace(&stage->step, &world);
    cr_assert(epsilon_eq(dbl, pace.work_per_s, 20 / 1.5, 1e-12));
    cr_assert(epsilon_eq(dbl, pace.communication, 0.5 / 1.5, 1e-15));

    /* the scenario, the trace and three files of the profile, each once */
    cr_assert(eq(sz, edited.loaded.input_count, 5));
    cr_assert_str_eq(edited.loaded.inputs[2].path.start, "profiles/app/placements.csv");
    cr_assert(ws_text_is(edited.loaded.inputs[2].role, "profile"));
    cr_assert(eq(i64, edited.loaded.inputs[2].bytes,
                 (int64_t)strlen(PLACEMENTS "1,10,1,0\n2,10,1.5,0.5\n")));
    ws_edited_fini(&edited);
}

static bool is_assumed(const ws_edited *edited, const char *piece)
{
    for (size_t i = 0; i < edited->loaded.assumption_count; i++) {
        if (strstr(edited->loaded.assumptions[i].start, piece) != NULL) {
            return true;
        }
    }
    return false;
}

/*
 * 50% to 3000% of 2 GPUs: no GPU is left without one of 20 samples. Two GPUs have the smallest
 * batch that was measured, so that more are extrapolated.
 */
Test(trace_profiles, sizes_end_at_the_batch)
{
    ws_edited edited;

    case_begin(&edited, "profiles-sizes");
    cr_assert(case_load(&edited, "profiles: profiles, "
                                 "elasticity: {mode: restart, min: 50%, max: 3000%}"));
    const ws_job_spec *job = &edited.loaded.scenario.workload.recorded[0];
    cr_assert(eq(i32, job->replicas_min, 1));
    cr_assert(eq(i32, job->replicas_max, 20));
    cr_assert(is_assumed(&edited, "2 jobs may take more GPUs than were measured"));
    cr_assert(is_assumed(&edited, "the last iteration of its application's validation-BATCH.csv"));
    cr_assert(not(is_assumed(&edited, "recorded run times are taken")));

    cr_assert(case_load(&edited, "profiles: profiles"));
    cr_assert(not(is_assumed(&edited, "extrapolated")));
    ws_edited_fini(&edited);
}

Test(trace_profiles, a_batch_without_a_profile_is_refused)
{
    ws_edited edited;

    case_begin(&edited, "profiles-none");
    assert_refused(&edited, "format: pollux", 2102, "the trace states batches and no run times");
    assert_refused(&edited, "profiles: profiles, speedup: linear", 4109,
                   "`speedup` says nothing beside `profiles`, which hold what was measured");
    case_write(&edited, "t.csv", WORKLOAD "a,7,app,2,21\n");
    assert_refused(&edited, "profiles: profiles", 6001,
                   "cannot read `profiles/app/validation-21.csv`: no such file");
    case_write(&edited, "t.csv", WORKLOAD "a,7,other,2,20\nb,8,other,2,20\nc,8,app,2,20\n");
    assert_refused(&edited, "profiles: profiles", 6001,
                   "cannot read `profiles/other/placements.csv`: no such file");
    case_write(&edited, "t.csv", "id,arrival_s,gpus,duration_s\na,0,2,10\n");
    assert_refused(&edited, "profiles: profiles", 4313, "job `a` of the trace states no batch");
    ws_edited_fini(&edited);
}

/* In the own format the application may be any text: it does not lead out of the folder. */
Test(trace_profiles, profiles_are_confined)
{
    ws_edited edited;

    case_begin(&edited, "profiles-confined");
    cr_assert(not(case_load(&edited, "profiles: ../../..")));
    cr_assert_not_null(ws_edited_found(&edited, 7103), "%s", ws_edited_printed(&edited));
    case_write(&edited, "t.csv",
               "id,arrival_s,gpus,duration_s,kind,batch_samples\na,0,2,,../../../../etc,20\n");
    cr_assert(not(case_load(&edited, "profiles: profiles")));
    cr_assert_not_null(ws_edited_found(&edited, 7103), "%s", ws_edited_printed(&edited));
    ws_edited_fini(&edited);
}

Test(trace_profiles, a_profile_needs_one_gpu_and_sound_rows)
{
    ws_edited edited;

    case_begin(&edited, "profiles-single");
    case_write(&edited, "profiles/app/placements.csv", PLACEMENTS "2,10,1.5,0.5\n");
    assert_refused(&edited, "profiles: profiles", 4312,
                   "the profile of `app` has no step on one GPU");
    case_write(&edited, "profiles/app/placements.csv", PLACEMENTS "1,10,-1,0\n");
    assert_refused(&edited, "profiles: profiles", 6130,
                   "a profile has a row whose `step_time` cannot be used");
    ws_edited_fini(&edited);
}
