/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ledger is lazy: an owner carries the time up to which it is booked, and every change books
 * the span since then first. Observing books into a copy. All is O(1) but the total over owners.
 */
#include "ws/ledger.h"

#include "ws/assert.h"

/* Shares are quotients of doubles; their sum may pass 1 by rounding, never by more than this. */
#define LEDGER_SHARE_SLACK 1e-9

typedef struct {
    int64_t gpus;
    ws_price price; /* an hour, of all of them */
    ws_time booked; /* up to here the accounts are complete */
    ws_activity activity;
    ws_accounts settled;
    ws_accounts secured; /* pending, but for a rollback to the copy that secured it */
    ws_accounts pending;
    ws_gpu_time
        main; /* put into the main account since the activity was set: may yet be straggle */
    ws_cost_integral cost;
} ledger_owner;

struct ws_ledger {
    ledger_owner *owners;
    size_t owner_count;
};

static ledger_owner *ledger_owner_at(const ws_ledger *ledger, size_t owner)
{
    WS_ASSERT(ledger != NULL);
    WS_ASSERT(owner < ledger->owner_count);
    return &ledger->owners[owner];
}

static void ledger_credit(ws_accounts *accounts, ws_account account, ws_gpu_time amount)
{
    WS_ASSERT(account < WS_ACCOUNT_COUNT);
    accounts->account[account] = ws_gpu_time_add(accounts->account[account], amount);
}

/* Moves at most `amount` out of what is left of a span. Two shares of one half of an odd span both
 * round up, so the last of them gets what there is. */
static void ledger_move(ws_gpu_time *rest, ws_gpu_time amount, ws_account account, ws_accounts *to)
{
    ws_gpu_time moved = amount.gpu_ns < rest->gpu_ns ? amount : *rest;

    WS_ASSERT(amount.gpu_ns >= 0);
    ledger_credit(to, account, moved);
    *rest = ws_gpu_time_sub(*rest, moved);
}

static void ledger_move_share(ws_gpu_time *rest, ws_gpu_time whole, double ratio,
                              ws_account account, ws_accounts *to)
{
    if (ratio > 0) {
        ledger_move(rest, ws_gpu_time_share(whole, ratio), account, to);
    }
}

static ws_accounts *ledger_destination(ledger_owner *owner)
{
    return owner->activity.pending ? &owner->pending : &owner->settled;
}

/* The span since the last booking, split by the activity. */
static void ledger_book(ledger_owner *owner, ws_time now)
{
    const ws_activity *activity = &owner->activity;
    ws_accounts *to = ledger_destination(owner);
    ws_duration span = ws_time_since(now, owner->booked);

    WS_ASSERT(span.ns >= 0);
    if (span.ns == 0) {
        return;
    }
    ws_gpu_time whole = ws_gpu_time_of(owner->gpus, span);
    ws_gpu_time rest = whole;
    ledger_move_share(&rest, whole, activity->communication, WS_ACCOUNT_COMMUNICATION, to);
    ledger_move_share(&rest, whole, activity->input_stall, WS_ACCOUNT_INPUT_STALL, to);
    ledger_move_share(&rest, whole, activity->straggle, WS_ACCOUNT_STRAGGLE, to);
    ledger_move_share(&rest, whole, activity->cold_start, WS_ACCOUNT_COLD_START, &owner->settled);
    ledger_credit(to, activity->main, rest);
    owner->main = ws_gpu_time_add(owner->main, rest);
    owner->cost = ws_cost_integral_add(owner->cost, ws_cost_integral_of(owner->price, span));
    owner->booked = now;
}

/* The owner as it would be if it were booked now. */
static ledger_owner ledger_booked_copy(const ws_ledger *ledger, size_t owner, ws_time now)
{
    ledger_owner copy = *ledger_owner_at(ledger, owner);

    ledger_book(&copy, now);
    return copy;
}

ws_ledger *ws_ledger_new(ws_arena *arena, size_t owner_count)
{
    WS_ASSERT(owner_count >= 1);

    ws_ledger *ledger = ws_arena_alloc(arena, ws_ledger, 1);
    ledger_owner *owners = ws_arena_alloc(arena, ledger_owner, owner_count);

    if (ledger == NULL || owners == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < owner_count; i++) {
        owners[i].activity.main = WS_ACCOUNT_IDLE;
    }
    *ledger = (ws_ledger){.owners = owners, .owner_count = owner_count};
    return ledger;
}

void ws_ledger_hold(ws_ledger *ledger, size_t owner, int64_t gpus, ws_price price, ws_time now)
{
    ledger_owner *held = ledger_owner_at(ledger, owner);

    ledger_book(held, now);
    bool overflows = __builtin_add_overflow(held->gpus, gpus, &held->gpus);
    WS_ASSERT(!overflows);
    overflows =
        __builtin_add_overflow(held->price.nano_per_h, price.nano_per_h, &held->price.nano_per_h);
    WS_ASSERT(!overflows);
    WS_ASSERT(held->gpus >= 0);
    WS_ASSERT(held->price.nano_per_h >= 0);
}

static bool ledger_is_share(double ratio)
{
    return ratio >= 0 && ratio <= 1;
}

void ws_ledger_set_activity(ws_ledger *ledger, size_t owner, ws_activity activity, ws_time now)
{
    ledger_owner *doing = ledger_owner_at(ledger, owner);

    WS_ASSERT(activity.main < WS_ACCOUNT_COUNT);
    WS_ASSERT(ledger_is_share(activity.communication));
    WS_ASSERT(ledger_is_share(activity.input_stall));
    WS_ASSERT(ledger_is_share(activity.straggle));
    WS_ASSERT(ledger_is_share(activity.cold_start));
    WS_ASSERT(activity.communication + activity.input_stall + activity.straggle +
                  activity.cold_start <=
              1 + LEDGER_SHARE_SLACK);

    ledger_book(doing, now);
    doing->activity = activity;
    doing->main = (ws_gpu_time){.gpu_ns = 0};
}

void ws_ledger_book_straggle(ws_ledger *ledger, size_t owner, ws_gpu_time straggle, ws_time now)
{
    ledger_owner *waited = ledger_owner_at(ledger, owner);

    WS_ASSERT(straggle.gpu_ns >= 0);
    ledger_book(waited, now);
    ws_accounts *in = ledger_destination(waited);
    ws_gpu_time *main = &in->account[waited->activity.main];
    ws_gpu_time moved = straggle.gpu_ns < waited->main.gpu_ns ? straggle : waited->main;
    *main = ws_gpu_time_sub(*main, moved);
    ledger_credit(in, WS_ACCOUNT_STRAGGLE, moved);
    waited->main = (ws_gpu_time){.gpu_ns = 0};
}

void ws_ledger_settle(ws_ledger *ledger, size_t owner, ws_time now)
{
    ledger_owner *done = ledger_owner_at(ledger, owner);

    ledger_book(done, now);
    done->settled = ws_accounts_add(done->settled, done->pending);
    done->settled = ws_accounts_add(done->settled, done->secured);
    done->pending = (ws_accounts){0};
    done->secured = (ws_accounts){0};
    done->main = (ws_gpu_time){.gpu_ns = 0};
}

void ws_ledger_secure(ws_ledger *ledger, size_t owner, ws_time now)
{
    ledger_owner *copied = ledger_owner_at(ledger, owner);

    ledger_book(copied, now);
    copied->secured = ws_accounts_add(copied->secured, copied->pending);
    copied->pending = (ws_accounts){0};
    copied->main = (ws_gpu_time){.gpu_ns = 0};
}

ws_gpu_time ws_ledger_roll_back_all(ws_ledger *ledger, size_t owner, ws_time now)
{
    ledger_owner *restored = ledger_owner_at(ledger, owner);

    ledger_book(restored, now);
    restored->pending = ws_accounts_add(restored->pending, restored->secured);
    restored->secured = (ws_accounts){0};
    return ws_ledger_roll_back(ledger, owner, now);
}

ws_gpu_time ws_ledger_roll_back(ws_ledger *ledger, size_t owner, ws_time now)
{
    ledger_owner *restored = ledger_owner_at(ledger, owner);

    ledger_book(restored, now);
    ws_gpu_time lost = ws_accounts_sum(&restored->pending);
    ledger_credit(&restored->settled, WS_ACCOUNT_LOST, lost);
    restored->pending = (ws_accounts){0};
    restored->main = (ws_gpu_time){.gpu_ns = 0};
    return lost;
}

void ws_ledger_add(ws_ledger *ledger, size_t owner, ws_account account, ws_gpu_time amount)
{
    WS_ASSERT(amount.gpu_ns >= 0);
    ledger_credit(&ledger_owner_at(ledger, owner)->settled, account, amount);
}

int64_t ws_ledger_gpus(const ws_ledger *ledger, size_t owner)
{
    return ledger_owner_at(ledger, owner)->gpus;
}

ws_accounts ws_ledger_accounts(const ws_ledger *ledger, size_t owner, ws_time now)
{
    ledger_owner copy = ledger_booked_copy(ledger, owner, now);

    return ws_accounts_add(ws_accounts_add(copy.settled, copy.secured), copy.pending);
}

ws_accounts ws_ledger_pending(const ws_ledger *ledger, size_t owner, ws_time now)
{
    ledger_owner copy = ledger_booked_copy(ledger, owner, now);

    return ws_accounts_add(copy.secured, copy.pending);
}

ws_cost_integral ws_ledger_cost(const ws_ledger *ledger, size_t owner, ws_time now)
{
    return ledger_booked_copy(ledger, owner, now).cost;
}

ws_accounts ws_ledger_total(const ws_ledger *ledger, ws_time now)
{
    ws_accounts total = {0};

    WS_ASSERT(ledger != NULL);
    for (size_t i = 0; i < ledger->owner_count; i++) {
        total = ws_accounts_add(total, ws_ledger_accounts(ledger, i, now));
    }
    return total;
}
