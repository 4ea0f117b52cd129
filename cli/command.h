/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Commands: a constant table; one file each. */
#ifndef WS_CLI_COMMAND_H
#define WS_CLI_COMMAND_H

#include "settings.h"
#include "ws/arena.h"
#include "ws/writer.h"

/** What a command gets. */
typedef struct {
    const ws_settings *settings;
    const ws_terminal *terminal;
    ws_arena *arena;         /* of the process */
    const char *const *argv; /* the whole command line */
    size_t argc;
} ws_invocation;

/** A bit for each command: says which flags it takes. */
typedef enum {
    WS_FOR_RUN = 1 << 0,
    WS_FOR_CHECK = 1 << 1,
    WS_FOR_POLICY_LIST = 1 << 2,
    WS_FOR_TRACE_INFO = 1 << 3,
    WS_FOR_EXPLAIN = 1 << 4,
    WS_FOR_VERSION = 1 << 5,
    WS_FOR_HELP = 1 << 6,
    WS_FOR_EXPLAIN_STEP = 1 << 7,
    WS_FOR_TRACE_IMPORT = 1 << 8,
    WS_FOR_TRACE_CONVERT = 1 << 9,
    WS_FOR_TRACE_SLICE = 1 << 10,
    WS_FOR_TRACE_MERGE = 1 << 11,
    WS_FOR_TRACE_FETCH = 1 << 12,
    WS_FOR_TRACE_SYNTH = 1 << 13,
    WS_FOR_ALL = (1 << 14) - 1
} ws_command_bit;

typedef struct {
    const char *name; /* "run"; of one in a family two words, with a blank between: "policy list" */
    ws_command_bit bit;
    const char *operands; /* "SCENARIO", "FILE..." */
    size_t operands_min;
    size_t operands_max;
    const char *summary;                /* a few words */
    const char *about;                  /* a paragraph */
    const char *examples;               /* lines, each with its newline */
    void (*write_more)(ws_writer *out); /* more of the help, behind the flags; may be NULL */
    int (*main)(const ws_invocation *invocation); /* the exit status */
} ws_command;

extern const ws_command ws_command_check;
extern const ws_command ws_command_explain;
extern const ws_command ws_command_explain_step;
extern const ws_command ws_command_help;
extern const ws_command ws_command_policy_list;
extern const ws_command ws_command_run;
extern const ws_command ws_command_trace_convert;
extern const ws_command ws_command_trace_fetch;
extern const ws_command ws_command_trace_import;
extern const ws_command ws_command_trace_info;
extern const ws_command ws_command_trace_merge;
extern const ws_command ws_command_trace_slice;
extern const ws_command ws_command_trace_synth;
extern const ws_command ws_command_version;

/** All of them, in the order in which help shows them; NULL-terminated. */
extern const ws_command *const ws_commands[];

/**
 * The command that a command line begins with. A name of two words goes before one of the first
 * word alone.
 *
 * @param taken  receives how many words are its name
 * @return       NULL when there is none
 */
const ws_command *ws_command_find(const char *const *words, size_t count, size_t *taken);

/** True when there are commands of two words whose first this is. */
bool ws_command_is_family(const char *word);

/** True when a command belongs to the family of that first word. */
bool ws_command_is_in_family(const ws_command *command, const char *word);

/** Says on standard error that the words are no command, and which one was probably meant. Returns
 * the exit status. */
int ws_command_unknown(const char *const *words, size_t count, ws_arena *arena);

/** Writes the help of a command (NULL: of the program) to standard output. Returns the exit status.
 */
int ws_help_print(const ws_command *command);

/** Likewise that of a family. */
int ws_help_print_family(const char *word);

#endif
