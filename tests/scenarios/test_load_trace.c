/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recorded jobs: windows, sizes that the recording did not see, formats, and what is said of it
 * all. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <string.h>

#include "scenarios/dump.h"
#include "scenarios/edited.h"
#include "support/support.h"

static ws_edited edited;

/* Four jobs of 4, 8, 2 and 16 GPUs, at 0, 100, 1000 and 5000 s of a clock of its own. */
static const char recording[] = "id,arrival_s,gpus,duration_s,user\n"
                                "a,0,4,600,ada\n"
                                "b,100,8,7200,bob\n"
                                "c,1000,2,60,ada\n"
                                "d,5000,16,3600,cy\n";

static void write_file(const char *name, const char *content)
{
    char path[1200];
    FILE *file = NULL;

    (void)snprintf(path, sizeof path, "%s/%s", edited.folder, name);
    file = fopen(path, "w");
    cr_assert(file != NULL, "%s", path);
    cr_assert(fputs(content, file) >= 0);
    cr_assert(eq(int, fclose(file), 0));
}

static void set_up(void)
{
    ws_edited_init(&edited, "load-trace");
    write_file("jobs.csv", recording);
}

static void tear_down(void)
{
    ws_edited_fini(&edited);
}

TestSuite(load_trace, .init = set_up, .fini = tear_down);

/* The week with a trace beside its jobs; `keys` are those of the trace. */
static bool load_trace(const char *keys)
{
    char replace[1000];

    (void)snprintf(replace, sizeof replace, "workload:\n  trace: {%s}\n", keys);
    return ws_edited_load_one(&edited, "workload:\n", replace);
}

static const ws_job_spec *recorded(size_t index)
{
    cr_assert(lt(sz, index, edited.loaded.scenario.workload.recorded_count), "%s",
              ws_edited_printed(&edited));
    return &edited.loaded.scenario.workload.recorded[index];
}

static void check_refused(const char *keys, int code, const char *message)
{
    cr_expect_not(load_trace(keys), "%s", keys);
    cr_assert(eq(sz, edited.diag.count, 1), "%s", ws_edited_printed(&edited));
    cr_expect(eq(int, edited.diag.entries[0].code, code), "%s", ws_edited_printed(&edited));
    cr_expect_str_eq(edited.diag.entries[0].message.start, message, "%s",
                     ws_edited_printed(&edited));
}

static bool is_assumed(const char *part)
{
    for (size_t i = 0; i < edited.loaded.assumption_count; i++) {
        if (strstr(edited.loaded.assumptions[i].start, part) != NULL) {
            return true;
        }
    }
    return false;
}

Test(load_trace, jobs_as_they_were_recorded)
{
    cr_assert(load_trace("file: jobs.csv"), "%s", ws_edited_printed(&edited));
    cr_assert(eq(sz, edited.loaded.scenario.workload.recorded_count, 4));
    const ws_job_spec *job = recorded(1);

    cr_expect(ws_text_is(job->name, "b"));
    cr_expect(ws_text_is(job->user, "bob"));
    cr_expect(ws_text_is(job->kind->name, "trace"));
    cr_expect(eq(i64, job->submit.ns, 100 * WS_NS_PER_S));
    cr_expect(eq(int, job->replicas_initial, 8));
    cr_expect(eq(int, job->replicas_min, 8));
    cr_expect(eq(int, job->replicas_max, 8));
    cr_expect(ieee_ulp_eq(dbl, job->stages[0].work, 7200, 1));
    cr_expect(eq(sz, edited.loaded.input_count, 2));
    cr_expect(ws_text_is(edited.loaded.inputs[1].path, "jobs.csv"));
    cr_expect(eq(i64, edited.loaded.inputs[1].bytes, (int64_t)strlen(recording)));
    cr_expect(is_assumed("trace jobs.csv: 4 jobs, time 0 is"));
    cr_expect(is_assumed("recorded run times are taken as the work that was wanted"));
}

/* Alone or beside stated jobs: both are a workload. */
Test(load_trace, a_trace_alone)
{
    static const char scenario[] =
        "schema: worldsize.scenario/v1\n"
        "name: replay\n"
        "horizon: 1d\n"
        "cluster:\n  pools:\n"
        "    - {name: p, gpu: {type: T, per_node: 8}, nodes: {max: 4}, price: {per_gpu: $1/h}}\n"
        "workload: {trace: {file: jobs.csv}}\n"
        "policies:\n"
        "  - {name: fixed, type: fixed, target: {pool: p}, nodes: 4}\n"
        "  - {name: jobs, type: fixed, target: {job: trace}, replicas: 4}\n";

    cr_assert(ws_edited_load(&edited, ws_text_of(scenario), NULL), "%s",
              ws_edited_printed(&edited));
    cr_expect(ws_text_is(edited.loaded.metrics[2], "jct_mean_s")); /* there is no main job */
    cr_expect(ws_text_is(edited.loaded.arms[1].controllers[0].target.job, "trace"));
}

/* All four recorded jobs bear the trace's name; from 2000 s on there is one. */
Test(load_trace, an_autoscaler_takes_one_job)
{
    static const char scenario[] =
        "schema: worldsize.scenario/v1\n"
        "name: replay\n"
        "horizon: 1d\n"
        "cluster:\n  pools:\n"
        "    - {name: p, gpu: {type: T, per_node: 8}, nodes: {initial: 4, max: 4}, "
        "price: {per_gpu: $1/h}}\n"
        "workload: {trace: {file: jobs.csv%s}}\n"
        "policies:\n"
        "  - {name: a, type: hpa, target: {job: trace}, max: 4,\n"
        "     metrics: [{pods: throughput, average_value: 1}]}\n";

    cr_expect_not(ws_edited_load(&edited, ws_arena_format(&edited.arena, scenario, ""), NULL));
    cr_assert(eq(sz, edited.diag.count, 1), "%s", ws_edited_printed(&edited));
    cr_expect(eq(int, edited.diag.entries[0].code, 4115));
    cr_expect(eq(int, edited.diag.entries[0].also.line, 7));
    cr_expect(
        ws_edited_load(&edited,
                       ws_arena_format(&edited.arena, scenario, ", from: \"1970-01-01T00:33:20\""),
                       NULL),
        "%s", ws_edited_printed(&edited));
}

/* From 50 s to 5000 s, exclusive: b and c; a had 550 s left at its start. */
Test(load_trace, a_window)
{
    const char *window = "file: jobs.csv, from: 1970-01-01T00:00:50, to: 1970-01-01T01:23:20";
    char keys[300];

    cr_assert(load_trace(window), "%s", ws_edited_printed(&edited));
    cr_assert(eq(sz, edited.loaded.scenario.workload.recorded_count, 2));
    cr_expect(ws_text_is(recorded(0)->name, "b"));
    cr_expect(eq(i64, recorded(0)->submit.ns, 50 * WS_NS_PER_S));
    cr_expect(eq(i64, recorded(1)->submit.ns, 950 * WS_NS_PER_S));

    (void)snprintf(keys, sizeof keys, "%s, running_at_start: remainder", window);
    cr_assert(load_trace(keys), "%s", ws_edited_printed(&edited));
    cr_assert(eq(sz, edited.loaded.scenario.workload.recorded_count, 3));
    cr_expect(ws_text_is(recorded(0)->name, "a"));
    cr_expect(eq(i64, recorded(0)->submit.ns, 0));
    cr_expect(ieee_ulp_eq(dbl, recorded(0)->stages[0].work, 550, 1));
}

Test(load_trace, windows_in_which_nothing_is)
{
    check_refused("file: jobs.csv, from: 1970-01-02, to: 1970-01-01", 4201,
                  "`to` is not after `from`: nothing would be replayed");
    cr_assert(load_trace("file: jobs.csv, from: 2017-10-06"), "%s", ws_edited_printed(&edited));
    cr_expect(ne(ptr, (void *)ws_edited_found(&edited, 4308), NULL), "%s",
              ws_edited_printed(&edited));
}

/* Half of 2, 4, 8, 16 GPUs and twice; Amdahl's law with a parallel fraction of 90 %: S(4) = 1/(0.1
 * + 0.9/4) = 3.0769, S(8) = 1/(0.1 + 0.9/8) = 4.7059, so that half of 8 GPUs run at 0.65385 of the
 * recorded pace. */
Test(load_trace, sizes_that_the_recording_did_not_see)
{
    cr_assert(load_trace("file: jobs.csv, elasticity: {mode: restart, min: 50%, max: 200%}, "
                         "speedup: {amdahl: 90%}"),
              "%s", ws_edited_printed(&edited));
    const ws_job_spec *job = recorded(1);
    ws_pace half = ws_step_pace(&job->stages[0].step, &(ws_world){.replicas = 4,
                                                                  .gpus_per_replica = 1,
                                                                  .nodes = 1,
                                                                  .leaves = 1,
                                                                  .pods = 1,
                                                                  .fabric_share = 1,
                                                                  .speed = 1});
    ws_pace whole = ws_step_pace(&job->stages[0].step, &(ws_world){.replicas = 8,
                                                                   .gpus_per_replica = 1,
                                                                   .nodes = 1,
                                                                   .leaves = 1,
                                                                   .pods = 1,
                                                                   .fabric_share = 1,
                                                                   .speed = 1});

    cr_expect(eq(int, job->replicas_min, 4));
    cr_expect(eq(int, job->replicas_max, 16));
    cr_expect(ieee_ulp_eq(dbl, whole.work_per_s, 1, 4));
    cr_expect(epsilon_eq(dbl, half.work_per_s, 0.65385, 0.00001));
    cr_expect(is_assumed("Amdahl's law with a parallel fraction of 90%"));
    cr_assert(load_trace("file: jobs.csv, elasticity: {mode: restart, min: 30%, max: 160%}, "
                         "speedup: linear"));
    cr_expect(eq(int, recorded(1)->replicas_min, 3));  /* 2.4, rounded up */
    cr_expect(eq(int, recorded(1)->replicas_max, 12)); /* 12.8, rounded down */
    cr_expect(eq(int, recorded(2)->replicas_min, 1));  /* 0.6 */
}

Test(load_trace, other_sizes_need_an_assumption)
{
    check_refused("file: jobs.csv, elasticity: {mode: restart, min: 50%}", 2102,
                  "the trace's sizes may change, but nothing says what other sizes do");
    check_refused("file: jobs.csv, elasticity: {min: 50%}, speedup: linear", 4203,
                  "the trace has a range of sizes, but its mode `rigid` never changes the size");
    check_refused("file: jobs.csv, elasticity: {mode: restart, min: 150%}, speedup: linear", 3107,
                  "`min` is more than 0% and at most 100%");
    check_refused("file: jobs.csv, speedup: {curve: {50%: 70%}}", 3107,
                  "a `speedup` curve is 100% at 100%, the size that was recorded");
}

/* 24 nodes of 8 GPUs reach 192. */
Test(load_trace, jobs_that_are_larger_than_the_cluster)
{
    write_file("jobs.csv", "id,arrival_s,gpus,duration_s\na,0,200,600\nb,1,192,600\n");
    check_refused("file: jobs.csv", 4303,
                  "1 job of the trace needs more than the 192 GPUs that the pools reach");
    cr_expect(load_trace("file: jobs.csv, elasticity: {mode: restart, min: 90%}, speedup: linear"),
              "%s", ws_edited_printed(&edited));
}

/* However large: what a job may have is bounded. */
Test(load_trace, hostile_shares)
{
    cr_assert(load_trace("file: jobs.csv, elasticity: {mode: restart, max: 100000000%}, "
                         "speedup: linear"),
              "%s", ws_edited_printed(&edited));
    cr_expect(eq(int, recorded(0)->replicas_max, 1000000));
    check_refused("file: jobs.csv, elasticity: {mode: restart, max: 1e300%}, speedup: linear", 3107,
                  "`max` is too large: at most `100000000%`");
}

Test(load_trace, formats)
{
    cr_expect(load_trace("file: jobs.csv, format: worldsize"), "%s", ws_edited_printed(&edited));
    check_refused("file: jobs.csv, format: philly", 2203, "`philly` is not a trace format");
    cr_expect(ws_text_is(edited.diag.entries[0].help, "did you mean `philly-csv`?"));
    check_refused("file: jobs.csv, format: parquet", 2203, "`parquet` is not a trace format");
    write_file("other.csv", "what,is,this\n1,2,3\n");
    cr_expect_not(load_trace("file: other.csv"));
    cr_expect(ne(ptr, (void *)ws_edited_found(&edited, 6107), NULL), "%s",
              ws_edited_printed(&edited));
}

/* 60000 ms are a minute; without the unit they would be 16 h. */
Test(load_trace, times_in_another_unit)
{
    write_file("ms.csv", "id,arrival_s,gpus,duration_s\na,0,4,60000\nb,90000,8,1000\n");
    cr_assert(load_trace("file: ms.csv, time_unit: ms"), "%s", ws_edited_printed(&edited));
    cr_expect(ieee_ulp_eq(dbl, recorded(0)->stages[0].work, 60, 1));
    cr_expect(eq(i64, recorded(1)->submit.ns, 90 * WS_NS_PER_S));
    check_refused("file: ms.csv, time_unit: min", 2203, "`min` is not a unit of a trace's times");
}

/* Half a GPU becomes one, two and a half become three: what was assumed says so. */
Test(load_trace, shares_of_gpus)
{
    write_file("shares.csv", "id,arrival_s,gpus,duration_s\na,0,0.5,60\nb,10,2.5,60\n");
    cr_expect_not(load_trace("file: shares.csv"));
    cr_expect(ws_edited_found(&edited, 6116) != NULL, "%s", ws_edited_printed(&edited));
    cr_assert(load_trace("file: shares.csv, ceil_gpus: true"), "%s", ws_edited_printed(&edited));
    cr_expect(eq(int, recorded(0)->replicas_initial, 1));
    cr_expect(eq(int, recorded(1)->replicas_initial, 3));
    cr_expect(is_assumed("2 rows: ask for a share of a GPU, rounded up"));
}

/* 30 steps at 3 and at 0.5 steps a second: 10 s and 60 s. */
Test(load_trace, further_files)
{
    write_file("gavel.trace", "A\tpython\t.\t-n\t1\t30\t1\t1\t-1.0\t0\n");
    write_file("speeds.json", "{\"v100\": {\"('A', 1)\": {\"null\": 3}},"
                              " \"k80\": {\"('A', 1)\": {\"null\": 0.5}}}");
    cr_assert(load_trace("file: gavel.trace, format: gavel, with: {throughputs: speeds.json}"),
              "%s", ws_edited_printed(&edited));
    cr_expect(ieee_ulp_eq(dbl, recorded(0)->stages[0].work, 10, 1));
    cr_assert(load_trace("file: gavel.trace, format: gavel, gpu_type: k80,"
                         " with: {throughputs: speeds.json}"),
              "%s", ws_edited_printed(&edited));
    cr_expect(ieee_ulp_eq(dbl, recorded(0)->stages[0].work, 60, 1));
    cr_expect_not(load_trace("file: gavel.trace, format: gavel"));
    cr_expect(ws_edited_found(&edited, 6145) != NULL, "%s", ws_edited_printed(&edited));
    check_refused("file: gavel.trace, format: gavel, with: {throughputs: speed.json}", 6001,
                  "cannot read `speed.json`: no such file");
    check_refused("file: gavel.trace, format: gavel, with: {throughputs: /etc/passwd}", 7103,
                  "`throughputs` leaves the directory of the scenario");
}

/* 16 processors are 4 GPUs at 4 each; 6 are one and a half. */
Test(load_trace, processors)
{
    write_file("log.swf", "1 0 0 60 16 -1 -1 16 -1 -1 1 1 -1 -1 1 -1 -1 -1\n"
                          "2 9 0 60 6 -1 -1 6 -1 -1 1 1 -1 -1 1 -1 -1 -1\n");
    cr_assert(load_trace("file: log.swf, cores_per_gpu: 4, ceil_gpus: true"), "%s",
              ws_edited_printed(&edited));
    cr_expect(eq(int, recorded(0)->replicas_initial, 4));
    cr_expect(eq(int, recorded(1)->replicas_initial, 2));
    cr_expect_not(load_trace("file: log.swf, cores_per_gpu: 0"));
}

Test(load_trace, faults_point_at_the_key_in_the_scenario)
{
    check_refused("file: jobs.cvs", 6001, "cannot read `jobs.cvs`: no such file");
    cr_expect(ws_text_is(edited.diag.entries[0].help, "did you mean `jobs.csv`?"));
    check_refused("file: /etc/passwd", 7103, "`file` leaves the directory of the scenario");
    check_refused("file: \"http://example.org/jobs.csv\"", 7103, "`file` is a URL, not a path");
    check_refused("file: .", 6002, "`.` is a directory, not a regular file");
}

Test(load_trace, names_of_jobs_and_of_the_trace_differ)
{
    check_refused("file: jobs.csv, name: pretrain", 4102, "two jobs are named `pretrain`");
}

Test(load_trace, a_checkpoint_of_recorded_jobs)
{
    cr_assert(load_trace("file: jobs.csv, checkpoint: {every: 30m, size: 94GiB}"), "%s",
              ws_edited_printed(&edited));
    cr_expect(eq(i64, recorded(0)->kind->checkpoint.write.ns, 25252932864));
}

/* Arms that set other things share what was read. */
Test(load_trace, arms_of_their_own_replay_the_same_jobs)
{
    static const ws_edit edits[] = {
        {"workload:\n", "workload:\n  trace: {file: jobs.csv}\n"},
        {"    nodes: 12\n", "    nodes: 12\n    set: {scheduling.regrow: 5m}\n"},
        {"{external: pending_gpus, average_value: 8}]",
         "{external: pending_gpus, average_value: 8}]\n"
         "    set: {workload.trace.to: 1970-01-01T00:10:00}"},
    };
    ws_text text = ws_edited_apply(&edited, ws_edited_quickstart(&edited), edits, 3);

    cr_assert(ws_edited_load(&edited, text, NULL), "%s", ws_edited_printed(&edited));
    cr_expect(eq(sz, edited.loaded.arms[0].scenario->workload.recorded_count, 4));
    cr_expect(eq(sz, edited.loaded.arms[1].scenario->workload.recorded_count, 2));
    cr_expect(eq(sz, edited.loaded.scenario.workload.recorded_count, 4));
    cr_expect(eq(sz, edited.loaded.input_count, 2));
}

Test(load_trace, the_resolved_document_replays_the_same)
{
    cr_assert(load_trace("file: jobs.csv, from: 1970-01-01T00:00:50, elasticity: restart"), "%s",
              ws_edited_printed(&edited));
    const char *first = ws_dump(&edited.loaded, &edited.arena);
    ws_text printed = ws_document_print_yaml(edited.loaded.resolved, true, &edited.arena);

    cr_assert(ws_edited_load(&edited, printed, NULL), "%s", ws_edited_printed(&edited));
    cr_expect_str_eq(ws_dump(&edited.loaded, &edited.arena), first);
}

/* The first rows of a recorded cluster, where the shared data are there. */
Test(load_trace, a_recorded_cluster)
{
    char path[1000];
    char keys[1300];
    const char *root = NULL;
    ws_text folder = {.length = 0};

    if (ws_test_shared("data/philly/philly_pollux.head3000.csv", path, sizeof path) == NULL) {
        cr_skip_test();
    }
    folder = ws_path_folder(ws_text_of(path), &edited.arena);
    root = folder.start;
    (void)snprintf(keys, sizeof keys,
                   "workload:\n  trace: {file: \"%s\", types: [H100-SXM5-80GB]}\n", path);
    ws_edit edit = {"workload:\n", keys};
    ws_text text = ws_edited_apply(&edited, ws_edited_quickstart(&edited), &edit, 1);
    ws_load_options options = {.roots = {.roots = &root, .count = 1}};

    cr_expect_not(ws_edited_load(&edited, text, NULL)); /* outside of the folder */
    cr_expect(ne(ptr, (void *)ws_edited_found(&edited, 7103), NULL));
    cr_assert(ws_edited_load(&edited, text, &options), "%s", ws_edited_printed(&edited));
    cr_expect(gt(sz, edited.loaded.scenario.workload.recorded_count, 1000));
}
