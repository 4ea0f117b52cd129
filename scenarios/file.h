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
} file_gpu;

typedef struct {
    const ws_document *self;
    int64_t initial;
    int64_t min;
    int64_t max;
} file_nodes;

typedef struct {
    const ws_document *self;
    ws_price per_gpu;
    bool has_per_gpu;
    ws_price per_node;
    bool has_per_node;
    ws_duration billing_increment;
    ws_duration minimum;
} file_price;

typedef struct {
    ws_distribution request;
    ws_distribution boot;
    ws_distribution image_pull;
    ws_distribution join;
    double fail_probability;
    ws_duration retry;
} file_cold_start;

typedef struct {
    ws_duration crash;
    ws_duration hang;
    double hang_probability;
} file_detection;

typedef struct {
    ws_distribution node_mtbf;
    ws_distribution repair;
    file_detection detection;
    bool billed;
} file_failures;

typedef struct {
    const ws_document *self;
    ws_text name;
    file_gpu gpu;
    file_nodes nodes;
    file_price price;
    file_cold_start cold_start;
    file_failures *failures;
} file_pool;

typedef struct {
    ws_list pools; /* file_pool */
} file_cluster;

typedef struct {
    double bandwidth;
    ws_duration latency;
} file_channel;

typedef struct {
    file_channel write;
    file_channel read;
} file_store;

typedef struct {
    file_store *checkpoint;
} file_storage;

typedef struct {
    double bandwidth;
    ws_duration latency;
    int32_t per; /* of inter_node: gpu, node */
} file_link;

typedef struct {
    const ws_document *self;
    file_link intra_node;
    file_link inter_node;
} file_network;

typedef struct {
    const ws_document *self;
    ws_price value_of_time;
    ws_text of;
    ws_money unfinished;
    ws_duration deadline;
} file_objective;

typedef struct {
    ws_duration scrape;
    ws_duration window;
    ws_duration delay;
} file_monitoring;

typedef struct {
    int32_t arbiter;
    int32_t start;
    int32_t placement;
    int32_t drain;
    ws_duration regrow;
} file_scheduling;

typedef struct {
    ws_list types; /* ws_text */
    int64_t per_replica;
    const ws_document *speed;
} file_job_gpus;

typedef struct {
    const ws_document *self;
    int64_t initial;
    int64_t min;
    int64_t max;
    int64_t step;
    const ws_document *sizes;
} file_replicas;

typedef struct {
    const ws_document *self;
    int32_t mode;
} file_elasticity;

typedef struct {
    const ws_document *self;
    ws_duration every;
    int64_t size;
    bool has_size;
    ws_duration write;
    bool has_write;
    ws_duration read;
    bool has_read;
    bool before_resize;
} file_checkpoint;

typedef struct {
    ws_distribution container;
    ws_distribution framework;
    ws_distribution rendezvous;
    ws_distribution init;
    ws_distribution load;
    ws_distribution warm_up;
} file_worker_start;

typedef struct {
    double cpu;
    double memory;
    double nccl_sm;
} file_usage;

typedef struct {
    int64_t min;
    int64_t max;
} file_stage_replicas;

typedef struct {
    const ws_document *self;
    ws_text name;
    ws_work work;
    bool has_work;
    ws_distribution duration;
    bool has_duration;
    file_stage_replicas replicas;
    int64_t global_batch;
    const ws_document *step;
    const ws_document *speedup;
} file_stage;

typedef struct {
    const ws_document *self;
    ws_text name;
    const ws_document *submit;
    int64_t count;
    int64_t priority;
    file_job_gpus gpus;
    file_replicas replicas;
    file_elasticity elasticity;
    const ws_document *step;
    const ws_document *speedup;
    ws_list stages; /* file_stage */
    file_checkpoint *checkpoint;
    file_worker_start worker_start;
    file_usage usage;
    ws_duration deadline;
} file_job;

typedef struct {
    const ws_document *self;
    int32_t mode;
    double min;
    double max;
} file_trace_elasticity;

typedef struct {
    const ws_document *self;
    ws_text name;
    ws_text file;
    ws_text format;
    ws_timestamp from;
    ws_timestamp to;
    int32_t running_at_start;
    ws_list types; /* ws_text */
    file_trace_elasticity elasticity;
    const ws_document *speedup;
    file_checkpoint *checkpoint;
    file_worker_start worker_start;
    file_usage usage;
} file_trace;

typedef struct {
    const ws_document *self;
    ws_list jobs; /* file_job */
    file_trace *trace;
} file_workload;

typedef struct {
    ws_text policy;
    ws_text metric;
    double max_change;
    const ws_document *self;
} file_threshold;

typedef struct {
    const ws_document *self;
    ws_text baseline;
    ws_list metrics; /* ws_text */
    double confidence;
    ws_list thresholds; /* file_threshold */
} file_compare;

typedef struct {
    ws_text dir;
    ws_duration timeline_step;
    int32_t record;
} file_outputs;

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
    file_cluster cluster;
    file_storage storage;
    file_network *network;
    file_objective *objective;
    file_monitoring monitoring;
    file_scheduling scheduling;
    file_workload workload;
    const ws_document *policies;
    file_compare compare;
    file_outputs outputs;
} file_scenario;

typedef struct {
    const ws_document *self;
    ws_text pool;
    ws_text job;
    int32_t jobs;
    bool has_jobs;
} file_target;

/** An arm, or one of its controllers; the policy's own keys stand beside these. */
typedef struct {
    const ws_document *self;
    ws_text name;
    int32_t type;
    file_target target;
    const ws_document *set;
} file_arm;

typedef struct {
    const ws_document *self;
    ws_text name;
    const ws_document *controllers;
    const ws_document *set;
} file_group;

typedef struct {
    const ws_document *self;
    int32_t type;
    file_target target;
} file_controller;

extern const ws_parameter_table file_scenario_table;
extern const ws_parameter_table file_cluster_table;
extern const ws_parameter_table file_storage_table;
extern const ws_parameter_table file_monitoring_table;
extern const ws_parameter_table file_scheduling_table;
extern const ws_parameter_table file_workload_table;
extern const ws_parameter_table file_compare_table;
extern const ws_parameter_table file_outputs_table;
extern const ws_parameter_table file_arm_table;
extern const ws_parameter_table file_group_table;
extern const ws_parameter_table file_controller_table;

#endif
