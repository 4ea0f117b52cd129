/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "build.h"

#define BUILD_SHOWN_BYTES_MAX 80

void *ws_build_alloc(ws_build *context, size_t count, size_t size)
{
    void *memory = ws_arena_alloc_bytes(context->arena, count, size);

    WS_ASSERT(size > 0);
    if (memory == NULL) {
        (void)ws_diag_error(context->diag, 9007, ws_span_none,
                            "loading this takes more memory than allowed");
    }
    return memory;
}

ws_text ws_build_shown(ws_text text)
{
    return ws_text_beginning(text, BUILD_SHOWN_BYTES_MAX);
}

ws_span ws_build_at(const ws_document *map, const char *key)
{
    const ws_document *value = ws_document_find(map, key);

    if (value != NULL && value->at.source != NULL) {
        return value->at;
    }
    return map != NULL ? map->at : ws_span_none;
}

ws_span ws_build_key_at(const ws_document *map, const char *key)
{
    const ws_document_entry *entry = ws_document_find_entry(map, key);

    if (entry != NULL && entry->key_at.source != NULL) {
        return entry->key_at;
    }
    return map != NULL ? map->at : ws_span_none;
}

bool ws_build_is_given(const ws_document *map, const char *key)
{
    const ws_document *value = ws_document_find(map, key);

    return value != NULL && !ws_text_is(value->origin, "default");
}

bool ws_build_fault(ws_build *context, ws_diagnostic *fault)
{
    WS_ASSERT(fault->code > 0);
    fault->severity = WS_SEVERITY_ERROR;
    ws_diag_add(context->diag, fault);
    return false;
}

bool ws_build_error(ws_build *context, int code, ws_span at, ws_text message, const char *label,
                    ws_text help)
{
    WS_ASSERT(context != NULL);
    return ws_build_fault(
        context,
        &(ws_diagnostic){
            .code = code, .message = message, .at = at, .label = ws_text_of(label), .help = help});
}

void ws_build_warn(ws_build *context, ws_diagnostic *fault)
{
    WS_ASSERT(fault->code > 0);
    fault->severity = WS_SEVERITY_WARNING;
    ws_diag_add(context->diag, fault);
}

bool ws_build_quantity(ws_build *context, const ws_document *document, ws_quantity_kind kind,
                       ws_text name, ws_quantity *value)
{
    WS_ASSERT(context != NULL);

    ws_quantity_fault fault = {.code = 0};

    if (document->kind != WS_DOCUMENT_SCALAR) {
        return ws_build_error(
            context, 2201, document->at,
            ws_build_text(context, "`%.*s` is %s", WS_TEXT_ARGS(name), ws_quantity_kind_name(kind)),
            "not a plain value", WS_TEXT(""));
    }
    return ws_quantity_parse(document->scalar, kind, name, value, &fault, context->arena) ||
           ws_build_fault(context, &(ws_diagnostic){.code = fault.code,
                                                    .message = fault.message,
                                                    .at = document->at,
                                                    .label = fault.label,
                                                    .help = fault.help,
                                                    .notes = {fault.note}});
}

void ws_build_assume(ws_build *context, ws_text sentence)
{
    ws_loaded *loaded = context->loaded;

    WS_ASSERT(loaded->assumption_count <= WS_ASSUMPTIONS_MAX);
    for (size_t i = 0; i < loaded->assumption_count; i++) {
        if (ws_text_equals(loaded->assumptions[i], sentence)) {
            return;
        }
    }
    if (loaded->assumption_count < WS_ASSUMPTIONS_MAX && sentence.length > 0) {
        loaded->assumptions[loaded->assumption_count++] = sentence;
    }
}

/** Index of the first entry with the name of entry `index`; that itself when there is none before
 * it. */
static size_t build_first_of_name(const ws_build_named *named, size_t index)
{
    size_t first = 0;

    while (!ws_text_equals(named[first].name, named[index].name)) {
        first++;
    }
    WS_ASSERT(first <= index);
    return first;
}

bool ws_build_check_names(ws_build *context, const char *plural, const ws_build_named *named,
                          size_t count, ws_text note)
{
    bool sound = true;

    WS_ASSERT(named != NULL || count == 0);
    for (size_t i = 0; i < count; i++) {
        size_t first = build_first_of_name(named, i);

        if (first == i || named[i].name.length == 0) {
            continue;
        }
        sound = ws_build_fault(
            context, &(ws_diagnostic){.code = 4102,
                                      .message = ws_build_text(context, "two %s are named `%.*s`",
                                                               plural, WS_TEXT_ARGS(named[i].name)),
                                      .at = named[i].at,
                                      .label = WS_TEXT("second use"),
                                      .also = named[first].at,
                                      .also_label = WS_TEXT("first use is here"),
                                      .notes = {note}});
    }
    return sound;
}

const char *ws_build_string(ws_build *context, ws_text name)
{
    WS_ASSERT(context != NULL);
    return ws_arena_copy_text(context->arena, name).start;
}

/** "pools are `a`, `b`", or "the only pool is `a`". */
static ws_text build_list(ws_build *context, const char *noun, const char *const *names,
                          size_t count)
{
    ws_text list = ws_build_text(context, count == 1 ? "the only %s is" : "%ss are", noun);

    for (size_t i = 0; i < count && i < WS_BUILD_KNOWN_MAX; i++) {
        if (names[i] != NULL) {
            list = ws_build_text(context, "%.*s%s `%s`", WS_TEXT_ARGS(list), i == 0 ? "" : ",",
                                 names[i]);
        }
    }
    return count <= WS_BUILD_KNOWN_MAX ? list
                                       : ws_build_text(context, "%.*s, ...", WS_TEXT_ARGS(list));
}

ws_text ws_build_known(ws_build *context, const char *noun, const char *const *names, size_t count,
                       ws_text wrong)
{
    int near = ws_text_nearest(wrong, names, count);

    WS_ASSERT(noun != NULL);
    if (count == 0) {
        return ws_build_text(context, "there is no %s", noun);
    }
    if (near >= 0 && count > WS_BUILD_KNOWN_MAX) {
        return ws_build_text(context, "did you mean `%s`?", names[near]);
    }
    ws_text list = build_list(context, noun, names, count);
    return near < 0 || count == 1 ? list
                                  : ws_build_text(context, "%.*s; did you mean `%s`?",
                                                  WS_TEXT_ARGS(list), names[near]);
}
