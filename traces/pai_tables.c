/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A hash table with open addressing; tasks of a job mostly stand together, but nobody promises it.
 */
#include "pai_tables.h"

#include <math.h>

#define PAI_SLOTS_FIRST 1024
#define PAI_INSTANCES_MAX 1000000

enum {
    TASK_JOB,
    TASK_NAME,
    TASK_INSTANCES,
    TASK_STATUS,
    TASK_START,
    TASK_END,
    TASK_CPU,
    TASK_MEMORY,
    TASK_GPU,
    TASK_GPU_TYPE
};

static const ws_trace_column pai_task_columns[] = {
    [TASK_JOB] = {"job_name", "", true, "name of the job"},
    [TASK_NAME] = {"task_name", "", true, "role: worker, ps, ..."},
    [TASK_INSTANCES] = {"inst_num", "1", true, "instances"},
    [TASK_STATUS] = {"status", "", true, "not used"},
    [TASK_START] = {"start_time", "s", true, "launch"},
    [TASK_END] = {"end_time", "s", true, "end"},
    [TASK_CPU] = {"plan_cpu", "%", true, "not used"},
    [TASK_MEMORY] = {"plan_mem", "GB", true, "not used"},
    [TASK_GPU] = {"plan_gpu", "%", true, "of a GPU, for each instance; empty: none"},
    [TASK_GPU_TYPE] = {"gpu_type", "", true, "GPU model"},
};

enum {
    INSTANCE_JOB,
    INSTANCE_TASK,
    INSTANCE_NAME,
    INSTANCE_WORKER,
    INSTANCE_ID,
    INSTANCE_STATUS,
    INSTANCE_START,
    INSTANCE_END,
    INSTANCE_MACHINE
};

static const ws_trace_column pai_instance_columns[] = {
    [INSTANCE_JOB] = {"job_name", "", true, "name of the job"},
    [INSTANCE_TASK] = {"task_name", "", true, "role"},
    [INSTANCE_NAME] = {"inst_name", "", true, "not used"},
    [INSTANCE_WORKER] = {"worker_name", "", true, "not used"},
    [INSTANCE_ID] = {"inst_id", "", true, "not used"},
    [INSTANCE_STATUS] = {"status", "", true, "Terminated, Failed, Running, Waiting, Interrupted"},
    [INSTANCE_START] = {"start_time", "s", true, "start"},
    [INSTANCE_END] = {"end_time", "s", true, "end"},
    [INSTANCE_MACHINE] = {"machine", "", true, "not used"},
};

static size_t pai_slot(const ws_pai_entries *entries, ws_text name)
{
    size_t slot = (size_t)(ws_text_hash(name) % entries->slot_count);

    while (entries->slots[slot] != 0 &&
           !ws_text_equals(entries->entries[entries->slots[slot] - 1].name, name)) {
        slot = (slot + 1) % entries->slot_count;
    }
    return slot;
}

ws_pai_entry *ws_pai_find(const ws_pai_entries *entries, ws_text name)
{
    WS_ASSERT(entries != NULL);
    if (entries->count == 0) {
        return NULL;
    }
    uint32_t index = entries->slots[pai_slot(entries, name)];

    return index == 0 ? NULL : &entries->entries[index - 1];
}

/* Room for one more entry, at most half of the slots in use. */
static bool pai_grow(ws_pai_entries *entries)
{
    ws_pai_entry *grown = entries->entries;

    if (entries->count == entries->capacity) {
        grown = ws_arena_grow(entries->arena, entries->entries, entries->count, entries->count + 1,
                              &entries->capacity, sizeof *grown);
    }
    if (grown == NULL || entries->count >= WS_TRACE_JOBS_MAX) {
        return false;
    }
    entries->entries = grown;
    if (2 * (entries->count + 1) <= entries->slot_count) {
        return true;
    }
    entries->slot_count = entries->slot_count == 0 ? PAI_SLOTS_FIRST : 2 * entries->slot_count;
    entries->slots = ws_arena_alloc(entries->arena, uint32_t, entries->slot_count);
    for (size_t i = 0; entries->slots != NULL && i < entries->count; i++) {
        entries->slots[pai_slot(entries, entries->entries[i].name)] = (uint32_t)(i + 1);
    }
    return entries->slots != NULL;
}

/* The entry of a name, made when there is none; NULL when memory is exhausted. */
static ws_pai_entry *pai_take(ws_pai_entries *entries, ws_text name)
{
    ws_pai_entry *entry = ws_pai_find(entries, name);

    if (entry != NULL) {
        return entry;
    }
    if (!pai_grow(entries)) {
        return NULL;
    }
    entry = &entries->entries[entries->count];
    *entry = (ws_pai_entry){.name = ws_arena_copy_text(entries->arena, name),
                            .start_ns = WS_TRACE_UNKNOWN_NS,
                            .end_ns = WS_TRACE_UNKNOWN_NS};
    if (entry->name.start == NULL) {
        return NULL;
    }
    entries->slots[pai_slot(entries, name)] = (uint32_t)++entries->count;
    return entry;
}

/* A time that may be empty. */
static bool pai_read_time(ws_table *table, size_t column, int64_t *ns)
{
    *ns = WS_TRACE_UNKNOWN_NS;
    return ws_table_is_void(table, column) ||
           ws_table_seconds(table, column, WS_TRACE_BAD_DURATION, ns);
}

static void pai_add_times(ws_pai_entry *entry, int64_t start_ns, int64_t end_ns)
{
    if (start_ns != WS_TRACE_UNKNOWN_NS &&
        (entry->start_ns == WS_TRACE_UNKNOWN_NS || start_ns < entry->start_ns)) {
        entry->start_ns = start_ns;
    }
    if (end_ns != WS_TRACE_UNKNOWN_NS && end_ns > entry->end_ns) {
        entry->end_ns = end_ns;
    }
}

/* A number >= 0 of an amount; empty is 0. */
static bool pai_read_amount(ws_table *table, size_t column, double max, double *amount)
{
    *amount = 0;
    if (ws_table_is_void(table, column)) {
        return true;
    }
    if (!ws_parse_f64(ws_table_text(table, column), amount) || *amount < 0 || *amount > max) {
        return ws_table_fault(table, WS_TRACE_BAD_GPUS, column, "expected 0..%.0f", max);
    }
    return true;
}

static bool pai_out_of_memory(ws_table *table)
{
    table->must_stop = true;
    return ws_diag_error(table->csv.diag, 9020, table->file->at,
                         "`%.*s` holds more jobs than memory allows",
                         WS_TEXT_ARGS(table->file->shown));
}

/* One row of the tasks. False: it cannot be used, or memory is exhausted. */
static bool pai_add_task(ws_pai_entries *entries, ws_table *table)
{
    ws_text name = {.start = NULL};
    double instances = 0;
    double percent = 0;
    int64_t start_ns = 0;
    int64_t end_ns = 0;

    if (!ws_table_id(table, TASK_JOB, &name) ||
        !pai_read_amount(table, TASK_INSTANCES, PAI_INSTANCES_MAX, &instances) ||
        !pai_read_amount(table, TASK_GPU, 100.0 * WS_TRACE_GPUS_MAX, &percent) ||
        !pai_read_time(table, TASK_START, &start_ns) || !pai_read_time(table, TASK_END, &end_ns)) {
        return false;
    }
    ws_pai_entry *entry = pai_take(entries, name);

    if (entry == NULL) {
        return pai_out_of_memory(table);
    }
    if (percent > 0 && entry->gpu_type.length == 0) {
        entry->gpu_type = ws_arena_copy_text(entries->arena, ws_table_text(table, TASK_GPU_TYPE));
    }
    entry->gpus += instances * percent / 100;
    entry->gpus_whole += instances * ceil(percent / 100);
    entry->has_share = entry->has_share || percent / 100 < ceil(percent / 100);
    entry->has_task = true;
    entry->rows++;
    pai_add_times(entry, start_ns, end_ns);
    return true;
}

static bool pai_add_instance(ws_pai_entries *entries, ws_table *table)
{
    ws_text name = {.start = NULL};
    int64_t start_ns = 0;
    int64_t end_ns = 0;

    if (!ws_table_id(table, INSTANCE_JOB, &name) ||
        !pai_read_time(table, INSTANCE_START, &start_ns) ||
        !pai_read_time(table, INSTANCE_END, &end_ns)) {
        return false;
    }
    ws_pai_entry *entry = pai_take(entries, name);

    if (entry == NULL) {
        return pai_out_of_memory(table);
    }
    entry->has_interrupted =
        entry->has_interrupted || ws_text_is(ws_table_text(table, INSTANCE_STATUS), "Interrupted");
    entry->rows++;
    pai_add_times(entry, start_ns, end_ns);
    return true;
}

static bool pai_read_table(ws_pai_entries *entries, ws_trace_reading *reading,
                           const ws_file_name *file, const ws_trace_column *columns, size_t count,
                           bool (*add)(ws_pai_entries *, ws_table *))
{
    const ws_table_form form = {.has_no_header = true, .file = file};
    ws_table table;

    if (!ws_table_open_as(&table, reading, columns, count, &form)) {
        return false;
    }
    while (ws_table_next(&table)) {
        (void)add(entries, &table);
    }
    return ws_table_close(&table);
}

bool ws_pai_read_tasks(ws_pai_entries *entries, ws_trace_reading *reading, const ws_file_name *file)
{
    WS_ASSERT(entries != NULL);

    return pai_read_table(entries, reading, file, pai_task_columns, WS_COUNT_OF(pai_task_columns),
                          pai_add_task);
}

bool ws_pai_read_instances(ws_pai_entries *entries, ws_trace_reading *reading,
                           const ws_file_name *file)
{
    WS_ASSERT(entries != NULL);

    return pai_read_table(entries, reading, file, pai_instance_columns,
                          WS_COUNT_OF(pai_instance_columns), pai_add_instance);
}
