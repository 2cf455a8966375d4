"""Measures septet beside one peer in pairs: each round runs both, so that a busy moment hits both alike."""

import statistics
from dataclasses import dataclass, field
from typing import Optional

from children import Failed
from install import Missing
from load import others
from measure import Sample

# By what a work is judged: by CPU seconds of what runs on one core, by the clock where all cores take part.
CPU, CLOCK = "CPU", "clock"


@dataclass
class Work:
    """What both do, and how many times as fast septet shall be; no goal is given where the peer stands for comparison."""

    title: str
    peer: str
    counts: str = CPU
    goal: Optional[float] = None


@dataclass
class Pair:
    """One round: what each took, and how many cores others kept busy meanwhile."""

    ours: Sample
    theirs: Sample
    others: float

    def ratio(self, counts):
        """Says how many times as fast septet was.

        >>> pair = Pair(Sample(rate=8.0, cpu=2.0), Sample(rate=2.0, cpu=6.0), 0.0)
        >>> pair.ratio(CPU), pair.ratio(CLOCK)
        (3.0, 4.0)
        """
        return self.theirs.cpu / self.ours.cpu if counts == CPU else self.ours.rate / self.theirs.rate


@dataclass
class Result:
    """The pairs of a work, or why there are none."""

    work: Work
    pairs: list = field(default_factory=list)
    failure: str = ""

    def spread(self, counts):
        """Returns the median of the pairs' ratios, the least and the most."""
        ratios = [pair.ratio(counts) for pair in self.pairs]
        return statistics.median(ratios), min(ratios), max(ratios)

    def cpu(self):
        """Returns the medians of the CPU seconds of both."""
        return tuple(statistics.median(getattr(pair, side).cpu for pair in self.pairs) for side in ("ours", "theirs"))


@dataclass
class Figure:
    """What has no peer: the runs' figures in a unit, and what is to be reached."""

    title: str
    unit: str
    goal: str = ""
    runs: list = field(default_factory=list)
    others: list = field(default_factory=list)
    cpu: Optional[float] = None
    failure: str = ""


def compare(bench, work, ours, theirs):
    """Measures a work in pairs. `ours` and `theirs` prepare, and return what measures once."""
    bench.say(f"goals: {work.title}, beside {work.peer}")
    result = Result(work)
    try:
        sides = [ours(), theirs()]
        for number in range(bench.scale.runs + 1):
            pair = one_round(bench, sides, number)
            result.pairs += [pair] if number > 0 else []
    except (Failed, Missing, OSError) as error:
        result.failure = str(error)
    return result


def one_round(bench, sides, number):
    """Runs both once, the one first in this round and the other in the next; the first round warms caches."""
    order = (0, 1) if number % 2 else (1, 0)
    samples, busy = others(bench.children, lambda: {side: sides[side]() for side in order})
    return Pair(samples[0], samples[1], busy)


def alone(bench, figure, amount, prepare):
    """Measures what has no peer: how much of the amount is done in a second of CPU."""
    bench.say(f"goals: {figure.title}")
    try:
        run = prepare()
        for number in range(bench.scale.runs + 1):
            sample, busy = others(bench.children, run)
            if number > 0:
                figure.runs.append(amount / sample.cpu)
                figure.others.append(busy)
        figure.cpu = amount / statistics.median(figure.runs)
    except (Failed, Missing, OSError) as error:
        figure.failure = str(error)
    return figure


def counted(bench, figure, count):
    """Takes what is counted, which is the same whatever else the machine does."""
    bench.say(f"goals: {figure.title}")
    try:
        figure.runs.append(count())
    except (Failed, Missing, OSError) as error:
        figure.failure = str(error)
    return figure
