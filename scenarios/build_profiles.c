/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "build_profiles.h"

#include "ws/step_measured.h"
#include "ws/trace_profile.h"

#define PROFILES_APPLICATIONS_MAX 64
#define PROFILES_TRAININGS_MAX 512

typedef struct {
    ws_text name;
    const ws_measured_profile *measured; /* NULL: it has faults, which were told */
} profiles_application;

/** An application with the batch of some jobs. */
typedef struct {
    ws_text application;
    int32_t batch_samples;
    double work; /* samples */
    ws_measured measured;
} profiles_training;

struct ws_build_profiles {
    ws_text folder; /* as written, without a slash at its end */
    ws_span at;
    profiles_application *applications;
    size_t application_count;
    profiles_training *trainings;
    size_t training_count;
    bool is_sound;
};

static const profiles_training *profiles_find(const ws_build_profiles *self,
                                              const ws_trace_job *job)
{
    for (size_t i = 0; i < self->training_count; i++) {
        const profiles_training *training = &self->trainings[i];
        if (training->batch_samples == job->batch_samples &&
            ws_text_equals(training->application, job->kind)) {
            return training;
        }
    }
    return NULL;
}

/** A file of the folder, by its name as it is shown. */
static bool profiles_file(ws_build *context, const ws_build_profiles *self, ws_text shown,
                          ws_file_name *file)
{
    ws_path_request request = {.path = shown,
                               .folder = context->folder,
                               .key = WS_TEXT("profiles"),
                               .at = self->at,
                               .roots = &context->options->roots};
    ws_text path = {.length = 0};

    if (!ws_path_resolve(&path, &request, context->arena, context->diag)) {
        return false;
    }
    *file = (ws_file_name){.path = path.start, .shown = shown, .at = self->at};
    return ws_build_note_input(context, file, WS_TEXT("profile"));
}

/** Both tables of step times. */
static bool profiles_read_steps(ws_build *context, const ws_build_profiles *self,
                                const profiles_application *application, ws_trace_profile *profile)
{
    ws_file_name file = {.path = NULL};
    ws_text placements = ws_build_text(context, "%.*s/%.*s/placements.csv",
                                       WS_TEXT_ARGS(self->folder), WS_TEXT_ARGS(application->name));
    ws_text scalability =
        ws_build_text(context, "%.*s/%.*s/scalability.csv", WS_TEXT_ARGS(self->folder),
                      WS_TEXT_ARGS(application->name));

    return profiles_file(context, self, placements, &file) &&
           ws_trace_profile_read_placements(profile, &file, context->arena, context->diag) &&
           profiles_file(context, self, scalability, &file) &&
           ws_trace_profile_read_scalability(profile, &file, context->arena, context->diag);
}

/** The step model of what was read. */
static bool profiles_measure(ws_build *context, const ws_build_profiles *self,
                             const ws_trace_profile *profile, profiles_application *application)
{
    ws_measurement *rows = ws_build_new(context, ws_measurement, profile->count + 1);

    if (rows == NULL) {
        return false;
    }
    for (size_t i = 0; i < profile->count; i++) {
        const ws_trace_profile_row *row = &profile->rows[i];
        rows[i] = (ws_measurement){.nodes = row->nodes,
                                   .gpus = row->gpus,
                                   .local_batch = row->local_batch,
                                   .step_s = row->step_s};
    }
    if (!ws_measured_has_single(rows, profile->count)) {
        ws_text name = ws_build_shown(application->name);
        return ws_build_error(
            context, 4312, self->at,
            ws_build_text(context, "the profile of `%.*s` has no step on one GPU",
                          WS_TEXT_ARGS(name)),
            "says what its larger sizes communicate",
            WS_TEXT("measure the placement `1`, with all batches that fit a GPU"));
    }
    application->measured = ws_measured_profile_of(rows, profile->count, context->arena);
    return application->measured != NULL ||
           ws_diag_error(context->diag, 9007, ws_span_none, "out of memory while loading");
}

/** The application of that name, read when it is met first; NULL when there are too many. */
static const profiles_application *profiles_application_of(ws_build *context,
                                                           ws_build_profiles *self, ws_text name)
{
    ws_trace_profile profile = {.count = 0};

    for (size_t i = 0; i < self->application_count; i++) {
        if (ws_text_equals(self->applications[i].name, name)) {
            return &self->applications[i];
        }
    }
    if (self->application_count == PROFILES_APPLICATIONS_MAX) {
        (void)ws_build_error(context, 9020, self->at,
                             ws_build_text(context, "a trace has at most %d applications",
                                           PROFILES_APPLICATIONS_MAX),
                             "more are needed", WS_TEXT(""));
        return NULL;
    }
    profiles_application *application = &self->applications[self->application_count++];
    application->name = name;
    bool read = profiles_read_steps(context, self, application, &profile) &&
                profiles_measure(context, self, &profile, application);
    self->is_sound = self->is_sound && read;
    return application;
}

/** The steps of a training at the job's batch make its work. */
static bool profiles_read_work(ws_build *context, const ws_build_profiles *self,
                               profiles_training *training)
{
    ws_file_name file = {.path = NULL};
    int64_t iterations = 0;
    ws_text shown =
        ws_build_text(context, "%.*s/%.*s/validation-%d.csv", WS_TEXT_ARGS(self->folder),
                      WS_TEXT_ARGS(training->application), (int)training->batch_samples);

    if (!profiles_file(context, self, shown, &file) ||
        !ws_trace_profile_read_iterations(&iterations, &file, context->diag)) {
        return false;
    }
    training->work = (double)iterations * training->batch_samples;
    return true;
}

/** Adds what a job needs. False when there is too much of it. */
static bool profiles_add(ws_build *context, ws_build_profiles *self, const ws_trace_job *job)
{
    const profiles_application *application = profiles_application_of(context, self, job->kind);

    if (application == NULL) {
        return false;
    }
    if (self->training_count == PROFILES_TRAININGS_MAX) {
        return ws_build_error(
            context, 9020, self->at,
            ws_build_text(context, "a trace has at most %d batches", PROFILES_TRAININGS_MAX),
            "more are needed", WS_TEXT(""));
    }
    profiles_training *training = &self->trainings[self->training_count++];
    *training = (profiles_training){
        .application = job->kind,
        .batch_samples = job->batch_samples,
        .measured = {.profile = application->measured, .global_batch = job->batch_samples}};
    if (application->measured != NULL) {
        self->is_sound = profiles_read_work(context, self, training) && self->is_sound;
    }
    return true;
}

static bool profiles_check_job(ws_build *context, const ws_build_profiles *self,
                               const ws_trace_job *job)
{
    ws_text id = ws_build_shown(job->id);

    if (job->batch_samples > 0 && job->kind.length > 0) {
        return true;
    }
    return ws_build_error(
        context, 4313, self->at,
        ws_build_text(context, "job `%.*s` of the trace states no %s", WS_TEXT_ARGS(id),
                      job->batch_samples > 0 ? "application" : "batch"),
        "its profile cannot be told", WS_TEXT("leave `profiles` out where run times are recorded"));
}

/** An empty set, with room; NULL when the arena is exhausted. */
static ws_build_profiles *profiles_new(ws_build *context, const ws_file_trace *file)
{
    ws_build_profiles *self = ws_build_new(context, ws_build_profiles, 1);

    if (self == NULL) {
        return NULL;
    }
    *self = (ws_build_profiles){
        .folder = file->profiles,
        .at = ws_build_at(file->self, "profiles"),
        .applications = ws_build_new(context, profiles_application, PROFILES_APPLICATIONS_MAX),
        .trainings = ws_build_new(context, profiles_training, PROFILES_TRAININGS_MAX),
        .is_sound = true};
    while (ws_text_ends_with(self->folder, WS_TEXT("/"))) {
        self->folder.length--;
    }
    return self->applications != NULL && self->trainings != NULL ? self : NULL;
}

bool ws_build_read_profiles(ws_build *context, const ws_file_trace *file, const ws_trace *trace,
                            const ws_build_profiles **profiles)
{
    ws_build_profiles *self = profiles_new(context, file);

    WS_ASSERT(file->profiles.length > 0);
    if (self == NULL) {
        return false;
    }
    for (size_t i = 0; i < trace->count; i++) {
        const ws_trace_job *job = &trace->jobs[i];
        if (!profiles_check_job(context, self, job)) {
            return false;
        }
        if (profiles_find(self, job) == NULL && !profiles_add(context, self, job)) {
            return false;
        }
    }
    *profiles = self;
    return self->is_sound;
}

void ws_build_apply_profile(const ws_build_profiles *profiles, const ws_trace_job *job,
                            ws_stage_spec *stage)
{
    const profiles_training *training = profiles_find(profiles, job);

    WS_ASSERT(training != NULL);
    WS_ASSERT(training->work > 0);
    stage->name = WS_TEXT("training");
    stage->work = training->work;
    stage->unit = WS_WORK_SAMPLES;
    stage->step = (ws_step){.type = &ws_step_measured, .parameters = &training->measured};
}

void ws_build_assume_profiles(ws_build *context, const ws_file_trace *file, const ws_job_spec *jobs,
                              size_t count)
{
    size_t beyond = 0;

    for (size_t i = 0; i < count; i++) {
        const ws_step *step = &jobs[i].stages[0].step;
        int32_t low = 0;
        int32_t high = 0;
        step->type->valid_range(step->parameters, &low, &high);
        beyond += jobs[i].replicas_max > high ? 1 : 0;
    }
    ws_build_assume(
        context, ws_build_text(context,
                               "trace %.*s: the work of a job is the last iteration of its "
                               "application's validation-BATCH.csv times its batch, which it keeps "
                               "at every size",
                               WS_TEXT_ARGS(file->file)));
    ws_build_assume(
        context,
        ws_build_text(context,
                      "trace %.*s: step times are those of %.*s, means over placements of equal "
                      "nodes and GPUs, linear in between; above the largest batch measured on one "
                      "GPU gradients are accumulated",
                      WS_TEXT_ARGS(file->file), WS_TEXT_ARGS(file->profiles)));
    if (beyond > 0) {
        ws_build_assume(context, ws_build_text(context,
                                               "trace %.*s: %zu jobs may take more GPUs than were "
                                               "measured at their batch: extrapolated",
                                               WS_TEXT_ARGS(file->file), beyond));
    }
}
