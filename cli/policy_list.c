/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What policies there are, and what each can be told: all of it from their types. */
#include "command.h"
#include "output.h"
#include "paragraph.h"
#include "status.h"
#include "ws/policies.h"

/* A bit of a type, and what it is called for people and for machines. */
typedef struct {
    uint32_t bit;
    const char *name;
    const char *words;
} policy_bit;

static const policy_bit policy_targets[] = {
    {1u << WS_TARGET_POOL, "pool", "the nodes of a pool"},
    {1u << WS_TARGET_JOB, "job", "the replicas of a job"},
    {1u << WS_TARGET_JOBS, "jobs", "those of all elastic jobs"},
};

static const policy_bit policy_wakes[] = {
    {WS_WAKE_START, "start", "at the start"},
    {WS_WAKE_PERIOD, "period", "on its period"},
    {WS_WAKE_CALLBACK, "callback", "when it asked to be"},
    {WS_WAKE_JOB_ARRIVED, "job_arrived", "when a job arrives"},
    {WS_WAKE_JOB_STARTED, "job_started", "when one starts"},
    {WS_WAKE_STAGE_DONE, "stage_done", "when a stage is done"},
    {WS_WAKE_JOB_DONE, "job_done", "when a job is done"},
    {WS_WAKE_NODE_READY, "node_ready", "when a node is ready"},
    {WS_WAKE_NODE_LOST, "node_lost", "when a node is lost"},
};

typedef struct {
    const ws_invocation *invocation;
    const ws_policy_type **types; /* those that are listed */
    size_t count;
    size_t column; /* where summaries begin */
    ws_writer *out;
} policy_list;

static uint32_t policy_wakes_of(const ws_policy_type *type)
{
    return type->wakes | (type->period != NULL ? (uint32_t)WS_WAKE_PERIOD : 0u);
}

/* ---- for people ---- */

static ws_text policy_join(const policy_bit *rows, size_t count, uint32_t bits, ws_arena *arena)
{
    ws_text text = WS_TEXT("");

    for (size_t i = 0; i < count; i++) {
        if ((bits & rows[i].bit) != 0) {
            text = ws_arena_format(arena, "%.*s%s%s", WS_TEXT_ARGS(text),
                                   text.length > 0 ? ", " : "", rows[i].words);
        }
    }
    return text;
}

/* A word, and a text beside it. */
static void policy_write_beside(const policy_list *list, ws_text word, ws_text text)
{
    WS_ASSERT(word.length < list->column);

    ws_write_format(list->out, "%.*s%*s", WS_TEXT_ARGS(word), (int)(list->column - word.length),
                    "");
    ws_paragraph_write(list->out, text,
                       (ws_paragraph){.width = ws_paragraph_width(list->invocation->terminal),
                                      .column = list->column,
                                      .indent = list->column});
}

/* One line of its summary, and its own keys with their defaults. */
static void policy_write_short(const policy_list *list, const ws_policy_type *type)
{
    ws_arena *arena = list->invocation->arena;
    ws_text keys = WS_TEXT("");

    for (size_t i = 0; i < type->parameters->count; i++) {
        const ws_parameter *row = &type->parameters->rows[i];
        if (row->name != NULL) {
            keys = ws_arena_format(arena, "%.*s%s%s%s%s", WS_TEXT_ARGS(keys),
                                   keys.length > 0 ? " " : "", row->name,
                                   row->default_text != NULL ? "=" : "",
                                   row->default_text != NULL ? row->default_text : "");
        }
    }
    policy_write_beside(
        list, ws_text_of(type->name),
        ws_arena_format(arena, "%s%s", type->summary, type->deployable ? "" : " (not deployable)"));
    if (keys.length > 0) {
        policy_write_beside(list, WS_TEXT(""),
                            ws_arena_format(arena, "keys: %.*s", WS_TEXT_ARGS(keys)));
    }
}

/* What a key takes beside it, and what it means below. */
static void policy_write_key(const policy_list *list, const ws_parameter_line *line)
{
    ws_arena *arena = list->invocation->arena;
    ws_paragraph shape = {.width = ws_paragraph_width(list->invocation->terminal), .indent = 6};
    ws_text takes = line->takes;

    if (line->required) {
        takes = ws_arena_format(arena, "%.*s; required", WS_TEXT_ARGS(takes));
    } else if (line->default_text != NULL) {
        takes =
            ws_arena_format(arena, "%.*s; default `%s`", WS_TEXT_ARGS(takes), line->default_text);
    }
    ws_paragraph_write(
        list->out,
        ws_arena_format(arena, "  %.*s: %.*s", WS_TEXT_ARGS(line->key), WS_TEXT_ARGS(takes)),
        shape);
    ws_write_format(list->out, "%*s", (int)shape.indent, "");
    shape.column = shape.indent;
    ws_paragraph_write(list->out, ws_text_of(line->help), shape);
}

static bool policy_write_long(const policy_list *list, const ws_policy_type *type)
{
    ws_arena *arena = list->invocation->arena;
    size_t count = 0;
    const ws_parameter_line *lines = ws_parameters_describe(type->parameters, &count, arena);

    if (lines == NULL) {
        return false;
    }
    policy_write_beside(list, ws_text_of(type->name), ws_text_of(type->summary));
    policy_write_beside(
        list, WS_TEXT("  scales"),
        policy_join(policy_targets, WS_COUNT_OF(policy_targets), type->target_kinds, arena));
    policy_write_beside(
        list, WS_TEXT("  asked"),
        policy_join(policy_wakes, WS_COUNT_OF(policy_wakes), policy_wakes_of(type), arena));
    if (!type->deployable) {
        policy_write_beside(list, WS_TEXT("  deployable"), WS_TEXT("no"));
    }
    ws_write_string(list->out, count > 0 ? "\nIts keys, beside those of every policy:\n" : "");
    for (size_t i = 0; i < count; i++) {
        policy_write_key(list, &lines[i]);
    }
    return true;
}

static bool policy_write_text(const policy_list *list)
{
    bool is_whole = true;

    if (list->invocation->settings->operands.count == 0) {
        for (size_t i = 0; i < list->count; i++) {
            policy_write_short(list, list->types[i]);
        }
        ws_write_string(list->out, "\n`worldsize policy list NAME` says what each key is.\n");
        return true;
    }
    for (size_t i = 0; i < list->count; i++) {
        ws_write_string(list->out, i > 0 ? "\n" : "");
        is_whole = policy_write_long(list, list->types[i]) && is_whole;
    }
    return is_whole;
}

/* ---- for machines ---- */

static void policy_json_bits(ws_writer *json, const char *key, const policy_bit *rows, size_t count,
                             uint32_t bits)
{
    ws_json_begin_list(json, key);
    for (size_t i = 0; i < count; i++) {
        if ((bits & rows[i].bit) != 0) {
            ws_json_text(json, NULL, ws_text_of(rows[i].name));
        }
    }
    ws_json_end_list(json);
}

static void policy_json_key(ws_writer *json, const ws_parameter_line *line)
{
    ws_json_begin_object(json, NULL);
    ws_json_text(json, "key", line->key);
    ws_json_text(json, "takes", line->takes);
    ws_json_bool(json, "required", line->required);
    if (line->default_text != NULL) {
        ws_json_text(json, "default", ws_text_of(line->default_text));
    } else {
        ws_json_null(json, "default");
    }
    ws_json_text(json, "help", ws_text_of(line->help));
    ws_json_end_object(json);
}

static bool policy_json_type(ws_writer *json, const ws_policy_type *type, ws_arena *arena)
{
    size_t count = 0;
    const ws_parameter_line *lines = ws_parameters_describe(type->parameters, &count, arena);

    if (lines == NULL) {
        return false;
    }
    ws_json_begin_object(json, NULL);
    ws_json_text(json, "name", ws_text_of(type->name));
    ws_json_text(json, "summary", ws_text_of(type->summary));
    ws_json_bool(json, "deployable", type->deployable);
    ws_json_bool(json, "needs_future", type->needs_future);
    policy_json_bits(json, "targets", policy_targets, WS_COUNT_OF(policy_targets),
                     type->target_kinds);
    policy_json_bits(json, "asked_on", policy_wakes, WS_COUNT_OF(policy_wakes),
                     policy_wakes_of(type));
    ws_json_begin_list(json, "parameters");
    for (size_t i = 0; i < count; i++) {
        policy_json_key(json, &lines[i]);
    }
    ws_json_end_list(json);
    ws_json_end_object(json);
    return true;
}

static bool policy_write_json(const policy_list *list)
{
    bool is_whole = true;

    ws_json_begin_object(list->out, NULL);
    ws_json_text(list->out, "schema", WS_TEXT("worldsize.policies/v1"));
    ws_json_begin_list(list->out, "policies");
    for (size_t i = 0; i < list->count && is_whole; i++) {
        is_whole = policy_json_type(list->out, list->types[i], list->invocation->arena);
    }
    if (is_whole) {
        ws_json_end_list(list->out);
        ws_json_end_object(list->out);
    }
    return is_whole;
}

/* ---- the command ---- */

static bool policy_find(policy_list *list, const char *name)
{
    const ws_policy_type *type = ws_policy_find(ws_text_of(name));
    int near = -1;

    if (type != NULL) {
        list->types[list->count++] = type;
        return true;
    }
    near = ws_text_nearest(ws_text_of(name), ws_policy_names, ws_policy_count());
    ws_text shown = ws_output_shown(ws_text_of(name), list->invocation->arena);
    ws_output_error("worldsize policy list: there is no policy `%.*s`\n", WS_TEXT_ARGS(shown));
    if (near >= 0) {
        ws_output_error("did you mean `%s`?\n", ws_policy_names[near]);
    }
    return false;
}

/* Those that are named, or all. */
static bool policy_choose(policy_list *list)
{
    const ws_strings *names = &list->invocation->settings->operands;

    if (names->count == 0) {
        for (size_t i = 0; i < ws_policy_count(); i++) {
            list->types[list->count++] = ws_policy_at(i);
        }
    }
    for (size_t i = 0; i < names->count; i++) {
        if (!policy_find(list, names->items[i])) {
            return false;
        }
    }
    for (size_t i = 0; i < list->count; i++) {
        size_t end = ws_text_of(list->types[i]->name).length + 2;
        list->column = end > list->column ? end : list->column;
    }
    return true;
}

static int policy_main(const ws_invocation *invocation)
{
    size_t named = invocation->settings->operands.count;
    ws_writer out;
    policy_list list = {.invocation = invocation, .column = sizeof "  deployable", .out = &out};

    list.types = ws_arena_alloc(invocation->arena, const ws_policy_type *,
                                named > 0 ? named : ws_policy_count());
    if (list.types == NULL) {
        ws_output_error("worldsize: out of memory\n");
        return WS_STATUS_FAILED;
    }
    if (!policy_choose(&list)) {
        return WS_STATUS_NOT_STARTED;
    }
    ws_output_begin(&out);
    bool is_whole =
        invocation->settings->json ? policy_write_json(&list) : policy_write_text(&list);
    return ws_output_finish(&out, is_whole ? WS_STATUS_YES : WS_STATUS_FAILED);
}

const ws_command ws_command_policy_list = {
    .name = "policy list",
    .bit = WS_FOR_POLICY_LIST,
    .operands = "[NAME...]",
    .operands_max = WS_SETTINGS_LIST_MAX,
    .summary = "the policies, and what each can be told",
    .about = "Lists the policies that a scenario can name as `type`, with their keys and defaults; "
             "with NAMEs, what\n"
             "each key takes and means.\n",
    .examples = "  worldsize policy list\n"
                "  worldsize policy list hpa\n"
                "  worldsize policy list --json | jq -r '.policies[].name'\n",
    .main = policy_main,
};
