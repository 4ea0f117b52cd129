/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * docs/diagnostics.md has a line for each code that the sources use, and no other. A code is a
 * number of four digits behind a word of a diagnostic (code, error, warning, refuse, fault, fail,
 * diag) in the same statement, texts and comments left out.
 */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/support.h"
#include "ws/assert.h"

#define CODES 10000
#define PATHS_DEEP 8

/* A year that stands in a diagnostic's statement. */
#define NO_CODE 1970

/* Where a code is used first; empty: nowhere. */
typedef struct {
    char used[CODES][80];
    bool documented[CODES];
} survey;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
    return is_digit(c) || c == '_' || c == '.' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Comments, texts and characters become blanks; lines stay. */
static void blank(char *source)
{
    char end = '\0'; /* of what is being blanked: a quote, '*' for a comment, 0 for none */

    for (char *c = source; *c != '\0'; c++) {
        bool ends = (end == '*' && c[0] == '*' && c[1] == '/') || (end != '*' && *c == end);

        if (end == '\0') {
            end = c[0] == '/' && c[1] == '*' ? '*' : *c == '"' || *c == '\'' ? *c : '\0';
            *c = end == '*' ? ' ' : *c;
        } else if (ends) {
            c[0] = ' ';
            c += end == '*' ? 1 : 0;
            *c = ' ';
            end = '\0';
        } else {
            if (*c == '\\' && end != '*' && c[1] != '\0') {
                *c++ = ' ';
            }
            *c = *c == '\n' ? '\n' : ' ';
        }
    }
}

/* True when the statement before `at` speaks of a diagnostic. */
static bool is_told(const char *source, const char *at)
{
    static const char *const words[] = {"error", "warn", "refuse", "fault",
                                        "fail",  "code", "CODE",   "diag"};
    const char *start = at;
    char statement[2000];

    while (start > source && at - start < (ptrdiff_t)sizeof statement - 1 &&
           strchr(";{}#", start[-1]) == NULL) {
        start--;
    }
    (void)snprintf(statement, sizeof statement, "%.*s", (int)(at - start), start);
    for (size_t i = 0; i < WS_COUNT_OF(words); i++) {
        if (strstr(statement, words[i]) != NULL) {
            return true;
        }
    }
    return false;
}

static void survey_source(survey *found, const char *path)
{
    ws_text text = ws_test_load(path);
    char *source = (char *)text.start;
    const char *shown = path + strlen(ws_test_source_folder()) + 1;

    cr_assert(source != NULL, "%s", path);
    blank(source);
    for (const char *c = source; *c != '\0'; c++) {
        bool starts = is_digit(c[0]) && (c == source || !is_word(c[-1]));
        size_t digits = starts ? strspn(c, "0123456789") : 0;

        if (digits != 4 || is_word(c[4]) || c[0] == '0' || !is_told(source, c)) {
            continue;
        }
        int code = atoi(c);
        if (code > 1100 && code != NO_CODE && found->used[code][0] == '\0') {
            (void)snprintf(found->used[code], sizeof found->used[code], "%s", shown);
        }
    }
    free(source);
}

static void survey_folder(survey *found, const char *path, int depth)
{
    DIR *folder = opendir(path);
    const struct dirent *entry = NULL;

    cr_assert(folder != NULL, "%s", path);
    while (depth < PATHS_DEEP && (entry = readdir(folder)) != NULL) {
        const char *dot = strrchr(entry->d_name, '.');
        char below[1000];

        (void)snprintf(below, sizeof below, "%s/%s", path, entry->d_name);
        if (dot == NULL) {
            survey_folder(found, below, depth + 1);
        } else if (strcmp(dot, ".c") == 0 || strcmp(dot, ".h") == 0) {
            survey_source(found, below);
        }
    }
    (void)closedir(folder);
}

static void survey_manual(survey *found)
{
    char path[1000];

    (void)snprintf(path, sizeof path, "%s/docs/diagnostics.md", ws_test_source_folder());
    ws_text manual = ws_test_load(path);
    cr_assert(manual.start != NULL, "%s", path);
    for (const char *line = strstr(manual.start, "\n| WS"); line != NULL;
         line = strstr(line + 1, "\n| WS")) {
        int code = atoi(line + 5);

        cr_assert(code > 1000 && code < CODES);
        cr_expect_not(found->documented[code], "WS%d has two lines", code);
        found->documented[code] = true;
    }
    free((void *)manual.start);
}

Test(diagnostics, every_code_has_its_line_in_the_manual)
{
    static const char *const folders[] = {"sim",   "policies", "traces", "scenarios",
                                          "plots", "bench",    "cli"};
    survey *found = calloc(1, sizeof *found);
    char path[1000];

    cr_assert(found != NULL);
    for (size_t i = 0; i < WS_COUNT_OF(folders); i++) {
        (void)snprintf(path, sizeof path, "%s/%s", ws_test_source_folder(), folders[i]);
        survey_folder(found, path, 0);
    }
    survey_manual(found);
    for (int code = 0; code < CODES; code++) {
        bool is_used = found->used[code][0] != '\0';

        cr_expect(found->documented[code] || !is_used,
                  "WS%d of %s has no line in docs/diagnostics.md", code, found->used[code]);
        cr_expect(is_used || !found->documented[code],
                  "WS%d of docs/diagnostics.md is nowhere in the sources", code);
    }
    cr_expect(found->used[2101][0] != '\0');
    cr_expect(found->used[3104][0] != '\0');
    free(found);
}
