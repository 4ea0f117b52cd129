/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scenario as a whole: its keys, what its parts must agree on, and the order in which they are
 * built. */
#include "build.h"

/* ---- checks ---- */

/** A duration as it could be written, with a blank before its unit: "8 d", "1h30m". */
static ws_text scenario_duration_text(ws_build *context, ws_duration duration)
{
    char text[WS_QUANTITY_TEXT_BYTES];
    size_t length =
        ws_quantity_print((ws_quantity){.integer = duration.ns}, WS_QUANTITY_DURATION, text);
    size_t digits = 0;

    while (digits < length && text[digits] >= '0' && text[digits] <= '9') {
        digits++;
    }
    if (digits + 1 != length) {
        return ws_build_text(context, "%s", text);
    }
    return ws_build_text(context, "%.*s %s", (int)digits, text, text + digits);
}

static bool scenario_check_warmup(ws_build *context, const ws_file_scenario *file)
{
    if (file->warmup.ns < file->horizon.ns) {
        return true;
    }
    ws_text warmup = scenario_duration_text(context, file->warmup);
    ws_text horizon = scenario_duration_text(context, file->horizon);
    return ws_build_fault(
        context,
        &(ws_diagnostic){
            .code = 4201,
            .message = WS_TEXT("`warmup` is not shorter than `horizon`: nothing would be measured"),
            .at = ws_build_at(file->self, "warmup"),
            .label = ws_build_text(context, "%.*s of warm-up", WS_TEXT_ARGS(warmup)),
            .also = ws_build_at(file->self, "horizon"),
            .also_label = ws_build_text(context, "in a run of %.*s", WS_TEXT_ARGS(horizon))});
}

static bool scenario_check_workload(ws_build *context, const ws_file_scenario *file)
{
    if (file->workload.jobs.count > 0 || file->workload.trace != NULL ||
        file->workload.demand != NULL) {
        return true;
    }
    return ws_build_error(context, 2102, ws_build_key_at(file->self, "workload"),
                          WS_TEXT("the workload has neither `jobs` nor a `trace` nor `demand`"),
                          "nobody wants a GPU", WS_TEXT("add `jobs:`, `trace:` or `demand:`"));
}

/* ---- parts ---- */

static void scenario_fill(const ws_file_scenario *file, ws_scenario *scenario)
{
    int64_t day_s = INT64_C(24) * 3600;

    scenario->name = file->name;
    scenario->seed = (uint64_t)file->seed;
    scenario->replications = file->replications;
    scenario->horizon.ns = file->horizon.ns;
    scenario->warmup = file->warmup;
    scenario->day_offset_s = file->start.given ? ((file->start.unix_s % day_s) + day_s) % day_s : 0;
    scenario->spread = file->scheduling.placement == 1;
    scenario->arbiter = ws_arbiter_at((size_t)file->scheduling.arbiter);
    scenario->regrow = file->scheduling.regrow;
    scenario->leave_draining = file->scheduling.drain == 1;
    scenario->monitoring = (ws_monitoring_spec){.scrape = file->monitoring.scrape,
                                                .window = file->monitoring.window,
                                                .delay = file->monitoring.delay};
}

/** The job that an objective is about, or NULL: the one that it names, else the main job. */
static const ws_job_kind *scenario_objective_job(const ws_workload *workload, ws_text of)
{
    for (size_t i = 0; i < workload->template_count; i++) {
        const ws_job_kind *kind = &workload->templates[i].kind;

        if (of.length == 0 ? kind->main_job : ws_text_equals(kind->name, of)) {
            return kind;
        }
    }
    return NULL;
}

static bool scenario_objective(ws_build *context, const ws_file_objective *file)
{
    const ws_job_kind *kind = NULL;

    if (file == NULL) {
        return true;
    }
    kind = scenario_objective_job(&context->scenario->workload, file->of);
    if (kind == NULL && file->of.length == 0) {
        return ws_build_error(
            context, 4101, file->self->at, WS_TEXT("the objective has no job whose time counts"),
            "no job is submitted at a stated time", WS_TEXT("`of` names a job of the workload"));
    }
    if (kind == NULL) {
        return ws_build_error(context, 4101, ws_build_at(file->self, "of"),
                              ws_build_text(context, "the objective's job `%.*s` does not exist",
                                            WS_TEXT_ARGS(file->of)),
                              "no job has this name", WS_TEXT("`of` names a job of the workload"));
    }
    context->scenario->objective = (ws_objective){.given = true,
                                                  .of = kind->name,
                                                  .value_of_time = file->value_of_time,
                                                  .unfinished = file->unfinished,
                                                  .deadline = file->deadline};
    return true;
}

bool ws_build_scenario(ws_build *context, ws_document *root)
{
    WS_ASSERT(root != NULL);

    ws_file_scenario *file = ws_build_new(context, ws_file_scenario, 1);
    ws_parameter_binding binding = {.table = &ws_file_scenario_table, .object = file};

    context->file = NULL;
    if (file == NULL ||
        !ws_parameters_read(root, WS_TEXT(""), &binding, 1, context->arena, context->diag)) {
        return false;
    }
    context->file = file;
    scenario_fill(file, context->scenario);
    ws_build_channels(context);
    bool sound = ws_parameters_check_currency(root, binding.table, context->currency,
                                              context->arena, context->diag);
    sound = scenario_check_warmup(context, file) && sound;
    sound = scenario_check_workload(context, file) && sound;
    sound = ws_build_cluster(context) && sound;
    if (context->scenario->pool_count == 0) {
        return false;
    }
    sound = ws_build_network(context) && sound;
    sound = ws_build_storage_price(context) && sound;
    sound = ws_build_jobs(context) && sound;
    sound = ws_build_trace(context) && sound;
    if (sound) {
        ws_build_warn_storage_price(context);
    }
    context->has_names = context->scenario->workload.template_count >= file->workload.jobs.count;
    return scenario_objective(context, file->objective) && sound;
}
