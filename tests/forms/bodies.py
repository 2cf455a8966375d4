"""Bodies in quoted-printable and base64, and the parts of a message."""

import base64

from texts import LATIN, Place, labelled, message, q

CHARSETS = ["iso-8859-1", "windows-1251", "koi8-r", "gb2312"]


def quoted(write, charsets=tuple(CHARSETS)):
    """A generator of quoted-printable: `write` gives the lines, and the text that is meant."""

    def generate(maker):
        charset, text = maker.text(charsets)
        written, meant = write(maker, charset, text)
        return labelled(f"text/plain; charset={charset}", written, meant, "quoted-printable")

    return generate


def line(charset, text):
    return q(text.encode(charset), " ")


def based(write):
    """A generator of base64: `write` changes the digits of a text."""

    def generate(maker):
        charset, text = maker.text(CHARSETS)
        text = text * maker.of([1, 5, 12])
        written, meant = write(maker, charset, text)
        return labelled(f"text/plain; charset={charset}", written, meant, "base64")

    return generate


def digits(charset, text):
    return base64.b64encode(text.encode(charset)).decode()


def early_padding(maker, charset, text):
    first = text + "x" * (2 - len(text.encode(charset)) % 3 or 1)
    first += "" if len(first.encode(charset)) % 3 else "x"
    return f"{digits(charset, first)}\n{digits(charset, text)}\n", first + text


def junk(maker, charset, text):
    written = digits(charset, text)
    at = maker.of(range(1, len(written) - 4))
    return f"{written[:at]}{maker.of(['!', '#', '.'])}{written[at:]}\n", text


def odd_lines(maker, charset, text):
    written = digits(charset, text)
    width = maker.of([5, 10, 63, 100])
    return "\n".join(written[at : at + width] for at in range(0, len(written), width)) + "\n", text


def unpadded(maker, charset, text):
    while len(text.encode(charset)) % 3 == 0:
        text += "x"
    return digits(charset, text).rstrip("=") + "\n", text


def lower_hex(maker, charset, text):
    plain = lambda octet: octet == 32 or octet < 128 and chr(octet).isalnum()
    return "".join(chr(it) if plain(it) else f"={it:02x}" for it in text.encode(charset)) + "\n", text


def raw_octets(maker, charset, text):
    return f"{line(charset, text)} ".encode() + text.encode(charset) + b"\n", f"{text} {text}"


BODY = {
    "base64-early-padding": based(early_padding),
    "base64-junk": based(junk),
    "base64-lines": based(odd_lines),
    "base64-unpadded": based(unpadded),
    "qp-bare-equals": quoted(lambda maker, charset, text: (f"{line(charset, text)} a=x\n", f"{text} a=x")),
    "qp-blanks": quoted(lambda maker, charset, text: (f"{line(charset, text)} \nb\t\n", f"{text}\nb")),
    "qp-line-end": quoted(lambda maker, charset, text: (f"{line(charset, text)}=0D=0Ab\nc\n", f"{text}\nb\nc")),
    "qp-lower-hex": quoted(lower_hex),
    "qp-raw-octet": quoted(raw_octets),
    "qp-soft-break": quoted(lambda maker, charset, text: (f"{line(charset, text)}=", text)),
}


def part(charset, text, transfer="8bit"):
    written = q(text.encode(charset), " ").encode() if transfer == "quoted-printable" else text.encode(charset)
    head = f"Content-Type: text/plain; charset={charset}\nContent-Transfer-Encoding: {transfer}\n\n"
    return head.encode() + written + b"\n"


def multipart(boundary, parts, end=True):
    body = b"".join(f"--{boundary}\n".encode() + it for it in parts)
    return body + (f"--{boundary}--\n".encode() if end else b"")


def whole(boundary, body):
    return message([("Content-Type", f'multipart/mixed; boundary="{boundary}"')], body)


def prefix(maker):
    charset, text = maker.text(LATIN)
    inner = multipart("ab", [part(charset, text), part(charset, "x")])
    head = b'Content-Type: multipart/alternative; boundary="ab"\n\n'
    return Place("text", text, whole("a", multipart("a", [head + inner, part("us-ascii", "end")])))


def unclosed(maker):
    charset, text = maker.text(LATIN)
    transfer = maker.of(["8bit", "quoted-printable"])
    parts = [part(charset, text, transfer), part("us-ascii", "end")]
    if maker.of([True, False]):
        parts.reverse()
    at = 0 if parts[0] == part(charset, text, transfer) else 1
    return Place("text", text, whole("a", multipart("a", parts, end=False)), at)


def cut(maker):
    charset, text = maker.text(LATIN)
    body = multipart("a", [part(charset, text)], end=False) + b"--a\nContent-Type: text/html\n--a--\n"
    return Place("text", text, whole("a", body))


def from_line(maker):
    charset, text = maker.text(LATIN)
    raw = message([("Content-Type", f"text/plain; charset={charset}")], text.encode(charset) + b"\n")
    return Place("text", text, b">From a@example.org Thu Jan  1 00:00:00 1970\n" + raw)


STRUCTURE = {
    "boundary-prefix": prefix,
    "header-from-line": from_line,
    "part-cut": cut,
    "parts-unclosed": unclosed,
}

FORMS = BODY | STRUCTURE
