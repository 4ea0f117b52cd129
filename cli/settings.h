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
    int32_t colour;  /* a choice: see ws_settings_choice() */
    int64_t threads; /* 0: as many as there are processors */
    const char *out; /* NULL: as the scenario says */
    /* of traces */
    int32_t format; /* a choice */
    bool ceil_gpus;
    int32_t time_unit; /* a choice */
    ws_strings with;   /* NAME=FILE */
    const char *gpu_type;
    int64_t cores_per_gpu; /* 0: not given */
    const char *rejects;
    int32_t form; /* a choice: in which a trace is written */
    const char *from;
    const char *to;
    bool keep_remainders;
    /* of fetching series; NULL: not given */
    const char *url;
    const char *query;
    const char *start;
    const char *end;
    const char *step;
    const char *timeout;
    const char *max_bytes;
    const char *bearer_token_file;
    const char *ca_file;
    int64_t jobs;     /* to draw; 0: not given */
    int32_t mix;      /* a choice */
    const char *like; /* NULL: not given, as all below */
    const char *seed;
    const char *days;
    const char *rate;
    const char *dispersion;
    int64_t max_gpus; /* 0: not given */
    const char *job;  /* NULL: not given, as all below */
    const char *stage;
    const char *pool;
    const char *gpus;
    const char *chart;
    const char *buckets;
    ws_overrides overrides;
    ws_strings policies;
    ws_strings roots;
    ws_strings operands;
} ws_settings;

/** The index of a choice that a flag made, or `otherwise` when the flag was not given. */
static inline int32_t ws_settings_choice(int32_t given, int32_t otherwise)
{
    return given > 0 ? given - 1 : otherwise;
}

#endif
