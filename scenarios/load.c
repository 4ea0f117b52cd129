/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The way of a scenario: bytes, document, overrides, structures, cross-checks, the simulator's own
 * structures. */
#include "ws/load.h"

#include <string.h>

#include "build.h"
#include "ws/input.h"
#include "ws/yaml.h"

#define LOAD_TIMELINE_STEPS 1000

/* ---- the file ---- */

static bool load_read(ws_build *context, ws_document **root)
{
    const char *path = context->options->path;
    ws_source *source = ws_build_new(context, ws_source, 1);
    ws_input_file *input = &context->loaded->inputs[0];
    ws_sha256 hash;

    if (source == NULL) {
        return false;
    }
    *source = (ws_source){.name = ws_text_of(path), .content = context->options->content};
    if (source->content.start == NULL &&
        !ws_input_load(path, source->name, ws_span_none,
                       &(ws_input_limits){.bytes_max = (int64_t)WS_YAML_BYTES_MAX}, context->arena,
                       &source->content, context->diag)) {
        return false;
    }
    ws_sha256_init(&hash);
    ws_sha256_update(&hash, source->content.start, source->content.length);
    *input = (ws_input_file){.path = source->name,
                             .role = WS_TEXT("scenario"),
                             .bytes = (int64_t)source->content.length};
    ws_sha256_print(&hash, input->sha256);
    context->loaded->input_count = 1;
    return ws_yaml_read(root, source, "scenario", context->arena, context->diag);
}

/** The schema is looked at first: another version's keys would only make noise. */
static bool load_check_schema(ws_build *context, const ws_document *root)
{
    const ws_document *schema = ws_document_find(root, "schema");

    if (root->kind != WS_DOCUMENT_MAP) {
        return ws_build_error(context, 2201, root->at, WS_TEXT("a scenario is a map"), "not a map",
                              WS_TEXT(""));
    }
    if (schema == NULL) {
        return ws_build_error(context, 2102, root->at, WS_TEXT("a scenario has no `schema`"),
                              "this file",
                              WS_TEXT("begin the file with `schema: " WS_SCENARIO_SCHEMA "`"));
    }
    if (ws_text_is(schema->scalar, WS_SCENARIO_SCHEMA)) {
        return true;
    }
    if (ws_text_starts_with(schema->scalar, WS_TEXT("worldsize.scenario/v"))) {
        return ws_build_error(
            context, 2001, schema->at,
            ws_build_text(context, "this file is `%.*s`; worldsize " WS_VERSION " reads v1",
                          WS_TEXT_ARGS(schema->scalar)),
            "newer than this program",
            WS_TEXT("upgrade worldsize, or write `" WS_SCENARIO_SCHEMA "`"));
    }
    return ws_build_error(
        context, 2001, schema->at,
        ws_build_text(context, "`%.*s` is not a scenario", WS_TEXT_ARGS(schema->scalar)),
        "another kind of file", WS_TEXT("write `schema: " WS_SCENARIO_SCHEMA "`"));
}

/* ---- overrides ---- */

/** Finds the `=` between path and value: the first one outside of brackets. */
static size_t load_find_equals(ws_text text)
{
    int depth = 0;

    for (size_t i = 0; i < text.length; i++) {
        depth += text.start[i] == '[' ? 1 : 0;
        depth -= text.start[i] == ']' ? 1 : 0;
        if (text.start[i] == '=' && depth <= 0) {
            return i;
        }
    }
    return text.length;
}

static bool load_override(ws_build *context, ws_document *root, const ws_override *override)
{
    ws_source *source = ws_build_new(context, ws_source, 1);
    ws_document *value = NULL;
    ws_text text = override->text;
    ws_loaded *loaded = context->loaded;

    if (source == NULL) {
        return false;
    }
    *source = (ws_source){.name = override->label, .content = text};
    size_t equals = override->is_unset ? text.length : load_find_equals(text);
    ws_text path = ws_text_slice(text, 0, equals);
    ws_span at = ws_span_of_bytes(source, 0, equals);
    ws_text flag = ws_text_slice(override->label, 1, override->label.length - 1);
    if (override->is_unset) {
        return ws_document_unset(root, path, at, context->arena, context->diag);
    }
    if (equals == text.length || equals == 0) {
        return ws_build_error(context, 2902, at, WS_TEXT("an override is PATH=VALUE"),
                              "no path or no value",
                              WS_TEXT("for example `--set replications=50`"));
    }
    if (loaded->overrides_count < WS_ASSUMPTIONS_MAX) {
        loaded->overrides_text[loaded->overrides_count++] =
            ws_build_text(context, "%.*s (%.*s)", WS_TEXT_ARGS(text), WS_TEXT_ARGS(flag));
    }
    return ws_yaml_read_value(&value, source, equals + 1, text.length, context->arena,
                              context->diag) &&
           ws_document_set(root, path, at, value, flag, context->arena, context->diag);
}

static bool load_override_all(ws_build *context, ws_document *root)
{
    bool sound = true;

    for (size_t i = 0; i < context->options->override_count; i++) {
        sound = load_override(context, root, &context->options->overrides[i]) && sound;
    }
    return sound;
}

/* ---- the scenario ---- */

/** A duration as it could be written, with a blank before its unit: "8 d", "1h30m". */
static ws_text load_duration_text(ws_build *context, ws_duration duration)
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

static bool load_check_warmup(ws_build *context, const ws_file_scenario *file)
{
    if (file->warmup.ns < file->horizon.ns) {
        return true;
    }
    ws_text warmup = load_duration_text(context, file->warmup);
    ws_text horizon = load_duration_text(context, file->horizon);
    ws_diag_add(
        context->diag,
        &(ws_diagnostic){
            .severity = WS_SEVERITY_ERROR,
            .code = 4201,
            .message = WS_TEXT("`warmup` is not shorter than `horizon`: nothing would be measured"),
            .at = ws_build_at(file->self, "warmup"),
            .label = ws_build_text(context, "%.*s of warm-up", WS_TEXT_ARGS(warmup)),
            .also = ws_build_at(file->self, "horizon"),
            .also_label = ws_build_text(context, "in a run of %.*s", WS_TEXT_ARGS(horizon))});
    return false;
}

static bool load_check_workload(ws_build *context, const ws_file_scenario *file)
{
    if (file->workload.jobs.count > 0 || file->workload.trace != NULL) {
        return true;
    }
    return ws_build_error(context, 2102,
                          file->workload.self != NULL ? file->workload.self->at : file->self->at,
                          WS_TEXT("the workload has neither `jobs` nor a `trace`"),
                          "nobody wants a GPU", WS_TEXT("add `jobs:` or `trace:`"));
}

static void load_fill_scenario(const ws_file_scenario *file, ws_scenario *scenario)
{
    int64_t day_s = 24 * 3600;

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

static bool load_network(ws_build *context, const ws_file_network *file)
{
    ws_network *network = NULL;

    if (file == NULL) {
        return true;
    }
    network = ws_build_new(context, ws_network, 1);
    if (network == NULL) {
        return false;
    }
    *network = (ws_network){
        .intra_node = {.latency_s = ws_duration_s(file->intra_node.latency),
                       .bytes_per_s = file->intra_node.bandwidth},
        .inter_node = {.latency_s = ws_duration_s(file->inter_node.latency),
                       .bytes_per_s = file->inter_node.bandwidth},
        .inter_per_gpu = file->inter_node.per == 0,
    };
    context->scenario->network = network;
    return true;
}

/** The job whose time counts must be there: one that is submitted once. */
static bool load_objective(ws_build *context, const ws_file_objective *file)
{
    const ws_workload *workload = &context->scenario->workload;
    ws_text of = file == NULL ? (ws_text){.length = 0} : file->of;

    if (file == NULL) {
        return true;
    }
    for (size_t i = 0; i < workload->template_count; i++) {
        const ws_job_kind *kind = &workload->templates[i].kind;
        if (of.length == 0 ? kind->main_job : ws_text_equals(kind->name, of)) {
            context->scenario->objective = (ws_objective){.given = true,
                                                          .of = kind->name,
                                                          .value_of_time = file->value_of_time,
                                                          .unfinished = file->unfinished,
                                                          .deadline = file->deadline};
            return true;
        }
    }
    return ws_build_error(context, 4101,
                          of.length > 0 ? ws_build_at(file->self, "of") : file->self->at,
                          WS_TEXT("the objective's job does not exist"), "no job has this name",
                          WS_TEXT("`of` names a job of the workload"));
}

bool ws_build_scenario(ws_build *context, ws_document *root)
{
    ws_file_scenario *file = ws_build_new(context, ws_file_scenario, 1);

    if (file == NULL || !ws_parameters_read(root, WS_TEXT(""),
                                            &(ws_parameter_binding){
                                                .table = &ws_file_scenario_table, .object = file},
                                            1, context->arena, context->diag)) {
        return false;
    }
    context->file = file;
    bool sound = load_check_warmup(context, file);
    load_fill_scenario(file, context->scenario);
    sound = load_check_workload(context, file) && sound;
    if (!ws_build_cluster(context)) {
        return false;
    }
    sound = load_network(context, file->network) && sound;
    sound = ws_build_jobs(context) && sound;
    sound = load_objective(context, file->objective) && sound;
    return ws_build_trace(context) && sound;
}

static void load_warn_replications(ws_build *context)
{
    const ws_file_scenario *file = context->file;

    if (file->replications > 1) {
        return;
    }
    ws_diag_add(
        context->diag,
        &(ws_diagnostic){.severity = WS_SEVERITY_WARNING,
                         .code = 4302,
                         .message = WS_TEXT("one replication gives no confidence intervals"),
                         .at = ws_build_at(file->self, "replications"),
                         .label = WS_TEXT("the report will show points without intervals"),
                         .help = WS_TEXT("10 is a useful start")});
}

/** A thousandth of the horizon in whole minutes, so that timelines stay small. */
static ws_duration load_timeline_step(const ws_file_scenario *file)
{
    int64_t step_ns = file->outputs.timeline_step.ns;

    if (step_ns == 0) {
        step_ns = file->horizon.ns / LOAD_TIMELINE_STEPS / WS_NS_PER_MIN * WS_NS_PER_MIN;
        step_ns = step_ns < WS_NS_PER_MIN ? WS_NS_PER_MIN : step_ns;
    }
    return (ws_duration){.ns = step_ns};
}

static void load_outputs(ws_build *context)
{
    const ws_file_scenario *file = context->file;
    ws_loaded *loaded = context->loaded;

    loaded->output_folder = file->outputs.dir.length > 0
                                ? file->outputs.dir
                                : ws_build_text(context, "results/%.*s", WS_TEXT_ARGS(file->name));
    loaded->timeline_step = load_timeline_step(file);
    loaded->record_all = file->outputs.record == 1;
}

static bool load_build(ws_build *context, ws_document *root)
{
    const ws_document *pristine = ws_document_copy(context->arena, root);

    if (pristine == NULL) {
        return ws_diag_error(context->diag, 9007, ws_span_none, "out of memory while loading");
    }
    bool sound = ws_build_scenario(context, root);
    if (context->file == NULL || context->scenario->pool_count == 0) {
        return false; /* nothing to check policies against */
    }
    sound = ws_build_arms(context, pristine) && sound;
    if (!sound || !ws_build_comparison(context)) {
        return false;
    }
    load_warn_replications(context);
    load_outputs(context);
    context->loaded->resolved = root;
    return true;
}

bool ws_scenario_load(ws_loaded *loaded, const ws_load_options *options, ws_arena *arena,
                      ws_diag *diag)
{
    ws_document *root = NULL;
    ws_build context = {.arena = arena, .diag = diag, .options = options};

    context.loaded = ws_build_new(&context, ws_loaded, 1);
    if (context.loaded == NULL) {
        return false;
    }
    context.scenario = &context.loaded->scenario;
    context.folder = ws_path_folder(ws_text_of(options->path), arena);
    if (context.folder.start == NULL || !load_read(&context, &root) ||
        !load_override_all(&context, root) || !load_check_schema(&context, root) ||
        !load_build(&context, root)) {
        return false;
    }
    *loaded = *context.loaded;
    for (size_t i = 0; i < loaded->arm_count; i++) {
        if (loaded->arms[i].scenario == &context.loaded->scenario) {
            loaded->arms[i].scenario = &loaded->scenario;
        }
    }
    return !ws_diag_has_errors(diag);
}

ws_text ws_scenario_print_keys(ws_arena *arena)
{
    return ws_parameters_print_markdown(&ws_file_scenario_table, arena);
}
