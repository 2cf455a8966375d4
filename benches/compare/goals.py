"""The goals: what septet does beside peers that do the same work, or as much of it as they can, in pairs."""

import os

import goal_table
from inputs import first_messages, repeated
from install import PEERS
from letters import CHANGING, MIXED, Writer
from links import FIELDS
from measure import program
from milter import Servers
from pairs import CLOCK, CPU, Figure, Result, Work, alone, compare, counted
from share import share

PROVES = "GMime that proves"
LOOP = "the Rust loop that proves nothing"
DECODEMAIL = "GNU mailutils' decodemail"
PYTHON = "a loop over Python's email"
REFORMIME = "formail and reformime"
IN_USE = (DECODEMAIL, PYTHON, REFORMIME)
SAME = "libmilter + GMime, same conversion"
LETTERS = [("latin1", "8-bit Latin-1"), ("latin1-qp", "quoted-printable Latin-1")]
SIZES = {"4 KB": 4096, "100 KB": 102_400}
MILTER_GOALS = {("latin1", "4 KB"): 9, ("latin1-qp", "4 KB"): 8,
                ("latin1", "100 KB"): 4.5, ("latin1-qp", "100 KB"): 2.0}
PLANNED_LETTER, TIMES = 100_000, 5


def measure(bench):
    """Measures all of them; the table grows with each, so that a run that is stopped has what it had."""
    table = goal_table.Table(bench)
    archives(bench, table)
    made_mail(bench, table, "changing", "mail that all changes", CHANGING, {LOOP: 0.73, PROVES: 3})
    made_mail(bench, table, "mixed", "mail of these days", MIXED, {LOOP: 2.5, PROVES: 3})
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
    work = Work(f"archive, {name}, `keep`, all threads", "cat", CLOCK, 0.9)
    table.add(compare(bench, work, convert(bench, "keep", corpus), copy))
    work = Work("corpus to UTF-8, one core", PROVES, CPU, 5.4)
    if bench.mailbox:
        table.add(compare(bench, work, convert(bench, "utf8", corpus, "-j1"), peer(bench, PROVES, corpus)))
        in_use(bench, table, "corpus", bench.mailbox)
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
    in_use(bench, table, title, source)


def in_use(bench, table, title, source):
    """Compares with what people use, on the first messages alone: these take seconds for a megabyte."""
    part = os.path.join(bench.memory, "part.mbox")
    with open(part, "wb") as file:
        file.writelines(first_messages(source, bench.scale.shown))
    for other in IN_USE:
        work = Work(f"{title}, its first {megabytes(part):.0f} MB, one core", other)
        table.add(compare(bench, work, convert(bench, "utf8", part, "-j1"), peer(bench, other, part)))
    bench.remove(part)


def peer(bench, name, mailbox):
    """Returns what prepares one of the programs that convert."""
    if name == LOOP:
        return copied(bench, lambda: [bench.peers.crate("rebuild"), mailbox], mailbox)
    if name == DECODEMAIL:
        options = ["--no-config", "-c", "utf-8"]
        return written(bench, lambda: [bench.peers.command("decodemail", "mailutils"), *options], mailbox)
    if name == PYTHON:
        return written(bench, lambda: [bench.python, os.path.join(PEERS, "python_email.py")], mailbox)
    if name == REFORMIME:
        return copied(bench, lambda: formail_with_reformime(bench), mailbox, stdin=mailbox)
    return copied(bench, lambda: [bench.peers.gmime()], mailbox, stdin=mailbox)


def formail_with_reformime(bench):
    """Returns the command that splits a mailbox and gives each message to a process of its own."""
    reformime = bench.peers.command("reformime", "maildrop")
    return [bench.peers.command("formail", "procmail"), "-s", reformime, "-r8"]


def convert(bench, profile, mailbox, *words):
    """Returns what prepares septet; it writes a new file, as the others do."""
    target = os.path.join(bench.memory, "converted.mbox")
    command = [bench.septet, "convert", "-q", "--profile", profile, *words, "-o", target, mailbox]
    return lambda: program(bench, command, megabytes(mailbox), before=lambda: bench.remove(target))


def copied(bench, command, mailbox, stdin=None):
    """Returns what prepares a program that writes to standard output, which is a new file as well."""
    target = os.path.join(bench.memory, "converted.mbox")
    return lambda: program(bench, command(), megabytes(mailbox), stdin, target, lambda: bench.remove(target))


def written(bench, command, mailbox):
    """Returns what prepares a program that is given the names of its input and its output."""
    target = os.path.join(bench.memory, "converted.mbox")
    amount = megabytes(mailbox)
    return lambda: program(bench, [*command(), mailbox, target], amount, before=lambda: bench.remove(target))


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
        pair("milter, nothing to do", 16, "septet keep", "libmilter no-op", "libmilter noop", letter)
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
