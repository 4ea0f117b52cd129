/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Random streams: counter-based (Philox4x64-10, Random123), keyed by what they are for.
 *
 * The stream of (seed, replication, purpose, entity, index) is a pure function of those five
 * numbers: it does not matter who else draws, or when. Common random numbers hold by construction,
 * and adding an arm or a pool moves nobody else's draws. Key: {seed, entity}; counter: {block,
 * index, purpose, replication}.
 *
 * Source: J. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC'11.
 */
#ifndef WS_RANDOM_H
#define WS_RANDOM_H

#include <stdint.h>

#include <gsl/gsl_rng.h>

#include "ws/text.h"

/** What a stream is for. Append only: the numbers are part of every result. */
typedef enum {
    WS_PURPOSE_TEST = 0,
    WS_PURPOSE_ARRIVALS = 1, /* entity: job template */
    WS_PURPOSE_JOB = 2, /* entity: job template, index: arrival number; durations and the like */
    WS_PURPOSE_NODE_COLD_START = 3, /* entity: pool, index: slot and incarnation */
    WS_PURPOSE_NODE_FAILURE = 4,    /* entity: pool, index: slot and incarnation */
    WS_PURPOSE_NODE_REPAIR = 5,     /* entity: pool, index: slot and incarnation */
    WS_PURPOSE_WORKER_START = 6,    /* entity: job, index: start number */
    WS_PURPOSE_POLICY = 7,          /* entity: policy type; a policy's own draws */
    WS_PURPOSE_DETECTION = 8,       /* entity: job, index: failure number; crash or hang */
    WS_PURPOSE_RESAMPLE = 9,        /* replications drawn anew from those of an evaluation */
    WS_PURPOSE_RECORDED_NODES = 10  /* entity: pool; which recorded nodes are its slots */
} ws_purpose;

typedef struct {
    uint64_t seed; /* the scenario's root seed */
    uint64_t replication;
    ws_purpose purpose;
    uint64_t entity; /* ws_text_hash of the entity's name in the scenario */
    uint64_t index;
} ws_stream_key;

/** The state of the generator, as GSL's functions receive it. */
typedef struct {
    uint64_t key[2];
    uint64_t counter[4]; /* of the next block */
    uint64_t block[4];
    uint32_t used; /* words of `block` that are gone */
} ws_philox_state;

/** An open stream. Not to be copied: `rng` points into it. Needs no closing. */
typedef struct {
    gsl_rng rng; /* hand &stream.rng to GSL */
    ws_philox_state state;
} ws_stream;

/**
 * The generator as GSL knows it: 64 bits a draw, uniform doubles with 53 bits in [0, 1).
 * gsl_rng_set() keys it with {seed, 0} and starts at the counter 0.
 */
extern const gsl_rng_type ws_random_philox;

/** Opens the stream of a key on the caller's storage, at its first draw. Cannot fail; the same key
 * gives the same draws. */
void ws_stream_open(ws_stream *stream, ws_stream_key key);

/** Uniform in (0, 1), never 0, never 1: the midpoints of 2^52 equal cells. Consumes one draw. */
double ws_stream_uniform(ws_stream *stream);

#endif
