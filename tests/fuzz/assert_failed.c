/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A failed assertion is a finding: it ends the harness, which then keeps the input. */
#include <stdio.h>
#include <stdlib.h>

#include "ws/assert.h"

_Noreturn void ws_assert_failed(const char *fact, const char *file, int line)
{
    (void)fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, fact);
    abort();
}
