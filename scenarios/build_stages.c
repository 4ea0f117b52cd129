/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stages of a stated job: how much there is to do, and how fast it is done. */
#include "build_stage.h"

/** What a job says for all of its stages; a stage may say otherwise. */
typedef struct {
    const ws_file_job *file;
    const ws_job_template *template;
    ws_build_model model;
    ws_build_speedup speedup;
    bool is_sound; /* of the two above: what failed there is not told again for each stage */
} stages_job;

/** How fast stated work is done. */
static bool stages_work_rate(ws_build *context, const stages_job *job, const ws_file_stage *stage,
                             ws_stage_spec *spec)
{
    ws_build_model own = {.kind = NULL};
    const ws_build_model *model = &job->model;

    if (stage->step == NULL && job->file->step == NULL) {
        return ws_build_error(
            context, 2102, stage->self->at,
            ws_build_text(context, "stage `%.*s` has work, but nothing says how fast it is done",
                          WS_TEXT_ARGS(stage->name)),
            "this stage",
            WS_TEXT("add `step: {curve: {REPLICAS: RATE, ...}}` to the job or the stage"));
    }
    if (stage->step != NULL) {
        if (!ws_build_read_model(context, stage->step, &own)) {
            return false;
        }
        model = &own;
    }
    if (model->kind == NULL) {
        return false; /* the job's own, which has faults */
    }
    return ws_build_apply_model(context, model, stage, spec) &&
           ws_build_stage_unit(context, stage, model, spec) &&
           ws_build_check_model(context, model, job->template, stage, spec);
}

/** What a stated duration becomes at other sizes than the initial one. */
static bool stages_duration_rate(ws_build *context, const stages_job *job,
                                 const ws_file_stage *stage, ws_step *step)
{
    const ws_job_template *template = job->template;
    ws_build_speedup own = {.kind = WS_BUILD_SPEEDUP_NONE};
    const ws_build_speedup *speedup = &job->speedup;

    if (stage->speedup != NULL) {
        if (!ws_build_read_speedup(context, stage->speedup, &own)) {
            return false;
        }
        speedup = &own;
    }
    if (speedup->kind == WS_BUILD_SPEEDUP_NONE &&
        template->replicas_min != template->replicas_max) {
        return job->is_sound &&
               ws_build_error(
                   context, 2102, stage->self->at,
                   ws_build_text(
                       context, "stage `%.*s` has a duration, but nothing says what other sizes do",
                       WS_TEXT_ARGS(stage->name)),
                   "at the initial size only",
                   WS_TEXT("add `speedup: {amdahl: 95%}` to the job or the stage"));
    }
    return ws_build_apply_speedup(context, speedup, template->replicas_initial, step);
}

/** Stated work, or a drawn time as the work. */
static bool stages_amount(ws_build *context, const ws_file_stage *stage, ws_stage_template *out)
{
    const ws_document *map = stage->self;

    if (stage->has_work == stage->has_duration) {
        return ws_build_error(context, 2302, map->at,
                              ws_build_text(context, "stage `%.*s` has %s `work` and `duration`",
                                            WS_TEXT_ARGS(stage->name),
                                            stage->has_work ? "both" : "neither"),
                              "exactly one of them", WS_TEXT(""));
    }
    if (stage->has_duration) {
        out->is_drawn = true;
        out->work = stage->duration;
        out->spec.work = 1;
        return ws_distribution_mean(&stage->duration) > 0 ||
               ws_build_error(context, 3107, ws_build_at(map, "duration"),
                              WS_TEXT("`duration` is longer than 0"), "no time at all",
                              WS_TEXT(""));
    }
    if (stage->work.unit == WS_WORK_NONE) {
        ws_text shown = ws_build_shown(ws_document_find(map, "work")->scalar);
        return ws_build_error(context, 3101, ws_build_at(map, "work"),
                              WS_TEXT("`work` is an amount of something"), "of what?",
                              ws_build_text(context, "write `%.*s samples` (or tokens, or steps)",
                                            WS_TEXT_ARGS(shown)));
    }
    out->spec.work = stage->work.amount;
    out->spec.unit = (ws_work_unit)stage->work.unit;
    return stage->work.amount > 0 ||
           ws_build_error(context, 3107, ws_build_at(map, "work"), WS_TEXT("`work` is above 0"),
                          "nothing to do", WS_TEXT(""));
}

/** Every stage must leave the job a legal size. */
static bool stages_check_sizes(ws_build *context, const ws_file_stage *stage,
                               const ws_job_template *template, const ws_stage_spec *spec)
{
    ws_job_spec probe = ws_build_probe(template, spec);

    if (ws_job_legal_at_least(&probe, 0, 1) > 0) {
        return true;
    }
    return ws_build_error(context, 4203, ws_build_at(stage->self, "replicas"),
                          ws_build_text(context, "stage `%.*s` leaves the job no legal size",
                                        WS_TEXT_ARGS(stage->name)),
                          "outside of the job's sizes", WS_TEXT(""));
}

static int32_t stages_min(int64_t a, int64_t b)
{
    return (int32_t)(a < b ? a : b);
}

/** Sizes outside of a measured curve are extrapolated: said once a stage. */
static void stages_warn_extrapolated(ws_build *context, const ws_file_stage *stage,
                                     const ws_job_template *template, const ws_stage_spec *spec)
{
    int32_t low = 0;
    int32_t high = 0;
    /* What the pools cannot bear never happens, and is told elsewhere. */
    int64_t reach = ws_build_reachable_replicas(context, &template->kind);
    int32_t most = stages_min(stages_min(spec->replicas_max, template->replicas_max), reach);
    int32_t least =
        spec->replicas_min > template->replicas_min ? spec->replicas_min : template->replicas_min;

    spec->step.type->valid_range(spec->step.parameters, &low, &high);
    if (high == 0 || (most <= high && least >= low)) {
        return;
    }
    ws_build_warn(
        context,
        &(ws_diagnostic){
            .code = 4305,
            .message = ws_build_text(
                context,
                "stage `%.*s` may run at %d to %d replicas; its curve was measured at %d to %d",
                WS_TEXT_ARGS(stage->name), least, most, low, high),
            .at = stage->self->at,
            .label = WS_TEXT("extrapolated"),
            .notes = {most > high ? WS_TEXT("above the largest measured size the rate is taken to "
                                            "stay as it is")
                                  : WS_TEXT("below the smallest measured size the rate is taken to "
                                            "fall in proportion")}});
    ws_build_assume(context,
                    ws_build_text(context, "stage %.*s: extrapolated outside of %d to %d replicas",
                                  WS_TEXT_ARGS(stage->name), low, high));
}

/** A world of a stage on the first pool that the job accepts. */
static ws_world stages_world(const ws_build *context, const ws_job_template *template,
                             int32_t replicas)
{
    const ws_scenario *scenario = context->scenario;
    size_t pool = 0;

    while (pool + 1 < scenario->pool_count && ((template->kind.pools >> pool) & 1) == 0) {
        pool++;
    }
    return ws_world_packed(replicas, template->kind.gpus_per_replica,
                           scenario->pools[pool].gpus_per_node,
                           scenario->network != NULL ? &scenario->network->fabric : NULL);
}

/** Communication outside of the network's measured collectives: a warning, or beyond what can be
 * extrapolated an error. */
static bool stages_check_coverage(ws_build *context, const ws_file_stage *stage,
                                  const ws_job_template *template, const ws_step *step)
{
    int32_t sizes[] = {template->replicas_min, template->replicas_max};
    ws_coverage worst = WS_COVERED;

    for (size_t i = 0; step->type->coverage != NULL && i < WS_COUNT_OF(sizes); i++) {
        ws_world world = stages_world(context, template, sizes[i]);
        ws_coverage here = step->type->coverage(step->parameters, &world);

        worst = here > worst ? here : worst;
    }
    if (worst == WS_BEYOND) {
        return ws_build_error(
            context, 4208, stage->self->at,
            ws_build_text(context,
                          "what stage `%.*s` communicates is beyond what the network's "
                          "collectives were measured for",
                          WS_TEXT_ARGS(stage->name)),
            "more than 4 times the largest size, or another operation",
            WS_TEXT("measure larger arrays, or take a model that is a formula: `model: nccl`"));
    }
    if (worst == WS_EXTRAPOLATED) {
        ws_build_warn(
            context,
            &(ws_diagnostic){
                .code = 4305,
                .message = ws_build_text(context,
                                         "stage `%.*s` communicates outside of what the network's "
                                         "collectives were measured for",
                                         WS_TEXT_ARGS(stage->name)),
                .at = stage->self->at,
                .label = WS_TEXT("extrapolated"),
                .notes = {WS_TEXT("other numbers of ranks are scaled as rings are, larger arrays "
                                  "go on at the bandwidth of the largest")}});
        ws_build_assume(context,
                        ws_build_text(context, "stage %.*s: its communication is extrapolated",
                                      WS_TEXT_ARGS(stage->name)));
    }
    return true;
}

/** Of the stage, or the job's; of time nothing is said. */
static const ws_file_efficiency *stages_efficiency(const stages_job *job,
                                                   const ws_file_stage *stage)
{
    bool is_own = stage->efficiency != NULL || stage->has_duration;

    return is_own ? stage->efficiency : job->file->efficiency;
}

static bool stages_one(ws_build *context, const stages_job *job, const ws_file_stage *stage,
                       ws_stage_template *out)
{
    out->spec.name = stage->name;
    out->spec.replicas_min = (int32_t)stage->replicas.min;
    out->spec.replicas_max = (int32_t)stage->replicas.max;
    bool sound = stages_check_sizes(context, stage, job->template, &out->spec);

    if (!stages_amount(context, stage, out) ||
        !ws_build_stage_batch(context, job->template, stage, &out->spec) ||
        !ws_build_stage_efficiency(context, stages_efficiency(job, stage), stage, &out->spec)) {
        return false;
    }
    bool paced = stage->has_work ? stages_work_rate(context, job, stage, &out->spec)
                                 : stages_duration_rate(context, job, stage, &out->spec.step);
    paced = paced && ws_build_stage_pauses(context, job->file, stage, &out->spec) &&
            ws_build_stage_reads(context, job->file, stage, &out->spec);
    if (sound && paced) {
        stages_warn_extrapolated(context, stage, job->template, &out->spec);
        sound = stages_check_coverage(context, stage, job->template, &out->spec.step);
    }
    return sound && paced;
}

static bool stages_check_names(ws_build *context, const ws_file_stage *files, size_t count)
{
    ws_build_named *named = ws_build_new(context, ws_build_named, count);

    for (size_t i = 0; named != NULL && i < count; i++) {
        named[i] =
            (ws_build_named){.name = files[i].name, .at = ws_build_at(files[i].self, "name")};
    }
    return named != NULL && ws_build_check_names(context, "stages", named, count, WS_TEXT(""));
}

/** The stages as they are written, or those of a preset; NULL with a diagnostic. */
static const ws_file_stage *stages_files(ws_build *context, const ws_file_job *file, size_t *count)
{
    *count = file->stages.count;
    if (file->schedule != NULL) {
        return ws_build_schedule(context, file->schedule, count);
    }
    if (*count >= 1 && *count <= WS_STAGES_MAX) {
        return file->stages.items;
    }
    (void)ws_build_error(
        context, 9020, ws_build_key_at(file->self, "stages"),
        ws_build_text(context, "a job has 1 to %d stages, not %zu", WS_STAGES_MAX, *count),
        *count == 0 ? "none" : "too many", WS_TEXT(""));
    return NULL;
}

bool ws_build_stages(ws_build *context, const ws_file_job *file, ws_job_template *template)
{
    WS_ASSERT(template != NULL);

    stages_job job = {.file = file, .template = template};
    size_t count = 0;
    const ws_file_stage *files = stages_files(context, file, &count);
    ws_stage_template *stages =
        files == NULL ? NULL : ws_build_new(context, ws_stage_template, count);

    if (stages == NULL) {
        return false;
    }
    job.is_sound = file->step == NULL || ws_build_read_model(context, file->step, &job.model);
    job.is_sound = ws_build_read_speedup(context, file->speedup, &job.speedup) && job.is_sound;
    bool sound = stages_check_names(context, files, count) && job.is_sound;
    for (size_t i = 0; i < count; i++) {
        sound = stages_one(context, &job, &files[i], &stages[i]) && sound;
    }
    sound = sound && ws_build_noise_scales(context, file, files, stages, count);
    template->stages = stages;
    template->stage_count = count;
    return sound;
}
