/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Tables of tabs without a header line, as the simulators of Gavel's family have them. */
#ifndef WS_TRACES_TABBED_H
#define WS_TRACES_TABBED_H

#include "table.h"

extern const ws_table_form ws_tabbed_form;

/** True when the first line has `fields` fields, and those of `numbers` are numbers. For sniffing.
 */
bool ws_tabbed_head_has(ws_text head, size_t fields, const size_t *numbers, size_t count);

#endif
