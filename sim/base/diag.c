/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Collecting diagnostics. The counts move even when the arena is exhausted or the collection is
 * full, so that an error is never lost, only its text.
 */
#include "ws/diag.h"

#include <stdarg.h>
#include <stdio.h>

const ws_span ws_span_none = {.source = NULL};

void ws_diag_init(ws_diag *diag, ws_arena *arena)
{
    WS_ASSERT(diag != NULL);
    WS_ASSERT(arena != NULL);

    *diag = (ws_diag){.arena = arena};
}

bool ws_diag_has_errors(const ws_diag *diag)
{
    WS_ASSERT(diag != NULL);

    return diag->error_count > 0;
}

static void diag_count(ws_diag *diag, ws_severity severity)
{
    switch (severity) {
    case WS_SEVERITY_NOTE:
        break;
    case WS_SEVERITY_WARNING:
        diag->warning_count++;
        break;
    case WS_SEVERITY_ERROR:
    case WS_SEVERITY_BUG:
        diag->error_count++;
        break;
    }
}

/* Keeps an entry whose texts already live long enough. */
static void diag_keep(ws_diag *diag, const ws_diagnostic *diagnostic)
{
    ws_diagnostic *grown = NULL;

    if (diag->count == WS_DIAG_MAX) {
        diag->dropped++;
        return;
    }
    grown = ws_arena_grow(diag->arena, diag->entries, diag->count, diag->count + 1, &diag->capacity,
                          sizeof *diag->entries);
    if (grown == NULL) {
        diag->dropped++;
        return;
    }
    diag->entries = grown;
    diag->entries[diag->count] = *diagnostic;
    diag->count++;
}

/* Replaces a text by a copy in the arena. */
static bool diag_copy(ws_arena *arena, ws_text *text)
{
    if (text->length > 0) {
        *text = ws_arena_copy_text(arena, *text);
    }
    return text->length == 0 || text->start != NULL;
}

void ws_diag_add(ws_diag *diag, const ws_diagnostic *diagnostic)
{
    ws_diagnostic kept = {.severity = WS_SEVERITY_ERROR};
    bool complete = true;

    WS_ASSERT(diag != NULL);
    WS_ASSERT(diagnostic != NULL);

    diag_count(diag, diagnostic->severity);
    if (diag->count == WS_DIAG_MAX) {
        diag->dropped++;
        return;
    }
    kept = *diagnostic;
    complete = diag_copy(diag->arena, &kept.message) && complete;
    complete = diag_copy(diag->arena, &kept.label) && complete;
    complete = diag_copy(diag->arena, &kept.also_label) && complete;
    complete = diag_copy(diag->arena, &kept.help) && complete;
    for (size_t i = 0; i < WS_COUNT_OF(kept.notes); i++) {
        complete = diag_copy(diag->arena, &kept.notes[i]) && complete;
    }
    if (complete) {
        diag_keep(diag, &kept);
    } else {
        diag->dropped++;
    }
}

/* The simple case: a message and a place. Only the message needs memory, so it is made in place. */
WS_PRINTF(3, 0)
static void diag_report(ws_diag *diag, const ws_diagnostic *blank, const char *format,
                        va_list arguments)
{
    ws_diagnostic diagnostic = *blank;
    va_list again;
    char *text = NULL;
    int length = 0;

    diag_count(diag, blank->severity);
    va_copy(again, arguments);
    length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length >= 0) {
        text = ws_arena_alloc_bytes(diag->arena, (size_t)length + 1, 1);
    }
    if (text == NULL) {
        diag->dropped++;
        return;
    }
    (void)vsnprintf(text, (size_t)length + 1, format, arguments);
    diagnostic.message = (ws_text){.start = text, .length = (size_t)length};
    diag_keep(diag, &diagnostic);
}

bool ws_diag_error(ws_diag *diag, int code, ws_span at, const char *format, ...)
{
    ws_diagnostic blank = {.severity = WS_SEVERITY_ERROR, .code = code, .at = at};
    va_list arguments;

    WS_ASSERT(diag != NULL);
    WS_ASSERT(format != NULL);

    va_start(arguments, format);
    diag_report(diag, &blank, format, arguments);
    va_end(arguments);
    return false;
}

void ws_diag_warning(ws_diag *diag, int code, ws_span at, const char *format, ...)
{
    ws_diagnostic blank = {.severity = WS_SEVERITY_WARNING, .code = code, .at = at};
    va_list arguments;

    WS_ASSERT(diag != NULL);
    WS_ASSERT(format != NULL);

    va_start(arguments, format);
    diag_report(diag, &blank, format, arguments);
    va_end(arguments);
}

static ws_text diag_source_name(const ws_span *at)
{
    return at->source == NULL ? WS_TEXT("") : at->source->name;
}

bool ws_diagnostic_equals(const ws_diagnostic *a, const ws_diagnostic *b)
{
    WS_ASSERT(a != NULL && b != NULL);

    return a->severity == b->severity && a->code == b->code && a->at.offset == b->at.offset &&
           a->at.line == b->at.line &&
           ws_text_equals(diag_source_name(&a->at), diag_source_name(&b->at)) &&
           ws_text_equals(a->message, b->message);
}

static void diag_uncount(ws_diag *diag, ws_severity severity)
{
    diag->warning_count -= severity == WS_SEVERITY_WARNING ? 1 : 0;
    diag->error_count -= severity >= WS_SEVERITY_ERROR ? 1 : 0;
}

void ws_diag_drop_repeated(ws_diag *diag)
{
    size_t kept = 0;

    WS_ASSERT(diag != NULL);

    for (size_t i = 0; i < diag->count; i++) {
        size_t k = 0;

        while (k < kept && !ws_diagnostic_equals(&diag->entries[k], &diag->entries[i])) {
            k++;
        }
        if (k < kept) {
            diag_uncount(diag, diag->entries[i].severity);
        } else {
            diag->entries[kept] = diag->entries[i];
            kept++;
        }
    }
    diag->count = kept;
}

void ws_diag_make_strict(ws_diag *diag)
{
    WS_ASSERT(diag != NULL);

    for (size_t i = 0; i < diag->count; i++) {
        if (diag->entries[i].severity == WS_SEVERITY_WARNING) {
            diag->entries[i].severity = WS_SEVERITY_ERROR;
        }
    }
    diag->error_count += diag->warning_count; /* those that were dropped included */
    diag->warning_count = 0;
}

/* Rank of an entry's file: the index of the first entry that names the same one. */
static size_t diag_file_rank(const ws_diag *diag, size_t entry)
{
    const ws_source *source = diag->entries[entry].at.source;

    for (size_t i = 0; i < entry; i++) {
        const ws_source *other = diag->entries[i].at.source;

        if (other == source ||
            (other != NULL && source != NULL && ws_text_equals(other->name, source->name))) {
            return i;
        }
    }
    return entry;
}

static bool diag_is_before(const ws_diagnostic *a, size_t a_rank, const ws_diagnostic *b,
                           size_t b_rank)
{
    if (a_rank != b_rank) {
        return a_rank < b_rank;
    }
    if (a->at.line != b->at.line) {
        return a->at.line < b->at.line;
    }
    return a->at.column < b->at.column;
}

void ws_diag_sort(ws_diag *diag)
{
    size_t ranks[WS_DIAG_MAX];

    WS_ASSERT(diag != NULL);
    WS_ASSERT(diag->count <= WS_DIAG_MAX);

    for (size_t i = 0; i < diag->count; i++) {
        ranks[i] = diag_file_rank(diag, i);
    }
    /* Insertion keeps the order of adding among equals; there are at most WS_DIAG_MAX. */
    for (size_t i = 1; i < diag->count; i++) {
        ws_diagnostic moving = diag->entries[i];
        size_t rank = ranks[i];
        size_t to = i;

        while (to > 0 && diag_is_before(&moving, rank, &diag->entries[to - 1], ranks[to - 1])) {
            diag->entries[to] = diag->entries[to - 1];
            ranks[to] = ranks[to - 1];
            to--;
        }
        diag->entries[to] = moving;
        ranks[to] = rank;
    }
}

static bool diag_is_line_end(ws_text content, size_t at)
{
    return at >= content.length || content.start[at] == '\n' || content.start[at] == '\r';
}

/* Bytes of a line break at `at`: CRLF is one. */
static size_t diag_break_bytes(ws_text content, size_t at)
{
    bool is_crlf =
        content.start[at] == '\r' && at + 1 < content.length && content.start[at + 1] == '\n';

    return is_crlf ? 2 : 1;
}

ws_span ws_span_of_bytes(const ws_source *source, size_t from, size_t to)
{
    ws_span span = {.source = source, .line = 1, .column = 1, .length = 1};
    size_t line_start = 0;
    size_t end = 0;

    WS_ASSERT(source != NULL);
    WS_ASSERT(from <= to);
    WS_ASSERT(to <= source->content.length);

    if (ws_text_starts_with(source->content, WS_TEXT("\xEF\xBB\xBF"))) {
        line_start = 3;
    }
    for (size_t i = line_start; i < from;) {
        if (!diag_is_line_end(source->content, i)) {
            i++;
            continue;
        }
        i += diag_break_bytes(source->content, i);
        line_start = i <= from ? i : line_start; /* `from` may lie inside of CRLF */
        span.line += i <= from ? 1 : 0;
    }
    for (end = from; end < to && !diag_is_line_end(source->content, end);) {
        end++;
    }
    span.offset = (int64_t)from;
    span.column += (int32_t)ws_text_characters(ws_text_slice(source->content, line_start, from));
    span.length = (int32_t)ws_text_characters(ws_text_slice(source->content, from, end));
    span.length = span.length < 1 ? 1 : span.length;
    return span;
}
