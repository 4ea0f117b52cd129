/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What a reader of recorded training steps is given, and how it hands over reports. */
#ifndef WS_TRACES_STEPS_READING_H
#define WS_TRACES_STEPS_READING_H

#include "pile.h"
#include "ws/trace_steps.h"

#define WS_STEPS_NO_RANK (-1)
#define WS_STEPS_RECENT 16 /* reports among which a further rank's is looked for */

/** What one line or entry tells of a step. Numbers are NAN where it tells none. */
typedef struct {
    int64_t step;
    int64_t at_ns; /* of the line's date, as if it were UTC; WS_TRACE_UNKNOWN_NS: none */
    int64_t rank;  /* who wrote it, by the line's label; WS_STEPS_NO_RANK: not told */
    double step_s;
    double samples_per_s;
    double gpu_tokens_per_s;
    double gpu_tflops;
    double loss;
    bool has_loss; /* `loss` may be a NaN that was told */
    int64_t line;
} ws_step_report;

/** A report that tells nothing yet. */
ws_step_report ws_step_report_none(int64_t line);

/** The time between two reports, and what happened meanwhile. */
typedef struct {
    double length_s;
    double steps;
    double step_s; /* stated; NAN: not */
} ws_step_gap;

struct ws_trace_steps_reading {
    const ws_file_name *file;
    const ws_trace_steps_options *options;
    ws_trace_steps_report *report;
    ws_arena *arena; /* of what lasts as long as the reading */
    ws_diag *diag;
    ws_trace_steps_summary found; /* counts, as they come */
    bool has_pending;
    ws_step_report pending; /* further ranks, and further lines, may add to it */
    bool has_last;
    ws_step_report last; /* before the pending one */
    int64_t skipped_sum; /* the largest that was told as a sum so far */
    int64_t stride;      /* steps between the last two reports of one course */
    ws_step_report recent[WS_STEPS_RECENT];
    size_t recent_count;  /* all that were there */
    ws_trace_pile step_s; /* double, as the next ones */
    ws_trace_pile samples_per_s;
    ws_trace_pile gpu_tokens_per_s;
    ws_trace_pile gpu_tflops;
    ws_trace_pile evaluation_s;
    ws_trace_pile gaps; /* ws_step_gap */
};

/** Takes a report. False when memory is exhausted (told). */
WS_NODISCARD bool ws_steps_reading_take(ws_trace_steps_reading *reading,
                                        const ws_step_report *told);

/** Takes the last report. False as above. */
WS_NODISCARD bool ws_steps_reading_end(ws_trace_steps_reading *reading);

/** Adds a number to a pile if it is finite. False as above. */
WS_NODISCARD bool ws_steps_reading_add(ws_trace_steps_reading *reading, ws_trace_pile *pile,
                                       double value);

/** Counts a report that cannot be used, whose line is known. */
void ws_steps_reading_reject(ws_trace_steps_reading *reading, ws_trace_steps_finding finding,
                             ws_text line, int64_t number);

/** Notes how many processes there are, 1 or more. */
void ws_steps_reading_note_world(ws_trace_steps_reading *reading, int64_t size);

/** How a line of a log was taken. */
typedef enum {
    WS_STEPS_OTHER, /* it tells of no step */
    WS_STEPS_TAKEN,
    WS_STEPS_BREAKS_OFF,
    WS_STEPS_NO_NUMBER
} ws_steps_line;

/** Reads a line, whose label and colours are off; `report` has its line, rank and time. What tells
 * of the run, not of a step, goes into the reading's summary. */
typedef ws_steps_line (*ws_steps_line_reader)(ws_trace_steps_reading *reading, ws_text line,
                                              ws_step_report *report);

/** Reads a log line by line. */
WS_NODISCARD bool ws_steps_read_log(ws_trace_steps_reading *reading, ws_steps_line_reader reader);

/** Of Megatron-LM and what descends from it, DeepSpeed's GPT-NeoX too. */
ws_steps_line ws_steps_megatron_line(ws_trace_steps_reading *reading, ws_text line,
                                     ws_step_report *report);
bool ws_steps_megatron_sniff(ws_text line);

extern const ws_trace_steps_type ws_trace_deepspeed;
extern const ws_trace_steps_type ws_trace_hf_trainer;
extern const ws_trace_steps_type ws_trace_megatron;
extern const ws_trace_steps_type ws_trace_nemo;
extern const ws_trace_steps_type ws_trace_torchtitan;

#endif
