/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The three tables of a profile. They are read as traces are, but strictly: the first value that
 * cannot be used ends the reading with an error at its place.
 */
#include "ws/trace_profile.h"

#include <math.h>

#include "table.h"
#include "ws/number.h"

#define PROFILE_BUFFER_BYTES ((size_t)16 << 20) /* of one file's lines and fields */
#define PROFILE_COUNT_MAX 9007199254740992.0    /* 2^53 */

/** A table that is being read, with what its parts need. */
typedef struct {
    ws_table table;
    ws_trace_reading reading;
    ws_trace_options options;
    ws_trace_report report;
    ws_arena scratch;
    bool is_sound;
} profile_reader;

/* An error at a field of the current row; ends the reading. */
static bool profile_fault(profile_reader *reader, size_t column, const char *expected)
{
    ws_table *table = &reader->table;
    ws_diagnostic diagnostic = {.severity = WS_SEVERITY_ERROR, .code = 6130};

    reader->is_sound = false;
    diagnostic.message = ws_arena_format(reader->reading.diag->arena,
                                         "a profile has a row whose `%s` cannot be used",
                                         table->columns[column].name);
    diagnostic.at = ws_csv_reader_span(&table->csv, (size_t)table->field_of[column]);
    diagnostic.label = ws_text_of(expected);
    ws_diag_add(reader->reading.diag, &diagnostic);
    return false;
}

static bool profile_open(profile_reader *reader, const ws_file_name *file,
                         const ws_trace_column *columns, size_t count, ws_diag *diag)
{
    *reader = (profile_reader){.options = {.strict = true}, .is_sound = true};
    ws_arena_init(&reader->scratch, &diag->arena->allocator, PROFILE_BUFFER_BYTES);
    reader->reading = (ws_trace_reading){.file = file,
                                         .options = &reader->options,
                                         .report = &reader->report,
                                         .arena = &reader->scratch,
                                         .diag = diag};
    if (!ws_table_open(&reader->table, &reader->reading, columns, count)) {
        ws_arena_reset(&reader->scratch);
        return false;
    }
    return true;
}

/* Tells of rows with too few fields or bad quotes, and of a table without rows. */
static bool profile_close(profile_reader *reader)
{
    const ws_file_name *file = reader->reading.file;
    ws_diag *diag = reader->reading.diag;
    bool is_read = ws_table_close(&reader->table) && reader->is_sound;

    ws_trace_report_tell(&reader->report, true, diag);
    ws_arena_reset(&reader->scratch);
    if (!is_read || ws_trace_report_rejected(&reader->report) > 0) {
        return false;
    }
    return reader->report.rows_read > 0 ||
           ws_diag_error(diag, 6131, file->at, "`%.*s` holds no measurement",
                         WS_TEXT_ARGS(file->shown));
}

/* A time of a step: from a nanosecond to 10^7 s, four months. */
static bool profile_step(profile_reader *reader, size_t column, double *step_s)
{
    double read = 0;

    if (!ws_parse_f64(ws_table_text(&reader->table, column), &read) || read < 1e-9 || read > 1e7) {
        return profile_fault(reader, column, "expected seconds above 0");
    }
    *step_s = read;
    return true;
}

/* What of a step was synchronisation; -1 where there is no such column. */
static bool profile_sync(profile_reader *reader, size_t column, ws_trace_profile_row *row)
{
    row->sync_s = -1;
    if (!ws_table_has(&reader->table, column)) {
        return true;
    }
    if (!ws_parse_f64(ws_table_text(&reader->table, column), &row->sync_s) || row->sync_s < 0 ||
        row->sync_s >= row->step_s) {
        return profile_fault(reader, column, "expected seconds below those of the step");
    }
    return true;
}

/* A whole number from 1 to `max`. */
static bool profile_count(profile_reader *reader, size_t column, int32_t max, int32_t *count)
{
    int64_t read = 0;

    if (!ws_parse_i64(ws_table_text(&reader->table, column), &read) || read < 1 || read > max) {
        return profile_fault(reader, column, "expected a whole number above 0");
    }
    *count = (int32_t)read;
    return true;
}

static bool profile_add(profile_reader *reader, ws_trace_profile *profile,
                        const ws_trace_profile_row *row, ws_arena *arena)
{
    const ws_file_name *file = reader->reading.file;

    if (profile->count == profile->capacity) {
        void *grown = ws_arena_grow(arena, profile->rows, profile->count, profile->count + 1,
                                    &profile->capacity, sizeof *profile->rows);
        profile->rows = grown != NULL ? grown : profile->rows;
        reader->is_sound = grown != NULL;
    }
    if (!reader->is_sound || profile->count == WS_TRACE_PROFILE_ROWS_MAX) {
        reader->is_sound = false;
        return ws_diag_error(reader->reading.diag, 9020, file->at,
                             "`%.*s` holds more measurements than memory allows",
                             WS_TEXT_ARGS(file->shown));
    }
    profile->rows[profile->count++] = *row;
    return true;
}

/* A file whose rows are measurements. */
typedef struct {
    const ws_trace_column *columns;
    size_t column_count;
    bool (*read_row)(profile_reader *reader, ws_trace_profile_row *row);
} profile_format;

/* Adds the rows of a file to a profile. */
static bool profile_read(ws_trace_profile *profile, const ws_file_name *file,
                         const profile_format *format, ws_arena *arena, ws_diag *diag)
{
    profile_reader reader;
    ws_trace_profile_row row = {.nodes = 0};

    WS_ASSERT(profile != NULL);
    WS_ASSERT(arena != NULL);
    if (!profile_open(&reader, file, format->columns, format->column_count, diag)) {
        return false;
    }
    while (reader.is_sound && ws_table_next(&reader.table)) {
        bool is_read =
            format->read_row(&reader, &row) && profile_add(&reader, profile, &row, arena);
        WS_ASSERT(is_read == reader.is_sound);
    }
    return profile_close(&reader);
}

/* ---- placements.csv ---- */

enum { PLACEMENT_DIGITS, PLACEMENT_LOCAL, PLACEMENT_STEP, PLACEMENT_SYNC };

static const ws_trace_column placement_columns[] = {
    [PLACEMENT_DIGITS] = {"placement", "", true, "one digit a node: its GPUs"},
    [PLACEMENT_LOCAL] = {"local_bsz", "1", true, "samples of one GPU"},
    [PLACEMENT_STEP] = {"step_time", "s", true, "time of a step"},
    [PLACEMENT_SYNC] = {"sync_time", "s", false, "of it, in synchronisation"},
};

static bool placement_digits(profile_reader *reader, ws_trace_profile_row *row)
{
    ws_text text = ws_table_text(&reader->table, PLACEMENT_DIGITS);

    row->nodes = 0;
    row->gpus = 0;
    if (text.length == 0 || text.length > 1000) {
        return profile_fault(reader, PLACEMENT_DIGITS, "expected one digit for each node");
    }
    for (size_t i = 0; i < text.length; i++) {
        if (text.start[i] < '1' || text.start[i] > '9') {
            return profile_fault(reader, PLACEMENT_DIGITS, "expected digits from 1 to 9");
        }
        row->nodes++;
        row->gpus += text.start[i] - '0';
    }
    return true;
}

static bool placement_row(profile_reader *reader, ws_trace_profile_row *row)
{
    return placement_digits(reader, row) &&
           profile_count(reader, PLACEMENT_LOCAL, WS_TRACE_BATCH_MAX, &row->local_batch) &&
           profile_step(reader, PLACEMENT_STEP, &row->step_s) &&
           profile_sync(reader, PLACEMENT_SYNC, row);
}

bool ws_trace_profile_read_placements(ws_trace_profile *profile, const ws_file_name *file,
                                      ws_arena *arena, ws_diag *diag)
{
    static const profile_format format = {placement_columns, WS_COUNT_OF(placement_columns),
                                          placement_row};

    return profile_read(profile, file, &format, arena, diag);
}

/* ---- scalability.csv ---- */

enum {
    SCALABILITY_NODES,
    SCALABILITY_REPLICAS,
    SCALABILITY_LOCAL,
    SCALABILITY_STEP,
    SCALABILITY_SYNC
};

static const ws_trace_column scalability_columns[] = {
    [SCALABILITY_NODES] = {"num_nodes", "1", true, "nodes"},
    [SCALABILITY_REPLICAS] = {"num_replicas", "1", true, "GPUs of all nodes"},
    [SCALABILITY_LOCAL] = {"local_bsz", "1", true, "samples of one GPU"},
    [SCALABILITY_STEP] = {"step_time", "s", true, "time of a step"},
    [SCALABILITY_SYNC] = {"sync_time", "s", false, "of it, in synchronisation"},
};

static bool scalability_size(profile_reader *reader, ws_trace_profile_row *row)
{
    if (!profile_count(reader, SCALABILITY_NODES, WS_TRACE_PROFILE_NODES_MAX, &row->nodes) ||
        !profile_count(reader, SCALABILITY_REPLICAS, WS_TRACE_GPUS_MAX, &row->gpus)) {
        return false;
    }
    return row->gpus >= row->nodes ||
           profile_fault(reader, SCALABILITY_REPLICAS, "fewer GPUs than nodes");
}

static bool scalability_row(profile_reader *reader, ws_trace_profile_row *row)
{
    return scalability_size(reader, row) &&
           profile_count(reader, SCALABILITY_LOCAL, WS_TRACE_BATCH_MAX, &row->local_batch) &&
           profile_step(reader, SCALABILITY_STEP, &row->step_s) &&
           profile_sync(reader, SCALABILITY_SYNC, row);
}

bool ws_trace_profile_read_scalability(ws_trace_profile *profile, const ws_file_name *file,
                                       ws_arena *arena, ws_diag *diag)
{
    static const profile_format format = {scalability_columns, WS_COUNT_OF(scalability_columns),
                                          scalability_row};

    return profile_read(profile, file, &format, arena, diag);
}

/* ---- validation-BATCH.csv ---- */

static const ws_trace_column validation_columns[] = {
    {"iteration", "1", true, "steps so far"}, {"progress", "1", false, "not used"},
    {"metric", "", false, "not used"},        {"grad_sqr", "", false, "not used"},
    {"grad_var", "", false, "not used"},
};

/* Steps so far, as an integer or as the text of a double that is one. */
static bool validation_iteration(profile_reader *reader, int64_t *iteration)
{
    double read = 0;

    if (!ws_parse_f64(ws_table_text(&reader->table, 0), &read) || read < 1 ||
        read > PROFILE_COUNT_MAX || read > floor(read)) {
        return profile_fault(reader, 0, "expected a whole number of steps");
    }
    if ((int64_t)read < *iteration) {
        return profile_fault(reader, 0, "fewer steps than in the row above");
    }
    *iteration = (int64_t)read;
    return true;
}

bool ws_trace_profile_read_iterations(int64_t *iterations, const ws_file_name *file, ws_diag *diag)
{
    profile_reader reader;
    int64_t last = 0;

    WS_ASSERT(iterations != NULL);
    if (!profile_open(&reader, file, validation_columns, WS_COUNT_OF(validation_columns), diag)) {
        return false;
    }
    while (reader.is_sound && ws_table_next(&reader.table)) {
        bool is_read = validation_iteration(&reader, &last);
        WS_ASSERT(is_read == reader.is_sound);
    }
    if (!profile_close(&reader)) {
        return false;
    }
    *iterations = last;
    return true;
}

/* ---- its gradient statistics ---- */

enum { NOISE_PROGRESS, NOISE_SQR, NOISE_VAR };

static const ws_trace_column noise_columns[] = {
    [NOISE_PROGRESS] = {"progress", "1", true, "steps at the base batch so far"},
    [NOISE_SQR] = {"grad_sqr", "1", true, "square of the gradient"},
    [NOISE_VAR] = {"grad_var", "1", true, "its variance"},
    {"iteration", "1", false, "not used"},
    {"metric", "", false, "not used"},
};

typedef struct {
    ws_trace_profile_noise *rows;
    size_t count;
    size_t capacity;
} noise_rows;

static bool noise_value(profile_reader *reader, size_t column, double *value)
{
    return ws_parse_f64(ws_table_text(&reader->table, column), value) ||
           profile_fault(reader, column, "expected a number");
}

/* Adds a row when it says something. */
static bool noise_add(profile_reader *reader, noise_rows *rows, ws_arena *arena)
{
    double progress = 0;
    double sqr = 0;
    double var = 0;
    double before = rows->count > 0 ? rows->rows[rows->count - 1].progress : 0;

    if (!noise_value(reader, NOISE_PROGRESS, &progress) || !noise_value(reader, NOISE_SQR, &sqr) ||
        !noise_value(reader, NOISE_VAR, &var)) {
        return false;
    }
    if (!(progress > before)) {
        return profile_fault(reader, NOISE_PROGRESS, "not more than in the row above");
    }
    if (!(sqr > 0) || var < 0) {
        return true;
    }
    if (rows->count == rows->capacity) {
        void *grown = ws_arena_grow(arena, rows->rows, rows->count, rows->count + 1,
                                    &rows->capacity, sizeof *rows->rows);
        if (grown == NULL || rows->count == WS_TRACE_PROFILE_ROWS_MAX) {
            reader->is_sound = false;
            return ws_diag_error(reader->reading.diag, 9020, reader->reading.file->at,
                                 "`%.*s` holds more measurements than memory allows",
                                 WS_TEXT_ARGS(reader->reading.file->shown));
        }
        rows->rows = grown;
    }
    rows->rows[rows->count++] = (ws_trace_profile_noise){.progress = progress, .noise = var / sqr};
    return true;
}

bool ws_trace_profile_read_noise(const ws_trace_profile_noise **rows, size_t *count,
                                 const ws_file_name *file, ws_arena *arena, ws_diag *diag)
{
    profile_reader reader;
    noise_rows read = {.count = 0};

    WS_ASSERT(rows != NULL);
    WS_ASSERT(count != NULL);
    if (!profile_open(&reader, file, noise_columns, WS_COUNT_OF(noise_columns), diag)) {
        return false;
    }
    while (reader.is_sound && ws_table_next(&reader.table)) {
        bool is_read = noise_add(&reader, &read, arena);
        WS_ASSERT(is_read == reader.is_sound);
    }
    if (!profile_close(&reader)) {
        return false;
    }
    *rows = read.rows;
    *count = read.count;
    return read.count > 0 || ws_diag_error(diag, 6131, file->at,
                                           "`%.*s` holds no gradient that stands out of its noise",
                                           WS_TEXT_ARGS(file->shown));
}
