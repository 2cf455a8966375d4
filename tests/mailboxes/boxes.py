"""What the test itself reads and writes of mailboxes, without any library for mail: Maildirs, subjects, fields of state."""

import re
from dataclasses import dataclass
from pathlib import Path

LETTERS = "DFPRST"  # draft, flagged, forwarded, answered, read, deleted
STATE = re.compile(
    rb"(Status|X-Status|X-Keywords|X-UID|X-IMAP|X-IMAPbase|Content-Length|Lines|X-Mozilla-Status|X-Mozilla-Keys):",
    re.IGNORECASE,
)


@dataclass(frozen=True, order=True)
class Seen:
    """What a program sees of a message: the beginning of its Subject, letters as a Maildir has them, and keywords.

    `letters` is None where the program tells nobody.
    """

    subject: str
    letters: str | None = None
    keywords: tuple = ()


def letters_of(number):
    """The flags of the message of that number when all begins: every flag alone and beside others."""
    every = {"S": 2, "F": 3, "R": 4, "P": 5, "D": 7, "T": 11}
    return "".join(letter for letter in LETTERS if number % every[letter] == 0)


def is_new(number):
    """Whether no program has seen that message when all begins."""
    return number % 13 == 0


def subject(octets):
    """The beginning of a message's Subject, which its number is the first of; empty where there is none."""
    found = re.search(rb"^Subject:[ \t]*([^\r\n]*)", octets, re.MULTILINE)
    return found[1].decode("utf-8", "replace").strip()[:24].strip() if found else ""


def without_state(octets):
    """A message without the fields in which programs keep what they know, and without what stands behind its last line."""
    header, empty, body = re.split(rb"(?<=\n)(\r?\n)", octets + b"\n", maxsplit=1)
    kept = [line for line in re.findall(rb"[^\n]*\n(?:[ \t][^\n]*\n)*", header) if not STATE.match(line)]
    return (b"".join(kept) + empty + body).rstrip(b"\r\n")


def make_maildir(folder, messages):
    """The Maildir that all begins with."""
    for part in ("cur", "new", "tmp"):
        (folder / part).mkdir(parents=True)
    for number, message in enumerate(messages, 1):
        name = f"{1700000000 + number}.M{number}P1.host"
        place = f"new/{name}" if is_new(number) else f"cur/{name}:2,{letters_of(number)}"
        (folder / place).write_bytes(message)
    return folder


def files(maildir):
    """The files of a Maildir in the order of their names."""
    found = [file for part in ("cur", "new") for file in (maildir / part).iterdir()]
    return sorted(found, key=lambda file: file.name)


def files_as_made(maildir):
    """The files of a Maildir in the order in which a program that counts has named them."""
    return sorted(files(maildir), key=lambda file: [int(it) if it.isdigit() else it for it in re.split(r"(\d+)", file.name)])


def keywords_of(maildir):
    """The names of the letters a to z in a Maildir of Dovecot's form."""
    named = maildir / "dovecot-keywords"
    lines = [line.split(" ", 1) for line in named.read_text().splitlines()] if named.exists() else []
    return {chr(ord("a") + int(number)): word for number, word in lines}


def marks(file, keywords):
    """The letters and keywords in a file's name."""
    said = file.name.rpartition(":2,")[2] if ":2," in file.name else ""
    words = tuple(sorted(keywords[it] for it in said if it in keywords))
    return "".join(it for it in LETTERS if it in said), words


def seen_maildir(maildir):
    """A Maildir as it stands: what a program that copies into one has seen."""
    keywords = keywords_of(maildir)
    return [Seen(subject(file.read_bytes()), *marks(file, keywords)) for file in files_as_made(maildir)]


def texts(maildir):
    """The messages of a Maildir."""
    return [file.read_bytes() for file in files(maildir)]


def seen_folder(folder):
    """A folder with a message in each file of a number, as MH's: its subjects alone."""
    numbers = sorted(int(file.name) for file in Path(folder).iterdir() if file.name.isdigit())
    return [Seen(subject((Path(folder) / str(number)).read_bytes())) for number in numbers]


def seen_fields(messages):
    """What Status, X-Status and X-Keywords say in messages that stand alone."""
    return [Seen(subject(it), *said_by_fields(it)) for it in messages]


def said_by_fields(message):
    """The letters and keywords in the fields of a message."""
    header = re.split(rb"\n\r?\n", message, maxsplit=1)[0].decode("latin-1")

    def value(name):
        return " ".join(re.findall(rf"^{name}:(.*)$", header, re.MULTILINE | re.IGNORECASE))

    status, x_status = value("Status"), value("X-Status")
    letters = {"S": "R" in status, "F": "F" in x_status, "R": "A" in x_status, "T": "D" in x_status, "D": "T" in x_status}
    return "".join(it for it in LETTERS if letters.get(it)), tuple(sorted(value("X-Keywords").split()))


# What stands in a mailbox, as whoever reads by hand would say: the reference for what septet makes of it.

FROM_LINE = re.compile(rb"^From [^\n]*\d\d:\d\d[^\n]*\d{4}[^\n]*\n(?=[!-9;-~]+[ \t]*:)", re.MULTILINE)
LENGTH = re.compile(rb"^Content-Length:[ \t]*(\d+)[ \t]*\r?$", re.MULTILINE | re.IGNORECASE)
MMDF_LINE = b"\1\1\1\1\n"
MOZILLA = {"S": 0x0001, "R": 0x0002, "F": 0x0004, "T": 0x0008, "P": 0x1000}


def header_end(message):
    found = re.search(rb"^\r?\n", message, re.MULTILINE)
    return found.end() if found else len(message)


def starts_of(octets):
    """Where messages start in a mailbox file; a Content-Length that ends before a From_ line or the end covers what is in it."""
    starts, at = [], 0
    while found := FROM_LINE.search(octets, at):
        starts.append(found.start())
        header = found.end() + header_end(octets[found.end() :])
        at, length = found.end(), LENGTH.search(octets, found.end(), header)
        end = header + int(length[1]) if length else 0
        if length and re.match(rb"\r?\n(From |\Z)|\Z", octets[end:]) and octets[end - 1 : end + 1].count(b"\n"):
            at = end
    return starts


def unquoted(message):
    """A message as mboxrd quotes; whoever left a line bare has quoted none."""
    if re.search(rb"^From ", message, re.MULTILINE):
        return message
    return re.sub(rb"^>(>*From )", rb"\1", message, flags=re.MULTILINE)


def in_mbox(octets):
    """The messages of a mailbox file, as docs/archives.md says which dialect it is."""
    starts = [*starts_of(octets), len(octets)]
    pieces = [octets[start:end].partition(b"\n")[2] for start, end in zip(starts, starts[1:])]
    counts = sum(bool(LENGTH.search(it[: header_end(it)])) for it in pieces) > len(pieces) / 2
    is_mboxcl2 = counts and any(re.search(rb"^From ", it, re.MULTILINE) for it in pieces)
    return pieces if is_mboxcl2 else [unquoted(it) for it in pieces]


def in_mmdf(octets):
    """The messages between MMDF's lines, where a From_ line may stand first."""
    pieces = octets.removeprefix(MMDF_LINE).removesuffix(MMDF_LINE).split(MMDF_LINE + MMDF_LINE)
    return [re.sub(rb"\AFrom [^\n]*\n", b"", it) for it in pieces]


def letters_in(folder):
    """The messages of a folder of .eml files, or of MH's numbers, which stay."""
    found = [file for file in folder.rglob("*") if file.suffix == ".eml" or file.name.isdigit()]
    return [of_mh(file) for file in sorted(found, key=lambda file: int(file.stem))]


def of_mh(file):
    """A message of MH without the From_ line that procmail leaves before it, for which other forms have other places."""
    return re.sub(rb"\AFrom [^\n]*\n", b"", file.read_bytes())


def marks_of_fields(message, known):
    """The letters and keywords that the fields of a message say; `known` are the keywords that its mailbox file names."""
    header = message[: header_end(message)]
    status = re.search(rb"^X-Mozilla-Status: (\w{4})\r?$", header, re.MULTILINE)
    if status:
        keys = re.search(rb"^X-Mozilla-Keys:([^\n]*)", header, re.MULTILINE)
        letters = "".join(it for it in LETTERS if int(status[1], 16) & MOZILLA.get(it, 0))
        return letters, tuple(sorted(keys[1].decode().split())) if keys else ()
    letters, words = said_by_fields(message)
    return letters, tuple(it for it in words if it in known)


def keywords_named(first):
    """The keywords that the first message of a mailbox file names."""
    found = re.search(rb"^X-IMAP(?:base)?:[ \t]*\d+[ \t]+\d+([^\n]*)", first[: header_end(first)], re.MULTILINE)
    return found[1].decode("latin-1").split() if found else []


def in_files(form, path):
    """The messages of a folder of MH or Apple Mail."""
    if form == "mh":
        numbers = sorted(int(file.name) for file in path.iterdir() if file.name.isdigit())
        return [of_mh(path / str(number)) for number in numbers]
    parted = [file.read_bytes().partition(b"\n") for file in sorted(path.rglob("*.emlx"))]
    return [rest[: int(length)] for length, _, rest in parted]


def reference(form, path, seen):
    """The messages and marks of a mailbox, in order; `seen` is what its program sees, where no field and no name says it."""
    if form == "maildir":
        keywords = keywords_of(path)
        return [(file.read_bytes(), marks(file, keywords)) for file in files(path)]
    if form in ("mh", "emlx"):
        found = in_files(form, path)
        has_marks = form == "emlx" or (path / ".mh_sequences").exists()
        # Of MH's sequences those of three flags are known to more than one program.
        known = "FRS" if form == "mh" else LETTERS
        saw = {it.subject: ("".join(letter for letter in it.letters or "" if letter in known), ()) for it in seen}
        return [(it, saw[subject(it)] if has_marks else marks_of_fields(it, [])) for it in found]
    found = (in_mmdf if form == "mmdf" else in_mbox)(path.read_bytes())
    known = keywords_named(found[0])
    return [(it, marks_of_fields(it, known)) for it in found if not subject(it).startswith("DON'T DELETE")]
