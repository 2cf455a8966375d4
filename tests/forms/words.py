"""Encoded-words: in a Subject, and in the names of mailboxes."""

import base64

from texts import TEXTS, encoded, q, sender, subject

SINGLE = ["utf-8", "iso-8859-1", "windows-1251", "koi8-r", "gb2312"]


def in_subject(write, charsets=tuple(TEXTS)):
    """A generator of words in a Subject: `write` gives the word, or the word and what is meant."""

    def generate(maker):
        charset, text = maker.text(charsets)
        written = write(maker, charset, text)
        value, meant = written if isinstance(written, tuple) else (written, text)
        return subject(maker, value, meant)

    return generate


def in_sender(write, charsets=tuple(SINGLE)):
    """The same in a From: `write` gives the mailbox, and the name that is meant."""

    def generate(maker):
        charset, text = maker.text(charsets)
        written = write(maker, charset, text)
        mailbox, meant = written if isinstance(written, tuple) else (written, text)
        return sender(maker, mailbox, meant)

    return generate


def folded(maker, charset, text):
    written = q(f"{text} {text}".encode(charset))
    middle = len(q(text.encode(charset)))
    return f"=?{charset}?Q?{written[:middle]}\n {written[middle:].lstrip('_')}?=", f"{text} {text}"


def split(maker, charset, text):
    octets = text.encode(charset)
    at = next(at for at, octet in enumerate(octets) if octet > 127) + 1
    pieces = [f"=?{charset}?B?{base64.b64encode(it).decode()}?=" for it in (octets[:at], octets[at:])]
    return maker.of([" ", "\n "]).join(pieces)


def unpadded(maker, charset, text):
    text = next(it for it in (text, text + "x", text + "xy") if len(it.encode(charset)) % 3)
    return f"=?{charset}?B?{encoded(charset, text, 'B').rstrip('=')}?=", text


def raw_octets(maker, charset, text):
    return f"=?{charset}?Q?".encode() + text.replace(" ", "_").encode(charset) + b"?="


def lower_hex(maker, charset, text):
    plain = lambda octet: octet < 128 and chr(octet).isalnum()
    written = "".join(chr(it) if plain(it) else f"={it:02x}" for it in text.encode(charset))
    return f"=?{charset}?Q?{written}?="


def special(maker, charset, text):
    behind = maker.of([",_Hans", ";_x", ":_x", "@x", "(x)"])
    return f"=?{charset}?Q?{q(text.encode(charset))}{behind}?= <c@example.org>", text + behind.replace("_", " ")


def in_a_language(maker, charset, text):
    return maker.word(charset, text).replace(charset, f"{charset}*en", 1)


def with_a_line_end(maker, charset, text):
    end = maker.of(["=0D=0A", "=0A"])
    return f"=?{charset}?Q?{q(text.encode(charset))}{end}?=", text


def long(maker, charset, text):
    return f"=?{charset}?Q?{q((text * 9).encode(charset))}?=", text * 9


def with_q(before, behind, blank="_"):
    """A word in Q with plain text on both sides of the text, inside the word."""

    def write(maker, charset, text):
        return f"=?{charset}?Q?{before}{q(text.encode(charset), blank)}{behind}?=", f"{before}{text}{behind}"

    return write


def to(address, write):
    """A mailbox of a word and an address."""

    def mailbox(maker, charset, text):
        word, meant = write(maker, charset, text)
        return f"{word} {address}", meant

    return mailbox


def hiding_an_address(maker, charset, text):
    return f"=?{charset}?Q?{q(text.encode(charset))}_<b@example.org>?= <c@example.org>", f"{text} <b@example.org>"


FORMS = {
    "word-address": in_sender(hiding_an_address),
    "word-bare-address": in_sender(lambda maker, charset, text: f"{maker.word(charset, text)} b@example.org"),
    "word-bare-equals": in_subject(with_q("a=x", ""), SINGLE),
    "word-blank": in_subject(with_q("a b ", "", " ")),
    "word-comment": in_sender(lambda maker, charset, text: f"b@example.org ({maker.word(charset, text)})"),
    "word-empty": in_subject(lambda maker, charset, text: f"=?{charset}?{maker.of('QB')}??= {maker.word(charset, text)}"),
    "word-fold": in_subject(folded, SINGLE),
    "word-glued": in_subject(lambda maker, charset, text: (f"a{maker.word(charset, text)}", f"a{text}")),
    "word-language": in_subject(in_a_language),
    "word-line-end": in_subject(with_a_line_end),
    "word-long": in_subject(long, SINGLE),
    "word-lower-hex": in_subject(lower_hex),
    "word-question": in_subject(with_q("", "?b")),
    "word-quoted": in_sender(lambda maker, charset, text: (f'"{maker.word(charset, text)} b" <c@example.org>', f"{text} b")),
    "word-quotes": in_sender(to("<c@example.org>", with_q('a"', '"'))),
    "word-raw-octet": in_subject(raw_octets, SINGLE),
    "word-specials": in_sender(special),
    "word-split": in_subject(split, ["utf-8", "gb2312"]),
    "word-unpadded": in_subject(unpadded, SINGLE),
}
