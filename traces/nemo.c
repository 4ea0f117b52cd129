/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * NeMo, in two forms. Its own log:
 *
 *   Training epoch 0, iteration 120/149 | lr: 3e-05 | consumed_samples: 121 | global_batch_size: 1
 * | global_step: 120 | reduced_train_loss: 1.233 | train_step_timing in s: 0.03146 | ...
 *
 * and PyTorch Lightning's bar, each state of which ends with a carriage return:
 *
 *   Epoch 0: 1%| | 795/77225 [9:07:58<878:01:48, 41.36s/it, ..., global_step=794.0, ...]
 *
 * The bar's time is a running mean, and its numbers are rounded to three digits: where that took
 * digits of the step, the number of the batch stands in. Source: NVIDIA NeMo, nemo/lightning; tqdm,
 * format_meter().
 */
#include <math.h>

#include "steps_line.h"
#include "steps_reading.h"

#define NEMO_S_MAX 1e9

static bool nemo_is_bar(ws_text line)
{
    ws_text rest = {.start = NULL};

    return ws_text_starts_with(line, WS_TEXT("Epoch ")) &&
           ws_steps_behind(line, "global_step=", &rest) && ws_steps_behind(line, "/", &rest);
}

static bool nemo_is_line(ws_text line)
{
    ws_text rest = {.start = NULL};

    return ws_steps_behind(line, "Training epoch ", &rest) &&
           ws_steps_behind(rest, ", iteration ", &rest);
}

static bool nemo_sniff(ws_text line)
{
    ws_text rest = {.start = NULL};

    return nemo_is_bar(line) ||
           (nemo_is_line(line) && ws_steps_behind(line, "train_step_timing in s:", &rest));
}

static ws_steps_line nemo_line(ws_text line, ws_step_report *report)
{
    ws_text rest = {.start = NULL};
    double batch = 0;

    if (!ws_steps_behind(line, "train_step_timing in s:", &rest)) {
        return WS_STEPS_BREAKS_OFF;
    }
    if (!(ws_steps_count_behind(line, "| global_step:", &report->step) ||
          ws_steps_count_behind(line, ", iteration ", &report->step)) ||
        !ws_steps_number(rest, &report->step_s) || isnan(report->step_s) || report->step_s < 0 ||
        report->step_s > NEMO_S_MAX) {
        return WS_STEPS_NO_NUMBER;
    }
    if (ws_steps_number_behind(line, "| global_batch_size:", &batch) && report->step_s > 0) {
        report->samples_per_s = batch / report->step_s;
    }
    report->has_loss = ws_steps_number_behind(line, "| reduced_train_loss:", &report->loss);
    return WS_STEPS_TAKEN;
}

/* `41.36s/it`, or `1.20it/s` of quick steps, behind the times; `?` before the first one. */
static bool nemo_bar_step_s(ws_text rest, double *step_s)
{
    ws_text speed = {.start = NULL};
    ws_text found = {.start = NULL};
    double number = 0;

    if (!ws_steps_behind(rest, "[", &speed) || !ws_steps_behind(speed, ", ", &speed) ||
        !ws_steps_number(speed, &number) || isnan(number) || number <= 0) {
        return false;
    }
    speed = ws_text_slice(speed, 0, ws_text_find_byte(speed, ','));
    bool is_time = ws_steps_behind(speed, "s/it", &found);

    *step_s = is_time ? number : 1 / number;
    return (is_time || ws_steps_behind(speed, "it/s", &found)) && *step_s <= NEMO_S_MAX;
}

/* The step: exact where the rounded number has no exponent. */
static bool nemo_bar_step(ws_text line, int64_t batch, int64_t *step)
{
    ws_text rest = {.start = NULL};
    ws_text after = {.start = NULL};

    if (!ws_steps_behind(line, "global_step=", &rest) || !ws_steps_count(rest, step, &after)) {
        return false;
    }
    ws_text number = ws_text_slice(rest, 0, ws_text_find_byte(rest, ','));

    if (ws_text_find_byte(number, 'e') < number.length) {
        *step = batch;
    }
    return true;
}

static ws_steps_line nemo_bar(ws_trace_steps_reading *reading, ws_text line, ws_step_report *report)
{
    ws_text rest = {.start = NULL};
    int64_t batch = 0;
    int64_t batches = 0;

    if (!ws_steps_behind(line, "|", &rest) || !ws_steps_behind(rest, "|", &rest) ||
        !ws_steps_count(rest, &batch, &rest) || !ws_text_starts_with(rest, WS_TEXT("/")) ||
        !ws_steps_count(ws_text_slice(rest, 1, rest.length), &batches, &rest) ||
        !nemo_bar_step_s(rest, &report->step_s) || !nemo_bar_step(line, batch, &report->step)) {
        report->step_s = (double)NAN;
        return WS_STEPS_NO_NUMBER;
    }
    reading->found.steps_wanted = batches;
    report->has_loss = ws_steps_number_behind(line, "reduced_train_loss=", &report->loss);
    return WS_STEPS_TAKEN;
}

static ws_steps_line nemo_any(ws_trace_steps_reading *reading, ws_text line, ws_step_report *report)
{
    ws_text rest = {.start = NULL};
    int64_t world = 0;

    if (nemo_is_bar(line)) {
        return nemo_bar(reading, line, report);
    }
    if (nemo_is_line(line)) {
        return nemo_line(line, report);
    }
    if (ws_steps_behind(line, "distributed processes registered", &rest) &&
        ws_steps_count_behind(rest, "Starting with ", &world) && world >= 1) {
        ws_steps_reading_note_world(reading, world);
    }
    return WS_STEPS_OTHER;
}

static bool nemo_read(ws_trace_steps_reading *reading)
{
    return ws_steps_read_log(reading, nemo_any);
}

const ws_trace_steps_type ws_trace_nemo = {
    .name = "nemo",
    .summary = "logs of NeMo, and the bars of PyTorch Lightning: seconds a step",
    .sniff_line = nemo_sniff,
    .read = nemo_read,
};
