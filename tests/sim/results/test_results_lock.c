/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One writer at a time, and processes that are killed while they write. */
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "results_scratch.h"

static scratch here;

static void lock_open(void)
{
    scratch_open(&here, "results_lock");
}

static void lock_close(void)
{
    scratch_close(&here);
}

TestSuite(results_lock, .init = lock_open, .fini = lock_close);

/* A child that has begun results and waits; reading from *ready returns once it has. */
static pid_t lock_fork_writer(int *ready)
{
    int ends[2] = {-1, -1};
    pid_t child = 0;

    cr_assert(eq(int, pipe(ends), 0));
    child = fork();
    if (child == 0) {
        ws_results *results = NULL;
        bool is_begun =
            ws_results_begin(&results, here.path, WS_TEXT("week"), false, &here.arena, &here.diag);

        if (!is_begun || write(ends[1], "x", 1) != 1) {
            _exit(1);
        }
        for (;;) {
            (void)pause();
        }
    }
    cr_assert(child > 0);
    cr_assert(eq(int, close(ends[1]), 0));
    *ready = ends[0];
    return child;
}

static void lock_kill(pid_t child)
{
    cr_assert(eq(int, kill(child, SIGKILL), 0));
    cr_assert(waitpid(child, NULL, 0) == child);
}

Test(results_lock, another_process_that_writes)
{
    int ready = -1;
    pid_t child = lock_fork_writer(&ready);
    ws_text said =
        ws_arena_format(&here.arena, "r` is being written by process %jd", (intmax_t)child);
    const char *before = NULL;
    char byte = '\0';

    cr_assert(read(ready, &byte, 1) == 1);
    before = scratch_list(&here, ".");
    cr_assert_not(scratch_write(&here, "week", "new\n", true)); /* force does not break a lock */
    scratch_expect(&here, 8102, said.start);
    cr_assert(strstr(here.diag.entries[0].help.start, ".r.lock") != NULL);
    cr_assert(
        eq(str, (char *)scratch_list(&here, "."), (char *)before)); /* nothing of it is touched */
    lock_kill(child);
    cr_assert(scratch_write(&here, "week", "new\n", false)); /* what it left does not matter */
    cr_assert(eq(str, (char *)scratch_list(&here, "."), (char *)"r "));
    cr_assert(eq(int, close(ready), 0));
}

Test(results_lock, two_writers_in_one_process)
{
    ws_results *first = NULL;
    ws_results *second = NULL;

    cr_assert(ws_results_begin(&first, here.path, WS_TEXT("week"), false, &here.arena, &here.diag));
    cr_assert_not(
        ws_results_begin(&second, here.path, WS_TEXT("week"), false, &here.arena, &here.diag));
    scratch_expect(&here, 8102, "is being written by process");
    ws_results_abandon(first);
    cr_assert(
        ws_results_begin(&second, here.path, WS_TEXT("week"), false, &here.arena, &here.diag));
    ws_results_abandon(second);
    cr_assert(eq(str, (char *)scratch_list(&here, "."), (char *)""));
}

Test(results_lock, folders_beside_each_other_have_their_own)
{
    ws_results *first = NULL;
    ws_results *second = NULL;

    cr_assert(ws_results_begin(&first, here.path, WS_TEXT("week"), false, &here.arena, &here.diag));
    cr_assert(ws_results_begin(&second, scratch_path(&here, "r2"), WS_TEXT("week"), false,
                               &here.arena, &here.diag));
    cr_assert(scratch_write_files(&here, first, "week", "1\n"));
    cr_assert(scratch_write_files(&here, second, "week", "2\n"));
    cr_assert(ws_results_commit(second));
    cr_assert(ws_results_commit(first));
    cr_assert(scratch_is(&here, "r/data.csv", "1\n"));
    cr_assert(scratch_is(&here, "r2/data.csv", "2\n"));
}

Test(results_lock, a_stale_lock_file_of_any_content)
{
    static const char *const contents[] = {"", "4711\n", "garbage", "-1\n",
                                           "99999999999999999999999999999\n"};

    for (size_t i = 0; i < WS_COUNT_OF(contents); i++) {
        scratch_put(&here, ".r.lock", contents[i]);
        cr_assert(scratch_write(&here, "week", "new\n", false), "%zu", i);
        cr_assert(eq(str, (char *)scratch_list(&here, "."), (char *)"r "));
    }
}

Test(results_lock, a_lock_that_is_no_file)
{
    cr_assert(eq(int, symlink("nowhere", scratch_path(&here, ".r.lock")), 0));
    cr_assert_not(scratch_write(&here, "week", "new\n", false));
    scratch_expect(&here, 8001, ".r.lock`");
    cr_assert(eq(int, unlink(scratch_path(&here, ".r.lock")), 0));
    cr_assert(eq(int, mkdir(scratch_path(&here, ".r.lock"), 0777), 0));
    cr_assert_not(scratch_write(&here, "week", "new\n", false));
    scratch_expect(&here, 8001, ".r.lock`");
}

/* ---- writers that are killed ---- */

/* All that a generation of results holds: its number, over and over. */
static void lock_generation(char *content, size_t bytes, int generation)
{
    size_t length = 0;

    while (length + 16 < bytes) {
        length += (size_t)snprintf(content + length, bytes - length, "%d\n", generation);
    }
}

static bool lock_write_generation(int generation)
{
    char content[20000];

    lock_generation(content, sizeof content, generation);
    return scratch_write(&here, "week", content, false);
}

/*
 * The generation of a folder that must be whole: all its files are there and complete. That they
 * match their sums the next writer looks at, and refuses if not. 64 digits, two blanks and LF are
 * 67 bytes; the three names have 32.
 */
static int lock_whole_generation(const char *name)
{
    ws_text path = ws_arena_format(&here.arena, "%s/data.csv", name);
    ws_text data = ws_test_load(scratch_path(&here, path.start));
    ws_text sums = ws_arena_format(&here.arena, "%s/SHA256SUMS", name);
    char content[20000];
    struct stat status;
    int generation = 0;

    cr_assert(data.start != NULL, "%s", path.start);
    generation = (int)strtol(data.start, NULL, 10);
    lock_generation(content, sizeof content, generation);
    cr_assert(ws_text_is(data, content));
    free((void *)data.start);
    cr_assert(eq(str, (char *)scratch_list(&here, name),
                 (char *)"SHA256SUMS charts data.csv run-info.json summary.json "));
    cr_assert(eq(int, stat(scratch_path(&here, sums.start), &status), 0));
    cr_assert(eq(long, (long)status.st_size, 3 * 67 + 32));
    return generation;
}

/* The folder that holds the results now: "r", or between the two renames the one beside it. */
static const char *lock_current(pid_t writer)
{
    ws_text beside = ws_arena_format(&here.arena, ".r.old-%jd-0", (intmax_t)writer);

    return access(here.path, F_OK) == 0 ? "r" : beside.start;
}

/* Kills a child that writes this generation after so many nanoseconds, if it is not done before. */
static pid_t lock_kill_writer(int generation, long delay_ns)
{
    struct timespec delay = {.tv_nsec = delay_ns};
    pid_t child = fork();

    if (child == 0) {
        _exit(lock_write_generation(generation) ? 0 : 1);
    }
    cr_assert(child > 0);
    (void)nanosleep(&delay, NULL);
    (void)kill(child, SIGKILL);
    cr_assert(waitpid(child, NULL, 0) == child);
    return child;
}

/* How long a writer takes here when nobody disturbs it. */
static long lock_measure_ns(void)
{
    struct timespec from;
    struct timespec to;

    cr_assert(eq(int, clock_gettime(CLOCK_MONOTONIC, &from), 0));
    (void)lock_kill_writer(0, 0); /* a fork at least */
    cr_assert(lock_write_generation(0));
    cr_assert(eq(int, clock_gettime(CLOCK_MONOTONIC, &to), 0));
    return (long)((to.tv_sec - from.tv_sec) * 1000000000 + (to.tv_nsec - from.tv_nsec));
}

/*
 * The moments sweep over the time that a writer takes, and somewhat beyond. Each round the results
 * are those of before or of now, whole; then the next writer finds its way from what the dead one
 * left.
 */
Test(results_lock, killed_at_any_moment_old_or_new_is_whole, .timeout = 300)
{
    int rounds = (int)ws_test_scaled(100, 10);
    long span_ns = 0;
    int before = 0;

    cr_assert(lock_write_generation(0));
    span_ns = lock_measure_ns();
    for (int round = 1; round <= rounds; round++) {
        long delay_ns = span_ns / 100 * ((round * 37L) % 120);
        pid_t writer = lock_kill_writer(round, delay_ns < 999999999 ? delay_ns : 999999999);
        int now = lock_whole_generation(lock_current(writer));

        cr_assert(now == before || now == round, "%d after %d in round %d", now, before, round);
        before = now;
    }
    cr_assert(lock_write_generation(rounds + 1));
    cr_assert(eq(int, lock_whole_generation("r"), rounds + 1));
    cr_assert(eq(str, (char *)scratch_list(&here, "."), (char *)"r "));
}
