/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The ten accounts of paid GPU-time: each GPU-nanosecond is in exactly one. The ledger books them,
 * results report them. */
#ifndef WS_ACCOUNT_H
#define WS_ACCOUNT_H

#include "ws/total.h"

typedef enum {
    WS_ACCOUNT_USEFUL,        /* compute of work that survived */
    WS_ACCOUNT_COMMUNICATION, /* exposed collectives of work that survived */
    WS_ACCOUNT_INPUT_STALL,   /* waiting for data */
    WS_ACCOUNT_STRAGGLE,      /* waiting for the slowest rank, or for the rest of a gang */
    WS_ACCOUNT_CHECKPOINT,    /* blocked on writing */
    WS_ACCOUNT_COLD_START,    /* paid node or worker time before the first step of a worker added to
                                 start or enlarge a job */
    WS_ACCOUNT_RESIZE,        /* survivors stopped for a planned change */
    WS_ACCOUNT_RECOVERY,      /* everyone stopped after an unplanned one: from the fault, detection
                                 included, to the next step */
    WS_ACCOUNT_LOST,          /* work thrown away */
    WS_ACCOUNT_IDLE,          /* paid, no job; billing minimum and rounding too */
    WS_ACCOUNT_COUNT
} ws_account;

/** "useful", "communication", ...: column names are these with _gpu_h. */
extern const char *const ws_account_names[WS_ACCOUNT_COUNT];

typedef struct {
    ws_gpu_time account[WS_ACCOUNT_COUNT];
} ws_accounts;

/** Sum of all accounts. */
ws_gpu_time ws_accounts_sum(const ws_accounts *accounts);
ws_accounts ws_accounts_add(ws_accounts a, ws_accounts b);
ws_accounts ws_accounts_sub(ws_accounts a, ws_accounts b);

#endif
