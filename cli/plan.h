/* SPDX-License-Identifier: GPL-3.0-or-later */
/** `run --dry-run`: what would be run. */
#ifndef WS_CLI_PLAN_H
#define WS_CLI_PLAN_H

#include "terminal.h"
#include "ws/load.h"
#include "ws/writer.h"

/** @param folder  where results would go */
void ws_plan_write(const ws_loaded *loaded, size_t threads, const char *folder, ws_writer *out,
                   ws_arena *arena);

/** Jobs of replication 0; -1 when they are too many to be drawn. */
int64_t ws_plan_job_count(const ws_scenario *scenario);

#endif
