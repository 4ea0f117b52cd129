/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds what is asked for, asks the step model at each size, and compares the answers. */
#include "step_study.h"

#include <math.h>
#include <stdlib.h>

#include "output.h"
#include "step_subject.h"

/* ---- sizes ---- */

static void study_add_reason(ws_text *reason, ws_text more, ws_arena *arena)
{
    *reason = reason->length == 0
                  ? more
                  : ws_arena_format(arena, "%.*s; %.*s", WS_TEXT_ARGS(*reason), WS_TEXT_ARGS(more));
}

/* "not legal in stage `main`: the nearest are 16 and 24 GPUs". */
static ws_text study_illegal(const ws_step_subject *subject, int32_t replicas, ws_arena *arena)
{
    int32_t each = subject->kind->gpus_per_replica;
    int32_t below = ws_job_legal_at_most(&subject->job, subject->stage, replicas);
    int32_t above = ws_job_legal_at_least(&subject->job, subject->stage, replicas);
    ws_text stage = ws_output_shown(ws_step_subject_stage(subject)->name, arena);
    int64_t nearest = (int64_t)(below > 0 ? below : above) * each;

    if (below > 0 && above > 0) {
        return ws_arena_format(
            arena, "not a legal size of stage `%.*s`: the nearest are %lld and %lld GPUs",
            WS_TEXT_ARGS(stage), (long long)nearest, (long long)above * each);
    }
    return ws_arena_format(arena, "not a legal size of stage `%.*s`: the nearest is %lld GPUs",
                           WS_TEXT_ARGS(stage), (long long)nearest);
}

static ws_text study_no_memory(const ws_explanation *explanation, ws_arena *arena)
{
    return ws_arena_format(arena, "needs %.2f GB on each GPU, which has %.2f GB",
                           explanation->memory_bytes / 1e9, explanation->memory_limit_bytes / 1e9);
}

/* Sets replicas, world and explanation where there are whole replicas, and the reason. */
static void study_judge(const ws_step_subject *subject, ws_step_size *size, ws_arena *arena)
{
    int32_t each = subject->kind->gpus_per_replica;

    if (size->gpus % each != 0) {
        size->reason =
            ws_arena_format(arena, "not a whole number of replicas of %d GPUs each", each);
        return;
    }
    if (size->gpus / each > WS_REPLICAS_MAX) {
        size->reason = ws_arena_format(arena, "more than %d replicas", WS_REPLICAS_MAX);
        return;
    }
    size->replicas = (int32_t)(size->gpus / each);
    size->world = ws_step_subject_world(subject, size->replicas);
    size->explanation = ws_step_explain(&ws_step_subject_stage(subject)->step, &size->world);
    if (ws_job_legal_at_most(&subject->job, subject->stage, size->replicas) != size->replicas) {
        size->reason = study_illegal(subject, size->replicas, arena);
    }
    if (size->gpus > subject->gpus_max) {
        study_add_reason(&size->reason,
                         ws_arena_format(arena, "the pools that it accepts hold at most %lld GPUs",
                                         (long long)subject->gpus_max),
                         arena);
    }
    if (ws_explanation_exceeds_memory(&size->explanation)) {
        study_add_reason(&size->reason, study_no_memory(&size->explanation, arena), arena);
    }
}

/* ---- numbers of a possible size ---- */

/* Seconds of a step by the stage's batch, where the model has rates alone; 0: not known. */
static double study_step_s(const ws_stage_spec *stage, double batch, double processed_per_s)
{
    if (stage->unit == WS_WORK_STEPS) {
        return 1 / processed_per_s;
    }
    return stage->unit == WS_WORK_SAMPLES ? batch / processed_per_s : 0;
}

/* From a second to a step. */
static void study_rescale(ws_step_size *size, double step_s)
{
    if (!(step_s > 0) || size->explanation.is_step) {
        return;
    }
    for (int term = 0; term < WS_TERMS; term++) {
        size->explanation.seconds[term] *= step_s;
    }
    size->explanation.period_s = step_s;
    size->explanation.is_step = true;
}

/* Steps that wait for their data are longer by that. */
static void study_wait(ws_step_size *size, double waiting)
{
    ws_explanation *explanation = &size->explanation;
    double shrinks = explanation->is_step ? 1 : 1 - waiting; /* terms of a second stay a second */
    double waits_s = explanation->period_s * waiting * shrinks / (1 - waiting);

    if (!(waiting > 0)) {
        return;
    }
    for (int term = 0; term < WS_TERMS; term++) {
        explanation->seconds[term] *= shrinks;
    }
    explanation->seconds[WS_TERM_INPUT] += waits_s;
    explanation->known |= 1U << WS_TERM_INPUT;
    explanation->period_s = explanation->period_s * shrinks + waits_s;
}

/* Likewise of writes to the nodes' own disks, which come between those by time. */
static double study_local_pauses(const ws_step_subject *subject, int32_t replicas)
{
    const ws_checkpoint_spec *checkpoint = &subject->kind->checkpoint;
    double disks =
        (double)replicas * subject->kind->gpus_per_replica / subject->pool->gpus_per_node;

    if (checkpoint->local_every.ns == 0 || !(subject->pool->disk.write_bytes_per_s > 0)) {
        return 0;
    }
    double write_s = checkpoint->local_bytes / (disks * subject->pool->disk.write_bytes_per_s);
    double per_s = 1 / ws_duration_s(checkpoint->local_every);
    if (checkpoint->every.ns > 0) {
        per_s -= 1 / ws_duration_s(checkpoint->every);
    }
    return write_s * per_s;
}

/* Share of stepping time that is spent paused beside it: writes by time and by work, evaluations.
 */
static double study_pauses(const ws_step_subject *subject, int32_t replicas, double work_per_s)
{
    const ws_stage_spec *stage = ws_step_subject_stage(subject);
    const ws_job_kind *kind = subject->kind;
    double write_s = kind->has_checkpoint ? ws_duration_s(kind->checkpoint.write) : 0;
    double pauses = 0;

    if (kind->has_checkpoint && kind->checkpoint.every.ns > 0) {
        pauses += write_s / ws_duration_s(kind->checkpoint.every);
    }
    pauses += study_local_pauses(subject, replicas);
    if (stage->checkpoint_every > 0) {
        pauses += write_s * work_per_s / stage->checkpoint_every;
    }
    if (stage->evaluation.every > 0) {
        pauses += ws_duration_s(stage->evaluation.time) * work_per_s / stage->evaluation.every;
    }
    return pauses;
}

static bool study_is_extrapolated(const ws_step *step, const ws_world *world)
{
    int32_t low = 0;
    int32_t high = 0;

    step->type->valid_range(step->parameters, &low, &high);
    bool is_outside = (low > 0 && world->replicas < low) || (high > 0 && world->replicas > high);
    return is_outside || (step->type->coverage != NULL &&
                          step->type->coverage(step->parameters, world) != WS_COVERED);
}

static void study_measure(const ws_step_subject *subject, ws_step_size *size)
{
    const ws_stage_spec *stage = ws_step_subject_stage(subject);
    ws_pace pace = ws_stage_pace(stage, &size->world, 0);
    double pauses = study_pauses(subject, size->replicas, pace.work_per_s);

    size->batch = size->explanation.samples;
    if (!(size->batch > 0) && ws_stage_has_batch(stage)) {
        size->batch = ws_batch_at(&stage->batch, size->replicas).samples;
    }
    size->data_waiting = pace.reading;
    size->data_needed = ws_stage_read_bytes_per_s(stage, &size->world, &pace) / (1 - pace.reading);
    study_wait(size, pace.reading);
    study_rescale(size, study_step_s(stage, size->batch, ws_pace_processed(&pace)));
    size->batch_efficiency = pace.efficiency;
    size->stepping_per_s = pace.work_per_s;
    size->work_per_s = pace.work_per_s / (1 + pauses);
    size->pauses_s = pauses * size->explanation.period_s;
    size->price_per_h = (double)size->gpus * subject->gpu_price_per_h;
    size->is_extrapolated = study_is_extrapolated(&stage->step, &size->world);
}

/* ---- sizes against each other ---- */

static double study_cost_work(ws_work_unit unit)
{
    switch (unit) {
    case WS_WORK_TOKENS:
        return 1e9;
    case WS_WORK_SAMPLES:
        return 1e6;
    case WS_WORK_STEPS:
        return 1e3;
    case WS_WORK_NONE:
        break;
    }
    return 3600;
}

static double study_per_gpu(const ws_step_size *size)
{
    return size->work_per_s / (double)size->gpus;
}

/* What a GPU more brought, relative to what one did before. */
static double study_marginal(const ws_step_size *before, const ws_step_size *size)
{
    return (size->work_per_s - before->work_per_s) / (double)(size->gpus - before->gpus) /
           study_per_gpu(before);
}

static void study_find_knee(ws_step_study *study)
{
    ws_step_size *knee = NULL;

    for (size_t i = 0; i < study->count; i++) {
        ws_step_size *size = &study->sizes[i];
        if (size->reason.length > 0) {
            continue;
        }
        bool is_better = knee == NULL || size->work_per_s * study_per_gpu(size) >
                                             knee->work_per_s * study_per_gpu(knee) * (1 + 1e-12);
        study->is_knee_last = is_better;
        knee = is_better ? size : knee;
    }
    study->has_knee = knee != NULL && study->possible >= 2;
    if (study->has_knee) {
        knee->is_knee = true;
    }
}

static void study_compare(ws_step_study *study)
{
    const ws_step_size *first = NULL;
    const ws_step_size *before = NULL;

    study->is_step = true;
    for (size_t i = 0; i < study->count; i++) {
        ws_step_size *size = &study->sizes[i];
        size->marginal = (double)NAN;
        if (size->reason.length > 0) {
            continue;
        }
        first = first == NULL ? size : first;
        size->efficiency = study_per_gpu(size) / study_per_gpu(first);
        size->marginal = before != NULL ? study_marginal(before, size) : (double)NAN;
        size->cost = size->price_per_h / 3600 * study->cost_work / size->work_per_s;
        study->possible++;
        study->known |= size->explanation.known;
        study->unsplit = size->explanation.unsplit;
        study->is_step = study->is_step && size->explanation.is_step;
        before = size;
    }
    study_find_knee(study);
}

/* ---- which sizes ---- */

static int study_compare_gpus(const void *a, const void *b)
{
    const int64_t *first = a;
    const int64_t *second = b;

    return (*first > *second) - (*first < *second);
}

static bool study_too_many(void)
{
    ws_output_error("worldsize explain step: more than %d legal sizes; name some with "
                    "`--gpus N,M`\n",
                    WS_STEP_SIZES_MAX);
    return false;
}

static bool study_list_legal(ws_step_study *study, const ws_step_subject *subject, int64_t *gpus)
{
    int32_t size = ws_job_legal_at_least(&subject->job, subject->stage, 1);

    while (size > 0) {
        int64_t all = (int64_t)size * subject->kind->gpus_per_replica;
        if (all > subject->gpus_max && study->count > 0) {
            study->legal_beyond = all;
            return true;
        }
        if (study->count == WS_STEP_SIZES_MAX) {
            return study_too_many();
        }
        gpus[study->count++] = all;
        size = ws_job_legal_at_least(&subject->job, subject->stage, size + 1);
    }
    return true;
}

static void study_list_asked(ws_step_study *study, const ws_step_question *question, int64_t *gpus)
{
    int64_t *sorted = gpus;

    WS_ASSERT(question->gpus_count <= WS_STEP_SIZES_MAX);
    for (size_t i = 0; i < question->gpus_count; i++) {
        sorted[i] = question->gpus[i];
    }
    qsort(sorted, question->gpus_count, sizeof(*sorted), study_compare_gpus);
    for (size_t i = 0; i < question->gpus_count; i++) {
        if (study->count == 0 || gpus[study->count - 1] != sorted[i]) {
            gpus[study->count++] = sorted[i];
        }
    }
}

static void study_describe(ws_step_study *study, const ws_step_subject *subject,
                           const ws_loaded *loaded)
{
    const ws_stage_spec *stage = ws_step_subject_stage(subject);

    *study = (ws_step_study){
        .job = subject->job.name,
        .stage = stage->name,
        .stage_count = subject->job.stage_count,
        .pool = subject->pool->name,
        .pool_count = subject->pools_accepted,
        .gpu_type = subject->pool->gpu_type,
        .model = stage->step.type,
        .unit = stage->unit,
        .currency = loaded->currency,
        .cost_work = study_cost_work(stage->unit),
        .step = stage->step,
    };
}

bool ws_step_study_make(ws_step_study *study, const ws_loaded *loaded,
                        const ws_step_question *question, ws_arena *arena)
{
    ws_step_subject *subject = ws_arena_alloc(arena, ws_step_subject, 1);
    int64_t *gpus = ws_arena_alloc(arena, int64_t, WS_STEP_SIZES_MAX);

    if (subject == NULL || gpus == NULL) {
        ws_output_error("worldsize: out of memory\n");
        return false;
    }
    if (!ws_step_subject_find(subject, loaded, question, arena)) {
        return false;
    }
    study_describe(study, subject, loaded);
    if (!question->all_legal) {
        study_list_asked(study, question, gpus);
    } else if (!study_list_legal(study, subject, gpus)) {
        return false;
    }
    study->sizes = ws_arena_alloc(arena, ws_step_size, study->count + 1);
    if (study->sizes == NULL) {
        ws_output_error("worldsize: out of memory\n");
        return false;
    }
    for (size_t i = 0; i < study->count; i++) {
        study->sizes[i].gpus = gpus[i];
        study_judge(subject, &study->sizes[i], arena);
        if (study->sizes[i].reason.length == 0) {
            study_measure(subject, &study->sizes[i]);
        }
    }
    study_compare(study);
    return true;
}

/* ---- words ---- */

const char *ws_step_study_unit(const ws_step_study *study)
{
    switch (study->unit) {
    case WS_WORK_TOKENS:
        return "tokens";
    case WS_WORK_SAMPLES:
        return "samples";
    case WS_WORK_STEPS:
        return "steps";
    case WS_WORK_NONE:
        break;
    }
    return "recorded seconds";
}

const char *ws_step_study_cost_unit(const ws_step_study *study)
{
    switch (study->unit) {
    case WS_WORK_TOKENS:
        return "10^9 tokens";
    case WS_WORK_SAMPLES:
        return "10^6 samples";
    case WS_WORK_STEPS:
        return "1,000 steps";
    case WS_WORK_NONE:
        break;
    }
    return "recorded hour";
}

bool ws_step_study_has(const ws_step_study *study, ws_term term)
{
    for (size_t i = 0; i < study->count; i++) {
        if (study->sizes[i].reason.length == 0 && study->sizes[i].explanation.seconds[term] > 0) {
            return true;
        }
    }
    return false;
}
