/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "diagnostics_json.h"
#include "step_answer.h"

#include <math.h>

/* 0 stands for not known. */
static void step_json_known(ws_writer *json, const char *key, double value)
{
    ws_json_f64(json, key, value > 0 ? value : (double)NAN);
}

static void step_json_terms(ws_writer *json, const ws_explanation *explanation)
{
    ws_json_begin_object(json, "terms_s");
    for (int term = 0; term < WS_TERMS; term++) {
        if ((explanation->known >> term & 1) != 0) {
            ws_json_f64(json, ws_terms[term].name, explanation->seconds[term]);
        }
    }
    ws_json_end_object(json);
}

static void step_json_numbers(ws_writer *json, const ws_step_size *size)
{
    const ws_explanation *explanation = &size->explanation;

    ws_json_f64(json, "step_s", explanation->is_step ? explanation->period_s : (double)NAN);
    ws_json_f64(json, "period_s", explanation->period_s);
    step_json_terms(json, explanation);
    ws_json_f64(json, "pauses_s", size->pauses_s);
    ws_json_f64(json, "stepping_per_s", size->stepping_per_s);
    ws_json_f64(json, "work_per_s", size->work_per_s);
    ws_json_f64(json, "efficiency", size->efficiency);
    ws_json_f64(json, "marginal_efficiency", size->marginal);
    step_json_known(json, "batch", size->batch);
    ws_json_f64(json, "batch_efficiency", size->batch_efficiency);
    step_json_known(json, "micro_batch", explanation->micro_batch);
    step_json_known(json, "accumulation", explanation->micro_batches);
    step_json_known(json, "memory_bytes", explanation->memory_bytes);
    step_json_known(json, "memory_limit_bytes", explanation->memory_limit_bytes);
    step_json_known(json, "data_bytes_per_s", size->data_needed * (1 - size->data_waiting));
    step_json_known(json, "data_needed_bytes_per_s", size->data_needed);
    ws_json_f64(json, "price_per_h", size->price_per_h);
    ws_json_f64(json, "cost", size->cost);
    ws_json_bool(json, "extrapolated", size->is_extrapolated);
    ws_json_bool(json, "knee", size->is_knee);
}

static void step_json_size(ws_writer *json, const ws_step_size *size)
{
    bool is_possible = size->reason.length == 0;

    ws_json_begin_object(json, NULL);
    ws_json_i64(json, "gpus", size->gpus);
    ws_json_bool(json, "possible", is_possible);
    if (is_possible) {
        ws_json_null(json, "reason");
        ws_json_i64(json, "replicas", size->replicas);
        ws_json_i64(json, "nodes", size->world.nodes);
        step_json_numbers(json, size);
    } else {
        ws_json_text(json, "reason", size->reason);
    }
    ws_json_end_object(json);
}

void ws_step_answer_write_json(const ws_step_answer *answer, ws_writer *json)
{
    const ws_step_study *study = answer->study;

    ws_json_begin_object(json, NULL);
    ws_json_text(json, "schema", WS_TEXT("worldsize.explain-step/v1"));
    ws_json_text(json, "job", study->job);
    ws_json_text(json, "stage", study->stage);
    ws_json_text(json, "pool", study->pool);
    ws_json_text(json, "gpu_type", study->gpu_type);
    ws_json_text(json, "model", ws_text_of(study->model->name));
    ws_json_text(json, "unit", ws_text_of(ws_step_study_unit(study)));
    ws_json_text(json, "currency", study->currency);
    ws_json_f64(json, "cost_work", study->cost_work);
    if (study->unsplit != NULL) {
        ws_json_text(json, "unsplit", ws_text_of(study->unsplit));
    } else {
        ws_json_null(json, "unsplit");
    }
    ws_json_begin_list(json, "sizes");
    for (size_t i = 0; i < study->count; i++) {
        step_json_size(json, &study->sizes[i]);
    }
    ws_json_end_list(json);
    ws_json_begin_list(json, "diagnostics");
    ws_diagnostics_write_json(json, answer->diag);
    ws_json_end_list(json);
    ws_json_end_object(json);
}
