/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One controller: a policy with its parameters, what it scales, and what it wants to see.
 *
 * Reading (keys and values) and looking up (pools, jobs, metrics) are apart, so that the keys of
 * all policies are checked even when the rest of the file has faults.
 */
#include "build.h"
#include "ws/policies.h"

/* ---- reading ---- */

/** The policy type that a map names, or NULL: then reading the map says what is wrong. */
static const ws_policy_type *controller_type(const ws_document *map)
{
    const ws_document *type = ws_document_find(map, "type");

    return type != NULL && type->kind == WS_DOCUMENT_SCALAR ? ws_policy_find(type->scalar) : NULL;
}

static bool controller_unknown_type(ws_build *context, const ws_document *written)
{
    ws_text shown = ws_build_shown(written->scalar);

    return ws_build_error(
        context, 2203, written->at,
        ws_build_text(context, "`%.*s` is not a policy type", WS_TEXT_ARGS(shown)), "unknown type",
        ws_build_known(context, "type", ws_policy_names, ws_policy_count(), written->scalar));
}

static bool controller_has_row(const ws_parameter_table *table, ws_text key)
{
    for (size_t row = 0; row < table->count; row++) {
        const char *name = table->rows[row].name;

        if (name != NULL && ws_text_is(key, name)) {
            return true;
        }
    }
    return false;
}

/** The entries of a map whose keys a table knows. NULL when the arena is exhausted. */
static ws_document *controller_common(ws_build *context, const ws_document *map,
                                      const ws_parameter_table *table)
{
    ws_document *common = ws_document_new_map(context->arena);
    bool sound = common != NULL;

    for (size_t i = 0; sound && i < map->count; i++) {
        const ws_document_entry *entry = &map->entries[i];

        if (controller_has_row(table, entry->key)) {
            sound = ws_document_put(common, entry->key, entry->value, context->arena);
        }
    }
    if (!sound) {
        (void)ws_build_error(context, 9007, map->at,
                             WS_TEXT("loading this takes more memory than allowed"), NULL,
                             WS_TEXT(""));
        return NULL;
    }
    common->at = map->at;
    return common;
}

/** Without a type nobody knows the map's other keys: only those that all types share are looked at.
 */
static bool controller_without_type(ws_build *context, const ws_build_entry *entry)
{
    const ws_document *written = ws_document_find(entry->map, "type");

    if (entry->map->kind != WS_DOCUMENT_MAP) {
        return ws_build_error(context, 2201, entry->map->at, WS_TEXT("a policy is a map"),
                              "not a map",
                              WS_TEXT("write `{name: NAME, type: fixed, target: {pool: NAME}}`"));
    }
    if (written != NULL && written->kind == WS_DOCUMENT_SCALAR) {
        return controller_unknown_type(context, written);
    }
    ws_document *common = controller_common(context, entry->map, entry->common.table);
    if (common != NULL) {
        bool read = ws_parameters_read(common, entry->where, &entry->common, 1, context->arena,
                                       context->diag);
        WS_ASSERT(!read); /* `type` is required */
    }
    return false;
}

bool ws_build_read_controller(ws_build *context, const ws_build_entry *entry,
                              ws_controller_spec *controller)
{
    WS_ASSERT(controller != NULL);

    const ws_policy_type *type = controller_type(entry->map);
    ws_parameter_binding bindings[2] = {entry->common};

    if (type == NULL) {
        return controller_without_type(context, entry);
    }
    void *parameters = ws_build_alloc(context, 1, type->parameters->bytes + 1);
    if (parameters == NULL) {
        return false;
    }
    bindings[1] = (ws_parameter_binding){.table = type->parameters, .object = parameters};
    controller->type = type;
    controller->parameters = parameters;
    bool sound =
        ws_parameters_read(entry->map, entry->where, bindings, 2, context->arena, context->diag) &&
        ws_parameters_check_currency(entry->map, type->parameters, context->currency,
                                     context->arena, context->diag);
    if (ws_build_is_file_left(entry->map, type->parameters)) {
        return false;
    }
    return sound &&
           (type->complete == NULL || type->complete(parameters, context->arena, context->diag));
}

/* ---- targets ---- */

/** A target that does not exist: `key` is what kind of thing it is. */
static bool controller_no_target(ws_build *context, ws_text arm, const ws_document *target,
                                 const char *key, ws_text help)
{
    const ws_document *written = ws_document_find(target, key);

    WS_ASSERT(written != NULL);
    return ws_build_error(context, 4101, written->at,
                          ws_build_text(context,
                                        "policy `%.*s` targets %s `%.*s`, which does not exist",
                                        WS_TEXT_ARGS(arm), key, WS_TEXT_ARGS(written->scalar)),
                          ws_build_text(context, "no %s has this name", key).start, help);
}

static bool controller_find_pool(ws_build *context, ws_text arm, const ws_file_target *file,
                                 ws_target *target)
{
    const ws_scenario *scenario = context->scenario;
    const char *names[WS_POOLS_MAX];

    WS_ASSERT(scenario->pool_count <= WS_POOLS_MAX);
    for (size_t i = 0; i < scenario->pool_count; i++) {
        if (ws_text_equals(scenario->pools[i].name, file->pool)) {
            target->pool = i;
            return true;
        }
        names[i] = ws_build_string(context, scenario->pools[i].name);
    }
    return controller_no_target(
        context, arm, file->self, "pool",
        ws_build_known(context, "pool", names, scenario->pool_count, file->pool));
}

static bool controller_find_job(ws_build *context, ws_text arm, const ws_file_target *file)
{
    const ws_workload *workload = &context->scenario->workload;
    const ws_file_trace *trace = context->file->workload.trace;
    const char **names = ws_build_new(context, const char *, workload->template_count + 1);
    size_t count = 0;

    if (names == NULL) {
        return false;
    }
    for (size_t i = 0; i < workload->template_count; i++) {
        ws_text name = workload->templates[i].kind.name;

        if (ws_text_equals(name, file->job)) {
            return true;
        }
        names[count++] = ws_build_string(context, name);
    }
    if (trace != NULL && ws_text_equals(trace->name, file->job)) {
        return true;
    }
    if (trace != NULL) {
        names[count++] = ws_build_string(context, trace->name);
    }
    return controller_no_target(context, arm, file->self, "job",
                                ws_build_known(context, "job", names, count, file->job));
}

static bool controller_target(ws_build *context, ws_text arm, const ws_file_target *file,
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
        *target = (ws_target){.kind = WS_TARGET_POOL, .name = file->pool};
        return !context->has_names || controller_find_pool(context, arm, file, target);
    }
    if (file->job.length > 0) {
        *target = (ws_target){.kind = WS_TARGET_JOB, .job = file->job, .name = file->job};
        return !context->has_names || controller_find_job(context, arm, file);
    }
    *target = (ws_target){.kind = WS_TARGET_JOBS, .name = WS_TEXT("elastic jobs")};
    return true;
}

/** Jobs of a name that the workload can have at all. */
static int64_t controller_arrivals(const ws_workload *workload, ws_text name)
{
    for (size_t i = 0; i < workload->template_count; i++) {
        const ws_job_template *template = &workload->templates[i];

        if (ws_text_equals(template->kind.name, name)) {
            return template->arrivals.count;
        }
    }
    return (int64_t)workload->recorded_count; /* all of them have the trace's name */
}

/** Where it is said how often a job comes. */
static ws_span controller_arrivals_at(const ws_build *context, ws_text name)
{
    const ws_list *jobs = &context->file->workload.jobs;

    for (size_t i = 0; i < jobs->count; i++) {
        const ws_file_job *job = (const ws_file_job *)jobs->items + i;

        if (ws_text_equals(job->name, name)) {
            return job->submit == NULL ? job->self->at : job->submit->at;
        }
    }
    return ws_build_at(context->file->workload.trace->self, "file");
}

/** Several of a name may be active at once, and one size would be worked out from all of them. */
static bool controller_is_one(ws_build *context, ws_text arm, const ws_file_target *file,
                              const ws_controller_spec *controller)
{
    ws_text name = controller->target.job;

    if (!controller->type->scales_one || controller->target.kind != WS_TARGET_JOB ||
        !context->has_names || controller_arrivals(&context->scenario->workload, name) <= 1) {
        return true;
    }
    return ws_build_fault(
        context,
        &(ws_diagnostic){
            .code = 4115,
            .message = ws_build_text(
                context, "policy `%.*s` scales one job, and several of `%.*s` may run at once",
                WS_TEXT_ARGS(arm), WS_TEXT_ARGS(name)),
            .at = ws_build_at(file->self, "job"),
            .label = ws_build_text(context, "a policy of type `%s` has one size to set",
                                   controller->type->name),
            .also = controller_arrivals_at(context, name),
            .also_label = WS_TEXT("it arrives more than once"),
            .help = WS_TEXT("target a job that is submitted at a stated time, or a pool")});
}

/* ---- looking up ---- */

bool ws_build_controller(ws_build *context, ws_text arm, const ws_file_target *target,
                         ws_controller_spec *controller)
{
    const ws_policy_type *type = controller->type;

    WS_ASSERT(type != NULL);
    if (!controller_target(context, arm, target, &controller->target)) {
        return false;
    }
    if (((type->target_kinds >> controller->target.kind) & 1) == 0) {
        return ws_build_error(
            context, 4105, target->self->at,
            ws_build_text(context, "a policy of type `%s` cannot scale what `%.*s` targets",
                          type->name, WS_TEXT_ARGS(arm)),
            "this target", WS_TEXT(""));
    }
    if (!controller_is_one(context, arm, target, controller)) {
        return false;
    }
    controller->target.outlook =
        context->has_names ? ws_build_outlook(context, &controller->target) : NULL;
    if (type->check != NULL &&
        !type->check(controller->parameters, &controller->target, context->arena, context->diag)) {
        return false;
    }
    return ws_build_check_queries(context, controller);
}
