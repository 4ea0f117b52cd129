/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ws/explanation.h"

#include "ws/assert.h"

const ws_term_row ws_terms[WS_TERMS] = {
    [WS_TERM_COMPUTE] = {"compute", "COMPUTE", "forward and backward", WS_ACCOUNT_USEFUL},
    [WS_TERM_OPTIMIZER] = {"optimizer", "OPTIMIZER", "the update of the parameters",
                           WS_ACCOUNT_USEFUL},
    [WS_TERM_TENSOR] = {"tensor", "TENSOR", "exposed collectives of tensor parallelism",
                        WS_ACCOUNT_COMMUNICATION},
    [WS_TERM_CONTEXT] = {"context", "CONTEXT", "exposed exchange of keys and values",
                         WS_ACCOUNT_COMMUNICATION},
    [WS_TERM_EXPERT] = {"expert", "EXPERT", "exposed exchange of tokens with experts",
                        WS_ACCOUNT_COMMUNICATION},
    [WS_TERM_PIPELINE] = {"pipeline", "PIPELINE", "exposed sends between stages of the pipeline",
                          WS_ACCOUNT_COMMUNICATION},
    [WS_TERM_DATA] = {"data", "DATA", "exposed collectives of gradients and of sharded parameters",
                      WS_ACCOUNT_COMMUNICATION},
    [WS_TERM_COMMUNICATION] = {"communication", "COMMUNICATION",
                               "what a size loses against the best, booked as communication",
                               WS_ACCOUNT_COMMUNICATION},
    [WS_TERM_BUBBLE] = {"bubble", "BUBBLE", "a pipeline that fills and drains",
                        WS_ACCOUNT_STRAGGLE},
    [WS_TERM_STRAGGLE] = {"straggle", "STRAGGLE",
                          "waiting for the slowest GPU, or the replica with a sample more",
                          WS_ACCOUNT_STRAGGLE},
    [WS_TERM_INPUT] = {"input", "INPUT", "waiting for data", WS_ACCOUNT_INPUT_STALL},
};

void ws_explanation_set(ws_explanation *explanation, ws_term term, double seconds)
{
    WS_ASSERT(term < WS_TERMS);
    WS_ASSERT((explanation->known >> term & 1) == 0);
    explanation->seconds[term] = seconds;
    explanation->known |= 1U << term;
}

bool ws_explanation_exceeds_memory(const ws_explanation *explanation)
{
    return explanation->memory_limit_bytes > 0 &&
           explanation->memory_bytes > explanation->memory_limit_bytes;
}
