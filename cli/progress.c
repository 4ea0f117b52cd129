/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "machine.h"
#include "output.h"
#include "ws/quantity.h"

#define PROGRESS_FIRST_S 0.5
#define PROGRESS_BAR_EVERY_S 0.1
#define PROGRESS_LINE_EVERY_S 10.0
#define PROGRESS_CELLS 20

ws_progress ws_progress_begin(const ws_terminal *terminal, bool quiet)
{
    WS_ASSERT(terminal != NULL);

    double now_s = ws_machine_clock_s();
    double first_s = terminal->moves_err ? PROGRESS_FIRST_S : PROGRESS_LINE_EVERY_S;

    return (ws_progress){.wanted = !quiet,
                         .moves = terminal->moves_err,
                         .started_s = now_s,
                         .next_s = now_s + first_s};
}

/* What is left at the pace so far; empty before the first run has ended. */
static void progress_left(const ws_progress *progress, int64_t done, int64_t total,
                          char out[WS_QUANTITY_TEXT_BYTES])
{
    WS_ASSERT(done <= total);

    double spent_s = ws_machine_clock_s() - progress->started_s;

    out[0] = '\0';
    if (done > 0) {
        double left_s = spent_s / (double)done * (double)(total - done);
        (void)ws_duration_print_human(ws_duration_of_s(left_s < 1 ? 1 : left_s), out);
    }
}

static void progress_draw(ws_progress *progress, int64_t done, int64_t total)
{
    WS_ASSERT(done >= 0);
    WS_ASSERT(done <= total);

    char bar[PROGRESS_CELLS + 1];
    char left[WS_QUANTITY_TEXT_BYTES];
    int filled = (int)(done * PROGRESS_CELLS / total);

    memset(bar, '-', PROGRESS_CELLS);
    memset(bar, '#', (size_t)filled);
    bar[PROGRESS_CELLS] = '\0';
    progress_left(progress, done, total, left);
    ws_output_error("%s[%s] %3d%%  %" PRId64 "/%" PRId64 " runs%s%s%s", progress->moves ? "\r" : "",
                    bar, (int)(done * 100 / total), done, total, left[0] != '\0' ? "  " : "", left,
                    left[0] != '\0' ? " left" : "");
    ws_output_error(progress->moves ? "\033[K" : "\n");
    progress->is_shown = progress->moves;
}

void ws_progress_show(ws_progress *progress, int64_t done, int64_t total)
{
    double now_s = ws_machine_clock_s();

    WS_ASSERT(total > 0);
    if (!progress->wanted || now_s < progress->next_s) {
        return;
    }
    progress_draw(progress, done, total);
    progress->next_s = now_s + (progress->moves ? PROGRESS_BAR_EVERY_S : PROGRESS_LINE_EVERY_S);
}

void ws_progress_end(ws_progress *progress)
{
    WS_ASSERT(progress != NULL);
    if (progress->is_shown) {
        ws_output_error("\r\033[K");
    }
    progress->is_shown = false;
}
