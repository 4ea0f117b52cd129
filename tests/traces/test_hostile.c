/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every format must say of a file that nobody meant to write, in one table. */
#include <zlib.h>

#include "trace_case.h"

#define OPENB "name,num_gpu,gpu_milli,pod_phase,creation_time,deletion_time,scheduled_time"
#define SACCT "JobID|State|Submit|Start|End|AllocTRES"
#define HELIOS "job_id,vc,gpu_num,state,submit_time,start_time,end_time"
#define SWF "1 0 0 60 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1"
#define PHILLY                                                                                     \
    "[{\"jobid\":\"a\",\"submitted_time\":\"2017-10-09 07:00:00\",\"attempts\":[{\"start_time\":"  \
    "\"2017-10-09 07:00:00\",\"end_time\":\"2017-10-09 07:01:00\",\"detail\":[{\"gpus\":[0]}]}]}]"

/* One job in each; line ends are put in by the test. */
static const struct {
    const char *type;
    const char *lines[2];
} hostile_files[] = {
    {"openb", {OPENB, "a,1,1000,Failed,10,20,12"}},
    {"sacct",
     {SACCT, "1|FAILED|2025-02-03T08:00:00|2025-02-03T08:00:10|2025-02-03T08:01:10|gres/gpu=1"}},
    {"helios",
     {HELIOS, "1,v,1,FAILED,2020-06-09 18:00:00,2020-06-09 18:00:10,2020-06-09 18:01:10"}},
    {"swf", {"; a comment", SWF}},
    {"tiresias", {"job_id,num_gpu,submit_time,duration,model_name", "1,8,0,60,vgg"}},
    {"shockwave",
     {"A\tp\t.\t-n\t1\t1\t1\tgns\t1\t-1\t60\t0", "B\tp\t.\t-n\t1\t1\t1\tgns\t1\t-1\t60\t0"}},
    {"philly-json", {"", PHILLY}},
};

/* Marks, line ends of all systems, blank lines, no line end at the end: the same jobs. */
Test(hostile, marks_and_line_ends)
{
    static const char *const ends[] = {"\n", "\r\n", "\r", "\n\n"};

    for (size_t i = 0; i < WS_COUNT_OF(hostile_files); i++) {
        for (size_t end = 0; end < WS_COUNT_OF(ends); end++) {
            char text[1024];
            trace_case c;

            (void)snprintf(text, sizeof text, "\xEF\xBB\xBF%s%s%s%s", hostile_files[i].lines[0],
                           ends[end], hostile_files[i].lines[1], end % 2 == 0 ? "" : ends[end]);
            trace_case_begin(&c, "hostile-ends");
            trace_case_load(&c, NULL, text);
            cr_assert(c.is_loaded, "%s, end %zu", hostile_files[i].type, end);
            cr_assert(ge(sz, c.trace.count, 1), "%s, end %zu", hostile_files[i].type, end);
            cr_assert(eq(sz, c.diag.count, 0), "%s, end %zu", hostile_files[i].type, end);
            trace_case_end(&c);
        }
    }
}

Test(hostile, nul_bytes_and_empty_files)
{
    for (size_t i = 0; i < WS_COUNT_OF(hostile_files); i++) {
        char text[1024];
        int length = snprintf(text, sizeof text, "%s\n%s\n", hostile_files[i].lines[0],
                              hostile_files[i].lines[1]);
        bool is_json = strcmp(hostile_files[i].type, "philly-json") == 0;
        trace_case c;

        text[length - 1] = '\0';
        trace_case_begin(&c, "hostile-nul");
        trace_case_load_bytes(&c, hostile_files[i].type, text, (size_t)length);
        cr_assert(not(c.is_loaded), "%s", hostile_files[i].type);
        cr_assert(eq(sz, c.diag.error_count, 1), "%s", hostile_files[i].type);
        cr_assert_str_eq(trace_case_message(&c, is_json ? 1606 : 9010),
                         is_json ? "text stands behind the value of the file"
                                 : "a NUL byte: this is no text file");
        cr_assert(eq(int, trace_case_line(&c, is_json ? 1606 : 9010), 2));
        trace_case_end(&c);

        trace_case_begin(&c, "hostile-empty");
        trace_case_load(&c, hostile_files[i].type, "");
        cr_assert(not(c.is_loaded));
        cr_assert_str_eq(trace_case_message(&c, 6100), "`t.csv` is empty");
        cr_assert(eq(sz, c.diag.count, 1), "%s", hostile_files[i].type);
        trace_case_end(&c);
    }
}

/* Writes a file as gzip, less its last `cut` bytes. */
static void write_gzip(const trace_case *c, const char *text, long cut)
{
    gzFile packed = gzopen(c->path, "wb");
    static char bytes[8192];
    FILE *file = NULL;
    size_t length = 0;

    cr_assert(packed != NULL);
    cr_assert(gzputs(packed, text) > 0);
    cr_assert(gzclose(packed) == Z_OK);
    file = fopen(c->path, "rb");
    cr_assert(file != NULL);
    length = fread(bytes, 1, sizeof bytes, file);
    cr_assert(fclose(file) == 0);
    cr_assert(gt(long, (long)length, cut));
    file = fopen(c->path, "wb");
    cr_assert(file != NULL);
    cr_assert(fwrite(bytes, 1, length - (size_t)cut, file) == length - (size_t)cut);
    cr_assert(fclose(file) == 0);
}

/* Packed files are read as they are; of one that is cut off nothing is used, and that alone is
 * told. */
Test(hostile, packed_files_whole_and_cut)
{
    for (size_t i = 0; i < WS_COUNT_OF(hostile_files); i++) {
        char text[1024];
        trace_case c;

        (void)snprintf(text, sizeof text, "%s\n%s\n", hostile_files[i].lines[0],
                       hostile_files[i].lines[1]);
        trace_case_begin(&c, "hostile-gzip");
        write_gzip(&c, text, 0);
        trace_case_load_path(&c, NULL, c.path);
        cr_assert(c.is_loaded, "%s", hostile_files[i].type);
        cr_assert(ge(sz, c.trace.count, 1));
        trace_case_end(&c);

        trace_case_begin(&c, "hostile-gzip");
        write_gzip(&c, text, 12);
        trace_case_load_path(&c, hostile_files[i].type, c.path);
        cr_assert(not(c.is_loaded), "%s", hostile_files[i].type);
        cr_assert(eq(sz, c.diag.error_count, 1), "%s", hostile_files[i].type);
        cr_assert(trace_case_find(&c, 6003) != NULL, "%s", hostile_files[i].type);
        cr_assert(eq(sz, c.trace.count, 0));
        trace_case_end(&c);
    }
}

/* A line beyond 1 MiB; in JSON a text beyond 64 KiB. */
Test(hostile, long_lines)
{
    static char text[3 << 20];

    for (size_t i = 0; i < WS_COUNT_OF(hostile_files); i++) {
        bool is_json = strcmp(hostile_files[i].type, "philly-json") == 0;
        int length = is_json ? snprintf(text, sizeof text, "[{\"jobid\":\"")
                             : snprintf(text, sizeof text, "%s\n", hostile_files[i].lines[0]);
        trace_case c;

        memset(text + length, 'x', (size_t)2 << 20);
        trace_case_begin(&c, "hostile-long");
        trace_case_load_bytes(&c, hostile_files[i].type, text, (size_t)length + ((size_t)2 << 20));
        cr_assert(not(c.is_loaded), "%s", hostile_files[i].type);
        cr_assert(eq(sz, c.diag.error_count, 1), "%s", hostile_files[i].type);
        cr_assert_str_eq(trace_case_message(&c, is_json ? 9005 : 9010),
                         is_json ? "a text is longer than 64 KiB"
                                 : "line 2 of `t.csv` is longer than 1 MiB");
        trace_case_end(&c);
    }
}

/* Unix milliseconds in every column of arrivals. */
Test(hostile, milliseconds)
{
    static const struct {
        const char *type;
        const char *text;
        const char *message;
    } cases[] = {
        {"openb", OPENB "\na,1,1000,Failed,1767225600000,1767225600001,1767225600002\n",
         "`creation_time` looks like milliseconds (as seconds, year 57971)"},
        {"sacct", SACCT "\n1|FAILED|1767225600000|1767225600000|1767225600000|gres/gpu=1\n",
         "`Submit` looks like milliseconds (as seconds, year 57971)"},
        {"swf", "1 1767225600000 0 60 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n",
         "`submit_time` looks like milliseconds (as seconds, year 57971)"},
        {"tiresias", "job_id,num_gpu,submit_time,duration,model_name\n1,8,1767225600000,60,vgg\n",
         "`submit_time` looks like milliseconds (as seconds, year 57971)"},
    };

    for (size_t i = 0; i < WS_COUNT_OF(cases); i++) {
        trace_case c;

        trace_case_begin(&c, "hostile-ms");
        trace_case_load(&c, NULL, cases[i].text);
        cr_assert(not(c.is_loaded), "%s", cases[i].type);
        cr_assert_str_eq(trace_case_message(&c, 6103), cases[i].message);
        trace_case_end(&c);
    }
}

/* Repeated ids are kept and told; rows out of order are sorted, equal arrivals stay as they stand.
 */
Test(hostile, repeated_ids_and_rows_out_of_order)
{
    trace_case c;

    trace_case_begin(&c, "hostile-order");
    trace_case_load(&c, NULL,
                    OPENB "\nb,1,1000,Failed,30,50,40\na,1,1000,Failed,20,50,40\n"
                          "b,2,1000,Failed,20,50,40\n");
    cr_assert(c.is_loaded);
    cr_assert(eq(sz, c.trace.count, 3));
    cr_assert(ws_text_is(c.trace.jobs[0].id, "a"));
    cr_assert(eq(i32, c.trace.jobs[1].gpus, 2));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_UNSORTED), 1));
    cr_assert_str_eq(trace_case_message(&c, 6124), "1 of 3 rows repeats an id of an earlier row");
    cr_assert(eq(int, trace_case_line(&c, 6124), 4));
    trace_case_end(&c);
}

/* Rejected rows with their file, line and reason; rows without a GPU are none of them. */
Test(hostile, rejected_rows_are_listed)
{
    trace_case c;
    ws_writer list;

    trace_case_begin(&c, "hostile-rejects");
    ws_writer_init_memory(&list, &c.arena);
    ws_trace_rejects_begin(&list);
    c.options.rejects = &list;
    trace_case_load(&c, NULL,
                    OPENB "\n=a,1,1000,Failed,NaN,50,40\nb,0,0,Failed,20,50,40\nc,1\n"
                          "\"d\"x,1,1000,Failed,20,50,40\ne,1,1000,Failed,20,50,40\n");
    cr_assert(c.is_loaded);
    cr_assert(eq(sz, c.trace.count, 1));
    cr_assert(ws_text_is(ws_writer_text(&list),
                         "file,line,code,reason,detail,row\n"
                         "t.csv,2,WS6113,bad_time,`NaN` is no number,"
                         "\"'=a,1,1000,Failed,NaN,50,40\"\n"
                         "t.csv,4,WS6110,ragged,\"2 fields, the header has 7\",\"c,1\"\n"
                         "t.csv,5,WS6111,bad_quotes,,\"\"\"d\"\"x,1,1000,Failed,20,50,40\"\n"));
    cr_assert(ws_writer_finish(&list, &c.diag));
    trace_case_end(&c);
}
