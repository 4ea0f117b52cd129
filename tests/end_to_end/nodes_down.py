# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes that are down on average in days [FROM, TO) of a log of faults: the number in test_fault_replay.c.

usage: python3 nodes_down.py fault_trace.json FROM TO
"""
import collections
import json
import sys

first, last = float(sys.argv[2]), float(sys.argv[3])
opened = collections.Counter()  # faults of a node that are open
since = {}
down = 0.0
with open(sys.argv[1], encoding="utf-8") as file:
    events = json.load(file)
for event in events:
    node, at = event["node_id"], float(event["event_time"])
    if event["event_type"] == "fault_start":
        if opened[node] == 0:
            since[node] = at
        opened[node] += 1
    else:
        opened[node] -= 1
        if opened[node] == 0:
            down += max(0.0, min(last, at) - max(first, since[node]))
print(f"{down / (last - first):.3f}")
