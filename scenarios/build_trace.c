/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recorded jobs: a window of a trace becomes jobs that are the same in every replication. */
#include <math.h>

#include "build.h"
#include "build_profiles.h"

/** What all jobs of a trace share. */
typedef struct {
    const ws_file_trace *file;
    ws_job_kind *kind;
    ws_build_speedup speedup;
    const ws_build_profiles *profiles; /* NULL: the run times are recorded */
} trace_source;

/** A share of the recorded size, within what a job may have. */
static int32_t trace_size(double replicas)
{
    return (int32_t)fmax(1, fmin(replicas, WS_REPLICAS_MAX));
}

/** Largest size: with a batch, no GPU is left without a sample. */
static int32_t trace_size_max(const trace_source *source, const ws_trace_job *recorded)
{
    int32_t most = trace_size(floor((double)recorded->gpus * source->file->elasticity.max + 1e-9));

    return source->profiles != NULL && most > recorded->batch_samples ? recorded->batch_samples
                                                                      : most;
}

/** Work and rate of a recorded job: its run time at its size, or the training of its profile. */
static bool trace_stage(ws_build *context, const trace_source *source, const ws_trace_job *recorded,
                        ws_stage_spec *stage)
{
    *stage = (ws_stage_spec){.name = WS_TEXT("recorded"),
                             .work = (double)recorded->duration_ns / 1e9,
                             .replicas_min = 1,
                             .replicas_max = WS_REPLICAS_MAX};
    if (source->profiles != NULL) {
        ws_build_apply_profile(source->profiles, recorded, stage);
        return true;
    }
    return ws_build_apply_speedup(context, &source->speedup, recorded->gpus, &stage->step);
}

static bool trace_job(ws_build *context, const trace_source *source, const ws_trace_job *recorded,
                      ws_job_spec *job)
{
    ws_stage_spec *stage = ws_build_new(context, ws_stage_spec, 1);
    const ws_file_trace_elasticity *elasticity = &source->file->elasticity;
    double gpus = recorded->gpus;

    if (stage == NULL) {
        return false;
    }
    *job = (ws_job_spec){
        .kind = source->kind,
        .name = recorded->id,
        .submit = {.ns = recorded->arrival_ns},
        .replicas_initial = recorded->gpus,
        .replicas_min = trace_size(ceil(gpus * elasticity->min - 1e-9)),
        .replicas_max = trace_size_max(source, recorded),
        .replicas_step = 1,
        .stages = stage,
        .stage_count = 1,
        .deadline = WS_TIME_NEVER,
        .user = recorded->user,
        .queue = recorded->queue,
    };
    return trace_stage(context, source, recorded, stage);
}

static bool trace_check_reach(ws_build *context, const ws_file_trace *file, const ws_job_kind *kind,
                              const ws_job_spec *jobs, size_t count)
{
    int64_t reach = ws_build_reachable_replicas(context, kind);
    size_t too_large = 0;
    int32_t largest = 0;

    for (size_t i = 0; i < count; i++) {
        int32_t least =
            kind->elasticity->may_start_smaller ? jobs[i].replicas_min : jobs[i].replicas_initial;
        too_large += least > reach ? 1 : 0;
        largest = least > largest ? least : largest;
    }
    if (too_large == 0) {
        return true;
    }
    return ws_build_error(
        context, 4303, ws_build_at(file->self, "file"),
        ws_build_text(
            context, "%zu job%s of the trace need%s more than the %lld GPUs that the pools reach",
            too_large, too_large == 1 ? "" : "s", too_large == 1 ? "s" : "", (long long)reach),
        "they would wait for ever, and block the queue",
        ws_build_text(context, "raise `nodes.max` to reach %d GPUs", largest));
}

/** Says what was taken for granted, for the report. */
static void trace_assume(ws_build *context, const trace_source *source, const ws_trace *trace,
                         const ws_trace_report *report)
{
    char date[WS_TRACE_DATE_BYTES];

    (void)ws_trace_print_date(trace, 0, date);
    ws_build_assume(context,
                    ws_build_text(context, "trace %.*s: %zu jobs, time 0 is %s%s%.*s",
                                  WS_TEXT_ARGS(source->file->file), trace->count, date,
                                  trace->zone.length > 0 ? ", " : "", WS_TEXT_ARGS(trace->zone)));
    for (int finding = 0; finding < WS_TRACE_FINDING_COUNT; finding++) {
        const ws_trace_finding_row *row = ws_trace_finding_at((ws_trace_finding)finding);
        int64_t count = report->found[finding].count;
        if (count > 0) {
            ws_build_assume(context, ws_build_text(context, "trace %.*s: %lld rows: %s",
                                                   WS_TEXT_ARGS(source->file->file),
                                                   (long long)count, row->text));
        }
    }
    if (source->speedup.kind != WS_BUILD_SPEEDUP_NONE) {
        ws_build_assume(context,
                        ws_build_text(context,
                                      "trace %.*s: sizes that the recording did not see: %.*s, "
                                      "relative to the recorded size",
                                      WS_TEXT_ARGS(source->file->file),
                                      WS_TEXT_ARGS(source->speedup.words)));
    }
    if (source->profiles != NULL) {
        return;
    }
    ws_build_assume(context,
                    ws_build_text(context,
                                  "trace %.*s: recorded run times are taken as the work that "
                                  "was wanted, those of cancelled and failed jobs too",
                                  WS_TEXT_ARGS(source->file->file)));
}

static void trace_warn_empty(ws_build *context, const ws_file_trace *file)
{
    ws_build_warn(context, &(ws_diagnostic){.code = 4308,
                                            .message = WS_TEXT("no job of the trace is replayed"),
                                            .at = ws_build_at(file->self, "file"),
                                            .label = WS_TEXT("none arrives in the window"),
                                            .help = WS_TEXT("look at `from` and `to`")});
}

static bool trace_jobs(ws_build *context, const trace_source *source, const ws_trace *trace)
{
    ws_job_spec *jobs = ws_build_new(context, ws_job_spec, trace->count + 1);

    if (jobs == NULL) {
        return false;
    }
    for (size_t i = 0; i < trace->count; i++) {
        if (!trace_job(context, source, &trace->jobs[i], &jobs[i])) {
            return false;
        }
        jobs[i].number = i;
    }
    if (trace->count == 0) {
        trace_warn_empty(context, source->file);
    }
    if (source->profiles != NULL) {
        ws_build_assume_profiles(context, source->file, jobs, trace->count);
    }
    context->scenario->workload.recorded = jobs;
    context->scenario->workload.recorded_count = trace->count;
    return trace_check_reach(context, source->file, source->kind, jobs, trace->count);
}

/** A recording does not say which steps its jobs made. */
static bool trace_check_writes(ws_build *context, const ws_file_checkpoint *file)
{
    return file == NULL || file->every_steps == 0 ||
           ws_build_error(context, 4205, ws_build_at(file->self, "every_steps"),
                          WS_TEXT("the steps of recorded jobs are not known"), "of what?",
                          WS_TEXT("write `every: 30m`"));
}

static bool trace_kind(ws_build *context, trace_source *source)
{
    const ws_file_trace *file = source->file;
    ws_job_kind *kind = ws_build_new(context, ws_job_kind, 1);

    if (kind == NULL) {
        return false;
    }
    *kind = (ws_job_kind){.name = file->name,
                          .entity = ws_text_hash(file->name),
                          .gpus_per_replica = 1,
                          .elasticity = ws_elasticity_at((size_t)file->elasticity.mode),
                          .usage = {.cpu = file->usage.cpu,
                                    .memory = file->usage.memory,
                                    .nccl_sm = file->usage.nccl_sm}};
    source->kind = kind;
    bool sound = ws_build_labels(context, file->labels, kind);
    sound = ws_build_checkpoint(context, file->checkpoint, kind) && sound;
    sound = ws_build_worker_start(context, &file->worker_start, &kind->start) && sound;
    sound = trace_check_writes(context, file->checkpoint) && sound;
    sound = ws_build_accepted_pools(context, &file->types, NULL, ws_build_at(file->self, "types"),
                                    kind) &&
            sound;
    sound = sound && ws_build_disks(context, file->checkpoint, NULL, 1, kind);
    return ws_build_read_speedup(context, file->speedup, &source->speedup) && sound;
}

static bool trace_check_speedup(ws_build *context, const trace_source *source)
{
    const ws_file_trace_elasticity *elasticity = &source->file->elasticity;
    bool one_size = elasticity->min >= 1 && elasticity->max <= 1;

    if (!one_size && !source->kind->elasticity->may_start_smaller) {
        return ws_build_error(
            context, 4203, ws_build_at(elasticity->self, elasticity->max > 1 ? "max" : "min"),
            WS_TEXT("the trace has a range of sizes, but its mode `rigid` never changes the size"),
            "never reached", WS_TEXT("write `mode: restart`, or leave `min` and `max` out"));
    }
    if (source->speedup.kind != WS_BUILD_SPEEDUP_NONE && source->file->profiles.length > 0) {
        return ws_build_error(context, 4109, ws_build_at(source->file->self, "speedup"),
                              WS_TEXT("`speedup` says nothing beside `profiles`, which hold what "
                                      "was measured"),
                              "of no use", WS_TEXT("remove it"));
    }
    if (source->speedup.kind != WS_BUILD_SPEEDUP_NONE || source->file->profiles.length > 0 ||
        one_size) {
        return true;
    }
    return ws_build_error(
        context, 2102, source->file->self->at,
        WS_TEXT("the trace's sizes may change, but nothing says what other sizes do"),
        "recorded at one size each",
        WS_TEXT("add `speedup: {amdahl: 95%}`, or `linear`, or a curve"));
}

/** Where run times are not recorded, profiles say what they are. */
static bool trace_profiles(ws_build *context, trace_source *source, const ws_trace *trace)
{
    const ws_file_trace *file = source->file;

    if (file->profiles.length > 0) {
        return ws_build_read_profiles(context, file, trace, &source->profiles);
    }
    for (size_t i = 0; i < trace->count; i++) {
        if (trace->jobs[i].duration_ns == WS_TRACE_UNKNOWN_NS) {
            return ws_build_error(context, 2102, ws_build_at(file->self, "file"),
                                  WS_TEXT("the trace states batches and no run times"),
                                  "for how long?",
                                  WS_TEXT("add `profiles: FOLDER`, with measured steps of each "
                                          "application"));
        }
    }
    return true;
}

bool ws_build_trace(ws_build *context)
{
    WS_ASSERT(context->file != NULL);

    const ws_file_trace *file = context->file->workload.trace;
    trace_source source = {.file = file};

    if (file == NULL) {
        return true;
    }
    bool sound = trace_kind(context, &source) && trace_check_speedup(context, &source);
    if (!ws_build_recording_read(context, file)) {
        return false;
    }
    const ws_build_recording *recording = context->recording;
    if (!trace_profiles(context, &source, &recording->trace)) {
        return false;
    }
    trace_assume(context, &source, &recording->trace, &recording->report);
    return trace_jobs(context, &source, &recording->trace) && sound;
}
