#!/usr/bin/env python3
"""What moves of the debugger cost in a blur of 16 million texels and in one of a million: the table of docs/debug.md.

Usage: debug_costs.py LANEWISE. For each row the processor time of the process and the most memory that it had, of three runs the least: what
else runs on the host only adds. "back" is what the last command of the row adds to a session without it."""
import os, subprocess, sys

LARGE = ["box-blur/double/naive", "--size", "4096x4096", "--radius", "15"]
SMALL = ["box-blur/double/naive", "--size", "1024x1024"]


def cost(*words):
    return tuple(map(min, *(once(*words) for _ in range(3))))


def once(*words):
    process = subprocess.Popen([sys.argv[1], *words], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"exit code {process.returncode}: {' '.join(words)}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 2**20


def session(subject, *commands):
    return cost("debug", *subject, *(word for c in commands for word in ("-e", c)))


def tell(what, seconds, memory=None):
    print(f"{what:<66} {seconds:6.2f} s" + (f"  {memory:5.2f} GiB" if memory else ""), flush=True)


tell("run, 4096x4096", *cost("run", *LARGE, "--tier", "interpreter"))
tell("debug, at the first line", *(first := session(LARGE)))
tell("global 0,0,0 1: the second dispatch", *session(LARGE, "global 0,0,0 1"))
tell("end", *(end := session(LARGE, "end")))
for texel in ("2048,2048", "4095,4095"):
    tell(f"end, writer blurred {texel}", *(found := session(LARGE, "end", f"writer blurred {texel}")))
    tell("  times the model alone (end without the first line)", (found[0]) / (end[0] - first[0]))
tell("end, the first step back", session(LARGE, "end", "rsi")[0] - end[0])
for place in ("end", "global 512,512,0 1", "global 1023,1023,0 1", "global 1023,1023,0 0"):
    there = session(SMALL, place)[0]
    one, two = session(SMALL, place, "rsi")[0], session(SMALL, place, "rsi", "rsi")[0]
    tell(f"1024x1024, {place}: the first step back", one - there)
    tell(f"1024x1024, {place}: the next one", two - one)
