/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace_flags.h"

#include <string.h>

#include "output.h"

ws_file_name ws_trace_flags_file(const char *path, ws_arena *arena)
{
    return (ws_file_name){
        .path = path, .shown = ws_output_shown(ws_text_of(path), arena), .at = ws_span_none};
}

const ws_trace_type *ws_trace_flags_type(const ws_settings *settings, const ws_file_name *file,
                                         ws_diag *diag)
{
    int32_t format = ws_settings_choice(settings->format, -1);

    return format >= 0 ? ws_trace_type_at((size_t)format) : ws_trace_sniff(file, diag);
}

/* The number of a further file's name; WS_TRACE_WITH_COUNT: there is none. */
static size_t trace_flags_with(ws_text name)
{
    size_t i = 0;

    while (i < WS_TRACE_WITH_COUNT && !ws_text_is(name, ws_trace_with_names[i])) {
        i++;
    }
    return i;
}

/* One NAME=FILE. */
static bool trace_flags_take_with(ws_trace_options *options, const char *given,
                                  const ws_invocation *invocation, const char *command)
{
    size_t equals = strcspn(given, "=");
    size_t with = trace_flags_with((ws_text){.start = given, .length = equals});

    if (given[equals] == '\0' || given[equals + 1] == '\0' || with == WS_TRACE_WITH_COUNT) {
        ws_text shown = ws_output_shown(ws_text_of(given), invocation->arena);
        ws_output_error("worldsize %s: `--with` is NAME=FILE, where NAME is tasks, instances or "
                        "throughputs, not `%.*s`\n",
                        command, WS_TEXT_ARGS(shown));
        return false;
    }
    options->with[with] = ws_trace_flags_file(given + equals + 1, invocation->arena);
    return true;
}

bool ws_trace_flags_options(ws_trace_options *options, const ws_invocation *invocation,
                            const char *command)
{
    const ws_settings *settings = invocation->settings;

    *options = (ws_trace_options){
        .strict = settings->strict,
        .ceil_gpus = settings->ceil_gpus,
        .time_unit = (ws_trace_time_unit)ws_settings_choice(settings->time_unit, WS_TRACE_UNIT_S),
        .cores_per_gpu = (int32_t)settings->cores_per_gpu,
    };
    if (settings->gpu_type != NULL) {
        options->gpu_type = ws_text_of(settings->gpu_type);
    }
    for (size_t i = 0; i < settings->with.count; i++) {
        if (!trace_flags_take_with(options, settings->with.items[i], invocation, command)) {
            return false;
        }
    }
    return true;
}
