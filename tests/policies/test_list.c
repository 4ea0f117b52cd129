/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The contract that every policy keeps. */
#include <string.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "policies/policy_bench.h"
#include "ws/assert.h"
#include "ws/policies.h"

/* The least that each type can be given. */
static const struct {
    const char *type;
    const char *text;
} least[] = {
    {"fixed", "{}"},
    {"hpa", "{max: 4, metrics: [{external: pending_gpus, average_value: 8}]}"},
    {"predictive", "{metric: backlog, per_replica: 1}"},
    {"stage-aware", "{}"},
};

static const char *least_of(const char *type)
{
    for (size_t i = 0; i < WS_COUNT_OF(least); i++) {
        if (strcmp(least[i].type, type) == 0) {
            return least[i].text;
        }
    }
    cr_fatal("no least parameters for %s: add a line above", type);
    return NULL;
}

Test(list, is_sorted_and_complete)
{
    size_t count = ws_policy_count();

    cr_assert(gt(sz, count, 0));
    for (size_t i = 0; i < count; i++) {
        const ws_policy_type *type = ws_policy_at(i);

        cr_expect(eq(ptr, (void *)ws_policy_find(ws_text_of(type->name)), (void *)type));
        cr_expect(eq(str, (char *)ws_policy_names[i], (char *)type->name));
        cr_expect(i == 0 || strcmp(ws_policy_at(i - 1)->name, type->name) < 0);
    }
    cr_expect(eq(ptr, (void *)ws_policy_names[count], NULL));
    cr_expect(eq(ptr, (void *)ws_policy_find(WS_TEXT("nonsense")), NULL));
    cr_expect(eq(ptr, (void *)ws_policy_find(WS_TEXT("")), NULL));
}

Test(list, describes_every_type)
{
    for (size_t i = 0; i < ws_policy_count(); i++) {
        const ws_policy_type *type = ws_policy_at(i);

        cr_assert(type->decide != NULL, "%s", type->name);
        cr_expect(gt(sz, strlen(type->summary), 10), "%s", type->name);
        cr_expect(eq(ptr, strchr(type->summary, '\n'), NULL), "%s", type->name);
        cr_expect(ne(u32, type->target_kinds, 0), "%s", type->name);
        cr_expect(type->period != NULL || type->wakes != 0, "%s would never be asked", type->name);
        cr_assert(ne(ptr, (void *)type->parameters, NULL), "%s", type->name);
        for (size_t j = 0; j < type->parameters->count; j++) {
            const ws_parameter *row = &type->parameters->rows[j];

            cr_expect(row->kind == WS_PARAMETER_SELF || row->help != NULL, "%s: %s", type->name,
                      row->name);
            cr_expect(lt(sz, row->offset, type->parameters->bytes), "%s", type->name);
        }
    }
}

/* With the least that can be given: it reads, it checks, it is asked of nothing, and of a target of
 * nothing. */
static void ask_for_nothing(const ws_policy_type *type, ws_target_kind target)
{
    ws_policy_bench bench;
    ws_view view = {.wakes = type->wakes | WS_WAKE_PERIOD};
    ws_plan plan;

    cr_assert(ws_policy_bench_open(&bench, type->name, target, least_of(type->name)), "%s: %s",
              type->name, ws_policy_bench_complaint(&bench));
    ws_policy_bench_begin(&bench, 0, 4);
    cr_expect(type->period == NULL || type->period(bench.parameters).ns >= 0);
    plan = ws_policy_bench_ask(&bench, &view);
    cr_expect(eq(sz, plan.set_count, 0), "%s plans for a target that does not exist", type->name);
    view.target_exists = true;
    plan = ws_policy_bench_ask(&bench, &view);
    cr_expect(plan.set_count == 0 || plan.smallest >= 0, "%s", type->name);
    ws_policy_bench_close(&bench);
}

Test(list, takes_an_empty_view)
{
    for (size_t i = 0; i < ws_policy_count(); i++) {
        const ws_policy_type *type = ws_policy_at(i);

        for (int target = WS_TARGET_POOL; target <= WS_TARGET_JOBS; target++) {
            if ((type->target_kinds & 1u << target) != 0) {
                ask_for_nothing(type, (ws_target_kind)target);
            }
        }
    }
}

/* An arena that gives out is told, not trodden on. */
Test(list, says_when_there_is_no_memory)
{
    for (size_t i = 0; i < ws_policy_count(); i++) {
        const ws_policy_type *type = ws_policy_at(i);
        ws_target_kind target =
            (type->target_kinds & 1u << WS_TARGET_POOL) != 0 ? WS_TARGET_POOL : WS_TARGET_JOBS;
        ws_policy_bench bench;
        ws_policy_site site = {.replicas_max = 4};
        ws_arena none;

        cr_assert(ws_policy_bench_open(&bench, type->name, target, least_of(type->name)));
        site.target = bench.target;
        ws_policy_bench_begin(&bench, 0, 4);
        ws_arena_init(&none, &ws_allocator_default, 0);
        if (type->init != NULL && !type->init(bench.state, bench.parameters, &site, &none)) {
            cr_expect(eq(sz, none.used_bytes, 0));
        }
        ws_arena_reset(&none);
        ws_policy_bench_close(&bench);
    }
}
