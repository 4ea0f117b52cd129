/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A manifest is small, so that fields are looked for one after the other. */
#include "hpa_reader.h"

#include <inttypes.h>
#include <stddef.h>

#include "ws/assert.h"
#include "ws/number.h"

#define DNS_LABEL_MAX 63
#define DNS_SUBDOMAIN_MAX 253
#define CODE_WRONG_KIND 2201
#define CODE_NO_NUMBER 3106

static char reader_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool reader_is_key(const ws_hpa_reader *reader, ws_text key, const char *wanted)
{
    ws_text other = ws_text_of(wanted);

    if (!reader->folds_case || key.length != other.length) {
        return ws_text_equals(key, other);
    }
    for (size_t i = 0; i < key.length; i++) {
        if (reader_lower(key.start[i]) != reader_lower(other.start[i])) {
            return false;
        }
    }
    return true;
}

const ws_document *ws_hpa_find(const ws_hpa_reader *reader, const ws_document *map, const char *key)
{
    WS_ASSERT(key != NULL);

    if (map == NULL || map->kind != WS_DOCUMENT_MAP) {
        return NULL;
    }
    for (size_t i = 0; i < map->count; i++) {
        const ws_document *value = map->entries[i].value;

        if (reader_is_key(reader, map->entries[i].key, key)) {
            return value->kind == WS_DOCUMENT_NULL ? NULL : value;
        }
    }
    return NULL;
}

ws_span ws_hpa_place(const ws_hpa_reader *reader, const ws_document *map, const char *key)
{
    const ws_document *value = ws_hpa_find(reader, map, key);

    WS_ASSERT(map != NULL);

    return value == NULL ? map->at : value->at;
}

void ws_hpa_refuse_with(ws_hpa_reader *reader, int code, ws_span at, ws_text message,
                        const char *label, ws_text help)
{
    ws_diagnostic diagnostic = {.severity = WS_SEVERITY_ERROR,
                                .code = code,
                                .message = message,
                                .at = at,
                                .label = ws_text_of(label),
                                .help = help};

    WS_ASSERT(message.length > 0);

    reader->is_good = false;
    ws_diag_add(reader->diag, &diagnostic);
}

void ws_hpa_refuse(ws_hpa_reader *reader, int code, ws_span at, ws_text message)
{
    ws_diagnostic diagnostic = {
        .severity = WS_SEVERITY_ERROR,
        .code = code,
        .message = message,
        .at = at,
        .label = WS_TEXT("the API server would reject this manifest"),
        .notes = {WS_TEXT("worldsize applies the same limits as Kubernetes, so that what you "
                          "simulate can be deployed")},
    };

    WS_ASSERT(message.length > 0);

    reader->is_good = false;
    ws_diag_add(reader->diag, &diagnostic);
}

static size_t reader_name_count(const ws_hpa_fields *fields)
{
    size_t count = 0;

    while (fields->names[count] != NULL) {
        count++;
    }
    return count;
}

static void reader_warn_unknown(const ws_hpa_reader *reader, const ws_document_entry *entry,
                                const ws_hpa_fields *fields)
{
    int near = ws_text_nearest(entry->key, fields->names, reader_name_count(fields));
    ws_diagnostic diagnostic = {
        .severity = WS_SEVERITY_WARNING,
        .code = WS_HPA_CODE_UNKNOWN_FIELD,
        .message = ws_arena_format(reader->arena, "unknown field `%.*s` in %s",
                                   WS_TEXT_ARGS(entry->key), fields->where),
        .at = entry->key_at,
        .label = WS_TEXT("passed over, as Kubernetes does"),
    };

    if (near >= 0) {
        diagnostic.help = ws_arena_format(reader->arena, "did you mean `%s`?", fields->names[near]);
    }
    ws_diag_add(reader->diag, &diagnostic);
}

void ws_hpa_check_fields(const ws_hpa_reader *reader, const ws_document *map,
                         const ws_hpa_fields *fields)
{
    WS_ASSERT(fields->where != NULL);

    for (size_t i = 0; map->kind == WS_DOCUMENT_MAP && !reader->folds_case && i < map->count; i++) {
        size_t known = 0;

        while (fields->names[known] != NULL &&
               !ws_text_is(map->entries[i].key, fields->names[known])) {
            known++;
        }
        if (fields->names[known] == NULL) {
            reader_warn_unknown(reader, &map->entries[i], fields);
        }
    }
}

static void reader_refuse_kind(ws_hpa_reader *reader, const ws_document *value, const char *key,
                               const char *wanted, const char *help)
{
    static const char *const words[] = {[WS_DOCUMENT_NULL] = "nothing",
                                        [WS_DOCUMENT_SCALAR] = "a single value",
                                        [WS_DOCUMENT_LIST] = "a list",
                                        [WS_DOCUMENT_MAP] = "a map"};
    const char *label = value->kind == WS_DOCUMENT_SCALAR && value->quoted ? "a text in quotes"
                                                                           : words[value->kind];

    WS_ASSERT(value->kind < WS_COUNT_OF(words));

    ws_hpa_refuse_with(reader, CODE_WRONG_KIND, value->at,
                       ws_arena_format(reader->arena, "`%s` is %s", key, wanted), label,
                       ws_text_of(help));
}

/* Kubernetes reads YAML as JSON: a plain number or truth value is none of its strings. */
static bool reader_is_string(const ws_document *value)
{
    double number = 0;
    bool truth = false;

    return value->kind == WS_DOCUMENT_SCALAR &&
           (value->quoted ||
            (!ws_parse_f64(value->scalar, &number) && !ws_document_bool(value, &truth)));
}

ws_text ws_hpa_read_text(ws_hpa_reader *reader, const ws_document *map, const char *key)
{
    const ws_document *value = ws_hpa_find(reader, map, key);

    WS_ASSERT(reader != NULL);

    if (value == NULL) {
        return WS_TEXT("");
    }
    if (!reader_is_string(value)) {
        reader_refuse_kind(reader, value, key, "a text",
                           value->kind == WS_DOCUMENT_SCALAR ? "put it in quotes" : NULL);
        return WS_TEXT("");
    }
    return value->scalar;
}

bool ws_hpa_read_integer(ws_hpa_reader *reader, const ws_document *map, const char *key, int code,
                         int32_t *value)
{
    const ws_document *found = ws_hpa_find(reader, map, key);
    int64_t wide = 0;

    WS_ASSERT(value != NULL);

    if (found == NULL) {
        return false;
    }
    if (found->kind != WS_DOCUMENT_SCALAR || found->quoted || !ws_parse_i64(found->scalar, &wide)) {
        reader_refuse_kind(reader, found, key, "a whole number",
                           found->quoted ? "remove the quotes" : NULL);
        return false;
    }
    if (wide > INT32_MAX || wide < INT32_MIN) {
        ws_hpa_refuse(reader, code, found->at,
                      ws_arena_format(reader->arena, "`%s` is at %s %" PRId32, key,
                                      wide > 0 ? "most" : "least",
                                      wide > 0 ? INT32_MAX : INT32_MIN));
        return false;
    }
    *value = (int32_t)wide;
    return true;
}

bool ws_hpa_read_quantity(ws_hpa_reader *reader, const ws_document *map, const char *key,
                          ws_hpa_quantity *quantity)
{
    const ws_document *value = ws_hpa_find(reader, map, key);

    WS_ASSERT(quantity != NULL);

    if (value == NULL) {
        return false;
    }
    if (value->kind != WS_DOCUMENT_SCALAR) {
        reader_refuse_kind(reader, value, key, "a quantity", "write `80`, `1500m` or `8Gi`");
        return false;
    }
    if (!ws_hpa_quantity_parse(value->scalar, quantity)) {
        ws_hpa_refuse_with(reader, CODE_NO_NUMBER, value->at,
                           ws_arena_format(reader->arena,
                                           "`%s` is no quantity as Kubernetes writes "
                                           "them",
                                           key),
                           "not one", WS_TEXT("write `80`, `1500m`, `8Gi` or `1e3`"));
        return false;
    }
    return true;
}

static const ws_document *reader_read_kind(ws_hpa_reader *reader, const ws_document *map,
                                           const char *key, ws_document_kind kind)
{
    const ws_document *value = ws_hpa_find(reader, map, key);

    WS_ASSERT(kind == WS_DOCUMENT_MAP || kind == WS_DOCUMENT_LIST);

    if (value == NULL || value->kind == kind) {
        return value;
    }
    reader_refuse_kind(reader, value, key, kind == WS_DOCUMENT_MAP ? "a map" : "a list", NULL);
    return NULL;
}

const ws_document *ws_hpa_read_map(ws_hpa_reader *reader, const ws_document *map, const char *key)
{
    return reader_read_kind(reader, map, key, WS_DOCUMENT_MAP);
}

const ws_document *ws_hpa_read_list(ws_hpa_reader *reader, const ws_document *map, const char *key)
{
    return reader_read_kind(reader, map, key, WS_DOCUMENT_LIST);
}

const ws_document *ws_hpa_read_entry(ws_hpa_reader *reader, const ws_document *list, size_t index,
                                     const char *noun)
{
    const ws_document *entry = list->entries[index].value;

    WS_ASSERT(index < list->count);

    if (entry->kind == WS_DOCUMENT_MAP) {
        return entry;
    }
    ws_hpa_refuse_with(reader, CODE_WRONG_KIND, entry->at,
                       ws_arena_format(reader->arena, "%s is a map", noun), "something else",
                       WS_TEXT(""));
    return NULL;
}

bool ws_hpa_is_path_segment(ws_text name)
{
    return name.length > 0 && !ws_text_is(name, ".") && !ws_text_is(name, "..") &&
           ws_text_find_byte(name, '/') == name.length &&
           ws_text_find_byte(name, '%') == name.length;
}

static bool reader_is_alphanumeric(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/* Hyphens stand between letters and digits or other hyphens, dots between letters and digits. */
static bool reader_is_dns(ws_text name, size_t bytes_max, bool with_dots)
{
    if (name.length == 0 || name.length > bytes_max) {
        return false;
    }
    for (size_t i = 0; i < name.length; i++) {
        char c = name.start[i];
        bool is_dot = c == '.' && with_dots;

        if (reader_is_alphanumeric(c)) {
            continue;
        }
        if ((c != '-' && !is_dot) || i == 0 || i + 1 == name.length) {
            return false;
        }
        if (is_dot && (!reader_is_alphanumeric(name.start[i - 1]) ||
                       !reader_is_alphanumeric(name.start[i + 1]))) {
            return false;
        }
    }
    return true;
}

bool ws_hpa_is_dns_label(ws_text name)
{
    return reader_is_dns(name, DNS_LABEL_MAX, false);
}

bool ws_hpa_is_dns_subdomain(ws_text name)
{
    return reader_is_dns(name, DNS_SUBDOMAIN_MAX, true);
}
