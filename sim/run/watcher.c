/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watcher.h"

static void watcher_pass(const ws_watcher *watcher, ws_news news)
{
    news.at = ws_kernel_now(watcher->parts.kernel);
    if (watcher->journal != NULL) {
        ws_journal_note(watcher->journal, &news);
    }
    if (watcher->watch != NULL && watcher->watch->heard != NULL) {
        watcher->watch->heard(watcher->watch->context, &watcher->parts, &news);
    }
}

static void watcher_tell(const ws_watcher *watcher, ws_news_kind kind, size_t index)
{
    watcher_pass(watcher, (ws_news){.kind = kind, .index = index});
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

static void watcher_node_requested(void *context, ws_node_id node)
{
    watcher_tell(context, WS_NEWS_NODE_REQUESTED, (size_t)node.index);
}

static void watcher_node_lost(void *context, ws_node_id node, const size_t *holders, size_t count)
{
    const ws_watcher *watcher = context;
    size_t first = ws_fleet_first_job_owner(watcher->parts.fleet);

    watcher_tell(watcher, WS_NEWS_NODE_LOST, (size_t)node.index);
    for (size_t i = 0; i < count; i++) {
        watcher_tell(watcher, WS_NEWS_JOB_LOST_NODE, holders[i] - first);
    }
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

static void watcher_job_placed(void *context, size_t job)
{
    watcher_tell(context, WS_NEWS_JOB_PLACED, job);
}

static void watcher_job_resized(void *context, size_t job, int32_t from)
{
    watcher_pass(context, (ws_news){.kind = WS_NEWS_JOB_RESIZED, .index = job, .from = from});
}

static void watcher_job_transferred(void *context, size_t job)
{
    watcher_tell(context, WS_NEWS_JOB_TRANSFERRED, job);
}

static void watcher_job_repaced(void *context, size_t job)
{
    watcher_tell(context, WS_NEWS_JOB_REPACED, job);
}

static void watcher_job_fed(void *context, size_t job)
{
    watcher_tell(context, WS_NEWS_JOB_FED, job);
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
    WS_ASSERT(control != NULL);

    bool is_watched = watcher->watch != NULL && watcher->watch->heard != NULL;

    if (!is_watched && watcher->journal == NULL) {
        return;
    }
    ws_control_listen_fleet(
        control, &(ws_fleet_listener){.context = watcher,
                                      .node_requested = watcher_node_requested,
                                      .node_ready = watcher_node_ready,
                                      .node_lost = watcher_node_lost,
                                      .node_draining = watcher_node_draining,
                                      .node_released = watcher_node_released,
                                      .node_request_failed = watcher_node_request_failed});
    ws_control_listen_jobs(control, &(ws_jobs_listener){.context = watcher,
                                                        .submitted = watcher_job_submitted,
                                                        .needs_gpus = watcher_job_needs_gpus,
                                                        .placed = watcher_job_placed,
                                                        .resized = watcher_job_resized,
                                                        .transferred = watcher_job_transferred,
                                                        .repaced = watcher_job_repaced,
                                                        .fed = watcher_job_fed,
                                                        .started = watcher_job_started,
                                                        .stage_done = watcher_job_stage_done,
                                                        .done = watcher_job_done});
}

void ws_watcher_event_done(const ws_watcher *watcher)
{
    WS_ASSERT(watcher != NULL);
    if (watcher->watch != NULL && watcher->watch->event_done != NULL) {
        watcher->watch->event_done(watcher->watch->context, &watcher->parts);
    }
}
