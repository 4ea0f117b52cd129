/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "ws/number.h"
#include "ws/text.h"

#define TERMINAL_WIDTH 80
#define TERMINAL_WIDTH_MAX 10000

/* A variable's text; empty when it is not set. */
static const char *terminal_variable(const char *name)
{
    WS_ASSERT(name != NULL);

    const char *value = getenv(name);
    return value != NULL ? value : "";
}

static bool terminal_is_smart(int fd)
{
    WS_ASSERT(fd >= 0);

    const char *term = terminal_variable("TERM");

    return isatty(fd) == 1 && term[0] != '\0' && strcmp(term, "dumb") != 0;
}

static bool terminal_has_colour(ws_colour_mode mode, int fd)
{
    const char *force = terminal_variable("CLICOLOR_FORCE");

    if (mode != WS_COLOUR_AUTO) {
        return mode == WS_COLOUR_ALWAYS;
    }
    if (terminal_variable("NO_COLOR")[0] != '\0') {
        return false;
    }
    if (force[0] != '\0' && strcmp(force, "0") != 0) {
        return true;
    }
    return terminal_is_smart(fd);
}

static const char *terminal_locale(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};

    for (size_t i = 0; i < WS_COUNT_OF(names); i++) {
        const char *value = terminal_variable(names[i]);
        if (value[0] != '\0') {
            return value;
        }
    }
    return "C";
}

/* True when the locale's name says UTF-8, as in en_GB.UTF-8, C.utf8 or de_DE.UTF-8@euro. */
static bool terminal_has_utf8(void)
{
    static const char *const spellings[] = {"UTF-8", "utf-8", "UTF8", "utf8"};
    ws_text locale = ws_text_of(terminal_locale());
    size_t dot = ws_text_find_byte(locale, '.');
    ws_text set = ws_text_slice(locale, dot + 1, ws_text_find_byte(locale, '@'));

    for (size_t i = 0; i < WS_COUNT_OF(spellings); i++) {
        if (ws_text_is(set, spellings[i])) {
            return true;
        }
    }
    return false;
}

static size_t terminal_width(void)
{
    struct winsize size = {.ws_col = 0};
    int64_t columns = 0;

    if (ws_parse_i64(ws_text_of(terminal_variable("COLUMNS")), &columns) && columns >= 1) {
        return columns < TERMINAL_WIDTH_MAX ? (size_t)columns : TERMINAL_WIDTH_MAX;
    }
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
        return size.ws_col;
    }
    return TERMINAL_WIDTH;
}

ws_terminal ws_terminal_open(ws_colour_mode mode)
{
    return (ws_terminal){
        .colour_out = terminal_has_colour(mode, STDOUT_FILENO),
        .colour_err = terminal_has_colour(mode, STDERR_FILENO),
        .moves_err = terminal_is_smart(STDERR_FILENO),
        .utf8 = terminal_has_utf8(),
        .width = terminal_width(),
    };
}
