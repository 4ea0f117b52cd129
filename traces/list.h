/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Every format of this folder: one line for each, and one in list.c. */
#ifndef WS_TRACES_LIST_H
#define WS_TRACES_LIST_H

#include "ws/trace.h"

extern const ws_trace_type ws_trace_acme;
extern const ws_trace_type ws_trace_gavel;
extern const ws_trace_type ws_trace_helios;
extern const ws_trace_type ws_trace_openb;
extern const ws_trace_type ws_trace_pai;
extern const ws_trace_type ws_trace_philly_csv;
extern const ws_trace_type ws_trace_philly_json;
extern const ws_trace_type ws_trace_pollux;
extern const ws_trace_type ws_trace_sacct;
extern const ws_trace_type ws_trace_shockwave;
extern const ws_trace_type ws_trace_sia;
extern const ws_trace_type ws_trace_spot_v2026;
extern const ws_trace_type ws_trace_swf;
extern const ws_trace_type ws_trace_tiresias;
extern const ws_trace_type ws_trace_worldsize_csv;

extern const ws_trace_export ws_trace_export_batsim;
extern const ws_trace_export ws_trace_export_swf;
extern const ws_trace_export ws_trace_export_worldsize;

#endif
