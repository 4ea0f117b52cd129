/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * From a scenario file to what the simulator runs.
 *
 * One table of keys for each map of the file drives reading, defaults, errors and the resolved
 * document (scenarios/tables*.c). What the tables cannot know (references, sums, physics) is
 * checked afterwards, with the place of each value. All faults are collected.
 */
#ifndef WS_LOAD_H
#define WS_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/arena.h"
#include "ws/diag.h"
#include "ws/document.h"
#include "ws/path.h"
#include "ws/scenario.h"
#include "ws/sha256.h"

#define WS_SCENARIO_SCHEMA "worldsize.scenario/v1"

/** `--set PATH=VALUE` or `--unset PATH`. */
typedef struct {
    bool is_unset;
    ws_text text;  /* what follows the flag */
    ws_text label; /* as places show it: "<--set #2>" */
} ws_override;

typedef struct {
    const char *path; /* of the scenario file: names it in messages, and its folder is what paths
                         are relative to */
    ws_text content; /* the file's bytes, for callers that have them; NULL start: they are read from
                        `path` */
    const ws_override *overrides; /* in order; later ones win */
    size_t override_count;
    ws_path_roots roots;
    const ws_text
        *policies; /* only these arms, the baseline added if it is not among them; none: all */
    size_t policy_count;
} ws_load_options;

/** A file that was read, by the bytes that were parsed. */
typedef struct {
    ws_text path; /* as it is named */
    ws_text role; /* "scenario", "trace", "manifest" */
    int64_t bytes;
    char sha256[WS_SHA256_TEXT_BYTES];
} ws_input_file;

#define WS_INPUT_FILES_MAX 64
#define WS_ASSUMPTIONS_MAX 64

/** A limit that makes the comparison's answer a no. */
typedef struct {
    ws_text policy;
    ws_text metric;
    double max_change; /* of the ratio to the baseline, less 1; INFINITY: none */
} ws_threshold;

typedef struct {
    ws_scenario scenario; /* of arms without overrides of their own */
    ws_arm *arms;
    size_t arm_count;
    size_t baseline;        /* index of an arm */
    const ws_text *metrics; /* names of comparable run columns */
    size_t metric_count;
    double confidence;
    const ws_threshold *thresholds;
    size_t threshold_count;
    ws_text currency;      /* of all amounts: "USD" unless the file's prices say otherwise */
    ws_text output_folder; /* as written, or results/NAME; relative to the working directory */
    ws_duration timeline_step;
    bool record_all; /* timelines and jobs of all replications */
    const ws_document *resolved;
    ws_text overrides_text[WS_ASSUMPTIONS_MAX]; /* "replications=50 (--set #1)" */
    size_t overrides_count;
    ws_input_file inputs[WS_INPUT_FILES_MAX];
    size_t input_count;
    ws_text
        assumptions[WS_ASSUMPTIONS_MAX]; /* sentences: what was taken where the inputs are silent */
    size_t assumption_count;
} ws_loaded;

/**
 * Loads a scenario with its overrides and everything that it names.
 *
 * @param loaded  filled on true; lives in `arena`
 * @return        false when at least one error was added (warnings alone give true)
 */
WS_NODISCARD bool ws_scenario_load(ws_loaded *loaded, const ws_load_options *options,
                                   ws_arena *arena, ws_diag *diag);

/**
 * Everything that a scenario may say as Markdown, from the tables and lists in the code: its keys,
 * those of each policy type, metrics, elasticity modes, trace formats. The second half of
 * docs/scenario.md. NULL start when exhausted.
 */
ws_text ws_scenario_print_keys(ws_arena *arena);

#endif
