/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "diagnostics_json.h"

#include <stdio.h>

static ws_text diagnostics_severity(ws_severity severity)
{
    switch (severity) {
    case WS_SEVERITY_NOTE:
        return WS_TEXT("note");
    case WS_SEVERITY_WARNING:
        return WS_TEXT("warning");
    case WS_SEVERITY_ERROR:
        return WS_TEXT("error");
    case WS_SEVERITY_BUG:
        break;
    }
    return WS_TEXT("bug");
}

static void diagnostics_write_number(ws_writer *json, const char *key, bool known, int64_t value)
{
    if (known) {
        ws_json_i64(json, key, value);
    } else {
        ws_json_null(json, key);
    }
}

static void diagnostics_write_place(ws_writer *json, const ws_span *at)
{
    WS_ASSERT(at->source != NULL || at->line == 0);

    bool has_file = at->source != NULL;
    bool has_line = has_file && at->line > 0;

    if (has_file) {
        ws_json_text(json, "file", at->source->name);
    } else {
        ws_json_null(json, "file");
    }
    diagnostics_write_number(json, "line", has_line, at->line);
    diagnostics_write_number(json, "column", has_line, at->column);
    diagnostics_write_number(json, "end_line", has_line, at->line);
    diagnostics_write_number(json, "end_column", has_line, (int64_t)at->column + at->length);
    diagnostics_write_number(json, "byte_offset", has_line, at->offset);
}

static void diagnostics_write_texts(ws_writer *json, const char *key, const ws_text *texts,
                                    size_t count)
{
    ws_json_begin_list(json, key);
    for (size_t i = 0; i < count; i++) {
        if (texts[i].length > 0) {
            ws_json_text(json, NULL, texts[i]);
        }
    }
    ws_json_end_list(json);
}

static void diagnostics_write_one(ws_writer *json, const ws_diagnostic *entry)
{
    WS_ASSERT(entry->code > 0);

    char code[16];

    (void)snprintf(code, sizeof code, "WS%04d", entry->code);
    ws_json_begin_object(json, NULL);
    ws_json_text(json, "severity", diagnostics_severity(entry->severity));
    ws_json_text(json, "code", ws_text_of(code));
    ws_json_text(json, "message", entry->message);
    diagnostics_write_place(json, &entry->at);
    ws_json_text(json, "label", entry->label);
    diagnostics_write_texts(json, "help", &entry->help, 1);
    diagnostics_write_texts(json, "notes", entry->notes, WS_COUNT_OF(entry->notes));
    ws_json_begin_list(json, "related");
    if (entry->also.source != NULL) {
        ws_json_begin_object(json, NULL);
        diagnostics_write_place(json, &entry->also);
        ws_json_text(json, "label", entry->also_label);
        ws_json_end_object(json);
    }
    ws_json_end_list(json);
    ws_json_end_object(json);
}

void ws_diagnostics_write_json(ws_writer *json, const ws_diag *diag)
{
    WS_ASSERT(diag != NULL);
    for (size_t i = 0; i < diag->count; i++) {
        diagnostics_write_one(json, &diag->entries[i]);
    }
}
