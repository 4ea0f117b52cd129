/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expectations: the printed diagnostics of vectors/scenario/bad/28 and 29, with the scratch folder
 * in place of /home/ada/exp. */
#include "ws/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "support/support.h"
#include "ws/assert.h"

/*
 * top/
 *   exp/                     the scenario's folder
 *     calibration/h100-ib400.json
 *     out -> ../shared/pools.yaml, in -> calibration/h100-ib400.json, gone -> nowhere, loop -> loop
 *   shared/pools.yaml
 */
typedef struct {
    char top[4096];
    char folder[4200];
    ws_arena arena;
    ws_diag diag;
    ws_text resolved;
} fixture;

static void run_in(const char *folder, const char *script)
{
    char command[5000];

    (void)snprintf(command, sizeof command, "cd '%s' && { %s; }", folder, script);
    cr_assert(eq(int, system(command), 0));
}

static void fixture_open(fixture *f, const char *name)
{
    f->arena = (ws_arena){.used_bytes = 0};
    ws_arena_init(&f->arena, &ws_allocator_default, (size_t)16 << 20);
    ws_diag_init(&f->diag, &f->arena);
    f->resolved = WS_TEXT("untouched");
    (void)ws_test_scratch(name, f->top, sizeof f->top);
    (void)snprintf(f->folder, sizeof f->folder, "%s/exp", f->top);
    run_in(f->top, "mkdir -p exp/calibration shared && echo 1 > exp/calibration/h100-ib400.json && "
                   "echo 2 > shared/pools.yaml && cd exp && ln -s ../shared/pools.yaml out && "
                   "ln -s calibration/h100-ib400.json in && ln -s nowhere gone && ln -s loop loop");
}

static void fixture_close(fixture *f)
{
    run_in(f->top, "rm -rf exp shared");
    (void)rmdir(f->top);
    ws_arena_reset(&f->arena);
}

static bool resolve(fixture *f, const char *path, const ws_path_roots *roots)
{
    ws_path_request request = {.path = ws_text_of(path),
                               .folder = ws_text_of(f->folder),
                               .key = WS_TEXT("include"),
                               .roots = roots};

    return ws_path_resolve(&f->resolved, &request, &f->arena, &f->diag);
}

static void assert_text(ws_text text, const char *expected)
{
    cr_assert(ws_text_is(text, expected), "`%.*s` is not `%s`", WS_TEXT_ARGS(text), expected);
}

static void assert_resolves(fixture *f, const char *path, const ws_path_roots *roots,
                            const char *below_top)
{
    char expected[4500];

    (void)snprintf(expected, sizeof expected, "%s/%s", f->top, below_top);
    cr_assert(resolve(f, path, roots), "%s is refused", path);
    assert_text(f->resolved, expected);
    cr_assert(eq(chr, f->resolved.start[f->resolved.length], '\0'));
    cr_assert(eq(sz, f->diag.count, 0));
}

static const ws_diagnostic *assert_refused(fixture *f, const char *path, int code,
                                           const char *message)
{
    ws_diag_init(&f->diag, &f->arena);
    f->resolved = WS_TEXT("untouched");
    cr_assert(not(resolve(f, path, NULL)), "%s is accepted", path);
    assert_text(f->resolved, "untouched");
    cr_assert(eq(sz, f->diag.count, 1));
    cr_assert(eq(int, f->diag.entries[0].code, code));
    assert_text(f->diag.entries[0].message, message);
    return &f->diag.entries[0];
}

Test(path, folder_of_a_path)
{
    static const char *const cases[][2] = {
        {"scenario.yaml", "."},  {"a/scenario.yaml", "a"},
        {"/scenario.yaml", "/"}, {"a/b/s.yaml", "a/b"},
        {"a//s.yaml", "a"},      {"", "."},
        {"/a/s.yaml", "/a"},     {"a/", "a"},
        {"../s.yaml", ".."},
    };
    ws_arena arena = {.used_bytes = 0};

    ws_arena_init(&arena, &ws_allocator_default, 1 << 20);
    for (size_t i = 0; i < WS_COUNT_OF(cases); i++) {
        assert_text(ws_path_folder(ws_text_of(cases[i][0]), &arena), cases[i][1]);
    }
    ws_arena_reset(&arena);
}

Test(path, files_inside_resolve)
{
    fixture f;

    fixture_open(&f, "path-inside");
    assert_resolves(&f, "calibration/h100-ib400.json", NULL, "exp/calibration/h100-ib400.json");
    assert_resolves(&f, "./calibration/../calibration//h100-ib400.json", NULL,
                    "exp/calibration/h100-ib400.json");
    assert_resolves(&f, "in", NULL, "exp/calibration/h100-ib400.json");
    assert_resolves(&f, "../exp/in", NULL, "exp/calibration/h100-ib400.json");
    assert_resolves(&f, ".", NULL, "exp");
    fixture_close(&f);
}

Test(path, a_relative_folder_is_relative_to_the_current_one)
{
    fixture f;
    ws_path_request request = {.path = WS_TEXT("calibration/h100-ib400.json"),
                               .folder = WS_TEXT("exp"),
                               .key = WS_TEXT("include")};

    fixture_open(&f, "path-relative");
    cr_assert(eq(int, chdir(f.top), 0));
    cr_assert(ws_path_resolve(&f.resolved, &request, &f.arena, &f.diag));
    cr_assert(ws_text_ends_with(f.resolved, WS_TEXT("/exp/calibration/h100-ib400.json")));
    cr_assert(eq(chr, f.resolved.start[0], '/'));
    fixture_close(&f);
}

Test(path, paths_that_leave_are_refused)
{
    static const char message[] = "`include` leaves the directory of the scenario";
    static const char *const paths[] = {
        "../shared/pools.yaml",
        "..",
        "../exp2/x",
        "calibration/../../shared/pools.yaml",
        "/etc/passwd",
        "//host/x",
        "../shared/absent.yaml",
        "/",
    };
    fixture f;
    char label[4300];

    fixture_open(&f, "path-leaves");
    (void)snprintf(label, sizeof label, "outside %s", f.folder);
    for (size_t i = 0; i < WS_COUNT_OF(paths); i++) {
        const ws_diagnostic *error = assert_refused(&f, paths[i], 7103, message);
        assert_text(error->label, label);
    }
    fixture_close(&f);
}

/* A folder whose name merely begins like the scenario's is outside. */
Test(path, a_longer_name_is_another_folder)
{
    fixture f;

    fixture_open(&f, "path-prefix");
    run_in(f.top, "mkdir shared/x && mkdir exp2 && echo 3 > exp2/x && ln -s ../exp2/x exp/near");
    (void)assert_refused(&f, "near", 7103, "`include` leaves the directory of the scenario");
    run_in(f.top, "rm -r exp2");
    fixture_close(&f);
}

Test(path, links_that_leave_are_refused)
{
    fixture f;
    char expected[9000];

    fixture_open(&f, "path-links");
    const ws_diagnostic *error =
        assert_refused(&f, "out", 7103, "`include` leaves the directory of the scenario");
    (void)snprintf(expected, sizeof expected, "a link to %s/shared/pools.yaml, outside %s", f.top,
                   f.folder);
    assert_text(error->label, expected);
    (void)snprintf(expected, sizeof expected,
                   "pass `--allow-root %s/shared` to allow this directory", f.top);
    assert_text(error->help, expected);
    fixture_close(&f);
}

Test(path, absolute_paths_are_refused_even_inside)
{
    fixture f;
    char path[4300];

    fixture_open(&f, "path-absolute");
    (void)snprintf(path, sizeof path, "%s/in", f.folder);
    const ws_diagnostic *error = assert_refused(&f, path, 7103, "`include` is an absolute path");
    assert_text(error->help, "write `in`");
    fixture_close(&f);
}

Test(path, roots_allow_what_is_below_them)
{
    fixture f;
    char shared[4300];
    char absolute[4400];
    const char *roots[] = {"/nonexistent", shared};
    ws_path_roots allowed = {.roots = roots, .count = 2};

    fixture_open(&f, "path-roots");
    (void)snprintf(shared, sizeof shared, "%s/shared", f.top);
    (void)snprintf(absolute, sizeof absolute, "%s/pools.yaml", shared);
    assert_resolves(&f, "../shared/pools.yaml", &allowed, "shared/pools.yaml");
    assert_resolves(&f, "out", &allowed, "shared/pools.yaml");
    assert_resolves(&f, absolute, &allowed, "shared/pools.yaml");
    cr_assert(not(resolve(&f, "/etc/passwd", &allowed)));
    cr_assert(eq(int, f.diag.entries[0].code, 7103));
    ws_diag_init(&f.diag, &f.arena);
    cr_assert(not(resolve(&f, "../shared/absent.yaml", &allowed)));
    cr_assert(eq(int, f.diag.entries[0].code, 6001));
    fixture_close(&f);
}

/* A root that is a link stands for what it leads to. */
Test(path, a_root_may_be_a_link)
{
    fixture f;
    char root[4300];
    const char *roots[] = {root};
    ws_path_roots allowed = {.roots = roots, .count = 1};

    fixture_open(&f, "path-root-link");
    run_in(f.top, "ln -s shared other");
    (void)snprintf(root, sizeof root, "%s/other", f.top);
    assert_resolves(&f, "../other/pools.yaml", &allowed, "shared/pools.yaml");
    run_in(f.top, "rm other");
    fixture_close(&f);
}

Test(path, urls_are_refused)
{
    fixture f;

    fixture_open(&f, "path-url");
    (void)assert_refused(&f, "https://example.org/pools.yaml", 7103,
                         "`include` is a URL, not a path");
    (void)assert_refused(&f, "file:///etc/passwd", 7103, "`include` is a URL, not a path");
    (void)assert_refused(&f, "a b://x", 6001, "cannot read `a b://x`: no such file");
    fixture_close(&f);
}

Test(path, what_cannot_be_a_path)
{
    fixture f;

    fixture_open(&f, "path-form");
    (void)assert_refused(&f, "", 6001, "`include` names no file");
    (void)assert_refused(&f, "gone", 6001, "cannot read `gone`: no such file");
    (void)assert_refused(&f, "loop", 6003,
                         "cannot read `loop`: is a symbolic link, or too many of them");
    (void)assert_refused(&f, "in/x", 6001, "cannot read `in/x`: no such file");
    ws_diag_init(&f.diag, &f.arena);
    ws_path_request request = {.path = {.start = "in\0x", .length = 4},
                               .folder = ws_text_of(f.folder),
                               .key = WS_TEXT("include")};
    cr_assert(not(ws_path_resolve(&f.resolved, &request, &f.arena, &f.diag)));
    assert_text(f.diag.entries[0].message, "`include` has a NUL byte in its path");
    fixture_close(&f);
}

Test(path, a_very_long_path_is_a_diagnosis)
{
    fixture f;
    char path[8001];

    memset(path, 'x', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    fixture_open(&f, "path-long");
    cr_assert(not(resolve(&f, path, NULL)));
    cr_assert(eq(int, f.diag.entries[0].code, 6003));
    fixture_close(&f);
}

/* A folder's name that a shell would take apart is not pasted into the proposed flag. */
Test(path, hostile_names_stay_out_of_the_flag)
{
    fixture f;

    fixture_open(&f, "path-hostile");
    const ws_diagnostic *error = assert_refused(&f, "../$(reboot)/x", 7103,
                                                "`include` leaves the directory of the scenario");
    assert_text(error->help, "pass `--allow-root FOLDER` to allow this directory");
    fixture_close(&f);
}

/* Reads the path `quoted` of a bad scenario as if it lay in the scratch folder; returns what is
 * printed. */
static ws_text printed(fixture *f, const char *name, const char *key, const char *quoted)
{
    char yaml[300];
    char path[4096];

    (void)snprintf(yaml, sizeof yaml, "vectors/scenario/bad/%s.yaml", name);
    if (ws_test_shared(yaml, path, sizeof path) == NULL) {
        cr_skip_test();
    }
    ws_text content = ws_test_load(path);
    const char *found = strstr(content.start, quoted);
    cr_assert(found != NULL);
    ws_source source = {.name = ws_arena_format(&f->arena, "%s.yaml", name), .content = content};
    size_t from = (size_t)(found - content.start);
    ws_span at = ws_span_of_bytes(&source, from, from + strlen(quoted));
    ws_path_request request = {.path = ws_text_of(quoted),
                               .folder = ws_text_of(f->folder),
                               .key = ws_text_of(key),
                               .at = at};
    cr_assert(not(ws_path_resolve(&f->resolved, &request, &f->arena, &f->diag)));
    cr_assert(eq(sz, f->diag.count, 1));
    ws_text text = ws_diagnostic_print(&f->diag.entries[0], false, &f->arena);
    free((void *)content.start);
    return text;
}

/* The expected text with one folder put in place of another. */
static ws_text expected(fixture *f, const char *name, const char *from, const char *to)
{
    char stderr_name[300];
    char path[4096];

    (void)snprintf(stderr_name, sizeof stderr_name, "vectors/scenario/bad/%s.stderr", name);
    if (ws_test_shared(stderr_name, path, sizeof path) == NULL) {
        cr_skip_test();
    }
    ws_text content = ws_test_load(path);
    const char *found = strstr(content.start, from);
    cr_assert(found != NULL);
    ws_text replaced = ws_arena_format(&f->arena, "%.*s%s%s", (int)(found - content.start),
                                       content.start, to, found + strlen(from));
    free((void *)content.start);
    return replaced;
}

Test(path, a_missing_file_reads_as_documented)
{
    fixture f;

    fixture_open(&f, "path-missing");
    ws_text wanted = expected(&f, "28-file-not-found", "/home/ada/exp", f.folder);
    ws_text found = printed(&f, "28-file-not-found", "calibration", "calibration/h100-ib40.json");
    cr_assert(ws_text_equals(ws_text_trimmed(found), ws_text_trimmed(wanted)), "%.*s",
              WS_TEXT_ARGS(found));
    fixture_close(&f);
}

/* The documented text has /home/ada/shared for a path two folders up from /home/ada/exp, which is
 * /home/shared: all but that last line is compared, and the flag by what the path leads to. */
Test(path, an_escape_reads_as_documented)
{
    fixture f;
    char up[4096];

    fixture_open(&f, "path-escape");
    ws_text wanted = expected(&f, "29-path-escapes", "/home/ada/exp", f.folder);
    ws_text found = printed(&f, "29-path-escapes", "include", "../../shared/pools.yaml");
    const char *help = strstr(wanted.start, "--allow-root");
    cr_assert(help != NULL);
    size_t length = (size_t)(help - wanted.start);
    cr_assert(ws_text_equals(ws_text_slice(found, 0, length), ws_text_slice(wanted, 0, length)),
              "%.*s", WS_TEXT_ARGS(found));
    (void)snprintf(up, sizeof up, "%s", f.top);
    *strrchr(up, '/') = '\0';
    ws_text flag =
        ws_arena_format(&f.arena, "--allow-root %s/shared` to allow this directory\n", up);
    cr_assert(ws_text_ends_with(found, flag), "%.*s", WS_TEXT_ARGS(found));
    fixture_close(&f);
}
