/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys and anchors by hash: see yaml_reader.h. */
#include "yaml_reader.h"

static uint64_t yaml_keys_hash(const ws_yaml_keys *keys, uint32_t owner, ws_text key)
{
    uint64_t hash = (ws_text_hash(key) ^ keys->seed) + owner * UINT64_C(0x9E3779B97F4A7C15);

    /* MurmurHash3's finaliser: FNV alone leaves the low bits of short keys alike. */
    hash = (hash ^ hash >> 33) * UINT64_C(0xFF51AFD7ED558CCD);
    hash = (hash ^ hash >> 33) * UINT64_C(0xC4CEB9FE1A85EC53);
    return hash ^ hash >> 33;
}

/* The slot that holds the key, or the free one where it belongs. */
static ws_yaml_slot *yaml_keys_slot(const ws_yaml_keys *keys, uint32_t owner, ws_text key,
                                    uint64_t hash)
{
    size_t mask = keys->capacity - 1;
    size_t at = (size_t)hash & mask;

    WS_ASSERT(keys->count < keys->capacity);

    while (keys->slots[at].owner != 0) {
        const ws_yaml_slot *slot = &keys->slots[at];

        if (slot->hash == hash && slot->owner == owner && ws_text_equals(slot->key, key)) {
            break;
        }
        at = (at + 1) & mask;
    }
    return &keys->slots[at];
}

ws_yaml_slot *ws_yaml_keys_find(const ws_yaml_keys *keys, uint32_t owner, ws_text key)
{
    ws_yaml_slot *slot = NULL;

    WS_ASSERT(owner != 0);

    if (keys->count == 0) {
        return NULL;
    }
    slot = yaml_keys_slot(keys, owner, key, yaml_keys_hash(keys, owner, key));
    return slot->owner == 0 ? NULL : slot;
}

static bool yaml_keys_grow(ws_yaml_keys *keys, ws_arena *arena)
{
    ws_yaml_keys larger = *keys;

    larger.capacity = keys->capacity == 0 ? 64 : keys->capacity * 2;
    larger.slots = ws_arena_alloc(arena, ws_yaml_slot, larger.capacity);
    if (larger.slots == NULL) {
        return false;
    }
    for (size_t i = 0; i < keys->capacity; i++) {
        const ws_yaml_slot *slot = &keys->slots[i];

        if (slot->owner != 0) {
            *yaml_keys_slot(&larger, slot->owner, slot->key, slot->hash) = *slot;
        }
    }
    *keys = larger;
    return true;
}

bool ws_yaml_keys_add(ws_yaml_keys *keys, uint32_t owner, ws_text key, uint32_t index,
                      ws_arena *arena)
{
    uint64_t hash = yaml_keys_hash(keys, owner, key);
    ws_yaml_slot *slot = NULL;

    WS_ASSERT(owner != 0);

    if (2 * (keys->count + 1) > keys->capacity && !yaml_keys_grow(keys, arena)) {
        return false;
    }
    slot = yaml_keys_slot(keys, owner, key, hash);
    WS_ASSERT(slot->owner == 0);
    *slot = (ws_yaml_slot){.key = key, .hash = hash, .owner = owner, .index = index};
    keys->count++;
    return true;
}
