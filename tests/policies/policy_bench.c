/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policies/policy_bench.h"

#include "support/flow_document.h"
#include "ws/assert.h"
#include "ws/parameter.h"
#include "ws/policies.h"

bool ws_policy_bench_open(ws_policy_bench *bench, const char *type, ws_target_kind target,
                          const char *text)
{
    ws_parameter_binding binding = {.table = NULL};
    ws_document *document = NULL;

    *bench = (ws_policy_bench){
        .target = {.kind = target, .job = WS_TEXT("train"), .name = WS_TEXT("target")}};
    ws_arena_init(&bench->arena, &ws_allocator_default, (size_t)1 << 22);
    ws_diag_init(&bench->diag, &bench->arena);
    bench->type = ws_policy_find(ws_text_of(type));
    WS_ASSERT(bench->type != NULL);
    bench->source = ws_test_source("scenario.yaml", ws_text_of(text), &bench->arena);
    bench->parameters = ws_arena_alloc_bytes(&bench->arena, 1, bench->type->parameters->bytes);
    WS_ASSERT(bench->parameters != NULL);
    binding = (ws_parameter_binding){.table = bench->type->parameters, .object = bench->parameters};
    document = text[0] == '{' ? ws_test_flow(bench->source, 0, &bench->arena)
                              : ws_test_block(bench->source, 0, &bench->arena);
    return ws_parameters_read(document, WS_TEXT("policies[0]"), &binding, 1, &bench->arena,
                              &bench->diag) &&
           (bench->type->complete == NULL ||
            bench->type->complete(bench->parameters, &bench->arena, &bench->diag)) &&
           (bench->type->check == NULL ||
            bench->type->check(bench->parameters, &bench->target, &bench->arena, &bench->diag));
}

void ws_policy_bench_begin(ws_policy_bench *bench, int32_t nodes_min, int32_t nodes_max)
{
    ws_policy_site site = {.target = bench->target};
    bool is_ready = true;

    if (bench->target.kind == WS_TARGET_POOL) {
        site.replicas_min = nodes_min;
        site.replicas_max = nodes_max;
    }
    bench->state = ws_arena_alloc_bytes(&bench->arena, 1, bench->type->state_bytes + 1);
    WS_ASSERT(bench->state != NULL);
    if (bench->type->subscribe != NULL) {
        bench->type->subscribe(bench->parameters, &bench->subscriptions);
    }
    if (bench->type->init != NULL) {
        is_ready = bench->type->init(bench->state, bench->parameters, &site, &bench->arena);
    }
    WS_ASSERT(is_ready);
}

ws_plan ws_policy_bench_ask(ws_policy_bench *bench, const ws_view *view)
{
    ws_plan plan = {.set_count = 0};

    WS_ASSERT(bench->state != NULL);
    bench->type->decide(bench->state, bench->parameters, view, &plan);
    return plan;
}

const char *ws_policy_bench_complaint(ws_policy_bench *bench)
{
    ws_text text = WS_TEXT("");

    if (bench->diag.count > 0) {
        text = ws_diagnostic_print(&bench->diag.entries[0], false, &bench->arena);
        WS_ASSERT(text.start != NULL);
        text = ws_arena_copy_text(&bench->arena, text);
    }
    return text.start;
}

void ws_policy_bench_close(ws_policy_bench *bench)
{
    ws_arena_reset(&bench->arena);
}
