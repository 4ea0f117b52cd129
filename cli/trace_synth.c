/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A trace that nobody recorded: of a published mix, or like a recorded one. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "file_out.h"
#include "output.h"
#include "status.h"
#include "trace_flags.h"
#include "trace_synth_answer.h"
#include "ws/number.h"

#define TRACE_SYNTH_BYTES ((size_t)1 << 38)
#define TRACE_SYNTH_DAYS_MAX 36500.0
#define TRACE_SYNTH_RATE_MAX 1e9
#define TRACE_SYNTH_DISPERSION_MAX 1e9
#define TRACE_SYNTH_LEVELS 672 /* of levels that a flag asks for: four weeks */

typedef struct {
    const ws_invocation *invocation;
    ws_arena arena;   /* of parameters, of the recorded trace, and of jobs that must be kept */
    ws_arena scratch; /* of one job */
    ws_diag diag;
    ws_text file;
    const ws_trace_export *form;
    uint64_t seed;
    double days; /* NAN: not given, as the next two */
    double rate_per_h;
    double dispersion;
    ws_synth synth;
    ws_trace_shape *shape;
    ws_trace_shape *recorded; /* NULL: a mix */
    int64_t jobs;             /* to draw; INT64_MAX: as many as there is time for */
    int64_t until_ns;
    ws_synth_answer answer;
} trace_synth;

/* ---- flags ---- */

static bool synth_fault(const char *what)
{
    ws_output_error("worldsize trace synth: %s\n"
                    "`worldsize trace synth --help` lists the flags\n",
                    what);
    return false;
}

/* A number above 0 and at most `most`. */
static bool synth_number(const trace_synth *task, const char *flag, const char *given, double most,
                         double *value)
{
    *value = (double)NAN;
    if (given == NULL) {
        return true;
    }
    if (ws_parse_f64(ws_text_of(given), value) && *value > 0 && *value <= most) {
        return true;
    }
    ws_text shown = ws_output_shown(ws_text_of(given), task->invocation->arena);

    return synth_fault(ws_arena_format(task->invocation->arena,
                                       "`--%s` is a number above 0, at most %.0f, not `%.*s`", flag,
                                       most, WS_TEXT_ARGS(shown))
                           .start);
}

static bool synth_read_seed(trace_synth *task)
{
    const char *given = task->invocation->settings->seed;

    task->seed = 1;
    if (given == NULL || ws_parse_u64(ws_text_of(given), &task->seed)) {
        return true;
    }
    ws_text shown = ws_output_shown(ws_text_of(given), task->invocation->arena);

    return synth_fault(ws_arena_format(task->invocation->arena,
                                       "`--seed` is a whole number, 0 or more, not `%.*s`",
                                       WS_TEXT_ARGS(shown))
                           .start);
}

static bool synth_read_flags(trace_synth *task)
{
    const ws_settings *settings = task->invocation->settings;
    bool is_mix = ws_settings_choice(settings->mix, -1) >= 0;
    bool has_days = settings->days != NULL;

    if (is_mix == (settings->like != NULL)) {
        return synth_fault("one of `--mix NAME` and `--like FILE` says what to draw");
    }
    if (settings->out == NULL) {
        return synth_fault("missing `--out FILE`");
    }
    if (is_mix && settings->jobs == 0 && !has_days) {
        return synth_fault("`--jobs N` or `--days D` says how much to draw");
    }
    if (settings->jobs > 0 && has_days && settings->rate != NULL) {
        return synth_fault("of `--jobs`, `--days` and `--rate` any two make the third: leave one "
                           "out");
    }
    if (settings->jobs > WS_TRACE_JOBS_MAX) {
        return synth_fault("`--jobs` is at most 100000000");
    }
    return synth_read_seed(task) &&
           synth_number(task, "days", settings->days, TRACE_SYNTH_DAYS_MAX, &task->days) &&
           synth_number(task, "rate", settings->rate, TRACE_SYNTH_RATE_MAX, &task->rate_per_h) &&
           synth_number(task, "dispersion", settings->dispersion, TRACE_SYNTH_DISPERSION_MAX,
                        &task->dispersion);
}

/* ---- parameters ---- */

/* Reads the recorded trace, takes its shape, and fits. */
static bool synth_imitate(trace_synth *task)
{
    const ws_invocation *invocation = task->invocation;
    ws_file_name file = ws_trace_flags_file(invocation->settings->like, invocation->arena);
    ws_trace_options options;
    ws_trace_report report = {.rows_read = 0};
    ws_trace trace;

    if (!ws_trace_flags_options(&options, invocation, "trace synth")) {
        return false;
    }
    options.type = ws_trace_flags_type(invocation->settings, &file, &task->diag);
    task->recorded = ws_arena_alloc(&task->arena, ws_trace_shape, 1);
    if (options.type == NULL || task->recorded == NULL ||
        !ws_trace_load(&trace, &file, &options, &report, &task->arena, &task->diag) ||
        !ws_synth_fit(&task->synth, &trace, file.shown, &task->arena, &task->diag)) {
        return false;
    }
    ws_trace_shape_init(task->recorded);
    for (size_t i = 0; i < trace.count; i++) {
        ws_trace_shape_add(task->recorded, &trace.jobs[i], trace.origin_ns);
    }
    return true;
}

/* How many, and for how long. */
static void synth_set_extent(trace_synth *task)
{
    const ws_settings *settings = task->invocation->settings;
    bool has_days = !isnan(task->days);

    if (!isnan(task->rate_per_h)) {
        task->synth.arrivals.rate_per_h = task->rate_per_h;
    }
    task->jobs = settings->jobs > 0 ? settings->jobs : has_days ? WS_TRACE_JOBS_MAX : 0;
    task->until_ns = INT64_MAX;
    if (task->jobs == 0) {
        ws_shape_counts recorded = ws_trace_shape_counts(task->recorded);

        task->jobs = WS_TRACE_JOBS_MAX;
        task->until_ns = recorded.hours * WS_NS_PER_H;
    } else if (settings->jobs > 0 && has_days) {
        task->synth.arrivals.rate_per_h = (double)settings->jobs / (24 * task->days);
    } else if (has_days) {
        task->until_ns = (int64_t)(task->days * (double)WS_NS_PER_D);
    }
}

static bool synth_set_dispersion(trace_synth *task)
{
    ws_synth_arrivals *arrivals = &task->synth.arrivals;
    double persistence = arrivals->persistence;

    if (isnan(task->dispersion)) {
        return true;
    }
    if (!ws_synth_set_dispersion(arrivals, task->dispersion, TRACE_SYNTH_LEVELS, &task->arena)) {
        return ws_diag_error(&task->diag, 6153, ws_span_none,
                             "no hourly rates have a variance-to-mean ratio of %s at %.4g jobs an "
                             "hour: in the extreme all jobs of four weeks come in one hour, and "
                             "the ratio is about %.4g",
                             task->invocation->settings->dispersion, arrivals->rate_per_h,
                             arrivals->rate_per_h * TRACE_SYNTH_LEVELS);
    }
    arrivals->persistence = arrivals->level_count > 1 ? persistence : 0;
    return true;
}

static bool synth_set_gpus(trace_synth *task)
{
    int64_t most = task->invocation->settings->max_gpus;

    return most == 0 || ws_synth_limit_gpus(&task->synth, (int32_t)most, &task->arena) ||
           ws_diag_error(&task->diag, 6152, ws_span_none,
                         "`--max-gpus %lld` leaves no job: the smallest asks for more",
                         (long long)most);
}

static bool synth_prepare(trace_synth *task)
{
    int32_t mix = ws_settings_choice(task->invocation->settings->mix, -1);

    if (mix < 0) {
        if (!synth_imitate(task)) {
            return false;
        }
    } else if (!ws_synth_mix(&task->synth, (size_t)mix, &task->arena)) {
        return ws_diag_error(&task->diag, 9020, ws_span_none, "out of memory");
    }
    synth_set_extent(task);
    return synth_set_dispersion(task) && synth_set_gpus(task);
}

/* ---- drawing ---- */

static ws_trace synth_about(const trace_synth *task)
{
    return (ws_trace){
        .clock = task->synth.clock, .origin_ns = task->synth.origin_ns, .zone = task->synth.zone};
}

/* One after the other, as they are drawn: memory does not grow. */
static void synth_stream(trace_synth *task, ws_synth_state *state, ws_writer *writer)
{
    ws_trace about = synth_about(task);
    ws_trace_job job;

    task->form->begin(&about, writer);
    for (int64_t i = 0;
         i < task->jobs && writer->error == 0 && ws_synth_next(state, task->until_ns, &job); i++) {
        ws_trace_shape_add(task->shape, &job, about.origin_ns);
        task->form->add(&about, &job, writer, &task->scratch);
        ws_arena_reset(&task->scratch);
    }
}

/* A copy of a job that stays. */
static bool synth_keep(trace_synth *task, ws_trace_job *kept, const ws_trace_job *job)
{
    ws_trace_attempt *attempts =
        ws_arena_alloc(&task->arena, ws_trace_attempt, (size_t)job->attempt_count + 1);

    *kept = *job;
    kept->id = ws_arena_copy_text(&task->arena, job->id);
    kept->user = ws_arena_copy_text(&task->arena, job->user);
    if (attempts == NULL || kept->id.start == NULL || kept->user.start == NULL) {
        return false;
    }
    if (job->attempt_count > 0) {
        memcpy(attempts, job->attempts, (size_t)job->attempt_count * sizeof *attempts);
        kept->attempts = attempts;
    }
    return true;
}

/* All of them first, for a form that needs to see them all. */
static void synth_collect(trace_synth *task, ws_synth_state *state, ws_writer *writer)
{
    ws_trace trace = synth_about(task);
    size_t capacity = 0;
    ws_trace_job job;
    bool sound = true;

    while (sound && (int64_t)trace.count < task->jobs &&
           ws_synth_next(state, task->until_ns, &job)) {
        ws_trace_job *jobs = ws_arena_grow(&task->arena, trace.jobs, trace.count, trace.count + 1,
                                           &capacity, sizeof *jobs);

        sound = jobs != NULL && synth_keep(task, &jobs[trace.count], &job);
        if (sound) {
            trace.jobs = jobs;
            trace.count++;
            ws_trace_shape_add(task->shape, &job, trace.origin_ns);
        }
    }
    if (sound) {
        task->form->write(&trace, writer, &task->arena);
    } else {
        writer->error = ENOMEM;
    }
}

static bool synth_write(trace_synth *task)
{
    const ws_settings *settings = task->invocation->settings;
    ws_synth_state *state = ws_synth_open(&task->synth, task->seed, &task->arena);
    ws_file_out out;

    task->shape = ws_arena_alloc(&task->arena, ws_trace_shape, 1);
    if (state == NULL || task->shape == NULL) {
        return ws_diag_error(&task->diag, 9020, ws_span_none, "out of memory");
    }
    ws_trace_shape_init(task->shape);
    if (!ws_file_out_begin(&out, settings->out, task->file, settings->force,
                           task->invocation->arena, &task->diag)) {
        return false;
    }
    if (task->form->add != NULL) {
        synth_stream(task, state, &out.writer);
    } else {
        synth_collect(task, state, &out.writer);
    }
    task->answer.bytes = out.writer.total_bytes;
    ws_sha256_print(&out.writer.hash, task->answer.sha256);
    return ws_file_out_end(&out, &task->diag);
}

/* ---- the answer ---- */

static void synth_tell(trace_synth *task, bool has_answer)
{
    const ws_settings *settings = task->invocation->settings;

    ws_diag_sort(&task->diag);
    if (!settings->json || !has_answer) {
        ws_output_diagnostics(&task->diag, 0, task->invocation->terminal, settings->quiet,
                              task->invocation->arena);
    }
}

static int synth_answer(trace_synth *task)
{
    ws_synth_answer *answer = &task->answer;
    ws_writer out;

    answer->synth = &task->synth;
    answer->shape = task->shape;
    answer->recorded = task->recorded;
    answer->seed = task->seed;
    answer->form = task->form;
    answer->file = task->file;
    answer->diag = &task->diag;
    answer->terminal = task->invocation->terminal;
    ws_output_begin(&out);
    if (task->invocation->settings->json) {
        ws_synth_answer_write_json(answer, &out);
    } else {
        ws_synth_answer_write_text(answer, &out, task->invocation->arena);
    }
    return ws_output_finish(&out, WS_STATUS_YES);
}

static int synth_run(trace_synth *task)
{
    const ws_settings *settings = task->invocation->settings;

    if (!ws_file_out_check(settings->out, task->file, settings->force, &task->diag) ||
        !synth_prepare(task)) {
        synth_tell(task, false);
        return WS_STATUS_NOT_STARTED;
    }
    bool is_written = synth_write(task);

    synth_tell(task, is_written);
    return is_written ? synth_answer(task) : WS_STATUS_FAILED;
}

static int trace_synth_main(const ws_invocation *invocation)
{
    trace_synth *task = ws_arena_alloc(invocation->arena, trace_synth, 1);
    size_t worldsize = 0;

    if (task == NULL) {
        ws_output_error("worldsize: out of memory\n");
        return WS_STATUS_FAILED;
    }
    task->invocation = invocation;
    if (!synth_read_flags(task)) {
        return WS_STATUS_NOT_STARTED;
    }
    while (!ws_text_is(WS_TEXT("worldsize"), ws_trace_export_names[worldsize])) {
        worldsize++;
    }
    task->form = ws_trace_export_at(
        (size_t)ws_settings_choice(invocation->settings->form, (int32_t)worldsize));
    task->file = ws_output_shown(ws_text_of(invocation->settings->out), invocation->arena);
    ws_diag_init(&task->diag, invocation->arena);
    ws_arena_init(&task->arena, &ws_allocator_default, TRACE_SYNTH_BYTES);
    ws_arena_init(&task->scratch, &ws_allocator_default, TRACE_SYNTH_BYTES);
    int status = synth_run(task);

    ws_arena_reset(&task->scratch);
    ws_arena_reset(&task->arena);
    return status;
}

static void trace_synth_write_mixes(ws_writer *out)
{
    ws_write_string(out, "\nMixes:\n");
    for (size_t i = 0; ws_synth_mix_names[i] != NULL; i++) {
        ws_write_format(out, "  %-10s %s\n", ws_synth_mix_names[i], ws_synth_mix_summary(i));
    }
}

const ws_command ws_command_trace_synth = {
    .name = "trace synth",
    .bit = WS_FOR_TRACE_SYNTH,
    .operands = "",
    .operands_min = 0,
    .operands_max = 0,
    .summary = "a synthetic trace: of a published mix, or like a recorded one",
    .about =
        "Draws jobs and writes them as a trace: bursts of arrivals that are correlated from hour "
        "to hour,\n"
        "sizes, run times that hang on the size, outcomes, users and their repeated submissions, "
        "restarts\n"
        "after lost nodes. With `--like` the parameters are fitted to a recorded trace, and the "
        "answer says\n"
        "how far the one is from the other. Memory does not grow with the number of jobs.\n",
    .examples = "  worldsize trace synth --mix philly --jobs 10000 -o jobs.csv\n"
                "  worldsize trace synth --mix acme --days 30 --max-gpus 256 --seed 3 -o acme.csv\n"
                "  worldsize trace synth --like jan.csv --days 7 -o like.csv\n",
    .write_more = trace_synth_write_mixes,
    .main = trace_synth_main,
};
