/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Megatron-LM, and what prints as it does (Megatron-LLM, GPT-NeoX, Megatron-DeepSpeed):
 *
 *   [DATE] iteration 43/ 100 | consumed samples: 5504 | elapsed time per iteration (ms): 5444.9 |
 *   throughput per GPU (TFLOP/s/GPU): 239.8 | ... | global batch size: 128 | lm loss: 1.8E+00 | ...
 *   | number of skipped iterations: 0 | number of nan iterations: 0 |
 *
 * The time is a mean over the iterations since the line before; date, throughput and batch may be
 * absent. GPT-NeoX has `samples/sec: 7.8 | iteration ...` and `approx flops per GPU: 112.9TFLOPS`.
 * Source: NVIDIA Megatron-LM, training_log() in megatron/training/training.py.
 */
#include <math.h>

#include "steps_line.h"
#include "steps_reading.h"

#define MEGATRON_TIME "elapsed time per iteration (ms):"
#define MEGATRON_S_MAX 1e9

/* `iteration N/ M`. */
static bool megatron_iteration(ws_text line, int64_t *step, int64_t *wanted)
{
    ws_text rest = {.start = NULL};

    return ws_steps_behind(line, "iteration ", &rest) && ws_steps_count(rest, step, &rest) &&
           ws_text_starts_with(ws_text_trimmed(rest), WS_TEXT("/")) &&
           ws_steps_behind(rest, "/", &rest) && ws_steps_count(rest, wanted, &rest) &&
           ws_text_starts_with(ws_text_trimmed(rest), WS_TEXT("|"));
}

bool ws_steps_megatron_sniff(ws_text line)
{
    int64_t step = 0;
    int64_t wanted = 0;
    ws_text rest = {.start = NULL};

    return megatron_iteration(line, &step, &wanted) && ws_steps_behind(line, MEGATRON_TIME, &rest);
}

static void megatron_loss(ws_text line, ws_step_report *report)
{
    report->has_loss = ws_steps_number_behind(line, "| lm loss:", &report->loss) ||
                       ws_steps_number_behind(line, "| lm_loss:", &report->loss) ||
                       ws_steps_number_behind(line, "| loss:", &report->loss);
}

/* Of the run: counts since the line before, and how much it is to do. */
static void megatron_counts(ws_trace_steps_reading *reading, ws_text line, int64_t wanted)
{
    int64_t skipped = 0;
    int64_t nan = 0;

    reading->found.steps_wanted = wanted;
    if (ws_steps_count_behind(line, "number of skipped iterations:", &skipped)) {
        reading->found.skipped_steps += skipped;
    }
    if (ws_steps_count_behind(line, "number of nan iterations:", &nan)) {
        reading->found.nan_steps += nan;
    }
}

ws_steps_line ws_steps_megatron_line(ws_trace_steps_reading *reading, ws_text line,
                                     ws_step_report *report)
{
    int64_t wanted = 0;
    int64_t world = 0;
    double milliseconds = 0;
    double batch = 0;
    ws_text rest = {.start = NULL};

    if (ws_steps_count_behind(line, "using world size:", &world) && world >= 1) {
        ws_steps_reading_note_world(reading, world);
    }
    if (!megatron_iteration(line, &report->step, &wanted)) {
        return WS_STEPS_OTHER;
    }
    if (!ws_steps_behind(line, MEGATRON_TIME, &rest)) {
        return WS_STEPS_BREAKS_OFF;
    }
    if (!ws_steps_number(rest, &milliseconds) || isnan(milliseconds) || milliseconds < 0 ||
        milliseconds > 1000 * MEGATRON_S_MAX) {
        return WS_STEPS_NO_NUMBER;
    }
    report->step_s = milliseconds / 1000;
    if (!ws_steps_number_behind(line, "throughput per GPU (TFLOP/s/GPU):", &report->gpu_tflops)) {
        (void)ws_steps_number_behind(line, "approx flops per GPU:", &report->gpu_tflops);
    }
    if (!ws_steps_number_behind(line, "samples/sec:", &report->samples_per_s) &&
        ws_steps_number_behind(line, "global batch size:", &batch) && milliseconds > 0) {
        report->samples_per_s = batch / report->step_s;
    }
    megatron_loss(line, report);
    megatron_counts(reading, line, wanted);
    return WS_STEPS_TAKEN;
}

static bool megatron_read(ws_trace_steps_reading *reading)
{
    return ws_steps_read_log(reading, ws_steps_megatron_line);
}

const ws_trace_steps_type ws_trace_megatron = {
    .name = "megatron",
    .summary = "logs of Megatron-LM and what prints as it does: iterations, ms, TFLOP/s",
    .sniff_line = ws_steps_megatron_sniff,
    .read = megatron_read,
};
