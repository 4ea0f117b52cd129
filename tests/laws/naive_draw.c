/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Draws small scenarios. All durations are multiples of 16 s and most rates powers of two, so that
 * completions fall on whole seconds as a rule: a world that is halved and doubled a few times stays
 * on the grid.
 */
#include "naive_draw.h"

#include <gsl/gsl_rng.h>

#include "ws/assert.h"
#include "ws/random.h"

enum { QUANTUM = 16 };

/* Uniform in low..high. */
static int32_t draw_from(ws_stream *stream, int32_t low, int32_t high)
{
    WS_ASSERT(low <= high);
    return low + (int32_t)gsl_rng_uniform_int(&stream->rng, (unsigned long)(high - low + 1));
}

static int32_t draw_s(ws_stream *stream, int32_t low, int32_t high)
{
    return QUANTUM * draw_from(stream, low, high);
}

static bool draw_chance(ws_stream *stream, int32_t percent)
{
    return draw_from(stream, 0, 99) < percent;
}

static void draw_pool(ws_stream *stream, naive_pool_spec *pool)
{
    bool fails = draw_chance(stream, 50);

    pool->gpus = 1 << draw_from(stream, 0, 2);
    pool->max = draw_from(stream, 2, 5);
    pool->initial = draw_from(stream, pool->max / 2, pool->max);
    pool->min = draw_from(stream, 0, pool->max);
    pool->request = draw_s(stream, 0, 3);
    pool->start = draw_s(stream, 0, 4);
    pool->retry = draw_s(stream, 1, 3);
    pool->has_no_capacity = draw_chance(stream, 10);
    pool->fails_every = draw_s(stream, 4, 40);
    pool->fails_every = fails ? pool->fails_every : 0;
    pool->repair = draw_s(stream, 0, 6);
    pool->billed_in_repair = draw_chance(stream, 50);
    pool->increment = draw_chance(stream, 50) ? 1 : 60;
    pool->minimum = draw_s(stream, 0, 8);
    pool->price_per_s = 1000000 * draw_from(stream, 0, 9);
}

static void draw_sizes(ws_stream *stream, naive_job_spec *job)
{
    static const uint32_t lists[] = {1u << 1 | 1u << 2 | 1u << 4, 1u << 1 | 1u << 3 | 1u << 6,
                                     1u << 2 | 1u << 4 | 1u << 6, 1u << 1 | 1u << 4};

    job->mode = draw_chance(stream, 60) ? NAIVE_RESTART : (naive_mode)draw_from(stream, 0, 1);
    job->step = 1;
    if (job->mode == NAIVE_RIGID) {
        job->initial = draw_from(stream, 1, 4);
        job->min = job->initial;
        job->max = job->initial;
        return;
    }
    job->list = draw_chance(stream, 40) ? lists[draw_from(stream, 0, 3)] : 0;
    job->step = draw_from(stream, 1, 2);
    job->min = job->list != 0 ? 1 : draw_from(stream, 1, 2);
    job->max = draw_from(stream, 4, 6);
    job->initial = job->list != 0 ? 4 : job->min + job->step * draw_from(stream, 0, 1);
    job->initial = job->list == lists[1] ? 3 : job->initial;
}

/* Linear, flat, or up to the next lower power of two. */
static void draw_rates(ws_stream *stream, naive_job_spec *job)
{
    int32_t shape = draw_from(stream, 0, 3);
    int32_t factor = draw_from(stream, 1, 2);

    job->best = factor;
    for (int32_t size = 1; size < NAIVE_SIZES; size++) {
        int32_t power = size >= 4 ? 4 : size >= 2 ? 2 : 1;
        int32_t rate = shape == 0 ? size : shape == 1 ? 1 : power;
        job->rate[size] = factor * rate;
    }
}

/* Limits of a stage that leave a legal size: 2..4 has one in each list and range above. */
static void draw_stages(ws_stream *stream, naive_job_spec *job)
{
    job->stage_count = draw_from(stream, 1, NAIVE_STAGES);
    for (int32_t i = 0; i < job->stage_count; i++) {
        bool narrow = job->mode != NAIVE_RIGID && draw_chance(stream, 40);
        int32_t work = 3 * draw_s(stream, 1, 6) * job->best;

        job->stages[i] = (naive_stage_spec){.work = work, .min = 1, .max = NAIVE_SIZES - 1};
        if (narrow) {
            job->stages[i].min = draw_from(stream, 1, 2);
            job->stages[i].max = draw_from(stream, 4, 6);
        }
    }
}

static void draw_job(ws_stream *stream, const naive_scenario *scenario, naive_job_spec *job)
{
    int32_t sure = draw_from(stream, 0, scenario->pool_count - 1); /* it fits here at least */

    job->gpus_per_replica = scenario->pools[sure].gpus;
    if (draw_chance(stream, 30)) {
        job->gpus_per_replica *= 2;
    } else if (job->gpus_per_replica > 1 && draw_chance(stream, 50)) {
        job->gpus_per_replica /= 2;
    }
    for (int32_t pool = 0; pool < scenario->pool_count; pool++) {
        int32_t speed = draw_from(stream, 0, 2);
        job->speed[pool] = pool == sure && speed == 0 ? 1 : speed;
    }
    job->priority = draw_from(stream, 0, 2);
    draw_sizes(stream, job);
    draw_rates(stream, job);
    draw_stages(stream, job);
    job->has_checkpoint = draw_chance(stream, 60);
    job->every = draw_s(stream, 1, 6);
    job->write = draw_s(stream, 0, 2);
    job->read = draw_s(stream, 0, 2);
    job->before_resize = draw_chance(stream, 50);
    job->start = draw_s(stream, 0, 3);
    job->load = draw_s(stream, 0, 2);
}

static void draw_orders(ws_stream *stream, naive_scenario *scenario)
{
    int32_t at = 0;

    scenario->order_count = draw_from(stream, 0, NAIVE_ORDERS);
    for (int32_t i = 0; i < scenario->order_count; i++) {
        naive_order *order = &scenario->orders[i];

        order->at = at;
        order->is_pool = draw_chance(stream, 50);
        order->index = draw_from(
            stream, 0, order->is_pool ? scenario->pool_count - 1 : scenario->job_count - 1);
        order->number = draw_from(stream, 0, 7);
        at += draw_s(stream, 1, scenario->horizon / QUANTUM / 5);
    }
}

void naive_draw(uint64_t seed, naive_scenario *scenario)
{
    ws_stream stream;

    ws_stream_open(&stream, (ws_stream_key){.seed = seed, .purpose = WS_PURPOSE_TEST});
    *scenario = (naive_scenario){0};
    scenario->horizon = draw_s(&stream, 40, 120);
    scenario->regrow = draw_s(&stream, 0, 10);
    scenario->detection = draw_s(&stream, 0, 2);
    scenario->leave_draining = draw_chance(&stream, 60);
    scenario->spread = draw_chance(&stream, 30);
    scenario->by_priority = draw_chance(&stream, 40);
    scenario->pool_count = draw_from(&stream, 1, NAIVE_POOLS);
    for (int32_t i = 0; i < scenario->pool_count; i++) {
        draw_pool(&stream, &scenario->pools[i]);
    }
    scenario->job_count = draw_from(&stream, 2, NAIVE_JOBS);
    int32_t submit = draw_s(&stream, 0, 1);
    for (int32_t i = 0; i < scenario->job_count; i++) {
        draw_job(&stream, scenario, &scenario->jobs[i]);
        scenario->jobs[i].submit = submit;
        submit += draw_s(&stream, 0, 6);
    }
    draw_orders(&stream, scenario);
}
