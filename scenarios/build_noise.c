/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statistical efficiency: the base batch of a stage, and its noise scale over the progress. */
#include "build_stage.h"
#include "ws/trace_profile.h"

/** A noise scale over the progress of a whole: `from` is a share of it. */
typedef struct {
    ws_noise_point *points;
    size_t count;
} noise_curve;

bool ws_build_stage_efficiency(ws_build *context, const ws_file_efficiency *file,
                               const ws_file_stage *stage, ws_stage_spec *spec)
{
    if (file == NULL) {
        return true;
    }
    if (!ws_stage_has_batch(spec)) {
        return ws_build_error(
            context, 2102, stage->self->at,
            ws_build_text(context, "stage `%.*s` has no `global_batch`, which `efficiency` needs",
                          WS_TEXT_ARGS(stage->name)),
            "this stage", WS_TEXT("add `global_batch: 1024`"));
    }
    spec->efficiency.base_batch = (double)file->batch;
    spec->learning_rate = (ws_learning_rate_rule)file->learning_rate;
    return true;
}

/* ---- reading ---- */

static bool noise_read_number(ws_build *context, const ws_document *value, double *noise_scale)
{
    ws_quantity read = {.real = 0};

    if (!ws_build_quantity(context, value, WS_QUANTITY_NUMBER, WS_TEXT("noise_scale"), &read)) {
        return false;
    }
    *noise_scale = read.real;
    return (read.real >= 0 && read.real <= 1e15) ||
           ws_build_error(context, 3107, value->at,
                          WS_TEXT("a `noise_scale` is between 0 and 10^15 samples"), "outside",
                          WS_TEXT(""));
}

/** {0%: 900, 50%: 5900}: ascending, from 0 % on. */
static bool noise_read_map(ws_build *context, const ws_document *map, noise_curve *curve)
{
    for (size_t i = 0; i < map->count; i++) {
        const ws_document_entry *entry = &map->entries[i];
        ws_document key = {.kind = WS_DOCUMENT_SCALAR, .scalar = entry->key, .at = entry->key_at};
        ws_quantity share = {.real = 0};
        ws_noise_point *point = &curve->points[i];

        if (!ws_build_quantity(context, &key, WS_QUANTITY_FRACTION, WS_TEXT("noise_scale"),
                               &share) ||
            !noise_read_number(context, entry->value, &point->noise_scale)) {
            return false;
        }
        point->from = share.real;
        bool in_order = i == 0 ? !(share.real > 0) : share.real > curve->points[i - 1].from;
        if (!in_order) {
            return ws_build_error(context, 3107, entry->key_at,
                                  WS_TEXT("a `noise_scale` over the progress ascends from 0%"),
                                  i == 0 ? "not 0%" : "not above the one before", WS_TEXT(""));
        }
    }
    curve->count = map->count;
    return true;
}

/** A row of the file is what was seen since the row before it. */
static bool noise_read_file(ws_build *context, const ws_document *path, double base_batch,
                            noise_curve *curve)
{
    const ws_trace_profile_noise *rows = NULL;
    ws_path_request request = {.path = path->scalar,
                               .folder = context->folder,
                               .key = WS_TEXT("noise_scale"),
                               .at = path->at,
                               .roots = &context->options->roots};
    ws_text resolved = {.length = 0};

    if (!ws_path_resolve(&resolved, &request, context->arena, context->diag)) {
        return false;
    }
    ws_file_name file = {.path = resolved.start, .shown = path->scalar, .at = path->at};
    if (!ws_build_note_input(context, &file, WS_TEXT("noise scale")) ||
        !ws_trace_profile_read_noise(&rows, &curve->count, &file, context->arena, context->diag)) {
        return false;
    }
    if (curve->count > WS_NOISE_POINTS_MAX) {
        return ws_build_error(
            context, 9020, path->at,
            ws_build_text(context, "a noise scale has at most %d points", WS_NOISE_POINTS_MAX),
            "more", WS_TEXT(""));
    }
    for (size_t i = 0; i < curve->count; i++) {
        double before = i == 0 ? 0 : rows[i - 1].progress;
        curve->points[i] = (ws_noise_point){.from = before / rows[curve->count - 1].progress,
                                            .noise_scale = rows[i].noise * base_batch};
    }
    return true;
}

static bool noise_read(ws_build *context, const ws_file_efficiency *file, noise_curve *curve)
{
    const ws_document *value = file->noise_scale;

    curve->points = ws_build_new(context, ws_noise_point, WS_NOISE_POINTS_MAX);
    if (curve->points == NULL) {
        return false;
    }
    if (value->kind == WS_DOCUMENT_SCALAR) {
        curve->count = 1;
        return noise_read_number(context, value, &curve->points[0].noise_scale);
    }
    if (value->kind == WS_DOCUMENT_MAP && value->count >= 1 &&
        value->count <= WS_NOISE_POINTS_MAX) {
        const ws_document *path = ws_document_find(value, "file");
        return path != NULL && path->kind == WS_DOCUMENT_SCALAR && value->count == 1
                   ? noise_read_file(context, path, (double)file->batch, curve)
                   : noise_read_map(context, value, curve);
    }
    return ws_build_error(context, 2201, value->at,
                          WS_TEXT("`noise_scale` is a number, or a map over the progress"),
                          "neither", WS_TEXT("write `{0%: 900, 50%: 5900}`"));
}

/* ---- giving it to stages ---- */

/** The part of a curve that lies between two shares of the whole, over the work of a stage. */
static bool noise_cut(ws_build *context, const noise_curve *curve, const double share[2],
                      ws_stage_spec *spec)
{
    ws_noise_point *points = ws_build_new(context, ws_noise_point, curve->count);
    size_t count = 0;

    if (points == NULL) {
        return false;
    }
    for (size_t i = 0; i < curve->count; i++) {
        bool ends_before = i + 1 < curve->count && curve->points[i + 1].from <= share[0];
        double from = (curve->points[i].from - share[0]) / (share[1] - share[0]);

        if (!ends_before && from < 1) {
            points[count++] = (ws_noise_point){.from = from > 0 ? from * spec->work : 0,
                                               .noise_scale = curve->points[i].noise_scale};
        }
    }
    spec->efficiency.points = points;
    spec->efficiency.count = count;
    return true;
}

/** Samples of each stage that shares the job's noise scale; false when they cannot be added up. */
static bool noise_weigh(ws_build *context, const ws_file_job *file, const ws_file_stage *files,
                        const ws_stage_template *stages, size_t count, double *samples)
{
    for (size_t i = 0; i < count; i++) {
        const ws_stage_spec *spec = &stages[i].spec;
        samples[i] = spec->work * ws_build_unit_samples(&files[i], spec, spec->unit);

        if (files[i].efficiency == NULL && !(samples[i] > 0)) {
            return ws_build_error(
                context, 4205, ws_build_at(file->efficiency->self, "noise_scale"),
                ws_build_text(context,
                              "nothing says how much of the job's progress stage `%.*s` is",
                              WS_TEXT_ARGS(files[i].name)),
                "over the progress of the job",
                WS_TEXT("give each stage an `efficiency` of its own, or its batch and sequence"));
        }
        samples[i] = files[i].efficiency == NULL ? samples[i] : 0;
    }
    return true;
}

static bool noise_of_job(ws_build *context, const ws_file_job *file, const ws_file_stage *files,
                         ws_stage_template *stages, size_t count)
{
    noise_curve curve = {.count = 0};
    double *samples = ws_build_new(context, double, count);
    double sum = 0;
    double before = 0;

    if (samples == NULL || !noise_read(context, file->efficiency, &curve)) {
        return false;
    }
    if (curve.count > 1 && !noise_weigh(context, file, files, stages, count, samples)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        sum += samples[i];
    }
    for (size_t i = 0; i < count; i++) {
        double share[2] = {sum > 0 ? before / sum : 0, sum > 0 ? (before + samples[i]) / sum : 1};
        bool is_shared = files[i].efficiency == NULL && stages[i].spec.efficiency.base_batch > 0;
        if (is_shared && !noise_cut(context, &curve, share, &stages[i].spec)) {
            return false;
        }
        before += samples[i];
    }
    return true;
}

static bool noise_of_stage(ws_build *context, const ws_file_efficiency *file, ws_stage_spec *spec)
{
    static const double whole[2] = {0, 1};
    noise_curve curve = {.count = 0};

    return noise_read(context, file, &curve) && noise_cut(context, &curve, whole, spec);
}

bool ws_build_noise_scales(ws_build *context, const ws_file_job *file, const ws_file_stage *files,
                           ws_stage_template *stages, size_t count)
{
    bool sound = true;

    for (size_t i = 0; i < count; i++) {
        const ws_file_efficiency *own = files[i].efficiency;
        if (own != NULL && own->noise_scale != NULL) {
            sound = noise_of_stage(context, own, &stages[i].spec) && sound;
        }
    }
    if (file->efficiency != NULL && file->efficiency->noise_scale != NULL) {
        sound = noise_of_job(context, file, files, stages, count) && sound;
    }
    return sound;
}
