#!/usr/bin/env python3
"""What becomes of short texts without a label beside a neighbour with another charset: `neighbours.py FOLDER`.

FOLDER is what `fetch` fetched. A text is a translation of a program, as a part of a mail beside another part with a label, or as
the subject above a body with one; `own` is the charset of the text, and the other part is in its language. Prints right, wrong
and left of 300, without settings and with `detect`, and exits with 1 if a goal is missed. `SEPTET` names the program.
"""

import collections
import pathlib
import random
import sys

import play
import texts

FOREIGN = {"ru": "windows-1251", "uk": "windows-1251", "tr": "windows-1254", "el": "windows-1253", "he": "windows-1255",
           "cs": "windows-1250", "pl": "windows-1250", "lt": "windows-1257"}
WESTERN = dict.fromkeys("de fr es sv it pt".split(), "windows-1252")
OTHERS = ["part iso-8859-1", "part windows-1252", "part iso-8859-2", "subject iso-8859-1"]
NEIGHBOURS = ["part own", "part us-ascii", *OTHERS, "subject us-ascii"]
SETTINGS = {"default": (), "detect": (play.DETECT,)}
TEXTS = 300


def translations(folder, code, charset):
    """Translations in random order, each with three letters or signs beyond ASCII, or one in languages that have few."""
    codec, least, found = charset.replace("windows-", "cp"), 1 if code in WESTERN else 3, {}
    for place in ("tools", "programs"):
        for text in texts.translations(folder / place, [code]):
            octets = text.encode(codec, "ignore")
            is_plain = len(text) > 3 and "%" not in text and "\n" not in text and octets.decode(codec) == text
            if is_plain and sum(octet > 127 for octet in octets) >= least:
                found[text] = octets
    found = sorted(found.items())
    random.Random(code).shuffle(found)
    if len(found) < 2 * TEXTS:
        sys.exit(f"{code}: only {len(found)} texts; fetch them")
    return found[:TEXTS], [octets for _, octets in found[TEXTS : 2 * TEXTS]]


def part(octets, label, other):
    kind, coding = b"Content-Type: text/plain", b"\nContent-Transfer-Encoding: 8bit\n\n"
    head = b"From: a@example.org\nSubject: x\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n"
    return head + kind + coding + octets + b"\n--b\n" + kind + b'; charset="' + label + b'"' + coding + other + b"\n--b--\n"


def subject(octets, label, _):
    head = b"From: a@example.org\nSubject: " + octets + b"\nMIME-Version: 1.0\nContent-Type: text/plain"
    return head + b'; charset="' + label + b'"\n\nsee attached file\n'


def outcome(text, octets, place, after):
    if octets in after:
        return "left"
    if place == "part":
        return "right" if text.encode() in after else "wrong"
    return "right" if play.subject(after).split() == text.split() else "wrong"


def row(written, others, charset, neighbour, settings):
    """What becomes of the texts of a language beside a neighbour."""
    place, label = neighbour.split()
    make = part if place == "part" else subject
    feet = others if label == "own" else [b"____\nlist mailing list"] * TEXTS
    label = (charset if label == "own" else label).encode()
    mails = [make(octets, label, foot) for (_, octets), foot in zip(written, feet)]
    played = zip(written, play.filtered(mails, *settings), strict=True)
    return collections.Counter(outcome(text, octets, place, after) for (text, octets), (after, _) in played)


def missed(counts):
    """Yields what goals are missed."""
    for setting in SETTINGS:
        beside = {(code, neighbour): counts[code, neighbour, setting]["wrong"] for code in FOREIGN for neighbour in OTHERS}
        if sum(beside.values()) > 0.05 * TEXTS * len(beside):
            share = 100 * sum(beside.values()) / TEXTS / len(beside)
            yield f"{setting}: {share:.1f} % wrong in {' '.join(FOREIGN)} beside another charset; at most 5 %"
        for (code, neighbour), wrong in beside.items():
            if wrong > 45:
                yield f"{setting}: {code} {neighbour}: {wrong} wrong; at most 45"
        for code, neighbour, least in least_right():
            if counts[code, neighbour, setting]["right"] < least:
                yield f"{setting}: {code} {neighbour}: {counts[code, neighbour, setting]['right']} right; at least {least}"
    for code in FOREIGN | WESTERN:
        for neighbour in OTHERS:
            least = counts[code, f"{neighbour.split()[0]} us-ascii", "detect"]["right"] - 0.02 * TEXTS
            if counts[code, neighbour, "detect"]["right"] < least:
                right = counts[code, neighbour, "detect"]["right"]
                yield f"detect: {code} {neighbour}: {right} right; at least {least:.0f}, as beside us-ascii"


def least_right():
    for code in FOREIGN | WESTERN:
        yield code, "part own", 295
    for code in WESTERN:
        for neighbour in ("part iso-8859-1", "part windows-1252", "subject iso-8859-1"):
            yield code, neighbour, 285


def main(folder):
    counts = {}
    print(f"{'right/wrong/left of ' + str(TEXTS):38}" + "".join(f"{setting:>14}" for setting in SETTINGS))
    for code, charset in (FOREIGN | WESTERN).items():
        written, others = translations(pathlib.Path(folder), code, charset)
        for neighbour in NEIGHBOURS:
            shown = ""
            for setting, options in SETTINGS.items():
                count = counts[code, neighbour, setting] = row(written, others, charset, neighbour, options)
                shown += f"{count['right']:>6}/{count['wrong']}/{count['left']}".rjust(14)
            print(f"{code}  {charset:13} {neighbour:20}{shown}")
    failures = list(missed(counts))
    print("\n".join(["", *failures] if failures else ["", "all goals are met"]))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
