/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a policy wants to see: it must be something that monitoring has, of jobs that are there. */
#include "build.h"
#include "ws/metric.h"

bool ws_build_query_picks(const ws_query *query, const ws_job_kind *kind)
{
    WS_ASSERT(query != NULL);
    return (query->job.length == 0 || ws_text_equals(query->job, kind->name)) &&
           ws_selector_matches(&query->selector, &kind->labels);
}

/* ---- metrics ---- */

static bool query_unknown_metric(ws_build *context, const ws_query *query)
{
    ws_text shown = ws_build_shown(query->metric);

    return ws_build_error(
        context, 5301, query->at,
        ws_build_text(context, "metric `%.*s` is not anything that worldsize simulates",
                      WS_TEXT_ARGS(shown)),
        "unknown metric",
        ws_build_known(context, "metric", ws_metric_names, WS_METRIC_COUNT, query->metric));
}

/** Every metric that a policy asks for must be one that monitoring has, of a kind that the question
 * suits. */
static bool query_check_metric(ws_build *context, const ws_query *query, const ws_target *target)
{
    ws_metric_id metric = ws_metric_find(query->metric);

    if (metric == WS_METRIC_COUNT) {
        return query_unknown_metric(context, query);
    }
    if (query->source == WS_QUERY_EXTERNAL) {
        return true;
    }
    if (target->kind == WS_TARGET_POOL || ws_metrics[metric].scope == WS_METRIC_CLUSTER) {
        return ws_build_error(context, 5302, query->at,
                              ws_build_text(context,
                                            "metric `%s` has no value for each pod of the target",
                                            ws_metrics[metric].name),
                              "not a metric of pods", WS_TEXT("use `external`, or target a job"));
    }
    if (query->source == WS_QUERY_RESOURCE && ws_metrics[metric].scope != WS_METRIC_RESOURCE) {
        return ws_build_error(
            context, 5302, query->at,
            ws_build_text(context, "`%s` is not a resource that pods request",
                          ws_metrics[metric].name),
            "not a resource",
            WS_TEXT("resources are `cpu` and `memory`; use `pods` for other metrics"));
    }
    return true;
}

/* ---- jobs ---- */

/** The kinds of jobs that there are, and what a query picks of them. */
typedef struct {
    const ws_job_kind **kinds;
    size_t count;
    size_t picked;
    const ws_job_kind *target; /* NULL: the target is no single job */
    const ws_job_kind *other;  /* one that is picked and not the target */
    bool picks_target;
} query_jobs;

static bool query_look(ws_build *context, const ws_query *query, const ws_target *target,
                       query_jobs *jobs)
{
    const ws_workload *workload = &context->scenario->workload;

    *jobs = (query_jobs){
        .kinds = ws_build_new(context, const ws_job_kind *, workload->template_count + 1)};
    if (jobs->kinds == NULL) {
        return false;
    }
    for (size_t i = 0; i < workload->template_count; i++) {
        jobs->kinds[jobs->count++] = &workload->templates[i].kind;
    }
    if (workload->recorded_count > 0) {
        jobs->kinds[jobs->count++] = workload->recorded[0].kind;
    }
    for (size_t i = 0; i < jobs->count; i++) {
        const ws_job_kind *kind = jobs->kinds[i];
        bool is_target = target->kind == WS_TARGET_JOB && ws_text_equals(kind->name, target->job);
        bool is_picked = ws_build_query_picks(query, kind);

        jobs->target = is_target ? kind : jobs->target;
        jobs->picks_target = jobs->picks_target || (is_target && is_picked);
        jobs->other = is_picked && !is_target && jobs->other == NULL ? kind : jobs->other;
        jobs->picked += is_picked ? 1 : 0;
    }
    return true;
}

/** Adds the labels of one job to a sentence that holds `count` of them already. Returns how many
 * there are now; those beyond WS_BUILD_KNOWN_MAX are only counted. */
static size_t query_add_labels(ws_build *context, const ws_job_kind *kind, size_t count,
                               ws_text *all)
{
    for (size_t i = 0; i < kind->labels.count && count + i < WS_BUILD_KNOWN_MAX; i++) {
        const ws_label *label = &kind->labels.items[i];

        *all = ws_build_text(context, "%.*s%s `%.*s: %.*s` of job `%.*s`", WS_TEXT_ARGS(*all),
                             count + i == 0 ? "" : ",", WS_TEXT_ARGS(label->key),
                             WS_TEXT_ARGS(label->value), WS_TEXT_ARGS(kind->name));
    }
    return count + kind->labels.count;
}

/** "labels are `app: a` of job `x`, ...", or what to write where there are none. */
static ws_text query_known_labels(ws_build *context, const query_jobs *jobs)
{
    ws_text all = WS_TEXT("labels are");
    size_t count = 0;

    for (size_t i = 0; i < jobs->count; i++) {
        count = query_add_labels(context, jobs->kinds[i], count, &all);
    }
    if (count > WS_BUILD_KNOWN_MAX) {
        all = ws_build_text(context, "%.*s and %zu more", WS_TEXT_ARGS(all),
                            count - WS_BUILD_KNOWN_MAX);
    }
    return count > 0 ? all : (ws_text){.length = 0};
}

/** "no job has labels: add `labels: {app: worker}` to one", by what the selector asks for. */
static ws_text query_wanted_label(ws_build *context, const ws_query *query)
{
    for (size_t i = 0; i < query->selector.count; i++) {
        const ws_requirement *requirement = &query->selector.requirements[i];

        if (requirement->relation == WS_SELECT_IN) {
            return ws_build_text(
                context, "no job has labels: add `labels: {%.*s: %.*s}` to the job",
                WS_TEXT_ARGS(requirement->key), WS_TEXT_ARGS(requirement->values[0]));
        }
    }
    return WS_TEXT("no job has labels: add `labels: {KEY: VALUE}` to the job");
}

static bool query_picks_nothing(ws_build *context, const ws_query *query, const query_jobs *jobs)
{
    ws_text help = query_known_labels(context, jobs);

    return ws_build_error(context, 5304, query->at,
                          query->source == WS_QUERY_EXTERNAL
                              ? WS_TEXT("the selector of this metric picks no job's series")
                              : WS_TEXT("the selector of this metric picks none of the target's "
                                        "pods"),
                          "no series has these labels",
                          help.length > 0 ? help : query_wanted_label(context, query));
}

/** One job is scaled by what others do: seldom meant. */
static void query_warn_others(ws_build *context, const ws_query *query, const query_jobs *jobs)
{
    ws_text others = ws_build_text(context, "job `%.*s`", WS_TEXT_ARGS(jobs->other->name));
    size_t count = jobs->picked - (jobs->picks_target ? 1 : 0);

    if (count > 1) {
        others = ws_build_text(context, "%.*s and %zu more", WS_TEXT_ARGS(others), count - 1);
    }
    ws_build_warn(
        context,
        &(ws_diagnostic){.code = 5305,
                         .message = ws_build_text(
                             context, "this metric picks the series of %.*s%s the target's",
                             WS_TEXT_ARGS(others), jobs->picks_target ? " besides" : ", and not"),
                         .at = query->at,
                         .label = WS_TEXT("by these labels"),
                         .help = query_known_labels(context, jobs)});
}

static void query_warn_all(ws_build *context, const ws_query *query, const query_jobs *jobs)
{
    ws_build_warn(context,
                  &(ws_diagnostic){
                      .code = 5306,
                      .message = ws_build_text(context, "this metric %s the series of all %zu jobs",
                                               query->average ? "averages" : "sums", jobs->count),
                      .at = query->at,
                      .label = WS_TEXT("without a selector"),
                      .help = WS_TEXT("add a `selector` to the manifest's metric, or `job: NAME` "
                                      "to one of the policy's own")});
}

static void query_warn_cluster(ws_build *context, const ws_query *query)
{
    ws_build_warn(
        context,
        &(ws_diagnostic){.code = 5307,
                         .message = ws_build_text(context, "the selector of `%.*s` is passed over",
                                                  WS_TEXT_ARGS(query->metric)),
                         .at = query->at,
                         .label = WS_TEXT("one series of the whole cluster, without labels")});
}

/** Work arrives at jobs with demand alone. */
static bool query_has_arrivals(const ws_query *query, const query_jobs *jobs)
{
    bool has_some = ws_metric_find(query->metric) != WS_METRIC_ARRIVALS;

    for (size_t i = 0; i < jobs->count; i++) {
        has_some =
            has_some || (jobs->kinds[i]->has_demand && ws_build_query_picks(query, jobs->kinds[i]));
    }
    return has_some;
}

static bool query_check_jobs(ws_build *context, const ws_query *query, const ws_target *target)
{
    bool is_external = query->source == WS_QUERY_EXTERNAL;
    query_jobs jobs = {.count = 0};

    if (ws_metrics[ws_metric_find(query->metric)].scope == WS_METRIC_CLUSTER) {
        if (query->selector.count > 0) {
            query_warn_cluster(context, query);
        }
        return true;
    }
    if (!context->has_names) {
        return true;
    }
    if (!query_look(context, query, target, &jobs)) {
        return false;
    }
    if (query->selector.count > 0 &&
        (jobs.picked == 0 || (!is_external && jobs.target != NULL && !jobs.picks_target))) {
        return query_picks_nothing(context, query, &jobs);
    }
    if (!query_has_arrivals(query, &jobs)) {
        return ws_build_error(context, 5308, query->at,
                              WS_TEXT("no work arrives at the jobs that `arrivals` is asked of"),
                              "their work is there from the start",
                              WS_TEXT("`arrivals` is of the job of `workload.demand`"));
    }
    if (is_external && query->selector.count == 0 && query->job.length == 0 && jobs.count > 1) {
        query_warn_all(context, query, &jobs);
    } else if (is_external && jobs.target != NULL && jobs.other != NULL) {
        query_warn_others(context, query, &jobs);
    }
    return true;
}

bool ws_build_check_queries(ws_build *context, const ws_controller_spec *controller)
{
    ws_subscriptions subscriptions = {.count = 0};
    bool sound = true;

    if (controller->type->subscribe == NULL) {
        return true;
    }
    controller->type->subscribe(controller->parameters, &subscriptions);
    for (size_t i = 0; i < subscriptions.count; i++) {
        const ws_query *query = &subscriptions.queries[i];

        sound = query_check_metric(context, query, &controller->target) &&
                query_check_jobs(context, query, &controller->target) && sound;
    }
    return sound;
}
