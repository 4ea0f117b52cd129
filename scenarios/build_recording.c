/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading the window of a trace that a scenario names, once for all arms that want the same. */
#include "build.h"

#define REMAINDER_CHOICE 1

static const ws_trace_type *recording_type(ws_build *context, const ws_file_trace *file,
                                           const ws_file_name *names)
{
    const ws_trace_type *type = NULL;

    if (ws_text_is(file->format, "auto")) {
        return ws_trace_sniff(names, context->diag);
    }
    type = ws_trace_type_find(file->format);
    if (type == NULL) {
        int near = ws_text_nearest(file->format, ws_trace_type_names, ws_trace_type_count());
        ws_text shown = ws_build_shown(file->format);
        (void)ws_build_error(
            context, 2203, ws_build_at(file->self, "format"),
            ws_build_text(context, "`%.*s` is not a trace format", WS_TEXT_ARGS(shown)),
            "unknown format",
            near < 0 ? WS_TEXT("`auto` finds it by the content")
                     : ws_build_text(context, "did you mean `%s`?", ws_trace_type_names[near]));
    }
    return type;
}

/** Cuts the trace to the scenario's window. */
static bool recording_cut(ws_build *context, const ws_file_trace *file, ws_trace *trace,
                          ws_trace_report *report)
{
    ws_trace_window window = {.to_ns = INT64_MAX,
                              .keep_remainders = file->running_at_start == REMAINDER_CHOICE};

    if (!file->from.given && !file->to.given) {
        return true;
    }
    if (file->from.given) {
        window.from_ns = ws_trace_ns_of_clock_s(trace, file->from.unix_s);
    }
    if (file->to.given) {
        window.to_ns = ws_trace_ns_of_clock_s(trace, file->to.unix_s);
    }
    if (window.to_ns <= window.from_ns) {
        return ws_build_error(context, 4201, ws_build_at(file->self, "to"),
                              WS_TEXT("`to` is not after `from`: nothing would be replayed"),
                              "ends here", WS_TEXT(""));
    }
    return ws_trace_cut(trace, trace, &window, report, context->arena, context->diag);
}

/* ---- whether it was read already ---- */

static bool recording_same_point(ws_timestamp a, ws_timestamp b)
{
    return a.given == b.given && (!a.given || a.unix_s == b.unix_s);
}

static bool recording_same_files(const ws_file_trace *a, const ws_file_trace *b)
{
    return ws_text_equals(a->file, b->file) && ws_text_equals(a->with.tasks, b->with.tasks) &&
           ws_text_equals(a->with.instances, b->with.instances) &&
           ws_text_equals(a->with.throughputs, b->with.throughputs);
}

static bool recording_is_same(const ws_file_trace *a, const ws_file_trace *b)
{
    return recording_same_files(a, b) && ws_text_equals(a->format, b->format) &&
           ws_text_equals(a->gpu_type, b->gpu_type) && a->cores_per_gpu == b->cores_per_gpu &&
           a->time_unit == b->time_unit && a->ceil_gpus == b->ceil_gpus &&
           recording_same_point(a->from, b->from) && recording_same_point(a->to, b->to) &&
           a->running_at_start == b->running_at_start;
}

/* ---- reading ---- */

bool ws_build_file_name(ws_build *context, ws_text shown, const char *key, const ws_document *map,
                        ws_file_name *file)
{
    WS_ASSERT(file != NULL);

    ws_span at = ws_build_at(map, key);
    ws_path_request request = {.path = shown,
                               .folder = context->folder,
                               .key = ws_text_of(key),
                               .at = at,
                               .roots = &context->options->roots};
    ws_text path = {.length = 0};

    if (!ws_path_resolve(&path, &request, context->arena, context->diag)) {
        return false;
    }
    *file = (ws_file_name){.path = path.start, .shown = shown, .at = at};
    return true;
}

/** The further files that are given. */
static bool recording_with(ws_build *context, const ws_file_trace *file, ws_trace_options *options)
{
    const ws_text given[WS_TRACE_WITH_COUNT] = {[WS_TRACE_WITH_TASKS] = file->with.tasks,
                                                [WS_TRACE_WITH_INSTANCES] = file->with.instances,
                                                [WS_TRACE_WITH_THROUGHPUTS] =
                                                    file->with.throughputs};

    for (size_t i = 0; i < WS_TRACE_WITH_COUNT; i++) {
        ws_file_name *with = &options->with[i];
        if (given[i].length > 0 && (!ws_build_file_name(context, given[i], ws_trace_with_names[i],
                                                        file->with.self, with) ||
                                    !ws_build_note_input(context, with, WS_TEXT("trace")))) {
            return false;
        }
    }
    return true;
}

bool ws_build_recording_read(ws_build *context, const ws_file_trace *file)
{
    ws_build_recording fresh = {.wanted = file};
    ws_file_name names = {.path = NULL};
    ws_trace_options options = {.ceil_gpus = file->ceil_gpus,
                                .time_unit = (ws_trace_time_unit)file->time_unit,
                                .gpu_type = file->gpu_type,
                                .cores_per_gpu = (int32_t)file->cores_per_gpu};

    if (context->recording->wanted != NULL && recording_is_same(context->recording->wanted, file)) {
        return true;
    }
    if (!ws_build_file_name(context, file->file, "file", file->self, &names)) {
        return false;
    }
    options.type = recording_type(context, file, &names);
    if (options.type == NULL || !ws_build_note_input(context, &names, WS_TEXT("trace")) ||
        !recording_with(context, file, &options) ||
        !ws_trace_load(&fresh.trace, &names, &options, &fresh.report, context->arena,
                       context->diag) ||
        !recording_cut(context, file, &fresh.trace, &fresh.report)) {
        return false;
    }
    *context->recording = fresh;
    return true;
}
