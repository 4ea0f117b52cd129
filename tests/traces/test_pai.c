/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace_case.h"

#define A "aaaaaaaaaaaaaaaaaaaaaaaa"
#define B "bbbbbbbbbbbbbbbbbbbbbbbb"
#define C "cccccccccccccccccccccccc"
#define D "dddddddddddddddddddddddd"
#define E "eeeeeeeeeeeeeeeeeeeeeeee"

/* Writes a further file beside the trace. */
static void write_with(trace_case *c, ws_trace_with with, const char *name, const char *text)
{
    char *path = ws_arena_alloc(&c->arena, char, sizeof c->path);
    FILE *file = NULL;

    (void)snprintf(path, sizeof c->path, "%s/%s", c->folder, name);
    file = fopen(path, "wb");
    cr_assert(file != NULL);
    cr_assert(fputs(text, file) >= 0);
    cr_assert(fclose(file) == 0);
    c->options.with[with] = (ws_file_name){.path = path, .shown = ws_text_of(name)};
}

static void pai_end(trace_case *c)
{
    for (int i = 0; i < WS_TRACE_WITH_COUNT; i++) {
        if (c->options.with[i].path != NULL) {
            (void)remove(c->options.with[i].path);
        }
    }
    trace_case_end(c);
}

/*
 * a: 2 workers of a whole GPU (100 %) and 2 parameter servers without, submitted at 1000, launched
 * at 1010 and 1020, the last end at 1100: queued 10 s, ran 90 s on two GPUs. c has no task at all,
 * d no GPU, e never started. The rows of the five tasks are merged but one, whose job nobody knows.
 */
Test(pai, jobs_and_tasks_together)
{
    trace_case c;

    trace_case_begin(&c, "pai");
    write_with(&c, WS_TRACE_WITH_TASKS, "tasks.csv",
               A ",worker,2.0,Terminated,1020.0,1100.0,600.0,29.3,100.0,V100\n" A
                 ",ps,2.0,Terminated,1010.0,1090.0,600.0,29.3,,\n" D
                 ",worker,1.0,Terminated,1010.0,1090.0,600.0,29.3,,CPU\n" E
                 ",worker,1.0,Waiting,,,600.0,29.3,100.0,T4\n"
                 "ffffffffffffffffffffffff,worker,1.0,Running,5.0,,600.0,29.3,100.0,T4\n");
    trace_case_load(&c, NULL,
                    A ",i,u1,Terminated,1000.0,1100.0\n" C ",i,u1,Failed,1001.0,1100.0\n" D
                      ",i,u1,Failed,1002.0,1100.0\n" E ",i,u1,Waiting,1003.0,\n");
    cr_assert(c.is_loaded);
    cr_assert(eq(i64, c.report.rows_read, 9));
    cr_assert(eq(sz, c.trace.count, 1));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_MERGED_ROW), 4));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_ORPHAN_ROW), 1));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_NO_TASK), 1));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_NO_GPU), 1));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_NO_RUN), 1));
    cr_assert_str_eq(trace_case_message(&c, 6135), "1 of 9 rows has no task in the table of tasks");
    cr_assert(eq(int, trace_case_line(&c, 6135), 2));
    const ws_trace_job *job = &c.trace.jobs[0];
    cr_assert(ws_text_is(job->id, A));
    cr_assert(ws_text_is(job->user, "u1"));
    cr_assert(ws_text_is(job->gpu_type, "V100"));
    cr_assert(eq(i32, job->gpus, 2));
    cr_assert(eq(i64, job->queue_ns, 10 * WS_NS_PER_S));
    cr_assert(eq(i64, job->duration_ns, 90 * WS_NS_PER_S));
    cr_assert(eq(int, job->outcome, WS_TRACE_OUTCOME_COMPLETED));
    cr_assert(eq(i64, c.trace.origin_ns, 1000 * WS_NS_PER_S));
    cr_assert(eq(int, c.trace.clock, WS_TRACE_CLOCK_OWN));
    pai_end(&c);
}

/* 3 instances of half a GPU: 1.5 GPUs asked for, three whole ones with `ceil_gpus`. */
Test(pai, shares_are_rounded_up_for_each_instance)
{
    static const char tasks[] = A ",worker,3.0,Terminated,10.0,20.0,600.0,29.3,50.0,MISC\n";
    static const char jobs[] = A ",i,u,Terminated,5.0,20.0\n";
    trace_case c;

    trace_case_begin(&c, "pai-shares");
    write_with(&c, WS_TRACE_WITH_TASKS, "tasks.csv", tasks);
    trace_case_load(&c, NULL, jobs);
    cr_assert(not(c.is_loaded));
    cr_assert(ws_text_is(trace_case_find(&c, 6116)->label, "1.5 GPUs"));
    pai_end(&c);

    trace_case_begin(&c, "pai-shares");
    c.options.ceil_gpus = true;
    write_with(&c, WS_TRACE_WITH_TASKS, "tasks.csv", tasks);
    trace_case_load(&c, NULL, jobs);
    cr_assert(c.is_loaded);
    cr_assert(eq(i32, c.trace.jobs[0].gpus, 3));
    cr_assert(eq(dbl, c.trace.jobs[0].gpus_frac, 1.5));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_CEILED_GPUS), 1));
    pai_end(&c);
}

/* Instances widen the run (8 to 25), and one that was interrupted is told; header lines may stand.
 */
Test(pai, instances_and_headers)
{
    trace_case c;

    trace_case_begin(&c, "pai-instances");
    write_with(&c, WS_TRACE_WITH_TASKS, "tasks.csv",
               "job_name,task_name,inst_num,status,start_time,end_time,plan_cpu,plan_mem,plan_gpu,"
               "gpu_type\n" A ",worker,2.0,Failed,10.0,20.0,600.0,29.3,100.0,MISC\n");
    write_with(&c, WS_TRACE_WITH_INSTANCES, "instances.csv",
               A ",worker,n1,w1,i,Failed,8.0,20.0,m1\n" A ",worker,n2,w2,i,Interrupted,,25.0,m2\n" B
                 ",worker,n1,w1,i,Waiting,,,\n");
    trace_case_load(&c, NULL,
                    "job_name,inst_id,user,status,start_time,end_time\n" A
                    ",i,u,Failed,5.0,20.0\n" B ",i,u,Waiting,6.0,\n");
    cr_assert(c.is_loaded);
    cr_assert(eq(sz, c.trace.count, 1));
    cr_assert(eq(i64, c.trace.jobs[0].queue_ns, 3 * WS_NS_PER_S));
    cr_assert(eq(i64, c.trace.jobs[0].duration_ns, 17 * WS_NS_PER_S));
    cr_assert(eq(int, c.trace.jobs[0].outcome, WS_TRACE_OUTCOME_FAILED));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_GANG_STOPPED), 1));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_NO_TASK), 1));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_MERGED_ROW), 4));
    cr_assert(eq(i64, c.report.rows_read, 6));
    pai_end(&c);
}

Test(pai, files_that_are_missing_or_another)
{
    trace_case c;

    trace_case_begin(&c, "pai-no-tasks");
    trace_case_load(&c, NULL, A ",i,u,Terminated,5.0,20.0\n");
    cr_assert(not(c.is_loaded));
    cr_assert_str_eq(trace_case_message(&c, 6145),
                     "a trace of PAI needs its table of tasks: jobs state no GPUs");
    cr_assert(eq(sz, c.diag.count, 1));
    pai_end(&c);

    trace_case_begin(&c, "pai-other");
    trace_case_load(&c, NULL, A ",worker,3.0,Terminated,10.0,20.0,600.0,29.3,50.0,MISC\n");
    cr_assert(not(c.is_loaded));
    cr_assert_str_eq(trace_case_message(&c, 6145), "this is PAI's table of tasks, not of jobs");
    cr_assert(eq(int, trace_case_line(&c, 6145), 1));
    pai_end(&c);

    trace_case_begin(&c, "pai-absent");
    c.options.with[WS_TRACE_WITH_TASKS] =
        (ws_file_name){.path = "/nonexistent/tasks.csv", .shown = WS_TEXT("tasks.csv")};
    trace_case_load(&c, NULL, A ",i,u,Terminated,5.0,20.0\n");
    cr_assert(not(c.is_loaded));
    cr_assert_str_eq(trace_case_message(&c, 6001), "cannot read `tasks.csv`: no such file");
    trace_case_end(&c);
}

/* A row of the tasks that cannot be used is told in its own file. */
Test(pai, bad_rows_of_the_tasks)
{
    trace_case c;
    ws_writer list;

    trace_case_begin(&c, "pai-bad");
    ws_writer_init_memory(&list, &c.arena);
    c.options.rejects = &list;
    write_with(&c, WS_TRACE_WITH_TASKS, "tasks.csv",
               A ",worker,2.0,Terminated,10.0,20.0,600.0,29.3,100.0,V100\n" A
                 ",worker,-2.0,Terminated,10.0,20.0,600.0,29.3,100.0,V100\n" A ",worker,2.0\n");
    trace_case_load(&c, NULL, A ",i,u,Terminated,5.0,20.0\n" B ",i,u,Lost,5.0,20.0\n");
    cr_assert(c.is_loaded);
    cr_assert(eq(sz, c.trace.count, 1));
    cr_assert(ws_text_is(trace_case_find(&c, 6115)->at.source->name, "tasks.csv"));
    cr_assert(eq(int, trace_case_line(&c, 6115), 2));
    cr_assert(ws_text_is(trace_case_find(&c, 6110)->label, "3 fields, expected are 10"));
    cr_assert(
        ws_text_is(ws_writer_text(&list),
                   "tasks.csv,2,WS6115,bad_gpus,expected 0..1000000,\"" A
                   ",worker,-2.0,Terminated,10.0,20.0,600.0,29.3,100.0,V100\"\n"
                   "tasks.csv,3,WS6110,ragged,\"3 fields, expected are 10\",\"" A ",worker,2.0\"\n"
                   "t.csv,2,WS6118,bad_outcome,\"none of Terminated, Failed, Running, Waiting, "
                   "Interrupted\",\"" B ",i,u,Lost,5.0,20.0\"\n"));
    cr_assert(ws_writer_finish(&list, &c.diag));
    pai_end(&c);
}

/*
 * awk -F, '{n[$1]++; if ($6 == "Interrupted") i[$1]++
 *   if ($7 != "" && ($1 in s ? $7 < s[$1] : 1)) s[$1] = $7; if ($8 != "" && $8 > e[$1]) e[$1] = $8}
 *   END {for (j in i) if (s[j] != "") print j, n[j], i[j], s[j], e[j]}'
 * pai_instance_table.sample.csv prints, among others: ee98c10720cbebf070a1d80d 32 31 4865293.0
 * 4865601.0
 */
Test(pai, published_instances)
{
    char path[4096];
    trace_case c;

    if (ws_test_shared("data/pai_v2020/pai_instance_table.sample.csv", path, sizeof path) == NULL) {
        cr_skip_test();
    }
    trace_case_begin(&c, "pai-sample");
    write_with(&c, WS_TRACE_WITH_TASKS, "tasks.csv",
               "ee98c10720cbebf070a1d80d,worker,32.0,Failed,4865300.0,,600.0,29.3,100.0,T4\n");
    c.options.with[WS_TRACE_WITH_INSTANCES] =
        (ws_file_name){.path = path, .shown = WS_TEXT("instances")};
    trace_case_load(&c, NULL, "ee98c10720cbebf070a1d80d,i,u,Failed,4865290.0,4865700.0\n");
    cr_assert(c.is_loaded);
    cr_assert(eq(i64, c.report.rows_read, 4002));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_MERGED_ROW), 33));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_ORPHAN_ROW), 4000 - 32));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_GANG_STOPPED), 1));
    cr_assert(eq(i64, c.trace.jobs[0].queue_ns, 3 * WS_NS_PER_S));
    cr_assert(eq(i64, c.trace.jobs[0].duration_ns, 308 * WS_NS_PER_S));
    c.options.with[WS_TRACE_WITH_INSTANCES].path = NULL;
    pai_end(&c);
}
