/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scenarios: whatever the text, loading ends with a scenario or with errors; a diagnostic shows
 * nothing that a terminal would obey; the resolved document of a scenario loads again, without a
 * new fault.
 */
#include <stddef.h>
#include <stdint.h>

#include "check_diag.h"
#include "ws/assert.h"
#include "ws/load.h"

#define FUZZ_ARENA_BYTES ((size_t)256 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

/** A resolved document may be larger than a file may be, or than the arena: then it is left alone.
 */
static void fuzz_again(const ws_loaded *loaded, ws_arena *arena)
{
    ws_text printed = ws_document_print_yaml(loaded->resolved, true, arena);
    ws_loaded again;
    ws_diag diag;

    if (printed.start == NULL) {
        return;
    }
    ws_diag_init(&diag, arena);
    if (!ws_scenario_load(&again, &(ws_load_options){.path = "again.yaml", .content = printed},
                          arena, &diag)) {
        WS_ASSERT(diag.count > 0);
        WS_ASSERT(diag.entries[0].code >= 9000);
        return;
    }
    WS_ASSERT(again.arm_count == loaded->arm_count);
    WS_ASSERT(again.scenario.pool_count == loaded->scenario.pool_count);
    WS_ASSERT(again.scenario.seed == loaded->scenario.seed);
    WS_ASSERT(again.scenario.horizon.ns == loaded->scenario.horizon.ns);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    ws_text text = {.start = (const char *)bytes, .length = count};
    ws_loaded loaded;
    ws_arena arena;
    ws_diag diag;

    if (count == 0) {
        return 0; /* without content the file itself would be read */
    }
    ws_arena_init(&arena, &ws_allocator_default, FUZZ_ARENA_BYTES);
    ws_diag_init(&diag, &arena);
    bool good = ws_scenario_load(&loaded, &(ws_load_options){.path = "fuzz.yaml", .content = text},
                                 &arena, &diag);

    ws_check_diag(&diag, good, &arena);
    if (good) {
        fuzz_again(&loaded, &arena);
    }
    ws_arena_reset(&arena);
    return 0;
}
