/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Legal sizes of a job: a list, or a range with a step, cut by the limits of the stage. */
#include "ws/job.h"

int32_t ws_job_replicas_min(const ws_job_spec *job, size_t stage)
{
    WS_ASSERT(stage < job->stage_count);
    int32_t limit = job->stages[stage].replicas_min;
    return limit > job->replicas_min ? limit : job->replicas_min;
}

int32_t ws_job_replicas_max(const ws_job_spec *job, size_t stage)
{
    WS_ASSERT(stage < job->stage_count);
    int32_t limit = job->stages[stage].replicas_max;
    return limit < job->replicas_max ? limit : job->replicas_max;
}

static int32_t job_list_at_most(const ws_job_spec *job, int32_t at_most)
{
    size_t low = 0;
    size_t high = job->legal_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (job->legal[middle] <= at_most) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low == 0 ? 0 : job->legal[low - 1];
}

int32_t ws_job_legal_at_most(const ws_job_spec *job, size_t stage, int32_t at_most)
{
    WS_ASSERT(stage < job->stage_count);

    int32_t least = ws_job_replicas_min(job, stage);
    int32_t most = ws_job_replicas_max(job, stage);
    int32_t size = at_most < most ? at_most : most;

    if (size < least) {
        return 0;
    }
    if (job->legal != NULL) {
        size = job_list_at_most(job, size);
    } else {
        size -= (size - job->replicas_min) % job->replicas_step;
    }
    return size < least ? 0 : size;
}

int32_t ws_job_legal_at_least(const ws_job_spec *job, size_t stage, int32_t at_least)
{
    WS_ASSERT(stage < job->stage_count);

    int32_t least = ws_job_replicas_min(job, stage);
    int32_t most = ws_job_replicas_max(job, stage);
    int32_t size = at_least > least ? at_least : least;

    if (job->legal != NULL) {
        int32_t below = job_list_at_most(job, size - 1);
        size_t index = 0;
        while (index < job->legal_count && job->legal[index] <= below) {
            index++;
        }
        size = index == job->legal_count ? INT32_MAX : job->legal[index];
    } else {
        int32_t over = (size - job->replicas_min) % job->replicas_step;
        size += over == 0 ? 0 : job->replicas_step - over;
    }
    return size > most ? 0 : size;
}
