/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Documents that parameters of policies name by a file: they take the place of the path before any
 * parameter is read, so that a policy sees a document wherever it was written.
 *
 * A file is read once, however many policies name it; each gets a copy. What is wrong inside of it
 * is told at its own line, with a note of where it is named.
 */
#include "build.h"
#include "ws/input.h"
#include "ws/policies.h"
#include "ws/yaml.h"

/** A path as it is written, and the name behind its `#`. */
typedef struct {
    ws_text file;
    ws_text name; /* empty: none */
    ws_span at;
    const ws_parameter *row;
} files_wanted;

/** Documents among those of a file that may be meant. */
typedef struct {
    const ws_document **items;
    size_t count; /* beyond `capacity` only counted */
    size_t capacity;
    size_t all; /* of any kind */
    const ws_document *any;
} files_found;

/* ---- reading ---- */

/** The file as messages show it: below the scenario's own folder. */
static ws_text files_shown(ws_build *context, ws_text file)
{
    bool is_here = ws_text_is(context->folder, ".") || ws_text_starts_with(file, WS_TEXT("/"));

    return is_here ? file
                   : ws_build_text(context, "%.*s/%.*s", WS_TEXT_ARGS(context->folder),
                                   WS_TEXT_ARGS(file));
}

static bool files_note_input(ws_build *context, const files_wanted *wanted, ws_text content)
{
    ws_loaded *loaded = context->loaded;
    ws_input_file *input = &loaded->inputs[loaded->input_count];
    ws_sha256 hash;

    if (loaded->input_count == WS_INPUT_FILES_MAX) {
        return ws_build_error(
            context, 9006, wanted->at,
            ws_build_text(context, "a scenario names at most %d files", WS_INPUT_FILES_MAX),
            "one more", WS_TEXT(""));
    }
    ws_sha256_init(&hash);
    ws_sha256_update(&hash, content.start, content.length);
    *input = (ws_input_file){.path = wanted->file,
                             .role = ws_text_of(wanted->row->name),
                             .bytes = (int64_t)content.length};
    ws_sha256_print(&hash, input->sha256);
    loaded->input_count++;
    return true;
}

static const ws_build_file *files_find(const ws_build_files *files, ws_text path)
{
    for (size_t i = 0; i < files->count; i++) {
        if (ws_text_equals(files->items[i].path, path)) {
            return &files->items[i];
        }
    }
    return NULL;
}

/** Reads a file into the list; NULL with a diagnostic. */
static const ws_build_file *files_read(ws_build *context, const files_wanted *wanted)
{
    ws_build_files *files = context->files;
    const ws_build_file *known = files_find(files, wanted->file);
    ws_source *source = ws_build_new(context, ws_source, 1);
    ws_text path = {.length = 0};

    if (known != NULL) {
        return known;
    }
    ws_path_request request = {.path = wanted->file,
                               .folder = context->folder,
                               .key = ws_text_of(wanted->row->name),
                               .at = wanted->at,
                               .roots = &context->options->roots};
    if (source == NULL || !ws_path_resolve(&path, &request, context->arena, context->diag)) {
        return NULL;
    }
    source->name = files_shown(context, wanted->file);
    if (!ws_input_load(&source->content,
                       &(ws_file_name){.path = path.start, .shown = source->name, .at = wanted->at},
                       &(ws_input_limits){.bytes_max = (int64_t)WS_YAML_BYTES_MAX}, context->arena,
                       context->diag) ||
        !files_note_input(context, wanted, source->content)) {
        return NULL;
    }
    WS_ASSERT(files->count < WS_INPUT_FILES_MAX);
    ws_build_file *file = &files->items[files->count];
    *file = (ws_build_file){.path = wanted->file, .source = source, .named_at = wanted->at};
    files->count++;
    file->is_sound = ws_yaml_read_stream(&file->stream, source, wanted->row->name, context->arena,
                                         context->diag);
    return file;
}

/* ---- choosing ---- */

static ws_text files_scalar(const ws_document *map, const char *key)
{
    const ws_document *value = ws_document_find(map, key);

    return value != NULL && value->kind == WS_DOCUMENT_SCALAR ? value->scalar : WS_TEXT("");
}

/** Whether a document has a name, `NAME` or `NAMESPACE/NAME`. */
static bool files_is_named(const ws_document *document, ws_text name)
{
    const ws_document *metadata = ws_document_find(document, "metadata");
    size_t slash = ws_text_find_byte(name, '/');

    if (slash == name.length) {
        return ws_text_equals(files_scalar(metadata, "name"), name);
    }
    return ws_text_equals(files_scalar(metadata, "namespace"), ws_text_slice(name, 0, slash)) &&
           ws_text_equals(files_scalar(metadata, "name"),
                          ws_text_slice(name, slash + 1, name.length));
}

/** Adds a document, or the items of a List of them, if it is of the kind and name that is wanted.
 */
static void files_add(files_found *found, const ws_document *document, const files_wanted *wanted)
{
    const ws_document *items = ws_document_find(document, "items");

    if (ws_text_ends_with(files_scalar(document, "kind"), WS_TEXT("List")) && items != NULL &&
        items->kind == WS_DOCUMENT_LIST) {
        for (size_t i = 0; i < items->count; i++) {
            files_add(found, items->entries[i].value, wanted);
        }
        return;
    }
    found->all++;
    found->any = document;
    if (!ws_text_is(files_scalar(document, "kind"), wanted->row->file_kind) ||
        (wanted->name.length > 0 && !files_is_named(document, wanted->name))) {
        return;
    }
    if (found->count < found->capacity) {
        found->items[found->count] = document;
    }
    found->count++;
}

static bool files_search(ws_build *context, const ws_document *stream, const files_wanted *wanted,
                         files_found *found)
{
    *found = (files_found){.items = ws_build_new(context, const ws_document *, WS_BUILD_KNOWN_MAX),
                           .capacity = WS_BUILD_KNOWN_MAX};
    for (size_t i = 0; found->items != NULL && i < stream->count; i++) {
        files_add(found, stream->entries[i].value, wanted);
    }
    return found->items != NULL;
}

/** "it holds `a`, `b`", with the namespaces where names alone do not tell. */
static ws_text files_names(ws_build *context, const files_found *found, bool with_namespace)
{
    ws_text all = WS_TEXT("it holds");

    for (size_t i = 0; i < found->count && i < found->capacity; i++) {
        const ws_document *metadata = ws_document_find(found->items[i], "metadata");
        ws_text space = with_namespace ? files_scalar(metadata, "namespace") : WS_TEXT("");
        ws_text name = ws_build_shown(files_scalar(metadata, "name"));

        all = ws_build_text(context, "%.*s%s `%.*s%s%.*s`", WS_TEXT_ARGS(all), i == 0 ? "" : ",",
                            WS_TEXT_ARGS(space), space.length > 0 ? "/" : "", WS_TEXT_ARGS(name));
    }
    return found->count > found->capacity
               ? ws_build_text(context, "%.*s and %zu more", WS_TEXT_ARGS(all),
                               found->count - found->capacity)
               : all;
}

static bool files_none(ws_build *context, const ws_build_file *file, const files_wanted *wanted)
{
    files_wanted any = *wanted;
    files_found others = {.count = 0};
    const char *kind = wanted->row->file_kind;
    ws_text named = WS_TEXT("");

    any.name = WS_TEXT("");
    if (!files_search(context, file->stream, &any, &others)) {
        return false;
    }
    if (wanted->name.length > 0) {
        named = ws_build_text(context, " named `%.*s`", WS_TEXT_ARGS(wanted->name));
    }
    return ws_build_error(context, others.count == 0 ? 5102 : 5103, wanted->at,
                          ws_build_text(context, "`%.*s` holds no %s%.*s",
                                        WS_TEXT_ARGS(wanted->file), kind, WS_TEXT_ARGS(named)),
                          "not in this file",
                          others.count == 0 ? WS_TEXT("") : files_names(context, &others, false));
}

static bool files_several(ws_build *context, const files_wanted *wanted, const files_found *found)
{
    bool is_named = wanted->name.length > 0;
    const ws_document *first = ws_document_find(found->items[0], "metadata");
    ws_text name = ws_build_shown(files_scalar(first, "name"));

    return ws_build_fault(
        context, &(ws_diagnostic){
                     .code = 5103,
                     .message = ws_build_text(context, "`%.*s` holds %zu of kind %s",
                                              WS_TEXT_ARGS(wanted->file), found->count,
                                              wanted->row->file_kind),
                     .at = wanted->at,
                     .label = WS_TEXT("which of them?"),
                     .help = is_named ? WS_TEXT("write `FILE#NAMESPACE/NAME`")
                                      : ws_build_text(context, "name one: `%s: %.*s#%.*s`",
                                                      wanted->row->name, WS_TEXT_ARGS(wanted->file),
                                                      WS_TEXT_ARGS(name)),
                     .notes = {files_names(context, found, is_named)}});
}

/** The one document of a file that is meant. What stands alone in a file is meant, whatever it is:
 * the policy says what is wrong with it. NULL with a diagnostic. */
static const ws_document *files_choose(ws_build *context, const ws_build_file *file,
                                       const files_wanted *wanted)
{
    files_found found = {.count = 0};

    if (!files_search(context, file->stream, wanted, &found)) {
        return NULL;
    }
    if (found.count == 1) {
        return found.items[0];
    }
    if (found.count == 0 && found.all == 1 && wanted->name.length == 0) {
        return found.any;
    }
    if (found.count == 0) {
        (void)files_none(context, file, wanted);
    } else {
        (void)files_several(context, wanted, &found);
    }
    return NULL;
}

/* ---- putting in ---- */

static void files_set_origin(ws_document *document, ws_text origin)
{
    document->origin = origin;
    for (size_t i = 0; i < document->count; i++) {
        files_set_origin(document->entries[i].value, origin);
    }
}

/** `FILE#NAME`, cut at the last `#`. */
static files_wanted files_split(const ws_document *value, const ws_parameter *row)
{
    ws_text text = value->scalar;
    files_wanted wanted = {.file = text, .at = value->at, .row = row};

    for (size_t i = text.length; i > 0; i--) {
        if (text.start[i - 1] == '#') {
            wanted.file = ws_text_slice(text, 0, i - 1);
            wanted.name = ws_text_slice(text, i, text.length);
            break;
        }
    }
    return wanted;
}

static bool files_replace(ws_build *context, ws_document_entry *entry, const ws_parameter *row)
{
    files_wanted wanted = files_split(entry->value, row);
    const ws_build_file *file = files_read(context, &wanted);
    const ws_document *chosen = NULL;
    ws_document *copy = NULL;

    if (file == NULL || !file->is_sound) {
        return false;
    }
    chosen = files_choose(context, file, &wanted);
    if (chosen == NULL) {
        return false;
    }
    copy = ws_document_copy(context->arena, chosen);
    if (copy == NULL) {
        return ws_build_error(context, 9007, wanted.at,
                              WS_TEXT("loading this takes more memory than allowed"), NULL,
                              WS_TEXT(""));
    }
    files_set_origin(copy, wanted.file);
    entry->value = copy;
    return true;
}

/** The values of a controller that one row of its own table reads, where they name a file. */
static bool files_replace_row(ws_build *context, ws_document *controller, const ws_parameter *row)
{
    bool sound = true;

    for (size_t i = 0; i < controller->count; i++) {
        ws_document_entry *entry = &controller->entries[i];

        if (ws_text_is(entry->key, row->name) && entry->value->kind == WS_DOCUMENT_SCALAR) {
            sound = files_replace(context, entry, row) && sound;
        }
    }
    return sound;
}

/** The rows of a controller's own table that files may fill. */
static bool files_replace_all(ws_build *context, ws_document *controller)
{
    const ws_document *type = ws_document_find(controller, "type");
    const ws_policy_type *policy =
        type != NULL && type->kind == WS_DOCUMENT_SCALAR ? ws_policy_find(type->scalar) : NULL;
    bool sound = true;

    for (size_t i = 0; policy != NULL && i < policy->parameters->count; i++) {
        const ws_parameter *row = &policy->parameters->rows[i];

        if (row->file_kind != NULL) {
            sound = files_replace_row(context, controller, row) && sound;
        }
    }
    return sound;
}

bool ws_build_read_files(ws_build *context, ws_document *root)
{
    const ws_document *policies = ws_document_find(root, "policies");
    bool sound = true;

    WS_ASSERT(context->files != NULL);
    for (size_t i = 0; policies != NULL && i < policies->count; i++) {
        ws_document *arm = policies->entries[i].value;
        const ws_document *controllers = ws_document_find(arm, "controllers");

        sound = files_replace_all(context, arm) && sound;
        for (size_t k = 0; controllers != NULL && k < controllers->count; k++) {
            sound = files_replace_all(context, controllers->entries[k].value) && sound;
        }
    }
    return sound;
}

bool ws_build_is_file_left(const ws_document *controller, const ws_parameter_table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        const ws_document *value = table->rows[i].file_kind == NULL
                                       ? NULL
                                       : ws_document_find(controller, table->rows[i].name);

        if (value != NULL && value->kind == WS_DOCUMENT_SCALAR) {
            return true;
        }
    }
    return false;
}

/* ---- telling ---- */

static const ws_build_file *files_of_source(const ws_build_files *files, const ws_source *source)
{
    for (size_t i = 0; source != NULL && i < files->count; i++) {
        if (files->items[i].source == source) {
            return &files->items[i];
        }
    }
    return NULL;
}

void ws_build_tell_files(const ws_build *context)
{
    ws_diag *diag = context->diag;

    ws_diag_drop_repeated(diag);
    for (size_t i = 0; i < diag->count; i++) {
        ws_diagnostic *found = &diag->entries[i];
        const ws_build_file *file = files_of_source(context->files, found->at.source);
        size_t slot = found->notes[0].length > 0 ? 1 : 0;

        if (file != NULL && file->named_at.source != NULL && found->notes[slot].length == 0) {
            ws_text name = file->named_at.source->name;

            found->notes[slot] = ws_arena_format(diag->arena, "named at %.*s:%d",
                                                 WS_TEXT_ARGS(name), file->named_at.line);
        }
    }
}
