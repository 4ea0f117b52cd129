/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * DeepSpeed's throughput timer:
 *
 *   [DATE] [INFO] [timer.py:215:stop] epoch=0/micro_step=34/global_step=34,
 *   RunningAvgSamplesPerSec=7.86, CurrSamplesPerSec=8.00, MemAllocated=59.65GB, ...
 *
 * and older `0/40, SamplesPerSec=83.48`. The current speed counts, not the running average; where
 * there is but one, it is an average. Times of steps are differences of dates. A step whose loss
 * scale overflowed is skipped: it takes time and makes no progress; each rank tells of it, the
 * first counts. Source: deepspeedai/DeepSpeed, deepspeed/utils/timer.py,
 * runtime/fp16/loss_scaler.py.
 */
#include <math.h>

#include "steps_line.h"
#include "steps_reading.h"

/* `global_step=34,`, or `0/40,` behind the name of the function. */
static bool deepspeed_step(ws_text line, int64_t *step)
{
    ws_text rest = {.start = NULL};
    int64_t epoch = 0;

    if (ws_steps_behind(line, "global_step=", &rest)) {
        return ws_steps_count(rest, step, NULL);
    }
    return ws_steps_behind(line, ":stop] ", &rest) && ws_steps_count(rest, &epoch, &rest) &&
           ws_text_starts_with(rest, WS_TEXT("/")) &&
           ws_steps_count(ws_text_slice(rest, 1, rest.length), step, NULL);
}

static bool deepspeed_is_timer(ws_text line)
{
    ws_text rest = {.start = NULL};

    return ws_steps_behind(line, "[timer.py:", &rest) && ws_steps_behind(rest, ":stop] ", &rest);
}

static bool deepspeed_sniff(ws_text line)
{
    ws_text rest = {.start = NULL};

    return deepspeed_is_timer(line) && ws_steps_behind(line, "SamplesPerSec=", &rest);
}

/* Steps that were skipped: told one by one, or as a sum so far. */
static bool deepspeed_is_skipped(ws_trace_steps_reading *reading, ws_text line)
{
    ws_text rest = {.start = NULL};
    int64_t skipped = 0;

    if (ws_steps_behind(line, "Rank 0 Skipping step", &rest)) {
        reading->found.skipped_steps++;
        return true;
    }
    if (ws_steps_behind(line, "[Rank 0] step=", &rest) &&
        ws_steps_count_behind(line, ", skipped=", &skipped)) {
        reading->skipped_sum = skipped > reading->skipped_sum ? skipped : reading->skipped_sum;
        return true;
    }
    return false;
}

static ws_steps_line deepspeed_timer(ws_text line, ws_step_report *report)
{
    ws_text rest = {.start = NULL};

    if (!ws_steps_behind(line, "SamplesPerSec=", &rest)) {
        return WS_STEPS_BREAKS_OFF;
    }
    if (!deepspeed_step(line, &report->step) ||
        !(ws_steps_number_behind(line, "CurrSamplesPerSec=", &report->samples_per_s) ||
          ws_steps_number_behind(line, ", SamplesPerSec=", &report->samples_per_s)) ||
        report->samples_per_s < 0) {
        return WS_STEPS_NO_NUMBER;
    }
    return WS_STEPS_TAKEN;
}

static ws_steps_line deepspeed_line(ws_trace_steps_reading *reading, ws_text line,
                                    ws_step_report *report)
{
    int64_t world = 0;

    if (deepspeed_is_timer(line)) {
        return deepspeed_timer(line, report);
    }
    if (ws_steps_count_behind(line, "dist_world_size=", &world) && world >= 1) {
        ws_steps_reading_note_world(reading, world);
        return WS_STEPS_OTHER;
    }
    return deepspeed_is_skipped(reading, line) ? WS_STEPS_OTHER
                                               : ws_steps_megatron_line(reading, line, report);
}

static bool deepspeed_read(ws_trace_steps_reading *reading)
{
    return ws_steps_read_log(reading, deepspeed_line);
}

const ws_trace_steps_type ws_trace_deepspeed = {
    .name = "deepspeed",
    .summary = "logs of DeepSpeed, GPT-NeoX's lines among them: samples a second, skipped steps",
    .sniff_line = deepspeed_sniff,
    .read = deepspeed_read,
};
