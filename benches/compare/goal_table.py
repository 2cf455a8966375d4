"""Writes the table of the goals, as Markdown for people and as JSON for programs, and puts it into docs/speed.md."""

import dataclasses
import json
import os
import statistics

import machine
from children import Failed
from pairs import CLOCK, CPU, Figure
from table import number, replace

BEGIN, END = "<!-- goals: benches/compare/run --goals --docs writes this -->\n", "<!-- end of goals -->\n"
HEAD = ["| work | peer | in CPU s | by the clock | goal | CPU s: septet, peer | others' cores |",
        "|---|---|---:|---:|---:|---:|---:|"]
NONE = "–"


class Table:
    """The results so far, each written as soon as it is there."""

    def __init__(self, bench):
        self.bench = bench
        self.results = []

    def add(self, result):
        """Adds a result, and writes all of them."""
        self.results.append(result)
        if result.failure:
            self.bench.say(f"goals: {result.failure}")
        rows = [{type(result).__name__.lower(): dataclasses.asdict(result)} for result in self.results]
        whole = {"machine": self.bench.machine, "septet": self.septet(), "versions": self.bench.peers.versions,
                 "rows": rows}
        path = os.path.join(self.bench.out, "goals")
        replace(f"{path}.json", json.dumps(whole, indent=1, ensure_ascii=False) + "\n")
        replace(f"{path}.md", self.markdown())

    def septet(self):
        """Says which septet it is."""
        return machine.septet(self.bench.septet, self.bench.root, self.bench.given)

    def markdown(self):
        """Returns the table with what it depends on."""
        of, septet = self.bench.machine, self.septet()
        peers = ", ".join(f"{name} {version}" for name, version in sorted(self.bench.peers.versions.items()))
        told = (f"{septet['version']}, {septet['built']}, sha256 {septet['sha256']}…; these sources: {septet['commit']}.\n"
                f"{of['date']}: {of['cpu']}, {of['cores']} cores, {of['memory']}, Linux {of['kernel']}, {of['system']};\n"
                f"load at the start {of['load']}; {self.bench.scale.runs} pairs.\nPeers: {peers or 'none'}.\n")
        if self.bench.scale.runs < 5:
            told = "A QUICK RUN, which shows that everything works, and not how fast it is.\n\n" + told
        return "\n".join([told + crowded(self.results), *HEAD, *map(line, self.results)]) + "\n"


def crowded(results):
    """Warns where others kept a fifth of a core busy, or more."""
    most = max((others for result in results for others in busy_cores(result)), default=0)
    return f"\nOthers kept up to {most:.1f} cores busy: these are ratios of a crowded machine.\n" if most > 0.2 else ""


def busy_cores(result):
    """Returns how many cores others kept busy in each pair or run."""
    return result.others if isinstance(result, Figure) else [pair.others for pair in result.pairs]


def line(result):
    """Returns a line of the table."""
    cells = cells_of_figure(result) if isinstance(result, Figure) else cells_of_pairs(result)
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def cells_of_pairs(result):
    """Returns what the table says of a work beside a peer; the ratio that the goal is about is bold."""
    work = result.work
    goal = f"{work.goal:g} ×" if work.goal else NONE
    if result.failure:
        return [work.title, work.peer, f"not measured: {result.failure}", NONE, goal, NONE, NONE]
    ratios = {counts: ratio(result.spread(counts), counts == work.counts) for counts in (CPU, CLOCK)}
    cpu = ", ".join(map(number, result.cpu()))
    return [work.title, work.peer, ratios[CPU], ratios[CLOCK], goal, cpu, busy(busy_cores(result))]


def cells_of_figure(figure):
    """Returns what the table says of what has no peer."""
    if figure.failure:
        return [figure.title, NONE, f"not measured: {figure.failure}", NONE, figure.goal, NONE, NONE]
    told = f"**{number(statistics.median(figure.runs))} {figure.unit}**"
    if len(figure.runs) > 1:
        told += f" ({number(min(figure.runs))} – {number(max(figure.runs))})"
    return [figure.title, NONE, told, NONE, figure.goal, number(figure.cpu), busy(busy_cores(figure))]


def ratio(spread, counts):
    """Returns a ratio with the least and the most.

    >>> ratio((2.5, 2.0, 3.0), True), ratio((0.25, 0.125, 1.0), False)
    ('**2.50 ×** (2.00 – 3.00)', '0.25 × (0.125 – 1.00)')
    """
    median, least, most = map(number, spread)
    return (f"**{median} ×**" if counts else f"{median} ×") + f" ({least} – {most})"


def busy(others):
    """Returns how many cores others kept busy, from the quietest pair to the busiest.

    >>> busy([0.25, 0.0, 1.19]), busy([])
    ('0.0 – 1.2', '–')
    """
    return f"{min(others):.1f} – {max(others):.1f}" if others else NONE


def write_into(path, table):
    """Puts the table between the marks of a page."""
    with open(path, encoding="utf-8") as file:
        page = file.read()
    before, begin, rest = page.partition(BEGIN)
    _, end, behind = rest.partition(END)
    if not begin or not end:
        raise Failed(f"{path} has no place for the table")
    replace(path, f"{before}{begin}\n{table}\n{end}{behind}")
