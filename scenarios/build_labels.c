/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Labels of jobs, within the limits that Kubernetes sets on them, so that selectors can name them.
 */
#include "build.h"

#define LABELS_MAX 64
#define LABEL_BYTES_MAX 63
#define LABEL_PREFIX_BYTES_MAX 253

static bool labels_is_alphanumeric(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/** Letters, digits, and `-`, `_`, `.` between them. Source: apimachinery, IsQualifiedName. */
static bool labels_is_word(ws_text text, size_t bytes_max)
{
    if (text.length == 0 || text.length > bytes_max || !labels_is_alphanumeric(text.start[0]) ||
        !labels_is_alphanumeric(text.start[text.length - 1])) {
        return false;
    }
    for (size_t i = 0; i < text.length; i++) {
        char c = text.start[i];

        if (!labels_is_alphanumeric(c) && c != '-' && c != '_' && c != '.') {
            return false;
        }
    }
    return true;
}

/** `app`, or `example.org/app`. */
static bool labels_is_key(ws_text key)
{
    size_t slash = ws_text_find_byte(key, '/');

    if (slash == key.length) {
        return labels_is_word(key, LABEL_BYTES_MAX);
    }
    return labels_is_word(ws_text_slice(key, 0, slash), LABEL_PREFIX_BYTES_MAX) &&
           labels_is_word(ws_text_slice(key, slash + 1, key.length), LABEL_BYTES_MAX);
}

static bool labels_read(ws_build *context, const ws_document_entry *entry, ws_label *label)
{
    const ws_document *value = entry->value;
    ws_text shown = ws_build_shown(entry->key);

    if (!labels_is_key(entry->key)) {
        return ws_build_error(
            context, 2205, entry->key_at,
            ws_build_text(context, "`%.*s` is no key of a label", WS_TEXT_ARGS(shown)),
            "not one that Kubernetes takes",
            WS_TEXT("a key is letters, digits, and `-`, `_`, `.` between them, at "
                    "most 63, perhaps behind `PREFIX/`"));
    }
    if (value->kind == WS_DOCUMENT_NULL) {
        *label = (ws_label){.key = entry->key};
        return true;
    }
    if (value->kind != WS_DOCUMENT_SCALAR ||
        (value->scalar.length > 0 && !labels_is_word(value->scalar, LABEL_BYTES_MAX))) {
        return ws_build_error(
            context, 2205, value->at,
            ws_build_text(context, "this is no value of label `%.*s`", WS_TEXT_ARGS(shown)),
            "not one that Kubernetes takes",
            WS_TEXT("a value is empty, or letters, digits, and `-`, `_`, `.` "
                    "between them, at most 63"));
    }
    *label = (ws_label){.key = entry->key, .value = value->scalar};
    return true;
}

bool ws_build_labels(ws_build *context, const ws_document *document, ws_job_kind *kind)
{
    bool sound = true;

    WS_ASSERT(kind != NULL);
    if (document == NULL || document->kind == WS_DOCUMENT_NULL) {
        return true;
    }
    if (document->kind != WS_DOCUMENT_MAP || document->count > LABELS_MAX) {
        return ws_build_error(
            context, 2201, document->at,
            ws_build_text(context, "`labels` is a map of at most %d labels", LABELS_MAX),
            "not such a map", WS_TEXT("write `labels: {app: pytorch-worker}`"));
    }
    ws_label *labels = ws_build_new(context, ws_label, document->count + 1);
    for (size_t i = 0; labels != NULL && i < document->count; i++) {
        sound = labels_read(context, &document->entries[i], &labels[i]) && sound;
    }
    kind->labels = (ws_labels){.items = labels, .count = document->count};
    return labels != NULL && sound;
}
