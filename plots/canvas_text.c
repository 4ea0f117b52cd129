/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Widths of text without fonts: the advance widths of DejaVu Sans 2.37, in 1/1000 of the
 * size, for ASCII; one figure each for other letters, and for the wide ones of East Asia. DejaVu is
 * wider than Arial, Segoe UI, San Francisco and Noto, so a layout that fits it fits those.
 */
#include "ws/canvas.h"
#include "ws/glyph.h"

#define TEXT_FIRST 32
#define TEXT_LAST 126
#define TEXT_OTHER 650
#define TEXT_WIDE 1000
#define TEXT_ELLIPSIS "\xE2\x80\xA6"

typedef unsigned short text_table[TEXT_LAST - TEXT_FIRST + 1];

/* clang-format off */
static const text_table text_widths[2] = {
    { /* Book */
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, /* blank to / */
    636, 636, 636, 636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, /* 0 to ? */
    1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863, 748, 787, /* @ to O */
    603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500, /* P to _ */
    500, 613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612, /* ` to o */
    635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838,      /* p to ~ */
    },
    { /* Bold */
    348, 456, 521, 838, 696, 1002, 872, 306, 457, 457, 523, 838, 380, 415, 380, 365,
    696, 696, 696, 696, 696, 696, 696, 696, 696, 696, 400, 400, 838, 838, 838, 580,
    1000, 774, 762, 734, 830, 683, 683, 821, 837, 372, 372, 775, 637, 995, 837, 850,
    733, 850, 770, 720, 682, 812, 774, 1103, 771, 724, 725, 457, 365, 457, 838, 500,
    500, 675, 716, 593, 716, 678, 435, 716, 712, 343, 343, 665, 343, 1042, 712, 687,
    716, 716, 493, 595, 478, 712, 652, 924, 645, 652, 582, 712, 365, 712, 838,
    },
};
/* clang-format on */

/* Source: Unicode 15, East Asian Width: the blocks that are wide as a whole. */
static bool text_is_wide(uint32_t scalar)
{
    if (scalar == 0x2014 || scalar == 0x2026) { /* em dash, ellipsis: in Latin fonts */
        return true;
    }
    return (scalar >= 0x1100 && scalar <= 0x115F) || (scalar >= 0x2E80 && scalar <= 0xA4CF) ||
           (scalar >= 0xAC00 && scalar <= 0xD7A3) || (scalar >= 0xF900 && scalar <= 0xFAFF) ||
           (scalar >= 0xFE30 && scalar <= 0xFE6F) || (scalar >= 0xFF00 && scalar <= 0xFF60) ||
           (scalar >= 0x1F300 && scalar <= 0x1FAFF) || (scalar >= 0x20000 && scalar <= 0x3FFFD);
}

/* Of one character in its shown form (ws/glyph.h), in 1/1000 of the size; moves on. */
static unsigned text_next_width(ws_text text, bool is_bold, size_t *at)
{
    ws_glyph glyph;
    uint32_t scalar = 0;
    unsigned width = 0;

    *at += ws_glyph_next(text, *at, &glyph);
    ws_text shown = {.start = glyph.bytes, .length = glyph.length};

    for (size_t i = 0; i < shown.length;) {
        i += ws_text_decode(shown, i, &scalar);
        if (scalar >= TEXT_FIRST && scalar <= TEXT_LAST) {
            width += text_widths[is_bold ? 1 : 0][scalar - TEXT_FIRST];
        } else {
            width += text_is_wide(scalar) ? TEXT_WIDE : TEXT_OTHER;
        }
    }
    return width;
}

double ws_text_width_px(ws_text text, double size_px, bool is_bold)
{
    uint64_t sum = 0;

    WS_ASSERT(size_px > 0);
    for (size_t at = 0; at < text.length;) {
        sum += text_next_width(text, is_bold, &at);
    }
    return (double)sum / 1000 * size_px;
}

/* Bytes of the longest start that is no wider than `room_px`. */
static size_t text_fitting_start(ws_text text, double size_px, bool is_bold, double room_px)
{
    double used_px = 0;
    size_t end = 0;

    for (size_t next = 0; next < text.length; end = next) {
        used_px += text_next_width(text, is_bold, &next) / 1000.0 * size_px;
        if (used_px > room_px) {
            break;
        }
    }
    return end;
}

/* Where the longest end begins that is no wider than `room_px`; at a whole character. */
static size_t text_fitting_end(ws_text text, double size_px, bool is_bold, double room_px)
{
    double left_px = ws_text_width_px(text, size_px, is_bold);
    size_t at = 0;

    while (at < text.length && left_px > room_px) {
        left_px -= text_next_width(text, is_bold, &at) / 1000.0 * size_px;
    }
    return at;
}

ws_text ws_text_elide(ws_text text, double size_px, bool is_bold, double width_px, ws_arena *arena)
{
    double room_px = width_px - ws_text_width_px(WS_TEXT(TEXT_ELLIPSIS), size_px, is_bold);
    size_t end = 0;

    WS_ASSERT(arena != NULL);
    if (ws_text_width_px(text, size_px, is_bold) <= width_px) {
        return ws_arena_copy_text(arena, text);
    }
    end = text_fitting_start(text, size_px, is_bold, room_px);
    return ws_arena_format(arena, "%.*s%s", WS_TEXT_ARGS(ws_text_slice(text, 0, end)),
                           TEXT_ELLIPSIS);
}

ws_text ws_text_elide_middle(ws_text text, double size_px, bool is_bold, double width_px,
                             ws_arena *arena)
{
    double room_px = width_px - ws_text_width_px(WS_TEXT(TEXT_ELLIPSIS), size_px, is_bold);
    size_t end = 0;
    size_t from = 0;

    WS_ASSERT(arena != NULL);
    if (ws_text_width_px(text, size_px, is_bold) <= width_px) {
        return ws_arena_copy_text(arena, text);
    }
    end = text_fitting_start(text, size_px, is_bold, room_px / 2);
    from = text_fitting_end(text, size_px, is_bold, room_px / 2);
    return ws_arena_format(arena, "%.*s%s%.*s", WS_TEXT_ARGS(ws_text_slice(text, 0, end)),
                           TEXT_ELLIPSIS, WS_TEXT_ARGS(ws_text_slice(text, from, text.length)));
}

ws_text ws_text_next_line(ws_text *rest, double size_px, bool is_bold, double width_px)
{
    ws_text all = ws_text_trimmed(*rest);
    size_t end = 0;

    WS_ASSERT(rest != NULL);
    while (end < all.length) {
        ws_text behind = ws_text_slice(all, end + 1, all.length);
        size_t word_end = end + 1 + ws_text_find_byte(behind, ' ');

        word_end = word_end > all.length ? all.length : word_end;
        if (end > 0 &&
            ws_text_width_px(ws_text_slice(all, 0, word_end), size_px, is_bold) > width_px) {
            break;
        }
        end = word_end;
    }
    *rest = ws_text_trimmed(ws_text_slice(all, end, all.length));
    return ws_text_slice(all, 0, end);
}
