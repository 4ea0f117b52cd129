/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What reading a distribution needs and what it may say, shared by the reader and its messages. */
#ifndef WS_BASE_DISTRIBUTION_READER_H
#define WS_BASE_DISTRIBUTION_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/distribution.h"

/** Keys of a map beside `dist`, in the order in which messages list them; statistics that must grow
 * stand in that order. */
typedef enum {
    WS_DISTRIBUTION_KEY_VALUE,
    WS_DISTRIBUTION_KEY_MIN,
    WS_DISTRIBUTION_KEY_MAX,
    WS_DISTRIBUTION_KEY_SHAPE,
    WS_DISTRIBUTION_KEY_MEDIAN,
    WS_DISTRIBUTION_KEY_MEAN,
    WS_DISTRIBUTION_KEY_SD,
    WS_DISTRIBUTION_KEY_P90,
    WS_DISTRIBUTION_KEY_P95,
    WS_DISTRIBUTION_KEY_P99,
    WS_DISTRIBUTION_KEY_SCALE,
    WS_DISTRIBUTION_KEY_VALUES,
    WS_DISTRIBUTION_KEY_COUNT
} ws_distribution_key;

#define WS_DISTRIBUTION_BIT(key) (1u << (key))

/** What a family's map holds: all required keys and `choose` of the optional ones. */
typedef struct {
    const char *name; /* as `dist` has it */
    const char *noun; /* "a lognormal" */
    ws_distribution_family family;
    uint32_t required; /* bits of keys */
    uint32_t choices;
    size_t choose;
} ws_distribution_rule;

typedef struct {
    const ws_distribution_rule *rule; /* set once `dist` is known */
    ws_text name;                     /* of the key that is read */
    const ws_document *document;
    const ws_document *dist; /* value of `dist` */
    ws_arena *arena;
    ws_diag *diag;
    const ws_document_entry *given[WS_DISTRIBUTION_KEY_COUNT];
    ws_distribution_key order[WS_DISTRIBUTION_KEY_COUNT]; /* given keys in the order of the file */
    size_t order_count;
    double values[WS_DISTRIBUTION_KEY_COUNT]; /* seconds; shape: a number */
} ws_distribution_reader;

/** The name of a key, as in the file. */
const char *ws_distribution_key_name(ws_distribution_key key);

/** How many of the keys in a mask are given. */
size_t ws_distribution_given(const ws_distribution_reader *reader, uint32_t mask);

/** The statistic that a key states. The key must state one: not a shape or a bound. */
ws_statistic_kind ws_distribution_statistic(ws_distribution_key key);

/** The distribution of the first `choose` choices in the file and what is required; false when
 * there is none. */
WS_NODISCARD bool ws_distribution_build(const ws_distribution_reader *reader,
                                        ws_distribution *distribution);

/* Each adds one error and returns false. */

/** Anything at a value, with `fault` holding code and texts. */
bool ws_distribution_fault(const ws_distribution_reader *reader, const ws_document *value,
                           ws_diagnostic *fault);
bool ws_distribution_fault_memory(const ws_distribution_reader *reader);

/** WS2201: a value of a wrong kind; `takes` says what it takes. */
bool ws_distribution_fault_kind(const ws_distribution_reader *reader, const char *key,
                                const ws_document *value, const char *takes);
/** WS2102 and WS2203: no `dist`, or one that does not exist; `names` are all families. */
bool ws_distribution_fault_no_dist(const ws_distribution_reader *reader, const char *const *names,
                                   size_t count);
bool ws_distribution_fault_family(const ws_distribution_reader *reader, const char *const *names,
                                  size_t count);
/** WS2101. */
bool ws_distribution_fault_unknown(const ws_distribution_reader *reader,
                                   const ws_document_entry *entry);
/** WS3202 and WS3203: more or fewer keys than the family takes. */
bool ws_distribution_fault_surplus(const ws_distribution_reader *reader);
bool ws_distribution_fault_lack(const ws_distribution_reader *reader);
/** WS3201: `upper` is not above `lower`. */
bool ws_distribution_fault_crossed(const ws_distribution_reader *reader, ws_distribution_key lower,
                                   ws_distribution_key upper);
/** WS3204: the value of a key is outside what the family can have. */
bool ws_distribution_fault_range(const ws_distribution_reader *reader, ws_distribution_key key,
                                 const char *range, const char *label);
/** WS3204: no distribution of the family has both statistics; exactly two keys are given. */
bool ws_distribution_fault_impossible(const ws_distribution_reader *reader);

#endif
