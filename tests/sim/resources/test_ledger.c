/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All numbers are worked by hand: GPUs x nanoseconds, shares of round spans, thirds of odd ones. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <signal.h>

#include "ws/assert.h"
#include "ws/ledger.h"

static ws_arena arena_open(void)
{
    ws_arena arena;

    ws_arena_init(&arena, &ws_allocator_default, (size_t)1 << 26);
    return arena;
}

static const ws_price free_of_charge = {.nano_per_h = 0};

static ws_time at_s(int64_t seconds)
{
    return (ws_time){.ns = seconds * WS_NS_PER_S};
}

static ws_time at_ns(int64_t ns)
{
    return (ws_time){.ns = ns};
}

/* A ledger of one owner that holds `gpus` from time 0 on and does `activity`. */
static ws_ledger *ledger_doing(ws_arena *arena, int64_t gpus, ws_activity activity)
{
    ws_ledger *ledger = ws_ledger_new(arena, 1);

    cr_assert(ledger != NULL);
    ws_ledger_hold(ledger, 0, gpus, free_of_charge, at_s(0));
    ws_ledger_set_activity(ledger, 0, activity, at_s(0));
    return ledger;
}

static bool holds(const ws_accounts *accounts, ws_account account, int64_t gpu_ns)
{
    return accounts->account[account].gpu_ns == gpu_ns;
}

static bool sums_to(ws_accounts accounts, ws_i128 gpu_ns)
{
    return ws_accounts_sum(&accounts).gpu_ns == gpu_ns;
}

Test(ledger, names_every_account_as_the_result_files_do)
{
    const char *const expected[] = {"useful",     "communication", "input_stall", "straggle",
                                    "checkpoint", "cold_start",    "resize",      "recovery",
                                    "lost",       "idle"};

    cr_assert(eq(sz, WS_COUNT_OF(expected), (size_t)WS_ACCOUNT_COUNT));
    for (size_t i = 0; i < WS_COUNT_OF(expected); i++) {
        cr_expect(eq(str, (char *)ws_account_names[i], (char *)expected[i]));
    }
}

Test(ledger, begins_with_nothing_and_idle)
{
    ws_arena arena = arena_open();
    ws_ledger *ledger = ws_ledger_new(&arena, 2);

    cr_assert(ledger != NULL);
    cr_expect(eq(i64, ws_ledger_gpus(ledger, 1), 0));
    cr_expect(sums_to(ws_ledger_total(ledger, at_s(3600)), 0));
    ws_ledger_hold(ledger, 1, 8, free_of_charge, at_s(3600));
    ws_accounts accounts = ws_ledger_accounts(ledger, 1, at_s(7200));
    cr_expect(holds(&accounts, WS_ACCOUNT_IDLE, 8 * WS_NS_PER_H));
    cr_expect(sums_to(accounts, 8 * WS_NS_PER_H));
    ws_arena_reset(&arena);
}

Test(ledger, splits_a_span_by_the_activity)
{
    ws_arena arena = arena_open();
    /* 3 GPUs for 1 s are 3e9: 25 %, 10 %, 5 % and 20 % of it, and 40 % in the main account. */
    ws_ledger *ledger = ledger_doing(&arena, 3,
                                     (ws_activity){.main = WS_ACCOUNT_USEFUL,
                                                   .communication = 0.25,
                                                   .input_stall = 0.1,
                                                   .straggle = 0.05,
                                                   .cold_start = 0.2});
    ws_accounts accounts = ws_ledger_accounts(ledger, 0, at_s(1));

    cr_expect(holds(&accounts, WS_ACCOUNT_COMMUNICATION, 750000000));
    cr_expect(holds(&accounts, WS_ACCOUNT_INPUT_STALL, 300000000));
    cr_expect(holds(&accounts, WS_ACCOUNT_STRAGGLE, 150000000));
    cr_expect(holds(&accounts, WS_ACCOUNT_COLD_START, 600000000));
    cr_expect(holds(&accounts, WS_ACCOUNT_USEFUL, 1200000000));
    cr_expect(sums_to(accounts, 3000000000));
    ws_arena_reset(&arena);
}

Test(ledger, rounds_each_share_and_loses_no_nanosecond)
{
    ws_arena arena = arena_open();
    ws_activity thirds = {.main = WS_ACCOUNT_USEFUL,
                          .communication = 1.0 / 3,
                          .input_stall = 1.0 / 3,
                          .straggle = 1.0 / 3};

    /* 7 GPU-ns: a third is 2.33, so three times 2 and 1 over. */
    ws_accounts seven = ws_ledger_accounts(ledger_doing(&arena, 7, thirds), 0, at_ns(1));
    cr_expect(holds(&seven, WS_ACCOUNT_COMMUNICATION, 2));
    cr_expect(holds(&seven, WS_ACCOUNT_INPUT_STALL, 2));
    cr_expect(holds(&seven, WS_ACCOUNT_STRAGGLE, 2));
    cr_expect(holds(&seven, WS_ACCOUNT_USEFUL, 1));

    /* 8 GPU-ns: a third is 2.67, so 3, 3 and the 2 that are left. */
    ws_accounts eight = ws_ledger_accounts(ledger_doing(&arena, 8, thirds), 0, at_ns(1));
    cr_expect(holds(&eight, WS_ACCOUNT_COMMUNICATION, 3));
    cr_expect(holds(&eight, WS_ACCOUNT_INPUT_STALL, 3));
    cr_expect(holds(&eight, WS_ACCOUNT_STRAGGLE, 2));
    cr_expect(holds(&eight, WS_ACCOUNT_USEFUL, 0));
    ws_arena_reset(&arena);
}

Test(ledger, conserves_a_long_chain_of_odd_spans)
{
    ws_arena arena = arena_open();
    ws_ledger *ledger = ledger_doing(&arena, 13,
                                     (ws_activity){.main = WS_ACCOUNT_USEFUL,
                                                   .pending = true,
                                                   .communication = 0.271828,
                                                   .input_stall = 0.0314159,
                                                   .straggle = 0.123456789,
                                                   .cold_start = 0.01});
    int64_t now_ns = 0;

    for (int64_t i = 1; i <= 2000; i++) {
        now_ns += i * 1000003 % 9973 + 1;
        if (i % 3 == 0) {
            ws_ledger_settle(ledger, 0, at_ns(now_ns));
        } else {
            ws_ledger_hold(ledger, 0, 0, free_of_charge, at_ns(now_ns));
        }
        cr_assert(sums_to(ws_ledger_accounts(ledger, 0, at_ns(now_ns)), (ws_i128)13 * now_ns));
    }
    ws_arena_reset(&arena);
}

Test(ledger, observing_commits_nothing)
{
    ws_arena arena = arena_open();
    /* 30 % of 10 GPU-ns are 3; booked in two halves of 5 they would be 1.5 rounded, twice. */
    ws_ledger *ledger =
        ledger_doing(&arena, 1, (ws_activity){.main = WS_ACCOUNT_USEFUL, .communication = 0.3});

    (void)ws_ledger_accounts(ledger, 0, at_ns(5));
    (void)ws_ledger_pending(ledger, 0, at_ns(5));
    (void)ws_ledger_cost(ledger, 0, at_ns(5));
    (void)ws_ledger_total(ledger, at_ns(5));
    ws_accounts accounts = ws_ledger_accounts(ledger, 0, at_ns(10));
    cr_expect(holds(&accounts, WS_ACCOUNT_COMMUNICATION, 3));
    cr_expect(holds(&accounts, WS_ACCOUNT_USEFUL, 7));
    ws_arena_reset(&arena);
}

Test(ledger, settles_and_rolls_back)
{
    ws_arena arena = arena_open();
    ws_ledger *ledger =
        ledger_doing(&arena, 2, (ws_activity){.main = WS_ACCOUNT_USEFUL, .pending = true});

    /* 2 GPUs: 10 s until a checkpoint, 5 s more until a fault. */
    ws_ledger_settle(ledger, 0, at_s(10));
    cr_expect(sums_to(ws_ledger_pending(ledger, 0, at_s(10)), 0));
    cr_expect(sums_to(ws_ledger_pending(ledger, 0, at_s(15)), 10 * WS_NS_PER_S));
    ws_gpu_time lost = ws_ledger_roll_back(ledger, 0, at_s(15));
    cr_expect(lost.gpu_ns == 10 * WS_NS_PER_S);

    ws_accounts accounts = ws_ledger_accounts(ledger, 0, at_s(15));
    cr_expect(holds(&accounts, WS_ACCOUNT_USEFUL, 20 * WS_NS_PER_S));
    cr_expect(holds(&accounts, WS_ACCOUNT_LOST, 10 * WS_NS_PER_S));
    cr_expect(sums_to(accounts, 30 * WS_NS_PER_S));

    /* What is rolled back stays lost: a second roll-back at once finds nothing. */
    lost = ws_ledger_roll_back(ledger, 0, at_s(15));
    cr_expect(lost.gpu_ns == 0);
    ws_arena_reset(&arena);
}

/* 2 GPUs: 10 s until a copy on a disk, 5 s more until a planned change, 4 s more until the disk is
 * lost; after that 3 s, a copy, 2 s, and a durable one. */
Test(ledger, what_is_secured_is_lost_with_its_copy_alone)
{
    ws_arena arena = arena_open();
    ws_ledger *ledger =
        ledger_doing(&arena, 2, (ws_activity){.main = WS_ACCOUNT_USEFUL, .pending = true});

    ws_ledger_secure(ledger, 0, at_s(10));
    cr_expect(sums_to(ws_ledger_pending(ledger, 0, at_s(15)), 30 * WS_NS_PER_S));
    ws_gpu_time lost = ws_ledger_roll_back(ledger, 0, at_s(15));
    cr_expect(lost.gpu_ns == 10 * WS_NS_PER_S);
    lost = ws_ledger_roll_back_all(ledger, 0, at_s(19));
    cr_expect(lost.gpu_ns == (20 + 8) * WS_NS_PER_S);
    cr_expect(sums_to(ws_ledger_pending(ledger, 0, at_s(19)), 0));
    ws_ledger_secure(ledger, 0, at_s(22));
    ws_ledger_settle(ledger, 0, at_s(24));
    lost = ws_ledger_roll_back_all(ledger, 0, at_s(24));
    cr_expect(lost.gpu_ns == 0);

    ws_accounts accounts = ws_ledger_accounts(ledger, 0, at_s(24));
    cr_expect(holds(&accounts, WS_ACCOUNT_USEFUL, 10 * WS_NS_PER_S));
    cr_expect(holds(&accounts, WS_ACCOUNT_LOST, 38 * WS_NS_PER_S));
    cr_expect(sums_to(accounts, 48 * WS_NS_PER_S));
    ws_arena_reset(&arena);
}

Test(ledger, a_settled_activity_is_never_lost)
{
    ws_arena arena = arena_open();
    ws_ledger *ledger = ledger_doing(&arena, 4, (ws_activity){.main = WS_ACCOUNT_RECOVERY});

    cr_expect(sums_to(ws_ledger_pending(ledger, 0, at_s(10)), 0));
    ws_gpu_time lost = ws_ledger_roll_back(ledger, 0, at_s(10));
    cr_expect(lost.gpu_ns == 0);
    ws_accounts accounts = ws_ledger_accounts(ledger, 0, at_s(10));
    cr_expect(holds(&accounts, WS_ACCOUNT_RECOVERY, 40 * WS_NS_PER_S));
    ws_arena_reset(&arena);
}

Test(ledger, the_cold_start_of_added_workers_survives_a_roll_back)
{
    ws_arena arena = arena_open();
    /* 4 GPUs for 10 s, one of them still starting: 10 s of cold start, 30 s pending. */
    ws_ledger *ledger = ledger_doing(
        &arena, 4, (ws_activity){.main = WS_ACCOUNT_USEFUL, .pending = true, .cold_start = 0.25});

    cr_expect(sums_to(ws_ledger_pending(ledger, 0, at_s(10)), 30 * WS_NS_PER_S));
    ws_gpu_time lost = ws_ledger_roll_back(ledger, 0, at_s(10));
    cr_expect(lost.gpu_ns == 30 * WS_NS_PER_S);
    ws_accounts accounts = ws_ledger_accounts(ledger, 0, at_s(10));
    cr_expect(holds(&accounts, WS_ACCOUNT_COLD_START, 10 * WS_NS_PER_S));
    cr_expect(holds(&accounts, WS_ACCOUNT_LOST, 30 * WS_NS_PER_S));
    ws_arena_reset(&arena);
}

Test(ledger, takes_straggle_out_afterwards)
{
    ws_arena arena = arena_open();
    ws_ledger *ledger = ledger_doing(
        &arena, 4, (ws_activity){.main = WS_ACCOUNT_USEFUL, .pending = true, .communication = 0.5});

    /* 40 s: 20 in communication, 20 in the main account, of which 6 were waiting. */
    ws_ledger_book_straggle(ledger, 0, ws_gpu_time_of(1, (ws_duration){.ns = 6 * WS_NS_PER_S}),
                            at_s(10));
    ws_accounts accounts = ws_ledger_pending(ledger, 0, at_s(10));
    cr_expect(holds(&accounts, WS_ACCOUNT_COMMUNICATION, 20 * WS_NS_PER_S));
    cr_expect(holds(&accounts, WS_ACCOUNT_STRAGGLE, 6 * WS_NS_PER_S));
    cr_expect(holds(&accounts, WS_ACCOUNT_USEFUL, 14 * WS_NS_PER_S));

    /* The next 4 s have only 2 in the main account: more is not taken. */
    ws_ledger_book_straggle(ledger, 0, ws_gpu_time_of(1, (ws_duration){.ns = 6 * WS_NS_PER_S}),
                            at_s(11));
    accounts = ws_ledger_pending(ledger, 0, at_s(11));
    cr_expect(holds(&accounts, WS_ACCOUNT_STRAGGLE, 8 * WS_NS_PER_S));
    cr_expect(holds(&accounts, WS_ACCOUNT_USEFUL, 14 * WS_NS_PER_S));
    cr_expect(sums_to(accounts, 44 * WS_NS_PER_S));
    ws_arena_reset(&arena);
}

/* 4 GPUs for 10 s, then one is taken away: the 6 GPU-s of waiting are still found in the 40. */
Test(ledger, takes_straggle_out_after_gpus_are_gone)
{
    ws_arena arena = arena_open();
    ws_ledger *ledger = ledger_doing(&arena, 4, (ws_activity){.main = WS_ACCOUNT_COLD_START});

    ws_ledger_hold(ledger, 0, -1, free_of_charge, at_s(10));
    ws_ledger_book_straggle(ledger, 0, ws_gpu_time_of(6, (ws_duration){.ns = WS_NS_PER_S}),
                            at_s(10));
    ws_accounts accounts = ws_ledger_accounts(ledger, 0, at_s(10));
    cr_expect(holds(&accounts, WS_ACCOUNT_STRAGGLE, 6 * WS_NS_PER_S));
    cr_expect(holds(&accounts, WS_ACCOUNT_COLD_START, 34 * WS_NS_PER_S));

    /* A new activity begins anew: nothing of the old one is taken. */
    ws_ledger_set_activity(ledger, 0, (ws_activity){.main = WS_ACCOUNT_COLD_START}, at_s(10));
    ws_ledger_book_straggle(ledger, 0, ws_gpu_time_of(6, (ws_duration){.ns = WS_NS_PER_S}),
                            at_s(10));
    accounts = ws_ledger_accounts(ledger, 0, at_s(10));
    cr_expect(holds(&accounts, WS_ACCOUNT_STRAGGLE, 6 * WS_NS_PER_S));
    ws_arena_reset(&arena);
}

Test(ledger, integrates_the_price_of_what_is_held)
{
    ws_arena arena = arena_open();
    ws_ledger *ledger = ws_ledger_new(&arena, 1);

    /* 8 GPUs at $23.92/h together for 2 h, then 4 of them (half the price) for 1 h: $59.80. */
    ws_ledger_hold(ledger, 0, 8, (ws_price){.nano_per_h = 23920000000}, at_s(0));
    ws_ledger_hold(ledger, 0, -4, (ws_price){.nano_per_h = -11960000000}, at_s(7200));
    ws_money cost = ws_money_of_cost(ws_ledger_cost(ledger, 0, at_s(10800)));
    cr_expect(cost.nano == 59800000000);
    cr_expect(eq(i64, ws_ledger_gpus(ledger, 0), 4));
    ws_arena_reset(&arena);
}

Test(ledger, adds_billed_time_without_holding_a_gpu)
{
    ws_arena arena = arena_open();
    ws_ledger *ledger = ws_ledger_new(&arena, 3);

    ws_ledger_add(ledger, 0, WS_ACCOUNT_IDLE, (ws_gpu_time){.gpu_ns = 59});
    ws_ledger_hold(ledger, 2, 2, free_of_charge, at_ns(0));
    ws_accounts total = ws_ledger_total(ledger, at_ns(3));
    cr_expect(holds(&total, WS_ACCOUNT_IDLE, 65));

    ws_accounts added = ws_ledger_accounts(ledger, 0, at_ns(3));
    ws_accounts held = ws_accounts_sub(total, added);
    cr_expect(holds(&held, WS_ACCOUNT_IDLE, 6));
    ws_arena_reset(&arena);
}

Test(ledger, holds_the_largest_fleet_for_a_century)
{
    ws_arena arena = arena_open();
    /* 16384 GPUs for 36525 days of 86400 s, at 16384 x $2.99/h = $48988.16/h. */
    ws_ledger *ledger = ws_ledger_new(&arena, 1);
    ws_time end = at_ns(WS_HORIZON_MAX_NS);

    ws_ledger_hold(ledger, 0, 16384, (ws_price){.nano_per_h = 48988160000000}, at_s(0));
    cr_expect(sums_to(ws_ledger_total(ledger, end), (ws_i128)51703971840000 * WS_NS_PER_S));
    ws_money cost = ws_money_of_cost(ws_ledger_cost(ledger, 0, end));
    cr_expect(cost.nano == (ws_i128)42943021056 * 1000000000);
    ws_arena_reset(&arena);
}

Test(ledger, an_exhausted_arena_gives_no_ledger)
{
    ws_arena small;

    ws_arena_init(&small, &ws_allocator_default, 4096);
    cr_expect(ws_ledger_new(&small, 1000) == NULL);
    ws_arena_reset(&small);
}

Test(ledger, holding_less_than_nothing_is_a_bug, .signal = SIGABRT)
{
    ws_arena arena = arena_open();

    ws_ledger_hold(ws_ledger_new(&arena, 1), 0, -1, free_of_charge, at_s(0));
}

Test(ledger, going_back_in_time_is_a_bug, .signal = SIGABRT)
{
    ws_arena arena = arena_open();
    ws_ledger *ledger = ledger_doing(&arena, 1, (ws_activity){.main = WS_ACCOUNT_IDLE});

    ws_ledger_settle(ledger, 0, at_s(2));
    ws_ledger_settle(ledger, 0, at_s(1));
}

Test(ledger, shares_beyond_the_whole_are_a_bug, .signal = SIGABRT)
{
    ws_arena arena = arena_open();

    (void)ledger_doing(
        &arena, 1, (ws_activity){.main = WS_ACCOUNT_USEFUL, .communication = 0.7, .straggle = 0.4});
}

Test(ledger, a_stranger_is_a_bug, .signal = SIGABRT)
{
    ws_arena arena = arena_open();

    (void)ws_ledger_gpus(ws_ledger_new(&arena, 2), 2);
}
