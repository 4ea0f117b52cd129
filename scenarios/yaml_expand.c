/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Building what aliases and merge keys stand for, after all events were counted.
 *
 * Tasks are done in the order of the text. A target is complete before the first alias that names
 * it, and its own tasks come earlier, so each alias is one copy.
 */
#include "yaml_reader.h"

static void expand_mark(ws_document *document, ws_text alias, ws_span at)
{
    document->alias = alias;
    document->alias_at = at;
    for (size_t i = 0; i < document->count; i++) {
        expand_mark(document->entries[i].value, alias, at);
    }
}

static bool expand_alias(ws_yaml_reader *reader, const ws_yaml_task *task)
{
    ws_document *copy = ws_document_copy(reader->arena, task->target);

    WS_ASSERT(task->index < task->parent->count);
    WS_ASSERT(task->parent->entries[task->index].value->kind == WS_DOCUMENT_NULL);
    WS_ASSERT(task->target != task->parent);

    if (copy == NULL) {
        return ws_yaml_report_memory(reader);
    }
    expand_mark(copy, task->alias, task->at);
    task->parent->entries[task->index].value = copy;
    return true;
}

static bool expand_refuse(const ws_yaml_reader *reader, const ws_document *value, ws_span key_at)
{
    ws_diagnostic diagnostic = {
        .severity = WS_SEVERITY_ERROR,
        .code = 1304,
        .message = WS_TEXT("`<<` merges a map or a list of maps"),
        .at = value->alias.length > 0 ? value->alias_at : value->at,
        .label = WS_TEXT("this is no map"),
        .also = key_at,
        .also_label = WS_TEXT("merged here"),
    };

    ws_diag_add(reader->diag, &diagnostic);
    return false;
}

/* Adds the entries of a merged map whose keys are not there yet. */
static bool expand_add(ws_yaml_reader *reader, const ws_yaml_task *task, const ws_document *merged,
                       ws_document *result)
{
    WS_ASSERT(merged->kind == WS_DOCUMENT_MAP);

    for (size_t i = 0; i < merged->count; i++) {
        ws_document_entry entry = merged->entries[i];

        if (ws_yaml_keys_find(&reader->keys, task->owner, entry.key) != NULL) {
            continue;
        }
        if (!ws_yaml_keys_add(&reader->keys, task->owner, entry.key, 0, reader->arena) ||
            !ws_document_append(result, entry, reader->arena)) {
            return ws_yaml_report_memory(reader);
        }
    }
    return true;
}

static bool expand_add_list(ws_yaml_reader *reader, const ws_yaml_task *task,
                            const ws_document *list, ws_document *result)
{
    ws_span key_at = task->parent->entries[task->index].key_at;

    for (size_t i = 0; i < list->count; i++) {
        const ws_document *merged = list->entries[i].value;

        if (merged->kind != WS_DOCUMENT_MAP) {
            return expand_refuse(reader, merged, key_at);
        }
        if (!expand_add(reader, task, merged, result)) {
            return false;
        }
    }
    return true;
}

/* Merged keys take the place of `<<`; those that the map has itself stay where they are. */
static bool expand_merge(ws_yaml_reader *reader, const ws_yaml_task *task)
{
    ws_document *map = task->parent;
    ws_document result = {.kind = WS_DOCUMENT_MAP};
    const ws_document *merged = map->entries[task->index].value;

    WS_ASSERT(map->kind == WS_DOCUMENT_MAP);
    WS_ASSERT(ws_text_is(map->entries[task->index].key, "<<"));

    for (size_t i = 0; i < map->count; i++) {
        bool added = true;

        if (i != task->index) {
            added = ws_document_append(&result, map->entries[i], reader->arena) ||
                    ws_yaml_report_memory(reader);
        } else if (merged->kind == WS_DOCUMENT_MAP) {
            added = expand_add(reader, task, merged, &result);
        } else if (merged->kind == WS_DOCUMENT_LIST) {
            added = expand_add_list(reader, task, merged, &result);
        } else {
            added = expand_refuse(reader, merged, map->entries[i].key_at);
        }
        if (!added) {
            return false;
        }
    }
    if (result.count > WS_YAML_KEYS_MAX) {
        return ws_diag_error(reader->diag, 9004, map->at, "a map has more than %zu keys",
                             WS_YAML_KEYS_MAX);
    }
    map->entries = result.entries;
    map->count = result.count;
    map->capacity = result.capacity;
    return true;
}

bool ws_yaml_expand(ws_yaml_reader *reader)
{
    WS_ASSERT(reader->diag != NULL);
    for (size_t i = 0; i < reader->task_count; i++) {
        const ws_yaml_task *task = &reader->tasks[i];
        bool done = task->target == NULL ? expand_merge(reader, task) : expand_alias(reader, task);

        if (!done) {
            return false;
        }
    }
    return true;
}
