/* SPDX-License-Identifier: GPL-3.0-or-later */
/* jansson reads the whole value, so that a text in a file that is cut off is not believed. */
#include "ws/json_find.h"

#include <errno.h>
#include <unistd.h>

#include <jansson.h>

#include "ws/assert.h"

typedef struct {
    int fd;
    size_t left_bytes; /* that it may still have */
} json_find_source;

/* json_load_callback_t: bytes read, 0 at the end, (size_t)-1 on failure. */
static size_t json_find_read(void *buffer, size_t bytes, void *context)
{
    json_find_source *source = context;
    ssize_t got = 0;

    WS_ASSERT(source->fd >= 0);

    do {
        got = read(source->fd, buffer, bytes);
    } while (got < 0 && errno == EINTR);
    if (got < 0 || (size_t)got > source->left_bytes) {
        return (size_t)-1;
    }
    source->left_bytes -= (size_t)got;
    return (size_t)got;
}

/* The text where it is wanted, as jansson holds it; NULL start when there is none. */
static ws_text json_find_one(const json_t *top, const ws_json_wanted *wanted)
{
    const json_t *object = wanted->object == NULL ? top : json_object_get(top, wanted->object);
    const json_t *value = json_object_get(object, wanted->key);

    WS_ASSERT(wanted->key != NULL);

    /* Both are NULL and 0 for what is no text, a NULL included. */
    return (ws_text){.start = json_string_value(value), .length = json_string_length(value)};
}

static bool json_find_all(const json_t *top, ws_json_wanted *wanted, size_t count, ws_arena *arena)
{
    ws_text *copies = ws_arena_alloc(arena, ws_text, count);

    if (copies == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        ws_text found = json_find_one(top, &wanted[i]);

        if (found.start == NULL) {
            continue;
        }
        copies[i] = ws_arena_copy_text(arena, found);
        if (copies[i].start == NULL) {
            return false;
        }
    }
    for (size_t i = 0; i < count; i++) {
        wanted[i].value = copies[i];
    }
    return true;
}

bool ws_json_find_texts(int fd, size_t bytes_max, ws_json_wanted *wanted, size_t count,
                        ws_arena *arena)
{
    json_find_source source = {.fd = fd, .left_bytes = bytes_max};
    json_error_t error;
    json_t *top = NULL;
    bool is_found = false;

    WS_ASSERT(fd >= 0);
    WS_ASSERT(wanted != NULL);
    WS_ASSERT(arena != NULL);

    top = json_load_callback(json_find_read, &source, JSON_REJECT_DUPLICATES, &error);
    is_found = json_is_object(top) && json_find_all(top, wanted, count, arena);
    json_decref(top);
    return is_found;
}
