/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Overrides of single values. */
#ifndef WS_SCENARIOS_LOAD_OVERRIDE_H
#define WS_SCENARIOS_LOAD_OVERRIDE_H

#include "build.h"

/** Applies the flags of context->options in order. False with diagnostics that point into the
 * flags' texts. */
WS_NODISCARD bool ws_override_apply(ws_build *context, ws_document *root);

/** Makes the maps that a path leads through where the file leaves them out. False when the arena is
 * exhausted. */
WS_NODISCARD bool ws_override_make_way(ws_document *root, ws_text path, ws_arena *arena);

#endif
