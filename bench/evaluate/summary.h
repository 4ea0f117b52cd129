/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Pieces of JSON that the files of an evaluation share. */
#ifndef WS_EVALUATE_SUMMARY_H
#define WS_EVALUATE_SUMMARY_H

#include "ws/record.h"
#include "ws/writer.h"

/** A record as an object, its columns as members in their order; a missing value is null. */
void ws_summary_write_record(ws_writer *json, const ws_columns *columns, const void *record);

#endif
