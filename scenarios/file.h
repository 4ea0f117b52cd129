/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A scenario file as it is written: a structure for each map, and the tables that read them. */
#ifndef WS_SCENARIOS_FILE_H
#define WS_SCENARIOS_FILE_H

#include "ws/distribution.h"
#include "ws/parameter.h"
#include "ws/time.h"
#include "ws/total.h"

typedef struct {
    const ws_document *self;
    ws_text type;
    int64_t per_node;
    ws_text preset; /* empty: none */
    int64_t memory;
    bool has_memory;
} ws_file_gpu;

typedef struct {
    const ws_document *self;
    int64_t initial;
    int64_t min;
    int64_t max;
} ws_file_nodes;

/** What was recorded of a price; per_gpu and per_node are what a value of 1 is. */
typedef struct {
    const ws_document *self;
    ws_text file;
    ws_text format;
    const ws_document *match; /* NULL: the only series */
    ws_price per_gpu;
    bool has_per_gpu;
    ws_price per_node;
    bool has_per_node;
    ws_timestamp from;
} ws_file_prices;

typedef struct {
    const ws_document *self;
    ws_price per_gpu;
    bool has_per_gpu;
    ws_price per_node;
    bool has_per_node;
    ws_file_prices *recorded; /* in their place; NULL: constant */
    ws_duration billing_increment;
    ws_duration minimum;
} ws_file_price;

typedef struct {
    const ws_document *self;
    int64_t size;
    ws_duration cached;
    bool has_cached;
} ws_file_image;

typedef struct {
    ws_distribution request;
    ws_distribution boot;
    ws_distribution image_pull;
    ws_file_image *image; /* in its place; NULL: a distribution */
    ws_distribution join;
    double fail_probability;
    ws_duration retry;
} ws_file_cold_start;

typedef struct {
    ws_duration crash;
    ws_duration hang;
    double hang_probability;
} ws_file_detection;

typedef struct {
    const ws_document *self;
    ws_text file;
    ws_text format;
    int64_t nodes;  /* 0: those that the file names */
    int32_t assign; /* 1: drawn */
    ws_duration from;
    ws_duration to;
    bool has_to;
    bool repeat;
} ws_file_outages;

typedef struct {
    const ws_document *self;
    ws_distribution node_mtbf;
    ws_file_outages *recorded; /* in its place; NULL: drawn */
    ws_distribution repair;
    ws_file_detection detection;
    bool billed;
} ws_file_failures;

typedef struct {
    const ws_document *self;
    ws_text file;
    ws_text format;
    ws_duration from;
    bool has_from;
} ws_file_supply;

typedef struct {
    const ws_document *self;
    ws_file_supply recorded;
    ws_duration notice;
    ws_duration detection;
} ws_file_spot;

/** A disk of each node of a pool. */
typedef struct {
    int64_t size;
    double read;
    double write;
} ws_file_local_disk;

typedef struct {
    const ws_document *self;
    ws_text name;
    ws_file_gpu gpu;
    ws_file_nodes nodes;
    ws_file_price price;
    ws_file_cold_start cold_start;
    ws_file_local_disk *local_disk; /* NULL: none */
    ws_file_failures *failures;
    ws_file_spot *spot; /* NULL: nodes stay */
} ws_file_pool;

typedef struct {
    ws_list pools; /* ws_file_pool */
} ws_file_cluster;

typedef struct {
    double bandwidth;
    double per_node; /* 0: no limit */
    ws_duration latency;
} ws_file_channel;

typedef struct {
    const ws_document *self;
    ws_file_channel write;
    ws_file_channel read;
    int32_t sharing;
    double price;
    bool has_price;
    int64_t size; /* 0: what it holds is paid for */
} ws_file_store;

typedef struct {
    double bandwidth;
    double per_node; /* 0: no limit */
} ws_file_registry;

typedef struct {
    ws_file_store *checkpoint;
} ws_file_storage;

typedef struct {
    const ws_document *self;
    double bandwidth;
    bool has_bandwidth;
    ws_duration latency;
    bool has_latency;
    int32_t per; /* of inter_node: gpu, node, nic */
    bool has_per;
    int64_t nics; /* of a node, with `per: nic` */
} ws_file_link;

typedef struct {
    const ws_document *self;
    int64_t leaf_nodes;
    double oversubscription;
    int64_t pod_nodes;
    double pod_oversubscription;
    int64_t rails;
    int64_t ecmp_flows;
} ws_file_fabric;

/** A measured collective: `times`, or what was fitted to them. */
typedef struct {
    const ws_document *self;
    int32_t operation;
    int64_t ranks;
    int64_t nodes;
    const ws_document *times;
    ws_duration latency;
    ws_duration root;
    double bandwidth;
    int64_t from;
    int64_t to;
} ws_file_measured;

typedef struct {
    const ws_document *self;
    ws_text model;
    double reduce;
    bool has_reduce;
    ws_text version;
    int32_t gpu;
    bool has_gpu;
    int32_t joint;
    bool has_joint;
    int32_t processor;
    bool sharp;
    int64_t servers;
    bool asynchronous;
    ws_list measured; /* ws_file_measured */
} ws_file_collectives;

typedef struct {
    const ws_document *self;
    ws_text preset; /* empty: none */
    ws_file_link intra_node;
    ws_file_link inter_node;
    ws_file_fabric *fabric;           /* NULL: none */
    ws_file_collectives *collectives; /* NULL: rings */
    int32_t sharing;                  /* ws_network_sharing */
    bool has_sharing;
} ws_file_network;

typedef struct {
    const ws_document *self;
    ws_price value_of_time;
    ws_text of;
    ws_money unfinished;
    ws_duration deadline;
} ws_file_objective;

typedef struct {
    ws_duration scrape;
    ws_duration window;
    ws_duration delay;
} ws_file_monitoring;

typedef struct {
    int32_t arbiter;
    int32_t start;
    int32_t placement;
    int32_t drain;
    ws_duration regrow;
} ws_file_scheduling;

typedef struct {
    ws_list types; /* ws_text */
    int64_t per_replica;
    const ws_document *speed;
} ws_file_job_gpus;

typedef struct {
    const ws_document *self;
    int64_t max_train_batch_size;
    ws_list micro_batch_sizes; /* int64_t */
    int64_t min_gpus;
    int64_t max_gpus;
    bool prefer_larger_batch;
    int32_t version;
    int64_t model_parallel_size;
    int64_t num_gpus_per_node;
} ws_file_deepspeed;

typedef struct {
    const ws_document *self;
    int64_t initial;
    int64_t min;
    int64_t max;
    int64_t step;
    const ws_document *sizes;
    ws_file_deepspeed *deepspeed;
} ws_file_replicas;

typedef struct {
    const ws_document *self;
    int32_t mode;
} ws_file_elasticity;

typedef struct {
    const ws_document *self;
    ws_duration every;
} ws_file_local_checkpoint;

typedef struct {
    const ws_document *self;
    ws_duration every;   /* 0: by steps alone */
    int64_t every_steps; /* 0: by time alone */
    int64_t size;
    bool has_size;
    ws_duration write;
    bool has_write;
    ws_duration read;
    bool has_read;
    bool before_resize;
    int64_t keep;
    ws_file_local_checkpoint *local; /* NULL: none */
} ws_file_checkpoint;

typedef struct {
    const ws_document *self;
    int64_t size;
} ws_file_load;

typedef struct {
    const ws_document *self;
    int64_t bytes_per_sample;
    int32_t from;
    int64_t size; /* 0: not stated */
} ws_file_data;

typedef struct {
    ws_distribution container;
    ws_distribution framework;
    ws_distribution rendezvous;
    ws_distribution init;
    ws_distribution load;
    ws_file_load *load_size; /* in its place; NULL: a distribution */
    ws_distribution warm_up;
} ws_file_worker_start;

typedef struct {
    double cpu;
    double memory;
    double nccl_sm;
} ws_file_usage;

typedef struct {
    int64_t min;
    int64_t max;
} ws_file_stage_replicas;

typedef struct {
    const ws_document *self;
    const ws_document *noise_scale;
    int64_t batch;
    int32_t learning_rate;
} ws_file_efficiency;

typedef struct {
    const ws_document *self;
    ws_work every;
    ws_duration time;
} ws_file_evaluation;

/** In the place of a list of stages. */
typedef struct {
    const ws_document *self;
    ws_text preset;
    double scale;
} ws_file_schedule;

typedef struct {
    const ws_document *self;
    ws_text name;
    ws_work work;
    bool has_work;
    ws_distribution duration;
    bool has_duration;
    ws_file_stage_replicas replicas;
    int64_t global_batch;
    int64_t batch_tokens;
    int64_t replica_batch;
    int64_t sequence;
    double step_time;
    ws_file_efficiency *efficiency;
    ws_file_evaluation *evaluation;
    const ws_document *step;
    const ws_document *speedup;
} ws_file_stage;

typedef struct {
    const ws_document *self;
    ws_text name;
    const ws_document *labels;
    const ws_document *submit;
    int64_t count;
    int64_t priority;
    ws_file_job_gpus gpus;
    ws_file_replicas replicas;
    ws_file_elasticity elasticity;
    const ws_document *step;
    const ws_document *speedup;
    ws_list stages;              /* ws_file_stage */
    const ws_document *schedule; /* in their place; NULL: none */
    ws_file_efficiency *efficiency;
    ws_file_evaluation *evaluation;
    ws_file_checkpoint *checkpoint;
    ws_file_data *data; /* NULL: its reads do not count */
    ws_file_worker_start worker_start;
    ws_file_usage usage;
    ws_duration deadline;
} ws_file_job;

typedef struct {
    const ws_document *self;
    int32_t mode;
    double min;
    double max;
} ws_file_trace_elasticity;

/** Further files of a trace; empty: not given. */
typedef struct {
    const ws_document *self;
    ws_text tasks;
    ws_text instances;
    ws_text throughputs;
} ws_file_trace_with;

typedef struct {
    const ws_document *self;
    ws_text name;
    ws_text file;
    ws_text format;
    ws_file_trace_with with;
    ws_text gpu_type;      /* empty: the format's own choice */
    int64_t cores_per_gpu; /* 0: not given */
    int32_t time_unit;     /* ws_trace_time_unit */
    bool ceil_gpus;
    const ws_document *labels;
    ws_text profiles; /* empty: none */
    ws_timestamp from;
    ws_timestamp to;
    int32_t running_at_start;
    ws_list types; /* ws_text */
    ws_file_trace_elasticity elasticity;
    const ws_document *speedup;
    ws_file_checkpoint *checkpoint;
    ws_file_worker_start worker_start;
    ws_file_usage usage;
} ws_file_trace;

/** Recorded series of a file. */
typedef struct {
    const ws_document *self;
    ws_text file;
    ws_text format;
    ws_text metric;            /* empty: the only one */
    const ws_document *select; /* NULL: all of it */
} ws_file_series;

/** How many replicas a recording was made at: a number, or series. */
typedef struct {
    const ws_document *self;
    double count; /* 0: not given */
    ws_file_series series;
} ws_file_recorded_replicas;

typedef struct {
    const ws_document *self;
    ws_text name;
    ws_file_series series; /* its keys stand beside the others */
    double full;           /* 0: not given, as the next */
    double per_replica;
    ws_file_recorded_replicas *recorded_replicas;
    int32_t holes;
    ws_timestamp from;
    ws_timestamp to;
    ws_file_job job; /* what a job states, as far as it has such keys */
} ws_file_demand;

typedef struct {
    const ws_document *self;
    ws_list jobs; /* ws_file_job */
    ws_file_trace *trace;
    ws_file_demand *demand;
} ws_file_workload;

typedef struct {
    ws_text policy;
    ws_text metric;
    double max_change;
    const ws_document *self;
} ws_file_threshold;

typedef struct {
    const ws_document *self;
    ws_text baseline;
    ws_list metrics; /* ws_text */
    double confidence;
    ws_list thresholds; /* ws_file_threshold */
} ws_file_compare;

typedef struct {
    ws_text dir;
    ws_duration timeline_step;
    int32_t record;
} ws_file_outputs;

typedef struct {
    const ws_document *self;
    ws_text schema;
    ws_text name;
    ws_text description;
    int64_t seed;
    int64_t replications;
    ws_duration horizon;
    ws_duration warmup;
    ws_timestamp start;
    ws_file_cluster cluster;
    ws_file_storage storage;
    ws_file_registry *registry;
    ws_file_network *network;
    ws_file_objective *objective;
    ws_file_monitoring monitoring;
    ws_file_scheduling scheduling;
    ws_file_workload workload;
    const ws_document *policies;
    ws_file_compare compare;
    ws_file_outputs outputs;
} ws_file_scenario;

typedef struct {
    const ws_document *self;
    ws_text pool;
    ws_text job;
    int32_t jobs;
    bool has_jobs;
} ws_file_target;

/** An arm, or one of its controllers; the policy's own keys stand beside these. */
typedef struct {
    const ws_document *self;
    ws_text name;
    int32_t type;
    ws_file_target target;
    const ws_document *set;
} ws_file_arm;

typedef struct {
    const ws_document *self;
    ws_text name;
    const ws_document *controllers;
    const ws_document *set;
} ws_file_group;

typedef struct {
    const ws_document *self;
    int32_t type;
    ws_file_target target;
} ws_file_controller;

extern const ws_parameter_table ws_file_scenario_table;
extern const ws_parameter_table ws_file_cluster_table;
extern const ws_parameter_table ws_file_storage_table;
extern const ws_parameter_table ws_file_registry_table;
extern const ws_parameter_table ws_file_network_table;
extern const ws_parameter_table ws_file_monitoring_table;
extern const ws_parameter_table ws_file_scheduling_table;
extern const ws_parameter_table ws_file_workload_table;
extern const ws_parameter_table ws_file_compare_table;
extern const ws_parameter_table ws_file_outputs_table;
extern const ws_parameter_table ws_file_arm_table;
extern const ws_parameter_table ws_file_group_table;
extern const ws_parameter_table ws_file_controller_table;

/** What was recorded of machines (tables_recorded.c). */
extern const ws_parameter_table ws_file_outages_table;
extern const ws_parameter_table ws_file_spot_table;
extern const ws_parameter_table ws_file_prices_table;

/** Maps that are read when it is known what they are. */
extern const ws_parameter_table ws_file_schedule_table;
extern const ws_parameter_table ws_file_submit_table;

/** Demand (tables_demand.c), and the parts of a job that it shares. */
extern const ws_parameter_table ws_file_demand_table;
extern const ws_parameter_table ws_file_demand_replicas_table;
extern const ws_parameter_table ws_file_job_gpus_table;
extern const ws_parameter_table ws_file_worker_start_table;
extern const ws_parameter_table ws_file_usage_table;

/** Parts of jobs and stages that are described beside these (tables_stage.c, tables_storage.c). */
extern const ws_parameter_table ws_file_data_table;
extern const ws_parameter_table ws_file_local_checkpoint_table;
extern const ws_parameter_table ws_file_local_disk_table;
extern const ws_parameter_table ws_file_deepspeed_table;
extern const ws_parameter_table ws_file_efficiency_table;
extern const ws_parameter_table ws_file_evaluation_table;
extern const ws_parameter_table ws_file_pollux_table;
extern const ws_parameter_table ws_file_transformer_table;
extern const ws_parameter_table ws_file_profile_table;

#endif
