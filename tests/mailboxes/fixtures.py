"""Files as programs without a command line write them: Thunderbird and Apple Mail."""

import re

from boxes import LETTERS, MOZILLA, Seen, files, marks, subject


def thunderbird_make(source, folder):
    """Its mailbox file: a From_ line with a hyphen, its fields in every message, and the index beside it."""
    with open(folder / "Inbox", "wb") as box:
        for number, file in enumerate(files(source), 1):
            status = sum(MOZILLA.get(letter, 0) for letter in marks(file, {})[0])
            keys = " ".join(word for word, every in (("$label1", 6), ("work", 9)) if number % every == 0)
            box.write(b"From - Sat Nov 21 10:00:00 2026\nX-Mozilla-Status: %04x\nX-Mozilla-Status2: 00000000\n" % status)
            box.write(b"X-Mozilla-Keys: %-80s\n" % keys.encode())
            box.write(re.sub(rb"(?m)^(>*From )", rb">\1", file.read_bytes()).rstrip(b"\n") + b"\n\n")
    (folder / "Inbox.msf").write_text("// <!-- <mdb:mork:z v=\"1.4\"/> -->\n")
    return folder / "Inbox"


def thunderbird_seen(path, folder):
    """Its fields, read where its From_ lines stand."""
    seen = []
    for message in re.split(rb"(?m)^From [^\n]*\d\d:\d\d:\d\d \d{4}\n", path.read_bytes())[1:]:
        status = int(re.search(rb"^X-Mozilla-Status: (\w+)", message, re.MULTILINE)[1], 16)
        keys = re.search(rb"^X-Mozilla-Keys:([^\n]*)", message, re.MULTILINE)[1].decode().split()
        seen.append(Seen(subject(message), "".join(it for it in LETTERS if status & MOZILLA.get(it, 0)), tuple(sorted(keys))))
    return seen


APPLE_PLIST = b"""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
\t<key>flags</key>
\t<integer>%d</integer>
</dict>
</plist>
"""
APPLE_BITS = {"S": 0, "T": 1, "R": 2, "F": 4, "D": 6, "P": 8}


def apple_make(source, folder):
    """A mailbox of Apple Mail: the length, the message, and a property list with the flags."""
    where = folder / "Archive.mbox/Messages"
    where.mkdir(parents=True)
    for number, file in enumerate(files(source), 1):
        flags = sum(1 << APPLE_BITS[letter] for letter in marks(file, {})[0])
        message = file.read_bytes()
        (where / f"{number:03d}.emlx").write_bytes(b"%-10d\n" % len(message) + message + APPLE_PLIST % flags)
    return where


def apple_seen(path, folder):
    seen = []
    for file in sorted(path.rglob("*.emlx")):
        length, _, rest = file.read_bytes().partition(b"\n")
        flags = int(re.search(rb"<integer>(\d+)", rest[int(length):])[1])
        seen.append(Seen(subject(rest[: int(length)]), "".join(it for it in LETTERS if flags >> APPLE_BITS[it] & 1)))
    return seen
