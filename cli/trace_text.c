/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A word and its numbers on each line; bars for what lies along an axis; notes. */
#include "trace_text.h"

#include <inttypes.h>

#include "paragraph.h"
#include "present.h"

#define TRACE_LABEL_COLUMN 15
#define TRACE_BARS_MOST 60

void ws_trace_text_line(const ws_trace_text *task, const char *label, ws_text text)
{
    ws_write_format(task->out, "%-*s", TRACE_LABEL_COLUMN, label);
    ws_paragraph_write(task->out, text,
                       (ws_paragraph){.width = ws_paragraph_width(task->answer->terminal),
                                      .column = TRACE_LABEL_COLUMN,
                                      .indent = TRACE_LABEL_COLUMN});
}

/* ---- lines ---- */

static const char *trace_finding_label(ws_trace_finding_kind kind)
{
    switch (kind) {
    case WS_TRACE_LEFT_OUT:
    case WS_TRACE_CUT:
        return "  left out";
    case WS_TRACE_REJECTED:
        return "  rejected";
    case WS_TRACE_NOTED:
        break;
    }
    return "  kept";
}

/* " (line 12)", " (lines 12, 40 and 7 more)"; nothing where no line is known. */
static ws_text trace_finding_lines(const ws_trace_text *task, const ws_trace_count *found)
{
    ws_text text = WS_TEXT("");

    if (found->lines[0] == 0) {
        return text;
    }
    for (int64_t i = 0; i < WS_TRACE_FIRST_LINES && i < found->count; i++) {
        bool is_last = i + 1 == found->count;
        text = ws_arena_format(task->arena, "%.*s%s%" PRId64, WS_TEXT_ARGS(text),
                               i == 0    ? ""
                               : is_last ? " and "
                                         : ", ",
                               found->lines[i]);
    }
    ws_text more =
        found->count > WS_TRACE_FIRST_LINES
            ? ws_arena_format(task->arena, " and %s more",
                              ws_trace_text_count(task, found->count - WS_TRACE_FIRST_LINES))
            : WS_TEXT("");
    return ws_arena_format(task->arena, " (line%s %.*s%.*s)", found->count == 1 ? "" : "s",
                           WS_TEXT_ARGS(text), WS_TEXT_ARGS(more));
}

void ws_trace_text_write_finding(const ws_trace_text *task, const ws_trace_finding_row *row,
                                 const ws_trace_count *found)
{
    if (found->count > 0) {
        ws_trace_text_line(task, trace_finding_label(row->kind),
                           ws_arena_format(task->arena, "%s %s%.*s",
                                           ws_trace_text_count(task, found->count),
                                           found->count == 1 ? row->text_one : row->text,
                                           WS_TEXT_ARGS(trace_finding_lines(task, found))));
    }
}

void ws_trace_text_write_rows(const ws_trace_text *task)
{
    const ws_trace_report *report = task->answer->report;

    ws_trace_text_line(task, "jobs",
                       ws_arena_format(task->arena, "%s of %s rows",
                                       ws_trace_text_count(task, report->jobs_kept),
                                       ws_trace_text_count(task, report->rows_read)));
    for (size_t i = 0; i < WS_TRACE_FINDING_COUNT; i++) {
        const ws_trace_finding_row *row = ws_trace_finding_at((ws_trace_finding)i);
        const ws_trace_count *found = &report->found[i];
        ws_trace_text_write_finding(task, row, found);
    }
}

static ws_text trace_clock_words(const ws_trace_text *task)
{
    switch (task->summary->clock) {
    case WS_TRACE_CLOCK_UTC:
        return WS_TEXT("");
    case WS_TRACE_CLOCK_WALL:
        return ws_arena_format(task->arena, ", wall clock, zone %.*s",
                               WS_TEXT_ARGS(task->summary->zone));
    case WS_TRACE_CLOCK_OWN:
        break;
    }
    return WS_TEXT(", on a clock without a date");
}

static void trace_write_arrivals(const ws_trace_text *task)
{
    const ws_trace_summary *summary = task->summary;
    double arrivals_s = (double)(summary->last_arrival_ns - summary->first_arrival_ns) / 1e9;
    double whole_s = (double)(summary->end_ns - summary->first_arrival_ns) / 1e9;
    char date[WS_TRACE_DATE_BYTES];

    ws_trace_answer_date(task->answer, summary->first_arrival_ns, date);
    ws_text last = task->summary->step_count > 0
                       ? ws_arena_format(task->arena, ", the last end after %s",
                                         ws_trace_text_span(task, whole_s))
                       : WS_TEXT("");
    ws_trace_text_line(task, "window",
                       ws_arena_format(task->arena, "%s, arrivals for %s%.*s%.*s", date,
                                       ws_trace_text_span(task, arrivals_s), WS_TEXT_ARGS(last),
                                       WS_TEXT_ARGS(trace_clock_words(task))));
    ws_text rate = arrivals_s > 0
                       ? ws_arena_format(task->arena, "%s /h",
                                         ws_trace_text_number(task, summary->arrivals_per_h))
                       : WS_TEXT("all at one moment");
    ws_trace_text_line(task, "arrivals",
                       ws_arena_format(task->arena,
                                       "%.*s, %s x the mean in the busiest hour of the day",
                                       WS_TEXT_ARGS(rate),
                                       ws_trace_text_number(task, summary->hour_peak_to_mean)));
}

static void trace_write_work(const ws_trace_text *task)
{
    const ws_trace_summary *summary = task->summary;

    if (summary->duration_s.n < summary->jobs) {
        ws_trace_text_line(
            task, "run time",
            ws_arena_format(task->arena, "%s jobs state none: profiles say it",
                            ws_trace_text_count(task, summary->jobs - summary->duration_s.n)));
    }
    if (summary->duration_s.n > 0) {
        ws_trace_text_line(
            task, "GPU-hours",
            ws_arena_format(task->arena, "%s; a tenth of the jobs holds %s",
                            ws_trace_text_gpu_h(task, summary->work).start,
                            ws_trace_text_percent(task, summary->top_tenth_fraction)));
    }
}

static void trace_write_load(const ws_trace_text *task)
{
    const ws_trace_summary *summary = task->summary;

    if (summary->step_count == 0) {
        return;
    }
    ws_trace_text_line(
        task, "at a time",
        ws_arena_format(task->arena, "%s GPUs on average, %s at most, after %s; at most %s jobs",
                        ws_trace_text_number(task, summary->gpus_mean),
                        ws_trace_text_count(task, summary->gpus_peak),
                        ws_trace_text_span(task, (double)summary->gpus_peak_ns / 1e9),
                        ws_trace_text_count(task, summary->jobs_peak)));
}

/* ---- bars ---- */

static void trace_write_bars(const ws_trace_text *task, const char *label, const double *values,
                             size_t count, const char *axis)
{
    ws_text bars = ws_present_bars(values, count, task->answer->terminal->utf8, task->arena);

    ws_write_format(task->out, "%-*s%.*s  %s\n", TRACE_LABEL_COLUMN, label, WS_TEXT_ARGS(bars),
                    axis);
}

static void trace_write_counts(const ws_trace_text *task, const char *label, const int64_t *counts,
                               size_t count, const char *axis)
{
    double values[TRACE_BARS_MOST];

    WS_ASSERT(count <= TRACE_BARS_MOST);
    for (size_t i = 0; i < count; i++) {
        values[i] = (double)counts[i];
    }
    trace_write_bars(task, label, values, count, axis);
}

/* Steps are put together until a line holds them. */
static void trace_write_course(const ws_trace_text *task)
{
    const ws_trace_summary *summary = task->summary;
    size_t each = (summary->step_count + TRACE_BARS_MOST - 1) / TRACE_BARS_MOST;
    double values[TRACE_BARS_MOST] = {0};
    size_t count = 0;

    if (summary->step_count == 0) {
        return;
    }
    for (size_t i = 0; i < summary->step_count; i++) {
        count = i / each + 1;
        values[count - 1] += summary->steps[i].gpus_mean / (double)each;
    }
    double step_s = (double)summary->step_ns / 1e9 * (double)each;
    trace_write_bars(
        task, "  course", values, count,
        ws_arena_format(task->arena, "%s each", ws_trace_text_span(task, step_s)).start);
}

/* ---- the whole ---- */

static void trace_write_note(const ws_trace_text *task, ws_text text)
{
    ws_paragraph_write(
        task->out, text,
        (ws_paragraph){.width = ws_paragraph_width(task->answer->terminal), .indent = 2});
}

static void trace_write_notes(const ws_trace_text *task)
{
    const ws_trace_summary *summary = task->summary;
    int64_t not_whole = summary->jobs - summary->outcomes[WS_TRACE_OUTCOME_UNKNOWN].jobs -
                        summary->outcomes[WS_TRACE_OUTCOME_COMPLETED].jobs;

    ws_write_string(task->out, "\n");
    if (not_whole == 0 && summary->outcomes[WS_TRACE_OUTCOME_COMPLETED].jobs == 0) {
        trace_write_note(task, WS_TEXT("Outcomes are not recorded."));
    }
    if (summary->starts_known == 0 && summary->step_count > 0) {
        trace_write_note(task, WS_TEXT("Starts are not recorded: each job is taken to run from its "
                                       "arrival on."));
    } else if (summary->starts_known < summary->jobs && summary->step_count > 0) {
        trace_write_note(
            task,
            ws_arena_format(task->arena,
                            "%s jobs have no recorded start: they are taken to run "
                            "from their arrival on.",
                            ws_trace_text_count(task, summary->jobs - summary->starts_known)));
    }
    if (not_whole > 0) {
        trace_write_note(task, WS_TEXT("Run times of jobs that did not complete are lower bounds "
                                       "of the work that was wanted."));
    }
    trace_write_note(task, WS_TEXT("What a job would do at another size is not in a trace: a "
                                   "scenario states it (`elasticity`, `speedup`)."));
}

void ws_trace_answer_date(const ws_trace_answer *answer, int64_t clock_ns,
                          char out[WS_TRACE_DATE_BYTES])
{
    ws_trace clock = {.clock = answer->summary->clock, .zone = answer->summary->zone};

    (void)ws_trace_print_date(&clock, clock_ns, out);
}

static void trace_write_jobs(const ws_trace_text *task)
{
    const ws_trace_summary *summary = task->summary;

    trace_write_arrivals(task);
    trace_write_counts(task, "  by hour", summary->by_hour, WS_COUNT_OF(summary->by_hour),
                       "0h to 23h");
    if (summary->clock != WS_TRACE_CLOCK_OWN) {
        trace_write_counts(task, "  by weekday", summary->by_weekday,
                           WS_COUNT_OF(summary->by_weekday), "Monday to Sunday");
    }
    trace_write_work(task);
    trace_write_load(task);
    trace_write_course(task);
    if (summary->users > 0) {
        ws_trace_text_line(task, "users", ws_text_of(ws_trace_text_count(task, summary->users)));
    }
    ws_trace_text_line(
        task, "powers of two",
        ws_arena_format(task->arena, "%s of the jobs ask for one",
                        ws_trace_text_percent(task, summary->power_of_two_fraction)));
    ws_trace_text_write_spreads(task);
    ws_trace_text_write_groups(task);
    trace_write_notes(task);
}

void ws_trace_answer_write_text(const ws_trace_answer *answer, ws_writer *out, ws_arena *arena)
{
    ws_trace_text task = {.answer = answer, .summary = answer->summary, .out = out, .arena = arena};

    ws_write_format(out, "%.*s   %s: %s\n\n", WS_TEXT_ARGS(answer->file), answer->type->name,
                    answer->type->summary);
    ws_trace_text_write_rows(&task);
    if (answer->summary->jobs > 0) {
        trace_write_jobs(&task);
    }
}
