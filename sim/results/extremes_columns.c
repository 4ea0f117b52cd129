/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The columns of extremes.csv: all pools together over one step of one run, the lowest and the
 * highest value that lasted for any time. Means hide the peak that made a policy act.
 */
#include "ws/assert.h"
#include "ws/record.h"

/* The two ends of one gauge, a member of the record.
 * NOLINTBEGIN(bugprone-macro-parentheses) */
#define RANGE(gauge, what)                                                                         \
    {.name = #gauge "_min",                                                                        \
     .kind = WS_COLUMN_I64,                                                                        \
     .offset = offsetof(ws_extremes_record, gauge.low),                                            \
     .unit = "GPU",                                                                                \
     .help = "lowest number of " what},                                                            \
    {                                                                                              \
        .name = #gauge "_max", .kind = WS_COLUMN_I64,                                              \
        .offset = offsetof(ws_extremes_record, gauge.high), .unit = "GPU",                         \
        .help = "highest number of " what                                                          \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

static const ws_column extremes_columns[] = {
    {.name = "policy",
     .kind = WS_COLUMN_TEXT,
     .offset = offsetof(ws_extremes_record, policy),
     .unit = "",
     .help = "name of the arm"},
    {.name = "replication",
     .kind = WS_COLUMN_I64,
     .offset = offsetof(ws_extremes_record, replication),
     .unit = "",
     .help = "index of the random world, from 0"},
    {.name = "t_s",
     .kind = WS_COLUMN_F64,
     .offset = offsetof(ws_extremes_record, t_s),
     .unit = "s",
     .help = "begin of the step"},
    RANGE(gpus_paid, "GPUs that were billed"),
    RANGE(gpus_ready, "GPUs of ready nodes"),
    RANGE(gpus_busy, "GPUs held by jobs"),
    RANGE(gpus_waiting, "GPUs wanted and not placed"),
    RANGE(gpus_wanted, "GPUs wanted: busy and waiting ones"),
    RANGE(main_gpus, "GPUs held by the main job"),
};

const ws_columns ws_extremes_columns = {
    .file = "extremes.csv",
    .rows = "One row for each policy, replication and step: what lasted for some time within it, "
            "however short; of recorded replications",
    .columns = extremes_columns,
    .count = WS_COUNT_OF(extremes_columns),
};
