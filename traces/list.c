/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lists of formats, by name: those that are read and those that are written. A new one is a
 * file, a line in list.h, and two lines here.
 */
#include <assert.h>

#include "list.h"

static const ws_trace_type *const list_types[] = {
    &ws_trace_acme,  &ws_trace_gavel,      &ws_trace_helios,        &ws_trace_openb,
    &ws_trace_pai,   &ws_trace_philly_csv, &ws_trace_philly_json,   &ws_trace_pollux,
    &ws_trace_sacct, &ws_trace_shockwave,  &ws_trace_sia,           &ws_trace_spot_v2026,
    &ws_trace_swf,   &ws_trace_tiresias,   &ws_trace_worldsize_csv,
};

const char *const ws_trace_type_names[] = {
    "acme",  "gavel",     "helios", "openb",      "pai", "philly-csv", "philly-json", "pollux",
    "sacct", "shockwave", "sia",    "spot-v2026", "swf", "tiresias",   "worldsize",   NULL,
};

static_assert(WS_COUNT_OF(ws_trace_type_names) == WS_COUNT_OF(list_types) + 1, "a name for each");

size_t ws_trace_type_count(void)
{
    return WS_COUNT_OF(list_types);
}

const ws_trace_type *ws_trace_type_at(size_t index)
{
    WS_ASSERT(index < WS_COUNT_OF(list_types));

    return list_types[index];
}

const ws_trace_type *ws_trace_type_find(ws_text name)
{
    for (size_t i = 0; i < WS_COUNT_OF(list_types); i++) {
        if (ws_text_is(name, list_types[i]->name)) {
            return list_types[i];
        }
    }
    return NULL;
}

/* ---- written ---- */

static const ws_trace_export *const list_exports[] = {&ws_trace_export_batsim, &ws_trace_export_swf,
                                                      &ws_trace_export_worldsize};

const char *const ws_trace_export_names[] = {"batsim", "swf", "worldsize", NULL};

static_assert(WS_COUNT_OF(ws_trace_export_names) == WS_COUNT_OF(list_exports) + 1,
              "a name for each");

size_t ws_trace_export_count(void)
{
    return WS_COUNT_OF(list_exports);
}

const ws_trace_export *ws_trace_export_at(size_t index)
{
    WS_ASSERT(index < WS_COUNT_OF(list_exports));

    return list_exports[index];
}

const ws_trace_export *ws_trace_export_find(ws_text name)
{
    for (size_t i = 0; i < WS_COUNT_OF(list_exports); i++) {
        if (ws_text_is(name, list_exports[i]->name)) {
            return list_exports[i];
        }
    }
    return NULL;
}

/* ---- further files ---- */

const char *const ws_trace_with_names[] = {
    [WS_TRACE_WITH_TASKS] = "tasks",
    [WS_TRACE_WITH_INSTANCES] = "instances",
    [WS_TRACE_WITH_THROUGHPUTS] = "throughputs",
    [WS_TRACE_WITH_COUNT] = NULL,
};
