/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A preset in the place of a list of stages becomes the list. */
#include "build_stage.h"
#include "schedules.h"

static const ws_schedule *schedule_find(ws_build *context, const ws_file_schedule *file)
{
    const char *names[WS_BUILD_KNOWN_MAX] = {NULL};

    for (size_t i = 0; i < ws_schedule_count(); i++) {
        const ws_schedule *schedule = ws_schedule_at(i);
        if (ws_text_is(file->preset, schedule->name)) {
            return schedule;
        }
        names[i < WS_BUILD_KNOWN_MAX ? i : WS_BUILD_KNOWN_MAX - 1] = schedule->name;
    }
    size_t count =
        ws_schedule_count() < WS_BUILD_KNOWN_MAX ? ws_schedule_count() : WS_BUILD_KNOWN_MAX;
    (void)ws_build_error(
        context, 4101, ws_build_at(file->self, "preset"),
        ws_build_text(context, "no schedule is called `%.*s`", WS_TEXT_ARGS(file->preset)),
        "unknown preset", ws_build_known(context, "schedule", names, count, file->preset));
    return NULL;
}

/** A stage as if it were written; its places are those of the preset. */
static ws_file_stage schedule_stage(ws_build *context, const ws_file_schedule *file,
                                    const ws_schedule_stage *stage, size_t round)
{
    ws_text name =
        round == 0 ? ws_text_of(stage->name) : ws_build_text(context, "%s-%zu", stage->name, round);

    return (ws_file_stage){
        .self = file->self,
        .name = name,
        .work = {.amount = stage->work * file->scale, .unit = (int32_t)stage->unit},
        .has_work = true,
        .replicas = {.min = 1, .max = WS_REPLICAS_MAX},
        .global_batch = stage->global_batch,
        .batch_tokens = stage->batch_tokens,
        .sequence = stage->sequence,
        .step_time = stage->step_time > 0 ? stage->step_time : 1,
    };
}

const ws_file_stage *ws_build_schedule(ws_build *context, const ws_document *document,
                                       size_t *count)
{
    ws_file_schedule file = {.scale = 1};

    if (!ws_parameters_read(
            (ws_document *)document, WS_TEXT("stages"),
            &(ws_parameter_binding){.table = &ws_file_schedule_table, .object = &file}, 1,
            context->arena, context->diag)) {
        return NULL;
    }
    const ws_schedule *schedule = schedule_find(context, &file);
    if (schedule == NULL) {
        return NULL;
    }
    size_t once = schedule->count - schedule->alternating;
    *count = once + schedule->rounds * schedule->alternating;
    WS_ASSERT(*count <= WS_PRESET_STAGES_MAX);
    ws_file_stage *stages = ws_build_new(context, ws_file_stage, *count);
    for (size_t i = 0; stages != NULL && i < *count; i++) {
        size_t round = i < once ? 0 : 1 + (i - once) / schedule->alternating;
        size_t which = i < once ? i : once + (i - once) % schedule->alternating;
        stages[i] = schedule_stage(context, &file, &schedule->stages[which], round);
    }
    ws_build_assume(context, ws_build_text(context, "stages by the preset %s: %s", schedule->name,
                                           schedule->source));
    return stages;
}
