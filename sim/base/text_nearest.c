/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The name that somebody probably meant. Three questions are asked in turn, and the first that
 * exactly one name answers decides: equal but for spelling habits (gpuType, gpu-type); a few slips
 * of the keyboard away (polices); a name with letters left out or added (min_nodes for min,
 * h100-ondemand for h100-od).
 */
#include "ws/text.h"

#include <string.h>

#include "ws/assert.h"

/* Longer names get no suggestion; keys and names of things are at most 63 bytes. */
#define NEAREST_LENGTH_MAX 64

#define NEAREST_NONE ((size_t)-1)

/* The shortest name that counts as an abbreviation: two letters are in almost every word. */
#define NEAREST_ABBREVIATION_MIN 3

/* Distance from one name; smaller is nearer, NEAREST_NONE is not near at all. */
typedef size_t nearest_distance(ws_text wrong, ws_text name);

static char nearest_lower(char byte)
{
    return byte >= 'A' && byte <= 'Z' ? (char)(byte - 'A' + 'a') : byte;
}

static size_t nearest_skip_joints(ws_text text, size_t from)
{
    while (from < text.length && (text.start[from] == '_' || text.start[from] == '-')) {
        from++;
    }
    return from;
}

/* 0 when the names differ only in case, `_` and `-`. */
static size_t nearest_by_habit(ws_text wrong, ws_text name)
{
    size_t i = nearest_skip_joints(wrong, 0);
    size_t j = nearest_skip_joints(name, 0);

    while (i < wrong.length && j < name.length) {
        if (nearest_lower(wrong.start[i]) != nearest_lower(name.start[j])) {
            return NEAREST_NONE;
        }
        i = nearest_skip_joints(wrong, i + 1);
        j = nearest_skip_joints(name, j + 1);
    }
    return i == wrong.length && j == name.length ? 0 : NEAREST_NONE;
}

static size_t nearest_min(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* One row of the table of distances between the beginnings of two names. */
typedef struct {
    size_t cells[NEAREST_LENGTH_MAX + 1];
} nearest_row;

/* Fills the row of wrong[i - 1] from the two rows above it (Damerau-Levenshtein, adjacent letters
 * swapped at most once). */
static void nearest_fill_row(nearest_row rows[3], ws_text wrong, size_t i, ws_text name)
{
    const size_t *above2 = rows[(i + 1) % 3].cells; /* i - 2, by three rows in turn */
    const size_t *above = rows[(i + 2) % 3].cells;
    size_t *row = rows[i % 3].cells;

    row[0] = i;
    for (size_t j = 1; j <= name.length; j++) {
        char a = nearest_lower(wrong.start[i - 1]);
        char b = nearest_lower(name.start[j - 1]);

        row[j] = nearest_min(above[j] + 1, row[j - 1] + 1);
        row[j] = nearest_min(row[j], above[j - 1] + (a == b ? 0 : 1));
        if (i > 1 && j > 1 && a == nearest_lower(name.start[j - 2]) &&
            b == nearest_lower(wrong.start[i - 2])) {
            row[j] = nearest_min(row[j], above2[j - 2] + 1);
        }
    }
}

/* Number of letters added, dropped, changed or swapped, when it is at most max(1, length / 3). */
static size_t nearest_by_slips(ws_text wrong, ws_text name)
{
    nearest_row rows[3];
    size_t limit = wrong.length / 3 > 1 ? wrong.length / 3 : 1;
    size_t distance = 0;

    WS_ASSERT(wrong.length <= NEAREST_LENGTH_MAX);
    WS_ASSERT(name.length <= NEAREST_LENGTH_MAX);

    memset(rows, 0, sizeof rows);
    for (size_t j = 0; j <= name.length; j++) {
        rows[0].cells[j] = j;
    }
    for (size_t i = 1; i <= wrong.length; i++) {
        nearest_fill_row(rows, wrong, i, name);
    }
    distance = rows[wrong.length % 3].cells[name.length];
    /* A name of which no letter is left is no slip: `x` is not meant to be `p`. */
    return distance <= limit && distance < name.length ? distance : NEAREST_NONE;
}

/* How many letters were left out, when the letters of the shorter name all occur in the longer one,
 * in order. */
static size_t nearest_by_abbreviation(ws_text wrong, ws_text name)
{
    ws_text shorter = wrong.length < name.length ? wrong : name;
    ws_text longer = wrong.length < name.length ? name : wrong;
    size_t found = 0;

    if (shorter.length < NEAREST_ABBREVIATION_MIN ||
        nearest_lower(shorter.start[0]) != nearest_lower(longer.start[0])) {
        return NEAREST_NONE;
    }
    for (size_t i = 0; i < longer.length && found < shorter.length; i++) {
        if (nearest_lower(longer.start[i]) == nearest_lower(shorter.start[found])) {
            found++;
        }
    }
    return found == shorter.length ? longer.length - shorter.length : NEAREST_NONE;
}

/* Index of the one name that is nearest, or -1 when none is near or two are equally near. */
static int nearest_pick(ws_text wrong, const char *const *names, size_t count,
                        nearest_distance *distance)
{
    size_t best = NEAREST_NONE;
    int index = -1;

    for (size_t i = 0; i < count; i++) {
        ws_text name = ws_text_of(names[i]);
        size_t here = NEAREST_NONE;

        if (name.length > 0 && name.length <= NEAREST_LENGTH_MAX) {
            here = distance(wrong, name);
        }
        if (here != NEAREST_NONE && here == best) {
            index = -1;
        } else if (here < best) {
            best = here;
            index = (int)i;
        }
    }
    return index;
}

int ws_text_nearest(ws_text wrong, const char *const *names, size_t count)
{
    nearest_distance *const questions[] = {nearest_by_habit, nearest_by_slips,
                                           nearest_by_abbreviation};
    int index = -1;

    WS_ASSERT(names != NULL || count == 0);
    WS_ASSERT(count <= INT32_MAX);

    if (wrong.length == 0 || wrong.length > NEAREST_LENGTH_MAX) {
        return -1;
    }
    for (size_t i = 0; i < WS_COUNT_OF(questions) && index < 0; i++) {
        index = nearest_pick(wrong, names, count, questions[i]);
    }
    return index;
}
