/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Printing a diagnostic with the lines that it points at.
 *
 * A line is shown glyph by glyph (ws/glyph.h), so a place in the file (a character) and a place on
 * the screen (a column) are different things: marks are laid out in columns. A line wider than
 * PRINT_COLUMNS_MAX is cut to a window around its marks. Marks are ordered by line, then column;
 * marks of one line share its quotation when both fit in one window.
 */
#include "buffer.h"
#include "ws/diag.h"
#include "ws/glyph.h"

#define PRINT_COLUMNS_MAX ((size_t)120)
#define PRINT_DOTS ((size_t)3) /* "..." where a line is cut */
#define PRINT_WINDOW (PRINT_COLUMNS_MAX - 2 * PRINT_DOTS)

typedef struct {
    const ws_span *span;
    ws_text label;
    char mark; /* '^' of the place, '-' of the second place */
} print_mark;

/* Columns [from, to) of a shown line. */
typedef struct {
    size_t from;
    size_t to;
} print_range;

typedef struct {
    ws_buffer out;
    bool colour;
    ws_severity severity;
    size_t gutter; /* digits of the largest line number */
} printer;

typedef enum { PRINT_SEVERITY, PRINT_FRAME, PRINT_SECOND, PRINT_STRONG } print_style;

static const char *print_severity_colour(ws_severity severity)
{
    switch (severity) {
    case WS_SEVERITY_NOTE:
        return "\x1b[1;36m";
    case WS_SEVERITY_WARNING:
        return "\x1b[1;33m";
    case WS_SEVERITY_ERROR:
    case WS_SEVERITY_BUG:
        return "\x1b[1;31m";
    }
    return "";
}

static const char *print_severity_word(ws_severity severity)
{
    switch (severity) {
    case WS_SEVERITY_NOTE:
        return "note";
    case WS_SEVERITY_WARNING:
        return "warning";
    case WS_SEVERITY_ERROR:
        return "error";
    case WS_SEVERITY_BUG:
        return "bug";
    }
    return "";
}

static void print_begin(printer *print, print_style style)
{
    const char *code = "";

    if (!print->colour) {
        return;
    }
    switch (style) {
    case PRINT_SEVERITY:
        code = print_severity_colour(print->severity);
        break;
    case PRINT_FRAME:
    case PRINT_SECOND:
        code = "\x1b[1;34m";
        break;
    case PRINT_STRONG:
        code = "\x1b[1m";
        break;
    }
    ws_buffer_add_string(&print->out, code);
}

static void print_end(printer *print)
{
    if (print->colour) {
        ws_buffer_add_string(&print->out, "\x1b[0m");
    }
}

static size_t print_digits(int32_t number)
{
    size_t digits = 1;

    for (int32_t rest = number; rest >= 10; rest /= 10) {
        digits++;
    }
    return digits;
}

static bool print_is_quoted(const ws_span *span)
{
    return span->source != NULL && span->line > 0 && span->source->content.length > 0;
}

/* The line that holds a span, without its break and without a byte-order mark. */
static ws_text print_line_of(const ws_span *span)
{
    ws_text content = span->source->content;
    size_t from = span->offset < 0 ? 0 : (size_t)span->offset;
    size_t to = 0;

    from = from > content.length ? content.length : from;
    to = from;
    while (from > 0 && content.start[from - 1] != '\n' && content.start[from - 1] != '\r') {
        from--;
    }
    while (to < content.length && content.start[to] != '\n' && content.start[to] != '\r') {
        to++;
    }
    if (from == 0 && ws_text_starts_with(content, WS_TEXT("\xEF\xBB\xBF"))) {
        from = to < 3 ? to : 3;
    }
    return ws_text_slice(content, from, to);
}

static size_t print_line_columns(ws_text line)
{
    ws_glyph glyph;
    size_t columns = 0;

    for (size_t i = 0; i < line.length;) {
        i += ws_glyph_next(line, i, &glyph);
        columns += glyph.columns;
    }
    return columns;
}

/* Where a span lies on the screen. A span behind the end of its line (a value that is missing) gets
 * a place there. */
static print_range print_range_of(ws_text line, const ws_span *span)
{
    print_range range = {.from = 0, .to = 0};
    size_t first = span->column < 1 ? 0 : (size_t)span->column - 1;
    size_t length = span->length < 1 ? 1 : (size_t)span->length;
    size_t character = 0;
    ws_glyph glyph;

    for (size_t i = 0; i < line.length && character < first + length; character++) {
        i += ws_glyph_next(line, i, &glyph);
        range.from += character < first ? glyph.columns : 0;
        range.to += glyph.columns;
    }
    if (character <= first) {
        range.from += first - character;
        range.from = range.from > PRINT_COLUMNS_MAX + range.to ? range.to : range.from;
        range.to = range.from + 1;
    }
    return range;
}

/* The part of a line that is shown: all of it, or a window around `marked`. */
static print_range print_window(size_t columns, print_range marked)
{
    print_range window = {.from = 0, .to = columns};
    size_t wide = marked.to - marked.from;
    size_t before = 0;

    if (columns <= PRINT_COLUMNS_MAX) {
        return window;
    }
    wide = wide > PRINT_WINDOW ? PRINT_WINDOW : wide;
    before = (PRINT_WINDOW - wide) / 2;
    window.from = marked.from > before ? marked.from - before : 0;
    if (window.from + PRINT_WINDOW >= columns) {
        window.from = columns - PRINT_WINDOW;
    }
    window.to = window.from + PRINT_WINDOW;
    return window;
}

static void print_number(printer *print, int32_t number)
{
    print_begin(print, PRINT_FRAME);
    if (number > 0) {
        ws_buffer_repeat(&print->out, ' ', print->gutter - print_digits(number));
        ws_buffer_add_integer(&print->out, number);
    } else {
        ws_buffer_repeat(&print->out, ' ', print->gutter);
    }
    ws_buffer_add_string(&print->out, " |");
    print_end(print);
}

static void print_frame(printer *print)
{
    print_number(print, 0);
    ws_buffer_add_string(&print->out, "\n");
}

/* A glyph that the window cuts in two leaves blanks, so that the marks below stay in place. */
static void print_glyph(printer *print, const ws_glyph *glyph, size_t column, print_range window)
{
    size_t from = column < window.from ? window.from : column;
    size_t to = column + glyph->columns > window.to ? window.to : column + glyph->columns;

    if (from == column && to == column + glyph->columns) {
        ws_buffer_add(&print->out, (ws_text){.start = glyph->bytes, .length = glyph->length});
    } else if (from < to) {
        ws_buffer_repeat(&print->out, ' ', to - from);
    }
}

static void print_source_line(printer *print, int32_t number, ws_text line, print_range window)
{
    size_t column = 0;
    ws_glyph glyph;

    print_number(print, number);
    if (line.length > 0) {
        ws_buffer_add_string(&print->out, window.from > 0 ? " ..." : " ");
    }
    for (size_t i = 0; i < line.length && column < window.to;) {
        i += ws_glyph_next(line, i, &glyph);
        print_glyph(print, &glyph, column, window);
        column += glyph.columns;
    }
    if (window.to < print_line_columns(line)) {
        ws_buffer_add_string(&print->out, "...");
    }
    ws_buffer_add_string(&print->out, "\n");
}

static void print_underline(printer *print, const print_mark *mark, print_range range,
                            print_range window)
{
    size_t dots = window.from > 0 ? PRINT_DOTS : 0;
    size_t limit = window.to + PRINT_DOTS;

    WS_ASSERT(range.from >= window.from);
    WS_ASSERT(range.to > range.from);

    range.to = range.to > limit && range.from < limit ? limit : range.to;
    print_number(print, 0);
    ws_buffer_repeat(&print->out, ' ', 1 + dots + range.from - window.from);
    print_begin(print, mark->mark == '^' ? PRINT_SEVERITY : PRINT_SECOND);
    ws_buffer_repeat(&print->out, mark->mark, range.to - range.from);
    if (mark->label.length > 0) {
        ws_buffer_add_string(&print->out, " ");
        ws_buffer_add_shown(&print->out, mark->label);
    }
    print_end(print);
    ws_buffer_add_string(&print->out, "\n");
}

/* Quotes the line of the first mark; returns how many of the marks are drawn below it, 1 or 2. */
static size_t print_quote(printer *print, const print_mark *marks, size_t count)
{
    ws_text line = print_line_of(marks[0].span);
    size_t columns = print_line_columns(line);
    print_range ranges[2] = {print_range_of(line, marks[0].span), {.from = 0, .to = 0}};
    print_range marked = ranges[0];
    size_t drawn = 1;

    if (count > 1 && marks[1].span->line == marks[0].span->line) {
        ranges[1] = print_range_of(line, marks[1].span);
        marked.to = ranges[1].to > marked.to ? ranges[1].to : marked.to;
        drawn = columns <= PRINT_COLUMNS_MAX || marked.to - marked.from <= PRINT_WINDOW ? 2 : 1;
    }
    marked = drawn == 2 ? marked : ranges[0];

    print_range window = print_window(columns, marked);
    print_source_line(print, marks[0].span->line, line, window);
    for (size_t i = 0; i < drawn; i++) {
        print_underline(print, &marks[i], ranges[i], window);
    }
    return drawn;
}

/* `  --> file:line:column`; `  ::: ` for a second file. */
static void print_place(printer *print, const ws_span *span, const char *arrow)
{
    print_begin(print, PRINT_FRAME);
    ws_buffer_repeat(&print->out, ' ', print->gutter);
    ws_buffer_add_string(&print->out, arrow);
    print_end(print);
    ws_buffer_add_shown(&print->out, span->source->name);
    if (span->line > 0) {
        ws_buffer_add_string(&print->out, ":");
        ws_buffer_add_integer(&print->out, span->line);
        ws_buffer_add_string(&print->out, ":");
        ws_buffer_add_integer(&print->out, span->column);
    }
    ws_buffer_add_string(&print->out, "\n");
}

/* The quotations of one file. */
static void print_marks(printer *print, const print_mark *marks, size_t count)
{
    int32_t previous = 0;

    print_frame(print);
    for (size_t i = 0; i < count;) {
        if (i > 0 && marks[i].span->line > previous + 1) {
            print_begin(print, PRINT_FRAME);
            ws_buffer_add_string(&print->out, "...");
            print_end(print);
            ws_buffer_add_string(&print->out, "\n");
        }
        previous = marks[i].span->line;
        i += print_quote(print, marks + i, count - i);
    }
}

/* `   = help: text`; the lines of a text of several lines stand below each other. */
static void print_remark(printer *print, const char *kind, ws_text text)
{
    size_t indent = print->gutter + 5 + ws_text_of(kind).length;

    print_begin(print, PRINT_FRAME);
    ws_buffer_repeat(&print->out, ' ', print->gutter);
    ws_buffer_add_string(&print->out, " = ");
    print_end(print);
    print_begin(print, PRINT_STRONG);
    ws_buffer_add_string(&print->out, kind);
    ws_buffer_add_string(&print->out, ":");
    print_end(print);
    ws_buffer_add_string(&print->out, " ");
    for (size_t from = 0; from <= text.length;) {
        ws_text rest = ws_text_slice(text, from, text.length);
        size_t to = ws_text_find_byte(rest, '\n');

        if (from > 0) {
            ws_buffer_repeat(&print->out, ' ', indent);
        }
        ws_buffer_add_shown(&print->out, ws_text_slice(rest, 0, to));
        ws_buffer_add_string(&print->out, "\n");
        from += to + 1;
    }
}

/* A label whose line cannot be quoted is not lost. */
static void print_remarks(printer *print, const ws_diagnostic *diagnostic, bool framed)
{
    bool label = diagnostic->label.length > 0 && !print_is_quoted(&diagnostic->at);
    bool any = label || diagnostic->help.length > 0 || diagnostic->notes[0].length > 0 ||
               diagnostic->notes[1].length > 0;

    if (any && framed) {
        print_frame(print);
    }
    if (label) {
        print_remark(print, "note", diagnostic->label);
    }
    if (diagnostic->help.length > 0) {
        print_remark(print, "help", diagnostic->help);
    }
    for (size_t i = 0; i < WS_COUNT_OF(diagnostic->notes); i++) {
        if (diagnostic->notes[i].length > 0) {
            print_remark(print, "note", diagnostic->notes[i]);
        }
    }
}

static void print_headline(printer *print, const ws_diagnostic *diagnostic)
{
    int code = diagnostic->code;

    print_begin(print, PRINT_SEVERITY);
    ws_buffer_add_string(&print->out, print_severity_word(diagnostic->severity));
    if (code > 0) {
        ws_buffer_add_string(&print->out, code < 1000 ? "[WS0" : "[WS");
        ws_buffer_add_integer(&print->out, code);
        ws_buffer_add_string(&print->out, "]");
    }
    print_end(print);
    print_begin(print, PRINT_STRONG);
    ws_buffer_add_string(&print->out, ": ");
    ws_buffer_add_shown(&print->out, diagnostic->message);
    print_end(print);
    ws_buffer_add_string(&print->out, "\n");
}

static bool print_is_after(const ws_span *a, const ws_span *b)
{
    return a->line != b->line ? a->line > b->line : a->column > b->column;
}

/* The place, and the second one if it is in the same file: in the order of the file. */
static void print_places(printer *print, const ws_diagnostic *diagnostic)
{
    const print_mark first = {.span = &diagnostic->at, .label = diagnostic->label, .mark = '^'};
    const print_mark second = {
        .span = &diagnostic->also, .label = diagnostic->also_label, .mark = '-'};
    bool has_first = print_is_quoted(first.span);
    bool has_second = print_is_quoted(second.span);
    bool together = has_first && has_second && first.span->source == second.span->source;

    print_place(print, first.span, "--> ");
    if (together && print_is_after(first.span, second.span)) {
        print_marks(print, (print_mark[]){second, first}, 2);
    } else if (together) {
        print_marks(print, (print_mark[]){first, second}, 2);
    } else if (has_first) {
        print_marks(print, &first, 1);
    }
    if (has_second && !together) {
        print_frame(print);
        print_place(print, second.span, "::: ");
        print_marks(print, &second, 1);
    }
}

ws_text ws_diagnostic_print(const ws_diagnostic *diagnostic, bool colour, ws_arena *arena)
{
    printer print = {.colour = colour, .gutter = 1};
    int32_t last = 0;

    WS_ASSERT(diagnostic != NULL);
    WS_ASSERT(arena != NULL);

    ws_buffer_init(&print.out, arena);
    print.severity = diagnostic->severity;
    last = diagnostic->at.source != NULL ? diagnostic->at.line : 0;
    if (print_is_quoted(&diagnostic->also) && diagnostic->also.line > last) {
        last = diagnostic->also.line;
    }
    print.gutter = print_digits(last);
    print_headline(&print, diagnostic);
    if (diagnostic->at.source != NULL) {
        print_places(&print, diagnostic);
    }
    print_remarks(&print, diagnostic, diagnostic->at.source != NULL);
    return ws_buffer_text(&print.out);
}
