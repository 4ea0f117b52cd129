/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The keys of a scenario: the top, the cluster, and everything but the workload. One row a key. */
#include "file.h"
#include "ws/arbiter.h"
#include "ws/policies.h"

#define ROW(structure, field) .name = #field, .offset = offsetof(structure, field)
#define SELF(structure)                                                                            \
    {                                                                                              \
        .kind = WS_PARAMETER_SELF, .offset = offsetof(structure, self)                             \
    }

/* ---- cluster ---- */

static const ws_parameter gpu_rows[] = {
    SELF(ws_file_gpu),
    {ROW(ws_file_gpu, type), .kind = WS_PARAMETER_TEXT, .required = true,
     .help = "type of the GPUs, as jobs name it"},
    {ROW(ws_file_gpu, per_node), .kind = WS_PARAMETER_INTEGER, .required = true, .min = "1",
     .max = "1024", .help = "GPUs of one node"},
    {ROW(ws_file_gpu, preset), .kind = WS_PARAMETER_TEXT,
     .help = "the known GPU that it is, when `type` is a name of your own"},
    {ROW(ws_file_gpu, memory), .kind = WS_PARAMETER_BYTES, .min = "1B",
     .present_offset = offsetof(ws_file_gpu, has_memory),
     .help = "of one GPU; default: that of the known GPU"},
};
static const ws_parameter_table gpu_table = {
    .noun = "GPU", .rows = gpu_rows, .count = WS_COUNT_OF(gpu_rows), .bytes = sizeof(ws_file_gpu)};

static const ws_parameter nodes_rows[] = {
    SELF(ws_file_nodes),
    {ROW(ws_file_nodes, initial), .kind = WS_PARAMETER_INTEGER, .default_text = "0", .min = "0",
     .max = "10000000", .limit_code = 9021, .help = "nodes that are ready at the start"},
    {ROW(ws_file_nodes, min), .kind = WS_PARAMETER_INTEGER, .default_text = "0", .min = "0",
     .max = "10000000", .limit_code = 9021, .help = "fewest nodes that a policy can ask for"},
    {ROW(ws_file_nodes, max), .kind = WS_PARAMETER_INTEGER, .required = true, .min = "1",
     .max = "10000000", .limit_code = 9021, .help = "most nodes"},
};
static const ws_parameter_table nodes_table = {.noun = "nodes",
                                               .rows = nodes_rows,
                                               .count = WS_COUNT_OF(nodes_rows),
                                               .bytes = sizeof(ws_file_nodes)};

static const ws_parameter price_rows[] = {
    SELF(ws_file_price),
    {ROW(ws_file_price, per_gpu), .kind = WS_PARAMETER_PRICE,
     .present_offset = offsetof(ws_file_price, has_per_gpu), .help = "of one GPU"},
    {ROW(ws_file_price, per_node), .kind = WS_PARAMETER_PRICE,
     .present_offset = offsetof(ws_file_price, has_per_node),
     .help = "of a whole node; instead of `per_gpu`"},
    {ROW(ws_file_price, recorded), .kind = WS_PARAMETER_OPTIONAL_MAP,
     .table = &ws_file_prices_table, .help = "prices as they were recorded; instead of both"},
    {ROW(ws_file_price, billing_increment), .kind = WS_PARAMETER_DURATION, .default_text = "1s",
     .min = "1ns", .help = "billed time of a lease is rounded up to it"},
    {ROW(ws_file_price, minimum), .kind = WS_PARAMETER_DURATION, .default_text = "1m",
     .help = "least billed time of a lease"},
};
static const ws_parameter_table price_table = {.noun = "price",
                                               .rows = price_rows,
                                               .count = WS_COUNT_OF(price_rows),
                                               .bytes = sizeof(ws_file_price)};

static const ws_parameter image_rows[] = {
    SELF(ws_file_image),
    {ROW(ws_file_image, size), .kind = WS_PARAMETER_BYTES, .required = true, .min = "1B",
     .help = "pulled from `registry`, which all nodes that pull at that time share"},
    {ROW(ws_file_image, cached), .kind = WS_PARAMETER_DURATION,
     .present_offset = offsetof(ws_file_image, has_cached),
     .help = "a node that comes back has kept its image and takes this long; absent: each pulls"},
};
static const ws_parameter_table image_table = {.noun = "image pull",
                                               .rows = image_rows,
                                               .count = WS_COUNT_OF(image_rows),
                                               .bytes = sizeof(ws_file_image)};

static const ws_parameter cold_start_rows[] = {
    {ROW(ws_file_cold_start, request), .kind = WS_PARAMETER_DISTRIBUTION, .default_text = "5s",
     .help = "until the provider says yes; not paid"},
    {ROW(ws_file_cold_start, boot), .kind = WS_PARAMETER_DISTRIBUTION, .default_text = "2m",
     .help = "until the system is up; paid from here on"},
    {ROW(ws_file_cold_start, image_pull), .kind = WS_PARAMETER_DISTRIBUTION, .default_text = "1m",
     .table = &image_table, .map_offset = offsetof(ws_file_cold_start, image),
     .help = "until the image is there"},
    {ROW(ws_file_cold_start, join), .kind = WS_PARAMETER_DISTRIBUTION, .default_text = "0s",
     .help = "until work can be placed on it"},
    {ROW(ws_file_cold_start, fail_probability), .kind = WS_PARAMETER_FRACTION, .default_text = "0%",
     .help = "of a request ending in \"no capacity\""},
    {ROW(ws_file_cold_start, retry), .kind = WS_PARAMETER_DURATION, .default_text = "1m",
     .min = "1s", .help = "from \"no capacity\" to the next request"},
};
static const ws_parameter_table cold_start_table = {.noun = "cold start",
                                                    .rows = cold_start_rows,
                                                    .count = WS_COUNT_OF(cold_start_rows),
                                                    .bytes = sizeof(ws_file_cold_start)};

static const ws_parameter detection_rows[] = {
    {ROW(ws_file_detection, crash), .kind = WS_PARAMETER_DURATION, .default_text = "20s",
     .help = "until the job has noticed that a node is gone"},
    {ROW(ws_file_detection, hang), .kind = WS_PARAMETER_DURATION, .default_text = "10m",
     .help = "likewise when it only hangs: the time-out of the collectives"},
    {ROW(ws_file_detection, hang_probability), .kind = WS_PARAMETER_FRACTION, .default_text = "0%",
     .help = "of a failure being a hang"},
};
static const ws_parameter_table detection_table = {.noun = "detection",
                                                   .rows = detection_rows,
                                                   .count = WS_COUNT_OF(detection_rows),
                                                   .bytes = sizeof(ws_file_detection)};

static const ws_parameter failures_rows[] = {
    SELF(ws_file_failures),
    {ROW(ws_file_failures, node_mtbf), .kind = WS_PARAMETER_DISTRIBUTION,
     .help = "time of one node to its next failure, while it is ready"},
    {ROW(ws_file_failures, recorded), .kind = WS_PARAMETER_OPTIONAL_MAP,
     .table = &ws_file_outages_table,
     .help = "outages as they were recorded, instead of `node_mtbf` and `repair`"},
    {ROW(ws_file_failures, repair), .kind = WS_PARAMETER_DISTRIBUTION, .default_text = "30m",
     .help = "from the failure until it is ready again"},
    {ROW(ws_file_failures, detection), .kind = WS_PARAMETER_MAP, .table = &detection_table,
     .help = "how long the failure goes unnoticed"},
    {ROW(ws_file_failures, billed), .kind = WS_PARAMETER_BOOL, .default_text = "false",
     .help = "a node in repair is paid for; else its lease ends with the failure"},
};
static const ws_parameter_table failures_table = {.noun = "failures",
                                                  .rows = failures_rows,
                                                  .count = WS_COUNT_OF(failures_rows),
                                                  .bytes = sizeof(ws_file_failures)};

static const ws_parameter pool_rows[] = {
    SELF(ws_file_pool),
    {ROW(ws_file_pool, name), .kind = WS_PARAMETER_NAME, .required = true,
     .help = "name of the pool"},
    {ROW(ws_file_pool, gpu), .kind = WS_PARAMETER_MAP, .table = &gpu_table, .required = true,
     .help = "what a node bears"},
    {ROW(ws_file_pool, nodes), .kind = WS_PARAMETER_MAP, .table = &nodes_table, .required = true,
     .help = "how many there are"},
    {ROW(ws_file_pool, price), .kind = WS_PARAMETER_MAP, .table = &price_table, .required = true,
     .help = "what they cost"},
    {ROW(ws_file_pool, cold_start), .kind = WS_PARAMETER_MAP, .table = &cold_start_table,
     .help = "from asking for a node until work can be placed on it"},
    {ROW(ws_file_pool, local_disk), .kind = WS_PARAMETER_OPTIONAL_MAP,
     .table = &ws_file_local_disk_table,
     .help = "of each node, for data and checkpoints of the jobs on it; absent: none"},
    {ROW(ws_file_pool, failures), .kind = WS_PARAMETER_OPTIONAL_MAP, .table = &failures_table,
     .help = "when nodes fail; absent: never"},
    {ROW(ws_file_pool, spot), .kind = WS_PARAMETER_OPTIONAL_MAP, .table = &ws_file_spot_table,
     .help = "nodes of a spot market, which come and are reclaimed; absent: they stay"},
};
static const ws_parameter_table pool_table = {.noun = "pool",
                                              .rows = pool_rows,
                                              .count = WS_COUNT_OF(pool_rows),
                                              .bytes = sizeof(ws_file_pool)};

static const ws_parameter cluster_rows[] = {
    {ROW(ws_file_cluster, pools), .kind = WS_PARAMETER_MAP_LIST, .table = &pool_table,
     .required = true, .help = "nodes of one kind and price each"},
};
const ws_parameter_table ws_file_cluster_table = {.noun = "cluster",
                                                  .rows = cluster_rows,
                                                  .count = WS_COUNT_OF(cluster_rows),
                                                  .bytes = sizeof(ws_file_cluster)};

/* ---- objective ---- */

static const ws_parameter objective_rows[] = {
    SELF(ws_file_objective),
    {ROW(ws_file_objective, value_of_time), .kind = WS_PARAMETER_PRICE, .required = true,
     .help = "of an hour of completion time, or of lateness when there is a deadline"},
    {ROW(ws_file_objective, of), .kind = WS_PARAMETER_NAME,
     .help = "the job whose time counts; default: the first that is submitted at a stated time"},
    {ROW(ws_file_objective, unfinished), .kind = WS_PARAMETER_MONEY, .default_text = "$0",
     .help = "when it is not done at the horizon"},
    {ROW(ws_file_objective, deadline), .kind = WS_PARAMETER_DURATION,
     .help = "from submission; only lateness counts then"},
};
static const ws_parameter_table objective_table = {.noun = "objective",
                                                   .rows = objective_rows,
                                                   .count = WS_COUNT_OF(objective_rows),
                                                   .bytes = sizeof(ws_file_objective)};

/* ---- monitoring and scheduling ---- */

static const ws_parameter monitoring_rows[] = {
    {ROW(ws_file_monitoring, scrape), .kind = WS_PARAMETER_DURATION, .default_text = "15s",
     .min = "1ms", .help = "from one scrape to the next"},
    {ROW(ws_file_monitoring, window), .kind = WS_PARAMETER_DURATION, .default_text = "1m",
     .min = "1ms", .help = "that averages run over"},
    {ROW(ws_file_monitoring, delay), .kind = WS_PARAMETER_DURATION, .default_text = "5s",
     .help = "from a scrape until a policy can see it"},
};
const ws_parameter_table ws_file_monitoring_table = {.noun = "monitoring",
                                                     .rows = monitoring_rows,
                                                     .count = WS_COUNT_OF(monitoring_rows),
                                                     .bytes = sizeof(ws_file_monitoring)};

static const char *const start_choices[] = {"gang", NULL};
static const char *const placement_choices[] = {"pack", "spread", NULL};
static const char *const drain_choices[] = {"wait", "leave", NULL};

static const ws_parameter scheduling_rows[] = {
    {ROW(ws_file_scheduling, arbiter), .kind = WS_PARAMETER_CHOICE, .choices = ws_arbiter_names,
     .choice_noun = "an arbiter", .default_text = "fifo",
     .help = "who gets GPUs when jobs compete for them"},
    {ROW(ws_file_scheduling, start), .kind = WS_PARAMETER_CHOICE, .choices = start_choices,
     .choice_noun = "a way to start", .default_text = "gang",
     .help = "`gang`: all workers of a world at once, or none"},
    {ROW(ws_file_scheduling, placement), .kind = WS_PARAMETER_CHOICE, .choices = placement_choices,
     .choice_noun = "a placement", .default_text = "pack",
     .help = "fill the fullest nodes first, or the emptiest"},
    {ROW(ws_file_scheduling, drain), .kind = WS_PARAMETER_CHOICE, .choices = drain_choices,
     .choice_noun = "a way to drain", .default_text = "wait",
     .help = "a node that is to go waits for the jobs on it, or elastic jobs leave it at once"},
    {ROW(ws_file_scheduling, regrow), .kind = WS_PARAMETER_DURATION, .default_text = "10m",
     .help = "a job below its wanted size takes a part of what it lacks at most this often"},
};
const ws_parameter_table ws_file_scheduling_table = {.noun = "scheduling",
                                                     .rows = scheduling_rows,
                                                     .count = WS_COUNT_OF(scheduling_rows),
                                                     .bytes = sizeof(ws_file_scheduling)};

/* ---- policies ---- */

static const char *const jobs_choices[] = {"elastic", NULL};

static const ws_parameter target_rows[] = {
    SELF(ws_file_target),
    {ROW(ws_file_target, pool), .kind = WS_PARAMETER_NAME, .help = "its nodes"},
    {ROW(ws_file_target, job), .kind = WS_PARAMETER_NAME, .help = "its replicas"},
    {ROW(ws_file_target, jobs), .kind = WS_PARAMETER_CHOICE, .choices = jobs_choices,
     .choice_noun = "a set of jobs", .present_offset = offsetof(ws_file_target, has_jobs),
     .help = "`elastic`: the replicas of every job that can change its size"},
};
static const ws_parameter_table target_table = {.noun = "target",
                                                .rows = target_rows,
                                                .count = WS_COUNT_OF(target_rows),
                                                .bytes = sizeof(ws_file_target)};

static const ws_parameter arm_rows[] = {
    SELF(ws_file_arm),
    {ROW(ws_file_arm, name), .kind = WS_PARAMETER_NAME, .required = true,
     .help = "name of the arm"},
    {ROW(ws_file_arm, type), .kind = WS_PARAMETER_CHOICE, .choices = ws_policy_names,
     .choice_noun = "a policy type", .required = true, .help = "which policy"},
    {ROW(ws_file_arm, target), .kind = WS_PARAMETER_MAP, .table = &target_table, .required = true,
     .help = "what it scales: exactly one of `pool`, `job`, `jobs`"},
    {ROW(ws_file_arm, set), .kind = WS_PARAMETER_DOCUMENT,
     .help = "overrides of the scenario for this arm alone: {path: value}"},
};
const ws_parameter_table ws_file_arm_table = {.noun = "policy",
                                              .rows = arm_rows,
                                              .count = WS_COUNT_OF(arm_rows),
                                              .bytes = sizeof(ws_file_arm)};

static const ws_parameter group_rows[] = {
    SELF(ws_file_group),
    {ROW(ws_file_group, name), .kind = WS_PARAMETER_NAME, .required = true,
     .help = "name of the arm"},
    {ROW(ws_file_group, controllers), .kind = WS_PARAMETER_DOCUMENT, .required = true,
     .help = "several policies that act side by side: a list of {type, target, ...}"},
    {ROW(ws_file_group, set), .kind = WS_PARAMETER_DOCUMENT,
     .help = "overrides of the scenario for this arm alone: {path: value}"},
};
const ws_parameter_table ws_file_group_table = {.noun = "policy",
                                                .rows = group_rows,
                                                .count = WS_COUNT_OF(group_rows),
                                                .bytes = sizeof(ws_file_group)};

static const ws_parameter controller_rows[] = {
    SELF(ws_file_controller),
    {ROW(ws_file_controller, type), .kind = WS_PARAMETER_CHOICE, .choices = ws_policy_names,
     .choice_noun = "a policy type", .required = true, .help = "which policy"},
    {ROW(ws_file_controller, target), .kind = WS_PARAMETER_MAP, .table = &target_table,
     .required = true, .help = "what it scales: exactly one of `pool`, `job`, `jobs`"},
};
const ws_parameter_table ws_file_controller_table = {.noun = "controller",
                                                     .rows = controller_rows,
                                                     .count = WS_COUNT_OF(controller_rows),
                                                     .bytes = sizeof(ws_file_controller)};

/* ---- comparison and outputs ---- */

static const ws_parameter threshold_rows[] = {
    SELF(ws_file_threshold),
    {ROW(ws_file_threshold, policy), .kind = WS_PARAMETER_NAME, .required = true,
     .help = "the arm"},
    {ROW(ws_file_threshold, metric), .kind = WS_PARAMETER_TEXT, .required = true,
     .help = "the metric"},
    {ROW(ws_file_threshold, max_change), .kind = WS_PARAMETER_PERCENT, .required = true,
     .help = "most that it may lie above the baseline"},
};
static const ws_parameter_table threshold_table = {.noun = "threshold",
                                                   .rows = threshold_rows,
                                                   .count = WS_COUNT_OF(threshold_rows),
                                                   .bytes = sizeof(ws_file_threshold)};

static const ws_parameter compare_rows[] = {
    SELF(ws_file_compare),
    {ROW(ws_file_compare, baseline), .kind = WS_PARAMETER_NAME,
     .help = "the arm that others are compared with; default: the first"},
    {ROW(ws_file_compare, metrics), .kind = WS_PARAMETER_TEXT_LIST,
     .help =
         "columns of summary.csv that are compared; the intervals are adjusted for their number"},
    {ROW(ws_file_compare, confidence), .kind = WS_PARAMETER_FRACTION, .default_text = "95%",
     .min = "50%", .max = "99.9%", .help = "of the intervals"},
    {ROW(ws_file_compare, thresholds), .kind = WS_PARAMETER_MAP_LIST, .table = &threshold_table,
     .help = "limits; the exit status is 1 when one is passed"},
};
const ws_parameter_table ws_file_compare_table = {.noun = "comparison",
                                                  .rows = compare_rows,
                                                  .count = WS_COUNT_OF(compare_rows),
                                                  .bytes = sizeof(ws_file_compare)};

static const char *const record_choices[] = {"first", "all", NULL};

static const ws_parameter outputs_rows[] = {
    {ROW(ws_file_outputs, dir), .kind = WS_PARAMETER_PATH,
     .help = "results folder; default: results/ and the scenario's name"},
    {ROW(ws_file_outputs, timeline_step), .kind = WS_PARAMETER_DURATION, .min = "1s",
     .help = "step of timeline.csv; default: horizon / 1000, rounded to a whole minute"},
    {ROW(ws_file_outputs, record), .kind = WS_PARAMETER_CHOICE, .choices = record_choices,
     .choice_noun = "a choice of replications", .default_text = "first",
     .help = "replications in jobs.csv and timeline.csv"},
};
const ws_parameter_table ws_file_outputs_table = {.noun = "outputs",
                                                  .rows = outputs_rows,
                                                  .count = WS_COUNT_OF(outputs_rows),
                                                  .bytes = sizeof(ws_file_outputs)};

/* ---- the top ---- */

static const ws_parameter scenario_rows[] = {
    SELF(ws_file_scenario),
    {ROW(ws_file_scenario, schema), .kind = WS_PARAMETER_TEXT, .required = true,
     .help = "`worldsize.scenario/v1`: what this file is"},
    {ROW(ws_file_scenario, name), .kind = WS_PARAMETER_NAME, .required = true,
     .help = "name of the scenario and of its results"},
    {ROW(ws_file_scenario, description), .kind = WS_PARAMETER_TEXT,
     .help = "the question, for people"},
    {ROW(ws_file_scenario, seed), .kind = WS_PARAMETER_INTEGER, .default_text = "42", .min = "0",
     .max = "9007199254740991", .help = "root of every random stream"},
    {ROW(ws_file_scenario, replications), .kind = WS_PARAMETER_INTEGER, .default_text = "20",
     .min = "1", .max = "10000", .limit_code = 9020,
     .help = "random worlds; every arm meets the same ones"},
    {ROW(ws_file_scenario, horizon), .kind = WS_PARAMETER_DURATION, .required = true, .min = "1s",
     .max = "36525d", .limit_code = 9022, .help = "simulated time"},
    {ROW(ws_file_scenario, warmup), .kind = WS_PARAMETER_DURATION, .default_text = "0s",
     .help = "simulated, then left out of the statistics"},
    {ROW(ws_file_scenario, start), .kind = WS_PARAMETER_TIMESTAMP,
     .help = "date of time 0: places daily patterns; nothing else depends on it"},
    {ROW(ws_file_scenario, cluster), .kind = WS_PARAMETER_MAP, .table = &ws_file_cluster_table,
     .required = true, .help = "what is paid for"},
    {ROW(ws_file_scenario, storage), .kind = WS_PARAMETER_MAP, .table = &ws_file_storage_table,
     .help = "where checkpoints go"},
    {ROW(ws_file_scenario, registry), .kind = WS_PARAMETER_OPTIONAL_MAP,
     .table = &ws_file_registry_table, .help = "where images are pulled from"},
    {ROW(ws_file_scenario, network), .kind = WS_PARAMETER_OPTIONAL_MAP,
     .table = &ws_file_network_table, .help = "what collectives run over"},
    {ROW(ws_file_scenario, monitoring), .kind = WS_PARAMETER_MAP,
     .table = &ws_file_monitoring_table, .help = "what policies can see"},
    {ROW(ws_file_scenario, scheduling), .kind = WS_PARAMETER_MAP,
     .table = &ws_file_scheduling_table, .help = "who gets GPUs"},
    {ROW(ws_file_scenario, workload), .kind = WS_PARAMETER_MAP, .table = &ws_file_workload_table,
     .required = true, .help = "who wants them"},
    {ROW(ws_file_scenario, objective), .kind = WS_PARAMETER_OPTIONAL_MAP, .table = &objective_table,
     .help = "what an hour is worth: adds `objective_usd`, and some policies use it"},
    {ROW(ws_file_scenario, policies), .kind = WS_PARAMETER_DOCUMENT, .required = true,
     .help = "the arms: a list of {name, type, target, ...}"},
    {ROW(ws_file_scenario, compare), .kind = WS_PARAMETER_MAP, .table = &ws_file_compare_table,
     .help = "how they are compared"},
    {ROW(ws_file_scenario, outputs), .kind = WS_PARAMETER_MAP, .table = &ws_file_outputs_table,
     .help = "what is written"},
};
const ws_parameter_table ws_file_scenario_table = {.noun = "a scenario",
                                                   .rows = scenario_rows,
                                                   .count = WS_COUNT_OF(scenario_rows),
                                                   .bytes = sizeof(ws_file_scenario)};
