/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Overrides: each line of the input is a `--set` flag on a scenario that is sound (an `--unset`
 * when it begins with `-`). Loading ends with a scenario or with errors, of which those of a flag
 * lie within its text.
 */
#include <stddef.h>
#include <stdint.h>

#include "check_diag.h"
#include "ws/load.h"

#define FUZZ_ARENA_BYTES ((size_t)256 << 20)
#define FUZZ_FLAGS_MAX 4

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

/** The lines of the input, as flags; returns how many. */
static size_t fuzz_flags(ws_text text, ws_override flags[FUZZ_FLAGS_MAX])
{
    size_t count = 0;

    while (count < FUZZ_FLAGS_MAX && text.length > 0) {
        size_t end = ws_text_find_byte(text, '\n');
        ws_text line = ws_text_slice(text, 0, end);
        bool is_unset = ws_text_starts_with(line, WS_TEXT("-"));

        flags[count] =
            (ws_override){.is_unset = is_unset,
                          .text = ws_text_slice(line, is_unset ? 1 : 0, line.length),
                          .label = is_unset ? WS_TEXT("<--unset #1>") : WS_TEXT("<--set #1>")};
        text = ws_text_slice(text, end + 1, text.length);
        count++;
    }
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    ws_override flags[FUZZ_FLAGS_MAX];
    ws_load_options options = {.path = WS_FUZZ_SCENARIO, .overrides = flags};
    ws_loaded loaded;
    ws_arena arena;
    ws_diag diag;

    ws_arena_init(&arena, &ws_allocator_default, FUZZ_ARENA_BYTES);
    ws_diag_init(&diag, &arena);
    options.override_count =
        fuzz_flags((ws_text){.start = (const char *)bytes, .length = count}, flags);
    bool good = ws_scenario_load(&loaded, &options, &arena, &diag);

    ws_check_diag(&diag, good, &arena);
    ws_arena_reset(&arena);
    return 0;
}
