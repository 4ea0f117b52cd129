/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Overrides: setting and removing what a path matches.
 *
 * A path with `[*]` forks; a branch that lacks a step is passed over. An override that matches
 * nowhere is an error, which tells of the first place where it went astray.
 */
#include "buffer.h"
#include "document_steps.h"

#define CHANGE_NAMES_SHOWN 8

typedef struct {
    ws_text path;
    ws_span at;               /* of the path in its flag */
    const ws_document *value; /* NULL: remove */
    ws_text origin;
    ws_arena *arena;
    ws_diag *diag;
    size_t value_height;
    size_t matches;
    bool exhausted;
    bool too_deep;
    const ws_document *astray; /* where the first branch ended */
    ws_step astray_step;
} document_change;

/* ---- reports ---- */

/* The place of a part of the path, if the path stands in its source as it is. */
static ws_span change_span(const document_change *change, size_t from, size_t to)
{
    const ws_source *source = change->at.source;
    size_t offset = (size_t)change->at.offset;

    if (source == NULL || change->at.line == 0 || change->at.offset < 0 ||
        !ws_text_starts_with(ws_text_slice(source->content, offset, source->content.length),
                             change->path)) {
        return change->at;
    }
    return ws_span_of_bytes(source, offset + from, offset + to);
}

/* A step of the path, without the dot behind it. */
static ws_span change_step_span(const document_change *change, const ws_step *step)
{
    bool has_dot = step->to > step->from + 1 && change->path.start[step->to - 1] == '.';

    return change_span(change, step->from, has_dot ? step->to - 1 : step->to);
}

static bool change_refuse_path(const document_change *change, const ws_step *step)
{
    ws_diagnostic diagnostic = {
        .severity = WS_SEVERITY_ERROR,
        .code = 2901,
        .message =
            ws_arena_format(change->arena, "`%.*s` is not a path", WS_TEXT_ARGS(change->path)),
        .at = change_span(change, step->from, step->to),
        .label = WS_TEXT("a key, `[name]`, `[index]` or `[*]` is expected"),
        .help = WS_TEXT("write a path as in `cluster.pools[h100-od].nodes.max`"),
    };

    ws_diag_add(change->diag, &diagnostic);
    return false;
}

/* All steps, before anything is changed. */
static bool change_check_path(const document_change *change)
{
    ws_step step = {.kind = WS_STEP_KEY, .from = 0, .to = 0};
    size_t at = 0;

    if (change->path.length == 0) {
        return change_refuse_path(change, &step);
    }
    while (at < change->path.length) {
        if (!ws_step_read(change->path, at, &step)) {
            return change_refuse_path(change, &step);
        }
        at = step.to;
    }
    return true;
}

/* Names of a map's keys or of a list's entries, terminated, in the arena; NULL when exhausted. */
static const char **change_names(const document_change *change, const ws_document *document)
{
    const char **names = ws_arena_alloc(change->arena, const char *, document->count);

    for (size_t i = 0; names != NULL && i < document->count; i++) {
        ws_text name = document->kind == WS_DOCUMENT_MAP ? document->entries[i].key
                                                         : ws_step_name(document->entries[i].value);

        if (name.length > 0) {
            names[i] = ws_arena_copy_text(change->arena, name).start;
        }
    }
    return names;
}

/* The near name, or a list of those that are there. */
static ws_text change_help(const document_change *change, const ws_document *document)
{
    const char **names = change_names(change, document);
    int nearest = -1;
    size_t shown = 0;
    ws_buffer list;

    if (names == NULL) {
        return (ws_text){.start = NULL, .length = 0};
    }
    nearest = ws_text_nearest(change->astray_step.text, names, document->count);
    if (nearest >= 0) {
        return ws_arena_format(change->arena, "did you mean `%s`?", names[nearest]);
    }
    ws_buffer_init(&list, change->arena);
    for (size_t i = 0; i < document->count && shown < CHANGE_NAMES_SHOWN; i++) {
        if (names[i] != NULL) {
            ws_buffer_add_string(&list, shown == 0 ? "there are `" : "`, `");
            ws_buffer_add_string(&list, names[i]);
            shown++;
        }
    }
    ws_buffer_add_string(&list, shown == 0 ? "" : "`");
    return ws_buffer_text(&list);
}

static const char *change_kind(const ws_document *document)
{
    switch (document->kind) {
    case WS_DOCUMENT_NULL:
        return "empty";
    case WS_DOCUMENT_SCALAR:
        return "a scalar";
    case WS_DOCUMENT_LIST:
        return "a list";
    case WS_DOCUMENT_MAP:
        return "a map";
    }
    return "";
}

/* What the step that went astray was applied to: "`cluster.pools`", or "the file" at the root. */
static ws_text change_where(const document_change *change)
{
    size_t end = change->astray_step.from;

    if (end > 0 && change->path.start[end - 1] == '.') {
        end--;
    }
    if (end == 0) {
        return WS_TEXT("the file");
    }
    return ws_arena_format(change->arena, "`%.*s`", (int)end, change->path.start);
}

static void change_describe(const document_change *change, ws_diagnostic *diagnostic)
{
    const ws_document *document = change->astray;
    const ws_step *step = &change->astray_step;
    ws_text where = change_where(change);

    if (step->kind == WS_STEP_ALL) {
        diagnostic->message = ws_arena_format(
            change->arena, "%.*s is %s and `[*]` matches nothing in it", WS_TEXT_ARGS(where),
            document->count == 0 && document->kind == WS_DOCUMENT_LIST ? "an empty list"
                                                                       : change_kind(document));
        return;
    }
    if (document->kind == WS_DOCUMENT_MAP) {
        diagnostic->message = ws_arena_format(change->arena, "%.*s has no key `%.*s`",
                                              WS_TEXT_ARGS(where), WS_TEXT_ARGS(step->text));
        diagnostic->help = change_help(change, document);
        return;
    }
    if (document->kind == WS_DOCUMENT_LIST && step->kind == WS_STEP_INDEX) {
        diagnostic->message =
            ws_arena_format(change->arena, "%.*s has %zu entries and no entry %.*s",
                            WS_TEXT_ARGS(where), document->count, WS_TEXT_ARGS(step->text));
        diagnostic->help = WS_TEXT("entries are counted from 0");
        return;
    }
    if (document->kind == WS_DOCUMENT_LIST && step->kind == WS_STEP_NAME) {
        diagnostic->message = ws_arena_format(change->arena, "%.*s has no entry `%.*s`",
                                              WS_TEXT_ARGS(where), WS_TEXT_ARGS(step->text));
        diagnostic->help = change_help(change, document);
        return;
    }
    diagnostic->message =
        ws_arena_format(change->arena, "%.*s is %s and has no key `%.*s`", WS_TEXT_ARGS(where),
                        change_kind(document), WS_TEXT_ARGS(step->text));
    if (document->kind == WS_DOCUMENT_LIST) {
        diagnostic->help = WS_TEXT("name an entry, `[name]` or `[index]`, or all, `[*]`");
    }
}

static bool change_finish(const document_change *change)
{
    ws_diagnostic diagnostic = {.severity = WS_SEVERITY_ERROR, .code = 2901};

    if (change->exhausted) {
        return ws_diag_error(change->diag, 9007, change->at, "not enough memory for this override");
    }
    if (change->too_deep) {
        return ws_diag_error(change->diag, 9002, change->at,
                             "lists and maps are nested more than %d deep", WS_DOCUMENT_DEPTH_MAX);
    }
    if (change->matches > 0) {
        return true;
    }
    WS_ASSERT(change->astray != NULL);
    diagnostic.at = change_step_span(change, &change->astray_step);
    diagnostic.label = WS_TEXT("matches nothing");
    change_describe(change, &diagnostic);
    ws_diag_add(change->diag, &diagnostic);
    return false;
}

/* ---- changing ---- */

static size_t change_height(const ws_document *document)
{
    size_t height = 0;

    if (document->kind != WS_DOCUMENT_LIST && document->kind != WS_DOCUMENT_MAP) {
        return 0;
    }
    for (size_t i = 0; i < document->count; i++) {
        size_t below = change_height(document->entries[i].value);

        height = below > height ? below : height;
    }
    return height + 1;
}

static void change_set_origin(ws_document *document, ws_text origin)
{
    document->origin = origin;
    for (size_t i = 0; i < document->count; i++) {
        change_set_origin(document->entries[i].value, origin);
    }
}

/* A copy of the value for one place; NULL when there is no memory or no room below. */
static ws_document *change_value(document_change *change, size_t depth)
{
    ws_document *copy = NULL;

    if (depth + change->value_height > WS_DOCUMENT_DEPTH_MAX) {
        change->too_deep = true;
        return NULL;
    }
    copy = ws_document_copy(change->arena, change->value);
    if (copy == NULL) {
        change->exhausted = true;
        return NULL;
    }
    change_set_origin(copy, change->origin);
    return copy;
}

static void change_remove_entry(ws_document *parent, size_t index)
{
    parent->count--;
    for (size_t i = index; i < parent->count; i++) {
        parent->entries[i] = parent->entries[i + 1];
    }
}

/* Sets or removes one entry. */
static void change_entry(document_change *change, ws_document *parent, size_t index, size_t depth)
{
    ws_document *copy = NULL;

    WS_ASSERT(index < parent->count);

    if (change->value == NULL) {
        change_remove_entry(parent, index);
        change->matches++;
        return;
    }
    copy = change_value(change, depth);
    if (copy != NULL) {
        parent->entries[index].value = copy;
        change->matches++;
    }
}

/* A new key of a map; what is empty becomes a map. */
static void change_add_key(document_change *change, ws_document *parent, const ws_step *step,
                           size_t depth)
{
    ws_document_entry entry = {.key = step->text,
                               .key_at =
                                   change_span(change, step->from, step->from + step->text.length)};

    entry.value = change_value(change, depth);
    if (entry.value == NULL) {
        return;
    }
    entry.key = ws_arena_copy_text(change->arena, step->text);
    parent->kind = WS_DOCUMENT_MAP;
    if (entry.key.start == NULL || !ws_document_append(parent, entry, change->arena)) {
        change->exhausted = true;
        return;
    }
    change->matches++;
}

static void change_go_astray(document_change *change, const ws_document *document,
                             const ws_step *step)
{
    if (change->astray == NULL) {
        change->astray = document;
        change->astray_step = *step;
    }
}

static void change_walk(document_change *change, ws_document *document, size_t from, size_t depth);

/* One entry on the way: the last step changes it, others go on below it. */
static void change_step(document_change *change, ws_document *document, size_t index,
                        const ws_step *step, size_t depth)
{
    if (step->to == change->path.length) {
        change_entry(change, document, index, depth);
    } else {
        change_walk(change, document->entries[index].value, step->to, depth);
    }
}

/* Entries from the last to the first, so that removing moves none that is still to come. */
static void change_all(document_change *change, ws_document *document, const ws_step *step,
                       size_t depth)
{
    if (document->kind != WS_DOCUMENT_LIST || document->count == 0) {
        change_go_astray(change, document, step);
        return;
    }
    for (size_t i = document->count; i > 0; i--) {
        change_step(change, document, i - 1, step, depth);
    }
}

/* Applies the steps from `from` on to a document that lies `depth` levels down. */
static void change_walk(document_change *change, ws_document *document, size_t from, size_t depth)
{
    ws_step step;
    bool well_formed = ws_step_read(change->path, from, &step);
    bool may_add = document->kind == WS_DOCUMENT_MAP || document->kind == WS_DOCUMENT_NULL;
    size_t index = 0;

    WS_ASSERT(well_formed);

    if (step.kind == WS_STEP_ALL) {
        change_all(change, document, &step, depth + 1);
        return;
    }
    index = ws_step_find(document, &step);
    if (index < document->count) {
        change_step(change, document, index, &step, depth + 1);
    } else if (may_add && change->value != NULL && step.to == change->path.length &&
               step.kind != WS_STEP_INDEX) {
        change_add_key(change, document, &step, depth + 1);
    } else {
        change_go_astray(change, document, &step);
    }
}

bool ws_document_set(ws_document *root, const ws_document_edit *edit, ws_arena *arena,
                     ws_diag *diag)
{
    WS_ASSERT(root != NULL);
    WS_ASSERT(edit != NULL);
    WS_ASSERT(edit->value != NULL);

    document_change change = {
        .path = edit->path, .at = edit->at, .value = edit->value, .arena = arena, .diag = diag};
    if (!change_check_path(&change)) {
        return false;
    }
    change.value_height = change_height(edit->value);
    if (edit->origin.length > 0) {
        change.origin = ws_arena_copy_text(arena, edit->origin);
    }
    change_walk(&change, root, 0, 0);
    return change_finish(&change);
}

bool ws_document_unset(ws_document *root, ws_text path, ws_span at, ws_arena *arena, ws_diag *diag)
{
    document_change change = {.path = path, .at = at, .arena = arena, .diag = diag};

    WS_ASSERT(root != NULL);

    if (!change_check_path(&change)) {
        return false;
    }
    change_walk(&change, root, 0, 0);
    return change_finish(&change);
}
