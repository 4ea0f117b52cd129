/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is in a trace: by hand on a few jobs, by awk on a recorded one, and for every format. */
#include "trace_case.h"

#include <math.h>

#include "ws/trace_summary.h"

#define HEADER "id,arrival_s,gpus,duration_s,outcome,user,queue,start_s,zone\n"

typedef struct {
    trace_case c;
    ws_trace_summary summary;
} summary_case;

static void summary_load_path(summary_case *self, const char *path)
{
    ws_file_name file = {.path = path, .shown = WS_TEXT("t.csv")};

    self->c.is_loaded = ws_trace_summarise(&self->summary, &file, &self->c.options, &self->c.report,
                                           &self->c.arena, &self->c.diag);
}

static void summary_load(summary_case *self, const char *text)
{
    trace_case_begin(&self->c, "summary");
    FILE *file = fopen(self->c.path, "wb");
    cr_assert(file != NULL);
    cr_assert(fwrite(text, 1, strlen(text), file) == strlen(text));
    cr_assert(fclose(file) == 0);
    summary_load_path(self, self->c.path);
}

/*
 * Four jobs, the first three on Thursday 1970-01-01, the last one a day later:
 *   a: 1 GPU from 0 s to 100 s; b: 2 GPUs, waits 10 s, 60 s to 160 s; c: 4 GPUs, waits 50 s,
 *   100 s to 160 s, fails; d: 3 GPUs from 86400 s to 86410 s, cancelled.
 * GPU-seconds: 100, 200, 240, 30; together 570.
 */
static const char four_jobs[] = HEADER "a,0,1,100,completed,ann,q1,0,UTC\n"
                                       "b,50,2,100,completed,bob,q1,60,UTC\n"
                                       "c,50,4,60,failed,ann,q2,100,UTC\n"
                                       "d,86400,3,10,cancelled,ann,q1,86400,UTC\n";

Test(summary, sizes_and_times_of_four_jobs)
{
    summary_case self;

    summary_load(&self, four_jobs);
    const ws_trace_summary *found = &self.summary;
    cr_assert(self.c.is_loaded);
    cr_expect(eq(i64, found->jobs, 4));
    cr_expect(eq(i64, self.c.report.rows_read, 4));

    /* 1, 2, 3, 4: the median lies in the middle, p10 at 0.3 of the way from the first. */
    cr_expect(epsilon_eq(dbl, found->gpus.p50, 2.5, 1e-12));
    cr_expect(epsilon_eq(dbl, found->gpus.p10, 1.3, 1e-12));
    cr_expect(epsilon_eq(dbl, found->gpus.p90, 3.7, 1e-12));
    cr_expect(eq(dbl, found->gpus.max, 4));
    cr_expect(eq(dbl, found->gpus.mean, 2.5));
    cr_expect(eq(dbl, found->power_of_two_fraction, 0.75));

    /* 10, 60, 100, 100 */
    cr_expect(eq(i64, found->duration_s.n, 4));
    cr_expect(eq(dbl, found->duration_s.p25, 47.5));
    cr_expect(eq(dbl, found->duration_s.p50, 80));
    cr_expect(eq(dbl, found->duration_s.p90, 100));
    cr_expect(eq(dbl, found->duration_s.mean, 67.5));

    /* 0, 0, 10, 50 */
    cr_expect(eq(i64, found->wait_s.n, 4));
    cr_expect(eq(dbl, found->wait_s.p50, 5));
    cr_expect(epsilon_eq(dbl, found->wait_s.p90, 38, 1e-12));
    cr_expect(eq(dbl, found->wait_s.max, 50));
    cr_expect(eq(dbl, found->wait_s.mean, 15));
    trace_case_end(&self.c);
}

Test(summary, arrivals_of_four_jobs)
{
    summary_case self;

    summary_load(&self, four_jobs);
    const ws_trace_summary *found = &self.summary;
    cr_expect(eq(int, found->clock, WS_TRACE_CLOCK_UTC));
    cr_expect(eq(i64, found->first_arrival_ns, 0));
    cr_expect(eq(i64, found->last_arrival_ns, WS_NS_PER_D));
    cr_expect(eq(i64, found->end_ns, WS_NS_PER_D + 10 * WS_NS_PER_S));
    cr_expect(epsilon_eq(dbl, found->arrivals_per_h, 4.0 / 24, 1e-12));
    cr_expect(eq(i64, found->by_hour[0], 4));
    cr_expect(eq(i64, found->by_hour[1], 0));
    cr_expect(
        eq(dbl, found->hour_peak_to_mean, 24));  /* 4 in an hour of the day, 4 / 24 on average */
    cr_expect(eq(i64, found->by_weekday[3], 3)); /* Thursday */
    cr_expect(eq(i64, found->by_weekday[4], 1));
    cr_expect(eq(i64, found->by_weekday[0], 0));
    trace_case_end(&self.c);
}

Test(summary, shares_of_four_jobs)
{
    summary_case self;

    summary_load(&self, four_jobs);
    const ws_trace_summary *found = &self.summary;
    char hours[WS_TOTAL_TEXT_BYTES];
    (void)ws_gpu_time_print_h(found->work, hours);
    cr_expect(eq(str, (char *)hours, "0.1583333333333"));                      /* 570 / 3600 */
    cr_expect(epsilon_eq(dbl, found->top_tenth_fraction, 240.0 / 570, 1e-12)); /* one of four */

    cr_expect(eq(sz, found->sizes.count, 4));
    cr_expect(eq(i64, found->sizes.items[2].gpus, 3));
    cr_expect(eq(i64, found->sizes.items[2].jobs, 1));
    cr_expect(epsilon_eq(dbl, found->sizes.items[2].work_fraction, 30.0 / 570, 1e-12));
    cr_expect(eq(dbl, found->sizes.items[2].jobs_fraction, 0.25));

    const ws_trace_group *outcomes = found->outcomes;
    cr_expect(eq(i64, outcomes[WS_TRACE_OUTCOME_COMPLETED].jobs, 2));
    cr_expect(
        epsilon_eq(dbl, outcomes[WS_TRACE_OUTCOME_COMPLETED].work_fraction, 300.0 / 570, 1e-12));
    cr_expect(eq(i64, outcomes[WS_TRACE_OUTCOME_FAILED].jobs, 1));
    cr_expect(eq(i64, outcomes[WS_TRACE_OUTCOME_CANCELLED].jobs, 1));
    cr_expect(eq(i64, outcomes[WS_TRACE_OUTCOME_UNKNOWN].jobs, 0));

    /* q1 has 100 + 200 + 30, q2 has 240. */
    cr_expect(eq(i64, found->queues.distinct, 2));
    cr_expect(ws_text_is(found->queues.items[0].name, "q1"));
    cr_expect(epsilon_eq(dbl, found->queues.items[0].work_fraction, 330.0 / 570, 1e-12));
    cr_expect(ws_text_is(found->queues.items[1].name, "q2"));
    cr_expect(eq(i64, found->users, 2));
    cr_expect(eq(i64, found->kinds.distinct, 0));
    trace_case_end(&self.c);
}

/*
 * From 0 s to 86410 s in steps of 10 minutes: 145 of them (5 minutes would make 289), the last one
 * of 10 s. In the first there are 100 + 200 + 240 = 540 GPU-seconds and 260 job-seconds. At 100 s
 * a makes room for c: 2 + 4 GPUs, not 7.
 */
Test(summary, the_course_of_four_jobs)
{
    summary_case self;

    summary_load(&self, four_jobs);
    const ws_trace_summary *found = &self.summary;
    cr_expect(eq(i64, found->starts_known, 4));
    cr_expect(eq(i64, found->step_ns, 10 * WS_NS_PER_MIN));
    cr_assert(eq(sz, found->step_count, 145));
    cr_expect(epsilon_eq(dbl, found->steps[0].gpus_mean, 0.9, 1e-12));
    cr_expect(epsilon_eq(dbl, found->steps[0].jobs_mean, 260.0 / 600, 1e-12));
    cr_expect(eq(i64, found->steps[0].gpus_max, 6));
    cr_expect(eq(i64, found->steps[0].jobs_max, 2));
    cr_expect(eq(i64, found->steps[1].gpus_max, 0));
    cr_expect(eq(i64, found->steps[144].begin_ns, WS_NS_PER_D));
    cr_expect(eq(dbl, found->steps[144].gpus_mean, 3));
    cr_expect(eq(dbl, found->steps[144].jobs_mean, 1));
    cr_expect(eq(i64, found->gpus_peak, 6));
    cr_expect(eq(i64, found->gpus_peak_ns, 100 * WS_NS_PER_S));
    cr_expect(eq(i64, found->jobs_peak, 2));
    cr_expect(epsilon_eq(dbl, found->gpus_mean, 570.0 / 86410, 1e-15));
    trace_case_end(&self.c);
}

/* Without starts each job runs from its arrival on: a to 100 s, b and c from 50 s on. */
Test(summary, jobs_without_a_start_run_from_their_arrival_on)
{
    summary_case self;

    summary_load(&self, "id,arrival_s,gpus,duration_s\na,0,1,100\nb,50,2,100\nc,50,4,60\n");
    cr_assert(self.c.is_loaded);
    cr_expect(eq(i64, self.summary.starts_known, 0));
    cr_expect(eq(i64, self.summary.wait_s.n, 0));
    cr_expect(isnan(self.summary.wait_s.p50));
    cr_expect(eq(i64, self.summary.gpus_peak, 7));
    cr_expect(eq(i64, self.summary.gpus_peak_ns, 50 * WS_NS_PER_S));
    cr_expect(eq(i64, self.summary.jobs_peak, 3));
    cr_expect(eq(i64, self.summary.end_ns, 150 * WS_NS_PER_S));
    cr_expect(eq(i64, self.summary.step_ns, WS_NS_PER_S)); /* 150 steps */
    cr_expect(eq(int, self.summary.clock, WS_TRACE_CLOCK_OWN));
    cr_expect(eq(i64, self.summary.by_weekday[3], 0)); /* such a clock has no weekdays */
    cr_expect(eq(i64, self.summary.outcomes[WS_TRACE_OUTCOME_UNKNOWN].jobs, 3));
    trace_case_end(&self.c);
}

/*
 * One job on 2 GPUs from 10 s to 20 s, then on 8 from 50 s to 60 s, and again from 70 s on until
 * nobody knows: 20 + 80 GPU-seconds, 20 s of run time, 10 s of waiting.
 */
Test(summary, attempts_run_on_their_own_gpus)
{
    summary_case self;

    summary_load(&self, "id,arrival_s,gpus,duration_s,start_s,attempts\n"
                        "a,0,2,20,10,10..20:failed;50..60:completed:8;70..:running:8\n");
    cr_assert(self.c.is_loaded, "%s", self.c.diag.entries[0].message.start);
    cr_expect(eq(i64, self.summary.gpus_peak, 8));
    cr_expect(eq(i64, self.summary.gpus_peak_ns, 50 * WS_NS_PER_S));
    cr_expect(eq(i64, self.summary.jobs_peak, 1));
    cr_expect(epsilon_eq(dbl, self.summary.gpus_mean, 100.0 / 60, 1e-12));
    cr_expect(epsilon_eq(dbl, ws_gpu_time_h(self.summary.work), 100.0 / 3600, 1e-15));
    cr_expect(eq(dbl, self.summary.duration_s.max, 20));
    cr_expect(eq(dbl, self.summary.wait_s.max, 10));
    trace_case_end(&self.c);
}

/* Of 11 jobs with 1, 2, ..., 11 GPU-hours a tenth, rounded up, is two: 21 of 66. */
Test(summary, the_tenth_with_most)
{
    summary_case self;
    char text[1000] = "id,arrival_s,gpus,duration_s\n";

    for (int i = 1; i <= 11; i++) {
        (void)snprintf(text + strlen(text), sizeof text - strlen(text), "j%d,0,%d,3600\n", i, i);
    }
    summary_load(&self, text);
    cr_expect(epsilon_eq(dbl, self.summary.top_tenth_fraction, 21.0 / 66, 1e-12));
    cr_expect(isnan(self.summary.arrivals_per_h)); /* all at one moment */
    cr_expect(eq(i64, self.summary.gpus_peak, 66));
    trace_case_end(&self.c);
}

/* A batch and no run time: a job, but no load. */
Test(summary, jobs_without_a_run_time)
{
    summary_case self;

    summary_load(&self, "name,time,application,num_replicas,batch_size\n"
                        "a,0,cifar10,4,512\nb,60,bert,8,96\n");
    cr_assert(self.c.is_loaded);
    cr_expect(eq(i64, self.summary.jobs, 2));
    cr_expect(eq(i64, self.summary.duration_s.n, 0));
    cr_expect(isnan(self.summary.duration_s.mean));
    cr_expect(isnan(self.summary.top_tenth_fraction));
    cr_expect(isnan(self.summary.gpus_mean));
    cr_expect(eq(sz, self.summary.step_count, 0));
    cr_expect(eq(i64, self.summary.end_ns, 60 * WS_NS_PER_S));
    cr_expect(eq(i64, self.summary.kinds.distinct, 2));
    cr_expect(isnan(self.summary.kinds.items[0].work_fraction));
    trace_case_end(&self.c);
}

Test(summary, no_jobs)
{
    summary_case self;

    summary_load(&self, "id,arrival_s,gpus,duration_s\n");
    cr_assert(self.c.is_loaded);
    cr_expect(eq(i64, self.summary.jobs, 0));
    cr_expect(isnan(self.summary.gpus.p50));
    cr_expect(isnan(self.summary.power_of_two_fraction));
    cr_expect(isnan(self.summary.hour_peak_to_mean));
    cr_expect(eq(sz, self.summary.sizes.count, 0));
    trace_case_end(&self.c);
}

/* A hundred years on one GPU: steps of 28 days doubled until there are no more than 168: 36525 d /
 * 168 is 217.4 d, so 224 d; 36525 / 224 is 163.06. */
Test(summary, a_long_course_has_long_steps)
{
    summary_case self;

    summary_load(&self, "id,arrival_s,gpus,duration_s\na,0,1,3155760000\n");
    cr_assert(self.c.is_loaded);
    cr_expect(eq(i64, self.summary.step_ns, 224 * WS_NS_PER_D));
    cr_expect(eq(sz, self.summary.step_count, 164));
    cr_expect(eq(dbl, self.summary.steps[163].gpus_mean, 1));
    trace_case_end(&self.c);
}

/* More names than are kept: those with most GPU-time are, and all are counted. */
Test(summary, many_names)
{
    summary_case self;
    char *text = calloc(1, 100000);

    cr_assert(text != NULL);
    strcpy(text, "id,arrival_s,gpus,duration_s,queue\n");
    for (int i = 1; i <= 1000; i++) {
        (void)sprintf(text + strlen(text), "j%d,0,%d,10,q%d\n", i, i, i);
    }
    summary_load(&self, text);
    free(text);
    cr_assert(self.c.is_loaded);
    cr_expect(eq(i64, self.summary.queues.distinct, 1000));
    cr_assert(eq(sz, self.summary.queues.count, WS_TRACE_GROUPS_MAX));
    cr_expect(ws_text_is(self.summary.queues.items[0].name, "q1000"));
    cr_expect(ws_text_is(self.summary.queues.items[99].name, "q901"));
    cr_expect(eq(sz, self.summary.sizes.count, 1000));
    cr_expect(eq(i64, self.summary.sizes.items[999].gpus, 1000));
    cr_expect(epsilon_eq(dbl, self.summary.gpus.p50, 500.5, 1e-12));
    trace_case_end(&self.c);
}

/*
 * awk -F, 'NR > 1 { h[substr($1, 12, 2) + 0]++; gsub(/[-:]/, " ", $1); d[strftime("%u",
 *     mktime($1))]++; w += $2 * $3 } END { for (i = 0; i < 24; i++) printf "%d ", h[i]; print "";
 *     for (i = 1; i < 8; i++) printf "%d ", d[i]; printf "\n%.7f\n", w / 3600 }'
 * under TZ=UTC prints the two lists and 41529.4358333;
 * awk -F, 'NR > 1 { print $2 }' | sort -n | awk '{ v[NR] = $1 } END { h = (NR - 1) * 0.95;
 *     i = int(h); printf "%.2f\n", v[i + 1] + (h - i) * (v[i + 2] - v[i + 1]) }'
 * 30415.85, and so on for the other quantiles;
 * awk -F, 'NR > 1 { gsub(/[-:]/, " ", $1); t = mktime($1); print t, 1, $3, 1;
 *     print t + $2, 0, -$3, -1 }' | sort -k1,1n -k2,2n | awk '{ g += $3; j += $4;
 *     if (g > m) { m = g; at = $1 } if (j > k) k = j; if (NR == 1) o = $1 }
 *     END { print m, at - o, k }'
 * 614 2672645 381; and of the GPU-seconds in order, the first 300 of 3000 hold 0.935963928.
 */
Test(summary, philly_agrees_with_awk)
{
    static const int64_t hours[24] = {35,  185, 312, 78,  146, 320, 105, 299, 43,  19, 16, 16,
                                      146, 21,  26,  107, 262, 61,  19,  22,  587, 87, 40, 48};
    static const int64_t weekdays[7] = {1005, 0, 8, 29, 719, 324, 915};
    char path[4096];
    summary_case self;

    if (ws_test_shared("data/philly/philly_pollux.head3000.csv", path, sizeof path) == NULL) {
        cr_skip_test();
    }
    trace_case_begin(&self.c, "summary-philly");
    summary_load_path(&self, path);
    const ws_trace_summary *found = &self.summary;
    cr_assert(self.c.is_loaded);
    cr_expect(eq(i64, found->jobs, 3000));
    cr_expect(memcmp(found->by_hour, hours, sizeof hours) == 0);
    cr_expect(memcmp(found->by_weekday, weekdays, sizeof weekdays) == 0);
    cr_expect(epsilon_eq(dbl, ws_gpu_time_h(found->work), 41529.4358333, 1e-6));
    cr_expect(epsilon_eq(dbl, found->duration_s.p10, 69, 0.005));
    cr_expect(epsilon_eq(dbl, found->duration_s.p25, 556.75, 0.005));
    cr_expect(epsilon_eq(dbl, found->duration_s.p50, 2769, 0.005));
    cr_expect(epsilon_eq(dbl, found->duration_s.p75, 10354.25, 0.005));
    cr_expect(epsilon_eq(dbl, found->duration_s.p90, 11430.10, 0.005));
    cr_expect(epsilon_eq(dbl, found->duration_s.p95, 30415.85, 0.005));
    cr_expect(eq(i64, found->gpus_peak, 614));
    cr_expect(eq(i64, found->gpus_peak_ns, INT64_C(2672645) * WS_NS_PER_S));
    cr_expect(eq(i64, found->jobs_peak, 381));
    cr_expect(epsilon_eq(dbl, found->top_tenth_fraction, 0.935963928, 1e-8));
    cr_expect(eq(i64, self.c.report.found[WS_TRACE_UNSORTED].count, 1621));
    trace_case_end(&self.c);
}

/* Whatever ran is in the course, to the nanosecond: its steps sum to the work. */
static void summary_expect_balance(const ws_trace_summary *found)
{
    double gpu_s = 0;

    for (size_t i = 0; i < found->step_count; i++) {
        int64_t left = found->end_ns - found->first_arrival_ns - found->steps[i].begin_ns;
        double length_s = (double)(left < found->step_ns ? left : found->step_ns) / 1e9;
        gpu_s += found->steps[i].gpus_mean * length_s;
        cr_expect(found->steps[i].gpus_mean <= (double)found->steps[i].gpus_max + 1e-9);
        cr_expect(le(i64, found->steps[i].gpus_max, found->gpus_peak));
    }
    cr_expect(epsilon_eq(dbl, gpu_s, ws_gpu_time_h(found->work) * 3600, 1e-6 * (gpu_s + 1)));
}

/* A file read and summed up, and the same file loaded and then summed up, say the same. */
Test(summary, of_a_loaded_trace_is_that_of_its_file)
{
    static const char *const files[] = {
        "data/philly/philly_pollux.head3000.csv",
        "data/philly/cluster_job_log.reconstructed400.json",
        "data/acme/trace_kalos.reconstructed200.csv",
    };
    char path[4096];

    for (size_t i = 0; i < WS_COUNT_OF(files); i++) {
        summary_case self;
        ws_trace_summary again;

        if (ws_test_shared(files[i], path, sizeof path) == NULL) {
            cr_skip_test();
        }
        trace_case_begin(&self.c, "summary-loaded");
        summary_load_path(&self, path);
        cr_assert(self.c.is_loaded, "%s", files[i]);
        summary_expect_balance(&self.summary);
        trace_case_load_path(&self.c, NULL, path);
        cr_assert(self.c.is_loaded);
        cr_assert(ws_trace_summarise_jobs(&again, &self.c.trace, &self.c.arena));
        const ws_trace_summary *found = &self.summary;
        cr_expect(eq(i64, again.jobs, found->jobs));
        cr_expect(eq(i64, again.first_arrival_ns, found->first_arrival_ns));
        cr_expect(again.work.gpu_ns == found->work.gpu_ns);
        cr_expect(eq(dbl, again.duration_s.p95, found->duration_s.p95));
        cr_expect(eq(i64, again.gpus_peak, found->gpus_peak));
        cr_expect(eq(i64, again.gpus_peak_ns, found->gpus_peak_ns));
        cr_expect(memcmp(again.by_hour, found->by_hour, sizeof again.by_hour) == 0);
        cr_assert(eq(sz, again.step_count, found->step_count));
        cr_expect(memcmp(again.steps, found->steps, again.step_count * sizeof *again.steps) == 0);
        trace_case_end(&self.c);
    }
}

/* With little memory the answer is the whole one or an error, never a part. */
Test(summary, says_when_memory_is_short)
{
    size_t refused = 0;
    size_t whole = 0;

    for (size_t bound = 4096; bound < (size_t)1 << 21; bound += bound / 4) {
        summary_case self;
        ws_arena small;

        trace_case_begin(&self.c, "summary-memory");
        FILE *file = fopen(self.c.path, "wb");
        cr_assert(file != NULL && fputs(four_jobs, file) >= 0 && fclose(file) == 0);
        ws_file_name name = {.path = self.c.path, .shown = WS_TEXT("t.csv")};
        memset(&self.summary, 0, sizeof self.summary);
        ws_arena_init(&small, &ws_allocator_default, bound);
        bool is_whole = ws_trace_summarise(&self.summary, &name, &self.c.options, &self.c.report,
                                           &small, &self.c.diag);
        cr_expect(eq(i64, self.summary.jobs, is_whole ? 4 : 0));
        cr_expect(is_whole || trace_case_find(&self.c, 9020) != NULL);
        refused += is_whole ? 0 : 1;
        whole += is_whole ? 1 : 0;
        ws_arena_reset(&small);
        trace_case_end(&self.c);
    }
    cr_expect(gt(sz, refused, 0));
    cr_expect(gt(sz, whole, 0));
}

Test(summary, an_unreadable_file_is_none)
{
    summary_case self;

    trace_case_begin(&self.c, "summary-none");
    summary_load_path(&self, "/nonexistent/t.csv");
    cr_expect_not(self.c.is_loaded);
    cr_expect(ge(sz, self.c.diag.error_count, 1));
    trace_case_end(&self.c);
}
