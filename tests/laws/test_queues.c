/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Queueing stations on the kernel, against the closed formulas of queueing theory.
 *
 * The station is a small model on ws/kernel.h: one Poisson stream of customers, one line, first
 * come first served, `servers` alike. Arrivals and services draw from two streams. Unit of time:
 * the mean service, one second.
 *
 * Method of the estimates: the station starts empty; the first tenth of the customers is let
 * through unmeasured; the others are cut into BATCHES batches in the order of their arrival. A
 * batch is many times longer than the memory of the wait (some 1600 customers at a load of 0.95,
 * 1/(1 - sqrt(load))^2), so that batch means are nearly independent and the standard error of their
 * mean is sd / sqrt(BATCHES). The expectation must lie within four of them: with 24 degrees of
 * freedom one sound test in 2000 would miss, and the seed is fixed.
 *
 * Little's law is checked exactly, in whole nanoseconds: the integral of the number in the station
 * is kept at every change, the sum of the times spent there by each customer's departure. Both
 * count the same from empty to empty, and no tolerance is needed.
 */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gsl/gsl_randist.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "support/support.h"

#include "ws/kernel.h"
#include "ws/random.h"
#include "ws/statistics.h"

TestSuite(queues);

enum {
    BATCHES = 25,
    LINE_ROOM = 1 << 16, /* customers that may wait; far above what the loads below ever need */
    SERVERS_MAX = 64
};

#define CUSTOMERS_FULL INT64_C(1000000)
#define CUSTOMERS_LEAST INT64_C(400000) /* a batch is ten memories long */
#define WARM_UP_DIVISOR 10
#define STANDARD_ERRORS 4.0
#define NOT_KNOWN ((double)NAN)

/* One service in seconds, of mean 1. */
typedef double queue_service(ws_stream *stream);

typedef struct {
    const char *name;
    int32_t servers;
    double arrivals_per_s;
    queue_service *service;
    double wait_s;          /* expected: mean time in the line */
    double long_wait_ratio; /* expected: share that waits over 1 s; NOT_KNOWN: not checked */
} queue_case;

typedef struct {
    double wait_s; /* sums over the customers that arrived in the batch */
    double long_waits;
    double number_area_s; /* integral of the number in the station while the batch arrived */
    ws_time begin;
} queue_batch;

typedef struct {
    const queue_case *what;
    ws_kernel *kernel;
    ws_stream arrivals;
    ws_stream services;
    int64_t customers; /* measured; as many as are in the batches */
    int64_t warm_up;

    /* The line: when each of the waiting came, and which customer it is. */
    struct {
        ws_time arrived;
        int64_t customer;
    } line[LINE_ROOM];
    size_t line_begin;
    size_t line_count;
    int32_t busy;

    ws_time last_change;
    int64_t number_area_ns; /* integrals since the start: in the station, in the line */
    int64_t line_area_ns;
    int64_t stay_ns; /* sums over customers: from arrival to departure, from arrival to service */
    int64_t wait_ns;
    int64_t departed;
    queue_batch batches[BATCHES + 1]; /* the last is where the measuring ends */
} queue_station;

static ws_duration queue_draw_gap(queue_station *station)
{
    double gap_s = gsl_ran_exponential(&station->arrivals.rng, 1 / station->what->arrivals_per_s);

    return ws_duration_of_s(gap_s);
}

/* Brings the integrals up to now; called before the numbers change. */
static void queue_integrate(queue_station *station)
{
    ws_time now = ws_kernel_now(station->kernel);
    int64_t passed_ns = ws_time_since(now, station->last_change).ns;
    int64_t waiting = (int64_t)station->line_count;

    station->line_area_ns += waiting * passed_ns;
    station->number_area_ns += (waiting + station->busy) * passed_ns;
    station->last_change = now;
}

static void queue_depart(void *context, uint64_t arrived_ns);

static void queue_serve(queue_station *station, ws_time arrived, int64_t customer)
{
    ws_time now = ws_kernel_now(station->kernel);
    ws_duration wait = ws_time_since(now, arrived);
    double service_s = station->what->service(&station->services);
    int64_t measured = customer - station->warm_up;

    station->busy += 1;
    station->wait_ns += wait.ns;
    if (measured >= 0 && measured < station->customers) {
        queue_batch *batch = &station->batches[measured / (station->customers / BATCHES)];

        batch->wait_s += ws_duration_s(wait);
        batch->long_waits += wait.ns > WS_NS_PER_S;
    }
    ws_event event = {.action = queue_depart,
                      .context = station,
                      .argument = (uint64_t)arrived.ns,
                      .phase = WS_PHASE_ENDS};

    (void)ws_kernel_after(station->kernel, ws_duration_of_s(service_s), &event);
}

static void queue_depart(void *context, uint64_t arrived_ns)
{
    queue_station *station = context;
    ws_time arrived = {.ns = (int64_t)arrived_ns};

    queue_integrate(station);
    station->busy -= 1;
    station->departed += 1;
    station->stay_ns += ws_time_since(ws_kernel_now(station->kernel), arrived).ns;
    if (station->line_count > 0) {
        size_t first = station->line_begin;

        station->line_begin = (first + 1) % LINE_ROOM;
        station->line_count -= 1;
        queue_serve(station, station->line[first].arrived, station->line[first].customer);
    }
}

/* A batch begins with the arrival of its first customer. */
static void queue_begin_batch(queue_station *station, int64_t customer)
{
    int64_t size = station->customers / BATCHES;
    int64_t measured = customer - station->warm_up;

    if (measured < 0 || measured % size != 0 || measured / size > BATCHES) {
        return;
    }
    queue_batch *batch = &station->batches[measured / size];

    batch->begin = ws_kernel_now(station->kernel);
    batch->number_area_s = (double)station->number_area_ns / 1e9;
}

/* One more customer than are measured comes, so that the last batch has an end. */
static void queue_arrive(void *context, uint64_t customer)
{
    queue_station *station = context;
    ws_time now = ws_kernel_now(station->kernel);
    ws_event next = {.action = queue_arrive,
                     .context = station,
                     .argument = customer + 1,
                     .phase = WS_PHASE_ARRIVALS};

    queue_integrate(station);
    queue_begin_batch(station, (int64_t)customer);
    if (station->busy < station->what->servers) {
        queue_serve(station, now, (int64_t)customer);
    } else {
        cr_assert(lt(sz, station->line_count, LINE_ROOM));
        size_t last = (station->line_begin + station->line_count) % LINE_ROOM;

        station->line[last].arrived = now;
        station->line[last].customer = (int64_t)customer;
        station->line_count += 1;
    }
    if ((int64_t)customer < station->warm_up + station->customers) {
        ws_duration gap = queue_draw_gap(station);

        (void)ws_kernel_after(station->kernel, gap, &next);
    }
}

/* Runs a station from empty to empty. */
static queue_station *queue_run(const queue_case *what, ws_arena *arena)
{
    queue_station *station = ws_arena_alloc(arena, queue_station, 1);

    cr_assert(station != NULL);
    station->what = what;
    station->customers = ws_test_scaled(CUSTOMERS_FULL, CUSTOMERS_LEAST) / BATCHES * BATCHES;
    station->warm_up = station->customers / WARM_UP_DIVISOR;
    station->kernel = ws_kernel_new(arena, SERVERS_MAX + 1);
    cr_assert(station->kernel != NULL);
    ws_stream_open(&station->arrivals, (ws_stream_key){.seed = 1, .purpose = WS_PURPOSE_ARRIVALS});
    ws_stream_open(&station->services, (ws_stream_key){.seed = 1, .purpose = WS_PURPOSE_JOB});

    ws_event first = {.action = queue_arrive, .context = station, .phase = WS_PHASE_ARRIVALS};
    (void)ws_kernel_after(station->kernel, queue_draw_gap(station), &first);
    ws_kernel_outcome outcome = ws_kernel_run(station->kernel, WS_TIME_NEVER, UINT64_MAX);

    cr_assert(eq(int, (int)outcome, WS_KERNEL_EMPTY));
    return station;
}

static void queue_expect_mean(const queue_case *what, const char *quantity, const double *means,
                              double expected)
{
    ws_summary summary = ws_summary_of(means, BATCHES, 0.95);
    double standard_error = summary.sd / sqrt(BATCHES);

    cr_expect(le(dbl, fabs(summary.mean - expected), STANDARD_ERRORS * standard_error),
              "%s: %s is %g +- %g, expected %g", what->name, quantity, summary.mean, standard_error,
              expected);
    /* An estimate that is too vague to tell anything would always pass. */
    cr_expect(lt(dbl, standard_error, 0.15 * expected), "%s: %s is vague", what->name, quantity);
}

/* Mean service is 1 s, so that the mean number in the station is rate (wait + 1). */
static void queue_expect_means(const queue_station *station)
{
    const queue_case *what = station->what;
    double customers = (double)(station->customers / BATCHES);
    double waits_s[BATCHES];
    double long_waits[BATCHES];
    double numbers[BATCHES];

    for (size_t i = 0; i < BATCHES; i++) {
        const queue_batch *batch = &station->batches[i];
        double spent_s = ws_duration_s(ws_time_since(batch[1].begin, batch->begin));

        waits_s[i] = batch->wait_s / customers;
        long_waits[i] = batch->long_waits / customers;
        numbers[i] = (batch[1].number_area_s - batch->number_area_s) / spent_s;
    }
    queue_expect_mean(what, "mean wait", waits_s, what->wait_s);
    queue_expect_mean(what, "number in the station", numbers,
                      what->arrivals_per_s * (what->wait_s + 1));
    if (!isnan(what->long_wait_ratio)) {
        queue_expect_mean(what, "share that waits over 1 s", long_waits, what->long_wait_ratio);
    }
}

/* L T = sum of stays and Lq T = sum of waits, to the nanosecond. */
static void queue_expect_little(const queue_station *station)
{
    cr_expect(eq(i64, station->departed, station->warm_up + station->customers + 1));
    cr_expect(eq(i64, station->number_area_ns, station->stay_ns));
    cr_expect(eq(i64, station->line_area_ns, station->wait_ns));
    cr_expect(gt(i64, station->wait_ns, 0));
}

static void queue_check(const queue_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        ws_arena arena;

        ws_arena_init(&arena, &ws_allocator_default, SIZE_MAX);
        queue_station *station = queue_run(&cases[i], &arena);

        queue_expect_means(station);
        queue_expect_little(station);
        ws_arena_reset(&arena);
    }
}

static double queue_exponential(ws_stream *stream)
{
    return gsl_ran_exponential(&stream->rng, 1);
}

static double queue_deterministic(ws_stream *stream)
{
    (void)stream;
    return 1;
}

static double queue_erlang_2(ws_stream *stream)
{
    return gsl_ran_gamma(&stream->rng, 2, 0.5);
}

/* Sigma 1; mu = -1/2 makes the mean exp(mu + sigma^2 / 2) = 1. */
static double queue_lognormal(ws_stream *stream)
{
    return gsl_ran_lognormal(&stream->rng, -0.5, 1);
}

/* Wq = load / (1 - load), P(Wq > 1) = load exp(-(1 - load)). Kleinrock, Queueing Systems I, 3.2 */
Test(queues, one_exponential_server)
{
    static const queue_case cases[] = {
        {"M/M/1, load .5", 1, 0.5, queue_exponential, 1, 0.30326533},
        {"M/M/1, load .8", 1, 0.8, queue_exponential, 4, 0.65498460},
        {"M/M/1, load .95", 1, 0.95, queue_exponential, 19, 0.90366795},
    };

    queue_check(cases, WS_COUNT_OF(cases));
}

/* Wq = C / (c - rate), P(Wq > 1) = C exp(-(c - rate)), C of Erlang's formula. Kleinrock, 3.5 */
Test(queues, several_exponential_servers)
{
    static const queue_case cases[] = {
        {"M/M/2, rate 1.5", 2, 1.5, queue_exponential, 1.28571429, 0.38991257},
        {"M/M/8, rate 6.4", 8, 6.4, queue_exponential, 0.28602808, 0.09239692},
        {"M/M/64, rate 57.6", 64, 57.6, queue_exponential, 0.04854114, NOT_KNOWN},
    };

    queue_check(cases, WS_COUNT_OF(cases));
}

/* Wq = rate (1 + c^2) / (2 (1 - rate)), c^2 = 0, 1/2, e - 1. Pollaczek and Khinchine */
Test(queues, one_server_with_other_services)
{
    static const queue_case cases[] = {
        {"M/D/1, load .8", 1, 0.8, queue_deterministic, 2, NOT_KNOWN},
        {"M/E2/1, load .8", 1, 0.8, queue_erlang_2, 3, NOT_KNOWN},
        {"M/lognormal/1, load .5", 1, 0.5, queue_lognormal, 1.359141, NOT_KNOWN},
        {"M/lognormal/1, load .8", 1, 0.8, queue_lognormal, 5.436564, NOT_KNOWN},
    };

    queue_check(cases, WS_COUNT_OF(cases));
}
