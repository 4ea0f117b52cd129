/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * torchtitan:
 *
 *   [rank0]:[titan] DATE - root - INFO - step: 200  loss: 6.1384  memory: 49.66GiB(52.28%)
 *   tps: 5,856  tflops: 339.16  mfu: 34.29%
 *
 * `tps` is tokens per second and GPU, `tflops` per GPU; every rank may print a line, and one is
 * printed every so many steps. Times of steps are differences of dates. Source: pytorch/torchtitan,
 * torchtitan/components/metrics.py.
 */
#include <math.h>

#include "steps_line.h"
#include "steps_reading.h"

static bool titan_is_step(ws_text line, ws_text *rest)
{
    return ws_steps_behind(line, "[titan]", rest) && ws_steps_behind(*rest, " - step:", rest);
}

static bool titan_sniff(ws_text line)
{
    ws_text rest = {.start = NULL};

    return titan_is_step(line, &rest) && ws_steps_behind(rest, "tps:", &rest);
}

/* `Building 2-D device mesh with ['dp_shard', 'tp'], [4, 2]`: the product of the last list. */
static void titan_mesh(ws_trace_steps_reading *reading, ws_text line)
{
    ws_text rest = {.start = NULL};
    int64_t world = 1;
    int64_t size = 0;

    if (!ws_steps_behind(line, " device mesh with ", &rest) ||
        !ws_steps_behind(rest, "], [", &rest)) {
        return;
    }
    while (ws_steps_count(rest, &size, &rest) && size >= 1 && size <= 1000000 && world <= 1000000) {
        world *= size;
        rest = ws_text_slice(rest, 1, rest.length); /* the comma, or the bracket */
    }
    if (size >= 1) {
        ws_steps_reading_note_world(reading, world);
    }
}

static ws_steps_line titan_line(ws_trace_steps_reading *reading, ws_text line,
                                ws_step_report *report)
{
    ws_text rest = {.start = NULL};
    ws_text tps = {.start = NULL};

    if (!titan_is_step(line, &rest)) {
        titan_mesh(reading, line);
        return WS_STEPS_OTHER;
    }
    if (!ws_steps_behind(rest, "tps:", &tps)) {
        return WS_STEPS_BREAKS_OFF;
    }
    if (!ws_steps_count(rest, &report->step, NULL) ||
        !ws_steps_number(tps, &report->gpu_tokens_per_s)) {
        return WS_STEPS_NO_NUMBER;
    }
    (void)ws_steps_number_behind(tps, "tflops:", &report->gpu_tflops);
    report->has_loss = ws_steps_number_behind(rest, "loss:", &report->loss);
    return WS_STEPS_TAKEN;
}

static bool titan_read(ws_trace_steps_reading *reading)
{
    return ws_steps_read_log(reading, titan_line);
}

const ws_trace_steps_type ws_trace_torchtitan = {
    .name = "torchtitan",
    .summary = "logs of torchtitan: tokens a second and TFLOP/s of a GPU",
    .sniff_line = titan_sniff,
    .read = titan_read,
};
