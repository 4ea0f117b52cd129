/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Wires the layers of one run: calls go down, news goes up, and the kernel makes both happen. */
#include "ws/run.h"

#include "journal.h"
#include "outcome.h"
#include "recorder.h"
#include "watcher.h"
#include "ws/index_set.h"
#include "ws/workload.h"

/*
 * Checked builds look at every invariant after each of the first events of every run, and now and
 * then after them; all of them are looked at where `check` asks for it.
 */
#ifdef WS_CHECKED
#define RUN_CHECKED_FIRST UINT64_C(512)
#define RUN_CHECKED_EVERY UINT64_C(1024)
#else
#define RUN_CHECKED_FIRST UINT64_C(0)
#define RUN_CHECKED_EVERY UINT64_MAX
#endif

#define RUN_EVENTS_MAX UINT64_C(10000000000)

typedef struct {
    const ws_arm *arm;
    const ws_run_options *options;
    const ws_job_spec *specs;
    size_t job_count;
    ws_kernel *kernel;
    ws_channels *channels; /* NULL: nothing is transferred as a flow */
    ws_fleet *fleet;
    ws_jobs *jobs;
    ws_control *control;
    ws_recorder recorder;
    ws_watcher watcher;
    ws_journal journal;
    bool is_balanced;
} run_state;

/** Most transfers at once: each node pulls one image, each job that holds GPUs has one of its own.
 */
static uint32_t run_flow_capacity(const run_state *parts)
{
    const ws_scenario *scenario = parts->arm->scenario;
    size_t nodes = 0;
    size_t gpus = 0;

    if (!scenario->has_transfers) {
        return 0;
    }
    for (size_t i = 0; i < scenario->pool_count; i++) {
        nodes += (size_t)scenario->pools[i].nodes_max;
        gpus += (size_t)scenario->pools[i].nodes_max * (size_t)scenario->pools[i].gpus_per_node;
    }
    return (uint32_t)(nodes + (parts->job_count < gpus ? parts->job_count : gpus));
}

static size_t run_event_capacity(const run_state *parts)
{
    const ws_scenario *scenario = parts->arm->scenario;
    size_t channels = ws_sharing_event_capacity(run_flow_capacity(parts));

    return ws_fleet_event_capacity(scenario->pools, scenario->pool_count) +
           ws_jobs_event_capacity(parts->job_count) +
           ws_control_event_capacity(parts->arm->controller_count) + RECORDER_EVENT_CAPACITY +
           channels;
}

static bool run_build_channels(run_state *parts, ws_arena *scratch)
{
    const ws_scenario *scenario = parts->arm->scenario;

    if (!scenario->has_transfers) {
        return true;
    }
    parts->channels =
        ws_channels_new(scratch, parts->kernel, scenario->channels, run_flow_capacity(parts));
    return parts->channels != NULL;
}

static bool run_build_resources(run_state *parts, ws_arena *scratch)
{
    const ws_scenario *scenario = parts->arm->scenario;
    uint64_t replication = parts->options->replication;

    if (!ws_workload_draw(scenario, replication, scratch, &parts->specs, &parts->job_count)) {
        return false;
    }
    parts->kernel = ws_kernel_new(scratch, run_event_capacity(parts));
    if (parts->kernel == NULL || !run_build_channels(parts, scratch)) {
        return false;
    }
    parts->fleet =
        ws_fleet_new(scratch, parts->kernel,
                     &(ws_fleet_options){
                         .pools = scenario->pools,
                         .pool_count = scenario->pool_count,
                         .job_owner_count = parts->job_count,
                         .seed = scenario->seed,
                         .replication = replication,
                         .spread = scenario->spread,
                         .channels = parts->channels,
                         .fabric = scenario->network != NULL ? &scenario->network->fabric : NULL});
    return parts->fleet != NULL;
}

static bool run_build_users(run_state *parts, ws_arena *scratch)
{
    const ws_scenario *scenario = parts->arm->scenario;
    uint64_t replication = parts->options->replication;

    parts->jobs = ws_jobs_new(scratch, parts->kernel, parts->fleet,
                              &(ws_jobs_options){.jobs = parts->specs,
                                                 .job_count = parts->job_count,
                                                 .seed = scenario->seed,
                                                 .replication = replication,
                                                 .channels = parts->channels,
                                                 .network = scenario->network,
                                                 .measured_from = {.ns = scenario->warmup.ns}});
    if (parts->jobs == NULL) {
        return false;
    }
    parts->control =
        ws_control_new(scratch, parts->kernel, parts->fleet, parts->jobs,
                       &(ws_control_options){.controllers = parts->arm->controllers,
                                             .controller_count = parts->arm->controller_count,
                                             .monitoring = scenario->monitoring,
                                             .has_objective = scenario->objective.given,
                                             .objective_job = scenario->objective.of,
                                             .value_of_time = scenario->objective.value_of_time,
                                             .deadline = scenario->objective.deadline,
                                             .arbiter = scenario->arbiter,
                                             .regrow = scenario->regrow,
                                             .leave_draining = scenario->leave_draining,
                                             .seed = scenario->seed,
                                             .replication = replication});
    return parts->control != NULL;
}

static size_t run_find_main(const run_state *parts)
{
    for (size_t job = 0; job < parts->job_count; job++) {
        if (parts->specs[job].kind->main_job) {
            return job;
        }
    }
    return WS_INDEX_NONE;
}

static bool run_build_recorder(run_state *parts, ws_arena *keep, ws_arena *scratch)
{
    recorder_subject subject = {.arm = parts->arm,
                                .options = parts->options,
                                .kernel = parts->kernel,
                                .fleet = parts->fleet,
                                .jobs = parts->jobs,
                                .control = parts->control,
                                .main_job = run_find_main(parts),
                                .demand_job = ws_outcome_find_job(parts->specs, parts->job_count)};

    return ws_recorder_init(&parts->recorder, &subject, keep, scratch);
}

static void run_decided(void *context, const ws_decision *decision)
{
    run_state *parts = context;

    if (parts->options->with_events) {
        ws_journal_note_decision(&parts->journal, decision);
    }
    if (parts->options->decided != NULL) {
        parts->options->decided(parts->options->decided_context, decision);
    }
}

/** Journal and watcher, for those who want them. */
static bool run_build_witnesses(run_state *parts, ws_arena *keep, ws_arena *scratch)
{
    const ws_run_options *options = parts->options;

    parts->watcher = (ws_watcher){.watch = options->watch,
                                  .journal = options->with_events ? &parts->journal : NULL,
                                  .parts = {.kernel = parts->kernel,
                                            .fleet = parts->fleet,
                                            .ledger = ws_fleet_ledger(parts->fleet),
                                            .jobs = parts->jobs,
                                            .control = parts->control}};
    ws_watcher_begin(&parts->watcher, parts->control);
    ws_control_listen(parts->control,
                      &(ws_control_listener){.context = parts, .decided = run_decided});
    return !options->with_events ||
           ws_journal_init(&parts->journal, parts->arm, &parts->watcher.parts, options->replication,
                           keep, scratch);
}

static bool run_invariants_hold(const run_state *parts)
{
    return ws_fleet_is_balanced(parts->fleet) && ws_jobs_are_consistent(parts->jobs) &&
           ws_jobs_shares_are_balanced(parts->jobs) &&
           (parts->channels == NULL ||
            ws_sharing_is_balanced(ws_channels_sharing(parts->channels)));
}

static bool run_is_time_to_check(const run_state *parts)
{
    uint64_t event = ws_kernel_event_count(parts->kernel);

    return parts->options->check || event <= RUN_CHECKED_FIRST || event % RUN_CHECKED_EVERY == 0;
}

/** After every event: the recorder looks, and in checked runs every invariant is tested. */
static bool run_after_event(void *context)
{
    run_state *parts = context;

    ws_recorder_observe(&parts->recorder);
    ws_watcher_event_done(&parts->watcher);
    if (run_is_time_to_check(parts)) {
        parts->is_balanced = run_invariants_hold(parts);
    }
    return parts->is_balanced;
}

static bool run_report_bug(const run_state *parts, ws_diag *diag)
{
    const ws_scenario *scenario = parts->arm->scenario;
    ws_text message = ws_arena_format(
        diag->arena,
        "the ledger does not balance: policy `%.*s`, seed %llu, replication %llu, event %llu",
        WS_TEXT_ARGS(parts->arm->name), (unsigned long long)scenario->seed,
        (unsigned long long)parts->options->replication,
        (unsigned long long)ws_kernel_event_count(parts->kernel));

    ws_diag_add(diag,
                &(ws_diagnostic){.severity = WS_SEVERITY_BUG, .code = 7000, .message = message});
    return false;
}

static bool run_report_memory(ws_diag *diag)
{
    return ws_diag_error(diag, 9030, ws_span_none, "out of memory while running");
}

static bool run_simulate(run_state *parts, ws_diag *diag)
{
    const ws_run_options *options = parts->options;
    uint64_t events_max = options->events_max == 0 ? RUN_EVENTS_MAX : options->events_max;

    parts->is_balanced = true;
    ws_fleet_begin(parts->fleet);
    ws_jobs_begin(parts->jobs);
    ws_control_begin(parts->control);
    ws_recorder_begin(&parts->recorder);
    ws_kernel_set_check(parts->kernel, run_after_event, parts);
    ws_kernel_outcome outcome =
        ws_kernel_run(parts->kernel, parts->arm->scenario->horizon, events_max);
    if (!parts->is_balanced || !run_invariants_hold(parts)) {
        return run_report_bug(parts, diag);
    }
    if (outcome == WS_KERNEL_LIMIT) {
        return ws_diag_error(
            diag, 9023, ws_span_none, "policy `%.*s`, replication %llu: stopped after %llu events",
            WS_TEXT_ARGS(parts->arm->name), (unsigned long long)options->replication,
            (unsigned long long)events_max);
    }
    return true;
}

bool ws_run(ws_run_result *result, const ws_arm *arm, const ws_run_options *options, ws_arena *keep,
            ws_arena *scratch, ws_diag *diag)
{
    run_state *parts = ws_arena_alloc(scratch, run_state, 1);

    WS_ASSERT(arm->scenario->horizon.ns > 0);
    if (parts == NULL) {
        return run_report_memory(diag);
    }
    *parts = (run_state){.arm = arm, .options = options};
    if (!run_build_resources(parts, scratch) || !run_build_users(parts, scratch) ||
        !run_build_recorder(parts, keep, scratch) || !run_build_witnesses(parts, keep, scratch)) {
        return run_report_memory(diag);
    }
    if (!run_simulate(parts, diag)) {
        return false;
    }
    *result = (ws_run_result){.job_count = 0};
    if (options->with_events && !ws_journal_finish(&parts->journal, &result->events)) {
        return run_report_memory(diag);
    }
    return ws_recorder_finish(&parts->recorder, result, true, keep, scratch) ||
           run_report_memory(diag);
}
