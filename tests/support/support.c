/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ws/assert.h"
#include "ws/number.h"

_Noreturn void ws_assert_failed(const char *fact, const char *file, int line)
{
    (void)fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, fact);
    abort();
}

const char *ws_test_shared(const char *relative, char *path, size_t path_bytes)
{
    const char *folder = getenv("WS_SHARED");

    if (folder == NULL || folder[0] == '\0') {
        folder = WS_SHARED_DEFAULT;
    }
    (void)snprintf(path, path_bytes, "%s/%s", folder, relative);
    if (access(path, R_OK) != 0) {
        (void)fprintf(stderr, "SKIPPED: %s is absent (set WS_SHARED)\n", path);
        return NULL;
    }
    return path;
}

int64_t ws_test_scaled(int64_t full, int64_t least)
{
    const char *text = getenv("WS_TEST_SCALE");
    double scale = 1;

    if (text != NULL && !ws_parse_f64(ws_text_of(text), &scale)) {
        (void)fprintf(stderr, "WS_TEST_SCALE is no number: %s\n", text);
        abort();
    }
    int64_t scaled = (int64_t)((double)full * scale);
    return scaled < least ? least : scaled;
}

const char *ws_test_source_folder(void)
{
    return WS_SOURCE_FOLDER;
}

const char *ws_test_build_folder(void)
{
    return WS_BUILD_FOLDER;
}

const char *ws_test_scratch(const char *name, char *path, size_t path_bytes)
{
    char command[4400];

    (void)snprintf(path, path_bytes, "%s/scratch/%s-%ld", WS_BUILD_FOLDER, name, (long)getpid());
    (void)snprintf(command, sizeof command, "rm -rf '%s' && mkdir -p '%s'", path, path);
    if (system(command) != 0) {
        (void)fprintf(stderr, "cannot make %s\n", path);
        abort();
    }
    return path;
}

ws_text ws_test_load(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *bytes = NULL;
    size_t length = 0;
    size_t capacity = 0;

    if (file == NULL) {
        return (ws_text){.start = NULL, .length = 0};
    }
    for (;;) {
        if (capacity - length < 65536) {
            capacity = 2 * capacity + 131072;
            bytes = realloc(bytes, capacity);
            WS_ASSERT(bytes != NULL);
        }
        size_t got = fread(bytes + length, 1, capacity - length - 1, file);
        if (got == 0) {
            break;
        }
        length += got;
    }
    (void)fclose(file);
    bytes[length] = '\0';
    return (ws_text){.start = bytes, .length = length};
}
