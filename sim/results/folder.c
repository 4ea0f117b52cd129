/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ws/assert.h"

/* A listing may miss entries while others are removed (POSIX leaves that open), so it is repeated.
 */
#define FOLDER_PASSES 4

#define FOLDER_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

int ws_folder_open(const char *path)
{
    return ws_folder_open_within(AT_FDCWD, path);
}

int ws_folder_open_within(int folder, const char *name)
{
    WS_ASSERT(name != NULL);

    return openat(folder, name, FOLDER_FLAGS);
}

/* Opens the folder that holds the file of that name and sets *last to its last component. */
static int folder_open_parent(int folder, const char *name, const char **last)
{
    const char *slash = strchr(name, '/');
    char part[NAME_MAX + 1];
    size_t length = slash == NULL ? 0 : (size_t)(slash - name);

    WS_ASSERT(folder >= 0);
    WS_ASSERT(slash != name);
    WS_ASSERT(slash == NULL || strchr(slash + 1, '/') == NULL);

    *last = slash == NULL ? name : slash + 1;
    if (slash == NULL) {
        return ws_folder_open_within(folder, ".");
    }
    if (length > NAME_MAX) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(part, name, length);
    part[length] = '\0';
    return ws_folder_open_within(folder, part);
}

/* Closes without touching errno. */
static void folder_close(int fd)
{
    int error = errno;

    if (fd >= 0) {
        (void)close(fd);
    }
    errno = error;
}

int ws_folder_open_file(int folder, const char *name)
{
    const char *last = NULL;
    int parent = folder_open_parent(folder, name, &last);
    int fd = -1;
    struct stat status;

    if (parent < 0) {
        return -1;
    }
    /* O_NONBLOCK: a FIFO in the place of a file must not hold us up. */
    fd = openat(parent, last, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    folder_close(parent);
    if (fd < 0) {
        return -1;
    }
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode)) {
        return fd;
    }
    folder_close(fd);
    errno = EINVAL;
    return -1;
}

static bool folder_is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static bool folder_list(DIR *stream, ws_folder_visit visit, void *context)
{
    WS_ASSERT(stream != NULL);
    WS_ASSERT(visit != NULL);

    for (;;) {
        const struct dirent *entry = NULL;

        errno = 0;
        entry = readdir(stream); /* NOLINT(concurrency-mt-unsafe): the stream is ours alone */
        if (entry == NULL) {
            return errno == 0;
        }
        if (!folder_is_dots(entry->d_name) && !visit(context, entry->d_name)) {
            errno = 0;
            return false;
        }
    }
}

bool ws_folder_each(int folder, ws_folder_visit visit, void *context)
{
    int fd = -1;
    DIR *stream = NULL;
    bool is_listed = false;
    int error = 0;

    WS_ASSERT(folder >= 0);
    WS_ASSERT(visit != NULL);

    fd = ws_folder_open_within(folder, "."); /* the stream takes it over, and its own position */
    if (fd < 0) {
        return false;
    }
    stream = fdopendir(fd);
    if (stream == NULL) {
        folder_close(fd);
        return false;
    }
    is_listed = folder_list(stream, visit, context);
    error = errno;
    (void)closedir(stream);
    errno = error;
    return is_listed;
}

bool ws_folder_sync(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int synced = 0;

    WS_ASSERT(path != NULL);

    if (fd < 0) {
        return false;
    }
    do {
        synced = fsync(fd);
    } while (synced < 0 && errno == EINTR);
    folder_close(fd);
    return synced == 0 || errno == EINVAL || errno == ENOTSUP;
}

bool ws_folder_unlink(int folder, const char *name)
{
    const char *last = NULL;
    int parent = folder_open_parent(folder, name, &last);
    int removed = -1;

    WS_ASSERT(last != NULL);

    if (parent >= 0) {
        removed = unlinkat(parent, last, 0);
        folder_close(parent);
    }
    return removed == 0 || errno == ENOENT;
}

/* Visit: removes a file; what cannot be removed so stays and keeps the folder from going. */
static bool folder_remove_file(void *context, const char *name)
{
    const int *folder = context;

    WS_ASSERT(*folder >= 0);

    (void)unlinkat(*folder, name, 0);
    return true;
}

/* Removes an entry of `folder` that is a folder of files. */
static void folder_remove_folder(int folder, const char *name)
{
    int fd = ws_folder_open_within(folder, name);

    WS_ASSERT(!folder_is_dots(name));

    if (fd < 0) {
        return;
    }
    for (int pass = 0; pass < FOLDER_PASSES && unlinkat(folder, name, AT_REMOVEDIR) < 0; pass++) {
        (void)ws_folder_each(fd, folder_remove_file, &fd);
    }
    folder_close(fd);
}

/* Visit: removes a file, or a folder of files. */
static bool folder_remove_entry(void *context, const char *name)
{
    const int *folder = context;

    WS_ASSERT(*folder >= 0);

    if (unlinkat(*folder, name, 0) < 0 && errno != ENOENT) {
        folder_remove_folder(*folder, name);
    }
    return true;
}

bool ws_folder_remove(const char *path)
{
    int fd = ws_folder_open(path);
    int removed = -1;

    WS_ASSERT(path[0] != '\0');

    if (fd < 0) {
        return errno == ENOENT;
    }
    for (int pass = 0; pass < FOLDER_PASSES && removed < 0; pass++) {
        (void)ws_folder_each(fd, folder_remove_entry, &fd);
        removed = rmdir(path);
    }
    folder_close(fd);
    return removed == 0;
}
