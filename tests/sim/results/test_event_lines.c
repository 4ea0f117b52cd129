/* SPDX-License-Identifier: GPL-3.0-or-later */
/* events.jsonl: each kind of event as the line that other programs rely on. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "support/arena_suite.h"
#include "support/support.h"
#include "ws/event_record.h"

WS_TEST_ARENA_SUITE(event_lines);

static ws_text lines_of(const ws_event_list *events)
{
    ws_writer out;

    ws_writer_init_memory(&out, &arena);
    ws_event_list_write(events, &out);
    cr_assert(not(out.compact)); /* as it was */
    cr_assert(ws_writer_finish(&out, &diag));
    return ws_writer_text(&out);
}

/* A record with something in every field. */
static ws_event_record lines_full(ws_event_kind kind)
{
    return (ws_event_record){
        .kind = kind,
        .clamped = true,
        .at = {.ns = 12},
        .node = 1,
        .from = 2,
        .to = 3,
        .asked = 4,
        .replicas = 5,
        .gpus = 6,
        .dropped = 7,
        .controller = WS_TEXT("hpa"),
        .pool = WS_TEXT("spot"),
        .job = WS_TEXT("j\"1\""),
        .stage = WS_TEXT("main"),
        .step = WS_TEXT("steps of 8 samples"),
        .reason = WS_TEXT("a\nb"),
    };
}

/* What follows the fields that all have. */
static const char *const lines_rest[WS_EVENT_KIND_COUNT] = {
    [WS_EVENT_JOB_SUBMIT] = "\"job_submit\",\"job\":\"j\\\"1\\\"\",\"replicas\":5,\"gpus\":6}\n",
    [WS_EVENT_JOB_START] = "\"job_start\",\"job\":\"j\\\"1\\\"\",\"replicas\":5,\"gpus\":6}\n",
    [WS_EVENT_JOB_RUN] = "\"job_run\",\"job\":\"j\\\"1\\\"\",\"replicas\":5,\"gpus\":6}\n",
    [WS_EVENT_JOB_RESIZE] = "\"job_resize\",\"job\":\"j\\\"1\\\"\",\"from\":2,\"to\":3,"
                            "\"replicas\":5,\"gpus\":6,\"step\":\"steps of 8 samples\"}\n",
    [WS_EVENT_JOB_FAIL] = "\"job_fail\",\"job\":\"j\\\"1\\\"\"}\n",
    [WS_EVENT_JOB_STOP] = "\"job_stop\",\"job\":\"j\\\"1\\\"\",\"reason\":\"a\\nb\"}\n",
    [WS_EVENT_JOB_SLOWED] = "\"job_slowed\",\"job\":\"j\\\"1\\\"\",\"reason\":\"a\\nb\"}\n",
    [WS_EVENT_STAGE_DONE] = "\"stage_done\",\"job\":\"j\\\"1\\\"\",\"stage\":\"main\"}\n",
    [WS_EVENT_JOB_END] = "\"job_end\",\"job\":\"j\\\"1\\\"\"}\n",
    [WS_EVENT_NODE_REQUEST] = "\"node_request\",\"pool\":\"spot\",\"node\":1}\n",
    [WS_EVENT_NODE_REFUSED] = "\"node_refused\",\"pool\":\"spot\",\"node\":1}\n",
    [WS_EVENT_NODE_READY] = "\"node_ready\",\"pool\":\"spot\",\"node\":1}\n",
    [WS_EVENT_NODE_DRAIN] = "\"node_drain\",\"pool\":\"spot\",\"node\":1,\"reason\":\"a\\nb\"}\n",
    [WS_EVENT_NODE_FAIL] = "\"node_fail\",\"pool\":\"spot\",\"node\":1,\"reason\":\"a\\nb\"}\n",
    [WS_EVENT_NODE_RECLAIM] = "\"node_reclaim\",\"pool\":\"spot\",\"node\":1}\n",
    [WS_EVENT_NODE_RELEASE] = "\"node_release\",\"pool\":\"spot\",\"node\":1}\n",
    [WS_EVENT_SCALE_POOL] =
        "\"scale\",\"controller\":\"hpa\",\"pool\":\"spot\",\"from\":2,\"to\":3,"
        "\"asked\":4,\"clamped\":true,\"reason\":\"a\\nb\"}\n",
    [WS_EVENT_SCALE_JOB] = "\"scale\",\"controller\":\"hpa\",\"job\":\"j\\\"1\\\"\",\"from\":2,"
                           "\"to\":3,\"asked\":4,\"clamped\":true,\"reason\":\"a\\nb\"}\n",
    [WS_EVENT_TRUNCATED] = "\"truncated\",\"dropped\":7}\n",
};

Test(event_lines, each_kind_by_hand)
{
    for (size_t kind = 0; kind < WS_EVENT_KIND_COUNT; kind++) {
        ws_event_block block = {.count = 1};
        ws_event_list events = {
            .policy = WS_TEXT("arm"), .replication = 9, .first = &block, .count = 1};
        ws_text expected = ws_arena_format(
            &arena, "{\"t_ns\":12,\"seq\":0,\"policy\":\"arm\",\"replication\":9,\"type\":%s",
            lines_rest[kind]);

        block.records[0] = lines_full((ws_event_kind)kind);
        cr_expect_str_eq(lines_of(&events).start, expected.start);
    }
}

/* 2^53 is the last number that every reader of JSON keeps; the longest horizon lies far beyond it.
 */
Test(event_lines, times_that_readers_would_round_are_text)
{
    ws_event_block block = {.count = 3};
    ws_event_list events = {.policy = WS_TEXT("a"), .first = &block, .count = 3};

    for (size_t i = 0; i < 3; i++) {
        block.records[i] = (ws_event_record){.kind = WS_EVENT_JOB_END, .job = WS_TEXT("j")};
    }
    block.records[0].at.ns = INT64_C(9007199254740992);
    block.records[1].at.ns = INT64_C(9007199254740993);
    block.records[2].at.ns = INT64_C(3155760000000000000);
    ws_text lines = lines_of(&events);
    cr_expect_str_eq(
        lines.start,
        "{\"t_ns\":9007199254740992,\"seq\":0,\"policy\":\"a\",\"replication\":0,"
        "\"type\":\"job_end\",\"job\":\"j\"}\n"
        "{\"t_ns\":\"9007199254740993\",\"seq\":1,\"policy\":\"a\",\"replication\":0,"
        "\"type\":\"job_end\",\"job\":\"j\"}\n"
        "{\"t_ns\":\"3155760000000000000\",\"seq\":2,\"policy\":\"a\",\"replication\":0,"
        "\"type\":\"job_end\",\"job\":\"j\"}\n");
}

/* `seq` goes on from block to block. */
Test(event_lines, blocks_are_one_list)
{
    static ws_event_block blocks[2];
    ws_event_list events = {.first = &blocks[0], .count = WS_EVENT_BLOCK_RECORDS + 1};

    blocks[0].count = WS_EVENT_BLOCK_RECORDS;
    blocks[0].next = &blocks[1];
    blocks[1].count = 1;
    ws_text lines = lines_of(&events);
    cr_expect(
        ws_text_ends_with(lines, WS_TEXT("\"seq\":256,\"policy\":\"\",\"replication\":0,"
                                         "\"type\":\"job_submit\",\"job\":\"\",\"replicas\":0,"
                                         "\"gpus\":0}\n")));
    cr_expect(eq(sz, lines_of(&(ws_event_list){.count = 0}).length, 0));
}

/* Every kind and every field says what it is, and no field is of no kind. */
Test(event_lines, tables_are_whole)
{
    for (size_t kind = 0; kind < WS_EVENT_KIND_COUNT; kind++) {
        cr_expect(ws_event_kinds[kind].name != NULL && ws_event_kinds[kind].help != NULL);
    }
    for (size_t i = 0; i < ws_event_field_count; i++) {
        cr_expect(ws_event_fields[i].kinds != 0);
        cr_expect(ws_event_fields[i].column.help[0] != '\0');
        cr_expect(ws_event_fields[i].column.unit != NULL);
    }
}
