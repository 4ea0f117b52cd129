/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Assertions: a bug of the program, never a fault of its input.
 *
 * WS_ASSERT stays in every build. WS_DEBUG_ASSERT is for checks that cost more than O(1) and runs
 * only in checked builds
 * (-DWS_CHECKED=1). A failing assertion calls ws_assert_failed(), which each executable defines
 * once: the library neither prints nor exits. The command line ends with status 70, a test counts a
 * failure.
 */
#ifndef WS_ASSERT_H
#define WS_ASSERT_H

/** Defined by each executable, not by the library. Does not return. */
_Noreturn void ws_assert_failed(const char *fact, const char *file, int line);

#define WS_ASSERT(fact) ((fact) ? (void)0 : ws_assert_failed(#fact, __FILE__, __LINE__))

#ifdef WS_CHECKED
#define WS_DEBUG_ASSERT(fact) WS_ASSERT(fact)
#else
#define WS_DEBUG_ASSERT(fact) ((void)0)
#endif

/** Number of elements of an array object (not of a pointer). */
#define WS_COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#define WS_NODISCARD __attribute__((warn_unused_result))
#define WS_PRINTF(format_index, first_index)                                                       \
    __attribute__((format(printf, format_index, first_index)))

#endif
