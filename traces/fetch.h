/* SPDX-License-Identifier: GPL-3.0-or-later */
/** One request over HTTP and its answer. Behind it stands libcurl (fetch_curl.c) or nothing
 * (fetch_none.c). */
#ifndef WS_TRACES_FETCH_H
#define WS_TRACES_FETCH_H

#include "ws/trace_fetch.h"

typedef struct {
    const ws_trace_fetch *fetch; /* certificates, time limit, is_stopped */
    const char *url;
    const char *form;   /* NULL: GET; else sent by POST, application/x-www-form-urlencoded */
    const char *header; /* one header more, whole; NULL: none */
    int64_t bytes_max;  /* of the answer */
    ws_writer *body;
} ws_fetch_request;

typedef enum {
    WS_FETCH_ANSWERED,
    WS_FETCH_UNREACHED, /* no connection, no name, no trust, no time: `reason` */
    WS_FETCH_CUT,       /* the answer ended before it was whole: `reason` */
    WS_FETCH_TOO_LARGE,
    WS_FETCH_UNWRITTEN, /* `body` failed */
    WS_FETCH_STOPPED
} ws_fetch_outcome;

#define WS_FETCH_TEXT_BYTES 512

typedef struct {
    ws_fetch_outcome outcome;
    int status;                         /* of HTTP, when answered */
    int64_t bytes;                      /* of the body */
    char location[WS_FETCH_TEXT_BYTES]; /* of a redirect, which is not followed */
    char reason[WS_FETCH_TEXT_BYTES];   /* in the library's words */
} ws_fetch_answer;

/** Asks and waits for the answer. Certificates are checked, redirects not followed. */
void ws_fetch_ask(const ws_fetch_request *request, ws_fetch_answer *answer);

#endif
