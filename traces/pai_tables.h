/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What PAI's tables of tasks and instances say of each job, by its name. */
#ifndef WS_TRACES_PAI_TABLES_H
#define WS_TRACES_PAI_TABLES_H

#include "table.h"

typedef struct {
    ws_text name;
    double gpus;          /* of all instances of all tasks; a share counts as a share */
    double gpus_whole;    /* the same with each instance's share rounded up */
    int64_t start_ns;     /* the earliest known; WS_TRACE_UNKNOWN_NS */
    int64_t end_ns;       /* the latest known; WS_TRACE_UNKNOWN_NS */
    int64_t rows;         /* of both tables */
    ws_text gpu_type;     /* of the first task with GPUs */
    bool has_task;        /* else only instances tell of it */
    bool has_share;       /* a task asks for shares */
    bool has_interrupted; /* an instance was stopped with its gang */
    bool is_taken;        /* the table of jobs holds it */
} ws_pai_entry;

/** Entries by name, in an arena. Zeroed, with its arena set, before the first. */
typedef struct {
    ws_arena *arena;
    ws_pai_entry *entries;
    size_t count;
    size_t capacity;
    uint32_t *slots; /* index of an entry + 1, 0: free; by hash, searched onwards */
    size_t slot_count;
} ws_pai_entries;

/** The entry of a name; NULL when there is none. */
ws_pai_entry *ws_pai_find(const ws_pai_entries *entries, ws_text name);

/**
 * Reads pai_task_table.csv: job_name, task_name, inst_num, status, start_time, end_time, plan_cpu,
 * plan_mem, plan_gpu, gpu_type; with or without a header line. plan_gpu is in percent of a GPU, for
 * each of inst_num instances.
 *
 * @return  false with an error
 */
WS_NODISCARD bool ws_pai_read_tasks(ws_pai_entries *entries, ws_trace_reading *reading,
                                    const ws_file_name *file);

/** Reads pai_instance_table.csv: job_name, task_name, inst_name, worker_name, inst_id, status,
 * start_time, end_time, machine. */
WS_NODISCARD bool ws_pai_read_instances(ws_pai_entries *entries, ws_trace_reading *reading,
                                        const ws_file_name *file);

#endif
