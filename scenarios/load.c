/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The way of a scenario: bytes, document, overrides, structures, cross-checks, the simulator's own
 * structures. */
#include "ws/load.h"

#include "build.h"
#include "load_override.h"
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
        !ws_input_load(&source->content, &(ws_file_name){.path = path, .shown = source->name},
                       &(ws_input_limits){.bytes_max = (int64_t)WS_YAML_BYTES_MAX}, context->arena,
                       context->diag)) {
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

static bool load_wrong_schema(ws_build *context, const ws_document *schema)
{
    ws_text shown = ws_build_shown(schema->scalar);

    if (ws_text_starts_with(schema->scalar, WS_TEXT("worldsize.scenario/v"))) {
        return ws_build_error(
            context, 2001, schema->at,
            ws_build_text(context, "this file is `%.*s`; worldsize " WS_VERSION " reads v1",
                          WS_TEXT_ARGS(shown)),
            "newer than this program",
            WS_TEXT("upgrade worldsize, or write `" WS_SCENARIO_SCHEMA "`"));
    }
    return ws_build_error(context, 2001, schema->at,
                          ws_build_text(context, "`%.*s` is not a scenario", WS_TEXT_ARGS(shown)),
                          "another kind of file",
                          WS_TEXT("write `schema: " WS_SCENARIO_SCHEMA "`"));
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
    return ws_text_is(schema->scalar, WS_SCENARIO_SCHEMA) || load_wrong_schema(context, schema);
}

/* ---- what is around the scenario ---- */

static void load_warn_replications(ws_build *context)
{
    const ws_file_scenario *file = context->file;

    if (file->replications > 1) {
        return;
    }
    ws_build_warn(context, &(ws_diagnostic){
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

/** Amounts in another currency are as good as dollars, but the columns' names say dollars. */
static void load_currency(ws_build *context)
{
    const char *name = context->currency->name;
    ws_loaded *loaded = context->loaded;

    loaded->currency = name[0] == '\0' ? WS_TEXT("USD") : ws_build_text(context, "%s", name);
    if (!ws_text_is(loaded->currency, "USD")) {
        ws_build_assume(
            context, ws_build_text(context, "amounts are in %s, also where a name says usd", name));
    }
}

/** Everything that a document says. Policies are read even when the rest has faults, so that all
 * faults are told at once. */
static bool load_build(ws_build *context, ws_document *root)
{
    bool read = ws_build_read_files(context, root);
    const ws_document *pristine = ws_document_copy(context->arena, root);

    if (pristine == NULL) {
        return ws_diag_error(context->diag, 9007, ws_span_none,
                             "loading this takes more memory than allowed");
    }
    bool sound = ws_build_scenario(context, root) && read;
    sound = ws_build_arms(context, ws_document_find(root, "policies"), sound ? pristine : NULL) &&
            sound;
    if (context->file == NULL) {
        return false;
    }
    sound = ws_build_comparison(context) && sound;
    load_warn_replications(context);
    load_outputs(context);
    load_currency(context);
    context->loaded->resolved = root;
    return sound;
}

/** Hands the result over: arms without overrides of their own share its scenario. */
static void load_finish(const ws_loaded *built, ws_loaded *loaded)
{
    *loaded = *built;
    for (size_t i = 0; i < loaded->arm_count; i++) {
        if (loaded->arms[i].scenario == &built->scenario) {
            loaded->arms[i].scenario = &loaded->scenario;
        }
    }
}

bool ws_scenario_load(ws_loaded *loaded, const ws_load_options *options, ws_arena *arena,
                      ws_diag *diag)
{
    ws_document *root = NULL;
    ws_build context = {.arena = arena, .diag = diag, .options = options};

    WS_ASSERT(loaded != NULL);
    WS_ASSERT(options->path != NULL);
    context.loaded = ws_build_new(&context, ws_loaded, 1);
    context.recording = ws_build_new(&context, ws_build_recording, 1);
    context.series = ws_build_new(&context, ws_build_series_files, 1);
    context.currency = ws_build_new(&context, ws_currency, 1);
    context.files = ws_build_new(&context, ws_build_files, 1);
    if (context.loaded == NULL || context.recording == NULL || context.series == NULL ||
        context.currency == NULL || context.files == NULL) {
        return false;
    }
    context.scenario = &context.loaded->scenario;
    context.folder = ws_path_folder(ws_text_of(options->path), arena);
    if (context.folder.start == NULL) {
        return ws_diag_error(diag, 9007, ws_span_none,
                             "loading this takes more memory than allowed");
    }
    bool sound = load_read(&context, &root) && load_check_schema(&context, root) &&
                 ws_override_apply(&context, root) && load_build(&context, root);
    ws_build_tell_files(&context);
    if (sound) {
        load_finish(context.loaded, loaded);
    }
    return sound;
}
