"""Makes mail as people get it, from a fixed seed: the same octets on every machine."""

import base64
import binascii
import functools
import random
from dataclasses import dataclass
from email.header import Header

from words import HOSTS, LANGUAGES, NAMES

FROM = b"From a@example.org Thu Jan  1 00:00:00 2026\n"
POOL = 400
IRI = "été/"

# How many of the messages of a mailbox may have IRIs, which are rare; a letter alone may.
WITH_IRIS = 0.05
BOUNDARY = "=_next_part_0001"


@dataclass
class Old:
    """Mail in a charset that is not UTF-8: how often it comes, and how often with each transfer encoding."""

    language: str
    charset: str
    weight: int
    transfers: dict


LATIN = {"8bit": 1, "quoted-printable": 2, "base64": 1}
SEVEN_BIT = {"7bit": 5, "base64": 1, "quoted-printable": 1}
OLD = [
    Old("fr", "iso-8859-1", 14, LATIN), Old("de", "iso-8859-1", 8, LATIN), Old("fr", "iso-8859-15", 12, LATIN),
    Old("fr", "windows-1252", 10, LATIN), Old("de", "windows-1252", 8, LATIN),
    Old("ru", "koi8-r", 14, {"8bit": 3, "base64": 2, "quoted-printable": 1}),
    Old("ja", "iso-2022-jp", 14, SEVEN_BIT),
    Old("zh", "gb2312", 10, {"8bit": 2, "base64": 3, "quoted-printable": 1}),
    Old("de", "utf-7", 10, SEVEN_BIT),
]
SUBTYPES = {"plain": 85, "html": 15}

# These as kinds by their names, and how often each comes in mail that all must be changed.
OLD_KINDS = {f"{old.language} {old.charset} {transfer} {subtype}": (old, transfer, subtype)
             for old in OLD for transfer in old.transfers for subtype in SUBTYPES}
CHANGING = {name: old.weight * old.transfers[transfer] / sum(old.transfers.values()) * SUBTYPES[subtype]
            for name, (old, transfer, subtype) in OLD_KINDS.items()}

# How often each kind comes in mail of these days: 30 messages of a hundred are old, which is a tenth of the octets.
MODERN = {"ascii": 25, "utf8": 10, "utf8-qp": 10, "newsletter": 30, "attachment": 25}
MIXED = {name: weight * 0.70 for name, weight in MODERN.items()} | {
    name: weight * 30 / sum(CHANGING.values()) for name, weight in CHANGING.items()}

# Median octets of a body and how far they are scattered (of a log-normal distribution).
SIZES = {"newsletter": (20_000, 0.7), "html": (20_000, 0.7), "attachment": (60_000, 0.9)}
USUAL = (3_000, 0.9)
OLD_PAGE = (6_000, 0.9)
LARGEST = 2_000_000


class Writer:
    """Writes letters; all chance comes from one seed."""

    def __init__(self, seed=1642):
        self.chance = random.Random(seed)
        self.number = 0
        self.lines = {language: [self.line(language) for _ in range(POOL)] for language in LANGUAGES}
        self.may_have_iris = True

    def line(self, language):
        """Returns a line of text, some with a link."""
        words = LANGUAGES[language].split()
        start = self.chance.randrange(len(words))
        line, separator = "", "" if language in ("ja", "zh") else " "
        limit = self.chance.randrange(30, 40) if separator == "" else self.chance.randrange(55, 72)
        for word in (words + words + words)[start:]:
            if len(line) + len(word) >= limit:
                break
            line += (separator if line else "") + word
        return self.with_link(line, language) if self.chance.random() < 0.04 else line

    def with_link(self, line, language):
        """Puts a link behind a line; in French one in ten is an IRI."""
        number = self.chance.randrange(10_000)
        path = f"{IRI}{number}" if language == "fr" and self.chance.random() < 0.1 else f"archive/{number}.html"
        return f"{line[:30]}\nhttps://{self.chance.choice(HOSTS)}/{path}?id={number}"

    def text(self, language, octets):
        """Returns text of about so many octets of UTF-8, in lines."""
        lines = [line for line in self.lines[language] if self.may_have_iris or IRI not in line]
        usual = sum(len(line.encode()) + 1 for line in lines) / len(lines)
        return "\n".join(self.chance.choices(lines, k=max(1, round(octets / usual)))) + "\n"

    def newsletter(self, octets, language="fr"):
        """Returns a page of HTML as shops and associations send them: many tags, many links, in French few IRIs."""
        rows, size = [], 0
        texts = [line for line in self.lines[language] if self.may_have_iris or IRI not in line]
        while size < octets:
            number = self.chance.randrange(100_000)
            host = self.chance.choice(HOSTS)
            is_iri = self.may_have_iris and language == "fr" and self.chance.random() < 0.02
            path = f"catégorie/été-{number}" if is_iri else f"c/{number}/item.html"
            rows.append(
                f'<tr><td class="cell" style="padding:4px;color:#333"><p>{self.chance.choice(texts)}</p>\n'
                f'<a href="https://{host}/{path}?utm={number}&amp;m=2" title="lire">lire la suite</a>'
                f'<img src="https://{host}/i/{number}.png" width="120" height="80"></td></tr>\n')
            size += len(rows[-1])
        return f"<html><head><title>Lettre</title></head><body><table>\n{''.join(rows)}</table></body></html>\n"

    def message(self, kind, octets):
        """Returns a message of a kind, its body about so many octets, with lines that end in LF."""
        fields, body = KINDS[kind](self, octets)
        return self.header(kind) + fields.encode() + b"\n\n" + body

    def header(self, kind):
        """Returns the fields that every message has, with the trace of two hops."""
        self.number += 1
        number, day = self.number, 1 + self.number % 28
        _, charset = manner(kind)
        sender = self.chance.choice(names(charset)) if self.chance.random() < 0.4 else "Alice Doe"
        date = f"{day} Jan 2026 {number % 24:02}:{number % 60:02}:00 +0000"
        return (f"Received: from mx1.example.org (mx1.example.org [192.0.2.1])\n\tby mx.example.net (Postfix) with "
                f"ESMTPS id {number:X}\n\tfor <b@example.net>; {date}\n"
                f"Received: by mx1.example.org (Postfix, from userid 1000)\n\tid {number + 77:X}; {date}\n"
                f"From: {encoded_words(sender, charset)} <a{number % 97}@example.org>\n"
                f"To: Bob <b@example.net>\n").encode() + self.subject(kind) + (
                f"Date: {date}\nMessage-ID: <{number}.{number * 7919}@example.org>\nMIME-Version: 1.0\n"
                f"User-Agent: Letters/1.0\n").encode()

    def subject(self, kind):
        """Returns the field Subject: encoded-words where that is usual, raw octets in a raw message."""
        language, charset = manner(kind)
        separator = "" if language in ("ja", "zh") else " "
        words = separator.join(self.lines[language][self.number % POOL].split()[:6])[:40]
        if kind == "raw":
            return b"Subject: " + words.encode("iso-8859-1", "replace") + b"\n"
        return f"Subject: {encoded_words(words, charset)}\n".encode()

    def octets(self, kind):
        """Returns a size as real bodies of the kind have it."""
        median, scatter = SIZES.get(kind, OLD_PAGE if kind.endswith(" html") else USUAL)
        return min(LARGEST, round(median * self.chance.lognormvariate(0, scatter)))

    def mailbox(self, octets, shares):
        """Yields the messages of a mailbox of so many octets, in the dialect mboxrd."""
        kinds, weights = list(shares), list(shares.values())
        written = 0
        while written < octets:
            kind = self.chance.choices(kinds, weights)[0]
            self.may_have_iris = self.chance.random() < WITH_IRIS
            message = self.message(kind, self.octets(kind))
            entry = FROM + message + b"\n"
            written += len(entry)
            yield entry


def manner(kind):
    """Returns the language of a kind of mail, and the charset of its encoded-words.

    >>> manner("ru koi8-r base64 plain"), manner("latin1-qp"), manner("ascii"), manner("newsletter")
    (('ru', 'koi8-r'), ('fr', 'iso-8859-1'), ('en', 'utf-8'), ('fr', 'utf-8'))
    """
    if kind in OLD_KINDS:
        old, _, _ = OLD_KINDS[kind]
        return old.language, old.charset
    languages = {"iso-2022-jp": "ja", "koi8-r": "ru", "ascii": "en"}
    charset = "iso-8859-1" if "latin1" in kind else kind if kind in ("iso-2022-jp", "koi8-r") else "utf-8"
    return languages.get(kind, "fr"), charset


@functools.cache
def names(charset):
    """Returns the names that a charset has the characters of.

    >>> names("koi8-r")
    ['Anna Meier', 'John Smith', 'Иван Петров', 'Maria Silva']
    """
    return [name for name in NAMES if name.encode(charset, "replace").decode(charset) == name]


def encoded_words(words, charset):
    """Returns the text of a field, in encoded-words where it is not ASCII."""
    return words if words.isascii() else Header(words, charset, header_name="Subject").encode()


def text_part(charset, transfer, body, subtype="plain"):
    """Returns the fields and the body of a text."""
    encoded = {"quoted-printable": lambda: binascii.b2a_qp(body, istext=True), "8bit": lambda: body,
               "7bit": lambda: body, "base64": lambda: base64.encodebytes(body)}[transfer]()
    label = f"Content-Type: text/{subtype}; charset={charset}" if charset else f"Content-Type: text/{subtype}"
    return f"{label}\nContent-Transfer-Encoding: {transfer}", encoded


def plain(language, charset, transfer, codec=None):
    """Returns what writes plain text in a language and a charset."""

    def written(writer, octets):
        text = writer.text(language, octets)
        return text_part(charset, transfer, text.encode(codec or charset or "utf-8", "replace"))

    return written


def html(charset, transfer, language="fr"):
    """Returns what writes a newsletter without another form of it."""

    def written(writer, octets):
        return text_part(charset, transfer, writer.newsletter(octets, language).encode(charset, "replace"), "html")

    return written


def old(mail, transfer, subtype):
    """Returns what writes mail in a charset of old."""
    if subtype == "html":
        return html(mail.charset, transfer, mail.language)
    return plain(mail.language, mail.charset, transfer)


def newsletter(writer, octets):
    """Writes a newsletter as plain text and as HTML."""
    forms = [text_part("utf-8", "quoted-printable", writer.text("fr", octets // 8).encode()),
             text_part("utf-8", "quoted-printable", writer.newsletter(octets * 7 // 8).encode(), "html")]
    return multipart("alternative", forms)


def attachment(writer, octets):
    """Writes a short letter with a file."""
    file = base64.encodebytes(writer.chance.randbytes(octets * 3 // 4))
    about = ('Content-Type: application/pdf; name="report.pdf"\n'
             'Content-Disposition: attachment; filename="report.pdf"\n'
             "Content-Transfer-Encoding: base64")
    letter = text_part("utf-8", "quoted-printable", writer.text("fr", 1200).encode())
    return multipart("mixed", [letter, (about, file)])


def multipart(subtype, parts):
    """Returns the fields and the body of a multipart."""
    body = b"".join(b"--" + BOUNDARY.encode() + b"\n" + fields.encode() + b"\n\n" + part + b"\n"
                    for fields, part in parts)
    return (f'Content-Type: multipart/{subtype}; boundary="{BOUNDARY}"',
            b"This is a multi-part message in MIME format.\n" + body + b"--" + BOUNDARY.encode() + b"--\n")


KINDS = {
    "ascii": plain("en", "us-ascii", "7bit"),
    "utf8": plain("fr", "utf-8", "8bit"),
    "utf8-qp": plain("fr", "utf-8", "quoted-printable"),
    "latin1": plain("fr", "iso-8859-1", "8bit"),
    "latin1-qp": plain("fr", "iso-8859-1", "quoted-printable"),
    "base64": plain("zh", "gb2312", "base64"),
    "raw": plain("de", "", "8bit", "iso-8859-1"),
    "iso-2022-jp": plain("ja", "iso-2022-jp", "7bit"),
    "koi8-r": plain("ru", "koi8-r", "8bit"),
    "html": html("utf-8", "8bit"),
    "newsletter": newsletter,
    "attachment": attachment,
} | {name: old(*parts) for name, parts in OLD_KINDS.items()}
