/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario_input.h"

bool ws_scenario_input_load(ws_loaded *loaded, const char *path, const ws_invocation *invocation,
                            ws_diag *diag)
{
    const ws_settings *settings = invocation->settings;
    ws_text *policies = ws_arena_alloc(invocation->arena, ws_text, settings->policies.count + 1);

    WS_ASSERT(path != NULL);
    if (policies == NULL) {
        return ws_diag_error(diag, 9007, ws_span_none, "out of memory while loading");
    }
    for (size_t i = 0; i < settings->policies.count; i++) {
        policies[i] = ws_text_of(settings->policies.items[i]);
    }
    ws_load_options options = {
        .path = path,
        .overrides = settings->overrides.items,
        .override_count = settings->overrides.count,
        .roots = {.roots = settings->roots.items, .count = settings->roots.count},
        .policies = policies,
        .policy_count = settings->policies.count,
    };
    bool sound = ws_scenario_load(loaded, &options, invocation->arena, diag);
    if (settings->strict) {
        ws_diag_make_strict(diag);
    }
    ws_diag_sort(diag);
    return sound && !ws_diag_has_errors(diag);
}
