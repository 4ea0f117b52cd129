/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The dictionaries of columns: their headers are a promise to other programs, so they stand here in
 * full. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

#include "support/arena_suite.h"
#include "support/support.h"
#include "ws/record.h"

#define GPU_HOUR_NS INT64_C(3600000000000)

static const char summary_header[] =
    "scenario,policy,policy_type,replication,seed,complete,cost_usd,warmup_cost_usd,gpu_h,"
    "useful_gpu_h,communication_gpu_h,input_stall_gpu_h,straggle_gpu_h,checkpoint_gpu_h,"
    "cold_start_gpu_h,resize_gpu_h,recovery_gpu_h,lost_gpu_h,idle_gpu_h,unbilled_gpu_h,"
    "goodput_fraction,effective_training_ratio,objective_usd,samples,samples_per_s,main_finish_s,"
    "makespan_s,"
    "jct_mean_s,jct_p50_s,jct_p95_s,wait_mean_s,wait_p95_s,slowdown_p95,deadline_miss_fraction,"
    "jobs_submitted,jobs_done,jobs_censored,scale_ups,scale_downs,resizes,restarts,preemptions,"
    "failures,"
    "job_failures,checkpoints,clamps,gpus_mean,gpus_peak,evaluations,events,"
    "pace_alone_ratio,pace_duty_ratio,pace_collide_ratio,pace_differ_job,pace_differ_at_s,"
    "pace_unsettled,reclaims,compute_cost_usd,storage_cost_usd,"
    "demand,demand_served_fraction,backlog_end,backlog_max,backlog_time_fraction,"
    "lag_mean_s,lag_p95_s,lag_p99_s,lag_max_s,demand_hole_s\n";

static const char jobs_header[] =
    "policy,replication,job,name,user,queue,submit_s,first_start_s,end_s,state,wait_s,run_s,jct_s,"
    "slowdown,gpus_requested,gpus_min,gpus_max,gpus_mean,gpus_peak,resizes,restarts,preemptions,"
    "failures,"
    "checkpoints,work,work_lost,statistical_efficiency,effective_training_ratio,gpu_h,"
    "useful_gpu_h,communication_gpu_h,"
    "input_stall_gpu_h,straggle_gpu_h,checkpoint_gpu_h,cold_start_gpu_h,resize_gpu_h,"
    "recovery_gpu_h,lost_gpu_h,idle_gpu_h,cost_usd,deadline_s,deadline_met,"
    "transfer_s,transfer_alone_s,"
    "pace_alone_ratio,pace_duty_ratio,pace_collide_ratio,pace_differ_at_s,pace_unsettled,"
    "data_bytes,data_wait_s,data_wait_alone_s,storage_cost_usd,local_checkpoints,"
    "disk_losses\n";

static const char timeline_header[] =
    "policy,replication,t_s,pool,nodes_wanted,nodes_requested,nodes_starting,nodes_ready,"
    "nodes_draining,nodes_broken,gpus_paid,gpus_ready,gpus_busy,gpus_waiting,jobs_running,"
    "jobs_waiting,main_gpus,cost_usd_cum,main_stage,demand_per_s,served_per_s,capacity_per_s,"
    "backlog,"
    "lag_s\n";

static const char extremes_header[] =
    "policy,replication,t_s,gpus_paid_min,gpus_paid_max,gpus_ready_min,gpus_ready_max,"
    "gpus_busy_min,gpus_busy_max,gpus_waiting_min,gpus_waiting_max,gpus_wanted_min,gpus_wanted_max,"
    "main_gpus_min,main_gpus_max\n";

static const char comparisons_header[] =
    "policy,baseline,metric,n_pairs,mean,ci_low,ci_high,baseline_mean,diff_mean,diff_ci_low,"
    "diff_ci_high,ratio,ratio_ci_low,ratio_ci_high,correlation,p,confidence,comparisons,resolved,"
    "identical,verdict\n";

static const ws_columns *const all_columns[] = {
    &ws_run_columns,      &ws_job_columns,        &ws_timeline_columns,
    &ws_extremes_columns, &ws_comparison_columns,
};

WS_TEST_ARENA_SUITE(columns);

static ws_text columns_header(const ws_columns *columns)
{
    ws_writer csv;

    ws_writer_init_memory(&csv, &arena);
    ws_columns_write_header(columns, &csv);
    cr_assert(ws_writer_finish(&csv, &diag));
    return ws_writer_text(&csv);
}

static ws_text columns_line(const ws_columns *columns, const void *record)
{
    ws_writer csv;

    ws_writer_init_memory(&csv, &arena);
    ws_columns_write(columns, record, &csv);
    cr_assert(ws_writer_finish(&csv, &diag));
    return ws_writer_text(&csv);
}

/* Every number has a value of its own, so that a column with the offset of another shows. */
static ws_run_record columns_run(void)
{
    ws_run_record run = {
        .scenario = WS_TEXT("week"),
        .policy = WS_TEXT("=hpa,\"1\""), /* a formula to a spreadsheet, and in need of quotes */
        .policy_type = WS_TEXT("hpa+fixed"),
        .replication = 7,
        .seed = UINT64_MAX,
        .complete = true,
        .cost = {.nano = (ws_i128)1234500000000},
        .warmup_cost = {.nano = 1},
        .paid = {.gpu_ns = (ws_i128)55 * GPU_HOUR_NS},
        .unbilled = {.gpu_ns = GPU_HOUR_NS / 4},
        .goodput_fraction = 0.1,
        .effective_training_ratio = 0.2,
        .objective_usd = 0.7,
        .samples = 1e15,
        .samples_per_s = 0.3,
        .main_finish_s = (double)NAN,
        .makespan_s = 11.5,
        .jct_mean_s = 12.5,
        .jct_p50_s = 13.5,
        .jct_p95_s = 14.5,
        .wait_mean_s = 15.5,
        .wait_p95_s = 16.5,
        .slowdown_p95 = 17.5,
        .deadline_miss_fraction = (double)NAN,
        .jobs_submitted = 21,
        .jobs_done = 22,
        .jobs_censored = 23,
        .scale_ups = 24,
        .scale_downs = 25,
        .resizes = 26,
        .restarts = 27,
        .preemptions = 127,
        .failures = 28,
        .job_failures = 29,
        .checkpoints = 30,
        .clamps = 31,
        .gpus_mean = 32.25,
        .gpus_peak = 33,
        .evaluations = 34,
        .events = INT64_MAX,
        .pace_alone_ratio = 1.5,
        .pace_duty_ratio = 1.25,
        .pace_collide_ratio = 1.375,
        .pace_differ_at_s = (double)NAN,
        .pace_unsettled = 35,
        .reclaims = 36,
        .compute_cost = {.nano = (ws_i128)1234000000000},
        .storage_cost = {.nano = 500000000},
        .demand = 36.5,
        .demand_served_fraction = 0.37,
        .backlog_end = 38.5,
        .backlog_max = 39.5,
        .backlog_time_fraction = 0.4,
        .lag_mean_s = 41.5,
        .lag_p95_s = 42.5,
        .lag_p99_s = 43.5,
        .lag_max_s = 44.5,
        .demand_hole_s = (double)NAN,
    };

    for (int i = 0; i < WS_ACCOUNT_COUNT; i++) {
        run.accounts.account[i].gpu_ns = (ws_i128)(i + 1) * GPU_HOUR_NS;
    }
    return run;
}

Test(columns, headers_are_as_promised)
{
    cr_assert(ws_text_is(columns_header(&ws_run_columns), summary_header));
    cr_assert(ws_text_is(columns_header(&ws_job_columns), jobs_header));
    cr_assert(ws_text_is(columns_header(&ws_timeline_columns), timeline_header));
    cr_assert(ws_text_is(columns_header(&ws_extremes_columns), extremes_header));
    cr_assert(ws_text_is(columns_header(&ws_comparison_columns), comparisons_header));
}

Test(columns, dictionaries_name_their_files)
{
    cr_assert(eq(str, (char *)ws_run_columns.file, (char *)"summary.csv"));
    cr_assert(eq(str, (char *)ws_job_columns.file, (char *)"jobs.csv"));
    cr_assert(eq(str, (char *)ws_timeline_columns.file, (char *)"timeline.csv"));
    cr_assert(eq(str, (char *)ws_extremes_columns.file, (char *)"extremes.csv"));
    cr_assert(eq(str, (char *)ws_comparison_columns.file, (char *)"comparisons.csv"));
}

Test(columns, each_has_a_unit_and_a_help_and_a_name_of_its_own)
{
    for (size_t d = 0; d < WS_COUNT_OF(all_columns); d++) {
        for (size_t i = 0; i < all_columns[d]->count; i++) {
            const ws_column *column = &all_columns[d]->columns[i];

            cr_assert(column->unit != NULL, "%s", column->name);
            cr_assert(column->help != NULL && column->help[0] != '\0', "%s", column->name);
            cr_assert_not(ws_text_ends_with(ws_text_of(column->help), WS_TEXT(".")), "%s",
                          column->name);
            cr_assert(ws_columns_find(all_columns[d], ws_text_of(column->name)) == column,
                      "%s is there twice", column->name);
        }
    }
}

/* A name says its unit last; a file that contradicts itself would mislead every reader. */
Test(columns, units_agree_with_names)
{
    static const struct {
        const char *ending;
        const char *unit;
    } endings[] = {
        {"_usd", "USD"},   {"_bytes", "B"},    {"gpu_h", "GPU*h"},
        {"_per_s", "1/s"}, {"_fraction", "1"}, {"_ratio", "1"},
    };

    for (size_t d = 0; d < WS_COUNT_OF(all_columns); d++) {
        for (size_t i = 0; i < all_columns[d]->count; i++) {
            const ws_column *column = &all_columns[d]->columns[i];
            ws_text name = ws_text_of(column->name);
            const char *unit = ws_text_ends_with(name, WS_TEXT("_s")) ? "s" : column->unit;

            for (size_t e = 0; e < WS_COUNT_OF(endings); e++) {
                if (ws_text_ends_with(name, ws_text_of(endings[e].ending))) {
                    unit = endings[e].unit;
                }
            }
            cr_assert(eq(str, (char *)column->unit, (char *)unit), "%s", column->name);
        }
    }
}

Test(columns, a_run_by_hand)
{
    ws_run_record run = columns_run();

    cr_assert(
        ws_text_is(columns_line(&ws_run_columns, &run),
                   "week,\"'=hpa,\"\"1\"\"\",hpa+fixed,7,18446744073709551615,true,1234.50,"
                   "0.000000001,55,1,2,3,4,5,6,7,8,9,10,0.25,0.1,0.2,0.7,1e+15,0.3,,11.5,12.5,"
                   "13.5,14.5,15.5,16.5,17.5,,21,22,23,24,25,26,27,127,28,29,30,31,32.25,33,34,"
                   "9223372036854775807,1.5,1.25,1.375,,,35,36,1234.00,0.50,"
                   "36.5,0.37,38.5,39.5,0.4,41.5,42.5,43.5,"
                   "44.5,\n"));
}

Test(columns, a_job_by_hand)
{
    ws_job_record job = {
        .policy = WS_TEXT("fixed"),
        .replication = 1,
        .job = 2,
        .name = WS_TEXT("gpt\n2"),
        .user = WS_TEXT("-ann"),
        .submit_s = 10,
        .first_start_s = 20.5,
        .end_s = 90.5,
        .state = WS_JOB_OUTCOME_DONE,
        .wait_s = 10.5,
        .run_s = 70,
        .jct_s = 80.5,
        .slowdown = 1.15,
        .gpus_requested = 8,
        .gpus_min = 3,
        .gpus_max = 16,
        .gpus_mean = 7.5,
        .gpus_peak = 9,
        .resizes = 4,
        .restarts = 5,
        .preemptions = 105,
        .failures = 6,
        .checkpoints = 7,
        .work = 1e6,
        .work_lost = 0.5,
        .statistical_efficiency = 0.875,
        .effective_training_ratio = 0.75,
        .gpu_time = {.gpu_ns = 36},
        .cost = {.nano = -2500000000},
        .deadline_s = 100,
        .deadline_met = true,
        .transfer_s = 107.5,
        .transfer_alone_s = 4,
        .pace_alone_ratio = 1.5,
        .pace_duty_ratio = 1.25,
        .pace_collide_ratio = 1.375,
        .pace_differ_at_s = 60,
        .pace_unsettled = 1,
        .data_bytes = 6e12,
        .data_wait_s = 400,
        .data_wait_alone_s = 150,
        .storage_cost = {.nano = 12500000},
        .local_checkpoints = 8,
        .disk_losses = 2,
    };

    job.accounts.account[WS_ACCOUNT_LOST].gpu_ns = 36; /* 36 GPU-ns are 1e-11 GPU-hours */
    cr_assert(ws_text_is(columns_line(&ws_job_columns, &job),
                         "fixed,1,2,\"gpt\n2\",'-ann,,10,20.5,90.5,done,10.5,70,80.5,1.15,8,3,16,"
                         "7.5,9,4,5,105,6,7,1000000,0.5,0.875,0.75,0.00000000001,0,0,0,0,0,0,0,0,"
                         "0.00000000001,0,-2.50,100,true,107.5,4,1.5,1.25,1.375,60,1,6000000000000,"
                         "400,150,0.0125,8,2\n"));
}

Test(columns, what_a_job_has_not_is_empty)
{
    ws_job_record job = {.state = WS_JOB_OUTCOME_CENSORED, .deadline_met = true};
    ws_text line;

    job.first_start_s = (double)NAN;
    job.end_s = (double)NAN;
    job.wait_s = (double)NAN;
    job.run_s = (double)NAN;
    job.jct_s = (double)NAN;
    job.slowdown = (double)INFINITY;
    job.deadline_s = (double)NAN;
    job.pace_differ_at_s = (double)NAN;
    line = columns_line(&ws_job_columns, &job);
    cr_assert(ws_text_starts_with(line, WS_TEXT(",0,0,,,,0,,,censored,,,,,0,")));
    cr_assert(ws_text_ends_with(
        line,
        WS_TEXT(",0.00,,,0,0,0,0,0,,0,0,0,0,0.00,0,0\n"))); /* met is nothing without a deadline */
}

Test(columns, a_step_by_hand)
{
    ws_timeline_record step = {
        .policy = WS_TEXT("fixed"),
        .replication = 3,
        .t_s = 60,
        .pool = WS_TEXT("h100"),
        .nodes_wanted = 1.5,
        .nodes_requested = 2.5,
        .nodes_starting = 3.5,
        .nodes_ready = 4.5,
        .nodes_draining = 5.5,
        .nodes_broken = 6.5,
        .gpus_paid = 7.5,
        .gpus_ready = 8.5,
        .gpus_busy = 9.5,
        .gpus_waiting = 10.5,
        .jobs_running = 11.5,
        .jobs_waiting = 12.5,
        .main_gpus = 13.5,
        .cost_usd_cum = 14.5,
        .main_stage = 2,
        .demand_per_s = 15.5,
        .served_per_s = 16.5,
        .capacity_per_s = 17.5,
        .backlog = 18.5,
        .lag_s = (double)NAN,
    };

    cr_assert(ws_text_is(columns_line(&ws_timeline_columns, &step),
                         "fixed,3,60,h100,1.5,2.5,3.5,4.5,5.5,6.5,7.5,8.5,9.5,10.5,11.5,12.5,13.5,"
                         "14.5,2,15.5,16.5,17.5,18.5,\n"));
    step.main_stage = (double)NAN;
    cr_assert(ws_text_ends_with(columns_line(&ws_timeline_columns, &step),
                                WS_TEXT(",14.5,,15.5,16.5,17.5,18.5,\n")));
}

Test(columns, an_extreme_by_hand)
{
    ws_extremes_record step = {
        .policy = WS_TEXT("fixed"),
        .replication = 3,
        .t_s = 60.5,
        .gpus_paid = {1, 2},
        .gpus_ready = {3, 4},
        .gpus_busy = {5, 6},
        .gpus_waiting = {7, 8},
        .gpus_wanted = {9, 10},
        .main_gpus = {11, 12},
    };

    cr_assert(ws_text_is(columns_line(&ws_extremes_columns, &step),
                         "fixed,3,60.5,1,2,3,4,5,6,7,8,9,10,11,12\n"));
}

Test(columns, a_comparison_by_hand)
{
    ws_comparison_record comparison = {
        .policy = WS_TEXT("hpa"),
        .baseline = WS_TEXT("fixed"),
        .metric = WS_TEXT("cost_usd"),
        .n_pairs = 20,
        .mean = 1.5,
        .ci_low = 2.5,
        .ci_high = 3.5,
        .baseline_mean = 4.5,
        .diff_mean = -5.5,
        .diff_ci_low = -6.5,
        .diff_ci_high = -7.5,
        .ratio = (double)NAN,
        .ratio_ci_low = (double)NAN,
        .ratio_ci_high = 8.5,
        .correlation = 0.5,
        .p = 1e-9,
        .confidence = 0.95,
        .comparisons = 12,
        .resolved = true,
        .identical = false,
        .verdict = WS_TEXT("no difference shown"),
    };

    cr_assert(ws_text_is(columns_line(&ws_comparison_columns, &comparison),
                         "hpa,fixed,cost_usd,20,1.5,2.5,3.5,4.5,-5.5,-6.5,-7.5,,,8.5,0.5,1e-09,"
                         "0.95,12,true,false,no difference shown\n"));
}

Test(columns, values_are_numbers_in_the_unit_of_the_column)
{
    ws_run_record run = columns_run();
    static const struct {
        const char *name;
        double value;
    } expected[] = {
        {"replication", 7},        {"seed", 18446744073709551616.0},
        {"complete", 1},           {"cost_usd", 1234.5},
        {"warmup_cost_usd", 1e-9}, {"gpu_h", 55},
        {"useful_gpu_h", 1},       {"idle_gpu_h", 10},
        {"unbilled_gpu_h", 0.25},  {"jct_p95_s", 14.5},
        {"gpus_mean", 32.25},      {"jobs_done", 22},
    };

    for (size_t i = 0; i < WS_COUNT_OF(expected); i++) {
        const ws_column *column = ws_columns_find(&ws_run_columns, ws_text_of(expected[i].name));

        cr_assert(column != NULL, "%s", expected[i].name);
        cr_assert(eq(dbl, ws_column_value(column, &run), expected[i].value), "%s",
                  expected[i].name);
        cr_assert_not(ws_column_is_missing(column, &run), "%s", expected[i].name);
    }
}

Test(columns, what_is_missing_or_text_is_nan)
{
    ws_run_record run = columns_run();
    ws_job_record job = {.deadline_s = (double)NAN};
    const ws_column *met = ws_columns_find(&ws_job_columns, WS_TEXT("deadline_met"));
    const ws_column *finish = ws_columns_find(&ws_run_columns, WS_TEXT("main_finish_s"));

    cr_assert(isnan(ws_column_value(finish, &run)));
    cr_assert(ws_column_is_missing(finish, &run));
    cr_assert(isnan(ws_column_value(ws_columns_find(&ws_run_columns, WS_TEXT("policy")), &run)));
    cr_assert(isnan(ws_column_value(ws_columns_find(&ws_job_columns, WS_TEXT("state")), &job)));
    cr_assert(isnan(ws_column_value(met, &job)));
    job.deadline_s = 5;
    cr_assert(eq(dbl, ws_column_value(met, &job), 0));
}

Test(columns, a_name_that_is_none_is_not_found)
{
    cr_assert(ws_columns_find(&ws_run_columns, WS_TEXT("cost")) == NULL);
    cr_assert(ws_columns_find(&ws_run_columns, WS_TEXT("cost_usd\0")) == NULL);
    cr_assert(ws_columns_find(&ws_run_columns, WS_TEXT("")) == NULL);
    cr_assert(ws_columns_find(&ws_run_columns, WS_TEXT("Cost_usd")) == NULL);
}

Test(columns, arms_compare_by_these)
{
    static const struct {
        const char *name;
        ws_better better;
    } expected[] = {
        {"cost_usd", WS_BETTER_LOWER},
        {"gpu_h", WS_BETTER_LOWER},
        {"lost_gpu_h", WS_BETTER_LOWER},
        {"idle_gpu_h", WS_BETTER_LOWER},
        {"goodput_fraction", WS_BETTER_HIGHER},
        {"effective_training_ratio", WS_BETTER_HIGHER},
        {"objective_usd", WS_BETTER_LOWER},
        {"samples_per_s", WS_BETTER_HIGHER},
        {"main_finish_s", WS_BETTER_LOWER},
        {"makespan_s", WS_BETTER_LOWER},
        {"jct_mean_s", WS_BETTER_LOWER},
        {"jct_p50_s", WS_BETTER_LOWER},
        {"jct_p95_s", WS_BETTER_LOWER},
        {"wait_mean_s", WS_BETTER_LOWER},
        {"wait_p95_s", WS_BETTER_LOWER},
        {"slowdown_p95", WS_BETTER_LOWER},
        {"deadline_miss_fraction", WS_BETTER_LOWER},
        {"compute_cost_usd", WS_BETTER_LOWER},
        {"storage_cost_usd", WS_BETTER_LOWER},
        {"demand_served_fraction", WS_BETTER_HIGHER},
        {"backlog_max", WS_BETTER_LOWER},
        {"backlog_time_fraction", WS_BETTER_LOWER},
        {"lag_mean_s", WS_BETTER_LOWER},
        {"lag_p95_s", WS_BETTER_LOWER},
        {"lag_p99_s", WS_BETTER_LOWER},
        {"lag_max_s", WS_BETTER_LOWER},
    };
    size_t found = 0;

    for (size_t i = 0; i < ws_run_columns.count; i++) {
        const ws_column *column = &ws_run_columns.columns[i];

        if (column->better == WS_BETTER_NONE) {
            continue;
        }
        cr_assert(found < WS_COUNT_OF(expected), "%s is one too many", column->name);
        cr_assert(eq(str, (char *)column->name, (char *)expected[found].name));
        cr_assert(eq(int, (int)column->better, (int)expected[found].better), "%s", column->name);
        cr_assert(eq(str, (char *)ws_comparable_names[found], (char *)column->name));
        found++;
    }
    cr_assert(eq(sz, found, WS_COUNT_OF(expected)));
    cr_assert(ws_comparable_names[found] == NULL);
}
