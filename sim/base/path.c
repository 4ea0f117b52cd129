/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Confinement in two views of a path. The real one, with all links followed, decides about files
 * that exist. The written one, with `.` and `..` worked out on paper, decides about those that do
 * not, so that a refusal never tells what exists outside.
 */
#define _XOPEN_SOURCE 700 /* realpath() */

#include "ws/path.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ws/assert.h"
#include "ws/errno_text.h"

#include "shell_word.h"

/* Names of a folder that are looked at for a near one. */
#define PATH_NAMES_MAX 1000

typedef struct {
    const ws_path_request *request;
    ws_text folder;  /* real */
    ws_text written; /* absolute, worked out on paper */
    ws_arena *arena;
    ws_diag *diag;
} path_search;

static ws_text path_before_last_slash(ws_text path)
{
    size_t end = path.length;

    while (end > 0 && path.start[end - 1] != '/') {
        end--;
    }
    return ws_text_slice(path, 0, end);
}

ws_text ws_path_folder(ws_text path, ws_arena *arena)
{
    ws_text folder = path_before_last_slash(path);

    while (folder.length > 1 && folder.start[folder.length - 1] == '/') {
        folder.length--;
    }
    return ws_arena_copy_text(arena, folder.length == 0 ? WS_TEXT(".") : folder);
}

/* The path without links, in the arena; NULL start with errno set when it does not lead anywhere.
 */
static ws_text path_real(const char *path, ws_arena *arena)
{
    char *real = realpath(path, NULL);

    if (real == NULL) {
        return (ws_text){.start = NULL};
    }
    ws_text copy = ws_arena_copy_text(arena, ws_text_of(real));
    free(real);
    errno = copy.start == NULL ? ENOMEM : errno;
    return copy;
}

/* Drops the last component of an absolute path that is built up; the root stays. */
static size_t path_parent_length(const char *bytes, size_t length)
{
    while (length > 0 && bytes[length - 1] != '/') {
        length--;
    }
    return length > 0 ? length - 1 : 0;
}

/* An absolute path with `.`, `..` and empty components worked out, links not looked at. NULL start
 * when exhausted. */
static ws_text path_work_out(ws_text absolute, ws_arena *arena)
{
    char *bytes = ws_arena_alloc(arena, char, absolute.length + 2);
    size_t length = 0;

    if (bytes == NULL) {
        return (ws_text){.start = NULL};
    }
    for (size_t from = 0; from < absolute.length;) {
        ws_text rest = ws_text_slice(absolute, from, absolute.length);
        ws_text part = ws_text_slice(rest, 0, ws_text_find_byte(rest, '/'));
        from += part.length + 1;
        if (part.length == 0 || ws_text_is(part, ".")) {
            continue;
        }
        if (ws_text_is(part, "..")) {
            length = path_parent_length(bytes, length);
            continue;
        }
        bytes[length] = '/';
        memcpy(bytes + length + 1, part.start, part.length);
        length += 1 + part.length;
    }
    if (length == 0) {
        bytes[0] = '/';
        length = 1;
    }
    bytes[length] = '\0';
    return (ws_text){.start = bytes, .length = length};
}

static bool path_is_below(ws_text path, ws_text folder)
{
    if (!ws_text_starts_with(path, folder)) {
        return false;
    }
    return path.length == folder.length || ws_text_is(folder, "/") ||
           path.start[folder.length] == '/';
}

static bool path_is_below_a_root(const path_search *search, ws_text path)
{
    size_t count = search->request->roots == NULL ? 0 : search->request->roots->count;

    for (size_t i = 0; i < count; i++) {
        ws_text root = path_real(search->request->roots->roots[i], search->arena);
        if (root.start != NULL && path_is_below(path, root)) {
            return true;
        }
    }
    return false;
}

static bool path_is_absolute(ws_text path)
{
    return path.length > 0 && path.start[0] == '/';
}

/* An absolute path is for allowed roots alone: it makes a scenario work on one machine only. */
static bool path_is_allowed(const path_search *search, ws_text path)
{
    return path_is_below_a_root(search, path) ||
           (!path_is_absolute(search->request->path) && path_is_below(path, search->folder));
}

static bool path_fail(const path_search *search, ws_diagnostic *fault)
{
    fault->severity = WS_SEVERITY_ERROR;
    fault->at = search->request->at;
    ws_diag_add(search->diag, fault);
    return false;
}

/* The flag that would allow a file. */
static ws_text path_allow_help(const path_search *search, ws_text file)
{
    ws_text folder = ws_path_folder(file, search->arena);

    if (!ws_shell_word_is_plain(folder)) {
        folder = WS_TEXT("FOLDER");
    }
    return ws_arena_format(search->arena, "pass `--allow-root %.*s` to allow this directory",
                           WS_TEXT_ARGS(folder));
}

static bool path_fail_absolute(const path_search *search)
{
    ws_text rest = ws_text_slice(search->written, search->folder.length, search->written.length);
    ws_diagnostic fault = {.code = 7103};

    while (rest.length > 0 && rest.start[0] == '/') {
        rest = ws_text_slice(rest, 1, rest.length);
    }
    fault.message = ws_arena_format(search->arena, "`%.*s` is an absolute path",
                                    WS_TEXT_ARGS(search->request->key));
    fault.label = WS_TEXT("true on this machine only");
    rest = rest.length == 0 ? WS_TEXT(".") : rest;
    fault.help = ws_arena_format(search->arena, "write `%.*s`", WS_TEXT_ARGS(rest));
    return path_fail(search, &fault);
}

/* `real` is where a link leads to, NULL start when the path itself leads out. */
static bool path_fail_outside(const path_search *search, ws_text real)
{
    ws_arena *arena = search->arena;
    ws_diagnostic fault = {.code = 7103};

    fault.message = ws_arena_format(arena, "`%.*s` leaves the directory of the scenario",
                                    WS_TEXT_ARGS(search->request->key));
    if (real.start == NULL) {
        fault.label = ws_arena_format(arena, "outside %.*s", WS_TEXT_ARGS(search->folder));
        fault.help = path_allow_help(search, search->written);
    } else {
        fault.label = ws_arena_format(arena, "a link to %.*s, outside %.*s", WS_TEXT_ARGS(real),
                                      WS_TEXT_ARGS(search->folder));
        fault.help = path_allow_help(search, real);
    }
    return path_fail(search, &fault);
}

/* `scheme://`, with the letters that a scheme may have (RFC 3986, section 3.1). */
static bool path_is_url(ws_text path)
{
    size_t colon = ws_text_find_byte(path, ':');

    for (size_t i = 0; i < colon; i++) {
        char c = path.start[i];
        bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        bool is_other = (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
        if (!is_letter && !(is_other && i > 0)) {
            return false;
        }
    }
    return colon > 0 &&
           ws_text_starts_with(ws_text_slice(path, colon, path.length), WS_TEXT("://"));
}

static bool path_fail_url(const path_search *search)
{
    ws_diagnostic fault = {
        .code = 7103,
        .label = WS_TEXT("nothing is fetched"),
        .help = WS_TEXT("download the file first, and write its path here"),
    };

    fault.message = ws_arena_format(search->arena, "`%.*s` is a URL, not a path",
                                    WS_TEXT_ARGS(search->request->key));
    return path_fail(search, &fault);
}

/* Reads the names in a folder; returns how many. */
static size_t path_list(const char *folder, const char **names, ws_arena *arena)
{
    DIR *directory = opendir(folder);
    size_t count = 0;

    while (directory != NULL && count < PATH_NAMES_MAX) {
        /* NOLINTNEXTLINE(concurrency-mt-unsafe): the stream is ours alone */
        const struct dirent *entry = readdir(directory);
        if (entry == NULL) {
            break;
        }
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            names[count] = ws_arena_copy_text(arena, ws_text_of(entry->d_name)).start;
            count++;
        }
    }
    if (directory != NULL) {
        (void)closedir(directory);
    }
    return count;
}

/* "did you mean `calibration/h100-ib400.json`?", or an empty text. Only folders that may be read
 * from are looked into. */
static ws_text path_near_help(const path_search *search)
{
    ws_arena *arena = search->arena;
    ws_text before = path_before_last_slash(search->request->path);
    ws_text last =
        ws_text_slice(search->request->path, before.length, search->request->path.length);
    ws_text folder = ws_path_folder(search->written, arena);
    const char **names = ws_arena_alloc(arena, const char *, PATH_NAMES_MAX);

    folder = folder.start == NULL ? folder : path_real(folder.start, arena);
    if (names == NULL || folder.start == NULL || !path_is_allowed(search, folder)) {
        return (ws_text){.start = NULL};
    }
    int nearest = ws_text_nearest(last, names, path_list(folder.start, names, arena));
    if (nearest < 0) {
        return (ws_text){.start = NULL};
    }
    return ws_arena_format(arena, "did you mean `%.*s%s`?", WS_TEXT_ARGS(before), names[nearest]);
}

static bool path_fail_reaching(const path_search *search, int error)
{
    bool is_missing = error == ENOENT || error == ENOTDIR;
    ws_diagnostic fault = {.code = is_missing ? 6001 : 6003};

    fault.message = ws_arena_format(search->arena, "cannot read `%.*s`: %s",
                                    WS_TEXT_ARGS(search->request->path),
                                    is_missing ? "no such file" : ws_errno_text(error));
    fault.label = ws_arena_format(search->arena, "looked in %.*s", WS_TEXT_ARGS(search->written));
    if (is_missing) {
        fault.help = path_near_help(search);
    }
    if (is_missing && !path_is_absolute(search->request->path)) {
        fault.notes[0] =
            WS_TEXT("paths are relative to the scenario file, not to the current directory");
    }
    return path_fail(search, &fault);
}

/* What is no path at all. */
static bool path_check_form(const path_search *search)
{
    ws_diagnostic fault = {.code = 6001};

    if (path_is_url(search->request->path)) {
        return path_fail_url(search);
    }
    if (search->request->path.length == 0) {
        fault.message = ws_arena_format(search->arena, "`%.*s` names no file",
                                        WS_TEXT_ARGS(search->request->key));
        return path_fail(search, &fault);
    }
    if (ws_text_find_byte(search->request->path, '\0') < search->request->path.length) {
        fault.message = ws_arena_format(search->arena, "`%.*s` has a NUL byte in its path",
                                        WS_TEXT_ARGS(search->request->key));
        return path_fail(search, &fault);
    }
    return true;
}

static bool path_fail_memory(const path_search *search)
{
    return ws_diag_error(search->diag, 9030, search->request->at,
                         "reading this takes more memory than allowed");
}

/* Fills folder and written. `*full` is the path for the operating system. */
static bool path_prepare(path_search *search, ws_text *full)
{
    ws_arena *arena = search->arena;
    ws_text start = ws_arena_copy_text(arena, search->request->folder);

    if (start.start == NULL) {
        return path_fail_memory(search);
    }
    search->folder = path_real(start.start, arena);
    if (search->folder.start == NULL) {
        return ws_diag_error(search->diag, 6003, search->request->at, "cannot read `%.*s`: %s",
                             WS_TEXT_ARGS(search->request->folder), ws_errno_text(errno));
    }
    *full = path_is_absolute(search->request->path)
                ? ws_arena_copy_text(arena, search->request->path)
                : ws_arena_format(arena, "%.*s/%.*s", WS_TEXT_ARGS(search->folder),
                                  WS_TEXT_ARGS(search->request->path));
    if (full->start != NULL) {
        search->written = path_work_out(*full, arena);
    }
    return search->written.start != NULL || path_fail_memory(search);
}

bool ws_path_resolve(ws_text *resolved, const ws_path_request *request, ws_arena *arena,
                     ws_diag *diag)
{
    path_search search = {.request = request, .arena = arena, .diag = diag};
    ws_text full = {.start = NULL};

    WS_ASSERT(resolved != NULL);
    WS_ASSERT(request != NULL);
    WS_ASSERT(request->folder.length > 0);

    if (!path_check_form(&search) || !path_prepare(&search, &full)) {
        return false;
    }
    WS_ASSERT(search.written.start != NULL);
    ws_text real = path_real(full.start, arena);
    int error = errno;
    if (real.start != NULL && path_is_allowed(&search, real)) {
        *resolved = real;
        return true;
    }
    if (!path_is_allowed(&search, search.written)) {
        return path_is_below(search.written, search.folder)
                   ? path_fail_absolute(&search)
                   : path_fail_outside(&search, (ws_text){.start = NULL});
    }
    return real.start != NULL ? path_fail_outside(&search, real)
                              : path_fail_reaching(&search, error);
}
