/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Named mixes: published figures as constant tables, and what is derived from them.
 *
 * Sources of the figures:
 *   [acme]    Q. Hu et al., "Characterization of Large Language Model Development in the
 *             Datacenter", NSDI'24, and the data of its figures (github.com/InternLM/AcmeTrace):
 *             sizes, run times and GPU time of Seren by type, and the same of Philly and Helios,
 *             which the paper compares; outcomes of all of them.
 *   [helios]  Q. Hu et al., "Characterization and Prediction of Deep Learning Workloads in
 *             Large-Scale GPU Datacenters", SC'21, and the data of its figures
 *             (github.com/S-Lab-System-Group/HeliosData): jobs submitted by hour of the day, the
 *             sum of four clusters.
 *   [philly]  the table of 82,247 jobs of Philly that comes with Pollux
 * (github.com/petuum/adaptdl): hourly counts of mean 41.4 and variance-to-mean ratio 160,
 * correlation 0.43 from an hour to the next, shares of weekdays; repeated submissions in its first
 * 3,000 rows: see mix_fill(). [stepfun] the fault trace of 400 servers in 348 days that comes with
 * InfiniteHBD: 4.2 faults in 1,000 node-days. [retry]   504 B200 GPUs in 73 days (arXiv
 * 2605.09370): median of 11 min from an interruption to the next start.
 *
 * Where run times by size are not published, GPU time by size is: with shares j of the jobs and t
 * of the GPU time, jobs of g GPUs run on average t/(j g) times a constant, by which the quantiles
 * of all jobs are scaled. Where sizes by type are not published, the mean size follows likewise
 * from the type's shares and its mean run time; the sizes of the whole cluster are tilted by
 * g^theta to have that mean. Outcomes are published as shares of jobs and of GPU time: the longest
 * tenth of the jobs has those that the GPU time asks for.
 */
#include <math.h>

#include <gsl/gsl_cdf.h>

#include "synth_mix.h"
#include "ws/time.h"

#define MIX_LEVELS 672 /* four weeks of hours */
#define MIX_SCALE_STEPS 6
#define MIX_TILT_STEPS 60
#define MIX_TILT_MOST 8.0

/* Monday 2024-01-01T00:00:00Z: dates that mean nothing but a weekday. */
#define MIX_ORIGIN_NS (INT64_C(1704067200) * WS_NS_PER_S)

/* GPU jobs submitted in each hour of the day, four clusters together [helios]. */
static const double mix_day[24] = {328.8, 306.6, 247.8, 217.0, 205.2, 201.9, 198.9, 185.8,
                                   203.4, 296.6, 408.8, 450.1, 435.4, 445.1, 482.5, 519.2,
                                   543.2, 483.8, 399.0, 436.0, 476.2, 445.3, 414.3, 397.7};

static const double mix_percents[MIX_QUANTILES] = {5, 10, 25, 50, 75, 90, 95, 99};

static const mix_types acme_types[] = {
    {"Eval", 64.9, 6.2, {0, 7, 16, 129, 391, 1208, 2757, 15600}},
    {"Pretrain", 0.9, 69.5, {0, 4, 50, 297, 1196, 24600, 77300, 313000}},
    {"SFT", 14.9, 6.4, {0, 12, 47, 197, 452, 1128, 2321, 13300}},
    {"MLLM", 2.9, 8.6, {0, 9, 28, 253, 795, 5374, 22800, 75700}},
    {"Debug", 1.9, 1.7, {0, 6, 23, 114, 359, 935, 1889, 22700}},
    {"Other", 14.6, 7.6, {0, 4, 10, 77, 356, 2288, 6739, 55600}},
};

static const mix_row mixes[] = {
    {
        .name = "acme",
        .summary = "development of large language models: evaluation, pre-training, fine-tuning",
        .source = "Seren of AcmeTrace (NSDI'24): types, run times and GPU time by type, sizes, "
                  "outcomes. Sizes by type follow from GPU time. Hours of the day as in Helios "
                  "(SC'21), bursts and repeats as in Philly: Acme's are not published. Users are "
                  "assumed. Interruptions of 400 servers (InfiniteHBD), restarts after arXiv "
                  "2605.09370.",
        .rate_per_h = 106.5, /* 470,497 GPU jobs in 184 days */
        .days = 184,
        .sizes = {{1, 54.0, 0},
                  {2, 11.4, 0},
                  {4, 2.5, 0},
                  {8, 28.8, 0},
                  {16, 1.2, 0},
                  {32, 0.9, 0},
                  {64, 0.5, 0},
                  {128, 0.3, 0},
                  {256, 0.1, 0},
                  {512, 0.2, 0},
                  {1024, 0.1, 0}},
        .types = acme_types,
        .type_count = WS_COUNT_OF(acme_types),
        .jobs_percent = {49.7, 7.5, 42.9},
        .work_percent = {21.2, 66.4, 12.4},
        .week = {1, 1, 1, 1, 1, 1, 1},
    },
    {
        .name = "helios",
        .summary = "a data centre for deep learning, four clusters, jobs of 1 to 256 GPUs",
        .source = "Helios (SC'21) and its figures in AcmeTrace (NSDI'24): sizes, run times, GPU "
                  "time by size, outcomes, hours of the day. Run times by size follow from GPU "
                  "time. Bursts and repeats as in Philly. Users are assumed. Interruptions of 400 "
                  "servers (InfiniteHBD), restarts after arXiv 2605.09370.",
        .rate_per_h = 363.7, /* 8,728.6 a day */
        .days = 183,
        .sizes = {{1, 72.2, 5.4},
                  {2, 2.5, 1.8},
                  {4, 5.8, 4.9},
                  {8, 14.2, 29.2},
                  {16, 3.0, 20.2},
                  {32, 1.7, 25.1},
                  {64, 0.3, 7.8},
                  {128, 0.2, 3.1},
                  {256, 0.1, 2.4}},
        .quantiles_s = {2.1, 14, 64, 201, 1000, 6970, 20700, 146000},
        .jobs_percent = {62.4, 22.1, 15.5},
        .work_percent = {51.3, 39.4, 9.3},
        .week = {1, 1, 1, 1, 1, 1, 1},
    },
    {
        .name = "philly",
        .summary = "a shared cluster for training in 2017, nine of ten jobs on one GPU",
        .source = "Philly's figures in AcmeTrace (NSDI'24): sizes, run times, GPU time by size, "
                  "outcomes. Run times by size follow from GPU time. Bursts, weekdays and repeats "
                  "of the 82,247 jobs that come with Pollux. Hours of the day as in Helios "
                  "(SC'21). Users are assumed. Interruptions of 400 servers (InfiniteHBD), "
                  "restarts after arXiv 2605.09370.",
        .rate_per_h = 41.4,
        .days = 137,
        .sizes = {{1, 82.4, 16.4},
                  {2, 2.1, 3.0},
                  {4, 7.5, 18.8},
                  {8, 6.9, 49.8},
                  {16, 0.9, 9.2},
                  {32, 0.2, 2.8}},
        .quantiles_s = {20, 36, 108, 853, 3186, 15800, 68700, 414000},
        .jobs_percent = {60.4, 9.0, 30.5},
        .work_percent = {32.1, 29.4, 38.6},
        .week = {12.3, 15.2, 16.3, 18.4, 20.6, 8.7, 8.5},
    },
};

const char *const ws_synth_mix_names[] = {"acme", "helios", "philly", NULL};

const char *ws_synth_mix_summary(size_t index)
{
    WS_ASSERT(index < WS_COUNT_OF(mixes));
    return mixes[index].summary;
}

/* ---- run times ---- */

/* Quantiles, those that are 0 left out, times `scale`. NULL when the arena is exhausted. */
static ws_synth_durations mix_durations(const double quantiles_s[MIX_QUANTILES], double scale,
                                        double days, ws_arena *arena)
{
    ws_synth_point *points = ws_arena_alloc(arena, ws_synth_point, MIX_QUANTILES);
    ws_synth_durations durations = {.points = points, .least_s = 1, .most_s = days * 86400};

    for (size_t i = 0; points != NULL && i < MIX_QUANTILES; i++) {
        if (quantiles_s[i] > 0) {
            points[durations.count++] =
                (ws_synth_point){.z = gsl_cdf_ugaussian_Pinv(mix_percents[i] / 100),
                                 .log_s = log(quantiles_s[i] * scale)};
        }
    }
    return durations;
}

/* ---- classes ---- */

static size_t mix_size_count(const mix_row *mix)
{
    size_t count = 0;

    while (count < MIX_SIZES_MAX && mix->sizes[count].gpus > 0) {
        count++;
    }
    return count;
}

/*
 * Quantiles scaled so that the mean becomes `ratio` times that of all jobs. A cut of the longest
 * takes from the mean what the scale must give back: a few steps find it.
 */
static ws_synth_durations mix_scaled(const mix_row *mix, double ratio, ws_arena *arena)
{
    ws_synth_durations durations = mix_durations(mix->quantiles_s, 1, mix->days, arena);
    double longest = 0;
    double mean_s = 1;

    if (durations.points == NULL) {
        return durations;
    }
    ws_synth_durations_mean(&durations, &mean_s, &longest);
    double wanted_s = mean_s * ratio;

    for (int step = 0; step < MIX_SCALE_STEPS && durations.points != NULL; step++) {
        double scale = exp(durations.points[0].log_s) / mix->quantiles_s[0] * wanted_s / mean_s;

        durations = mix_durations(mix->quantiles_s, scale, mix->days, arena);
        if (durations.points != NULL) {
            ws_synth_durations_mean(&durations, &mean_s, &longest);
        }
    }
    return durations;
}

/* A class of each size, its run times scaled to its GPU time. */
static bool mix_classes_of_sizes(const mix_row *mix, ws_synth_class *classes, ws_arena *arena)
{
    size_t count = mix_size_count(mix);
    double jobs = 0;
    double mean = 0; /* of the ratios below, over jobs */

    for (size_t i = 0; i < count; i++) {
        jobs += mix->sizes[i].jobs_percent;
        mean += mix->sizes[i].work_percent / mix->sizes[i].gpus;
    }
    mean /= jobs;
    for (size_t i = 0; i < count; i++) {
        const mix_size *row = &mix->sizes[i];
        ws_synth_size *size = ws_arena_alloc(arena, ws_synth_size, 1);
        double ratio = row->work_percent / (row->jobs_percent * row->gpus);

        classes[i] = (ws_synth_class){.weight = row->jobs_percent, .size_count = 1};
        classes[i].durations = mix_scaled(mix, ratio / mean, arena);
        if (size == NULL || classes[i].durations.points == NULL) {
            return false;
        }
        *size = (ws_synth_size){.gpus = row->gpus, .weight = 1};
        classes[i].sizes = size;
    }
    return true;
}

/* The mean of sizes whose weights are the cluster's times g^theta, which are filled in. */
static double mix_tilt(const mix_row *mix, double theta, ws_synth_size *sizes, size_t count)
{
    double jobs = 0;
    double gpus = 0;

    for (size_t i = 0; i < count; i++) {
        double weight = mix->sizes[i].jobs_percent * pow(mix->sizes[i].gpus, theta);

        sizes[i] = (ws_synth_size){.gpus = mix->sizes[i].gpus, .weight = weight};
        jobs += weight;
        gpus += weight * mix->sizes[i].gpus;
    }
    return gpus / jobs;
}

/* The mean rises with theta: halving finds it. */
static void mix_tilt_to(const mix_row *mix, double mean, ws_synth_size *sizes, size_t count)
{
    double low = -MIX_TILT_MOST;
    double high = MIX_TILT_MOST;

    for (int i = 0; i < MIX_TILT_STEPS; i++) {
        double middle = (low + high) / 2;

        if (mix_tilt(mix, middle, sizes, count) < mean) {
            low = middle;
        } else {
            high = middle;
        }
    }
    (void)mix_tilt(mix, (low + high) / 2, sizes, count);
}

/* What a type's GPU time asks for: GPUs a job, but for a constant of all types. */
static double mix_type_gpus(const mix_types *type, const ws_synth_durations *durations)
{
    double mean_s = 0;
    double longest = 0;

    ws_synth_durations_mean(durations, &mean_s, &longest);
    return type->work_percent / (type->jobs_percent * mean_s);
}

/* A class of each type. */
static bool mix_classes_of_types(const mix_row *mix, ws_synth_class *classes, ws_arena *arena)
{
    size_t count = mix_size_count(mix);
    double gpus[MIX_TYPES_MAX];
    double jobs = 0;
    double sum = 0;

    for (size_t i = 0; i < mix->type_count; i++) {
        const mix_types *type = &mix->types[i];

        classes[i] = (ws_synth_class){.weight = type->jobs_percent, .kind = ws_text_of(type->kind)};
        classes[i].durations = mix_durations(type->quantiles_s, 1, mix->days, arena);
        if (classes[i].durations.points == NULL) {
            return false;
        }
        gpus[i] = mix_type_gpus(type, &classes[i].durations);
        jobs += type->jobs_percent;
        sum += type->jobs_percent * gpus[i];
    }
    for (size_t i = 0; i < mix->type_count; i++) {
        ws_synth_size *sizes = ws_arena_alloc(arena, ws_synth_size, count);

        if (sizes == NULL) {
            return false;
        }
        double all = mix_tilt(mix, 0, sizes, count);
        mix_tilt_to(mix, all * gpus[i] * jobs / sum, sizes, count);
        classes[i].sizes = sizes;
        classes[i].size_count = count;
    }
    return true;
}

/* ---- outcomes ---- */

static double mix_mean_gpus(const ws_synth_class *class)
{
    double jobs = 0;
    double gpus = 0;

    for (size_t i = 0; i < class->size_count; i++) {
        jobs += class->sizes[i].weight;
        gpus += class->sizes[i].weight * class->sizes[i].gpus;
    }
    return gpus / jobs;
}

/* The part of the GPU time that the longest tenth of each class holds. */
static double mix_longest(const ws_synth_class *classes, size_t count)
{
    double all = 0;
    double longest = 0;

    for (size_t i = 0; i < count; i++) {
        double mean_s = 0;
        double fraction = 0;

        ws_synth_durations_mean(&classes[i].durations, &mean_s, &fraction);
        double work = classes[i].weight * mean_s * mix_mean_gpus(&classes[i]);
        all += work;
        longest += work * fraction;
    }
    return longest / all;
}

/*
 * With j of the jobs and w of the GPU time, b of the shorter nine tenths and a of the longest
 * tenth, which holds t of the GPU time: 0.9 b + 0.1 a = j and (1 - t) b + t a = w. So a (t - (1 -
 * t)/9) = w - (1 - t) j/0.9.
 */
static void mix_set_outcomes(const mix_row *mix, ws_synth_class *classes, size_t count)
{
    static const ws_trace_outcome outcomes[MIX_OUTCOMES] = {
        WS_TRACE_OUTCOME_COMPLETED, WS_TRACE_OUTCOME_CANCELLED, WS_TRACE_OUTCOME_FAILED};
    double t = mix_longest(classes, count);

    for (size_t i = 0; i < MIX_OUTCOMES; i++) {
        double j = mix->jobs_percent[i] / 100;
        double w = mix->work_percent[i] / 100;
        double a = fmax((w - (1 - t) * j / 0.9) / (t - (1 - t) / 9), 0);
        double b = fmax((j - 0.1 * a) / 0.9, 0);

        for (size_t k = 0; k < count; k++) {
            classes[k].outcomes[0][outcomes[i]] = b;
            classes[k].outcomes[1][outcomes[i]] = a;
        }
    }
}

/* ---- all of it ---- */

static void mix_normalise(double *to, const double *from, size_t count)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++) {
        sum += from[i];
    }
    for (size_t i = 0; i < count; i++) {
        to[i] = from[i] * (double)count / sum;
    }
}

static void mix_fill(ws_synth *synth, const mix_row *mix)
{
    *synth = (ws_synth){
        .name = ws_text_of(mix->name),
        .source = ws_text_of(mix->source),
        .clock = WS_TRACE_CLOCK_UTC,
        .zone = WS_TEXT("UTC"),
        .origin_ns = MIX_ORIGIN_NS,
        .user_count = 300,
        .user_exponent = 1,
        /* [philly]: 90.1 % of the jobs are of the virtual cluster of the one before, by chance
           65.3 % would be: (0.901 - 0.653)/(1 - 0.653). Ranks of run times correlate by 0.70
           over all pairs, so by 0.70/0.715 over those. */
        .repeat_fraction = 0.715,
        .repeat_likeness = 0.98,
        .restarts = {.per_node_day = 0.0042, /* [stepfun] */
                     .gpus_per_node = 8,
                     .gap_mean_s = 660 / log(2)}, /* [retry]: the exponential of that median */
    };
    synth->arrivals = (ws_synth_arrivals){.rate_per_h = mix->rate_per_h};
    mix_normalise(synth->arrivals.day, mix_day, 24);
    mix_normalise(synth->arrivals.week, mix->week, 7);
}

/* Levels as bursty as Philly's [philly], whatever the rate. */
static bool mix_set_levels(ws_synth_arrivals *arrivals, ws_arena *arena)
{
    double rate = arrivals->rate_per_h;

    arrivals->rate_per_h = 41.4;
    bool sound = ws_synth_set_dispersion(arrivals, 160, MIX_LEVELS, arena);
    arrivals->rate_per_h = rate;
    if (sound) {
        ws_synth_set_correlation(arrivals, 0.43);
    }
    return sound;
}

bool ws_synth_mix(ws_synth *synth, size_t index, ws_arena *arena)
{
    WS_ASSERT(index < WS_COUNT_OF(mixes));

    const mix_row *mix = &mixes[index];
    size_t count = mix->type_count > 0 ? mix->type_count : mix_size_count(mix);
    ws_synth_class *classes = ws_arena_alloc(arena, ws_synth_class, count);
    ws_synth made;

    mix_fill(&made, mix);
    if (classes == NULL || !mix_set_levels(&made.arrivals, arena) ||
        !(mix->type_count > 0 ? mix_classes_of_types(mix, classes, arena)
                              : mix_classes_of_sizes(mix, classes, arena))) {
        return false;
    }
    mix_set_outcomes(mix, classes, count);
    made.classes = classes;
    made.class_count = count;
    *synth = made;
    return true;
}
