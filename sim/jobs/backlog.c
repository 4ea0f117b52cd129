/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "backlog.h"

#include <math.h>

#include "ws/assert.h"

ws_backlog ws_backlog_of(const ws_demand *demand, ws_time measured_from, ws_arena *arena)
{
    WS_ASSERT(demand->count >= 1);
    return (ws_backlog){.demand = demand, .measured_from = measured_from, .arena = arena};
}

/* ---- steps of demand ---- */

static double backlog_step_rate(const ws_backlog *backlog, size_t step)
{
    return step < backlog->demand->count ? backlog->demand->steps[step].rate : 0;
}

static ws_time backlog_step_end(const ws_backlog *backlog, size_t step)
{
    const ws_demand *demand = backlog->demand;

    if (step >= demand->count) {
        return WS_TIME_NEVER;
    }
    return step + 1 < demand->count ? demand->steps[step + 1].begin : demand->end;
}

static double backlog_step_s(const ws_backlog *backlog, size_t step)
{
    return ws_duration_s(
        ws_time_since(backlog_step_end(backlog, step), backlog->demand->steps[step].begin));
}

/** True while demand is known, now. */
static bool backlog_is_known(const ws_backlog *backlog)
{
    return backlog->step < backlog->demand->count && backlog->demand->steps[backlog->step].is_known;
}

/* ---- what is measured ---- */

static bool backlog_is_measured(const ws_backlog *backlog)
{
    return backlog->now.ns >= backlog->measured_from.ns;
}

static void backlog_add_piece(ws_backlog *backlog, ws_backlog_piece piece)
{
    if (backlog->piece_count == backlog->piece_capacity) {
        void *grown = ws_arena_grow(backlog->arena, backlog->pieces, backlog->piece_count,
                                    backlog->piece_count + 1, &backlog->piece_capacity,
                                    sizeof *backlog->pieces);
        if (grown == NULL) {
            backlog->is_exhausted = true;
            return;
        }
        backlog->pieces = grown;
    }
    backlog->pieces[backlog->piece_count++] = piece;
}

static void backlog_count_empty(ws_backlog *backlog, double span_s)
{
    if (!backlog_is_measured(backlog)) {
        return;
    }
    if (backlog_is_known(backlog)) {
        backlog->idle_s += span_s;
    } else if (backlog->step < backlog->demand->count) {
        backlog->hole_s += span_s;
    }
}

/* ---- within a step of demand ---- */

/** Age of the oldest work, `elapsed_s` after the time of the queue; while some waits, or where the
 * last of it is through. */
static double backlog_lag_s(const ws_backlog *backlog, double elapsed_s)
{
    double rate = backlog_step_rate(backlog, backlog->oldest);
    if (backlog->oldest == backlog->step) {
        return backlog->waiting / rate;
    }
    ws_time end = backlog_step_end(backlog, backlog->oldest);
    return ws_duration_s(ws_time_since(backlog->now, end)) + elapsed_s + backlog->left / rate;
}

/** Time until the oldest step's work is through, or nothing waits; infinite: never. */
static double backlog_turn_s(const ws_backlog *backlog, double rate, double capacity)
{
    if (backlog->oldest < backlog->step) {
        return capacity > 0 ? backlog->left / capacity : (double)INFINITY;
    }
    return capacity > rate ? backlog->waiting / (capacity - rate) : (double)INFINITY;
}

/** The oldest step's work is through: on to the next that has some. */
static void backlog_turn(ws_backlog *backlog)
{
    if (backlog->oldest == backlog->step) {
        backlog->waiting = 0;
        return;
    }
    do {
        backlog->oldest++;
    } while (backlog->oldest < backlog->step && !(backlog_step_rate(backlog, backlog->oldest) > 0));
    if (backlog->oldest < backlog->step) {
        backlog->left =
            backlog_step_rate(backlog, backlog->oldest) * backlog_step_s(backlog, backlog->oldest);
    } else if (!(backlog_step_rate(backlog, backlog->step) > 0)) {
        backlog->waiting = 0; /* the rest is rounding */
    }
}

/** Serves for a span in which nothing turns. */
static void backlog_serve(ws_backlog *backlog, double less, double capacity, double span_s)
{
    double before = backlog->waiting;

    backlog->waiting = fmax(before - less * span_s, 0);
    backlog->waiting_s += (before + backlog->waiting) / 2 * span_s;
    if (backlog->oldest < backlog->step) {
        backlog->left = fmax(backlog->left - capacity * span_s, 0);
    }
    if (backlog_is_measured(backlog)) {
        backlog->waiting_max = fmax(backlog->waiting_max, backlog->waiting);
    }
}

/** One piece: until the oldest step's work is through, at most until `span_s`. Returns its end. */
static double backlog_pass_piece(ws_backlog *backlog, double capacity, double elapsed_s,
                                 double span_s)
{
    double rate = backlog_step_rate(backlog, backlog->step);
    double rest_s = span_s - elapsed_s;
    double turn_s = backlog_turn_s(backlog, rate, capacity);
    double end_s = turn_s < rest_s ? elapsed_s + turn_s : span_s;
    ws_backlog_piece piece = {.span_s = fmin(turn_s, rest_s),
                              .lag_begin_s = backlog_lag_s(backlog, elapsed_s)};

    backlog_serve(backlog, capacity - rate, capacity, piece.span_s);
    piece.lag_end_s = backlog_lag_s(backlog, end_s);
    if (backlog_is_measured(backlog) && piece.span_s > 0) {
        backlog_add_piece(backlog, piece);
    }
    if (turn_s <= rest_s) {
        backlog_turn(backlog);
    }
    return end_s;
}

/** A span within one step of demand, from the time of the queue on. */
static void backlog_pass(ws_backlog *backlog, double capacity, double span_s)
{
    double rate = backlog_step_rate(backlog, backlog->step);
    double elapsed_s = 0;

    backlog->capacity_s += capacity * span_s;
    while (elapsed_s < span_s) {
        if (!(backlog->waiting > 0) && capacity >= rate) {
            backlog_count_empty(backlog, span_s - elapsed_s);
            return;
        }
        if (!(backlog->waiting > 0)) {
            backlog->oldest = backlog->step; /* from now on work waits */
        }
        elapsed_s = backlog_pass_piece(backlog, capacity, elapsed_s, span_s);
    }
}

/* ---- over steps ---- */

static void backlog_next_step(ws_backlog *backlog)
{
    if (backlog->waiting > 0 && backlog->oldest == backlog->step) {
        backlog->left = backlog->waiting;
    }
    backlog->step++;
}

static void backlog_go_on(ws_backlog *backlog, ws_time to, double capacity)
{
    while (ws_time_is_before(backlog->now, to)) {
        ws_time end = backlog_step_end(backlog, backlog->step);
        ws_time stop = ws_time_min(end, to);

        backlog_pass(backlog, capacity, ws_duration_s(ws_time_since(stop, backlog->now)));
        backlog->now = stop;
        if (stop.ns == end.ns) {
            backlog_next_step(backlog);
        }
    }
}

void ws_backlog_advance(ws_backlog *backlog, ws_time to, double capacity)
{
    WS_ASSERT(to.ns >= backlog->now.ns);
    WS_ASSERT(capacity >= 0);

    ws_time from = backlog->measured_from;

    if (ws_time_is_before(backlog->now, from) && from.ns <= to.ns) {
        backlog_go_on(backlog, from, capacity);
        backlog->begin_arrived = ws_demand_arrived(backlog->demand, from);
        backlog->begin_waiting = backlog->waiting;
        backlog->waiting_max = backlog->waiting;
    }
    backlog_go_on(backlog, to, capacity);
}

/* ---- what follows from now ---- */

double ws_backlog_rate(const ws_backlog *backlog, double capacity)
{
    WS_ASSERT(capacity >= 0);
    return backlog->waiting > 0 ? capacity
                                : fmin(backlog_step_rate(backlog, backlog->step), capacity);
}

ws_time ws_backlog_empty_at(const ws_backlog *backlog, double capacity)
{
    double less = capacity - backlog_step_rate(backlog, backlog->step);

    WS_ASSERT(capacity >= 0);
    if (!(backlog->waiting > 0) || !(less > 0)) {
        return WS_TIME_NEVER;
    }
    double ahead_ns = ceil(backlog->waiting / less * 1e9);
    if (!(ahead_ns < (double)WS_HORIZON_MAX_NS)) {
        return WS_TIME_NEVER;
    }
    return ws_time_add(backlog->now, (ws_duration){.ns = ahead_ns < 1 ? 1 : (int64_t)ahead_ns});
}

ws_time ws_backlog_next_step(const ws_backlog *backlog)
{
    WS_ASSERT(backlog->step <= backlog->demand->count);
    return backlog_step_end(backlog, backlog->step);
}

bool ws_backlog_is_over(const ws_backlog *backlog)
{
    WS_ASSERT(backlog->waiting >= 0);
    return backlog->step == backlog->demand->count && !(backlog->waiting > 0);
}

ws_demand_queue ws_backlog_at(const ws_backlog *backlog, ws_time at, double capacity)
{
    WS_ASSERT(at.ns >= backlog->now.ns);

    ws_backlog then = *backlog;

    then.measured_from = WS_TIME_NEVER; /* no pieces */
    backlog_go_on(&then, at, capacity);
    double arrived = ws_demand_arrived(backlog->demand, at);
    return (ws_demand_queue){.arrived = arrived,
                             .served = arrived - then.waiting,
                             .waiting = then.waiting,
                             .lag_s = then.waiting > 0 ? backlog_lag_s(&then, 0) : 0,
                             .waiting_s = then.waiting_s,
                             .capacity_s = then.capacity_s};
}

/* ---- statistics ---- */

/** Time of a piece in which the lag is at most `lag_s`. */
static double piece_within_s(const ws_backlog_piece *piece, double lag_s)
{
    double low = fmin(piece->lag_begin_s, piece->lag_end_s);
    double high = fmax(piece->lag_begin_s, piece->lag_end_s);

    if (high <= lag_s) {
        return piece->span_s;
    }
    return low < lag_s ? piece->span_s * ((lag_s - low) / (high - low)) : 0;
}

/** Counted time in which the lag is at most `lag_s`, >= 0. */
static double backlog_within_s(const ws_backlog *backlog, double lag_s)
{
    double within_s = backlog->idle_s;

    for (size_t i = 0; i < backlog->piece_count; i++) {
        within_s += piece_within_s(&backlog->pieces[i], lag_s);
    }
    return within_s;
}

/** The smallest lag that is not passed for a share of the counted time, found by halving: the time
 * within a lag never falls as that grows. */
static double backlog_quantile_s(const ws_backlog *backlog, double wanted_s, double max_s)
{
    double low = 0;
    double high = max_s;

    if (backlog_within_s(backlog, 0) >= wanted_s) {
        return 0;
    }
    double middle = high / 2;
    while (middle > low && middle < high) { /* until no number is left between them */
        if (backlog_within_s(backlog, middle) >= wanted_s) {
            high = middle;
        } else {
            low = middle;
        }
        middle = low + (high - low) / 2;
    }
    return high;
}

static void backlog_fill_lag(const ws_backlog *backlog, ws_demand_outcome *outcome)
{
    double sum = 0;

    for (size_t i = 0; i < backlog->piece_count; i++) {
        const ws_backlog_piece *piece = &backlog->pieces[i];
        sum += (piece->lag_begin_s + piece->lag_end_s) / 2 * piece->span_s;
        outcome->behind_s += piece->span_s;
        outcome->lag_max_s = fmax(outcome->lag_max_s, fmax(piece->lag_begin_s, piece->lag_end_s));
    }
    outcome->counted_s = backlog->idle_s + outcome->behind_s;
    if (!(outcome->behind_s > 0)) {
        return;
    }
    outcome->lag_mean_s = sum / outcome->counted_s;
    outcome->lag_p95_s = backlog_quantile_s(backlog, 0.95 * outcome->counted_s, outcome->lag_max_s);
    outcome->lag_p99_s = backlog_quantile_s(backlog, 0.99 * outcome->counted_s, outcome->lag_max_s);
}

bool ws_backlog_finish(const ws_backlog *backlog, ws_time at, double capacity,
                       ws_demand_outcome *outcome)
{
    ws_backlog then = *backlog; /* its last pieces lie behind those of the queue itself */

    ws_backlog_advance(&then, at, capacity);
    double arrived = ws_demand_arrived(backlog->demand, at) - then.begin_arrived;
    *outcome = (ws_demand_outcome){.arrived = arrived,
                                   .served = arrived + then.begin_waiting - then.waiting,
                                   .waiting_begin = then.begin_waiting,
                                   .waiting = then.waiting,
                                   .waiting_max = then.waiting_max,
                                   .hole_s = then.hole_s};
    backlog_fill_lag(&then, outcome);
    return !then.is_exhausted;
}
