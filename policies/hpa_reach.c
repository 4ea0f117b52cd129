/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The autoscaler is at rest where what it compares is within the tolerance of the target. So the
 * ratio of the two is looked at over all sizes: on one side of 1 everywhere, there is no rest but
 * at an end.
 */
#include "hpa_reach.h"

#include <inttypes.h>
#include <math.h>
#include <stdint.h>

#include "ws/assert.h"
#include "ws/metric.h"

#include "hpa_parameters.h"
#include "hpa_reader.h"

#define SIZES_MAX 1000 /* looked at; of more, evenly spread ones and both ends */
#define PERCENT_MOST 100.0

typedef struct {
    ws_arena *arena;
    ws_diag *diag;
    const ws_outlook *outlook; /* NULL: none */
    ws_hpa_tolerance tolerance;
    int32_t low; /* sizes that both the autoscaler and its target allow */
    int32_t high;
} reach;

/* A metric over the sizes. */
typedef struct {
    bool is_known;    /* of some size; else the two ends are bounds */
    double shown_low; /* by each replica, at the smallest size and at the largest one */
    double shown_high;
    double shown_most;
    double ratio_least; /* of what is compared to the target */
    double ratio_most;
} reach_course;

/* What is compared with the target: an average over pods, or a sum of series as it is or over the
 * replicas. */
static double reach_compared(const ws_hpa_stated_metric *metric, double shown, int32_t replicas)
{
    double total = metric->query.average ? shown : shown * replicas;

    WS_ASSERT(replicas >= 1);

    if (metric->query.source != WS_QUERY_EXTERNAL) {
        return shown;
    }
    return metric->metric.target_kind == WS_HPA_AVERAGE_VALUE ? total / replicas : total;
}

static double reach_target(const ws_hpa_metric *metric)
{
    WS_ASSERT(metric->target > 0);

    return (double)metric->target / (metric->target_kind == WS_HPA_UTILIZATION ? 1.0 : 1000.0);
}

static void reach_add(reach_course *course, const ws_hpa_stated_metric *metric, int32_t size,
                      const double shown[2])
{
    double target = reach_target(&metric->metric);
    double least = reach_compared(metric, shown[0], size) / target;
    double most = reach_compared(metric, shown[1], size) / target;

    WS_ASSERT(shown[0] <= shown[1]);

    course->shown_low = course->is_known ? course->shown_low : shown[1];
    course->shown_high = shown[1];
    course->shown_most = fmax(course->shown_most, shown[1]);
    course->ratio_least = course->is_known ? fmin(course->ratio_least, least) : least;
    course->ratio_most = course->is_known ? fmax(course->ratio_most, most) : most;
    course->is_known = true;
}

/* Without models a percentage still is at most 100. */
static bool reach_bound(const reach *check, const ws_hpa_stated_metric *metric,
                        reach_course *course)
{
    ws_metric_id id = ws_metric_find(metric->query.metric);
    bool is_own = metric->query.source != WS_QUERY_EXTERNAL || metric->query.average;

    if (id == WS_METRIC_COUNT || !is_own ||
        !ws_text_is(ws_text_of(ws_metrics[id].unit), "percent")) {
        return false;
    }
    *course = (reach_course){
        .shown_most = PERCENT_MOST,
        .ratio_most = reach_compared(metric, PERCENT_MOST, check->low > 0 ? check->low : 1) /
                      reach_target(&metric->metric),
    };
    return true;
}

static bool reach_follow(const reach *check, const ws_hpa_stated_metric *metric,
                         reach_course *course)
{
    int32_t low = check->low > 0 ? check->low : 1;
    int32_t stride = (check->high - low) / SIZES_MAX + 1;

    *course = (reach_course){.is_known = false};
    if (check->outlook == NULL) {
        return reach_bound(check, metric, course);
    }
    for (int64_t size = low; size <= check->high; size += stride) {
        double shown[2] = {0.0, 0.0};

        if (check->outlook->metric_at(check->outlook->context, &metric->query, (int32_t)size,
                                      &shown[0], &shown[1])) {
            reach_add(course, metric, (int32_t)size, shown);
        }
    }
    return course->is_known || reach_bound(check, metric, course);
}

static bool reach_is_above(const reach *check, const reach_course *course)
{
    return course->is_known && course->ratio_least > 1.0 + check->tolerance.up;
}

static bool reach_is_below(const reach *check, const reach_course *course)
{
    return course->ratio_most < 1.0 - check->tolerance.down;
}

/* What would settle: sm_active, one value for each replica, if its course meets the target; else a
 * target within its course. Empty: nothing is known. */
static ws_text reach_advice(const reach *check, const ws_hpa_stated_metric *metric)
{
    ws_hpa_stated_metric other = *metric;
    reach_course course = {.is_known = false};
    bool is_averaged =
        metric->query.source == WS_QUERY_EXTERNAL && metric->metric.target_kind == WS_HPA_VALUE;

    other.query.metric = WS_TEXT("sm_active");
    other.query.average = is_averaged;
    if (!reach_follow(check, &other, &course) || !course.is_known) {
        return WS_TEXT("");
    }
    if (reach_is_above(check, &course) || reach_is_below(check, &course)) {
        return ws_arena_format(check->arena,
                               "`sm_active` goes from %.3g at %" PRId32 " to %.3g at %" PRId32
                               " replicas: a target between the two would settle",
                               course.shown_low, check->low, course.shown_high, check->high);
    }
    return ws_arena_format(check->arena,
                           "`sm_active` would settle, with one %s: it goes from %.3g at %" PRId32
                           " to %.3g at %" PRId32 " replicas",
                           is_averaged ? "average over all replicas" : "value for each replica",
                           course.shown_low, check->low, course.shown_high, check->high);
}

static ws_text reach_note(const reach *check, const ws_hpa_stated_metric *metric)
{
    ws_metric_id id = ws_metric_find(metric->query.metric);

    WS_ASSERT(check != NULL);
    WS_ASSERT(id < WS_METRIC_COUNT);

    if (id == WS_METRIC_GPU_UTIL) {
        return WS_TEXT(
            "`gpu_util` counts communication as busy, so that it hardly falls as a job is "
            "spread");
    }
    if (ws_metrics[id].scope == WS_METRIC_RESOURCE &&
        metric->metric.target_kind != WS_HPA_UTILIZATION) {
        return ws_arena_format(check->arena,
                               "worldsize knows `%s` in percent of the request: use a target of "
                               "type Utilization",
                               ws_metrics[id].name);
    }
    return ws_arena_format(check->arena, "`%s` is in %s", ws_metrics[id].name, ws_metrics[id].unit);
}

static void reach_warn(const reach *check, const ws_hpa_stated_metric *metric, ws_text message,
                       ws_text label)
{
    ws_metric_id id = ws_metric_find(metric->query.metric);
    ws_diagnostic diagnostic = {.severity = WS_SEVERITY_WARNING,
                                .code = WS_HPA_CODE_NEVER_MEETS,
                                .message = message,
                                .at = metric->target_at,
                                .label = label,
                                .notes = {reach_note(check, metric)}};

    if (metric->mapped_at.source != NULL) {
        diagnostic.at = metric->mapped_at;
        diagnostic.also = metric->target_at;
        diagnostic.also_label =
            ws_arena_format(check->arena, "for a target of %.3g", reach_target(&metric->metric));
    }
    if (id == WS_METRIC_GPU_UTIL || id == WS_METRIC_SM_ACTIVE) {
        diagnostic.help = reach_advice(check, metric);
    }
    ws_diag_add(check->diag, &diagnostic);
}

/* "each replica shows 95 at 2 and 95 at 10 replicas". */
static ws_text reach_label(const reach *check, const ws_hpa_stated_metric *metric,
                           const reach_course *course)
{
    const char *subject = metric->query.average ? "the average is" : "each replica shows";

    if (!course->is_known) {
        return ws_arena_format(check->arena, "%s at most %.3g", subject, course->shown_most);
    }
    return ws_arena_format(check->arena, "%s %.3g at %" PRId32 " and %.3g at %" PRId32 " replicas",
                           subject, course->shown_low, check->low, course->shown_high, check->high);
}

/* One average with a target for each replica: the answer is their ratio, rounded up, whatever the
 * size. */
static bool reach_warn_ceiling(const reach *check, const ws_hpa_stated_metric *metric,
                               const reach_course *course)
{
    double target = reach_target(&metric->metric);
    double most = ceil(course->shown_most / target);

    if (metric->query.source != WS_QUERY_EXTERNAL || !metric->query.average ||
        metric->metric.target_kind != WS_HPA_AVERAGE_VALUE || most >= check->high) {
        return false;
    }
    reach_warn(check, metric,
               ws_arena_format(check->arena, "`%.*s` never asks for more than %.0f replica%s",
                               WS_TEXT_ARGS(metric->name), most, most > 1.0 ? "s" : ""),
               ws_arena_format(check->arena,
                               "one average of at most %.3g over %.3g a replica, rounded up",
                               course->shown_most, target));
    return true;
}

static void reach_check_metric(const reach *check, const ws_hpa_stated_metric *metric)
{
    reach_course course = {.is_known = false};
    ws_text label = {.length = 0};

    if (!reach_follow(check, metric, &course) || reach_warn_ceiling(check, metric, &course)) {
        return;
    }
    label = reach_label(check, metric, &course);
    if (reach_is_above(check, &course)) {
        reach_warn(check, metric,
                   ws_arena_format(check->arena,
                                   "`%.*s` is above its target at every size: the autoscaler runs "
                                   "to %" PRId32 " replicas",
                                   WS_TEXT_ARGS(metric->name), check->high),
                   label);
    } else if (reach_is_below(check, &course)) {
        reach_warn(check, metric,
                   ws_arena_format(check->arena,
                                   "`%.*s` is below its target at every size: the autoscaler falls "
                                   "to %" PRId32 " replica%s",
                                   WS_TEXT_ARGS(metric->name), check->low,
                                   check->low == 1 ? "" : "s"),
                   label);
    }
}

bool ws_hpa_reach_check(const void *parameters, const ws_target *target, ws_arena *arena,
                        ws_diag *diag)
{
    const ws_hpa_parameters *given = parameters;
    reach check = {.arena = arena,
                   .diag = diag,
                   .outlook = target->outlook,
                   .tolerance = ws_hpa_tolerance_of(given),
                   .low = (int32_t)given->replicas_min,
                   .high = (int32_t)given->replicas_max};

    WS_ASSERT(given->stated_count <= WS_HPA_METRICS_MAX);

    if (check.outlook != NULL && check.outlook->replicas_min > check.low) {
        check.low = check.outlook->replicas_min;
    }
    if (check.outlook != NULL && check.outlook->replicas_max < check.high) {
        check.high = check.outlook->replicas_max;
    }
    for (size_t i = 0; i < given->stated_count && check.low < check.high; i++) {
        if (given->stated[i].metric.target > 0) {
            reach_check_metric(&check, &given->stated[i]);
        }
    }
    return true;
}
