/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ws/account.h"

#include "ws/assert.h"

const char *const ws_account_names[WS_ACCOUNT_COUNT] = {
    [WS_ACCOUNT_USEFUL] = "useful",
    [WS_ACCOUNT_COMMUNICATION] = "communication",
    [WS_ACCOUNT_INPUT_STALL] = "input_stall",
    [WS_ACCOUNT_STRAGGLE] = "straggle",
    [WS_ACCOUNT_CHECKPOINT] = "checkpoint",
    [WS_ACCOUNT_COLD_START] = "cold_start",
    [WS_ACCOUNT_RESIZE] = "resize",
    [WS_ACCOUNT_RECOVERY] = "recovery",
    [WS_ACCOUNT_LOST] = "lost",
    [WS_ACCOUNT_IDLE] = "idle",
};

ws_gpu_time ws_accounts_sum(const ws_accounts *accounts)
{
    ws_gpu_time sum = {.gpu_ns = 0};

    WS_ASSERT(accounts != NULL);
    for (size_t i = 0; i < WS_ACCOUNT_COUNT; i++) {
        sum = ws_gpu_time_add(sum, accounts->account[i]);
    }
    return sum;
}

ws_accounts ws_accounts_add(ws_accounts a, ws_accounts b)
{
    for (size_t i = 0; i < WS_ACCOUNT_COUNT; i++) {
        a.account[i] = ws_gpu_time_add(a.account[i], b.account[i]);
    }
    return a;
}

ws_accounts ws_accounts_sub(ws_accounts a, ws_accounts b)
{
    for (size_t i = 0; i < WS_ACCOUNT_COUNT; i++) {
        a.account[i] = ws_gpu_time_sub(a.account[i], b.account[i]);
    }
    return a;
}
