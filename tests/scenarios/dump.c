/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/dump.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define DUMP_BYTES ((size_t)1 << 20)

typedef struct {
    char *bytes;
    size_t length;
} dump;

static void add(dump *to, const char *format, ...) WS_PRINTF(2, 3);

static void add(dump *to, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    int length = vsnprintf(to->bytes + to->length, DUMP_BYTES - to->length, format, arguments);
    va_end(arguments);
    WS_ASSERT(length >= 0);
    to->length += (size_t)length;
    WS_ASSERT(to->length < DUMP_BYTES);
}

static void add_distribution(dump *to, const char *name, const ws_distribution *distribution)
{
    add(to, " %s=%d:%a:%a", name, (int)distribution->family, distribution->a, distribution->b);
    for (size_t i = 0; i < distribution->sample_count; i++) {
        add(to, ",%a", distribution->samples[i]);
    }
}

static void add_pool(dump *to, const ws_pool_spec *pool)
{
    add(to, "pool %.*s %.*s %d nodes %d %d %d", WS_TEXT_ARGS(pool->name),
        WS_TEXT_ARGS(pool->gpu_type), pool->gpus_per_node, pool->nodes_initial, pool->nodes_min,
        pool->nodes_max);
    add(to, " price %lld %lld %lld", (long long)pool->node_price.nano_per_h,
        (long long)pool->billing_increment.ns, (long long)pool->billing_minimum.ns);
    add_distribution(to, "request", &pool->start.request);
    add_distribution(to, "boot", &pool->start.boot);
    add_distribution(to, "image", &pool->start.image_pull);
    add_distribution(to, "join", &pool->start.join);
    add(to, " fail %a retry %lld", pool->start.fail_probability, (long long)pool->start.retry.ns);
    add(to, " failures %d billed %d crash %lld hang %lld %a", pool->failures.present,
        pool->failures.billed_in_repair, (long long)pool->failures.crash_detection.ns,
        (long long)pool->failures.hang_detection.ns, pool->failures.hang_probability);
    add_distribution(to, "mtbf", &pool->failures.time_to_failure);
    add_distribution(to, "repair", &pool->failures.repair);
    add(to, "\n");
}

static void add_kind(dump *to, const ws_job_kind *kind, size_t pools)
{
    add(to, "kind %.*s %llx priority %d gpus %d pools %llx mode %s main %d",
        WS_TEXT_ARGS(kind->name), (unsigned long long)kind->entity, kind->priority,
        kind->gpus_per_replica, (unsigned long long)kind->pools, kind->elasticity->name,
        kind->main_job);
    for (size_t i = 0; i < pools; i++) {
        add(to, " speed %a", kind->pool_speed[i]);
    }
    add(to, " checkpoint %d %lld %lld %lld %d", kind->has_checkpoint,
        (long long)kind->checkpoint.every.ns, (long long)kind->checkpoint.write.ns,
        (long long)kind->checkpoint.read.ns, kind->checkpoint.before_resize);
    add_distribution(to, "container", &kind->start.container);
    add_distribution(to, "framework", &kind->start.framework);
    add_distribution(to, "rendezvous", &kind->start.rendezvous);
    add_distribution(to, "init", &kind->start.init);
    add_distribution(to, "load", &kind->start.load);
    add_distribution(to, "warm", &kind->start.warm_up);
    add(to, " usage %a %a %a\n", kind->usage.cpu, kind->usage.memory, kind->usage.nccl_sm);
}

/* A step by what it does at a few sizes. */
static void add_step(dump *to, const ws_step *step, int32_t gpus)
{
    add(to, " step %s", step->type->name);
    for (int32_t replicas = 1; replicas <= 32; replicas *= 2) {
        ws_pace pace = ws_step_pace(step, &(ws_world){.replicas = replicas,
                                                      .gpus_per_replica = gpus,
                                                      .nodes = replicas,
                                                      .leaves = 1,
                                                      .pods = 1,
                                                      .fabric_share = 1,
                                                      .speed = 1});

        add(to, " %a/%a", pace.work_per_s, pace.communication);
    }
}

static void add_stage(dump *to, const ws_stage_spec *stage, int32_t gpus)
{
    add(to, "stage %.*s %a unit %d %d..%d", WS_TEXT_ARGS(stage->name), stage->work,
        (int)stage->unit, stage->replicas_min, stage->replicas_max);
    add_step(to, &stage->step, gpus);
}

static void add_template(dump *to, const ws_job_template *job, size_t pools)
{
    const ws_arrivals *arrivals = &job->arrivals;

    add_kind(to, &job->kind, pools);
    add(to, "arrivals %d %lld %a %lld %a %lld", (int)arrivals->kind, (long long)arrivals->at.ns,
        arrivals->rate_per_s, (long long)arrivals->daily_peak.ns, arrivals->daily_ratio,
        (long long)arrivals->count);
    add(to, " replicas %d %d %d %d deadline %lld legal", job->replicas_initial, job->replicas_min,
        job->replicas_max, job->replicas_step, (long long)job->deadline.ns);
    for (size_t i = 0; i < job->legal_count; i++) {
        add(to, " %d", job->legal[i]);
    }
    add(to, "\n");
    for (size_t i = 0; i < job->stage_count; i++) {
        add_stage(to, &job->stages[i].spec, job->kind.gpus_per_replica);
        add(to, " drawn %d", job->stages[i].is_drawn);
        add_distribution(to, "work", &job->stages[i].work);
        add(to, "\n");
    }
}

static void add_recorded(dump *to, const ws_job_spec *job)
{
    add(to, "recorded %.*s of %.*s number %llu at %lld sizes %d %d %d %d user %.*s queue %.*s\n",
        WS_TEXT_ARGS(job->name), WS_TEXT_ARGS(job->kind->name), (unsigned long long)job->number,
        (long long)job->submit.ns, job->replicas_initial, job->replicas_min, job->replicas_max,
        job->replicas_step, WS_TEXT_ARGS(job->user), WS_TEXT_ARGS(job->queue));
    add_stage(to, &job->stages[0], 1);
    add(to, "\n");
}

static void add_scenario(dump *to, const ws_scenario *scenario)
{
    add(to, "scenario %.*s seed %llu replications %lld horizon %lld warmup %lld day %lld\n",
        WS_TEXT_ARGS(scenario->name), (unsigned long long)scenario->seed,
        (long long)scenario->replications, (long long)scenario->horizon.ns,
        (long long)scenario->warmup.ns, (long long)scenario->day_offset_s);
    add(to, "spread %d arbiter %s regrow %lld leave %d monitoring %lld %lld %lld\n",
        scenario->spread, scenario->arbiter->name, (long long)scenario->regrow.ns,
        scenario->leave_draining, (long long)scenario->monitoring.scrape.ns,
        (long long)scenario->monitoring.window.ns, (long long)scenario->monitoring.delay.ns);
    add(to, "objective %d %.*s %lld %lld %lld\n", scenario->objective.given,
        WS_TEXT_ARGS(scenario->objective.of),
        (long long)scenario->objective.value_of_time.nano_per_h,
        (long long)scenario->objective.unfinished.nano, (long long)scenario->objective.deadline.ns);
    for (size_t i = 0; i < scenario->pool_count; i++) {
        add_pool(to, &scenario->pools[i]);
    }
    for (size_t i = 0; i < scenario->workload.template_count; i++) {
        add_template(to, &scenario->workload.templates[i], scenario->pool_count);
    }
    for (size_t i = 0; i < scenario->workload.recorded_count; i++) {
        add_recorded(to, &scenario->workload.recorded[i]);
    }
}

static void add_arm(dump *to, const ws_loaded *loaded, const ws_arm *arm)
{
    add(to, "arm %.*s %.*s\n", WS_TEXT_ARGS(arm->name), WS_TEXT_ARGS(arm->type));
    for (size_t i = 0; i < arm->controller_count; i++) {
        const ws_target *target = &arm->controllers[i].target;

        add(to, "controller %s target %d %zu %.*s %.*s\n", arm->controllers[i].type->name,
            (int)target->kind, target->pool, WS_TEXT_ARGS(target->job), WS_TEXT_ARGS(target->name));
    }
    if (arm->scenario != &loaded->scenario) {
        add_scenario(to, arm->scenario);
    }
}

const char *ws_dump(const ws_loaded *loaded, ws_arena *arena)
{
    dump to = {.bytes = ws_arena_alloc(arena, char, DUMP_BYTES)};

    WS_ASSERT(to.bytes != NULL);
    add_scenario(&to, &loaded->scenario);
    for (size_t i = 0; i < loaded->arm_count; i++) {
        add_arm(&to, loaded, &loaded->arms[i]);
    }
    add(&to, "baseline %zu confidence %a metrics", loaded->baseline, loaded->confidence);
    for (size_t i = 0; i < loaded->metric_count; i++) {
        add(&to, " %.*s", WS_TEXT_ARGS(loaded->metrics[i]));
    }
    for (size_t i = 0; i < loaded->threshold_count; i++) {
        const ws_threshold *threshold = &loaded->thresholds[i];

        add(&to, " threshold %.*s %.*s %a", WS_TEXT_ARGS(threshold->policy),
            WS_TEXT_ARGS(threshold->metric), threshold->max_change);
    }
    add(&to, "\nfolder %.*s step %lld all %d currency %.*s\n", WS_TEXT_ARGS(loaded->output_folder),
        (long long)loaded->timeline_step.ns, loaded->record_all, WS_TEXT_ARGS(loaded->currency));
    return to.bytes;
}
