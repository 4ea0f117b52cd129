/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * HTTP by libcurl: the only file that includes it.
 *
 * Redirects are not followed, so that a token goes to nobody but the server that was named; the
 * answer says where it pointed. Certificates and names are checked, always.
 */
#include <stdio.h>

#include <curl/curl.h>

#include "fetch.h"

#define FETCH_CONNECT_S 15L

typedef struct {
    const ws_fetch_request *request;
    ws_fetch_answer *answer;
    CURL *handle;
    struct curl_slist *headers;
    char error[CURL_ERROR_SIZE];
} fetch_state;

bool ws_trace_fetch_is_built_in(void)
{
    return true;
}

/* libcurl's sink. Taking less than was given ends the transfer. */
static size_t fetch_take(char *bytes, size_t size, size_t count, void *context)
{
    fetch_state *state = context;
    const ws_fetch_request *request = state->request;
    size_t length = size * count;

    if (state->answer->bytes + (int64_t)length > request->bytes_max) {
        state->answer->outcome = WS_FETCH_TOO_LARGE;
        return 0;
    }
    ws_write_bytes(request->body, bytes, length);
    if (request->body->error != 0) {
        state->answer->outcome = WS_FETCH_UNWRITTEN;
        return 0;
    }
    state->answer->bytes += (int64_t)length;
    return length;
}

/* Called by libcurl about once a second while nothing comes, and more often while something does.
 */
static int fetch_progress(void *context, curl_off_t down_all, curl_off_t down, curl_off_t up_all,
                          curl_off_t up)
{
    fetch_state *state = context;
    const ws_trace_fetch *fetch = state->request->fetch;

    (void)down_all;
    (void)down;
    (void)up_all;
    (void)up;
    if (fetch->is_stopped != NULL && fetch->is_stopped(fetch->context)) {
        state->answer->outcome = WS_FETCH_STOPPED;
        return 1;
    }
    return 0;
}

static bool fetch_set_headers(fetch_state *state)
{
    const char *header = state->request->header;
    struct curl_slist *headers = curl_slist_append(NULL, "Accept: application/json");

    state->headers = headers;
    return headers != NULL && (header == NULL || curl_slist_append(headers, header) != NULL) &&
           curl_easy_setopt(state->handle, CURLOPT_HTTPHEADER, headers) == CURLE_OK;
}

static bool fetch_set_transfer(fetch_state *state)
{
    const ws_fetch_request *request = state->request;
    CURL *handle = state->handle;

    return curl_easy_setopt(handle, CURLOPT_URL, request->url) == CURLE_OK &&
           curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https") == CURLE_OK &&
           curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 0L) == CURLE_OK &&
           curl_easy_setopt(handle, CURLOPT_ACCEPT_ENCODING, "") == CURLE_OK &&
           curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, fetch_take) == CURLE_OK &&
           curl_easy_setopt(handle, CURLOPT_WRITEDATA, state) == CURLE_OK &&
           curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, fetch_progress) == CURLE_OK &&
           curl_easy_setopt(handle, CURLOPT_XFERINFODATA, state) == CURLE_OK &&
           curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L) == CURLE_OK &&
           (request->form == NULL ||
            curl_easy_setopt(handle, CURLOPT_POSTFIELDS, request->form) == CURLE_OK);
}

static bool fetch_set_safety(fetch_state *state)
{
    const ws_trace_fetch *fetch = state->request->fetch;
    CURL *handle = state->handle;

    return curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
           curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, state->error) == CURLE_OK &&
           curl_easy_setopt(handle, CURLOPT_USERAGENT, "worldsize") == CURLE_OK &&
           curl_easy_setopt(handle, CURLOPT_SSL_VERIFYPEER, 1L) == CURLE_OK &&
           curl_easy_setopt(handle, CURLOPT_SSL_VERIFYHOST, 2L) == CURLE_OK &&
           curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT, FETCH_CONNECT_S) == CURLE_OK &&
           curl_easy_setopt(handle, CURLOPT_TIMEOUT, (long)fetch->timeout_s) == CURLE_OK &&
           (fetch->ca_file.length == 0 ||
            curl_easy_setopt(handle, CURLOPT_CAINFO, fetch->ca_file.start) == CURLE_OK);
}

static void fetch_copy(char to[WS_FETCH_TEXT_BYTES], const char *from)
{
    (void)snprintf(to, WS_FETCH_TEXT_BYTES, "%s", from != NULL ? from : "");
}

static void fetch_perform(fetch_state *state)
{
    ws_fetch_answer *answer = state->answer;
    char *location = NULL;
    long status = 0;
    CURLcode code = curl_easy_perform(state->handle);

    if (code == CURLE_OK) {
        (void)curl_easy_getinfo(state->handle, CURLINFO_RESPONSE_CODE, &status);
        (void)curl_easy_getinfo(state->handle, CURLINFO_REDIRECT_URL, &location);
        answer->outcome = WS_FETCH_ANSWERED;
        answer->status = (int)status;
        fetch_copy(answer->location, location);
        return;
    }
    fetch_copy(answer->reason, state->error[0] != '\0' ? state->error : curl_easy_strerror(code));
    if (answer->outcome == WS_FETCH_UNREACHED &&
        (code == CURLE_PARTIAL_FILE || code == CURLE_BAD_CONTENT_ENCODING ||
         (answer->bytes > 0 && code == CURLE_RECV_ERROR))) {
        answer->outcome = WS_FETCH_CUT;
    }
}

void ws_fetch_ask(const ws_fetch_request *request, ws_fetch_answer *answer)
{
    WS_ASSERT(request != NULL);
    WS_ASSERT(request->url != NULL);
    WS_ASSERT(request->body != NULL);
    WS_ASSERT(answer != NULL);

    fetch_state state = {.request = request, .answer = answer};

    *answer = (ws_fetch_answer){.outcome = WS_FETCH_UNREACHED};
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
        fetch_copy(answer->reason, "libcurl does not start");
        return;
    }
    state.handle = curl_easy_init();
    if (state.handle != NULL && fetch_set_transfer(&state) && fetch_set_safety(&state) &&
        fetch_set_headers(&state)) {
        fetch_perform(&state);
    } else {
        fetch_copy(answer->reason, "libcurl lacks what is needed, or memory");
    }
    curl_slist_free_all(state.headers);
    curl_easy_cleanup(state.handle);
    curl_global_cleanup();
}
