/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Faults of meaning in a text that is well-formed YAML: see yaml_reader.h. */
#include <inttypes.h>
#include <string.h>

#include "ws/glyph.h"

#include "yaml_reader.h"

bool ws_yaml_refuse_limit(const ws_yaml_reader *reader, int code, ws_span at, ws_text message)
{
    WS_ASSERT(reader->diag != NULL);

    ws_diagnostic diagnostic = {
        .severity = WS_SEVERITY_ERROR,
        .code = code,
        .message = message,
        .at = at,
        .label = WS_TEXT("the limit is passed here"),
    };

    if (code == 1301) {
        diagnostic.notes[0] = WS_TEXT(
            "expanded nodes are counted, not built; use `include:` or a trace file for large data");
    }
    ws_diag_add(reader->diag, &diagnostic);
    return false;
}

void ws_yaml_check_hidden(const ws_yaml_reader *reader, ws_text text, ws_span at, bool is_key)
{
    WS_ASSERT(reader->diag != NULL);

    uint32_t found = 0;

    for (size_t i = 0; i < text.length;) {
        i += ws_text_decode(text, i, &found);
        if (!ws_glyph_is_hidden(found) ||
            (!is_key && (found == '\t' || found == '\n' || found == '\r'))) {
            continue;
        }
        ws_diagnostic diagnostic = {
            .severity = WS_SEVERITY_ERROR,
            .code = 1305,
            .message = ws_arena_format(
                reader->arena, "the hidden character U+%04" PRIX32 " is not allowed in a %s", found,
                is_key ? "key" : "value"),
            .at = at,
        };
        ws_diag_add(reader->diag, &diagnostic);
        return;
    }
}

void ws_yaml_refuse_tag(const ws_yaml_reader *reader, const yaml_event_t *event)
{
    WS_ASSERT(event != NULL);

    yaml_mark_t start = event->start_mark;
    size_t from = ws_yaml_offset(reader, &start);
    ws_text content = reader->source->content;
    size_t to = 0;

    /* The tag may stand behind an anchor. */
    while (from < content.length && content.start[from] != '!') {
        from++;
    }
    to = from;
    while (to < content.length && strchr(" \t\r\n", content.start[to]) == NULL) {
        to++;
    }
    ws_diagnostic diagnostic = {
        .severity = WS_SEVERITY_ERROR,
        .code = 1307,
        .message = WS_TEXT("tags are not used here"),
        .at = ws_yaml_bytes(reader, from, to),
        .label = WS_TEXT("a tag"),
        .help = WS_TEXT("remove it"),
    };
    ws_diag_add(reader->diag, &diagnostic);
}

void ws_yaml_refuse_unknown_alias(const ws_yaml_reader *reader, ws_text name, ws_span at)
{
    const char **names = ws_arena_alloc(reader->arena, const char *, reader->anchor_count + 1);
    int nearest = -1;
    ws_diagnostic diagnostic = {
        .severity = WS_SEVERITY_ERROR,
        .code = 1303,
        .message = ws_arena_format(reader->arena, "alias `*%.*s` has no anchor before it",
                                   WS_TEXT_ARGS(name)),
        .at = at,
        .label = WS_TEXT("no such anchor"),
    };

    for (size_t i = 0; names != NULL && i < reader->anchor_count; i++) {
        names[i] = reader->anchors[i].name.start;
    }
    if (names != NULL) {
        nearest = ws_text_nearest(name, names, reader->anchor_count);
    }
    if (nearest >= 0) {
        diagnostic.help = ws_arena_format(reader->arena, "did you mean `*%s`?", names[nearest]);
    }
    ws_diag_add(reader->diag, &diagnostic);
}

void ws_yaml_refuse_open_alias(const ws_yaml_reader *reader, const ws_yaml_anchor *anchor,
                               ws_span at)
{
    WS_ASSERT(anchor != NULL);

    ws_diagnostic diagnostic = {
        .severity = WS_SEVERITY_ERROR,
        .code = 1302,
        .message = ws_arena_format(reader->arena, "alias `*%.*s` stands inside of its own anchor",
                                   WS_TEXT_ARGS(anchor->name)),
        .at = at,
        .label = WS_TEXT("would contain itself"),
        .also = anchor->at,
        .also_label = WS_TEXT("the anchor is here"),
    };

    ws_diag_add(reader->diag, &diagnostic);
}

void ws_yaml_refuse_duplicate(const ws_yaml_reader *reader, ws_text key, ws_span at, ws_span first)
{
    WS_ASSERT(reader->diag != NULL);

    ws_diagnostic diagnostic = {
        .severity = WS_SEVERITY_ERROR,
        .code = 1201,
        .at = at,
        .label = WS_TEXT("second value"),
        .also = first,
        .also_label = WS_TEXT("first value is here"),
        .notes = {WS_TEXT("many YAML tools keep the last value silently; worldsize never guesses")},
    };
    ws_text shown = ws_text_slice(key, 0, 100); /* long keys are shown at their place */

    diagnostic.message = ws_arena_format(
        reader->arena, "key `%.*s` appears twice in the same mapping", WS_TEXT_ARGS(shown));
    ws_diag_add(reader->diag, &diagnostic);
}
