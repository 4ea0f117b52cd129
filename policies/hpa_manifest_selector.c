/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A selector of labels: `matchLabels` are requirements of one value each, in front of those of
 * `matchExpressions`. */
#include "hpa_manifest.h"

#include "ws/assert.h"

static const char *const selector_fields[] = {"matchLabels", "matchExpressions", NULL};
static const char *const expression_fields[] = {"key", "operator", "values", NULL};

typedef struct {
    const char *name;
    ws_select_relation relation;
    bool has_values;
} selector_operator;

static const selector_operator operators[] = {
    {"In", WS_SELECT_IN, true},
    {"NotIn", WS_SELECT_NOT_IN, true},
    {"Exists", WS_SELECT_EXISTS, false},
    {"DoesNotExist", WS_SELECT_ABSENT, false},
};

static bool selector_no_memory(ws_hpa_reader *reader)
{
    reader->is_good = false;
    return ws_diag_error(reader->diag, 9007, ws_span_none, "out of memory while loading");
}

/* A map of one entry, so that its value is read like any field. */
static ws_text selector_entry_text(ws_hpa_reader *reader, const ws_document *map, size_t index)
{
    ws_document one = *map;
    ws_text key = ws_arena_copy_text(reader->arena, map->entries[index].key);

    one.entries = &map->entries[index];
    one.count = 1;
    return key.start == NULL ? WS_TEXT("") : ws_hpa_read_text(reader, &one, key.start);
}

static bool selector_read_label(ws_hpa_reader *reader, const ws_document *labels, size_t index,
                                ws_requirement *requirement)
{
    ws_text *value = ws_arena_alloc(reader->arena, ws_text, 1);

    if (value == NULL) {
        return selector_no_memory(reader);
    }
    *value = selector_entry_text(reader, labels, index);
    *requirement = (ws_requirement){.key = labels->entries[index].key,
                                    .relation = WS_SELECT_IN,
                                    .values = value,
                                    .value_count = 1};
    return true;
}

static const selector_operator *selector_find_operator(ws_hpa_reader *reader,
                                                       const ws_document *expression)
{
    ws_text name = ws_hpa_read_text(reader, expression, "operator");

    for (size_t i = 0; i < WS_COUNT_OF(operators); i++) {
        if (ws_text_is(name, operators[i].name)) {
            return &operators[i];
        }
    }
    ws_hpa_refuse(reader, WS_HPA_CODE_SELECTOR, ws_hpa_place(reader, expression, "operator"),
                  WS_TEXT("`operator` is In, NotIn, Exists or DoesNotExist"));
    return NULL;
}

static bool selector_read_values(ws_hpa_reader *reader, const ws_document *list,
                                 ws_requirement *requirement)
{
    ws_text *values = ws_arena_alloc(reader->arena, ws_text, list->count + 1);

    if (values == NULL) {
        return selector_no_memory(reader);
    }
    for (size_t i = 0; i < list->count; i++) {
        if (list->entries[i].value->kind != WS_DOCUMENT_SCALAR) {
            ws_hpa_refuse(reader, WS_HPA_CODE_SELECTOR, list->entries[i].value->at,
                          WS_TEXT("`values` are texts"));
            return false;
        }
        values[i] = list->entries[i].value->scalar;
    }
    requirement->values = values;
    requirement->value_count = list->count;
    return true;
}

static bool selector_read_expression(ws_hpa_reader *reader, const ws_document *expression,
                                     ws_requirement *requirement)
{
    const selector_operator *operator_found = NULL;
    const ws_document *values = NULL;

    ws_hpa_check_fields(reader, expression,
                        &(ws_hpa_fields){"an entry of `matchExpressions`", expression_fields});
    *requirement = (ws_requirement){.key = ws_hpa_read_text(reader, expression, "key")};
    operator_found = selector_find_operator(reader, expression);
    values = ws_hpa_read_list(reader, expression, "values");
    if (operator_found == NULL) {
        return false;
    }
    if (requirement->key.length == 0) {
        ws_hpa_refuse(reader, WS_HPA_CODE_SELECTOR, expression->at, WS_TEXT("`key` is missing"));
        return false;
    }
    if (operator_found->has_values != (values != NULL && values->count > 0)) {
        ws_hpa_refuse(reader, WS_HPA_CODE_SELECTOR, ws_hpa_place(reader, expression, "values"),
                      ws_arena_format(reader->arena, "`%s` goes with%s `values`",
                                      operator_found->name,
                                      operator_found->has_values ? "" : "out"));
        return false;
    }
    requirement->relation = operator_found->relation;
    return values == NULL || selector_read_values(reader, values, requirement);
}

ws_selector ws_hpa_manifest_selector(ws_hpa_reader *reader, const ws_document *selector)
{
    const ws_document *labels = NULL;
    const ws_document *expressions = NULL;
    ws_requirement *requirements = NULL;
    size_t count = 0;
    bool is_good = true;

    WS_ASSERT(reader != NULL);

    if (selector == NULL) {
        return (ws_selector){.count = 0};
    }
    ws_hpa_check_fields(reader, selector, &(ws_hpa_fields){"a selector", selector_fields});
    labels = ws_hpa_read_map(reader, selector, "matchLabels");
    expressions = ws_hpa_read_list(reader, selector, "matchExpressions");
    requirements = ws_arena_alloc(reader->arena, ws_requirement,
                                  (labels == NULL ? 0 : labels->count) +
                                      (expressions == NULL ? 0 : expressions->count) + 1);
    if (requirements == NULL) {
        (void)selector_no_memory(reader);
        return (ws_selector){.count = 0};
    }
    for (size_t i = 0; labels != NULL && i < labels->count; i++) {
        is_good = selector_read_label(reader, labels, i, &requirements[count++]) && is_good;
    }
    for (size_t i = 0; expressions != NULL && i < expressions->count; i++) {
        const ws_document *entry =
            ws_hpa_read_entry(reader, expressions, i, "an entry of `matchExpressions`");

        is_good = entry != NULL &&
                  selector_read_expression(reader, entry, &requirements[count++]) && is_good;
    }
    return (ws_selector){.requirements = requirements, .count = is_good ? count : 0};
}
