/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reports of steps as they come. The last one waits, since more of the same step may follow: the
 * lines of other ranks, or a second line with other numbers.
 */
#include "steps_reading.h"

#include <assert.h>
#include <math.h>

#include "found.h"

#define STEPS_SAME_NS (2 * WS_NS_PER_S) /* within which ranks tell of one step */
#define STEPS_S_MAX 1e9

static const ws_trace_steps_type *const steps_types[] = {&ws_trace_deepspeed, &ws_trace_hf_trainer,
                                                         &ws_trace_megatron, &ws_trace_nemo,
                                                         &ws_trace_torchtitan};

static const ws_trace_finding_row steps_rows[] = {
    [WS_STEPS_CUT] = {.name = "cut",
                      .kind = WS_TRACE_REJECTED,
                      .severity = WS_SEVERITY_WARNING,
                      .code = 6420,
                      .text = "break off before they tell how long the step took",
                      .text_one = "breaks off before it tells how long the step took"},
    [WS_STEPS_BAD_NUMBER] = {.name = "bad_number",
                             .kind = WS_TRACE_REJECTED,
                             .severity = WS_SEVERITY_WARNING,
                             .code = 6421,
                             .text = "have a step or a time that is no number",
                             .text_one = "has a step or a time that is no number"},
    [WS_STEPS_REPEATED] = {.name = "repeated",
                           .kind = WS_TRACE_LEFT_OUT,
                           .text = "tell of a step that was told of, as each rank does",
                           .text_one = "tells of a step that was told of, as each rank does"},
    [WS_STEPS_RESTART] = {.name = "restart",
                          .kind = WS_TRACE_NOTED,
                          .severity = WS_SEVERITY_NOTE,
                          .code = 6422,
                          .text = "fall back to an earlier step: a restart from a checkpoint",
                          .text_one = "falls back to an earlier step: a restart from a checkpoint"},
    [WS_STEPS_NAN_LOSS] = {.name = "nan_loss",
                           .kind = WS_TRACE_NOTED,
                           .severity = WS_SEVERITY_WARNING,
                           .code = 6423,
                           .text = "have a loss that is no number",
                           .text_one = "has a loss that is no number"},
};

static_assert(WS_COUNT_OF(steps_rows) == WS_STEPS_FINDING_COUNT, "one row for each finding");

const ws_trace_finding_row *ws_trace_steps_finding_at(ws_trace_steps_finding finding)
{
    WS_ASSERT(finding < WS_STEPS_FINDING_COUNT);

    return &steps_rows[finding];
}

size_t ws_trace_steps_type_count(void)
{
    return WS_COUNT_OF(steps_types);
}

const ws_trace_steps_type *ws_trace_steps_type_at(size_t index)
{
    WS_ASSERT(index < WS_COUNT_OF(steps_types));

    return steps_types[index];
}

const ws_trace_steps_type *ws_trace_steps_type_find(ws_text name)
{
    for (size_t i = 0; i < WS_COUNT_OF(steps_types); i++) {
        if (ws_text_is(name, steps_types[i]->name)) {
            return steps_types[i];
        }
    }
    return NULL;
}

ws_step_report ws_step_report_none(int64_t line)
{
    return (ws_step_report){.at_ns = WS_TRACE_UNKNOWN_NS,
                            .rank = WS_STEPS_NO_RANK,
                            .step_s = (double)NAN,
                            .samples_per_s = (double)NAN,
                            .gpu_tokens_per_s = (double)NAN,
                            .gpu_tflops = (double)NAN,
                            .loss = (double)NAN,
                            .line = line};
}

void ws_steps_reading_note_world(ws_trace_steps_reading *reading, int64_t size)
{
    ws_trace_steps_summary *found = &reading->found;

    WS_ASSERT(size >= 1);
    if (found->world_size_max == 0 || size < found->world_size_min) {
        found->world_size_min = size;
    }
    if (size > found->world_size_max) {
        found->world_size_max = size;
    }
}

/* ---- findings ---- */

static void steps_note(ws_trace_steps_reading *reading, ws_trace_steps_finding finding,
                       ws_text line, int64_t number)
{
    ws_trace_count *count = &reading->report->found[finding];

    if (ws_trace_count_add(count, number)) {
        count->first = ws_trace_line_span(reading->file->shown, line, number, 0, line.length,
                                          reading->diag->arena);
    }
}

void ws_steps_reading_reject(ws_trace_steps_reading *reading, ws_trace_steps_finding finding,
                             ws_text line, int64_t number)
{
    reading->report->reports_read++;
    steps_note(reading, finding, line, number);
}

/* ---- one report ---- */

static bool steps_exhausted(const ws_trace_steps_reading *reading)
{
    return ws_diag_error(reading->diag, 9020, reading->file->at,
                         "`%.*s` holds more steps than memory allows",
                         WS_TEXT_ARGS(reading->file->shown));
}

bool ws_steps_reading_add(ws_trace_steps_reading *reading, ws_trace_pile *pile, double value)
{
    return !isfinite(value) || ws_trace_pile_add(pile, &value) || steps_exhausted(reading);
}

/* Another rank, or another line, tells of a step that was told of a moment ago. */
static bool steps_are_same(const ws_step_report *old, const ws_step_report *told, bool is_last)
{
    if (old->step != told->step) {
        return false;
    }
    if (old->at_ns != WS_TRACE_UNKNOWN_NS && told->at_ns != WS_TRACE_UNKNOWN_NS) {
        int64_t apart_ns = told->at_ns - old->at_ns;
        return apart_ns < STEPS_SAME_NS && apart_ns > -STEPS_SAME_NS;
    }
    return is_last || (old->rank != told->rank && old->rank >= 0 && told->rank >= 0);
}

static bool steps_is_repeated(const ws_trace_steps_reading *reading, const ws_step_report *told)
{
    size_t count = reading->recent_count;
    size_t looked_at = count < WS_STEPS_RECENT ? count : WS_STEPS_RECENT;

    for (size_t i = 1; i <= looked_at; i++) {
        if (steps_are_same(&reading->recent[(count - i) % WS_STEPS_RECENT], told, i == 1)) {
            return true;
        }
    }
    return false;
}

static void steps_fill(double *number, double other)
{
    *number = isnan(*number) ? other : *number;
}

/* What the pending report does not tell. */
static void steps_merge(ws_step_report *pending, const ws_step_report *told)
{
    steps_fill(&pending->step_s, told->step_s);
    steps_fill(&pending->samples_per_s, told->samples_per_s);
    steps_fill(&pending->gpu_tokens_per_s, told->gpu_tokens_per_s);
    steps_fill(&pending->gpu_tflops, told->gpu_tflops);
    if (!pending->has_loss) {
        pending->has_loss = told->has_loss;
        pending->loss = told->loss;
    }
    if (pending->at_ns == WS_TRACE_UNKNOWN_NS) {
        pending->at_ns = told->at_ns;
    }
}

/* From the report before to this one, of one course. `*step_s` receives the time of a step by their
 * dates, if both have one. */
static bool steps_take_gap(ws_trace_steps_reading *reading, const ws_step_report *told,
                           double *step_s)
{
    const ws_step_report *last = &reading->last;
    ws_step_gap gap = {.steps = (double)(told->step - last->step), .step_s = told->step_s};

    reading->stride = told->step - last->step;
    if (told->at_ns == WS_TRACE_UNKNOWN_NS || last->at_ns == WS_TRACE_UNKNOWN_NS ||
        told->at_ns < last->at_ns) {
        return true;
    }
    gap.length_s = (double)(told->at_ns - last->at_ns) / 1e9;
    *step_s = gap.length_s / gap.steps;
    return ws_trace_pile_add(&reading->gaps, &gap) || steps_exhausted(reading);
}

static void steps_take_restart(ws_trace_steps_reading *reading, const ws_step_report *told)
{
    int64_t restored = told->step - reading->stride; /* the latest step it can have begun at */

    steps_note(reading, WS_STEPS_RESTART, WS_TEXT(""), told->line);
    reading->found.restarts++;
    reading->found.lost_steps += reading->last.step - (restored < 0 ? 0 : restored);
}

static void steps_take_time(ws_trace_steps_summary *found, int64_t at_ns)
{
    if (at_ns == WS_TRACE_UNKNOWN_NS) {
        return;
    }
    found->first_ns = !found->has_times || at_ns < found->first_ns ? at_ns : found->first_ns;
    found->last_ns = !found->has_times || at_ns > found->last_ns ? at_ns : found->last_ns;
    found->has_times = true;
}

static void steps_take_loss(ws_trace_steps_reading *reading, const ws_step_report *told)
{
    if (!told->has_loss) {
        return;
    }
    if (isnan(told->loss)) {
        steps_note(reading, WS_STEPS_NAN_LOSS, WS_TEXT(""), told->line);
        return;
    }
    steps_fill(&reading->found.loss_first, told->loss);
    reading->found.loss_last = told->loss;
}

/* A report to which nothing more is added. */
static bool steps_flush(ws_trace_steps_reading *reading)
{
    const ws_step_report *told = &reading->pending;
    ws_trace_steps_summary *found = &reading->found;

    double step_s = (double)NAN;

    if (!reading->has_pending) {
        return true;
    }
    reading->has_pending = false;
    reading->report->reports_kept++;
    if (!reading->has_last) {
        found->first_step = told->step;
    } else if (told->step <= reading->last.step) {
        steps_take_restart(reading, told);
    } else if (!steps_take_gap(reading, told, &step_s)) {
        return false;
    }
    if (!isnan(told->step_s)) {
        step_s = told->step_s;
        found->stated++;
    }
    steps_take_time(found, told->at_ns);
    steps_take_loss(reading, told);
    found->last_step = told->step;
    found->step_max = told->step > found->step_max ? told->step : found->step_max;
    reading->last = *told;
    reading->has_last = true;
    return ws_steps_reading_add(reading, &reading->step_s, step_s) &&
           ws_steps_reading_add(reading, &reading->samples_per_s, told->samples_per_s) &&
           ws_steps_reading_add(reading, &reading->gpu_tokens_per_s, told->gpu_tokens_per_s) &&
           ws_steps_reading_add(reading, &reading->gpu_tflops, told->gpu_tflops);
}

bool ws_steps_reading_take(ws_trace_steps_reading *reading, const ws_step_report *told)
{
    WS_ASSERT(reading != NULL);
    WS_ASSERT(told != NULL);
    WS_ASSERT(told->step >= 0);
    WS_ASSERT(!(told->step_s < 0) && !(told->step_s > STEPS_S_MAX));

    if (reading->report->reports_read++ == WS_TRACE_REPORTS_MAX) {
        return ws_diag_error(reading->diag, 9020, reading->file->at,
                             "`%.*s` tells of more than 100,000,000 steps",
                             WS_TEXT_ARGS(reading->file->shown));
    }
    if (steps_is_repeated(reading, told)) {
        (void)ws_trace_count_add(&reading->report->found[WS_STEPS_REPEATED], told->line);
        if (reading->has_pending && reading->pending.step == told->step) {
            steps_merge(&reading->pending, told);
        }
        return true;
    }
    if (!steps_flush(reading)) {
        return false;
    }
    reading->pending = *told;
    reading->has_pending = true;
    reading->recent[reading->recent_count++ % WS_STEPS_RECENT] = *told;
    return true;
}

bool ws_steps_reading_end(ws_trace_steps_reading *reading)
{
    WS_ASSERT(reading != NULL);

    return steps_flush(reading);
}
