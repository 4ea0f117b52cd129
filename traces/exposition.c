/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "exposition.h"

typedef struct {
    ws_text line;
    size_t at;
} exposition_scan;

static char exposition_peek(const exposition_scan *scan)
{
    return scan->at < scan->line.length ? scan->line.start[scan->at] : '\0';
}

static bool exposition_is_blank(char byte)
{
    return byte == ' ' || byte == '\t';
}

static void exposition_skip_blanks(exposition_scan *scan)
{
    while (exposition_is_blank(exposition_peek(scan))) {
        scan->at++;
    }
}

/* Passes over one byte if it is there. */
static bool exposition_skip(exposition_scan *scan, char byte)
{
    if (exposition_peek(scan) != byte || scan->at >= scan->line.length) {
        return false;
    }
    scan->at++;
    return true;
}

/* Letters, digits, `_` and `:`, no digit first; empty when there is none. */
static ws_text exposition_name(exposition_scan *scan)
{
    size_t from = scan->at;

    for (;; scan->at++) {
        char byte = exposition_peek(scan);
        bool is_letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                         byte == '_' || byte == ':';
        bool is_digit = byte >= '0' && byte <= '9' && scan->at > from;
        if (!is_letter && !is_digit) {
            return ws_text_slice(scan->line, from, scan->at);
        }
    }
}

/* What stands in quotes, its escapes kept. */
static bool exposition_quoted(exposition_scan *scan, ws_text *text)
{
    if (!exposition_skip(scan, '"')) {
        return false;
    }
    size_t from = scan->at;

    while (scan->at < scan->line.length && exposition_peek(scan) != '"') {
        scan->at += exposition_peek(scan) == '\\' ? 2 : 1;
    }
    *text = ws_text_slice(scan->line, from, scan->at);
    return exposition_skip(scan, '"');
}

/* label="value", or a name in quotes alone. */
static bool exposition_label(exposition_scan *scan, ws_series_labels *labels)
{
    bool is_quoted = exposition_peek(scan) == '"';
    ws_text name = {.start = NULL};
    ws_text value = {.start = NULL};

    if (is_quoted && !exposition_quoted(scan, &name)) {
        return false;
    }
    if (!is_quoted) {
        name = exposition_name(scan);
    }
    exposition_skip_blanks(scan);
    if (is_quoted && exposition_peek(scan) != '=') {
        return ws_series_labels_add(labels, WS_TEXT("__name__"), name);
    }
    if (name.length == 0 || !exposition_skip(scan, '=')) {
        return false;
    }
    exposition_skip_blanks(scan);
    return exposition_quoted(scan, &value) && ws_series_labels_add(labels, name, value);
}

static bool exposition_labels(exposition_scan *scan, ws_series_labels *labels)
{
    exposition_skip_blanks(scan);
    if (!exposition_skip(scan, '{')) {
        return true;
    }
    for (;;) {
        exposition_skip_blanks(scan);
        if (exposition_skip(scan, '}')) {
            return true;
        }
        if (!exposition_label(scan, labels)) {
            return false;
        }
        exposition_skip_blanks(scan);
        if (!exposition_skip(scan, ',') && exposition_peek(scan) != '}') {
            return false;
        }
    }
}

/* Up to the next blank. */
static ws_text exposition_word(exposition_scan *scan)
{
    exposition_skip_blanks(scan);
    size_t from = scan->at;

    while (scan->at < scan->line.length && !exposition_is_blank(exposition_peek(scan))) {
        scan->at++;
    }
    return ws_text_slice(scan->line, from, scan->at);
}

bool ws_exposition_parse(ws_exposition *parsed, ws_text line)
{
    exposition_scan scan = {.line = line};

    WS_ASSERT(parsed != NULL);

    *parsed = (ws_exposition){.value = {.start = NULL}};
    exposition_skip_blanks(&scan);
    parsed->labels.metric = exposition_name(&scan);
    bool has_name = parsed->labels.metric.length > 0;

    if (!has_name && exposition_peek(&scan) != '{') {
        return false;
    }
    if (has_name && !exposition_is_blank(exposition_peek(&scan)) && exposition_peek(&scan) != '{') {
        return false;
    }
    if (!exposition_labels(&scan, &parsed->labels)) {
        return false;
    }
    parsed->value = exposition_word(&scan);
    exposition_skip_blanks(&scan);
    if (exposition_peek(&scan) != '#') {
        parsed->time = exposition_word(&scan);
        exposition_skip_blanks(&scan);
    }
    return parsed->value.length > 0 &&
           (scan.at == scan.line.length || exposition_peek(&scan) == '#');
}
