/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "place.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ws/assert.h"
#include "ws/errno_text.h"

#include "lock.h"

bool ws_place_exhausted(const ws_place *place)
{
    return ws_diag_error(place->diag, 9007, ws_span_none, "not enough memory for `%.*s`",
                         WS_TEXT_ARGS(place->path));
}

bool ws_place_refuse(const ws_place *place, int code, ws_text message, ws_text help)
{
    ws_diagnostic fault = {.severity = WS_SEVERITY_ERROR, .code = code, .message = message};

    WS_ASSERT(code > 0);

    if (message.start == NULL) {
        return ws_place_exhausted(place);
    }
    fault.help = help.start == NULL ? WS_TEXT("") : help;
    ws_diag_add(place->diag, &fault);
    return false;
}

bool ws_place_fail(const ws_place *place, const char *verb, ws_text path, int error)
{
    WS_ASSERT(verb != NULL);
    WS_ASSERT(error != 0);

    return ws_diag_error(place->diag, 8001, ws_span_none, "cannot %s `%.*s`: %s", verb,
                         WS_TEXT_ARGS(path), ws_errno_text(error));
}

static ws_text place_without_slashes(ws_text path)
{
    while (path.length > 0 && path.start[path.length - 1] == '/') {
        path.length--;
    }
    return path;
}

static ws_text place_last_component(ws_text path)
{
    size_t from = path.length;

    while (from > 0 && path.start[from - 1] != '/') {
        from--;
    }
    return ws_text_slice(path, from, path.length);
}

bool ws_place_init(ws_place *place, const char *path, ws_arena *arena, ws_diag *diag)
{
    WS_ASSERT(path != NULL);
    WS_ASSERT(arena != NULL);
    WS_ASSERT(diag != NULL);

    *place = (ws_place){.path = ws_text_of(path), .lock_fd = -1, .arena = arena, .diag = diag};
    place->path = ws_arena_copy_text(arena, place_without_slashes(ws_text_of(path)));
    if (place->path.start == NULL) {
        place->path = ws_text_of(path);
        return ws_place_exhausted(place);
    }
    place->name = place_last_component(place->path);
    place->before = ws_text_slice(place->path, 0, place->path.length - place->name.length);
    if (place->name.length == 0 || ws_text_is(place->name, ".") || ws_text_is(place->name, "..")) {
        return ws_place_refuse(
            place, 8101,
            ws_arena_format(arena, "`%s` cannot be a results folder: it has no name", path),
            WS_TEXT("name a folder below it"));
    }
    place->parent =
        ws_arena_copy_text(arena, place->before.length == 0 ? WS_TEXT(".") : place->before);
    place->lock = ws_place_beside(place, WS_TEXT(".lock"));
    return place->parent.start != NULL ? place->lock.start != NULL : ws_place_exhausted(place);
}

ws_text ws_place_beside(const ws_place *place, ws_text suffix)
{
    ws_text path = ws_arena_format(place->arena, "%.*s.%.*s%.*s", WS_TEXT_ARGS(place->before),
                                   WS_TEXT_ARGS(place->name), WS_TEXT_ARGS(suffix));

    if (path.start == NULL) {
        (void)ws_place_exhausted(place);
    }
    return path;
}

/* True when there is a folder, whatever error kept another from being made. */
static bool place_is_folder(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Makes one parent if it is absent; `length` is that of its path within `before`. */
static bool place_make_parent(ws_place *place, size_t length)
{
    ws_text path = ws_arena_copy_text(place->arena, ws_text_slice(place->before, 0, length));
    int error = 0;

    WS_ASSERT(length > 0);
    WS_ASSERT(length < place->before.length);

    if (path.start == NULL) {
        return ws_place_exhausted(place);
    }
    if (mkdir(path.start, 0777) == 0) {
        place->made_bytes = place->made_bytes == 0 ? length : place->made_bytes;
        return true;
    }
    error = errno;
    if (place_is_folder(path.start)) {
        return true;
    }
    return ws_place_fail(place, "create", path, error == EEXIST ? ENOTDIR : error);
}

static bool place_make_parents(ws_place *place)
{
    for (size_t end = 1; end < place->before.length; end++) {
        if (place->before.start[end] != '/' || place->before.start[end - 1] == '/') {
            continue;
        }
        if (!place_make_parent(place, end)) {
            return false;
        }
    }
    return true;
}

/* From the deepest to the first that was made; the first that is not empty ends it. */
static void place_remove_parents(ws_place *place)
{
    ws_text path = ws_arena_copy_text(place->arena, place->before);

    WS_ASSERT(place->made_bytes <= place->before.length);

    while (place->made_bytes > 0 && path.start != NULL && path.length >= place->made_bytes) {
        path = place_without_slashes(path);
        ((char *)path.start)[path.length] = '\0';
        if (path.length < place->made_bytes || rmdir(path.start) < 0) {
            break;
        }
        path.length -= place_last_component(path).length;
    }
    place->made_bytes = 0;
}

bool ws_place_enter(ws_place *place)
{
    WS_ASSERT(place->lock_fd < 0);

    if (place_make_parents(place) && ws_lock_take(place)) {
        return true;
    }
    place_remove_parents(place);
    return false;
}

void ws_place_leave(ws_place *place)
{
    WS_ASSERT(place->lock_fd >= 0);

    ws_lock_release(place);
    place_remove_parents(place);
}
