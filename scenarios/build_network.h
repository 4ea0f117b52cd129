/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What the files that build a network share. */
#ifndef WS_SCENARIOS_BUILD_NETWORK_H
#define WS_SCENARIOS_BUILD_NETWORK_H

#include "build.h"
#include "ws/collective.h"
#include "ws/machine.h"

/** Sets the network's model of collectives with its parameters. @param file  NULL: rings @param
 * machine  of the preset, or NULL */
WS_NODISCARD bool ws_build_collectives(ws_build *context, const ws_file_collectives *file,
                                       const ws_machine *machine, ws_network *network);

/** Measurements of `measured` or `square-root`, whichever the network's model is. */
WS_NODISCARD bool ws_build_measured_collectives(ws_build *context, const ws_file_collectives *file,
                                                ws_network *network);

#endif
