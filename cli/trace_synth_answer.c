/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace_synth_answer.h"

#include <math.h>

#include "diagnostics_json.h"
#include "present.h"
#include "table.h"
#include "trace_text.h"
#include "ws/time.h"

/* ---- for people ---- */

static const char *answer_decimal(const ws_trace_text *task, double value, int decimals)
{
    return isnan(value) ? "-" : ws_present_number(value, decimals, task->arena).start;
}

static void answer_write_jobs(const ws_trace_text *task, const ws_synth_answer *answer)
{
    const ws_trace_shape *shape = answer->shape;
    ws_shape_counts counts = ws_trace_shape_counts(shape);

    ws_trace_text_line(
        task, "jobs",
        ws_arena_format(task->arena, "%s, arriving for %s; %s /h",
                        ws_trace_text_count(task, shape->jobs),
                        ws_trace_text_span(task, (double)(shape->last_ns - shape->first_ns) / 1e9),
                        ws_trace_text_number(task, counts.mean)));
    if (shape->attempts > shape->jobs) {
        ws_trace_text_line(
            task, "restarts",
            ws_arena_format(task->arena, "%s, after lost nodes",
                            ws_trace_text_count(task, shape->attempts - shape->jobs)));
    }
}

static void answer_write_bursts(const ws_trace_text *task, const ws_synth_answer *answer)
{
    ws_shape_counts counts = ws_trace_shape_counts(answer->shape);
    ws_text recorded = WS_TEXT("");

    if (answer->recorded != NULL) {
        ws_shape_counts other = ws_trace_shape_counts(answer->recorded);
        recorded = ws_arena_format(task->arena, "; recorded: %s and %s",
                                   ws_trace_text_number(task, other.dispersion),
                                   answer_decimal(task, other.correlation, 2));
    }
    ws_trace_text_line(
        task, "bursts",
        ws_arena_format(task->arena,
                        "jobs of an hour: variance %s x the mean (by chance alone 1), correlation "
                        "%s from hour to hour%.*s",
                        ws_trace_text_number(task, counts.dispersion),
                        answer_decimal(task, counts.correlation, 2), WS_TEXT_ARGS(recorded)));
}

enum { FIT_NAME, FIT_JOBS, FIT_TIMES, FIT_KS, FIT_LIMIT, FIT_COLUMNS };

static ws_text answer_class_name(const ws_trace_text *task, const ws_synth_class *class)
{
    int32_t least = class->sizes[0].gpus;
    int32_t most = class->sizes[class->size_count - 1].gpus;
    ws_text gpus = least == most
                       ? ws_arena_format(task->arena, "%d GPU%s", (int)least, least > 1 ? "s" : "")
                       : ws_arena_format(task->arena, "%d..%d GPUs", (int)least, (int)most);

    return class->kind.length == 0 ? gpus
                                   : ws_arena_format(task->arena, "%.*s, %.*s",
                                                     WS_TEXT_ARGS(class->kind), WS_TEXT_ARGS(gpus));
}

/* What run times of each class were taken to be, and why. */
static void answer_write_fit(const ws_trace_text *task, const ws_synth *synth)
{
    static const ws_table_column headings[FIT_COLUMNS] = {
        [FIT_NAME] = {.heading = "RECORDED JOBS OF"},
        [FIT_JOBS] = {.heading = "JOBS", .to_the_right = true},
        [FIT_TIMES] = {.heading = "RUN TIMES"},
        [FIT_KS] = {.heading = "KS OF LOG-NORMAL", .to_the_right = true},
        [FIT_LIMIT] = {.heading = "TAKEN BELOW", .to_the_right = true},
    };
    ws_table_cell *cells =
        ws_arena_alloc(task->arena, ws_table_cell, synth->class_count * FIT_COLUMNS);
    ws_table table = {.columns = headings,
                      .column_count = FIT_COLUMNS,
                      .kept = FIT_COLUMNS,
                      .cells = cells,
                      .row_count = synth->class_count};

    for (size_t i = 0; cells != NULL && i < synth->class_count; i++) {
        const ws_synth_class *class = &synth->classes[i];
        ws_table_cell *row = cells + i * FIT_COLUMNS;
        bool is_lognormal = class->lognormal_ks < class->lognormal_ks_limit;

        row[FIT_NAME].text = answer_class_name(task, class);
        row[FIT_JOBS].text = ws_text_of(ws_trace_text_count(task, class->jobs));
        row[FIT_TIMES].text = is_lognormal ? WS_TEXT("log-normal") : WS_TEXT("quantiles");
        row[FIT_KS].text = ws_text_of(answer_decimal(task, class->lognormal_ks, 3));
        row[FIT_LIMIT].text = ws_text_of(answer_decimal(task, class->lognormal_ks_limit, 3));
    }
    if (cells != NULL) {
        ws_trace_text_write_table(task, &table);
    }
}

enum { DISTANCE_NAME, DISTANCE_KS, DISTANCE_W, DISTANCE_COLUMNS };

static void answer_distance_row(const ws_trace_text *task, const char *name,
                                ws_shape_distance distance, ws_table_cell *cells)
{
    cells[DISTANCE_NAME].text = ws_text_of(name);
    cells[DISTANCE_KS].text = ws_text_of(answer_decimal(task, distance.ks, 3));
    cells[DISTANCE_W].text = ws_text_of(answer_decimal(task, distance.wasserstein, 3));
}

static void answer_write_distances(const ws_trace_text *task, const ws_synth_answer *answer)
{
    static const ws_table_column headings[DISTANCE_COLUMNS] = {
        [DISTANCE_NAME] = {.heading = "DISTANCE TO THE RECORDED"},
        [DISTANCE_KS] = {.heading = "KS", .to_the_right = true},
        [DISTANCE_W] = {.heading = "WASSERSTEIN", .to_the_right = true},
    };
    ws_shape_distances distances = ws_trace_shape_compare(answer->shape, answer->recorded);
    ws_table_cell cells[5 * DISTANCE_COLUMNS] = {{.tone = WS_TONE_PLAIN}};
    ws_table table = {.columns = headings,
                      .column_count = DISTANCE_COLUMNS,
                      .kept = DISTANCE_COLUMNS,
                      .cells = cells,
                      .row_count = 5};

    ws_table_cell *row = cells;
    answer_distance_row(task, "run times", distances.durations, row);
    answer_distance_row(task, "GPUs of a job", distances.sizes, row += DISTANCE_COLUMNS);
    answer_distance_row(task, "GPU time by GPUs of a job", distances.work, row += DISTANCE_COLUMNS);
    answer_distance_row(task, "time between arrivals", distances.gaps, row += DISTANCE_COLUMNS);
    row += DISTANCE_COLUMNS;
    row[DISTANCE_NAME].text = WS_TEXT("hour of the day");
    row[DISTANCE_KS].text = ws_text_of(answer_decimal(task, distances.day, 3));
    row[DISTANCE_W].text = WS_TEXT("-");
    ws_trace_text_write_table(task, &table);
    ws_write_string(task->out,
                    "KS: the largest difference of the distribution functions; of the hours the "
                    "share of\njobs that come at another one. Wasserstein: of ln(1 + x), 0.1 is "
                    "10 % on average.\n\n");
}

void ws_synth_answer_write_text(const ws_synth_answer *answer, ws_writer *out, ws_arena *arena)
{
    ws_trace_answer head = {.terminal = answer->terminal};
    ws_trace_text task = {.answer = &head, .out = out, .arena = arena};
    const ws_synth *synth = answer->synth;

    ws_write_format(out, "%.*s   %s: %s\n\n", WS_TEXT_ARGS(answer->file), answer->form->name,
                    answer->form->summary);
    answer_write_jobs(&task, answer);
    if (answer->shape->jobs > 0) {
        answer_write_bursts(&task, answer);
    }
    if (answer->recorded != NULL) {
        answer_write_fit(&task, synth);
        if (answer->shape->jobs > 0) {
            answer_write_distances(&task, answer);
        }
    }
    ws_trace_text_line(&task, "drawn after",
                       ws_arena_format(arena, "%.*s, seed %llu", WS_TEXT_ARGS(synth->name),
                                       (unsigned long long)answer->seed));
    ws_trace_text_line(&task, "figures of", synth->source);
    if (answer->form->not_held != NULL) {
        ws_trace_text_line(&task, "not held", ws_text_of(answer->form->not_held));
    }
    ws_trace_text_line(&task, "written to", answer->file);
    ws_trace_text_line(&task, "  sha256", ws_text_of(answer->sha256));
}

/* ---- for machines ---- */

static void answer_json_counts(ws_writer *json, const char *key, const ws_trace_shape *shape)
{
    ws_shape_counts counts = ws_trace_shape_counts(shape);

    ws_json_begin_object(json, key);
    ws_json_i64(json, "jobs", shape->jobs);
    ws_json_i64(json, "attempts", shape->attempts);
    ws_json_i64(json, "hours", counts.hours);
    ws_json_f64(json, "per_h", counts.mean);
    ws_json_f64(json, "dispersion", counts.dispersion);
    ws_json_f64(json, "correlation", counts.correlation);
    ws_json_end_object(json);
}

static void answer_json_distance(ws_writer *json, const char *key, ws_shape_distance distance)
{
    ws_json_begin_object(json, key);
    ws_json_f64(json, "ks", distance.ks);
    ws_json_f64(json, "wasserstein_ln", distance.wasserstein);
    ws_json_end_object(json);
}

static void answer_json_distances(ws_writer *json, const ws_synth_answer *answer)
{
    ws_shape_distances distances = ws_trace_shape_compare(answer->shape, answer->recorded);

    ws_json_begin_object(json, "distances");
    answer_json_distance(json, "duration_s", distances.durations);
    answer_json_distance(json, "gpus", distances.sizes);
    answer_json_distance(json, "gpu_time", distances.work);
    answer_json_distance(json, "gap_s", distances.gaps);
    ws_json_f64(json, "hour_of_day", distances.day);
    ws_json_end_object(json);
}

static void answer_json_arrivals(ws_writer *json, const ws_synth_arrivals *arrivals)
{
    ws_json_begin_object(json, "arrivals");
    ws_json_f64(json, "rate_per_h", arrivals->rate_per_h);
    ws_json_begin_list(json, "by_hour");
    for (size_t i = 0; i < 24; i++) {
        ws_json_f64(json, NULL, arrivals->day[i]);
    }
    ws_json_end_list(json);
    ws_json_begin_list(json, "by_weekday");
    for (size_t i = 0; i < 7; i++) {
        ws_json_f64(json, NULL, arrivals->week[i]);
    }
    ws_json_end_list(json);
    ws_json_f64(json, "dispersion", ws_synth_dispersion(arrivals));
    ws_json_f64(json, "persistence", arrivals->persistence);
    ws_json_f64(json, "gap_near_fraction", arrivals->near_fraction);
    ws_json_f64(json, "gap_near_mean", arrivals->near_mean);
    ws_json_end_object(json);
}

static void answer_json_class(ws_writer *json, const ws_synth_class *class)
{
    ws_json_begin_object(json, NULL);
    ws_json_text(json, "kind", class->kind);
    ws_json_f64(json, "weight", class->weight);
    ws_json_i64(json, "gpus_min", class->sizes[0].gpus);
    ws_json_i64(json, "gpus_max", class->sizes[class->size_count - 1].gpus);
    ws_json_f64(json, "duration_p50_s", ws_synth_durations_at(&class->durations, 0));
    ws_json_i64(json, "recorded_jobs", class->jobs);
    if (class->jobs > 0) {
        bool is_lognormal = class->lognormal_ks < class->lognormal_ks_limit;
        ws_json_text(json, "durations", is_lognormal ? WS_TEXT("lognormal") : WS_TEXT("quantiles"));
        ws_json_f64(json, "lognormal_ks", class->lognormal_ks);
        ws_json_f64(json, "lognormal_ks_limit", class->lognormal_ks_limit);
    }
    ws_json_end_object(json);
}

static void answer_json_parameters(ws_writer *json, const ws_synth *synth)
{
    ws_json_begin_object(json, "parameters");
    answer_json_arrivals(json, &synth->arrivals);
    ws_json_begin_list(json, "classes");
    for (size_t i = 0; i < synth->class_count; i++) {
        answer_json_class(json, &synth->classes[i]);
    }
    ws_json_end_list(json);
    ws_json_i64(json, "users", synth->user_count);
    ws_json_f64(json, "user_exponent", synth->user_exponent);
    ws_json_f64(json, "repeat_fraction", synth->repeat_fraction);
    ws_json_f64(json, "repeat_likeness", synth->repeat_likeness);
    ws_json_f64(json, "interruptions_per_node_d", synth->restarts.per_node_day);
    ws_json_i64(json, "gpus_per_node", synth->restarts.gpus_per_node);
    ws_json_f64(json, "restart_gap_mean_s", synth->restarts.gap_mean_s);
    ws_json_end_object(json);
}

void ws_synth_answer_write_json(const ws_synth_answer *answer, ws_writer *json)
{
    ws_json_begin_object(json, NULL);
    ws_json_text(json, "schema", WS_TEXT("worldsize.trace-synth/v1"));
    ws_json_text(json, "file", answer->file);
    ws_json_text(json, "format", ws_text_of(answer->form->name));
    ws_json_i64(json, "bytes", answer->bytes);
    ws_json_text(json, "sha256", ws_text_of(answer->sha256));
    ws_json_text(json, "after", answer->synth->name);
    ws_json_text(json, "source", answer->synth->source);
    ws_json_u64(json, "seed", answer->seed);
    answer_json_counts(json, "drawn", answer->shape);
    if (answer->recorded != NULL) {
        answer_json_counts(json, "recorded", answer->recorded);
        if (answer->shape->jobs > 0) {
            answer_json_distances(json, answer);
        }
    }
    answer_json_parameters(json, answer->synth);
    ws_json_begin_list(json, "diagnostics");
    ws_diagnostics_write_json(json, answer->diag);
    ws_json_end_list(json);
    ws_json_end_object(json);
}
