/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One value of one kind: the table of kinds, and the readers of scalars.
 *
 * A quantity is parsed, held against the row's range, and stored by a small function of its kind.
 * Ranges are texts of the table in the same notation as the value; they are parsed where they are
 * used.
 */
#include <assert.h>
#include <string.h>

#include "parameter_reader.h"
#include "ws/distribution.h"
#include "ws/number.h"

static bool value_is_scalar(const ws_parameter_slot *slot)
{
    return slot->value->kind == WS_DOCUMENT_SCALAR || ws_parameter_fault_kind(slot);
}

static bool value_read_bool(const ws_parameter_slot *slot, void *field)
{
    if (!value_is_scalar(slot)) {
        return false;
    }
    return ws_document_bool(slot->value, field) || ws_parameter_fault_bool(slot);
}

static void value_store_i64(ws_quantity value, void *field)
{
    *(int64_t *)field = value.integer;
}

static void value_store_f64(ws_quantity value, void *field)
{
    *(double *)field = value.real;
}

static void value_store_duration(ws_quantity value, void *field)
{
    *(ws_duration *)field = (ws_duration){.ns = value.integer};
}

static void value_store_price(ws_quantity value, void *field)
{
    *(ws_price *)field = (ws_price){.nano_per_h = value.integer};
}

static void value_store_money(ws_quantity value, void *field)
{
    *(ws_money *)field = (ws_money){.nano = value.integer};
}

static void value_store_work(ws_quantity value, void *field)
{
    *(ws_work *)field = (ws_work){.amount = value.real, .unit = (int32_t)value.unit};
}

/* A limit of the table, which is right or a bug. */
static ws_quantity value_limit(const ws_parameter_slot *slot, const char *text,
                               ws_quantity_kind kind)
{
    ws_quantity limit = {0};
    ws_quantity_fault fault;
    bool is_valid = ws_quantity_parse(ws_text_of(text), kind, ws_text_of(slot->row->name), &limit,
                                      &fault, slot->place->reader->arena);

    WS_ASSERT(text != NULL);
    WS_ASSERT(is_valid);
    return limit;
}

/* Negative, zero or positive. Of the two parts of a quantity its kind fills one, so that the other
 * is equal. */
static int value_compare(ws_quantity a, ws_quantity b)
{
    if (a.integer != b.integer) {
        return a.integer < b.integer ? -1 : 1;
    }
    return (a.real > b.real) - (a.real < b.real);
}

static bool value_check_range(const ws_parameter_slot *slot, ws_quantity value,
                              ws_quantity_kind kind)
{
    const ws_parameter *row = slot->row;

    WS_ASSERT(!row->above_min || row->min != NULL);
    if (row->min != NULL) {
        int order = value_compare(value, value_limit(slot, row->min, kind));

        if (order < 0) {
            return ws_parameter_fault_range(slot, "less than", row->min);
        }
        if (order == 0 && row->above_min) {
            return ws_parameter_fault_range(slot, "not more than", row->min);
        }
    }
    if (row->max != NULL && value_compare(value, value_limit(slot, row->max, kind)) > 0) {
        return ws_parameter_fault_range(slot, "more than", row->max);
    }
    return true;
}

static bool value_read_quantity(const ws_parameter_slot *slot, void *field)
{
    const ws_parameter_facts *facts = ws_parameter_facts_of(slot->kind);
    ws_quantity value = {0};
    ws_quantity_fault fault = {0};
    int64_t digits = 0;

    WS_ASSERT(facts->store != NULL);
    if (!value_is_scalar(slot)) {
        return false;
    }
    if (!ws_quantity_parse(slot->value->scalar, facts->quantity, ws_text_of(slot->row->name),
                           &value, &fault, slot->place->reader->arena)) {
        return ws_parameter_fault_quantity(slot, &fault);
    }
    if (slot->kind == WS_PARAMETER_INTEGER && !ws_parse_i64(slot->value->scalar, &digits)) {
        return ws_parameter_fault_digits(slot, value);
    }
    if (!value_check_range(slot, value, facts->quantity)) {
        return false;
    }
    facts->store(value, field);
    return true;
}

static bool value_read_name(const ws_parameter_slot *slot, void *field)
{
    if (!value_is_scalar(slot)) {
        return false;
    }
    if (!ws_parameter_name_is_good(slot->value->scalar)) {
        return ws_parameter_fault_name(slot);
    }
    *(ws_text *)field = slot->value->scalar;
    return true;
}

/* What diagnostics would show escaped (control characters, bidirectional marks, bytes that are no
 * UTF-8) is in no text. */
static bool value_check_controls(const ws_parameter_slot *slot, bool is_multi_line)
{
    ws_text text = slot->value->scalar;
    size_t at = 0;

    WS_ASSERT(slot->value->kind == WS_DOCUMENT_SCALAR);
    while (at < text.length) {
        bool is_line = text.start[at] == '\n' || text.start[at] == '\t';
        ws_glyph glyph;
        size_t bytes = ws_glyph_next(text, at, &glyph);
        bool is_plain = glyph.length == bytes && memcmp(glyph.bytes, text.start + at, bytes) == 0;

        if (!is_plain && !(is_line && is_multi_line)) {
            return ws_parameter_fault_control(slot, &glyph);
        }
        at += bytes;
    }
    return true;
}

/* A text may have several lines (`description: |`), so line feeds and tabs pass. */
static bool value_read_text(const ws_parameter_slot *slot, void *field)
{
    if (!value_is_scalar(slot) || !value_check_controls(slot, true)) {
        return false;
    }
    *(ws_text *)field = slot->value->scalar;
    return true;
}

static bool value_read_path(const ws_parameter_slot *slot, void *field)
{
    if (!value_is_scalar(slot) || !value_check_controls(slot, false)) {
        return false;
    }
    if (slot->value->scalar.length == 0) {
        return ws_parameter_fault_kind(slot);
    }
    *(ws_text *)field = slot->value->scalar;
    return true;
}

static bool value_read_timestamp(const ws_parameter_slot *slot, void *field)
{
    const char *label = NULL;

    if (!value_is_scalar(slot)) {
        return false;
    }
    return ws_timestamp_read(slot->value->scalar, field, &label) ||
           ws_parameter_fault_timestamp(slot, label);
}

static bool value_read_choice(const ws_parameter_slot *slot, void *field)
{
    const char *const *choices = slot->row->choices;

    WS_ASSERT(choices != NULL);
    if (!value_is_scalar(slot)) {
        return false;
    }
    for (int32_t i = 0; choices[i] != NULL; i++) {
        if (ws_text_is(slot->value->scalar, choices[i])) {
            *(int32_t *)field = i;
            return true;
        }
    }
    return ws_parameter_fault_choice(slot);
}

/* Whether a map in the place of a distribution is one of the row's table: it has a key of it. */
static bool value_is_of_table(const ws_parameter_slot *slot)
{
    const ws_parameter_table *table = slot->row->table;

    for (size_t i = 0; slot->row->map_offset != 0 && i < table->count; i++) {
        if (table->rows[i].name != NULL &&
            ws_document_find(slot->value, table->rows[i].name) != NULL) {
            return true;
        }
    }
    return false;
}

/* The range of a distribution is that of its mean. */
static bool value_read_distribution(const ws_parameter_slot *slot, void *field)
{
    const ws_parameter_reader *reader = slot->place->reader;
    ws_distribution *distribution = field;
    ws_diag found;
    bool is_good = false;

    if (slot->value->kind != WS_DOCUMENT_SCALAR && slot->value->kind != WS_DOCUMENT_MAP) {
        return ws_parameter_fault_kind(slot);
    }
    if (value_is_of_table(slot)) {
        char *object = (char *)field - slot->row->offset;
        return ws_parameter_read_optional_map(slot, object + slot->row->map_offset);
    }
    ws_diag_init(&found, reader->arena);
    is_good = ws_distribution_read(slot->value, ws_text_of(slot->row->name), distribution,
                                   reader->arena, &found);
    ws_parameter_forward(slot, &found);
    if (!is_good) {
        return false;
    }
    return value_check_range(
        slot, (ws_quantity){.integer = ws_duration_of_s(ws_distribution_mean(distribution)).ns},
        WS_QUANTITY_DURATION);
}

static bool value_read_document(const ws_parameter_slot *slot, void *field)
{
    WS_ASSERT(slot->value != NULL);
    *(const ws_document **)field = slot->value;
    return true;
}

#define QUANTITY(kind, how) .read = value_read_quantity, .quantity = (kind), .store = (how)
#define LIST_OF(kind, type)                                                                        \
    .read = ws_parameter_read_scalar_list, .element = (kind), .element_bytes = sizeof(type)

static const ws_parameter_facts value_kinds[] = {
    [WS_PARAMETER_BOOL] = {.read = value_read_bool, .takes = "true or false", .example = "true"},
    [WS_PARAMETER_INTEGER] = {QUANTITY(WS_QUANTITY_INTEGER, value_store_i64),
                              .takes = "a whole number", .example = "8"},
    [WS_PARAMETER_COUNT] = {QUANTITY(WS_QUANTITY_COUNT, value_store_i64), .takes = "a count",
                            .example = "40k"},
    [WS_PARAMETER_NUMBER] = {QUANTITY(WS_QUANTITY_NUMBER, value_store_f64), .takes = "a number",
                             .example = "1.5"},
    [WS_PARAMETER_FRACTION] = {QUANTITY(WS_QUANTITY_FRACTION, value_store_f64),
                               .takes = "a fraction", .example = "12%"},
    [WS_PARAMETER_PERCENT] = {QUANTITY(WS_QUANTITY_PERCENT, value_store_f64),
                              .takes = "a percentage", .example = "150%"},
    [WS_PARAMETER_DURATION] = {QUANTITY(WS_QUANTITY_DURATION, value_store_duration),
                               .takes = "a time", .example = "30m"},
    [WS_PARAMETER_BYTES] = {QUANTITY(WS_QUANTITY_BYTES, value_store_i64),
                            .takes = "a size in bytes", .example = "14GiB"},
    [WS_PARAMETER_BANDWIDTH] = {QUANTITY(WS_QUANTITY_BANDWIDTH, value_store_f64),
                                .takes = "a bandwidth", .example = "400Gb/s"},
    [WS_PARAMETER_PRICE] = {QUANTITY(WS_QUANTITY_PRICE, value_store_price), .takes = "a price",
                            .example = "$2.99/h"},
    [WS_PARAMETER_MONEY] = {QUANTITY(WS_QUANTITY_MONEY, value_store_money),
                            .takes = "an amount of money", .example = "$20000"},
    [WS_PARAMETER_RATE] = {QUANTITY(WS_QUANTITY_RATE, value_store_f64), .takes = "a rate",
                           .example = "6/h"},
    [WS_PARAMETER_WORK] = {QUANTITY(WS_QUANTITY_WORK, value_store_work),
                           .takes = "an amount of work", .example = "0.5M samples"},
    [WS_PARAMETER_WORK_RATE] = {QUANTITY(WS_QUANTITY_WORK_RATE, value_store_f64),
                                .takes = "a rate of work", .example = "640 samples/s"},
    [WS_PARAMETER_PER_WORK] = {QUANTITY(WS_QUANTITY_PER_WORK, value_store_f64),
                               .takes = "a time for each piece of work", .example = "310ms/sample"},
    [WS_PARAMETER_VOLUME_PRICE] = {QUANTITY(WS_QUANTITY_VOLUME_PRICE, value_store_f64),
                                   .takes = "a price of storage", .example = "$0.10/GiB/month"},
    [WS_PARAMETER_NAME] = {.read = value_read_name, .takes = "a name", .example = NULL},
    [WS_PARAMETER_TEXT] = {.read = value_read_text, .takes = "a text", .example = NULL},
    [WS_PARAMETER_PATH] = {.read = value_read_path, .takes = "a path", .example = NULL},
    [WS_PARAMETER_TIMESTAMP] = {.read = value_read_timestamp,
                                .takes = "a date and time",
                                .example = "2026-01-05T00:00:00Z"},
    [WS_PARAMETER_CHOICE] = {.read = value_read_choice, .takes = "one of", .example = NULL},
    [WS_PARAMETER_DISTRIBUTION] = {.read = value_read_distribution,
                                   .takes = "a time or a distribution of times",
                                   .example = "{dist: lognormal, median: 95s, p95: 240s}"},
    [WS_PARAMETER_MAP] = {.read = ws_parameter_read_map, .takes = "a map", .example = NULL},
    [WS_PARAMETER_OPTIONAL_MAP] = {.read = ws_parameter_read_optional_map,
                                   .takes = "a map",
                                   .example = NULL},
    [WS_PARAMETER_MAP_LIST] = {.read = ws_parameter_read_map_list,
                               .takes = "a list of maps",
                               .example = NULL},
    [WS_PARAMETER_NAME_LIST] = {LIST_OF(WS_PARAMETER_NAME, ws_text), .takes = "a list of names",
                                .example = "[a, b]"},
    [WS_PARAMETER_TEXT_LIST] = {LIST_OF(WS_PARAMETER_TEXT, ws_text), .takes = "a list of texts",
                                .example = "[a, b]"},
    [WS_PARAMETER_INTEGER_LIST] = {LIST_OF(WS_PARAMETER_INTEGER, int64_t),
                                   .takes = "a list of whole numbers", .example = "[8, 16]"},
    [WS_PARAMETER_NUMBER_LIST] = {LIST_OF(WS_PARAMETER_NUMBER, double),
                                  .takes = "a list of numbers", .example = "[0.5, 1.5]"},
    [WS_PARAMETER_DOCUMENT] = {.read = value_read_document, .takes = "any value", .example = NULL},
    [WS_PARAMETER_SELF] = {.takes = "nothing", .example = NULL},
};

static_assert(WS_COUNT_OF(value_kinds) == WS_PARAMETER_SELF + 1, "every kind has its facts");

const ws_parameter_facts *ws_parameter_facts_of(ws_parameter_kind kind)
{
    WS_ASSERT((size_t)kind < WS_COUNT_OF(value_kinds));
    WS_ASSERT(value_kinds[kind].takes != NULL);
    return &value_kinds[kind];
}
