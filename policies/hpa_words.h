/* SPDX-License-Identifier: GPL-3.0-or-later */
/** An autoscaler's change of size in words, for the plan's reason. */
#ifndef WS_HPA_WORDS_H
#define WS_HPA_WORDS_H

#include <stddef.h>
#include <stdint.h>

#include "ws/assert.h"
#include "ws/text.h"

#include "hpa_normalise.h"
#include "hpa_replicas.h"

/** One line, terminated; what does not fit is left out. Begin with zeros. */
typedef struct {
    char text[240];
    size_t length;
} ws_hpa_words;

/** A metric as its reader knows it. */
typedef struct {
    ws_text name;
    ws_hpa_metric metric;
} ws_hpa_named_metric;

/** What a decision is told with. */
typedef struct {
    const ws_hpa_settings *settings;
    const ws_hpa_named_metric *metrics;
    const ws_hpa_proposal *proposals; /* one for each metric, if they were read */
    size_t metric_count;
    const char *noun; /* of one replica: "node" */
} ws_hpa_telling;

/** Adds printf-style text. */
void ws_hpa_words_add(ws_hpa_words *words, const char *format, ...) WS_PRINTF(2, 3);

/** Adds milli-units as a decimal number: 40, 1.5, -0.001. */
void ws_hpa_words_add_milli(ws_hpa_words *words, int64_t milli);

/**
 * Why a run changes the size: "pending_gpus is 160 against a target of 8 a node: wants 20; the
 * scale-up limit of 4 pods in 15 s allows 8".
 */
ws_hpa_words ws_hpa_words_reason(const ws_hpa_telling *telling, const ws_hpa_outcome *outcome);

#endif
