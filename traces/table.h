/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * A table with a header line: its columns found by name, its rows read field by field, faults
 * counted by kind.
 *
 * Columns may stand in any order and in any case of letters; unknown ones are passed over with a
 * note. A row is read through functions that take the index of a column in the format's table and,
 * on a fault, count it with its place and return false: the reader then goes on with the next row.
 */
#ifndef WS_TRACES_TABLE_H
#define WS_TRACES_TABLE_H

#include "csv_reader.h"
#include "reading.h"
#include "runs.h"
#include "ws/number.h"

#define WS_TABLE_COLUMNS_MAX 32

/** How a table is written, and where. All zero: commas, quotes, a header line, the reading's file.
 */
typedef struct {
    ws_csv_dialect dialect;
    /** There is no header line: the columns stand in the order of the format's table, and rows have
     * no other. A first line that names the first column is a header nevertheless. */
    bool has_no_header;
    const ws_file_name *file; /* NULL: the reading's own */
} ws_table_form;

typedef struct {
    ws_trace_reading *reading;
    const ws_file_name *file;
    bool is_numbered;      /* there is no header: columns by their place */
    bool is_first_pending; /* the first record is a row that was not given out yet */
    const ws_trace_column *columns;
    size_t column_count;
    ws_csv_reader csv;
    size_t header_fields;
    char row_id[WS_NUMBER_TEXT_BYTES];
    int64_t rows;                           /* so far, the current one included */
    int32_t field_of[WS_TABLE_COLUMNS_MAX]; /* -1: the file has no such column */
    bool must_stop;                         /* a fault that concerns the whole file was reported */
} ws_table;

/**
 * Opens the reading's file and reads its header.
 *
 * @return  false with an error: no such file, an empty file (WS6100), a missing (WS6101) or doubled
 * (WS6105) column, other separators than commas (WS6106). Nothing to close then
 */
WS_NODISCARD bool ws_table_open(ws_table *table, ws_trace_reading *reading,
                                const ws_trace_column *columns, size_t count);

/** Likewise, of a table in another form; NULL: as above. */
WS_NODISCARD bool ws_table_open_as(ws_table *table, ws_trace_reading *reading,
                                   const ws_trace_column *columns, size_t count,
                                   const ws_table_form *form);

/**
 * Reads a whole table: each row becomes a job by `row`, which returns false for one that is none
 * (and has counted why).
 *
 * @param context  passed on
 */
WS_NODISCARD bool ws_table_read_jobs(ws_trace_reading *reading, const ws_trace_column *columns,
                                     size_t count, const ws_table_form *form,
                                     bool (*row)(ws_table *table, void *context, ws_trace_job *job),
                                     void *context);

/** The next row with as many fields as the header; others are counted as ragged. False at the end
 * or after an error. */
WS_NODISCARD bool ws_table_next(ws_table *table);

/** Closes. False when anything had failed. */
WS_NODISCARD bool ws_table_close(ws_table *table);

/** Line of the current row, and its number, from 1, those that were rejected counted too. */
int64_t ws_table_line(const ws_table *table);
int64_t ws_table_row(const ws_table *table);

/** The number of the current row as an id, for tables that name no jobs; valid until the next. */
ws_text ws_table_row_id(ws_table *table);

/** The job's name from a column; false with WS_TRACE_BAD_ID when it is empty. */
WS_NODISCARD bool ws_table_id(ws_table *table, size_t column, ws_text *id);

/** The job's attempts from `runs`, notes and faults counted; see ws_trace_runs_finish(). */
WS_NODISCARD bool ws_table_take_runs(ws_table *table, ws_trace_runs *runs, ws_trace_job *job);

/** The same of a single run, from start to end. Its end may be unknown. */
WS_NODISCARD bool ws_table_take_run(ws_table *table, ws_trace_runs *runs, int64_t start_ns,
                                    int64_t end_ns, ws_trace_job *job);

/** True when the file has the column. */
bool ws_table_has(const ws_table *table, size_t column);

/** A field without surrounding blanks; empty when the file has no such column. Valid until the next
 * row. */
ws_text ws_table_text(const ws_table *table, size_t column);

/**
 * Counts a finding at a field of the current row; returns false, for `return ws_table_fault(...)`.
 *
 * @param label  printf-style, for the carets; used only for the first of its kind
 */
bool ws_table_fault(ws_table *table, ws_trace_finding finding, size_t column, const char *label,
                    ...) WS_PRINTF(4, 5);

/** Counts a finding about the current row as a whole. */
void ws_table_note(ws_table *table, ws_trace_finding finding);

/* What follows reads one field. On false the finding is counted and `*value` is untouched. */

/** Seconds (or the options' unit) from 0 to a hundred years, as ns. Milliseconds by mistake stop
 * the table: WS6103. */
WS_NODISCARD bool ws_table_seconds(ws_table *table, size_t column, ws_trace_finding finding,
                                   int64_t *ns);

/**
 * `YYYY-MM-DD HH:MM:SS` of a wall clock without a zone, as ns since 1970. Milliseconds since 1970
 * stop the table: WS6103.
 */
WS_NODISCARD bool ws_table_date(ws_table *table, size_t column, ws_trace_finding finding,
                                int64_t *ns);

/** True when a field is empty or one of the spellings of nothing: None, NULL, NaN, Unknown, N/A. */
bool ws_table_is_void(const ws_table *table, size_t column);

/** A run time: likewise; 0 is WS_TRACE_NO_RUN, below 0 is WS_TRACE_ENDS_BEFORE_START. */
WS_NODISCARD bool ws_table_duration(ws_table *table, size_t column, int64_t *ns);

/** GPUs: whole, or a share where the options round shares up. 0 is WS_TRACE_NO_GPU. */
WS_NODISCARD bool ws_table_gpus(ws_table *table, size_t column, int32_t *gpus, double *gpus_frac);

/** The same of an amount that was reckoned from the field: >= 0 and finite. */
WS_NODISCARD bool ws_table_take_gpus(ws_table *table, size_t column, double asked, int32_t *gpus,
                                     double *gpus_frac);

/** A whole number from 0 to `max`; an empty field is 0. */
WS_NODISCARD bool ws_table_count(ws_table *table, size_t column, ws_trace_finding finding,
                                 int32_t max, int32_t *count);

/** True when the first line is a header, its fields separated by `separator`, that names all of
 * `names`, in any order and case. For sniffing. */
bool ws_table_header_has(ws_text head, char separator, const char *const *names, size_t count);

/** A row that is kept when it is no longer the current one. Zeroed before the first use. */
typedef struct {
    ws_text record;
    int64_t line;
    size_t field_count; /* 0 of a kept row: its faults are of the whole row */
    char *bytes;
    size_t capacity;
} ws_table_kept;

/** Keeps the current row instead of the one before. False with WS9020, and the table stops. */
WS_NODISCARD bool ws_table_keep(ws_table *table, ws_table_kept *kept);

/** A text of the current row, which was just kept, in the kept copy. Of tables without quotes. */
ws_text ws_table_kept_text(const ws_table *table, const ws_table_kept *kept, ws_text text);

/** Makes the kept row the current one for notes and faults, which then are of the row as a whole;
 * called once more, undoes that. */
void ws_table_swap(ws_table *table, ws_table_kept *kept);

/** Stops the reading with WS6103 when digits in a column of times look like Unix time in ms or us;
 * else returns true. */
WS_NODISCARD bool ws_table_check_epoch(ws_table *table, size_t column);

#endif
