/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The two halves of a fit. */
#ifndef WS_TRACES_SYNTH_FIT_H
#define WS_TRACES_SYNTH_FIT_H

#include "ws/trace_synth.h"

/** Rate, profiles, levels and gaps of a trace whose arrivals are not all in one moment. False when
 * memory is exhausted. */
WS_NODISCARD bool ws_synth_fit_arrivals(ws_synth_arrivals *arrivals, const ws_trace *trace,
                                        ws_arena *arena);

/**
 * Classes, and the repeats of a trace with jobs of known run time.
 *
 * @return  false when memory is exhausted
 */
WS_NODISCARD bool ws_synth_fit_classes(ws_synth *synth, const ws_trace *trace, ws_arena *arena);

#endif
