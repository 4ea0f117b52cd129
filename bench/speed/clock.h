/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What the measuring programs share. */
#ifndef WS_BENCH_SPEED_CLOCK_H
#define WS_BENCH_SPEED_CLOCK_H

/** Seconds of processor time that this process has spent. */
double ws_speed_clock_s(void);

#endif
