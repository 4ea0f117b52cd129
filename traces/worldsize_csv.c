/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The program's own table. Its columns are the fields of the record, units in their names.
 *
 * Each row carries its origin: the job arrived at origin_s + arrival_s on the clock that `zone`
 * names (empty: a clock of its own). So rows may be filtered, sorted and concatenated by any tool,
 * and two files of different origins may be joined; the trace's origin is the earliest of those
 * stated. `attempts` is written only where the other columns do not say it all: START..END:OUTCOME
 * in seconds since the origin, joined by `;`, with :GPUS behind it where an attempt had other GPUs
 * than the job, and an empty END where none is known. Text that a spreadsheet would take for a
 * formula has a ' before it in the file (see ws_csv_text()), taken off again here.
 */
#include "worldsize_csv.h"
#include "clock.h"
#include "list.h"
#include "table.h"
#include "ws/number.h"

/* A window may begin before 1970, or before a clock's own zero: ws_trace_cut() goes back as far. */
#define OWN_ORIGIN_NS_MIN (-INT64_C(50) * 365 * WS_NS_PER_D)

static bool own_sniff(ws_text head)
{
    static const char *const names[] = {"id", "arrival_s", "gpus", "duration_s"};

    return ws_table_header_has(head, ',', names, WS_COUNT_OF(names));
}

/* --- reading -------------------------------------------------------------------------------- */

typedef struct {
    ws_table table;
    ws_trace_attempt *attempts; /* room for WS_TRACE_ATTEMPTS_MAX */
    char zone[64];              /* of the first row */
    size_t zone_length;
    int64_t jobs;
    int64_t origin_ns; /* the earliest so far */
    bool has_origin;
} own_reader;

/* A field as it was before ws_csv_text() guarded it. */
static ws_text own_text(const ws_table *table, size_t column)
{
    ws_text text = ws_table_text(table, column);

    return ws_own_guard_length(text) > 0 ? ws_text_slice(text, 1, text.length) : text;
}

/* The row's origin on its clock; 0 when it states none. */
static bool own_read_origin(own_reader *reader, int64_t *origin_ns)
{
    ws_text text = ws_table_text(&reader->table, OWN_ORIGIN);
    int64_t value = 0;

    if (text.length == 0) {
        *origin_ns = 0;
        return true;
    }
    if (!ws_parse_scaled(text, 9, &value, NULL) || value < OWN_ORIGIN_NS_MIN ||
        value > WS_CLOCK_NS_MAX) {
        return ws_table_fault(&reader->table, WS_TRACE_BAD_TIME, OWN_ORIGIN,
                              "no seconds of the years 1920 to 2100");
    }
    *origin_ns = value;
    return true;
}

/* One clock for the whole file: differing zones cannot be put in order. */
static bool own_check_zone(own_reader *reader)
{
    ws_text zone = ws_table_text(&reader->table, OWN_ZONE);
    ws_text first = {.start = reader->zone, .length = reader->zone_length};

    if (zone.length > sizeof reader->zone) {
        return ws_table_fault(&reader->table, WS_TRACE_BAD_TIME, OWN_ZONE, "longer than 64 bytes");
    }
    if (reader->jobs > 0 && !ws_text_equals(zone, first)) {
        return ws_table_fault(&reader->table, WS_TRACE_BAD_TIME, OWN_ZONE,
                              "the rows above are of zone `%.*s`", WS_TEXT_ARGS(first));
    }
    return true;
}

static bool own_read_arrival(own_reader *reader, ws_trace_job *job, int64_t *origin_ns)
{
    int64_t since_ns = 0;

    if (!own_check_zone(reader) || !own_read_origin(reader, origin_ns) ||
        !ws_table_seconds(&reader->table, OWN_ARRIVAL, WS_TRACE_BAD_TIME, &since_ns)) {
        return false;
    }
    if (since_ns > WS_CLOCK_NS_MAX - *origin_ns) {
        return ws_table_fault(&reader->table, WS_TRACE_BAD_TIME, OWN_ARRIVAL,
                              "beyond the year 2100");
    }
    job->arrival_ns = *origin_ns + since_ns;
    return true;
}

/* Seconds since the origin, 0 to 100 years. */
static bool own_parse_s(ws_text text, int64_t *ns)
{
    return ws_parse_scaled(text, 9, ns, NULL) && *ns >= 0 && *ns <= WS_HORIZON_MAX_NS;
}

/* START..END:OUTCOME or START..END:OUTCOME:GPUS. */
static bool own_parse_attempt(ws_text text, ws_trace_attempt *attempt)
{
    size_t colon = ws_text_find_byte(text, ':');
    ws_text times = ws_text_slice(text, 0, colon);
    ws_text rest = ws_text_slice(text, colon + 1, text.length);
    size_t second = ws_text_find_byte(rest, ':');
    ws_text gpus = ws_text_slice(rest, second + 1, rest.length);
    size_t dots = 0;
    int64_t count = attempt->gpus;

    while (dots + 1 < times.length && (times.start[dots] != '.' || times.start[dots + 1] != '.')) {
        dots++;
    }
    if (dots + 1 >= times.length ||
        !own_parse_s(ws_text_slice(times, 0, dots), &attempt->start_ns)) {
        return false;
    }
    ws_text end = ws_text_slice(times, dots + 2, times.length);

    attempt->end_ns = WS_TRACE_UNKNOWN_NS;
    if (end.length > 0 && !own_parse_s(end, &attempt->end_ns)) {
        return false;
    }
    if (gpus.length > 0 &&
        (!ws_parse_i64(gpus, &count) || count < 1 || count > WS_TRACE_GPUS_MAX)) {
        return false;
    }
    attempt->gpus = (int32_t)count;
    return ws_trace_outcome_find(ws_text_slice(rest, 0, second), &attempt->outcome);
}

static bool own_read_attempt_list(own_reader *reader, ws_text text, ws_trace_job *job,
                                  int64_t origin_ns)
{
    int32_t count = 0;

    for (ws_text rest = text; rest.length > 0; count++) {
        size_t end = ws_text_find_byte(rest, ';');
        ws_trace_attempt *attempt = &reader->attempts[count];

        if (count == WS_TRACE_ATTEMPTS_MAX) {
            return ws_table_fault(&reader->table, WS_TRACE_BAD_ATTEMPTS, OWN_ATTEMPTS,
                                  "more than %d attempts", WS_TRACE_ATTEMPTS_MAX);
        }
        attempt->gpus = job->gpus;
        if (!own_parse_attempt(ws_text_slice(rest, 0, end), attempt)) {
            return ws_table_fault(&reader->table, WS_TRACE_BAD_ATTEMPTS, OWN_ATTEMPTS,
                                  "attempt %d is not START..END:OUTCOME", (int)count + 1);
        }
        attempt->start_ns += origin_ns;
        attempt->end_ns += attempt->end_ns == WS_TRACE_UNKNOWN_NS ? 0 : origin_ns;
        rest = ws_text_slice(rest, end + 1, rest.length);
    }
    job->attempt_count = count;
    job->attempts = reader->attempts;
    job->queue_ns = reader->attempts[0].start_ns - job->arrival_ns;
    return true;
}

/* The one run that start_s and duration_s tell of. */
static bool own_read_start(own_reader *reader, ws_trace_job *job, int64_t origin_ns)
{
    int64_t since_ns = 0;

    if (!ws_table_seconds(&reader->table, OWN_START, WS_TRACE_BAD_ATTEMPTS, &since_ns)) {
        return false;
    }
    if (origin_ns + since_ns < job->arrival_ns) {
        return ws_table_fault(&reader->table, WS_TRACE_BAD_ATTEMPTS, OWN_START,
                              "starts before it arrives");
    }
    reader->attempts[0] = (ws_trace_attempt){.start_ns = origin_ns + since_ns,
                                             .end_ns = origin_ns + since_ns + job->duration_ns,
                                             .gpus = job->gpus,
                                             .outcome = job->outcome};
    job->attempt_count = 1;
    job->attempts = reader->attempts;
    job->queue_ns = origin_ns + since_ns - job->arrival_ns;
    return true;
}

static bool own_read_runs(own_reader *reader, ws_trace_job *job, int64_t origin_ns)
{
    ws_text attempts = ws_table_text(&reader->table, OWN_ATTEMPTS);

    job->queue_ns = WS_TRACE_UNKNOWN_NS;
    if (attempts.length > 0) {
        if (!own_read_attempt_list(reader, attempts, job, origin_ns)) {
            return false;
        }
    } else if (ws_table_text(&reader->table, OWN_START).length > 0) {
        if (!own_read_start(reader, job, origin_ns)) {
            return false;
        }
    }
    if (!ws_trace_job_is_valid(job)) {
        return ws_table_fault(&reader->table, WS_TRACE_BAD_ATTEMPTS, OWN_ATTEMPTS,
                              "runs overlap, precede the arrival, or do not sum up to duration_s");
    }
    return true;
}

static bool own_read_outcome(own_reader *reader, ws_trace_job *job)
{
    if (!ws_trace_outcome_find(ws_table_text(&reader->table, OWN_OUTCOME), &job->outcome)) {
        return ws_table_fault(&reader->table, WS_TRACE_BAD_OUTCOME, OWN_OUTCOME,
                              "none of completed, cancelled, failed, timeout, node_fail, "
                              "preempted, running, pending");
    }
    return true;
}

/* The batch, and the duration, which is unknown where only the batch is stated. */
static bool own_read_duration(own_reader *reader, ws_trace_job *job)
{
    ws_table *table = &reader->table;

    if (!ws_table_count(table, OWN_BATCH, WS_TRACE_BAD_BATCH, WS_TRACE_BATCH_MAX,
                        &job->batch_samples)) {
        return false;
    }
    if (job->batch_samples > 0 && job->batch_samples < job->gpus) {
        return ws_table_fault(table, WS_TRACE_BAD_BATCH, OWN_BATCH, "fewer samples than GPUs");
    }
    if (job->batch_samples > 0 && ws_table_text(table, OWN_DURATION).length == 0 &&
        ws_table_text(table, OWN_START).length == 0 &&
        ws_table_text(table, OWN_ATTEMPTS).length == 0) {
        job->duration_ns = WS_TRACE_UNKNOWN_NS;
        return true;
    }
    return ws_table_duration(table, OWN_DURATION, &job->duration_ns);
}

/* A share that was rounded up to the row's GPUs. */
static bool own_read_share(own_reader *reader, ws_trace_job *job)
{
    ws_text text = ws_table_text(&reader->table, OWN_GPUS_FRAC);

    if (text.length == 0) {
        return true;
    }
    if (!ws_parse_f64(text, &job->gpus_frac) || job->gpus_frac < 0 || job->gpus_frac > job->gpus) {
        return ws_table_fault(&reader->table, WS_TRACE_BAD_GPUS, OWN_GPUS_FRAC,
                              "expected 0..`gpus`");
    }
    return true;
}

static bool own_read_id(own_reader *reader, ws_trace_job *job)
{
    job->id = own_text(&reader->table, OWN_ID);
    if (job->id.length == 0) {
        return ws_table_fault(&reader->table, WS_TRACE_BAD_ID, OWN_ID, "%s", "");
    }
    return true;
}

static bool own_read_row(own_reader *reader, ws_trace_job *job, int64_t *origin_ns)
{
    ws_table *table = &reader->table;

    if (!own_read_id(reader, job) || !own_read_arrival(reader, job, origin_ns) ||
        !ws_table_gpus(table, OWN_GPUS, &job->gpus, &job->gpus_frac) ||
        !ws_table_count(table, OWN_NODES, WS_TRACE_BAD_NODES, WS_TRACE_NODES_MAX, &job->nodes) ||
        !own_read_outcome(reader, job) || !own_read_duration(reader, job) ||
        !own_read_share(reader, job) || !own_read_runs(reader, job, *origin_ns)) {
        return false;
    }
    job->user = own_text(table, OWN_USER);
    job->queue = own_text(table, OWN_QUEUE);
    job->gpu_type = own_text(table, OWN_GPU_TYPE);
    job->kind = own_text(table, OWN_KIND);
    return true;
}

/* What the first job says of the file, and the earliest origin of all. */
static void own_learn(own_reader *reader, int64_t origin_ns)
{
    ws_text zone = ws_table_text(&reader->table, OWN_ZONE);
    bool states_origin = ws_table_text(&reader->table, OWN_ORIGIN).length > 0;

    if (reader->jobs == 0) {
        for (size_t i = 0; i < zone.length; i++) {
            reader->zone[i] = zone.start[i];
        }
        reader->zone_length = zone.length;
        reader->has_origin = states_origin;
        reader->origin_ns = origin_ns;
    }
    reader->has_origin = reader->has_origin || states_origin;
    reader->origin_ns = origin_ns < reader->origin_ns ? origin_ns : reader->origin_ns;
    reader->jobs++;
}

/* The clock, once all rows are read. False when memory is exhausted. */
static bool own_tell_about(const own_reader *reader, ws_trace_reading *reading)
{
    ws_text zone = {.start = reader->zone, .length = reader->zone_length};

    reading->about = (ws_trace_about){.clock = WS_TRACE_CLOCK_OWN,
                                      .names_jobs = true,
                                      .has_origin = reader->has_origin,
                                      .origin_ns = reader->origin_ns};
    if (zone.length == 0) {
        return true;
    }
    reading->about.clock = ws_text_is(zone, "UTC") ? WS_TRACE_CLOCK_UTC : WS_TRACE_CLOCK_WALL;
    reading->about.zone = ws_arena_copy_text(reading->diag->arena, zone);
    return reading->about.zone.start != NULL;
}

static bool own_read(ws_trace_reading *reading)
{
    own_reader reader = {.jobs = 0};
    bool is_taken = true;

    WS_ASSERT(reading != NULL);
    reader.attempts = ws_arena_alloc(reading->arena, ws_trace_attempt, WS_TRACE_ATTEMPTS_MAX);
    if (reader.attempts == NULL) {
        return ws_diag_error(reading->diag, 9020, ws_span_none, "not enough memory for a trace");
    }
    if (!ws_table_open(&reader.table, reading, ws_own_columns, OWN_COLUMN_COUNT)) {
        return false;
    }
    while (is_taken && ws_table_next(&reader.table)) {
        ws_trace_job job = {.gpus = 0};
        int64_t origin_ns = 0;

        if (own_read_row(&reader, &job, &origin_ns)) {
            own_learn(&reader, origin_ns);
            is_taken = ws_trace_reading_take(reading, &job, ws_table_line(&reader.table));
        }
    }
    bool is_closed = ws_table_close(&reader.table);

    return is_closed && is_taken && own_tell_about(&reader, reading);
}

const ws_trace_type ws_trace_worldsize_csv = {
    .name = "worldsize",
    .summary = "the program's own table of jobs: read and written",
    .columns = ws_own_columns,
    .column_count = OWN_COLUMN_COUNT,
    .sniff = own_sniff,
    .read = own_read,
};
