/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the models of a stated job say of its metrics at a size, for policies' checks. */
#include "build.h"
#include "ws/metric.h"

typedef struct {
    const ws_workload *workload;
    const ws_job_kind *kind;
    ws_job_spec job; /* its sizes and stages */
    size_t pool;
    const ws_pool_spec *pool_spec;
    const ws_fabric *fabric; /* NULL: none */
} outlook_job;

/** Whether the series of a query are those of the job, and of no other. */
static bool outlook_is_alone(const outlook_job *outlook, const ws_query *query)
{
    const ws_workload *workload = outlook->workload;
    bool is_own = query->source != WS_QUERY_EXTERNAL;

    if (!ws_build_query_picks(query, outlook->kind)) {
        return false;
    }
    for (size_t i = 0; !is_own && i < workload->template_count; i++) {
        const ws_job_kind *other = &workload->templates[i].kind;

        if (other != outlook->kind && ws_build_query_picks(query, other)) {
            return false;
        }
    }
    return is_own || workload->recorded_count == 0 ||
           !ws_build_query_picks(query, workload->recorded[0].kind);
}

static double outlook_value(const outlook_job *outlook, const ws_stage_spec *stage,
                            ws_metric_id metric, int32_t replicas)
{
    ws_world world = ws_job_world_packed(outlook->kind, outlook->pool, outlook->pool_spec,
                                         outlook->fabric, replicas);
    ws_pace pace = ws_stage_pace(stage, &world, 0);

    WS_ASSERT(replicas >= 1);
    return ws_metric_of_job(metric, &outlook->kind->usage,
                            &(ws_metric_doings){.busy = ws_pace_busy(&pace),
                                                .compute = ws_pace_compute(&pace),
                                                .rate = ws_pace_processed(&pace) / replicas});
}

static bool outlook_metric_at(const void *context, const ws_query *query, int32_t replicas,
                              double *least, double *most)
{
    const outlook_job *outlook = context;
    ws_metric_id metric = ws_metric_find(query->metric);
    bool is_known = false;

    if (outlook->kind->has_demand) {
        return false; /* what it shows follows from what arrives */
    }
    if (metric == WS_METRIC_COUNT || ws_metrics[metric].scope == WS_METRIC_CLUSTER ||
        !outlook_is_alone(outlook, query)) {
        return false;
    }
    for (size_t stage = 0; stage < outlook->job.stage_count; stage++) {
        if (ws_job_legal_at_most(&outlook->job, stage, replicas) != replicas) {
            continue;
        }
        double value = outlook_value(outlook, &outlook->job.stages[stage], metric, replicas);
        *least = is_known && *least < value ? *least : value;
        *most = is_known && *most > value ? *most : value;
        is_known = true;
    }
    return is_known;
}

static const ws_job_template *outlook_find(const ws_workload *workload, ws_text name)
{
    for (size_t i = 0; i < workload->template_count; i++) {
        if (ws_text_equals(workload->templates[i].kind.name, name)) {
            return &workload->templates[i];
        }
    }
    return NULL;
}

/** The stages of a template as a job has them; NULL when one could not be read. */
static const ws_stage_spec *outlook_stages(ws_build *context, const ws_job_template *template)
{
    ws_stage_spec *stages = ws_build_new(context, ws_stage_spec, template->stage_count + 1);

    for (size_t i = 0; stages != NULL && i < template->stage_count; i++) {
        stages[i] = template->stages[i].spec;
        if (stages[i].step.type == NULL) {
            return NULL;
        }
    }
    return stages;
}

const ws_outlook *ws_build_outlook(ws_build *context, const ws_target *target)
{
    const ws_workload *workload = &context->scenario->workload;
    const ws_job_template *template = outlook_find(workload, target->job);
    outlook_job *outlook = ws_build_new(context, outlook_job, 1);
    ws_outlook *made = ws_build_new(context, ws_outlook, 1);
    size_t pool = 0;

    if (target->kind != WS_TARGET_JOB || template == NULL || template->kind.pools == 0 ||
        outlook == NULL || made == NULL) {
        return NULL;
    }
    while (((template->kind.pools >> pool) & 1) == 0) {
        pool++;
    }
    *outlook = (outlook_job){
        .workload = workload,
        .kind = &template->kind,
        .job = {.kind = &template->kind,
                .replicas_min = template->replicas_min,
                .replicas_max = template->replicas_max,
                .replicas_step = template->replicas_step,
                .legal = template->legal,
                .legal_count = template->legal_count,
                .stages = outlook_stages(context, template),
                .stage_count = template->stage_count},
        .pool = pool,
        .pool_spec = &context->scenario->pools[pool],
        .fabric = context->scenario->network != NULL ? &context->scenario->network->fabric : NULL,
    };
    *made = (ws_outlook){.context = outlook,
                         .replicas_min = template->replicas_min,
                         .replicas_max = template->replicas_max,
                         .metric_at = outlook_metric_at};
    return outlook->job.stages == NULL ? NULL : made;
}
