/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading a file through its format: which format, the way of each job, and the telling of what was
 * found, once the whole file is counted.
 */
#include <string.h>

#include "found.h"
#include "reading.h"

#define READ_BUFFER_BYTES                                                                          \
    ((size_t)2 << 30) /* of a reader: lines and fields, and tables to join                         \
                       */
#define READ_HEAD_BYTES 8192
#define READ_HEAD_LINES 16

bool ws_trace_reading_take(ws_trace_reading *reading, const ws_trace_job *job, int64_t line)
{
    WS_ASSERT(reading != NULL);
    WS_ASSERT(ws_trace_job_is_valid(job));

    if (reading->jobs_taken >= WS_TRACE_JOBS_MAX) {
        return ws_diag_error(reading->diag, 9020, reading->file->at,
                             "`%.*s` holds more than 100,000,000 jobs",
                             WS_TEXT_ARGS(reading->file->shown));
    }
    if (reading->jobs_taken > 0 && job->arrival_ns < reading->last_arrival_ns) {
        (void)ws_trace_report_count(reading->report, WS_TRACE_UNSORTED, line);
    }
    reading->last_arrival_ns = job->arrival_ns;
    reading->jobs_taken++;
    reading->report->jobs_kept++;
    return reading->sink.take(reading->sink.context, job, line);
}

/* The head of a file as it comes: line ends become LF, blank lines before the first are left out.
 */
typedef struct {
    char *bytes; /* room for READ_HEAD_BYTES */
    size_t length;
    int lines;
    bool was_cr; /* an LF that follows belongs to it */
} read_head;

static void read_head_end_line(read_head *head)
{
    ws_text all = {.start = head->bytes, .length = head->length};

    if (ws_text_trimmed(all).length == 0) {
        head->length = 0;
        return;
    }
    head->bytes[head->length++] = '\n';
    head->lines++;
}

static bool read_head_is_full(const read_head *head)
{
    return head->lines == READ_HEAD_LINES || head->length + 1 >= READ_HEAD_BYTES;
}

static void read_head_add(read_head *head, ws_text chunk)
{
    for (size_t i = 0; i < chunk.length && !read_head_is_full(head); i++) {
        char byte = chunk.start[i];

        if (byte == '\r' || (byte == '\n' && !head->was_cr)) {
            read_head_end_line(head);
        } else if (byte != '\n') {
            head->bytes[head->length++] = byte;
        }
        head->was_cr = byte == '\r';
    }
}

/* The first lines of a file, joined by LF, as far as they fit; the last one may be cut. */
static size_t read_take_head(ws_input *input, char bytes[READ_HEAD_BYTES])
{
    read_head head = {.bytes = bytes};
    ws_text chunk = {.start = NULL};

    while (!read_head_is_full(&head) && ws_input_read_chunk(input, &chunk)) {
        read_head_add(&head, chunk);
    }
    if (head.length > 0 && bytes[head.length - 1] != '\n') {
        read_head_end_line(&head);
    }
    return head.length;
}

bool ws_trace_head_holds(ws_text head, const char *needle)
{
    WS_ASSERT(needle != NULL);

    for (size_t i = 0; i < head.length; i++) {
        if (ws_text_starts_with(ws_text_slice(head, i, head.length), ws_text_of(needle))) {
            return true;
        }
    }
    return false;
}

static const ws_trace_type *read_tell_unknown(const ws_file_name *file, ws_diag *diag)
{
    ws_diagnostic diagnostic = {.severity = WS_SEVERITY_ERROR, .code = 6107, .at = file->at};
    ws_text names = WS_TEXT("");

    for (size_t i = 0; i < ws_trace_type_count(); i++) {
        names = ws_arena_format(diag->arena, "%.*s%s`%s`", WS_TEXT_ARGS(names), i > 0 ? ", " : "",
                                ws_trace_type_at(i)->name);
    }
    diagnostic.message = ws_arena_format(diag->arena, "`%.*s` looks like no known trace format",
                                         WS_TEXT_ARGS(file->shown));
    diagnostic.help = ws_arena_format(diag->arena, "say which it is with `format:`, one of %.*s",
                                      WS_TEXT_ARGS(names));
    ws_diag_add(diag, &diagnostic);
    return NULL;
}

bool ws_trace_read_head(ws_text *text, const ws_file_name *file, ws_diag *diag)
{
    const ws_input_limits limits = {.bytes_max = 0};
    ws_input *input = NULL;

    WS_ASSERT(file != NULL);
    WS_ASSERT(diag != NULL);

    char *head = ws_arena_alloc(diag->arena, char, READ_HEAD_BYTES);

    if (head == NULL) {
        return ws_diag_error(diag, 6003, file->at, "cannot read `%.*s`: out of memory",
                             WS_TEXT_ARGS(file->shown));
    }
    if (!ws_input_open(&input, file, &limits, diag)) {
        return false;
    }
    *text = (ws_text){.start = head, .length = read_take_head(input, head)};
    if (!ws_input_close(input)) {
        return false;
    }
    return text->length > 0 ||
           ws_diag_error(diag, 6100, file->at, "`%.*s` is empty", WS_TEXT_ARGS(file->shown));
}

const ws_trace_type *ws_trace_sniff(const ws_file_name *file, ws_diag *diag)
{
    ws_text text = {.start = NULL};

    if (!ws_trace_read_head(&text, file, diag)) {
        return NULL;
    }
    for (size_t i = 0; i < ws_trace_type_count(); i++) {
        if (ws_trace_type_at(i)->sniff(text)) {
            return ws_trace_type_at(i);
        }
    }
    return read_tell_unknown(file, diag);
}

void ws_trace_report_add(ws_trace_report *total, const ws_trace_report *part)
{
    WS_ASSERT(total != NULL);
    WS_ASSERT(part != NULL);

    total->rows_read += part->rows_read;
    total->jobs_kept += part->jobs_kept;
    ws_trace_counts_add(total->found, part->found, WS_TRACE_FINDING_COUNT);
}

bool ws_trace_read_tell(const ws_file_name *file, const ws_trace_report *found,
                        const ws_trace_options *options, bool is_read, ws_diag *diag)
{
    size_t errors_before = diag->error_count;

    WS_ASSERT(found != NULL);
    ws_trace_report_tell(found, options->strict, diag);
    if (is_read && found->jobs_kept == 0 && diag->error_count == errors_before) {
        ws_diag_warning(diag, 6109, file->at, "`%.*s` holds 0 jobs", WS_TEXT_ARGS(file->shown));
    }
    return is_read && diag->error_count == errors_before;
}

bool ws_trace_read_untold(ws_trace_reading *reading)
{
    const ws_trace_type *type = NULL;
    ws_arena scratch;
    bool is_read = false;

    WS_ASSERT(reading != NULL);

    type = reading->options->type;
    if (type == NULL) {
        type = ws_trace_sniff(reading->file, reading->diag);
    }
    if (type == NULL) {
        return false;
    }
    ws_arena_init(&scratch, &reading->diag->arena->allocator, READ_BUFFER_BYTES);
    reading->arena = &scratch;
    is_read = type->read(reading);
    ws_arena_reset(&scratch);
    reading->arena = NULL;
    return is_read;
}

bool ws_trace_read(const ws_file_name *file, const ws_trace_options *options, ws_trace_sink sink,
                   ws_trace_about *about, ws_trace_report *report, ws_diag *diag)
{
    ws_trace_report found = {.rows_read = 0};
    ws_trace_reading reading = {
        .file = file,
        .options = options,
        .sink = sink,
        .report = &found,
        .diag = diag,
    };
    bool is_read = false;

    WS_ASSERT(file != NULL);
    WS_ASSERT(options != NULL);
    WS_ASSERT(sink.take != NULL);
    WS_ASSERT(report != NULL);
    WS_ASSERT(diag != NULL);

    is_read = ws_trace_read_untold(&reading);
    is_read = ws_trace_read_tell(file, &found, options, is_read, diag);
    ws_trace_report_add(report, &found);
    if (about != NULL) {
        *about = reading.about;
    }
    return is_read;
}
