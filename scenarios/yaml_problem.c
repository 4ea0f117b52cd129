/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a syntax error means to whoever wrote the file.
 *
 * libyaml says what its grammar missed, often on the line after the mistake. The line is looked at
 * again for the mistakes that people make: a tab, a missing colon, a template that was not
 * rendered, a value that wants quotes.
 */
#include <string.h>

#include "yaml_reader.h"

/* A line of the content by offsets, without its break. */
typedef struct {
    size_t from;
    size_t to;
} problem_line;

static ws_text problem_content(const ws_yaml_reader *reader)
{
    return ws_text_slice(reader->source->content, 0, reader->base + reader->text.length);
}

static bool problem_is_break(char byte)
{
    return byte == '\n' || byte == '\r';
}

static problem_line problem_line_at(const ws_yaml_reader *reader, size_t offset)
{
    ws_text content = problem_content(reader);
    problem_line line = {.from = offset, .to = offset};

    WS_ASSERT(offset >= reader->base);
    WS_ASSERT(offset <= content.length);

    while (line.from > reader->base && !problem_is_break(content.start[line.from - 1])) {
        line.from--;
    }
    while (line.to < content.length && !problem_is_break(content.start[line.to])) {
        line.to++;
    }
    return line;
}

static ws_text problem_line_text(const ws_yaml_reader *reader, problem_line line)
{
    return ws_text_slice(reader->source->content, line.from, line.to);
}

static bool problem_contains(ws_text text, const char *part)
{
    ws_text wanted = ws_text_of(part);

    for (size_t i = 0; i + wanted.length <= text.length; i++) {
        if (ws_text_starts_with(ws_text_slice(text, i, text.length), wanted)) {
            return true;
        }
    }
    return false;
}

bool ws_yaml_report_memory(const ws_yaml_reader *reader)
{
    WS_ASSERT(reader->diag != NULL);
    return ws_diag_error(reader->diag, 9007, (ws_span){.source = reader->source},
                         "not enough memory to read this file");
}

/* ---- templates ---- */

static bool problem_is_template(const ws_yaml_reader *reader, size_t offset)
{
    return problem_contains(problem_line_text(reader, problem_line_at(reader, offset)), "{{");
}

static bool problem_report_template(const ws_yaml_reader *reader, size_t offset)
{
    problem_line line = problem_line_at(reader, offset);
    size_t from = line.from;
    ws_diagnostic diagnostic = {
        .severity = WS_SEVERITY_ERROR,
        .code = 5104,
        .message = WS_TEXT("this looks like a Helm template"),
        .label = WS_TEXT("not rendered"),
        .help = WS_TEXT("render it first (`helm template`)"),
    };

    WS_ASSERT(problem_is_template(reader, offset));

    while (!ws_text_starts_with(ws_text_slice(reader->source->content, from, line.to),
                                WS_TEXT("{{"))) {
        from++;
    }
    diagnostic.at = ws_yaml_bytes(reader, from, from + 2);
    ws_diag_add(reader->diag, &diagnostic);
    return false;
}

bool ws_yaml_report_key(const ws_yaml_reader *reader, ws_span at)
{
    WS_ASSERT(reader->diag != NULL);

    ws_diagnostic diagnostic = {
        .severity = WS_SEVERITY_ERROR,
        .code = 1103,
        .message = WS_TEXT("a key must be a name"),
        .at = at,
        .label = WS_TEXT("not a word and not in quotes"),
    };

    if (problem_is_template(reader, (size_t)at.offset)) {
        return problem_report_template(reader, (size_t)at.offset);
    }
    ws_diag_add(reader->diag, &diagnostic);
    return false;
}

/* ---- tabs ---- */

static bool problem_report_tab(const ws_yaml_reader *reader, size_t offset)
{
    problem_line line = problem_line_at(reader, offset);
    ws_text content = problem_content(reader);
    size_t from = line.from;
    size_t to = 0;
    ws_diagnostic diagnostic = {
        .severity = WS_SEVERITY_ERROR,
        .code = 1102,
        .message = WS_TEXT("a tab is used for indentation"),
        .label = WS_TEXT("YAML allows only spaces here"),
        .help = WS_TEXT("replace the tab by 2 spaces"),
    };

    while (from < line.to && content.start[from] == ' ') {
        from++;
    }
    to = from;
    while (to < line.to && content.start[to] == '\t') {
        to++;
    }
    if (from == to) {
        return false;
    }
    if (to > from + 1) {
        diagnostic.help = WS_TEXT("replace each tab by 2 spaces");
    }
    diagnostic.at = ws_yaml_bytes(reader, from, to);
    ws_diag_add(reader->diag, &diagnostic);
    return true;
}

/* ---- colons ---- */

/* The rest of a line without its comment. */
static ws_text problem_code(ws_text line)
{
    for (size_t i = 1; i < line.length; i++) {
        if (line.start[i] == '#' && (line.start[i - 1] == ' ' || line.start[i - 1] == '\t')) {
            return ws_text_trimmed(ws_text_slice(line, 0, i));
        }
    }
    return ws_text_trimmed(line);
}

static size_t problem_word_end(ws_text code)
{
    size_t end = ws_text_find_byte(code, ' ');
    size_t tab = ws_text_find_byte(code, '\t');

    return tab < end ? tab : end;
}

/* `key:value`: libyaml reads one word. */
static bool problem_report_tight_colon(const ws_yaml_reader *reader, size_t offset, ws_text code,
                                       size_t colon)
{
    ws_text key = ws_text_slice(code, 0, colon);
    ws_text value = ws_text_slice(code, colon + 1, code.length);

    WS_ASSERT(code.start[colon] == ':');

    ws_diagnostic diagnostic = {
        .severity = WS_SEVERITY_ERROR,
        .code = 1104,
        .message = WS_TEXT("expected a blank after `:`"),
        .at = ws_yaml_bytes(reader, offset + colon, offset + colon + 1),
        .label = WS_TEXT("key and value run together"),
        .help = ws_arena_format(reader->arena, "write `%.*s: %.*s`", WS_TEXT_ARGS(key),
                                WS_TEXT_ARGS(value)),
    };

    ws_diag_add(reader->diag, &diagnostic);
    return true;
}

/* A line that should be `key: value`; false when it does not look like one. */
static bool problem_report_colon(const ws_yaml_reader *reader, size_t offset)
{
    problem_line line = problem_line_at(reader, offset);
    ws_text code = problem_code(ws_text_slice(reader->source->content, offset, line.to));
    size_t word = problem_word_end(code);
    size_t colon = ws_text_find_byte(code, ':');
    ws_text key = ws_text_slice(code, 0, word);
    ws_text value = ws_text_trimmed(ws_text_slice(code, word, code.length));
    ws_diagnostic diagnostic = {
        .severity = WS_SEVERITY_ERROR,
        .code = 1104,
        .message = WS_TEXT("expected `:` after a key"),
        .label = WS_TEXT("key without a value"),
    };

    if (code.length == 0 || code.length > 200 ||
        strchr("\"'[]{}&*!|>@`%#,?-", code.start[0]) != NULL) {
        return false;
    }
    if (colon > 0 && colon < word) {
        return problem_report_tight_colon(reader, offset, code, colon);
    }
    if (colon < code.length) {
        return false;
    }
    diagnostic.at = ws_yaml_bytes(reader, offset, offset + word);
    diagnostic.help = value.length > 0 ? ws_arena_format(reader->arena, "write `%.*s: %.*s`",
                                                         WS_TEXT_ARGS(key), WS_TEXT_ARGS(value))
                                       : ws_arena_format(reader->arena, "write `%.*s:` and a value",
                                                         WS_TEXT_ARGS(key));
    ws_diag_add(reader->diag, &diagnostic);
    return true;
}

static size_t problem_indent(ws_text line)
{
    size_t indent = 0;

    while (indent < line.length && line.start[indent] == ' ') {
        indent++;
    }
    return indent;
}

/*
 * When the key that lacks its colon is the first of its map, libyaml takes it for a text, or for
 * the first line of one that the next key goes on with. So the line before,
 * if it stands equally deep, is the one at fault.
 */
static bool problem_report_colon_before(const ws_yaml_reader *reader, size_t offset)
{
    problem_line line = problem_line_at(reader, offset);
    size_t indent = problem_indent(problem_line_text(reader, line));

    while (line.from > reader->base) {
        ws_text text;
        size_t own = 0;

        line = problem_line_at(reader, line.from - 1);
        text = problem_line_text(reader, line);
        own = problem_indent(text);
        if (own < text.length && text.start[own] != '#') {
            return own == indent && problem_report_colon(reader, line.from + indent);
        }
    }
    return false;
}

/* ---- all else ---- */

static ws_text problem_help(const ws_yaml_reader *reader, size_t offset)
{
    const char *problem = reader->parser.problem;
    ws_text content = problem_content(reader);

    if (strstr(problem, "cannot start any token") != NULL && offset < content.length) {
        return ws_arena_format(reader->arena, "put a value that begins with `%c` in quotes",
                               content.start[offset]);
    }
    if (strstr(problem, "expected alphabetic or numeric") != NULL) {
        return WS_TEXT("put a value that begins with `*` or `&` in quotes");
    }
    if (strstr(problem, "invalid Unicode character escape") != NULL) {
        return WS_TEXT("write the character itself");
    }
    if (strstr(problem, "unknown escape character") != NULL) {
        return WS_TEXT("write `\\\\` for a backslash, or use single quotes");
    }
    if (strstr(problem, "mapping values are not allowed") != NULL) {
        return WS_TEXT(
            "put a value that holds `: ` in quotes, and begin each key on a line of its own");
    }
    return (ws_text){.start = NULL, .length = 0};
}

static bool problem_report_other(const ws_yaml_reader *reader, size_t offset, size_t context)
{
    size_t end = reader->base + reader->text.length;
    ws_diagnostic diagnostic = {
        .severity = WS_SEVERITY_ERROR,
        .code = 1101,
        .message = ws_arena_format(reader->arena, "not valid YAML: %s", reader->parser.problem),
        .at = ws_yaml_bytes(reader, offset, offset < end ? offset + 1 : offset),
        .help = problem_help(reader, offset),
    };

    if (strstr(reader->parser.problem, "unexpected end of stream") != NULL) {
        diagnostic.at = ws_yaml_bytes(reader, context, context < end ? context + 1 : context);
        diagnostic.label = WS_TEXT("begun here and not ended");
    } else if (reader->parser.context != NULL && context != offset) {
        diagnostic.also = ws_yaml_bytes(reader, context, context < end ? context + 1 : context);
        diagnostic.also_label = ws_text_of(reader->parser.context);
    }
    ws_diag_add(reader->diag, &diagnostic);
    return false;
}

static bool problem_report_tag(const ws_yaml_reader *reader, size_t offset)
{
    ws_diagnostic diagnostic = {
        .severity = WS_SEVERITY_ERROR,
        .code = 1307,
        .message = WS_TEXT("tags are not used here"),
        .at = ws_yaml_bytes(reader, offset, offset),
        .label = WS_TEXT("a tag"),
        .help = WS_TEXT("remove it, or put a value that begins with `!` in quotes"),
    };

    ws_diag_add(reader->diag, &diagnostic);
    return false;
}

/* What libyaml's message leaves out: a tabulator, a colon without its blank. False, and nothing
 * reported, when it is none of these. */
static bool problem_report_cause(const ws_yaml_reader *reader, size_t offset, size_t before)
{
    const char *problem = reader->parser.problem;

    if (reader->parser.flow_level == 0 &&
        (problem_report_tab(reader, offset) || problem_report_tab(reader, before))) {
        return true;
    }
    if (strstr(problem, "could not find expected ':'") != NULL &&
        problem_report_colon(reader, before)) {
        return true;
    }
    return (strstr(problem, "mapping values are not allowed") != NULL ||
            strstr(problem, "did not find expected key") != NULL) &&
           problem_report_colon_before(reader, offset);
}

bool ws_yaml_report_problem(const ws_yaml_reader *reader)
{
    WS_ASSERT(reader->diag != NULL);

    const yaml_parser_t *parser = &reader->parser;
    const char *problem = parser->problem == NULL ? "" : parser->problem;
    const char *context = parser->context == NULL ? "" : parser->context;
    size_t offset = 0;
    size_t before = 0;

    if (parser->error == YAML_MEMORY_ERROR || parser->problem == NULL) {
        return ws_yaml_report_memory(reader);
    }
    offset = ws_yaml_offset(reader, &parser->problem_mark);
    before = parser->context == NULL ? offset : ws_yaml_offset(reader, &parser->context_mark);
    if (problem_is_template(reader, offset) || problem_is_template(reader, before)) {
        return problem_report_template(reader,
                                       problem_is_template(reader, offset) ? offset : before);
    }
    if (strstr(context, "tag") != NULL || strstr(problem, "tag handle") != NULL) {
        return problem_report_tag(reader, before);
    }
    return !problem_report_cause(reader, offset, before) &&
           problem_report_other(reader, offset, before);
}
