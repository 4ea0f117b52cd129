/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every format of the list must keep, and the telling of formats apart. */
#include "trace_case.h"

Test(list, is_sorted_and_complete)
{
    cr_assert(ge(sz, ws_trace_type_count(), 2));
    for (size_t i = 0; i < ws_trace_type_count(); i++) {
        const ws_trace_type *type = ws_trace_type_at(i);

        cr_assert_str_eq(ws_trace_type_names[i], type->name);
        cr_assert(ws_trace_type_find(ws_text_of(type->name)) == type);
        cr_assert(type->summary[0] != '\0');
        cr_assert(type->sniff != NULL && type->read != NULL);
        cr_assert(i == 0 || strcmp(ws_trace_type_names[i - 1], type->name) < 0);
        cr_assert(eq(int, type->columns != NULL, type->column_count > 0));
        for (size_t column = 0; column < type->column_count; column++) {
            cr_assert(type->columns[column].name[0] != '\0');
            cr_assert(type->columns[column].help[0] != '\0');
        }
    }
    cr_assert(ws_trace_type_names[ws_trace_type_count()] == NULL);
    cr_assert(ws_trace_type_find(WS_TEXT("no such")) == NULL);
    cr_assert(ws_trace_type_find(WS_TEXT("")) == NULL);
}

/* A header of the required columns alone is a file without jobs, found by content. */
Test(list, a_header_alone_is_a_warning)
{
    for (size_t i = 0; i < ws_trace_type_count(); i++) {
        const ws_trace_type *type = ws_trace_type_at(i);
        char header[512] = "";
        trace_case c;

        if (type->column_count == 0) {
            continue; /* no table with a header */
        }
        for (size_t column = 0; column < type->column_count; column++) {
            if (type->columns[column].required) {
                strcat(header, header[0] == '\0' ? "" : ",");
                strcat(header, type->columns[column].name);
            }
        }
        trace_case_begin(&c, "list-header");
        trace_case_load(&c, NULL, header);
        cr_assert(c.is_loaded, "%s", type->name);
        cr_assert(eq(sz, c.trace.count, 0));
        cr_assert(eq(sz, c.diag.warning_count, 1));
        cr_assert_str_eq(trace_case_message(&c, 6109), "`t.csv` holds 0 jobs");
        trace_case_end(&c);
    }
}

/* Each required column in turn is left out of the header. */
Test(list, a_missing_column_is_named)
{
    for (size_t i = 0; i < ws_trace_type_count(); i++) {
        const ws_trace_type *type = ws_trace_type_at(i);

        for (size_t missing = 0; missing < type->column_count; missing++) {
            char header[512] = "x";
            char expected[128];
            trace_case c;

            if (!type->columns[missing].required) {
                continue;
            }
            for (size_t column = 0; column < type->column_count; column++) {
                if (column != missing) {
                    strcat(header, ",");
                    strcat(header, type->columns[column].name);
                }
            }
            strcat(header, "\n");
            trace_case_begin(&c, "list-missing");
            trace_case_load(&c, type->name, header);
            cr_assert(not(c.is_loaded));
            (void)snprintf(expected, sizeof expected, "column `%s` is missing",
                           type->columns[missing].name);
            cr_assert_str_eq(trace_case_message(&c, 6101), expected);
            cr_assert(eq(sz, c.diag.count, 1));
            trace_case_end(&c);
        }
    }
}

Test(list, findings_have_rows)
{
    for (int i = 0; i < WS_TRACE_FINDING_COUNT; i++) {
        const ws_trace_finding_row *row = ws_trace_finding_at((ws_trace_finding)i);

        cr_assert(row->name != NULL && row->text != NULL && row->text_one != NULL, "finding %d", i);
        cr_assert(row->code == 0 || (row->code >= 6100 && row->code < 6200));
        cr_assert(row->kind != WS_TRACE_REJECTED || row->code != 0);
        for (int j = 0; j < i; j++) {
            cr_assert(row->code == 0 ||
                      row->code != ws_trace_finding_at((ws_trace_finding)j)->code);
        }
    }
}

static void assert_format(const char *text, const char *expected)
{
    trace_case c;
    ws_file_name file = {.shown = WS_TEXT("t.csv")};

    trace_case_begin(&c, "list-sniff");
    trace_case_load(&c, NULL, text);
    file.path = c.path;
    ws_diag_init(&c.diag, &c.arena);
    const ws_trace_type *found = ws_trace_sniff(&file, &c.diag);
    if (expected == NULL) {
        cr_assert(found == NULL, "%s", text);
        cr_assert(eq(sz, c.diag.error_count, 1));
    } else {
        cr_assert(found != NULL, "%s", text);
        cr_assert_str_eq(found->name, expected);
        cr_assert(eq(sz, c.diag.count, 0));
    }
    trace_case_end(&c);
}

Test(list, formats_are_told_by_content)
{
    assert_format("timestamp,duration,num_gpus,gpu_time,cluster\n", "philly-csv");
    assert_format("\n\nNUM_GPUS , \"Timestamp\",duration\r\nx", "philly-csv");
    assert_format("\xEF\xBB\xBFid,duration_s,gpus,arrival_s", "worldsize");
    assert_format("\n [\r\n{\"vc\": 1, \"jobid\":\"a\"}", "philly-json");
    assert_format("job_id,vc,gpu_num,state,submit_time,start_time,end_time", "helios");
    assert_format("job_id,type,gpu_num,state,submit_time,start_time,end_time", "acme");
    assert_format("name,num_gpu,gpu_milli,pod_phase,creation_time,deletion_time,scheduled_time",
                  "openb");
    assert_format("job_id,num_gpu,submit_time,iterations,model_name,duration,interval", "tiresias");
    assert_format("job_name,gpu_request,worker_num,submit_time,duration,job_type", "spot-v2026");
    assert_format("4b3f04b66a525d2df903eb16,8cb3,5854,Terminated,4550879.0,4551416.0", "pai");
    assert_format("4b3f04b66a525d2df903eb1g,8cb3,5854,Terminated,4550879.0,4551416.0", NULL);
    assert_format("State|JobID|Submit|Start|End|\n", "sacct");
    assert_format("; Version: 2.2\n;\n 1 0 1 1 1 -1 -1 1 1 1 1 1 1 1 1 1 -1 -1\n", "swf");
    assert_format("1 0 1 1 1 -1 -1 1 1 1 1 1 1 1 1 1 -1\n", NULL);
    assert_format("A\tp\t.\t-n\t1\t100\t1\t1\t-1.0\t5\n", "gavel");
    assert_format("A\tp\t-n\t1\t100\t5.0\t1\n", "gavel");
    assert_format("A\tp\t.\t-n\t1\t100\t2\tgns\t1\t-1.0\t60\t0\n", "shockwave");
    assert_format("A\tp\t.\t-n\t1\t100\t2\tgns\t1\t-1.0\tx\t0\n", NULL);
    assert_format("[1, 2]\n", NULL);
    assert_format("id,duration_s,gpus\n", NULL);
    assert_format("timestamp;duration;num_gpus\n", NULL);
    assert_format("\n", NULL);
    assert_format("", NULL);
    assert_format(",,,\n", NULL);
}
