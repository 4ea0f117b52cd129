/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What the files that turn recorded outages and availability into absences of slots share. */
#ifndef WS_SCENARIOS_BUILD_ABSENCES_H
#define WS_SCENARIOS_BUILD_ABSENCES_H

#include "build.h"
#include "ws/trace_outage.h"

typedef struct {
    ws_absence *items;
    size_t count;
    size_t capacity;
} ws_build_absence_list;

/** A recording as a pool names it. */
typedef struct {
    const ws_document *self; /* the map that names it */
    ws_text file;
    ws_text format;
    bool of_supply; /* nodes that come and go; else faults of nodes that are there */
    ws_trace_outages found;
    ws_trace_outage_report report;
} ws_build_outages;

/** Adds one; false with a diagnostic when there is no room. */
WS_NODISCARD bool ws_build_absence_add(ws_build *context, ws_build_absence_list *list,
                                       ws_absence absence);

/** Reads the file. False with a diagnostic, also when it is a recording of the other kind. */
WS_NODISCARD bool ws_build_outages_read(ws_build *context, ws_build_outages *recording);

/** Adds what a pool's recorded market takes from it. False with a diagnostic. */
WS_NODISCARD bool ws_build_supply(ws_build *context, const ws_file_spot *file,
                                  const ws_pool_spec *pool, ws_build_absence_list *list);

/** Adds what failed in a pool's recorded cluster. False with a diagnostic. */
WS_NODISCARD bool ws_build_outages_replay(ws_build *context, const ws_file_outages *file,
                                          const ws_pool_spec *pool, ws_build_absence_list *list);

#endif
