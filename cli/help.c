/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Help is made from the tables of commands and flags. */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "options.h"
#include "output.h"
#include "status.h"

#define HELP_FLAG_COLUMN 28

const ws_command *const ws_commands[] = {
    &ws_command_run, &ws_command_check, &ws_command_version, &ws_command_help, NULL,
};

const ws_command *ws_command_find(const char *name)
{
    WS_ASSERT(name != NULL);

    for (size_t i = 0; ws_commands[i] != NULL; i++) {
        if (strcmp(ws_commands[i]->name, name) == 0) {
            return ws_commands[i];
        }
    }
    return NULL;
}

static void help_write_program(ws_writer *out)
{
    ws_write_string(out,
                    "worldsize - what should WORLD_SIZE be, over time, and what will it cost?\n\n"
                    "usage: worldsize COMMAND [FLAG...] [ARGUMENT...]\n\n");
    for (size_t i = 0; ws_commands[i] != NULL; i++) {
        ws_write_format(out, "  %-10s %s\n", ws_commands[i]->name, ws_commands[i]->summary);
    }
    ws_write_string(out,
                    "\nExamples:\n"
                    "  worldsize run scenarios/quickstart.yaml\n"
                    "  worldsize check my.yaml && worldsize run my.yaml --json > summary.json\n\n"
                    "`worldsize help COMMAND` has the flags.\n");
}

static void help_write_option(ws_writer *out, const ws_option *option)
{
    WS_ASSERT(option->name != NULL);
    WS_ASSERT(option->help != NULL);

    char flag[64];

    (void)snprintf(flag, sizeof flag, "  %c%c%s--%s%s%s", option->letter != 0 ? '-' : ' ',
                   option->letter != 0 ? option->letter : ' ', option->letter != 0 ? ", " : "  ",
                   option->name, option->argument != NULL ? " " : "",
                   option->argument != NULL ? option->argument : "");
    ws_write_format(out, "%-*s  %s\n", HELP_FLAG_COLUMN, flag, option->help);
}

static void help_write_statuses(ws_writer *out)
{
    ws_write_string(out,
                    "\nExit status:\n"
                    "  0  done, and the answer is yes\n"
                    "  1  done, and the answer is no: check found errors, a threshold was passed\n"
                    "  2  not started: wrong flag, invalid input\n"
                    "  3  started, and could not finish\n"
                    "  70 a bug; 128+n ended by signal n\n");
}

static void help_write_command(ws_writer *out, const ws_command *command)
{
    WS_ASSERT(command->about != NULL);
    WS_ASSERT(command->examples != NULL);

    ws_write_format(out, "usage: worldsize %s [FLAG...]%s%s\n\n%s\nExamples:\n%s\nFlags:\n",
                    command->name, command->operands[0] != '\0' ? " " : "", command->operands,
                    command->about, command->examples);
    for (size_t i = 0; i < ws_option_count; i++) {
        if ((ws_options[i].commands & (unsigned)command->bit) != 0) {
            help_write_option(out, &ws_options[i]);
        }
    }
    help_write_statuses(out);
    ws_write_string(out, "\nEnvironment: NO_COLOR, CLICOLOR_FORCE, TERM, COLUMNS; LC_ALL, "
                         "LC_CTYPE, LANG for characters.\n");
}

int ws_help_print(const ws_command *command)
{
    ws_writer out;

    ws_output_begin(&out);
    if (command == NULL) {
        help_write_program(&out);
    } else {
        help_write_command(&out, command);
    }
    return ws_output_finish(&out, WS_STATUS_YES);
}

static int help_main(const ws_invocation *invocation)
{
    const ws_strings *operands = &invocation->settings->operands;
    const ws_command *command = NULL;

    if (operands->count > 0) {
        command = ws_command_find(operands->items[0]);
        if (command == NULL) {
            ws_text shown = ws_output_shown(ws_text_of(operands->items[0]), invocation->arena);
            ws_output_error("worldsize: there is no command `%.*s`\n", WS_TEXT_ARGS(shown));
            return WS_STATUS_NOT_STARTED;
        }
    }
    return ws_help_print(command);
}

const ws_command ws_command_help = {
    .name = "help",
    .bit = WS_FOR_HELP,
    .operands = "[COMMAND]",
    .operands_max = 1,
    .summary = "the commands, or the flags of one",
    .about = "Shows the commands, or the flags of one.\n",
    .examples = "  worldsize help run\n",
    .main = help_main,
};
