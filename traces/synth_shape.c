/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What two traces are compared by. Histograms, so that memory does not grow with the jobs. */
#include <math.h>

#include "ws/time.h"
#include "ws/trace_synth.h"

#define SHAPE_BINS_PER_UNIT 100.0
#define SHAPE_HOURS_PER_DAY 24

static void shape_count(ws_shape_histogram *histogram, double value, double weight)
{
    double bin = floor(log1p(value) * SHAPE_BINS_PER_UNIT + 0.5);
    size_t index = bin < WS_SHAPE_BINS - 1 ? (size_t)bin : WS_SHAPE_BINS - 1;

    histogram->weights[index] += weight;
    histogram->total += weight;
}

static ws_shape_distance shape_distance(const ws_shape_histogram *a, const ws_shape_histogram *b)
{
    ws_shape_distance distance = {.ks = 0};
    double below_a = 0;
    double below_b = 0;

    if (a->total <= 0 || b->total <= 0) {
        return (ws_shape_distance){.ks = (double)NAN, .wasserstein = (double)NAN};
    }
    for (size_t i = 0; i < WS_SHAPE_BINS; i++) {
        below_a += a->weights[i];
        below_b += b->weights[i];
        double gap = fabs(below_a / a->total - below_b / b->total);
        distance.ks = fmax(distance.ks, gap);
        distance.wasserstein += gap / SHAPE_BINS_PER_UNIT;
    }
    return distance;
}

/* Ends the hour that collects, and the empty ones behind it. */
static void shape_end_hours(ws_trace_shape *shape, int64_t hour)
{
    double count = (double)shape->hour_count;

    shape->first_count = shape->hours == 0 ? count : shape->first_count;
    shape->square_sum += count * count;
    if (shape->before >= 0) {
        shape->product_sum += (double)shape->before * count;
    }
    shape->hours += hour - shape->hour;
    shape->before = hour - shape->hour > 1 ? 0 : shape->hour_count;
    shape->hour = hour;
    shape->hour_count = 0;
}

/* Of times before the clock's zero, too. */
static int64_t shape_hour_of(int64_t at_ns)
{
    return at_ns / WS_NS_PER_H - (at_ns % WS_NS_PER_H < 0 ? 1 : 0);
}

void ws_trace_shape_init(ws_trace_shape *shape)
{
    *shape = (ws_trace_shape){.before = -1};
}

void ws_trace_shape_add(ws_trace_shape *shape, const ws_trace_job *job, int64_t origin_ns)
{
    int64_t at_ns = job->arrival_ns + origin_ns;
    int64_t hour = shape_hour_of(at_ns);
    int64_t of_day = hour % SHAPE_HOURS_PER_DAY;

    if (shape->jobs == 0) {
        shape->first_ns = at_ns;
        shape->hour = hour;
    } else {
        WS_ASSERT(at_ns >= shape->last_ns);
        shape_count(&shape->gaps, (double)(at_ns - shape->last_ns) / 1e9, 1);
    }
    if (hour > shape->hour) {
        shape_end_hours(shape, hour);
    }
    shape->hour_count++;
    shape->last_ns = at_ns;
    shape->day[of_day < 0 ? of_day + SHAPE_HOURS_PER_DAY : of_day]++;
    shape->jobs++;
    shape->attempts += job->attempt_count > 1 ? job->attempt_count : 1;
    shape_count(&shape->sizes, (double)job->gpus, 1);
    if (job->duration_ns != WS_TRACE_UNKNOWN_NS) {
        double duration_s = (double)job->duration_ns / 1e9;

        shape_count(&shape->durations, duration_s, 1);
        shape_count(&shape->work, (double)job->gpus, duration_s * (double)job->gpus);
    }
}

ws_shape_counts ws_trace_shape_counts(const ws_trace_shape *shape)
{
    double last = (double)shape->hour_count;
    double hours = (double)(shape->hours + 1);
    double mean = (double)shape->jobs / hours;
    double variance = (shape->square_sum + last * last) / hours - mean * mean;
    double products = shape->product_sum + (double)(shape->before > 0 ? shape->before : 0) * last;
    /* The sum over neighbours of (x - mean)(y - mean); both ends are neighbours once only. */
    double sum = (double)shape->jobs;
    double ends = shape->hours > 0 ? last + shape->first_count : 0;
    double covariance = products - mean * (2 * sum - ends) + (hours - 1) * mean * mean;

    return (ws_shape_counts){
        .hours = shape->hours + 1,
        .mean = mean,
        .dispersion = shape->jobs > 0 ? variance / mean : (double)NAN,
        .correlation = variance > 0 ? covariance / hours / variance : (double)NAN,
    };
}

ws_shape_distances ws_trace_shape_compare(const ws_trace_shape *a, const ws_trace_shape *b)
{
    ws_shape_distances distances = {
        .durations = shape_distance(&a->durations, &b->durations),
        .gaps = shape_distance(&a->gaps, &b->gaps),
        .sizes = shape_distance(&a->sizes, &b->sizes),
        .work = shape_distance(&a->work, &b->work),
    };

    WS_ASSERT(a->jobs > 0);
    WS_ASSERT(b->jobs > 0);
    for (size_t i = 0; i < SHAPE_HOURS_PER_DAY; i++) {
        double of_a = a->day[i] / (double)a->jobs;
        double of_b = b->day[i] / (double)b->jobs;

        distances.day += fabs(of_a - of_b) / 2;
    }
    return distances;
}
