/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The way of `run`: load, claim the results folder, make all runs, write, answer. The folder is
 * claimed first, so that a refusal costs no time. An interrupt ends with what is finished; a second
 * one at once, with the old results untouched.
 */
#include <inttypes.h>
#include <unistd.h>

#include "answer.h"
#include "build_info.h"
#include "charts.h"
#include "command.h"
#include "machine.h"
#include "output.h"
#include "plan.h"
#include "progress.h"
#include "scenario_input.h"
#include "signals.h"
#include "status.h"
#include "ws/report_files.h"

#define RUN_THREADS_PER_CPU 4

typedef struct {
    const ws_invocation *invocation;
    const ws_settings *settings;
    ws_loaded *loaded;
    ws_diag diag;
    size_t loaded_count; /* diagnostics that came with loading */
    ws_diag told;        /* what the summary repeats: all of them before anything was written */
    size_t threads;
    const char *folder;
    ws_results *results;
    ws_signals signals;
    int signal; /* that came; 0: none */
    ws_progress progress;
    double started_s;
    double wall_s;
    char date[WS_MACHINE_DATE_BYTES];
    ws_evaluation evaluation;
} run_task;

/* ---- before the first run ---- */

static size_t run_choose_threads(const ws_settings *settings, ws_arena *arena)
{
    WS_ASSERT(settings->threads >= 0);

    size_t cpus = ws_machine_cpus(arena);
    size_t most = cpus * RUN_THREADS_PER_CPU;

    most = most > WS_EVALUATE_THREADS_MAX ? WS_EVALUATE_THREADS_MAX : most;
    if (settings->threads == 0) {
        return cpus > most ? most : cpus;
    }
    if (settings->threads <= (int64_t)most) {
        return (size_t)settings->threads;
    }
    if (!settings->quiet) {
        ws_output_error("note: %" PRId64
                        " threads were asked for; %zu are used (there are %zu processors)\n",
                        settings->threads, most, cpus);
    }
    return most;
}

/* A folder that the scenario's file names stays below the working directory; one from the command
 * line may be anywhere. */
static bool run_check_folder(run_task *task)
{
    WS_ASSERT(task->loaded->resolved != NULL);

    const ws_document *written = ws_document_at(task->loaded->resolved, WS_TEXT("outputs.dir"));
    ws_text folder = task->loaded->output_folder;
    bool leaves = ws_text_starts_with(folder, WS_TEXT("/"));

    if (task->settings->out != NULL || written == NULL || written->origin.length > 0) {
        return true;
    }
    for (size_t at = 0; at <= folder.length;) {
        ws_text rest = ws_text_slice(folder, at, folder.length);
        size_t end = ws_text_find_byte(rest, '/');
        leaves = leaves || ws_text_is(ws_text_slice(rest, 0, end), "..");
        at += end + 1;
    }
    if (leaves) {
        ws_diag_add(
            &task->diag,
            &(ws_diagnostic){.severity = WS_SEVERITY_ERROR,
                             .code = 7106,
                             .message = WS_TEXT("results may only go below the working directory"),
                             .at = written->at,
                             .label = WS_TEXT("leads outside of it"),
                             .help = WS_TEXT("name the folder on the command line: `--out DIR`")});
    }
    return !leaves;
}

static bool run_load(run_task *task)
{
    WS_ASSERT(task->settings->operands.count == 1);

    const ws_invocation *invocation = task->invocation;
    const char *path = task->settings->operands.items[0];

    ws_diag_init(&task->diag, invocation->arena);
    task->loaded = ws_arena_alloc(invocation->arena, ws_loaded, 1);
    bool sound = task->loaded != NULL &&
                 ws_scenario_input_load(task->loaded, path, invocation, &task->diag) &&
                 run_check_folder(task);
    ws_output_diagnostics(&task->diag, 0, invocation->terminal, task->settings->quiet,
                          invocation->arena);
    task->loaded_count = task->diag.count;
    if (!sound) {
        return false;
    }
    task->folder = task->settings->out;
    if (task->folder == NULL) {
        task->folder = ws_arena_copy_text(invocation->arena, task->loaded->output_folder).start;
    }
    task->threads = run_choose_threads(task->settings, invocation->arena);
    return task->folder != NULL;
}

static int run_print_resolved(const run_task *task)
{
    ws_writer out;
    ws_text text = ws_document_print_yaml(task->loaded->resolved, true, task->invocation->arena);

    ws_output_begin(&out);
    ws_write_text(&out, text);
    return ws_output_finish(&out, text.start != NULL ? WS_STATUS_YES : WS_STATUS_FAILED);
}

static int run_print_plan(const run_task *task)
{
    ws_writer out;

    ws_output_begin(&out);
    ws_plan_write(task->loaded, task->threads, task->folder, &out, task->invocation->arena);
    return ws_output_finish(&out, WS_STATUS_YES);
}

/* ---- the runs ---- */

/* Stops at the first signal after the runs under way, at the second one at once. */
static bool run_watch(void *context, int64_t done, int64_t total)
{
    WS_ASSERT(done <= total);

    run_task *task = context;
    int number = ws_signals_take(&task->signals);

    if (number != 0 && task->signal != 0) {
        ws_progress_end(&task->progress);
        ws_results_abandon(task->results);
        _exit(WS_STATUS_SIGNAL + number);
    }
    if (number != 0) {
        task->signal = number;
        ws_progress_end(&task->progress);
        ws_output_error("stopping after the runs that are under way; once more stops at once\n");
    }
    ws_progress_show(&task->progress, done, total);
    return task->signal == 0;
}

static bool run_evaluate(run_task *task)
{
    WS_ASSERT(task->threads >= 1);

    ws_evaluation_options options = {
        .threads = task->threads, .watch = run_watch, .watch_context = task};

    task->started_s = ws_machine_clock_s();
    ws_machine_date(task->date);
    task->progress = ws_progress_begin(task->invocation->terminal, task->settings->quiet);
    bool made = ws_evaluation_init(&task->evaluation, task->loaded, &options,
                                   task->invocation->arena, &task->diag);
    ws_progress_end(&task->progress);
    task->wall_s = ws_machine_clock_s() - task->started_s;
    return made;
}

/* Errors of runs at once; warnings stand with the numbers that they are about. */
static void run_show_errors(const run_task *task)
{
    const ws_invocation *invocation = task->invocation;

    ws_output_diagnostics(&task->diag, task->loaded_count, invocation->terminal, true,
                          invocation->arena);
}

/* ---- afterwards ---- */

static ws_run_info run_info(const run_task *task)
{
    const ws_invocation *invocation = task->invocation;

    return (ws_run_info){
        .command = invocation->argv,
        .command_count = invocation->argc,
        .scenario_path = task->settings->operands.items[0],
        .working_folder = ws_machine_folder(invocation->arena),
        .host = ws_machine_host(invocation->arena),
        .commit = ws_build_commit,
        .compiler = ws_build_compiler,
        .date = task->date,
        .threads = (int64_t)task->evaluation.worker_count,
        .wall_s = task->wall_s,
        .peak_memory_bytes = ws_machine_peak_memory_bytes(),
    };
}

static bool run_write(run_task *task)
{
    WS_ASSERT(task->results != NULL);

    ws_run_info info = run_info(task);
    ws_report_context context = {.version = ws_build_version, .diag = &task->told, .info = &info};
    const ws_invocation *invocation = task->invocation;
    size_t before = task->diag.count;

    if (ws_report_write_files(&task->evaluation, &context, task->results, invocation->arena,
                              &task->diag) &&
        ws_charts_write(&task->evaluation, task->results, invocation->arena, &task->diag) &&
        ws_results_commit(task->results)) {
        return true;
    }
    ws_results_abandon(task->results);
    ws_output_diagnostics(&task->diag, before, invocation->terminal, true, invocation->arena);
    return false;
}

static ws_text run_file_names(ws_arena *arena)
{
    ws_text names = {.length = 0};

    for (size_t i = 0; ws_report_file_name(i) != NULL; i++) {
        names = ws_arena_format(arena, "%.*s%s ", WS_TEXT_ARGS(names), ws_report_file_name(i));
    }
    return ws_arena_format(arena, "%.*s%s SHA256SUMS SHA256SUMS-local", WS_TEXT_ARGS(names),
                           ws_charts_file_names);
}

static int run_answer(const run_task *task, int status)
{
    WS_ASSERT(task->folder != NULL);

    ws_arena *arena = task->invocation->arena;
    ws_report_context report = {.version = ws_build_version, .diag = &task->told};
    ws_text folder = ws_output_shown(ws_text_of(task->folder), arena);
    ws_answer_context answer = {
        .terminal = task->invocation->terminal,
        .wide = task->settings->wide,
        .wall_s = task->wall_s,
        .threads = task->evaluation.worker_count,
        .folder = folder.start,
        .files = run_file_names(arena),
        .diag = &task->diag,
        .new_from = task->loaded_count,
    };
    ws_writer out;
    bool whole = true;

    ws_output_begin(&out);
    if (task->settings->json) {
        whole = ws_report_write_summary(&task->evaluation, &report, &out, arena);
    } else {
        ws_answer_write(&task->evaluation, &answer, &out, arena);
    }
    return ws_output_finish(&out, whole ? status : WS_STATUS_FAILED);
}

static int run_status(const run_task *task)
{
    WS_ASSERT(task->evaluation.runs_done > 0);

    if (task->signal != 0) {
        return WS_STATUS_SIGNAL + task->signal;
    }
    if (task->evaluation.failed) {
        return WS_STATUS_FAILED;
    }
    return task->evaluation.passed ? WS_STATUS_YES : WS_STATUS_NO;
}

static int run_nothing_done(run_task *task)
{
    WS_ASSERT(task->evaluation.runs_done == 0);

    ws_results_abandon(task->results);
    ws_output_error("worldsize: no run was finished; nothing was written\n");
    return task->signal != 0 ? WS_STATUS_SIGNAL + task->signal : WS_STATUS_FAILED;
}

static int run_to_the_end(run_task *task)
{
    WS_ASSERT(task->results != NULL);

    if (!run_evaluate(task)) {
        ws_results_abandon(task->results);
        run_show_errors(task);
        return ws_output_status(&task->diag, WS_STATUS_FAILED);
    }
    run_show_errors(task);
    task->told = task->diag;
    int status = WS_STATUS_FAILED;
    if (task->evaluation.runs_done == 0) {
        status = run_nothing_done(task);
    } else if (run_write(task)) {
        status = run_answer(task, run_status(task));
    }
    ws_evaluation_fini(&task->evaluation);
    return status;
}

/* A folder that is something else is a mistake of the command line; anything else is a failure. */
static int run_refused_folder(run_task *task)
{
    WS_ASSERT(ws_diag_has_errors(&task->diag));

    bool is_mistake = false;

    run_show_errors(task);
    for (size_t i = task->loaded_count; i < task->diag.count; i++) {
        is_mistake = is_mistake || task->diag.entries[i].code == 8101;
    }
    return is_mistake ? WS_STATUS_NOT_STARTED : WS_STATUS_FAILED;
}

static int run_begin(run_task *task)
{
    int status = WS_STATUS_FAILED;

    ws_signals_hold(&task->signals);
    if (ws_results_begin(&task->results, task->folder, task->loaded->scenario.name,
                         task->settings->force, task->invocation->arena, &task->diag)) {
        status = run_to_the_end(task);
    } else {
        status = run_refused_folder(task);
    }
    ws_signals_release(&task->signals);
    return status;
}

static int run_main(const ws_invocation *invocation)
{
    run_task *task = ws_arena_alloc(invocation->arena, run_task, 1);

    if (task == NULL) {
        ws_output_error("worldsize: out of memory\n");
        return WS_STATUS_FAILED;
    }
    task->invocation = invocation;
    task->settings = invocation->settings;
    if (!run_load(task)) {
        return ws_output_status(&task->diag, WS_STATUS_NOT_STARTED);
    }
    if (task->settings->print_resolved) {
        return run_print_resolved(task);
    }
    if (task->settings->dry_run) {
        return run_print_plan(task);
    }
    return run_begin(task);
}

const ws_command ws_command_run = {
    .name = "run",
    .bit = WS_FOR_RUN,
    .operands = "SCENARIO",
    .operands_min = 1,
    .operands_max = 1,
    .summary = "simulates every policy of a scenario and compares them",
    .about =
        "Simulates every policy of the scenario in the same random worlds, prints what each costs "
        "and how\n"
        "fast training gets, says which differences are shown, and writes the results folder.\n",
    .examples =
        "  worldsize run scenarios/quickstart.yaml\n"
        "  worldsize run s.yaml --replications 50 --json > summary.json\n"
        "  worldsize run s.yaml -s 'cluster.pools[h100].nodes.max=32' -o results/more-nodes\n",
    .main = run_main,
};
