/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Selectors: the rules are those of Kubernetes' label selectors, worked out by hand. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "ws/assert.h"
#include "ws/label.h"

#define T(literal)                                                                                 \
    {                                                                                              \
        .start = (literal), .length = sizeof(literal) - 1                                          \
    }

static const ws_label items[] = {{T("app"), T("worker")}, {T("tier"), T("")}};
static const ws_labels labels = {.items = items, .count = 2};
static const ws_labels none = {.count = 0};

static const ws_text worker_or_server[] = {T("server"), T("worker")};
static const ws_text server[] = {T("server")};
static const ws_text nothing[] = {T("")};

static bool matches(ws_text key, ws_select_relation relation, const ws_text *values, size_t count,
                    const ws_labels *of)
{
    ws_requirement requirement = {
        .key = key, .relation = relation, .values = values, .value_count = count};
    ws_selector selector = {.requirements = &requirement, .count = 1};

    return ws_selector_matches(&selector, of);
}

Test(label, an_empty_selector_selects_everything)
{
    ws_selector selector = {.count = 0};

    cr_expect(ws_selector_matches(&selector, &labels));
    cr_expect(ws_selector_matches(&selector, &none));
}

Test(label, in_needs_the_key_and_one_of_the_values)
{
    ws_text app = WS_TEXT("app");

    cr_expect(matches(app, WS_SELECT_IN, worker_or_server, 2, &labels));
    cr_expect(not(matches(app, WS_SELECT_IN, server, 1, &labels)));
    cr_expect(not(matches(app, WS_SELECT_IN, worker_or_server, 2, &none)));
    cr_expect(matches(WS_TEXT("tier"), WS_SELECT_IN, nothing, 1, &labels));
    cr_expect(not(matches(WS_TEXT("App"), WS_SELECT_IN, worker_or_server, 2, &labels)));
}

Test(label, not_in_holds_where_the_key_is_absent)
{
    ws_text app = WS_TEXT("app");

    cr_expect(not(matches(app, WS_SELECT_NOT_IN, worker_or_server, 2, &labels)));
    cr_expect(matches(app, WS_SELECT_NOT_IN, server, 1, &labels));
    cr_expect(matches(app, WS_SELECT_NOT_IN, worker_or_server, 2, &none));
}

Test(label, exists_and_absent_look_at_the_key_alone)
{
    ws_text tier = WS_TEXT("tier");

    cr_expect(matches(tier, WS_SELECT_EXISTS, NULL, 0, &labels));
    cr_expect(not(matches(tier, WS_SELECT_EXISTS, NULL, 0, &none)));
    cr_expect(not(matches(tier, WS_SELECT_ABSENT, NULL, 0, &labels)));
    cr_expect(matches(tier, WS_SELECT_ABSENT, NULL, 0, &none));
}

Test(label, all_requirements_must_hold)
{
    ws_requirement both[] = {
        {.key = T("app"), .relation = WS_SELECT_IN, .values = worker_or_server, .value_count = 2},
        {.key = T("queue"), .relation = WS_SELECT_EXISTS},
    };

    cr_expect(ws_selector_matches(&(ws_selector){.requirements = both, .count = 1}, &labels));
    cr_expect(not(ws_selector_matches(&(ws_selector){.requirements = both, .count = 2}, &labels)));
}
