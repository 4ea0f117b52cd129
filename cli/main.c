/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gsl/gsl_errno.h>

#include "command.h"
#include "options.h"
#include "output.h"
#include "signals.h"
#include "status.h"
#include "ws/number.h"

/* Bound of what loading and comparing may take; runs have bounds of their own. */
#define MAIN_ARENA_BYTES ((size_t)1 << 36)

_Noreturn void ws_assert_failed(const char *fact, const char *file, int line)
{
    ws_output_error("worldsize: a bug: %s:%d: `%s` does not hold. Please report it with the "
                    "command line and the scenario.\n",
                    file, line, fact);
    _exit(WS_STATUS_BUG);
}

/*
 * A stream that whoever started the program has closed is opened on /dev/null, so that no result
 * file becomes standard output; the first three the wrong way round, so that an answer which nobody
 * can get is an error.
 */
static bool main_open_streams(void)
{
    static const int modes[] = {O_WRONLY, O_RDONLY, O_RDWR};

    for (int fd = 0; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) == -1 && open("/dev/null", modes[fd]) != fd) {
            return false;
        }
    }
    return true;
}

/* @param before  words of the command line before the flags */
static int main_run_command(const ws_command *command, const char *const *argv, size_t argc,
                            size_t before, ws_arena *arena)
{
    WS_ASSERT(command->main != NULL);
    WS_ASSERT(before <= argc);

    ws_settings settings = {.threads = 0};

    if (!ws_options_parse(&settings, command, argv + before, argc - before, arena)) {
        return WS_STATUS_NOT_STARTED;
    }
    if (settings.help) {
        return ws_help_print(command);
    }
    ws_terminal terminal =
        ws_terminal_open((ws_colour_mode)ws_settings_choice(settings.colour, WS_COLOUR_AUTO));
    ws_invocation invocation = {
        .settings = &settings, .terminal = &terminal, .arena = arena, .argv = argv, .argc = argc};
    return command->main(&invocation);
}

static bool main_is_flag(const char *word, const char *name, const char *letter)
{
    return strcmp(word, name) == 0 || strcmp(word, letter) == 0;
}

/* The words in the command's place. */
static int main_dispatch(const char *const *argv, size_t argc, ws_arena *arena)
{
    size_t words = 0;

    if (argc <= 1 || main_is_flag(argv[1], "--help", "-h")) {
        return ws_help_print(NULL);
    }
    if (main_is_flag(argv[1], "--version", "-V")) {
        return main_run_command(&ws_command_version, argv, argc, 2, arena);
    }
    const ws_command *command = ws_command_find(argv + 1, argc - 1, &words);
    if (command != NULL) {
        return main_run_command(command, argv, argc, 1 + words, arena);
    }
    if (argc > 2 && ws_command_is_family(argv[1]) && main_is_flag(argv[2], "--help", "-h")) {
        return ws_help_print_family(argv[1]);
    }
    return ws_command_unknown(argv + 1, argc - 1, arena);
}

int main(int argc, char **argv)
{
    ws_arena arena;

    if (!main_open_streams()) {
        return WS_STATUS_FAILED;
    }
    ws_signals_prepare();
    (void)gsl_set_error_handler_off();
    WS_ASSERT(ws_number_locale_is_c());
    ws_arena_init(&arena, &ws_allocator_default, MAIN_ARENA_BYTES);
    int status = main_dispatch((const char *const *)argv, (size_t)argc, &arena);
    ws_arena_reset(&arena);
    return status;
}
