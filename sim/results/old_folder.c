/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "old_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ws/assert.h"
#include "ws/errno_text.h"
#include "ws/input.h"
#include "ws/json_find.h"

#include "folder.h"
#include "sums.h"

/* Of each list of sums: longer than any that this program writes. */
#define OLD_FOLDER_SUMS_BYTES_MAX ((size_t)256 << 10)

/* Of summary.json. */
#define OLD_FOLDER_SUMMARY_BYTES_MAX ((size_t)256 << 20)

typedef struct {
    const ws_place *place;
    int fd;
    ws_sums *sums;
    ws_text folder;  /* that is listed now; empty: the results folder itself */
    ws_text foreign; /* the first name, by its bytes, that nobody knows; NULL start: none */
    bool is_exhausted;
} old_folder;

/* ---- reading ---- */

/* A whole small file of the folder in the arena; NULL start when it is absent, too large or
 * unreadable. */
static ws_text old_folder_load(int folder, const char *name, ws_arena *arena)
{
    int fd = ws_folder_open_file(folder, name);
    char *bytes = fd < 0 ? NULL : ws_arena_alloc(arena, char, OLD_FOLDER_SUMS_BYTES_MAX + 1);
    size_t length = 0;
    ssize_t got = 1;

    WS_ASSERT(folder >= 0);

    while (bytes != NULL && got > 0 && length <= OLD_FOLDER_SUMS_BYTES_MAX) {
        got = read(fd, bytes + length, OLD_FOLDER_SUMS_BYTES_MAX + 1 - length);
        length += got > 0 ? (size_t)got : 0;
        got = got < 0 && errno == EINTR ? 1 : got;
    }
    if (fd >= 0) {
        (void)close(fd);
    }
    if (bytes == NULL || got < 0 || length > OLD_FOLDER_SUMS_BYTES_MAX) {
        return (ws_text){.start = NULL};
    }
    return (ws_text){.start = bytes, .length = length};
}

/* One list of files, in the arena; NULL when it is absent or not one of ours. */
static ws_sums *old_folder_list(int folder, const char *name, ws_arena *arena)
{
    ws_sums *sums = ws_arena_alloc(arena, ws_sums, 1);
    ws_text content = old_folder_load(folder, name, arena);

    WS_ASSERT(arena != NULL);

    if (sums == NULL || content.start == NULL || !ws_sums_parse(sums, content, arena)) {
        return NULL;
    }
    return sums;
}

/* The files that the folder lists, in the arena; NULL when there is no list or it is not one of
 * ours. Without a list of the machine's own files there are none of them. */
static ws_sums *old_folder_sums(int folder, ws_arena *arena)
{
    ws_sums *sums = old_folder_list(folder, WS_SUMS_NAME, arena);
    const ws_sums *local = old_folder_list(folder, WS_LOCAL_SUMS_NAME, arena);

    if (sums == NULL || (local != NULL && !ws_sums_merge(sums, local))) {
        return NULL;
    }
    return sums;
}

/* ---- refusing ---- */

static bool old_folder_refuse(const old_folder *old, ws_text message)
{
    return ws_place_refuse(old->place, 8101, message,
                           WS_TEXT("name another folder; this one is never replaced"));
}

static bool old_folder_refuse_change(const old_folder *old, ws_text file, const char *what)
{
    return ws_place_refuse(old->place, 8101,
                           ws_arena_format(old->place->arena, "`%s` was changed: `%.*s` %s",
                                           old->place->path.start, WS_TEXT_ARGS(file), what),
                           WS_TEXT("keep it and name another folder, or replace it with --force"));
}

/* Of what cannot be opened as a folder, with the error that opening gave. */
static bool old_folder_refuse_other(const old_folder *old, int error)
{
    const char *path = old->place->path.start;
    ws_arena *arena = old->place->arena;
    struct stat status;

    WS_ASSERT(error != 0);

    if (lstat(path, &status) == 0 && S_ISLNK(status.st_mode)) {
        return old_folder_refuse(old, ws_arena_format(arena, "`%s` is a symbolic link", path));
    }
    if (error == ENOTDIR) {
        return old_folder_refuse(old, ws_arena_format(arena, "`%s` is not a folder", path));
    }
    return old_folder_refuse(
        old, ws_arena_format(arena, "cannot look into `%s`: %s", path, ws_errno_text(error)));
}

/* ---- what it is of ---- */

/* Whether there is a summary.json of worldsize, and the name of its scenario. */
static bool old_folder_read_scenario(const old_folder *old, ws_text *scenario)
{
    ws_json_wanted wanted[] = {{.key = "schema"}, {.object = "scenario", .key = "name"}};
    int fd = ws_folder_open_file(old->fd, WS_SUMMARY_NAME);
    bool is_read = false;

    WS_ASSERT(scenario != NULL);

    if (fd < 0) {
        return false;
    }
    is_read = ws_json_find_texts(fd, OLD_FOLDER_SUMMARY_BYTES_MAX, wanted, WS_COUNT_OF(wanted),
                                 old->place->arena);
    (void)close(fd);
    *scenario = wanted[1].value;
    return is_read && ws_text_is(wanted[0].value, WS_SUMMARY_SCHEMA) && scenario->start != NULL;
}

/* ---- its files ---- */

static bool old_folder_check_file(const old_folder *old, const ws_sum *file)
{
    int fd = ws_folder_open_file(old->fd, file->name.start);
    char digest[WS_SHA256_TEXT_BYTES];
    ws_sha256 hash;
    bool is_hashed = false;

    WS_ASSERT(old->fd >= 0);

    if (fd < 0) {
        return old_folder_refuse_change(old, file->name,
                                        errno == ENOENT ? "is missing" : "cannot be read");
    }
    is_hashed = ws_sums_hash(fd, &hash);
    (void)close(fd);
    if (!is_hashed) {
        return old_folder_refuse_change(old, file->name, "cannot be read");
    }
    ws_sha256_print(&hash, digest);
    return strcmp(digest, file->digest) == 0 ||
           old_folder_refuse_change(old, file->name, "does not match SHA256SUMS");
}

static bool old_folder_check_files(const old_folder *old)
{
    WS_ASSERT(old->sums != NULL);

    for (size_t i = 0; i < old->sums->count; i++) {
        if (!old_folder_check_file(old, &old->sums->files[i])) {
            return false;
        }
    }
    return true;
}

/* True for a sub-folder that holds a listed file. */
static bool old_folder_is_sub_folder(const old_folder *old, ws_text name)
{
    WS_ASSERT(name.length > 0);

    for (size_t i = 0; i < old->sums->count; i++) {
        if (ws_text_equals(ws_sums_folder_of(old->sums->files[i].name), name)) {
            return true;
        }
    }
    return false;
}

/* Visit: keeps the first foreign name, so that the message does not hang on the order of the
 * listing. */
static bool old_folder_look_at(void *context, const char *entry)
{
    old_folder *old = context;
    ws_text name = ws_text_of(entry);
    bool is_top = old->folder.length == 0;

    WS_ASSERT(old->sums != NULL);

    if (is_top && (ws_text_is(name, WS_SUMS_NAME) || ws_text_is(name, WS_LOCAL_SUMS_NAME) ||
                   ws_text_is(name, WS_RUN_INFO_NAME) || old_folder_is_sub_folder(old, name))) {
        return true;
    }
    name = ws_arena_format(old->place->arena, "%.*s%s%s", WS_TEXT_ARGS(old->folder),
                           is_top ? "" : "/", entry);
    if (name.start == NULL) {
        old->is_exhausted = true;
        return false;
    }
    if (ws_sums_find(old->sums, name) == old->sums->count &&
        (old->foreign.start == NULL || ws_text_compare(name, old->foreign) < 0)) {
        old->foreign = name;
    }
    return true;
}

/* Looks at the sub-folder of a listed file. */
static bool old_folder_look_into(old_folder *old, ws_text folder)
{
    ws_text name = ws_arena_copy_text(old->place->arena, folder);
    int fd = name.start == NULL ? -1 : ws_folder_open_within(old->fd, name.start);
    bool is_listed = false;

    WS_ASSERT(folder.length > 0);

    old->is_exhausted = name.start == NULL;
    if (fd < 0) {
        return false;
    }
    old->folder = ws_text_of(name.start);
    is_listed = ws_folder_each(fd, old_folder_look_at, old);
    (void)close(fd);
    return is_listed;
}

/* Looks at the folder, and at each sub-folder once: the names are sorted. */
static bool old_folder_look_for_foreign(old_folder *old)
{
    bool is_listed = ws_folder_each(old->fd, old_folder_look_at, old);
    ws_text last = WS_TEXT("");

    WS_ASSERT(old->sums != NULL);

    for (size_t i = 0; i < old->sums->count && is_listed; i++) {
        ws_text folder = ws_sums_folder_of(old->sums->files[i].name);

        if (folder.length > 0 && !ws_text_equals(folder, last)) {
            is_listed = old_folder_look_into(old, folder);
            last = folder;
        }
    }
    return is_listed;
}

static bool old_folder_check_foreign(old_folder *old)
{
    WS_ASSERT(old->foreign.start == NULL);

    if (!old_folder_look_for_foreign(old)) {
        return old->is_exhausted ? ws_place_exhausted(old->place)
                                 : old_folder_refuse_other(old, errno == 0 ? EIO : errno);
    }
    return old->foreign.start == NULL ||
           old_folder_refuse_change(old, old->foreign, "is not in SHA256SUMS");
}

/* ---- the whole ---- */

static bool old_folder_check_results(old_folder *old, ws_text scenario, bool force)
{
    ws_arena *arena = old->place->arena;
    const char *path = old->place->path.start;
    ws_text found = {.start = NULL};

    WS_ASSERT(scenario.start != NULL);

    if (!old_folder_read_scenario(old, &found)) {
        return old_folder_refuse(
            old,
            ws_arena_format(arena, "`%s` holds something else than results of worldsize", path));
    }
    if (force) {
        return true;
    }
    if (!ws_text_equals(found, scenario)) {
        return ws_place_refuse(old->place, 8101,
                               ws_arena_format(arena, "`%s` holds results of the scenario `%.*s`",
                                               path, WS_TEXT_ARGS(found)),
                               WS_TEXT("name another folder, or replace it with --force"));
    }
    old->sums = old_folder_sums(old->fd, arena);
    if (old->sums == NULL) {
        return old_folder_refuse_change(old, WS_TEXT(WS_SUMS_NAME),
                                        "is missing or not a list of sums");
    }
    return old_folder_check_files(old) && old_folder_check_foreign(old);
}

/* Visit: one entry is enough to know that the folder is not empty. */
static bool old_folder_stop(void *context, const char *name)
{
    (void)context;
    (void)name;
    return false;
}

bool ws_old_folder_check(ws_old_folder *kind, const ws_place *place, ws_text scenario, bool force)
{
    old_folder old = {.place = place};
    bool is_fine = false;

    WS_ASSERT(kind != NULL);
    WS_ASSERT(place->lock_fd >= 0);

    old.fd = ws_folder_open(place->path.start);
    if (old.fd < 0 && errno == ENOENT) {
        *kind = WS_OLD_FOLDER_NONE;
        return true;
    }
    if (old.fd < 0) {
        return old_folder_refuse_other(&old, errno);
    }
    if (ws_folder_each(old.fd, old_folder_stop, NULL)) {
        *kind = WS_OLD_FOLDER_EMPTY;
        is_fine = true;
    } else if (errno != 0) {
        is_fine = old_folder_refuse_other(&old, errno);
    } else {
        *kind = WS_OLD_FOLDER_RESULTS;
        is_fine = old_folder_check_results(&old, scenario, force);
    }
    (void)close(old.fd);
    return is_fine;
}

/* ---- removal ---- */

bool ws_old_folder_is_kept(const char *path)
{
    int folder = ws_folder_open(path);
    int fd = folder < 0 ? -1 : ws_folder_open_file(folder, WS_SUMMARY_NAME);

    if (folder >= 0) {
        (void)close(folder);
    }
    if (fd >= 0) {
        (void)close(fd);
    }
    return fd >= 0;
}

static void old_folder_unlink_listed(int folder, const ws_sums *sums, ws_arena *arena)
{
    WS_ASSERT(folder >= 0);

    if (ws_sums_find(sums, WS_TEXT(WS_SUMMARY_NAME)) < sums->count) {
        (void)ws_folder_unlink(folder, WS_SUMMARY_NAME);
    }
    for (size_t i = 0; i < sums->count; i++) {
        (void)ws_folder_unlink(folder, sums->files[i].name.start);
    }
    for (size_t i = 0; i < sums->count; i++) {
        ws_text name = ws_sums_folder_of(sums->files[i].name);

        name = name.length == 0 ? name : ws_arena_copy_text(arena, name);
        if (name.length > 0) {
            (void)unlinkat(folder, name.start, AT_REMOVEDIR);
        }
    }
    (void)ws_folder_unlink(folder, WS_RUN_INFO_NAME);
    (void)ws_folder_unlink(folder, WS_LOCAL_SUMS_NAME);
    (void)ws_folder_unlink(folder, WS_SUMS_NAME);
}

bool ws_old_folder_remove(const char *path, ws_arena *arena)
{
    int fd = ws_folder_open(path);
    const ws_sums *sums = fd < 0 ? NULL : old_folder_sums(fd, arena);

    if (fd < 0) {
        return errno == ENOENT;
    }
    if (sums != NULL) {
        old_folder_unlink_listed(fd, sums, arena);
    }
    (void)close(fd);
    return rmdir(path) == 0;
}
