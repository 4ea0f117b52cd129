/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a step of a job goes at several sizes, and what a size costs. */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "output.h"
#include "scenario_input.h"
#include "status.h"
#include "step_answer.h"
#include "ws/number.h"

#define EXPLAIN_STEP_GPUS_MAX 1000
#define EXPLAIN_STEP_LARGEST INT64_C(1000000000000)

typedef struct {
    const ws_invocation *invocation;
    ws_loaded *loaded;
    int64_t *gpus;
    ws_step_question question;
    ws_step_study study;
    ws_diag diag;
} explain_step;

/* ---- the question ---- */

static bool explain_step_bad_gpus(ws_text part, ws_arena *arena)
{
    ws_output_error("worldsize explain step: `%.*s` is no number of GPUs\n"
                    "write `--gpus 8,16,32`, or `--gpus legal` for all legal sizes\n",
                    WS_TEXT_ARGS(ws_output_shown(part, arena)));
    return false;
}

/* "8,16,32" */
static bool explain_step_read_gpus(explain_step *task, ws_text text)
{
    ws_arena *arena = task->invocation->arena;

    while (text.start != NULL) {
        size_t end = ws_text_find_byte(text, ',');
        ws_text part = ws_text_slice(text, 0, end);
        int64_t gpus = 0;

        if (!ws_parse_i64(part, &gpus) || gpus < 1 || gpus > EXPLAIN_STEP_LARGEST) {
            return explain_step_bad_gpus(part, arena);
        }
        if (task->question.gpus_count == EXPLAIN_STEP_GPUS_MAX) {
            ws_output_error("worldsize explain step: `--gpus` takes at most %d sizes\n",
                            EXPLAIN_STEP_GPUS_MAX);
            return false;
        }
        task->gpus[task->question.gpus_count++] = gpus;
        text =
            end < text.length ? ws_text_slice(text, end + 1, text.length) : (ws_text){.length = 0};
    }
    return true;
}

static ws_text explain_step_text(const char *given)
{
    return given != NULL ? ws_text_of(given) : (ws_text){.length = 0};
}

static bool explain_step_is_chart(const char *path, const char *ending)
{
    return ws_text_ends_with(ws_text_of(path), ws_text_of(ending));
}

static bool explain_step_ask(explain_step *task)
{
    const ws_settings *settings = task->invocation->settings;

    task->question = (ws_step_question){.job = explain_step_text(settings->job),
                                        .stage = explain_step_text(settings->stage),
                                        .pool = explain_step_text(settings->pool),
                                        .gpus = task->gpus};
    if (settings->chart != NULL && !explain_step_is_chart(settings->chart, ".svg") &&
        !explain_step_is_chart(settings->chart, ".png")) {
        ws_output_error("worldsize explain step: the file of `--chart` ends in .svg or .png\n");
        return false;
    }
    task->question.all_legal = settings->gpus == NULL || strcmp(settings->gpus, "legal") == 0;
    return task->question.all_legal || explain_step_read_gpus(task, ws_text_of(settings->gpus));
}

/* ---- files ---- */

typedef bool explain_step_write(const ws_step_answer *answer, ws_writer *out, ws_arena *arena,
                                ws_diag *diag);

static bool explain_step_svg(const ws_step_answer *answer, ws_writer *out, ws_arena *arena,
                             ws_diag *diag)
{
    return ws_step_answer_write_chart(answer, false, out, arena, diag);
}

static bool explain_step_png(const ws_step_answer *answer, ws_writer *out, ws_arena *arena,
                             ws_diag *diag)
{
    return ws_step_answer_write_chart(answer, true, out, arena, diag);
}

static bool explain_step_buckets(const ws_step_answer *answer, ws_writer *out, ws_arena *arena,
                                 ws_diag *diag)
{
    (void)diag;
    ws_step_answer_write_buckets(answer, out, arena);
    return true;
}

/* With --force a plain file makes room; whatever else is there stays, and cannot be created. */
static void explain_step_make_room(const ws_settings *settings, const char *path)
{
    struct stat found;

    if (settings->force && lstat(path, &found) == 0 && S_ISREG(found.st_mode)) {
        (void)unlink(path);
    }
}

static bool explain_step_file(explain_step *task, const ws_step_answer *answer, const char *path,
                              explain_step_write *write)
{
    ws_arena *arena = task->invocation->arena;
    ws_writer out;

    explain_step_make_room(task->invocation->settings, path);
    if (!ws_writer_open(&out, path, ws_output_shown(ws_text_of(path), arena), &task->diag)) {
        return false;
    }
    bool is_made = write(answer, &out, arena, &task->diag);
    is_made = ws_writer_finish(&out, &task->diag) && is_made;
    if (!is_made) {
        (void)unlink(path); /* no half of a file stays */
    }
    return is_made;
}

static bool explain_step_files(explain_step *task, const ws_step_answer *answer)
{
    const ws_settings *settings = task->invocation->settings;

    if (settings->chart != NULL &&
        !explain_step_file(task, answer, settings->chart,
                           explain_step_is_chart(settings->chart, ".png") ? explain_step_png
                                                                          : explain_step_svg)) {
        return false;
    }
    return settings->buckets == NULL ||
           explain_step_file(task, answer, settings->buckets, explain_step_buckets);
}

/* ---- the answer ---- */

static int explain_step_answer(explain_step *task)
{
    const ws_invocation *invocation = task->invocation;
    const ws_settings *settings = invocation->settings;
    ws_step_answer answer = {.study = &task->study,
                             .terminal = invocation->terminal,
                             .diag = &task->diag,
                             .wide = settings->wide,
                             .is_legal_list = task->question.all_legal,
                             .is_stage_chosen = settings->stage == NULL};
    size_t before = task->diag.count;
    ws_writer out;

    if (!explain_step_files(task, &answer)) {
        ws_output_diagnostics(&task->diag, before, invocation->terminal, settings->quiet,
                              invocation->arena);
        return WS_STATUS_FAILED;
    }
    ws_output_begin(&out);
    if (settings->json) {
        ws_step_answer_write_json(&answer, &out);
    } else {
        ws_step_answer_write_text(&answer, &out, invocation->arena);
    }
    return ws_output_finish(&out, task->study.possible > 0 ? WS_STATUS_YES : WS_STATUS_NO);
}

static bool explain_step_prepare(explain_step *task)
{
    const ws_invocation *invocation = task->invocation;
    const ws_settings *settings = invocation->settings;
    const char *path = settings->operands.items[0];

    if (!explain_step_ask(task)) {
        return false;
    }
    bool is_sound = ws_scenario_input_load(task->loaded, path, invocation, &task->diag);
    if (!is_sound || !settings->json) {
        ws_output_diagnostics(&task->diag, 0, invocation->terminal, settings->quiet,
                              invocation->arena);
    }
    if (!is_sound ||
        !ws_step_study_make(&task->study, task->loaded, &task->question, invocation->arena)) {
        return false;
    }
    if (settings->buckets != NULL && task->study.model->buckets == NULL) {
        ws_output_error("worldsize explain step: the step model `%s` does not say in which buckets "
                        "gradients are reduced; `transformer` does\n",
                        task->study.model->name);
        return false;
    }
    return true;
}

static int explain_step_main(const ws_invocation *invocation)
{
    WS_ASSERT(invocation->settings->operands.count == 1);

    explain_step *task = ws_arena_alloc(invocation->arena, explain_step, 1);

    if (task != NULL) {
        task->loaded = ws_arena_alloc(invocation->arena, ws_loaded, 1);
        task->gpus = ws_arena_alloc(invocation->arena, int64_t, EXPLAIN_STEP_GPUS_MAX);
    }
    if (task == NULL || task->loaded == NULL || task->gpus == NULL) {
        ws_output_error("worldsize: out of memory\n");
        return WS_STATUS_FAILED;
    }
    task->invocation = invocation;
    ws_diag_init(&task->diag, invocation->arena);
    return explain_step_prepare(task) ? explain_step_answer(task) : WS_STATUS_NOT_STARTED;
}

static void explain_step_write_terms(ws_writer *out)
{
    ws_write_string(out, "\nTerms of a step:\n");
    for (int term = 0; term < WS_TERMS; term++) {
        ws_write_format(out, "  %-14s %s\n", ws_terms[term].name, ws_terms[term].help);
    }
    ws_write_string(
        out, "\nColumns:\n"
             "  EFF %          work per GPU, relative to the smallest size of the list\n"
             "  MORE %         what a GPU more brought since the size before, relative to one\n"
             "                 there\n"
             "  WORTH %        of a sample in a batch of this size, by the noise scale\n"
             "  PAUSES         writes of checkpoints and evaluations, for each step; rates and\n"
             "                 costs count them\n"
             "  $/10^9 tokens  price of the job's GPUs alone, by what a node costs\n"
             "  * in GPUS      the knee, where cost x time for the same work is least: of all\n"
             "                 sizes W^2/GPUs is largest there, W the work per second. Source:\n"
             "                 D. Eager, J. Zahorjan, E. Lazowska, IEEE Trans. Computers 38(3),\n"
             "                 1989\n");
}

const ws_command ws_command_explain_step = {
    .name = "explain step",
    .bit = WS_FOR_EXPLAIN_STEP,
    .operands = "SCENARIO",
    .operands_min = 1,
    .operands_max = 1,
    .summary = "where a step of a job goes at each size, and what it costs",
    .about = "Takes a step of one stage of a job apart at several sizes: compute, exposed "
             "communication, waiting;\n"
             "how fast it is, how efficient, what it needs and costs. Runs nothing. A size that is "
             "not possible is\n"
             "shown with the reason; when none is, the answer is no.\n",
    .examples =
        "  worldsize explain step s.yaml --job pretrain --gpus 64,128,256 --chart step.svg\n"
        "  worldsize explain step s.yaml --gpus legal --wide\n"
        "  worldsize explain step s.yaml --gpus 64 --buckets buckets.csv --json\n",
    .write_more = explain_step_write_terms,
    .main = explain_step_main,
};
