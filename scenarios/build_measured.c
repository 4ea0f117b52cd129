/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collectives that were measured: times by size, or what was fitted to them. */
#include <math.h>

#include "build_network.h"
#include "ws/collective_measured.h"
#include "ws/step.h"

#define MEASURED_ROOT_BYTES 1048576.0 /* the size that `root` is of */

/* ---- times ---- */

static bool measured_read_point(ws_build *context, const ws_document_entry *entry,
                                ws_collective_point *point)
{
    ws_document key = {.kind = WS_DOCUMENT_SCALAR, .scalar = entry->key, .at = entry->key_at};
    ws_quantity size = {.integer = 0};
    ws_quantity time = {.integer = 0};

    if (!ws_build_quantity(context, &key, WS_QUANTITY_BYTES, WS_TEXT("times"), &size) ||
        !ws_build_quantity(context, entry->value, WS_QUANTITY_DURATION, WS_TEXT("times"), &time)) {
        return false;
    }
    *point = (ws_collective_point){
        .bytes = (double)size.integer,
        .seconds = ws_duration_s((ws_duration){.ns = time.integer}),
    };
    return (size.integer > 0 && time.integer > 0) ||
           ws_build_error(context, 3107, size.integer > 0 ? entry->value->at : entry->key_at,
                          WS_TEXT("sizes and `times` of a collective are above 0"), "not above 0",
                          WS_TEXT(""));
}

/** Points must grow: the sizes as they are written, the times with them or not at all. */
static bool measured_check_order(ws_build *context, const ws_document *times,
                                 const ws_collective_point *points)
{
    for (size_t i = 1; i < times->count; i++) {
        if (!(points[i].bytes > points[i - 1].bytes)) {
            return ws_build_error(context, 4207, times->entries[i].key_at,
                                  WS_TEXT("the sizes of `times` are in ascending order"),
                                  "not above the one before", WS_TEXT(""));
        }
        if (points[i].seconds < points[i - 1].seconds) {
            return ws_build_error(
                context, 4207, times->entries[i].value->at,
                WS_TEXT("a larger size takes no less time: a `times` that falls is an outlier"),
                "less than the one before",
                WS_TEXT("leave the outlier out, or take the running maximum"));
        }
    }
    return true;
}

static bool measured_times(ws_build *context, const ws_file_measured *file,
                           ws_measured_collective *item)
{
    const ws_document *times = file->times;
    bool sound = true;

    if (times == NULL || times->kind != WS_DOCUMENT_MAP || times->count == 0 ||
        times->count > WS_CURVE_POINTS_MAX) {
        return ws_build_error(
            context, times == NULL ? 2102 : 2201, times == NULL ? file->self->at : times->at,
            ws_build_text(context, "a measurement has `times`, a map of 1 to %d sizes",
                          WS_CURVE_POINTS_MAX),
            times == NULL ? "this measurement" : "not such a map",
            WS_TEXT("write `times: {1MiB: 41us, 1GiB: 2.9ms}`"));
    }
    ws_collective_point *points = ws_build_new(context, ws_collective_point, times->count);
    for (size_t i = 0; points != NULL && i < times->count; i++) {
        sound = measured_read_point(context, &times->entries[i], &points[i]) && sound;
    }
    item->points = points;
    item->point_count = times->count;
    return points != NULL && sound && measured_check_order(context, times, points);
}

/* ---- fits ---- */

static bool measured_fit(ws_build *context, const ws_file_measured *file,
                         ws_measured_collective *item)
{
    item->latency_s = ws_duration_s(file->latency);
    item->root_s_per_sqrt_byte = ws_duration_s(file->root) / sqrt(MEASURED_ROOT_BYTES);
    item->bytes_per_s = file->bandwidth;
    item->bytes_min = (double)file->from;
    item->bytes_max = (double)file->to;
    if (!(file->bandwidth > 0)) {
        return ws_build_error(context, 2102, file->self->at,
                              WS_TEXT("a fit of `square-root` has a `bandwidth`"), "this one",
                              WS_TEXT("add `bandwidth: 180GB/s`"));
    }
    return file->from <= file->to ||
           ws_build_error(context, 4207, ws_build_at(file->self, "to"),
                          WS_TEXT("`to` is at least `from`"), "below `from`", WS_TEXT(""));
}

/* ---- all of them ---- */

static bool measured_one(ws_build *context, const ws_file_measured *file, bool is_curve,
                         ws_measured_collective *item)
{
    static const char *const of_fits[] = {"latency", "root", "bandwidth", "from", "to"};

    *item = (ws_measured_collective){.operation = (ws_collective_operation)file->operation,
                                     .ranks = (int32_t)file->ranks,
                                     .nodes = (int32_t)file->nodes};
    if (file->nodes > file->ranks) {
        return ws_build_error(context, 4207, ws_build_at(file->self, "nodes"),
                              WS_TEXT("ranks are on at most as many nodes as there are ranks"),
                              "more than `ranks`", WS_TEXT(""));
    }
    if (!is_curve && file->times != NULL) {
        return ws_build_error(context, 4108, ws_build_key_at(file->self, "times"),
                              WS_TEXT("the model `square-root` does not use `times`"),
                              "of another model", WS_TEXT("write `model: measured`"));
    }
    for (size_t i = 0; is_curve && i < WS_COUNT_OF(of_fits); i++) {
        if (ws_build_is_given(file->self, of_fits[i])) {
            return ws_build_error(
                context, 4108, ws_build_key_at(file->self, of_fits[i]),
                ws_build_text(context, "the model `measured` does not use `%s`", of_fits[i]),
                "of another model", WS_TEXT("write `model: square-root`"));
        }
    }
    return is_curve ? measured_times(context, file, item) : measured_fit(context, file, item);
}

bool ws_build_measured_collectives(ws_build *context, const ws_file_collectives *file,
                                   ws_network *network)
{
    WS_ASSERT(network != NULL);

    const ws_file_measured *files = file->measured.items;
    bool is_curve = network->collectives == &ws_collective_measured;
    bool sound = true;

    if (file->measured.count == 0) {
        return ws_build_error(
            context, 2102, file->self->at,
            ws_build_text(context, "the model `%s` needs `measured`", network->collectives->name),
            "what was measured?",
            WS_TEXT("add `measured: [{ranks: 16, nodes: 2, times: {1MiB: 41us, 1GiB: 2.9ms}}]`"));
    }
    ws_measured_collectives *all = ws_build_new(context, ws_measured_collectives, 1);
    ws_measured_collective *items =
        ws_build_new(context, ws_measured_collective, file->measured.count);
    if (all == NULL || items == NULL) {
        return false;
    }
    for (size_t i = 0; i < file->measured.count; i++) {
        sound = measured_one(context, &files[i], is_curve, &items[i]) && sound;
    }
    *all = (ws_measured_collectives){.items = items, .count = file->measured.count};
    network->collective_parameters = all;
    return sound;
}
