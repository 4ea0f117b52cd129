/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * JSON inside another text, as a document. jansson parses, so that there is no second reader of
 * JSON; it does not say where values stand, so every part has the place of the text that holds
 * them.
 */
#include "ws/document.h"

#include <jansson.h>

#include "ws/assert.h"
#include "ws/number.h"

typedef struct {
    ws_span at;
    ws_arena *arena;
} json_reading;

static bool json_read_value(const json_reading *reading, json_t *value, size_t depth,
                            ws_document **document);

static bool json_read_scalar(const json_reading *reading, const json_t *value,
                             ws_document *document)
{
    char digits[WS_NUMBER_TEXT_BYTES];
    ws_text text = {.start = digits};

    if (json_is_string(value)) {
        document->quoted = true;
        text = (ws_text){.start = json_string_value(value), .length = json_string_length(value)};
    } else if (json_is_integer(value)) {
        text.length = ws_print_i64(json_integer_value(value), digits);
    } else if (json_is_real(value)) {
        text.length = ws_print_f64(json_real_value(value), digits);
    } else {
        text = json_is_true(value) ? WS_TEXT("true") : WS_TEXT("false");
    }
    document->kind = WS_DOCUMENT_SCALAR;
    document->scalar = ws_arena_copy_text(reading->arena, text);
    return document->scalar.start != NULL;
}

static bool json_read_list(const json_reading *reading, json_t *list, size_t depth,
                           ws_document *document)
{
    document->kind = WS_DOCUMENT_LIST;
    for (size_t i = 0; i < json_array_size(list); i++) {
        ws_document_entry entry = {.key_at = reading->at};

        if (!json_read_value(reading, json_array_get(list, i), depth + 1, &entry.value) ||
            !ws_document_append(document, entry, reading->arena)) {
            return false;
        }
    }
    return true;
}

static bool json_read_map(const json_reading *reading, json_t *map, size_t depth,
                          ws_document *document)
{
    document->kind = WS_DOCUMENT_MAP;
    for (void *at = json_object_iter(map); at != NULL; at = json_object_iter_next(map, at)) {
        ws_document_entry entry = {.key_at = reading->at};

        entry.key = ws_arena_copy_text(reading->arena, ws_text_of(json_object_iter_key(at)));
        if (entry.key.start == NULL ||
            !json_read_value(reading, json_object_iter_value(at), depth + 1, &entry.value) ||
            !ws_document_append(document, entry, reading->arena)) {
            return false;
        }
    }
    return true;
}

/* Recursive, as deep as WS_DOCUMENT_DEPTH_MAX. */
static bool json_read_value(const json_reading *reading, json_t *value, size_t depth,
                            ws_document **document)
{
    ws_document *made = ws_arena_alloc(reading->arena, ws_document, 1);

    WS_ASSERT(value != NULL);
    if (made == NULL || depth > WS_DOCUMENT_DEPTH_MAX) {
        return false;
    }
    made->at = reading->at;
    made->flow = true;
    *document = made;
    if (json_is_null(value)) {
        return true;
    }
    if (json_is_array(value)) {
        return json_read_list(reading, value, depth, made);
    }
    if (json_is_object(value)) {
        return json_read_map(reading, value, depth, made);
    }
    return json_read_scalar(reading, value, made);
}

bool ws_document_read_json(ws_document **document, ws_text text, ws_span at, ws_arena *arena)
{
    json_reading reading = {.at = at, .arena = arena};
    ws_document *made = NULL;
    json_t *value = json_loadb(text.start, text.length, JSON_DECODE_ANY, NULL);
    bool is_read = false;

    WS_ASSERT(document != NULL);
    WS_ASSERT(arena != NULL);
    is_read = value != NULL && json_read_value(&reading, value, 0, &made);
    json_decref(value);
    if (is_read) {
        *document = made;
    }
    return is_read;
}
