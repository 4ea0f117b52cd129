/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arms: policies with their targets and parameters, several side by side, with overrides of the
 * scenario where they have them. */
#include <string.h>

#include "build.h"
#include "ws/metric.h"
#include "ws/policies.h"

/* ---- targets ---- */

/** Says which pools (or jobs) there are, and which one was probably meant. `noun` is in the
 * singular. */
static ws_text arms_known(ws_build *context, const char *noun, const char *const *names,
                          size_t count, ws_text wrong)
{
    int near = ws_text_nearest(wrong, names, count);
    ws_text list = ws_build_text(context, "%ss are", noun);

    if (count == 0) {
        return ws_build_text(context, "there is no %s", noun);
    }
    if (count == 1) {
        return ws_build_text(context, "the only %s is `%s`", noun, names[0]);
    }
    for (size_t i = 0; i < count; i++) {
        list =
            ws_build_text(context, "%.*s%s `%s`", WS_TEXT_ARGS(list), i == 0 ? "" : ",", names[i]);
    }
    return near < 0 ? list
                    : ws_build_text(context, "%.*s; did you mean `%s`?", WS_TEXT_ARGS(list),
                                    names[near]);
}

static const char *arms_string(ws_build *context, ws_text name)
{
    ws_text copy = ws_arena_copy_text(context->arena, name);
    return copy.start != NULL ? copy.start : "";
}

static bool arms_find_pool(ws_build *context, ws_text arm, const ws_file_target *file,
                           ws_target *target)
{
    const ws_scenario *scenario = context->scenario;
    const char *names[WS_POOLS_MAX];

    for (size_t i = 0; i < scenario->pool_count; i++) {
        if (ws_text_equals(scenario->pools[i].name, file->pool)) {
            *target = (ws_target){.kind = WS_TARGET_POOL, .pool = i, .name = file->pool};
            return true;
        }
        names[i] = arms_string(context, scenario->pools[i].name);
    }
    return ws_build_error(context, 4101, ws_build_at(file->self, "pool"),
                          ws_build_text(context,
                                        "policy `%.*s` targets pool `%.*s`, which does not exist",
                                        WS_TEXT_ARGS(arm), WS_TEXT_ARGS(file->pool)),
                          "no pool has this name",
                          arms_known(context, "pool", names, scenario->pool_count, file->pool));
}

static bool arms_find_job(ws_build *context, ws_text arm, const ws_file_target *file,
                          ws_target *target)
{
    const ws_workload *workload = &context->scenario->workload;
    const char *names[33];
    size_t count = 0;

    *target = (ws_target){.kind = WS_TARGET_JOB, .job = file->job, .name = file->job};
    for (size_t i = 0; i < workload->template_count; i++) {
        if (ws_text_equals(workload->templates[i].kind.name, file->job)) {
            return true;
        }
        if (count < WS_COUNT_OF(names)) {
            names[count++] = arms_string(context, workload->templates[i].kind.name);
        }
    }
    if (workload->recorded_count > 0 &&
        ws_text_equals(workload->recorded[0].kind->name, file->job)) {
        return true;
    }
    return ws_build_error(
        context, 4101, ws_build_at(file->self, "job"),
        ws_build_text(context, "policy `%.*s` targets job `%.*s`, which does not exist",
                      WS_TEXT_ARGS(arm), WS_TEXT_ARGS(file->job)),
        "no job has this name", arms_known(context, "job", names, count, file->job));
}

static bool arms_target(ws_build *context, ws_text arm, const ws_file_target *file,
                        ws_target *target)
{
    int given = (file->pool.length > 0) + (file->job.length > 0) + (file->has_jobs ? 1 : 0);

    if (given != 1) {
        return ws_build_error(
            context, 2302, file->self->at,
            ws_build_text(context,
                          "the target of policy `%.*s` is exactly one of `pool`, `job`, `jobs`",
                          WS_TEXT_ARGS(arm)),
            given == 0 ? "none of them" : "more than one", WS_TEXT("write `target: {pool: NAME}`"));
    }
    if (file->pool.length > 0) {
        return arms_find_pool(context, arm, file, target);
    }
    if (file->job.length > 0) {
        return arms_find_job(context, arm, file, target);
    }
    *target = (ws_target){.kind = WS_TARGET_JOBS, .name = WS_TEXT("elastic jobs")};
    return true;
}

/* ---- metrics ---- */

/** Every metric that a policy asks for must be one that monitoring has, of a kind that the question
 * suits. */
static bool arms_check_query(ws_build *context, const ws_query *query, const ws_target *target)
{
    ws_metric_id metric = ws_metric_find(query->metric);
    ws_span at = query->at;

    if (metric == WS_METRIC_COUNT) {
        return ws_build_error(
            context, 5301, at,
            ws_build_text(context, "metric `%.*s` is not anything that worldsize simulates",
                          WS_TEXT_ARGS(query->metric)),
            "unknown metric",
            arms_known(context, "metric", ws_metric_names, WS_METRIC_COUNT, query->metric));
    }
    if (query->source == WS_QUERY_EXTERNAL) {
        return true;
    }
    if (target->kind == WS_TARGET_POOL || ws_metrics[metric].scope == WS_METRIC_CLUSTER) {
        return ws_build_error(context, 5302, at,
                              ws_build_text(context,
                                            "metric `%.*s` has no value for each pod of the target",
                                            WS_TEXT_ARGS(query->metric)),
                              "not a metric of pods", WS_TEXT("use `external`, or target a job"));
    }
    if (query->source == WS_QUERY_RESOURCE && ws_metrics[metric].scope != WS_METRIC_RESOURCE) {
        return ws_build_error(
            context, 5302, at,
            ws_build_text(context, "`%.*s` is not a resource that pods request",
                          WS_TEXT_ARGS(query->metric)),
            "not a resource",
            WS_TEXT("resources are `cpu` and `memory`; use `pods` for other metrics"));
    }
    return true;
}

static bool arms_check_controller(ws_build *context, ws_text arm,
                                  const ws_controller_spec *controller, ws_span at)
{
    const ws_policy_type *type = controller->type;
    ws_subscriptions subscriptions = {.count = 0};
    bool sound = true;

    if (((type->target_kinds >> controller->target.kind) & 1) == 0) {
        sound = ws_build_error(
            context, 4105, at,
            ws_build_text(context, "a policy of type `%s` cannot scale what `%.*s` targets",
                          type->name, WS_TEXT_ARGS(arm)),
            "this target", WS_TEXT(""));
    }
    if (type->check != NULL) {
        sound = type->check(controller->parameters, &controller->target, context->arena,
                            context->diag) &&
                sound;
    }
    if (type->subscribe != NULL && sound) {
        type->subscribe(controller->parameters, &subscriptions);
    }
    for (size_t i = 0; i < subscriptions.count; i++) {
        sound = arms_check_query(context, &subscriptions.queries[i], &controller->target) && sound;
    }
    return sound;
}

/* ---- one entry ---- */

/** The policy type that a map names, or NULL: then reading the map says what is wrong. */
static const ws_policy_type *arms_type(const ws_document *map)
{
    const ws_document *type = ws_document_find(map, "type");
    return type != NULL && type->kind == WS_DOCUMENT_SCALAR ? ws_policy_find(type->scalar) : NULL;
}

/** Without a type nobody knows the map's other keys: only those that all types share are looked at.
 */
static bool arms_without_type(ws_build *context, const ws_document *map, ws_text where,
                              ws_parameter_binding common)
{
    const ws_document *written = ws_document_find(map, "type");
    ws_document *shared = ws_document_new_map(context->arena);
    bool sound = shared != NULL;

    if (written != NULL && written->kind == WS_DOCUMENT_SCALAR) {
        int near = ws_text_nearest(written->scalar, ws_policy_names, ws_policy_count());
        return ws_build_error(
            context, 2203, written->at,
            ws_build_text(context, "`%.*s` is not a policy type", WS_TEXT_ARGS(written->scalar)),
            "unknown type",
            near < 0
                ? arms_known(context, "type", ws_policy_names, ws_policy_count(), written->scalar)
                : ws_build_text(context, "did you mean `%s`?", ws_policy_names[near]));
    }
    if (map->kind != WS_DOCUMENT_MAP) {
        return ws_build_error(context, 2201, map->at, WS_TEXT("a policy is a map"), "not a map",
                              WS_TEXT("write `{name: NAME, type: fixed, target: {pool: NAME}}`"));
    }
    for (size_t i = 0; sound && i < map->count; i++) {
        for (size_t row = 0; row < common.table->count; row++) {
            const char *name = common.table->rows[row].name;
            if (name != NULL && ws_text_is(map->entries[i].key, name)) {
                sound = ws_document_put(shared, map->entries[i].key, map->entries[i].value,
                                        context->arena);
            }
        }
    }
    if (sound) {
        shared->at = map->at;
        sound = ws_parameters_read(shared, where, &common, 1, context->arena, context->diag);
    }
    (void)sound;
    return false; /* an error was added: `type` is required, or memory ran out */
}

/** Reads a map as a controller: keys common to all types into `common`, the rest by the type's own
 * table. */
static bool arms_read_controller(ws_build *context, ws_document *map, ws_text where,
                                 ws_parameter_binding common, ws_controller_spec *controller)
{
    const ws_policy_type *type = arms_type(map);
    ws_parameter_binding bindings[2] = {common};
    void *parameters = NULL;

    if (type == NULL) {
        return arms_without_type(context, map, where, common);
    }
    parameters = ws_build_alloc(context, 1, type->parameters->bytes + 1);
    if (parameters == NULL) {
        return false;
    }
    bindings[1] = (ws_parameter_binding){.table = type->parameters, .object = parameters};
    controller->type = type;
    controller->parameters = parameters;
    return ws_parameters_read(map, where, bindings, 2, context->arena, context->diag);
}

/** A single policy: `{name, type, target, ...}`. */
static bool arms_single(ws_build *context, ws_document *map, ws_text where, ws_arm *arm,
                        const ws_document **set)
{
    ws_file_arm *file = ws_build_new(context, ws_file_arm, 1);
    ws_controller_spec *controller = ws_build_new(context, ws_controller_spec, 1);

    if (file == NULL || controller == NULL) {
        return false;
    }
    if (!arms_read_controller(context, map, where,
                              (ws_parameter_binding){.table = &ws_file_arm_table, .object = file},
                              controller)) {
        return false;
    }
    *set = file->set;
    *arm = (ws_arm){.name = file->name,
                    .type = ws_text_of(controller->type->name),
                    .controllers = controller,
                    .controller_count = 1};
    return arms_target(context, file->name, &file->target, &controller->target) &&
           arms_check_controller(context, file->name, controller, file->target.self->at);
}

static bool arms_same_target(const ws_target *a, const ws_target *b)
{
    if (a->kind != b->kind) {
        return a->kind != WS_TARGET_POOL && b->kind != WS_TARGET_POOL &&
               (a->kind == WS_TARGET_JOBS || b->kind == WS_TARGET_JOBS);
    }
    return a->kind == WS_TARGET_JOBS ||
           (a->kind == WS_TARGET_POOL ? a->pool == b->pool : ws_text_equals(a->job, b->job));
}

static bool arms_member(ws_build *context, const ws_file_group *group, size_t index,
                        ws_controller_spec *controllers)
{
    ws_document *map = group->controllers->entries[index].value;
    ws_file_controller *file = ws_build_new(context, ws_file_controller, 1);
    ws_controller_spec *controller = &controllers[index];
    ws_text where =
        ws_build_text(context, "policies[%.*s].controllers[%zu]", WS_TEXT_ARGS(group->name), index);

    if (file == NULL ||
        !arms_read_controller(
            context, map, where,
            (ws_parameter_binding){.table = &ws_file_controller_table, .object = file},
            controller) ||
        !arms_target(context, group->name, &file->target, &controller->target) ||
        !arms_check_controller(context, group->name, controller, file->target.self->at)) {
        return false;
    }
    for (size_t i = 0; i < index; i++) {
        if (controllers[i].type != NULL &&
            arms_same_target(&controllers[i].target, &controller->target)) {
            return ws_build_error(
                context, 4106, file->target.self->at,
                ws_build_text(context, "two controllers of policy `%.*s` scale the same target",
                              WS_TEXT_ARGS(group->name)),
                "the second of them", WS_TEXT("give each its own target"));
        }
    }
    return true;
}

/** Several policies side by side: `{name, controllers: [...]}`. */
static bool arms_group(ws_build *context, ws_document *map, ws_text where, ws_arm *arm,
                       const ws_document **set)
{
    ws_file_group *group = ws_build_new(context, ws_file_group, 1);
    ws_controller_spec *controllers = ws_build_new(context, ws_controller_spec, WS_CONTROLLERS_MAX);
    bool sound = true;

    if (group == NULL || controllers == NULL ||
        !ws_parameters_read(map, where,
                            &(ws_parameter_binding){.table = &ws_file_group_table, .object = group},
                            1, context->arena, context->diag)) {
        return false;
    }
    if (group->controllers->kind != WS_DOCUMENT_LIST || group->controllers->count == 0 ||
        group->controllers->count > WS_CONTROLLERS_MAX) {
        return ws_build_error(context, 2201, group->controllers->at,
                              ws_build_text(context, "`controllers` is a list of 1 to %d policies",
                                            WS_CONTROLLERS_MAX),
                              "not such a list", WS_TEXT(""));
    }
    ws_text type = {.length = 0};
    for (size_t i = 0; i < group->controllers->count; i++) {
        sound = arms_member(context, group, i, controllers) && sound;
        if (controllers[i].type != NULL) {
            type = ws_build_text(context, "%.*s%s%s", WS_TEXT_ARGS(type), i == 0 ? "" : "+",
                                 controllers[i].type->name);
        }
    }
    *set = group->set;
    *arm = (ws_arm){.name = group->name,
                    .type = type,
                    .controllers = controllers,
                    .controller_count = group->controllers->count};
    return sound;
}

static bool arms_entry(ws_build *context, ws_document *map, size_t index, ws_arm *arm,
                       const ws_document **set)
{
    ws_text where = ws_build_text(context, "policies[%zu]", index);

    if (ws_document_find(map, "controllers") != NULL) {
        return arms_group(context, map, where, arm, set);
    }
    return arms_single(context, map, where, arm, set);
}

/* ---- overrides of one arm ---- */

/** Applies an arm's `set` to a fresh copy of the file. NULL with diagnostics on a fault. */
static ws_document *arms_override(ws_build *context, const ws_document *pristine,
                                  const ws_document *set, ws_text arm)
{
    ws_document *root = ws_document_copy(context->arena, pristine);
    ws_text origin = ws_build_text(context, "set of %.*s", WS_TEXT_ARGS(arm));
    bool sound = root != NULL;

    if (set->kind != WS_DOCUMENT_MAP) {
        (void)ws_build_error(context, 2201, set->at, WS_TEXT("`set` is a map {path: value}"),
                             "not a map", WS_TEXT(""));
        return NULL;
    }
    for (size_t i = 0; sound && i < set->count; i++) {
        const ws_document_entry *entry = &set->entries[i];
        if (ws_text_starts_with(entry->key, WS_TEXT("policies")) ||
            ws_text_is(entry->key, "seed") || ws_text_is(entry->key, "replications") ||
            ws_text_starts_with(entry->key, WS_TEXT("compare"))) {
            sound =
                ws_build_error(context, 2903, entry->key_at,
                               ws_build_text(context, "an arm cannot set `%.*s`: all arms share it",
                                             WS_TEXT_ARGS(entry->key)),
                               "not for one arm alone", WS_TEXT("use `--set` for all arms"));
        } else {
            sound = ws_document_set(root, entry->key, entry->key_at, entry->value, origin,
                                    context->arena, context->diag);
        }
    }
    return sound ? root : NULL;
}

/** The scenario of an arm that overrides parts of it, and the arm's controllers read against that
 * scenario. */
static bool arms_own_scenario(ws_build *context, const ws_document *pristine, size_t index,
                              const ws_document *set, ws_arm *arm)
{
    ws_build inner = *context;
    ws_scenario *scenario = ws_build_new(context, ws_scenario, 1);
    ws_document *root = arms_override(context, pristine, set, arm->name);
    const ws_document *again = NULL;
    ws_document *policies = NULL;

    if (scenario == NULL || root == NULL) {
        return false;
    }
    inner.scenario = scenario;
    if (!ws_build_scenario(&inner, root)) {
        return false;
    }
    policies = ws_document_find(root, "policies");
    if (!arms_entry(&inner, policies->entries[index].value, index, arm, &again)) {
        return false;
    }
    arm->scenario = scenario;
    return true;
}

/* ---- all of them ---- */

static bool arms_check_names(ws_build *context, const ws_document *list, const ws_arm *arms)
{
    for (size_t i = 1; i < list->count; i++) {
        for (size_t k = 0; k < i; k++) {
            if (arms[i].name.length == 0 || !ws_text_equals(arms[i].name, arms[k].name)) {
                continue;
            }
            ws_diag_add(
                context->diag,
                &(ws_diagnostic){
                    .severity = WS_SEVERITY_ERROR,
                    .code = 4102,
                    .message = ws_build_text(context, "two policies are named `%.*s`",
                                             WS_TEXT_ARGS(arms[i].name)),
                    .at = ws_build_at(list->entries[i].value, "name"),
                    .label = WS_TEXT("second use"),
                    .also = ws_build_at(list->entries[k].value, "name"),
                    .also_label = WS_TEXT("first use is here"),
                    .notes = {WS_TEXT(
                        "policy names become file names and CSV keys and must be unique")}});
            return false;
        }
    }
    return true;
}

bool ws_build_arms(ws_build *context, const ws_document *pristine)
{
    const ws_document *list = context->file->policies;
    ws_arm *arms = NULL;
    bool sound = true;

    if (list->kind != WS_DOCUMENT_LIST || list->count == 0 || list->count > WS_ARMS_MAX) {
        return ws_build_error(
            context, 2201, list->at,
            ws_build_text(context, "`policies` is a list of 1 to %d policies", WS_ARMS_MAX),
            "not such a list",
            WS_TEXT("write `- {name: fixed, type: fixed, target: {pool: NAME}}`"));
    }
    arms = ws_build_new(context, ws_arm, list->count);
    if (arms == NULL) {
        return false;
    }
    for (size_t i = 0; i < list->count; i++) {
        const ws_document *set = NULL;
        bool read = arms_entry(context, list->entries[i].value, i, &arms[i], &set);
        arms[i].scenario = context->scenario;
        if (read && set != NULL) {
            read = arms_own_scenario(context, pristine, i, set, &arms[i]);
        }
        sound = sound && read;
    }
    context->loaded->arms = arms;
    context->loaded->arm_count = list->count;
    return arms_check_names(context, list, arms) && sound;
}
