/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recorded outages and availability of a pool: reading them, and putting them in order. */
#include "build_absences.h"
#include "ws/trace_keys.h"

/* ---- the list ---- */

bool ws_build_absence_add(ws_build *context, ws_build_absence_list *list, ws_absence absence)
{
    WS_ASSERT(absence.lost.ns >= absence.closed.ns);
    WS_ASSERT(absence.back.ns >= absence.lost.ns);
    if (list->count == list->capacity) {
        void *grown = ws_arena_grow(context->arena, list->items, list->count, list->count + 1,
                                    &list->capacity, sizeof *list->items);
        if (grown == NULL) {
            return ws_diag_error(context->diag, 9007, ws_span_none,
                                 "not enough memory for what was recorded");
        }
        list->items = grown;
    }
    list->items[list->count++] = absence;
    return true;
}

static int64_t absences_closed(const ws_absence *absence)
{
    return absence->closed.ns;
}

static int64_t absences_slot(const ws_absence *absence)
{
    return 2 * (int64_t)absence->slot + (absence->is_reclaim ? 1 : 0);
}

/** Sorts by a key; equal ones stay as they stand. */
static bool absences_sort(ws_build *context, ws_build_absence_list *list,
                          int64_t (*key)(const ws_absence *absence))
{
    ws_absence *sorted = ws_build_new(context, ws_absence, list->count + 1);
    ws_trace_key *keys = ws_build_new(context, ws_trace_key, 2 * list->count + 1);

    if (sorted == NULL || keys == NULL) {
        return false;
    }
    for (size_t i = 0; i < list->count; i++) {
        keys[i] = (ws_trace_key){.key = key(&list->items[i]), .item = &list->items[i]};
    }
    ws_trace_keys_sort(keys, keys + list->count, list->count);
    for (size_t i = 0; i < list->count; i++) {
        const ws_absence *next = keys[i].item;
        sorted[i] = *next;
    }
    list->items = sorted;
    list->capacity = list->count;
    return true;
}

/** Outages of a slot that touch are one: the machine was never there in between. */
static void absences_unite(ws_build_absence_list *list)
{
    size_t kept = 0;

    for (size_t i = 0; i < list->count; i++) {
        const ws_absence *next = &list->items[i];
        ws_absence *last = kept > 0 ? &list->items[kept - 1] : NULL;

        if (last != NULL && last->slot == next->slot && !last->is_reclaim && !next->is_reclaim &&
            next->closed.ns <= last->back.ns) {
            last->back = next->back.ns > last->back.ns ? next->back : last->back;
        } else {
            list->items[kept++] = *next;
        }
    }
    list->count = kept;
}

bool ws_build_absences(ws_build *context, const ws_file_pool *file, ws_pool_spec *pool)
{
    ws_build_absence_list list = {.count = 0};
    bool sound = true;

    WS_ASSERT(pool != NULL);
    if (file->failures != NULL && file->failures->recorded != NULL) {
        sound = ws_build_outages_replay(context, file->failures->recorded, pool, &list);
    }
    if (file->spot != NULL) {
        pool->reclaim_detection = file->spot->detection;
        sound = ws_build_supply(context, file->spot, pool, &list) && sound;
    }
    if (!sound || !absences_sort(context, &list, absences_closed) ||
        !absences_sort(context, &list, absences_slot)) {
        return false;
    }
    absences_unite(&list);
    if (!absences_sort(context, &list, absences_closed)) {
        return false;
    }
    pool->absences = list.items;
    pool->absence_count = list.count;
    return true;
}

/* ---- reading ---- */

ws_text ws_build_span_text(ws_build *context, int64_t span_ns)
{
    char text[WS_QUANTITY_TEXT_BYTES];

    (void)ws_quantity_print((ws_quantity){.integer = span_ns}, WS_QUANTITY_DURATION, text);
    return ws_build_text(context, "%s", text);
}

static bool outages_unknown_format(ws_build *context, const ws_build_outages *recording)
{
    const char *names[WS_BUILD_KNOWN_MAX] = {NULL};
    size_t count = 0;
    ws_text shown = ws_build_shown(recording->format);

    for (; count < WS_COUNT_OF(names) && count < ws_trace_outage_type_count(); count++) {
        names[count] = ws_trace_outage_type_at(count)->name;
    }
    return ws_build_error(
        context, 2203, ws_build_at(recording->self, "format"),
        ws_build_text(context, "`%.*s` is not a format of recorded outages", WS_TEXT_ARGS(shown)),
        "unknown format", ws_build_known(context, "format", names, count, recording->format));
}

static bool outages_other_kind(ws_build *context, const ws_build_outages *recording)
{
    bool is_supply = recording->found.starts_empty;
    ws_text shown = ws_build_shown(recording->file);

    return ws_build_error(
        context, 4321, ws_build_at(recording->self, "file"),
        ws_build_text(context,
                      is_supply ? "`%.*s` tells when nodes of a spot market came and went, not "
                                  "when nodes failed"
                                : "`%.*s` tells when nodes failed, not when a spot market had them",
                      WS_TEXT_ARGS(shown)),
        "another kind of recording",
        is_supply ? WS_TEXT("name it in the pool's `spot: {recorded: {file: FILE}}`")
                  : WS_TEXT("name it in the pool's `failures: {recorded: {file: FILE}}`"));
}

bool ws_build_outages_read(ws_build *context, ws_build_outages *recording)
{
    ws_file_name name = {.path = NULL};
    ws_trace_outage_options options = {.type = NULL};

    WS_ASSERT(recording->self != NULL);
    if (!ws_text_is(recording->format, "auto")) {
        options.type = ws_trace_outage_type_find(recording->format);
        if (options.type == NULL) {
            return outages_unknown_format(context, recording);
        }
    }
    if (!ws_build_file_name(context, recording->file, "file", recording->self, &name) ||
        !ws_build_note_input(context, &name,
                             recording->of_supply ? WS_TEXT("availability") : WS_TEXT("outages")) ||
        !ws_trace_outages_load(&recording->found, &name, &options, &recording->report,
                               context->arena, context->diag)) {
        return false;
    }
    return recording->report.events_kept == 0 ||
           recording->found.starts_empty == recording->of_supply ||
           outages_other_kind(context, recording);
}
