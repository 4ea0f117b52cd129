/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is written, read back: random traces from a seed, and the forms' own spelling. */
#include <jansson.h>

#include "trace_case.h"

#define EXPORTS_JOBS 40

/* SplitMix64 (Steele, Lea, Flood, 2014). */
static uint64_t draw(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9E3779B97F4A7C15));

    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static int64_t below(uint64_t *state, int64_t bound)
{
    return (int64_t)(draw(state) % (uint64_t)bound);
}

/* Any of some texts, the awkward ones among them. */
static ws_text draw_text(uint64_t *state)
{
    static const char *const texts[] = {"",     "ann",  "7",    "=1+1", "'=x", "a,b",
                                        "a\"b", "a\nb", "\"",   "007",  "-1",  "d\xC3\xBC",
                                        "#2",   " in ", "a\tb", "'",    "0",   "x;y:z"};
    const char *text = texts[below(state, WS_COUNT_OF(texts))];

    return ws_text_is(ws_text_trimmed(ws_text_of(text)), text) ? ws_text_of(text) : WS_TEXT("in");
}

typedef struct {
    ws_trace_job jobs[EXPORTS_JOBS];
    ws_trace_attempt attempts[EXPORTS_JOBS][4];
    char ids[EXPORTS_JOBS][24];
    ws_trace trace;
} random_trace;

/* Runs one after the other; `grain_ns` divides all times. */
static void draw_runs(random_trace *t, size_t i, uint64_t *state, int64_t grain_ns, bool plain)
{
    ws_trace_job *job = &t->jobs[i];
    int32_t count = (int32_t)below(state, 5);
    int64_t at_ns = job->arrival_ns + below(state, 1000) * grain_ns;

    job->queue_ns = WS_TRACE_UNKNOWN_NS;
    job->duration_ns = (1 + below(state, 100000)) * grain_ns;
    if (count == 0) {
        return;
    }
    job->queue_ns = at_ns - job->arrival_ns;
    job->duration_ns = 0;
    for (int32_t j = 0; j < count; j++) {
        ws_trace_attempt *run = &t->attempts[i][j];
        bool is_last = j + 1 == count;

        run->start_ns = at_ns;
        run->end_ns = at_ns + (1 + below(state, 5000)) * grain_ns;
        run->gpus = plain || below(state, 2) == 0 ? job->gpus : 1 + (int32_t)below(state, 9);
        run->outcome = is_last ? job->outcome : WS_TRACE_OUTCOME_PREEMPTED;
        if (!plain) {
            run->outcome = (ws_trace_outcome)below(state, WS_TRACE_OUTCOME_COUNT);
        }
        job->duration_ns += run->end_ns - run->start_ns;
        at_ns = run->end_ns + below(state, 3) * grain_ns;
        if (!plain && j > 0 && below(state, 6) == 0) {
            job->duration_ns -= run->end_ns - run->start_ns;
            run->end_ns = WS_TRACE_UNKNOWN_NS;
        }
    }
    job->attempt_count = count;
    job->attempts = t->attempts[i];
}

/* All that a record may hold; `plain`: what a line of SWF has a place for. */
static void draw_trace(random_trace *t, uint64_t seed, bool plain)
{
    static const ws_trace_outcome swf_outcomes[] = {WS_TRACE_OUTCOME_COMPLETED,
                                                    WS_TRACE_OUTCOME_FAILED};
    uint64_t state = seed;
    int64_t grain_ns = plain ? WS_NS_PER_S : 1 + below(&state, 3 * WS_NS_PER_S);
    int64_t arrival_ns = 0;
    int clock = plain ? WS_TRACE_CLOCK_UTC : (int)below(&state, 3);

    memset(t, 0, sizeof *t);
    t->trace = (ws_trace){.clock = (ws_trace_clock)clock, .jobs = t->jobs, .count = EXPORTS_JOBS};
    t->trace.zone = clock == WS_TRACE_CLOCK_UTC    ? WS_TEXT("UTC")
                    : clock == WS_TRACE_CLOCK_WALL ? WS_TEXT("US/Pacific")
                                                   : WS_TEXT("");
    t->trace.origin_ns = (1 + below(&state, 1700000000)) * WS_NS_PER_S;
    t->trace.origin_ns += plain ? 0 : below(&state, WS_NS_PER_S);
    for (size_t i = 0; i < EXPORTS_JOBS; i++) {
        ws_trace_job *job = &t->jobs[i];

        (void)snprintf(t->ids[i], sizeof t->ids[i], plain ? "%zu" : "job %zu", 7 * i);
        job->id = ws_text_of(t->ids[i]);
        job->arrival_ns = arrival_ns;
        arrival_ns += below(&state, 4) * grain_ns;
        job->gpus = 1 + (int32_t)below(&state, 512);
        job->outcome = plain ? swf_outcomes[below(&state, 2)]
                             : (ws_trace_outcome)below(&state, WS_TRACE_OUTCOME_COUNT);
        draw_runs(t, i, &state, grain_ns, plain);
        if (plain) {
            job->user = below(&state, 3) == 0 ? WS_TEXT("") : WS_TEXT("12");
            continue;
        }
        job->nodes = (int32_t)below(&state, 3);
        job->gpus_frac = below(&state, 3) == 0 ? job->gpus - 0.1 : 0;
        job->batch_samples = below(&state, 4) == 0 ? job->gpus * 3 : 0;
        if (job->batch_samples > 0 && job->attempt_count == 0 && below(&state, 2) == 0) {
            job->duration_ns = WS_TRACE_UNKNOWN_NS;
        }
        job->user = draw_text(&state);
        job->queue = draw_text(&state);
        job->gpu_type = draw_text(&state);
        job->kind = draw_text(&state);
        cr_assert(ws_trace_job_is_valid(job));
    }
}

/* Writes in a form. The text lives in the case's arena. */
static ws_text write_as(trace_case *c, const char *form, const ws_trace *trace)
{
    ws_writer writer;

    ws_writer_init_memory(&writer, &c->arena);
    ws_trace_export_find(ws_text_of(form))->write(trace, &writer, &c->arena);
    cr_assert(ws_writer_finish(&writer, &c->diag));
    return ws_writer_text(&writer);
}

static void assert_traces_equal(const ws_trace *a, const ws_trace *b, uint64_t seed)
{
    cr_assert(eq(sz, a->count, b->count));
    cr_assert(eq(int, a->clock, b->clock));
    cr_assert(eq(i64, a->origin_ns, b->origin_ns));
    cr_assert(ws_text_equals(a->zone, b->zone));
    for (size_t i = 0; i < a->count; i++) {
        cr_assert(ws_trace_job_equals(&a->jobs[i], &b->jobs[i], true), "seed %llu job %zu",
                  (unsigned long long)seed, i);
    }
}

/* Random traces, written, read, and written again. `seeds` grows with WS_TEST_SCALE. */
static void check_round_trips(const char *form, bool plain)
{
    const uint64_t seeds = (uint64_t)ws_test_scaled(200, 20);

    for (uint64_t seed = 1; seed <= seeds; seed++) {
        static random_trace t;
        trace_case c;

        trace_case_begin(&c, "exports-round");
        draw_trace(&t, seed, plain);
        ws_text text = write_as(&c, form, &t.trace);
        trace_case_load_bytes(&c, form, text.start, text.length);
        cr_assert(c.is_loaded, "%s", trace_case_message(&c, c.diag.entries[0].code));
        cr_assert(eq(i64, ws_trace_report_rejected(&c.report), 0));
        assert_traces_equal(&t.trace, &c.trace, seed);
        cr_assert(ws_text_equals(write_as(&c, form, &c.trace), text));
        trace_case_end(&c);
    }
}

Test(exports, the_own_table_holds_all_of_the_record)
{
    check_round_trips("worldsize", false);
}

Test(exports, swf_holds_what_it_has_a_place_for)
{
    check_round_trips("swf", true);
}

/* Seconds, halves up. */
static int64_t rounded_s(int64_t ns)
{
    return (ns + 500000000) / WS_NS_PER_S;
}

/* Of any record: arrivals and waits to the second, GPUs, and outcomes as far as SWF tells them
 * apart. */
Test(exports, swf_of_any_trace)
{
    static const ws_trace_outcome read_as[WS_TRACE_OUTCOME_COUNT] = {
        [WS_TRACE_OUTCOME_COMPLETED] = WS_TRACE_OUTCOME_COMPLETED,
        [WS_TRACE_OUTCOME_CANCELLED] = WS_TRACE_OUTCOME_CANCELLED,
        [WS_TRACE_OUTCOME_FAILED] = WS_TRACE_OUTCOME_FAILED,
        [WS_TRACE_OUTCOME_TIMEOUT] = WS_TRACE_OUTCOME_FAILED,
        [WS_TRACE_OUTCOME_NODE_FAIL] = WS_TRACE_OUTCOME_FAILED};

    for (uint64_t seed = 1; seed <= (uint64_t)ws_test_scaled(100, 10); seed++) {
        static random_trace t;
        trace_case c;
        size_t at = 0;

        trace_case_begin(&c, "exports-swf");
        draw_trace(&t, seed, false);
        ws_text text = write_as(&c, "swf", &t.trace);
        trace_case_load_bytes(&c, "swf", text.start, text.length);
        cr_assert(c.is_loaded);
        int64_t base_ns = t.trace.clock == WS_TRACE_CLOCK_UTC   ? t.trace.origin_ns % WS_NS_PER_S
                          : t.trace.clock == WS_TRACE_CLOCK_OWN ? t.trace.origin_ns
                                                                : 0;
        int64_t read_base_s =
            t.trace.clock == WS_TRACE_CLOCK_UTC
                ? (c.trace.origin_ns - (t.trace.origin_ns - base_ns)) / WS_NS_PER_S
                : c.trace.origin_ns / WS_NS_PER_S;
        for (size_t i = 0; i < t.trace.count; i++) {
            const ws_trace_job *job = &t.jobs[i];

            if (job->duration_ns == WS_TRACE_UNKNOWN_NS) {
                continue; /* a run of -1 s is none */
            }
            cr_assert(lt(sz, at, c.trace.count));
            const ws_trace_job *read = &c.trace.jobs[at++];
            cr_assert(eq(i64, read->arrival_ns / WS_NS_PER_S + read_base_s,
                         rounded_s(job->arrival_ns + base_ns)));
            cr_assert(eq(i32, read->gpus, job->gpus));
            cr_assert(eq(int, read->outcome, read_as[job->outcome]));
            cr_assert(eq(int, read->attempt_count > 0, job->attempt_count > 0));
        }
        cr_assert(eq(sz, at, c.trace.count));
        trace_case_end(&c);
    }
}

/* Two jobs of a wall clock; the second ran twice: from 20.4 s to 30.2 s, and from 40 s to 90.5 s.
 * Ends are rounded: 20 to 30, 40 to 91; it waited 20 - 10 = 10 s and ran 60.3 s in all. */
static ws_trace two_jobs(void)
{
    static ws_trace_attempt runs[] = {{.start_ns = INT64_C(20400000000),
                                       .end_ns = INT64_C(30200000000),
                                       .gpus = 8,
                                       .outcome = WS_TRACE_OUTCOME_NODE_FAIL},
                                      {.start_ns = INT64_C(40000000000),
                                       .end_ns = INT64_C(90500000000),
                                       .gpus = 8,
                                       .outcome = WS_TRACE_OUTCOME_COMPLETED}};
    static ws_trace_job jobs[2];

    jobs[0] = (ws_trace_job){.id = WS_TEXT("a"),
                             .duration_ns = INT64_C(1500000000),
                             .queue_ns = WS_TRACE_UNKNOWN_NS,
                             .gpus = 1,
                             .outcome = WS_TRACE_OUTCOME_TIMEOUT,
                             .user = WS_TEXT("bob"),
                             .gpu_type = WS_TEXT("H100")};
    jobs[1] = (ws_trace_job){.id = WS_TEXT("b"),
                             .arrival_ns = 10 * WS_NS_PER_S,
                             .duration_ns = INT64_C(60300000000),
                             .queue_ns = INT64_C(10400000000),
                             .gpus = 8,
                             .outcome = WS_TRACE_OUTCOME_COMPLETED,
                             .attempt_count = 2,
                             .attempts = runs,
                             .user = WS_TEXT("ann\nlee"),
                             .queue = WS_TEXT("4")};
    return (ws_trace){.clock = WS_TRACE_CLOCK_WALL,
                      .zone = WS_TEXT("US/Pacific"),
                      .origin_ns = 1507248000 * WS_NS_PER_S,
                      .jobs = jobs,
                      .count = 2};
}

Test(exports, what_swf_looks_like)
{
    ws_trace trace = two_jobs();
    trace_case c;

    trace_case_begin(&c, "exports-swf");
    ws_text text = write_as(&c, "swf", &trace);
    cr_assert(ws_text_is(text, "; Version: 2.2\n"
                               "; MaxJobs: 2\n"
                               "; MaxRecords: 4\n"
                               "; Note: time 0 is 2017-10-06T00:00:00, zone US/Pacific\n"
                               "; Note: processors are GPUs\n"
                               "; Partition: 1 H100\n"
                               "; Note: user 1 bob\n"
                               "; Note: user 2 ann lee\n"
                               "1 0 -1 2 1 -1 -1 1 -1 -1 0 1 -1 -1 -1 1 -1 -1\n"
                               "2 10 10 60 8 -1 -1 8 -1 -1 1 2 -1 -1 4 -1 -1 -1\n"
                               "2 10 10 10 8 -1 -1 8 -1 -1 2 2 -1 -1 4 -1 -1 -1\n"
                               "2 10 10 51 8 -1 -1 8 -1 -1 3 2 -1 -1 4 -1 -1 -1\n"),
              "%.*s", WS_TEXT_ARGS(text));
    trace_case_end(&c);
}

/* Repeated ids would be one job in Batsim: the second one gets another. */
Test(exports, what_batsim_looks_like)
{
    ws_trace trace = two_jobs();
    trace_case c;

    trace_case_begin(&c, "exports-batsim");
    trace.jobs[1].id = WS_TEXT("a");
    ws_text text = write_as(&c, "batsim", &trace);
    json_t *root = json_loadb(text.start, text.length, 0, NULL);
    json_t *jobs = json_object_get(root, "jobs");
    json_t *first = json_array_get(jobs, 0);
    json_t *second = json_array_get(jobs, 1);
    json_t *profiles = json_object_get(root, "profiles");

    cr_assert(root != NULL);
    cr_assert(eq(int, (int)json_integer_value(json_object_get(root, "nb_res")), 8));
    cr_assert(eq(sz, json_array_size(jobs), 2));
    cr_assert_str_eq(json_string_value(json_object_get(first, "id")), "a");
    cr_assert_str_eq(json_string_value(json_object_get(first, "profile")), "delay_1.50");
    cr_assert(eq(dbl, json_number_value(json_object_get(first, "walltime")), 1.5));
    cr_assert_str_eq(json_string_value(json_object_get(second, "id")), "a#2");
    cr_assert(eq(dbl, json_number_value(json_object_get(second, "subtime")), 10));
    cr_assert(eq(int, (int)json_integer_value(json_object_get(second, "res")), 8));
    cr_assert(json_object_get(second, "walltime") == NULL);
    cr_assert(eq(sz, json_object_size(profiles), 2));
    const char *name = json_string_value(json_object_get(second, "profile"));
    json_t *profile = json_object_get(profiles, name);
    cr_assert_str_eq(json_string_value(json_object_get(profile, "type")), "delay");
    cr_assert(eq(dbl, json_number_value(json_object_get(profile, "delay")), 60.3));
    json_decref(root);
    trace_case_end(&c);
}

/* Job by job the same bytes as all at once. */
Test(exports, one_job_after_the_other)
{
    const ws_trace_export *form = ws_trace_export_find(WS_TEXT("worldsize"));
    ws_trace trace = two_jobs();
    ws_trace about = trace;
    ws_writer writer;
    trace_case c;

    trace_case_begin(&c, "exports-stream");
    for (size_t i = 0; i < trace.count; i++) {
        trace.jobs[i].batch_samples = 0;
    }
    ws_text whole = write_as(&c, "worldsize", &trace);
    about.jobs = NULL;
    about.count = 0;
    ws_writer_init_memory(&writer, &c.arena);
    form->begin(&about, &writer);
    for (size_t i = 0; i < trace.count; i++) {
        form->add(&about, &trace.jobs[i], &writer, &c.arena);
    }
    cr_assert(ws_text_equals(ws_writer_text(&writer), whole));
    for (size_t i = 0; i < ws_trace_export_count(); i++) {
        form = ws_trace_export_at(i);
        bool is_paired = (form->begin == NULL) == (form->add == NULL);
        cr_assert(is_paired);
    }
    trace_case_end(&c);
}

Test(exports, the_list)
{
    for (size_t i = 0; i < ws_trace_export_count(); i++) {
        const ws_trace_export *form = ws_trace_export_at(i);

        cr_assert_str_eq(ws_trace_export_names[i], form->name);
        cr_assert(ws_trace_export_find(ws_text_of(form->name)) == form);
        cr_assert(form->summary[0] != '\0' && form->write != NULL);
        cr_assert(i == 0 || strcmp(ws_trace_export_names[i - 1], form->name) < 0);
    }
    cr_assert(ws_trace_export_names[ws_trace_export_count()] == NULL);
    cr_assert(ws_trace_export_find(WS_TEXT("csv")) == NULL);
}
