/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Overrides of single values: `--set PATH=VALUE`, `--unset PATH`, and the `set` of an arm.
 *
 * A path may lead through a map that the file leaves out although the scenario has it
 * (`compare.confidence` without `compare`): such maps are made on the way, by the tables of keys.
 */
#include "load_override.h"

#include "ws/yaml.h"

/* ---- the way to a value ---- */

static size_t override_key_end(ws_text path, size_t from)
{
    while (from < path.length && path.start[from] != '.' && path.start[from] != '[') {
        from++;
    }
    return from;
}

/** Behind the brackets that follow a key; the end of the path when they are not closed. */
static size_t override_brackets_end(ws_text path, size_t from)
{
    while (from < path.length && path.start[from] == '[') {
        from += ws_text_find_byte(ws_text_slice(path, from, path.length), ']') + 1;
    }
    return from < path.length ? from : path.length;
}

static const ws_parameter *override_row(const ws_parameter_table *table, ws_text key)
{
    for (size_t i = 0; i < table->count; i++) {
        if (table->rows[i].name != NULL && ws_text_is(key, table->rows[i].name)) {
            return &table->rows[i];
        }
    }
    return NULL;
}

/** Puts an empty map at the end of `path` when its parent is there and it is not. */
static bool override_put_map(ws_document *root, ws_text path, size_t key_from, ws_arena *arena)
{
    ws_text before = ws_text_slice(path, 0, key_from > 0 ? key_from - 1 : 0);
    ws_document *parent = before.length > 0 ? ws_document_at(root, before) : root;
    ws_document *map = NULL;

    if (ws_document_at(root, path) != NULL || parent == NULL || parent->kind != WS_DOCUMENT_MAP) {
        return true;
    }
    map = ws_document_new_map(arena);
    return map != NULL &&
           ws_document_put(parent, ws_text_slice(path, key_from, path.length), map, arena);
}

bool ws_override_make_way(ws_document *root, ws_text path, ws_arena *arena)
{
    const ws_parameter_table *table = &ws_file_scenario_table;
    size_t from = 0;

    WS_ASSERT(root != NULL);
    while (table != NULL) {
        size_t key_end = override_key_end(path, from);
        size_t end = override_brackets_end(path, key_end);
        const ws_parameter *row = override_row(table, ws_text_slice(path, from, key_end));
        bool is_last = end >= path.length || path.start[end] != '.';

        if (is_last || row == NULL) {
            return true;
        }
        bool is_map = row->kind == WS_PARAMETER_MAP || row->kind == WS_PARAMETER_OPTIONAL_MAP;
        if (is_map && end == key_end &&
            !override_put_map(root, ws_text_slice(path, 0, end), from, arena)) {
            return false;
        }
        table = row->table;
        from = end + 1;
    }
    return true;
}

/** A path that goes on below a plain value may lead into a file that is named there; one over all
 * entries of a list may as well. */
static bool override_leads_into_file(const ws_document *root, ws_text path)
{
    if (!ws_text_starts_with(path, WS_TEXT("policies"))) {
        return false;
    }
    for (size_t i = 0; i < path.length; i++) {
        bool is_step = path.start[i] == '.' || path.start[i] == '[';
        const ws_document *value = is_step ? ws_document_at(root, ws_text_slice(path, 0, i)) : NULL;

        if ((value != NULL && value->kind == WS_DOCUMENT_SCALAR) || path.start[i] == '*') {
            return true;
        }
    }
    return false;
}

/* ---- flags ---- */

/** Finds the `=` between path and value: the first one outside of brackets. */
static size_t override_find_equals(ws_text text)
{
    int depth = 0;

    for (size_t i = 0; i < text.length; i++) {
        depth += text.start[i] == '[' ? 1 : 0;
        depth -= text.start[i] == ']' ? 1 : 0;
        if (text.start[i] == '=' && depth <= 0) {
            return i;
        }
    }
    return text.length;
}

/** "--set #2" of "<--set #2>". */
static ws_text override_flag(ws_text label)
{
    return label.length < 2 ? label : ws_text_slice(label, 1, label.length - 1);
}

static void override_note(ws_build *context, const ws_override *override)
{
    ws_loaded *loaded = context->loaded;
    ws_text flag = override_flag(override->label);

    if (loaded->overrides_count < WS_ASSUMPTIONS_MAX) {
        loaded->overrides_text[loaded->overrides_count++] =
            ws_build_text(context, "%.*s (%.*s)", WS_TEXT_ARGS(override->text), WS_TEXT_ARGS(flag));
    }
}

static bool override_set(ws_build *context, ws_document *root, const ws_override *override,
                         const ws_source *source)
{
    ws_document *value = NULL;
    ws_text text = override->text;
    size_t equals = override_find_equals(text);
    ws_text path = ws_text_slice(text, 0, equals);
    ws_span at = ws_span_of_bytes(source, 0, equals);

    if (equals == text.length || equals == 0) {
        return ws_build_error(context, 2902, at, WS_TEXT("an override is PATH=VALUE"),
                              equals == 0 ? "no path" : "no value",
                              WS_TEXT("for example `--set replications=50`"));
    }
    override_note(context, override);
    if (!ws_override_make_way(root, path, context->arena)) {
        return ws_build_error(context, 9007, at, WS_TEXT("not enough memory for this override"),
                              NULL, WS_TEXT(""));
    }
    if (override_leads_into_file(root, path) && !ws_build_read_files(context, root)) {
        return false;
    }
    if (!ws_yaml_read_value(&value, source, equals + 1, text.length, context->arena,
                            context->diag)) {
        return false;
    }
    ws_document_edit edit = {
        .path = path, .at = at, .value = value, .origin = override_flag(override->label)};
    return ws_document_set(root, &edit, context->arena, context->diag);
}

static bool override_unset(ws_build *context, ws_document *root, const ws_override *override,
                           const ws_source *source)
{
    ws_text path = override->text;
    ws_span at = ws_span_of_bytes(source, 0, path.length);

    if (path.length == 0) {
        return ws_build_error(context, 2902, at, WS_TEXT("`--unset` takes a PATH"), "no path",
                              WS_TEXT("for example `--unset compare.thresholds`"));
    }
    override_note(context, override);
    if (override_leads_into_file(root, path) && !ws_build_read_files(context, root)) {
        return false;
    }
    return ws_document_unset(root, path, at, context->arena, context->diag);
}

bool ws_override_apply(ws_build *context, ws_document *root)
{
    WS_ASSERT(root != NULL);

    bool sound = true;

    for (size_t i = 0; i < context->options->override_count; i++) {
        const ws_override *override = &context->options->overrides[i];
        ws_source *source = ws_build_new(context, ws_source, 1);

        if (source == NULL) {
            return false;
        }
        *source = (ws_source){.name = override->label, .content = override->text};
        sound = (override->is_unset ? override_unset(context, root, override, source)
                                    : override_set(context, root, override, source)) &&
                sound;
    }
    return sound;
}
