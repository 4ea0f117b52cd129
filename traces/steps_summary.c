/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading a file of training steps through its format, and the numbers in the end. */
#include <math.h>

#include "found.h"
#include "reading.h"
#include "spread.h"
#include "steps_line.h"
#include "steps_reading.h"

#define STEPS_SNIFF_BYTES ((int64_t)1 << 20)
#define STEPS_PAUSE_S_MIN 1.0 /* the grain of most logs' dates */

/* ---- which format ---- */

static const ws_trace_steps_type *steps_of_line(ws_text line, char *room)
{
    int64_t rank = 0;

    if (line.length > WS_STEPS_LINE_BYTES) {
        return NULL;
    }
    ws_text plain = ws_steps_unlabelled(ws_steps_plain(line, room), &rank);

    for (size_t i = 0; i < ws_trace_steps_type_count(); i++) {
        const ws_trace_steps_type *type = ws_trace_steps_type_at(i);
        if (type->sniff_line != NULL && type->sniff_line(plain)) {
            return type;
        }
    }
    return NULL;
}

static const ws_trace_steps_type *steps_of_head(const ws_file_name *file, ws_diag *diag)
{
    ws_text head = {.start = NULL};

    if (!ws_trace_read_head(&head, file, diag)) {
        return NULL;
    }
    for (size_t i = 0; i < ws_trace_steps_type_count(); i++) {
        const ws_trace_steps_type *type = ws_trace_steps_type_at(i);
        if (type->sniff != NULL && type->sniff(head)) {
            return type;
        }
    }
    return NULL;
}

const ws_trace_steps_type *ws_trace_steps_sniff(const ws_file_name *file, ws_arena *arena)
{
    const ws_trace_steps_type *type = NULL;
    char *room = ws_arena_alloc(arena, char, WS_STEPS_LINE_BYTES);
    ws_input *input = NULL;
    ws_text line = {.start = NULL};
    int64_t number = 0;
    ws_diag diag; /* whoever reads the file tells what is wrong with it */

    WS_ASSERT(file != NULL);
    ws_diag_init(&diag, arena);
    type = steps_of_head(file, &diag);
    if (type != NULL || room == NULL || !ws_input_open(&input, file, NULL, &diag)) {
        return type;
    }
    while (type == NULL && ws_input_bytes(input) <= STEPS_SNIFF_BYTES &&
           ws_input_read_line(input, &line, &number)) {
        type = steps_of_line(line, room);
    }
    return ws_input_close(input) ? type : NULL;
}

/* ---- a log ---- */

static bool steps_take_line(ws_trace_steps_reading *reading, ws_steps_line_reader reader,
                            ws_text line, ws_step_report *told)
{
    switch (reader(reading, line, told)) {
    case WS_STEPS_OTHER:
        return true;
    case WS_STEPS_TAKEN:
        return ws_steps_reading_take(reading, told);
    case WS_STEPS_BREAKS_OFF:
        ws_steps_reading_reject(reading, WS_STEPS_CUT, line, told->line);
        return true;
    case WS_STEPS_NO_NUMBER:
        ws_steps_reading_reject(reading, WS_STEPS_BAD_NUMBER, line, told->line);
        return true;
    }
    return true;
}

bool ws_steps_read_log(ws_trace_steps_reading *reading, ws_steps_line_reader reader)
{
    char *room = ws_arena_alloc(reading->arena, char, WS_STEPS_LINE_BYTES);
    ws_input *input = NULL;
    ws_text line = {.start = NULL};
    int64_t number = 0;
    bool is_read = true;

    if (room == NULL) {
        return ws_diag_error(reading->diag, 9020, ws_span_none, "not enough memory to read");
    }
    if (!ws_input_open(&input, reading->file, &reading->options->limits, reading->diag)) {
        return false;
    }
    while (is_read && ws_input_read_line(input, &line, &number)) {
        ws_step_report told = ws_step_report_none(number);

        if (line.length > WS_STEPS_LINE_BYTES) {
            continue;
        }
        line = ws_steps_unlabelled(ws_steps_plain(line, room), &told.rank);
        (void)ws_steps_date(line, &told.at_ns);
        is_read = steps_take_line(reading, reader, line, &told);
    }
    return ws_input_close(input) && is_read;
}

/* ---- in numbers ---- */

/* The spread of a pile's numbers, summed in the order in which they came. */
static bool steps_spread(ws_trace_pile *pile, ws_arena *arena, ws_trace_spread *spread)
{
    size_t count = pile->count;
    double *values = ws_trace_pile_gather(pile, arena);
    double sum = 0;

    if (values == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        sum += values[i];
    }
    *spread = ws_trace_spread_of(values, count, count > 0 ? sum / (double)count : (double)NAN);
    return true;
}

/* What the gaps are longer than their steps. */
static bool steps_pauses(ws_trace_steps_reading *reading, ws_trace_steps_summary *summary,
                         ws_arena *arena)
{
    size_t count = reading->gaps.count;
    const ws_step_gap *gaps = ws_trace_pile_gather(&reading->gaps, arena);
    double *pauses = ws_arena_alloc(arena, double, count + 1);
    double median_s = summary->step_s.p50;
    double sum = 0;
    size_t paused = 0;

    if (gaps == NULL || pauses == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        double step_s = isnan(gaps[i].step_s) ? median_s : gaps[i].step_s;
        double beyond_s = gaps[i].length_s - gaps[i].steps * step_s;
        if (beyond_s > STEPS_PAUSE_S_MIN && beyond_s > median_s) {
            pauses[paused++] = beyond_s;
            sum += beyond_s;
        }
    }
    summary->pause_s =
        ws_trace_spread_of(pauses, paused, paused > 0 ? sum / (double)paused : (double)NAN);
    return true;
}

static bool steps_derive(ws_trace_steps_reading *reading, ws_trace_steps_summary *summary,
                         ws_arena *arena)
{
    *summary = reading->found;
    if (reading->skipped_sum > summary->skipped_steps) {
        summary->skipped_steps = reading->skipped_sum;
    }
    return steps_spread(&reading->step_s, arena, &summary->step_s) &&
           steps_spread(&reading->samples_per_s, arena, &summary->samples_per_s) &&
           steps_spread(&reading->gpu_tokens_per_s, arena, &summary->gpu_tokens_per_s) &&
           steps_spread(&reading->gpu_tflops, arena, &summary->gpu_tflops) &&
           steps_spread(&reading->evaluation_s, arena, &summary->evaluation_s) &&
           steps_pauses(reading, summary, arena);
}

/* ---- all of it ---- */

static bool steps_tell(const ws_trace_steps_reading *reading, bool is_read)
{
    const ws_trace_steps_report *report = reading->report;
    const ws_trace_told told = {.unit = "reports of steps",
                                .total = report->reports_read,
                                .strict = reading->options->strict};
    size_t errors_before = reading->diag->error_count;

    for (size_t i = 0; i < WS_STEPS_FINDING_COUNT; i++) {
        ws_trace_count_tell(&report->found[i], ws_trace_steps_finding_at((ws_trace_steps_finding)i),
                            &told, reading->diag);
    }
    if (is_read && report->reports_kept == 0 && reading->diag->error_count == errors_before) {
        ws_diag_warning(reading->diag, 6424, reading->file->at, "`%.*s` tells of no step",
                        WS_TEXT_ARGS(reading->file->shown));
    }
    return is_read && reading->diag->error_count == errors_before;
}

static bool steps_read(ws_trace_steps_reading *reading)
{
    const ws_trace_steps_type *type = reading->options->type;

    if (type == NULL) {
        type = ws_trace_steps_sniff(reading->file, reading->arena);
    }
    if (type == NULL) {
        return ws_diag_error(reading->diag, 6107, reading->file->at,
                             "`%.*s` looks like no known format of training steps",
                             WS_TEXT_ARGS(reading->file->shown));
    }
    return type->read(reading) && ws_steps_reading_end(reading);
}

bool ws_trace_steps_summarise(ws_trace_steps_summary *summary, const ws_file_name *file,
                              const ws_trace_steps_options *options, ws_trace_steps_report *report,
                              ws_arena *arena, ws_diag *diag)
{
    WS_ASSERT(summary != NULL);
    WS_ASSERT(file != NULL);
    WS_ASSERT(options != NULL);
    WS_ASSERT(report != NULL);

    ws_trace_steps_summary derived;
    ws_trace_steps_reading reading = {
        .file = file,
        .options = options,
        .report = report,
        .arena = arena,
        .diag = diag,
        .found = {.run_s = (double)NAN, .loss_first = (double)NAN, .loss_last = (double)NAN},
        .stride = 1};
    ws_trace_pile *const piles[] = {&reading.step_s, &reading.samples_per_s,
                                    &reading.gpu_tokens_per_s, &reading.gpu_tflops,
                                    &reading.evaluation_s};

    for (size_t i = 0; i < WS_COUNT_OF(piles); i++) {
        ws_trace_pile_init(piles[i], sizeof(double), arena);
    }
    ws_trace_pile_init(&reading.gaps, sizeof(ws_step_gap), arena);
    bool is_read =
        steps_tell(&reading, steps_read(&reading)) &&
        (steps_derive(&reading, &derived, arena) ||
         ws_diag_error(diag, 9020, file->at, "`%.*s` holds more steps than memory allows",
                       WS_TEXT_ARGS(file->shown)));

    for (size_t i = 0; i < WS_COUNT_OF(piles); i++) {
        ws_trace_pile_fini(piles[i]);
    }
    ws_trace_pile_fini(&reading.gaps);
    if (is_read) {
        *summary = derived;
    }
    return is_read;
}
