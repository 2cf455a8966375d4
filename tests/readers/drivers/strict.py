"""A reader of clean mail: UTF-8, raw or in encoded-words, in the forms of RFC 2231, in quoted-printable and base64.

It guesses nothing and mends nothing. What is in another charset, or in another form, raises `Unread`.
"""

import base64
import re

WORD = re.compile(r"=\?([^?*\s]+)(?:\*[^?\s]*)?\?([QBqb])\?([^?\s]*)\?=")
# A quoted-string, a comment without another one in it, an address in brackets, a mark that parts mailboxes, an atom.
PIECE = re.compile(r'[ \t\r\n]+|"(?:\\.|[^"\\])*"|\((?:\\.|[^()\\])*\)|<[^>]*>|[,;:]|[^ \t\r\n",;:<>()]+')
PARAMETER = re.compile(r';\s*([^=;\s]+)=("(?:\\.|[^"\\])*"|[^;\s]*)')
COMMENT = re.compile(r'("(?:\\.|[^"\\])*")|\([^()]*\)')
CHARSETS = ("utf-8", "us-ascii")


class Unread(Exception):
    """A place that is not as a reader of clean mail needs it."""


def parts(message):
    """The fields and the body of each part in order, of a message in a message too."""
    head, _, body = message.replace(b"\r\n", b"\n").partition(b"\n\n")
    fields = [it.partition(b":")[::2] for it in re.sub(rb"\n(?=[ \t])", b"", head).split(b"\n")]
    fields = [(name.decode("latin-1").lower(), value.strip()) for name, value in fields]
    yield fields, body
    kind = media(fields)
    if kind in ("message/rfc822", "message/global"):
        yield from parts(body)
    if kind.startswith("multipart/"):
        boundary = parameters(one(fields, "content-type"))["boundary"]
        # A multipart that no delimiter closes ends with the message.
        pieces = re.split(rb"\n--" + re.escape(boundary.encode()) + rb"(--)?[ \t]*(?=\n|$)", b"\n" + body)
        closed = pieces.index(b"--") if b"--" in pieces else len(pieces)
        for part in pieces[2 : closed + 1 : 2]:
            yield from parts(part.removeprefix(b"\n"))


def media(fields):
    """The type and subtype of a part; text/plain where there is none that can be read (RFC 2045 §5.2)."""
    kind = one(fields, "content-type") if any(it == "content-type" for it, _ in fields) else ""
    kind = kind.partition(";")[0].strip().lower()
    return kind if "/" in kind else "text/plain"


def one(fields, name):
    """The first field of a name, which must be UTF-8."""
    found = next((value for it, value in fields if it == name.lower()), None)
    if found is None:
        raise Unread(f"no {name}")
    return decoded(found, "utf-8")


def decoded(octets, charset):
    if charset.lower() not in CHARSETS:
        raise Unread(charset)
    try:
        return octets.decode(charset)
    except UnicodeDecodeError as error:
        raise Unread(error) from error


def word(found):
    charset, coding, text = found.groups()
    if coding in "bB":
        return decoded(base64.b64decode(text, validate=True), charset)
    octets = re.sub(rb"=([0-9A-Fa-f]{2})", lambda it: bytes.fromhex(it[1].decode()), text.replace("_", " ").encode())
    return decoded(octets, charset)


def words(value):
    """A text with encoded-words in it: white space between two of them goes (RFC 2047 §6.2)."""
    return WORD.sub(word, re.sub(rf"(?<=\?=)\s+(?={WORD.pattern})", "", value))


def names(value):
    """The names of the mailboxes of an address field, `None` for one without a name."""
    found, phrase = [], []
    for piece in PIECE.findall(value) + [","]:
        if piece == ":":
            phrase = []
        elif piece in (",", ";"):
            named = any(it.startswith("<") for it in phrase)
            found += [spoken([it for it in phrase if not it.startswith("<")]) if named else None] if phrase else []
            phrase = []
        elif not piece.isspace() and not piece.startswith("("):
            phrase.append(piece)
    return found


def spoken(phrase):
    """The words of a phrase, parted by one space."""
    quoted = [re.sub(r"\\(.)", r"\1", it[1:-1]) if it.startswith('"') else it for it in phrase]
    return words(" ".join(quoted)) or None


def parameters(value):
    """The parameters of a field; where the extended form stands beside the plain one, it is the one that counts."""
    plain, sections = {}, {}
    for name, text in PARAMETER.findall(COMMENT.sub(lambda it: it[1] or "", value)):
        name, number, extended = re.fullmatch(r"([^*]+)(?:\*(\d+))?(\*)?", name.lower()).groups()
        text = re.sub(r"\\(.)", r"\1", text[1:-1]) if text.startswith('"') else text
        if number or extended:
            sections.setdefault(name, {})[int(number or 0)] = (bool(extended), text)
        else:
            plain.setdefault(name, words(text))
    return plain | {name: joined([it for _, it in sorted(found.items())]) for name, found in sections.items()}


def joined(sections):
    """The text of sections (RFC 2231 §3, §4): the first one names the charset, if it is extended."""
    if not sections[0][0]:
        return words("".join(text for _, text in sections))
    charset, _, first = sections[0][1].split("'", 2)
    undo = lambda text: re.sub(rb"%([0-9A-Fa-f]{2})", lambda it: bytes.fromhex(it[1].decode()), text.encode())
    whole = [(True, first), *sections[1:]]
    return decoded(b"".join(undo(text) if extended else text.encode() for extended, text in whole), charset)


def file_name(fields):
    """The name of a part's file: Content-Disposition says it, or else Content-Type."""
    for field, name in (("content-disposition", "filename"), ("content-type", "name")):
        if any(it == field for it, _ in fields):
            found = parameters(one(fields, field))
            if name in found:
                return found[name]
    raise Unread("no name")


def body_text(fields, body):
    there = {name for name, _ in fields}
    transfer = one(fields, "content-transfer-encoding").lower() if "content-transfer-encoding" in there else "7bit"
    kind = one(fields, "content-type") if "content-type" in there else "text/plain"
    return decoded(carried(body, transfer), parameters(kind).get("charset", "us-ascii"))


def carried(body, transfer):
    """The octets of a body without its transfer encoding."""
    if transfer == "base64":
        return base64.b64decode(body)
    if transfer == "quoted-printable":
        body = re.sub(rb"[ \t]+(?=\n|$)", b"", body)
        body = re.sub(rb"=(?:\n|$)", b"", body)
        return re.sub(rb"=([0-9A-Fa-f]{2})", lambda it: bytes.fromhex(it[1].decode()), body)
    if transfer in ("7bit", "8bit", "binary"):
        return body
    raise Unread(transfer)
