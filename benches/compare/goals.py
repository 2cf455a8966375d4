"""The goals: what septet does beside peers that do the same work, or as much of it as they can, in pairs."""

import os

import goal_table
from inputs import repeated
from letters import CHANGING, MIXED, Writer
from links import FIELDS
from measure import program
from milter import Servers
from pairs import CLOCK, CPU, Figure, Result, Work, alone, compare, counted
from share import share

PROVES = "GMime that proves"
LOOP = "the Rust loop that proves nothing"
SAME = "libmilter + GMime, same conversion"
LETTERS = [("latin1", "8-bit Latin-1"), ("latin1-qp", "quoted-printable Latin-1")]
SIZES = {"4 KB": 4096, "100 KB": 102_400}
MILTER_GOALS = {("latin1", "4 KB"): 7, ("latin1-qp", "4 KB"): 6,
                ("latin1", "100 KB"): 4.5, ("latin1-qp", "100 KB"): 2.5}
PLANNED_LETTER, TIMES = 100_000, 5


def measure(bench):
    """Measures all of them; the table grows with each, so that a run that is stopped has what it had."""
    table = goal_table.Table(bench)
    archives(bench, table)
    made_mail(bench, table, "changing", "mail that all changes", CHANGING, {LOOP: 1.0, PROVES: 2.5})
    made_mail(bench, table, "mixed", "mail of these days", MIXED, {LOOP: 2.2, PROVES: 3})
    milters(bench, table)
    planning(bench, table)
    if bench.docs:
        goal_table.write_into(os.path.join(bench.root, "docs", "speed.md"), table.markdown())


def archives(bench, table):
    """Compares on real mail, if there is any, else on made mail."""
    source = bench.mailbox or bench.inputs.mailbox("goal-mixed", bench.scale.goal, MIXED)
    corpus = repeated(source, os.path.join(bench.memory, "corpus.mbox"), 3 * bench.scale.goal)
    name = "a corpus" if bench.mailbox else "mail of these days"
    copy = copied(bench, lambda: ["cat", corpus], corpus)
    for profile, goal in (("keep", 0.9), ("utf8", 0.4)):
        work = Work(f"archive, {name}, `{profile}`, all threads", "cat", CLOCK, goal)
        table.add(compare(bench, work, convert(bench, profile, corpus), copy))
    work = Work("corpus to UTF-8, one core", PROVES, CPU, 6)
    if bench.mailbox:
        table.add(compare(bench, work, convert(bench, "utf8", corpus, "-j1"), peer(bench, PROVES, corpus)))
    else:
        table.add(Result(work, failure="real mail is needed, by --mailbox"))
    bench.remove(corpus)


def made_mail(bench, table, name, title, shares, goals):
    """Compares on made mail, all on one core."""
    source = bench.inputs.mailbox(f"goal-{name}", bench.scale.goal // 2, shares)
    mailbox = repeated(source, os.path.join(bench.memory, f"{name}.mbox"), bench.scale.goal)
    for other, goal in goals.items():
        work = Work(f"{title}, to UTF-8, one core", other, CPU, goal)
        table.add(compare(bench, work, convert(bench, "utf8", mailbox, "-j1"), peer(bench, other, mailbox)))
    bench.remove(mailbox)


def peer(bench, name, mailbox):
    """Returns what prepares one of the programs that convert."""
    if name == LOOP:
        return copied(bench, lambda: [bench.peers.crate("rebuild"), mailbox], mailbox)
    return copied(bench, lambda: [bench.peers.gmime()], mailbox, stdin=mailbox)


def convert(bench, profile, mailbox, *words):
    """Returns what prepares septet; it writes a new file, as the others do."""
    target = os.path.join(bench.memory, "converted.mbox")
    command = [bench.septet, "convert", "-q", "--profile", profile, *words, "-o", target, mailbox]
    return lambda: program(bench, command, megabytes(mailbox), before=lambda: bench.remove(target))


def copied(bench, command, mailbox, stdin=None):
    """Returns what prepares a program that writes to standard output, which is a new file as well."""
    target = os.path.join(bench.memory, "converted.mbox")
    return lambda: program(bench, command(), megabytes(mailbox), stdin, target, lambda: bench.remove(target))


def milters(bench, table):
    """Compares milters, by messages a second. Mail that stays is taken as it is by all."""
    servers = Servers(bench)

    def pair(title, goal, ours, server, name, letter):
        seconds = ("-t", bench.scale.seconds / 2)
        work = Work(title, name, CLOCK, goal)
        table.add(compare(bench, work, lambda: servers.load(ours, letter, *seconds),
                          lambda: servers.load(server, letter, *seconds)))

    try:
        for size, octets in SIZES.items():
            for kind, charset in LETTERS:
                letter, title = bench.inputs.letter(kind, octets), f"milter, {charset}, {size}"
                pair(title, MILTER_GOALS[kind, size], "septet utf8", "libmilter GMime", SAME, letter)
                pair(title, None, "septet utf8", "libmilter silent GMime", f"{SAME}, silent", letter)
                pair(title, None, "septet utf8", "libmilter replace", "libmilter replace", letter)
        letter = bench.inputs.letter("utf8", 4096)
        pair("milter, nothing to do", 18, "septet keep", "libmilter no-op", "libmilter noop", letter)
    finally:
        servers.stop()


def planning(bench, table):
    """Measures planning alone, in the library, and the proof's share of it."""
    pages = {"letter with few links": ("plain", lambda writer: writer.text("fr", PLANNED_LETTER)),
             "newsletter": ("html", lambda writer: writer.newsletter(PLANNED_LETTER))}
    for name, (subtype, written) in pages.items():
        writer = Writer()
        letters = [FIELDS % subtype.encode() + written(writer).encode()
                   for _ in range(max(1, bench.scale.text // PLANNED_LETTER))]
        table.add(planned(bench, f"{name}, planned on one core", letters))
    messages = list(Writer().mailbox(min(bench.scale.text, 2_000_000), CHANGING))
    table.add(proof(bench, [message.partition(b"\n")[2] for message in messages]))


def planned(bench, title, letters):
    """Measures how many megabytes are planned in a second of CPU."""
    folder = spread(bench, letters)
    amount = TIMES * sum(map(len, letters)) / 1e6
    return alone(bench, Figure(title, "MB/s", "500 MB/s"), amount,
                 lambda: program(bench, [bench.peers.planner(), "utf8", folder, TIMES], amount))


def proof(bench, messages):
    """Counts the proof's share, which no clock can see."""
    figure = Figure("the proof's share of planning mail that all changes, in instructions", "%", "at most 15 %")
    return counted(bench, figure, lambda: 100 * share(bench, bench.peers.planner(), spread(bench, messages)))


def spread(bench, messages):
    """Writes each message into a file of its own, and returns their folder."""
    folder = os.path.join(bench.memory, "messages")
    os.makedirs(folder, exist_ok=True)
    bench.remove(*(os.path.join(folder, name) for name in os.listdir(folder)))
    for number, message in enumerate(messages):
        with open(os.path.join(folder, f"{number}.eml"), "wb") as file:
            file.write(message)
    return folder


def megabytes(path):
    """Returns the size of a file."""
    return os.path.getsize(path) / 1e6
