#!/usr/bin/env python3
"""Plays messages without labels through septet and counts what becomes of them: `play.py MESSAGES.jsonl [wrong]`.

The messages are those of `messages.py` or `disturbed.py`; each becomes a mail with a subject and a body. A text is *right* if it
comes out as it was written, *left* if its octets are the same, and *wrong* otherwise; UTF-8 that was cut is right if it is left.
With `wrong`, prints the wrong texts, a line each. `SEPTET` names the program; it is `septet` without it.
"""

import collections
import email
import email.policy
import json
import os
import subprocess
import sys
import unicodedata

import messages

DETECT = "profile.utf8.unlabelled=utf-8,detect"
# What the tables of Python and those of the web call the same character of East Asia.
ALIKE = str.maketrans("〜‖−―‾¢£¥", "～∥－—￣￠￡￥")


def filtered(mails, *settings):
    """What septet makes of mails, and its report of each, in order."""
    requests = b"".join(json.dumps({"length": len(mail)}).encode() + b"\n" + mail for mail in mails)
    options = [word for setting in settings for word in ("--set", setting)]
    program = [os.environ.get("SEPTET", "septet"), "filter", "--batch", *options]
    output = subprocess.run(program, input=requests, stdout=subprocess.PIPE, check=True).stdout
    at = 0
    while at < len(output):
        end = output.index(b"\n", at) + 1
        answer = json.loads(output[at:end])
        at = end + answer["length"]
        yield output[end:at], answer["report"]


def subject(mail):
    """The text of a subject, without its folds."""
    return str(email.message_from_bytes(mail, policy=email.policy.default)["Subject"])


def mail(octets):
    title, body = octets if len(octets) > 1 else (b"Re: 7", octets[0])
    head = b"From: a@example.org\nSubject: " + title + b"\nMIME-Version: 1.0\nContent-Type: text/plain\n"
    return head + b"Content-Transfer-Encoding: 8bit\n\n" + body + b"\n"


def alike(text):
    """A text without what does not tell charsets apart: blanks, composition, and the end that a cut left of a character."""
    return "".join(unicodedata.normalize("NFC", text.translate(ALIKE)).rstrip("\ufffd").split())


def outcome(octets, charset, is_left, text):
    is_utf_8 = charset == "utf-8"
    if is_left:
        return "right" if is_utf_8 else "left"
    codec = charset if is_utf_8 else messages.CHARSETS[charset][0]
    return "right" if alike(text) == alike(octets.decode(codec, "ignore")) else "wrong"


def outcomes(message, before, after):
    """For each text its octets, what it became, and whether that is right."""
    charset = message["charset"]
    octets = [bytes.fromhex(text) for text in message["texts"]]
    body = email.message_from_bytes(after).get_payload(decode=True)
    is_left = body == email.message_from_bytes(before).get_payload(decode=True)
    text = body.decode("utf-8", "replace")
    yield octets[-1], text, outcome(octets[-1], charset, is_left, text)
    if len(octets) > 1:
        title = subject(after)
        yield octets[0], title, outcome(octets[0], charset, octets[0] in after.partition(b"\n\n")[0], title)


def share(counts, group):
    right, left, wrong = (counts[group, outcome] for outcome in ("right", "left", "wrong"))
    total = right + left + wrong
    return f"{total:7} {right:7} {left:6} {wrong:6}   {100 * right / total:6.2f} % right  {100 * wrong / total:6.3f} % wrong"


def show(message, octets, text, report):
    written = octets.decode("utf-8" if message["charset"] == "utf-8" else messages.CHARSETS[message["charset"]][0], "ignore")
    said = "; ".join(line["text"] for line in report)
    row = [message[key] for key in ("disturbed", "charset", "language", "size", "source")]
    print("\t".join(map(str, [*row, repr(written[:300]), repr(text[:300]), said])))


def main(path, *options):
    with open(path, encoding="ascii") as file:
        lines = [{"disturbed": "none"} | json.loads(line) for line in file]
    for message in lines:
        message["texts"] = [message["texts"][0], message["texts"][-1]] if len(message["texts"]) > 1 else message["texts"]
    mails = [mail([bytes.fromhex(text) for text in message["texts"]]) for message in lines]
    counts = collections.Counter()
    for message, before, (after, report) in zip(lines, mails, filtered(mails, DETECT), strict=True):
        rarity = "rare" if message["charset"] in messages.RARE else "usual"
        groups = [(key, message[key]) for key in ("disturbed", "source", "size", "charset", "language")]
        for octets, text, found in outcomes(message, before, after):
            for group in [("all", "all"), ("all", rarity), *groups]:
                counts[group, found] += 1
            if found == "wrong" and "wrong" in options:
                show(message, octets, text, report)
    if "wrong" not in options:
        table(counts)


def table(counts):
    print(f"{'':24} {'texts':>7} {'right':>7} {'left':>6} {'wrong':>6}")
    for group in dict.fromkeys(sorted((group for group, _ in counts), key=str)):
        print(f"{group[0]:10} {group[1]!s:13} {share(counts, group)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
