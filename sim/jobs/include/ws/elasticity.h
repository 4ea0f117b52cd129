/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Elasticity modes: what a job does when its world is to change, planned or not.
 *
 * A mode is a constant table. To add one: a file in sim/jobs/ that ends in its type, and a line in
 * the list in elasticity.c.
 */
#ifndef WS_ELASTICITY_H
#define WS_ELASTICITY_H

#include <stdbool.h>
#include <stddef.h>

#include "ws/text.h"

/** What survives a planned change. */
typedef enum {
    WS_RESIZE_REFUSED,        /* the size never changes while the job runs */
    WS_RESIZE_FROM_CHECKPOINT /* every worker stops, all start from the last checkpoint */
} ws_resize_way;

typedef struct {
    const char *name;
    const char *summary;
    ws_resize_way resize;
    bool may_start_smaller; /* may begin, or go on after a loss, at a legal size below the wanted
                               one */
} ws_elasticity_type;

extern const ws_elasticity_type ws_elasticity_moldable;
extern const ws_elasticity_type ws_elasticity_rigid;
extern const ws_elasticity_type ws_elasticity_restart;

/** NULL-terminated, in the order of the list; for the loader's choices. */
extern const char *const ws_elasticity_names[];

/** By index of ws_elasticity_names. */
const ws_elasticity_type *ws_elasticity_at(size_t index);
size_t ws_elasticity_count(void);

#endif
