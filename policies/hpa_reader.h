/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Reading the fields of a Kubernetes object, one by one, as the API server takes them: a text is no
 * number and a number no text, an absent field and a null are the same, an unknown field is told
 * and passed over. Each fault has its place in the manifest.
 */
#ifndef WS_HPA_READER_H
#define WS_HPA_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "ws/arena.h"
#include "ws/diag.h"
#include "ws/document.h"
#include "ws/text.h"

#include "hpa_quantity.h"

/** Codes of what is wrong with an autoscaler, in a manifest or in keys of our own. */
enum {
    WS_HPA_CODE_VERSION = 5101,
    WS_HPA_CODE_KIND = 5102,
    WS_HPA_CODE_SEVERAL = 5103,
    WS_HPA_CODE_TEMPLATE = 5104,
    WS_HPA_CODE_UNKNOWN_FIELD = 5105,
    WS_HPA_CODE_ANNOTATION = 5106,
    WS_HPA_CODE_BOTH = 5107, /* a manifest, and parameters that it holds */
    WS_HPA_CODE_SIZE = 5201,
    WS_HPA_CODE_MIN_ABOVE_MAX = 5202,
    WS_HPA_CODE_WINDOW = 5203,
    WS_HPA_CODE_SOURCE = 5204,
    WS_HPA_CODE_TARGET = 5205,
    WS_HPA_CODE_POLICIES = 5206,
    WS_HPA_CODE_PERIOD = 5207,
    WS_HPA_CODE_ZERO = 5208,
    WS_HPA_CODE_METRIC_COUNT = 5209,
    WS_HPA_CODE_REFERENCE = 5210,
    WS_HPA_CODE_METRIC_NAME = 5211,
    WS_HPA_CODE_NAME = 5212,
    WS_HPA_CODE_SELECTOR = 5213,
    WS_HPA_CODE_TOLERANCE = 5214,
    WS_HPA_CODE_UNMAPPED = 5301,
    WS_HPA_CODE_UNFIT = 5302,
    WS_HPA_CODE_NEVER_MEETS = 5303
};

typedef enum { WS_HPA_V1, WS_HPA_V2BETA1, WS_HPA_V2BETA2, WS_HPA_V2 } ws_hpa_version;

/** Where reading stands; `is_good` falls with the first error. */
typedef struct {
    ws_arena *arena;
    ws_diag *diag;
    ws_hpa_version version;
    bool folds_case; /* keys are found in any case, as in JSON that Go decodes, and unknown ones are
                        not told */
    bool is_good;
} ws_hpa_reader;

/** The fields of one kind of map. */
typedef struct {
    const char *where;        /* "`spec`" */
    const char *const *names; /* NULL-terminated */
} ws_hpa_fields;

/** Value of a field, or NULL when it is absent or null. */
const ws_document *ws_hpa_find(const ws_hpa_reader *reader, const ws_document *map,
                               const char *key);

/** Place of a field's value, or of the map when it is absent. */
ws_span ws_hpa_place(const ws_hpa_reader *reader, const ws_document *map, const char *key);

/** An error that the API server would raise as well. */
void ws_hpa_refuse(ws_hpa_reader *reader, int code, ws_span at, ws_text message);

/** An error with a label and a help of its own; either may be NULL or empty. */
void ws_hpa_refuse_with(ws_hpa_reader *reader, int code, ws_span at, ws_text message,
                        const char *label, ws_text help);

/** Warns of every field that is none of `fields`. */
void ws_hpa_check_fields(const ws_hpa_reader *reader, const ws_document *map,
                         const ws_hpa_fields *fields);

/** The field's text; empty when it is absent, or something else, which is an error. */
ws_text ws_hpa_read_text(ws_hpa_reader *reader, const ws_document *map, const char *key);

/**
 * The field as an integer of 32 bits.
 *
 * @param code   of the error when it is a larger one
 * @return       false when it is absent, or an error was added
 */
bool ws_hpa_read_integer(ws_hpa_reader *reader, const ws_document *map, const char *key, int code,
                         int32_t *value);

/** The field as a quantity, in quotes or not. False when it is absent, or an error was added. */
bool ws_hpa_read_quantity(ws_hpa_reader *reader, const ws_document *map, const char *key,
                          ws_hpa_quantity *quantity);

/** The field, which must be a map (or a list); NULL when it is absent, or an error was added. */
const ws_document *ws_hpa_read_map(ws_hpa_reader *reader, const ws_document *map, const char *key);
const ws_document *ws_hpa_read_list(ws_hpa_reader *reader, const ws_document *map, const char *key);

/** A map among the entries of a list; NULL with an error when it is something else. */
const ws_document *ws_hpa_read_entry(ws_hpa_reader *reader, const ws_document *list, size_t index,
                                     const char *noun);

/** Whether a name can be a segment of a path: not empty, `.` or `..`, without `/` and `%`. Source:
 * apimachinery, path.IsValidPathSegmentName. */
bool ws_hpa_is_path_segment(ws_text name);

/** Whether a name is a DNS label (63 bytes of a-z, 0-9 and `-`, that at no end), or several with
 * dots between, at most 253 bytes. Source: RFC 1123 as apimachinery's validation has it. */
bool ws_hpa_is_dns_label(ws_text name);
bool ws_hpa_is_dns_subdomain(ws_text name);

#endif
