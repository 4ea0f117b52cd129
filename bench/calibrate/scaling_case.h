/* SPDX-License-Identifier: GPL-3.0-or-later */
/** One row of a table as the model sees it. */
#ifndef WS_SCALING_CASE_H
#define WS_SCALING_CASE_H

#include "ws/scaling.h"

/** All but the indices. */
void ws_scaling_case_init(ws_scaling_case *item, const ws_scaling_row *row);

#endif
