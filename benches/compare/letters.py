"""Makes mail as people get it, from a fixed seed: the same octets on every machine."""

import base64
import binascii
import random
from email.header import Header

from words import HOSTS, LANGUAGES, NAMES

POOL = 400
BOUNDARY = "=_next_part_0001"

# How often each kind comes, in mail of these days and in mail of which most must be changed.
MIXED = {"ascii": 30, "utf8": 12, "newsletter": 18, "latin1-qp": 12, "base64": 10, "attachment": 12, "raw": 3,
         "utf7": 1, "iso-2022-jp": 2}
CHANGING = {"latin1-qp": 30, "latin1": 15, "utf7": 10, "iso-2022-jp": 15, "koi8-r": 15, "html-latin1": 15}

# Median octets of a body and how far they are scattered (of a log-normal distribution).
SIZES = {"newsletter": (20_000, 0.7), "attachment": (60_000, 1.0), "html-latin1": (15_000, 0.7)}
USUAL = (3_000, 1.0)
LARGEST = 2_000_000


class Writer:
    """Writes letters; all chance comes from one seed."""

    def __init__(self, seed=1642):
        self.chance = random.Random(seed)
        self.number = 0
        self.lines = {language: [self.line(language) for _ in range(POOL)] for language in LANGUAGES}

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
        return self.with_link(line, language) if self.chance.random() < 0.08 else line

    def with_link(self, line, language):
        """Puts a link behind a line; in French one in ten is an IRI."""
        number = self.chance.randrange(10_000)
        path = f"été/{number}" if language == "fr" and self.chance.random() < 0.1 else f"archive/{number}.html"
        return f"{line[:30]}\nhttps://{self.chance.choice(HOSTS)}/{path}?id={number}"

    def text(self, language, octets):
        """Returns text of about so many octets of UTF-8, in lines."""
        lines = self.lines[language]
        usual = sum(len(line.encode()) + 1 for line in lines) / POOL
        return "\n".join(self.chance.choices(lines, k=max(1, round(octets / usual)))) + "\n"

    def newsletter(self, octets):
        """Returns a page of HTML as shops and associations send them: many tags, many links, few IRIs."""
        rows, size = [], 0
        texts = self.lines["fr"]
        while size < octets:
            number = self.chance.randrange(100_000)
            host = self.chance.choice(HOSTS)
            path = f"catégorie/été-{number}" if self.chance.random() < 0.02 else f"c/{number}/item.html"
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
        sender = self.chance.choice(NAMES) if self.chance.random() < 0.4 else "Alice Doe"
        date = f"{day} Jan 2026 {number % 24:02}:{number % 60:02}:00 +0000"
        return (f"Received: from mx1.example.org (mx1.example.org [192.0.2.1])\n\tby mx.example.net (Postfix) with "
                f"ESMTPS id {number:X}\n\tfor <b@example.net>; {date}\n"
                f"Received: by mx1.example.org (Postfix, from userid 1000)\n\tid {number + 77:X}; {date}\n"
                f"From: {encoded_words(sender, 'utf-8')} <a{number % 97}@example.org>\n"
                f"To: Bob <b@example.net>\n").encode() + self.subject(kind) + (
                f"Date: {date}\nMessage-ID: <{number}.{number * 7919}@example.org>\nMIME-Version: 1.0\n"
                f"User-Agent: Letters/1.0\n").encode()

    def subject(self, kind):
        """Returns the field Subject: encoded-words where that is usual, raw octets in a raw message."""
        language = {"iso-2022-jp": "ja", "koi8-r": "ru", "ascii": "en"}.get(kind, "fr")
        words = " ".join(self.lines[language][self.number % POOL].split()[:6])
        if kind == "raw":
            return b"Subject: " + words.encode("iso-8859-1", "replace") + b"\n"
        charset = "iso-8859-1" if "latin1" in kind else kind if kind in ("iso-2022-jp", "koi8-r") else "utf-8"
        return f"Subject: {encoded_words(words, charset)}\n".encode()

    def octets(self, kind):
        """Returns a size as real bodies of the kind have it."""
        median, scatter = SIZES.get(kind, USUAL)
        return min(LARGEST, round(median * self.chance.lognormvariate(0, scatter)))

    def mailbox(self, octets, shares):
        """Yields the messages of a mailbox of so many octets, in the dialect mboxrd."""
        kinds, weights = list(shares), list(shares.values())
        written = 0
        while written < octets:
            kind = self.chance.choices(kinds, weights)[0]
            message = self.message(kind, self.octets(kind))
            entry = b"From a@example.org Thu Jan  1 00:00:00 2026\n" + message + b"\n"
            written += len(entry)
            yield entry


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


def utf_7(writer, octets):
    """Writes UTF-7, as mail in Japanese and German once had it."""
    return text_part("utf-7", "7bit", writer.text("de", octets).encode("utf-7"))


def html(charset, transfer):
    """Returns what writes a newsletter without another form of it."""

    def written(writer, octets):
        return text_part(charset, transfer, writer.newsletter(octets).encode(charset, "replace"), "html")

    return written


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
    "latin1": plain("fr", "iso-8859-1", "8bit"),
    "latin1-qp": plain("fr", "iso-8859-1", "quoted-printable"),
    "base64": plain("zh", "gb2312", "base64"),
    "raw": plain("de", "", "8bit", "iso-8859-1"),
    "utf7": utf_7,
    "iso-2022-jp": plain("ja", "iso-2022-jp", "7bit"),
    "koi8-r": plain("ru", "koi8-r", "8bit"),
    "html": html("utf-8", "8bit"),
    "html-latin1": html("iso-8859-1", "quoted-printable"),
    "newsletter": newsletter,
    "attachment": attachment,
}
