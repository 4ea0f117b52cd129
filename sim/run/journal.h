/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Writes down what happens in a run: news and decisions become event records. */
#ifndef WS_JOURNAL_H
#define WS_JOURNAL_H

#include "ws/run.h"

/** What is known of a job. */
typedef struct {
    ws_text name;    /* in the arena of the result */
    bool has_failed; /* since it had its GPUs: why it will give them back */
} journal_job;

typedef struct {
    const ws_arm *arm;
    const ws_run_parts *parts;
    journal_job *jobs;
    ws_event_list list;
    ws_event_block *last;
    ws_event_record truncated; /* its count of dropped events is 0 while all are kept */
    ws_arena *keep;
    bool is_exhausted; /* the arena */
} ws_journal;

/**
 * An empty journal.
 *
 * @param parts  what runs; must stay where it is
 * @param keep   arena of the records and their texts; `scratch` takes the rest
 * @return       false when an arena is exhausted
 */
WS_NODISCARD bool ws_journal_init(ws_journal *journal, const ws_arm *arm, const ws_run_parts *parts,
                                  uint64_t replication, ws_arena *keep, ws_arena *scratch);

/** Takes in news of nodes and jobs, after control has heard. */
void ws_journal_note(ws_journal *journal, const ws_news *news);

/** Takes in a decision that changed something or was clamped. */
void ws_journal_note_decision(ws_journal *journal, const ws_decision *decision);

/** Ends the journal. False when the arena was exhausted on the way. */
WS_NODISCARD bool ws_journal_finish(ws_journal *journal, ws_event_list *events);

#endif
