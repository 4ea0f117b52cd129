/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a code or a name means. Codes are read off the manual's page, which is compiled in; metrics,
 * columns and events off their dictionaries.
 */
#include <string.h>

#include "command.h"
#include "diagnostics_page.h"
#include "output.h"
#include "paragraph.h"
#include "status.h"
#include "ws/event_record.h"
#include "ws/metric.h"
#include "ws/record.h"

#define EXPLAIN_NAMES_MAX 512
#define EXPLAIN_CODE_DIGITS 4

typedef struct {
    const ws_invocation *invocation;
    ws_writer *out;
} explain;

static void explain_paragraph(const explain *task, ws_text text, size_t indent)
{
    ws_write_format(task->out, "%*s", (int)indent, "");
    ws_paragraph_write(task->out, text,
                       (ws_paragraph){.width = ws_paragraph_width(task->invocation->terminal),
                                      .column = indent,
                                      .indent = indent});
}

/* ---- the page ---- */

static ws_text explain_page(void)
{
    return (ws_text){.start = ws_diagnostics_page, .length = ws_diagnostics_page_bytes};
}

/* What stands behind the first `mark` of a text; an empty one when there is none. */
static ws_text explain_after(ws_text text, ws_text mark)
{
    for (size_t at = 0; at + mark.length <= text.length; at++) {
        if (memcmp(text.start + at, mark.start, mark.length) == 0) {
            return ws_text_slice(text, at + mark.length, text.length);
        }
    }
    return (ws_text){.length = 0};
}

static ws_text explain_before(ws_text text, ws_text mark)
{
    ws_text rest = explain_after(text, mark);

    return rest.start == NULL ? text
                              : ws_text_slice(text, 0, text.length - rest.length - mark.length);
}

/* The cell beside `key` in a table of two columns; empty: no such row. */
static ws_text explain_cell(ws_text key, ws_arena *arena)
{
    ws_text row = ws_arena_format(arena, "\n| %.*s | ", WS_TEXT_ARGS(key));

    return explain_before(explain_after(explain_page(), row), WS_TEXT(" |\n"));
}

/* The section of a code; empty: it has none. */
static ws_text explain_section(ws_text code, ws_arena *arena)
{
    ws_text heading = ws_arena_format(arena, "\n### %.*s\n", WS_TEXT_ARGS(code));
    ws_text section = explain_after(explain_page(), heading);

    return ws_text_trimmed(explain_before(section, WS_TEXT("\n#")));
}

/* A paragraph of the page: its lines are joined, but those of an example stay as they are. */
static void explain_write_block(const explain *task, ws_text block)
{
    ws_arena *arena = task->invocation->arena;
    ws_text joined = WS_TEXT("");

    if (ws_text_starts_with(block, WS_TEXT("    "))) {
        ws_write_text(task->out, block);
        ws_write_string(task->out, "\n");
        return;
    }
    while (block.length > 0) {
        size_t end = ws_text_find_byte(block, '\n');
        joined = ws_arena_format(arena, "%.*s%s%.*s", WS_TEXT_ARGS(joined),
                                 joined.length > 0 ? " " : "", (int)end, block.start);
        block = ws_text_slice(block, end + 1, block.length);
    }
    explain_paragraph(task, joined, 0);
}

static void explain_write_code(const explain *task, ws_text code, ws_text meaning)
{
    ws_arena *arena = task->invocation->arena;
    ws_text family = explain_cell(ws_arena_format(arena, "%cxxx", code.start[2]), arena);
    ws_text section = explain_section(code, arena);

    explain_paragraph(
        task, ws_arena_format(arena, "%.*s: %.*s", WS_TEXT_ARGS(code), WS_TEXT_ARGS(meaning)), 0);
    while (section.length > 0) {
        ws_text block = explain_before(section, WS_TEXT("\n\n"));
        ws_write_string(task->out, "\n");
        explain_write_block(task, block);
        section = ws_text_slice(section, block.length + 2, section.length);
    }
    ws_write_string(task->out, "\n");
    explain_paragraph(
        task,
        ws_arena_format(arena, "Codes %cxxx are about %.*s.", code.start[2], WS_TEXT_ARGS(family)),
        0);
}

/* "WS2203", "ws2203" or "2203" as "WS2203"; an empty text for anything else. */
static ws_text explain_code(ws_text name, ws_arena *arena)
{
    bool is_marked =
        ws_text_starts_with(name, WS_TEXT("WS")) || ws_text_starts_with(name, WS_TEXT("ws"));
    ws_text digits = is_marked ? ws_text_slice(name, 2, name.length) : name;

    if (digits.length != EXPLAIN_CODE_DIGITS) {
        return (ws_text){.length = 0};
    }
    for (size_t i = 0; i < digits.length; i++) {
        if (digits.start[i] < '0' || digits.start[i] > '9') {
            return (ws_text){.length = 0};
        }
    }
    return ws_arena_format(arena, "WS%.*s", WS_TEXT_ARGS(digits));
}

/* ---- names ---- */

static const ws_columns *const explain_tables[] = {
    &ws_run_columns,      &ws_job_columns,        &ws_timeline_columns,
    &ws_extremes_columns, &ws_comparison_columns,
};

static const char *explain_better(ws_better better)
{
    switch (better) {
    case WS_BETTER_LOWER:
        return "; less is better: policies can be compared by it";
    case WS_BETTER_HIGHER:
        return "; more is better: policies can be compared by it";
    case WS_BETTER_NONE:
        break;
    }
    return "";
}

static void explain_write_meaning(const explain *task, const char *name, const char *help,
                                  ws_text where)
{
    explain_paragraph(task, ws_arena_format(task->invocation->arena, "%s: %s", name, help), 0);
    explain_paragraph(task, where, 4);
}

static bool explain_columns(const explain *task, ws_text name)
{
    bool is_found = false;

    for (size_t i = 0; i < WS_COUNT_OF(explain_tables); i++) {
        const ws_column *column = ws_columns_find(explain_tables[i], name);
        if (column != NULL) {
            bool has_unit = column->unit[0] != '\0' && strcmp(column->unit, "1") != 0;
            explain_write_meaning(task, column->name, column->help,
                                  ws_arena_format(task->invocation->arena, "a column of %s%s%s%s",
                                                  explain_tables[i]->file, has_unit ? ", in " : "",
                                                  has_unit ? column->unit : "",
                                                  explain_better(column->better)));
            is_found = true;
        }
    }
    return is_found;
}

static bool explain_metric(const explain *task, ws_text name)
{
    ws_metric_id id = ws_metric_find(name);

    if (id >= WS_METRIC_COUNT) {
        return false;
    }
    explain_write_meaning(task, ws_metrics[id].name, ws_metrics[id].help,
                          ws_arena_format(task->invocation->arena,
                                          "a metric that policies see, in %s",
                                          ws_metrics[id].unit));
    return true;
}

static bool explain_event(const explain *task, ws_text name)
{
    bool is_found = false;

    for (size_t i = 0; i < WS_EVENT_KIND_COUNT; i++) {
        if (ws_text_is(name, ws_event_kinds[i].name)) {
            explain_write_meaning(task, ws_event_kinds[i].name, ws_event_kinds[i].help,
                                  WS_TEXT("a type of event in events.jsonl"));
            is_found = true;
        }
    }
    return is_found;
}

typedef struct {
    const char *names[EXPLAIN_NAMES_MAX];
    size_t count;
} explain_names;

/* A name that stands in two tables counts once: else it would not be the nearest one. */
static void explain_add_name(explain_names *known, const char *name)
{
    for (size_t i = 0; i < known->count; i++) {
        if (strcmp(known->names[i], name) == 0) {
            return;
        }
    }
    WS_ASSERT(known->count < EXPLAIN_NAMES_MAX);
    known->names[known->count++] = name;
}

/* The known name that was probably meant; NULL: none. */
static const char *explain_nearest(ws_text wrong, ws_arena *arena)
{
    explain_names *known = ws_arena_alloc(arena, explain_names, 1);

    if (known == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < WS_METRIC_COUNT; i++) {
        explain_add_name(known, ws_metrics[i].name);
    }
    for (size_t i = 0; i < WS_EVENT_KIND_COUNT; i++) {
        explain_add_name(known, ws_event_kinds[i].name);
    }
    for (size_t table = 0; table < WS_COUNT_OF(explain_tables); table++) {
        for (size_t i = 0; i < explain_tables[table]->count; i++) {
            explain_add_name(known, explain_tables[table]->columns[i].name);
        }
    }
    int near = ws_text_nearest(wrong, known->names, known->count);
    return near >= 0 ? known->names[near] : NULL;
}

/* ---- the command ---- */

static int explain_nothing(const ws_invocation *invocation, ws_text name)
{
    ws_text shown = ws_output_shown(name, invocation->arena);
    const char *near = explain_nearest(name, invocation->arena);

    ws_output_error("worldsize explain: `%.*s` is no code, metric, column or event\n",
                    WS_TEXT_ARGS(shown));
    if (near != NULL) {
        ws_output_error("did you mean `%s`?\n", near);
    }
    return WS_STATUS_NOT_STARTED;
}

static int explain_main(const ws_invocation *invocation)
{
    WS_ASSERT(invocation->settings->operands.count == 1);

    ws_text name = ws_text_of(invocation->settings->operands.items[0]);
    ws_text code = explain_code(name, invocation->arena);
    ws_text meaning = code.length > 0 ? explain_cell(code, invocation->arena) : code;
    ws_writer out;
    explain task = {.invocation = invocation, .out = &out};

    ws_output_begin(&out);
    if (meaning.length > 0) {
        explain_write_code(&task, code, meaning);
        return ws_output_finish(&out, WS_STATUS_YES);
    }
    bool is_metric = explain_metric(&task, name);
    bool is_column = explain_columns(&task, name);
    bool is_event = explain_event(&task, name);
    int status = ws_output_finish(&out, WS_STATUS_YES);
    return is_metric || is_column || is_event ? status : explain_nothing(invocation, name);
}

const ws_command ws_command_explain = {
    .name = "explain",
    .bit = WS_FOR_EXPLAIN,
    .operands = "NAME",
    .operands_min = 1,
    .operands_max = 1,
    .summary = "what a code, a metric, a column or an event means",
    .about = "Says what the code of a message means and what to do about it; or what a metric that "
             "policies see, a\n"
             "column of the result files or a type of event is.\n",
    .examples = "  worldsize explain WS3101\n"
                "  worldsize explain effective_training_ratio\n",
    .main = explain_main,
};
