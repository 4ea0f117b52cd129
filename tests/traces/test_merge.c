/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "trace_case.h"

#define HEADER "id,arrival_s,gpus,duration_s,start_s,origin_s,zone\n"

typedef struct {
    trace_case *parts[3];
    ws_trace traces[3];
    ws_file_name files[3];
    size_t count;
    trace_case *out;
    int64_t renamed;
} merge_case;

static trace_case *new_case(const char *name)
{
    trace_case *c = calloc(1, sizeof *c);

    cr_assert(c != NULL);
    trace_case_begin(c, name);
    return c;
}

static void end_case(trace_case *c)
{
    trace_case_end(c);
    free(c);
}

static void begin(merge_case *m)
{
    m->count = 0;
    m->out = new_case("merge-out");
}

static void add(merge_case *m, const char *text)
{
    static const char *const names[] = {"a.csv", "b.csv", "c.csv"};
    trace_case *part = new_case(names[m->count]);

    m->parts[m->count] = part;
    trace_case_load(part, "worldsize", text);
    cr_assert(part->is_loaded);
    m->traces[m->count] = part->trace;
    m->files[m->count] = (ws_file_name){.path = part->path, .shown = ws_text_of(names[m->count])};
    m->count++;
}

static bool merge(merge_case *m)
{
    return ws_trace_merge(
        &m->out->trace,
        &(ws_trace_parts){.traces = m->traces, .files = m->files, .count = m->count}, &m->renamed,
        &m->out->arena, &m->out->diag);
}

static void end(merge_case *m)
{
    for (size_t i = 0; i < m->count; i++) {
        end_case(m->parts[i]);
    }
    end_case(m->out);
}

static void assert_id(const merge_case *m, size_t i, const char *id)
{
    cr_assert(ws_text_is(m->out->trace.jobs[i].id, id), "job %zu is %s", i,
              m->out->trace.jobs[i].id.start);
}

/* On UTC: a arrives at 2005, b at 1005 and 2005. The origin is the earlier one, 1000. */
Test(merge, times_count_from_the_earliest_origin)
{
    merge_case m;

    begin(&m);
    add(&m, HEADER "a,5,1,10,7,2000,UTC\n");
    add(&m, HEADER "b,5,2,10,9,1000,UTC\nc,1005,4,10,,1000,UTC\n");
    cr_assert(merge(&m));
    cr_assert(eq(i64, m.renamed, 0));
    cr_assert(eq(sz, m.out->trace.count, 3));
    cr_assert(eq(int, m.out->trace.clock, WS_TRACE_CLOCK_UTC));
    cr_assert(eq(i64, m.out->trace.origin_ns, 1000 * WS_NS_PER_S));
    assert_id(&m, 0, "b");
    assert_id(&m, 1, "a"); /* arrives with c: the earlier trace first */
    assert_id(&m, 2, "c");
    const ws_trace_job *a = &m.out->trace.jobs[1];
    cr_assert(eq(i64, a->arrival_ns, 1005 * WS_NS_PER_S));
    cr_assert(eq(i64, a->attempts[0].start_ns, 1007 * WS_NS_PER_S));
    cr_assert(eq(i64, a->queue_ns, 2 * WS_NS_PER_S));
    cr_assert(ws_trace_job_is_valid(a));
    /* What was merged is untouched. */
    cr_assert(eq(i64, m.traces[0].jobs[0].attempts[0].start_ns, 7 * WS_NS_PER_S));
    end(&m);
}

/* x is in all three, and `x#2` is an id of the last one: the second x must not take it. */
Test(merge, ids_become_unique)
{
    merge_case m;

    begin(&m);
    add(&m, HEADER "x,10,1,10,,0,\n");
    add(&m, HEADER "x,0,1,10,,0,\nx,5,1,10,,0,\ny,6,1,10,,0,\n");
    add(&m, HEADER "x#2,20,1,10,,0,\nx,30,1,10,,0,\n");
    cr_assert(merge(&m));
    cr_assert(eq(i64, m.renamed, 3));
    cr_assert(eq(sz, m.out->trace.count, 6));
    assert_id(&m, 0, "x#3"); /* of b.csv: the id is a.csv's, although that job comes later */
    assert_id(&m, 1, "x#4");
    assert_id(&m, 2, "y");
    assert_id(&m, 3, "x");
    assert_id(&m, 4, "x#2");
    assert_id(&m, 5, "x#5");
    end(&m);
}

Test(merge, different_clocks_are_refused)
{
    static const struct {
        const char *zone;
        const char *message;
    } cases[] = {
        {"", "`b.csv` is on a clock of its own, `a.csv` on UTC"},
        {"US/Pacific", "`b.csv` is on a wall clock, `a.csv` on UTC"},
    };

    for (size_t i = 0; i < WS_COUNT_OF(cases); i++) {
        merge_case m;
        char text[200];

        begin(&m);
        (void)snprintf(text, sizeof text, HEADER "b,0,1,10,,0,%s\n", cases[i].zone);
        add(&m, HEADER "a,0,1,10,,0,UTC\n");
        add(&m, text);
        cr_assert(not(merge(&m)));
        cr_assert_str_eq(trace_case_message(m.out, 6148), cases[i].message);
        end(&m);
    }
    merge_case m;

    begin(&m);
    add(&m, HEADER "a,0,1,10,,0,+08:00\n");
    add(&m, HEADER "b,0,1,10,,0,US/Pacific\n");
    cr_assert(not(merge(&m)));
    cr_assert_str_eq(
        trace_case_message(m.out, 6148),
        "`b.csv` is on a wall clock of zone US/Pacific, `a.csv` on a wall clock of zone +08:00");
    end(&m);
}

/* A file without jobs has no clock to speak of. */
Test(merge, empty_traces_do_not_matter)
{
    merge_case m;

    begin(&m);
    add(&m, HEADER);
    add(&m, HEADER "b,5,1,10,,1000,UTC\n");
    cr_assert(merge(&m));
    cr_assert(eq(sz, m.out->trace.count, 1));
    cr_assert(eq(int, m.out->trace.clock, WS_TRACE_CLOCK_UTC));
    cr_assert(eq(i64, m.out->trace.origin_ns, 1000 * WS_NS_PER_S));
    end(&m);

    begin(&m);
    add(&m, HEADER);
    cr_assert(merge(&m));
    cr_assert(eq(sz, m.out->trace.count, 0));
    end(&m);
}
