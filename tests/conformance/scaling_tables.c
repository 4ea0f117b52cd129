/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * scaling_tables FILE...: fits the step model to published measurements, all groups but one, and
 * predicts the one, each in turn; prints the error table. Status 2 when a file cannot be read.
 */
#include <stdio.h>
#include <stdlib.h>

#include <gsl/gsl_errno.h>

#include "ws/assert.h"

#include "scaling_json.h"
#include "scaling_print.h"

#define SCALING_ARENA_BYTES (256U << 20U)

_Noreturn void ws_assert_failed(const char *fact, const char *file, int line)
{
    (void)fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, fact);
    abort();
}

/* Groups of profiles: the model `pollux` is fitted to one half of each. */
static void scaling_run_profiles(const ws_scaling_row *rows, size_t count,
                                 const ws_scaling_table *table, ws_arena *arena)
{
    ws_scaling_errors *all = ws_arena_alloc(arena, ws_scaling_errors, 1);
    ws_scaling_errors *one = ws_arena_alloc(arena, ws_scaling_errors, 1);
    ws_scaling_profile profile;
    char name[64];

    (void)printf("\nprofiles (model pollux, every second row fitted, errors on the others):\n");
    for (size_t i = 0; all != NULL && one != NULL && i < table->group_count; i++) {
        if (!ws_scaling_pollux(rows, count, table->groups[i], arena, &profile)) {
            continue;
        }
        one->count = 0;
        for (size_t k = 0; k < profile.predicted; k++) {
            ws_scaling_errors_add(one, profile.errors[k]);
            ws_scaling_errors_add(all, profile.errors[k]);
        }
        (void)snprintf(name, sizeof(name), "  %.*s", WS_TEXT_ARGS(table->groups[i]));
        ws_scaling_print_errors(stdout, name, one);
    }
    if (all != NULL) {
        ws_scaling_print_errors(stdout, "step times of profiles", all);
    }
}

static bool scaling_run(const char *path, ws_arena *arena)
{
    ws_text why = WS_TEXT("out of memory");
    size_t count = 0;
    const ws_scaling_row *rows = ws_scaling_json_read(path, arena, &count, &why);
    const ws_scaling_table *table = rows != NULL ? ws_scaling_table_of(rows, count, arena) : NULL;
    ws_scaling_prediction *predictions =
        table != NULL ? ws_arena_alloc(arena, ws_scaling_prediction, count) : NULL;

    if (predictions == NULL) {
        (void)fprintf(stderr, "%s: %.*s\n", path, WS_TEXT_ARGS(why));
        return false;
    }
    if (!ws_scaling_back_test(table, predictions)) {
        (void)fprintf(stderr, "%s: nothing can be fitted\n", path);
        return false;
    }
    ws_scaling_print(stdout, table, predictions);
    scaling_run_profiles(rows, count, table, arena);
    return true;
}

int main(int argc, char **argv)
{
    bool sound = argc >= 2;

    if (!sound) {
        (void)fprintf(stderr, "usage: scaling_tables FILE...\n");
    }
    (void)gsl_set_error_handler_off();
    for (int i = 1; i < argc; i++) {
        ws_arena arena;

        ws_arena_init(&arena, &ws_allocator_default, SCALING_ARENA_BYTES);
        sound = scaling_run(argv[i], &arena) && sound;
        ws_arena_reset(&arena);
    }
    return sound ? 0 : 2;
}
