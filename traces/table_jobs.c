/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the rows of a table to jobs: what all formats of tables share. */
#include "table.h"

ws_text ws_table_row_id(ws_table *table)
{
    WS_ASSERT(table != NULL);

    return (ws_text){.start = table->row_id, .length = ws_print_i64(table->rows, table->row_id)};
}

bool ws_table_id(ws_table *table, size_t column, ws_text *id)
{
    WS_ASSERT(id != NULL);

    *id = ws_table_text(table, column);
    if (id->length == 0) {
        return ws_table_fault(table, WS_TRACE_BAD_ID, column, "%s", "");
    }
    return true;
}

bool ws_table_take_runs(ws_table *table, ws_trace_runs *runs, ws_trace_job *job)
{
    ws_trace_finding why = WS_TRACE_NO_RUN;
    ws_trace_finding found[3];

    WS_ASSERT(table != NULL);
    if (!ws_trace_runs_finish(runs, job, &why)) {
        ws_table_note(table, why);
        return false;
    }
    for (size_t i = 0, count = ws_trace_runs_findings(runs, found); i < count; i++) {
        ws_table_note(table, found[i]);
    }
    return true;
}

bool ws_table_take_run(ws_table *table, ws_trace_runs *runs, int64_t start_ns, int64_t end_ns,
                       ws_trace_job *job)
{
    const ws_trace_attempt run = {
        .start_ns = start_ns, .end_ns = end_ns, .gpus = job->gpus, .outcome = job->outcome};

    ws_trace_runs_clear(runs);
    return ws_trace_runs_add(runs, &run) && ws_table_take_runs(table, runs, job);
}

bool ws_table_read_jobs(ws_trace_reading *reading, const ws_trace_column *columns, size_t count,
                        const ws_table_form *form,
                        bool (*row)(ws_table *table, void *context, ws_trace_job *job),
                        void *context)
{
    ws_table table;
    bool is_taken = true;

    WS_ASSERT(reading != NULL);
    WS_ASSERT(row != NULL);
    if (!ws_table_open_as(&table, reading, columns, count, form)) {
        return false;
    }
    while (is_taken && ws_table_next(&table)) {
        ws_trace_job job = {.duration_ns = WS_TRACE_UNKNOWN_NS, .queue_ns = WS_TRACE_UNKNOWN_NS};

        if (row(&table, context, &job)) {
            is_taken = ws_trace_reading_take(reading, &job, ws_table_line(&table));
        }
    }
    return ws_table_close(&table) && is_taken;
}
