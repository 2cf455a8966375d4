"""The pieces that places are made of: texts, charsets, encoded-words, a message around them."""

import base64
import random
from dataclasses import dataclass

# Each charset with texts that it can say; none has a character that parts addresses or parameters.
TEXTS = {
    "utf-8": ["café au lait", "Grüße aus Köln", "Žluťoučký kůň", "Привет мир", "日本語の文", "naïve façade €5"],
    "iso-8859-1": ["café au lait", "Grüße aus Köln", "naïve façade", "señor", "blåbær"],
    "windows-1251": ["Привет мир", "Счёт за июнь", "Отчёт"],
    "koi8-r": ["Привет мир", "Счёт за июнь"],
    "gb2312": ["中文邮件", "报告"],
    "iso-2022-jp": ["日本語の文", "会議の案内"],
}
LATIN = ["utf-8", "iso-8859-1"]


class Maker:
    """Chooses what one place is made of; the same seed chooses the same."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def of(self, choices):
        return self.random.choice(choices)

    def text(self, charsets=tuple(TEXTS)):
        """A charset, and a text in it."""
        charset = self.of(list(charsets))
        return charset, self.of(TEXTS[charset])

    def word(self, charset, text, coding=None):
        """An encoded-word of a text that fits one."""
        coding = coding or self.of("QB")
        return f"=?{charset}?{coding}?{encoded(charset, text, coding)}?="


def encoded(charset, text, coding):
    octets = text.encode(charset)
    if coding == "B":
        return base64.b64encode(octets).decode()
    return q(octets)


def q(octets, blank="_"):
    plain = lambda octet: chr(octet).isalnum() and octet < 128
    return "".join(chr(it) if plain(it) else blank if it == 32 else f"={it:02X}" for it in octets)


def percent(octets):
    plain = lambda octet: chr(octet).isalnum() and octet < 128 or octet in b".-_"
    return "".join(chr(it) if plain(it) else f"%{it:02X}" for it in octets)


@dataclass
class Place:
    """A message with one place of a form in it: where it stands, and what is meant there."""

    what: str
    meant: str
    raw: bytes
    # Which part it is in, of those that hold texts.
    part: int = 0


def octets(value):
    return value if isinstance(value, bytes) else value.encode("utf-8")


def message(fields, body=b"hello\n", subject="hello", sender="a@example.org"):
    """A message of these fields, in their order, and others around them."""
    lines = [b"Date: Thu, 01 Jan 1970 00:00:00 +0000", b"Message-ID: <1@example.org>"]
    if subject is not None:
        lines.append(b"Subject: " + octets(subject))
    if sender is not None:
        lines.append(b"From: " + octets(sender))
    lines += [b"To: b@example.org", b"MIME-Version: 1.0"]
    lines += [octets(name) + b": " + octets(value) for name, value in fields]
    return b"\n".join(lines) + b"\n\n" + octets(body)


def subject(maker, value, meant):
    """A word alone, or with text on one side or both."""
    value = octets(value)
    before, behind = maker.of([("", ""), ("Re: ", ""), ("", " (3)"), ("[a] ", " end")])
    raw = message([], subject=octets(before) + value + octets(behind))
    return Place("subject", f"{before}{meant}{behind}", raw)


def sender(maker, mailbox, meant):
    """A mailbox alone, or one of several, in From."""
    before, behind = maker.of([("", ""), ("c@example.org, ", ""), ("", ", d e <f@example.org>")])
    raw = message([], sender=octets(before) + octets(mailbox) + octets(behind))
    return Place("names", meant, raw)


def named_file(maker, parameters, meant):
    """The name of a file, the only parameter or one of several."""
    before, behind = maker.of([("", ""), ("; size=5", ""), ("", "; size=5"), ("; x=y", "; size=5")])
    value = b"attachment" + octets(before) + b"; " + octets(parameters) + octets(behind)
    fields = [("Content-Type", "application/octet-stream"), ("Content-Disposition", value)]
    return Place("file", meant, message(fields, b"data\n"))


def labelled(content_type, body, meant, transfer="8bit"):
    """A body under a Content-Type."""
    fields = [("Content-Type", content_type), ("Content-Transfer-Encoding", transfer)]
    return Place("text", meant, message(fields, body))
