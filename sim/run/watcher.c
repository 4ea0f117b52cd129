/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watcher.h"

static void watcher_tell(const ws_watcher *watcher, ws_news_kind kind, size_t index)
{
    ws_news news = {.at = ws_kernel_now(watcher->parts.kernel), .kind = kind, .index = index};

    WS_ASSERT(watcher->watch->heard != NULL);
    watcher->watch->heard(watcher->watch->context, &watcher->parts, &news);
}

/* ---- nodes ---- */

static void watcher_node_ready(void *context, ws_node_id node)
{
    watcher_tell(context, WS_NEWS_NODE_READY, (size_t)node.index);
}

static void watcher_node_draining(void *context, ws_node_id node)
{
    watcher_tell(context, WS_NEWS_NODE_DRAINING, (size_t)node.index);
}

static void watcher_node_released(void *context, ws_node_id node)
{
    watcher_tell(context, WS_NEWS_NODE_RELEASED, (size_t)node.index);
}

static void watcher_node_request_failed(void *context, ws_node_id node)
{
    watcher_tell(context, WS_NEWS_NODE_REQUEST_FAILED, (size_t)node.index);
}

static void watcher_node_lost(void *context, ws_node_id node, const size_t *holders, size_t count)
{
    (void)holders;
    (void)count;
    watcher_tell(context, WS_NEWS_NODE_LOST, (size_t)node.index);
}

/* ---- jobs ---- */

static void watcher_job_submitted(void *context, size_t job)
{
    watcher_tell(context, WS_NEWS_JOB_SUBMITTED, job);
}

static void watcher_job_needs_gpus(void *context, size_t job)
{
    watcher_tell(context, WS_NEWS_JOB_NEEDS_GPUS, job);
}

static void watcher_job_started(void *context, size_t job)
{
    watcher_tell(context, WS_NEWS_JOB_STARTED, job);
}

static void watcher_job_stage_done(void *context, size_t job)
{
    watcher_tell(context, WS_NEWS_JOB_STAGE_DONE, job);
}

static void watcher_job_done(void *context, size_t job)
{
    watcher_tell(context, WS_NEWS_JOB_DONE, job);
}

/* ---- wiring ---- */

void ws_watcher_begin(ws_watcher *watcher, ws_control *control)
{
    if (watcher->watch == NULL || watcher->watch->heard == NULL) {
        return;
    }
    ws_control_listen_fleet(
        control, &(ws_fleet_listener){.context = watcher,
                                      .node_ready = watcher_node_ready,
                                      .node_lost = watcher_node_lost,
                                      .node_draining = watcher_node_draining,
                                      .node_released = watcher_node_released,
                                      .node_request_failed = watcher_node_request_failed});
    ws_control_listen_jobs(control, &(ws_jobs_listener){.context = watcher,
                                                        .submitted = watcher_job_submitted,
                                                        .needs_gpus = watcher_job_needs_gpus,
                                                        .started = watcher_job_started,
                                                        .stage_done = watcher_job_stage_done,
                                                        .done = watcher_job_done});
}

void ws_watcher_event_done(const ws_watcher *watcher)
{
    if (watcher->watch != NULL && watcher->watch->event_done != NULL) {
        watcher->watch->event_done(watcher->watch->context, &watcher->parts);
    }
}
