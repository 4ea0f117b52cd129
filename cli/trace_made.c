/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace_made.h"

#include "diagnostics_json.h"
#include "trace_text.h"

/* ---- for people ---- */

static void made_write_sources(const ws_trace_text *task, const ws_trace_made *made)
{
    for (size_t i = 0; i < made->source_count; i++) {
        const ws_trace_source *source = &made->sources[i];
        ws_trace_text_line(task, "read from",
                           ws_arena_format(task->arena, "%.*s, %s",
                                           WS_TEXT_ARGS(source->file.shown), source->type->name));
        ws_trace_text_line(task, "  sha256", ws_text_of(source->sha256));
    }
}

static void made_write_clock(const ws_trace_text *task, const ws_trace_made *made)
{
    const ws_trace *trace = made->trace;
    char date[WS_TRACE_DATE_BYTES];

    (void)ws_trace_print_date(trace, 0, date);
    switch (trace->clock) {
    case WS_TRACE_CLOCK_UTC:
        ws_trace_text_line(task, "clock", ws_arena_format(task->arena, "UTC; time 0 is %s", date));
        return;
    case WS_TRACE_CLOCK_WALL:
        ws_trace_text_line(task, "clock",
                           ws_arena_format(task->arena,
                                           "a wall clock, zone %.*s, taken as if it were UTC; "
                                           "time 0 is %s",
                                           WS_TEXT_ARGS(trace->zone), date));
        return;
    case WS_TRACE_CLOCK_OWN:
        break;
    }
    ws_trace_text_line(task, "clock",
                       ws_arena_format(task->arena, "its own, without a date; time 0 is %s%s", date,
                                       made->is_merged ? "; zeros were laid on each other" : ""));
}

void ws_trace_made_write_text(const ws_trace_made *made, ws_writer *out, ws_arena *arena)
{
    ws_trace_answer answer = {.report = made->report, .terminal = made->terminal};
    ws_trace_text task = {.answer = &answer, .out = out, .arena = arena};

    ws_write_format(out, "%.*s   %s: %s\n\n", WS_TEXT_ARGS(made->file), made->form->name,
                    made->form->summary);
    ws_trace_text_write_rows(&task);
    if (made->is_merged) {
        ws_trace_text_line(&task, "ids",
                           made->renamed == 0
                               ? WS_TEXT("all differ")
                               : ws_arena_format(arena, "%s jobs got `#2`, `#3`, ... behind theirs",
                                                 ws_trace_text_count(&task, made->renamed)));
    }
    if (made->trace->count > 0) {
        made_write_clock(&task, made);
    }
    if (made->form->not_held != NULL) {
        ws_trace_text_line(&task, "not held", ws_text_of(made->form->not_held));
    }
    if (made->rejects.length > 0) {
        ws_trace_text_line(&task, "rejects", made->rejects);
    }
    made_write_sources(&task, made);
    ws_trace_text_line(&task, "written to", made->file);
    ws_trace_text_line(&task, "  sha256", ws_text_of(made->sha256));
}

/* ---- for machines ---- */

static void made_json_file(ws_writer *json, ws_text file, const char *format, int64_t bytes,
                           const char *sha256)
{
    ws_json_text(json, "file", file);
    ws_json_text(json, "format", ws_text_of(format));
    ws_json_i64(json, "bytes", bytes);
    ws_json_text(json, "sha256", ws_text_of(sha256));
}

static void made_json_sources(ws_writer *json, const ws_trace_made *made)
{
    ws_json_begin_list(json, "sources");
    for (size_t i = 0; i < made->source_count; i++) {
        const ws_trace_source *source = &made->sources[i];
        ws_json_begin_object(json, NULL);
        made_json_file(json, source->file.shown, source->type->name, source->bytes, source->sha256);
        ws_json_end_object(json);
    }
    ws_json_end_list(json);
}

static void made_json_clock(ws_writer *json, const ws_trace *trace)
{
    char date[WS_TRACE_DATE_BYTES];

    ws_json_text(json, "clock", ws_text_of(ws_trace_clock_name(trace->clock)));
    ws_json_text(json, "zone", trace->zone);
    if (trace->count > 0) {
        (void)ws_trace_print_date(trace, 0, date);
        ws_json_text(json, "origin", ws_text_of(date));
    } else {
        ws_json_null(json, "origin");
    }
}

void ws_trace_made_write_json(const ws_trace_made *made, ws_writer *json)
{
    ws_json_begin_object(json, NULL);
    ws_json_text(json, "schema", WS_TEXT("worldsize.trace-file/v1"));
    made_json_file(json, made->file, made->form->name, made->bytes, made->sha256);
    made_json_sources(json, made);
    ws_json_i64(json, "rows_read", made->report->rows_read);
    ws_json_i64(json, "jobs", (int64_t)made->trace->count);
    ws_trace_findings_write_json(made->report, json);
    made_json_clock(json, made->trace);
    ws_json_i64(json, "renamed", made->renamed);
    if (made->rejects.length > 0) {
        ws_json_text(json, "rejects", made->rejects);
    } else {
        ws_json_null(json, "rejects");
    }
    if (made->form->not_held != NULL) {
        ws_json_text(json, "not_held", ws_text_of(made->form->not_held));
    } else {
        ws_json_null(json, "not_held");
    }
    ws_json_begin_list(json, "diagnostics");
    ws_diagnostics_write_json(json, made->diag);
    ws_json_end_list(json);
    ws_json_end_object(json);
}
