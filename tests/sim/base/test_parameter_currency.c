/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One currency for all amounts of a document, wherever they lie. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stddef.h>

#include "support/arena_suite.h"
#include "support/flow_document.h"
#include "ws/parameter.h"
#include "ws/total.h"

WS_TEST_ARENA_SUITE(currency);

typedef struct {
    ws_price price;
} pool;

typedef struct {
    ws_list pools;
    ws_money budget;
    double volume;
    pool spot;
} bill;

static const ws_parameter pool_rows[] = {
    {.name = "price", .kind = WS_PARAMETER_PRICE, .offset = offsetof(pool, price)},
};
static const ws_parameter_table pool_table = {
    .noun = "pool", .rows = pool_rows, .count = WS_COUNT_OF(pool_rows), .bytes = sizeof(pool)};

static const ws_parameter bill_rows[] = {
    {.name = "pools",
     .kind = WS_PARAMETER_MAP_LIST,
     .offset = offsetof(bill, pools),
     .table = &pool_table},
    {.name = "budget",
     .kind = WS_PARAMETER_MONEY,
     .offset = offsetof(bill, budget),
     .default_text = "$0"},
    {.name = "volume", .kind = WS_PARAMETER_VOLUME_PRICE, .offset = offsetof(bill, volume)},
    {.name = "spot",
     .kind = WS_PARAMETER_MAP,
     .offset = offsetof(bill, spot),
     .table = &pool_table},
};
static const ws_parameter_table bill_table = {
    .noun = "a bill", .rows = bill_rows, .count = WS_COUNT_OF(bill_rows), .bytes = sizeof(bill)};

/* Reads a map and checks it; the number of errors. */
static size_t check(const char *text, ws_currency *currency)
{
    ws_document *map = ws_test_flow(ws_test_source("b.yaml", ws_text_of(text), &arena), 0, &arena);
    bill read = {.volume = 0};
    bool is_read = ws_parameters_read(
        map, WS_TEXT(""), &(ws_parameter_binding){.table = &bill_table, .object = &read}, 1, &arena,
        &diag);

    cr_assert(is_read, "%s", text);
    bool is_good = ws_parameters_check_currency(map, &bill_table, currency, &arena, &diag);
    cr_assert(eq(int, is_good, diag.error_count == 0));
    return diag.error_count;
}

Test(currency, of_the_first_amount)
{
    ws_currency currency = {.name = ""};

    cr_expect(
        eq(sz, check("{pools: [{price: 2EUR/h}, {price: 3EUR/h}], budget: 5EUR}", &currency), 0));
    cr_expect(eq(str, currency.name, "EUR"));
}

Test(currency, a_mix_is_told_with_both_places)
{
    ws_currency currency = {.name = ""};

    cr_expect(
        eq(sz, check("{pools: [{price: 2EUR/h}, {price: $3/h}], budget: 5EUR}", &currency), 1));
    cr_expect(eq(int, diag.entries[0].code, 3111));
    cr_expect(ws_text_is(diag.entries[0].message, "amounts are in EUR and in USD"));
    cr_expect(eq(int, diag.entries[0].at.column, 35));
    cr_expect(eq(int, diag.entries[0].also.column, 18));
}

Test(currency, every_kind_of_amount_counts)
{
    static const char *const mixed[] = {
        "{budget: 5EUR, volume: $0.10/GiB/month}",
        "{budget: 5EUR, spot: {price: $1/h}}",
        "{pools: [{price: $1/h}], spot: {price: 1GBP/h}}",
    };

    for (size_t i = 0; i < WS_COUNT_OF(mixed); i++) {
        ws_currency currency = {.name = ""};

        ws_diag_init(&diag, &arena);
        cr_expect(eq(sz, check(mixed[i], &currency), 1), "%s", mixed[i]);
    }
}

/* The default of `budget` is $0, and a file may say so too. */
Test(currency, nothing_is_nothing_in_every_currency)
{
    ws_currency currency = {.name = ""};

    cr_expect(eq(sz, check("{pools: [{price: 2EUR/h}]}", &currency), 0));
    cr_expect(eq(sz, check("{pools: [{price: $0/h}], budget: $0}", &currency), 0));
    cr_expect(eq(str, currency.name, "EUR"));
}

/* What was seen in one map holds for the next. */
Test(currency, several_maps_agree)
{
    ws_currency currency = {.name = ""};

    cr_expect(eq(sz, check("{budget: 5EUR}", &currency), 0));
    cr_expect(eq(sz, check("{budget: $5}", &currency), 1));
}
