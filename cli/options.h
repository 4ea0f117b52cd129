/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Flags: one constant table drives reading, help, and the near name of one that does not exist. */
#ifndef WS_CLI_OPTIONS_H
#define WS_CLI_OPTIONS_H

#include "command.h"

typedef enum {
    WS_OPTION_FLAG,     /* bool at `offset` */
    WS_OPTION_TEXT,     /* const char * at `offset` */
    WS_OPTION_TEXTS,    /* ws_strings at `offset` */
    WS_OPTION_SET,      /* an override PATH=VALUE */
    WS_OPTION_UNSET,    /* an override PATH */
    WS_OPTION_SET_NAME, /* an override of the key that the flag is named like */
    WS_OPTION_COUNT,    /* int64_t at `offset`, 1 or more; `noun` says of what */
    WS_OPTION_CHOICE    /* int32_t at `offset`: number of the choice from 1; 0: not given */
} ws_option_kind;

typedef struct {
    const char *name; /* without the dashes */
    char letter;      /* 0: none */
    ws_option_kind kind;
    unsigned commands;    /* bits of ws_command_bit */
    const char *argument; /* NULL: it takes none */
    size_t offset;        /* in ws_settings */
    const char *help;
    const char *noun;           /* of COUNT: "a number of threads" */
    const char *const *choices; /* of CHOICE: names, NULL-terminated; they follow the help */
} ws_option;

extern const ws_option ws_options[];
extern const size_t ws_option_count;

/**
 * Reads the flags and operands of a command: `--flag=value`, `--flag value`, `-f value`, `-fvalue`,
 * flags without a value together (`-qf`), and `--`. A flag's name is never abbreviated.
 *
 * @param arguments  behind the command's name
 * @return           false after a message on standard error
 */
WS_NODISCARD bool ws_options_parse(ws_settings *settings, const ws_command *command,
                                   const char *const *arguments, size_t count, ws_arena *arena);

#endif
