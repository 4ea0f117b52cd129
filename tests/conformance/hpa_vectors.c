/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * hpa_vectors FILE...: runs vectors of any of the three forms, prints a line for each that fails,
 * and ends with "N passed, N failed". Status 1 when one failed, 2 when a file cannot be read.
 */
#include <stdio.h>
#include <stdlib.h>

#include "ws/assert.h"

#include "hpa_check.h"

_Noreturn void ws_assert_failed(const char *fact, const char *file, int line)
{
    (void)fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, fact);
    abort();
}

static void vectors_tell(void *context, const char *name, const ws_hpa_check *check)
{
    (void)printf("%s: %s: %s\n", (const char *)context, name, check->text);
}

int main(int argc, char **argv)
{
    ws_hpa_check_count all = {0};

    if (argc < 2) {
        (void)fprintf(stderr, "usage: hpa_vectors FILE...\n");
        return 2;
    }
    for (int i = 1; i < argc; i++) {
        ws_hpa_check_count count = {0};

        if (!ws_hpa_check_file(argv[i], vectors_tell, argv[i], &count)) {
            (void)fprintf(stderr, "%s: not a JSON array that can be read\n", argv[i]);
            return 2;
        }
        all.passed += count.passed;
        all.failed += count.failed;
    }
    (void)printf("%zu passed, %zu failed\n", all.passed, all.failed);
    return all.failed == 0 ? 0 : 1;
}
