/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stated jobs: from what is written to templates that worlds are drawn from. */
#include <math.h>

#include "build.h"

/* ---- shared with traces ---- */

/** Relative speed of a type, from a map {TYPE: 45%}; 1 when it is not named. */
static bool jobs_read_speed(ws_build *context, const ws_document *speed, ws_text type,
                            double *value)
{
    *value = 1;
    if (speed == NULL) {
        return true;
    }
    if (speed->kind != WS_DOCUMENT_MAP) {
        return ws_build_error(context, 2201, speed->at, WS_TEXT("`speed` is a map of GPU types"),
                              "not a map", WS_TEXT("write `{TYPE: 45%}`"));
    }
    for (size_t i = 0; i < speed->count; i++) {
        ws_quantity quantity = {.real = 0};
        if (!ws_text_equals(speed->entries[i].key, type)) {
            continue;
        }
        if (!ws_build_quantity(context, speed->entries[i].value, WS_QUANTITY_PERCENT, type,
                               &quantity)) {
            return false;
        }
        if (quantity.real <= 0) {
            return ws_build_error(context, 3107, speed->entries[i].value->at,
                                  WS_TEXT("a relative speed is above 0%"), "no speed at all",
                                  WS_TEXT("leave the type out of `types` instead"));
        }
        *value = quantity.real;
    }
    return true;
}

static bool jobs_accepts(const ws_list *types, ws_text type)
{
    const ws_text *names = types->items;

    for (size_t i = 0; i < types->count; i++) {
        if (ws_text_equals(names[i], type)) {
            return true;
        }
    }
    return types->count == 0;
}

bool ws_build_accepted_pools(ws_build *context, const ws_list *types, const ws_document *speed,
                             ws_span at, ws_job_kind *kind)
{
    const ws_scenario *scenario = context->scenario;
    double *speeds = ws_build_new(context, double, scenario->pool_count);

    if (speeds == NULL) {
        return false;
    }
    for (size_t pool = 0; pool < scenario->pool_count; pool++) {
        ws_text type = scenario->pools[pool].gpu_type;
        if (!jobs_accepts(types, type)) {
            continue;
        }
        if (!jobs_read_speed(context, speed, type, &speeds[pool])) {
            return false;
        }
        kind->pools |= UINT64_C(1) << pool;
    }
    kind->pool_speed = speeds;
    if (kind->pools == 0) {
        return ws_build_error(context, 4103, at,
                              ws_build_text(context, "no pool has a GPU type that `%.*s` accepts",
                                            WS_TEXT_ARGS(kind->name)),
                              "these types",
                              ws_build_text(context, "the first pool has `%.*s`",
                                            WS_TEXT_ARGS(scenario->pools[0].gpu_type)));
    }
    return true;
}

/** Time of a transfer of `bytes` over a channel. */
static ws_duration jobs_transfer(int64_t bytes, const ws_file_channel *channel)
{
    ws_duration transfer = ws_duration_of_s((double)bytes / channel->bandwidth);
    return (ws_duration){.ns = transfer.ns + channel->latency.ns};
}

bool ws_build_checkpoint(ws_build *context, const ws_file_checkpoint *file, ws_job_kind *kind)
{
    const ws_file_store *store = context->file->storage.checkpoint;

    if (file == NULL) {
        return true;
    }
    kind->has_checkpoint = true;
    kind->checkpoint = (ws_checkpoint_spec){.every = file->every,
                                            .write = file->write,
                                            .read = file->read,
                                            .before_resize = file->before_resize};
    if (!file->has_size) {
        return true;
    }
    if (store == NULL && (!file->has_write || !file->has_read)) {
        return ws_build_error(
            context, 4104, ws_build_at(file->self, "size"),
            WS_TEXT(
                "a checkpoint's `size` needs `storage.checkpoint` to say how fast it is written"),
            "how long does that take?",
            WS_TEXT("add `storage: {checkpoint: {write: {bandwidth: 40GB/s}, read: "
                    "{bandwidth: 60GB/s}}}`, or give `write` and `read` times here"));
    }
    if (!file->has_write) {
        kind->checkpoint.write = jobs_transfer(file->size, &store->write);
    }
    if (!file->has_read) {
        kind->checkpoint.read = jobs_transfer(file->size, &store->read);
    }
    return true;
}

ws_worker_start ws_build_worker_start(const ws_file_worker_start *file)
{
    return (ws_worker_start){
        .container = file->container,
        .framework = file->framework,
        .rendezvous = file->rendezvous,
        .init = file->init,
        .load = file->load,
        .warm_up = file->warm_up,
    };
}

int64_t ws_build_reachable_gpus(const ws_build *context, const ws_job_kind *kind)
{
    const ws_scenario *scenario = context->scenario;
    int64_t gpus = 0;

    for (size_t pool = 0; pool < scenario->pool_count; pool++) {
        const ws_pool_spec *spec = &scenario->pools[pool];
        if (((kind->pools >> pool) & 1) != 0) {
            gpus += (int64_t)spec->nodes_max * spec->gpus_per_node;
        }
    }
    return gpus;
}

/* ---- arrivals ---- */

typedef struct {
    ws_duration peak;
    double ratio;
} jobs_daily;

typedef struct {
    int32_t dist;
    double rate;
    jobs_daily daily;
} jobs_submit;

static const char *const submit_choices[] = {"poisson", NULL};

static const ws_parameter daily_rows[] = {
    {.name = "peak",
     .kind = WS_PARAMETER_DURATION,
     .offset = offsetof(jobs_daily, peak),
     .default_text = "14h",
     .max = "24h",
     .help = "time of day of the highest rate"},
    {.name = "ratio",
     .kind = WS_PARAMETER_NUMBER,
     .offset = offsetof(jobs_daily, ratio),
     .default_text = "1",
     .min = "1",
     .max = "1000000",
     .help = "highest over lowest rate"},
};
static const ws_parameter_table daily_table = {.noun = "daily pattern",
                                               .rows = daily_rows,
                                               .count = WS_COUNT_OF(daily_rows),
                                               .bytes = sizeof(jobs_daily)};

static const ws_parameter submit_rows[] = {
    {.name = "dist",
     .kind = WS_PARAMETER_CHOICE,
     .offset = offsetof(jobs_submit, dist),
     .choices = submit_choices,
     .choice_noun = "an arrival process",
     .required = true,
     .help = "the process"},
    {.name = "rate",
     .kind = WS_PARAMETER_RATE,
     .offset = offsetof(jobs_submit, rate),
     .required = true,
     .help = "mean number of arrivals in a time"},
    {.name = "daily",
     .kind = WS_PARAMETER_MAP,
     .offset = offsetof(jobs_submit, daily),
     .table = &daily_table,
     .help = "how the rate follows the time of day"},
};
static const ws_parameter_table submit_table = {.noun = "submit",
                                                .rows = submit_rows,
                                                .count = WS_COUNT_OF(submit_rows),
                                                .bytes = sizeof(jobs_submit)};

static bool jobs_arrivals(ws_build *context, const ws_file_job *file, ws_arrivals *arrivals)
{
    jobs_submit submit = {.rate = 0};
    ws_quantity at = {.integer = 0};

    *arrivals = (ws_arrivals){.kind = WS_ARRIVALS_AT, .count = 1, .daily_ratio = 1};
    if (file->submit == NULL) {
        return true;
    }
    if (file->submit->kind == WS_DOCUMENT_SCALAR) {
        bool read =
            ws_build_quantity(context, file->submit, WS_QUANTITY_DURATION, WS_TEXT("submit"), &at);
        arrivals->at.ns = at.integer;
        return read;
    }
    if (!ws_parameters_read((ws_document *)file->submit, WS_TEXT("submit"),
                            &(ws_parameter_binding){.table = &submit_table, .object = &submit}, 1,
                            context->arena, context->diag)) {
        return false;
    }
    *arrivals = (ws_arrivals){.kind = WS_ARRIVALS_POISSON,
                              .rate_per_s = submit.rate,
                              .daily_peak = submit.daily.peak,
                              .daily_ratio = submit.daily.ratio,
                              .count = file->count};
    return submit.rate > 0 || ws_build_error(context, 3107, ws_build_at(file->submit, "rate"),
                                             WS_TEXT("`rate` is above 0"), "nothing ever arrives",
                                             WS_TEXT("leave the job out instead"));
}

/* ---- sizes ---- */

static bool jobs_read_sizes(ws_build *context, const ws_document *sizes, ws_job_template *template)
{
    int32_t *legal = NULL;

    if (sizes->kind != WS_DOCUMENT_LIST || sizes->count == 0) {
        return ws_build_error(context, 2201, sizes->at, WS_TEXT("`sizes` is a list of replicas"),
                              "not such a list", WS_TEXT("write `[2, 4, 8, 16]`"));
    }
    legal = ws_build_new(context, int32_t, sizes->count);
    if (legal == NULL) {
        return false;
    }
    for (size_t i = 0; i < sizes->count; i++) {
        const ws_document *size = sizes->entries[i].value;
        ws_quantity quantity = {.integer = 0};
        if (!ws_build_quantity(context, size, WS_QUANTITY_INTEGER, WS_TEXT("sizes"), &quantity)) {
            return false;
        }
        if (quantity.integer < 1 || quantity.integer > WS_REPLICAS_MAX ||
            (i > 0 && quantity.integer <= legal[i - 1])) {
            return ws_build_error(context, 3107, size->at,
                                  WS_TEXT("`sizes` are at least 1 and ascend"), "not so here",
                                  WS_TEXT(""));
        }
        legal[i] = (int32_t)quantity.integer;
    }
    template->legal = legal;
    template->legal_count = sizes->count;
    template->replicas_min = legal[0];
    template->replicas_max = legal[sizes->count - 1];
    return true;
}

static bool jobs_size_error(ws_build *context, const ws_file_job *file, const char *key,
                            ws_text message, const char *label, ws_text help)
{
    return ws_build_error(context, 4203, ws_build_at(file->replicas.self, key), message, label,
                          help);
}

/** Why a size is none of the legal ones, in a few words. */
static const char *jobs_illegal_label(ws_build *context, const ws_job_template *template)
{
    if (template->legal != NULL) {
        return "not one of `sizes`";
    }
    if (template->replicas_initial < template->replicas_min) {
        return "less than `min`";
    }
    if (template->replicas_initial > template->replicas_max) {
        return "more than `max`";
    }
    return ws_build_text(context, "not %d plus a multiple of %d", template->replicas_min,
                         template->replicas_step)
        .start;
}

/** `initial` must be one of the legal sizes. */
static bool jobs_check_initial(ws_build *context, const ws_file_job *file,
                               const ws_job_template *template)
{
    ws_stage_spec stage = {.replicas_min = 1, .replicas_max = WS_REPLICAS_MAX};
    ws_job_spec probe = {.replicas_min = template->replicas_min,
                         .replicas_max = template->replicas_max,
                         .replicas_step = template->replicas_step,
                         .legal = template->legal,
                         .legal_count = template->legal_count,
                         .stages = &stage,
                         .stage_count = 1};
    int32_t below = ws_job_legal_at_most(&probe, 0, template->replicas_initial);
    int32_t above = ws_job_legal_at_least(&probe, 0, template->replicas_initial);

    if (below == template->replicas_initial) {
        return true;
    }
    ws_text help = below > 0 && above > 0
                       ? ws_build_text(context, "use %d or %d", below, above)
                       : ws_build_text(context, "use %d", below > 0 ? below : above);
    return jobs_size_error(context, file, "initial",
                           ws_build_text(context, "`initial: %d` is not a legal size of job `%.*s`",
                                         template->replicas_initial, WS_TEXT_ARGS(file->name)),
                           jobs_illegal_label(context, template), help);
}

static bool jobs_sizes(ws_build *context, const ws_file_job *file, ws_job_template *template)
{
    const ws_file_replicas *replicas = &file->replicas;
    bool ranged = ws_document_find(replicas->self, "min") != NULL ||
                  ws_document_find(replicas->self, "max") != NULL;

    template->replicas_initial = (int32_t)replicas->initial;
    template->replicas_min = (int32_t)(replicas->min > 0 ? replicas->min : replicas->initial);
    template->replicas_max = (int32_t)(replicas->max > 0 ? replicas->max : replicas->initial);
    template->replicas_step = (int32_t)replicas->step;
    if (replicas->sizes != NULL && ranged) {
        return jobs_size_error(context, file, "sizes",
                               WS_TEXT("`replicas` has both `sizes` and a range"), "keep one",
                               WS_TEXT("remove `min` and `max`, or `sizes`"));
    }
    if (replicas->sizes != NULL && !jobs_read_sizes(context, replicas->sizes, template)) {
        return false;
    }
    if (template->replicas_min > template->replicas_max) {
        return jobs_size_error(context, file, "min", WS_TEXT("`min` is above `max`"),
                               "at least this", WS_TEXT(""));
    }
    if (!template->kind.elasticity->may_start_smaller &&
        template->replicas_min != template->replicas_max) {
        return jobs_size_error(
            context, file, "max",
            ws_build_text(
                context,
                "job `%.*s` has a range of sizes, but its mode `rigid` never changes the size",
                WS_TEXT_ARGS(file->name)),
            "never reached", WS_TEXT("add `elasticity: {mode: restart}`, or keep `initial` alone"));
    }
    return jobs_check_initial(context, file, template);
}

static bool jobs_check_per_replica(ws_build *context, const ws_file_job *file,
                                   const ws_job_kind *kind)
{
    const ws_scenario *scenario = context->scenario;
    const ws_document *gpus = ws_document_find(file->self, "gpus");

    for (size_t pool = 0; pool < scenario->pool_count; pool++) {
        int32_t per_node = scenario->pools[pool].gpus_per_node;
        if (((kind->pools >> pool) & 1) != 0 && kind->gpus_per_replica > per_node &&
            kind->gpus_per_replica % per_node != 0) {
            return ws_build_error(
                context, 4204, ws_build_at(gpus, "per_replica"),
                ws_build_text(
                    context,
                    "a replica of %d GPUs is no whole number of nodes of %d in pool `%.*s`",
                    kind->gpus_per_replica, per_node, WS_TEXT_ARGS(scenario->pools[pool].name)),
                "neither within a node nor whole nodes",
                ws_build_text(context, "use %d or a multiple of it", per_node));
        }
    }
    return true;
}

/** "h100-od 16 x 8 + h100-spot 32 x 8 = 384; `--strict` ...": how the pools that a kind accepts add
 * up. */
static ws_text jobs_reach_note(ws_build *context, const ws_job_kind *kind, int64_t reach)
{
    const ws_scenario *scenario = context->scenario;
    ws_text sum = {.length = 0};

    for (size_t pool = 0; pool < scenario->pool_count; pool++) {
        const ws_pool_spec *spec = &scenario->pools[pool];
        if (((kind->pools >> pool) & 1) != 0) {
            sum = ws_build_text(context, "%.*s%s%.*s %d x %d", WS_TEXT_ARGS(sum),
                                sum.length == 0 ? "" : " + ", WS_TEXT_ARGS(spec->name),
                                spec->nodes_max, spec->gpus_per_node);
        }
    }
    return ws_build_text(context, "%.*s = %lld; `--strict` makes this an error", WS_TEXT_ARGS(sum),
                         (long long)reach);
}

/** What can never happen: an error when the job cannot even start, else a warning. */
static bool jobs_check_reach(ws_build *context, const ws_file_job *file,
                             const ws_job_template *template)
{
    int64_t reach = ws_build_reachable_gpus(context, &template->kind);
    int64_t per_replica = template->kind.gpus_per_replica;
    bool smaller = template->kind.elasticity->may_start_smaller;
    int64_t least = (smaller ? template->replicas_min : template->replicas_initial) * per_replica;
    int64_t most = template->replicas_max * per_replica;
    bool has_max = ws_document_find(file->replicas.self, "max") != NULL;
    ws_span at = ws_build_at(file->replicas.self, has_max ? "max" : "initial");

    if (least > reach) {
        return ws_build_error(
            context, 4303, ws_build_at(file->replicas.self, smaller ? "min" : "initial"),
            ws_build_text(context,
                          "job `%.*s` needs %lld GPUs; the pools that it accepts reach %lld",
                          WS_TEXT_ARGS(file->name), (long long)least, (long long)reach),
            "it would wait for ever, and block the queue", WS_TEXT(""));
    }
    if (most > reach) {
        ws_diag_add(
            context->diag,
            &(ws_diagnostic){.severity = WS_SEVERITY_WARNING,
                             .code = 4301,
                             .message = ws_build_text(
                                 context,
                                 "job `%.*s` may ask for %lld GPUs; all pools together reach %lld",
                                 WS_TEXT_ARGS(file->name), (long long)most, (long long)reach),
                             .at = at,
                             .label = ws_build_text(context, "sizes above %lld never happen",
                                                    (long long)(reach / per_replica)),
                             .notes = {jobs_reach_note(context, &template->kind, reach)}});
    }
    return true;
}

/* ---- stages ---- */

static bool jobs_stage_rate(ws_build *context, const ws_file_job *file, const ws_file_stage *stage,
                            const ws_job_template *template, ws_stage_template *out)
{
    const ws_document *step = stage->step != NULL ? stage->step : file->step;
    const ws_document *speedup = stage->speedup != NULL ? stage->speedup : file->speedup;
    ws_build_speedup assumed = {.kind = WS_BUILD_SPEEDUP_NONE};

    if (stage->has_work) {
        if (step == NULL) {
            return ws_build_error(
                context, 2102, stage->self->at,
                ws_build_text(context,
                              "stage `%.*s` has work, but nothing says how fast it is done",
                              WS_TEXT_ARGS(stage->name)),
                "this stage",
                WS_TEXT("add `step: {curve: {REPLICAS: RATE, ...}}` to the job or the stage"));
        }
        return ws_build_step(context, step, stage->global_batch, &out->spec.step);
    }
    if (!ws_build_read_speedup(context, speedup, &assumed)) {
        return false;
    }
    if (assumed.kind == WS_BUILD_SPEEDUP_NONE && template->replicas_min != template->replicas_max) {
        return ws_build_error(
            context, 2102, stage->self->at,
            ws_build_text(context,
                          "stage `%.*s` has a duration, but nothing says what other sizes do",
                          WS_TEXT_ARGS(stage->name)),
            "at the initial size only",
            WS_TEXT("add `speedup: {amdahl: 95%}` to the job or the stage"));
    }
    return ws_build_apply_speedup(context, &assumed, template->replicas_initial, &out->spec.step);
}

static bool jobs_stage_work(ws_build *context, const ws_file_stage *stage, ws_stage_template *out)
{
    if (stage->has_work == stage->has_duration) {
        return ws_build_error(context, 2302, stage->self->at,
                              ws_build_text(context, "stage `%.*s` has %s `work` and `duration`",
                                            WS_TEXT_ARGS(stage->name),
                                            stage->has_work ? "both" : "neither"),
                              "exactly one of them", WS_TEXT(""));
    }
    if (stage->has_duration) {
        out->is_drawn = true;
        out->work = stage->duration;
        out->spec.work = 1;
        return ws_distribution_mean(&stage->duration) > 0 ||
               ws_build_error(context, 3107, ws_build_at(stage->self, "duration"),
                              WS_TEXT("`duration` is longer than 0"), "no time at all",
                              WS_TEXT(""));
    }
    if (stage->work.unit == WS_WORK_NONE) {
        return ws_build_error(
            context, 3101, ws_build_at(stage->self, "work"),
            WS_TEXT("`work` is an amount of something"), "of what?",
            ws_build_text(context, "write `%.*s samples` (or tokens, or steps)",
                          WS_TEXT_ARGS(ws_document_find(stage->self, "work")->scalar)));
    }
    out->spec.work = stage->work.amount;
    out->spec.unit = (ws_work_unit)stage->work.unit;
    return stage->work.amount > 0 ||
           ws_build_error(context, 3107, ws_build_at(stage->self, "work"),
                          WS_TEXT("`work` is above 0"), "nothing to do", WS_TEXT(""));
}

/** Every stage must leave the job a legal size. */
static bool jobs_check_stage_sizes(ws_build *context, const ws_file_stage *stage,
                                   const ws_job_template *template, const ws_stage_spec *spec)
{
    ws_job_spec probe = {.replicas_min = template->replicas_min,
                         .replicas_max = template->replicas_max,
                         .replicas_step = template->replicas_step,
                         .legal = template->legal,
                         .legal_count = template->legal_count,
                         .stages = spec,
                         .stage_count = 1};

    if (ws_job_legal_at_least(&probe, 0, 1) > 0) {
        return true;
    }
    return ws_build_error(context, 4203, ws_build_at(stage->self, "replicas"),
                          ws_build_text(context, "stage `%.*s` leaves the job no legal size",
                                        WS_TEXT_ARGS(stage->name)),
                          "outside of the job's sizes", WS_TEXT(""));
}

/** Sizes outside of a measured curve are extrapolated: said once a stage. */
static void jobs_warn_extrapolated(ws_build *context, const ws_file_stage *stage,
                                   const ws_job_template *template, const ws_stage_spec *spec)
{
    int32_t low = 0;
    int32_t high = 0;
    int32_t most =
        spec->replicas_max < template->replicas_max ? spec->replicas_max : template->replicas_max;
    int32_t least =
        spec->replicas_min > template->replicas_min ? spec->replicas_min : template->replicas_min;

    spec->step.type->valid_range(spec->step.parameters, &low, &high);
    if (high == 0 || (most <= high && least >= low)) {
        return;
    }
    ws_diag_add(
        context->diag,
        &(ws_diagnostic){
            .severity = WS_SEVERITY_WARNING,
            .code = 4305,
            .message = ws_build_text(
                context,
                "stage `%.*s` may run at %d to %d replicas; its curve was measured at %d to %d",
                WS_TEXT_ARGS(stage->name), least, most, low, high),
            .at = stage->self->at,
            .label = WS_TEXT("extrapolated"),
            .notes = {
                WS_TEXT("above the largest measured size the rate is taken to stay as it is")}});
    ws_build_assume(context,
                    ws_build_text(context, "stage %.*s: extrapolated outside of %d to %d replicas",
                                  WS_TEXT_ARGS(stage->name), low, high));
}

static bool jobs_stages(ws_build *context, const ws_file_job *file, ws_job_template *template)
{
    const ws_file_stage *files = file->stages.items;
    ws_stage_template *stages = ws_build_new(context, ws_stage_template, file->stages.count + 1);
    bool sound = true;

    if (stages == NULL) {
        return false;
    }
    if (file->stages.count == 0 || file->stages.count > WS_STAGES_MAX) {
        return ws_build_error(context, 9020, ws_build_at(file->self, "stages"),
                              ws_build_text(context, "a job has 1 to %d stages", WS_STAGES_MAX),
                              "not so here", WS_TEXT(""));
    }
    for (size_t i = 0; i < file->stages.count; i++) {
        ws_stage_template *stage = &stages[i];
        stage->spec.name = files[i].name;
        stage->spec.replicas_min = (int32_t)files[i].replicas.min;
        stage->spec.replicas_max = (int32_t)files[i].replicas.max;
        bool whole = jobs_stage_work(context, &files[i], stage) &&
                     jobs_stage_rate(context, file, &files[i], template, stage) &&
                     jobs_check_stage_sizes(context, &files[i], template, &stage->spec);
        if (whole) {
            jobs_warn_extrapolated(context, &files[i], template, &stage->spec);
        }
        sound = sound && whole;
    }
    template->stages = stages;
    template->stage_count = file->stages.count;
    return sound;
}

/* ---- a job ---- */

static bool jobs_template(ws_build *context, const ws_file_job *file, ws_job_template *template)
{
    const ws_document *gpus = ws_document_find(file->self, "gpus");

    *template = (ws_job_template){
        .kind = {.name = file->name,
                 .entity = ws_text_hash(file->name),
                 .priority = (int32_t)file->priority,
                 .gpus_per_replica = (int32_t)file->gpus.per_replica,
                 .elasticity = ws_elasticity_at((size_t)file->elasticity.mode),
                 .start = ws_build_worker_start(&file->worker_start),
                 .usage = {.cpu = file->usage.cpu,
                           .memory = file->usage.memory,
                           .nccl_sm = file->usage.nccl_sm}},
        .deadline = file->deadline,
    };
    bool sound = jobs_arrivals(context, file, &template->arrivals);
    sound = ws_build_checkpoint(context, file->checkpoint, &template->kind) && sound;
    sound = ws_build_accepted_pools(context, &file->gpus.types, file->gpus.speed,
                                    ws_build_at(gpus, "types"), &template->kind) &&
            jobs_check_per_replica(context, file, &template->kind) && sound;
    bool sized = jobs_sizes(context, file, template);
    sound = sized && jobs_stages(context, file, template) && sound;
    return sound && jobs_check_reach(context, file, template);
}

static bool jobs_check_names(ws_build *context, const ws_file_job *jobs, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        for (size_t k = 0; k < i; k++) {
            if (ws_text_equals(jobs[i].name, jobs[k].name)) {
                ws_diag_add(
                    context->diag,
                    &(ws_diagnostic){.severity = WS_SEVERITY_ERROR,
                                     .code = 4102,
                                     .message = ws_build_text(context, "two jobs are named `%.*s`",
                                                              WS_TEXT_ARGS(jobs[i].name)),
                                     .at = ws_build_at(jobs[i].self, "name"),
                                     .label = WS_TEXT("second use"),
                                     .also = ws_build_at(jobs[k].self, "name"),
                                     .also_label = WS_TEXT("first use is here")});
                return false;
            }
        }
    }
    return true;
}

bool ws_build_jobs(ws_build *context)
{
    const ws_list *list = &context->file->workload.jobs;
    const ws_file_job *files = list->items;
    ws_job_template *templates = ws_build_new(context, ws_job_template, list->count + 1);
    bool has_main = false;
    bool sound = true;

    if (templates == NULL) {
        return false;
    }
    for (size_t i = 0; i < list->count; i++) {
        sound = jobs_template(context, &files[i], &templates[i]) && sound;
        templates[i].kind.main_job = !has_main && templates[i].arrivals.kind == WS_ARRIVALS_AT;
        has_main = has_main || templates[i].kind.main_job;
    }
    context->scenario->workload.templates = templates;
    context->scenario->workload.template_count = list->count;
    return jobs_check_names(context, files, list->count) && sound;
}
