/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines are cut from a buffer that holds the line in hand and at most one chunk behind it. It grows
 * to the longest line and is never copied for lines that fit.
 */
#include "ws/input.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ws/assert.h"

#include "input_stream.h"

#define INPUT_BYTES_MAX (INT64_C(16) << 30)
#define INPUT_LINE_BYTES_MAX (INT64_C(1) << 20)
#define INPUT_RATIO_MAX 200.0

struct ws_input {
    ws_input_stream stream;
    char *text; /* [text_next, text_end) is not given out yet */
    size_t text_next;
    size_t text_end;
    size_t text_capacity;
    int64_t line_number;
};

static void input_free(ws_input *input)
{
    ws_input_stream_close(&input->stream);
    free(input->text);
    free(input);
}

static size_t input_waiting(const ws_input *input)
{
    WS_ASSERT(input->text_next <= input->text_end);

    return input->text_end - input->text_next;
}

static ws_text input_waiting_text(const ws_input *input)
{
    return (ws_text){.start = input->text + input->text_next, .length = input_waiting(input)};
}

/* Room for one more chunk behind the text that waits. */
static bool input_make_room(ws_input *input)
{
    size_t waiting = input_waiting(input);

    if (input->text_next > 0) {
        memmove(input->text, input->text + input->text_next, waiting);
        input->text_next = 0;
        input->text_end = waiting;
    }
    if (input->text_capacity - waiting >= WS_INPUT_CHUNK_BYTES) {
        return true;
    }
    size_t capacity = 2 * input->text_capacity + WS_INPUT_CHUNK_BYTES;
    char *text = realloc(input->text, capacity);
    if (text == NULL) {
        return ws_input_stream_fail_reading(&input->stream,
                                            "there is no memory for a line of this length");
    }
    input->text = text;
    input->text_capacity = capacity;
    return true;
}

/* Takes one more chunk of text. True at the end as well; stream.ended says so. */
static bool input_fill(ws_input *input)
{
    size_t produced = 0;

    if (!input_make_room(input) ||
        !ws_input_stream_take(&input->stream, input->text + input->text_end, WS_INPUT_CHUNK_BYTES,
                              &produced)) {
        return false;
    }
    input->text_end += produced;
    WS_ASSERT(input->text_end <= input->text_capacity);
    return true;
}

/* Takes text until `length` bytes wait, or all there are. */
static bool input_await(ws_input *input, size_t length)
{
    while (input_waiting(input) < length && !input->stream.ended) {
        if (!input_fill(input)) {
            return false;
        }
    }
    return true;
}

static ws_input_limits input_limits(const ws_input_limits *given)
{
    ws_input_limits limits = given == NULL ? (ws_input_limits){0} : *given;

    WS_ASSERT(limits.bytes_max >= 0);
    WS_ASSERT(limits.line_bytes_max >= 0);
    WS_ASSERT(limits.ratio_max >= 0);
    limits.bytes_max = limits.bytes_max == 0 ? INPUT_BYTES_MAX : limits.bytes_max;
    limits.line_bytes_max =
        limits.line_bytes_max == 0 ? INPUT_LINE_BYTES_MAX : limits.line_bytes_max;
    limits.ratio_max = limits.ratio_max > 0 ? limits.ratio_max : INPUT_RATIO_MAX;
    return limits;
}

static bool input_open_stream(ws_input *input, const char *path)
{
    if (!ws_input_stream_open(&input->stream, path)) {
        return false;
    }
    if (input->stream.codec == NULL) {
        return true;
    }
    return input_await(input, WS_INPUT_HEAD_BYTES) &&
           ws_input_stream_check_inner(&input->stream, input_waiting_text(input));
}

bool ws_input_open(ws_input **input, const ws_file_name *name, const ws_input_limits *limits,
                   ws_diag *diag)
{
    WS_ASSERT(input != NULL);
    WS_ASSERT(name != NULL);
    WS_ASSERT(name->path != NULL);
    WS_ASSERT(diag != NULL);

    ws_input *opened = calloc(1, sizeof *opened);
    if (opened == NULL) {
        return ws_diag_error(diag, 6003, name->at, "cannot read `%.*s`: out of memory",
                             WS_TEXT_ARGS(name->shown));
    }
    opened->stream.shown = name->shown;
    opened->stream.at = name->at;
    opened->stream.diag = diag;
    opened->stream.limits = input_limits(limits);
    if (!input_open_stream(opened, name->path)) {
        input_free(opened);
        return false;
    }
    *input = opened;
    return true;
}

static bool input_fail_long_line(ws_input *input)
{
    ws_input_stream *stream = &input->stream;
    ws_arena *arena = stream->diag->arena;
    ws_text limit = ws_input_print_bytes(arena, stream->limits.line_bytes_max);
    ws_text message =
        ws_arena_format(arena, "line %" PRId64 " of `%.*s` is longer than %.*s", input->line_number,
                        WS_TEXT_ARGS(stream->shown), WS_TEXT_ARGS(limit));

    return ws_input_stream_fail(stream, &(ws_diagnostic){.code = 9010, .message = message});
}

/* Index in the waiting text of the first line end at or behind `from`, or its length. */
static size_t input_scan(const ws_input *input, size_t from)
{
    ws_text waiting = ws_text_slice(input_waiting_text(input), from, SIZE_MAX);
    size_t end = ws_text_find_byte(waiting, '\n');

    return from + ws_text_find_byte(ws_text_slice(waiting, 0, end), '\r');
}

/* Length of the next line, and how many bytes its end takes; reads on for as long as it must. */
static bool input_find_line(ws_input *input, size_t *length, size_t *end_bytes)
{
    size_t found = 0;

    for (;;) {
        found = input_scan(input, found);
        if ((int64_t)found > input->stream.limits.line_bytes_max) {
            return input_fail_long_line(input);
        }
        if (found < input_waiting(input) || input->stream.ended) {
            break;
        }
        if (!input_fill(input)) {
            return false;
        }
    }
    /* The byte after a CR decides whether there is an LF that belongs to it. */
    if (!input_await(input, found + 2)) {
        return false;
    }
    ws_text end = ws_text_slice(input_waiting_text(input), found, found + 2);
    *length = found;
    *end_bytes = ws_text_is(end, "\r\n") ? 2 : (end.length > 0);
    return true;
}

static bool input_skip_mark(ws_input *input)
{
    static const char mark[] = "\xEF\xBB\xBF";

    if (!input_await(input, sizeof mark - 1)) {
        return false;
    }
    if (ws_text_starts_with(input_waiting_text(input), WS_TEXT(mark))) {
        input->text_next += sizeof mark - 1;
    }
    return true;
}

bool ws_input_read_line(ws_input *input, ws_text *line, int64_t *line_number)
{
    size_t length = 0;
    size_t end_bytes = 0;

    WS_ASSERT(input != NULL);
    WS_ASSERT(line != NULL);
    WS_ASSERT(line_number != NULL);

    if (input->stream.failed || (input->line_number == 0 && !input_skip_mark(input))) {
        return false;
    }
    input->line_number++;
    if (!input_find_line(input, &length, &end_bytes) || length + end_bytes == 0) {
        return false;
    }
    *line = ws_text_slice(input_waiting_text(input), 0, length);
    *line_number = input->line_number;
    input->text_next += length + end_bytes;
    return true;
}

bool ws_input_read_chunk(ws_input *input, ws_text *chunk)
{
    WS_ASSERT(input != NULL);
    WS_ASSERT(chunk != NULL);

    if (input->stream.failed || (input->line_number == 0 && !input_skip_mark(input))) {
        return false;
    }
    input->line_number = 1; /* the mark is behind us */
    if (!input_await(input, 1) || input_waiting(input) == 0) {
        return false;
    }
    *chunk = input_waiting_text(input);
    input->text_next = input->text_end;
    return true;
}

int64_t ws_input_bytes(const ws_input *input)
{
    WS_ASSERT(input != NULL);

    return input->stream.bytes;
}

bool ws_input_close(ws_input *input)
{
    WS_ASSERT(input != NULL);

    bool failed = input->stream.failed;
    input_free(input);
    return !failed;
}

/* All text that is left, into the arena. */
static bool input_read_all(ws_input *input, ws_arena *arena, ws_text *content)
{
    char *bytes = NULL;
    size_t length = 0;
    size_t capacity = 0;

    for (;;) {
        size_t waiting = input_waiting(input);
        char *grown = ws_arena_grow(arena, bytes, length, length + waiting + 1, &capacity, 1);
        if (grown == NULL) {
            return ws_input_stream_fail_reading(&input->stream, "it does not fit into memory");
        }
        bytes = grown;
        if (waiting > 0) {
            memcpy(bytes + length, input->text + input->text_next, waiting);
        }
        length += waiting;
        input->text_next = input->text_end;
        if (input->stream.ended) {
            break;
        }
        if (!input_fill(input)) {
            return false;
        }
    }
    bytes[length] = '\0';
    *content = (ws_text){.start = bytes, .length = length};
    return true;
}

bool ws_input_load(ws_text *content, const ws_file_name *name, const ws_input_limits *limits,
                   ws_arena *arena, ws_diag *diag)
{
    ws_input *input = NULL;
    ws_text read = {.start = NULL};

    WS_ASSERT(arena != NULL);
    WS_ASSERT(content != NULL);

    if (!ws_input_open(&input, name, limits, diag)) {
        return false;
    }
    WS_ASSERT(input != NULL);
    bool complete = input_read_all(input, arena, &read);
    bool closed = ws_input_close(input);
    if (complete && closed) {
        *content = read;
        return true;
    }
    return false;
}
