/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Exit statuses. They are in `--help` and never change their meaning within a major version. */
#ifndef WS_CLI_STATUS_H
#define WS_CLI_STATUS_H

enum {
    WS_STATUS_YES = 0, /* done, and the answer is yes */
    WS_STATUS_NO = 1,  /* done, and the answer is no: a check found errors, a threshold was passed,
                          no size is possible */
    WS_STATUS_NOT_STARTED = 2, /* wrong flag, unreadable or invalid input */
    WS_STATUS_FAILED =
        3, /* started, and could not finish: disk full, a limit reached, a policy failed */
    WS_STATUS_BUG = 70,     /* an internal check failed */
    WS_STATUS_SIGNAL = 128, /* plus the signal's number */
    WS_STATUS_PIPE = 141    /* whoever read standard output went away */
};

#endif
