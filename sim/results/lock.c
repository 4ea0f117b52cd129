/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ws/assert.h"
#include "ws/number.h"

/* A lock file may vanish between two steps when its owner ends, as often as owners do. */
#define LOCK_TRIES 100

typedef enum {
    LOCK_TAKEN,
    LOCK_GONE,  /* the file was removed meanwhile: once more */
    LOCK_FAILED /* with a diagnostic */
} lock_outcome;

/* Creates the lock file or opens the one that is there. -1 with EAGAIN when it vanished in between.
 */
static int lock_open(const char *path, bool *is_created)
{
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

    *is_created = fd >= 0;
    if (fd >= 0 || errno != EEXIST) {
        return fd;
    }
    fd = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT) {
        errno = EAGAIN;
    }
    return fd;
}

/* Without flock() on a file system, the creator has the lock. */
static bool lock_try(int fd, bool is_created)
{
    int locked = 0;

    WS_ASSERT(fd >= 0);

    do {
        locked = flock(fd, LOCK_EX | LOCK_NB);
    } while (locked < 0 && errno == EINTR);
    return locked == 0 || (is_created && errno != EWOULDBLOCK);
}

/* A file that was unlinked after it was opened locks nothing: the next one creates another. */
static bool lock_is_current(int fd, const char *path)
{
    struct stat opened;
    struct stat named;

    WS_ASSERT(fd >= 0);

    return fstat(fd, &opened) == 0 && stat(path, &named) == 0 && opened.st_dev == named.st_dev &&
           opened.st_ino == named.st_ino;
}

static bool lock_refuse(const ws_place *place, int fd)
{
    char digits[WS_NUMBER_TEXT_BYTES];
    ssize_t got = pread(fd, digits, sizeof digits, 0);
    ws_text number = {.start = digits, .length = got > 0 ? (size_t)got : 0};
    ws_text message;
    int64_t pid = 0;

    WS_ASSERT(fd >= 0);

    if (ws_parse_i64(ws_text_trimmed(number), &pid) && pid > 0) {
        message = ws_arena_format(place->arena, "`%s` is being written by process %jd",
                                  place->path.start, (intmax_t)pid);
    } else {
        message = ws_arena_format(place->arena, "`%s` is being written by another process",
                                  place->path.start);
    }
    return ws_place_refuse(
        place, 8102, message,
        ws_arena_format(place->arena,
                        "wait until it has ended, or write to another folder; its lock is `%s`",
                        place->lock.start));
}

/* The number is for people and their messages alone, so that a full disk does not matter here. */
static void lock_sign(int fd)
{
    char line[WS_NUMBER_TEXT_BYTES + 1];
    size_t length = ws_print_i64((int64_t)getpid(), line);

    WS_ASSERT(length < sizeof line);

    line[length] = '\n';
    if (ftruncate(fd, 0) == 0) {
        ssize_t written = pwrite(fd, line, length + 1, 0);
        (void)written;
    }
}

static lock_outcome lock_attempt(ws_place *place)
{
    bool is_created = false;
    int fd = lock_open(place->lock.start, &is_created);
    lock_outcome outcome = LOCK_GONE;

    WS_ASSERT(place->lock.start != NULL);

    if (fd < 0 && errno == EAGAIN) {
        return LOCK_GONE;
    }
    if (fd < 0) {
        (void)ws_place_fail(place, "create", place->lock, errno);
        return LOCK_FAILED;
    }
    if (!lock_try(fd, is_created)) {
        (void)lock_refuse(place, fd);
        outcome = LOCK_FAILED;
    } else if (lock_is_current(fd, place->lock.start)) {
        lock_sign(fd);
        place->lock_fd = fd;
        return LOCK_TAKEN;
    }
    (void)close(fd);
    return outcome;
}

bool ws_lock_take(ws_place *place)
{
    lock_outcome outcome = LOCK_GONE;

    WS_ASSERT(place->lock_fd < 0);

    for (int i = 0; i < LOCK_TRIES && outcome == LOCK_GONE; i++) {
        outcome = lock_attempt(place);
    }
    return outcome == LOCK_GONE ? ws_place_fail(place, "lock", place->lock, EBUSY)
                                : outcome == LOCK_TAKEN;
}

void ws_lock_release(ws_place *place)
{
    if (place->lock_fd < 0) {
        return;
    }
    /* Before the lock goes, or it could be another's file. */
    if (lock_is_current(place->lock_fd, place->lock.start)) {
        (void)unlink(place->lock.start);
    }
    (void)close(place->lock_fd);
    place->lock_fd = -1;
}
