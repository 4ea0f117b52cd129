#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""style.py: what the style of the project asks of every file and no compiler sees.

Run at the top of the tree. Prints one line for each fault and ends with status 1 when there is one.
"""
import os
import re
import subprocess
import sys

LAYERS = ["sim", "policies", "traces", "scenarios", "plots", "bench/evaluate", "bench/calibrate"]
PROGRAMS = ["cli", "bench/speed", "bench/allreduce"]

# Calls that only programs may make, and qsort, whose ties depend on the C library. snprintf into memory is allowed.
BANNED = ["printf", "vprintf", "puts", "putchar", "perror", "exit", "_exit", "abort", "getenv", "setenv", "time",
          "clock_gettime", "gettimeofday", "localtime", "gmtime", "rand", "srand", "setlocale", "longjmp", "system",
          "popen", "qsort", "strtod", "strtof", "strtol", "strtoul", "atoi", "atof", "atol", "strtok", "sprintf",
          "strcpy", "strcat", "gets", "alloca"]
ALLOWED = {
    "sim/base/number.c": ["strtod"],  # behind a check of the whole text
}
# Headers of libraries that one folder alone may see.
OWNED = {"yaml.h": "scenarios/", "cairo.h": "plots/", "cairo-pdf.h": "plots/", "cairo-svg.h": "plots/",
         "jansson.h": "sim/base/", "zlib.h": "sim/base/", "zstd.h": "sim/base/", "libsmartcols/libsmartcols.h": "cli/",
         "curl/curl.h": "traces/"}
TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)


def tracked():
    """Files in git, and those that would be."""
    out = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], check=True,
                         capture_output=True, text=True).stdout
    return sorted(name for name in out.splitlines() if os.path.isfile(name))


def blank(match):
    return re.sub(r"[^\n]", " ", match.group(0))


def is_source(name):
    return name.endswith((".c", ".h", ".cu", ".cuh"))


def is_script(name):
    return name.endswith((".py", ".sh", ".cmake", "CMakeLists.txt")) or name in ("ws", ".ci/run", ".clang-tidy")


def check_licence(name, text):
    head = "\n".join(text.splitlines()[:3])
    if (is_source(name) or is_script(name)) and "SPDX-License-Identifier: GPL-3.0-or-later" not in head:
        yield 1, "no SPDX line among the first three"
    if is_source(name) and not text.startswith("/* SPDX-License-Identifier: GPL-3.0-or-later */\n"):
        yield 1, "the first line is not the SPDX line"


def check_text(name, text):
    for number, line in enumerate(text.splitlines(), 1):
        if is_source(name) and "\t" in line:
            yield number, "tabulator"
        if (is_source(name) or is_script(name)) and line != line.rstrip():
            yield number, "blank at the end of the line"
    if is_source(name) and text.count("\n") > 600:
        yield 600, "more than 600 lines"


def check_calls(name, code):
    if not name.startswith(tuple(folder + "/" for folder in LAYERS)):
        return
    for call in BANNED:
        if call in ALLOWED.get(name, []):
            continue
        for match in re.finditer(r"(?<![\w.>])%s\s*\(" % call, code):
            yield code.count("\n", 0, match.start()) + 1, "%s() is for programs, not for layers" % call
    for match in re.finditer(r"\bfprintf\s*\(\s*std(?:out|err)\b|\bf?put[sc]\s*\([^;]*\bstd(?:out|err)\b", code):
        yield code.count("\n", 0, match.start()) + 1, "a layer does not print"


def check_includes(name, text):
    if name.startswith("tests/"):
        return
    for match in re.finditer(r"^[ \t]*#[ \t]*include[ \t]*<([^>\n]+)>", text, re.M):
        owner = OWNED.get(match.group(1))
        if owner is not None and not name.startswith(owner):
            yield text.count("\n", 0, match.start()) + 1, "<%s> is for %s alone" % (match.group(1), owner)


def check_folders(names):
    """Folders with sources have a README; one that mirrors a folder of the tree below tests/ shares that folder's."""
    folders = sorted({os.path.dirname(name) for name in names if is_source(name)})
    for folder in folders:
        if folder.endswith("include/ws"):
            continue
        if folder.startswith("tests/") and folder[len("tests/"):] in folders:
            continue
        if not os.path.isfile(os.path.join(folder, "README.md")):
            yield "%s: no README.md" % folder


def main():
    names = tracked()
    faults = list(check_folders(names))
    for name in names:
        if not (is_source(name) or is_script(name)):
            continue
        with open(name, encoding="utf-8") as file:
            text = file.read()
        found = list(check_licence(name, text)) + list(check_text(name, text))
        if is_source(name):
            found += check_calls(name, TOKEN.sub(blank, text))
            found += check_includes(name, text)
        faults += ["%s:%d: %s" % (name, line, message) for line, message in found]
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
