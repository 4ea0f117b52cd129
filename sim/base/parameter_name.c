/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names: [a-z0-9-]{1,63}, so that they are safe as file names, labels, CSV cells and HTML ids, and
 * no name of a device that some systems keep for themselves in every folder.
 */
#include "parameter_reader.h"

static bool name_may_hold(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9') || byte == '-';
}

/* Bytes up to the first that no name may hold. */
static size_t name_good_prefix(ws_text name)
{
    size_t length = 0;

    while (length < name.length && name_may_hold(name.start[length])) {
        length++;
    }
    return length;
}

/* con, prn, aux, nul, com1 to com9, lpt1 to lpt9. Source: Microsoft, "Naming Files, Paths, and
 * Namespaces". */
static bool name_is_device(ws_text name)
{
    static const char *const devices[] = {"con", "prn", "aux", "nul"};
    ws_text stem = ws_text_slice(name, 0, 3);
    bool has_number = name.length == 4 && name.start[3] >= '1' && name.start[3] <= '9';

    WS_ASSERT(name.start != NULL);
    for (size_t i = 0; i < WS_COUNT_OF(devices); i++) {
        if (ws_text_is(name, devices[i])) {
            return true;
        }
    }
    return has_number && (ws_text_is(stem, "com") || ws_text_is(stem, "lpt"));
}

bool ws_parameter_name_is_good(ws_text name)
{
    bool has_length = name.length >= 1 && name.length <= WS_PARAMETER_NAME_MAX;

    return has_length && name_good_prefix(name) == name.length && !name_is_device(name);
}

ws_text ws_parameter_name_flaw(ws_text name, ws_arena *arena)
{
    size_t prefix = name_good_prefix(name);
    char byte = prefix < name.length ? name.start[prefix] : '\0';

    WS_ASSERT(!ws_parameter_name_is_good(name));
    if (name.length == 0) {
        return WS_TEXT("empty");
    }
    if (byte > ' ' && byte <= '~') {
        return ws_arena_format(arena, "`%c` is not allowed", byte);
    }
    if (prefix < name.length) {
        return WS_TEXT("holds a character that is not allowed");
    }
    if (name.length > WS_PARAMETER_NAME_MAX) {
        return ws_arena_format(arena, "%zu characters", name.length);
    }
    return WS_TEXT("the name of a device on some systems");
}

/* The byte as a name may hold it: small letters, `-` for all else. */
static char name_fit_byte(char byte)
{
    if (byte >= 'A' && byte <= 'Z') {
        return (char)(byte - 'A' + 'a');
    }
    return name_may_hold(byte) ? byte : '-';
}

ws_text ws_parameter_name_fitted(ws_text name, ws_arena *arena)
{
    char *fitted = ws_arena_alloc(arena, char, WS_PARAMETER_NAME_MAX + 1);
    size_t length = 0;

    for (size_t i = 0; fitted != NULL && i < name.length && length < WS_PARAMETER_NAME_MAX; i++) {
        char byte = name_fit_byte(name.start[i]);
        bool is_double = byte == '-' && (length == 0 || fitted[length - 1] == '-');

        if (!is_double) {
            fitted[length] = byte;
            length++;
        }
    }
    while (length > 0 && fitted[length - 1] == '-') {
        length--;
    }
    return (ws_text){.start = fitted, .length = length};
}
