/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "recorder.h"

#include <math.h>

#include "ws/index_set.h"
#include "ws/statistics.h"

#include "outcome.h"

/** A value that there is none of. */
#define MISSING ((double)NAN)

void ws_recorder_observe(ws_recorder *recorder)
{
    WS_ASSERT(recorder->subject.kernel != NULL);

    const ws_fleet *fleet = recorder->subject.fleet;
    int64_t paid = 0;

    ws_gauges_observe(&recorder->gauges);
    for (size_t pool = 0; pool < ws_fleet_pool_count(fleet); pool++) {
        paid += ws_fleet_pool_counts(fleet, pool).gpus_paid;
    }
    recorder->gpus_peak = paid > recorder->gpus_peak ? paid : recorder->gpus_peak;
}

/* ---- totals ---- */

static double recorder_samples(const ws_recorder *recorder)
{
    const ws_jobs *jobs = recorder->subject.jobs;
    double samples = 0;

    for (size_t job = 0; job < ws_jobs_submitted_count(jobs); job++) {
        const ws_job_spec *spec = ws_jobs_spec(jobs, job);
        if (spec->stages[0].unit == WS_WORK_SAMPLES) {
            samples += ws_jobs_history(jobs, job).work_done;
        }
    }
    return samples;
}

/** Of a storage that is paid for by its size, and of the checkpoints that jobs kept. */
static ws_money recorder_storage_cost(const recorder_subject *subject)
{
    ws_duration span = {.ns = ws_kernel_now(subject->kernel).ns};
    ws_price price = subject->arm->scenario->storage_price;
    ws_money cost = ws_money_of_cost(ws_cost_integral_of(price, span));

    for (size_t job = 0; job < ws_jobs_submitted_count(subject->jobs); job++) {
        cost = ws_money_add(cost, ws_jobs_storage_cost(subject->jobs, job));
    }
    return cost;
}

static recorder_totals recorder_total(const ws_recorder *recorder)
{
    const recorder_subject *subject = &recorder->subject;
    ws_time now = ws_kernel_now(subject->kernel);
    recorder_totals totals = {
        .accounts = ws_ledger_total(ws_fleet_ledger(subject->fleet), now),
        .unbilled = ws_fleet_unbilled(subject->fleet),
        .storage_cost = recorder_storage_cost(subject),
        .samples = recorder_samples(recorder),
        .control = ws_control_totals(subject->control),
        .fleet = ws_fleet_totals(subject->fleet),
    };

    for (size_t pool = 0; pool < ws_fleet_pool_count(subject->fleet); pool++) {
        totals.compute_cost =
            ws_money_add(totals.compute_cost, ws_fleet_cost(subject->fleet, pool));
    }
    return totals;
}

static void recorder_warmed_up(void *context, uint64_t unused)
{
    ws_recorder *recorder = context;

    (void)unused;
    recorder->at_warmup = recorder_total(recorder);
}

/** Nothing happens at the horizon, but the run lasts until then: fleets are paid for when nobody
 * works. */
static void recorder_horizon(void *context, uint64_t unused)
{
    (void)context;
    (void)unused;
}

/* ---- creation ---- */

bool ws_recorder_init(ws_recorder *recorder, const recorder_subject *subject, ws_arena *keep,
                      ws_arena *scratch)
{
    WS_ASSERT(subject->arm != NULL);
    WS_ASSERT(subject->options != NULL);
    *recorder = (ws_recorder){.subject = *subject};
    return ws_gauges_init(&recorder->gauges, subject, keep, scratch);
}

void ws_recorder_begin(ws_recorder *recorder)
{
    WS_ASSERT(recorder->subject.kernel != NULL);

    const recorder_subject *subject = &recorder->subject;
    ws_event warmed_up = {
        .action = recorder_warmed_up, .context = recorder, .phase = WS_PHASE_RECORD};
    ws_event horizon = {.action = recorder_horizon, .context = recorder, .phase = WS_PHASE_RECORD};

    if (subject->arm->scenario->warmup.ns > 0) {
        (void)ws_kernel_after(subject->kernel, subject->arm->scenario->warmup, &warmed_up);
    }
    ws_gauges_begin(&recorder->gauges);
    (void)ws_kernel_at(subject->kernel, subject->arm->scenario->horizon, &horizon);
    ws_recorder_observe(recorder);
}

/* ---- the end ---- */

static double recorder_or_nan(ws_time time)
{
    return time.ns == WS_TIME_NEVER.ns ? MISSING : ws_time_s(time);
}

/** Time from the first start until the end or now; 0: never started. */
static double recorder_run_s(const ws_recorder *recorder, const ws_job_history *history)
{
    ws_time end = ws_time_min(history->end, ws_kernel_now(recorder->subject.kernel));

    if (history->first_start.ns == WS_TIME_NEVER.ns) {
        return 0;
    }
    return ws_duration_s(ws_time_since(end, history->first_start));
}

static double recorder_kept_s(const ws_job_history *history)
{
    return ws_duration_s(history->productive) - ws_duration_s(history->lost);
}

static double recorder_slowdown(const ws_job_history *history, double jct_s)
{
    return fmax(1, jct_s / fmax(recorder_kept_s(history), 60));
}

static void recorder_fill_times(const ws_recorder *recorder, const ws_job_spec *spec,
                                const ws_job_history *history, ws_job_record *record)
{
    double run_s = recorder_run_s(recorder, history);

    record->submit_s = ws_time_s(spec->submit);
    record->first_start_s = recorder_or_nan(history->first_start);
    record->end_s = recorder_or_nan(history->end);
    record->wait_s = record->first_start_s - record->submit_s;
    record->run_s = record->end_s - record->first_start_s;
    record->jct_s = record->end_s - record->submit_s;
    record->slowdown = isnan(record->jct_s) ? MISSING : recorder_slowdown(history, record->jct_s);
    record->effective_training_ratio = run_s > 0 ? recorder_kept_s(history) / run_s : MISSING;
    record->deadline_s = recorder_or_nan(spec->deadline);
    record->deadline_met = history->end.ns <= spec->deadline.ns;
}

static ws_job_record recorder_job(const ws_recorder *recorder, size_t job)
{
    const recorder_subject *subject = &recorder->subject;
    const ws_job_spec *spec = ws_jobs_spec(subject->jobs, job);
    ws_job_history history = ws_jobs_history(subject->jobs, job);
    const ws_ledger *ledger = ws_fleet_ledger(subject->fleet);
    size_t owner = ws_jobs_owner(subject->jobs, job);
    ws_time now = ws_kernel_now(subject->kernel);
    int64_t gpus = spec->kind->gpus_per_replica;
    double held_s = ws_duration_s(history.held);
    ws_job_record record = {
        .policy = subject->arm->name,
        .replication = (int64_t)subject->options->replication,
        .job = (int64_t)job,
        .name = spec->name,
        .user = spec->user,
        .queue = spec->queue,
        .state = history.end.ns == WS_TIME_NEVER.ns ? WS_JOB_OUTCOME_CENSORED : WS_JOB_OUTCOME_DONE,
        .gpus_requested = spec->replicas_initial * gpus,
        .gpus_min = spec->replicas_min * gpus,
        .gpus_max = spec->replicas_max * gpus,
        .gpus_peak = history.replicas_peak * gpus,
        .resizes = history.resizes,
        .restarts = history.restarts,
        .preemptions = history.preemptions,
        .failures = history.failures,
        .checkpoints = history.checkpoints,
        .transfer_s = ws_duration_s(history.transfer),
        .transfer_alone_s = ws_duration_s(history.transfer_alone),
        .pace_alone_ratio = history.step_ratio,
        .pace_duty_ratio = history.step_duty,
        .pace_collide_ratio = history.step_collide,
        .pace_differ_at_s = recorder_or_nan(history.differ_at),
        .pace_unsettled = history.unsettled,
        .data_bytes = history.data_bytes,
        .data_wait_s = history.data_wait_s,
        .data_wait_alone_s = history.data_wait_alone_s,
        .storage_cost = ws_jobs_storage_cost(subject->jobs, job),
        .local_checkpoints = history.local_checkpoints,
        .disk_losses = history.disk_losses,
        .work = history.work_done,
        .work_lost = history.work_lost,
        .statistical_efficiency =
            history.trained_s > 0 ? history.effective_s / history.trained_s : MISSING,
        .accounts = ws_ledger_accounts(ledger, owner, now),
        .cost = ws_money_of_cost(ws_ledger_cost(ledger, owner, now)),
    };

    recorder_fill_times(recorder, spec, &history, &record);
    record.gpu_time = ws_accounts_sum(&record.accounts);
    record.gpus_mean = held_s > 0 ? ws_gpu_time_h(record.gpu_time) * 3600 / held_s : 0;
    return record;
}

/** Sums over jobs that become means, and the lists that become quantiles. */
typedef struct {
    double *jct_s;
    size_t jct_count;
    double *wait_s;
    size_t wait_count;
    double *slowdown;
    double kept_gpu_s; /* time of work that survived, weighted by the job's GPUs */
    double run_gpu_s;
    double last_end_s;
    double first_submit_s;
    int64_t with_deadline;
    int64_t missed;
} recorder_lists;

/** What sharing the links has cost, at its worst: the first of equals. */
static void recorder_add_pace(const ws_job_record *record, ws_run_record *run)
{
    run->pace_alone_ratio = fmax(run->pace_alone_ratio, record->pace_alone_ratio);
    run->pace_unsettled += record->pace_unsettled;
    if (record->pace_collide_ratio / record->pace_duty_ratio >
        run->pace_collide_ratio / run->pace_duty_ratio) {
        run->pace_duty_ratio = record->pace_duty_ratio;
        run->pace_collide_ratio = record->pace_collide_ratio;
        run->pace_differ_job = record->name;
        run->pace_differ_at_s = record->pace_differ_at_s;
    }
}

static void recorder_add_job(const ws_recorder *recorder, size_t job, recorder_lists *lists,
                             ws_run_record *run)
{
    ws_job_record record = recorder_job(recorder, job);
    ws_job_history history = ws_jobs_history(recorder->subject.jobs, job);
    double gpus = (double)record.gpus_requested;

    lists->kept_gpu_s += gpus * recorder_kept_s(&history);
    lists->run_gpu_s += gpus * recorder_run_s(recorder, &history);
    lists->first_submit_s = fmin(lists->first_submit_s, record.submit_s);
    if (!isnan(record.wait_s)) {
        lists->wait_s[lists->wait_count++] = record.wait_s;
    }
    if (!isnan(record.jct_s)) {
        lists->last_end_s = fmax(lists->last_end_s, record.end_s);
        lists->slowdown[lists->jct_count] = record.slowdown;
        lists->jct_s[lists->jct_count++] = record.jct_s;
    }
    if (!isnan(record.deadline_s)) {
        lists->with_deadline++;
        lists->missed += record.deadline_met ? 0 : 1;
    }
    run->jobs_done += record.state == WS_JOB_OUTCOME_DONE ? 1 : 0;
    run->resizes += record.resizes;
    run->restarts += record.restarts;
    run->preemptions += record.preemptions;
    run->job_failures += record.failures;
    run->checkpoints += record.checkpoints;
    recorder_add_pace(&record, run);
}

static double recorder_quantile(double *values, size_t count, double p)
{
    if (count == 0) {
        return MISSING;
    }
    return ws_quantile(values, count, p);
}

static double recorder_mean(const double *values, size_t count)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++) {
        sum += values[i];
    }
    return count == 0 ? MISSING : sum / (double)count;
}

static bool recorder_fill_jobs(const ws_recorder *recorder, ws_run_record *run, ws_arena *scratch)
{
    size_t submitted = ws_jobs_submitted_count(recorder->subject.jobs);
    recorder_lists lists = {
        .jct_s = ws_arena_alloc(scratch, double, submitted + 1),
        .wait_s = ws_arena_alloc(scratch, double, submitted + 1),
        .slowdown = ws_arena_alloc(scratch, double, submitted + 1),
        .first_submit_s = HUGE_VAL,
    };

    if (lists.jct_s == NULL || lists.wait_s == NULL || lists.slowdown == NULL) {
        return false;
    }
    for (size_t job = 0; job < submitted; job++) {
        recorder_add_job(recorder, job, &lists, run);
    }
    run->jobs_submitted = (int64_t)submitted;
    run->jobs_censored = run->jobs_submitted - run->jobs_done;
    run->jct_mean_s = recorder_mean(lists.jct_s, lists.jct_count);
    run->jct_p50_s = recorder_quantile(lists.jct_s, lists.jct_count, 0.5);
    run->jct_p95_s = recorder_quantile(lists.jct_s, lists.jct_count, 0.95);
    run->wait_mean_s = recorder_mean(lists.wait_s, lists.wait_count);
    run->wait_p95_s = recorder_quantile(lists.wait_s, lists.wait_count, 0.95);
    run->slowdown_p95 = recorder_quantile(lists.slowdown, lists.jct_count, 0.95);
    run->effective_training_ratio =
        lists.run_gpu_s > 0 ? lists.kept_gpu_s / lists.run_gpu_s : MISSING;
    run->makespan_s = run->jobs_censored == 0 && submitted > 0
                          ? lists.last_end_s - lists.first_submit_s
                          : MISSING;
    run->deadline_miss_fraction =
        lists.with_deadline > 0 ? (double)lists.missed / (double)lists.with_deadline : MISSING;
    return true;
}

static void recorder_fill_totals(const ws_recorder *recorder, ws_run_record *run)
{
    const ws_scenario *scenario = recorder->subject.arm->scenario;
    const recorder_totals *before = &recorder->at_warmup;
    recorder_totals totals = recorder_total(recorder);
    double measured_s = ws_time_s(scenario->horizon) - ws_duration_s(scenario->warmup);
    bool has_samples = false;

    for (size_t job = 0; job < ws_jobs_submitted_count(recorder->subject.jobs); job++) {
        const ws_job_spec *spec = ws_jobs_spec(recorder->subject.jobs, job);
        has_samples = has_samples || spec->stages[0].unit == WS_WORK_SAMPLES;
    }
    run->compute_cost = ws_money_sub(totals.compute_cost, before->compute_cost);
    run->storage_cost = ws_money_sub(totals.storage_cost, before->storage_cost);
    run->cost = ws_money_add(run->compute_cost, run->storage_cost);
    run->warmup_cost = ws_money_add(before->compute_cost, before->storage_cost);
    run->accounts = ws_accounts_sub(totals.accounts, before->accounts);
    run->paid = ws_accounts_sum(&run->accounts);
    run->unbilled = ws_gpu_time_sub(totals.unbilled, before->unbilled);
    double useful_h = ws_gpu_time_h(run->accounts.account[WS_ACCOUNT_USEFUL]);
    double paid_h = ws_gpu_time_h(run->paid);
    run->goodput_fraction = paid_h > 0 ? useful_h / paid_h : MISSING;
    run->samples = has_samples ? totals.samples - before->samples : MISSING;
    run->samples_per_s = run->samples / measured_s;
    run->gpus_mean = paid_h * 3600 / measured_s;
    run->gpus_peak = (double)recorder->gpus_peak;
    run->scale_ups = totals.control.scale_ups - before->control.scale_ups;
    run->scale_downs = totals.control.scale_downs - before->control.scale_downs;
    run->clamps = totals.control.clamps - before->control.clamps;
    run->evaluations = totals.control.evaluations;
    run->failures = totals.fleet.failures - before->fleet.failures;
    run->reclaims = totals.fleet.reclaims - before->fleet.reclaims;
}

static double recorder_main_finish_s(const ws_recorder *recorder)
{
    size_t job = recorder->subject.main_job;

    if (job == WS_INDEX_NONE) {
        return MISSING;
    }
    ws_job_history history = ws_jobs_history(recorder->subject.jobs, job);
    const ws_job_spec *spec = ws_jobs_spec(recorder->subject.jobs, job);
    return recorder_or_nan(history.end) - ws_time_s(spec->submit);
}

/** Cost, plus the value of the job's completion time (or lateness), plus the penalty when it is not
 * done. */
static double recorder_objective(const ws_recorder *recorder, const ws_run_record *run)
{
    const recorder_subject *subject = &recorder->subject;
    const ws_objective *objective = &subject->arm->scenario->objective;
    double value_per_s = (double)objective->value_of_time.nano_per_h / 1e9 / 3600;

    if (!objective->given) {
        return MISSING;
    }
    for (size_t job = 0; job < ws_jobs_submitted_count(subject->jobs); job++) {
        const ws_job_spec *spec = ws_jobs_spec(subject->jobs, job);
        if (!ws_text_equals(spec->kind->name, objective->of)) {
            continue;
        }
        ws_time end = ws_jobs_history(subject->jobs, job).end;
        bool done = end.ns != WS_TIME_NEVER.ns;
        ws_time until = ws_time_min(end, ws_kernel_now(subject->kernel));
        double counted_s =
            ws_duration_s(ws_time_since(until, spec->submit)) - ws_duration_s(objective->deadline);
        double penalty = done ? 0 : ws_money_units(objective->unfinished);
        return ws_money_units(run->cost) + value_per_s * fmax(counted_s, 0) + penalty;
    }
    return MISSING;
}

static bool recorder_fill_job_records(const ws_recorder *recorder, ws_run_result *result,
                                      ws_arena *keep)
{
    size_t submitted = ws_jobs_submitted_count(recorder->subject.jobs);

    result->jobs = ws_arena_alloc(keep, ws_job_record, submitted + 1);
    if (result->jobs == NULL) {
        return false;
    }
    for (size_t job = 0; job < submitted; job++) {
        ws_job_record record = recorder_job(recorder, job);
        record.name = ws_arena_copy_text(keep, record.name);
        if (record.name.start == NULL) {
            return false;
        }
        result->jobs[job] = record;
    }
    result->job_count = submitted;
    return true;
}

bool ws_recorder_finish(ws_recorder *recorder, ws_run_result *result, bool complete, ws_arena *keep,
                        ws_arena *scratch)
{
    WS_ASSERT(result != NULL);

    const recorder_subject *subject = &recorder->subject;
    ws_run_record *run = &result->run;

    ws_gauges_finish(&recorder->gauges, result);
    *run = (ws_run_record){
        .scenario = subject->arm->scenario->name,
        .policy = subject->arm->name,
        .policy_type = subject->arm->type,
        .replication = (int64_t)subject->options->replication,
        .seed = subject->arm->scenario->seed,
        .complete = complete,
        .main_finish_s = recorder_main_finish_s(recorder),
        .events = (int64_t)ws_kernel_event_count(subject->kernel),
        .pace_alone_ratio = 1,
        .pace_duty_ratio = 1,
        .pace_collide_ratio = 1,
        .pace_differ_at_s = MISSING,
    };
    recorder_fill_totals(recorder, run);
    run->objective_usd = recorder_objective(recorder, run);
    if (!recorder_fill_jobs(recorder, run, scratch) || !ws_outcome_fill_run(subject, run)) {
        return false;
    }
    run->pace_differ_job = ws_arena_copy_text(keep, run->pace_differ_job);
    if (run->pace_differ_job.start == NULL) {
        return false;
    }
    return !subject->options->with_jobs || recorder_fill_job_records(recorder, result, keep);
}
