/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scaling_json.h"

#include <string.h>

#include <jansson.h>

#include "ws/assert.h"

static ws_text json_text(const json_t *object, const char *key, ws_arena *arena)
{
    const json_t *value = json_object_get(object, key);

    return json_is_string(value) ? ws_arena_copy_text(arena, (ws_text){json_string_value(value),
                                                                       json_string_length(value)})
                                 : WS_TEXT("");
}

/* A number, 0 when it is left out or null. */
static double json_f64(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

/* A size or a number of parts; 0 when it is none that a cluster or a model could have. */
static double json_size(const json_t *object, const char *key)
{
    double value = json_f64(object, key);

    return value >= 0 && value <= 1e6 ? value : 0;
}

/* Tokens and words: more of them. */
static double json_long(const json_t *object, const char *key)
{
    double value = json_f64(object, key);

    return value >= 0 && value <= 1e8 ? value : 0;
}

static void json_read_sizes(const json_t *object, ws_scaling_row *row)
{
    const json_t *zero = json_object_get(object, "zero");

    row->gpus = (int32_t)json_size(object, "gpus");
    row->gpus_per_node = (int32_t)json_size(object, "gpus_per_node");
    row->intra_bytes_per_s = json_f64(object, "intra_GBps") * 1e9;
    row->inter_bytes_per_s = json_f64(object, "inter_Gbps_per_gpu") * 1e9 / 8;
    row->layers = json_size(object, "layers");
    row->hidden = json_size(object, "hidden");
    row->heads = json_size(object, "heads");
    row->kv_heads = json_size(object, "kv_heads");
    row->vocabulary = json_long(object, "vocab");
    row->sequence = json_long(object, "seq");
    row->tensor = json_size(object, "tp");
    row->pipeline = json_size(object, "pp");
    row->data = json_size(object, "dp");
    row->context = json_size(object, "cp");
    row->expert = json_size(object, "ep");
    row->interleave = json_size(object, "vp");
    row->zero = json_is_number(zero) ? json_number_value(zero) : -1;
}

static void json_read_measured(const json_t *object, ws_scaling_row *row)
{
    row->global_batch = json_long(object, "global_batch");
    row->micro_batch = json_size(object, "micro_batch");
    row->step_s = json_f64(object, "step_time_s");
    row->tokens_per_s = json_f64(object, "tokens_per_s");
    row->samples_per_s = json_f64(object, "samples_per_s");
    row->flops_per_s_per_gpu = json_f64(object, "tflops_per_gpu") * 1e12;
    row->mfu = json_f64(object, "mfu_pct") / 100;
    row->local_batch = json_f64(object, "local_batch");
    row->nodes = json_size(object, "nodes");
    row->sync_s = json_f64(object, "sync_time_s");
}

static void json_read_row(const json_t *object, const json_t *machines, ws_arena *arena,
                          ws_scaling_row *row)
{
    const json_t *machine =
        json_object_get(machines, json_string_value(json_object_get(object, "machine")));

    row->id = json_text(object, "id", arena);
    row->group = json_text(object, "group", arena);
    row->confidence = json_text(object, "confidence", arena);
    row->machine = json_text(object, "machine", arena);
    row->fabric = json_text(machine, "fabric", arena);
    row->gpu = json_text(object, "gpu", arena);
    row->model = json_text(object, "model", arena);
    row->precision = json_text(object, "precision", arena);
    row->software = json_text(object, "software", arena);
    row->recompute = json_text(object, "recompute", arena);
    row->async_tensor = json_is_true(json_object_get(object, "async_tp"));
    json_read_sizes(object, row);
    json_read_measured(object, row);
}

static const ws_scaling_row *json_read_rows(const json_t *root, ws_arena *arena, size_t *count,
                                            ws_text *why)
{
    const json_t *rows = json_object_get(root, "rows");
    const json_t *machines = json_object_get(root, "machines");
    ws_scaling_row *read = NULL;

    *count = json_array_size(rows);
    if (*count == 0 || *count > WS_SCALING_ROWS_MAX || !json_is_object(machines)) {
        *why = ws_arena_format(arena, "no object with `machines` and 1 to %d `rows`",
                               WS_SCALING_ROWS_MAX);
        return NULL;
    }
    read = ws_arena_alloc(arena, ws_scaling_row, *count);
    for (size_t i = 0; read != NULL && i < *count; i++) {
        json_read_row(json_array_get(rows, i), machines, arena, &read[i]);
    }
    return read;
}

const ws_scaling_row *ws_scaling_json_read(const char *path, ws_arena *arena, size_t *count,
                                           ws_text *why)
{
    json_error_t error;
    json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, &error);

    if (root == NULL) {
        *why = ws_arena_format(arena, "line %d: %s", error.line, error.text);
        return NULL;
    }
    const ws_scaling_row *rows = json_read_rows(root, arena, count, why);
    json_decref(root);
    return rows;
}
