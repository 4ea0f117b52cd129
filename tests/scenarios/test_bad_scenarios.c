/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kinds of faults of vectors/scenario/bad/, each put into the quickstart, and the whole text
 * that is printed for it. The words are those of the vectors, copied by hand, with the names of the
 * quickstart; where they differ by more than a name, the case says why. Line and column of a fault
 * are counted here, from the place that a case marks.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/edited.h"
#include "support/support.h"
#include "ws/metric.h"
#include "ws/policies.h"

typedef struct {
    const char *slug;
    const char *severity;
    int code;
    ws_edit edit;
    const char *message;
    const char *at; /* a text that is there once, the place between « and » */
    const char *label;
    const char *also; /* likewise, or NULL */
    const char *also_label;
    const char *help; /* NULL: none */
    const char *notes[2];
    const char *differs; /* why the words are not the vector's; NULL: they are */
} bad_case;

/* $folder, $parent, $policies, $metrics stand for what only a run of the test knows. */
static const bad_case cases[] = {
    {.slug = "01-unknown-key",
     .severity = "error",
     .code = 2101,
     .edit = {"policies:\n", "polices:\n"},
     .message = "unknown key `polices` in a scenario",
     .at = "«polices»:",
     .label = "not a key here",
     .help = "did you mean `policies`?"},
    {.slug = "02-unknown-nested-key",
     .severity = "error",
     .code = 2101,
     .edit = {"nodes: {initial: 12, min: 4,", "nodes: {initial: 12, min_nodes: 4,"},
     .message = "unknown key `min_nodes` in `cluster.pools[0].nodes`",
     .at = "«min_nodes»:",
     .label = "not a key here",
     .help = "did you mean `min`?",
     .notes = {"keys of `nodes` are `initial`, `min`, `max`"}},
    {.slug = "03-tab-indent",
     .severity = "error",
     .code = 1102,
     .edit = {"storage:\n  checkpoint:", "storage:\n\tcheckpoint:"},
     .message = "a tab is used for indentation",
     .at = "storage:\n«\t»checkpoint:",
     .label = "YAML allows only spaces here",
     .help = "replace the tab by 2 spaces"},
    {.slug = "04-missing-colon",
     .severity = "error",
     .code = 1104,
     .edit = {"horizon: 7d", "horizon 7d"},
     .message = "expected `:` after a key",
     .at = "«horizon» 7d",
     .label = "key without a value",
     .help = "write `horizon: 7d`"},
    {.slug = "05-duplicate-key",
     .severity = "error",
     .code = 1201,
     .edit = {"replications: 20 ", "seed: 7\nreplications: 20 "},
     .message = "key `seed` appears twice in the same mapping",
     .at = "«seed»: 7\n",
     .label = "second value",
     .also = "«seed»: 42",
     .also_label = "first value is here",
     .notes = {"many YAML tools keep the last value silently; worldsize never guesses"}},
    {.slug = "06-unit-missing",
     .severity = "error",
     .code = 3101,
     .edit = {"horizon: 7d", "horizon: 604800"},
     .message = "`horizon` is a time and needs a unit",
     .at = "horizon: «604800»",
     .label = "a number without a unit",
     .help = "write `604800s`, or `7d` for the same length"},
    {.slug = "07-unit-unknown",
     .severity = "error",
     .code = 3102,
     .edit = {"horizon: 7d", "horizon: 7days"},
     .message = "`days` is not a time unit",
     .at = "horizon: «7days»",
     .label = "unknown unit",
     .help = "write `7d`",
     .notes = {"time units are ns, us, ms, s, m (or min), h, d, w"}},
    {.slug = "08-unit-ambiguous-case",
     .severity = "error",
     .code = 3103,
     .edit = {"write: {bandwidth: 4GB/s", "write: {bandwidth: 400gb/s"},
     .message = "`gb/s` could mean gigabits or gigabytes per second",
     .at = "write: {bandwidth: «400gb/s»",
     .label = "the case of the letters carries the meaning",
     .help = "`400Gb/s` is 50 GB/s (bits); `400GB/s` is 3.2 Tb/s (bytes)"},
    {.slug = "09-price-without-unit",
     .severity = "error",
     .code = 3104,
     .edit = {"per_gpu: $2.99/h", "per_gpu: 2.99"},
     .message = "a price needs a currency and a time, per GPU or per node",
     .at = "per_gpu: «2.99»",
     .label = "no currency, no time",
     .help = "write `$2.99/h`"},
    {.slug = "10-price-twice",
     .severity = "error",
     .code = 2301,
     .edit = {"{per_gpu: $2.99/h,", "{per_gpu: $2.99/h, per_node: $24.00/h,"},
     .message = "`price` has both `per_gpu` and `per_node`",
     .at = "«per_node»: $24.00/h",
     .label = "remove this one",
     .also = "«per_gpu»: $2.99/h",
     .also_label = "or this one",
     .notes = {"with `gpu.per_node: 8` the two disagree: 8 x $2.99/h is $23.92/h, not $24.00/h"}},
    {.slug = "11-percent-as-number",
     .severity = "error",
     .code = 3105,
     .edit = {"confidence: 95%", "confidence: 95"},
     .message = "`confidence` is a fraction between 0 and 1",
     .at = "confidence: «95»",
     .label = "95 is more than 1",
     .help = "write `95%` or `0.95`"},
    {.slug = "12-yaml11-boolean",
     .severity = "error",
     .code = 2204,
     .edit = {"checkpoint: {every: 30m, size: 94GiB}",
              "checkpoint: {every: 30m, size: 94GiB, before_resize: yes}"},
     .message = "`before_resize` is true or false",
     .at = "before_resize: «yes»",
     .label = "`yes` is a string in YAML 1.2",
     .help = "write `true`",
     .differs = "another key"},
    {.slug = "13-missing-required",
     .severity = "error",
     .code = 2102,
     .edit = {"    type: fixed\n", ""},
     .message = "policy `fixed-12-nodes` has no `type`",
     .at = "- «name: fixed-12-nodes»",
     .label = "this policy",
     .help = "add `type:`, one of $policies",
     .differs = "other names and types"},
    {.slug = "14-bad-enum",
     .severity = "error",
     .code = 2203,
     .edit = {"mode: restart", "mode: elastic"},
     .message = "`elastic` is not an elasticity mode",
     .at = "mode: «elastic»",
     .label = "unknown mode",
     .help = "`rigid` never changes its size; `moldable` chooses it at the start; `restart` stops "
             "every worker and starts all at the new size",
     .notes = {"see `worldsize explain WS2203`"},
     .differs = "other modes"},
    {.slug = "15-unknown-reference",
     .severity = "error",
     .code = 4101,
     .edit = {"target: {pool: h100}\n    nodes: 12",
              "target: {pool: h100-ondemand}\n    nodes: 12"},
     .message = "policy `fixed-12-nodes` targets pool `h100-ondemand`, which does not exist",
     .at = "pool: «h100-ondemand»",
     .label = "no pool has this name",
     .help = "the only pool is `h100`",
     .differs = "other names, and one pool"},
    {.slug = "16-duplicate-policy",
     .severity = "error",
     .code = 4102,
     .edit = {"name: hpa-on-requested", "name: hpa-on-pending"},
     .message = "two policies are named `hpa-on-pending`",
     .at = "name: «hpa-on-pending»\n    type: hpa\n    target: {pool: h100}\n    metrics: "
           "[{external: requested_gpus,",
     .label = "second use",
     .also = "name: «hpa-on-pending»\n    type: hpa\n    target: {pool: h100}\n    metrics: "
             "[{external: pending_gpus,",
     .also_label = "first use is here",
     .notes = {"policy names become file names and CSV keys and must be unique"},
     .differs = "another name"},
    {.slug = "17-warmup-too-long",
     .severity = "error",
     .code = 4201,
     .edit = {"horizon: 7d", "warmup: 6h\nhorizon: 5h"},
     .message = "`warmup` is not shorter than `horizon`: nothing would be measured",
     .at = "warmup: «6h»",
     .label = "6 h of warm-up",
     .also = "horizon: «5h»",
     .also_label = "in a run of 5 h"},
    {.slug = "18-initial-above-max",
     .severity = "error",
     .code = 4202,
     .edit = {"initial: 12, min: 4, max: 24}", "initial: 34, min: 4, max: 24}"},
     .message = "`initial` is above `max` in pool `h100`",
     .at = "nodes: {initial: «34»",
     .label = "34 nodes at the start",
     .also = "initial: 34, min: 4, max: «24»",
     .also_label = "but at most 24",
     .differs = "another pool and other numbers"},
    {.slug = "19-quantiles-crossed",
     .severity = "error",
     .code = 3201,
     .edit = {"median: 95s, p95: 240s", "median: 95s, p95: 24s"},
     .message = "a lognormal needs `p95` above `median`",
     .at = "median: 95s, p95: «24s»",
     .label = "95% of draws are below this",
     .also = "median: «95s», p95: 24s",
     .also_label = "yet half of them are above this",
     .help = "was `240s` meant?"},
    {.slug = "20-distribution-overspecified",
     .severity = "error",
     .code = 3202,
     .edit = {"median: 95s, p95: 240s", "median: 95s, p95: 240s, sd: 60s"},
     .message = "a lognormal takes two of `median`, `mean`, `sd`, `p90`, `p95`, `p99`; three are "
                "given",
     .at = "p95: 240s, «sd»: 60s",
     .label = "remove one",
     .notes = {"`median: 95s, p95: 240s` alone already gives sd 68.1 s (mean 111.3 s)"}},
    {.slug = "21-indivisible-size",
     .severity = "error",
     .code = 4203,
     .edit = {"replicas: {initial: 8, min: 2, max: 16}",
              "replicas: {initial: 8, min: 2, max: 16, step: 4}"},
     .message = "`initial: 8` is not a legal size of job `pretrain`",
     .at = "replicas: {initial: «8», min: 2",
     .label = "not 2 plus a multiple of 4",
     .help = "use 6 or 10",
     .differs = "sizes are replicas, each of which is a whole copy of the model"},
    {.slug = "22-job-larger-than-cluster",
     .severity = "warning",
     .code = 4301,
     .edit = {"initial: 12, min: 4, max: 24}", "initial: 12, min: 4, max: 12}"},
     .message = "job `pretrain` may ask for 128 GPUs; all pools together reach 96",
     .at = "replicas: {initial: 8, min: 2, max: «16»",
     .label = "sizes above 12 never happen",
     .notes = {"h100 12 x 8 = 96; `--strict` makes this an error"},
     .differs = "other names and numbers; sizes are replicas"},
    {.slug = "25-hpa-window-range",
     .severity = "error",
     .code = 5203,
     .edit = {"metrics: [{external: pending_gpus, average_value: 8}]",
              "scale_down: {stabilization: 2h}\n"
              "    metrics: [{external: pending_gpus, average_value: 8}]"},
     .message = "`stabilization` is at most 3600s",
     .at = "stabilization: «2h»",
     .label = "the API server would reject this",
     .notes = {"worldsize applies the same limits as Kubernetes, so that what you simulate can be "
               "deployed"},
     .differs = "worldsize's own key, with a unit"},
    {.slug = "26-hpa-min-above-max",
     .severity = "error",
     .code = 5202,
     .edit = {"pending_gpus, average_value: 8}]\n    min: 4\n    max: 24",
              "pending_gpus, average_value: 8}]\n    min: 40\n    max: 32"},
     .message = "`min` is above `max`",
     .at = "min: «40»",
     .label = "40",
     .also = "max: «32»",
     .also_label = "32",
     .differs = "worldsize's own keys"},
    {.slug = "27-hpa-metric-unmapped",
     .severity = "error",
     .code = 5301,
     .edit = {"external: pending_gpus", "external: queue_depth"},
     .message = "metric `queue_depth` is not anything that worldsize simulates",
     .at = "external: «queue_depth»",
     .label = "unknown metric",
     .help = "metrics are $metrics",
     .differs = "worldsize's own keys name its metrics; there is nothing to map"},
    {.slug = "28-file-not-found",
     .severity = "error",
     .code = 6001,
     .edit = {"workload:\n", "workload:\n  trace: {file: jobs-20.csv}\n"},
     .message = "cannot read `jobs-20.csv`: no such file",
     .at = "file: «jobs-20.csv»",
     .label = "looked in $folder/jobs-20.csv",
     .help = "did you mean `jobs-200.csv`?",
     .notes = {"paths are relative to the scenario file, not to the current directory"},
     .differs = "another file"},
    {.slug = "29-path-escapes",
     .severity = "error",
     .code = 7103,
     .edit = {"workload:\n", "workload:\n  trace: {file: ../jobs.csv}\n"},
     .message = "`file` leaves the directory of the scenario",
     .at = "file: «../jobs.csv»",
     .label = "outside $folder",
     .help = "pass `--allow-root $parent` to allow this directory",
     .differs = "another key and folder"},
    {.slug = "31-alias-expansion",
     .severity = "error",
     .code = 1301,
     .edit = {"cluster:\n", "x-a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n"
                            "x-b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]\n"
                            "x-c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]\n"
                            "x-d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c]\n"
                            "x-e: &e [*d, *d, *d, *d, *d, *d, *d, *d, *d, *d]\n"
                            "cluster:\n"},
     .message = "aliases expand this file beyond its limit of 100000 nodes",
     /* [*d x 10] are 11,111 values each: with those of a to d before, the eighth passes 100,000 */
     .at = "x-e: &e [*d, *d, *d, *d, *d, *d, *d, «*d», *d, *d]",
     .label = "the limit is passed here",
     .notes = {"expanded nodes are counted, not built; use `include:` or a trace file for large "
               "data"}},
    {.slug = "32-schema-from-the-future",
     .severity = "error",
     .code = 2001,
     .edit = {"schema: worldsize.scenario/v1", "schema: worldsize.scenario/v2"},
     .message = "this file is `worldsize.scenario/v2`; worldsize " WS_TEST_VERSION " reads v1",
     .at = "schema: «worldsize.scenario/v2»",
     .label = "newer than this program",
     .help = "upgrade worldsize, or write `worldsize.scenario/v1`",
     .differs = "another version of the program"},
    {.slug = "33-one-replication",
     .severity = "warning",
     .code = 4302,
     .edit = {"replications: 20 ", "replications: 1 "},
     .message = "one replication gives no confidence intervals",
     .at = "replications: «1»",
     .label = "the report will show points without intervals",
     .help = "10 is a useful start",
     .differs = "there is no option yet that picks the number"},
};

static ws_edited edited;

static void set_up(void)
{
    ws_edited_init(&edited, "bad-scenarios");
}

static void tear_down(void)
{
    ws_edited_fini(&edited);
}

TestSuite(bad_scenarios, .init = set_up, .fini = tear_down);

/* ---- what is expected ---- */

typedef struct {
    int line;
    int column;
    int width;
    char text[300]; /* of the line, a tab shown as an arrow */
} place;

/* `a`, `b`: as in messages. */
static ws_text joined(const char *const *names, const char *quote)
{
    ws_text all = WS_TEXT("");

    for (size_t i = 0; names[i] != NULL; i++) {
        all = ws_arena_format(&edited.arena, "%.*s%s%s%s%s", WS_TEXT_ARGS(all), i == 0 ? "" : ", ",
                              quote, names[i], quote);
    }
    return all;
}

static const char *replaced(const char *text, const char *mark, ws_text value)
{
    const char *found = strstr(text, mark);

    if (found == NULL) {
        return text;
    }
    return ws_arena_format(&edited.arena, "%.*s%.*s%s", (int)(found - text), text,
                           WS_TEXT_ARGS(value), found + strlen(mark))
        .start;
}

static const char *filled(const char *text)
{
    ws_text folder = ws_text_of(edited.folder);
    size_t slash = folder.length;

    while (folder.start[slash - 1] != '/') {
        slash--;
    }
    text = replaced(text, "$folder", folder);
    text = replaced(text, "$parent", ws_text_slice(folder, 0, slash - 1));
    text = replaced(text, "$policies", joined(ws_policy_names, ""));
    return replaced(text, "$metrics", joined(ws_metric_names, "`"));
}

/* Line and column of what a case marks; the quickstart is ASCII, so that characters are bytes. */
static place place_of(ws_text text, const char *marked)
{
    char plain[600];
    const char *open = strstr(marked, "«");
    const char *close = strstr(marked, "»");
    place found = {.line = 1, .column = 1};

    cr_assert_not_null(open);
    cr_assert_not_null(close);
    size_t mark = strlen("«");
    found.width = (int)(close - open - (ptrdiff_t)mark);
    (void)snprintf(plain, sizeof plain, "%.*s%.*s%s", (int)(open - marked), marked, found.width,
                   open + mark, close + mark);
    const char *at = strstr(text.start, plain);
    cr_assert_not_null(at, "not in the scenario: %s", plain);
    cr_assert_null(strstr(at + 1, plain), "more than once in the scenario: %s", plain);
    at += open - marked;
    const char *start = text.start;
    for (const char *c = text.start; c < at; c++) {
        found.line += *c == '\n' ? 1 : 0;
        start = *c == '\n' ? c + 1 : start;
    }
    found.column = (int)(at - start) + 1;
    bool tab = *start == '\t';
    (void)snprintf(found.text, sizeof found.text, "%s%.*s", tab ? "→" : "",
                   (int)strcspn(start + tab, "\n"), start + tab);
    return found;
}

static ws_text add(ws_text all, const char *format, ...) WS_PRINTF(2, 3);

static ws_text add(ws_text all, const char *format, ...)
{
    char piece[2000];
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(piece, sizeof piece, format, arguments);
    va_end(arguments);
    return ws_arena_format(&edited.arena, "%.*s%s", WS_TEXT_ARGS(all), piece);
}

static ws_text add_mark(ws_text all, int gutter, const place *at, char mark, const char *label)
{
    char marks[300];

    memset(marks, mark, sizeof marks);
    return add(all, "%*s | %*s%.*s %s\n", gutter, "", at->column - 1, "", at->width, marks,
               filled(label));
}

static ws_text add_quote(ws_text all, int gutter, const place *at)
{
    return add(all, "%*d | %s\n", gutter, at->line, at->text);
}

/* Both places in the order of the file; those of one line share its quotation. */
static ws_text add_places(ws_text all, int gutter, const bad_case *expected, const place places[2])
{
    bool swapped = places[1].line < places[0].line ||
                   (places[1].line == places[0].line && places[1].column < places[0].column);

    for (int i = 0; i < (expected->also != NULL ? 2 : 1); i++) {
        bool second = expected->also != NULL && (i == 1) != swapped;
        const place *at = &places[second ? 1 : 0];
        const place *before = &places[second ? 0 : 1];

        if (i == 1 && at->line > before->line + 1) {
            all = add(all, "...\n");
        }
        if (i == 0 || at->line != before->line) {
            all = add_quote(all, gutter, at);
        }
        all = add_mark(all, gutter, at, second ? '-' : '^',
                       second ? expected->also_label : expected->label);
    }
    return all;
}

static const char *composed(const bad_case *expected, ws_text text)
{
    place places[2] = {place_of(text, expected->at)};
    int last = places[0].line;
    ws_text all = WS_TEXT("");

    if (expected->also != NULL) {
        places[1] = place_of(text, expected->also);
        last = places[1].line > last ? places[1].line : last;
    }
    int gutter = last >= 100 ? 3 : last >= 10 ? 2 : 1;
    all = add(all, "%s[WS%d]: %s\n", expected->severity, expected->code, expected->message);
    all = add(all, "%*s--> %s/scenario.yaml:%d:%d\n", gutter, "", edited.folder, places[0].line,
              places[0].column);
    all = add(all, "%*s |\n", gutter, "");
    all = add_places(all, gutter, expected, places);
    if (expected->help != NULL || expected->notes[0] != NULL) {
        all = add(all, "%*s |\n", gutter, "");
    }
    if (expected->help != NULL) {
        all = add(all, "%*s = help: %s\n", gutter, "", filled(expected->help));
    }
    for (size_t i = 0; i < 2 && expected->notes[i] != NULL; i++) {
        all = add(all, "%*s = note: %s\n", gutter, "", expected->notes[i]);
    }
    return all.start;
}

Test(bad_scenarios, each_kind_is_told_in_the_words_of_the_manual_and_nothing_else_is)
{
    char path[1200];
    FILE *near = NULL;

    (void)snprintf(path, sizeof path, "%s/jobs-200.csv", edited.folder);
    near = fopen(path, "w");
    cr_assert_not_null(near);
    (void)fclose(near);
    for (size_t i = 0; i < WS_COUNT_OF(cases); i++) {
        ws_text text = ws_edited_apply(&edited, ws_edited_quickstart(&edited), &cases[i].edit, 1);
        bool good = ws_edited_load(&edited, text, NULL);
        const char *printed = ws_edited_printed(&edited);
        const char *expected = composed(&cases[i], text);

        cr_expect_eq(good, strcmp(cases[i].severity, "warning") == 0, "%s", cases[i].slug);
        cr_expect_str_eq(printed, expected, "%s:\n%s\nexpected:\n%s", cases[i].slug, printed,
                         expected);
    }
}

/* ---- the vectors themselves ---- */

static void check_holds(const char *slug, const char *vector, const char *prefix, const char *words)
{
    char piece[600];

    if (words == NULL) {
        return;
    }
    (void)snprintf(piece, sizeof piece, "%s%s\n", prefix, words);
    cr_expect_not_null(strstr(vector, piece), "%s.stderr has no %s", slug, piece);
}

Test(bad_scenarios, the_words_are_those_of_the_vectors)
{
    char path[1000];
    size_t checked = 0;

    if (ws_test_shared("vectors/scenario/bad", path, sizeof path) == NULL) {
        cr_skip_test();
    }
    for (size_t i = 0; i < WS_COUNT_OF(cases); i++) {
        const bad_case *told = &cases[i];
        char relative[200];
        char headline[600];

        if (told->differs != NULL) {
            continue;
        }
        (void)snprintf(relative, sizeof relative, "vectors/scenario/bad/%s.stderr", told->slug);
        cr_assert_not_null(ws_test_shared(relative, path, sizeof path));
        ws_text vector = ws_test_load(path);
        (void)snprintf(headline, sizeof headline, "%s[WS%d]: ", told->severity, told->code);
        cr_expect(ws_text_starts_with(vector, ws_text_of(headline)), "%s", told->slug);
        check_holds(told->slug, vector.start, headline, told->message);
        check_holds(told->slug, vector.start, "^ ", told->label);
        check_holds(told->slug, vector.start, "- ", told->also_label);
        check_holds(told->slug, vector.start, " = help: ", told->help);
        check_holds(told->slug, vector.start, " = note: ", told->notes[0]);
        free((void *)vector.start);
        checked++;
    }
    cr_expect(checked >= 15, "%zu", checked);
}

/* Even where names differ, a kind has the vector's code and severity. */
Test(bad_scenarios, the_codes_are_those_of_the_vectors)
{
    char path[1000];

    if (ws_test_shared("vectors/scenario/bad", path, sizeof path) == NULL) {
        cr_skip_test();
    }
    for (size_t i = 0; i < WS_COUNT_OF(cases); i++) {
        char relative[200];
        char headline[100];

        (void)snprintf(relative, sizeof relative, "vectors/scenario/bad/%s.stderr", cases[i].slug);
        cr_assert_not_null(ws_test_shared(relative, path, sizeof path));
        ws_text vector = ws_test_load(path);
        (void)snprintf(headline, sizeof headline, "%s[WS%d]: ", cases[i].severity, cases[i].code);
        cr_expect(ws_text_starts_with(vector, ws_text_of(headline)), "%s", cases[i].slug);
        free((void *)vector.start);
    }
}
