/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What this program is. */
#ifndef WS_CLI_BUILD_INFO_H
#define WS_CLI_BUILD_INFO_H

extern const char ws_build_version[];  /* "0.1.0" */
extern const char ws_build_commit[];   /* "abcdef012345", with "-dirty", or "unknown" */
extern const char ws_build_compiler[]; /* "gcc 12.2.0" */

#endif
