/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Amounts of money are billionths, too: their exact decimals serve. */
#include "seconds.h"

#include "ws/number.h"
#include "ws/trace.h"

void ws_trace_write_s(ws_writer *writer, int64_t ns)
{
    if (ns % WS_NS_PER_S == 0) {
        ws_csv_i64(writer, ns / WS_NS_PER_S);
    } else {
        ws_csv_money(writer, (ws_money){.nano = ns});
    }
}

void ws_trace_json_s(ws_writer *writer, const char *key, int64_t ns)
{
    if (ns % WS_NS_PER_S == 0) {
        ws_json_i64(writer, key, ns / WS_NS_PER_S);
    } else {
        ws_json_money(writer, key, (ws_money){.nano = ns});
    }
}

void ws_trace_print_s(int64_t ns, char out[WS_TOTAL_TEXT_BYTES])
{
    out[0] = '\0';
    if (ns == WS_TRACE_UNKNOWN_NS) {
        return;
    }
    if (ns % WS_NS_PER_S == 0) {
        (void)ws_print_i64(ns / WS_NS_PER_S, out);
    } else {
        (void)ws_money_print((ws_money){.nano = ns}, out);
    }
}
