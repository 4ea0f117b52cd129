/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Loading a scenario as the flags want it. */
#ifndef WS_CLI_SCENARIO_INPUT_H
#define WS_CLI_SCENARIO_INPUT_H

#include "command.h"

/** Loads with the overrides, roots and policies of the settings; `--strict` makes errors of
 * warnings. Diagnostics come sorted. */
WS_NODISCARD bool ws_scenario_input_load(ws_loaded *loaded, const char *path,
                                         const ws_invocation *invocation, ws_diag *diag);

#endif
