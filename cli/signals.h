/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Signals without handlers: while work is under way they are held back, and asked for between two
 * looks at the progress.
 */
#ifndef WS_CLI_SIGNALS_H
#define WS_CLI_SIGNALS_H

#include <signal.h>

typedef struct {
    sigset_t held;
    sigset_t before;
} ws_signals;

/** Once, first thing in main(): a closed pipe and a file that grows too large become errors of
 * write(). */
void ws_signals_prepare(void);

/** Holds back interrupt, termination and hang-up, except those that whoever started the program
 * wanted ignored. */
void ws_signals_hold(ws_signals *signals);

/** The number of a signal that has come since, or 0; does not wait. */
int ws_signals_take(const ws_signals *signals);

/** Lets them through again: one that has come by now ends the program. */
void ws_signals_release(const ws_signals *signals);

#endif
