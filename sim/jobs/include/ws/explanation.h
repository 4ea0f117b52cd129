/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Where a step goes, in named terms: what each step model says of its own step, for people and for
 * files. The terms of one account sum to its share of the pace.
 */
#ifndef WS_EXPLANATION_H
#define WS_EXPLANATION_H

#include <stdbool.h>
#include <stddef.h>

#include "ws/account.h"

typedef enum {
    WS_TERM_COMPUTE,
    WS_TERM_OPTIMIZER,
    WS_TERM_TENSOR,
    WS_TERM_CONTEXT,
    WS_TERM_EXPERT,
    WS_TERM_PIPELINE,
    WS_TERM_DATA,
    WS_TERM_COMMUNICATION,
    WS_TERM_BUBBLE,
    WS_TERM_STRAGGLE,
    WS_TERM_INPUT,
    WS_TERMS
} ws_term;

typedef struct {
    const char *name;    /* "tensor" */
    const char *heading; /* of a column: "TENSOR" */
    const char *help;
    ws_account account; /* that its GPU time is booked in while the job steps */
} ws_term_row;

extern const ws_term_row ws_terms[WS_TERMS];

/** What a step model says of one step; made by ws_step_explain(). */
typedef struct {
    double seconds[WS_TERMS]; /* of those in `known`; exposed, they sum to period_s */
    unsigned known;           /* bit t: the model has the term t */
    double period_s;          /* > 0: of a step; 1 when the model has rates and no steps */
    bool is_step;
    double samples;            /* of a step, of all replicas; 0: not known, as all below */
    double micro_batch;        /* samples that a replica takes at once */
    double micro_batches;      /* that it takes one after the other: accumulation */
    double memory_bytes;       /* needed on the fullest GPU */
    double memory_limit_bytes; /* that it has */
    const char *unsplit;       /* what the model cannot tell apart, a sentence; NULL: nothing */
} ws_explanation;

/** Sets a term; a model sets each once at most. */
void ws_explanation_set(ws_explanation *explanation, ws_term term, double seconds);

/** True when memory is known and is not enough. */
bool ws_explanation_exceeds_memory(const ws_explanation *explanation);

#endif
