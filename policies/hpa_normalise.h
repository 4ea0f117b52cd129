/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * From the raw proposal of a HorizontalPodAutoscaler's metrics to the size that it asks for: range,
 * stabilisation over past recommendations, limits on the pace, and the memory of both.
 *
 * Rules are those of the Kubernetes controller (pkg/controller/podautoscaler, horizontal.go,
 * v1.37), ties included: without a behaviour a recommendation as old as the window still counts,
 * with one it does not, nor does an event as old as a policy's period. A real controller's runs are
 * slightly late, so that a tie counts as past there; on the exact ticks of a simulation the window
 * without a behaviour lasts one tick longer.
 */
#ifndef WS_HPA_NORMALISE_H
#define WS_HPA_NORMALISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/arena.h"
#include "ws/time.h"

#include "hpa_reason.h"
#include "hpa_replicas.h"

typedef enum { WS_HPA_UP, WS_HPA_DOWN } ws_hpa_direction;

typedef enum { WS_HPA_POLICY_PODS, WS_HPA_POLICY_PERCENT } ws_hpa_policy_kind;

/** "At most `value` pods, or percent of the size at its start, in any `period`." */
typedef struct {
    ws_hpa_policy_kind kind;
    int32_t value;      /* > 0 */
    ws_duration period; /* > 0 */
} ws_hpa_policy;

typedef enum {
    WS_HPA_SELECT_MAX, /* the policy that allows the larger change */
    WS_HPA_SELECT_MIN,
    WS_HPA_SELECT_DISABLED
} ws_hpa_select;

/** One direction of a behaviour, after defaulting. */
typedef struct {
    ws_duration window; /* of stabilisation */
    ws_hpa_select select;
    const ws_hpa_policy *policies;
    size_t policy_count;
} ws_hpa_rules;

/** What does not change in the life of an autoscaler. */
typedef struct {
    int32_t replicas_min; /* >= 0 */
    int32_t replicas_max; /* >= replicas_min */
    bool has_behaviour;   /* false: the two rules are not looked at */
    ws_hpa_rules up;
    ws_hpa_rules down;
    ws_duration downscale_stabilization; /* the controller's flag; without a behaviour */
    double scale_up_factor;              /* without a behaviour: 2 */
    double scale_up_minimum;             /* without a behaviour: 4 */
    bool scales_from_zero;   /* gate HPAScaleToZero: zero replicas that the HPA itself made are its
                                own to end */
    bool has_outside_metric; /* an OBJECT or EXTERNAL metric, the only ones that exist without pods
                              */
} ws_hpa_settings;

typedef struct {
    int32_t replicas; /* raw: before range, pace and stabilisation */
    ws_time at;
} ws_hpa_recommendation;

typedef struct {
    int32_t change; /* >= 0 */
    ws_time at;
    bool is_outdated; /* older than every period: its place may be used again */
} ws_hpa_event;

typedef struct {
    ws_hpa_event *items;
    size_t count;
    size_t capacity;
} ws_hpa_events;

/** What an autoscaler remembers. Ends with the arena that it was made from. */
typedef struct {
    bool has_begun; /* the first run has recorded the size that it found */
    ws_hpa_recommendation *recommendations;
    size_t recommendation_count;
    size_t recommendation_capacity;
    ws_hpa_events ups;
    ws_hpa_events downs;
    ws_hpa_reason
        scaled_to_zero; /* the condition as it stands: NONE, ScaledToZero or NotScaledToZero */
} ws_hpa_memory;

/** A size and why it is that: a limit of the pace or of the range, or a stabilisation. */
typedef struct {
    int32_t replicas;
    ws_hpa_reason reason;
} ws_hpa_size;

/** A limit of one direction. */
typedef struct {
    int32_t replicas;
    size_t policy; /* index of the policy that gives it; the number of policies when none does */
} ws_hpa_limit;

/** Why the size changes, as events of the API tell it. */
typedef enum {
    WS_HPA_RESCALE_NONE,
    WS_HPA_RESCALE_ABOVE_TARGET, /* "<metric> above target" */
    WS_HPA_RESCALE_BELOW_TARGET, /* "All metrics below target" */
    WS_HPA_RESCALE_ABOVE_MAX,    /* "Current number of replicas above Spec.MaxReplicas" */
    WS_HPA_RESCALE_BELOW_MIN     /* "Current number of replicas below Spec.MinReplicas" */
} ws_hpa_rescale;

/** What one run finds. */
typedef struct {
    bool exists;    /* the target does; false: `wanted` is not read */
    int32_t wanted; /* scale.spec.replicas */
    const ws_hpa_proposal *proposals;
    size_t proposal_count; /* 1..WS_HPA_METRICS_MAX; 0 where ws_hpa_reads_metrics() says no */
    ws_time now;
} ws_hpa_situation;

/** What one run decides. */
typedef struct {
    int32_t wanted;       /* before */
    int32_t replicas;     /* after; the same when nothing was decided */
    bool is_rescale;      /* they differ */
    bool is_failed;       /* the run counts as failed, even when it scales */
    bool is_normalised;   /* the metrics were looked at: raw and stabilised say what they came to */
    int32_t raw;          /* what the metrics propose */
    int32_t stabilised;   /* after the windows */
    size_t chosen_metric; /* whose proposal raw is, or that failed first */
    ws_hpa_reason
        stabilisation; /* ReadyForNewScale, Scale{Up,Down}Stabilized; NONE unless normalised */
    size_t policy;     /* index of the policy behind Scale{Up,Down}Limit, with a behaviour */
    int32_t limit;     /* what that policy, or the pace without a behaviour, allows */
    ws_hpa_rescale rescale;
    ws_hpa_reason able; /* conditions; NONE: not touched by this run */
    ws_hpa_reason active;
    ws_hpa_reason limited;
} ws_hpa_outcome;

/**
 * Empty memory with room for `recommendations` and for `events` in each direction.
 *
 * A list grows only while everything in it still counts, so that asks at least `period` apart need
 * no more than ws_hpa_room(longest window, period) places. When a list is full all the same, its
 * oldest entry goes.
 *
 * @return  false when the arena is exhausted
 */
WS_NODISCARD bool ws_hpa_memory_init(ws_hpa_memory *memory, size_t recommendations, size_t events,
                                     ws_arena *arena);

/** Entries that can count at once in a window when one is added every `period`, which is > 0. */
size_t ws_hpa_room(ws_duration window, ws_duration period);

/** Range and pace without a behaviour. The minimum goes before the pace. */
ws_hpa_size ws_hpa_clamp(const ws_hpa_settings *settings, int32_t wanted, int32_t stabilised);

/** Largest recommendation of the window (one as old as the window counts) and of `raw`; remembers
 * `raw`. */
ws_hpa_size ws_hpa_stabilise_down(ws_hpa_memory *memory, ws_duration window, int32_t raw,
                                  ws_time now);

/** The size nearest to `wanted` that both windows allow; remembers `raw`. */
ws_hpa_size ws_hpa_stabilise(ws_hpa_memory *memory, const ws_hpa_settings *settings, int32_t wanted,
                             int32_t raw, ws_time now);

/** Sum of the changes younger than `period`. */
int64_t ws_hpa_events_sum(const ws_hpa_events *events, ws_duration period, ws_time now);

/** Remembers a change of one direction, whose rules say when an event is of no more use. */
void ws_hpa_events_add(ws_hpa_events *events, const ws_hpa_rules *rules, int32_t change,
                       ws_time now);

/** What one direction's policies allow, before it is compared with the size now: it may lie on the
 * wrong side of that. */
ws_hpa_limit ws_hpa_policy_limit(const ws_hpa_memory *memory, const ws_hpa_rules *rules,
                                 ws_hpa_direction direction, int32_t wanted, ws_time now);

/** Range and pace with a behaviour; `*limit` receives what the pace allows (wanted itself when no
 * change is asked for). */
ws_hpa_size ws_hpa_pace(const ws_hpa_memory *memory, const ws_hpa_settings *settings,
                        int32_t wanted, int32_t stabilised, ws_time now, ws_hpa_limit *limit);

/** Whether a run with `wanted` replicas comes to look at its metrics: it does not out of range, nor
 * when it is switched off. */
bool ws_hpa_reads_metrics(const ws_hpa_memory *memory, const ws_hpa_settings *settings,
                          int32_t wanted);

/** One run. The change itself is the caller's; it tells with one of the two functions below. */
ws_hpa_outcome ws_hpa_reconcile(ws_hpa_memory *memory, const ws_hpa_settings *settings,
                                const ws_hpa_situation *situation);

/** The target took `applied` replicas for a rescale. Remembers the change. */
void ws_hpa_rescaled(ws_hpa_memory *memory, const ws_hpa_settings *settings,
                     ws_hpa_outcome *outcome, int32_t applied, ws_time now);

/** The target could not be changed. Nothing is remembered. */
void ws_hpa_rescale_failed(ws_hpa_outcome *outcome);

#endif
