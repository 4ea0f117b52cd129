/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sums.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "ws/assert.h"

#define SUMS_DIGITS (WS_SHA256_TEXT_BYTES - 1)
#define SUMS_READ_BYTES 4096

/* One component of a path that is neither special nor in need of an escape. */
static bool sums_is_part(ws_text part)
{
    if (part.length == 0 || part.length > NAME_MAX || ws_text_is(part, ".") ||
        ws_text_is(part, "..")) {
        return false;
    }
    for (size_t i = 0; i < part.length; i++) {
        unsigned char byte = (unsigned char)part.start[i];

        if (byte < ' ' || byte == 0x7F || byte == '\\' || byte == '/') {
            return false;
        }
    }
    return true;
}

ws_text ws_sums_folder_of(ws_text name)
{
    size_t slash = ws_text_find_byte(name, '/');

    return slash == name.length ? WS_TEXT("") : ws_text_slice(name, 0, slash);
}

bool ws_sums_is_name(ws_text name)
{
    ws_text folder = ws_sums_folder_of(name);

    WS_ASSERT(folder.length <= name.length);

    if (folder.length == 0) {
        return sums_is_part(name);
    }
    return sums_is_part(folder) &&
           sums_is_part(ws_text_slice(name, folder.length + 1, name.length));
}

/* Index of the first name that is not before `name`. */
static size_t sums_lower_bound(const ws_sums *sums, ws_text name)
{
    size_t low = 0;
    size_t high = sums->count;

    WS_ASSERT(sums->count <= WS_RESULT_FILES_MAX);

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (ws_text_compare(sums->files[middle].name, name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

size_t ws_sums_find(const ws_sums *sums, ws_text name)
{
    size_t at = sums_lower_bound(sums, name);

    WS_ASSERT(at <= sums->count);

    return at < sums->count && ws_text_equals(sums->files[at].name, name) ? at : sums->count;
}

/* Makes room for a name where it belongs; NULL when it is there or there is no room. */
static ws_sum *sums_insert(ws_sums *sums, ws_text name)
{
    size_t at = sums_lower_bound(sums, name);

    WS_ASSERT(ws_sums_is_name(name));

    if (sums->count == WS_RESULT_FILES_MAX || ws_sums_find(sums, name) < sums->count) {
        return NULL;
    }
    memmove(&sums->files[at + 1], &sums->files[at], (sums->count - at) * sizeof sums->files[0]);
    sums->files[at].name = name;
    sums->count++;
    return &sums->files[at];
}

bool ws_sums_add(ws_sums *sums, ws_text name, const ws_sha256 *hash)
{
    ws_sum *sum = sums_insert(sums, name);

    WS_ASSERT(hash != NULL);

    if (sum != NULL) {
        ws_sha256_print(hash, sum->digest);
    }
    return sum != NULL;
}

bool ws_sums_merge(ws_sums *sums, const ws_sums *other)
{
    WS_ASSERT(sums != other);

    for (size_t i = 0; i < other->count; i++) {
        ws_sum *sum = sums_insert(sums, other->files[i].name);
        if (sum == NULL) {
            return false;
        }
        *sum = other->files[i];
    }
    return true;
}

void ws_sums_write(const ws_sums *sums, ws_writer *writer)
{
    WS_ASSERT(sums != NULL);
    WS_ASSERT(sums->count <= WS_RESULT_FILES_MAX);

    for (size_t i = 0; i < sums->count; i++) {
        ws_write_string(writer, sums->files[i].digest);
        ws_write_bytes(writer, "  ", 2);
        ws_write_text(writer, sums->files[i].name);
        ws_write_bytes(writer, "\n", 1);
    }
}

static bool sums_is_digest(ws_text text)
{
    if (text.length != SUMS_DIGITS) {
        return false;
    }
    for (size_t i = 0; i < text.length; i++) {
        bool is_digit = text.start[i] >= '0' && text.start[i] <= '9';

        if (!is_digit && (text.start[i] < 'a' || text.start[i] > 'f')) {
            return false;
        }
    }
    return true;
}

/* A line without its LF, to be put behind those that are there. */
static bool sums_parse_line(ws_sums *sums, ws_text line, ws_arena *arena)
{
    ws_text digest = ws_text_slice(line, 0, SUMS_DIGITS);
    ws_text blanks = ws_text_slice(line, SUMS_DIGITS, SUMS_DIGITS + 2);
    ws_text name = ws_text_slice(line, SUMS_DIGITS + 2, line.length);
    ws_sum *sum = NULL;

    if (sums->count == WS_RESULT_FILES_MAX || !sums_is_digest(digest) ||
        !ws_text_is(blanks, "  ") || !ws_sums_is_name(name)) {
        return false;
    }
    if (sums->count > 0 && ws_text_compare(sums->files[sums->count - 1].name, name) >= 0) {
        return false;
    }
    sum = &sums->files[sums->count];
    memcpy(sum->digest, digest.start, SUMS_DIGITS);
    sum->digest[SUMS_DIGITS] = '\0';
    sum->name = ws_arena_copy_text(arena, name);
    sums->count++;
    return sum->name.start != NULL;
}

bool ws_sums_parse(ws_sums *sums, ws_text content, ws_arena *arena)
{
    WS_ASSERT(sums != NULL);
    WS_ASSERT(arena != NULL);

    sums->count = 0;
    while (content.length > 0) {
        size_t end = ws_text_find_byte(content, '\n');

        if (end == content.length ||
            !sums_parse_line(sums, ws_text_slice(content, 0, end), arena)) {
            return false;
        }
        content = ws_text_slice(content, end + 1, content.length);
    }
    return true;
}

bool ws_sums_hash(int fd, ws_sha256 *hash)
{
    char bytes[SUMS_READ_BYTES];

    WS_ASSERT(fd >= 0);
    WS_ASSERT(hash != NULL);

    ws_sha256_init(hash);
    for (;;) {
        ssize_t got = read(fd, bytes, sizeof bytes);

        if (got == 0) {
            return true;
        }
        if (got < 0 && errno != EINTR) {
            return false;
        }
        ws_sha256_update(hash, bytes, got > 0 ? (size_t)got : 0);
    }
}
