#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""shape.py: holds the measures of the code's shape, JSON on standard input, against the project's limits."""
import json
import sys

MOST = {"file_lines_max": 600, "function_lines_p90": 40, "function_lines_max": 70, "params_max": 6, "nesting_p90": 2,
        "include_cycles": 0, "mutable_globals": 0, "thread_local_globals": 0, "mutable_local_statics": 0}
LEAST = {"prefix_share": 1.0}


def main():
    measured = json.load(sys.stdin)
    faults = ["%s is %s, at most %s" % (name, measured[name], most) for name, most in MOST.items()
              if measured[name] > most]
    faults += ["%s is %s, at least %s" % (name, measured[name], least) for name, least in LEAST.items()
               if measured[name] < least]
    if measured["folder_cycles"]:
        faults.append("folders include each other: %s" % measured["folder_cycles"])
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
