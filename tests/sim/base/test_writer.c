/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sticky writers: files, descriptors, memory, and what goes wrong with each. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/arena_suite.h"
#include "support/support.h"
#include "ws/writer.h"

WS_TEST_ARENA_SUITE(writer);

Test(writer, memory_holds_counts_and_hashes)
{
    ws_writer writer;
    char sum[WS_SHA256_TEXT_BYTES];

    ws_writer_init_memory(&writer, &arena);
    cr_assert(ws_text_is(ws_writer_text(&writer), ""));
    ws_write_string(&writer, "a");
    ws_write_text(&writer, WS_TEXT("b"));
    ws_write_text(&writer, ws_text_of(NULL));
    ws_write_format(&writer, "%c", 'c');
    cr_assert(ws_writer_finish(&writer, &diag));
    cr_assert(ws_text_is(ws_writer_text(&writer), "abc"));
    cr_assert(eq(i64, writer.total_bytes, 3));
    ws_sha256_print(&writer.hash, sum);
    cr_assert(eq(str, sum, /* FIPS 180-4, the example "abc" */
                 (char *)"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
}

Test(writer, long_formats_are_whole)
{
    ws_writer writer;

    ws_writer_init_memory(&writer, &arena);
    ws_write_format(&writer, "<%9998d>", 7);
    cr_assert(ws_writer_finish(&writer, &diag));
    cr_assert(eq(sz, ws_writer_text(&writer).length, 10000));
    cr_assert(eq(int, ws_writer_text(&writer).start[9999], '>'));
    cr_assert(eq(int, ws_writer_text(&writer).start[9998], '7'));
}

Test(writer, exhausted_memory_is_told_once_at_the_end)
{
    ws_arena small;
    ws_writer writer;

    ws_arena_init(&small, &ws_allocator_default, 5000);
    ws_writer_init_memory(&writer, &small);
    for (int i = 0; i < 10000; i++) {
        ws_write_string(&writer, "0123456789");
    }
    cr_assert(ws_writer_text(&writer).start == NULL);
    cr_assert_not(ws_writer_finish(&writer, &diag));
    cr_assert(eq(sz, diag.error_count, 1));
    cr_assert(eq(int, diag.entries[0].code, 8002));
    cr_assert(ws_text_is(diag.entries[0].message, "cannot write `memory`: out of memory"));
    ws_arena_reset(&small);
}

Test(writer, a_file_gets_all_bytes)
{
    char folder[1024];
    char path[1100];
    ws_writer writer;
    ws_text content;
    char *large = malloc(100000);

    cr_assert(large != NULL);
    cr_assert(ws_test_scratch("writer", folder, sizeof folder) != NULL);
    (void)snprintf(path, sizeof path, "%s/out.txt", folder);
    memset(large, 'x', 100000);
    cr_assert(ws_writer_open(&writer, path, WS_TEXT("out.txt"), &diag));
    ws_write_string(&writer, "begin\n");
    for (int i = 0; i < 2000; i++) {
        ws_write_format(&writer, "%04d\n", i);
    }
    ws_write_bytes(&writer, large, 100000); /* larger than the buffer */
    ws_write_string(&writer, "end\n");
    cr_assert(ws_writer_finish(&writer, &diag));
    cr_assert(eq(i64, writer.total_bytes, 6 + 10000 + 100000 + 4));
    content = ws_test_load(path);
    cr_assert(eq(sz, content.length, 110010));
    cr_assert(ws_text_starts_with(content, WS_TEXT("begin\n0000\n0001\n")));
    cr_assert(ws_text_is(ws_text_slice(content, 10001, 10010), "1999\nxxxx"));
    cr_assert(ws_text_ends_with(content, WS_TEXT("xend\n")));
    free((void *)content.start);
    free(large);
}

Test(writer, an_existing_file_is_left_alone)
{
    char folder[1024];
    char path[1100];
    ws_writer writer;
    ws_text content;

    cr_assert(ws_test_scratch("writer_exists", folder, sizeof folder) != NULL);
    (void)snprintf(path, sizeof path, "%s/out.txt", folder);
    cr_assert(ws_writer_open(&writer, path, WS_TEXT("out.txt"), &diag));
    ws_write_string(&writer, "first");
    cr_assert(ws_writer_finish(&writer, &diag));
    cr_assert_not(ws_writer_open(&writer, path, WS_TEXT("out.txt"), &diag));
    cr_assert(eq(int, diag.entries[0].code, 8001));
    cr_assert(ws_text_is(diag.entries[0].message, "cannot create `out.txt`: file exists"));
    content = ws_test_load(path);
    cr_assert(ws_text_is(content, "first"));
    free((void *)content.start);
}

/* O_EXCL does not follow a link, so that nobody can have us write elsewhere. */
Test(writer, a_link_is_not_followed)
{
    char folder[1024];
    char path[1100];
    char target[1100];
    ws_writer writer;
    struct stat status;

    cr_assert(ws_test_scratch("writer_link", folder, sizeof folder) != NULL);
    (void)snprintf(path, sizeof path, "%s/link", folder);
    (void)snprintf(target, sizeof target, "%s/elsewhere", folder);
    cr_assert(eq(int, symlink(target, path), 0));
    cr_assert_not(ws_writer_open(&writer, path, WS_TEXT("link"), &diag));
    cr_assert(ne(int, stat(target, &status), 0));
}

Test(writer, a_missing_folder_has_its_words)
{
    ws_writer writer;

    cr_assert_not(ws_writer_open(&writer, "/nonexistent/x", WS_TEXT("x"), &diag));
    cr_assert(ws_text_is(diag.entries[0].message, "cannot create `x`: no such file or directory"));
}

/* /dev/full takes nothing: full(4). The first failure is kept, later calls do nothing. */
Test(writer, a_full_device_is_told_at_the_end)
{
    ws_writer writer;
    int fd = open("/dev/full", O_WRONLY);

    if (fd < 0) {
        cr_skip_test("there is no /dev/full");
    }
    ws_writer_init_fd(&writer, fd, WS_TEXT("standard output"));
    ws_write_string(&writer, "small enough for the buffer");
    cr_assert(eq(int, writer.error, 0));
    for (int i = 0; i < 1000; i++) {
        ws_write_string(&writer, "0123456789");
    }
    cr_assert(eq(int, writer.error, ENOSPC));
    cr_assert_not(ws_writer_finish(&writer, &diag));
    cr_assert(eq(sz, diag.error_count, 1));
    cr_assert(eq(int, diag.entries[0].code, 8002));
    cr_assert(ws_text_is(diag.entries[0].message,
                         "cannot write `standard output`: no space left on device"));
    cr_assert(eq(int, close(fd), 0)); /* the caller's descriptor is still open */
}

Test(writer, a_failure_in_the_last_flush_counts)
{
    ws_writer writer;
    int fd = open("/dev/full", O_WRONLY);

    if (fd < 0) {
        cr_skip_test("there is no /dev/full");
    }
    ws_writer_init_fd(&writer, fd, WS_TEXT("x"));
    ws_write_string(&writer, "y");
    cr_assert_not(ws_writer_finish(&writer, &diag));
    cr_assert(eq(int, writer.error, ENOSPC));
    (void)close(fd);
}

Test(writer, a_closed_descriptor_fails)
{
    ws_writer writer;
    int fd = open("/dev/null", O_WRONLY);

    (void)close(fd);
    ws_writer_init_fd(&writer, fd, WS_TEXT("x"));
    ws_write_string(&writer, "y");
    cr_assert_not(ws_writer_finish(&writer, &diag));
    cr_assert(eq(int, writer.error, EBADF));
}

Test(writer, a_broken_pipe_is_an_error_not_a_death)
{
    int ends[2];
    ws_writer writer;

    (void)signal(SIGPIPE, SIG_IGN);
    cr_assert(eq(int, pipe(ends), 0));
    (void)close(ends[0]);
    ws_writer_init_fd(&writer, ends[1], WS_TEXT("pipe"));
    ws_write_string(&writer, "y");
    cr_assert_not(ws_writer_finish(&writer, &diag));
    cr_assert(eq(int, writer.error, EPIPE));
    (void)close(ends[1]);
}

static void writer_on_alarm(int number)
{
    (void)number;
}

/* Reads a pipe slowly to its end; exit status 0 when it was all x and `expected` bytes. */
static int writer_drain(int fd, size_t expected)
{
    char bytes[3000];
    size_t total = 0;
    ssize_t count = 0;

    do {
        const struct timespec pause = {.tv_nsec = 200000};

        (void)nanosleep(&pause, NULL);
        count = read(fd, bytes, sizeof bytes);
        for (ssize_t i = 0; i < count; i++) {
            if (bytes[i] != 'x') {
                return 1;
            }
        }
        total += count > 0 ? (size_t)count : 0;
    } while (count > 0);
    return total == expected ? 0 : 2;
}

/* Writes a megabyte into a pipe of which a child reads; returns the child's status. */
static int writer_through_pipe(int ends[2], ws_writer *writer)
{
    const size_t bytes = (size_t)1 << 20;
    char *large = malloc(bytes);
    int status = -1;
    pid_t child = fork();

    if (child == 0) {
        (void)close(ends[1]);
        _exit(writer_drain(ends[0], bytes));
    }
    (void)close(ends[0]);
    memset(large, 'x', bytes);
    ws_writer_init_fd(writer, ends[1], WS_TEXT("pipe"));
    ws_write_bytes(writer, large, bytes / 2);
    for (size_t i = 0; i < bytes / 2; i += 64) {
        ws_write_bytes(writer, large, 64);
    }
    cr_assert(ws_writer_finish(writer, &diag));
    (void)close(ends[1]);
    free(large);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

/* An alarm each half millisecond, without SA_RESTART, interrupts writes before and amid their
 * bytes. */
Test(writer, interrupted_and_short_writes_go_on)
{
    struct sigaction action = {.sa_handler = writer_on_alarm};
    struct itimerval often = {{0, 500}, {0, 500}};
    struct itimerval never = {{0, 0}, {0, 0}};
    ws_writer writer;
    int ends[2];
    int status = 0;

    cr_assert(eq(int, pipe(ends), 0));
    (void)sigaction(SIGALRM, &action, NULL);
    (void)setitimer(ITIMER_REAL, &often, NULL);
    status = writer_through_pipe(ends, &writer);
    (void)setitimer(ITIMER_REAL, &never, NULL);
    cr_assert(eq(int, status, 0));
    cr_assert(eq(i64, writer.total_bytes, 1 << 20));
}

/* Somebody else may have set standard output to non-blocking: then a full pipe says EAGAIN. */
Test(writer, a_descriptor_that_is_not_ready_is_waited_for)
{
    ws_writer writer;
    int ends[2];
    int status = 0;

    cr_assert(eq(int, pipe(ends), 0));
    cr_assert(eq(int, fcntl(ends[1], F_SETFL, O_NONBLOCK), 0));
    status = writer_through_pipe(ends, &writer);
    cr_assert(eq(int, status, 0));
}
