/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dated.h"

#include "clock.h"
#include "ws/number.h"

typedef struct {
    const char *state;
    ws_trace_outcome outcome;
} dated_state;

static const dated_state dated_states[] = {
    {"COMPLETED", WS_TRACE_OUTCOME_COMPLETED},  {"COMPLETING", WS_TRACE_OUTCOME_COMPLETED},
    {"CANCELLED", WS_TRACE_OUTCOME_CANCELLED},  {"CANCELED", WS_TRACE_OUTCOME_CANCELLED},
    {"REVOKED", WS_TRACE_OUTCOME_CANCELLED},    {"FAILED", WS_TRACE_OUTCOME_FAILED},
    {"OUT_OF_MEMORY", WS_TRACE_OUTCOME_FAILED}, {"TIMEOUT", WS_TRACE_OUTCOME_TIMEOUT},
    {"DEADLINE", WS_TRACE_OUTCOME_TIMEOUT},     {"NODE_FAIL", WS_TRACE_OUTCOME_NODE_FAIL},
    {"BOOT_FAIL", WS_TRACE_OUTCOME_NODE_FAIL},  {"PREEMPTED", WS_TRACE_OUTCOME_PREEMPTED},
    {"REQUEUED", WS_TRACE_OUTCOME_PREEMPTED},   {"RUNNING", WS_TRACE_OUTCOME_RUNNING},
    {"SUSPENDED", WS_TRACE_OUTCOME_RUNNING},    {"RESIZING", WS_TRACE_OUTCOME_RUNNING},
    {"STOPPED", WS_TRACE_OUTCOME_RUNNING},      {"PENDING", WS_TRACE_OUTCOME_PENDING},
    {"CONFIGURING", WS_TRACE_OUTCOME_PENDING},
};

static char dated_upper(char byte)
{
    return byte >= 'a' && byte <= 'z' ? (char)(byte - 'a' + 'A') : byte;
}

/* True when the letters of a state begin the name, or are all of it. */
static bool dated_matches(ws_text state, const char *name, bool is_cut)
{
    size_t i = 0;

    for (; i < state.length && name[i] != '\0'; i++) {
        if (dated_upper(state.start[i]) != name[i]) {
            return false;
        }
    }
    return i == state.length && i > 0 && (is_cut || name[i] == '\0');
}

bool ws_dated_outcome(ws_text state, ws_trace_outcome *outcome)
{
    ws_text word = ws_text_slice(state, 0, ws_text_find_byte(state, ' ')); /* `by 1002` */
    bool is_cut = ws_text_ends_with(word, WS_TEXT("+"));

    WS_ASSERT(outcome != NULL);
    word = ws_text_slice(word, 0, word.length - (is_cut ? 1 : 0));
    for (size_t i = 0; i < WS_COUNT_OF(dated_states); i++) {
        if (dated_matches(word, dated_states[i].state, is_cut)) {
            *outcome = dated_states[i].outcome;
            return true;
        }
    }
    return false;
}

/* A date with its offset, whose difference from the first one's is noted once for each row. */
static bool dated_read_zoned(ws_dated *dated, ws_table *table, size_t column,
                             ws_trace_finding finding, int64_t *ns, bool *is_mixed)
{
    int64_t offset_ns = 0;

    if (!ws_table_check_epoch(table, column)) {
        return false;
    }
    if (!ws_clock_parse_zoned(ws_table_text(table, column), ns, &offset_ns) || *ns < 0) {
        return ws_table_fault(table, finding, column, "no date such as 2023-03-01 00:18:22+08:00");
    }
    if (!dated->has_offset) {
        dated->has_offset = true;
        dated->offset_ns = offset_ns;
    }
    *is_mixed = *is_mixed || offset_ns != dated->offset_ns;
    return true;
}

static bool dated_read_date(ws_dated *dated, ws_table *table, size_t column,
                            ws_trace_finding finding, int64_t *ns, bool *is_mixed)
{
    return dated->is_zoned ? dated_read_zoned(dated, table, column, finding, ns, is_mixed)
                           : ws_table_date(table, column, finding, ns);
}

/* Submission, start and end; a start that is void is one that never was. */
static bool dated_read_dates(ws_dated *dated, ws_table *table, ws_dated_run *run)
{
    bool is_mixed = false;

    if (!dated_read_date(dated, table, dated->submit, WS_TRACE_BAD_TIME, &run->submit_ns,
                         &is_mixed)) {
        return false;
    }
    if (!ws_table_is_void(table, dated->start)) {
        if (!dated_read_date(dated, table, dated->start, WS_TRACE_BAD_DURATION, &run->start_ns,
                             &is_mixed)) {
            return false;
        }
        if (!ws_table_is_void(table, dated->end) &&
            !dated_read_date(dated, table, dated->end, WS_TRACE_BAD_DURATION, &run->end_ns,
                             &is_mixed)) {
            return false;
        }
    }
    if (is_mixed) {
        ws_table_note(table, WS_TRACE_MIXED_OFFSETS);
    }
    return true;
}

/* The stated run time, or WS_TRACE_UNKNOWN_NS. */
static int64_t dated_stated(const ws_dated *dated, const ws_table *table, const ws_dated_run *run)
{
    bool is_inexact = false;
    int64_t stated_ns = 0;

    if (!ws_table_has(table, dated->duration) ||
        !ws_parse_scaled(ws_table_text(table, dated->duration), 9, &stated_ns, &is_inexact) ||
        stated_ns < 0 || stated_ns > WS_HORIZON_MAX_NS) {
        return WS_TRACE_UNKNOWN_NS;
    }
    return dated->is_from_submit ? stated_ns - (run->start_ns - run->submit_ns) : stated_ns;
}

bool ws_dated_read(ws_dated *dated, ws_table *table, ws_dated_run *run)
{
    int64_t stated_ns = WS_TRACE_UNKNOWN_NS;
    int64_t differs_ns = 0;

    WS_ASSERT(dated != NULL);
    WS_ASSERT(run != NULL);

    *run = (ws_dated_run){.start_ns = WS_TRACE_UNKNOWN_NS, .end_ns = WS_TRACE_UNKNOWN_NS};
    if (!dated_read_dates(dated, table, run)) {
        return false;
    }
    if (!ws_dated_outcome(ws_table_text(table, dated->state), &run->outcome)) {
        return ws_table_fault(table, WS_TRACE_BAD_OUTCOME, dated->state, "no state of Slurm");
    }
    if (run->start_ns == WS_TRACE_UNKNOWN_NS) {
        return true;
    }
    stated_ns = dated_stated(dated, table, run);
    if (stated_ns != WS_TRACE_UNKNOWN_NS && run->end_ns == WS_TRACE_UNKNOWN_NS) {
        run->end_ns = run->start_ns + (stated_ns > 0 ? stated_ns : 0);
    } else if (stated_ns != WS_TRACE_UNKNOWN_NS) {
        differs_ns = stated_ns - (run->end_ns - run->start_ns);
    }
    if (!dated->is_zoned && (differs_ns == WS_NS_PER_H || differs_ns == -WS_NS_PER_H)) {
        run->end_ns = run->start_ns + stated_ns;
        ws_table_note(table, WS_TRACE_CLOCK_CHANGED);
    } else if (run->end_ns != WS_TRACE_UNKNOWN_NS && run->end_ns < run->start_ns) {
        return ws_table_fault(table, WS_TRACE_ENDS_BEFORE_START, dated->end, "%s", "");
    } else if (differs_ns > WS_NS_PER_S || differs_ns < -WS_NS_PER_S) {
        (void)ws_table_fault(table, WS_TRACE_DURATION_DIFFERS, dated->duration,
                             "the dates are %.10g s apart",
                             (double)(run->end_ns - run->start_ns) / 1e9);
    }
    return true;
}
