/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Records go into blocks that are chained, so that none is ever copied. Beyond WS_EVENTS_MAX events
 * are counted alone. Names of jobs are drawn anew in each run and are copied once a job, when it is
 * submitted, which is its first news; names of pools and stages are the scenario's.
 */
#include "journal.h"

/* ---- storage ---- */

static ws_event_block *journal_block(ws_journal *journal)
{
    ws_event_block *block = journal->last;

    if (block != NULL && block->count < WS_EVENT_BLOCK_RECORDS) {
        return block;
    }
    block = ws_arena_alloc(journal->keep, ws_event_block, 1);
    if (block == NULL) {
        journal->is_exhausted = true;
        return NULL;
    }
    if (journal->last == NULL) {
        journal->list.first = block;
    } else {
        journal->last->next = block;
    }
    journal->last = block;
    return block;
}

static void journal_append(ws_journal *journal, const ws_event_record *record)
{
    ws_event_block *block = journal_block(journal);

    if (block != NULL) {
        block->records[block->count++] = *record;
        journal->list.count++;
    }
}

static void journal_add(ws_journal *journal, ws_event_record record)
{
    record.at = ws_kernel_now(journal->parts->kernel);
    if (journal->list.count < WS_EVENTS_MAX) {
        journal_append(journal, &record);
        return;
    }
    if (journal->truncated.dropped == 0) {
        journal->truncated = (ws_event_record){.kind = WS_EVENT_TRUNCATED, .at = record.at};
    }
    journal->truncated.dropped++;
}

/* ---- nodes ---- */

static void journal_node_because(ws_journal *journal, ws_event_kind kind, size_t index,
                                 ws_text reason)
{
    const ws_fleet *fleet = journal->parts->fleet;
    ws_node_id node = {.index = (int32_t)index};
    const ws_pool_spec *pool = ws_fleet_pool(fleet, ws_fleet_node_pool(fleet, node));

    journal_add(journal, (ws_event_record){.kind = kind,
                                           .pool = pool->name,
                                           .node = ws_fleet_node_slot(fleet, node),
                                           .reason = reason});
}

static void journal_node(ws_journal *journal, ws_event_kind kind, size_t index)
{
    journal_node_because(journal, kind, index, (ws_text){.length = 0});
}

static void journal_node_draining(ws_journal *journal, size_t index)
{
    bool is_noticed =
        ws_fleet_node_is_closed(journal->parts->fleet, (ws_node_id){.index = (int32_t)index});

    journal_node_because(journal, WS_EVENT_NODE_DRAIN, index,
                         is_noticed ? WS_TEXT("notice") : WS_TEXT("unwanted"));
}

static void journal_node_lost(ws_journal *journal, size_t index)
{
    switch (ws_fleet_node_loss(journal->parts->fleet, (ws_node_id){.index = (int32_t)index})) {
    case WS_LOSS_RECLAIM:
        journal_node(journal, WS_EVENT_NODE_RECLAIM, index);
        return;
    case WS_LOSS_RECORDED:
        journal_node_because(journal, WS_EVENT_NODE_FAIL, index, WS_TEXT("recorded"));
        return;
    case WS_LOSS_FAILURE:
    case WS_LOSS_NONE:
        journal_node_because(journal, WS_EVENT_NODE_FAIL, index, WS_TEXT("drawn"));
        return;
    }
}

/* ---- jobs ---- */

/* A record with the job's name and how many replicas it has or will have. */
static ws_event_record journal_job_record(const ws_journal *journal, ws_event_kind kind, size_t job,
                                          int64_t replicas)
{
    const ws_job_spec *spec = ws_jobs_spec(journal->parts->jobs, job);

    return (ws_event_record){.kind = kind,
                             .job = journal->jobs[job].name,
                             .replicas = replicas,
                             .gpus = replicas * spec->kind->gpus_per_replica};
}

static void journal_submitted(ws_journal *journal, size_t job)
{
    const ws_job_spec *spec = ws_jobs_spec(journal->parts->jobs, job);

    journal->jobs[job].name = ws_arena_copy_text(journal->keep, spec->name);
    journal->is_exhausted = journal->is_exhausted || journal->jobs[job].name.start == NULL;
    journal_add(journal,
                journal_job_record(journal, WS_EVENT_JOB_SUBMIT, job, spec->replicas_initial));
}

static void journal_placed(ws_journal *journal, ws_event_kind kind, size_t job)
{
    journal_add(journal, journal_job_record(journal, kind, job,
                                            ws_jobs_replicas(journal->parts->jobs, job)));
}

/** What a size does to a step: "steps of 9792 samples, 153 of a replica in 9 micro-batches;
 * learning rate x 4". Empty where the stage does not state its batch. */
static ws_text journal_step(const ws_journal *journal, size_t job, int32_t replicas)
{
    const ws_jobs *jobs = journal->parts->jobs;
    const ws_stage_spec *stage = &ws_jobs_spec(jobs, job)->stages[ws_jobs_stage(jobs, job)];

    if (!ws_stage_has_batch(stage)) {
        return (ws_text){.length = 0};
    }
    ws_batch_split split = ws_batch_at(&stage->batch, replicas);
    ws_text step = ws_arena_format(
        journal->keep, "steps of %.15g samples, %.15g of a replica in %.15g micro-batch%s",
        split.samples, split.share, split.micro_batches, split.micro_batches > 1 ? "es" : "");
    if (stage->learning_rate == WS_LEARNING_RATE_KEPT) {
        return step;
    }
    double factor = ws_learning_rate_factor(stage->learning_rate, &stage->efficiency,
                                            ws_jobs_stage_done(jobs, job), split.samples);
    return ws_arena_format(journal->keep, "%.*s; learning rate x %.6g", WS_TEXT_ARGS(step), factor);
}

static void journal_resized(ws_journal *journal, size_t job, int32_t from)
{
    int32_t to = ws_jobs_replicas_next(journal->parts->jobs, job);
    ws_event_record record = journal_job_record(journal, WS_EVENT_JOB_RESIZE, job, to);

    record.from = from;
    record.to = to;
    record.step = journal_step(journal, job, to);
    journal_add(journal, record);
}

static void journal_stage_done(ws_journal *journal, size_t job)
{
    const ws_job_spec *spec = ws_jobs_spec(journal->parts->jobs, job);
    size_t next = ws_jobs_stage(journal->parts->jobs, job);
    ws_event_record record = journal_job_record(journal, WS_EVENT_STAGE_DONE, job, 0);

    WS_ASSERT(next >= 1);
    record.stage = spec->stages[next - 1].name;
    journal_add(journal, record);
}

static void journal_failed(ws_journal *journal, size_t job)
{
    journal->jobs[job].has_failed = true;
    journal_add(journal, journal_job_record(journal, WS_EVENT_JOB_FAIL, job, 0));
}

static void journal_stopped(ws_journal *journal, size_t job)
{
    ws_event_record record = journal_job_record(journal, WS_EVENT_JOB_STOP, job, 0);

    record.reason = journal->jobs[job].has_failed ? WS_TEXT("failure") : WS_TEXT("preemption");
    journal->jobs[job].has_failed = false;
    journal_add(journal, record);
}

/** A write or load that others have slowed down, by more than rounding. */
static void journal_transferred(ws_journal *journal, size_t job)
{
    ws_job_transfer transfer = ws_jobs_last_transfer(journal->parts->jobs, job);
    const char *what = transfer.channel == WS_CHANNEL_WRITE ? "writing a checkpoint" : "loading";
    double took_s = ws_duration_s(transfer.took);
    double alone_s = ws_duration_s(transfer.alone);
    ws_event_record record = journal_job_record(journal, WS_EVENT_JOB_SLOWED, job, 0);

    if (took_s <= alone_s * 1.001) {
        return;
    }
    if (journal->list.count < WS_EVENTS_MAX) {
        record.reason = ws_arena_format(journal->keep, "%s took %.1f s, alone it takes %.1f s",
                                        what, took_s, alone_s);
        journal->is_exhausted = journal->is_exhausted || record.reason.start == NULL;
    }
    journal_add(journal, record);
}

/** Steps that others on the links have made longer, or that are as long as alone again. */
static void journal_repaced(ws_journal *journal, size_t job)
{
    double ratio = ws_jobs_step_ratio(journal->parts->jobs, job);
    ws_event_record record = journal_job_record(journal, WS_EVENT_JOB_SLOWED, job, 0);

    record.reason = WS_TEXT("steps take as long as alone");
    if (ratio > 1 && journal->list.count < WS_EVENTS_MAX) {
        record.reason = ws_arena_format(
            journal->keep, "steps take %.3f times as long as alone: others cross the same links",
            ratio);
        journal->is_exhausted = journal->is_exhausted || record.reason.start == NULL;
    }
    journal_add(journal, record);
}

/** Steps that wait for data because others use the storage, or as little as alone again. */
static void journal_fed(ws_journal *journal, size_t job)
{
    ws_job_reads reads = ws_jobs_reads(journal->parts->jobs, job);
    ws_event_record record = journal_job_record(journal, WS_EVENT_JOB_SLOWED, job, 0);

    record.reason = WS_TEXT("steps wait for data no longer than alone");
    if (reads.given < reads.needed && journal->list.count < WS_EVENTS_MAX) {
        record.reason = ws_arena_format(
            journal->keep, "steps wait for data %.1f %% of the time: %.3g of %.3g GB/s are read",
            reads.waiting * 100, reads.given / 1e9, reads.needed / 1e9);
        journal->is_exhausted = journal->is_exhausted || record.reason.start == NULL;
    }
    journal_add(journal, record);
}

/* ---- what is heard ---- */

void ws_journal_note(ws_journal *journal, const ws_news *news)
{
    WS_ASSERT(news != NULL);
    switch (news->kind) {
    case WS_NEWS_NODE_REQUESTED:
        journal_node(journal, WS_EVENT_NODE_REQUEST, news->index);
        return;
    case WS_NEWS_NODE_REQUEST_FAILED:
        journal_node(journal, WS_EVENT_NODE_REFUSED, news->index);
        return;
    case WS_NEWS_NODE_READY:
        journal_node(journal, WS_EVENT_NODE_READY, news->index);
        return;
    case WS_NEWS_NODE_DRAINING:
        journal_node_draining(journal, news->index);
        return;
    case WS_NEWS_NODE_LOST:
        journal_node_lost(journal, news->index);
        return;
    case WS_NEWS_NODE_RELEASED:
        journal_node(journal, WS_EVENT_NODE_RELEASE, news->index);
        return;
    case WS_NEWS_JOB_SUBMITTED:
        journal_submitted(journal, news->index);
        return;
    case WS_NEWS_JOB_PLACED:
        journal_placed(journal, WS_EVENT_JOB_START, news->index);
        return;
    case WS_NEWS_JOB_STARTED:
        journal_placed(journal, WS_EVENT_JOB_RUN, news->index);
        return;
    case WS_NEWS_JOB_RESIZED:
        journal_resized(journal, news->index, news->from);
        return;
    case WS_NEWS_JOB_STAGE_DONE:
        journal_stage_done(journal, news->index);
        return;
    case WS_NEWS_JOB_LOST_NODE:
        journal_failed(journal, news->index);
        return;
    case WS_NEWS_JOB_NEEDS_GPUS:
        journal_stopped(journal, news->index);
        return;
    case WS_NEWS_JOB_TRANSFERRED:
        journal_transferred(journal, news->index);
        return;
    case WS_NEWS_JOB_REPACED:
        journal_repaced(journal, news->index);
        return;
    case WS_NEWS_JOB_FED:
        journal_fed(journal, news->index);
        return;
    case WS_NEWS_JOB_DONE:
        journal_add(journal, journal_job_record(journal, WS_EVENT_JOB_END, news->index, 0));
        return;
    }
}

void ws_journal_note_decision(ws_journal *journal, const ws_decision *decision)
{
    const ws_arm *arm = journal->arm;
    ws_event_record record = {
        .kind = decision->is_pool ? WS_EVENT_SCALE_POOL : WS_EVENT_SCALE_JOB,
        .clamped = decision->clamped,
        .from = decision->from,
        .to = decision->to,
        .asked = decision->asked,
    };

    WS_ASSERT(decision->controller < arm->controller_count);
    record.controller = ws_text_of(arm->controllers[decision->controller].type->name);
    if (decision->is_pool) {
        record.pool = ws_fleet_pool(journal->parts->fleet, decision->index)->name;
    } else {
        record.job = journal->jobs[decision->index].name;
    }
    if (journal->list.count < WS_EVENTS_MAX) {
        record.reason = ws_arena_copy_text(journal->keep, decision->reason);
        journal->is_exhausted = journal->is_exhausted || record.reason.start == NULL;
    }
    journal_add(journal, record);
}

/* ---- begin and end ---- */

bool ws_journal_init(ws_journal *journal, const ws_arm *arm, const ws_run_parts *parts,
                     uint64_t replication, ws_arena *keep, ws_arena *scratch)
{
    WS_ASSERT(arm != NULL);
    WS_ASSERT(parts != NULL);

    *journal = (ws_journal){
        .arm = arm,
        .parts = parts,
        .jobs = ws_arena_alloc(scratch, journal_job, ws_jobs_count(parts->jobs) + 1),
        .list = {.policy = arm->name, .replication = (int64_t)replication},
        .keep = keep,
    };
    return journal->jobs != NULL;
}

bool ws_journal_finish(ws_journal *journal, ws_event_list *events)
{
    WS_ASSERT(events != NULL);
    if (journal->truncated.dropped > 0) {
        journal_append(journal, &journal->truncated);
    }
    *events = journal->list;
    return !journal->is_exhausted;
}
