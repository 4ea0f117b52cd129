/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says what is wrong with a quantity, and what to write instead. The texts are those of the manual.
 */
#include <string.h>

#include "ws/assert.h"
#include "ws/number.h"

#include "number_parts.h"
#include "quantity_units.h"

/* Longer values are cut in messages; the source line shows them whole. */
#define EXPLAIN_SHOWN_BYTES 40

/* What a message is made of. */
typedef struct {
    const ws_quantity_reading *reading;
    const ws_quantity_words *words;
    ws_quantity_kind kind;
    ws_text text; /* as written */
    ws_text name;
    ws_arena *arena;
    ws_quantity_fault fault;
} explain_case;

typedef struct {
    char bytes[EXPLAIN_SHOWN_BYTES + 4];
} explain_shown;

/* A value as a message may show it: short, without control characters, valid UTF-8. */
static const char *explain_show(ws_text text, explain_shown *shown)
{
    size_t length = 0;

    for (size_t i = 0; i < text.length;) {
        uint32_t scalar = 0;
        size_t bytes = ws_text_decode(text, i, &scalar);

        if (length + bytes > EXPLAIN_SHOWN_BYTES) {
            memcpy(shown->bytes + length, "...", 3);
            length += 3;
            break;
        }
        if (scalar < 0x20 || (scalar >= 0x7F && scalar < 0xA0) || scalar == WS_SCALAR_INVALID ||
            (scalar >= 0x200B && scalar <= 0x206F)) {
            shown->bytes[length] = '?';
            length++;
        } else {
            memcpy(shown->bytes + length, text.start + i, bytes);
            length += bytes;
        }
        i += bytes;
    }
    shown->bytes[length] = '\0';
    return shown->bytes;
}

/* help: write `X`, when a spelling that is right is found. */
static void explain_suggest(explain_case *c)
{
    char suggestion[WS_QUANTITY_SUGGESTION_BYTES];
    ws_text found = ws_quantity_suggest(c->text, c->kind, suggestion);

    if (found.length > 0) {
        c->fault.help = ws_arena_format(c->arena, "write `%.*s`", WS_TEXT_ARGS(found));
    }
}

/* 604800: `604800s`, or `7d` for the same length. */
static void explain_missing_time_unit(explain_case *c)
{
    char longer[WS_QUANTITY_SUGGESTION_BYTES];
    char shorter[WS_QUANTITY_TEXT_BYTES];
    explain_shown number;
    ws_text in_seconds = ws_arena_format(c->arena, "%ss", explain_show(c->text, &number));
    ws_quantity_reading reading = ws_quantity_read(in_seconds, WS_QUANTITY_DURATION);

    if (reading.code != 0 || !ws_text_equals(c->text, c->reading->number)) {
        /* The last term of a sum: which unit was meant is for the writer to say. */
        c->fault.help = ws_quantity_suggest(in_seconds, c->kind, longer).length == 0
                            ? WS_TEXT("")
                            : ws_arena_format(c->arena, "write a unit behind `%s`",
                                              explain_show(c->reading->number, &number));
        return;
    }
    (void)ws_quantity_print(reading.value, WS_QUANTITY_DURATION, shorter);
    if (ws_text_is(in_seconds, shorter)) {
        c->fault.help = ws_arena_format(c->arena, "write `%s`", shorter);
    } else {
        c->fault.help = ws_arena_format(c->arena, "write `%.*s`, or `%s` for the same length",
                                        WS_TEXT_ARGS(in_seconds), shorter);
    }
}

static void explain_missing_unit(explain_case *c)
{
    explain_shown shown;
    const char *number = explain_show(c->reading->number, &shown);
    ws_text *help = &c->fault.help;

    c->fault.message = ws_arena_format(c->arena, "`%.*s` is %s and needs a unit",
                                       WS_TEXT_ARGS(c->name), c->words->name);
    c->fault.label = WS_TEXT("a number without a unit");
    if (c->kind == WS_QUANTITY_DURATION) {
        explain_missing_time_unit(c);
    } else if (c->kind == WS_QUANTITY_BYTES) {
        *help = ws_arena_format(c->arena, "write `%sGiB` (2^30 bytes each) or `%sGB` (10^9)",
                                number, number);
    } else if (c->kind == WS_QUANTITY_BANDWIDTH) {
        *help =
            ws_arena_format(c->arena, "write `%sGb/s` (bits) or `%sGB/s` (bytes)", number, number);
    } else if (c->kind == WS_QUANTITY_RATE) {
        *help = ws_arena_format(c->arena, "write `%s/h`, or `%s/s`", number, number);
    } else if (c->kind == WS_QUANTITY_WORK_RATE) {
        *help = ws_arena_format(c->arena, "write `%.*s/s`", WS_TEXT_ARGS(c->text));
    } else if (c->kind == WS_QUANTITY_PER_WORK) {
        ws_text time = c->reading->unit.length == 0 ? WS_TEXT("ms") : c->reading->unit;

        *help = ws_arena_format(c->arena, "write `%s%.*s/sample`, or `/token` or `/step`", number,
                                WS_TEXT_ARGS(time));
    }
}

/* The number in days, when the unit is a month or a year of some sort; false otherwise. */
static bool explain_months(explain_case *c)
{
    const char *const names[] = {"mo", "month", "months", "y", "yr", "yrs", "year", "years"};
    ws_text unit = c->reading->unit;
    ws_number_parts parts;
    char days[WS_QUANTITY_TEXT_BYTES];
    ws_quantity value = {.integer = 0};
    size_t index = 0;

    while (index < WS_COUNT_OF(names) && !ws_text_is(unit, names[index])) {
        index++;
    }
    if (c->kind != WS_QUANTITY_DURATION || index == WS_COUNT_OF(names)) {
        return false;
    }
    c->fault.help = WS_TEXT("use days: months and years differ in length");
    if (ws_number_take_apart(c->reading->number, &parts) &&
        ws_number_multiply(&parts, (index < 3 ? 30 : 365) * WS_NS_PER_D, 1, &value.integer) ==
            WS_PRODUCT_EXACT) {
        (void)ws_quantity_print(value, WS_QUANTITY_DURATION, days);
        c->fault.help = ws_arena_format(c->arena, "use days: `%s`", days);
    }
    return true;
}

/* `PT30S`: the translation, or why there is none. */
static void explain_iso8601(explain_case *c)
{
    char translation[WS_QUANTITY_SUGGESTION_BYTES];
    explain_shown shown;
    ws_text found = ws_quantity_of_iso8601(c->text, translation);
    ws_text date = ws_text_slice(c->text, 0, ws_text_find_byte(c->text, 'T'));

    c->fault.message =
        ws_arena_format(c->arena, "`%s` is an ISO 8601 duration", explain_show(c->text, &shown));
    c->fault.label = WS_TEXT("times are written with units here");
    if (found.length > 0) {
        c->fault.help = ws_arena_format(c->arena, "write `%.*s`", WS_TEXT_ARGS(found));
    } else if (ws_text_find_byte(date, 'Y') < date.length ||
               ws_text_find_byte(date, 'M') < date.length) {
        c->fault.help = WS_TEXT("use days: months and years differ in length");
    } else {
        c->fault.help = WS_TEXT("write times as in `1h30m`");
    }
}

static void explain_unknown_unit(explain_case *c)
{
    explain_shown shown;
    const char *unit = explain_show(ws_text_trimmed(c->reading->unit), &shown);

    if (c->kind == WS_QUANTITY_DURATION && ws_quantity_is_iso8601(c->text)) {
        explain_iso8601(c);
        return;
    }
    c->fault.label = WS_TEXT("unknown unit");
    if (c->words->units == NULL) {
        c->fault.message = ws_arena_format(c->arena, "`%.*s` is %s and takes no unit `%s`",
                                           WS_TEXT_ARGS(c->name), c->words->name, unit);
    } else {
        c->fault.message = ws_arena_format(c->arena, "`%s` is not a %s unit", unit, c->words->unit);
        c->fault.note = ws_text_of(c->words->units);
    }
    if (!explain_months(c)) {
        explain_suggest(c);
    }
}

/* 5e10 bytes/s as "50 GB/s", 3.2e12 bits/s as "3.2 Tb/s". */
static ws_text explain_scaled(explain_case *c, double amount, const char *letter)
{
    const char *const prefixes[] = {"", "k", "M", "G", "T", "P"};
    char number[WS_NUMBER_TEXT_BYTES];
    size_t i = 0;

    while (amount >= 1000 && i + 1 < WS_COUNT_OF(prefixes)) {
        amount /= 1000;
        i++;
    }
    ws_print_f64(amount, number);
    return ws_arena_format(c->arena, "%s %s%s", number, prefixes[i], letter);
}

static size_t explain_prefix_index(ws_text unit)
{
    const char letters[] = "kKmMgGtTpP";
    const char *found = memchr(letters, unit.start[0], sizeof letters - 1);

    return found == NULL ? 0 : (size_t)(found - letters) / 2 + 1;
}

static void explain_ambiguous_unit(explain_case *c)
{
    const char *const names[] = {"", "kilo", "mega", "giga", "tera", "peta"};
    const char *const prefixes[] = {"", "k", "M", "G", "T", "P"};
    explain_shown shown_unit;
    explain_shown shown_number;
    size_t index = explain_prefix_index(c->reading->unit);
    const char *unit = explain_show(c->reading->unit, &shown_unit);
    const char *number = explain_show(c->reading->number, &shown_number);
    const char *prefix = prefixes[index];
    bool is_size = c->kind == WS_QUANTITY_BYTES;
    double amount = 0;
    ws_text as_bytes;
    ws_text as_bits;

    c->fault.message = ws_arena_format(c->arena, "`%s` could mean %sbits or %sbytes%s", unit,
                                       names[index], names[index], is_size ? "" : " per second");
    c->fault.label = WS_TEXT("the case of the letters carries the meaning");
    if (!ws_number_shifted(c->reading->number, (int)index * 3, &amount) || amount > 1e18) {
        return;
    }
    as_bytes = explain_scaled(c, amount / 8, is_size ? "B" : "B/s");
    as_bits = explain_scaled(c, amount * 8, is_size ? "b" : "b/s");
    if (is_size) {
        c->fault.help =
            ws_arena_format(c->arena, "write `%s%sB` for %sbytes; %s %sbits are %.*s", number,
                            prefix, names[index], number, names[index], WS_TEXT_ARGS(as_bytes));
        return;
    }
    c->fault.help =
        ws_arena_format(c->arena, "`%s%sb/s` is %.*s (bits); `%s%sB/s` is %.*s (bytes)", number,
                        prefix, WS_TEXT_ARGS(as_bytes), number, prefix, WS_TEXT_ARGS(as_bits));
}

/* 2.99, $2.99 or 2.99/h: what is missing, and the whole. */
static void explain_price(explain_case *c)
{
    explain_shown shown;
    const char *number = explain_show(c->reading->number, &shown);
    bool has_currency = c->reading->has_currency;
    bool has_time = c->reading->unit.length > 0 || ws_text_find_byte(c->text, '/') < c->text.length;

    if (c->kind == WS_QUANTITY_MONEY) {
        c->fault.message = ws_arena_format(c->arena, "`%.*s` is %s and needs a currency",
                                           WS_TEXT_ARGS(c->name), c->words->name);
        c->fault.label = WS_TEXT("no currency");
        c->fault.help = ws_arena_format(c->arena, "write `$%s`", number);
        return;
    }
    c->fault.message = WS_TEXT("a price needs a currency and a time, per GPU or per node");
    c->fault.help = ws_arena_format(c->arena, "write `$%s/h`", number);
    if (c->kind == WS_QUANTITY_VOLUME_PRICE) {
        c->fault.message = WS_TEXT("a price of storage needs a currency, a size and a time");
        c->fault.help = ws_arena_format(c->arena, "write `$%s/GiB/month`", number);
    }
    if (has_currency) {
        c->fault.label = WS_TEXT("no time");
    } else {
        c->fault.label = has_time ? WS_TEXT("no currency") : WS_TEXT("no currency, no time");
    }
}

/* 95: `95%` or `0.95`. */
static void explain_fraction(explain_case *c)
{
    char fraction[WS_NUMBER_TEXT_BYTES];
    explain_shown shown_text;
    explain_shown shown_number;
    const char *number = explain_show(c->reading->number, &shown_number);
    double percent = 0;
    bool is_bare = c->reading->unit.length == 0;

    c->fault.message =
        ws_arena_format(c->arena, "`%.*s` is %s", WS_TEXT_ARGS(c->name), c->words->name);
    c->fault.label =
        ws_arena_format(c->arena, "%s is more than 1", explain_show(c->text, &shown_text));
    if (!is_bare || !ws_number_shifted(c->reading->number, -2, &percent)) {
        return;
    }
    if (percent <= 1) {
        ws_print_f64(percent, fraction);
        c->fault.help =
            c->kind == WS_QUANTITY_FRACTION
                ? ws_arena_format(c->arena, "write `%s%%` or `%s`", number, fraction)
                : ws_arena_format(c->arena, "write `%s%%`, or `%s00%%` for %s times as much",
                                  number, number, number);
    } else if (c->kind == WS_QUANTITY_PERCENT) {
        c->fault.help = ws_arena_format(c->arena, "write `%s%%`", number);
    }
}

static void explain_no_number(explain_case *c)
{
    explain_shown shown;
    bool is_empty = c->text.length == 0;

    c->fault.message =
        is_empty ? ws_arena_format(c->arena, "`%.*s` is empty", WS_TEXT_ARGS(c->name))
                 : ws_arena_format(c->arena, "`%.*s` is %s, but `%s` is not", WS_TEXT_ARGS(c->name),
                                   c->words->name, explain_show(c->text, &shown));
    c->fault.label = c->reading->number.length > 0 ? WS_TEXT("no blanks or other signs within")
                                                   : WS_TEXT("not a number");
    explain_suggest(c);
    if (c->fault.help.length == 0) {
        c->fault.help = ws_arena_format(c->arena, "write a value such as `%s`", c->words->example);
    }
}

static void explain_range(explain_case *c)
{
    if (c->fault.code == 3107) {
        c->fault.message = c->words->largest == NULL
                               ? ws_arena_format(c->arena, "`%.*s` is too large for a number",
                                                 WS_TEXT_ARGS(c->name))
                               : ws_arena_format(c->arena, "`%.*s` is too large: at most `%s`",
                                                 WS_TEXT_ARGS(c->name), c->words->largest);
        c->fault.label = WS_TEXT("out of range");
        return;
    }
    if (c->words->step != NULL) {
        c->fault.message = ws_arena_format(c->arena, "`%.*s` is not a whole number%s",
                                           WS_TEXT_ARGS(c->name), c->words->step);
        c->fault.label = WS_TEXT("finer than the smallest step");
    } else {
        c->fault.message =
            ws_arena_format(c->arena, "`%.*s` is too small to tell from 0", WS_TEXT_ARGS(c->name));
        c->fault.label = WS_TEXT("out of range");
    }
}

ws_quantity_fault ws_quantity_explain(const ws_quantity_reading *reading, ws_text text,
                                      ws_quantity_kind kind, ws_text name, ws_arena *arena)
{
    explain_case c = {.reading = reading,
                      .words = ws_quantity_words_of(kind),
                      .kind = kind,
                      .text = text,
                      .name = name,
                      .arena = arena,
                      .fault = {.code = reading->code}};

    WS_ASSERT(reading->code >= 3101 && reading->code <= 3109);

    switch (reading->code) {
    case 3101:
        explain_missing_unit(&c);
        break;
    case 3102:
        explain_unknown_unit(&c);
        break;
    case 3103:
        explain_ambiguous_unit(&c);
        break;
    case 3104:
        explain_price(&c);
        break;
    case 3105:
        explain_fraction(&c);
        break;
    case 3106:
        explain_no_number(&c);
        break;
    case 3109:
        c.fault.message = ws_arena_format(arena, "`%.*s` is %s and cannot be negative",
                                          WS_TEXT_ARGS(name), c.words->name);
        c.fault.label = WS_TEXT("less than 0");
        break;
    default:
        explain_range(&c);
        break;
    }
    return c.fault;
}
