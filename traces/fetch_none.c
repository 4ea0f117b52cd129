/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In place of fetch_curl.c where there was no libcurl. */
#include "fetch.h"

bool ws_trace_fetch_is_built_in(void)
{
    return false;
}

void ws_fetch_ask(const ws_fetch_request *request, ws_fetch_answer *answer)
{
    WS_ASSERT(request != NULL);
    WS_ASSERT(answer != NULL);

    *answer = (ws_fetch_answer){.outcome = WS_FETCH_UNREACHED, .reason = "no libcurl"};
}
