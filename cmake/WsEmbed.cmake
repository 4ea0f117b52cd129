# SPDX-License-Identifier: GPL-3.0-or-later
# Writes a C source that holds a file's bytes:
#
#   cmake -DFILE=page.md -DNAME=ws_page -DOUT=page.c -P WsEmbed.cmake
#
# defines `const char NAME[]`, which ends with a NUL, and `const size_t NAME_bytes`, which does not count it.
file(READ ${FILE} bytes HEX)
string(LENGTH "${bytes}" digits)
math(EXPR count "${digits} / 2")
string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
get_filename_component(source ${FILE} NAME)
file(WRITE ${OUT} "/* Made from ${source}. */\n#include <stddef.h>\n\nextern const char ${NAME}[];\nextern const size_t ${NAME}_bytes;\n\n\
const char ${NAME}[] = {\n${bytes}\n'\\0'};\nconst size_t ${NAME}_bytes = ${count};\n")
