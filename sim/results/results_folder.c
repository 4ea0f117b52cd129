/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A results folder from begin to commit. What is there already is looked at twice: at the begin,
 * before anybody computes for hours, and at the commit, since people may have worked in it
 * meanwhile.
 */
#include "ws/results.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ws/assert.h"

#include "folder.h"
#include "old_folder.h"
#include "place.h"
#include "replace.h"
#include "sums.h"

struct ws_results {
    ws_place place;
    ws_text scenario;
    bool force;
    ws_text temporary; /* path of the folder that is written */
    ws_sums sums;
    ws_sums local;     /* of files whose bytes hang on the machine */
    ws_text open_name; /* of the file that is being written; NULL start: none */
    bool open_summed;
    bool is_failed; /* a file is not as it should be: no commit */
    bool is_over;   /* committed or abandoned */
};

/* A file's path: in the folder that is written, or, for messages, where it will be. */
static ws_text results_file(const ws_results *results, ws_text folder, ws_text name)
{
    ws_text path = ws_arena_format(results->place.arena, "%.*s/%.*s", WS_TEXT_ARGS(folder),
                                   WS_TEXT_ARGS(name));

    if (path.start == NULL) {
        (void)ws_place_exhausted(&results->place);
    }
    return path;
}

static bool results_fail(ws_results *results)
{
    results->is_failed = true;
    return false;
}

/* ---- begin ---- */

static bool results_start(ws_results *results)
{
    ws_old_folder kind = WS_OLD_FOLDER_NONE;

    WS_ASSERT(results->temporary.start == NULL);

    ws_replace_recover(&results->place);
    return ws_old_folder_check(&kind, &results->place, results->scenario, results->force) &&
           ws_replace_begin(&results->place, &results->temporary);
}

bool ws_results_begin(ws_results **results, const char *path, ws_text scenario, bool force,
                      ws_arena *arena, ws_diag *diag)
{
    ws_results *begun = NULL;

    WS_ASSERT(results != NULL);
    WS_ASSERT(path != NULL);
    WS_ASSERT(arena != NULL);
    WS_ASSERT(diag != NULL);

    begun = ws_arena_alloc(arena, ws_results, 1);
    if (begun == NULL) {
        return ws_diag_error(diag, 9007, ws_span_none, "not enough memory for `%s`", path);
    }
    begun->scenario = ws_arena_copy_text(arena, scenario);
    begun->force = force;
    if (!ws_place_init(&begun->place, path, arena, diag)) {
        return false;
    }
    if (begun->scenario.start == NULL) {
        return ws_place_exhausted(&begun->place);
    }
    if (!ws_place_enter(&begun->place)) {
        return false;
    }
    if (!results_start(begun)) {
        ws_place_leave(&begun->place);
        return false;
    }
    *results = begun;
    return true;
}

/* ---- files ---- */

/* Makes the sub-folder of a name, if it has one and it is not there yet. */
static bool results_make_folder(const ws_results *results, ws_text name)
{
    ws_text folder = ws_sums_folder_of(name);
    ws_text path;

    WS_ASSERT(ws_sums_is_name(name));

    if (folder.length == 0) {
        return true;
    }
    path = results_file(results, results->temporary, folder);
    if (path.start == NULL) {
        return false;
    }
    if (mkdir(path.start, 0777) < 0 && errno != EEXIST) {
        return ws_place_fail(&results->place, "create",
                             results_file(results, results->place.path, folder), errno);
    }
    return true;
}

/* The names that this module gives, or that a reader would miss in the sums, are not for others. */
static bool results_may_hold(ws_text name, bool summed)
{
    return ws_sums_is_name(name) && !ws_text_is(name, WS_SUMS_NAME) &&
           !ws_text_is(name, WS_LOCAL_SUMS_NAME) && !(summed && ws_text_is(name, WS_RUN_INFO_NAME));
}

static bool results_record(ws_results *results, ws_text name, bool summed, const ws_sha256 *hash)
{
    ws_sums *list = summed ? &results->sums : &results->local;
    const ws_sums *other = summed ? &results->local : &results->sums;

    WS_ASSERT(hash != NULL);

    if (ws_text_is(name, WS_RUN_INFO_NAME) ||
        (ws_sums_find(other, name) == other->count && ws_sums_add(list, name, hash))) {
        return true;
    }
    (void)ws_diag_error(results->place.diag, 8003, ws_span_none, "cannot add `%.*s` to `%.*s`: %s",
                        WS_TEXT_ARGS(name), WS_TEXT_ARGS(results->place.path),
                        list->count < WS_RESULT_FILES_MAX ? "it is there already"
                                                          : "it holds too many files");
    return results_fail(results);
}

bool ws_results_open_file(ws_results *results, const char *name, bool summed, ws_writer *writer)
{
    ws_text copy;
    ws_text path;
    ws_text shown;

    WS_ASSERT(results != NULL);
    WS_ASSERT(!results->is_over);
    WS_ASSERT(results->open_name.start == NULL);
    WS_ASSERT(results_may_hold(ws_text_of(name), summed));

    copy = ws_arena_copy_text(results->place.arena, ws_text_of(name));
    path = results_file(results, results->temporary, ws_text_of(name));
    shown = results_file(results, results->place.path, ws_text_of(name));
    if (copy.start == NULL || path.start == NULL || shown.start == NULL ||
        !results_make_folder(results, copy) ||
        !ws_writer_open(writer, path.start, shown, results->place.diag)) {
        return results_fail(results);
    }
    results->open_name = copy;
    results->open_summed = summed;
    return true;
}

bool ws_results_close_file(ws_results *results, ws_writer *writer)
{
    ws_text name = results->open_name;

    WS_ASSERT(!results->is_over);
    WS_ASSERT(name.start != NULL);

    results->open_name = (ws_text){.start = NULL};
    if (!ws_writer_finish(writer, results->place.diag)) {
        return results_fail(results);
    }
    return results_record(results, name, results->open_summed, &writer->hash);
}

ws_text ws_results_path(ws_results *results, const char *name, ws_arena *arena)
{
    ws_text path = {.start = NULL};

    WS_ASSERT(!results->is_over);
    WS_ASSERT(ws_sums_is_name(ws_text_of(name)));

    if (!results_make_folder(results, ws_text_of(name))) {
        (void)results_fail(results);
        return path;
    }
    path = ws_arena_format(arena, "%.*s/%s", WS_TEXT_ARGS(results->temporary), name);
    if (path.start == NULL) {
        (void)ws_place_exhausted(&results->place);
        (void)results_fail(results);
    }
    return path;
}

/* Hashes and syncs a file that somebody else has written. False with errno set. */
static bool results_settle(const ws_results *results, const char *path, ws_sha256 *hash)
{
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    bool is_settled = false;
    int error = 0;

    WS_ASSERT(results->temporary.start != NULL);

    if (fd < 0) {
        return false;
    }
    is_settled = ws_sums_hash(fd, hash) && (fsync(fd) == 0 || errno == EINVAL);
    error = errno;
    (void)close(fd);
    errno = error;
    return is_settled;
}

bool ws_results_add_file(ws_results *results, const char *name, bool summed)
{
    ws_text copy = ws_arena_copy_text(results->place.arena, ws_text_of(name));
    ws_text path = results_file(results, results->temporary, ws_text_of(name));
    ws_sha256 hash;

    WS_ASSERT(!results->is_over);
    WS_ASSERT(results_may_hold(ws_text_of(name), summed));

    if (copy.start == NULL || path.start == NULL) {
        return results_fail(results);
    }
    if (!results_settle(results, path.start, &hash)) {
        int error = errno;

        (void)ws_place_fail(&results->place, "write",
                            results_file(results, results->place.path, copy), error);
        return results_fail(results);
    }
    return results_record(results, copy, summed, &hash);
}

/* ---- the end ---- */

static bool results_write_sums(const ws_results *results, ws_text name, const ws_sums *sums)
{
    ws_text path = results_file(results, results->temporary, name);
    ws_text shown = results_file(results, results->place.path, name);
    ws_writer writer;

    WS_ASSERT(!results->is_failed);

    if (path.start == NULL || shown.start == NULL ||
        !ws_writer_open(&writer, path.start, shown, results->place.diag)) {
        return false;
    }
    ws_sums_write(sums, &writer);
    return ws_writer_finish(&writer, results->place.diag);
}

/* Makes the entries of the sub-folders of a list durable. */
static bool results_sync_folders(const ws_results *results, const ws_sums *sums)
{
    ws_text last = WS_TEXT("");

    WS_ASSERT(!results->is_failed);

    for (size_t i = 0; i < sums->count; i++) {
        ws_text folder = ws_sums_folder_of(sums->files[i].name);
        ws_text path;

        if (folder.length == 0 || ws_text_equals(folder, last)) {
            continue;
        }
        last = folder;
        path = results_file(results, results->temporary, folder);
        if (path.start == NULL) {
            return false;
        }
        if (!ws_folder_sync(path.start)) {
            return ws_place_fail(&results->place, "write", results->place.path, errno);
        }
    }
    return true;
}

/* Makes the entries of the folder and of its sub-folders durable. */
static bool results_sync(const ws_results *results)
{
    if (!results_sync_folders(results, &results->sums) ||
        !results_sync_folders(results, &results->local)) {
        return false;
    }
    return ws_folder_sync(results->temporary.start) ||
           ws_place_fail(&results->place, "write", results->place.path, errno);
}

bool ws_results_commit(ws_results *results)
{
    ws_old_folder kind = WS_OLD_FOLDER_NONE;
    const ws_place *place = NULL;

    WS_ASSERT(results != NULL);
    WS_ASSERT(!results->is_over);
    WS_ASSERT(results->open_name.start == NULL);

    place = &results->place;
    if (results->is_failed) {
        return false; /* whose diagnostic is there */
    }
    if ((results->local.count > 0 &&
         !results_write_sums(results, WS_TEXT(WS_LOCAL_SUMS_NAME), &results->local)) ||
        !results_write_sums(results, WS_TEXT(WS_SUMS_NAME), &results->sums) ||
        !results_sync(results) ||
        !ws_old_folder_check(&kind, place, results->scenario, results->force) ||
        !ws_replace_commit(place, results->temporary, kind)) {
        return results_fail(results);
    }
    results->is_over = true;
    results->place.made_bytes = 0;
    ws_place_leave(&results->place);
    return true;
}

void ws_results_abandon(ws_results *results)
{
    WS_ASSERT(results != NULL);

    if (results->is_over) {
        return;
    }
    results->is_over = true;
    (void)ws_folder_remove(results->temporary.start);
    ws_place_leave(&results->place);
}
