/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A results folder that is new: what is in it, and what is left when it does not come to be. */
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "results_scratch.h"

/* FIPS 180-4: the example "abc", and the digest of no bytes at all. */
#define ABC "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
#define EMPTY "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

static scratch here;

static void results_open(void)
{
    scratch_open(&here, "results_folder");
}

static void results_close(void)
{
    scratch_close(&here);
}

TestSuite(results_folder, .init = results_open, .fini = results_close);

static ws_results *results_begin(const char *path)
{
    ws_results *results = NULL;

    cr_assert(ws_results_begin(&results, path, WS_TEXT("week"), false, &here.arena, &here.diag));
    return results;
}

Test(results_folder, files_and_their_sums)
{
    ws_results *results = results_begin(here.path);

    cr_assert(scratch_write_file(results, "charts/empty.svg", true, ""));
    cr_assert(scratch_write_file(results, "run-info.json", false, "{}\n"));
    cr_assert(scratch_write_file(results, "a.txt", true, "abc"));
    cr_assert(ws_results_commit(results));
    cr_assert(eq(sz, here.diag.count, 0));
    cr_assert(eq(str, (char *)scratch_list(&here, "."), (char *)"r "));
    cr_assert(eq(str, (char *)scratch_list(&here, "r"),
                 (char *)"SHA256SUMS a.txt charts run-info.json "));
    cr_assert(eq(str, (char *)scratch_list(&here, "r/charts"), (char *)"empty.svg "));
    cr_assert(scratch_is(&here, "r/a.txt", "abc"));
    cr_assert(scratch_is(&here, "r/charts/empty.svg", ""));
    cr_assert(scratch_is(&here, "r/SHA256SUMS", ABC "  a.txt\n" EMPTY "  charts/empty.svg\n"));
}

/* The tool that users check a folder with. */
Test(results_folder, sha256sum_agrees)
{
    char command[1400];

    cr_assert(scratch_write(&here, "week", "1\n2\n", false));
    (void)snprintf(command, sizeof command,
                   "cd '%s' && sha256sum --check --strict --quiet SHA256SUMS", here.path);
    cr_assert(eq(int, system(command), 0));
}

Test(results_folder, nothing_is_in_the_place_before_the_commit)
{
    ws_results *results = results_begin(here.path);

    cr_assert(scratch_write_file(results, "a.txt", true, "abc"));
    cr_assert(eq(int, access(here.path, F_OK), -1));
    cr_assert(ws_results_commit(results));
    cr_assert(eq(int, access(here.path, F_OK), 0));
}

Test(results_folder, an_empty_folder_takes_results)
{
    cr_assert(eq(int, mkdir(here.path, 0777), 0));
    cr_assert(scratch_write(&here, "week", "1\n", false));
    cr_assert(scratch_is(&here, "r/data.csv", "1\n"));
    cr_assert(eq(str, (char *)scratch_list(&here, "."), (char *)"r "));
}

Test(results_folder, parents_are_made_and_slashes_do_not_matter)
{
    ws_results *results = results_begin(scratch_path(&here, "a//b/./c///"));

    cr_assert(scratch_write_file(results, "a.txt", true, "abc"));
    cr_assert(ws_results_commit(results));
    cr_assert(scratch_is(&here, "a/b/c/a.txt", "abc"));
    cr_assert(eq(str, (char *)scratch_list(&here, "a/b"), (char *)"c "));
}

Test(results_folder, a_path_without_a_parent)
{
    ws_results *results = NULL;

    cr_assert(eq(int, chdir(here.folder), 0));
    results = results_begin("week");
    cr_assert(scratch_write_file(results, "a.txt", true, "abc"));
    cr_assert(ws_results_commit(results));
    cr_assert(scratch_is(&here, "week/a.txt", "abc"));
    cr_assert(eq(str, (char *)scratch_list(&here, "."), (char *)"week "));
}

Test(results_folder, a_parent_may_be_a_link)
{
    ws_results *results = NULL;

    cr_assert(eq(int, mkdir(scratch_path(&here, "disk"), 0777), 0));
    cr_assert(eq(int, symlink("disk", scratch_path(&here, "link")), 0));
    results = results_begin(scratch_path(&here, "link/r"));
    cr_assert(scratch_write_file(results, "a.txt", true, "abc"));
    cr_assert(ws_results_commit(results));
    cr_assert(scratch_is(&here, "disk/r/a.txt", "abc"));
}

Test(results_folder, abandoned_nothing_is_left)
{
    ws_results *results = results_begin(scratch_path(&here, "a/b/r"));

    cr_assert(scratch_write_files(&here, results, "week", "1\n"));
    ws_results_abandon(results);
    cr_assert(eq(str, (char *)scratch_list(&here, "."), (char *)""));
    ws_results_abandon(results); /* once more does nothing */
}

Test(results_folder, abandoned_parents_of_others_stay)
{
    ws_results *results = NULL;

    cr_assert(eq(int, mkdir(scratch_path(&here, "a"), 0777), 0));
    results = results_begin(scratch_path(&here, "a/b/c/r"));
    scratch_put(&here, "a/b/note", "");
    ws_results_abandon(results);
    cr_assert(eq(str, (char *)scratch_list(&here, "a"), (char *)"b "));
    cr_assert(eq(str, (char *)scratch_list(&here, "a/b"), (char *)"note "));
}

Test(results_folder, after_a_commit_abandoning_does_nothing)
{
    ws_results *results = results_begin(scratch_path(&here, "a/r"));

    cr_assert(scratch_write_file(results, "a.txt", true, "abc"));
    cr_assert(ws_results_commit(results));
    ws_results_abandon(results);
    cr_assert(scratch_is(&here, "a/r/a.txt", "abc"));
}

Test(results_folder, files_that_something_else_writes)
{
    ws_results *results = results_begin(here.path);
    ws_text path = ws_results_path(results, "charts/p.svg", &here.arena);
    FILE *file = fopen(path.start, "w");

    cr_assert(file != NULL);
    cr_assert(fputs("abc", file) >= 0);
    cr_assert(eq(int, fclose(file), 0));
    cr_assert(ws_results_add_file(results, "charts/p.svg", true));
    cr_assert(ws_results_commit(results));
    cr_assert(scratch_is(&here, "r/SHA256SUMS", ABC "  charts/p.svg\n"));
    cr_assert(scratch_is(&here, "r/charts/p.svg", "abc"));
}

Test(results_folder, a_file_that_something_else_did_not_write)
{
    ws_results *results = results_begin(here.path);

    cr_assert(ws_results_path(results, "charts/p.svg", &here.arena).start != NULL);
    cr_assert_not(ws_results_add_file(results, "charts/p.svg", true));
    scratch_expect(&here, 8001, "r/charts/p.svg`: no such file");
    cr_assert_not(ws_results_commit(results));
    ws_results_abandon(results);
    cr_assert(eq(str, (char *)scratch_list(&here, "."), (char *)""));
}

Test(results_folder, a_file_twice)
{
    ws_results *results = results_begin(here.path);

    cr_assert(scratch_write_file(results, "a.txt", true, "abc"));
    cr_assert_not(scratch_write_file(results, "a.txt", true, "abc"));
    scratch_expect(&here, 8001, "r/a.txt`: file exists");
    cr_assert_not(ws_results_add_file(results, "a.txt", true));
    scratch_expect(&here, 8003, "it is there already");
    cr_assert_not(ws_results_commit(results));
    ws_results_abandon(results);
}

Test(results_folder, as_many_files_as_there_may_be)
{
    ws_results *results = results_begin(here.path);
    char name[16];

    for (int i = 0; i <= 256; i++) {
        FILE *file = NULL;

        (void)snprintf(name, sizeof name, "%d", i);
        file = fopen(ws_results_path(results, name, &here.arena).start, "w");
        cr_assert(file != NULL);
        cr_assert(eq(int, fclose(file), 0));
        cr_assert(eq(int, ws_results_add_file(results, name, true), i < 256), "%d", i);
    }
    scratch_expect(&here, 8003, "too many files");
    ws_results_abandon(results);
    cr_assert(eq(str, (char *)scratch_list(&here, "."), (char *)""));
}

Test(results_folder, paths_that_name_no_folder)
{
    static const char *const paths[] = {"", "/", "///", ".", "..", "a/.", "a/..", "a/../"};
    ws_results *results = NULL;

    cr_assert(eq(int, chdir(here.folder), 0));
    for (size_t i = 0; i < WS_COUNT_OF(paths); i++) {
        cr_assert_not(
            ws_results_begin(&results, paths[i], WS_TEXT("week"), true, &here.arena, &here.diag));
        scratch_expect(&here, 8101, "it has no name");
    }
    cr_assert(results == NULL);
    cr_assert(eq(str, (char *)scratch_list(&here, "."), (char *)""));
}

Test(results_folder, a_parent_that_is_a_file)
{
    ws_results *results = NULL;

    scratch_put(&here, "a", "text");
    cr_assert_not(ws_results_begin(&results, scratch_path(&here, "a/b/r"), WS_TEXT("week"), false,
                                   &here.arena, &here.diag));
    scratch_expect(&here, 8001, "/a`: not a directory");
    cr_assert(scratch_is(&here, "a", "text"));
}

Test(results_folder, a_name_that_is_too_long)
{
    ws_results *results = NULL;
    char name[260] = "made/";

    memset(name + 5, 'n', 250); /* the names beside it would have more than 255 bytes */
    cr_assert_not(ws_results_begin(&results, scratch_path(&here, name), WS_TEXT("week"), false,
                                   &here.arena, &here.diag));
    scratch_expect(&here, 8001, "name too long");
    cr_assert(eq(str, (char *)scratch_list(&here, "."), (char *)""));
}

Test(results_folder, a_parent_that_may_not_be_written)
{
    ws_results *results = NULL;

    if (geteuid() == 0) {
        cr_skip_test("root may write everywhere");
    }
    cr_assert(eq(int, mkdir(scratch_path(&here, "closed"), 0555), 0));
    cr_assert_not(ws_results_begin(&results, scratch_path(&here, "closed/r"), WS_TEXT("week"),
                                   false, &here.arena, &here.diag));
    scratch_expect(&here, 8001, "permission denied");
    cr_assert(eq(str, (char *)scratch_list(&here, "closed"), (char *)""));
}

/* In the kernel's own file system nobody can write, root included. */
Test(results_folder, a_file_system_that_takes_no_files)
{
    ws_results *results = NULL;

    if (access("/proc/self", F_OK) != 0) {
        cr_skip_test("there is no /proc");
    }
    cr_assert_not(
        ws_results_begin(&results, "/proc/r", WS_TEXT("week"), false, &here.arena, &here.diag));
    scratch_expect(&here, 8001, "cannot create `/proc/.r.lock`");
}

/* A limit on the size of files stands for a full disk: the system refuses in the midst of a file.
 */
Test(results_folder, a_write_that_fails_leaves_nothing)
{
    ws_results *results = results_begin(here.path);
    struct rlimit limit = {.rlim_cur = 20000, .rlim_max = RLIM_INFINITY};
    ws_writer writer;

    (void)signal(SIGXFSZ, SIG_IGN);
    cr_assert(eq(int, setrlimit(RLIMIT_FSIZE, &limit), 0));
    cr_assert(ws_results_open_file(results, "large.csv", true, &writer));
    for (int i = 0; i < 10000; i++) {
        ws_write_string(&writer, "0123456789\n");
    }
    cr_assert_not(ws_results_close_file(results, &writer));
    scratch_expect(&here, 8002, "r/large.csv`: file too large");
    cr_assert_not(ws_results_commit(results));
    cr_assert(eq(sz, here.diag.count, 1)); /* it was said once */
    ws_results_abandon(results);
    cr_assert(eq(str, (char *)scratch_list(&here, "."), (char *)""));
}

/* ---- memory that ends ---- */

typedef struct {
    int left;
} results_allocations;

static void *results_allocate(void *context, size_t bytes)
{
    results_allocations *allocations = context;

    return allocations->left-- > 0 ? malloc(bytes) : NULL;
}

static void results_release(void *context, void *memory, size_t bytes)
{
    (void)context;
    (void)bytes;
    free(memory);
}

Test(results_folder, every_allocation_may_fail)
{
    bool is_done = false;

    for (int n = 0; !is_done; n++) {
        results_allocations allocations = {.left = n};
        ws_allocator allocator = {
            .context = &allocations, .allocate = results_allocate, .release = results_release};
        ws_results *results = NULL;
        ws_arena arena;
        ws_diag diag;

        cr_assert(n < 1000);
        ws_arena_init(&arena, &allocator, (size_t)1 << 26);
        ws_diag_init(&diag, &arena);
        if (ws_results_begin(&results, here.path, WS_TEXT("week"), true, &arena, &diag)) {
            is_done =
                scratch_write_files(&here, results, "week", "1\n") && ws_results_commit(results);
            ws_results_abandon(results);
        }
        cr_assert(is_done || diag.error_count > 0, "%d", n);
        cr_assert(eq(str, (char *)scratch_list(&here, "."), (char *)(is_done ? "r " : "")), "%d",
                  n);
        ws_arena_reset(&arena);
    }
    cr_assert(scratch_write(&here, "week", "2\n", false));
}
