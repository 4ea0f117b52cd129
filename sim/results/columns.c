/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What all dictionaries of columns have in common: finding, reading and writing by the kind of the
 * column. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "ws/assert.h"
#include "ws/record.h"

static const char *const columns_outcome_names[] = {
    [WS_JOB_OUTCOME_DONE] = "done",
    [WS_JOB_OUTCOME_CENSORED] = "censored",
};

static_assert(WS_COUNT_OF(columns_outcome_names) == WS_JOB_OUTCOME_COUNT,
              "a name for each outcome");

static const void *columns_field(const ws_column *column, const void *record)
{
    WS_ASSERT(column != NULL);
    WS_ASSERT(record != NULL);

    return (const char *)record + column->offset;
}

static double columns_f64(const void *record, size_t offset)
{
    double value = 0;

    WS_ASSERT(offset % sizeof value == 0);

    memcpy(&value, (const char *)record + offset, sizeof value);
    return value;
}

const ws_column *ws_columns_find(const ws_columns *columns, ws_text name)
{
    WS_ASSERT(columns != NULL);
    WS_ASSERT(columns->count > 0);

    for (size_t i = 0; i < columns->count; i++) {
        if (ws_text_is(name, columns->columns[i].name)) {
            return &columns->columns[i];
        }
    }
    return NULL;
}

bool ws_column_is_missing(const ws_column *column, const void *record)
{
    WS_ASSERT(column != NULL);
    WS_ASSERT(record != NULL);

    if (column->needed_offset != 0 && !isfinite(columns_f64(record, column->needed_offset))) {
        return true;
    }
    return column->kind == WS_COLUMN_F64 && !isfinite(columns_f64(record, column->offset));
}

double ws_column_value(const ws_column *column, const void *record)
{
    const void *field = columns_field(column, record);

    if (ws_column_is_missing(column, record)) {
        return (double)NAN;
    }
    switch (column->kind) {
    case WS_COLUMN_I64:
        return (double)*(const int64_t *)field;
    case WS_COLUMN_U64:
        return (double)*(const uint64_t *)field;
    case WS_COLUMN_F64:
        return *(const double *)field;
    case WS_COLUMN_BOOL:
        return *(const bool *)field ? 1 : 0;
    case WS_COLUMN_MONEY:
        return ws_money_units(*(const ws_money *)field);
    case WS_COLUMN_GPU_H:
        return ws_gpu_time_h(*(const ws_gpu_time *)field);
    case WS_COLUMN_TEXT:
    case WS_COLUMN_OUTCOME:
        break;
    }
    return (double)NAN;
}

void ws_columns_write_header(const ws_columns *columns, ws_writer *csv)
{
    WS_ASSERT(columns != NULL);
    WS_ASSERT(columns->count > 0);

    for (size_t i = 0; i < columns->count; i++) {
        ws_csv_text(csv, ws_text_of(columns->columns[i].name));
    }
    ws_csv_end_row(csv);
}

static void columns_write_outcome(ws_job_outcome outcome, ws_writer *csv)
{
    WS_ASSERT(outcome < WS_JOB_OUTCOME_COUNT);

    ws_csv_text(csv, ws_text_of(columns_outcome_names[outcome]));
}

static void columns_write_field(const ws_column *column, const void *record, ws_writer *csv)
{
    const void *field = columns_field(column, record);

    WS_ASSERT(csv != NULL);

    if (ws_column_is_missing(column, record)) {
        ws_csv_empty(csv);
        return;
    }
    switch (column->kind) {
    case WS_COLUMN_TEXT:
        ws_csv_text(csv, *(const ws_text *)field);
        break;
    case WS_COLUMN_I64:
        ws_csv_i64(csv, *(const int64_t *)field);
        break;
    case WS_COLUMN_U64:
        ws_csv_u64(csv, *(const uint64_t *)field);
        break;
    case WS_COLUMN_F64:
        ws_csv_f64(csv, *(const double *)field);
        break;
    case WS_COLUMN_BOOL:
        ws_csv_bool(csv, *(const bool *)field);
        break;
    case WS_COLUMN_MONEY:
        ws_csv_money(csv, *(const ws_money *)field);
        break;
    case WS_COLUMN_GPU_H:
        ws_csv_gpu_h(csv, *(const ws_gpu_time *)field);
        break;
    case WS_COLUMN_OUTCOME:
        columns_write_outcome(*(const ws_job_outcome *)field, csv);
        break;
    }
}

void ws_columns_write(const ws_columns *columns, const void *record, ws_writer *csv)
{
    WS_ASSERT(columns != NULL);
    WS_ASSERT(columns->count > 0);
    WS_ASSERT(record != NULL);

    for (size_t i = 0; i < columns->count; i++) {
        columns_write_field(&columns->columns[i], record, csv);
    }
    ws_csv_end_row(csv);
}
