/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "options.h"

#include <string.h>

#include "output.h"
#include "ws/number.h"

/* What reading one command line has at hand. */
typedef struct {
    ws_settings *settings;
    const ws_command *command;
    const char *const *arguments;
    size_t count;
    size_t next;
    ws_arena *arena;
} options_reader;

/* ---- faults ---- */

static bool options_fault(const options_reader *reader, ws_text what, ws_text hint)
{
    WS_ASSERT(what.length > 0);

    ws_output_error("worldsize %s: %.*s\n", reader->command->name, WS_TEXT_ARGS(what));
    if (hint.length > 0) {
        ws_output_error("%.*s\n", WS_TEXT_ARGS(hint));
    }
    ws_output_error("`worldsize %s --help` lists the flags\n", reader->command->name);
    return false;
}

/* A foreign text, short and safe to show. */
static ws_text options_shown(const options_reader *reader, const char *text)
{
    return ws_output_shown(ws_text_of(text), reader->arena);
}

static bool options_unknown(const options_reader *reader, const char *argument, ws_text name)
{
    WS_ASSERT(argument[0] == '-');

    const char **names = ws_arena_alloc(reader->arena, const char *, ws_option_count);
    ws_text hint = {.length = 0};

    for (size_t i = 0; names != NULL && i < ws_option_count; i++) {
        bool is_ours = (ws_options[i].commands & (unsigned)reader->command->bit) != 0;
        names[i] = is_ours ? ws_options[i].name : NULL;
        if (!is_ours && ws_text_is(name, ws_options[i].name)) {
            hint = ws_arena_format(reader->arena, "`--%s` is a flag of other commands",
                                   ws_options[i].name);
        }
    }
    int near = names != NULL ? ws_text_nearest(name, names, ws_option_count) : -1;
    if (near >= 0) {
        hint = ws_arena_format(reader->arena, "did you mean `--%s`?", names[near]);
    }
    return options_fault(reader,
                         ws_arena_format(reader->arena, "unknown flag `%.*s`",
                                         WS_TEXT_ARGS(options_shown(reader, argument))),
                         hint);
}

/* ---- values ---- */

static bool options_append(const options_reader *reader, ws_strings *strings, const char *value)
{
    WS_ASSERT(value != NULL);

    if (strings->items == NULL) {
        strings->items = ws_arena_alloc(reader->arena, const char *, WS_SETTINGS_LIST_MAX);
    }
    if (strings->items == NULL || strings->count == WS_SETTINGS_LIST_MAX) {
        return options_fault(reader, WS_TEXT("too many arguments"), WS_TEXT(""));
    }
    strings->items[strings->count++] = value;
    return true;
}

static bool options_override(const options_reader *reader, const ws_option *option,
                             const char *value)
{
    WS_ASSERT(value != NULL);

    ws_overrides *overrides = &reader->settings->overrides;
    ws_override override = {.is_unset = option->kind == WS_OPTION_UNSET, .text = ws_text_of(value)};

    if (overrides->items == NULL) {
        overrides->items = ws_arena_alloc(reader->arena, ws_override, WS_SETTINGS_LIST_MAX);
    }
    if (overrides->items == NULL || overrides->count == WS_SETTINGS_LIST_MAX) {
        return options_fault(reader, WS_TEXT("too many overrides"), WS_TEXT(""));
    }
    if (option->kind == WS_OPTION_SET_NAME) {
        override.text = ws_arena_format(reader->arena, "%s=%s", option->name, value);
        override.label = ws_arena_format(reader->arena, "<--%s>", option->name);
    } else {
        size_t *number = override.is_unset ? &overrides->unset_count : &overrides->set_count;
        override.label = ws_arena_format(reader->arena, "<--%s #%zu>", option->name, ++*number);
    }
    overrides->items[overrides->count++] = override;
    return true;
}

static bool options_count(const options_reader *reader, const ws_option *option, const char *value,
                          int64_t *count)
{
    WS_ASSERT(value != NULL);

    if (!ws_parse_i64(ws_text_of(value), count) || *count < 1 || *count > INT32_MAX) {
        return options_fault(reader,
                             ws_arena_format(reader->arena, "`--%s` is %s, 1 or more, not `%.*s`",
                                             option->name, option->noun,
                                             WS_TEXT_ARGS(options_shown(reader, value))),
                             WS_TEXT(""));
    }
    return true;
}

static bool options_choice(const options_reader *reader, const ws_option *option, const char *value,
                           int32_t *choice)
{
    WS_ASSERT(value != NULL);
    WS_ASSERT(option->choices != NULL);

    size_t count = 0;
    ws_text list = WS_TEXT("");
    ws_text hint = WS_TEXT("");

    for (; option->choices[count] != NULL; count++) {
        const char *before = count == 0 ? "" : option->choices[count + 1] == NULL ? " or " : ", ";
        if (strcmp(value, option->choices[count]) == 0) {
            *choice = (int32_t)count + 1;
            return true;
        }
        list = ws_arena_format(reader->arena, "%.*s%s%s", WS_TEXT_ARGS(list), before,
                               option->choices[count]);
    }
    int near = ws_text_nearest(ws_text_of(value), option->choices, count);
    if (near >= 0) {
        hint = ws_arena_format(reader->arena, "did you mean `%s`?", option->choices[near]);
    }
    return options_fault(reader,
                         ws_arena_format(reader->arena, "`--%s` is %.*s, not `%.*s`", option->name,
                                         WS_TEXT_ARGS(list),
                                         WS_TEXT_ARGS(options_shown(reader, value))),
                         hint);
}

static bool options_take(const options_reader *reader, const ws_option *option, const char *value)
{
    void *field = (char *)reader->settings + option->offset;

    WS_ASSERT((option->argument != NULL) == (value != NULL));
    switch (option->kind) {
    case WS_OPTION_FLAG:
        *(bool *)field = true;
        return true;
    case WS_OPTION_TEXT:
        *(const char **)field = value;
        return true;
    case WS_OPTION_TEXTS:
        return options_append(reader, field, value);
    case WS_OPTION_SET:
    case WS_OPTION_UNSET:
    case WS_OPTION_SET_NAME:
        return options_override(reader, option, value);
    case WS_OPTION_COUNT:
        return options_count(reader, option, value, field);
    case WS_OPTION_CHOICE:
        return options_choice(reader, option, value, field);
    }
    return false;
}

/* ---- one argument ---- */

static const ws_option *options_find(const options_reader *reader, ws_text name, char letter)
{
    for (size_t i = 0; i < ws_option_count; i++) {
        const ws_option *option = &ws_options[i];
        bool is_named = letter != 0 ? option->letter == letter : ws_text_is(name, option->name);
        if (is_named && (option->commands & (unsigned)reader->command->bit) != 0) {
            return option;
        }
    }
    return NULL;
}

/* The value of a flag that has none attached: the next argument. */
static bool options_next_value(options_reader *reader, const ws_option *option, const char **value)
{
    WS_ASSERT(reader->next <= reader->count);

    if (reader->next == reader->count) {
        return options_fault(reader,
                             ws_arena_format(reader->arena, "`--%s` needs a value: %s",
                                             option->name, option->argument),
                             WS_TEXT(""));
    }
    *value = reader->arguments[reader->next++];
    return true;
}

static bool options_read_long(options_reader *reader, const char *argument)
{
    WS_ASSERT(argument[0] == '-' && argument[1] == '-');

    const char *equals = strchr(argument, '=');
    ws_text whole = ws_text_of(argument + 2);
    ws_text name =
        equals != NULL ? ws_text_slice(whole, 0, (size_t)(equals - argument) - 2) : whole;
    const ws_option *option = options_find(reader, name, 0);
    const char *value = equals != NULL ? equals + 1 : NULL;

    if (option == NULL) {
        return options_unknown(reader, argument, name);
    }
    if (option->argument == NULL && value != NULL) {
        return options_fault(reader,
                             ws_arena_format(reader->arena, "`--%s` takes no value", option->name),
                             WS_TEXT(""));
    }
    if (option->argument != NULL && value == NULL && !options_next_value(reader, option, &value)) {
        return false;
    }
    return options_take(reader, option, value);
}

/* The flag of one letter; `*at` goes behind it, or behind its value. */
static bool options_read_letter(options_reader *reader, const char *argument, const char **at)
{
    WS_ASSERT(**at != '\0');

    const ws_option *option = options_find(reader, WS_TEXT(""), **at);
    const char *value = *at + 1;

    if (option == NULL) {
        return options_unknown(reader, argument, WS_TEXT(""));
    }
    *at = value;
    if (option->argument == NULL) {
        return options_take(reader, option, NULL);
    }
    *at = value + strlen(value);
    if (*value == '\0' && !options_next_value(reader, option, &value)) {
        return false;
    }
    return options_take(reader, option, value);
}

static bool options_read_short(options_reader *reader, const char *argument)
{
    const char *at = argument + 1;

    while (*at != '\0') {
        if (!options_read_letter(reader, argument, &at)) {
            return false;
        }
    }
    return true;
}

/* ---- all of them ---- */

static bool options_check_operands(const options_reader *reader)
{
    WS_ASSERT(reader->command->operands_min <= reader->command->operands_max);

    const ws_command *command = reader->command;
    size_t count = reader->settings->operands.count;

    if (reader->settings->help) {
        return true;
    }
    if (count < command->operands_min) {
        return options_fault(
            reader, ws_arena_format(reader->arena, "missing %s", command->operands), WS_TEXT(""));
    }
    if (count > command->operands_max) {
        const char *extra = reader->settings->operands.items[command->operands_max];
        return options_fault(reader,
                             ws_arena_format(reader->arena, "unexpected argument `%.*s`",
                                             WS_TEXT_ARGS(options_shown(reader, extra))),
                             WS_TEXT(""));
    }
    return true;
}

bool ws_options_parse(ws_settings *settings, const ws_command *command,
                      const char *const *arguments, size_t count, ws_arena *arena)
{
    WS_ASSERT(settings != NULL);
    WS_ASSERT(command != NULL);
    WS_ASSERT(arguments != NULL || count == 0);

    options_reader reader = {.settings = settings,
                             .command = command,
                             .arguments = arguments,
                             .count = count,
                             .arena = arena};
    bool has_ended = false;

    while (reader.next < count) {
        const char *argument = arguments[reader.next++];
        bool is_flag = !has_ended && argument[0] == '-' && argument[1] != '\0';
        bool sound = true;
        if (is_flag && strcmp(argument, "--") == 0) {
            has_ended = true;
        } else if (is_flag && argument[1] == '-') {
            sound = options_read_long(&reader, argument);
        } else if (is_flag) {
            sound = options_read_short(&reader, argument);
        } else {
            sound = options_append(&reader, &settings->operands, argument);
        }
        if (!sound) {
            return false;
        }
    }
    return options_check_operands(&reader);
}
