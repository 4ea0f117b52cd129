/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One currency for all money of a document.
 *
 * Prices are read one by one into plain integers, so that a mix is looked for afterwards, along the
 * tables. Values were valid when they were read; what is no money here was reported there.
 */
#include <string.h>

#include "parameter_reader.h"

typedef struct {
    ws_currency *currency;
    ws_arena *arena;
    ws_diag *diag;
} currency_check;

static bool currency_is_money(ws_parameter_kind kind)
{
    return kind == WS_PARAMETER_PRICE || kind == WS_PARAMETER_MONEY ||
           kind == WS_PARAMETER_VOLUME_PRICE;
}

static bool currency_mixed(const currency_check *check, const ws_document *value,
                           const ws_quantity *quantity)
{
    ws_diagnostic fault = {
        .severity = WS_SEVERITY_ERROR,
        .code = 3111,
        .message = ws_arena_format(check->arena, "amounts are in %s and in %s",
                                   check->currency->name, quantity->currency),
        .at = value->at,
        .label = WS_TEXT("nothing converts one into the other"),
        .also = check->currency->at,
        .also_label = WS_TEXT("the first amount"),
        .notes = {ws_document_alias_note(value, check->arena)},
    };

    ws_diag_add(check->diag, &fault);
    return false;
}

static bool currency_value(const currency_check *check, const ws_parameter *row,
                           const ws_document *value)
{
    ws_currency *currency = check->currency;
    ws_quantity quantity = {0};
    ws_quantity_fault fault = {0};
    bool is_read = value->kind == WS_DOCUMENT_SCALAR &&
                   ws_quantity_parse(value->scalar, ws_parameter_facts_of(row->kind)->quantity,
                                     ws_text_of(row->name), &quantity, &fault, check->arena);
    bool is_nothing = quantity.integer == 0 && !(quantity.real > 0);

    /* Nothing is nothing in every currency, as are defaults. */
    if (!is_read || is_nothing || quantity.currency[0] == '\0') {
        return true;
    }
    if (currency->name[0] == '\0') {
        (void)memcpy(currency->name, quantity.currency, sizeof currency->name);
        currency->at = value->at;
        return true;
    }
    return memcmp(currency->name, quantity.currency, sizeof currency->name) == 0 ||
           currency_mixed(check, value, &quantity);
}

static bool currency_map(const currency_check *check, const ws_document *map,
                         const ws_parameter_table *table);

/* The maps of a MAP or an OPTIONAL_MAP, or of a MAP_LIST. */
static bool currency_below(const currency_check *check, const ws_parameter *row,
                           const ws_document *value)
{
    bool is_good = true;

    if (row->kind != WS_PARAMETER_MAP_LIST) {
        return currency_map(check, value, row->table);
    }
    for (size_t i = 0; value->kind == WS_DOCUMENT_LIST && i < value->count; i++) {
        is_good = currency_map(check, value->entries[i].value, row->table) && is_good;
    }
    return is_good;
}

/* As deep as the document, which its reader bounds. */
static bool currency_map(const currency_check *check, const ws_document *map,
                         const ws_parameter_table *table)
{
    bool is_good = true;

    WS_ASSERT(table != NULL);
    for (size_t i = 0; i < table->count; i++) {
        const ws_parameter *row = &table->rows[i];
        const ws_document *value = row->name != NULL ? ws_document_find(map, row->name) : NULL;

        if (value != NULL && currency_is_money(row->kind)) {
            is_good = currency_value(check, row, value) && is_good;
        } else if (value != NULL && row->table != NULL) {
            is_good = currency_below(check, row, value) && is_good;
        }
    }
    return is_good;
}

bool ws_parameters_check_currency(const ws_document *map, const ws_parameter_table *table,
                                  ws_currency *currency, ws_arena *arena, ws_diag *diag)
{
    currency_check check = {.currency = currency, .arena = arena, .diag = diag};

    WS_ASSERT(map != NULL);
    WS_ASSERT(currency != NULL);
    WS_ASSERT(diag != NULL);
    return currency_map(&check, map, table);
}
