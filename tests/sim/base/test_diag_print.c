/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The printer of diagnostics against the 33 texts of vectors/scenario/bad/ (each .stderr beside its
 * .yaml), built by hand here with the spans found in the .yaml, and the traps of the same
 * reference: characters, byte-order mark, CRLF, hostile text, long lines.
 */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/arena_suite.h"
#include "support/support.h"
#include "ws/diag.h"

typedef struct {
    int line;
    const char *text; /* what is underlined */
    int occurrence;   /* in the line, from 1 */
} place;

typedef struct {
    const char *file;
    ws_severity severity;
    int code;
    const char *message;
    place at;
    const char *label;
    place also;
    const char *also_label;
    const char *help;
    const char *notes[2];
} example;

static const example examples[] = {
    /* clang-format off */
    {.file = "01-unknown-key", .severity = WS_SEVERITY_ERROR, .code = 2101,
     .message = "unknown key `polices` in a scenario",
     .at = {87, "polices", 1}, .label = "not a key here",
     .help = "did you mean `policies`?"},
    {.file = "02-unknown-nested-key", .severity = WS_SEVERITY_ERROR, .code = 2101,
     .message = "unknown key `min_nodes` in `cluster.pools[0].nodes`",
     .at = {26, "min_nodes", 1}, .label = "not a key here",
     .help = "did you mean `min`?",
     .notes = {"keys of `nodes` are `initial`, `min`, `max`"}},
    {.file = "03-tab-indent", .severity = WS_SEVERITY_ERROR, .code = 1102,
     .message = "a tab is used for indentation",
     .at = {51, "\t", 1}, .label = "YAML allows only spaces here",
     .help = "replace the tab by 2 spaces"},
    {.file = "04-missing-colon", .severity = WS_SEVERITY_ERROR, .code = 1104,
     .message = "expected `:` after a key",
     .at = {11, "horizon", 1}, .label = "key without a value",
     .help = "write `horizon: 7d`"},
    {.file = "05-duplicate-key", .severity = WS_SEVERITY_ERROR, .code = 1201,
     .message = "key `seed` appears twice in the same mapping",
     .at = {10, "seed", 1}, .label = "second value",
     .also = {9, "seed", 1}, .also_label = "first value is here",
     .notes = {"many YAML tools keep the last value silently; worldsize never guesses"}},
    {.file = "06-unit-missing", .severity = WS_SEVERITY_ERROR, .code = 3101,
     .message = "`horizon` is a time and needs a unit",
     .at = {11, "604800", 1}, .label = "a number without a unit",
     .help = "write `604800s`, or `7d` for the same length"},
    {.file = "07-unit-unknown", .severity = WS_SEVERITY_ERROR, .code = 3102,
     .message = "`days` is not a time unit",
     .at = {11, "7days", 1}, .label = "unknown unit",
     .help = "write `7d`",
     .notes = {"time units are ns, us, ms, s, m (or min), h, d, w"}},
    {.file = "08-unit-ambiguous-case", .severity = WS_SEVERITY_ERROR, .code = 3103,
     .message = "`gb/s` could mean gigabits or gigabytes per second",
     .at = {46, "400gb/s", 1}, .label = "the case of the letters carries the meaning",
     .help = "`400Gb/s` is 50 GB/s (bits); `400GB/s` is 3.2 Tb/s (bytes)"},
    {.file = "09-price-without-unit", .severity = WS_SEVERITY_ERROR, .code = 3104,
     .message = "a price needs a currency and a time, per GPU or per node",
     .at = {27, "2.99", 1}, .label = "no currency, no time",
     .help = "write `$2.99/h`"},
    {.file = "10-price-twice", .severity = WS_SEVERITY_ERROR, .code = 2301,
     .message = "`price` has both `per_gpu` and `per_node`",
     .at = {27, "per_node", 1}, .label = "remove this one",
     .also = {27, "per_gpu", 1}, .also_label = "or this one",
     .notes = {"with `gpu.per_node: 8` the two disagree: 8 x $2.99/h is $23.92/h, not $24.00/h"}},
    {.file = "11-percent-as-number", .severity = WS_SEVERITY_ERROR, .code = 3105,
     .message = "`confidence` is a fraction between 0 and 1",
     .at = {133, "95", 1}, .label = "95 is more than 1",
     .help = "write `95%` or `0.95`"},
    {.file = "12-yaml11-boolean", .severity = WS_SEVERITY_ERROR, .code = 2204,
     .message = "`on_preempt` is true or false",
     .at = {73, "yes", 1}, .label = "`yes` is a string in YAML 1.2",
     .help = "write `true`"},
    {.file = "13-missing-required", .severity = WS_SEVERITY_ERROR, .code = 2102,
     .message = "policy `fixed-64` has no `type`",
     .at = {88, "name: fixed-64", 1}, .label = "this policy",
     .help = "add `type:`, one of static, hpa, queue, marginal-cost, predictive, oracle, exec"},
    {.file = "14-bad-enum", .severity = WS_SEVERITY_ERROR, .code = 2203,
     .message = "`elastic` is not an elasticity mode",
     .at = {63, "elastic", 2}, .label = "unknown mode",
     .help = "`malleable` resizes while running; `moldable` picks a size once at the start; `rigid` never changes",
     .notes = {"see `worldsize explain WS2203`"}},
    {.file = "15-unknown-reference", .severity = WS_SEVERITY_ERROR, .code = 4101,
     .message = "policy `hpa-queue` targets pool `h100-ondemand`, which does not exist",
     .at = {95, "h100-ondemand", 1}, .label = "no pool has this name",
     .help = "pools are `h100-od`, `h100-spot`; did you mean `h100-od`?"},
    {.file = "16-duplicate-policy", .severity = WS_SEVERITY_ERROR, .code = 4102,
     .message = "two policies are named `hpa-queue`",
     .at = {122, "hpa-queue", 1}, .label = "second use",
     .also = {92, "hpa-queue", 1}, .also_label = "first use is here",
     .notes = {"policy names become file names and CSV keys and must be unique"}},
    {.file = "17-warmup-too-long", .severity = WS_SEVERITY_ERROR, .code = 4201,
     .message = "`warmup` is not shorter than `horizon`: nothing would be measured",
     .at = {12, "6h", 1}, .label = "6 h of warm-up",
     .also = {11, "5h", 1}, .also_label = "in a run of 5 h"},
    {.file = "18-initial-above-max", .severity = WS_SEVERITY_ERROR, .code = 4202,
     .message = "`initial` is above `max` in pool `h100-od`",
     .at = {26, "24", 1}, .label = "24 nodes at the start",
     .also = {26, "16", 1}, .also_label = "but at most 16"},
    {.file = "19-quantiles-crossed", .severity = WS_SEVERITY_ERROR, .code = 3201,
     .message = "a lognormal needs `p95` above `median`",
     .at = {18, "24s", 1}, .label = "95% of draws are below this",
     .also = {18, "95s", 1}, .also_label = "yet half of them are above this",
     .help = "was `240s` meant?"},
    {.file = "20-distribution-overspecified", .severity = WS_SEVERITY_ERROR, .code = 3202,
     .message = "a lognormal takes two of `median`, `mean`, `sd`, `p90`, `p95`, `p99`; three are given",
     .at = {18, "sd", 1}, .label = "remove one",
     .notes = {"`median: 95s, p95: 240s` alone already gives sd 68.1 s (mean 111.3 s)"}},
    {.file = "21-indivisible-size", .severity = WS_SEVERITY_ERROR, .code = 4203,
     .message = "`min: 12` GPUs cannot be split over tensor x pipeline = 8 x 1",
     .at = {63, "12", 1}, .label = "not a multiple of 8",
     .also = {68, "tensor: 8", 1}, .also_label = "the stage `warm-up` asks for this",
     .help = "use 8 or 16"},
    {.file = "22-job-larger-than-cluster", .severity = WS_SEVERITY_WARNING, .code = 4301,
     .message = "job `pretrain-7b` may ask for 1024 GPUs; all pools together reach 384",
     .at = {63, "1024", 1}, .label = "sizes above 384 never happen",
     .notes = {"h100-od 16 x 8 + h100-spot 32 x 8 = 384; `--strict` makes this an error"}},
    {.file = "23-both-jobs-and-trace", .severity = WS_SEVERITY_ERROR, .code = 2302,
     .message = "`workload` has both `jobs` and `trace`",
     .at = {57, "trace", 1}, .label = "keep one",
     .also = {59, "jobs", 1}, .also_label = "or the other",
     .help = "to add jobs to a trace, use `worldsize trace merge`"},
    {.file = "24-hpa-old-version", .severity = WS_SEVERITY_ERROR, .code = 5101,
     .message = "HPA manifests must be `autoscaling/v2`",
     .at = {104, "autoscaling/v2beta2", 1}, .label = "removed in Kubernetes 1.26",
     .help = "`kubectl convert -f hpa.yaml --output-version autoscaling/v2`, or change this line: the `spec` used here is the same in v2"},
    {.file = "25-hpa-window-range", .severity = WS_SEVERITY_ERROR, .code = 5203,
     .message = "`stabilizationWindowSeconds` is at most 3600",
     .at = {120, "7200", 1}, .label = "the API server would reject this manifest",
     .notes = {"worldsize applies the same limits as Kubernetes, so that what you simulate can be deployed"}},
    {.file = "26-hpa-min-above-max", .severity = WS_SEVERITY_ERROR, .code = 5202,
     .message = "`minReplicas` is above `maxReplicas`",
     .at = {112, "40", 1}, .label = "40",
     .also = {113, "32", 1}, .also_label = "32"},
    {.file = "27-hpa-metric-unmapped", .severity = WS_SEVERITY_ERROR, .code = 5301,
     .message = "HPA metric `queue_gpus` is not mapped to anything worldsize simulates",
     .at = {116, "queue_gpus", 1}, .label = "External metric without a source",
     .help = "add `metrics: {queue_gpus: pending_gpus}` to the policy",
     .notes = {"`worldsize policy metrics` lists the signals that can be mapped"}},
    {.file = "28-file-not-found", .severity = WS_SEVERITY_ERROR, .code = 6001,
     .message = "cannot read `calibration/h100-ib40.json`: no such file",
     .at = {45, "calibration/h100-ib40.json", 1}, .label = "looked in /home/ada/exp/calibration/h100-ib40.json",
     .help = "did you mean `calibration/h100-ib400.json`?",
     .notes = {"paths are relative to the scenario file, not to the current directory"}},
    {.file = "29-path-escapes", .severity = WS_SEVERITY_ERROR, .code = 7103,
     .message = "`include` leaves the directory of the scenario",
     .at = {9, "../../shared/pools.yaml", 1}, .label = "outside /home/ada/exp",
     .help = "pass `--allow-root /home/ada/shared` to allow this directory"},
    {.file = "30-exec-refused", .severity = WS_SEVERITY_ERROR, .code = 7101,
     .message = "policy `marginal-cost` runs a program, which is off by default",
     .at = {123, "exec", 1}, .label = "would run: python3 my_policy.py",
     .help = "read the program, then pass `--allow-exec=marginal-cost`",
     .notes = {"scenario files from others are data; worldsize starts nothing they name unless told to"}},
    {.file = "31-alias-expansion", .severity = WS_SEVERITY_ERROR, .code = 1301,
     .message = "aliases expand this file beyond its limit of 100000 nodes",
     .at = {20, "*d", 8}, .label = "the limit is passed here",
     .notes = {"expanded nodes are counted, not built; use `include:` or a trace file for large data"}},
    {.file = "32-schema-from-the-future", .severity = WS_SEVERITY_ERROR, .code = 2001,
     .message = "this file is `worldsize.scenario/v2`; worldsize 1.3.0 reads v1",
     .at = {3, "worldsize.scenario/v2", 1}, .label = "newer than this program",
     .help = "upgrade worldsize, or write `worldsize.scenario/v1`"},
    {.file = "33-one-replication", .severity = WS_SEVERITY_WARNING, .code = 4302,
     .message = "one replication gives no confidence intervals",
     .at = {10, "1", 1}, .label = "the report will show points without intervals",
     .help = "10 is a useful start; `worldsize compare --target-half-width 2%` picks the number"},
    /* clang-format on */
};

WS_TEST_ARENA_SUITE(diag_print);

static ws_span find_place(const ws_source *source, const place *where)
{
    const char *at = source->content.start;

    if (where->text == NULL) {
        return ws_span_none;
    }
    for (int line = 1; line < where->line; line++) {
        at = strchr(at, '\n') + 1;
    }
    at = strstr(at, where->text);
    for (int i = 1; i < where->occurrence; i++) {
        at = strstr(at + 1, where->text);
    }
    size_t from = (size_t)(at - source->content.start);
    return ws_span_of_bytes(source, from, from + strlen(where->text));
}

static void check_example(const example *wanted)
{
    char relative[200];
    char path[1000];
    char name[100];
    ws_source source;

    (void)snprintf(relative, sizeof relative, "vectors/scenario/bad/%s.stderr", wanted->file);
    cr_assert(ne(ptr, (void *)ws_test_shared(relative, path, sizeof path), NULL));
    ws_text expected = ws_test_load(path);
    strcpy(strrchr(path, '.'), ".yaml");
    ws_text content = ws_test_load(path);
    (void)snprintf(name, sizeof name, "%s.yaml", wanted->file);
    source = (ws_source){.name = ws_text_of(name), .content = content};

    ws_diagnostic diagnostic = {
        .severity = wanted->severity,
        .code = wanted->code,
        .message = ws_text_of(wanted->message),
        .at = find_place(&source, &wanted->at),
        .label = ws_text_of(wanted->label),
        .also = find_place(&source, &wanted->also),
        .also_label = ws_text_of(wanted->also_label),
        .help = ws_text_of(wanted->help),
        .notes = {ws_text_of(wanted->notes[0]), ws_text_of(wanted->notes[1])},
    };
    ws_text printed = ws_diagnostic_print(&diagnostic, false, &arena);
    cr_expect(eq(str, (char *)printed.start, (char *)expected.start));
    free((void *)expected.start);
    free((void *)content.start);
}

Test(diag_print, reproduces_the_33_examples)
{
    char path[1000];

    if (ws_test_shared("vectors/scenario/bad", path, sizeof path) == NULL) {
        cr_skip_test();
    }
    cr_assert(eq(sz, WS_COUNT_OF(examples), 33));
    for (size_t i = 0; i < WS_COUNT_OF(examples); i++) {
        check_example(&examples[i]);
    }
}

static ws_source source_of(const char *content, size_t length)
{
    return (ws_source){.name = WS_TEXT("s.yaml"), .content = {content, length}};
}

static const char *print_at(const ws_source *source, size_t from, size_t to, const char *label)
{
    ws_diagnostic diagnostic = {
        .severity = WS_SEVERITY_ERROR,
        .code = 2101,
        .message = WS_TEXT("m"),
        .at = ws_span_of_bytes(source, from, to),
        .label = ws_text_of(label),
    };
    return ws_diagnostic_print(&diagnostic, false, &arena).start;
}

Test(diag_print, columns_count_characters)
{
    static const char text[] = "\xC3\xA9\xF0\x9F\x98\x80: bad";
    ws_source source = source_of(text, sizeof text - 1);

    cr_assert(eq(str, (char *)print_at(&source, 8, 11, "here"),
                 "error[WS2101]: m\n"
                 " --> s.yaml:1:5\n"
                 "  |\n"
                 "1 | \xC3\xA9\xF0\x9F\x98\x80: bad\n"
                 "  |     ^^^ here\n"));
}

Test(diag_print, crlf_and_byte_order_mark_do_not_show)
{
    static const char text[] = "\xEF\xBB\xBFkey: 1\r\nnext: 2\r\n";
    ws_source source = source_of(text, sizeof text - 1);

    cr_assert(eq(str, (char *)print_at(&source, 3, 6, NULL),
                 "error[WS2101]: m\n --> s.yaml:1:1\n  |\n1 | key: 1\n  | ^^^\n"));
    cr_assert(eq(str, (char *)print_at(&source, 11, 15, NULL),
                 "error[WS2101]: m\n --> s.yaml:2:1\n  |\n2 | next: 2\n  | ^^^^\n"));
}

/* An escape of four columns before the span moves the carets, not the column; nothing raw is left
 * anywhere. */
Test(diag_print, hostile_text_is_escaped)
{
    static const char text[] = "\x1b[31m\t\xff\xE2\x80\xAE"
                               "bad";
    ws_source source = {.name = {"e\x1b.yaml", 7}, .content = {text, sizeof text - 1}};
    ws_diagnostic diagnostic = {
        .severity = WS_SEVERITY_ERROR,
        .code = 2101,
        .message = WS_TEXT("unknown key `\x1b]0;x\x07`"),
        .at = ws_span_of_bytes(&source, 10, 13),
        .label = WS_TEXT("\r"),
        .help = WS_TEXT("\x9b"),
    };
    ws_text printed = ws_diagnostic_print(&diagnostic, false, &arena);

    cr_assert(eq(str, (char *)printed.start,
                 "error[WS2101]: unknown key `\\x1b]0;x\\x07`\n"
                 " --> e\\x1b.yaml:1:9\n"
                 "  |\n"
                 "1 | \\x1b[31m\xE2\x86\x92\\xff\\u202ebad\n"
                 "  |                    ^^^ \\x0d\n"
                 "  |\n"
                 "  = help: \\x9b\n"));
}

Test(diag_print, a_value_that_is_missing_is_marked_behind_the_line)
{
    ws_source source = source_of("a:\nb: 1\n", 8);

    cr_assert(eq(str, (char *)print_at(&source, 2, 2, "no value"),
                 "error[WS2101]: m\n --> s.yaml:1:3\n  |\n1 | a:\n  |   ^ no value\n"));
}

Test(diag_print, an_empty_line_has_no_trailing_blank)
{
    ws_source source = source_of("a: 1\n\n", 6);

    cr_assert(eq(str, (char *)print_at(&source, 5, 5, "x"),
                 "error[WS2101]: m\n --> s.yaml:2:1\n  |\n2 |\n  | ^ x\n"));
}

/* 300 columns, the span in the middle: 114 columns of the line between two "...", 120 in all, and
 * the mark under the Z's. */
Test(diag_print, a_long_line_is_cut_around_its_span)
{
    char text[301];
    char expected[600];
    char left[56];
    ws_source source;

    memset(text, 'a', 300);
    memcpy(text + 150, "ZZZZ", 4);
    text[300] = '\0';
    source = source_of(text, 300);
    memset(left, 'a', 55);
    left[55] = '\0';
    (void)snprintf(
        expected, sizeof expected,
        "error[WS2101]: m\n --> s.yaml:1:151\n  |\n1 | ...%sZZZZ%s...\n  |    %*s^^^^ l\n", left,
        left, 55, "");
    cr_assert(eq(str, (char *)print_at(&source, 150, 154, "l"), expected));
}

Test(diag_print, a_line_of_120_columns_is_not_cut)
{
    char text[122];
    ws_source source;

    memset(text, 'a', 121);
    text[121] = '\0';
    source = source_of(text, 120);
    cr_assert(eq(ptr, strstr(print_at(&source, 119, 120, NULL), "..."), NULL));
    source = source_of(text, 121);
    cr_assert(ne(ptr, strstr(print_at(&source, 119, 120, NULL), "..."), NULL));
}

/* Too far apart for one window: the line is quoted twice. */
Test(diag_print, two_places_far_apart_in_one_line)
{
    char text[1001];
    ws_source source;
    ws_diagnostic diagnostic = {
        .code = 2301, .severity = WS_SEVERITY_ERROR, .message = WS_TEXT("m")};
    const char *printed = NULL;

    memset(text, 'a', 1000);
    text[0] = 'X';
    text[999] = 'Y';
    text[1000] = '\0';
    source = source_of(text, 1000);
    diagnostic.at = ws_span_of_bytes(&source, 999, 1000);
    diagnostic.also = ws_span_of_bytes(&source, 0, 1);
    printed = ws_diagnostic_print(&diagnostic, false, &arena).start;
    cr_assert(ne(ptr, strstr(printed, "1 | Xaaa"), NULL));
    cr_assert(ne(ptr, strstr(printed, "aaaY\n"), NULL));
    cr_assert(lt(sz, strlen(printed), 700));
}

Test(diag_print, a_span_wider_than_the_window_ends_with_it)
{
    char text[1001];
    ws_source source;
    const char *printed = NULL;

    memset(text, 'a', 1000);
    text[1000] = '\0';
    source = source_of(text, 1000);
    printed = print_at(&source, 100, 900, NULL);
    cr_assert(lt(sz, strlen(printed), 400));
    cr_assert(ne(ptr, strstr(printed, "^^^^^^^^^^\n"), NULL));
}

Test(diag_print, two_files_are_shown_one_after_the_other)
{
    ws_source first = source_of("a: 1\n", 5);
    ws_source second = {.name = WS_TEXT("pools.yaml"),
                        .content = WS_TEXT("\n\n\n\n\n\n\n\n\n\na: 2\n")};
    ws_diagnostic diagnostic = {
        .severity = WS_SEVERITY_ERROR,
        .code = 2401,
        .message = WS_TEXT("`a` is set twice"),
        .at = ws_span_of_bytes(&first, 3, 4),
        .label = WS_TEXT("here"),
        .also = ws_span_of_bytes(&second, 13, 14),
        .also_label = WS_TEXT("and here"),
    };

    cr_assert(eq(str, (char *)ws_diagnostic_print(&diagnostic, false, &arena).start,
                 "error[WS2401]: `a` is set twice\n"
                 "  --> s.yaml:1:4\n"
                 "   |\n"
                 " 1 | a: 1\n"
                 "   |    ^ here\n"
                 "   |\n"
                 "  ::: pools.yaml:11:4\n"
                 "   |\n"
                 "11 | a: 2\n"
                 "   |    - and here\n"));
}

Test(diag_print, a_whole_file_has_a_name_and_no_line)
{
    ws_source source = source_of("# nothing\n", 10);
    ws_diagnostic diagnostic = {
        .severity = WS_SEVERITY_ERROR,
        .code = 2002,
        .message = WS_TEXT("the file holds no scenario"),
        .at = {.source = &source},
        .help = WS_TEXT("begin with\nschema: worldsize.scenario/v1"),
    };

    cr_assert(eq(str, (char *)ws_diagnostic_print(&diagnostic, false, &arena).start,
                 "error[WS2002]: the file holds no scenario\n"
                 " --> s.yaml\n"
                 "  |\n"
                 "  = help: begin with\n"
                 "          schema: worldsize.scenario/v1\n"));
}

Test(diag_print, a_line_without_content_keeps_its_label)
{
    ws_source source = {.name = WS_TEXT("jobs.csv")};
    ws_diagnostic diagnostic = {
        .severity = WS_SEVERITY_WARNING,
        .code = 6103,
        .message = WS_TEXT("m"),
        .at = {.source = &source, .line = 5021, .column = 3, .length = 2},
        .label = WS_TEXT("three fields"),
    };

    cr_assert(
        eq(str, (char *)ws_diagnostic_print(&diagnostic, false, &arena).start,
           "warning[WS6103]: m\n    --> jobs.csv:5021:3\n     |\n     = note: three fields\n"));
}

Test(diag_print, no_place_at_all)
{
    ws_diagnostic diagnostic = {
        .severity = WS_SEVERITY_NOTE, .message = WS_TEXT("m"), .notes = {WS_TEXT("because")}};

    cr_assert(eq(str, (char *)ws_diagnostic_print(&diagnostic, false, &arena).start,
                 "note: m\n  = note: because\n"));
}

Test(diag_print, colour_adds_only_escapes)
{
    ws_source source = source_of("a: 1\n", 5);
    ws_diagnostic diagnostic = {
        .severity = WS_SEVERITY_ERROR,
        .code = 2101,
        .message = WS_TEXT("m"),
        .at = ws_span_of_bytes(&source, 0, 1),
        .label = WS_TEXT("l"),
        .help = WS_TEXT("h"),
    };
    ws_text plain = ws_diagnostic_print(&diagnostic, false, &arena);
    ws_text coloured = ws_diagnostic_print(&diagnostic, true, &arena);
    char stripped[500];
    size_t length = 0;

    for (size_t i = 0; i < coloured.length; i++) {
        if (coloured.start[i] == '\x1b') {
            i += strcspn(coloured.start + i, "m");
        } else {
            stripped[length] = coloured.start[i];
            length++;
        }
    }
    stripped[length] = '\0';
    cr_assert(gt(sz, coloured.length, plain.length));
    cr_assert(eq(str, stripped, (char *)plain.start));
}

Test(diag_print, without_memory_there_is_no_text)
{
    ws_arena none;
    ws_diagnostic diagnostic = {.severity = WS_SEVERITY_ERROR, .message = WS_TEXT("m")};

    ws_arena_init(&none, &ws_allocator_default, 0);
    cr_assert(eq(ptr, (void *)ws_diagnostic_print(&diagnostic, false, &none).start, NULL));
}
