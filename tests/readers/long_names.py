#!/usr/bin/env python3
"""Long display names, before and after septet: tests/readers/long_names.py PROGRAM [COUNT] [SEED] [READER…]

Makes COUNT names (2000) of nine scripts from name_parts.tsv, each as one encoded-word in a charset of old, which is full or
nearly so: in UTF-8 most need two words or three. Each reader that shows a name right before must show it right afterwards.
Python keeps the blank between two encoded-words of a phrase; there the cut must be where the name has a blank, which is then
shown twice, and never inside a word, but for names that no words can say so: GMime loses what follows a word in base64 whose
octets are no whole groups of three, if that is in base64 too, and a word in Q has little room. Prints for each reader how
many it shows right before, right after, and worse, and how many of these can't be helped; fails if another is worse.
"""

import base64
import random
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE))

import driver
import readers
from convert import converted

BLANK_KEPT = ("python", "pyodide")
SAFE = rb"[^A-Za-z0-9!*+/-]"


def parts():
    lines = (HERE / "name_parts.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    return [(charsets.split(), [column.split() for column in columns]) for _, charsets, *columns in rows]


def encoded(name, charset, coding):
    """A name as one encoded-word, as long as it may turn out."""
    octets = name.encode(charset)
    if coding == "B":
        return f"=?{charset}?B?{base64.b64encode(octets).decode()}?="
    quoted = re.sub(SAFE, lambda it: b"_" if it[0] == b" " else b"=%02X" % it[0][0], octets)
    return f"=?{charset}?Q?{quoted.decode()}?="


def made(dice, rows):
    """A name and its encoded-word: one part of each place, and as many more as there is room for."""
    charsets, columns = dice.choice(rows)
    charset, coding = dice.choice(charsets), dice.choice("BQ")
    name, word = "", ""
    for column in columns * 2:
        longer = f"{name} {dice.choice(column)}".strip()
        # Parts of the first columns come first, as in a name; those of the second round fill the word.
        if len(written := encoded(longer, charset, coding)) <= 75:
            name, word = longer, written
    return name, word


def message(word):
    return f"From: {word} <a@example.org>\nTo: b@example.net\nSubject: a\nDate: Sat, 21 Nov 2026 10:00:00 +0000\n\nx\n".encode()


def shown(command, messages):
    """The name of the sender that a reader shows of each message; `None` if it has no call for names."""
    answers = driver.answers(command, messages)
    if answers[0].get("names", {}) is None:
        return None
    return [((it.get("names") or {}).get("from") or [None])[0] for it in answers]


def right(reader, name, seen):
    """Whether a name is shown right after septet."""
    doubled = re.escape(name).replace("\\ ", " {1,2}")
    return seen == name or reader in BLANK_KEPT and re.fullmatch(doubled, seen or "") is not None


def coded(text, room):
    """The codings in which a text has room in one word: B that nothing in B may follow, B that anything may, or Q."""
    octets = text.encode()
    quoted = len(re.sub(SAFE, lambda it: b"_" if it[0] == b" " else b"=%02X" % it[0][0], octets))
    is_whole = len(octets) % 3 == 0
    found = ["B" if is_whole else "padded"] if (len(octets) + 2) // 3 * 4 <= room else []
    return found + (["Q"] if quoted <= room else [])


def can_be_cut(name, before="", room=76 - len("From: =?utf-8?B??=")):
    """Whether words can say a name that are cut at its blanks alone, each of which is in one of them."""
    if any(it == "Q" or before != "padded" for it in coded(name, room)):
        return True
    cuts = [at for found in re.finditer(" ", name[1:-1]) for at in (found.start() + 1, found.end() + 1)]
    return any(
        can_be_cut(name[at:], coding, 75 - len("=?utf-8?B??="))
        for at in cuts
        for coding in coded(name[:at], room)
        if name[:at].strip() and (coding == "Q" or before != "padded")
    )


def main():
    program, count, seed = sys.argv[1], int((sys.argv[2:] or [2000])[0]), (sys.argv[3:] or ["1642"])[0]
    dice, rows = random.Random(f"{seed} names"), parts()
    names = [made(dice, rows) for _ in range(count)]
    before = [message(word) for _, word in names]
    after, _ = converted(program, "utf8", before)
    several = sum(len(re.findall(rb"=\?utf-8\?", raw.split(b"<")[0])) > 1 for raw in after)
    print(f"{count} names, of which {several} are several words after septet")
    failed = False
    for reader, (command, _) in readers.available(sys.argv[4:]).items():
        was, now = shown(command, before), shown(command, after)
        if was is None or now is None:
            print(f"{reader:<17} not asked: it has no call for names")
            continue
        good = [seen == name for (name, _), seen in zip(names, was)]
        fine = [right(reader, name, seen) for (name, _), seen in zip(names, now)]
        all_worse = [at for at in range(count) if good[at] and not fine[at]]
        worse = [at for at in all_worse if reader not in BLANK_KEPT or can_be_cut(names[at][0])]
        helpless = f", {len(all_worse) - len(worse)} more that can't be helped" if len(worse) < len(all_worse) else ""
        counts = f"right before {sum(good):>4}, right after {sum(fine):>4}, worse {len(worse)}{helpless}"
        print(f"{reader:<17} {counts}", flush=True)
        for at in worse[:3]:
            print(f"  {names[at][0]!r} is shown as {now[at]!r}: {after[at].split(b'To:')[0].decode()!r}")
        failed |= bool(worse)
    sys.exit(failed)


if __name__ == "__main__":
    main()
