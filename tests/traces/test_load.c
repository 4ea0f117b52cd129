/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace_case.h"
#include "ws/trace_keys.h"

/* Keys with many ties: the order must be that of key and then of place. 7 and 101 are coprime. */
Test(load, sorting_is_stable)
{
    enum { COUNT = 1000 };
    static const char items[COUNT] = {0};
    ws_trace_key keys[COUNT];
    ws_trace_key spare[COUNT];

    for (size_t count = 0; count <= COUNT; count += 37) {
        for (size_t i = 0; i < count; i++) {
            keys[i] = (ws_trace_key){.key = (int64_t)(i * 101 % 7) - 3, .item = &items[i]};
        }
        ws_trace_keys_sort(keys, spare, count);
        for (size_t i = 1; i < count; i++) {
            cr_assert(keys[i - 1].key <= keys[i].key);
            cr_assert(keys[i - 1].key < keys[i].key ||
                      (const char *)keys[i - 1].item < (const char *)keys[i].item);
        }
    }
}

/* An allocator that fails from the Nth call on. */
typedef struct {
    int left;
} failing;

static void *failing_allocate(void *context, size_t bytes)
{
    failing *state = context;

    if (state->left == 0) {
        return NULL;
    }
    state->left--;
    return malloc(bytes);
}

static void failing_release(void *context, void *memory, size_t bytes)
{
    (void)context;
    (void)bytes;
    free(memory);
}

/* Every allocation of a load fails once: no crash, no leak, and false with an error. */
Test(load, every_allocation_may_fail)
{
    char text[8192] = "id,arrival_s,gpus,duration_s,user,attempts\n";
    trace_case c;
    bool is_loaded = false;

    for (int i = 0; i < 50; i++) {
        (void)snprintf(text + strlen(text), sizeof text - strlen(text),
                       "\"job \"\"%d\n\",%d,1,10,user%d,%d..%d:failed\n", i, i, i % 5, i, i + 10);
    }
    trace_case_begin(&c, "load-failing");
    trace_case_load(&c, NULL, text);
    cr_assert(c.is_loaded);
    cr_assert(eq(sz, c.trace.count, 50));
    for (int allowed = 0; !is_loaded; allowed++) {
        failing state = {.left = allowed};
        ws_allocator allocator = {
            .context = &state, .allocate = failing_allocate, .release = failing_release};
        ws_file_name file = {.path = c.path, .shown = WS_TEXT("t.csv")};
        ws_trace_report report = {.rows_read = 0};
        ws_trace trace = {.count = 77};
        ws_arena arena;
        ws_arena diag_arena;
        ws_diag diag;

        ws_arena_init(&arena, &allocator, (size_t)1 << 30);
        ws_arena_init(&diag_arena, &allocator, (size_t)1 << 30);
        ws_diag_init(&diag, &diag_arena);
        is_loaded = ws_trace_load(&trace, &file, &c.options, &report, &arena, &diag);
        cr_assert(eq(sz, trace.count, is_loaded ? 50 : 77));
        cr_assert(eq(int, ws_diag_has_errors(&diag), !is_loaded));
        cr_assert(lt(int, allowed, 1000));
        ws_arena_reset(&arena);
        ws_arena_reset(&diag_arena);
    }
    trace_case_end(&c);
}

typedef struct {
    int taken;
    int limit;
    int64_t last_line;
} counting;

static bool counting_take(void *context, const ws_trace_job *job, int64_t line)
{
    counting *state = context;

    cr_assert(ws_trace_job_is_valid(job));
    state->taken++;
    state->last_line = line;
    return state->taken < state->limit;
}

Test(load, a_sink_may_stop)
{
    trace_case c;
    counting state = {.limit = 2};
    ws_trace_about about;

    trace_case_begin(&c, "load-stop");
    trace_case_load(&c, NULL, "id,arrival_s,gpus,duration_s\na,0,1,1\n\"b\nb\",0,1,1\nc,0,1,1\n");
    cr_assert(c.is_loaded);
    c.report = (ws_trace_report){.rows_read = 0};

    ws_file_name file = {.path = c.path, .shown = WS_TEXT("t.csv")};
    ws_trace_sink sink = {.context = &state, .take = counting_take};
    cr_assert(not(ws_trace_read(&file, &c.options, sink, &about, &c.report, &c.diag)));
    cr_assert(eq(int, state.taken, 2));
    cr_assert(eq(i64, state.last_line, 3));

    state = (counting){.limit = 100};
    cr_assert(ws_trace_read(&file, &c.options, sink, &about, &c.report, &c.diag));
    cr_assert(eq(int, state.taken, 3));
    cr_assert(eq(i64, state.last_line, 5));
    cr_assert(eq(int, about.clock, WS_TRACE_CLOCK_OWN));
    /* a report may be shared: two rows of the stopped reading, three of the other */
    cr_assert(eq(i64, c.report.rows_read, 5));
    trace_case_end(&c);
}

/* 60,000 rows in one order and the other are the same trace. */
Test(load, order_of_rows_does_not_matter)
{
    enum { ROWS = 60000 };
    char *text = malloc(ROWS * 32 + 64);
    trace_case forward;
    trace_case backward;
    size_t length = (size_t)sprintf(text, "id,arrival_s,gpus,duration_s\n");
    size_t header = length;

    cr_assert(text != NULL);
    for (int i = 0; i < ROWS; i++) {
        length += (size_t)sprintf(text + length, "j%d,%d,1,5\n", i, i);
    }
    trace_case_begin(&forward, "load-forward");
    trace_case_load_bytes(&forward, NULL, text, length);
    length = header;
    for (int i = ROWS - 1; i >= 0; i--) {
        length += (size_t)sprintf(text + length, "j%d,%d,1,5\n", i, i);
    }
    trace_case_begin(&backward, "load-backward");
    trace_case_load_bytes(&backward, NULL, text, length);
    cr_assert(forward.is_loaded && backward.is_loaded);
    cr_assert(eq(sz, backward.trace.count, ROWS));
    for (size_t i = 0; i < ROWS; i++) {
        cr_assert(ws_trace_job_equals(&forward.trace.jobs[i], &backward.trace.jobs[i], true));
    }
    cr_assert(eq(i64, backward.report.found[WS_TRACE_UNSORTED].count, ROWS - 1));
    cr_assert(eq(i64, forward.report.found[WS_TRACE_UNSORTED].count, 0));
    trace_case_end(&forward);
    trace_case_end(&backward);
    free(text);
}
