/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What the command line asks for, after the flags are read. */
#ifndef WS_CLI_SETTINGS_H
#define WS_CLI_SETTINGS_H

#include "terminal.h"
#include "ws/load.h"

/** Most values of one flag that can be repeated, and most operands. */
#define WS_SETTINGS_LIST_MAX 1000

typedef struct {
    const char **items; /* terminated strings of argv */
    size_t count;
} ws_strings;

typedef struct {
    ws_override *items;
    size_t count;
    size_t set_count; /* flags --set so far, and --unset: places show their numbers */
    size_t unset_count;
} ws_overrides;

typedef struct {
    bool help;
    bool version;
    bool json;
    bool force;
    bool quiet;
    bool strict;
    bool print_resolved;
    bool dry_run;
    bool wide;
    ws_colour_mode colour;
    int64_t threads; /* 0: as many as there are processors */
    const char *out; /* NULL: as the scenario says */
    ws_overrides overrides;
    ws_strings policies;
    ws_strings roots;
    ws_strings operands;
} ws_settings;

#endif
