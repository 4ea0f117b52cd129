/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arms: single policies, several side by side, and overrides of the scenario for one arm alone. */
#include <string.h>

#include "build.h"
#include "load_override.h"

/** One entry of the list under `policies`. */
typedef struct {
    ws_document *map;
    size_t index;
    ws_arm *arm;            /* filled */
    const ws_document *set; /* filled: overrides, or NULL */
} arms_entry;

/* ---- one policy ---- */

/** A single policy: `{name, type, target, ...}`. */
static bool arms_single(ws_build *context, arms_entry *entry)
{
    ws_file_arm *file = ws_build_new(context, ws_file_arm, 1);
    ws_controller_spec *controller = ws_build_new(context, ws_controller_spec, 1);
    ws_build_entry read = {
        .map = entry->map,
        .where = ws_build_text(context, "policies[%zu]", entry->index),
        .common = {.table = &ws_file_arm_table, .object = file},
    };

    if (file == NULL || controller == NULL ||
        !ws_build_read_controller(context, &read, controller)) {
        return false;
    }
    entry->set = file->set;
    entry->arm->type = ws_text_of(controller->type->name);
    entry->arm->controllers = controller;
    entry->arm->controller_count = 1;
    return ws_build_controller(context, file->name, &file->target, controller);
}

/* ---- several side by side ---- */

static bool arms_same_target(const ws_target *a, const ws_target *b)
{
    if (a->kind == WS_TARGET_POOL || b->kind == WS_TARGET_POOL) {
        return a->kind == b->kind && ws_text_equals(a->name, b->name);
    }
    return a->kind == WS_TARGET_JOBS || b->kind == WS_TARGET_JOBS || ws_text_equals(a->job, b->job);
}

/** Two controllers that scale one thing would undo each other's decisions. */
static bool arms_check_targets(ws_build *context, ws_text arm,
                               const ws_controller_spec *controllers,
                               const ws_file_controller *files, size_t index)
{
    for (size_t i = 0; i < index; i++) {
        if (controllers[i].type == NULL || files[i].target.self == NULL ||
            !arms_same_target(&controllers[i].target, &controllers[index].target)) {
            continue;
        }
        return ws_build_fault(
            context,
            &(ws_diagnostic){.code = 4106,
                             .message = ws_build_text(
                                 context, "two controllers of policy `%.*s` scale the same target",
                                 WS_TEXT_ARGS(arm)),
                             .at = files[index].target.self->at,
                             .label = WS_TEXT("the second of them"),
                             .also = files[i].target.self->at,
                             .also_label = WS_TEXT("the first"),
                             .help = WS_TEXT("give each its own target")});
    }
    return true;
}

static bool arms_members(ws_build *context, const ws_file_group *group,
                         ws_controller_spec *controllers)
{
    size_t count = group->controllers->count;
    ws_file_controller *files = ws_build_new(context, ws_file_controller, count);
    bool sound = files != NULL;

    for (size_t i = 0; files != NULL && i < count; i++) {
        ws_build_entry read = {
            .map = group->controllers->entries[i].value,
            .where = ws_build_text(context, "policies[%.*s].controllers[%zu]",
                                   WS_TEXT_ARGS(group->name), i),
            .common = {.table = &ws_file_controller_table, .object = &files[i]},
        };
        sound = ws_build_read_controller(context, &read, &controllers[i]) &&
                ws_build_controller(context, group->name, &files[i].target, &controllers[i]) &&
                arms_check_targets(context, group->name, controllers, files, i) && sound;
    }
    return sound;
}

/** "hpa+fixed": the types of an arm's controllers. */
static ws_text arms_types(ws_build *context, const ws_controller_spec *controllers, size_t count)
{
    ws_text types = {.length = 0};

    for (size_t i = 0; i < count; i++) {
        const char *name = controllers[i].type != NULL ? controllers[i].type->name : "";
        types = ws_build_text(context, "%.*s%s%s", WS_TEXT_ARGS(types), i == 0 ? "" : "+", name);
    }
    return types;
}

/** Several policies side by side: `{name, controllers: [...]}`. */
static bool arms_group(ws_build *context, arms_entry *entry)
{
    ws_file_group *group = ws_build_new(context, ws_file_group, 1);
    ws_controller_spec *controllers = ws_build_new(context, ws_controller_spec, WS_CONTROLLERS_MAX);
    ws_text where = ws_build_text(context, "policies[%zu]", entry->index);

    if (group == NULL || controllers == NULL ||
        !ws_parameters_read(entry->map, where,
                            &(ws_parameter_binding){.table = &ws_file_group_table, .object = group},
                            1, context->arena, context->diag)) {
        return false;
    }
    const ws_document *list = group->controllers;
    if (list->kind != WS_DOCUMENT_LIST || list->count == 0 || list->count > WS_CONTROLLERS_MAX) {
        return ws_build_error(context, 2201, list->at,
                              ws_build_text(context, "`controllers` is a list of 1 to %d policies",
                                            WS_CONTROLLERS_MAX),
                              "not such a list", WS_TEXT("write `- {type: fixed, target: {...}}`"));
    }
    entry->set = group->set;
    bool sound = arms_members(context, group, controllers);
    entry->arm->type = arms_types(context, controllers, list->count);
    entry->arm->controllers = controllers;
    entry->arm->controller_count = list->count;
    return sound;
}

static bool arms_read(ws_build *context, arms_entry *entry)
{
    const ws_document *name = ws_document_find(entry->map, "name");

    if (name != NULL && name->kind == WS_DOCUMENT_SCALAR) {
        entry->arm->name = name->scalar; /* known to others even when there are faults */
    }
    return ws_document_find(entry->map, "controllers") != NULL ? arms_group(context, entry)
                                                               : arms_single(context, entry);
}

/* ---- overrides of one arm ---- */

/** The first step of a path: `cluster` of `cluster.pools[0]` and of `["cluster"].pools`. */
static ws_text arms_first_step(ws_text path)
{
    size_t from = 0;
    size_t to = 0;

    while (from < path.length && memchr("[\"'", path.start[from], 3) != NULL) {
        from++;
    }
    to = from;
    while (to < path.length && memchr(".[]\"'", path.start[to], 5) == NULL) {
        to++;
    }
    return ws_text_slice(path, from, to);
}

static bool arms_is_one_of(ws_text name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (ws_text_is(name, names[i])) {
            return true;
        }
    }
    return false;
}

/** An arm may have what it runs on and what runs there of its own. The other keys of a scenario are
 * common to all arms, so that they meet the same worlds and are compared over the same time. */
static bool arms_is_shared(ws_text first)
{
    static const char *const own[] = {"cluster",    "storage",    "registry", "network",
                                      "monitoring", "scheduling", "workload"};
    const ws_parameter_table *table = &ws_file_scenario_table;

    if (arms_is_one_of(first, own, WS_COUNT_OF(own))) {
        return false;
    }
    for (size_t i = 0; i < table->count; i++) {
        if (table->rows[i].name != NULL && ws_text_is(first, table->rows[i].name)) {
            return true;
        }
    }
    return false;
}

static bool arms_set_one(ws_build *context, ws_document *root, const ws_document_entry *entry,
                         ws_text origin)
{
    ws_text shown = ws_build_shown(entry->key);

    if (arms_is_shared(arms_first_step(entry->key))) {
        return ws_build_error(context, 2903, entry->key_at,
                              ws_build_text(context, "an arm cannot set `%.*s`: all arms share it",
                                            WS_TEXT_ARGS(shown)),
                              "not for one arm alone", WS_TEXT("use `--set` for all arms"));
    }
    if (!ws_override_make_way(root, entry->key, context->arena)) {
        return ws_build_error(context, 9007, entry->key_at,
                              WS_TEXT("not enough memory for this override"), NULL, WS_TEXT(""));
    }
    ws_document_edit edit = {
        .path = entry->key, .at = entry->key_at, .value = entry->value, .origin = origin};
    return ws_document_set(root, &edit, context->arena, context->diag);
}

/** Applies an arm's `set` to a fresh copy of the file. NULL with diagnostics on a fault. */
static ws_document *arms_override(ws_build *context, const ws_document *pristine,
                                  const ws_document *set, ws_text arm)
{
    ws_text origin = ws_build_text(context, "set of %.*s", WS_TEXT_ARGS(arm));
    bool sound = true;

    if (set->kind != WS_DOCUMENT_MAP) {
        (void)ws_build_error(context, 2201, set->at, WS_TEXT("`set` is a map of paths and values"),
                             "not a map", WS_TEXT("write `set: {scheduling.regrow: 20m}`"));
        return NULL;
    }
    ws_document *root = ws_document_copy(context->arena, pristine);
    if (root == NULL) {
        (void)ws_build_error(context, 9007, set->at,
                             WS_TEXT("loading this takes more memory than allowed"), NULL,
                             WS_TEXT(""));
        return NULL;
    }
    for (size_t i = 0; i < set->count; i++) {
        sound = arms_set_one(context, root, &set->entries[i], origin) && sound;
    }
    return sound ? root : NULL;
}

static bool arms_is_known(const ws_diag *diag, const ws_diagnostic *found)
{
    for (size_t i = 0; i < diag->count; i++) {
        if (ws_diagnostic_equals(&diag->entries[i], found)) {
            return true;
        }
    }
    return false;
}

/** Hands on what an arm's own scenario has to be told: what is true of the file as well was told
 * already. */
static void arms_forward(ws_build *context, const ws_diag *found, ws_text arm)
{
    ws_text note = ws_build_text(context, "with the `set` of policy `%.*s`", WS_TEXT_ARGS(arm));
    size_t errors = 0;

    for (size_t i = 0; i < found->count; i++) {
        ws_diagnostic fault = found->entries[i];

        errors += fault.severity >= WS_SEVERITY_ERROR ? 1 : 0;
        if (!arms_is_known(context->diag, &fault)) {
            fault.notes[fault.notes[0].length > 0 ? 1 : 0] = note;
            ws_diag_add(context->diag, &fault);
        }
    }
    if (found->error_count > errors) {
        (void)ws_diag_error(context->diag, 9007, ws_span_none,
                            "loading this takes more memory than allowed");
    }
}

/** The scenario of an arm that overrides parts of it, and the arm's controllers read against that
 * scenario. */
static bool arms_own_scenario(ws_build *context, const ws_document *pristine, arms_entry *entry)
{
    ws_build inner = *context;
    ws_diag found;

    ws_diag_init(&found, context->arena);
    inner.diag = &found;
    inner.scenario = ws_build_new(&inner, ws_scenario, 1);
    ws_document *root = arms_override(&inner, pristine, entry->set, entry->arm->name);
    bool sound = inner.scenario != NULL && root != NULL && ws_build_scenario(&inner, root);
    if (sound) {
        const ws_document *list = ws_document_find(root, "policies");
        arms_entry again = {
            .map = list->entries[entry->index].value, .index = entry->index, .arm = entry->arm};
        sound = arms_read(&inner, &again);
        entry->arm->scenario = inner.scenario;
    }
    arms_forward(context, &found, entry->arm->name);
    return sound;
}

/* ---- all of them ---- */

static bool arms_check_names(ws_build *context, const ws_document *list)
{
    ws_build_named *named = ws_build_new(context, ws_build_named, list->count);

    if (named == NULL) {
        return false;
    }
    for (size_t i = 0; i < list->count; i++) {
        named[i] = (ws_build_named){.name = context->loaded->arms[i].name,
                                    .at = ws_build_at(list->entries[i].value, "name")};
    }
    return ws_build_check_names(
        context, "policies", named, list->count,
        WS_TEXT("policy names become file names and CSV keys and must be unique"));
}

bool ws_build_arms(ws_build *context, const ws_document *list, const ws_document *pristine)
{
    bool sound = true;

    if (list == NULL) {
        return true; /* told when the scenario's own keys were read */
    }
    if (list->kind != WS_DOCUMENT_LIST || list->count == 0 || list->count > WS_ARMS_MAX) {
        return ws_build_error(
            context, 2201, list->at,
            ws_build_text(context, "`policies` is a list of 1 to %d policies", WS_ARMS_MAX),
            "not such a list",
            WS_TEXT("write `- {name: fixed, type: fixed, target: {pool: NAME}}`"));
    }
    ws_arm *arms = ws_build_new(context, ws_arm, list->count);
    if (arms == NULL) {
        return false;
    }
    for (size_t i = 0; i < list->count; i++) {
        arms_entry entry = {.map = list->entries[i].value, .index = i, .arm = &arms[i]};

        arms[i].scenario = context->scenario;
        bool read = arms_read(context, &entry);
        if (read && entry.set != NULL && pristine != NULL) {
            read = arms_own_scenario(context, pristine, &entry);
        }
        sound = read && sound;
    }
    context->loaded->arms = arms;
    context->loaded->arm_count = list->count;
    return arms_check_names(context, list) && sound;
}
