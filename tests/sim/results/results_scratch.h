/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What the tests of the results folder share: a scratch folder, small results in it, and a look at
 * what is there. */
#ifndef WS_TESTS_RESULTS_SCRATCH_H
#define WS_TESTS_RESULTS_SCRATCH_H

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/support.h"
#include "ws/results.h"

typedef struct {
    char folder[1024]; /* empty at the begin of a test */
    char path[1200];   /* of results in it: "FOLDER/r" */
    ws_arena arena;
    ws_diag diag;
} scratch;

static inline void scratch_open(scratch *s, const char *name)
{
    cr_assert(ws_test_scratch(name, s->folder, sizeof s->folder) != NULL);
    (void)snprintf(s->path, sizeof s->path, "%s/r", s->folder);
    ws_arena_init(&s->arena, &ws_allocator_default, (size_t)1 << 26);
    ws_diag_init(&s->diag, &s->arena);
}

static inline void scratch_close(scratch *s)
{
    ws_arena_reset(&s->arena);
}

/* FOLDER/relative, in the arena. */
static inline const char *scratch_path(scratch *s, const char *relative)
{
    ws_text path = ws_arena_format(&s->arena, "%s/%s", s->folder, relative);

    cr_assert(path.start != NULL);
    return path.start;
}

static inline int scratch_compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Names of the entries of a folder, hidden ones too, sorted, each with a blank behind it. */
static inline const char *scratch_list(scratch *s, const char *relative)
{
    DIR *stream = opendir(scratch_path(s, relative));
    const char *names[1000];
    size_t count = 0;
    ws_text list = WS_TEXT("");

    cr_assert(stream != NULL, "%s", relative);
    for (const struct dirent *entry = readdir(stream); entry != NULL; entry = readdir(stream)) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            cr_assert(count < 1000);
            names[count] = ws_arena_copy_text(&s->arena, ws_text_of(entry->d_name)).start;
            count++;
        }
    }
    (void)closedir(stream);
    qsort(names, count, sizeof names[0], scratch_compare);
    for (size_t i = 0; i < count; i++) {
        list = ws_arena_format(&s->arena, "%.*s%s ", WS_TEXT_ARGS(list), names[i]);
    }
    return list.start;
}

static inline void scratch_put(scratch *s, const char *relative, const char *content)
{
    int fd = open(scratch_path(s, relative), O_WRONLY | O_CREAT | O_TRUNC, 0666);

    cr_assert(fd >= 0, "%s", relative);
    cr_assert(write(fd, content, strlen(content)) == (ssize_t)strlen(content));
    cr_assert(eq(int, close(fd), 0));
}

static inline bool scratch_is(scratch *s, const char *relative, const char *content)
{
    ws_text found = ws_test_load(scratch_path(s, relative));
    bool is_equal = found.start != NULL && ws_text_is(found, content);

    free((void *)found.start);
    return is_equal;
}

static inline bool scratch_write_file(ws_results *results, const char *name, bool summed,
                                      const char *content)
{
    ws_writer writer;

    if (!ws_results_open_file(results, name, summed, &writer)) {
        return false;
    }
    ws_write_string(&writer, content);
    return ws_results_close_file(results, &writer);
}

/* summary.json, data.csv with `content`, charts/a.svg and run-info.json. */
static inline bool scratch_write_files(scratch *s, ws_results *results, const char *scenario,
                                       const char *content)
{
    ws_text summary = ws_arena_format(&s->arena,
                                      "{\"schema\": \"worldsize.summary/v1\","
                                      " \"scenario\": {\"name\": \"%s\"}}\n",
                                      scenario);

    return scratch_write_file(results, "summary.json", true, summary.start) &&
           scratch_write_file(results, "data.csv", true, content) &&
           scratch_write_file(results, "charts/a.svg", true, "<svg/>\n") &&
           scratch_write_file(results, "run-info.json", false, "{}\n");
}

/* Whole results of a scenario at s->path; what was begun is abandoned on false. */
static inline bool scratch_write(scratch *s, const char *scenario, const char *content, bool force)
{
    ws_results *results = NULL;

    if (!ws_results_begin(&results, s->path, ws_text_of(scenario), force, &s->arena, &s->diag)) {
        return false;
    }
    if (scratch_write_files(s, results, scenario, content) && ws_results_commit(results)) {
        return true;
    }
    ws_results_abandon(results);
    return false;
}

/* That the last diagnostic has this code, and this in its message. */
static inline void scratch_expect(const scratch *s, int code, const char *piece)
{
    const ws_diagnostic *last = NULL;

    cr_assert(s->diag.count > 0);
    last = &s->diag.entries[s->diag.count - 1];
    cr_assert(eq(int, last->code, code), "%.*s", WS_TEXT_ARGS(last->message));
    cr_assert(strstr(last->message.start, piece) != NULL, "no `%s` in: %.*s", piece,
              WS_TEXT_ARGS(last->message));
}

#endif
