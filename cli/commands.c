/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of commands, and what a command line that begins with none of them was meant to be. */
#include <assert.h>
#include <string.h>
#include <sys/stat.h>

#include "command.h"
#include "output.h"
#include "status.h"

/* Names of commands, and the first words of families. */
#define COMMANDS_NAMES_MAX 64

const ws_command *const ws_commands[] = {
    &ws_command_run,         &ws_command_check,        &ws_command_policy_list,
    &ws_command_trace_info,  &ws_command_trace_import, &ws_command_trace_convert,
    &ws_command_trace_slice, &ws_command_trace_merge,  &ws_command_trace_synth,
    &ws_command_trace_fetch, &ws_command_explain_step, &ws_command_explain,
    &ws_command_version,     &ws_command_help,         NULL,
};

static_assert(2 * WS_COUNT_OF(ws_commands) <= COMMANDS_NAMES_MAX, "room for the names");

/* How many words at the start of the command line are the command's name; 0: not all of it. */
static size_t commands_match(const ws_command *command, const char *const *words, size_t count)
{
    const char *name = command->name;

    for (size_t i = 0; i < count; i++) {
        size_t length = strcspn(name, " ");
        if (strlen(words[i]) != length || memcmp(words[i], name, length) != 0) {
            return 0;
        }
        if (name[length] == '\0') {
            return i + 1;
        }
        name += length + 1;
    }
    return 0;
}

const ws_command *ws_command_find(const char *const *words, size_t count, size_t *taken)
{
    const ws_command *found = NULL;

    WS_ASSERT(taken != NULL);
    *taken = 0;
    for (size_t i = 0; ws_commands[i] != NULL; i++) {
        size_t matched = commands_match(ws_commands[i], words, count);
        if (matched > *taken) {
            *taken = matched;
            found = ws_commands[i];
        }
    }
    return found;
}

bool ws_command_is_in_family(const ws_command *command, const char *word)
{
    WS_ASSERT(command != NULL);
    WS_ASSERT(word != NULL);

    size_t length = strlen(word);

    return strncmp(command->name, word, length) == 0 && command->name[length] == ' ';
}

bool ws_command_is_family(const char *word)
{
    WS_ASSERT(word != NULL);

    for (size_t i = 0; ws_commands[i] != NULL; i++) {
        if (ws_command_is_in_family(ws_commands[i], word)) {
            return true;
        }
    }
    return false;
}

/* ---- none of them ---- */

/* The name that a text was probably meant to be; NULL: nobody knows. */
static const char *commands_nearest(ws_text wrong, ws_arena *arena)
{
    const char *names[COMMANDS_NAMES_MAX];
    ws_text family = {.length = 0};
    size_t count = 0;

    for (size_t i = 0; ws_commands[i] != NULL; i++) {
        ws_text name = ws_text_of(ws_commands[i]->name);
        size_t first = ws_text_find_byte(name, ' ');
        names[count++] = name.start;
        if (first < name.length && !ws_text_equals(family, ws_text_slice(name, 0, first))) {
            family = ws_arena_copy_text(arena, ws_text_slice(name, 0, first));
            names[count++] = family.start;
        }
    }
    int near = ws_text_nearest(wrong, names, count);
    return near >= 0 ? names[near] : NULL;
}

/* `worldsize policy`, without the second word or with a wrong one. */
static void commands_say_family(const char *word)
{
    ws_output_error("the commands of `worldsize %s` are", word);
    for (size_t i = 0; ws_commands[i] != NULL; i++) {
        if (ws_command_is_in_family(ws_commands[i], word)) {
            ws_output_error(" `%s`", ws_commands[i]->name + strlen(word) + 1);
        }
    }
    ws_output_error("\n");
}

static bool commands_is_file(const char *path)
{
    struct stat found;

    return stat(path, &found) == 0 && S_ISREG(found.st_mode);
}

int ws_command_unknown(const char *const *words, size_t count, ws_arena *arena)
{
    WS_ASSERT(count >= 1);

    bool is_family = ws_command_is_family(words[0]);
    size_t said = is_family && count > 1 ? 2 : 1;
    ws_text both =
        ws_arena_format(arena, "%s%s%s", words[0], count > 1 ? " " : "", count > 1 ? words[1] : "");
    const char *near = count > 1 ? commands_nearest(both, arena) : NULL;

    if (near != NULL && strcmp(near, words[0]) == 0) {
        near = NULL;
    }
    ws_text shown = ws_output_shown(said == 2 ? both : ws_text_of(words[0]), arena);

    if (near == NULL && !is_family) {
        near = commands_nearest(ws_text_of(words[0]), arena);
    }
    ws_output_error(is_family && said == 1 ? "worldsize: `%.*s` needs one word more\n"
                                           : "worldsize: there is no command `%.*s`\n",
                    WS_TEXT_ARGS(shown));
    if (near != NULL) {
        ws_output_error("did you mean `worldsize %s`?\n", near);
    } else if (is_family) {
        commands_say_family(words[0]);
    } else if (commands_is_file(words[0])) {
        ws_output_error("did you mean `worldsize run %.*s`?\n", WS_TEXT_ARGS(shown));
    }
    ws_output_error("`worldsize help` lists the commands\n");
    return WS_STATUS_NOT_STARTED;
}
