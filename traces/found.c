/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "found.h"

#include <inttypes.h>

#include "ws/number.h"

bool ws_trace_count_add(ws_trace_count *found, int64_t line)
{
    WS_ASSERT(found != NULL);

    if (found->count < WS_TRACE_FIRST_LINES) {
        found->lines[found->count] = line;
    }
    found->count++;
    return found->count == 1;
}

void ws_trace_counts_add(ws_trace_count *total, const ws_trace_count *part, size_t kinds)
{
    WS_ASSERT(total != NULL);
    WS_ASSERT(part != NULL);

    for (size_t i = 0; i < kinds; i++) {
        if (total[i].count == 0) {
            total[i] = part[i];
        } else {
            total[i].count += part[i].count;
        }
    }
}

#define FOUND_NUMBER_BYTES 40

/* Digits in groups of three, as people read counts: 118,204. Returns `out`. */
static const char *found_print_grouped(int64_t value, char out[FOUND_NUMBER_BYTES])
{
    char digits[WS_NUMBER_TEXT_BYTES];
    size_t length = ws_print_i64(value, digits);
    size_t to = 0;

    WS_ASSERT(value >= 0);
    for (size_t i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) {
            out[to++] = ',';
        }
        out[to++] = digits[i];
    }
    out[to] = '\0';
    return out;
}

/* "lines 12, 40, 77 and 9 more"; empty for a single row, which the place already names. */
static ws_text found_lines(const ws_trace_count *found, ws_arena *arena)
{
    const int64_t *lines = found->lines;

    if (found->count < 2 || lines[0] == 0) {
        return (ws_text){.start = NULL};
    }
    if (found->count == 2) {
        return ws_arena_format(arena, "lines %" PRId64 " and %" PRId64, lines[0], lines[1]);
    }
    if (found->count == 3) {
        return ws_arena_format(arena, "lines %" PRId64 ", %" PRId64 " and %" PRId64, lines[0],
                               lines[1], lines[2]);
    }
    return ws_arena_format(arena,
                           "lines %" PRId64 ", %" PRId64 ", %" PRId64 " and %" PRId64 " more",
                           lines[0], lines[1], lines[2], found->count - WS_TRACE_FIRST_LINES);
}

void ws_trace_count_tell(const ws_trace_count *found, const ws_trace_finding_row *row,
                         const ws_trace_told *told, ws_diag *diag)
{
    bool is_error = told->strict && row->kind == WS_TRACE_REJECTED;
    char count[FOUND_NUMBER_BYTES];
    char all[FOUND_NUMBER_BYTES];
    ws_diagnostic diagnostic = {
        .severity = is_error ? WS_SEVERITY_ERROR : row->severity,
        .code = row->code,
        .at = found->first,
        .label = found->label,
        .help = ws_text_of(row->help),
    };

    if (found->count == 0 || row->code == 0) {
        return;
    }
    diagnostic.message =
        ws_arena_format(diag->arena, "%s of %s %s %s", found_print_grouped(found->count, count),
                        found_print_grouped(told->total, all), told->unit,
                        found->count == 1 ? row->text_one : row->text);
    diagnostic.notes[0] = found_lines(found, diag->arena);
    ws_diag_add(diag, &diagnostic);
}

ws_span ws_trace_line_span(ws_text shown, ws_text line, int64_t number, size_t from, size_t to,
                           ws_arena *arena)
{
    ws_source *source = ws_arena_alloc(arena, ws_source, 1);
    ws_span span = {.source = source};

    if (source == NULL) {
        return ws_span_none;
    }
    source->name = shown;
    source->content = ws_arena_copy_text(arena, line);
    span.line = number > INT32_MAX ? INT32_MAX : (int32_t)number;
    span.offset = (int64_t)from;
    span.column = 1 + (int32_t)ws_text_characters(ws_text_slice(line, 0, from));
    span.length = (int32_t)ws_text_characters(ws_text_slice(line, from, to));
    span.length = span.length < 1 ? 1 : span.length;
    return span;
}
