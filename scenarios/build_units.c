/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batches, and conversions between samples, tokens and steps. */
#include "build_stage.h"

const char *ws_build_unit_word(ws_work_unit unit)
{
    switch (unit) {
    case WS_WORK_NONE:
        return "work";
    case WS_WORK_SAMPLES:
        return "samples";
    case WS_WORK_TOKENS:
        return "tokens";
    case WS_WORK_STEPS:
        return "steps";
    }
    return "";
}

/* ---- the batch ---- */

/** An elastic batch rule gives the batch of all stages. */
static bool units_ruled_batch(ws_build *context, const ws_job_template *template,
                              const ws_file_stage *stage, ws_stage_spec *spec)
{
    double stated = (double)stage->global_batch;
    const char *other = stage->batch_tokens > 0 ? "batch_tokens" : "replica_batch";

    spec->batch = template->batch;
    if (stage->batch_tokens > 0 || stage->replica_batch > 0) {
        return ws_build_error(context, 2302, ws_build_at(stage->self, other),
                              WS_TEXT("the elastic batch rule states the batch of all stages"),
                              "this one too", WS_TEXT("remove it"));
    }
    if (stage->global_batch == 0 ||
        !(stated < spec->batch.global_batch || stated > spec->batch.global_batch)) {
        return true;
    }
    return ws_build_error(
        context, 2302, ws_build_at(stage->self, "global_batch"),
        ws_build_text(context, "the elastic batch rule makes steps of %.0f samples, not of %lld",
                      spec->batch.global_batch, (long long)stage->global_batch),
        "another batch", WS_TEXT("remove it"));
}

bool ws_build_stage_batch(ws_build *context, const ws_job_template *template,
                          const ws_file_stage *stage, ws_stage_spec *spec)
{
    int stated = (stage->global_batch > 0) + (stage->batch_tokens > 0) + (stage->replica_batch > 0);

    if (template->batch.global_batch > 0) {
        return units_ruled_batch(context, template, stage, spec);
    }
    if (stated > 1) {
        return ws_build_error(
            context, 2302, stage->self->at,
            ws_build_text(context, "stage `%.*s` states its batch more than once",
                          WS_TEXT_ARGS(stage->name)),
            "this stage", WS_TEXT("keep one of `global_batch`, `batch_tokens`, `replica_batch`"));
    }
    if (stage->batch_tokens > 0 && stage->sequence == 0) {
        return ws_build_error(context, 2102, ws_build_at(stage->self, "batch_tokens"),
                              WS_TEXT("`batch_tokens` needs `sequence`, the tokens of a sample"),
                              "how many samples are these?", WS_TEXT("add `sequence: 4096`"));
    }
    spec->batch.global_batch = stage->batch_tokens > 0
                                   ? (double)stage->batch_tokens / (double)stage->sequence
                                   : (double)stage->global_batch;
    spec->batch.replica_batch = (double)stage->replica_batch;
    return true;
}

/* ---- units ---- */

double ws_build_unit_samples(const ws_file_stage *stage, const ws_stage_spec *spec,
                             ws_work_unit unit)
{
    switch (unit) {
    case WS_WORK_NONE:
        return 0;
    case WS_WORK_SAMPLES:
        return 1;
    case WS_WORK_TOKENS:
        return stage->sequence > 0 ? 1 / (double)stage->sequence : 0;
    case WS_WORK_STEPS:
        return spec->efficiency.base_batch > 0 ? spec->efficiency.base_batch
                                               : spec->batch.global_batch;
    }
    return 0;
}

/** What is missing to convert between two units, as text to paste. */
static ws_text units_help(const ws_file_stage *stage, ws_work_unit a, ws_work_unit b)
{
    bool has_tokens = a == WS_WORK_TOKENS || b == WS_WORK_TOKENS;

    return has_tokens && stage->sequence == 0 ? WS_TEXT("add `sequence: 4096` to the stage")
                                              : WS_TEXT("add `global_batch: 1024` to the stage");
}

static bool units_refuse(ws_build *context, const ws_file_stage *stage, const ws_build_model *model)
{
    ws_work_unit unit = (ws_work_unit)stage->work.unit;

    return ws_build_fault(
        context, &(ws_diagnostic){.code = 4205,
                                  .message = ws_build_text(
                                      context, "stage `%.*s` is %s, but its rates are %s a second",
                                      WS_TEXT_ARGS(stage->name), ws_build_unit_word(unit),
                                      ws_build_unit_word(model->unit)),
                                  .at = ws_build_at(stage->self, "work"),
                                  .label = WS_TEXT("nothing converts one into the other"),
                                  .also = model->value->at,
                                  .also_label = WS_TEXT("the rates"),
                                  .help = units_help(stage, unit, model->unit)});
}

/** Steps of a batch that follows the size: their rate is known when the size is. */
static bool units_of_size(const ws_file_stage *stage, const ws_stage_spec *spec)
{
    return stage->work.unit == WS_WORK_STEPS && spec->batch.replica_batch > 0 &&
           !(spec->efficiency.base_batch > 0);
}

bool ws_build_stage_unit(ws_build *context, const ws_file_stage *stage, const ws_build_model *model,
                         ws_stage_spec *spec)
{
    ws_work_unit unit = (ws_work_unit)stage->work.unit;
    bool of_size = units_of_size(stage, spec);
    double of_model = ws_build_unit_samples(stage, spec, model->unit);
    double of_stage = of_size ? 1 : ws_build_unit_samples(stage, spec, unit);

    spec->work_per_step_work = 1 / stage->step_time;
    if (model->unit == unit || model->unit == WS_WORK_NONE) {
        bool counts_at_base = unit == WS_WORK_STEPS && spec->efficiency.base_batch > 0 &&
                              spec->batch.global_batch > 0;
        if (counts_at_base) { /* a step of M samples is as many steps of M0 */
            spec->work_per_step_work *= spec->batch.global_batch / spec->efficiency.base_batch;
        }
        return true;
    }
    if (!(of_model > 0) || !(of_stage > 0)) {
        return units_refuse(context, stage, model);
    }
    spec->is_work_steps = of_size;
    spec->work_per_step_work *= of_model / of_stage;
    return true;
}

/* ---- pauses ---- */

/** An amount in any unit as work of the stage. */
static bool units_interval(ws_build *context, const ws_file_stage *stage, const ws_stage_spec *spec,
                           ws_work amount, const ws_document *at, double *every)
{
    ws_work_unit unit = (ws_work_unit)amount.unit;
    double of_amount = ws_build_unit_samples(stage, spec, unit);
    double of_stage = ws_build_unit_samples(stage, spec, spec->unit);

    if (!(amount.amount > 0) || unit == WS_WORK_NONE) {
        return ws_build_error(context, 3107, at->at, WS_TEXT("this is an amount of work above 0"),
                              "of what?", WS_TEXT("write `1k steps` (or samples, or tokens)"));
    }
    if (spec->unit == unit) {
        *every = amount.amount;
        return true;
    }
    if (!(of_amount > 0) || !(of_stage > 0)) {
        return ws_build_error(
            context, 4205, at->at,
            ws_build_text(context, "stage `%.*s` is %s; nothing says how many that are of these",
                          WS_TEXT_ARGS(stage->name),
                          spec->unit == WS_WORK_NONE ? "time" : ws_build_unit_word(spec->unit)),
            ws_build_text(context, "%s", ws_build_unit_word(unit)).start,
            units_help(stage, unit, spec->unit));
    }
    *every = amount.amount * of_amount / of_stage;
    return true;
}

bool ws_build_stage_pauses(ws_build *context, const ws_file_job *job, const ws_file_stage *stage,
                           ws_stage_spec *spec)
{
    const ws_file_evaluation *evaluation =
        stage->evaluation != NULL ? stage->evaluation : job->evaluation;
    const ws_file_checkpoint *checkpoint = job->checkpoint;
    bool sound = true;

    if (evaluation != NULL) {
        spec->evaluation.time = evaluation->time;
        sound =
            units_interval(context, stage, spec, evaluation->every,
                           ws_document_find(evaluation->self, "every"), &spec->evaluation.every);
    }
    if (checkpoint != NULL && checkpoint->every_steps > 0) {
        ws_work steps = {.amount = (double)checkpoint->every_steps, .unit = WS_WORK_STEPS};
        sound = units_interval(context, stage, spec, steps,
                               ws_document_find(checkpoint->self, "every_steps"),
                               &spec->checkpoint_every) &&
                sound;
    }
    return sound;
}

/* ---- training data ---- */

bool ws_build_stage_reads(ws_build *context, const ws_file_job *job, const ws_file_stage *stage,
                          ws_stage_spec *spec)
{
    const ws_file_data *data = job->data;

    if (data == NULL || spec->unit == WS_WORK_NONE) {
        return true;
    }
    double samples = spec->is_work_steps ? 1 : ws_build_unit_samples(stage, spec, spec->unit);
    if (!(samples > 0)) {
        return ws_build_error(
            context, 4205, ws_build_at(data->self, "bytes_per_sample"),
            ws_build_text(context, "stage `%.*s` is %s; nothing says how many samples that are",
                          WS_TEXT_ARGS(stage->name), ws_build_unit_word(spec->unit)),
            "of a sample", units_help(stage, spec->unit, WS_WORK_SAMPLES));
    }
    spec->read_bytes = (double)data->bytes_per_sample * samples;
    return true;
}
