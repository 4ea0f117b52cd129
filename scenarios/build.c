/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "build.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void *ws_build_alloc(ws_build *context, size_t count, size_t size)
{
    void *memory = ws_arena_alloc_bytes(context->arena, count, size);

    if (memory == NULL) {
        (void)ws_diag_error(context->diag, 9007, ws_span_none, "out of memory while loading");
    }
    return memory;
}

ws_span ws_build_at(const ws_document *map, const char *key)
{
    const ws_document *value = ws_document_find(map, key);

    if (value != NULL && value->at.source != NULL) {
        return value->at;
    }
    return map != NULL ? map->at : ws_span_none;
}

bool ws_build_error(ws_build *context, int code, ws_span at, ws_text message, const char *label,
                    ws_text help)
{
    ws_diag_add(context->diag, &(ws_diagnostic){.severity = WS_SEVERITY_ERROR,
                                                .code = code,
                                                .message = message,
                                                .at = at,
                                                .label = ws_text_of(label),
                                                .help = help});
    return false;
}

ws_text ws_build_text(ws_build *context, const char *format, ...)
{
    char buffer[1024];
    va_list arguments;

    va_start(arguments, format);
    int length = vsnprintf(buffer, sizeof buffer, format, arguments);
    va_end(arguments);
    WS_ASSERT(length >= 0);
    return ws_arena_copy_text(context->arena, ws_text_of(buffer));
}

/** Puts the key's name where a fault's message has NAME. */
static bool ws_build_fault(ws_build *context, const ws_document *document,
                           const ws_quantity_fault *fault)
{
    ws_diag_add(context->diag, &(ws_diagnostic){.severity = WS_SEVERITY_ERROR,
                                                .code = fault->code,
                                                .message = fault->message,
                                                .at = document->at,
                                                .label = fault->label,
                                                .help = fault->help,
                                                .notes = {fault->note}});
    return false;
}

bool ws_build_quantity(ws_build *context, const ws_document *document, ws_quantity_kind kind,
                       ws_text name, ws_quantity *value)
{
    ws_quantity_fault fault = {.code = 0};

    if (document->kind != WS_DOCUMENT_SCALAR) {
        return ws_build_error(
            context, 2201, document->at,
            ws_build_text(context, "`%.*s` is %s", WS_TEXT_ARGS(name), ws_quantity_kind_name(kind)),
            "not a plain value", WS_TEXT(""));
    }
    return ws_quantity_parse(document->scalar, kind, name, value, &fault, context->arena) ||
           ws_build_fault(context, document, &fault);
}

void ws_build_assume(ws_build *context, ws_text sentence)
{
    ws_loaded *loaded = context->loaded;

    for (size_t i = 0; i < loaded->assumption_count; i++) {
        if (ws_text_equals(loaded->assumptions[i], sentence)) {
            return;
        }
    }
    if (loaded->assumption_count < WS_ASSUMPTIONS_MAX) {
        loaded->assumptions[loaded->assumption_count++] = sentence;
    }
}
