"""Measures programs side by side: a round runs each of them once, so that a busy moment hits all alike."""

import statistics
from dataclasses import dataclass, field
from typing import Callable, Optional

from children import Failed
from install import Missing


@dataclass
class Sample:
    """One measurement: how much was done in a second, and the CPU time where it is known."""

    rate: float
    cpu: Optional[float] = None


@dataclass
class Contender:
    """A program in a comparison. `prepare` installs or starts it, and returns what measures it once."""

    name: str
    prepare: Callable[[], Callable[[], Sample]]
    remark: str = ""


@dataclass
class Work:
    """What the contenders do, all on the same input; `ours` is the one that the others are compared with."""

    subject: str
    title: str
    unit: str
    ours: str


@dataclass
class Row:
    """A line of the table. Rates are per second, and more is better, unless the unit is a time."""

    subject: str
    work: str
    program: str
    unit: str = ""
    median: Optional[float] = None
    least: Optional[float] = None
    most: Optional[float] = None
    cpu: Optional[float] = None
    times: Optional[float] = None
    remark: str = ""
    failure: str = ""
    runs: list = field(default_factory=list)
    detail: dict = field(default_factory=dict)


def row_of(work, contender, samples):
    """Makes a row of what was measured.

    >>> row = row_of(Work("a", "b", "MB", "c"), Contender("c", None), [Sample(4.0), Sample(2.0), Sample(9.0)])
    >>> row.median, row.least, row.most
    (4.0, 2.0, 9.0)
    """
    rates = [sample.rate for sample in samples]
    spent = [sample.cpu for sample in samples if sample.cpu is not None]
    return Row(work.subject, work.title, contender.name, work.unit, statistics.median(rates), min(rates), max(rates),
               statistics.median(spent) if spent else None, remark=contender.remark, runs=rates)


def failed(work, contender, error):
    """Makes a row of a contender that could not take part."""
    return Row(work.subject, work.title, contender.name, remark=contender.remark, failure=str(error))


def compare(bench, work, contenders, remark=None):
    """Measures all contenders, and adds a row for each to the bench's table; `remark` may say more on the rows."""
    bench.say(f"{work.subject}: {work.title}")
    failures, runners = {}, {}
    for contender in contenders:
        attempt(failures, contender, lambda: runners.update({contender.name: contender.prepare()}))
    samples = {name: [] for name in runners}
    for number in range(bench.scale.runs + 1):
        for contender in contenders:
            if contender.name in runners and contender.name not in failures:
                attempt(failures, contender, lambda: once(runners, samples, contender.name, number))
    rows = [failed(work, contender, failures[contender.name]) if contender.name in failures
            else row_of(work, contender, samples[contender.name]) for contender in contenders]
    set_times(rows, work.ours)
    if remark:
        remark(rows)
    bench.add(rows)


def attempt(failures, contender, step):
    """Takes a step, and notes why where it can't be taken."""
    try:
        step()
    except (Failed, Missing, OSError) as error:
        failures[contender.name] = error


def once(runners, samples, name, number):
    """Measures once; the first round warms caches and is not counted."""
    sample = runners[name]()
    if number > 0:
        samples[name].append(sample)


def set_times(rows, ours):
    """Says of each row how many times as fast our own program is.

    >>> rows = [Row("a", "b", "septet", median=8.0), Row("a", "b", "peer", median=2.0), Row("a", "b", "gone")]
    >>> set_times(rows, "septet")
    >>> [row.times for row in rows]
    [1.0, 4.0, None]
    """
    reference = next((row.median for row in rows if row.program == ours), None)
    for row in rows:
        if reference and row.median:
            row.times = reference / row.median


def program(bench, command, amount, stdin=None, stdout=None, before=None, seconds=600):
    """Returns what runs a whole program once; `amount` is what it works through."""

    def measured():
        if before:
            before()
        with open(stdin or "/dev/null", "rb") as source, open(stdout or "/dev/null", "wb") as target:
            spent = bench.children.run(command, source, target, seconds)
        return Sample(amount / spent.wall, spent.cpu)

    return measured
