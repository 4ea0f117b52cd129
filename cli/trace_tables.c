/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of `trace info`, and how it prints numbers. */
#include <assert.h>
#include <math.h>

#include "present.h"
#include "table.h"
#include "trace_text.h"
#include "ws/quantity.h"

#define TRACE_GROUPS_SHOWN 8
#define TRACE_SIZE_GROUPS_MAX 25 /* by powers of two, up to 2^24 GPUs */
#define TRACE_DAY_S 86400.0

static_assert(WS_TRACE_GPUS_MAX <= 1 << (TRACE_SIZE_GROUPS_MAX - 1), "a group for each size");

/* ---- numbers ---- */

const char *ws_trace_text_count(const ws_trace_text *task, int64_t count)
{
    return ws_present_number((double)count, 0, task->arena).start;
}

/* Three significant digits. */
const char *ws_trace_text_number(const ws_trace_text *task, double value)
{
    int decimals = fabs(value) >= 99.95 ? 0 : fabs(value) >= 9.995 ? 1 : 2;

    return ws_present_number(value, fabs(value - round(value)) < 1e-9 ? 0 : decimals, task->arena)
        .start;
}

const char *ws_trace_text_percent(const ws_trace_text *task, double fraction)
{
    return ws_arena_format(task->arena, "%s%%",
                           ws_present_number(100 * fraction, 1, task->arena).start)
        .start;
}

/* Days have decimals here, no hours and minutes: spans stand side by side. */
const char *ws_trace_text_span(const ws_trace_text *task, double seconds)
{
    char text[WS_QUANTITY_TEXT_BYTES];

    if (seconds >= TRACE_DAY_S) {
        return ws_arena_format(task->arena, "%s d",
                               ws_trace_text_number(task, seconds / TRACE_DAY_S))
            .start;
    }
    (void)ws_duration_print_human(ws_duration_of_s(seconds), text);
    return ws_arena_format(task->arena, "%s", text).start;
}

ws_text ws_trace_text_gpu_h(const ws_trace_text *task, ws_gpu_time work)
{
    double all = ws_gpu_time_h(task->summary->work);
    int decimals = all >= 99.5 ? 0 : all >= 9.95 ? 1 : 2;

    if (task->summary->duration_s.n == 0) {
        return WS_TEXT("-");
    }
    return ws_present_number(ws_gpu_time_h(work), decimals, task->arena);
}

/* ---- spreads ---- */

enum { SPREAD_NAME, SPREAD_P10, SPREAD_P50, SPREAD_P90, SPREAD_P99, SPREAD_MAX, SPREAD_MEAN };
enum { SPREAD_COLUMNS = SPREAD_MEAN + 1, SPREAD_ROWS_MAX = 3 };

static void trace_spread_cells(const ws_trace_text *task, const char *name,
                               const ws_trace_spread *spread, bool is_time, ws_table_cell *cells)
{
    const char *(*print)(const ws_trace_text *, double) =
        is_time ? ws_trace_text_span : ws_trace_text_number;

    cells[SPREAD_NAME].text = ws_text_of(name);
    cells[SPREAD_P10].text = ws_text_of(print(task, spread->p10));
    cells[SPREAD_P50].text = ws_text_of(print(task, spread->p50));
    cells[SPREAD_P90].text = ws_text_of(print(task, spread->p90));
    cells[SPREAD_P99].text = ws_text_of(print(task, spread->p99));
    cells[SPREAD_MAX].text = ws_text_of(print(task, spread->max));
    cells[SPREAD_MEAN].text = ws_text_of(print(task, spread->mean));
}

void ws_trace_text_write_table(const ws_trace_text *task, const ws_table *table)
{
    size_t hidden = 0;

    ws_write_string(task->out, "\n");
    ws_write_text(task->out,
                  ws_table_print(table, task->answer->terminal, 0, &hidden, task->arena));
}

void ws_trace_text_write_spreads(const ws_trace_text *task)
{
    static const ws_table_column headings[SPREAD_COLUMNS] = {
        [SPREAD_NAME] = {.heading = "OF A JOB"},
        [SPREAD_P10] = {.heading = "P10", .to_the_right = true},
        [SPREAD_P50] = {.heading = "P50", .to_the_right = true},
        [SPREAD_P90] = {.heading = "P90", .to_the_right = true},
        [SPREAD_P99] = {.heading = "P99", .to_the_right = true},
        [SPREAD_MAX] = {.heading = "MAX", .to_the_right = true},
        [SPREAD_MEAN] = {.heading = "MEAN", .to_the_right = true},
    };
    const ws_trace_summary *summary = task->summary;
    ws_table_cell cells[SPREAD_ROWS_MAX * SPREAD_COLUMNS] = {{.tone = WS_TONE_PLAIN}};
    ws_table table = {.columns = headings,
                      .column_count = SPREAD_COLUMNS,
                      .kept = SPREAD_COLUMNS,
                      .cells = cells,
                      .row_count = 1};

    trace_spread_cells(task, "GPUs", &summary->gpus, false, cells);
    if (summary->duration_s.n > 0) {
        trace_spread_cells(task, "run time", &summary->duration_s, true,
                           cells + table.row_count++ * SPREAD_COLUMNS);
    }
    if (summary->wait_s.n > 0) {
        trace_spread_cells(task, "wait", &summary->wait_s, true,
                           cells + table.row_count++ * SPREAD_COLUMNS);
    }
    ws_trace_text_write_table(task, &table);
}

/* ---- shares ---- */

enum { GROUP_NAME, GROUP_JOBS, GROUP_JOBS_SHARE, GROUP_WORK, GROUP_WORK_SHARE, GROUP_COLUMNS };

static void trace_group_cells(const ws_trace_text *task, ws_text name, const ws_trace_group *group,
                              ws_table_cell *cells)
{
    cells[GROUP_NAME].text = name;
    cells[GROUP_JOBS].text = ws_text_of(ws_trace_text_count(task, group->jobs));
    cells[GROUP_JOBS_SHARE].text = ws_present_number(100 * group->jobs_fraction, 1, task->arena);
    cells[GROUP_WORK].text = ws_trace_text_gpu_h(task, group->work);
    cells[GROUP_WORK_SHARE].text = ws_present_number(100 * group->work_fraction, 1, task->arena);
}

static void trace_write_table(const ws_trace_text *task, const char *heading,
                              const ws_table_cell *cells, size_t rows)
{
    ws_table_column headings[GROUP_COLUMNS] = {
        [GROUP_NAME] = {.heading = heading},
        [GROUP_JOBS] = {.heading = "JOBS", .to_the_right = true},
        [GROUP_JOBS_SHARE] = {.heading = "JOBS %", .to_the_right = true},
        [GROUP_WORK] = {.heading = "GPU-HOURS", .to_the_right = true},
        [GROUP_WORK_SHARE] = {.heading = "GPU-HOURS %", .to_the_right = true},
    };
    ws_table table = {.columns = headings,
                      .column_count = GROUP_COLUMNS,
                      .kept = GROUP_COLUMNS,
                      .cells = cells,
                      .row_count = rows};

    if (rows > 0) {
        ws_trace_text_write_table(task, &table);
    }
}

static void trace_write_groups(const ws_trace_text *task, const char *heading,
                               const ws_trace_groups *groups)
{
    ws_table_cell cells[TRACE_GROUPS_SHOWN * GROUP_COLUMNS] = {{.tone = WS_TONE_PLAIN}};
    size_t shown = groups->count < TRACE_GROUPS_SHOWN ? groups->count : TRACE_GROUPS_SHOWN;

    for (size_t i = 0; i < shown; i++) {
        trace_group_cells(task, groups->items[i].name, &groups->items[i],
                          &cells[i * GROUP_COLUMNS]);
    }
    trace_write_table(task, heading, cells, shown);
    if (groups->distinct > (int64_t)shown) {
        ws_write_format(task->out, "and %s more\n",
                        ws_trace_text_count(task, groups->distinct - (int64_t)shown));
    }
}

static void trace_write_outcomes(const ws_trace_text *task)
{
    ws_table_cell cells[WS_TRACE_OUTCOME_COUNT * GROUP_COLUMNS] = {{.tone = WS_TONE_PLAIN}};
    const ws_trace_group *outcomes = task->summary->outcomes;
    size_t rows = 0;

    if (outcomes[WS_TRACE_OUTCOME_UNKNOWN].jobs == task->summary->jobs) {
        return;
    }
    for (size_t i = 0; i < WS_TRACE_OUTCOME_COUNT; i++) {
        const char *name = ws_trace_outcome_name((ws_trace_outcome)i);
        if (outcomes[i].jobs > 0) {
            trace_group_cells(task, ws_text_of(name[0] != '\0' ? name : "unknown"), &outcomes[i],
                              &cells[rows++ * GROUP_COLUMNS]);
        }
    }
    trace_write_table(task, "OUTCOME", cells, rows);
}

/* 0 for one GPU, 1 for two, 2 for three and four, 3 for five to eight, ... */
static size_t trace_size_group(int64_t gpus)
{
    size_t group = 0;

    while (INT64_C(1) << group < gpus) {
        group++;
    }
    return group;
}

static ws_text trace_size_name(const ws_trace_text *task, size_t group)
{
    if (group < 2) {
        return ws_arena_format(task->arena, "%zu", group + 1);
    }
    return ws_arena_format(task->arena, "%s-%s",
                           ws_trace_text_count(task, (INT64_C(1) << (group - 1)) + 1),
                           ws_trace_text_count(task, INT64_C(1) << group));
}

static void trace_write_sizes(const ws_trace_text *task)
{
    ws_trace_group groups[TRACE_SIZE_GROUPS_MAX] = {{.jobs = 0}};
    ws_table_cell cells[TRACE_SIZE_GROUPS_MAX * GROUP_COLUMNS] = {{.tone = WS_TONE_PLAIN}};
    size_t rows = 0;

    for (size_t i = 0; i < task->summary->sizes.count; i++) {
        const ws_trace_group *size = &task->summary->sizes.items[i];
        ws_trace_group *group = &groups[trace_size_group(size->gpus)];
        group->jobs += size->jobs;
        group->work = ws_gpu_time_add(group->work, size->work);
        group->jobs_fraction += size->jobs_fraction;
        group->work_fraction += size->work_fraction;
    }
    for (size_t i = 0; i < TRACE_SIZE_GROUPS_MAX; i++) {
        if (groups[i].jobs > 0) {
            trace_group_cells(task, trace_size_name(task, i), &groups[i],
                              &cells[rows++ * GROUP_COLUMNS]);
        }
    }
    trace_write_table(task, "GPUS", cells, rows);
}

void ws_trace_text_write_groups(const ws_trace_text *task)
{
    const ws_trace_summary *summary = task->summary;

    trace_write_outcomes(task);
    trace_write_sizes(task);
    trace_write_groups(task, "GPU TYPE", &summary->gpu_types);
    trace_write_groups(task, "KIND", &summary->kinds);
    trace_write_groups(task, "QUEUE", &summary->queues);
}
