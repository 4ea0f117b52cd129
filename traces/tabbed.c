/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tabbed.h"

const ws_table_form ws_tabbed_form = {.dialect = {.separator = '\t', .is_plain = true},
                                      .has_no_header = true};

bool ws_tabbed_head_has(ws_text head, size_t fields, const size_t *numbers, size_t count)
{
    ws_text rest = ws_text_slice(head, 0, ws_text_find_byte(head, '\n'));
    size_t found = 0;
    size_t seen = 0;

    WS_ASSERT(numbers != NULL);
    for (bool has_more = true; has_more; seen++) {
        size_t end = ws_text_find_byte(rest, '\t');
        double value = 0;

        for (size_t i = 0; i < count; i++) {
            found += numbers[i] == seen &&
                     ws_parse_f64(ws_text_trimmed(ws_text_slice(rest, 0, end)), &value);
        }
        has_more = end < rest.length;
        rest = ws_text_slice(rest, end + 1, rest.length);
    }
    return seen == fields && found == count;
}
