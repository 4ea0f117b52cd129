/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The first workload of the Pollux artifact, read with its measured profiles and replayed on its
 * cluster: 16 nodes of 4 GPUs, first come first served, sizes as they were tuned. Numbers by hand
 * are products of numbers in the files, which are quoted. The study of pollux-replay.yaml, which
 * lets policies change sizes and buy nodes on that cluster, is run as it is.
 */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/support.h"
#include "ws/load.h"
#include "ws/run.h"

static const char scenario[] = "schema: worldsize.scenario/v1\n"
                               "name: replay\n"
                               "seed: 1\n"
                               "replications: 2\n"
                               "horizon: 60h\n"
                               "cluster:\n"
                               "  pools:\n"
                               "    - name: gpus\n"
                               "      gpu: {type: T4, per_node: 4}\n"
                               "      nodes: {initial: 16, min: 16, max: 16}\n"
                               "      price: {per_gpu: $0.53/h}\n"
                               "scheduling: {arbiter: fifo, placement: pack}\n"
                               "workload:\n"
                               "  trace:\n"
                               "    file: %s/data/pollux/workload-1.csv\n"
                               "    format: pollux\n"
                               "    profiles: %s/data/pollux/profiles\n"
                               "%s"
                               "policies:\n"
                               "  - {name: fixed, type: fixed, target: {pool: gpus}, nodes: 16}\n"
                               "compare: {baseline: fixed, metrics: [jct_mean_s]}\n";

typedef struct {
    ws_arena arena;
    ws_diag diag;
    ws_loaded loaded;
} replay;

/* False when the data are absent. */
static bool replay_load(replay *self, const char *more)
{
    char shared[2000];
    char folder[2000];

    if (ws_test_shared("data/pollux/workload-1.csv", shared, sizeof shared) == NULL) {
        return false;
    }
    *strstr(shared, "/data/pollux") = '\0';
    memset(self, 0, sizeof *self);
    ws_arena_init(&self->arena, &ws_allocator_default, (size_t)1 << 28);
    ws_diag_init(&self->diag, &self->arena);
    const char *root = shared;
    ws_text path = ws_arena_format(&self->arena, "%s/scenario.yaml",
                                   ws_test_scratch("pollux-replay", folder, sizeof folder));
    ws_text content = ws_arena_format(&self->arena, scenario, shared, shared, more);
    ws_load_options options = {
        .path = path.start, .content = content, .roots = {.roots = &root, .count = 1}};
    bool loaded = ws_scenario_load(&self->loaded, &options, &self->arena, &self->diag);

    cr_assert(loaded, "%s",
              self->diag.count > 0
                  ? ws_diagnostic_print(&self->diag.entries[0], false, &self->arena).start
                  : "");
    return true;
}

static const ws_job_spec *replay_job(const replay *self, const char *name)
{
    const ws_workload *workload = &self->loaded.scenario.workload;

    for (size_t i = 0; i < workload->recorded_count; i++) {
        if (ws_text_is(workload->recorded[i].name, name)) {
            return &workload->recorded[i];
        }
    }
    cr_assert(false, "no job %s", name);
    return NULL;
}

/* Seconds that a job takes on so many nodes, with nothing else to do. */
static double job_alone_s(const ws_job_spec *job, int32_t replicas, int32_t nodes)
{
    ws_world world = {.replicas = replicas,
                      .gpus_per_replica = 1,
                      .nodes = nodes,
                      .leaves = 1,
                      .pods = 1,
                      .fabric_share = 1,
                      .speed = 1};

    return job->stages[0].work / ws_step_pace(&job->stages[0].step, &world).work_per_s;
}

/*
 * ncf-2: 1 GPU, batch 32768. validation-32768.csv ends at iteration 1548;
 *   placements.csv: 1,32768,0.02131553226047092
 * yolov3-31: 4 GPUs, batch 64, 16 samples each. validation-64.csv ends at 14577;
 *   placements.csv: 4,16,0.7603336274623871
 * bert-152: 8 GPUs on two full nodes, batch 384, 48 samples each, and 12 are the most that were
 * measured: 3 micro-batches without communication and a fourth with it. validation-384.csv ends at
 * 480; placements.csv: 1,12,0.9215156733989716 and 44,12,2.538950562477112
 */
Test(pollux_replay, three_jobs_by_hand)
{
    replay self;

    if (!replay_load(&self, "")) {
        cr_skip_test();
    }
    cr_expect(eq(sz, self.loaded.scenario.workload.recorded_count, 160));
    const ws_job_spec *ncf = replay_job(&self, "ncf-2");
    cr_expect(eq(dbl, ncf->stages[0].work, 1548.0 * 32768));
    cr_expect(epsilon_eq(dbl, job_alone_s(ncf, 1, 1), 1548 * 0.02131553226047092, 1e-9));

    const ws_job_spec *yolo = replay_job(&self, "yolov3-31");
    cr_expect(eq(i32, yolo->replicas_initial, 4));
    cr_expect(eq(i64, yolo->submit.ns, 6357 * WS_NS_PER_S));
    cr_expect(epsilon_eq(dbl, job_alone_s(yolo, 4, 1), 14577 * 0.7603336274623871, 1e-7));

    const ws_job_spec *bert = replay_job(&self, "bert-152");
    double step_s = 3 * 0.9215156733989716 + 2.538950562477112;
    cr_expect(epsilon_eq(dbl, job_alone_s(bert, 8, 2), 480 * step_s, 1e-9));
    ws_world world = {.replicas = 8,
                      .gpus_per_replica = 1,
                      .nodes = 2,
                      .leaves = 1,
                      .pods = 1,
                      .fabric_share = 1,
                      .speed = 1};
    cr_expect(epsilon_eq(dbl, ws_step_pace(&bert->stages[0].step, &world).communication,
                         (2.538950562477112 - 0.9215156733989716) / step_s, 1e-12));
    ws_arena_reset(&self.arena);
}

/*
 * cifar10-4 has batch 4096: on 5 GPUs of 2 nodes 819.2 samples each, between the measured 725 and
 * 1024, and the placements of 5 GPUs on 2 nodes are 14 and 23.
 *   14,725,0.6040170192718506   14,1024,0.8372068107128143
 *   23,725,0.596840786933899    23,1024,0.8363441526889801
 * imagenet-126 has batch 3200: on 12 GPUs of 5 nodes 266.7 each are two micro-batches of 133.3;
 * nothing was measured on 5 nodes, so its step lies between those of 4 and of 6.
 */
Test(pollux_replay, in_between)
{
    replay self;

    if (!replay_load(&self, "    elasticity: {mode: restart, min: 25%, max: 200%}\n")) {
        cr_skip_test();
    }
    const ws_job_spec *cifar = replay_job(&self, "cifar10-4");
    double low = (0.6040170192718506 + 0.596840786933899) / 2;
    double high = (0.8372068107128143 + 0.8363441526889801) / 2;
    double step_s = low + (819.2 - 725) / (1024 - 725) * (high - low);
    cr_expect(epsilon_eq(dbl, job_alone_s(cifar, 5, 2), 2011 * step_s, 1e-8));

    const ws_job_spec *imagenet = replay_job(&self, "imagenet-126");
    double four = job_alone_s(imagenet, 12, 4);
    double five = job_alone_s(imagenet, 12, 5);
    double six = job_alone_s(imagenet, 12, 6);
    cr_expect(epsilon_eq(dbl, five, (four + six) / 2, 1e-6 * five));
    cr_expect(ne(dbl, four, six));
    ws_arena_reset(&self.arena);
}

/* 25% to 200% of 16 GPUs; a batch that leaves each of them a sample. */
Test(pollux_replay, sizes_follow_the_elasticity)
{
    replay self;

    if (!replay_load(&self, "    elasticity: {mode: restart, min: 25%, max: 800%}\n")) {
        cr_skip_test();
    }
    const ws_job_spec *cifar = replay_job(&self, "cifar10-4");
    cr_expect(eq(i32, cifar->replicas_min, 4));
    cr_expect(eq(i32, cifar->replicas_max, 128));
    ws_arena_reset(&self.arena);
}

/* The fewest seconds on any number of nodes that can hold the job. */
static double job_least_s(const ws_job_spec *job)
{
    int32_t gpus = job->replicas_initial;
    double least = (double)INFINITY;

    for (int32_t nodes = (gpus + 3) / 4; nodes <= gpus && nodes <= 16; nodes++) {
        least = fmin(least, job_alone_s(job, gpus, nodes));
    }
    return least;
}

/*
 * Nobody is faster than alone on the best placement of its size; whoever needs one GPU takes
 * exactly as long as alone once it has begun. Arrivals are served in order.
 */
Test(pollux_replay, no_job_is_faster_than_alone)
{
    replay self;
    ws_arena scratch;
    ws_run_result result;
    double started_s = 0;

    if (!replay_load(&self, "")) {
        cr_skip_test();
    }
    ws_arena_init(&scratch, &ws_allocator_default, (size_t)1 << 30);
    cr_assert(ws_run(&result, &self.loaded.arms[0],
                     &(ws_run_options){.with_jobs = true, .check = true}, &self.arena, &scratch,
                     &self.diag));
    cr_assert(eq(sz, result.job_count, 160));
    for (size_t i = 0; i < result.job_count; i++) {
        const ws_job_record *job = &result.jobs[i];
        const ws_job_spec *spec = &self.loaded.scenario.workload.recorded[i];

        cr_expect(eq(int, job->state, WS_JOB_OUTCOME_DONE), "%s", job->name.start);
        cr_expect(job->run_s >= job_least_s(spec) - 1e-6, "%s", job->name.start);
        cr_expect(job->jct_s >= job->run_s);
        cr_expect(job->first_start_s >= started_s);
        started_s = job->first_start_s;
        if (spec->replicas_initial == 1) {
            cr_expect(epsilon_eq(dbl, job->run_s, 1548 * 0.02131553226047092, 1e-6));
        }
    }
    ws_arena_reset(&scratch);
    ws_arena_reset(&self.arena);
}

/* ---- the study: pollux-replay.yaml, all its policies ---- */

/* The file as it is; its recording is looked for in the shared folder. False when that is absent.
 */
static bool study_load(replay *self)
{
    char shared[2000];
    char path[2000];

    if (ws_test_shared("data/pollux/workload-1.csv", shared, sizeof shared) == NULL) {
        return false;
    }
    *strstr(shared, "/data/pollux") = '\0';
    const char *root = shared;
    (void)snprintf(path, sizeof path, "%s/tests/end_to_end/pollux-replay.yaml",
                   ws_test_source_folder());
    memset(self, 0, sizeof *self);
    ws_arena_init(&self->arena, &ws_allocator_default, (size_t)1 << 28);
    ws_diag_init(&self->diag, &self->arena);
    ws_override places[] = {
        {.text = ws_arena_format(&self->arena, "workload.trace.file=%s/data/pollux/workload-1.csv",
                                 shared),
         .label = WS_TEXT("<file>")},
        {.text = ws_arena_format(&self->arena, "workload.trace.profiles=%s/data/pollux/profiles",
                                 shared),
         .label = WS_TEXT("<profiles>")},
    };
    ws_load_options options = {.path = path,
                               .overrides = places,
                               .override_count = WS_COUNT_OF(places),
                               .roots = {.roots = &root, .count = 1}};
    bool loaded = ws_scenario_load(&self->loaded, &options, &self->arena, &self->diag);

    cr_assert(loaded, "%s",
              self->diag.count > 0
                  ? ws_diagnostic_print(&self->diag.entries[0], false, &self->arena).start
                  : "");
    return true;
}

/* One policy in one world, with every check after every event. */
static ws_run_record study_run(replay *self, const char *name, uint64_t replication)
{
    ws_run_result result;
    ws_arena scratch;
    size_t arm = 0;

    while (!ws_text_is(self->loaded.arms[arm].name, name)) {
        arm++;
        cr_assert(lt(sz, arm, self->loaded.arm_count), "no policy %s", name);
    }
    ws_arena_init(&scratch, &ws_allocator_default, (size_t)1 << 30);
    cr_assert(ws_run(&result, &self->loaded.arms[arm],
                     &(ws_run_options){.replication = replication, .check = true}, &self->arena,
                     &scratch, &self->diag));
    ws_run_record run = result.run;
    ws_arena_reset(&scratch);
    return run;
}

/*
 * 16 nodes of 4 GPUs at $0.53/h, up to as many at $0.16/h: what each policy can hold at most, and
 * the least and the most that an hour of its GPUs can cost.
 */
Test(pollux_replay, every_policy_of_the_study_keeps_to_its_means)
{
    static const struct {
        const char *policy;
        double gpus_most;
        double price_least;
        double price_most;
    } means[] = {
        {"fixed", 64, 0.53, 0.53},        {"fixed-both", 128, 0.16, 0.53},
        {"hpa", 32 + 64, 0.16, 0.53},     {"predictive", 32 + 64, 0.16, 0.53},
        {"stage-aware", 128, 0.16, 0.53},
    };
    replay self;

    if (!study_load(&self)) {
        cr_skip_test();
    }
    cr_expect(eq(sz, self.loaded.arm_count, WS_COUNT_OF(means)));
    cr_expect(eq(i64, self.loaded.scenario.replications, 10));
    for (size_t i = 0; i < WS_COUNT_OF(means); i++) {
        ws_run_record run = study_run(&self, means[i].policy, 0);
        double price = ws_money_units(run.cost) / ws_gpu_time_h(run.paid);
        ws_gpu_time booked = ws_accounts_sum(&run.accounts);

        cr_expect(eq(i64, run.jobs_submitted, 160), "%s", means[i].policy);
        cr_expect(ge(i64, run.jobs_done, 155), "%s", means[i].policy);
        cr_expect(run.gpus_peak <= means[i].gpus_most, "%s: %g", means[i].policy, run.gpus_peak);
        cr_expect(price >= means[i].price_least - 1e-9, "%s: %g", means[i].policy, price);
        cr_expect(price <= means[i].price_most + 1e-9, "%s: %g", means[i].policy, price);
        cr_expect(booked.gpu_ns == run.paid.gpu_ns, "%s", means[i].policy);
    }
    ws_arena_reset(&self.arena);
}

/*
 * `predictive` wants the nodes that demand asks for now, or more; `hpa` wants those. So over the
 * worlds jobs wait less with the one, and it costs more. Both cost less than 128 GPUs that are
 * always there, and make jobs wait less than 64 do.
 */
Test(pollux_replay, a_forecast_waits_less_and_pays_more)
{
    enum { FIXED, FIXED_BOTH, HPA, PREDICTIVE, POLICIES };
    static const char *const names[POLICIES] = {"fixed", "fixed-both", "hpa", "predictive"};
    double wait_s[POLICIES] = {0};
    double cost[POLICIES] = {0};
    replay self;

    if (!study_load(&self)) {
        cr_skip_test();
    }
    for (uint64_t replication = 0; replication < 4; replication++) {
        for (size_t i = 0; i < POLICIES; i++) {
            ws_run_record run = study_run(&self, names[i], replication);
            wait_s[i] += run.wait_mean_s;
            cost[i] += ws_money_units(run.cost);
        }
    }
    cr_expect(wait_s[PREDICTIVE] < wait_s[HPA]);
    cr_expect(wait_s[HPA] < wait_s[FIXED]);
    cr_expect(cost[PREDICTIVE] > cost[HPA]);
    cr_expect(cost[PREDICTIVE] < cost[FIXED_BOTH]);
    ws_arena_reset(&self.arena);
}
