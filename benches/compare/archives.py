"""Archives: a mailbox is read, its texts become UTF-8, and it is written again; `cat` is the limit."""

import os

import machine
from inputs import first_messages
from install import PEERS
from letters import CHANGING, MIXED
from measure import Contender, Work, compare, program

OURS = "septet utf8"

GMIME = "converts what needs it, parses its result again and compares every text; one thread; no links"
LOOP = "a loop over the crates; writes every message anew; one thread; no links, no proof"
PYTHON = "decodes every text to UTF-8, writes it in base64; one thread; no links, no proof"
PERL = "decodes every text to UTF-8, writes it quoted-printable; one thread; no links, no proof"


def measure(bench):
    """Measures all of it."""
    mixed = bench.mailbox or bench.inputs.mailbox("mixed", bench.scale.mailbox, MIXED)
    name = "the mailbox given" if bench.mailbox else "mail of these days"
    in_memory(bench, mixed, name)
    if not bench.mailbox:
        changing = bench.inputs.mailbox("changing", bench.scale.mailbox // 2, CHANGING)
        in_memory(bench, changing, "mail of which all changes")
    slow_ones(bench, mixed, name)
    on_disk(bench, mixed, name)


def in_memory(bench, mailbox, name):
    """Compares what is fast on the whole mailbox, from tmpfs to tmpfs."""
    source, target = bench.copy(mailbox, bench.memory), os.path.join(bench.memory, "out.mbox")
    work = Work("archives", f"{name}, {megabytes(source)}, in tmpfs", "MB/s", OURS)
    compare(bench, work, [
        Contender("cat", lambda: bytes_of(bench, ["cat", source], source, target), "the limit: copies, reads nothing"),
        *ours(bench, source, target),
        gmime(bench, source, target),
        rebuild(bench, source, target),
    ], against_the_limit)
    bench.remove(source, target)


def ours(bench, source, target):
    """Returns septet as it is used on archives."""
    def convert(*words):
        command = [bench.septet, "convert", "-q", *words, "-o", target, source]
        return lambda: bytes_of(bench, command, source)

    return [
        Contender("septet keep", convert("--profile", "keep"), "all threads; changes nothing"),
        Contender(OURS, convert("--profile", "utf8"), "all threads; links too, each change proved"),
        Contender("septet utf8 -j 1", convert("--profile", "utf8", "-j", "1"), "one thread"),
        Contender("septet utf8 --verify", convert("--profile", "utf8", "--verify"), "reads all of the output again"),
    ]


def against_the_limit(rows):
    """Says of septet's rows what part of the limit they reach."""
    limit, name = rows[0].median, rows[0].program.split()[0]
    for row in rows:
        if limit and row.median and row.program.startswith("septet"):
            row.remark = "; ".join(filter(None, [f"{row.median / limit:.2f} of {name}", row.remark]))


def slow_ones(bench, mailbox, name):
    """Compares what is slow, and some of the fast, on the first messages of the mailbox."""
    source, target = os.path.join(bench.memory, "part.mbox"), os.path.join(bench.memory, "out.mbox")
    with open(source, "wb") as file:
        file.writelines(first_messages(mailbox, bench.scale.part))
    work = Work("archives", f"{name}, its first {megabytes(source)}, in tmpfs", "MB/s", OURS)
    convert = [bench.septet, "convert", "-q", "--profile", "utf8", "-o", target, source]
    python = [bench.python, os.path.join(PEERS, "python_email.py"), source, target]
    compare(bench, work, [
        Contender(OURS, lambda: bytes_of(bench, convert, source), "all threads; links too, each change proved"),
        gmime(bench, source, target),
        Contender("Python mailbox, email", lambda: bytes_of(bench, python, source), PYTHON),
        Contender("Perl Email::MIME", lambda: perl(bench, source, target), PERL),
    ])
    bench.remove(source, target)


def gmime(bench, source, target):
    """Returns GMime as a contender."""
    def prepare():
        return bytes_of(bench, [bench.peers.gmime()], source, target, stdin=source)

    return Contender("GMime", prepare, GMIME)


def rebuild(bench, source, target):
    """Returns the loop over mail-parser and mail-builder as a contender."""
    def prepare():
        return bytes_of(bench, [bench.peers.crate("rebuild"), source], source, target)

    return Contender("mail-parser, mail-builder", prepare, LOOP)


def perl(bench, source, target):
    """Prepares Email::MIME."""
    bench.peers.package("libemail-mime-perl")
    script = os.path.join(PEERS, "email_mime.pl")
    return bytes_of(bench, ["/usr/bin/perl", script], source, target, stdin=source)


def on_disk(bench, mailbox, name):
    """Compares with dd, which puts the octets on the disk before it ends, as septet does."""
    source, target = bench.copy(mailbox, bench.memory), os.path.join(bench.disk, "out.mbox")
    kind = machine.file_system(bench.disk)
    copy = ["dd", f"if={source}", f"of={target}", "bs=1M", "conv=fsync", "status=none"]
    convert = [bench.septet, "convert", "-q", "-o", target, "--profile"]

    def compared(way, before, remark):
        work = Work("archives", f"{name}, {megabytes(source)}, tmpfs to disk ({kind}), {way}", "MB/s", OURS)
        compare(bench, work, [
            Contender("dd conv=fsync", lambda: bytes_of(bench, copy, source, before=before), remark),
            *(Contender(f"septet {profile}", lambda profile=profile: bytes_of(
                bench, [*convert, profile, source], source, before=before)) for profile in ("keep", "utf8")),
        ], against_the_limit)

    compared("a fresh file", lambda: bench.remove(target), "the limit; a disk is noisy: the spread says how much")
    compared("over a file", None, "over the old octets; septet writes a new file and renames it")
    bench.remove(source, target)


def bytes_of(bench, command, source, stdout=None, stdin=None, before=None):
    """Returns what measures a program in megabytes of its input a second."""
    return program(bench, command, os.path.getsize(source) / 1e6, stdin, stdout, before)


def megabytes(path):
    """Returns the size of a file for people."""
    return f"{os.path.getsize(path) / 1e6:.0f} MB"
