/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stated jobs: from what is written to templates that worlds are drawn from. */
#include "build.h"

static bool jobs_check_per_replica(ws_build *context, const ws_file_job *file,
                                   const ws_job_kind *kind)
{
    const ws_scenario *scenario = context->scenario;

    for (size_t pool = 0; pool < scenario->pool_count; pool++) {
        int32_t per_node = scenario->pools[pool].gpus_per_node;

        if (((kind->pools >> pool) & 1) == 0 || kind->gpus_per_replica <= per_node ||
            kind->gpus_per_replica % per_node == 0) {
            continue;
        }
        return ws_build_error(
            context, 4204, ws_build_at(ws_document_find(file->self, "gpus"), "per_replica"),
            ws_build_text(
                context, "a replica of %d GPUs is no whole number of nodes of %d in pool `%.*s`",
                kind->gpus_per_replica, per_node, WS_TEXT_ARGS(scenario->pools[pool].name)),
            "neither within a node nor whole nodes",
            ws_build_text(context, "use %d or a multiple of it", per_node));
    }
    return true;
}

/** @param demand  where the work comes from; NULL: from the stages */
static bool jobs_template(ws_build *context, const ws_file_job *file, const ws_file_demand *demand,
                          ws_job_template *template)
{
    const ws_document *gpus = ws_document_find(file->self, "gpus");

    *template = (ws_job_template){
        .kind = {.name = file->name,
                 .entity = ws_text_hash(file->name),
                 .priority = (int32_t)file->priority,
                 .gpus_per_replica = (int32_t)file->gpus.per_replica,
                 .elasticity = ws_elasticity_at((size_t)file->elasticity.mode),
                 .usage = {.cpu = file->usage.cpu,
                           .memory = file->usage.memory,
                           .nccl_sm = file->usage.nccl_sm}},
        .deadline = file->deadline,
    };
    template->kind.has_demand = demand != NULL;
    bool sound = ws_build_arrivals(context, file, &template->arrivals);
    sound = ws_build_labels(context, file->labels, &template->kind) && sound;
    sound = ws_build_checkpoint(context, file->checkpoint, &template->kind) && sound;
    sound = ws_build_worker_start(context, &file->worker_start, &template->kind.start) && sound;
    bool placed = ws_build_accepted_pools(context, &file->gpus.types, file->gpus.speed,
                                          ws_build_at(gpus, "types"), &template->kind) &&
                  jobs_check_per_replica(context, file, &template->kind);
    bool sized = ws_build_sizes(context, file, template) &&
                 (demand != NULL ? ws_build_demand(context, demand, template)
                                 : ws_build_stages(context, file, template));
    if (placed && sized) {
        sized = ws_build_check_reach(context, file, template) &&
                ws_build_disks(context, file->checkpoint, file->data, template->replicas_min,
                               &template->kind) &&
                ws_build_data(context, file->data, template);
    }
    return sound && placed && sized;
}

/** Names of stated jobs and of the trace's, which share streams of random numbers and targets. */
static bool jobs_check_names(ws_build *context, const ws_file_workload *file)
{
    const ws_file_job *jobs = file->jobs.items;
    ws_build_named *named = ws_build_new(context, ws_build_named, file->jobs.count + 2);
    size_t count = file->jobs.count;

    if (named == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        named[i] = (ws_build_named){.name = jobs[i].name, .at = ws_build_at(jobs[i].self, "name")};
    }
    if (file->trace != NULL) {
        named[count] = (ws_build_named){.name = file->trace->name,
                                        .at = ws_build_at(file->trace->self, "name")};
        count++;
    }
    if (file->demand != NULL) {
        named[count] = (ws_build_named){.name = file->demand->name,
                                        .at = ws_build_at(file->demand->self, "name")};
        count++;
    }
    return ws_build_check_names(context, "jobs", named, count, WS_TEXT(""));
}

/** The job that has the demand of a recording. */
static bool jobs_demand(ws_build *context, ws_file_demand *demand, ws_job_template *template)
{
    demand->job.self = demand->self;
    demand->job.name = demand->name;
    demand->series.self = demand->self;
    if (demand->recorded_replicas != NULL) {
        demand->recorded_replicas->series.self = demand->recorded_replicas->self;
    }
    return jobs_template(context, &demand->job, demand, template);
}

bool ws_build_jobs(ws_build *context)
{
    WS_ASSERT(context->file != NULL);

    const ws_list *list = &context->file->workload.jobs;
    const ws_file_job *files = list->items;
    ws_job_template *templates = ws_build_new(context, ws_job_template, list->count + 1);
    ws_file_demand *demand = context->file->workload.demand;
    size_t count = list->count + (demand != NULL ? 1 : 0);
    bool has_main = false;
    bool sound = templates != NULL && jobs_check_names(context, &context->file->workload);

    if (templates == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        ws_job_kind *kind = &templates[i].kind;

        sound = (i < list->count ? jobs_template(context, &files[i], NULL, &templates[i])
                                 : jobs_demand(context, demand, &templates[i])) &&
                sound;
        kind->main_job = !has_main && templates[i].arrivals.kind == WS_ARRIVALS_AT;
        has_main = has_main || kind->main_job;
    }
    context->scenario->workload.templates = templates;
    context->scenario->workload.template_count = count;
    return sound;
}
