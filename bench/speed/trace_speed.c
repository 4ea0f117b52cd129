/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How fast traces are read, as ratios to a yardstick that is measured in the same run, so that
 * figures of different machines can be laid side by side.
 *
 * Yardstick: getline() over the same file, which does nothing with the lines. Each figure is the
 * processor's time over the yardstick's: at 1 taking the rows apart would be free.
 *
 * - read_NAME: a table of that format through its reader, jobs handed over one after the other and
 *   forgotten.
 * - load_NAME: likewise, kept, sorted, looked through for repeated ids.
 *
 * Each round of a figure is set against a round of the yardstick just before it, and the median of
 * these ratios is shown. The peak memory is that of the process so far, so figures that keep
 * nothing come first. The files are made of random jobs from a fixed seed, in a temporary folder.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "clock.h"
#include "ws/random.h"
#include "ws/statistics.h"
#include "ws/trace.h"

enum { SPEED_ROUNDS = 5, SPEED_ROWS = 1000000, SPEED_PATH_BYTES = 4096 };

/* Writes so many rows of a format under their header. */
typedef void speed_fill(FILE *file, int64_t rows, ws_stream *stream);

typedef struct {
    const char *name;
    const char *format;
    speed_fill *fill;
    bool is_loaded;
} speed_figure;

/* Medians over the rounds. */
typedef struct {
    double rows_per_s;
    double yardstick_per_s;
    double ratio;
    double peak_mib;
} speed_result;

typedef struct {
    char folder[SPEED_PATH_BYTES];
    char path[SPEED_PATH_BYTES + 16];
    int64_t rows;
} speed_files;

static int64_t speed_draw(ws_stream *stream, int64_t below)
{
    double uniform = ws_stream_uniform(stream);

    return (int64_t)(uniform * (double)below);
}

/* ---- files ---- */

static void speed_fill_worldsize(FILE *file, int64_t rows, ws_stream *stream)
{
    int64_t arrival_ms = 0;

    (void)fputs("id,arrival_s,gpus,nodes,duration_s,outcome,user,queue,start_s,gpu_type,kind,"
                "gpus_frac,attempts,origin_s,zone\n",
                file);
    for (int64_t i = 0; i < rows; i++) {
        int64_t gpus = INT64_C(1) << speed_draw(stream, 7);
        int64_t duration_s = 1 + speed_draw(stream, 100000);
        int64_t wait_ms = speed_draw(stream, 1000000);
        int64_t user = speed_draw(stream, 400);

        arrival_ms += speed_draw(stream, 60000);
        (void)fprintf(file,
                      "job-%lld,%lld.%03lld,%lld,,%lld,completed,user%lld,prod,%lld.%03lld,"
                      "H100,,,,1700000000,UTC\n",
                      (long long)i, (long long)(arrival_ms / 1000), (long long)(arrival_ms % 1000),
                      (long long)gpus, (long long)duration_s, (long long)user,
                      (long long)((arrival_ms + wait_ms) / 1000),
                      (long long)((arrival_ms + wait_ms) % 1000));
    }
}

static void speed_fill_philly(FILE *file, int64_t rows, ws_stream *stream)
{
    (void)fputs("timestamp,duration,num_gpus,gpu_time,cluster\n", file);
    for (int64_t i = 0; i < rows; i++) {
        int64_t gpus = INT64_C(1) << speed_draw(stream, 7);
        int64_t duration_s = 1 + speed_draw(stream, 100000);
        int64_t second = i % 86400;

        (void)fprintf(file, "2017-10-%02lld %02lld:%02lld:%02lld,%lld.0,%lld,%lld.0,6214e9\n",
                      (long long)(1 + i / 86400 % 30), (long long)(second / 3600),
                      (long long)(second / 60 % 60), (long long)(second % 60),
                      (long long)duration_s, (long long)gpus, (long long)(duration_s * gpus));
    }
}

static void speed_fill_swf(FILE *file, int64_t rows, ws_stream *stream)
{
    for (int64_t i = 0; i < rows; i++) {
        int64_t gpus = INT64_C(1) << speed_draw(stream, 7);
        int64_t run_s = 1 + speed_draw(stream, 100000);
        int64_t wait_s = speed_draw(stream, 1000);

        (void)fprintf(file, "%lld %lld %lld %lld %lld -1 -1 %lld -1 -1 1 12 -1 3 1 -1 -1 -1\n",
                      (long long)(i + 1), (long long)(30 * i), (long long)wait_s, (long long)run_s,
                      (long long)gpus, (long long)gpus);
    }
}

/* In the order in which they are measured: those that keep nothing first. */
static const speed_figure speed_figures[] = {
    {"read_philly", "philly-csv", speed_fill_philly, false},
    {"read_swf", "swf", speed_fill_swf, false},
    {"read_worldsize", "worldsize", speed_fill_worldsize, false},
    {"load_worldsize", "worldsize", speed_fill_worldsize, true},
};

static bool speed_write_file(const speed_files *files, const speed_figure *figure)
{
    FILE *file = fopen(files->path, "w");
    ws_stream stream;

    if (file == NULL) {
        return false;
    }
    ws_stream_open(&stream, (ws_stream_key){.seed = 1, .purpose = WS_PURPOSE_TEST});
    figure->fill(file, files->rows, &stream);
    bool is_sound = ferror(file) == 0;

    return fclose(file) == 0 && is_sound;
}

/* ---- rounds ---- */

static double speed_round_yardstick_s(const speed_files *files)
{
    double start_s = ws_speed_clock_s();
    FILE *file = fopen(files->path, "r");
    char *line = NULL;
    size_t capacity = 0;
    int64_t lines = 0;

    WS_ASSERT(file != NULL);
    while (getline(&line, &capacity, file) >= 0) {
        lines++;
    }
    WS_ASSERT(lines >= files->rows);
    free(line);
    (void)fclose(file);
    return ws_speed_clock_s() - start_s;
}

static bool speed_take(void *context, const ws_trace_job *job, int64_t line)
{
    int64_t *gpus = context;

    (void)line;
    *gpus += job->gpus;
    return true;
}

static double speed_round_s(const speed_files *files, const speed_figure *figure)
{
    ws_file_name name = {.path = files->path, .shown = WS_TEXT("trace")};
    ws_trace_options options = {.type = ws_trace_type_find(ws_text_of(figure->format)),
                                .strict = true};
    ws_trace_report report = {.rows_read = 0};
    double start_s = ws_speed_clock_s();
    int64_t gpus = 0;
    ws_trace trace;
    ws_arena arena;
    ws_diag diag;

    ws_arena_init(&arena, &ws_allocator_default, SIZE_MAX);
    ws_diag_init(&diag, &arena);
    bool is_read =
        figure->is_loaded
            ? ws_trace_load(&trace, &name, &options, &report, &arena, &diag)
            : ws_trace_read(&name, &options, (ws_trace_sink){.context = &gpus, .take = speed_take},
                            NULL, &report, &diag);
    WS_ASSERT(is_read);
    WS_ASSERT(report.jobs_kept == files->rows);
    ws_arena_reset(&arena);
    return ws_speed_clock_s() - start_s;
}

static double speed_peak_mib(void)
{
    struct rusage usage = {.ru_maxrss = 0};

    (void)getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

static double speed_median(double values[SPEED_ROUNDS])
{
    ws_sort_doubles(values, SPEED_ROUNDS);
    return ws_quantile_sorted(values, SPEED_ROUNDS, 0.5);
}

static speed_result speed_measure(const speed_files *files, const speed_figure *figure)
{
    double figures_s[SPEED_ROUNDS];
    double yardsticks_s[SPEED_ROUNDS];
    double ratios[SPEED_ROUNDS];

    for (int32_t round = 0; round < SPEED_ROUNDS; round++) {
        yardsticks_s[round] = speed_round_yardstick_s(files);
        figures_s[round] = speed_round_s(files, figure);
        ratios[round] = figures_s[round] / yardsticks_s[round];
    }
    return (speed_result){
        .rows_per_s = (double)files->rows / speed_median(figures_s),
        .yardstick_per_s = (double)files->rows / speed_median(yardsticks_s),
        .ratio = speed_median(ratios),
        .peak_mib = speed_peak_mib(),
    };
}

/* ---- the program ---- */

static void speed_print_table(const speed_result results[])
{
    (void)printf("figure           times getline     rows per s  getline per s  peak MiB\n");
    for (size_t i = 0; i < WS_COUNT_OF(speed_figures); i++) {
        (void)printf("%-16s  %12.2f  %13.0f  %13.0f  %8.1f\n", speed_figures[i].name,
                     results[i].ratio, results[i].rows_per_s, results[i].yardstick_per_s,
                     results[i].peak_mib);
    }
}

static void speed_print_json(const speed_result results[])
{
    for (size_t i = 0; i < WS_COUNT_OF(speed_figures); i++) {
        (void)printf("%s\"%s\":%.4f,\"%s_peak_mib\":%.1f", i == 0 ? "{" : ",",
                     speed_figures[i].name, results[i].ratio, speed_figures[i].name,
                     results[i].peak_mib);
    }
    (void)printf("}\n");
}

/* The flags; false when they are wrong. */
static bool speed_read_flags(int count, char **arguments, bool *is_json, int64_t *rows)
{
    for (int i = 1; i < count; i++) {
        if (strcmp(arguments[i], "--json") == 0) {
            *is_json = true;
        } else if (strcmp(arguments[i], "--rows") == 0 && i + 1 < count) {
            *rows = strtoll(arguments[++i], NULL, 10);
        } else {
            return false;
        }
    }
    return *rows >= 1 && *rows <= WS_TRACE_JOBS_MAX;
}

static bool speed_make_folder(speed_files *files)
{
    const char *root = getenv("TMPDIR");

    (void)snprintf(files->folder, sizeof files->folder, "%s/trace-speed-XXXXXX",
                   root != NULL && root[0] != '\0' ? root : "/tmp");
    if (mkdtemp(files->folder) == NULL) {
        return false;
    }
    (void)snprintf(files->path, sizeof files->path, "%s/trace", files->folder);
    return true;
}

int main(int argument_count, char **arguments)
{
    speed_result results[WS_COUNT_OF(speed_figures)] = {{.ratio = 0}};
    speed_files files = {.rows = SPEED_ROWS};
    bool is_json = false;
    bool is_sound = true;

    if (!speed_read_flags(argument_count, arguments, &is_json, &files.rows)) {
        (void)fputs("usage: trace_speed [--json] [--rows N]\n", stderr);
        return 2;
    }
    if (!speed_make_folder(&files)) {
        perror("trace_speed");
        return 3;
    }
    for (size_t i = 0; i < WS_COUNT_OF(speed_figures) && is_sound; i++) {
        is_sound = speed_write_file(&files, &speed_figures[i]);
        if (is_sound) {
            results[i] = speed_measure(&files, &speed_figures[i]);
        }
    }
    (void)remove(files.path);
    (void)remove(files.folder);
    if (!is_sound) {
        (void)fputs("trace_speed: cannot write a file\n", stderr);
        return 3;
    }
    if (is_json) {
        speed_print_json(results);
    } else {
        speed_print_table(results);
    }
    return fflush(stdout) == 0 && ferror(stdout) == 0 ? 0 : 3;
}
