/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The keys of a workload: jobs that are stated, and traces that were recorded. */
#include "file.h"
#include "ws/elasticity.h"

#define ROW(structure, field) .name = #field, .offset = offsetof(structure, field)
#define SELF(structure)                                                                            \
    {                                                                                              \
        .kind = WS_PARAMETER_SELF, .offset = offsetof(structure, self)                             \
    }
#define MODE_HELP                                                                                  \
    "`rigid` never changes its size; `moldable` chooses it at the start; `restart` stops every "   \
    "worker and starts all at the new size"

/* ---- parts of a job ---- */

static const ws_parameter job_gpus_rows[] = {
    {ROW(ws_file_job_gpus, types), .kind = WS_PARAMETER_TEXT_LIST,
     .help = "GPU types that the job accepts; default: those of all pools"},
    {ROW(ws_file_job_gpus, per_replica), .kind = WS_PARAMETER_INTEGER, .default_text = "1",
     .min = "1", .max = "100000", .help = "GPUs of one replica"},
    {ROW(ws_file_job_gpus, speed), .kind = WS_PARAMETER_DOCUMENT,
     .help = "relative speed by type, {TYPE: 45%}; a mixed world runs at its slowest"},
};
const ws_parameter_table ws_file_job_gpus_table = {.noun = "GPUs",
                                                   .rows = job_gpus_rows,
                                                   .count = WS_COUNT_OF(job_gpus_rows),
                                                   .bytes = sizeof(ws_file_job_gpus)};

static const ws_parameter replicas_rows[] = {
    SELF(ws_file_replicas),
    {ROW(ws_file_replicas, initial), .kind = WS_PARAMETER_INTEGER, .required = true, .min = "1",
     .max = "1000000", .help = "that the job asks for until a policy says otherwise"},
    {ROW(ws_file_replicas, min), .kind = WS_PARAMETER_INTEGER, .min = "1", .max = "1000000",
     .help = "smallest legal size; default: `initial`"},
    {ROW(ws_file_replicas, max), .kind = WS_PARAMETER_INTEGER, .min = "1", .max = "1000000",
     .help = "largest legal size; default: `initial`"},
    {ROW(ws_file_replicas, step), .kind = WS_PARAMETER_INTEGER, .min = "1", .max = "1000000",
     .help = "legal sizes are min, min + step, ...; default 1"},
    {ROW(ws_file_replicas, sizes), .kind = WS_PARAMETER_DOCUMENT,
     .help = "legal sizes as a list, instead of `min`, `max` and `step`; `slices`: those of "
             "`network.preset`"},
    {ROW(ws_file_replicas, deepspeed), .kind = WS_PARAMETER_OPTIONAL_MAP,
     .table = &ws_file_deepspeed_table,
     .help = "legal sizes and the global batch of all stages by DeepSpeed's elastic batch rule"},
};
static const ws_parameter_table replicas_table = {.noun = "replicas",
                                                  .rows = replicas_rows,
                                                  .count = WS_COUNT_OF(replicas_rows),
                                                  .bytes = sizeof(ws_file_replicas),
                                                  .scalar_key = "initial"};

/* All but the last, which is of stages. */
const ws_parameter_table ws_file_demand_replicas_table = {.noun = "replicas",
                                                          .rows = replicas_rows,
                                                          .count = WS_COUNT_OF(replicas_rows) - 1,
                                                          .bytes = sizeof(ws_file_replicas),
                                                          .scalar_key = "initial"};

static const ws_parameter elasticity_rows[] = {
    SELF(ws_file_elasticity),
    {ROW(ws_file_elasticity, mode), .kind = WS_PARAMETER_CHOICE, .choices = ws_elasticity_names,
     .choice_noun = "an elasticity mode", .choices_help = MODE_HELP, .default_text = "rigid",
     .help = "what happens when the size is to change"},
};
static const ws_parameter_table elasticity_table = {.noun = "elasticity",
                                                    .rows = elasticity_rows,
                                                    .count = WS_COUNT_OF(elasticity_rows),
                                                    .bytes = sizeof(ws_file_elasticity),
                                                    .scalar_key = "mode"};

static const ws_parameter checkpoint_rows[] = {
    SELF(ws_file_checkpoint),
    {ROW(ws_file_checkpoint, every), .kind = WS_PARAMETER_DURATION, .min = "1s",
     .help = "running time between two writes"},
    {ROW(ws_file_checkpoint, every_steps), .kind = WS_PARAMETER_COUNT, .min = "1",
     .help = "steps between two writes, instead of `every` or besides it"},
    {ROW(ws_file_checkpoint, size), .kind = WS_PARAMETER_BYTES,
     .present_offset = offsetof(ws_file_checkpoint, has_size),
     .help = "written to and read from `storage.checkpoint`; in place of `write` and `read`"},
    {ROW(ws_file_checkpoint, write), .kind = WS_PARAMETER_DURATION,
     .present_offset = offsetof(ws_file_checkpoint, has_write),
     .help = "time of a write, instead of `size`"},
    {ROW(ws_file_checkpoint, read), .kind = WS_PARAMETER_DURATION,
     .present_offset = offsetof(ws_file_checkpoint, has_read),
     .help = "time of a read, instead of `size`"},
    {ROW(ws_file_checkpoint, before_resize), .kind = WS_PARAMETER_BOOL, .default_text = "false",
     .help = "a write before every planned resize, so that it loses nothing"},
    {ROW(ws_file_checkpoint, keep), .kind = WS_PARAMETER_INTEGER, .default_text = "1", .min = "1",
     .max = "10000",
     .help = "newest ones that the storage holds, and is paid for, until the job ends"},
    {ROW(ws_file_checkpoint, local), .kind = WS_PARAMETER_OPTIONAL_MAP,
     .table = &ws_file_local_checkpoint_table,
     .help = "further writes in between, to the `local_disk` of the nodes; lost with a node"},
};
static const ws_parameter_table checkpoint_table = {.noun = "checkpoint",
                                                    .rows = checkpoint_rows,
                                                    .count = WS_COUNT_OF(checkpoint_rows),
                                                    .bytes = sizeof(ws_file_checkpoint)};

static const ws_parameter load_rows[] = {
    SELF(ws_file_load),
    {ROW(ws_file_load, size), .kind = WS_PARAMETER_BYTES, .required = true, .min = "1B",
     .help = "read from `storage.checkpoint`, which all that read at that time share"},
};
static const ws_parameter_table load_table = {.noun = "load",
                                              .rows = load_rows,
                                              .count = WS_COUNT_OF(load_rows),
                                              .bytes = sizeof(ws_file_load)};

static const ws_parameter worker_start_rows[] = {
    {ROW(ws_file_worker_start, container), .kind = WS_PARAMETER_DISTRIBUTION, .default_text = "0s",
     .help = "of each replica; the gang waits for the slowest"},
    {ROW(ws_file_worker_start, framework), .kind = WS_PARAMETER_DISTRIBUTION, .default_text = "0s",
     .help = "of each replica: interpreter, imports, CUDA context"},
    {ROW(ws_file_worker_start, rendezvous), .kind = WS_PARAMETER_DISTRIBUTION, .default_text = "0s",
     .help = "of the world"},
    {ROW(ws_file_worker_start, init), .kind = WS_PARAMETER_DISTRIBUTION, .default_text = "0s",
     .help = "of the world: communicators"},
    {ROW(ws_file_worker_start, load), .kind = WS_PARAMETER_DISTRIBUTION, .default_text = "0s",
     .table = &load_table, .map_offset = offsetof(ws_file_worker_start, load_size),
     .help = "of the first start: weights and data; later ones read the checkpoint"},
    {ROW(ws_file_worker_start, warm_up), .kind = WS_PARAMETER_DISTRIBUTION, .default_text = "0s",
     .help = "of the world: compilation, first batches"},
};
const ws_parameter_table ws_file_worker_start_table = {.noun = "worker start",
                                                       .rows = worker_start_rows,
                                                       .count = WS_COUNT_OF(worker_start_rows),
                                                       .bytes = sizeof(ws_file_worker_start)};

static const ws_parameter usage_rows[] = {
    {ROW(ws_file_usage, cpu), .kind = WS_PARAMETER_PERCENT, .default_text = "50%",
     .help = "of the request, while the job steps"},
    {ROW(ws_file_usage, memory), .kind = WS_PARAMETER_PERCENT, .default_text = "50%",
     .help = "of the request"},
    {ROW(ws_file_usage, nccl_sm), .kind = WS_PARAMETER_FRACTION, .default_text = "15%",
     .help = "of the SMs that a collective's kernels keep busy"},
};
const ws_parameter_table ws_file_usage_table = {.noun = "usage",
                                                .rows = usage_rows,
                                                .count = WS_COUNT_OF(usage_rows),
                                                .bytes = sizeof(ws_file_usage)};

/* ---- stages and jobs ---- */

static const ws_parameter stage_replicas_rows[] = {
    {ROW(ws_file_stage_replicas, min), .kind = WS_PARAMETER_INTEGER, .default_text = "1",
     .min = "1", .max = "1000000", .help = "fewest in this stage"},
    {ROW(ws_file_stage_replicas, max), .kind = WS_PARAMETER_INTEGER, .default_text = "1000000",
     .min = "1", .max = "1000000", .help = "most in this stage"},
};
static const ws_parameter_table stage_replicas_table = {.noun = "replicas of a stage",
                                                        .rows = stage_replicas_rows,
                                                        .count = WS_COUNT_OF(stage_replicas_rows),
                                                        .bytes = sizeof(ws_file_stage_replicas)};

static const ws_parameter stage_rows[] = {
    SELF(ws_file_stage),
    {ROW(ws_file_stage, name), .kind = WS_PARAMETER_NAME, .required = true,
     .help = "name of the stage"},
    {ROW(ws_file_stage, work), .kind = WS_PARAMETER_WORK,
     .present_offset = offsetof(ws_file_stage, has_work),
     .help = "its work; `step` says how fast it is done"},
    {ROW(ws_file_stage, duration), .kind = WS_PARAMETER_DISTRIBUTION,
     .present_offset = offsetof(ws_file_stage, has_duration),
     .help = "its time at the initial size, instead of `work`; `speedup` says what other sizes do"},
    {ROW(ws_file_stage, replicas), .kind = WS_PARAMETER_MAP, .table = &stage_replicas_table,
     .help = "limits of this stage within the job's"},
    {ROW(ws_file_stage, global_batch), .kind = WS_PARAMETER_COUNT, .min = "1",
     .help = "samples of a step at every size; all models but a `curve` need it"},
    {ROW(ws_file_stage, batch_tokens), .kind = WS_PARAMETER_COUNT, .min = "1",
     .help = "tokens of a step, instead of `global_batch`; needs `sequence`"},
    {ROW(ws_file_stage, replica_batch), .kind = WS_PARAMETER_COUNT, .min = "1",
     .help = "samples of a step for each replica, instead of `global_batch`: the batch follows the "
             "size"},
    {ROW(ws_file_stage, sequence), .kind = WS_PARAMETER_COUNT, .min = "1",
     .help = "tokens of a sample: converts between the two, and replaces that of a `transformer`"},
    {ROW(ws_file_stage, step_time), .kind = WS_PARAMETER_PERCENT, .default_text = "100%",
     .min = "0.1%", .max = "100000%",
     .help = "of what the model says, where a stage's samples take longer or shorter"},
    {ROW(ws_file_stage, efficiency), .kind = WS_PARAMETER_OPTIONAL_MAP,
     .table = &ws_file_efficiency_table, .help = "instead of the job's; of this stage alone"},
    {ROW(ws_file_stage, evaluation), .kind = WS_PARAMETER_OPTIONAL_MAP,
     .table = &ws_file_evaluation_table, .help = "instead of the job's"},
    {ROW(ws_file_stage, step), .kind = WS_PARAMETER_DOCUMENT, .help = "instead of the job's"},
    {ROW(ws_file_stage, speedup), .kind = WS_PARAMETER_DOCUMENT, .help = "instead of the job's"},
};
static const ws_parameter_table stage_table = {.noun = "stage",
                                               .rows = stage_rows,
                                               .count = WS_COUNT_OF(stage_rows),
                                               .bytes = sizeof(ws_file_stage)};

static const ws_parameter job_rows[] = {
    SELF(ws_file_job),
    {ROW(ws_file_job, name), .kind = WS_PARAMETER_NAME, .required = true,
     .help = "name of the job, or of all jobs of this kind"},
    {ROW(ws_file_job, labels), .kind = WS_PARAMETER_DOCUMENT,
     .help = "of its pods and of their series, for the selectors of an autoscaler's metrics: "
             "{app: pytorch-worker}"},
    {ROW(ws_file_job, submit), .kind = WS_PARAMETER_DOCUMENT,
     .help = "a time, or {dist: poisson, rate: 6/h, daily: {peak: 14h, ratio: 4}}; default 0s"},
    {ROW(ws_file_job, count), .kind = WS_PARAMETER_COUNT, .min = "1", .max = "100M",
     .limit_code = 9020, .help = "most arrivals of a Poisson process; default 1M"},
    {ROW(ws_file_job, priority), .kind = WS_PARAMETER_INTEGER, .default_text = "0",
     .min = "-1000000", .max = "1000000",
     .help = "higher goes first, where the arbiter looks at it"},
    {ROW(ws_file_job, gpus), .kind = WS_PARAMETER_MAP, .table = &ws_file_job_gpus_table,
     .help = "what a replica needs"},
    {ROW(ws_file_job, replicas), .kind = WS_PARAMETER_MAP, .table = &replicas_table,
     .required = true, .help = "how many"},
    {ROW(ws_file_job, elasticity), .kind = WS_PARAMETER_MAP, .table = &elasticity_table,
     .help = "whether and how the number changes"},
    {ROW(ws_file_job, step), .kind = WS_PARAMETER_DOCUMENT,
     .help = "how fast work is done: {curve: {REPLICAS: RATE, ...}}, {profile: {...}}, "
             "{pollux: {...}} or {transformer: {...}}"},
    {ROW(ws_file_job, speedup), .kind = WS_PARAMETER_DOCUMENT,
     .help = "of durations at other sizes: linear, {amdahl: 95%}, or {curve: {50%: 55%, ...}}"},
    {ROW(ws_file_job, stages), .kind = WS_PARAMETER_MAP_LIST, .table = &stage_table,
     .map_offset = offsetof(ws_file_job, schedule), .required = true,
     .help = "what it does, one after the other; or {preset: NAME}: those of a published run"},
    {ROW(ws_file_job, efficiency), .kind = WS_PARAMETER_OPTIONAL_MAP,
     .table = &ws_file_efficiency_table,
     .help = "what samples of larger steps are worth; of all stages together"},
    {ROW(ws_file_job, evaluation), .kind = WS_PARAMETER_OPTIONAL_MAP,
     .table = &ws_file_evaluation_table, .help = "pauses that hold the GPUs, of every stage"},
    {ROW(ws_file_job, checkpoint), .kind = WS_PARAMETER_OPTIONAL_MAP, .table = &checkpoint_table,
     .help = "absent: a failure loses everything"},
    {ROW(ws_file_job, data), .kind = WS_PARAMETER_OPTIONAL_MAP, .table = &ws_file_data_table,
     .help = "training data that it reads while it steps; absent: that takes no time"},
    {ROW(ws_file_job, worker_start), .kind = WS_PARAMETER_MAP, .table = &ws_file_worker_start_table,
     .help = "from placed to the first step"},
    {ROW(ws_file_job, usage), .kind = WS_PARAMETER_MAP, .table = &ws_file_usage_table,
     .help = "what monitoring shows of processor and memory"},
    {ROW(ws_file_job, deadline), .kind = WS_PARAMETER_DURATION, .min = "1s",
     .help = "from submission; reported, not enforced"},
};
static const ws_parameter_table job_table = {
    .noun = "job", .rows = job_rows, .count = WS_COUNT_OF(job_rows), .bytes = sizeof(ws_file_job)};

/* ---- traces ---- */

static const ws_parameter trace_elasticity_rows[] = {
    SELF(ws_file_trace_elasticity),
    {ROW(ws_file_trace_elasticity, mode), .kind = WS_PARAMETER_CHOICE,
     .choices = ws_elasticity_names, .choice_noun = "an elasticity mode", .choices_help = MODE_HELP,
     .default_text = "rigid", .help = "what happens when the size is to change"},
    {ROW(ws_file_trace_elasticity, min), .kind = WS_PARAMETER_PERCENT, .default_text = "100%",
     .above_min = true, .min = "0%", .max = "100%",
     .help = "smallest size, of the recorded one; rounded up"},
    {ROW(ws_file_trace_elasticity, max), .kind = WS_PARAMETER_PERCENT, .default_text = "100%",
     .min = "100%", .help = "largest size, of the recorded one; rounded down"},
};
static const ws_parameter_table trace_elasticity_table = {.noun = "elasticity",
                                                          .rows = trace_elasticity_rows,
                                                          .count =
                                                              WS_COUNT_OF(trace_elasticity_rows),
                                                          .bytes = sizeof(ws_file_trace_elasticity),
                                                          .scalar_key = "mode"};

static const ws_parameter trace_with_rows[] = {
    SELF(ws_file_trace_with),
    {ROW(ws_file_trace_with, tasks), .kind = WS_PARAMETER_PATH,
     .help = "of `pai`: pai_task_table.csv, which it needs"},
    {ROW(ws_file_trace_with, instances), .kind = WS_PARAMETER_PATH,
     .help = "of `pai`: pai_instance_table.csv"},
    {ROW(ws_file_trace_with, throughputs), .kind = WS_PARAMETER_PATH,
     .help = "of `gavel`: steps per second by GPU, type of job and GPUs (JSON), which it needs"},
};
static const ws_parameter_table trace_with_table = {.noun = "trace's further files",
                                                    .rows = trace_with_rows,
                                                    .count = WS_COUNT_OF(trace_with_rows),
                                                    .bytes = sizeof(ws_file_trace_with)};

/* In the order of ws_trace_time_unit. */
static const char *const time_unit_choices[] = {"s", "ms", "us", NULL};
static const char *const running_choices[] = {"drop", "remainder", NULL};

static const ws_parameter trace_rows[] = {
    SELF(ws_file_trace),
    {ROW(ws_file_trace, name), .kind = WS_PARAMETER_NAME, .default_text = "trace",
     .help = "name of its jobs, for targets"},
    {ROW(ws_file_trace, file), .kind = WS_PARAMETER_PATH, .required = true,
     .help = "relative to this file"},
    {ROW(ws_file_trace, format), .kind = WS_PARAMETER_TEXT, .default_text = "auto",
     .help = "format of the trace; `auto`: found by its content"},
    {ROW(ws_file_trace, with), .kind = WS_PARAMETER_MAP, .table = &trace_with_table,
     .help = "further files that the format reads"},
    {ROW(ws_file_trace, gpu_type), .kind = WS_PARAMETER_TEXT,
     .help = "whose throughputs count, of `gavel`; default: v100"},
    {ROW(ws_file_trace, cores_per_gpu), .kind = WS_PARAMETER_INTEGER, .min = "1", .max = "100000",
     .help = "of logs that count processors, as `swf` does; default: each is a GPU"},
    {ROW(ws_file_trace, time_unit), .kind = WS_PARAMETER_CHOICE, .choices = time_unit_choices,
     .choice_noun = "a unit of a trace's times", .default_text = "s",
     .help = "of plain numbers in columns of seconds"},
    {ROW(ws_file_trace, ceil_gpus), .kind = WS_PARAMETER_BOOL, .default_text = "false",
     .help = "rounds shares of a GPU up to whole GPUs; without it they are an error"},
    {ROW(ws_file_trace, profiles), .kind = WS_PARAMETER_PATH,
     .help =
         "folder of measured profiles, one folder for each application; run times come from it"},
    {ROW(ws_file_trace, labels), .kind = WS_PARAMETER_DOCUMENT,
     .help = "of its jobs' pods and of their series: {app: pytorch-worker}"},
    {ROW(ws_file_trace, from), .kind = WS_PARAMETER_TIMESTAMP,
     .help = "time 0 of the scenario, on the trace's clock; default: the first arrival"},
    {ROW(ws_file_trace, to), .kind = WS_PARAMETER_TIMESTAMP,
     .help = "jobs that arrive from here on are left out; what runs past it is kept whole"},
    {ROW(ws_file_trace, running_at_start), .kind = WS_PARAMETER_CHOICE, .choices = running_choices,
     .choice_noun = "a way to take them", .default_text = "drop",
     .help = "jobs that ran at `from`: left out, or submitted there with what was left of them"},
    {ROW(ws_file_trace, types), .kind = WS_PARAMETER_TEXT_LIST,
     .help = "GPU types that the jobs accept; default: those of all pools"},
    {ROW(ws_file_trace, elasticity), .kind = WS_PARAMETER_MAP, .table = &trace_elasticity_table,
     .help = "whether and how sizes change; a GPU is a replica"},
    {ROW(ws_file_trace, speedup), .kind = WS_PARAMETER_DOCUMENT,
     .help = "of sizes that the recording did not see: linear, {amdahl: 95%}, or {curve: ...}"},
    {ROW(ws_file_trace, checkpoint), .kind = WS_PARAMETER_OPTIONAL_MAP, .table = &checkpoint_table,
     .help = "absent: a failure or a resize loses everything"},
    {ROW(ws_file_trace, worker_start), .kind = WS_PARAMETER_MAP,
     .table = &ws_file_worker_start_table,
     .help = "from placed to the first step; the recorded durations are taken to be without it"},
    {ROW(ws_file_trace, usage), .kind = WS_PARAMETER_MAP, .table = &ws_file_usage_table,
     .help = "what monitoring shows of processor and memory"},
};
static const ws_parameter_table trace_table = {.noun = "trace",
                                               .rows = trace_rows,
                                               .count = WS_COUNT_OF(trace_rows),
                                               .bytes = sizeof(ws_file_trace)};

static const ws_parameter workload_rows[] = {
    SELF(ws_file_workload),
    {ROW(ws_file_workload, jobs), .kind = WS_PARAMETER_MAP_LIST, .table = &job_table,
     .help = "jobs that are stated; may stand beside a trace"},
    {ROW(ws_file_workload, trace), .kind = WS_PARAMETER_OPTIONAL_MAP, .table = &trace_table,
     .help = "jobs that were recorded"},
    {ROW(ws_file_workload, demand), .kind = WS_PARAMETER_OPTIONAL_MAP,
     .table = &ws_file_demand_table,
     .help = "a recorded utilisation or rate of samples, as work that arrives over time"},
};
const ws_parameter_table ws_file_workload_table = {.noun = "workload",
                                                   .rows = workload_rows,
                                                   .count = WS_COUNT_OF(workload_rows),
                                                   .bytes = sizeof(ws_file_workload)};
