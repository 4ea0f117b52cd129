/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When jobs arrive: once, at a stated time, or by a Poisson process. */
#include "build.h"

/** Arrivals of a process that says nothing else. */
#define ARRIVALS_COUNT_DEFAULT 1000000

typedef struct {
    ws_duration peak;
    double ratio;
} arrivals_daily;

typedef struct {
    int32_t dist;
    double rate;
    arrivals_daily daily;
} arrivals_submit;

static const char *const dist_choices[] = {"poisson", NULL};

static const ws_parameter daily_rows[] = {
    {.name = "peak",
     .kind = WS_PARAMETER_DURATION,
     .offset = offsetof(arrivals_daily, peak),
     .default_text = "14h",
     .max = "24h",
     .help = "time of day of the highest rate"},
    {.name = "ratio",
     .kind = WS_PARAMETER_NUMBER,
     .offset = offsetof(arrivals_daily, ratio),
     .default_text = "1",
     .min = "1",
     .max = "1000000",
     .help = "highest over lowest rate"},
};
static const ws_parameter_table daily_table = {.noun = "daily pattern",
                                               .rows = daily_rows,
                                               .count = WS_COUNT_OF(daily_rows),
                                               .bytes = sizeof(arrivals_daily)};

static const ws_parameter submit_rows[] = {
    {.name = "dist",
     .kind = WS_PARAMETER_CHOICE,
     .offset = offsetof(arrivals_submit, dist),
     .choices = dist_choices,
     .choice_noun = "an arrival process",
     .required = true,
     .help = "the process"},
    {.name = "rate",
     .kind = WS_PARAMETER_RATE,
     .offset = offsetof(arrivals_submit, rate),
     .required = true,
     .help = "mean number of arrivals in a time"},
    {.name = "daily",
     .kind = WS_PARAMETER_MAP,
     .offset = offsetof(arrivals_submit, daily),
     .table = &daily_table,
     .help = "how the rate follows the time of day"},
};
const ws_parameter_table ws_file_submit_table = {.noun = "submit",
                                                 .rows = submit_rows,
                                                 .count = WS_COUNT_OF(submit_rows),
                                                 .bytes = sizeof(arrivals_submit)};

static void arrivals_warn_late(ws_build *context, const ws_file_job *file, ws_time at)
{
    if (at.ns < context->file->horizon.ns) {
        return;
    }
    ws_build_warn(
        context, &(ws_diagnostic){.code = 4307,
                                  .message = ws_build_text(context, "job `%.*s` is never submitted",
                                                           WS_TEXT_ARGS(file->name)),
                                  .at = file->submit->at,
                                  .label = WS_TEXT("not before the end of the run"),
                                  .also = ws_build_at(context->file->self, "horizon"),
                                  .also_label = WS_TEXT("which is here")});
}

/** A time: the job comes once. */
static bool arrivals_once(ws_build *context, const ws_file_job *file, ws_arrivals *arrivals)
{
    ws_quantity at = {.integer = 0};

    if (file->count > 0) {
        return ws_build_error(context, 2302, ws_build_at(file->self, "count"),
                              WS_TEXT("`count` goes with a process of arrivals"),
                              "this job comes once",
                              WS_TEXT("write `submit: {dist: poisson, rate: 6/h}`, or remove it"));
    }
    if (file->submit == NULL) {
        return true;
    }
    if (!ws_build_quantity(context, file->submit, WS_QUANTITY_DURATION, WS_TEXT("submit"), &at)) {
        return false;
    }
    arrivals->at.ns = at.integer;
    arrivals_warn_late(context, file, arrivals->at);
    return true;
}

bool ws_build_arrivals(ws_build *context, const ws_file_job *file, ws_arrivals *arrivals)
{
    WS_ASSERT(arrivals != NULL);

    arrivals_submit submit = {.rate = 0};

    *arrivals = (ws_arrivals){.kind = WS_ARRIVALS_AT, .count = 1, .daily_ratio = 1};
    if (file->submit == NULL || file->submit->kind == WS_DOCUMENT_SCALAR) {
        return arrivals_once(context, file, arrivals);
    }
    ws_text where = ws_build_text(context, "workload.jobs[%.*s].submit", WS_TEXT_ARGS(file->name));
    arrivals->kind = WS_ARRIVALS_POISSON;
    if (!ws_parameters_read(
            (ws_document *)file->submit, where,
            &(ws_parameter_binding){.table = &ws_file_submit_table, .object = &submit}, 1,
            context->arena, context->diag)) {
        return false;
    }
    arrivals->rate_per_s = submit.rate;
    arrivals->daily_peak = submit.daily.peak;
    arrivals->daily_ratio = submit.daily.ratio;
    arrivals->count = file->count > 0 ? file->count : ARRIVALS_COUNT_DEFAULT;
    return submit.rate > 0 || ws_build_error(context, 3107, ws_build_at(file->submit, "rate"),
                                             WS_TEXT("`rate` is above 0"), "nothing ever arrives",
                                             WS_TEXT("leave the job out instead"));
}
