/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Checks policies and forecasters against vectors of a file {"series": {...}, "vectors": [...]}:
 * each has an `id`, an `input`, what is `expected`, and a relative tolerance `rtol`. A vector whose
 * id no table knows is skipped: its method is not built.
 */
#ifndef WS_POLICY_CHECK_H
#define WS_POLICY_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "ws/assert.h"

/** One vector while it is run. */
typedef struct {
    const json_t *series; /* of the file, by name */
    const json_t *input;
    const json_t *expected;
    double rtol;
    size_t compared; /* members of `expected` that were looked at */
    char text[480];  /* what differed, as "sse: expected 4, got 3; ..." */
    size_t length;   /* 0: the vector passes */
} ws_policy_check;

/** Runs one vector; what differs goes into `check`. */
typedef void ws_policy_check_run(ws_policy_check *check);

typedef enum {
    WS_POLICY_CHECK_PASSED,
    WS_POLICY_CHECK_FAILED,
    WS_POLICY_CHECK_SKIPPED
} ws_policy_check_end;

/** Called for each vector that did not pass. */
typedef void ws_policy_check_tell(void *context, const char *id, ws_policy_check_end end,
                                  const ws_policy_check *check);

/** Counts over a file, by ws_policy_check_end. */
typedef struct {
    size_t counts[3];
} ws_policy_check_sums;

/**
 * Runs every vector of a file.
 *
 * @param tell   may be NULL
 * @return       false when the file cannot be read as such an object; `*sums` is untouched then
 */
bool ws_policy_check_file(const char *path, ws_policy_check_tell *tell, void *context,
                          ws_policy_check_sums *sums);

/* ---- for runs ---- */

/** Notes a difference. */
void ws_policy_check_note(ws_policy_check *check, const char *format, ...) WS_PRINTF(2, 3);

/** Notes it when `got` is farther than 1e-9 + rtol |expected| from a number. */
void ws_policy_check_near(ws_policy_check *check, const char *what, double expected, double got);

/** Compares with a member of `expected`: a number, or a list of at most `count`. */
void ws_policy_check_f64(ws_policy_check *check, const char *key, double got);
void ws_policy_check_list(ws_policy_check *check, const char *key, const double *got, size_t count);

/** A number of an object; `otherwise` when it is absent. */
double ws_policy_check_number(const json_t *object, const char *key, double otherwise);

/** A list of numbers into `out`; returns how many, at most `capacity`. */
size_t ws_policy_check_numbers(const json_t *list, double *out, size_t capacity);

/** The series that `input.series` names. */
size_t ws_policy_check_series(const ws_policy_check *check, double *out, size_t capacity);

/** The run of an id among those of forecasters; NULL: none. */
ws_policy_check_run *ws_policy_check_find_forecast(const char *id);

#endif
