/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace_make.h"

#include <errno.h>
#include <stdio.h>

#include "file_out.h"
#include "output.h"
#include "status.h"
#include "trace_flags.h"
#include "trace_made.h"
#include "trace_rejects.h"
#include "trace_window.h"
#include "ws/errno_text.h"

/* About 400 bytes a job while it is read, 200 from then on. */
#define TRACE_MAKE_BYTES ((size_t)1 << 38)
#define TRACE_MAKE_CHUNK_BYTES 4096

typedef struct {
    const ws_trace_make *make;
    const ws_invocation *invocation;
    const char *path;
    ws_arena arena; /* of the traces */
    ws_trace_options options;
    ws_trace_rejects rejects;
    ws_trace_source *sources;
    ws_file_name *files; /* those of the sources */
    ws_trace *traces;    /* one for each */
    ws_trace trace;      /* all of them, cut */
    ws_trace_report report;
    ws_trace_made made;
    ws_diag diag;
} trace_make;

/* The sum of a file as it lies there. */
static bool trace_make_hash(trace_make *task, ws_trace_source *source)
{
    FILE *file = fopen(source->file.path, "rb");
    char chunk[TRACE_MAKE_CHUNK_BYTES];
    ws_sha256 hash;
    size_t count = 0;

    ws_sha256_init(&hash);
    while (file != NULL && (count = fread(chunk, 1, sizeof chunk, file)) > 0) {
        ws_sha256_update(&hash, chunk, count);
        source->bytes += (int64_t)count;
    }
    bool is_read = file != NULL && ferror(file) == 0;
    int error = errno;

    if (file != NULL) {
        (void)fclose(file);
    }
    ws_sha256_print(&hash, source->sha256);
    return is_read || ws_diag_error(&task->diag, 6003, source->file.at, "cannot read `%.*s`: %s",
                                    WS_TEXT_ARGS(source->file.shown), ws_errno_text(error));
}

static bool trace_make_read_one(trace_make *task, size_t i)
{
    ws_trace_source *source = &task->sources[i];
    ws_trace_options options = task->options;

    options.type = ws_trace_flags_type(task->invocation->settings, &source->file, &task->diag);
    source->type = options.type;
    return source->type != NULL &&
           ws_trace_load(&task->traces[i], &source->file, &options, &task->report, &task->arena,
                         &task->diag) &&
           trace_make_hash(task, source);
}

/* All operands, as one trace. */
static bool trace_make_read(trace_make *task)
{
    const ws_strings *operands = &task->invocation->settings->operands;
    bool sound = true;

    for (size_t i = 0; i < operands->count; i++) {
        task->files[i] = ws_trace_flags_file(operands->items[i], task->invocation->arena);
        task->sources[i].file = task->files[i];
        sound = trace_make_read_one(task, i) && sound;
    }
    if (!sound) {
        return false;
    }
    if (operands->count == 1) {
        task->trace = task->traces[0];
        return true;
    }
    return ws_trace_merge(
        &task->trace,
        &(ws_trace_parts){.traces = task->traces, .files = task->files, .count = operands->count},
        &task->made.renamed, &task->arena, &task->diag);
}

/* The flags' window, where the command has one. False after a message, or with an error. */
static bool trace_make_cut(trace_make *task)
{
    ws_trace_window window;

    if (!task->make->has_window) {
        return true;
    }
    return ws_trace_window_of_flags(&window, task->invocation, &task->trace, &task->diag) &&
           ws_trace_cut(&task->trace, &task->trace, &window, &task->report, &task->arena,
                        &task->diag);
}

/* The file, and the list of rejected rows before it. */
static bool trace_make_write(trace_make *task)
{
    bool force = task->invocation->settings->force;
    ws_file_out out;

    if (!ws_trace_rejects_write(&task->rejects, ws_trace_report_rejected(&task->report),
                                &task->made.rejects, task->invocation->arena, &task->diag) ||
        !ws_file_out_begin(&out, task->path, task->made.file, force, task->invocation->arena,
                           &task->diag)) {
        return false;
    }
    task->make->form->write(&task->trace, &out.writer, &task->arena);
    task->made.bytes = out.writer.total_bytes;
    ws_sha256_print(&out.writer.hash, task->made.sha256);
    return ws_file_out_end(&out, &task->diag);
}

/* Lines of several files say nothing without their names, which the diagnostics have. */
static void trace_make_forget_lines(ws_trace_report *report)
{
    for (size_t i = 0; i < WS_TRACE_FINDING_COUNT; i++) {
        report->found[i].lines[0] = 0;
    }
}

static int trace_make_answer(trace_make *task)
{
    ws_trace_made *made = &task->made;
    ws_writer out;

    made->sources = task->sources;
    made->source_count = task->invocation->settings->operands.count;
    made->is_merged = made->source_count > 1;
    if (made->is_merged) {
        trace_make_forget_lines(&task->report);
    }
    made->report = &task->report;
    made->trace = &task->trace;
    made->form = task->make->form;
    made->diag = &task->diag;
    made->terminal = task->invocation->terminal;
    ws_output_begin(&out);
    if (task->invocation->settings->json) {
        ws_trace_made_write_json(made, &out);
    } else {
        ws_trace_made_write_text(made, &out, task->invocation->arena);
    }
    return ws_output_finish(&out, WS_STATUS_YES);
}

/* Prints what was diagnosed; with --json it is in the answer, if there is one. */
static void trace_make_tell(trace_make *task, bool has_answer)
{
    const ws_settings *settings = task->invocation->settings;

    ws_diag_sort(&task->diag);
    if (!settings->json || !has_answer) {
        ws_output_diagnostics(&task->diag, 0, task->invocation->terminal, settings->quiet,
                              task->invocation->arena);
    }
}

static int trace_make_all(trace_make *task)
{
    if (!trace_make_read(task) || !trace_make_cut(task)) {
        trace_make_tell(task, false);
        return WS_STATUS_NOT_STARTED;
    }
    bool is_written = trace_make_write(task);

    trace_make_tell(task, is_written);
    return is_written ? trace_make_answer(task) : WS_STATUS_FAILED;
}

/* Where rejected rows are listed; NULL: nowhere. */
static const char *trace_make_rejects_path(const trace_make *task)
{
    const char *given = task->invocation->settings->rejects;

    if (given != NULL || !task->make->lists_rejects) {
        return given;
    }
    return ws_arena_format(task->invocation->arena, "%s.rejects", task->path).start;
}

static int trace_make_begin(trace_make *task)
{
    const ws_settings *settings = task->invocation->settings;
    ws_arena *arena = task->invocation->arena;
    size_t count = settings->operands.count;

    task->path = settings->out;
    task->made.file = ws_output_shown(ws_text_of(task->path), arena);
    task->sources = ws_arena_alloc(arena, ws_trace_source, count);
    task->files = ws_arena_alloc(arena, ws_file_name, count);
    task->traces = ws_arena_alloc(arena, ws_trace, count);
    if (task->sources == NULL || task->files == NULL || task->traces == NULL) {
        ws_output_error("worldsize: out of memory\n");
        return WS_STATUS_FAILED;
    }
    if (!ws_trace_flags_options(&task->options, task->invocation, task->make->command)) {
        return WS_STATUS_NOT_STARTED;
    }
    int status = WS_STATUS_NOT_STARTED;

    ws_arena_init(&task->arena, &ws_allocator_default, TRACE_MAKE_BYTES);
    bool is_free = ws_file_out_check(task->path, task->made.file, settings->force, &task->diag);
    is_free = ws_trace_rejects_init(&task->rejects, trace_make_rejects_path(task),
                                    settings->rejects == NULL, task->invocation, &task->options,
                                    &task->diag) &&
              is_free;
    if (is_free) {
        status = trace_make_all(task);
    } else {
        trace_make_tell(task, false);
    }
    ws_trace_rejects_fini(&task->rejects);
    ws_arena_reset(&task->arena);
    return status;
}

int ws_trace_make_run(const ws_trace_make *make, const ws_invocation *invocation)
{
    trace_make *task = ws_arena_alloc(invocation->arena, trace_make, 1);

    if (invocation->settings->out == NULL) {
        ws_output_error(
            "worldsize %s: missing `--out FILE`\n`worldsize %s --help` lists the flags\n",
            make->command, make->command);
        return WS_STATUS_NOT_STARTED;
    }
    if (task == NULL) {
        ws_output_error("worldsize: out of memory\n");
        return WS_STATUS_FAILED;
    }
    task->make = make;
    task->invocation = invocation;
    ws_diag_init(&task->diag, invocation->arena);
    return trace_make_begin(task);
}
