"""Growth: how septet's time grows with what a message or a mailbox has of each thing; linear is the aim."""

import json
import math
import os
import statistics
import time
from dataclasses import dataclass
from typing import Callable

import plot
from children import Failed
from install import Missing
from letters import Writer
from measure import Row
from milter import Servers, load_driver

# What counts as linear, and how far above the start-up a time must be to count.
LINEAR = 1.1
ABOVE = 2.0
RAISED = ["--set", "limits.message_bytes=4GiB", "--set", "limits.parts=100000000", "--set", "limits.depth=1000000",
          "--set", "limits.field_bytes=1GiB", "--set", "limits.header_bytes=1GiB", "--set", "limits.fields=1000000000"]
TEXT = b"MIME-Version: 1.0\nContent-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: 8bit\n"


@dataclass
class Dimension:
    """A thing that mail may have much of, over which powers of ten, and what makes a file with so much of it."""

    name: str
    first: int
    last: int
    pieces: Callable[[int], list]
    remark: str = ""
    clock: str = "CPU time"


def measure(bench):
    """Measures each dimension, and what septet takes when there is nothing to do."""
    start_up(bench)
    for dimension in DIMENSIONS:
        guarded(bench, dimension, lambda: in_files(bench, dimension))
    servers = Servers(bench)
    try:
        idle_memory(bench, servers)
        for dimension, option in SESSIONS:
            guarded(bench, dimension, lambda: in_sessions(bench, servers, option))
    finally:
        servers.stop()


def guarded(bench, dimension, timer):
    """Measures one dimension; a failure is a row."""
    bench.say(f"growth: {dimension.name}")
    try:
        timed = timer()
        within_limits(bench, dimension)
        bench.add([row(bench, dimension, rounds(bench, dimension, timed))])
    except (Failed, Missing, OSError) as error:
        bench.add([Row("growth", dimension.name, "septet", failure=str(error))])


def amounts(bench, dimension):
    """Returns the steps, two a decade; a quick run stops a decade earlier, and starts no later."""
    last = max(dimension.last - bench.scale.decades_less, dimension.first + 2)
    return [round(10 ** (half / 2)) for half in range(2 * dimension.first, 2 * last + 1)]


def rounds(bench, dimension, timer):
    """Returns the seconds of each amount, a list for each round; the first round is not counted."""
    measured = [[(amount, timer(amount)) for amount in amounts(bench, dimension)] for _ in range(bench.scale.runs + 1)]
    return measured[1:]


def within_limits(bench, dimension):
    """Makes sure that septet does all of the largest, and does not leave it for a limit: that would be fast."""
    if dimension.pieces and dimension.name != "messages":
        with open(input_of(bench, dimension, amounts(bench, dimension)[-1]), "rb") as source:
            said = bench.children.complaints([bench.septet, "filter", "-v", "--profile", "utf8", *RAISED], source)
        if "left=" in said or "changed" not in said:
            raise Failed(f"septet does not change all of it: {said[:100]}")


def input_of(bench, dimension, amount):
    """Returns the file with so much of something."""
    return bench.inputs.file(f"growth-{dimension.name}-{amount}", lambda: dimension.pieces(amount))


def in_files(bench, dimension):
    """Returns what takes septet's time over so much of something: its CPU, which a busy machine disturbs less."""
    def timed(amount):
        path = input_of(bench, dimension, amount)
        with open(path, "rb") as source, open(os.devnull, "wb") as target:
            if dimension.name == "messages":
                command = [bench.septet, "convert", "-q", "-j", "1", "--profile", "utf8", path]
            else:
                command = [bench.septet, "filter", "--profile", "utf8", *RAISED]
            return bench.children.run(command, source, target).cpu

    return timed


def in_sessions(bench, servers, option):
    """Returns what times a milter over so many connections, or recipients, by the clock."""
    driver, path = load_driver(bench), servers.socket("septet rules")
    letter = bench.inputs.letter("latin1-qp", 4096)

    def timed(amount):
        said = json.loads(bench.children.output([driver, "-s", path, "-m", letter, *option(amount)]))
        if said["errors"]:
            raise Failed(f"{said['errors']} connections were broken off at {amount:,}")
        return said["seconds"]

    return timed


def row(bench, dimension, measured):
    """Makes the row of a dimension, and its plot. The least of it is taken for the start-up."""
    middle = [(points[0][0], statistics.median(seconds for _, seconds in points)) for points in zip(*measured)]
    start = middle[0][1]
    fits = [fit for fit in (exponent(points, start) for points in measured) if fit is not None]
    value = statistics.median(fits) if fits else None
    file = os.path.join(bench.out, f"growth-{dimension.name}.svg")
    plot.draw(file, f"septet: {dimension.name}", f"{dimension.name} against {dimension.clock}", middle, start, value)
    made = Row("growth", dimension.name, "septet", remark=told(dimension, middle, value),
               detail={"points": middle, "start": start, "plot": os.path.basename(file)})
    if value is not None:
        made.unit, made.median, made.least, made.most, made.runs = "exponent", value, min(fits), max(fits), fits
    return made


def told(dimension, points, value):
    """Says what was measured, and whether it grows as it should."""
    (few, fast), (many, slow) = points[0], points[-1]
    verdict = "too fast to tell" if value is None else "linear" if value <= LINEAR else "WORSE THAN LINEAR"
    note = f"; {dimension.remark}" if dimension.remark else ""
    return f"{verdict}; {few:,} took {fast * 1e3:.1f} ms, {many:,} {slow * 1e3:,.0f} ms{note}"


def exponent(points, start):
    """Returns the slope of the line through the points, both axes logarithmic, without the start-up's time.

    >>> round(exponent([(n, 0.01 + n * n) for n in (1, 2, 4, 8)], 0.01), 3)
    2.0
    >>> round(exponent([(n, 0.01 + n / 1000) for n in (1, 100, 1000, 10000)], 0.01), 3)
    1.0
    >>> exponent([(1, 0.011), (10, 0.012), (100, 0.5)], 0.01) is None
    True
    """
    kept = [(math.log(amount), math.log(seconds - start)) for amount, seconds in points if seconds > ABOVE * start]
    if len(kept) < 3:
        return None
    return statistics.linear_regression(*zip(*kept)).slope


def start_up(bench):
    """Adds the row of the time that septet takes for the smallest message."""
    path = bench.inputs.file("growth-nothing", lambda: [b"From: a@example.org\nSubject: x\n\nx\n"])
    times = []
    for _ in range(4 * bench.scale.runs + 1):
        with open(path, "rb") as source, open(os.devnull, "wb") as target:
            times.append(bench.children.run([bench.septet, "filter"], source, target).wall * 1e3)
    bench.add([by_hand("start-up", "septet filter", "ms", times[1:], "a message of one line; the aim is 10 ms")])


def idle_memory(bench, servers):
    """Adds the row of what a daemon takes of memory while nothing comes."""
    try:
        servers.socket("septet utf8")
        process, _ = servers.running["septet utf8"]
        time.sleep(1)
        with open(f"/proc/{process.pid}/status", encoding="ascii") as file:
            kilobytes = next(int(line.split()[1]) for line in file if line.startswith("VmRSS:"))
        bench.add([by_hand("idle memory", "septet serve", "MiB", [kilobytes / 1024], "resident; the aim is 12 MiB")])
    except (Failed, OSError) as error:
        bench.add([Row("growth", "idle memory", "septet serve", failure=str(error))])


def by_hand(work, program, unit, values, remark):
    """Makes a row of values that are no rates."""
    return Row("growth", work, program, unit, statistics.median(values), min(values), max(values), remark=remark,
               runs=values)


def text_of(octets):
    """Makes a text of so many octets in Latin-1."""
    text = Writer().text("fr", octets).encode("iso-8859-1", "replace")
    return [TEXT, b"\n", text[:octets], b"\n"]


def mailbox_of(messages):
    """Makes a mailbox of so many messages."""
    writer = Writer()
    return [b"From a@example.org Thu Jan  1 00:00:00 2026\n" + writer.message("latin1-qp", 500) + b"\n"
            for _ in range(messages)]


def parts_of(count):
    """Makes a message with so many parts."""
    yield b"MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n"
    for number in range(count):
        yield b"--b\n" + TEXT + b"\n" + f"déjà {number}\n".encode("iso-8859-1")
    yield b"--b--\n"


def nested(depth):
    """Makes a message with a text in so many multiparts, one in the other."""
    yield b"MIME-Version: 1.0\n"
    for level in range(depth):
        yield f"Content-Type: multipart/mixed; boundary=b{level}\n\n--b{level}\n".encode()
    yield TEXT[TEXT.index(b"\n") + 1:] + b"\n" + "déjà vu\n".encode("iso-8859-1")
    for level in reversed(range(depth)):
        yield f"\n--b{level}--\n".encode()


def words_of(count):
    """Makes a field of so many encoded-words."""
    yield b"From: a@example.org\nSubject: x"
    for number in range(count):
        yield f"\n =?iso-8859-1?Q?d=E9j=E0_{number}?=".encode()
    yield b"\n\nx\n"


def links_of(count):
    """Makes a text with so many links that must be mapped, a line each."""
    yield TEXT.replace(b"iso-8859-1", b"utf-8") + b"\n"
    for number in range(count):
        yield f"Voir la page https://www.example.org/été/{number} pour la suite.\n".encode()


DIMENSIONS = [
    Dimension("octets", 4, 8, text_of),
    Dimension("messages", 1, 5, mailbox_of),
    Dimension("parts", 1, 5, parts_of, "the limit is 10,000 by default"),
    Dimension("depth", 0, 4, nested, "the limit is 100 by default"),
    Dimension("encoded-words", 2, 6, words_of, "in one field, far over the limit by default"),
    Dimension("links", 2, 6, links_of),
]

SESSIONS = [
    (Dimension("connections", 1, 5, None, "8 at once, a message each", "time"), lambda many: ["-p", "1", "-n", many]),
    (Dimension("recipients", 0, 4, None, "20 messages with so many each", "time"),
     lambda many: ["-c", "1", "-n", "20", "-r", many]),
]
