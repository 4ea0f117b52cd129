/* SPDX-License-Identifier: GPL-3.0-or-later */
/** docs/diagnostics.md, compiled in: the one place where codes are described. */
#ifndef WS_CLI_DIAGNOSTICS_PAGE_H
#define WS_CLI_DIAGNOSTICS_PAGE_H

#include <stddef.h>

extern const char ws_diagnostics_page[]; /* with a NUL behind it */
extern const size_t ws_diagnostics_page_bytes;

#endif
