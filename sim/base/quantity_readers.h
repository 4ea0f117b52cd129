/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The steps of reading a quantity, shared by its readers. Private to base. */
#ifndef WS_BASE_QUANTITY_READERS_H
#define WS_BASE_QUANTITY_READERS_H

#include "quantity_units.h"

/* Each step and each reader returns false after it gave the reading a code. */

/** Sets the code of a reading; always false, for `return ws_reading_fails(...)`. */
bool ws_reading_fails(ws_quantity_reading *reading, int code);

/** Takes an unsigned number off the start of the text: 3106 when there is none, 3109 for a negative
 * one. */
bool ws_reading_take_number(ws_text *text, ws_quantity_reading *reading);

/** reading->number x unit x 10^power, whole, into *value: 3107 too large, 3108 not whole. */
bool ws_reading_set_integer(ws_quantity_reading *reading, const ws_unit *unit, int power,
                            int64_t *value);

/** reading->number x unit into the real value; `largest` 0: any finite number. */
bool ws_reading_set_real(ws_quantity_reading *reading, const ws_unit *unit, double largest);

bool ws_reading_of_money(ws_text text, ws_quantity_reading *reading);
bool ws_reading_of_price(ws_text text, ws_quantity_reading *reading);
bool ws_reading_of_volume_price(ws_text text, ws_quantity_reading *reading);
bool ws_reading_of_rate(ws_text text, ws_quantity_reading *reading);
bool ws_reading_of_work(ws_text text, ws_quantity_reading *reading);
bool ws_reading_of_per_work(ws_text text, ws_quantity_reading *reading);
bool ws_reading_of_work_rate(ws_text text, ws_quantity_reading *reading);

#endif
