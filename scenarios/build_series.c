/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading recorded series that a scenario names, and picking those that it means. */
#include "build.h"

#define SERIES_KNOWN_MAX 8 /* names that a help lists */

/* ---- reading ---- */

static bool series_type(ws_build *context, const ws_file_series *file,
                        const ws_trace_series_type **type)
{
    if (ws_text_is(file->format, "auto")) {
        return true;
    }
    *type = ws_trace_series_type_find(file->format);
    if (*type != NULL) {
        return true;
    }
    ws_text shown = ws_build_shown(file->format);
    return ws_build_error(
        context, 2203, ws_build_at(file->self, "format"),
        ws_build_text(context, "`%.*s` is not a format of series", WS_TEXT_ARGS(shown)),
        "unknown format", WS_TEXT("`auto` finds it by the content"));
}

static ws_build_series *series_known(const ws_build *context, const ws_file_series *file)
{
    ws_build_series_files *files = context->series;

    for (size_t i = 0; i < files->count; i++) {
        if (ws_text_equals(files->items[i].file, file->file) &&
            ws_text_equals(files->items[i].format, file->format)) {
            return &files->items[i];
        }
    }
    return NULL;
}

/** What was kept or left out, for the report. */
static void series_assume(ws_build *context, const ws_build_series *read)
{
    for (int i = 0; i < WS_SERIES_FINDING_COUNT; i++) {
        ws_trace_series_finding finding = (ws_trace_series_finding)i;
        if (read->report.found[finding].count > 0) {
            ws_build_assume(context, ws_build_text(context, "series %.*s: %lld samples: %s",
                                                   WS_TEXT_ARGS(read->file),
                                                   (long long)read->report.found[finding].count,
                                                   ws_trace_series_finding_at(finding)->text));
        }
    }
}

/** The series of a file, read once for all arms; NULL with a diagnostic. */
static const ws_build_series *series_read(ws_build *context, const ws_file_series *file)
{
    ws_build_series_files *files = context->series;
    ws_build_series *known = series_known(context, file);
    ws_trace_series_options options = {.type = NULL};
    ws_build_series read = {.file = file->file, .format = file->format};
    ws_file_name name = {.path = NULL};

    if (known != NULL) {
        series_assume(context, known);
        return known;
    }
    if (files->count == WS_BUILD_SERIES_MAX) {
        (void)ws_build_error(context, 9020, ws_build_at(file->self, "file"),
                             ws_build_text(context, "a scenario reads at most %d files of series",
                                           WS_BUILD_SERIES_MAX),
                             "one too many", WS_TEXT(""));
        return NULL;
    }
    if (!series_type(context, file, &options.type) ||
        !ws_build_file_name(context, file->file, "file", file->self, &name) ||
        !ws_build_note_input(context, &name, WS_TEXT("series")) ||
        !ws_trace_series_load(&read.set, &name, &options, &read.report, context->arena,
                              context->diag)) {
        return NULL;
    }
    series_assume(context, &read);
    files->items[files->count] = read;
    return &files->items[files->count++];
}

/* ---- picking ---- */

/** Whether the labels, as they are written, hold `key="value"`: quotes within values are escaped.
 */
static bool series_has_label(ws_build *context, ws_text labels, ws_text key, ws_text value)
{
    ws_text wanted =
        ws_build_text(context, "%.*s=\"%.*s\"", WS_TEXT_ARGS(key), WS_TEXT_ARGS(value));

    for (size_t at = 1; at + wanted.length < labels.length; at++) {
        bool begins = labels.start[at - 1] == '{' || labels.start[at - 1] == ',';
        if (begins && ws_text_equals(ws_text_slice(labels, at, at + wanted.length), wanted)) {
            return true;
        }
    }
    return false;
}

static bool series_check_select(ws_build *context, const ws_document *select)
{
    if (select->kind != WS_DOCUMENT_MAP) {
        return ws_build_error(context, 2201, select->at, WS_TEXT("`select` is a map of labels"),
                              "not such a map", WS_TEXT("write `select: {namespace: ml}`"));
    }
    for (size_t i = 0; i < select->count; i++) {
        const ws_document *value = select->entries[i].value;
        bool is_plain = value->kind == WS_DOCUMENT_SCALAR &&
                        ws_text_find_byte(value->scalar, '"') == value->scalar.length &&
                        ws_text_find_byte(value->scalar, '\\') == value->scalar.length;
        if (!is_plain) {
            return ws_build_error(context, 2201, value->at,
                                  WS_TEXT("`select` compares labels with texts"),
                                  "not a text without quotes", WS_TEXT(""));
        }
    }
    return true;
}

static bool series_is_selected(ws_build *context, const ws_file_series *file,
                               const ws_trace_series *series)
{
    const ws_document *select = file->select;

    if (file->metric.length > 0 && !ws_text_equals(file->metric, series->name)) {
        return false;
    }
    for (size_t i = 0; select != NULL && i < select->count; i++) {
        if (!series_has_label(context, series->labels, select->entries[i].key,
                              select->entries[i].value->scalar)) {
            return false;
        }
    }
    return true;
}

/** "metrics are `a`, `b`": those that the file holds, each once. */
static ws_text series_known_metrics(ws_build *context, const ws_trace_series_set *set,
                                    ws_text wrong)
{
    const char *names[SERIES_KNOWN_MAX] = {NULL};
    size_t count = 0;

    for (size_t i = 0; i < set->count && count < SERIES_KNOWN_MAX; i++) {
        bool is_new = set->items[i].name.length > 0;
        for (size_t j = 0; j < count; j++) {
            is_new = is_new && !ws_text_is(set->items[i].name, names[j]);
        }
        if (is_new) {
            names[count++] = ws_build_string(context, set->items[i].name);
        }
    }
    return count == 0 ? (ws_text){.length = 0}
                      : ws_build_known(context, "metric", names, count, wrong);
}

static bool series_none(ws_build *context, const ws_file_series *file,
                        const ws_trace_series_set *set)
{
    ws_text help = series_known_metrics(context, set, file->metric);

    if (file->select != NULL && file->select->count > 0 && set->count > 0) {
        help = ws_build_text(context, "the first has %.*s", WS_TEXT_ARGS(set->items[0].labels));
    }
    return ws_build_error(context, 4340,
                          ws_build_at(file->self, file->metric.length > 0 ? "metric" : "file"),
                          WS_TEXT("no series of the file is picked"),
                          set->count == 0 ? "it holds none" : "by its name and labels", help);
}

/** All that are picked measure one thing. */
static bool series_check_metric(ws_build *context, const ws_file_series *file,
                                const ws_trace_series_set *set, const ws_build_picked *picked)
{
    for (size_t i = 1; i < picked->count; i++) {
        if (!ws_text_equals(picked->items[i]->name, picked->items[0]->name)) {
            return ws_build_error(context, 2102, ws_build_at(file->self, "file"),
                                  WS_TEXT("the file holds several metrics"), "which of them?",
                                  ws_build_text(context, "add `metric`; %.*s",
                                                WS_TEXT_ARGS(series_known_metrics(
                                                    context, set, (ws_text){.length = 0}))));
        }
    }
    return true;
}

bool ws_build_pick_series(ws_build *context, const ws_file_series *file, ws_build_picked *picked)
{
    WS_ASSERT(picked != NULL);

    const ws_build_series *read = NULL;

    if (file->select != NULL && !series_check_select(context, file->select)) {
        return false;
    }
    read = series_read(context, file);
    if (read == NULL) {
        return false;
    }
    *picked = (ws_build_picked){
        .items = ws_build_new(context, const ws_trace_series *, read->set.count + 1)};
    if (picked->items == NULL) {
        return false;
    }
    for (size_t i = 0; i < read->set.count; i++) {
        if (series_is_selected(context, file, &read->set.items[i])) {
            picked->items[picked->count++] = &read->set.items[i];
        }
    }
    return picked->count > 0 ? series_check_metric(context, file, &read->set, picked)
                             : series_none(context, file, &read->set);
}
