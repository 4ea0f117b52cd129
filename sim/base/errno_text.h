/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Words for the system's error numbers: strerror() is neither reentrant nor the same in every
 * locale. Private to base. */
#ifndef WS_BASE_ERRNO_TEXT_H
#define WS_BASE_ERRNO_TEXT_H

/** "no space left on device", ...; "system error" for numbers that writing and reading files do not
 * give. */
const char *ws_errno_text(int error);

#endif
