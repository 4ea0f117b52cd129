/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Why the operating system refused, in words that do not depend on the locale. */
#ifndef WS_BASE_SYSTEM_ERROR_H
#define WS_BASE_SYSTEM_ERROR_H

/** A phrase for an errno value ("no such file"); never NULL. Not strerror(): that speaks the user's
 * language. */
const char *ws_system_error_text(int error);

#endif
