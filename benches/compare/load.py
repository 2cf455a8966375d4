"""Says how busy others keep the machine while something is measured."""

import os
import resource
import time

TICK = os.sysconf("SC_CLK_TCK")


def others(children, measured):
    """Does what is measured; returns what it says, and how many cores others kept busy meanwhile."""
    before = now(children)
    said = measured()
    wall, busy, own = (after - begun for after, begun in zip(now(children), before))
    return said, max(0.0, busy - own) / wall


def now(children):
    """Returns the time, the CPU seconds of all and those of our own."""
    return time.monotonic(), of_all(), of_us(children)


def of_all():
    """Returns the CPU seconds of the whole machine since its start, with those that its host took from it."""
    with open("/proc/stat", encoding="ascii") as file:
        user, nice, system, _, _, *rest = (int(word) for word in file.readline().split()[1:9])
    return (user + nice + system + sum(rest)) / TICK


def of_us(children):
    """Returns the CPU seconds of ourselves, of the programs that have ended, and of those that run."""
    ended = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(used.ru_utime + used.ru_stime for used in ended) + sum(
        of_process(process.pid) for process in children.running)


def of_process(number):
    """Returns the CPU seconds of a process that runs, or nothing where it has ended.

    >>> of_process(os.getpid()) >= 0
    True
    """
    try:
        with open(f"/proc/{number}/stat", encoding="utf-8", errors="replace") as file:
            words = file.read().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(words[11]) + int(words[12])) / TICK
