/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan.h"

#include <inttypes.h>

#include "output.h"
#include "ws/quantity.h"
#include "ws/workload.h"

#define PLAN_JOB_BYTES ((size_t)1 << 32)

int64_t ws_plan_job_count(const ws_scenario *scenario)
{
    WS_ASSERT(scenario->horizon.ns > 0);

    ws_arena scratch;
    const ws_job_spec *jobs = NULL;
    size_t count = 0;

    ws_arena_init(&scratch, &ws_allocator_default, PLAN_JOB_BYTES);
    bool drawn = ws_workload_draw(scenario, 0, &scratch, &jobs, &count);
    ws_arena_reset(&scratch);
    return drawn ? (int64_t)count : -1;
}

static void plan_write_inputs(const ws_loaded *loaded, ws_writer *out, ws_arena *arena)
{
    for (size_t i = 0; i < loaded->input_count; i++) {
        const ws_input_file *input = &loaded->inputs[i];
        ws_write_format(out, "reads     %.*s (%.*s, %" PRId64 " bytes, sha256 %.12s...)\n",
                        WS_TEXT_ARGS(ws_output_shown(input->path, arena)),
                        WS_TEXT_ARGS(input->role), input->bytes, input->sha256);
    }
}

void ws_plan_write(const ws_loaded *loaded, size_t threads, const char *folder, ws_writer *out,
                   ws_arena *arena)
{
    WS_ASSERT(threads >= 1);
    WS_ASSERT(folder != NULL);

    const ws_scenario *scenario = &loaded->scenario;
    char horizon[WS_QUANTITY_TEXT_BYTES];
    int64_t jobs = ws_plan_job_count(scenario);
    ws_quantity simulated = {.integer = scenario->horizon.ns};

    (void)ws_quantity_print(simulated, WS_QUANTITY_DURATION, horizon);
    ws_write_format(out, "%.*s: %zu x %" PRId64 " = %" PRId64 " runs of %s on %zu thread%s\n",
                    WS_TEXT_ARGS(scenario->name), loaded->arm_count, scenario->replications,
                    (int64_t)loaded->arm_count * scenario->replications, horizon, threads,
                    threads == 1 ? "" : "s");
    for (size_t i = 0; i < loaded->arm_count; i++) {
        ws_write_format(out, "policy    %.*s (%.*s)%s\n", WS_TEXT_ARGS(loaded->arms[i].name),
                        WS_TEXT_ARGS(loaded->arms[i].type),
                        i == loaded->baseline ? ", the baseline" : "");
    }
    if (jobs >= 0) {
        ws_write_format(out, "jobs      %" PRId64 " in replication 0\n", jobs);
    }
    plan_write_inputs(loaded, out, arena);
    for (size_t i = 0; i < loaded->assumption_count; i++) {
        ws_write_format(out, "assumes   %.*s\n", WS_TEXT_ARGS(loaded->assumptions[i]));
    }
    ws_write_format(out, "would write to %.*s\n",
                    WS_TEXT_ARGS(ws_output_shown(ws_text_of(folder), arena)));
}
