/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kinds of events, the fields that each has, and events.jsonl. Fields are only ever appended
 * within a version of the format, and no kind loses one.
 */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

#include "ws/assert.h"
#include "ws/event_record.h"

const ws_event_kind_row ws_event_kinds[WS_EVENT_KIND_COUNT] = {
    [WS_EVENT_JOB_SUBMIT] = {"job_submit", "a job arrives and waits for `gpus`"},
    [WS_EVENT_JOB_START] = {"job_start", "a waiting job has its GPUs: its workers begin to start"},
    [WS_EVENT_JOB_RUN] = {"job_run",
                          "the first step of a world: after a start, a resize, a failure"},
    [WS_EVENT_JOB_RESIZE] = {"job_resize",
                             "a planned change begins; the next `job_run` is its end. GPUs that "
                             "are added are held from now on"},
    [WS_EVENT_JOB_FAIL] = {"job_fail", "a node of the job is lost: it stands still until that is "
                                       "noticed"},
    [WS_EVENT_JOB_STOP] = {"job_stop", "a job gives its GPUs back and waits again; the reason is "
                                       "`failure` or `preemption`"},
    [WS_EVENT_JOB_SLOWED] = {"job_slowed", "a job takes longer than it would alone, because "
                                           "others use the same storage (for transfers or for "
                                           "training data) or the same links; or no longer does"},
    [WS_EVENT_STAGE_DONE] = {"stage_done", "a stage is done and the next one begins; the last one "
                                           "ends with `job_end`"},
    [WS_EVENT_JOB_END] = {"job_end", "a job is done"},
    [WS_EVENT_NODE_REQUEST] = {"node_request", "a node is asked for; it is paid from the answer "
                                               "on. One that is given up before has no other "
                                               "event"},
    [WS_EVENT_NODE_REFUSED] = {"node_refused", "the answer is no; it is asked for again later"},
    [WS_EVENT_NODE_READY] = {"node_ready", "a node has joined, is repaired, or drains no longer"},
    [WS_EVENT_NODE_DRAIN] = {"node_drain", "a node is to go when nobody holds a GPU of it; the "
                                           "reason is `unwanted` or, of a reclaim, `notice`"},
    [WS_EVENT_NODE_FAIL] = {"node_fail", "a node fails; a `job_fail` follows for each job on it. "
                                         "The reason is `drawn` or `recorded`"},
    [WS_EVENT_NODE_RECLAIM] = {"node_reclaim", "the provider takes a node back; a `job_fail` "
                                               "follows for each job on it"},
    [WS_EVENT_NODE_RELEASE] = {"node_release", "a node is given back"},
    [WS_EVENT_SCALE_POOL] = {"scale", "a policy changes how many nodes a pool should have, or is "
                                      "refused a number that is not legal"},
    [WS_EVENT_SCALE_JOB] = {"scale", "likewise how many replicas a job should have"},
    [WS_EVENT_TRUNCATED] = {"truncated", "there were more events than are kept"},
};

static_assert(WS_EVENT_KIND_COUNT <= 32, "a bit for each kind");

#define BIT(kind) (UINT32_C(1) << (kind))
#define SCALES (BIT(WS_EVENT_SCALE_POOL) | BIT(WS_EVENT_SCALE_JOB))
#define NODES                                                                                      \
    (BIT(WS_EVENT_NODE_REQUEST) | BIT(WS_EVENT_NODE_REFUSED) | BIT(WS_EVENT_NODE_READY) |          \
     BIT(WS_EVENT_NODE_DRAIN) | BIT(WS_EVENT_NODE_FAIL) | BIT(WS_EVENT_NODE_RECLAIM) |             \
     BIT(WS_EVENT_NODE_RELEASE))
#define PLACED                                                                                     \
    (BIT(WS_EVENT_JOB_SUBMIT) | BIT(WS_EVENT_JOB_START) | BIT(WS_EVENT_JOB_RUN) |                  \
     BIT(WS_EVENT_JOB_RESIZE))
#define JOBS                                                                                       \
    (PLACED | BIT(WS_EVENT_JOB_FAIL) | BIT(WS_EVENT_JOB_STOP) | BIT(WS_EVENT_JOB_SLOWED) |         \
     BIT(WS_EVENT_STAGE_DONE) | BIT(WS_EVENT_JOB_END))

/* The kind of value, and where it stands. */
#define FIELD(member, value_kind)                                                                  \
    .name = #member, .kind = (value_kind), .offset = offsetof(ws_event_record, member)

const ws_event_field ws_event_fields[] = {
    {{FIELD(controller, WS_COLUMN_TEXT), .unit = "", .help = "type of the policy that decided"},
     SCALES},
    {{FIELD(pool, WS_COLUMN_TEXT), .unit = "", .help = "name of the pool"},
     NODES | BIT(WS_EVENT_SCALE_POOL)},
    {{FIELD(node, WS_COLUMN_I64), .unit = "", .help = "number of the node within its pool, from 0"},
     NODES},
    {{FIELD(job, WS_COLUMN_TEXT), .unit = "", .help = "name of the job"},
     JOBS | BIT(WS_EVENT_SCALE_JOB)},
    {{FIELD(stage, WS_COLUMN_TEXT), .unit = "", .help = "name of the stage that is done"},
     BIT(WS_EVENT_STAGE_DONE)},
    {{FIELD(from, WS_COLUMN_I64), .unit = "1", .help = "nodes or replicas before"},
     SCALES | BIT(WS_EVENT_JOB_RESIZE)},
    {{FIELD(to, WS_COLUMN_I64), .unit = "1", .help = "nodes or replicas from now on"},
     SCALES | BIT(WS_EVENT_JOB_RESIZE)},
    {{FIELD(asked, WS_COLUMN_I64), .unit = "1", .help = "what the policy asked for"}, SCALES},
    {{FIELD(clamped, WS_COLUMN_BOOL), .unit = "", .help = "that was not legal, and `to` is"},
     SCALES},
    {{FIELD(replicas, WS_COLUMN_I64), .unit = "1", .help = "replicas of the job"}, PLACED},
    {{FIELD(gpus, WS_COLUMN_I64), .unit = "GPU", .help = "GPUs of those replicas"}, PLACED},
    {{FIELD(step, WS_COLUMN_TEXT), .unit = "",
      .help =
          "what the size makes of a step: its samples, a replica's share and micro-batches, the "
          "learning rate; empty where the stage states no batch"},
     BIT(WS_EVENT_JOB_RESIZE)},
    {{FIELD(reason, WS_COLUMN_TEXT), .unit = "", .help = "why, in words"},
     SCALES | BIT(WS_EVENT_JOB_STOP) | BIT(WS_EVENT_JOB_SLOWED) | BIT(WS_EVENT_NODE_DRAIN) |
         BIT(WS_EVENT_NODE_FAIL)},
    {{FIELD(dropped, WS_COLUMN_I64), .unit = "1", .help = "events that are not here"},
     BIT(WS_EVENT_TRUNCATED)},
};

const size_t ws_event_field_count = WS_COUNT_OF(ws_event_fields);

/* ---- lines ---- */

static void event_write_time(ws_time at, ws_writer *lines)
{
    if (at.ns > WS_EVENT_EXACT_NS) {
        char digits[24];
        (void)snprintf(digits, sizeof digits, "%" PRId64, at.ns);
        ws_json_text(lines, "t_ns", ws_text_of(digits));
        return;
    }
    ws_json_i64(lines, "t_ns", at.ns);
}

static void event_write_field(const ws_column *column, const ws_event_record *record,
                              ws_writer *lines)
{
    const void *field = (const char *)record + column->offset;

    if (column->kind == WS_COLUMN_TEXT) {
        ws_json_text(lines, column->name, *(const ws_text *)field);
    } else if (column->kind == WS_COLUMN_BOOL) {
        ws_json_bool(lines, column->name, *(const bool *)field);
    } else {
        WS_ASSERT(column->kind == WS_COLUMN_I64);
        ws_json_i64(lines, column->name, *(const int64_t *)field);
    }
}

static void event_write(const ws_event_list *events, const ws_event_record *record, int64_t seq,
                        ws_writer *lines)
{
    WS_ASSERT(record->kind < WS_EVENT_KIND_COUNT);

    ws_json_begin_object(lines, NULL);
    event_write_time(record->at, lines);
    ws_json_i64(lines, "seq", seq);
    ws_json_text(lines, "policy", events->policy);
    ws_json_i64(lines, "replication", events->replication);
    ws_json_text(lines, "type", ws_text_of(ws_event_kinds[record->kind].name));
    for (size_t i = 0; i < ws_event_field_count; i++) {
        if ((ws_event_fields[i].kinds & BIT(record->kind)) != 0) {
            event_write_field(&ws_event_fields[i].column, record, lines);
        }
    }
    ws_json_end_object(lines);
}

void ws_event_list_write(const ws_event_list *events, ws_writer *lines)
{
    bool before = lines->compact;
    int64_t seq = 0;

    lines->compact = true; /* one object, one line */
    for (const ws_event_block *block = events->first; block != NULL; block = block->next) {
        WS_ASSERT(block->count <= WS_EVENT_BLOCK_RECORDS);
        for (size_t i = 0; i < block->count; i++) {
            event_write(events, &block->records[i], seq++, lines);
        }
    }
    WS_ASSERT(seq == events->count);
    lines->compact = before;
}
