/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Logs of training, by hand and against a few lines of Python over the same files. */
#include <math.h>

#include "trace_case.h"
#include "ws/trace_format.h"

typedef struct {
    trace_case files;
    ws_trace_steps_summary summary;
    ws_trace_steps_report report;
    ws_trace_steps_options options;
    bool is_read;
} steps_case;

static void steps_read_path(steps_case *c, const char *path)
{
    ws_file_name file = {.path = path, .shown = WS_TEXT("t.log")};

    c->is_read = ws_trace_steps_summarise(&c->summary, &file, &c->options, &c->report,
                                          &c->files.arena, &c->files.diag);
}

static void steps_read_bytes(steps_case *c, const char *type, const char *bytes, size_t length)
{
    memset(c, 0, sizeof *c);
    c->options.type = type == NULL ? NULL : ws_trace_steps_type_find(ws_text_of(type));
    trace_case_begin(&c->files, "steps");
    FILE *file = fopen(c->files.path, "wb");

    cr_assert(file != NULL);
    cr_assert(fwrite(bytes, 1, length, file) == length);
    cr_assert(fclose(file) == 0);
    steps_read_path(c, c->files.path);
}

static void steps_read(steps_case *c, const char *type, const char *text)
{
    steps_read_bytes(c, type, text, strlen(text));
}

/* A file of the shared folder, its format found by content; false when it is absent. */
static bool steps_read_shared(steps_case *c, const char *relative, const char *type)
{
    char path[4096];

    if (ws_test_shared(relative, path, sizeof path) == NULL) {
        return false;
    }
    memset(c, 0, sizeof *c);
    trace_case_begin(&c->files, "steps-shared");
    ws_file_name file = {.path = path, .shown = WS_TEXT("t.log")};
    ws_trace_format format;

    cr_assert(ws_trace_format_sniff(&format, &file, &c->files.diag));
    cr_assert(format.steps != NULL);
    cr_assert_str_eq(format.steps->name, type);
    steps_read_path(c, path);
    cr_assert(c->is_read);
    return true;
}

static int64_t steps_found(const steps_case *c, ws_trace_steps_finding finding)
{
    return c->report.found[finding].count;
}

#define ITERATION(date, step, ms, more)                                                            \
    " [" date "] iteration       " step "/    1000 | consumed samples: 1 | elapsed time per "      \
    "iteration (ms): " ms " | " more "global batch size:    64 | lm loss: 2.5E+00 | number of "    \
    "skipped iterations:   1 | number of nan iterations:   0 |\n"

/*
 * Steps 10, 11, 12 of 2 s each; 12 comes 62 s behind 11: a pause of 60 s. Then the run falls back
 * to 11, which was reached from 10: 12 - 10 = 2 steps are done again. 64 samples in 2 s are 32/s.
 */
Test(steps, megatron_by_hand)
{
    steps_case c;

    steps_read(
        &c, NULL,
        "using world size: 16, data-parallel-size: 4\n" ITERATION(
            "2024-04-06 02:00:00", "10", "2000.0", "throughput per GPU (TFLOP/s/GPU): 240.5 | ")
            ITERATION("2024-04-06 02:00:02", "11", "2000.0", "") ITERATION(
                "2024-04-06 02:01:04", "12", "2000.0",
                "") "using world size: 8, data-parallel-size: 2\n" ITERATION("2024-04-06 02:31:04",
                                                                             "11", "2000.0", "")
                ITERATION("2024-04-06 02:31:06", "12", "4000.0", ""));
    cr_assert(c.is_read);
    cr_assert(eq(i64, c.report.reports_read, 5));
    cr_assert(eq(i64, c.report.reports_kept, 5));
    cr_assert(eq(i64, c.summary.first_step, 10));
    cr_assert(eq(i64, c.summary.last_step, 12));
    cr_assert(eq(i64, c.summary.steps_wanted, 1000));
    cr_assert(eq(i64, c.summary.restarts, 1));
    cr_assert(eq(i64, c.summary.lost_steps, 2));
    cr_assert(eq(i64, c.summary.skipped_steps, 5));
    cr_assert(eq(i64, c.summary.world_size_min, 8));
    cr_assert(eq(i64, c.summary.world_size_max, 16));
    cr_assert(eq(i64, c.summary.stated, 5));
    cr_assert(eq(dbl, c.summary.step_s.p50, 2));
    cr_assert(eq(dbl, c.summary.step_s.max, 4));
    cr_assert(eq(dbl, c.summary.samples_per_s.p50, 32));
    cr_assert(eq(dbl, c.summary.samples_per_s.p10, 22.4)); /* 16 + 0.4 (32 - 16) */
    cr_assert(eq(i64, c.summary.gpu_tflops.n, 1));
    cr_assert(eq(dbl, c.summary.gpu_tflops.max, 240.5));
    cr_assert(eq(i64, c.summary.pause_s.n, 1));
    cr_assert(eq(dbl, c.summary.pause_s.max, 60));
    cr_assert(eq(i64, c.summary.last_ns - c.summary.first_ns, 1866 * WS_NS_PER_S));
    cr_assert_str_eq(trace_case_message(&c.files, 6422),
                     "1 of 5 reports of steps falls back to an earlier step: a restart from a "
                     "checkpoint");
    cr_assert(eq(int, trace_case_line(&c.files, 6422), 6));
    trace_case_end(&c.files);
}

#define TITAN(prefix, time, step, tps)                                                             \
    prefix "[titan] 2025-06-16 22:30:" time " - root - INFO - \x1B[31mstep: " step                 \
           "\x1B[0m  \x1B[32mloss:  6.5\x1B[39m  memory: 49.66GiB(52.28%)  tps: " tps              \
           "  tflops: 339.16  mfu: 34.29%\r\n"

/* Three ranks, one of them a step late, in colours and with CRLF: each step counts once. Steps come
 * every 10 s / 10. The late line of step 10 is no restart. */
Test(steps, ranks_that_interleave)
{
    steps_case c;

    /* 10 s after the step was told of, it is a restart */
    steps_read(&c, NULL,
               TITAN("[rank0]:", "10,000", "10", "5,856") TITAN("[rank1]:", "10,100", "10", "5,000")
                   TITAN("[rank0]:", "15,000", "20", "5,856")
                       TITAN("[rank2]:", "20,050", "10", "1"));
    cr_assert(c.is_read);
    cr_assert(eq(i64, c.report.reports_read, 4));
    cr_assert(eq(i64, steps_found(&c, WS_STEPS_REPEATED), 1));
    cr_assert(eq(i64, steps_found(&c, WS_STEPS_RESTART), 1));
    trace_case_end(&c.files);

    steps_read(
        &c, NULL,
        TITAN("[rank0]:", "10,000", "10", "5,856") TITAN("[rank1]:", "10,900", "10", "1")
            TITAN("[rank0]:", "11,000", "20", "5,856") TITAN("[rank2]:", "11,100", "10", "1")
                TITAN("[rank1]:", "11,200", "20", "1") TITAN("[rank2]:", "11,300", "20", "1") TITAN(
                    "0: ", "13,000", "30",
                    "15,856,000") "Building 2-D device mesh with ['dp_shard', 'tp'], [4, 2]\n");
    cr_assert(c.is_read);
    cr_assert(eq(i64, c.report.reports_kept, 3));
    cr_assert(eq(i64, steps_found(&c, WS_STEPS_REPEATED), 4));
    cr_assert(eq(i64, c.summary.restarts, 0));
    cr_assert(eq(i64, c.summary.stated, 0));
    cr_assert(eq(i64, c.summary.step_s.n, 2));
    cr_assert(epsilon_eq(dbl, c.summary.step_s.p50, 0.15, 1e-12)); /* 1 s and 2 s over 10 steps */
    cr_assert(eq(dbl, c.summary.gpu_tokens_per_s.max, 15856000));
    cr_assert(eq(dbl, c.summary.gpu_tokens_per_s.p50, 5856));
    cr_assert(eq(dbl, c.summary.loss_first, 6.5));
    cr_assert(eq(i64, c.summary.world_size_max, 8));
    trace_case_end(&c.files);
}

/* States of a bar end with CR; the third is a step that was told of; numbers of more than three
 * digits are rounded, and the batch's number is taken. */
Test(steps, bars)
{
    steps_case c;

    steps_read(&c, "nemo",
               "Epoch 0:   0%|          | 1/9000 [00:01<2:00:00, 41.36s/it, loss=3.1, "
               "global_step=1.000, consumed_samples=2.0]\r"
               "Epoch 0:   0%|          | 2/9000 [00:01<2:00:00, 1.25it/s, "
               "reduced_train_loss=3.090, global_step=2.0, consumed_samples=1.63e+6]\r"
               "Epoch 0:   0%|          | 2/9000 [00:02<2:00:00, 1.25it/s, "
               "reduced_train_loss=3.090, global_step=2.0, consumed_samples=1.63e+6]\r"
               "Epoch 0:  50%|#####     | 4501/9000 [00:02<?, 1.25it/s, global_step=4.5e+3]\r"
               "Epoch 0:  50%|#####     | 4502/9000 [00:02<?, ?it/s, global_step=4502.0]\r\n");
    cr_assert(c.is_read);
    cr_assert(eq(i64, c.report.reports_kept, 3));
    cr_assert(eq(i64, steps_found(&c, WS_STEPS_REPEATED), 1));
    cr_assert(eq(i64, steps_found(&c, WS_STEPS_BAD_NUMBER), 1));
    cr_assert(eq(int, trace_case_line(&c.files, 6421), 5));
    cr_assert(eq(i64, c.summary.last_step, 4501));
    cr_assert(eq(i64, c.summary.steps_wanted, 9000));
    cr_assert(eq(dbl, c.summary.step_s.max, 41.36));
    cr_assert(eq(dbl, c.summary.step_s.p50, 0.8));
    trace_case_end(&c.files);
}

Test(steps, lines_that_nobody_meant)
{
    static const char text[] =
        "iteration 1/ 9 | elapsed time per iteration (ms): 10.0 | lm loss: nan |\n"
        "iteration 2/ 9 | elapsed time per iteration (ms): ten |\n"
        "iteration 3/ 9 | elapsed time per iteration (ms): -4 |\n"
        "iteration 4/ 9 | elapsed time per iteration (ms): nan |\n"
        "iteration 5/ 9 | elapsed time per iteration (ms): 1e400 |\n"
        "iteration 99999999999999999999/ 9 | elapsed time per iteration (ms): 1 |\n"
        "iteration 6/ 9 | elapsed time per itera\n"
        "iteration\0 7/ 9 | elapsed time per iteration (ms): 10.0 |\n"
        "\x1B[iteration 8/ 9 | \x1B\n"
        "iteration 9/ 9 | elapsed time per iteration (ms): 12.0";
    steps_case c;

    steps_read_bytes(&c, NULL, text, sizeof text - 1);
    cr_assert(c.is_read);
    cr_assert(eq(i64, c.report.reports_kept, 2));
    cr_assert(eq(i64, steps_found(&c, WS_STEPS_BAD_NUMBER), 4));
    cr_assert(eq(i64, steps_found(&c, WS_STEPS_CUT), 1));
    cr_assert(eq(i64, steps_found(&c, WS_STEPS_NAN_LOSS), 1));
    cr_assert_str_eq(trace_case_message(&c.files, 6421),
                     "4 of 7 reports of steps have a step or a time that is no number");
    cr_assert_str_eq(trace_case_message(&c.files, 6420),
                     "1 of 7 reports of steps breaks off before it tells how long the step took");
    cr_assert_str_eq(trace_case_message(&c.files, 6423),
                     "1 of 7 reports of steps has a loss that is no number");
    cr_assert(eq(int, trace_case_line(&c.files, 6420), 7));
    cr_assert(isnan(c.summary.loss_first));
    cr_assert(eq(dbl, c.summary.step_s.max, 0.012));
    c.options.strict = true;
    c.report = (ws_trace_steps_report){.reports_read = 0};
    steps_read_path(&c, c.files.path);
    cr_assert(not(c.is_read));
    trace_case_end(&c.files);
}

/* A line of 40,000 bytes tells of no step, one of 2 MB is an error; much may stand before the first
 * step. */
Test(steps, long_lines_and_much_before_the_first_step)
{
    const size_t room = (size_t)3 << 20;
    char *text = calloc(room, 1);
    steps_case c;
    size_t length = 0;

    cr_assert(text != NULL);
    memset(text, 'x', 40000);
    length = 40000;
    for (int i = 0; i < 3000; i++) {
        length += (size_t)snprintf(text + length, room - length, "\nline %d of much else", i);
    }
    length += (size_t)snprintf(text + length, room - length,
                               "\niteration 1/ 9 | elapsed time per iteration (ms): 10.0 |\n");
    steps_read_bytes(&c, NULL, text, length);
    cr_assert(c.is_read);
    cr_assert(eq(i64, c.report.reports_kept, 1));
    trace_case_end(&c.files);
    memset(text + length, 'y', (size_t)2 << 20);
    steps_read_bytes(&c, NULL, text, length + ((size_t)2 << 20));
    cr_assert(not(c.is_read));
    cr_assert(trace_case_find(&c.files, 9010) != NULL);
    trace_case_end(&c.files);
    free(text);
}

Test(steps, files_that_tell_of_no_step)
{
    steps_case c;

    steps_read(&c, "deepspeed", "nothing\n");
    cr_assert(c.is_read);
    cr_assert_str_eq(trace_case_message(&c.files, 6424), "`t.log` tells of no step");
    trace_case_end(&c.files);
    steps_read(&c, NULL, "nothing\n");
    cr_assert(not(c.is_read));
    cr_assert_str_eq(trace_case_message(&c.files, 6107),
                     "`t.log` looks like no known format of training steps");
    trace_case_end(&c.files);
    steps_read(&c, "hf-trainer", "{\"global_step\": 3}");
    cr_assert(not(c.is_read));
    cr_assert_str_eq(trace_case_message(&c.files, 6425), "`t.log` holds no `log_history`");
    trace_case_end(&c.files);
    steps_read(&c, "hf-trainer", "{\"log_history\": [{\"loss\": NaN}]}");
    cr_assert(not(c.is_read));
    cr_assert(eq(int, trace_case_line(&c.files, 1601), 1));
    cr_assert(eq(int, trace_case_column(&c.files, 1601), 27));
    trace_case_end(&c.files);
    steps_read(&c, "hf-trainer", "{\"log_history\": [{\"loss\": 1, \"step\": 4");
    cr_assert(not(c.is_read));
    cr_assert(trace_case_find(&c.files, 1602) != NULL);
    trace_case_end(&c.files);
}

/* 1000 steps in 4000 s: 4 s each. */
Test(steps, summary_of_a_trainer)
{
    steps_case c;

    steps_read(&c, NULL,
               "{\"max_steps\": 1000, \"log_history\": [\n{\"loss\": 2, \"step\": 500},\n"
               "{\"eval_loss\": 2, \"eval_runtime\": 30.5, \"step\": 500},\n"
               "{\"loss\": 1, \"step\": 1000}, {\"loss\": 1, \"step\": -1},\n"
               "{\"train_runtime\": 4000, \"train_samples_per_second\": 8.5, "
               "\"train_steps_per_second\": 0.25, \"step\": 1000}]}");
    cr_assert(c.is_read);
    cr_assert(eq(i64, c.report.reports_kept, 2));
    cr_assert(eq(i64, steps_found(&c, WS_STEPS_BAD_NUMBER), 1));
    cr_assert(eq(i64, c.summary.steps_wanted, 1000));
    cr_assert(eq(dbl, c.summary.run_s, 4000));
    cr_assert(eq(dbl, c.summary.step_s.p50, 4));
    cr_assert(eq(dbl, c.summary.samples_per_s.p50, 8.5));
    cr_assert(eq(i64, c.summary.evaluation_s.n, 1));
    cr_assert(eq(dbl, c.summary.evaluation_s.max, 30.5));
    cr_assert(eq(dbl, c.summary.loss_last, 1));
    trace_case_end(&c.files);
}

/* Python: re.findall(r'ms\): ([\d.]+)', text) gives 5444.9, 5533.8, 5718.6, and 86545.2, 87871.6,
 * 89474.8, 89075.2; re.findall(r'GPU\): ([\d.]+)', text) 239.8, 236.0, 228.4. Batches of 128 and of
 * 1024. */
Test(steps, megatron_agrees_with_python)
{
    steps_case c;

    if (!steps_read_shared(&c, "data/training_logs/megatron_mixtral_issue756.log", "megatron")) {
        cr_skip_test();
    }
    cr_assert(eq(i64, c.report.reports_kept, 3));
    cr_assert(eq(i64, steps_found(&c, WS_STEPS_CUT), 1));
    cr_assert(epsilon_eq(dbl, c.summary.step_s.mean, (5444.9 + 5533.8 + 5718.6) / 3000, 1e-12));
    cr_assert(epsilon_eq(dbl, c.summary.gpu_tflops.mean, 704.2 / 3, 1e-12));
    cr_assert(epsilon_eq(dbl, c.summary.samples_per_s.max, 128 / 5.4449, 1e-12));
    cr_assert(eq(i64, c.summary.pause_s.n, 0));
    trace_case_end(&c.files);
    cr_assert(
        steps_read_shared(&c, "data/training_logs/megatron_llm_issue11_no_tflops.log", "megatron"));
    cr_assert(eq(i64, c.report.reports_kept, 4));
    cr_assert(epsilon_eq(dbl, c.summary.step_s.p50, (87871.6 + 89075.2) / 2000, 1e-12));
    cr_assert(epsilon_eq(dbl, c.summary.samples_per_s.max, 1024 / 86.5452, 1e-12));
    cr_assert(eq(i64, c.summary.gpu_tflops.n, 0));
    cr_assert(not(c.summary.has_times));
    cr_assert(eq(i64, c.summary.steps_wanted, 250000));
    trace_case_end(&c.files);
}

/* Python: r'(?:global_step=| \d+/)(\d+), ' gives 40, 50, 17, 18, 34, 25; the first of
 * r'(?:Curr|, )SamplesPerSec=([\d.]+)' is 83.486, the largest 159.629, the last 6.302. The line of
 * GPT-NeoX is of step 34, too. Falls: 50 to 17, as steps were told every 10: 50 - 7; 34 to 25, as
 * they were told 16 apart: 34 - 9. */
Test(steps, deepspeed_agrees_with_python)
{
    steps_case c;

    if (!steps_read_shared(&c, "data/training_logs/deepspeed_mixed.log", "deepspeed")) {
        cr_skip_test();
    }
    cr_assert(eq(i64, c.report.reports_kept, 6));
    cr_assert(eq(i64, steps_found(&c, WS_STEPS_REPEATED), 1));
    cr_assert(eq(i64, c.summary.restarts, 2));
    cr_assert(eq(i64, c.summary.lost_steps, 43 + 25));
    cr_assert(eq(i64, c.summary.skipped_steps, 2));
    cr_assert(eq(i64, c.summary.samples_per_s.n, 6));
    cr_assert(eq(dbl, c.summary.samples_per_s.max, 159.628891629629));
    cr_assert(eq(dbl, c.summary.gpu_tflops.max, 112.9));
    cr_assert(eq(i64, c.summary.stated, 1)); /* 4103.1 ms */
    cr_assert(eq(dbl, c.summary.step_s.max, 4.1031));
    cr_assert(epsilon_eq(dbl, c.summary.step_s.p50, 1.5145, 1e-9)); /* 15.145 s for 10 steps */
    trace_case_end(&c.files);
}

/* Python over lines with a step: ten, eight of which differ from the line before; tps 5856, 5593,
 * 5868, 5869, 5864, 5862, 10050, 10007; dates 14.648, 13.964, 13.961, 13.974, 13.977 s apart for 10
 * steps each, 1.637 s for one. */
Test(steps, torchtitan_agrees_with_python)
{
    steps_case c;

    if (!steps_read_shared(&c, "data/training_logs/torchtitan_mixed.log", "torchtitan")) {
        cr_skip_test();
    }
    cr_assert(eq(i64, c.report.reports_read, 10));
    cr_assert(eq(i64, c.report.reports_kept, 8));
    cr_assert(eq(dbl, c.summary.gpu_tokens_per_s.mean, 54969.0 / 8));
    cr_assert(eq(i64, c.summary.step_s.n, 6));
    cr_assert(epsilon_eq(dbl, c.summary.step_s.mean, (7.0524 + 1.637) / 6, 1e-9));
    cr_assert(epsilon_eq(dbl, c.summary.step_s.p50, (1.3974 + 1.3977) / 2, 1e-9));
    cr_assert(eq(i64, c.summary.restarts, 1));
    trace_case_end(&c.files);
}

/* Python: r'timing in s: ([\d.]+)' gives 0.03146, 0.03163, 0.03215, 0.03157; the bar has 41.36. */
Test(steps, nemo_and_the_trainer_agree_with_python)
{
    steps_case c;

    if (!steps_read_shared(&c, "data/training_logs/nemo_mixed.log", "nemo")) {
        cr_skip_test();
    }
    cr_assert(eq(i64, c.report.reports_kept, 5));
    cr_assert(eq(dbl, c.summary.step_s.p50, 0.03163));
    cr_assert(eq(dbl, c.summary.step_s.max, 41.36));
    cr_assert(eq(i64, c.summary.first_step, 794));
    cr_assert(eq(dbl, c.summary.samples_per_s.max, 1 / 0.03146));
    trace_case_end(&c.files);
    cr_assert(steps_read_shared(&c, "data/training_logs/hf_trainer_state.quality_excerpt.json",
                                "hf-trainer"));
    /* evaluations of 92.0138, 92.0967, 92.1391, 91.9776 s */
    cr_assert(eq(i64, c.report.reports_kept, 4));
    cr_assert(eq(i64, c.summary.evaluation_s.n, 4));
    cr_assert(epsilon_eq(dbl, c.summary.evaluation_s.mean, 368.2272 / 4, 1e-12));
    cr_assert(eq(i64, c.summary.last_step, 200));
    cr_assert(eq(i64, c.summary.step_s.n, 0));
    trace_case_end(&c.files);
}
