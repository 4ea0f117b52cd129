/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * policy_vectors FILE...: runs vectors of forecasters and policies, prints a line for each that
 * fails or is skipped because its method is not built, and ends with "N passed, N failed, N
 * skipped". Status 1 when one failed, 2 when a file cannot be read.
 */
#include <stdio.h>
#include <stdlib.h>

#include <gsl/gsl_errno.h>

#include "ws/assert.h"

#include "policy_check.h"

_Noreturn void ws_assert_failed(const char *fact, const char *file, int line)
{
    (void)fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, fact);
    abort();
}

static void vectors_tell(void *context, const char *id, ws_policy_check_end end,
                         const ws_policy_check *check)
{
    if (end == WS_POLICY_CHECK_SKIPPED) {
        (void)printf("%s: %s: skipped, not built\n", (const char *)context, id);
    } else {
        (void)printf("%s: %s: %s\n", (const char *)context, id, check->text);
    }
}

int main(int argc, char **argv)
{
    ws_policy_check_sums all = {{0}};

    if (argc < 2) {
        (void)fprintf(stderr, "usage: policy_vectors FILE...\n");
        return 2;
    }
    (void)gsl_set_error_handler_off();
    for (int i = 1; i < argc; i++) {
        ws_policy_check_sums sums = {{0}};

        if (!ws_policy_check_file(argv[i], vectors_tell, argv[i], &sums)) {
            (void)fprintf(stderr, "%s: not a JSON object with `vectors` that can be read\n",
                          argv[i]);
            return 2;
        }
        for (size_t end = 0; end < WS_COUNT_OF(all.counts); end++) {
            all.counts[end] += sums.counts[end];
        }
    }
    (void)printf("%zu passed, %zu failed, %zu skipped\n", all.counts[WS_POLICY_CHECK_PASSED],
                 all.counts[WS_POLICY_CHECK_FAILED], all.counts[WS_POLICY_CHECK_SKIPPED]);
    return all.counts[WS_POLICY_CHECK_FAILED] == 0 ? 0 : 1;
}
