/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Measured training speeds as Gavel's files have them: an object of GPU types, each an object of
 * "('TYPE OF JOB', GPUS)", each an object whose "null" is the speed in steps per second when the
 * job is alone on its GPUs (the other keys are of jobs that share them).
 */
#ifndef WS_TRACES_THROUGHPUTS_H
#define WS_TRACES_THROUGHPUTS_H

#include "reading.h"

typedef struct {
    ws_text key; /* ('ResNet-18 (batch size 16)', 1) */
    double steps_per_s;
} ws_throughput;

typedef struct {
    ws_throughput *entries;
    size_t count;
    size_t capacity;
} ws_throughputs;

/**
 * Reads the speeds on one type of GPU, into the reading's arena.
 *
 * @param throughputs  zeroed
 * @return  false with an error: the file cannot be read, has another shape (WS1607), or does not
 * hold the type (WS6145)
 */
WS_NODISCARD bool ws_throughputs_read(ws_throughputs *throughputs, ws_trace_reading *reading,
                                      const ws_file_name *file, ws_text gpu_type);

/** Steps per second of a type of job on so many GPUs; 0 when nobody measured it. */
double ws_throughputs_find(const ws_throughputs *throughputs, ws_text kind, int32_t gpus);

#endif
