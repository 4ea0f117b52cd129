/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one file that knows version and commit, so that a commit rebuilds nothing else. */
#include "build_info.h"

const char ws_build_version[] = WS_VERSION;
const char ws_build_commit[] = WS_COMMIT;
#ifdef __clang__
const char ws_build_compiler[] = "clang " __clang_version__;
#else
const char ws_build_compiler[] = "gcc " __VERSION__;
#endif
