/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace_case.h"
#include "ws/trace_profile.h"

typedef bool (*rows_reader)(ws_trace_profile *profile, const ws_file_name *file, ws_arena *arena,
                            ws_diag *diag);

static ws_file_name case_file(const trace_case *c)
{
    return (ws_file_name){.path = c->path, .shown = WS_TEXT("t.csv")};
}

static void case_write(const trace_case *c, const char *text)
{
    FILE *file = fopen(c->path, "wb");

    cr_assert(file != NULL);
    cr_assert(fputs(text, file) >= 0);
    cr_assert(fclose(file) == 0);
}

/* Lines of the files less their headers: 864 and 288. Their first rows are
 *   1,20,0.14740917682647706,... and 6,6,20,0.3874239444732666,... */
Test(pollux_profile, imagenet_has_its_rows)
{
    char path[4096];
    trace_case c;
    ws_trace_profile profile = {.count = 0};
    int64_t iterations = 0;

    if (ws_test_shared("data/pollux/profiles/imagenet/placements.csv", path, sizeof path) == NULL) {
        cr_skip_test();
    }
    trace_case_begin(&c, "profile-imagenet");
    ws_file_name file = {.path = path, .shown = WS_TEXT("placements.csv")};
    cr_assert(ws_trace_profile_read_placements(&profile, &file, &c.arena, &c.diag));
    cr_assert(eq(sz, profile.count, 864));
    cr_assert(eq(i32, profile.rows[0].nodes, 1));
    cr_assert(eq(i32, profile.rows[0].gpus, 1));
    cr_assert(eq(i32, profile.rows[0].local_batch, 20));
    cr_assert(eq(dbl, profile.rows[0].step_s, 0.14740917682647706));
    cr_assert(eq(dbl, profile.rows[0].sync_s, 0.0012090879917144776));

    (void)ws_test_shared("data/pollux/profiles/imagenet/scalability.csv", path, sizeof path);
    cr_assert(ws_trace_profile_read_scalability(&profile, &file, &c.arena, &c.diag));
    cr_assert(eq(sz, profile.count, 864 + 288));
    cr_assert(eq(i32, profile.rows[864].nodes, 6));
    cr_assert(eq(i32, profile.rows[864].gpus, 6));
    cr_assert(eq(dbl, profile.rows[864].step_s, 0.3874239444732666));

    /* the last row of the file: 576527.498341411,42123,0.7493,... */
    (void)ws_test_shared("data/pollux/profiles/imagenet/validation-3200.csv", path, sizeof path);
    cr_assert(ws_trace_profile_read_iterations(&iterations, &file, &c.diag));
    cr_assert(eq(i64, iterations, 42123));
    cr_assert(eq(sz, c.diag.count, 0));
    trace_case_end(&c);
}

/* 1142 are 1 + 1 + 4 + 2 = 8 GPUs on four nodes. */
Test(pollux_profile, a_digit_is_a_node)
{
    trace_case c;
    ws_trace_profile profile = {.count = 0};
    ws_file_name file;

    trace_case_begin(&c, "profile-digits");
    file = case_file(&c);
    case_write(&c, "step_time,placement,local_bsz\n1.5,1142,8\n2,9,16\n");
    cr_assert(ws_trace_profile_read_placements(&profile, &file, &c.arena, &c.diag));
    cr_assert(eq(sz, profile.count, 2));
    cr_assert(eq(i32, profile.rows[0].nodes, 4));
    cr_assert(eq(i32, profile.rows[0].gpus, 8));
    cr_assert(eq(i32, profile.rows[0].local_batch, 8));
    cr_assert(eq(dbl, profile.rows[0].step_s, 1.5));
    cr_assert(eq(dbl, profile.rows[0].sync_s, -1)); /* no such column */
    cr_assert(eq(i32, profile.rows[1].nodes, 1));
    cr_assert(eq(i32, profile.rows[1].gpus, 9));
    trace_case_end(&c);
}

static void assert_refused(rows_reader read, const char *text, int code, int column)
{
    trace_case c;
    ws_trace_profile profile = {.count = 0};
    ws_file_name file;

    trace_case_begin(&c, "profile-refused");
    file = case_file(&c);
    case_write(&c, text);
    cr_assert(not(read(&profile, &file, &c.arena, &c.diag)), "%s", text);
    cr_assert(eq(sz, c.diag.error_count, 1), "%s", text);
    cr_assert(trace_case_find(&c, code) != NULL, "%s: WS%d", text, c.diag.entries[0].code);
    if (column > 0) {
        cr_assert(eq(int, trace_case_line(&c, code), 3), "%s", text);
        cr_assert(eq(int, trace_case_column(&c, code), column), "%s", text);
    }
    trace_case_end(&c);
}

/* The second row is the bad one; the number is the column at which it is said. */
Test(pollux_profile, a_bad_row_refuses_the_placements)
{
    static const struct {
        const char *row;
        int column;
    } rows[] = {{"102,8,1", 1}, {",8,1", 1},      {"1a,8,1", 1},     {"-1,8,1", 1},
                {"1,0,1", 3},   {"1,-8,1", 3},    {"1,8.5,1", 3},    {"1,1000000001,1", 3},
                {"1,,1", 3},    {"1,8,0", 5},     {"1,8,-1", 5},     {"1,8,nan", 5},
                {"1,8,inf", 5}, {"1,8,1e300", 5}, {"1,8,1e-300", 5}, {"1,8,", 5}};

    for (size_t i = 0; i < WS_COUNT_OF(rows); i++) {
        char text[200];

        (void)snprintf(text, sizeof text, "placement,local_bsz,step_time\n1,8,1\n%s\n",
                       rows[i].row);
        assert_refused(ws_trace_profile_read_placements, text, 6130, rows[i].column);
    }
    assert_refused(ws_trace_profile_read_placements, "placement,local_bsz,step_time\n1,8\n", 6110,
                   0);
    assert_refused(ws_trace_profile_read_placements, "placement,local_bsz,step_time\n", 6131, 0);
    assert_refused(ws_trace_profile_read_placements, "placement,local_bsz\n1,8\n", 6101, 0);
    assert_refused(ws_trace_profile_read_placements, "", 6100, 0);
}

Test(pollux_profile, a_bad_row_refuses_the_scalability)
{
    static const struct {
        const char *row;
        int column;
    } rows[] = {{"0,8,8,1", 1}, {"x,8,8,1", 1}, {"1000001,1000001,8,1", 1},
                {"2,1,8,1", 3}, {"2,0,8,1", 3}, {"2,10000001,8,1", 3},
                {"2,8,0,1", 5}, {"2,8,8,no", 7}};

    for (size_t i = 0; i < WS_COUNT_OF(rows); i++) {
        char text[200];

        (void)snprintf(text, sizeof text,
                       "num_nodes,num_replicas,local_bsz,step_time\n2,8,8,1\n%s\n", rows[i].row);
        assert_refused(ws_trace_profile_read_scalability, text, 6130, rows[i].column);
    }
}

static bool read_iterations(ws_trace_profile *profile, const ws_file_name *file, ws_arena *arena,
                            ws_diag *diag)
{
    int64_t iterations = -1;
    bool is_read = ws_trace_profile_read_iterations(&iterations, file, diag);

    (void)profile;
    (void)arena;
    cr_assert(is_read || iterations == -1);
    return is_read;
}

Test(pollux_profile, iterations_are_counted_up)
{
    static const char *const rows[] = {"9", "0", "-1", "10.5", "1e16", "nan", "", "x"};
    trace_case c;
    ws_file_name file;
    int64_t iterations = 0;

    for (size_t i = 0; i < WS_COUNT_OF(rows); i++) {
        char text[200];

        (void)snprintf(text, sizeof text, "iteration,progress\n10,1\n%s,2\n", rows[i]);
        assert_refused(read_iterations, text, 6130, 1);
    }
    trace_case_begin(&c, "profile-iterations");
    file = case_file(&c);
    case_write(&c, "progress,iteration\n1.5,10\n2,10\n3,1.2e3\n");
    cr_assert(ws_trace_profile_read_iterations(&iterations, &file, &c.diag));
    cr_assert(eq(i64, iterations, 1200));
    trace_case_end(&c);
}
