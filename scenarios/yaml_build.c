/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From libyaml's events to a tree.
 *
 * A stack of open lists and maps, at most WS_YAML_DEPTH_MAX, so that nothing recurses while the
 * text is still foreign. Each value is counted as it begins, an alias with all that it stands for;
 * what is over a bound is refused before it is built.
 */
#include "ws/glyph.h"

#include "yaml_reader.h"

/* ---- the tree ---- */

static ws_yaml_frame *yaml_top(ws_yaml_reader *reader)
{
    return reader->depth == 0 ? NULL : &reader->frames[reader->depth - 1];
}

static bool yaml_expects_key(ws_yaml_reader *reader)
{
    const ws_yaml_frame *top = yaml_top(reader);

    return top != NULL && top->node->kind == WS_DOCUMENT_MAP && !top->has_key;
}

/* Makes room for one more open list or map. False when the arena is exhausted. */
static bool yaml_reserve_frame(ws_yaml_reader *reader)
{
    WS_ASSERT(reader->depth < WS_YAML_DEPTH_MAX);

    ws_yaml_frame *frames =
        ws_arena_grow(reader->arena, reader->frames, reader->depth, reader->depth + 1,
                      &reader->frame_capacity, sizeof *frames);
    if (frames != NULL) {
        reader->frames = frames;
    }
    return frames != NULL;
}

/* The place of a list or map is its first line: it grows with what else begins there. */
static void yaml_widen(ws_yaml_reader *reader, ws_span part)
{
    for (size_t i = reader->depth; i > 0; i--) {
        ws_span *at = &reader->frames[i - 1].node->at;
        int32_t length = part.column + part.length - at->column;

        if (at->line != part.line) {
            return;
        }
        at->length = length > at->length ? length : at->length;
    }
}

/* Puts a value into the open list or map, or makes it the root. */
static bool yaml_put(ws_yaml_reader *reader, ws_document *node)
{
    ws_yaml_frame *top = yaml_top(reader);
    ws_document_entry entry = {.value = node};

    WS_ASSERT(node->at.line > 0);

    yaml_widen(reader, node->at);
    if (top == NULL) {
        reader->root = node;
        return true;
    }
    if (top->node->kind == WS_DOCUMENT_MAP) {
        WS_ASSERT(top->has_key);
        entry.key = top->key;
        entry.key_at = top->key_at;
        top->merge_index = top->merge ? top->node->count : top->merge_index;
        top->has_key = false;
        top->merge = false;
    }
    return ws_document_append(top->node, entry, reader->arena) || ws_yaml_report_memory(reader);
}

static bool yaml_count(ws_yaml_reader *reader, size_t nodes, ws_span at)
{
    WS_ASSERT(nodes > 0);

    reader->nodes += nodes;
    if (reader->nodes <= WS_YAML_NODES_MAX) {
        return true;
    }
    if (nodes > 1 || reader->task_count > 0) {
        return ws_yaml_refuse_limit(
            reader, 1301, at,
            ws_arena_format(reader->arena, "aliases expand this file beyond its limit of %zu nodes",
                            WS_YAML_NODES_MAX));
    }
    return ws_yaml_refuse_limit(reader, 1301, at,
                                ws_arena_format(reader->arena,
                                                "this file is beyond its limit of %zu nodes",
                                                WS_YAML_NODES_MAX));
}

/* ---- anchors ---- */

static ws_yaml_anchor *yaml_anchor_find(ws_yaml_reader *reader, ws_text name)
{
    ws_yaml_slot *slot = ws_yaml_keys_find(&reader->keys, reader->document, name);

    return slot == NULL ? NULL : &reader->anchors[slot->index];
}

/* Registers the anchor of a node as open; a second anchor of the same name hides the first. */
static bool yaml_anchor_open(ws_yaml_reader *reader, const yaml_event_t *event,
                             const yaml_char_t *name, ws_document *target)
{
    ws_yaml_anchor anchor = {.target = target};
    ws_yaml_anchor *grown = NULL;
    ws_yaml_slot *slot = NULL;
    uint32_t index = (uint32_t)reader->anchor_count;

    anchor.name = ws_arena_copy_text(reader->arena, ws_text_of((const char *)name));
    anchor.at = ws_yaml_span(reader, &event->start_mark, &event->start_mark);
    anchor.at.length = (int32_t)anchor.name.length + 1;
    if (reader->anchor_count == WS_YAML_ANCHORS_MAX) {
        return ws_yaml_refuse_limit(
            reader, 9003, anchor.at,
            ws_arena_format(reader->arena, "more than %zu anchors", WS_YAML_ANCHORS_MAX));
    }
    grown = ws_arena_grow(reader->arena, reader->anchors, reader->anchor_count,
                          reader->anchor_count + 1, &reader->anchor_capacity, sizeof *grown);
    if (grown == NULL || anchor.name.start == NULL) {
        return ws_yaml_report_memory(reader);
    }
    reader->anchors = grown;
    reader->anchors[index] = anchor;
    reader->anchor_count++;
    slot = ws_yaml_keys_find(&reader->keys, reader->document, anchor.name);
    if (slot != NULL) {
        slot->index = index;
        return true;
    }
    return ws_yaml_keys_add(&reader->keys, reader->document, anchor.name, index, reader->arena) ||
           ws_yaml_report_memory(reader);
}

/* ---- tasks for yaml_expand.c ---- */

static bool yaml_add_task(ws_yaml_reader *reader, const ws_yaml_task *task)
{
    ws_yaml_task *grown =
        ws_arena_grow(reader->arena, reader->tasks, reader->task_count, reader->task_count + 1,
                      &reader->task_capacity, sizeof *grown);

    if (grown == NULL) {
        return ws_yaml_report_memory(reader);
    }
    WS_ASSERT(task->parent != NULL);
    reader->tasks = grown;
    reader->tasks[reader->task_count] = *task;
    reader->task_count++;
    return true;
}

/* ---- events ---- */

bool ws_yaml_take_alias(ws_yaml_reader *reader, const yaml_event_t *event)
{
    ws_text name = ws_text_of((const char *)event->data.alias.anchor);
    ws_span at = ws_yaml_span(reader, &event->start_mark, &event->end_mark);
    const ws_yaml_anchor *anchor = yaml_anchor_find(reader, name);
    ws_yaml_frame *top = yaml_top(reader);
    ws_document *node = ws_arena_alloc(reader->arena, ws_document, 1);
    ws_yaml_task task = {.at = at};

    if (yaml_expects_key(reader)) {
        return ws_yaml_report_key(reader, at);
    }
    if (node == NULL) {
        return ws_yaml_report_memory(reader);
    }
    node->at = at;
    if (anchor == NULL) {
        ws_yaml_refuse_unknown_alias(reader, name, at);
        return yaml_put(reader, node);
    }
    if (anchor->nodes == 0) {
        ws_yaml_refuse_open_alias(reader, anchor, at);
        return yaml_put(reader, node);
    }
    if (!yaml_count(reader, anchor->nodes, at)) {
        return false;
    }
    if (reader->depth + anchor->height > WS_YAML_DEPTH_MAX) {
        return ws_yaml_refuse_limit(reader, 9002, at,
                                    ws_arena_format(reader->arena,
                                                    "lists and maps are nested more than %d deep",
                                                    WS_YAML_DEPTH_MAX));
    }
    WS_ASSERT(top != NULL); /* an anchor that is complete was the whole document */
    task.parent = top->node;
    task.index = top->node->count;
    task.target = anchor->target;
    task.alias = anchor->name;
    top->height = anchor->height + 1 > top->height ? anchor->height + 1 : top->height;
    return yaml_put(reader, node) && yaml_add_task(reader, &task);
}

/* Span of a scalar: without its anchor, and of a block scalar its `|` or `>` alone. */
static ws_span yaml_scalar_span(const ws_yaml_reader *reader, const yaml_event_t *event)
{
    yaml_mark_t start = event->start_mark;
    yaml_scalar_style_t style = event->data.scalar.style;
    bool is_empty = event->data.scalar.length == 0 && style == YAML_PLAIN_SCALAR_STYLE;
    ws_span span;

    if ((event->data.scalar.anchor != NULL || event->data.scalar.tag != NULL) && !is_empty) {
        ws_yaml_skip_properties(reader, &start);
    }
    span = ws_yaml_span(reader, &start, &event->end_mark);
    if (style == YAML_LITERAL_SCALAR_STYLE || style == YAML_FOLDED_SCALAR_STYLE) {
        ws_text content = reader->source->content;
        size_t from = (size_t)span.offset;
        size_t to = from;

        while (to < content.length && strchr(" \t\r\n", content.start[to]) == NULL) {
            to++;
        }
        span.length = (int32_t)(to - from);
    }
    return span;
}

static bool yaml_is_null(const yaml_event_t *event)
{
    ws_text text = {.start = (const char *)event->data.scalar.value,
                    .length = event->data.scalar.length};

    return event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
           (text.length == 0 || ws_text_is(text, "~") || ws_text_is(text, "null"));
}

/* A scalar's node, checked; NULL after an error that ends the reading. */
static ws_document *yaml_scalar(ws_yaml_reader *reader, const yaml_event_t *event, bool is_key)
{
    ws_text text = {.start = (const char *)event->data.scalar.value,
                    .length = event->data.scalar.length};
    ws_document *node = ws_arena_alloc(reader->arena, ws_document, 1);
    ws_span at = yaml_scalar_span(reader, event);

    if (text.length > WS_YAML_SCALAR_BYTES_MAX) {
        (void)ws_yaml_refuse_limit(reader, 9005, at,
                                   ws_arena_format(reader->arena,
                                                   "a scalar of %zu bytes is longer than %zu",
                                                   text.length, WS_YAML_SCALAR_BYTES_MAX));
        return NULL;
    }
    if (node != NULL) {
        node->scalar = ws_arena_copy_text(reader->arena, text);
    }
    if (node == NULL || node->scalar.start == NULL) {
        (void)ws_yaml_report_memory(reader);
        return NULL;
    }
    ws_yaml_check_hidden(reader, text, at, is_key);
    if (event->data.scalar.tag != NULL) {
        ws_yaml_refuse_tag(reader, event);
    }
    node->kind = WS_DOCUMENT_SCALAR;
    if (!is_key && yaml_is_null(event)) {
        node->kind = WS_DOCUMENT_NULL;
        node->scalar = (ws_text){.start = NULL, .length = 0};
    }
    node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    node->at = at;
    return node;
}

static bool yaml_anchor_scalar(ws_yaml_reader *reader, const yaml_event_t *event, ws_document *node)
{
    if (event->data.scalar.anchor == NULL) {
        return true;
    }
    if (!yaml_anchor_open(reader, event, event->data.scalar.anchor, node)) {
        return false;
    }
    reader->anchors[reader->anchor_count - 1].nodes = 1;
    return true;
}

static bool yaml_take_key(ws_yaml_reader *reader, const yaml_event_t *event)
{
    ws_yaml_frame *top = yaml_top(reader);
    ws_document *node = yaml_scalar(reader, event, true);
    const ws_yaml_slot *slot = NULL;

    if (node == NULL || !yaml_anchor_scalar(reader, event, node)) {
        return false;
    }
    if (top->node->count == WS_YAML_KEYS_MAX) {
        return ws_yaml_refuse_limit(
            reader, 9004, node->at,
            ws_arena_format(reader->arena, "a map has more than %zu keys", WS_YAML_KEYS_MAX));
    }
    yaml_widen(reader, node->at);
    top->has_key = true;
    top->key = node->scalar;
    top->key_at = node->at;
    top->merge = !node->quoted && ws_text_is(node->scalar, "<<");
    slot = ws_yaml_keys_find(&reader->keys, top->owner, node->scalar);
    if (slot != NULL) {
        ws_yaml_refuse_duplicate(reader, node->scalar, node->at,
                                 top->node->entries[slot->index].key_at);
        return true;
    }
    return ws_yaml_keys_add(&reader->keys, top->owner, node->scalar, (uint32_t)top->node->count,
                            reader->arena) ||
           ws_yaml_report_memory(reader);
}

bool ws_yaml_take_scalar(ws_yaml_reader *reader, const yaml_event_t *event)
{
    WS_ASSERT(event != NULL);

    ws_document *node = NULL;

    if (yaml_expects_key(reader)) {
        return yaml_take_key(reader, event);
    }
    node = yaml_scalar(reader, event, false);
    return node != NULL && yaml_count(reader, 1, node->at) &&
           yaml_anchor_scalar(reader, event, node) && yaml_put(reader, node);
}

bool ws_yaml_take_start(ws_yaml_reader *reader, const yaml_event_t *event,
                        const ws_yaml_start *start)
{
    WS_ASSERT(event != NULL);

    ws_document *node = ws_arena_alloc(reader->arena, ws_document, 1);
    yaml_mark_t mark = event->start_mark;
    size_t nodes_before = reader->nodes;
    ws_span at;

    if (start->anchor != NULL || start->tag != NULL) {
        ws_yaml_skip_properties(reader, &mark);
    }
    at = ws_yaml_span(reader, &mark, &mark);
    if (yaml_expects_key(reader)) {
        return ws_yaml_report_key(reader, at);
    }
    if (reader->depth == WS_YAML_DEPTH_MAX) {
        return ws_yaml_refuse_limit(reader, 9002, at,
                                    ws_arena_format(reader->arena,
                                                    "lists and maps are nested more than %d deep",
                                                    WS_YAML_DEPTH_MAX));
    }
    if (start->tag != NULL) {
        ws_yaml_refuse_tag(reader, event);
    }
    if (node == NULL) {
        return ws_yaml_report_memory(reader);
    }
    *node = (ws_document){.kind = start->kind, .flow = start->flow, .at = at};
    if (!yaml_reserve_frame(reader)) {
        return ws_yaml_report_memory(reader);
    }
    if (!yaml_count(reader, 1, at) || !yaml_put(reader, node) ||
        (start->anchor != NULL && !yaml_anchor_open(reader, event, start->anchor, node))) {
        return false;
    }
    reader->owners++;
    reader->frames[reader->depth] = (ws_yaml_frame){
        .node = node,
        .merge_index = SIZE_MAX,
        .owner = reader->owners,
        .anchor = start->anchor == NULL ? SIZE_MAX : reader->anchor_count - 1,
        .nodes_before = nodes_before,
        .height = 1,
    };
    reader->depth++;
    return true;
}

bool ws_yaml_take_end(ws_yaml_reader *reader, const yaml_event_t *event)
{
    ws_yaml_frame *frame = yaml_top(reader);
    ws_yaml_frame *parent = NULL;
    ws_yaml_task merge = {
        .parent = frame->node, .index = frame->merge_index, .owner = frame->owner};

    WS_ASSERT(!frame->has_key);
    WS_ASSERT(reader->nodes > frame->nodes_before);

    if (frame->anchor != SIZE_MAX) {
        reader->anchors[frame->anchor].nodes = reader->nodes - frame->nodes_before;
        reader->anchors[frame->anchor].height = frame->height;
    }
    if (frame->node->flow) {
        yaml_widen(reader, ws_yaml_span(reader, &event->start_mark, &event->end_mark));
    }
    reader->depth--;
    parent = yaml_top(reader);
    if (parent != NULL && frame->height + 1 > parent->height) {
        parent->height = frame->height + 1;
    }
    return frame->merge_index == SIZE_MAX || yaml_add_task(reader, &merge);
}
