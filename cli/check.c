/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>

#include "command.h"
#include "diagnostics_json.h"
#include "output.h"
#include "plan.h"
#include "scenario_input.h"
#include "status.h"
#include "ws/quantity.h"

/* What came of one file. */
typedef struct {
    ws_loaded *loaded;
    bool sound;
    int64_t jobs;
    ws_diag diag;
} check_file;

static bool check_load(const ws_invocation *invocation, const char *path, check_file *file)
{
    WS_ASSERT(path != NULL);

    ws_diag_init(&file->diag, invocation->arena);
    file->loaded = ws_arena_alloc(invocation->arena, ws_loaded, 1);
    if (file->loaded == NULL) {
        return ws_diag_error(&file->diag, 9007, ws_span_none, "out of memory while loading");
    }
    file->sound = ws_scenario_input_load(file->loaded, path, invocation, &file->diag);
    file->jobs = file->sound ? ws_plan_job_count(&file->loaded->scenario) : -1;
    return file->sound;
}

static void check_write_count(ws_writer *out, size_t count, const char *noun)
{
    WS_ASSERT(noun != NULL);

    if (count > 0) {
        ws_write_format(out, ", %zu %s%s", count, noun, count == 1 ? "" : "s");
    }
}

static void check_write_line(ws_writer *out, ws_text shown, const check_file *file)
{
    WS_ASSERT(file->sound || file->diag.error_count > 0);

    const ws_loaded *loaded = file->loaded;
    char horizon[WS_QUANTITY_TEXT_BYTES];

    if (!file->sound) {
        ws_write_format(out, "%.*s  %zu error%s", WS_TEXT_ARGS(shown), file->diag.error_count,
                        file->diag.error_count == 1 ? "" : "s");
        check_write_count(out, file->diag.warning_count, "warning");
        ws_write_string(out, "\n");
        return;
    }
    ws_quantity simulated = {.integer = loaded->scenario.horizon.ns};
    (void)ws_quantity_print(simulated, WS_QUANTITY_DURATION, horizon);
    ws_write_format(out, "%.*s  ok  %zu arm%s, ", WS_TEXT_ARGS(shown), loaded->arm_count,
                    loaded->arm_count == 1 ? "" : "s");
    if (file->jobs >= 0) {
        ws_write_format(out, "%" PRId64 " job%s, ", file->jobs, file->jobs == 1 ? "" : "s");
    }
    ws_write_format(out, "%" PRId64 " replication%s of %s", loaded->scenario.replications,
                    loaded->scenario.replications == 1 ? "" : "s", horizon);
    check_write_count(out, file->diag.warning_count, "warning");
    ws_write_string(out, "\n");
}

static void check_write_json_file(ws_writer *json, const char *path, const check_file *file)
{
    ws_json_begin_object(json, NULL);
    ws_json_text(json, "file", ws_text_of(path));
    ws_json_bool(json, "ok", file->sound);
    ws_json_i64(json, "errors", (int64_t)file->diag.error_count);
    ws_json_i64(json, "warnings", (int64_t)file->diag.warning_count);
    if (file->sound) {
        ws_json_text(json, "scenario", file->loaded->scenario.name);
        ws_json_i64(json, "arms", (int64_t)file->loaded->arm_count);
        ws_json_i64(json, "replications", file->loaded->scenario.replications);
        if (file->jobs >= 0) {
            ws_json_i64(json, "jobs", file->jobs);
        } else {
            ws_json_null(json, "jobs");
        }
    }
    ws_json_end_object(json);
}

static void check_write_json(ws_writer *json, const ws_invocation *invocation,
                             const check_file *files)
{
    WS_ASSERT(invocation->settings->json);

    const ws_strings *paths = &invocation->settings->operands;

    ws_json_begin_object(json, NULL);
    ws_json_text(json, "schema", WS_TEXT("worldsize.check/v1"));
    ws_json_begin_list(json, "files");
    for (size_t i = 0; i < paths->count; i++) {
        check_write_json_file(json, paths->items[i], &files[i]);
    }
    ws_json_end_list(json);
    ws_json_begin_list(json, "diagnostics");
    for (size_t i = 0; i < paths->count; i++) {
        ws_diagnostics_write_json(json, &files[i].diag);
    }
    ws_json_end_list(json);
    ws_json_end_object(json);
}

static void check_write_text(ws_writer *out, const ws_invocation *invocation,
                             const check_file *files)
{
    const ws_strings *paths = &invocation->settings->operands;

    for (size_t i = 0; i < paths->count; i++) {
        ws_output_diagnostics(&files[i].diag, 0, invocation->terminal, invocation->settings->quiet,
                              invocation->arena);
        check_write_line(out, ws_output_shown(ws_text_of(paths->items[i]), invocation->arena),
                         &files[i]);
    }
}

static int check_main(const ws_invocation *invocation)
{
    WS_ASSERT(invocation->settings->operands.count >= 1);

    const ws_strings *paths = &invocation->settings->operands;
    check_file *files = ws_arena_alloc(invocation->arena, check_file, paths->count);
    int status = WS_STATUS_YES;
    ws_writer out;

    if (files == NULL) {
        ws_output_error("worldsize: out of memory\n");
        return WS_STATUS_FAILED;
    }
    for (size_t i = 0; i < paths->count; i++) {
        if (!check_load(invocation, paths->items[i], &files[i])) {
            status = WS_STATUS_NO;
        }
    }
    ws_output_begin(&out);
    if (invocation->settings->json) {
        check_write_json(&out, invocation, files);
    } else {
        check_write_text(&out, invocation, files);
    }
    return ws_output_finish(&out, status);
}

const ws_command ws_command_check = {
    .name = "check",
    .bit = WS_FOR_CHECK,
    .operands = "FILE...",
    .operands_min = 1,
    .operands_max = WS_SETTINGS_LIST_MAX,
    .summary = "finds mistakes in scenarios and what they name",
    .about = "Reads scenarios and every file that they name, and says what is wrong and how to "
             "mend it. Runs\n"
             "nothing. All mistakes are shown, not the first alone.\n",
    .examples = "  worldsize check scenarios/quickstart.yaml\n"
                "  worldsize check --json s.yaml | jq -r '.diagnostics[].message'\n",
    .main = check_main,
};
