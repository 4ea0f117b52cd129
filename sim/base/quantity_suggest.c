/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Guesses what a text that is no quantity was meant to be. Every guess is read before it is given
 * away, so that help never suggests what the next try would refuse.
 */
#include <string.h>

#include "ws/assert.h"

#include "number_parts.h"
#include "quantity_units.h"

/* A text under construction; too long a text empties it for good. */
typedef struct {
    char *out;
    size_t length;
    bool is_full;
} suggest_buffer;

static void suggest_append(suggest_buffer *buffer, ws_text text)
{
    if (buffer->is_full || text.length >= WS_QUANTITY_SUGGESTION_BYTES - buffer->length) {
        buffer->is_full = true;
        return;
    }
    if (text.length > 0) {
        memcpy(buffer->out + buffer->length, text.start, text.length);
    }
    buffer->length += text.length;
    buffer->out[buffer->length] = '\0';
}

static ws_text suggest_text(const suggest_buffer *buffer)
{
    return buffer->is_full ? WS_TEXT("")
                           : (ws_text){.start = buffer->out, .length = buffer->length};
}

static bool suggest_is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

/* A separator of digits: 1_000, 1,000,000 or 1 000. */
static bool suggest_is_separator(ws_text text, size_t at)
{
    size_t digits = 0;

    if (at == 0 || !suggest_is_digit(text.start[at - 1])) {
        return false;
    }
    while (at + 1 + digits < text.length && suggest_is_digit(text.start[at + 1 + digits])) {
        digits++;
    }
    return text.start[at] == '_' ? digits > 0 : text.start[at] == ',' && digits == 3;
}

/* Without blanks and separators; a comma that is none becomes a point. */
static void suggest_clean(ws_text text, suggest_buffer *buffer)
{
    for (size_t i = 0; i < text.length && !buffer->is_full; i++) {
        if (text.start[i] == ' ' || suggest_is_separator(text, i)) {
            continue;
        }
        if (text.start[i] == ',') {
            suggest_append(buffer, WS_TEXT("."));
        } else {
            suggest_append(buffer, ws_text_slice(text, i, i + 1));
        }
    }
}

static ws_text suggest_replacement(ws_text word, ws_quantity_kind kind)
{
    ws_unit_alias_list list = ws_unit_aliases_of(kind);

    for (size_t i = 0; i < list.count; i++) {
        if (ws_text_is(word, list.aliases[i].wrong)) {
            return ws_text_of(list.aliases[i].right);
        }
    }
    return word;
}

/* True between two words of a unit; bandwidths keep their "/s" in the word. */
static bool suggest_ends_word(char byte, ws_quantity_kind kind)
{
    return suggest_is_digit(byte) || byte == '.' || byte == '$' ||
           (byte == '/' && kind != WS_QUANTITY_BANDWIDTH);
}

/* With each word that is a known misspelling replaced by the unit. */
static void suggest_replace(ws_text text, ws_quantity_kind kind, suggest_buffer *buffer)
{
    size_t i = 0;

    while (i < text.length) {
        size_t end = i;

        while (end < text.length && !suggest_ends_word(text.start[end], kind)) {
            end++;
        }
        if (end > i) {
            suggest_append(buffer, suggest_replacement(ws_text_slice(text, i, end), kind));
        } else {
            end = i + 1;
            suggest_append(buffer, ws_text_slice(text, i, end));
        }
        i = end;
    }
}

ws_text ws_quantity_suggest(ws_text text, ws_quantity_kind kind,
                            char out[WS_QUANTITY_SUGGESTION_BYTES])
{
    char cleaned[WS_QUANTITY_SUGGESTION_BYTES] = "";
    suggest_buffer first = {.out = cleaned};
    suggest_buffer second = {.out = out};
    ws_text suggestion = WS_TEXT("");

    WS_ASSERT(out != NULL);

    suggest_clean(text, &first);
    suggest_replace(suggest_text(&first), kind, &second);
    suggestion = suggest_text(&second);
    if (suggestion.length == 0 || ws_quantity_read(suggestion, kind).code != 0) {
        return WS_TEXT("");
    }
    return suggestion;
}

bool ws_quantity_is_iso8601(ws_text text)
{
    return text.length > 2 && text.start[0] == 'P' &&
           (text.start[1] == 'T' || suggest_is_digit(text.start[1]));
}

/* Our unit for a designator of ISO 8601, or NULL: years, and months before the T. */
static const char *suggest_iso8601_unit(char designator, bool is_time)
{
    switch (designator) {
    case 'W':
        return is_time ? NULL : "w";
    case 'D':
        return is_time ? NULL : "d";
    case 'H':
        return is_time ? "h" : NULL;
    case 'M':
        return is_time ? "m" : NULL;
    case 'S':
        return is_time ? "s" : NULL;
    default:
        return NULL;
    }
}

ws_text ws_quantity_of_iso8601(ws_text text, char out[WS_QUANTITY_SUGGESTION_BYTES])
{
    suggest_buffer buffer = {.out = out};
    ws_text rest = ws_text_slice(text, 1, text.length);
    bool is_time = false;

    WS_ASSERT(ws_quantity_is_iso8601(text));

    while (rest.length > 0) {
        size_t digits = ws_number_length(rest);
        const char *unit = NULL;

        if (!is_time && rest.start[0] == 'T') {
            is_time = true;
            rest = ws_text_slice(rest, 1, rest.length);
            continue;
        }
        if (digits > 0 && digits < rest.length) {
            unit = suggest_iso8601_unit(rest.start[digits], is_time);
        }
        if (unit == NULL) {
            return WS_TEXT("");
        }
        suggest_append(&buffer, ws_text_slice(rest, 0, digits));
        suggest_append(&buffer, ws_text_of(unit));
        rest = ws_text_slice(rest, digits + 1, rest.length);
    }
    if (ws_quantity_read(suggest_text(&buffer), WS_QUANTITY_DURATION).code != 0) {
        return WS_TEXT("");
    }
    return suggest_text(&buffer);
}
