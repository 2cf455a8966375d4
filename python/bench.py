#!/usr/bin/env python3
"""Measures septet.convert beside the library in Rust and beside Python's `email`, on one core, in one run.

    python3 python/bench.py [PLAN]      PLAN is the program `plan` of benches/, built with --release

2,000 letters of 1 KB, of which 70 % are in old charsets and change. All take turns, seven times; the figures are medians of
CPU time, each of one letter. `email` decodes every text and three fields and writes the message anew in UTF-8; it proves
nothing.
"""

import base64
import quopri
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from email import message_from_bytes, policy
from email.header import Header, decode_header, make_header
from pathlib import Path

import septet

LETTERS, CHANGING, LENGTH, TURNS, TIMES = 2_000, 0.7, 1_024, 7, 10
TEXTS = {
    "fr": "Après l'été, la fête a été déplacée à Genève : où êtes-vous, chère Hélène ? Ça ira très bien, à bientôt. ",
    "de": "Schöne Grüße aus Österreich, wir hätten übermorgen Zeit für ein Gespräch über die Änderungen im Büro. ",
    "ru": "Привет, как дела? Завтра мы встречаемся в десять часов утра у главного входа в библиотеку. ",
    "ja": "こんにちは、明日の会議は十時から始まります。資料を持ってきてください。よろしくお願いします。",
    "en": "Dear all, the meeting of tomorrow starts at ten; please bring the documents that you were sent. ",
}
OLD = [("fr", "iso-8859-1", "8bit"), ("fr", "windows-1252", "quoted-printable"), ("de", "iso-8859-15", "quoted-printable"),
       ("de", "iso-8859-1", "base64"), ("ru", "koi8-r", "8bit"), ("ru", "windows-1251", "base64"),
       ("ja", "iso-2022-jp", "7bit")]
NEW = [("en", "us-ascii", "7bit"), ("fr", "utf-8", "quoted-printable"), ("de", "utf-8", "8bit")]


def letters(seed=1642):
    """Returns the letters, the same at every run."""
    chance = random.Random(seed)
    return [letter(chance, number, *chance.choice(OLD if chance.random() < CHANGING else NEW)) for number in range(LETTERS)]


def letter(chance, number, language, charset, transfer):
    """Writes one."""
    text, start = TEXTS[language], chance.randrange(30)
    width = 36 if language == "ja" else 70
    subject = Header(text[start:start + 24].strip(), charset, header_name="Subject").encode(linesep="\n")
    head = (f"From: Somebody <a{number}@example.org>\nTo: list@example.org\nSubject: {subject}\n"
            f"Date: Mon, 01 Jan 2007 00:00:00 +0000\nMessage-ID: <{number}@example.org>\nMIME-Version: 1.0\n"
            f"Content-Type: text/plain; charset={charset}\nContent-Transfer-Encoding: {transfer}\n\n").encode("ascii")
    body = b""
    while len(head) + len(body) < LENGTH:
        start = chance.randrange(len(text))
        body += (text + text)[start:start + width].encode(charset) + b"\n"
    if transfer == "base64":
        body = base64.encodebytes(body)
    return head + (quopri.encodestring(body) if transfer == "quoted-printable" else body)


def by_septet(mail):
    for raw in mail:
        # As the program in Rust does it, so that both find their caches as warm.
        for _ in range(TIMES):
            septet.convert(raw).bytes


def by_email(mail):
    """Does it with the policy that is for new programs."""
    for raw in mail:
        message = message_from_bytes(raw, policy=policy.default)
        for name in ("From", "To", "Subject"):
            message.replace_header(name, str(message[name]))
        for part in message.walk():
            if part.get_content_maintype() == "text":
                part.set_content(part.get_content(), subtype=part.get_content_subtype(), charset="utf-8")
        message.as_bytes()


def by_old_email(mail):
    """Does it with the policy that is there for old programs, and faster."""
    for raw in mail:
        message = message_from_bytes(raw)
        for name in ("From", "To", "Subject"):
            message.replace_header(name, Header(str(make_header(decode_header(message[name]))), "utf-8"))
        for part in message.walk():
            if part.get_content_maintype() == "text":
                text = part.get_payload(decode=True).decode(part.get_content_charset("ascii"), "replace")
                del part["Content-Transfer-Encoding"]
                part.set_payload(text, "utf-8")
        message.as_bytes()


def cpu(work, *words):
    """Returns the CPU time that a call took, its children's with it."""
    def now():
        return sum(resource.getrusage(who).ru_utime + resource.getrusage(who).ru_stime
                   for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    before = now()
    work(*words)
    return now() - before


def by_rust(plan, folder):
    """Returns what planning and applying takes, without the start of the program and the reading of files."""
    def run(times):
        subprocess.run([plan, "utf8", folder, str(times)], check=True, stdout=subprocess.DEVNULL)
    return (cpu(run, TIMES) - cpu(run, 0)) / TIMES


def main(plan=None):
    mail = letters()
    results = [septet.convert(raw) for raw in mail]
    print(f"septet {septet.__version__}, Python {sys.version.split()[0]}, {time.strftime('%Y-%m-%d')}: {len(mail)} letters, "
          f"{sum(map(len, mail)) // len(mail)} octets each, {sum(result.changed for result in results) / len(mail):.0%} changed")
    found = {"septet.convert": [], "email": [], "email, compat32": [], **({"Rust: plan, apply": []} if plan else {})}
    with tempfile.TemporaryDirectory() as folder:
        for number, raw in enumerate(mail):
            (Path(folder) / f"{number}.eml").write_bytes(raw)
        for _ in range(TURNS):
            found["septet.convert"].append(cpu(by_septet, mail) / TIMES)
            found["email"].append(cpu(by_email, mail))
            found["email, compat32"].append(cpu(by_old_email, mail))
            if plan:
                found["Rust: plan, apply"].append(by_rust(plan, folder))
    own = found["septet.convert"]
    for name, times in found.items():
        ratios = sorted(time / other for time, other in zip(times, own))
        print(f"{name:18} {statistics.median(times) / len(mail) * 1e6:8.1f} µs a letter, {statistics.median(ratios):6.2f} "
              f"times septet.convert ({ratios[0]:.2f} – {ratios[-1]:.2f})")
    if plan:
        ratio = statistics.median(time / other for time, other in zip(own, found["Rust: plan, apply"]))
        print(f"the wheel takes {ratio:.2f} times what plan and apply take in Rust")


if __name__ == "__main__":
    main(*sys.argv[1:])
