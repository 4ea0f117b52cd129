/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Policies: the whole interface between a scaling policy and the simulator.
 *
 * A policy is a constant ws_policy_type: a name, a summary, a parameter table and functions. It is
 * asked on its own period and on the events that it subscribes to. It sees a read-only view of what
 * a monitoring system and a cluster's API would show, and answers with a plan: nodes for pools,
 * replicas for jobs, when to be asked again, a reason in words. The core clamps the plan to what is
 * legal, counts every clamp, applies it as a whole and reports it. What a plan does not name keeps
 * its size.
 *
 * A policy never sees the queue, the clock of the machine or another policy. Its state is
 * `state_bytes` of zeroed memory from the run's arena; it keeps no other. Its random draws come
 * from the stream that the site opens for it.
 *
 * To add one: a file in policies/ that ends in its `const ws_policy_type`, and a line in
 * policies/list.c.
 */
#ifndef WS_POLICY_H
#define WS_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/arena.h"
#include "ws/diag.h"
#include "ws/label.h"
#include "ws/parameter.h"
#include "ws/text.h"
#include "ws/time.h"
#include "ws/total.h"

/** Why a policy is asked, as bits. */
typedef enum {
    WS_WAKE_PERIOD = 1u << 0,
    WS_WAKE_CALLBACK = 1u << 1, /* the time that the last plan named */
    WS_WAKE_JOB_ARRIVED = 1u << 2,
    WS_WAKE_JOB_STARTED = 1u << 3,
    WS_WAKE_STAGE_DONE = 1u << 4,
    WS_WAKE_JOB_DONE = 1u << 5,
    WS_WAKE_NODE_READY = 1u << 6,
    WS_WAKE_NODE_LOST = 1u << 7,
    WS_WAKE_START = 1u << 8 /* time 0, before anything else is decided */
} ws_wake;

typedef enum {
    WS_TARGET_POOL, /* replicas are nodes */
    WS_TARGET_JOB,  /* replicas are the job's */
    WS_TARGET_JOBS  /* all elastic jobs */
} ws_target_kind;

typedef struct ws_outlook ws_outlook;

typedef struct {
    ws_target_kind kind;
    size_t pool;               /* of POOL: index in the view */
    ws_text job;               /* of JOB: the job's (template's) name */
    ws_text name;              /* as written, for reasons */
    const ws_outlook *outlook; /* for checks; NULL: nothing is known beforehand */
} ws_target;

/** One series' newest sample as a query at the monitoring system would give it now. */
typedef struct {
    double value;
    ws_duration age;    /* since it was scraped */
    ws_duration window; /* that it averages over: monitoring's, or less where the replica has not
                           been in the running world for so long; 0: an instant */
    ws_text job;        /* label: the job that it is of; empty: of the whole cluster or of a pool */
    int32_t replica;    /* label: its replica; -1: none */
} ws_sample;

typedef enum {
    WS_POD_PENDING,  /* wanted, not placed */
    WS_POD_STARTING, /* placed, not yet in the running world */
    WS_POD_RUNNING
} ws_pod_phase;

/** One replica of the target: a pod of a job, a node of a pool. */
typedef struct {
    ws_pod_phase phase;
    bool ready;
    bool deleted; /* on its way out (a draining node) */
    bool has_started;
    ws_duration started_age; /* since it was placed; a node: since it joined */
    ws_duration ready_age;   /* since `ready` last changed */
    bool has_sample;         /* of the query that was asked for pods; none before the first scrape
                                after it joined the running world */
    double value;
    ws_duration sample_age;
    ws_duration sample_window;
    double request; /* of a Resource query: what the pod, pending or not, requests; 0: none */
} ws_pod;

typedef struct {
    ws_text name;
    ws_text gpu_type;
    int32_t gpus_per_node;
    int32_t nodes_min;
    int32_t nodes_max;
    int32_t nodes_wanted;
    int32_t nodes_requested;
    int32_t nodes_starting;
    int32_t nodes_ready; /* draining included */
    int32_t nodes_broken;
    int32_t nodes_draining;
    int64_t gpus_free;
    int64_t gpus_held;
    ws_price node_price;     /* now */
    double observed_start_s; /* mean time from request to ready seen so far; 0: none yet */
} ws_view_pool;

typedef enum { WS_VIEW_WAITING, WS_VIEW_STARTING, WS_VIEW_RUNNING, WS_VIEW_DONE } ws_view_job_state;

typedef struct {
    size_t id;    /* for ws_plan_set_replicas() */
    ws_text name; /* template's name; arrivals of one template share it */
    ws_view_job_state state;
    bool elastic;
    ws_time submitted;
    int32_t priority;
    int32_t gpus_per_replica;
    int32_t replicas_wanted;
    int32_t replicas_existing; /* placed */
    int32_t replicas_min;      /* of the current stage */
    int32_t replicas_max;
    int32_t stage; /* index */
    int32_t stage_count;
    double stage_done_ratio; /* 0..1 */
    double rate;             /* work a second now; 0 while not running */
    int32_t restarts;
    ws_duration last_resize_age;
} ws_view_job;

typedef struct ws_view ws_view;

/** The time of the decision. */
ws_time ws_view_now(const ws_view *view);

/** Why the policy is asked: bits of ws_wake. */
uint32_t ws_view_wakes(const ws_view *view);

/** Pools of the cluster, and each of them, in the order of the scenario. */
size_t ws_view_pool_count(const ws_view *view);
ws_view_pool ws_view_pool_at(const ws_view *view, size_t index);

/** Active jobs (submitted, not done), in order of submission. O(1) each. */
size_t ws_view_job_count(const ws_view *view);
ws_view_job ws_view_job_at(const ws_view *view, size_t index);

/** A stage of a job, and what is known of it beforehand. */
typedef struct {
    double work;          /* in the stage's own unit */
    double done;          /* now; 0 for stages to come, `work` for those behind */
    int32_t replicas_min; /* limits of the stage within the job's */
    int32_t replicas_max;
} ws_view_stage;

/** One stage of an active job. @param stage  from 0, below the job's number of stages */
ws_view_stage ws_view_job_stage_at(const ws_view *view, size_t index, int32_t stage);

/** Work a second that a job's step model gives for a stage at a size: what a team knows from
 * profiling. Packed placement. */
double ws_view_job_rate_at(const ws_view *view, size_t index, int32_t stage, int32_t replicas);

/** The largest legal size of a job in a stage that is at most `at_most`; 0: none. Calling it with
 * size - 1 walks all sizes. */
int32_t ws_view_job_legal_at_most(const ws_view *view, size_t index, int32_t stage,
                                  int32_t at_most);

/** Time from stopping a world to its next step, s: the mean of the job's phases, with the reading
 * of a checkpoint. */
double ws_view_job_restart_s(const ws_view *view, size_t index);

/** Age of the job's last durable point: what a restart now would throw away. 0 when resizes write
 * first. */
ws_duration ws_view_job_unsaved_age(const ws_view *view, size_t index);

/** Price an hour of one GPU in the cheapest pool that the job accepts. */
ws_price ws_view_job_gpu_price(const ws_view *view, size_t index);

/** True when a GPU of a view's pool is accepted by a job. */
bool ws_view_job_accepts(const ws_view *view, size_t index, size_t pool);

/** Of the controller's target: replicas wanted (spec), existing (status), and its pods. A target of
 * many jobs sums them. */
int32_t ws_view_replicas_wanted(const ws_view *view);
int32_t ws_view_replicas_existing(const ws_view *view);

/** False when the target does not exist now (its job is not submitted yet, or is done): there is
 * nothing to scale. */
bool ws_view_target_exists(const ws_view *view);

/** Pods of the target with the samples of query `query` of this policy. Valid until the decision
 * ends. NULL, 0: none. */
const ws_pod *ws_view_pods(const ws_view *view, size_t query, size_t *count);

/** Series of query `query`. Valid until the decision ends. */
const ws_sample *ws_view_samples(const ws_view *view, size_t query, size_t *count);

typedef struct ws_plan ws_plan;

/** Wants `nodes` in a pool; the last call for a pool counts. */
void ws_plan_set_nodes(ws_plan *plan, size_t pool, int64_t nodes);

/** Wants `replicas` for a job. */
void ws_plan_set_replicas(ws_plan *plan, size_t job_id, int64_t replicas);

/** Wants `replicas` for the controller's target: nodes of its pool, replicas of its job (of each,
 * for many). */
void ws_plan_set_target(ws_plan *plan, int64_t replicas);

/** Asks to be woken at `when`, once. */
void ws_plan_call_back(ws_plan *plan, ws_time when);

/** The reason in words, one line, of the sizes that are set from here on, and of those before that
 * have none yet. A plan that changes a size says why. */
void ws_plan_reason(ws_plan *plan, const char *format, ...) WS_PRINTF(2, 3);

/** One step of the reasoning; kept only while somebody wants explanations. */
void ws_plan_explain(ws_plan *plan, const char *format, ...) WS_PRINTF(2, 3);

/** Where a metric comes from. */
typedef enum {
    WS_QUERY_EXTERNAL, /* series of the whole cluster, selected by name and labels */
    WS_QUERY_PODS,     /* a value for each pod of the target */
    WS_QUERY_RESOURCE  /* a resource's use for each pod of the target, with its request */
} ws_query_source;

typedef struct {
    ws_query_source source;
    ws_text metric;       /* a name of ws/metric.h's list: gpu_util, pending_gpus, ... */
    ws_text job;          /* EXTERNAL: only series of this job; empty: of all */
    ws_selector selector; /* only series of jobs with such labels; those of the whole cluster have
                             none, and are always shown */
    bool average; /* EXTERNAL: one series, the mean of those that are selected; none when there are
                     none */
    ws_span at;   /* where the metric is named, for errors */
} ws_query;

#define WS_QUERIES_MAX 16

/** What a policy wants to be scraped. */
typedef struct {
    ws_query queries[WS_QUERIES_MAX];
    size_t count;
} ws_subscriptions;

/** Adds a query; its texts must outlive the run. Returns its index, by which ws_view_samples()
 * finds it. Adding more than WS_QUERIES_MAX is a bug. */
size_t ws_subscribe(ws_subscriptions *subscriptions, const ws_query *query);

/** What a job's models say of it before any run, for checks that compare a goal with what can be.
 */
struct ws_outlook {
    const void *context;
    int32_t replicas_min; /* of the job */
    int32_t replicas_max;
    /**
     * What each replica shows of a metric while the job steps at a size, over the stages that allow
     * it: the least and the most.
     *
     * @return  false when that is not known: the size is not legal, the metric is not one of jobs,
     * or the query's series are not those of this job alone
     */
    bool (*metric_at)(const void *context, const ws_query *query, int32_t replicas, double *least,
                      double *most);
};

/** What a policy knows when a run begins. */
typedef struct {
    ws_target target;
    ws_price price_per_node_h; /* of a pool target */
    int32_t replicas_min;      /* of the target; 0 and 0 for many jobs */
    int32_t replicas_max;
    bool has_objective;     /* the three below are stated */
    ws_text objective_job;  /* whose completion time counts */
    ws_price value_of_time; /* an hour of it, or of its lateness */
    ws_duration deadline;   /* of that job, from submission; 0: none */
    uint64_t seed;          /* the policy's own stream key: seed, replication */
    uint64_t replication;
} ws_policy_site;

typedef struct ws_policy_type ws_policy_type;

struct ws_policy_type {
    const char *name;
    const char *summary; /* one sentence for `policy list` */
    const ws_parameter_table
        *parameters;    /* keys beside name, type, target and set; may have no rows */
    size_t state_bytes; /* zeroed before init; 0: no state */
    bool deployable;    /* false: knows what nobody can know */
    bool needs_future;
    uint32_t wakes;        /* bits of ws_wake; PERIOD is implied by `period` */
    uint32_t target_kinds; /* bits 1 << ws_target_kind that make sense */
    bool scales_one; /* not a job that arrives several times: several of a name may be active at
                        once, and this policy sizes one thing */

    /**
     * Fills in what follows from the parameters themselves, such as what a document among them
     * says; after reading, before all else. May be NULL. False with an error added.
     */
    bool (*complete)(void *parameters, ws_arena *arena, ws_diag *diag);
    /** Checks completed parameters against each other and the target; adds diagnostics. May be
     * NULL. False with an error added. */
    bool (*check)(const void *parameters, const ws_target *target, ws_arena *arena, ws_diag *diag);
    /** Names what it wants scraped, in an order that it remembers. May be NULL. */
    void (*subscribe)(const void *parameters, ws_subscriptions *subscriptions);
    /** How often it is asked; 0: never on a period. May be NULL. */
    ws_duration (*period)(const void *parameters);
    /** Prepares the state at the start of a run; everything else it needs comes from `arena`.
     * False: arena exhausted. May be NULL. */
    bool (*init)(void *state, const void *parameters, const ws_policy_site *site, ws_arena *arena);
    void (*decide)(void *state, const void *parameters, const ws_view *view, ws_plan *plan);
};

#endif
