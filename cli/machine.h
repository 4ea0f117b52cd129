/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The machine that the program runs on: processors, clocks, memory, names. Nothing of it may reach
 * a result. */
#ifndef WS_CLI_MACHINE_H
#define WS_CLI_MACHINE_H

#include <stddef.h>
#include <stdint.h>

#include "ws/arena.h"

/** Processors that this process may use: those it is allowed on, less where the control group
 * grants fewer; >= 1. The arena takes what is read. */
size_t ws_machine_cpus(ws_arena *arena);

/** Seconds of a clock that only goes forward. */
double ws_machine_clock_s(void);

#define WS_MACHINE_DATE_BYTES 32

/** Now, RFC 3339 in UTC to the second. */
void ws_machine_date(char out[WS_MACHINE_DATE_BYTES]);

/** Most memory that the process has had, bytes; 0: unknown. */
int64_t ws_machine_peak_memory_bytes(void);

/** Terminated texts in the arena; "" where the system does not tell. */
const char *ws_machine_host(ws_arena *arena);
const char *ws_machine_folder(ws_arena *arena);

#endif
