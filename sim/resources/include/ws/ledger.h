/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The ledger: every GPU-nanosecond that is paid for is in exactly one account.
 *
 * Owners are dense indices; who they are is the caller's business (two for each pool: its idle GPUs
 * and its nodes in cold start; then one for each job). An owner holds a number of GPUs and is doing
 * one thing, its activity, which says where its time goes. Nothing happens between changes: a
 * change books the span since the last one. Running time is booked as pending in the account in
 * which it is spent; ws_ledger_settle() makes it final (a checkpoint is durable, the job ended),
 * and ws_ledger_roll_back() moves all of it to `lost`. Everything is 128-bit integers; a share of a
 * span is rounded once and the rest stays in the activity's main account, so that nothing is
 * created or lost.
 *
 * Invariant: settled + pending + open spans = GPU-time of the open leases + billed GPU-time of the
 * closed ones.
 */
#ifndef WS_LEDGER_H
#define WS_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/account.h"
#include "ws/arena.h"
#include "ws/time.h"
#include "ws/total.h"

/** Where an owner's time goes. Shares of the span leave `main` for their accounts; their sum is at
 * most 1. */
typedef struct {
    ws_account main;
    bool pending;         /* provisional until settled; otherwise booked as settled at once */
    double communication; /* shares, 0..1 */
    double input_stall;
    double straggle;
    double cold_start; /* workers that are being added meanwhile; booked as settled also when the
                          rest is pending */
} ws_activity;

typedef struct ws_ledger ws_ledger;

/** An owner index out of range is a bug. NULL when the arena is exhausted. Every owner starts with
 * no GPU and idle. */
ws_ledger *ws_ledger_new(ws_arena *arena, size_t owner_count);

/**
 * Books the owner's span up to `now`, then adds to what it holds.
 *
 * @param gpus   negative: taken away; going below 0 is a bug
 * @param price  an hour of all those GPUs together, negative when they are taken away
 * @param now    not before the owner's last booking
 */
void ws_ledger_hold(ws_ledger *ledger, size_t owner, int64_t gpus, ws_price price, ws_time now);

/** Books the owner's span up to `now`, then sets what it is doing. */
void ws_ledger_set_activity(ws_ledger *ledger, size_t owner, ws_activity activity, ws_time now);

/**
 * Books the owner's span up to `now`, then moves `straggle` out of the main account: known only
 * afterwards.
 *
 * @param straggle  >= 0; no more is taken than was put into the main account since the activity was
 * set (or since it was settled, rolled back, or straggle was booked last), whatever was held or
 * taken away meanwhile
 */
void ws_ledger_book_straggle(ws_ledger *ledger, size_t owner, ws_gpu_time straggle, ws_time now);

/** Pending becomes settled, up to `now`. */
void ws_ledger_settle(ws_ledger *ledger, size_t owner, ws_time now);

/** Pending, up to `now`, is pending no more where the next rollback is concerned, but may still be
 * lost by ws_ledger_roll_back_all(): there is a copy of it that may be lost, too. */
void ws_ledger_secure(ws_ledger *ledger, size_t owner, ws_time now);

/** Pending, up to `now`, moves to `lost`, settled; what is secured stays. Returns how much it was.
 */
ws_gpu_time ws_ledger_roll_back(ws_ledger *ledger, size_t owner, ws_time now);

/** The same, and what is secured with it. */
ws_gpu_time ws_ledger_roll_back_all(ws_ledger *ledger, size_t owner, ws_time now);

/** Adds to an account, settled, without holding GPUs: billing minimum and rounding of a lease that
 * ends. */
void ws_ledger_add(ws_ledger *ledger, size_t owner, ws_account account, ws_gpu_time amount);

/** GPUs that the owner holds now. */
int64_t ws_ledger_gpus(const ws_ledger *ledger, size_t owner);

/** Accounts of an owner as they stand at `now`, settled, pending and open span together. Commits
 * nothing. */
ws_accounts ws_ledger_accounts(const ws_ledger *ledger, size_t owner, ws_time now);

/** The same, pending (what is secured included) and running open span only. */
ws_accounts ws_ledger_pending(const ws_ledger *ledger, size_t owner, ws_time now);

/** Price x time of the GPUs that the owner held, up to `now`; not rounded, without billing minimum.
 * Commits nothing. */
ws_cost_integral ws_ledger_cost(const ws_ledger *ledger, size_t owner, ws_time now);

/** Sum over all owners. */
ws_accounts ws_ledger_total(const ws_ledger *ledger, ws_time now);

#endif
