/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Colours and marks. Okabe and Ito's colours with a contrast of at least 3:1 on white ("Color
 * Universal Design", 2008); text is dark, since two of them fall short of 4.5:1. Colour never
 * stands alone: the mark's shape goes with it.
 */
#ifndef WS_PLOTS_PALETTE_H
#define WS_PLOTS_PALETTE_H

#include "ws/account.h"
#include "ws/canvas.h"

#define WS_INK_TEXT 0x111827u
#define WS_INK_MUTED 0x4B5563u /* 7.6:1 on white */
#define WS_INK_AXIS 0x6B7280u
#define WS_INK_GRID 0xE5E7EBu
#define WS_INK_BAND 0xF3F4F6u
#define WS_INK_WHITE 0xFFFFFFu

#define WS_INK_BASELINE 0x000000u

/** Blue, vermillion, bluish green, reddish purple. */
#define WS_PALETTE_COUNT 4

/** Colour of the `index`-th arm that is not the baseline. */
static inline uint32_t ws_palette_rgb(size_t index)
{
    static const uint32_t colours[WS_PALETTE_COUNT] = {0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7};

    return colours[index % WS_PALETTE_COUNT];
}

/**
 * Mark of the same arm. The circle is the baseline's alone and the diamond the bound's. Five marks
 * and four colours have no common divisor, so twenty arms differ in the pair.
 */
static inline ws_marker ws_palette_marker(size_t index)
{
    static const ws_marker markers[] = {WS_MARKER_SQUARE, WS_MARKER_TRIANGLE_UP,
                                        WS_MARKER_TRIANGLE_DOWN, WS_MARKER_PENTAGON,
                                        WS_MARKER_STAR};

    return markers[index % WS_COUNT_OF(markers)];
}

/**
 * Colour of an account: the same in every chart and page. Not all have a contrast of 3:1 on white,
 * so that what is filled with them has a dark outline.
 */
static inline uint32_t ws_palette_account_rgb(ws_account account)
{
    static const uint32_t colours[WS_ACCOUNT_COUNT] = {
        [WS_ACCOUNT_USEFUL] = 0x009E73,                                      /* bluish green */
        [WS_ACCOUNT_COMMUNICATION] = 0x0072B2,                               /* blue */
        [WS_ACCOUNT_INPUT_STALL] = 0x56B4E9,                                 /* sky blue */
        [WS_ACCOUNT_STRAGGLE] = 0xCC79A7,                                    /* reddish purple */
        [WS_ACCOUNT_CHECKPOINT] = 0xF0E442,                                  /* yellow */
        [WS_ACCOUNT_COLD_START] = 0xE69F00,                                  /* orange */
        [WS_ACCOUNT_RESIZE] = 0x8B5E3C,                                      /* brown */
        [WS_ACCOUNT_RECOVERY] = 0xD55E00,                                    /* vermillion */
        [WS_ACCOUNT_LOST] = 0x000000,          [WS_ACCOUNT_IDLE] = 0xD1D5DB, /* grey */
    };

    return colours[account];
}

#endif
