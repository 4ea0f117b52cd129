/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Which ranks of a world communicate with each other, and on how many nodes they are. */
#ifndef WS_TRANSFORMER_PLACE_H
#define WS_TRANSFORMER_PLACE_H

#include "ws/step_transformer.h"

typedef struct {
    ws_group tensor;
    ws_group context;
    ws_group data;      /* of what is no expert: replicas and context ranks that share states out */
    ws_group copies;    /* of the shards of a hybrid layout */
    ws_group expert;    /* that exchange tokens */
    ws_group of_expert; /* that hold the same experts */
    ws_group pipeline;  /* two neighbours */
} ws_transformer_groups;

ws_transformer_groups ws_transformer_place(const ws_transformer_layout *layout,
                                           const ws_world *world);

#endif
