/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Help is made from the tables of commands and flags. */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "options.h"
#include "output.h"
#include "paragraph.h"
#include "status.h"

#define HELP_COMMAND_COLUMN 13
#define HELP_FLAG_COLUMN 26
#define HELP_WIDTH 80
#define HELP_ARENA_BYTES ((size_t)1 << 20)

static void help_write_summary(ws_writer *out, const ws_command *command)
{
    ws_write_format(out, "  %-*s %s\n", HELP_COMMAND_COLUMN, command->name, command->summary);
}

static void help_write_program(ws_writer *out)
{
    ws_write_string(out,
                    "worldsize - what should WORLD_SIZE be, over time, and what will it cost?\n\n"
                    "usage: worldsize COMMAND [FLAG...] [ARGUMENT...]\n\n");
    for (size_t i = 0; ws_commands[i] != NULL; i++) {
        help_write_summary(out, ws_commands[i]);
    }
    ws_write_string(out,
                    "\nExamples:\n"
                    "  worldsize run scenarios/quickstart.yaml\n"
                    "  worldsize check my.yaml && worldsize run my.yaml --json > summary.json\n\n"
                    "`worldsize help COMMAND` has the flags.\n");
}

static void help_write_option(ws_writer *out, const ws_option *option, ws_arena *arena)
{
    WS_ASSERT(option->name != NULL);
    WS_ASSERT(option->help != NULL);

    char flag[64];
    ws_text help = ws_text_of(option->help);

    (void)snprintf(flag, sizeof flag, "  %c%c%s--%s%s%s", option->letter != 0 ? '-' : ' ',
                   option->letter != 0 ? option->letter : ' ', option->letter != 0 ? ", " : "  ",
                   option->name, option->argument != NULL ? " " : "",
                   option->argument != NULL ? option->argument : "");
    for (size_t i = 0; option->choices != NULL && option->choices[i] != NULL; i++) {
        help = ws_arena_format(arena, "%.*s%s %s", WS_TEXT_ARGS(help), i == 0 ? ":" : ",",
                               option->choices[i]);
    }
    ws_write_format(out, "%-*s  ", HELP_FLAG_COLUMN, flag);
    ws_paragraph_write(out, help,
                       (ws_paragraph){.width = HELP_WIDTH,
                                      .column = HELP_FLAG_COLUMN + 2,
                                      .indent = HELP_FLAG_COLUMN + 2});
}

static void help_write_statuses(ws_writer *out)
{
    ws_write_string(
        out,
        "\nExit status:\n"
        "  0  done, and the answer is yes\n"
        "  1  done, and the answer is no: check found errors, a threshold was passed, no size\n"
        "     is possible\n"
        "  2  not started: wrong flag, invalid input\n"
        "  3  started, and could not finish\n"
        "  70 a bug; 128+n ended by signal n\n");
}

static void help_write_options(ws_writer *out, const ws_command *command)
{
    ws_arena arena;

    ws_arena_init(&arena, &ws_allocator_default, HELP_ARENA_BYTES);
    for (size_t i = 0; i < ws_option_count; i++) {
        if ((ws_options[i].commands & (unsigned)command->bit) != 0) {
            help_write_option(out, &ws_options[i], &arena);
        }
    }
    ws_arena_reset(&arena);
}

static void help_write_command(ws_writer *out, const ws_command *command)
{
    WS_ASSERT(command->about != NULL);
    WS_ASSERT(command->examples != NULL);

    ws_write_format(out, "usage: worldsize %s [FLAG...]%s%s\n\n%s\nExamples:\n%s\nFlags:\n",
                    command->name, command->operands[0] != '\0' ? " " : "", command->operands,
                    command->about, command->examples);
    help_write_options(out, command);
    if (command->write_more != NULL) {
        command->write_more(out);
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

int ws_help_print_family(const char *word)
{
    ws_writer out;

    WS_ASSERT(ws_command_is_family(word));
    ws_output_begin(&out);
    ws_write_format(&out, "usage: worldsize %s COMMAND [FLAG...] [ARGUMENT...]\n\n", word);
    for (size_t i = 0; ws_commands[i] != NULL; i++) {
        if (ws_command_is_in_family(ws_commands[i], word)) {
            help_write_summary(&out, ws_commands[i]);
        }
    }
    ws_write_string(&out, "\n`worldsize help COMMAND` has the flags.\n");
    return ws_output_finish(&out, WS_STATUS_YES);
}

static int help_main(const ws_invocation *invocation)
{
    const ws_strings *operands = &invocation->settings->operands;
    size_t taken = 0;

    if (operands->count == 0) {
        return ws_help_print(NULL);
    }
    const ws_command *command = ws_command_find(operands->items, operands->count, &taken);
    if (command != NULL && taken == operands->count) {
        return ws_help_print(command);
    }
    if (operands->count == 1 && ws_command_is_family(operands->items[0])) {
        return ws_help_print_family(operands->items[0]);
    }
    return ws_command_unknown(operands->items, operands->count, invocation->arena);
}

const ws_command ws_command_help = {
    .name = "help",
    .bit = WS_FOR_HELP,
    .operands = "[COMMAND]",
    .operands_max = 2,
    .summary = "the commands, or the flags of one",
    .about = "Shows the commands, or the flags of one.\n",
    .examples = "  worldsize help run\n"
                "  worldsize help policy list\n",
    .main = help_main,
};
