/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "schedules.h"

#include "ws/assert.h"

#define TOKENS WS_WORK_TOKENS
#define STEPS WS_WORK_STEPS
#define SAMPLES WS_WORK_SAMPLES

static const ws_schedule_stage deepseek_v3[] = {
    {"ramp-1", 117.25e9, TOKENS, 3072, 0, 4096, 0}, {"ramp-2", 117.25e9, TOKENS, 6144, 0, 4096, 0},
    {"ramp-3", 117.25e9, TOKENS, 9216, 0, 4096, 0}, {"ramp-4", 117.25e9, TOKENS, 12288, 0, 4096, 0},
    {"main", 14.331e12, TOKENS, 15360, 0, 4096, 0},
};

static const ws_schedule_stage llama3_405b[] = {
    {"batch-4m", 252e6, TOKENS, 0, 4000000, 4096, 0},
    {"batch-8m", 2.87e12 - 252e6, TOKENS, 0, 8000000, 8192, 0},
    {"batch-16m", 12.73e12, TOKENS, 0, 16000000, 8192, 0},
    {"long-context", 800e9, TOKENS, 0, 16000000, 131072, 0},
    {"anneal", 40e6, TOKENS, 0, 16000000, 131072, 0},
};

static const ws_schedule_stage palm_540b[] = {
    {"batch-512", 50e3, STEPS, 512, 0, 2048, 0},
    {"batch-1024", 65e3, STEPS, 1024, 0, 2048, 0},
    {"batch-2048", 140e3, STEPS, 2048, 0, 2048, 0},
};

/* 400,000 episodes in steps of 640 are 625 steps: 25 rounds of 25 steps, 16,000 episodes. A sample
 * takes a share g of its time in generation: g / (1 - g) = 4 times its update at g = 80 %. */
static const ws_schedule_stage post_training[] = {
    {"sft", 1878688, SAMPLES, 128, 0, 4096, 0},
    {"preference", 330e3, SAMPLES, 128, 0, 2048, 0},
    {"generate", 16e3, SAMPLES, 640, 0, 2048, 4},
    {"update", 16e3, SAMPLES, 640, 0, 2048, 0},
};

static const ws_schedule schedule_list[] = {
    {.name = "deepseek-v3",
     .summary = "671B mixture of experts, 14.8T tokens: the batch grows fivefold over the first "
                "3.2 % of them",
     .source = "DeepSeek-AI, arXiv:2412.19437, sec. 4.2: 3072 to 15360 sequences over 469B tokens; "
               "the size of the steps is not said, taken as four equal ones. Context extension is "
               "left out",
     .stages = deepseek_v3,
     .count = WS_COUNT_OF(deepseek_v3),
     .rounds = 1},
    {.name = "llama3-405b",
     .summary =
         "405B, 15.6T tokens in batches of 4M, 8M and 16M, then 800B of long context and 40M "
         "of annealing",
     .source = "Llama Team, arXiv:2407.21783, sec. 3.4. Long context grows from 8K to 128K in six "
               "stages of unsaid length: all of it is taken at 128K",
     .stages = llama3_405b,
     .count = WS_COUNT_OF(llama3_405b),
     .rounds = 1},
    {.name = "palm-540b",
     .summary = "540B, 255,000 steps in batches of 512, 1024 and 2048 sequences",
     .source = "Chowdhery et al., arXiv:2204.02311, sec. 5",
     .stages = palm_540b,
     .count = WS_COUNT_OF(palm_540b),
     .rounds = 1},
    {.name = "post-training",
     .summary = "fine-tuning, preference tuning, then 25 rounds of generation and update",
     .source =
         "Tulu 3 70B (Lambert et al., arXiv:2411.15124, and github.com/allenai/open-instruct, "
         "docs/tulu3.md): 939,344 samples in two epochs; 330,000 pairs; 400,000 episodes in "
         "steps of 640, here 25 steps a round. Generation is 80 % of the time of the rounds "
         "(OpenRLHF, arXiv:2405.11143), at every size",
     .stages = post_training,
     .count = WS_COUNT_OF(post_training),
     .rounds = 25,
     .alternating = 2},
};

size_t ws_schedule_count(void)
{
    return WS_COUNT_OF(schedule_list);
}

const ws_schedule *ws_schedule_at(size_t index)
{
    WS_ASSERT(index < WS_COUNT_OF(schedule_list));
    return &schedule_list[index];
}
