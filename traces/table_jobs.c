/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the rows of a table to jobs: what all formats of tables share. */
#include "table.h"

#include <string.h>

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
    WS_ASSERT(runs != NULL);

    const ws_trace_attempt run = {
        .start_ns = start_ns, .end_ns = end_ns, .gpus = job->gpus, .outcome = job->outcome};

    ws_trace_runs_clear(runs);
    return ws_trace_runs_add(runs, &run) && ws_table_take_runs(table, runs, job);
}

bool ws_table_keep(ws_table *table, ws_table_kept *kept)
{
    ws_text record = {.start = NULL};
    char *bytes = NULL;

    WS_ASSERT(table != NULL);
    WS_ASSERT(kept != NULL);
    record = table->csv.record;
    bytes = kept->bytes;
    if (record.length > kept->capacity) {
        bytes = ws_arena_grow(table->csv.arena, NULL, 0, record.length, &kept->capacity, 1);
    }
    if (bytes == NULL) {
        table->must_stop = true;
        return ws_diag_error(table->csv.diag, 9020, ws_span_none,
                             "not enough memory to read a trace");
    }
    memcpy(bytes, record.start, record.length);
    kept->bytes = bytes;
    kept->record = (ws_text){.start = bytes, .length = record.length};
    kept->line = table->csv.line;
    kept->field_count = 0;
    return true;
}

ws_text ws_table_kept_text(const ws_table *table, const ws_table_kept *kept, ws_text text)
{
    WS_ASSERT(kept != NULL);
    if (text.length == 0) {
        return (ws_text){.start = NULL};
    }
    size_t from = (size_t)(text.start - table->csv.record.start);

    WS_ASSERT(from + text.length <= kept->record.length);
    return ws_text_slice(kept->record, from, from + text.length);
}

void ws_table_swap(ws_table *table, ws_table_kept *kept)
{
    WS_ASSERT(table != NULL);
    WS_ASSERT(kept != NULL);

    ws_text record = table->csv.record;
    int64_t line = table->csv.line;
    size_t field_count = table->csv.field_count;
    table->csv.record = kept->record;
    table->csv.line = kept->line;
    table->csv.field_count = kept->field_count;
    kept->record = record;
    kept->line = line;
    kept->field_count = field_count;
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
