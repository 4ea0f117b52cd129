/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * From recorded series to a course of demand.
 *
 * A sample holds until the next one, before a hole and at the end for one step. Series that are
 * seen at a time are summed; one that is in a hole then is taken to be at the mean of those that
 * are seen. A series is not there before its first and after its last sample. Where none is seen,
 * nothing is known.
 *
 * A utilisation is turned into work by the size that it was measured at: demand = utilisation x
 * what that size can do. It cannot say more than that: a utilisation of all of it means that at
 * least so much was wanted.
 */
#ifndef WS_DEMAND_COURSE_H
#define WS_DEMAND_COURSE_H

#include "ws/arena.h"
#include "ws/demand.h"
#include "ws/job.h"
#include "ws/trace_series.h"

/** From this share of what a size can do on, demand may have been more. */
#define WS_DEMAND_SATURATED 0.99

typedef struct {
    const ws_trace_series *const *series;
    size_t count; /* >= 1 */
    double full;  /* value of a GPU that is busy all the time; 0: values are rates */
    const ws_trace_series *sizes; /* recorded replicas; NULL: none */
    double replicas;              /* the same, when they never change; 0: of utilisations those that
                                     the series there are make, one a GPU; of rates not known */
    int32_t gpus_per_replica;
    const ws_stage_spec *stage; /* whose step says what a size can do */
    int64_t from_ns;            /* Unix time; that of time 0 */
    int64_t to_ns;              /* after it */
    bool holds;                 /* demand goes on as it was in holes */
} ws_demand_recording;

typedef struct {
    ws_demand demand;
    double peak;      /* highest rate */
    int64_t total_ns; /* from begin to end */
    int64_t hole_ns;  /* in which nothing was recorded */
    int64_t hole_count;
    int64_t patched_ns;   /* in which some series were in holes, and others were not */
    int64_t saturated_ns; /* in which more may have been wanted */
    bool is_saturation_known;
} ws_demand_course;

/** The time of the first sample, and the end of the last one, of some series; false when none has a
 * sample with a time. */
bool ws_demand_recording_span(const ws_trace_series *const *series, size_t count, int64_t *first_ns,
                              int64_t *end_ns);

/** The course between two times, `to_ns` at most the end of the recording. False when the arena is
 * exhausted, or there are more than WS_DEMAND_STEPS_MAX samples. */
WS_NODISCARD bool ws_demand_course_of(ws_demand_course *course,
                                      const ws_demand_recording *recording, ws_arena *arena);

#endif
