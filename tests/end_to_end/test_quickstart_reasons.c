/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every change of a size in the quickstart, by any policy, says why. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>

#include "support/support.h"
#include "ws/load.h"
#include "ws/run.h"

static void count_reason(void *context, const ws_decision *decision)
{
    int64_t *count = context;

    cr_expect(gt(sz, decision->reason.length, 0));
    cr_expect_not(ws_text_is(decision->reason, "no reason was given"));
    (*count)++;
}

Test(quickstart_reasons, every_decision_has_one)
{
    ws_arena arena;
    ws_loaded loaded;
    ws_diag diag;
    char path[4200];

    ws_arena_init(&arena, &ws_allocator_default, (size_t)1 << 30);
    ws_diag_init(&diag, &arena);
    (void)snprintf(path, sizeof path, "%s/scenarios/quickstart.yaml", ws_test_source_folder());
    cr_assert(ws_scenario_load(&loaded, &(ws_load_options){.path = path}, &arena, &diag));
    for (size_t i = 0; i < loaded.arm_count; i++) {
        ws_arena scratch;
        ws_run_result result;
        int64_t count = 0;

        ws_arena_init(&scratch, &ws_allocator_default, (size_t)1 << 30);
        cr_assert(ws_run(&result, &loaded.arms[i],
                         &(ws_run_options){.decided = count_reason, .decided_context = &count},
                         &arena, &scratch, &diag));
        cr_expect(eq(i64, count, result.run.scale_ups + result.run.scale_downs));
        cr_expect(count > 0 || ws_text_is(loaded.arms[i].name, "fixed"));
        ws_arena_reset(&scratch);
    }
    ws_arena_reset(&arena);
}
