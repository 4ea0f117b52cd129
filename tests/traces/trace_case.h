/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A text as a trace file: written to a scratch folder, loaded, and what was said about it. */
#ifndef WS_TESTS_TRACE_CASE_H
#define WS_TESTS_TRACE_CASE_H

#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "support/support.h"
#include "ws/trace.h"

typedef struct {
    ws_arena arena;
    ws_diag diag;
    ws_trace trace;
    ws_trace_report report;
    ws_trace_options options;
    char folder[4096];
    char path[4200];
    bool is_loaded;
} trace_case;

static inline void trace_case_begin(trace_case *c, const char *name)
{
    memset(c, 0, sizeof *c);
    ws_arena_init(&c->arena, &ws_allocator_default, (size_t)256 << 20);
    ws_diag_init(&c->diag, &c->arena);
    (void)ws_test_scratch(name, c->folder, sizeof c->folder);
    (void)snprintf(c->path, sizeof c->path, "%s/t.csv", c->folder);
}

static inline void trace_case_end(trace_case *c)
{
    ws_arena_reset(&c->arena);
    (void)remove(c->path);
    (void)remove(c->folder);
}

static inline void trace_case_load_path(trace_case *c, const char *type, const char *path)
{
    ws_file_name file = {.path = path, .shown = WS_TEXT("t.csv")};

    c->options.type = type == NULL ? NULL : ws_trace_type_find(ws_text_of(type));
    c->is_loaded = ws_trace_load(&c->trace, &file, &c->options, &c->report, &c->arena, &c->diag);
}

/* Loads bytes; type NULL: found by content. */
static inline void trace_case_load_bytes(trace_case *c, const char *type, const char *bytes,
                                         size_t length)
{
    FILE *file = fopen(c->path, "wb");

    cr_assert(file != NULL);
    cr_assert(fwrite(bytes, 1, length, file) == length);
    cr_assert(fclose(file) == 0);
    trace_case_load_path(c, type, c->path);
}

static inline void trace_case_load(trace_case *c, const char *type, const char *text)
{
    trace_case_load_bytes(c, type, text, strlen(text));
}

/* The first diagnostic with a code, or NULL. */
static inline const ws_diagnostic *trace_case_find(const trace_case *c, int code)
{
    for (size_t i = 0; i < c->diag.count; i++) {
        if (c->diag.entries[i].code == code) {
            return &c->diag.entries[i];
        }
    }
    return NULL;
}

static inline const char *trace_case_message(const trace_case *c, int code)
{
    const ws_diagnostic *found = trace_case_find(c, code);

    return found == NULL ? "(none)" : found->message.start;
}

static inline int trace_case_line(const trace_case *c, int code)
{
    const ws_diagnostic *found = trace_case_find(c, code);

    return found == NULL ? -1 : (int)found->at.line;
}

static inline int trace_case_column(const trace_case *c, int code)
{
    const ws_diagnostic *found = trace_case_find(c, code);

    return found == NULL ? -1 : (int)found->at.column;
}

static inline int64_t trace_case_found(const trace_case *c, ws_trace_finding finding)
{
    return c->report.found[finding].count;
}

/* GPUs of all jobs, and their work in whole GPU-seconds. */
static inline int64_t trace_case_gpus(const trace_case *c)
{
    int64_t gpus = 0;

    for (size_t i = 0; i < c->trace.count; i++) {
        gpus += c->trace.jobs[i].gpus;
    }
    return gpus;
}

static inline int64_t trace_case_gpu_s(const trace_case *c)
{
    ws_gpu_time work = {.gpu_ns = 0};

    for (size_t i = 0; i < c->trace.count; i++) {
        work = ws_gpu_time_add(work, ws_trace_job_work(&c->trace.jobs[i]));
    }
    return (int64_t)(work.gpu_ns / WS_NS_PER_S);
}

/* The job with an id, or NULL. */
static inline const ws_trace_job *trace_case_job(const trace_case *c, const char *id)
{
    for (size_t i = 0; i < c->trace.count; i++) {
        if (ws_text_is(c->trace.jobs[i].id, id)) {
            return &c->trace.jobs[i];
        }
    }
    return NULL;
}

/* Loads a file of the shared folder; false when it is absent: cr_skip_test() then. */
static inline bool trace_case_load_shared(trace_case *c, const char *type, const char *relative)
{
    char path[4096];

    if (ws_test_shared(relative, path, sizeof path) == NULL) {
        return false;
    }
    trace_case_load_path(c, type, path);
    return true;
}

#endif
