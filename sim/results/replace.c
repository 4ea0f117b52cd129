/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "replace.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ws/assert.h"

#include "folder.h"

#define REPLACE_TMP ".tmp-"
#define REPLACE_OLD ".old-"

/* Names with the number of this process that are tried. */
#define REPLACE_NUMBERS 1000

typedef struct {
    ws_text path; /* terminated */
    bool is_old;
} replace_leftover;

typedef struct {
    const ws_place *place;
    replace_leftover *entries;
    size_t count;
    size_t capacity;
} replace_leftovers;

/* `NAME` + kind + PID-N, hidden or not, in the folder of the place. NULL start with a diagnostic.
 */
static ws_text replace_name(const ws_place *place, bool is_hidden, const char *kind, int number)
{
    ws_text path = ws_arena_format(place->arena, "%.*s%s%.*s%s%jd-%d", WS_TEXT_ARGS(place->before),
                                   is_hidden ? "." : "", WS_TEXT_ARGS(place->name), kind,
                                   (intmax_t)getpid(), number);

    WS_ASSERT(number >= 0);

    if (path.start == NULL) {
        (void)ws_place_exhausted(place);
    }
    return path;
}

bool ws_replace_begin(const ws_place *place, ws_text *temporary)
{
    WS_ASSERT(place->lock_fd >= 0);

    for (int number = 0; number < REPLACE_NUMBERS; number++) {
        ws_text path = replace_name(place, true, REPLACE_TMP, number);

        if (path.start == NULL) {
            return false;
        }
        if (mkdir(path.start, 0777) == 0) {
            *temporary = path;
            return true;
        }
        if (errno != EEXIST) {
            return ws_place_fail(place, "create", place->path, errno);
        }
    }
    return ws_place_fail(place, "create", place->path, EEXIST);
}

/* Moves a folder to a name of ours that is free, and sets *to. -1 with errno. */
static int replace_move(const ws_place *place, const char *from, bool is_hidden, ws_text *to)
{
    WS_ASSERT(from != NULL);
    WS_ASSERT(to != NULL);

    for (int number = 0; number < REPLACE_NUMBERS; number++) {
        *to = replace_name(place, is_hidden, REPLACE_OLD, number);
        if (to->start == NULL) {
            errno = ENOMEM;
            return -1;
        }
        if (rename(from, to->start) == 0) {
            return 0;
        }
        if (errno != EEXIST && errno != ENOTEMPTY && errno != ENOTDIR) {
            return -1;
        }
    }
    return -1;
}

/* Removes a folder that was moved aside; what of it is not ours gets a name that shows. */
static void replace_remove_old(const ws_place *place, const char *path)
{
    ws_text kept = ws_text_of(path);

    WS_ASSERT(path != NULL);

    if (ws_old_folder_remove(path, place->arena)) {
        return;
    }
    if (replace_move(place, path, false, &kept) < 0) {
        kept = ws_text_of(path);
    }
    ws_diag_warning(place->diag, 8103, ws_span_none,
                    "`%.*s` held files that worldsize did not write: they are kept in `%.*s`",
                    WS_TEXT_ARGS(place->path), WS_TEXT_ARGS(kept));
}

bool ws_replace_commit(const ws_place *place, ws_text temporary, ws_old_folder kind)
{
    ws_text aside = {.start = NULL};

    WS_ASSERT(temporary.start != NULL);
    WS_ASSERT(place->lock_fd >= 0);

    if (kind == WS_OLD_FOLDER_RESULTS && replace_move(place, place->path.start, true, &aside) < 0) {
        return ws_place_fail(place, "replace", place->path, errno);
    }
    if (rename(temporary.start, place->path.start) < 0) {
        int error = errno;

        if (aside.start != NULL) {
            (void)rename(aside.start, place->path.start);
        }
        return ws_place_fail(place, "replace", place->path, error);
    }
    if (!ws_folder_sync(place->parent.start)) {
        ws_diag_warning(place->diag, 8002, ws_span_none,
                        "`%.*s` is written, but may not outlast a loss of power",
                        WS_TEXT_ARGS(place->path));
    }
    if (aside.start != NULL) {
        replace_remove_old(place, aside.start);
    }
    return true;
}

/* ---- what dead writers left ---- */

/* The bytes behind the digits that the text begins with; the whole text when there are none. */
static ws_text replace_after_digits(ws_text text)
{
    size_t digits = 0;

    while (digits < text.length && text.start[digits] >= '0' && text.start[digits] <= '9') {
        digits++;
    }
    return ws_text_slice(text, digits, text.length);
}

/* True for `.NAME` + kind + PID-N. */
static bool replace_is_ours(const ws_place *place, ws_text entry, ws_text kind)
{
    ws_text rest = ws_text_slice(entry, 1, entry.length);
    ws_text after_pid;
    ws_text number;

    WS_ASSERT(place->name.length > 0);

    if (!ws_text_starts_with(entry, WS_TEXT(".")) || !ws_text_starts_with(rest, place->name)) {
        return false;
    }
    rest = ws_text_slice(rest, place->name.length, rest.length);
    if (!ws_text_starts_with(rest, kind)) {
        return false;
    }
    rest = ws_text_slice(rest, kind.length, rest.length);
    after_pid = replace_after_digits(rest);
    number = ws_text_slice(after_pid, 1, after_pid.length);
    return after_pid.length < rest.length && ws_text_starts_with(after_pid, WS_TEXT("-")) &&
           number.length > 0 && replace_after_digits(number).length == 0;
}

/* Visit: remembers what dead writers left, since renaming during a listing may upset it. */
static bool replace_remember(void *context, const char *name)
{
    replace_leftovers *left = context;
    ws_text entry = ws_text_of(name);
    bool is_old = replace_is_ours(left->place, entry, WS_TEXT(REPLACE_OLD));
    replace_leftover *grown = NULL;

    WS_ASSERT(left->count <= left->capacity);

    if (!is_old && !replace_is_ours(left->place, entry, WS_TEXT(REPLACE_TMP))) {
        return true;
    }
    grown = ws_arena_grow(left->place->arena, left->entries, left->count, left->count + 1,
                          &left->capacity, sizeof *grown);
    if (grown == NULL) {
        return false;
    }
    left->entries = grown;
    grown[left->count].path =
        ws_arena_format(left->place->arena, "%.*s%s", WS_TEXT_ARGS(left->place->before), name);
    grown[left->count].is_old = is_old;
    left->count += grown[left->count].path.start != NULL ? 1 : 0;
    return true;
}

static bool replace_is_empty_place(const ws_place *place)
{
    struct stat status;

    return lstat(place->path.start, &status) < 0 && errno == ENOENT;
}

void ws_replace_recover(const ws_place *place)
{
    replace_leftovers left = {.place = place};
    int folder = ws_folder_open(place->parent.start);

    WS_ASSERT(place->lock_fd >= 0);

    if (folder < 0) {
        return; /* a parent that may be written but not read */
    }
    (void)ws_folder_each(folder, replace_remember, &left);
    (void)close(folder);
    for (size_t i = 0; i < left.count; i++) {
        const char *path = left.entries[i].path.start;

        if (!left.entries[i].is_old) {
            (void)ws_folder_remove(path);
        } else if (!replace_is_empty_place(place) || !ws_old_folder_is_kept(path) ||
                   rename(path, place->path.start) < 0) {
            replace_remove_old(place, path);
        }
    }
}
