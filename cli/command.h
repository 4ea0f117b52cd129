/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Commands: a constant table; one file each. */
#ifndef WS_CLI_COMMAND_H
#define WS_CLI_COMMAND_H

#include "settings.h"
#include "ws/arena.h"

/** What a command gets. */
typedef struct {
    const ws_settings *settings;
    const ws_terminal *terminal;
    ws_arena *arena;         /* of the process */
    const char *const *argv; /* the whole command line */
    size_t argc;
} ws_invocation;

typedef enum {
    WS_FOR_RUN = 1,
    WS_FOR_CHECK = 2,
    WS_FOR_VERSION = 4,
    WS_FOR_HELP = 8,
    WS_FOR_ALL = 15
} ws_command_bit;

typedef struct {
    const char *name;
    ws_command_bit bit;
    const char *operands; /* "SCENARIO", "FILE..." */
    size_t operands_min;
    size_t operands_max;
    const char *summary;                          /* a few words */
    const char *about;                            /* a paragraph */
    const char *examples;                         /* lines, each with its newline */
    int (*main)(const ws_invocation *invocation); /* the exit status */
} ws_command;

extern const ws_command ws_command_check;
extern const ws_command ws_command_help;
extern const ws_command ws_command_run;
extern const ws_command ws_command_version;

/** All of them, in the order in which help shows them; NULL-terminated. */
extern const ws_command *const ws_commands[];

/** NULL when there is none of that name. */
const ws_command *ws_command_find(const char *name);

/** Writes the help of a command (NULL: of the program) to standard output. Returns the exit status.
 */
int ws_help_print(const ws_command *command);

#endif
