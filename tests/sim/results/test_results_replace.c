/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A results folder where something is already: what may be replaced, and what never. */
#include <signal.h>

#include "results_scratch.h"

static scratch here;

static void replace_open(void)
{
    scratch_open(&here, "results_replace");
}

static void replace_close(void)
{
    scratch_close(&here);
}

TestSuite(results_replace, .init = replace_open, .fini = replace_close);

/* The folder "r" holds whole results with this content, and nothing lies beside it. */
static void replace_expect_whole(const char *content)
{
    cr_assert(eq(str, (char *)scratch_list(&here, "."), (char *)"r "));
    cr_assert(eq(str, (char *)scratch_list(&here, "r"),
                 (char *)"SHA256SUMS charts data.csv run-info.json summary.json "));
    cr_assert(scratch_is(&here, "r/data.csv", content));
    cr_assert(scratch_is(&here, "r/charts/a.svg", "<svg/>\n"));
}

/* That new results are refused with this in the message, and that nothing is left of the attempt.
 */
static void replace_expect_refused(const char *scenario, bool force, const char *piece)
{
    const char *before = scratch_list(&here, ".");

    cr_assert_not(scratch_write(&here, scenario, "new\n", force));
    scratch_expect(&here, 8101, piece);
    cr_assert(eq(str, (char *)scratch_list(&here, "."), (char *)before));
}

static void replace_write_old(void)
{
    cr_assert(scratch_write(&here, "week", "old\n", false));
}

/* ---- replaced ---- */

Test(results_replace, results_of_the_same_scenario)
{
    replace_write_old();
    cr_assert(scratch_write(&here, "week", "new\n", false));
    replace_expect_whole("new\n");
    cr_assert(scratch_write(&here, "week", "new\n", false));
    replace_expect_whole("new\n");
    cr_assert(eq(sz, here.diag.count, 0));
}

Test(results_replace, files_that_are_not_written_again_are_gone)
{
    ws_results *results = NULL;

    replace_write_old();
    cr_assert(
        ws_results_begin(&results, here.path, WS_TEXT("week"), false, &here.arena, &here.diag));
    cr_assert(scratch_write_file(results, "data.csv", true, "new\n"));
    cr_assert(ws_results_commit(results));
    cr_assert(eq(str, (char *)scratch_list(&here, "r"), (char *)"SHA256SUMS data.csv "));
    cr_assert(eq(str, (char *)scratch_list(&here, "."), (char *)"r "));
}

/* Results with a picture, whose bytes hang on the machine. */
static bool replace_write_picture(const char *picture)
{
    ws_results *results = NULL;

    cr_assert(
        ws_results_begin(&results, here.path, WS_TEXT("week"), false, &here.arena, &here.diag));
    cr_assert(scratch_write_file(results, "summary.json", true,
                                 "{\"schema\": \"worldsize.summary/v1\","
                                 " \"scenario\": {\"name\": \"week\"}}\n"));
    cr_assert(scratch_write_file(results, "run-info.json", false, "{}\n"));
    cr_assert(scratch_write_file(results, "charts/a.png", false, picture));
    return ws_results_commit(results);
}

/* It is in a list of its own, so that the other is the same on every machine, and it is replaced as
 * all files are. The digest is of "old\n" by sha256sum. */
Test(results_replace, files_of_this_machine)
{
    cr_assert(replace_write_picture("old\n"));
    cr_assert(eq(str, (char *)scratch_list(&here, "r"),
                 (char *)"SHA256SUMS SHA256SUMS-local charts run-info.json summary.json "));
    cr_assert(scratch_is(&here, "r/SHA256SUMS-local",
                         "01d09d19c2139a46aebfb577780d123d7396e97201bc7ead210a2ebff8239dee"
                         "  charts/a.png\n"));
    cr_assert(replace_write_picture("new\n"));
    cr_assert(scratch_is(&here, "r/charts/a.png", "new\n"));
    cr_assert(eq(str, (char *)scratch_list(&here, "."), (char *)"r "));

    scratch_put(&here, "r/charts/a.png", "mine\n");
    replace_expect_refused("week", false, "`charts/a.png` does not match");
    scratch_put(&here, "r/charts/a.png", "new\n");
    scratch_put(&here, "r/charts/b.png", "new\n");
    replace_expect_refused("week", false, "`charts/b.png` is not in SHA256SUMS");
    cr_assert(eq(int, unlink(scratch_path(&here, "r/charts/b.png")), 0));
    cr_assert(eq(int, unlink(scratch_path(&here, "r/SHA256SUMS-local")), 0));
    replace_expect_refused("week", false, "`charts` is not in SHA256SUMS");
    cr_assert(scratch_write(&here, "week", "new\n", true));
}

/* The one file that may differ between equal runs is in no sum. */
Test(results_replace, another_run_info_is_no_change)
{
    replace_write_old();
    scratch_put(&here, "r/run-info.json", "{\"host\": \"other\"}\n");
    cr_assert(scratch_write(&here, "week", "new\n", false));
    replace_expect_whole("new\n");
}

Test(results_replace, abandoned_the_old_ones_stay)
{
    ws_results *results = NULL;

    replace_write_old();
    cr_assert(
        ws_results_begin(&results, here.path, WS_TEXT("week"), true, &here.arena, &here.diag));
    cr_assert(scratch_write_file(results, "data.csv", true, "new\n"));
    ws_results_abandon(results);
    replace_expect_whole("old\n");
}

/* ---- refused without force ---- */

Test(results_replace, results_of_another_scenario)
{
    replace_write_old();
    replace_expect_refused("month", false, "r` holds results of the scenario `week`");
    replace_expect_whole("old\n");
    cr_assert(scratch_write(&here, "month", "new\n", true));
    replace_expect_whole("new\n");
}

Test(results_replace, a_changed_file)
{
    replace_write_old();
    scratch_put(&here, "r/data.csv", "mine\n");
    replace_expect_refused("week", false, "r` was changed: `data.csv` does not match SHA256SUMS");
    cr_assert(strstr(here.diag.entries[0].help.start, "--force") != NULL);
    replace_expect_whole("mine\n");
    cr_assert(scratch_write(&here, "week", "new\n", true));
    replace_expect_whole("new\n");
}

Test(results_replace, a_changed_file_in_a_sub_folder)
{
    replace_write_old();
    scratch_put(&here, "r/charts/a.svg", "<svg></svg>\n");
    replace_expect_refused("week", false, "`charts/a.svg` does not match");
}

Test(results_replace, a_missing_file)
{
    replace_write_old();
    cr_assert(eq(int, unlink(scratch_path(&here, "r/data.csv")), 0));
    replace_expect_refused("week", false, "`data.csv` is missing");
}

Test(results_replace, a_link_in_the_place_of_a_file)
{
    replace_write_old();
    cr_assert(eq(int, unlink(scratch_path(&here, "r/data.csv")), 0));
    scratch_put(&here, "same", "old\n");
    cr_assert(eq(int, symlink("../same", scratch_path(&here, "r/data.csv")), 0));
    replace_expect_refused("week", false, "`data.csv` cannot be read");
}

/* Opened without care it would hold up the program for good. */
Test(results_replace, a_pipe_in_the_place_of_a_file, .timeout = 30)
{
    replace_write_old();
    cr_assert(eq(int, unlink(scratch_path(&here, "r/data.csv")), 0));
    cr_assert(eq(int, mkfifo(scratch_path(&here, "r/data.csv"), 0600), 0));
    replace_expect_refused("week", false, "`data.csv` cannot be read");
}

Test(results_replace, a_foreign_file)
{
    replace_write_old();
    scratch_put(&here, "r/notes.txt", "mine\n");
    scratch_put(&here, "r/other.txt", "mine\n");
    scratch_put(&here, "r/charts/zoom.svg", "mine\n");
    replace_expect_refused("week", false, "`charts/zoom.svg` is not in SHA256SUMS"); /* the first */
    cr_assert(eq(int, unlink(scratch_path(&here, "r/charts/zoom.svg")), 0));
    replace_expect_refused("week", false, "`notes.txt` is not in SHA256SUMS");
    cr_assert(scratch_is(&here, "r/notes.txt", "mine\n"));
}

Test(results_replace, a_foreign_folder)
{
    replace_write_old();
    cr_assert(eq(int, mkdir(scratch_path(&here, "r/mine"), 0777), 0));
    replace_expect_refused("week", false, "`mine` is not in SHA256SUMS");
}

Test(results_replace, sums_that_are_absent_or_not_ours)
{
    replace_write_old();
    scratch_put(&here, "r/SHA256SUMS", "not sums\n");
    replace_expect_refused("week", false, "`SHA256SUMS` is missing or");
    cr_assert(eq(int, unlink(scratch_path(&here, "r/SHA256SUMS")), 0));
    replace_expect_refused("week", false, "`SHA256SUMS` is missing or");
}

/* Somebody works in the folder while a long run computes. */
Test(results_replace, a_change_between_begin_and_commit)
{
    ws_results *results = NULL;

    replace_write_old();
    cr_assert(
        ws_results_begin(&results, here.path, WS_TEXT("week"), false, &here.arena, &here.diag));
    cr_assert(scratch_write_file(results, "data.csv", true, "new\n"));
    scratch_put(&here, "r/notes.txt", "mine\n");
    cr_assert_not(ws_results_commit(results));
    scratch_expect(&here, 8101, "`notes.txt` is not in SHA256SUMS");
    ws_results_abandon(results);
    cr_assert(scratch_is(&here, "r/notes.txt", "mine\n"));
    cr_assert(scratch_is(&here, "r/data.csv", "old\n"));
    cr_assert(eq(str, (char *)scratch_list(&here, "."), (char *)"r "));
}

Test(results_replace, something_comes_between_begin_and_commit)
{
    ws_results *results = NULL;

    cr_assert(
        ws_results_begin(&results, here.path, WS_TEXT("week"), true, &here.arena, &here.diag));
    cr_assert(eq(int, mkdir(here.path, 0777), 0));
    scratch_put(&here, "r/notes.txt", "mine\n");
    cr_assert_not(ws_results_commit(results));
    scratch_expect(&here, 8101, "holds something else");
    ws_results_abandon(results);
    cr_assert(scratch_is(&here, "r/notes.txt", "mine\n"));
}

/* ---- refused with force too ---- */

Test(results_replace, a_folder_of_something_else)
{
    cr_assert(eq(int, mkdir(here.path, 0777), 0));
    scratch_put(&here, "r/thesis.tex", "mine\n");
    replace_expect_refused("week", false, "r` holds something else than results of worldsize");
    replace_expect_refused("week", true, "r` holds something else than results of worldsize");
    cr_assert(scratch_is(&here, "r/thesis.tex", "mine\n"));
}

Test(results_replace, summaries_of_something_else)
{
    static const char *const summaries[] = {
        "",
        "{}",
        "[]",
        "{\"schema\": \"worldsize.summary/v1\"}",
        "{\"schema\": \"worldsize.summary/v2\", \"scenario\": {\"name\": \"week\"}}",
        "{\"schema\": \"pollux.summary/v1\", \"scenario\": {\"name\": \"week\"}}",
        "{\"schema\": \"worldsize.summary/v1\", \"scenario\": {\"name\": 5}}",
        "{\"schema\": \"worldsize.summary/v1\", \"scenario\": {\"name\": \"week\"}", /* cut off */
    };

    cr_assert(eq(int, mkdir(here.path, 0777), 0));
    for (size_t i = 0; i < WS_COUNT_OF(summaries); i++) {
        scratch_put(&here, "r/summary.json", summaries[i]);
        replace_expect_refused("week", true, "holds something else");
        cr_assert(scratch_is(&here, "r/summary.json", summaries[i]));
    }
}

Test(results_replace, a_file)
{
    scratch_put(&here, "r", "mine\n");
    replace_expect_refused("week", true, "r` is not a folder");
    cr_assert(scratch_is(&here, "r", "mine\n"));
}

Test(results_replace, a_link_to_results)
{
    replace_write_old();
    cr_assert(eq(int, rename(here.path, scratch_path(&here, "real")), 0));
    cr_assert(eq(int, symlink("real", here.path), 0));
    replace_expect_refused("week", true, "r` is a symbolic link");
    cr_assert(scratch_is(&here, "real/data.csv", "old\n"));
    cr_assert(eq(int, unlink(here.path), 0));
    cr_assert(eq(int, symlink("nowhere", here.path), 0));
    replace_expect_refused("week", true, "r` is a symbolic link");
}

/* ---- what force does not delete ---- */

/* Name of the visible folder beside "r" in which foreign files were kept. */
static const char *replace_kept(void)
{
    ws_text name = ws_arena_format(&here.arena, "r.old-%jd-0", (intmax_t)getpid());

    scratch_expect(&here, 8103, "held files that worldsize did not write");
    scratch_expect(&here, 8103, name.start);
    cr_assert(here.diag.entries[here.diag.count - 1].severity == WS_SEVERITY_WARNING);
    return name.start;
}

Test(results_replace, foreign_files_are_kept_under_force)
{
    const char *kept = NULL;

    replace_write_old();
    scratch_put(&here, "r/notes.txt", "mine\n");
    scratch_put(&here, "r/charts/zoom.svg", "mine\n");
    cr_assert(eq(int, mkdir(scratch_path(&here, "r/deep"), 0777), 0));
    scratch_put(&here, "r/deep/data.csv", "mine\n");
    cr_assert(scratch_write(&here, "week", "new\n", true));
    kept = replace_kept();
    cr_assert(eq(str, (char *)scratch_list(&here, kept), (char *)"charts deep notes.txt "));
    cr_assert(eq(str,
                 (char *)scratch_list(&here, ws_arena_format(&here.arena, "%s/charts", kept).start),
                 (char *)"zoom.svg "));
    cr_assert(scratch_is(&here, "r/data.csv", "new\n"));
    cr_assert(eq(str, (char *)scratch_list(&here, "r"),
                 (char *)"SHA256SUMS charts data.csv run-info.json summary.json "));
    cr_assert(scratch_write(&here, "week", "newer\n", false)); /* and it stays */
    cr_assert(eq(str, (char *)scratch_list(&here, kept), (char *)"charts deep notes.txt "));
}

/* Sums that somebody wrote to have other files deleted. */
Test(results_replace, sums_cannot_reach_out_of_the_folder)
{
    static const char digest[] = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    ws_text sums =
        ws_arena_format(&here.arena, "%s  ../victim\n%s  summary.json\n", digest, digest);

    replace_write_old();
    scratch_put(&here, "victim", "mine\n");
    scratch_put(&here, "r/SHA256SUMS", sums.start);
    cr_assert(scratch_write(&here, "week", "new\n", true));
    cr_assert(scratch_is(&here, "victim", "mine\n"));
    cr_assert(scratch_is(&here, "r/data.csv", "new\n"));
    (void)replace_kept(); /* without a list, nothing counts as ours */
}

Test(results_replace, sub_folders_that_are_links_are_not_followed)
{
    replace_write_old();
    cr_assert(eq(int, mkdir(scratch_path(&here, "victim"), 0777), 0));
    scratch_put(&here, "victim/a.svg", "<svg/>\n"); /* the sum would match */
    cr_assert(eq(int, unlink(scratch_path(&here, "r/charts/a.svg")), 0));
    cr_assert(eq(int, rmdir(scratch_path(&here, "r/charts")), 0));
    cr_assert(eq(int, symlink("../victim", scratch_path(&here, "r/charts")), 0));
    replace_expect_refused("week", false, "`charts/a.svg` cannot be read");
    cr_assert(scratch_write(&here, "week", "new\n", true));
    cr_assert(scratch_is(&here, "victim/a.svg", "<svg/>\n"));
    (void)replace_kept();
}

/* ---- what dead writers left ---- */

Test(results_replace, stale_temporary_folders_are_removed)
{
    cr_assert(eq(int, mkdir(scratch_path(&here, ".r.tmp-1-0"), 0777), 0));
    cr_assert(eq(int, mkdir(scratch_path(&here, ".r.tmp-1-0/charts"), 0777), 0));
    scratch_put(&here, ".r.tmp-1-0/data.csv", "half");
    scratch_put(&here, ".r.tmp-1-0/charts/a.svg", "half");
    scratch_put(&here, ".r.lock", "1\n");
    cr_assert(scratch_write(&here, "week", "new\n", false));
    replace_expect_whole("new\n");
}

Test(results_replace, names_of_others_are_left_alone)
{
    static const char *const names[] = {".r.tmp-1",     ".r.tmp-1-",   ".r.tmp--1", ".r.tmp-1-0x",
                                        ".rr.tmp-1-0",  "r.tmp-1-0",   ".r.old-",   ".r.tmp-a-0",
                                        ".r.tmp-1-0-0", ".r.keep-1-0", ".r"};

    for (size_t i = 0; i < WS_COUNT_OF(names); i++) {
        cr_assert(eq(int, mkdir(scratch_path(&here, names[i]), 0777), 0));
    }
    cr_assert(scratch_write(&here, "week", "new\n", false));
    for (size_t i = 0; i < WS_COUNT_OF(names); i++) {
        cr_assert(eq(int, access(scratch_path(&here, names[i]), F_OK), 0), "%s", names[i]);
    }
}

/* Killed between the two renames: the place is empty, the old folder beside it is whole. */
Test(results_replace, an_old_folder_is_put_back)
{
    replace_write_old();
    cr_assert(eq(int, rename(here.path, scratch_path(&here, ".r.old-1-0")), 0));
    cr_assert_not(scratch_write(&here, "month", "new\n", false));
    scratch_expect(&here, 8101, "holds results of the scenario `week`");
    replace_expect_whole("old\n");
}

/* As above, but with changes that somebody had forced to be replaced: nothing of it is lost. */
Test(results_replace, an_old_folder_with_changes_is_put_back)
{
    replace_write_old();
    scratch_put(&here, "r/notes.txt", "mine\n");
    cr_assert(eq(int, rename(here.path, scratch_path(&here, ".r.old-1-0")), 0));
    cr_assert_not(scratch_write(&here, "week", "new\n", false));
    cr_assert(scratch_is(&here, "r/notes.txt", "mine\n"));
    cr_assert(scratch_is(&here, "r/data.csv", "old\n"));
}

/* Killed before the old folder was removed, or in the midst of that. */
Test(results_replace, an_interrupted_removal_is_finished)
{
    replace_write_old();
    cr_assert(eq(int, rename(here.path, scratch_path(&here, ".r.old-1-0")), 0));
    cr_assert(eq(int, unlink(scratch_path(&here, ".r.old-1-0/summary.json")), 0));
    cr_assert(scratch_write(&here, "month", "new\n", false)); /* an empty place is anybody's */
    replace_expect_whole("new\n");
    cr_assert(scratch_write(&here, "month", "newer\n", false));
    cr_assert(eq(int, rename(here.path, scratch_path(&here, ".r.old-1-0")), 0));
    cr_assert(eq(int, unlink(scratch_path(&here, ".r.old-1-0/summary.json")), 0));
    cr_assert(eq(int, unlink(scratch_path(&here, ".r.old-1-0/charts/a.svg")), 0));
    cr_assert(eq(int, rmdir(scratch_path(&here, ".r.old-1-0/charts")), 0));
    cr_assert(eq(int, unlink(scratch_path(&here, ".r.old-1-0/data.csv")), 0));
    cr_assert(eq(int, unlink(scratch_path(&here, ".r.old-1-0/run-info.json")), 0));
    cr_assert(eq(int, unlink(scratch_path(&here, ".r.old-1-0/SHA256SUMS")), 0));
    cr_assert(scratch_write(&here, "year", "new\n", false));
    replace_expect_whole("new\n");
}

Test(results_replace, an_old_folder_beside_the_new_one_goes)
{
    replace_write_old();
    cr_assert(eq(int, rename(here.path, scratch_path(&here, ".r.old-1-0")), 0));
    cr_assert(eq(int, mkdir(scratch_path(&here, "r"), 0777), 0)); /* the place is not empty */
    cr_assert(scratch_write(&here, "month", "new\n", false));
    replace_expect_whole("new\n");
}
