/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The list of chart kinds, by name, and the frame that each is drawn in.
 */
#include "chart_list.h"

static const ws_chart_type *const chart_types[] = {
    &ws_chart_breakdown, &ws_chart_panels_kind, &ws_chart_pareto,
    &ws_chart_timeline,  &ws_chart_waterfall,
};

size_t ws_chart_type_count(void)
{
    return WS_COUNT_OF(chart_types);
}

const ws_chart_type *ws_chart_type_at(size_t index)
{
    WS_ASSERT(index < WS_COUNT_OF(chart_types));

    return chart_types[index];
}

const ws_chart_type *ws_chart_type_find(ws_text name)
{
    for (size_t i = 0; i < WS_COUNT_OF(chart_types); i++) {
        if (ws_text_is(name, chart_types[i]->name)) {
            return chart_types[i];
        }
    }
    return NULL;
}

void ws_chart_draw(const ws_chart_type *type, const ws_chart_data *data, ws_text id_prefix,
                   ws_canvas *canvas, ws_arena *arena)
{
    ws_canvas_frame frame = {.id_prefix = id_prefix};

    WS_ASSERT(type != NULL);
    WS_ASSERT(data != NULL);

    frame.width_px = type->width_px;
    frame.height_px = type->height_px;
    frame.title = data->title.length > 0 ? data->title : ws_text_of(type->question);
    frame.description = type->describe(data, arena);
    ws_canvas_init(canvas, arena, &frame);
    type->draw(canvas, data);
}
