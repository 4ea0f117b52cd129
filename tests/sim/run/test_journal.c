/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which events a run leaves, in which order: each course is worked out by hand. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "worlds/small_world.h"

#define S(seconds) ((ws_duration){.ns = (seconds)*WS_NS_PER_S})

/* "10 scale job 4>8 asked 8 `as ordered`": what a reader of the events would note down. */
static void journal_print(const ws_event_record *record, ws_writer *out)
{
    ws_text subject = record->job.length > 0 ? record->job : record->pool;

    ws_csv_f64(out, ws_time_s(record->at));
    out->row_started = false;
    ws_write_format(out, " %s %.*s", ws_event_kinds[record->kind].name, WS_TEXT_ARGS(subject));
    if (record->kind >= WS_EVENT_NODE_REQUEST && record->kind <= WS_EVENT_NODE_RELEASE) {
        ws_write_format(out, " %d", (int)record->node);
    }
    if (record->from != 0 || record->to != 0) {
        ws_write_format(out, " %d>%d", (int)record->from, (int)record->to);
    }
    if (record->asked != 0) {
        ws_write_format(out, " asked %d%s", (int)record->asked, record->clamped ? " clamped" : "");
    }
    if (record->gpus != 0 && record->kind != WS_EVENT_JOB_RESIZE) {
        ws_write_format(out, " x%d", (int)record->gpus);
    }
    if (record->stage.length + record->reason.length > 0) {
        ws_write_format(out, " `%.*s%.*s`", WS_TEXT_ARGS(record->stage),
                        WS_TEXT_ARGS(record->reason));
    }
    if (record->step.length > 0) {
        ws_write_format(out, " (%.*s)", WS_TEXT_ARGS(record->step));
    }
    ws_write_string(out, "\n");
}

static void expect_events(small_world *world, const char *expected)
{
    ws_arena keep;
    ws_writer out;
    int64_t count = 0;

    world->options.with_events = true;
    ws_run_result result = small_world_run(world, &keep);
    ws_writer_init_memory(&out, &keep);
    for (const ws_event_block *block = result.events.first; block != NULL; block = block->next) {
        for (size_t i = 0; i < block->count; i++) {
            journal_print(&block->records[i], &out);
            count++;
        }
    }
    cr_expect(eq(i64, result.events.count, count));
    cr_expect(ws_text_is(result.events.policy, "arm"));
    cr_expect_str_eq(ws_writer_text(&out).start, expected);
    ws_arena_reset(&keep);
}

static void fail_every(small_world *world, double seconds)
{
    world->pool.failures = (ws_node_failures){
        .present = true,
        .time_to_failure = ws_distribution_constant(seconds),
        .repair = ws_distribution_constant(0),
    };
}

/* Work 100 on 4 workers, 8 wanted at 10, 2 to read: 40 done by 10, 60 / 8 = 7.5 from 12 on. */
Test(journal, planned_growth)
{
    small_world world;
    small_order order = {.at = {.ns = 10 * WS_NS_PER_S}, .replicas = 8};

    small_world_init(&world, 8, 100);
    world.job.replicas_initial = 4;
    world.job.kind.gpus_per_replica = 1;
    world.job.kind.has_checkpoint = true;
    world.job.kind.checkpoint =
        (ws_checkpoint_spec){.every = S(1000), .read = S(2), .before_resize = true};
    small_world_order(&world, &order, false);
    expect_events(&world, "0 job_submit job x4\n"
                          "0 job_start job x4\n"
                          "0 job_run job x4\n"
                          "10 scale job 4>8 asked 8 `as ordered`\n"
                          "10 job_resize job 4>8\n"
                          "12 job_run job x8\n"
                          "19.5 job_end job\n");
}

/* As above with 32 samples for each worker, 12 at once, and a root rule from 64 on: 8 workers make
 * steps of 256 samples, each in 3 micro-batches, at twice the learning rate. */
Test(journal, a_resize_says_what_becomes_of_a_step)
{
    small_world world;
    small_order order = {.at = {.ns = 10 * WS_NS_PER_S}, .replicas = 8};

    small_world_init(&world, 8, 100);
    world.job.replicas_initial = 4;
    world.job.kind.gpus_per_replica = 1;
    world.job.kind.has_checkpoint = true;
    world.job.kind.checkpoint =
        (ws_checkpoint_spec){.every = S(1000), .read = S(2), .before_resize = true};
    world.stage.spec.batch = (ws_batch){.replica_batch = 32, .micro_batch = 12};
    world.stage.spec.efficiency.base_batch = 64;
    world.stage.spec.learning_rate = WS_LEARNING_RATE_SQRT;
    small_world_order(&world, &order, false);
    expect_events(&world, "0 job_submit job x4\n"
                          "0 job_start job x4\n"
                          "0 job_run job x4\n"
                          "10 scale job 4>8 asked 8 `as ordered`\n"
                          "10 job_resize job 4>8 (steps of 256 samples, 32 of a replica in 3 "
                          "micro-batches; learning rate x 2)\n"
                          "12 job_run job x8\n"
                          "19.5 job_end job\n");
}

/* A failure at 95, seen after 3 and repaired at once; the last write was at 90, 5 to read: from 103
 * on the other 30, until 133. The next failure would be at 190. */
Test(journal, failure)
{
    small_world world;

    small_world_init(&world, 1, 120);
    fail_every(&world, 95);
    world.pool.failures.crash_detection = S(3);
    world.scenario.horizon.ns = 150 * WS_NS_PER_S;
    world.job.kind.has_checkpoint = true;
    world.job.kind.checkpoint = (ws_checkpoint_spec){.every = S(30), .read = S(5)};
    expect_events(&world, "0 job_submit job x1\n"
                          "0 job_start job x1\n"
                          "0 job_run job x1\n"
                          "95 node_fail pool 0 `drawn`\n"
                          "95 job_fail job\n"
                          "95 node_ready pool 0\n"
                          "98 job_stop job `failure`\n"
                          "98 job_start job x1\n"
                          "103 job_run job x1\n"
                          "133 job_end job\n");
}

/* 9 nodes are wanted of a pool that may have 4: three are asked for and are there after 5 + 2. */
Test(journal, nodes_that_come)
{
    small_world world;
    small_order order = {.at = {.ns = 10 * WS_NS_PER_S}, .replicas = 9};

    small_world_init(&world, 4, 50);
    world.pool.nodes_initial = 1;
    world.pool.start.request = ws_distribution_constant(5);
    world.pool.start.join = ws_distribution_constant(2);
    small_world_order(&world, &order, true);
    expect_events(&world, "0 job_submit job x1\n"
                          "0 job_start job x1\n"
                          "0 job_run job x1\n"
                          "10 scale pool 1>4 asked 9 clamped `as ordered`\n"
                          "10 node_request pool 1\n"
                          "10 node_request pool 2\n"
                          "10 node_request pool 3\n"
                          "17 node_ready pool 1\n"
                          "17 node_ready pool 2\n"
                          "17 node_ready pool 3\n"
                          "50 job_end job\n");
}

/* The answer is always no, 5 after the request; the next request goes out 60 later. */
Test(journal, nodes_that_do_not_come)
{
    small_world world;
    small_order order = {.at = {.ns = 10 * WS_NS_PER_S}, .replicas = 2};

    small_world_init(&world, 2, 50);
    world.pool.nodes_initial = 1;
    world.pool.start.request = ws_distribution_constant(5);
    world.pool.start.fail_probability = 1;
    world.scenario.horizon.ns = 100 * WS_NS_PER_S;
    small_world_order(&world, &order, true);
    expect_events(&world, "0 job_submit job x1\n"
                          "0 job_start job x1\n"
                          "0 job_run job x1\n"
                          "10 scale pool 1>2 asked 2 `as ordered`\n"
                          "10 node_request pool 1\n"
                          "15 node_refused pool 1\n"
                          "50 job_end job\n"
                          "80 node_refused pool 1\n");
}

/* A job holds all three nodes until 100; two of them are to go from 20 on, the highest first, and
 * leave when it is done, the lowest first. A fourth, idle one goes at once. */
Test(journal, nodes_that_go)
{
    small_world world;
    small_order order = {.at = {.ns = 20 * WS_NS_PER_S}, .replicas = 1};

    small_world_init(&world, 4, 300);
    world.job.replicas_initial = 3;
    world.job.replicas_max = 3;
    small_world_order(&world, &order, true);
    expect_events(&world, "0 job_submit job x3\n"
                          "0 job_start job x3\n"
                          "0 job_run job x3\n"
                          "20 scale pool 4>1 asked 1 `as ordered`\n"
                          "20 node_release pool 3\n"
                          "20 node_drain pool 2 `unwanted`\n"
                          "20 node_drain pool 1 `unwanted`\n"
                          "100 node_release pool 1\n"
                          "100 node_release pool 2\n"
                          "100 job_end job\n");
}

/* Two stages of 30 and 20; the last one ends with the job. */
Test(journal, stages)
{
    small_world world;
    ws_stage_template stages[2];

    small_world_init(&world, 1, 30);
    stages[0] = world.stage;
    stages[0].spec.name = WS_TEXT("first");
    stages[1] = world.stage;
    stages[1].spec.name = WS_TEXT("second");
    stages[1].spec.work = 20;
    world.job.stages = stages;
    world.job.stage_count = 2;
    expect_events(&world, "0 job_submit job x1\n"
                          "0 job_start job x1\n"
                          "0 job_run job x1\n"
                          "30 stage_done job `first`\n"
                          "50 job_end job\n");
}

/* A job of 100 gives way at 10 to one of 20 that comes first, and begins again from nothing. */
Test(journal, preemption)
{
    small_world world;
    ws_job_template jobs[2];

    small_world_init(&world, 1, 100);
    jobs[0] = world.job;
    jobs[1] = world.job;
    ws_stage_template small = world.stage;
    small.spec.work = 20;
    jobs[1].kind.name = WS_TEXT("urgent");
    jobs[1].kind.priority = 1;
    jobs[1].kind.main_job = false;
    jobs[1].stages = &small;
    jobs[1].arrivals.at.ns = 10 * WS_NS_PER_S;
    world.scenario.workload = (ws_workload){.templates = jobs, .template_count = 2};
    world.scenario.arbiter = &ws_arbiter_priority;
    expect_events(&world, "0 job_submit job x1\n"
                          "0 job_start job x1\n"
                          "0 job_run job x1\n"
                          "10 job_submit urgent x1\n"
                          "10 job_stop job `preemption`\n"
                          "10 job_start urgent x1\n"
                          "10 job_run urgent x1\n"
                          "30 job_end urgent\n"
                          "30 job_start job x1\n"
                          "30 job_run job x1\n"
                          "130 job_end job\n");
}

/* Nobody asked for them. */
Test(journal, none)
{
    small_world world;
    ws_arena keep;

    small_world_init(&world, 1, 10);
    ws_run_result result = small_world_run(&world, &keep);
    cr_expect(result.events.first == NULL);
    cr_expect(eq(i64, result.events.count, 0));
    ws_arena_reset(&keep);
}

/* A node fails every second and is back at once: two events a second, after the three of a job that
 * is done at 0.5 with a fourth. 499,998 seconds fill the million; of the 600,000 s, 100,002 seconds
 * with two events each are counted alone, the first of them at 499,999 s. */
Test(journal, more_than_are_kept)
{
    small_world world;
    ws_arena keep;
    const ws_event_block *block = NULL;

    small_world_init(&world, 1, 0.5);
    fail_every(&world, 1);
    world.scenario.horizon.ns = 600000 * WS_NS_PER_S;
    world.options.check = false;
    world.options.with_events = true;
    ws_run_result result = small_world_run(&world, &keep);
    for (block = result.events.first; block->next != NULL;) {
        block = block->next;
    }
    const ws_event_record *last = &block->records[block->count - 1];
    cr_expect(eq(i64, result.events.count, 1000001));
    cr_expect(eq(int, (int)last->kind, (int)WS_EVENT_TRUNCATED));
    cr_expect(eq(i64, last->dropped, 200004));
    cr_expect(eq(i64, last->at.ns, 499999 * WS_NS_PER_S));
    ws_arena_reset(&keep);
}
