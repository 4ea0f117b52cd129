/* SPDX-License-Identifier: GPL-3.0-or-later */
/** One sample of the text formats of Prometheus: name{label="value", ...} value [time]. */
#ifndef WS_TRACES_EXPOSITION_H
#define WS_TRACES_EXPOSITION_H

#include "series_reading.h"

typedef struct {
    ws_series_labels labels; /* slices of the line */
    ws_text value;
    ws_text time; /* empty: none */
} ws_exposition;

/**
 * Takes a line apart. The name may stand before the braces, within them as `__name__`, or within
 * them in quotes alone (a name with any characters, Prometheus 3); what follows a `#` behind the
 * sample is an exemplar and passed over. False when it is no sample.
 */
WS_NODISCARD bool ws_exposition_parse(ws_exposition *parsed, ws_text line);

#endif
