/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Words for the system's error numbers: strerror() is neither reentrant nor the same in every
 * locale. */
#ifndef WS_ERRNO_TEXT_H
#define WS_ERRNO_TEXT_H

/**
 * "no space left on device", ...: the phrases of POSIX, "Error Numbers", shortened. "system error"
 * for numbers that reading, making, writing and renaming files and folders do not give.
 *
 * @param error  an errno value, not 0
 */
const char *ws_errno_text(int error);

#endif
