/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * What happened in a run: decisions with their reasons, and changes of state, in order.
 *
 * A record is plain data; two constant tables say which kinds there are and which fields each has.
 * They drive events.jsonl and its documentation, as ws/record.h does for the tables. Events of a
 * run are kept in blocks, so that collecting them copies nothing, and at most WS_EVENTS_MAX of
 * them; what comes after is counted.
 */
#ifndef WS_EVENT_RECORD_H
#define WS_EVENT_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/record.h"
#include "ws/time.h"

#define WS_EVENTS_MAX INT64_C(1000000)
#define WS_EVENT_BLOCK_RECORDS 256

/** In files a number up to here is exact for every reader; larger times are strings. */
#define WS_EVENT_EXACT_NS (INT64_C(1) << 53)

typedef enum {
    WS_EVENT_JOB_SUBMIT,
    WS_EVENT_JOB_START,
    WS_EVENT_JOB_RUN,
    WS_EVENT_JOB_RESIZE,
    WS_EVENT_JOB_FAIL,
    WS_EVENT_JOB_STOP,
    WS_EVENT_JOB_SLOWED,
    WS_EVENT_STAGE_DONE,
    WS_EVENT_JOB_END,
    WS_EVENT_NODE_REQUEST,
    WS_EVENT_NODE_REFUSED,
    WS_EVENT_NODE_READY,
    WS_EVENT_NODE_DRAIN,
    WS_EVENT_NODE_FAIL,
    WS_EVENT_NODE_RECLAIM,
    WS_EVENT_NODE_RELEASE,
    WS_EVENT_SCALE_POOL, /* in files both are `scale` */
    WS_EVENT_SCALE_JOB,
    WS_EVENT_TRUNCATED, /* the last one, when there were more than WS_EVENTS_MAX */
    WS_EVENT_KIND_COUNT
} ws_event_kind;

/** Texts live as long as the run's result. Fields that the kind does not have are zero. */
typedef struct {
    ws_event_kind kind;
    bool clamped; /* `asked` was not legal */
    ws_time at;
    int64_t node; /* number within its pool */
    int64_t from;
    int64_t to;
    int64_t asked;
    int64_t replicas;
    int64_t gpus;
    int64_t dropped;
    ws_text step;       /* what a size makes of a step, in words */
    ws_text controller; /* type of the policy that decided */
    ws_text pool;
    ws_text job;
    ws_text stage;
    ws_text reason;
} ws_event_record;

typedef struct ws_event_block {
    ws_event_record records[WS_EVENT_BLOCK_RECORDS];
    size_t count;
    struct ws_event_block *next;
} ws_event_block;

/** The events of one run, in the order in which they happened: by time, equal times as the
 * simulator came to them. */
typedef struct {
    ws_text policy;
    int64_t replication;
    const ws_event_block *first; /* NULL: none */
    int64_t count;
} ws_event_list;

typedef struct {
    const char *name; /* of `type` */
    const char *help; /* one sentence, without a full stop */
} ws_event_kind_row;

/** A field of some kinds; those of all kinds (t_ns, seq, policy, replication, type) stand before
 * them. */
typedef struct {
    ws_column column; /* of a ws_event_record: TEXT, I64 or BOOL */
    uint32_t kinds;   /* bits 1 << ws_event_kind */
} ws_event_field;

extern const ws_event_kind_row ws_event_kinds[WS_EVENT_KIND_COUNT];
extern const ws_event_field ws_event_fields[];
extern const size_t ws_event_field_count;

/**
 * Writes all events as JSON lines: `t_ns`, `seq` (from 0, without gaps), `policy`, `replication`,
 * `type`, then the fields of the kind in their order. A time above WS_EVENT_EXACT_NS is a string.
 * Does nothing after the writer's first failure; ws_writer_finish() tells.
 */
void ws_event_list_write(const ws_event_list *events, ws_writer *lines);

/** The kinds and their fields as a Markdown table for the manual. NULL start when the arena is
 * exhausted. */
ws_text ws_events_print_markdown(ws_arena *arena);

#endif
