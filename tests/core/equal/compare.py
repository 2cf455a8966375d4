"""Compares messages before and after with Python's email package, which knows nothing of septet.

Standard input holds pairs: the length in octets on a line, the message before, the length, the message after. One
line of JSON answers each pair: how often each class of equality was met, for fields (`f: `) and for text parts (`p: `),
and what no class explains. The classes are the table in explained.tsv; a pair is tried against them in its order.
"""

import email
import html
import json
import re
import sys
import urllib.parse
from email.header import decode_header

# What mail means by narrow labels (hard cases, row 8).
WIDER = {
    "iso-8859-1": "cp1252", "us-ascii": "cp1252", "ascii": "cp1252", "gb2312": "gb18030", "gbk": "gb18030",
    "ks_c_5601-1987": "cp949", "euc-kr": "cp949", "shift_jis": "cp932", "big5": "big5hkscs", "iso-8859-9": "cp1254",
    "iso-8859-11": "cp874", "tis-620": "cp874",
}
DECLARED = re.compile(r"""(@charset(?=\s)|charset|encoding)(\s*=?\s*["']?)[\w:.-]+""", re.I)


def unescaped(text):
    """Undoes RFC 5137's form of XML, as the profile ascii writes it."""
    def one(found):
        return "&" if found.group(1) is None else chr(int(found.group(1), 16))
    return re.sub(r"&(?:#x([0-9A-F]{2,6});|amp;)", one, text)


def lines(text):
    return "\n".join(line.rstrip(" \t") for line in text.replace("\r\n", "\n").split("\n")).strip("\n")


def bare(text):
    """What is left of a field without what only its grammar asks for."""
    text = " ".join(re.sub(r'["\\]', "", text).split())
    return re.sub(r" ([<,;:])", r"\1", text)


def plainly(text):
    """What is left of addresses and traces in whatever form: A-labels and percent signs undone, without what holds groups and comments."""
    text = re.sub(r"\\?x\{([0-9A-F]+)\}", lambda it: tried(chr, int(it.group(1), 16)) or it.group(), text)
    label = lambda it: tried(it.group(1).encode().decode, "punycode") or it.group()
    text = re.sub(r"\bxn--([a-z0-9_-]+)", label, text)
    text = urllib.parse.unquote(text).replace("<invalid@internationalized-address.invalid>", "")
    return re.sub(r'[\s"\\():;]', "", text).lower()


def field_source(value):
    """A value as it stands, octets over 127 as surrogates."""
    if not hasattr(value, "_chunks"):
        return str(value)
    return "".join(piece for piece, _ in value._chunks)


def field_text(value):
    raw = field_source(value).encode("utf-8", "surrogateescape")
    text = raw.decode("utf-8", "surrogateescape").replace("\r", "").replace("\n", "")
    out = ""
    for piece, charset in decode_header(text):
        out += piece if isinstance(piece, str) else piece.decode(charset or "raw-unicode-escape")
    out.encode("utf-8")
    return out


def tried(work, *arguments):
    try:
        return work(*arguments)
    except Exception:
        return None


def class_of_raw(name, before, after, charsets):
    """The class of a field with raw octets, read in a charset that a body of the message declares."""
    found = class_of_field(name, before, after)
    if found not in (None, "Python can't read it before", "Python can't take the sections apart"):
        return found
    for charset in charsets:
        octets = field_source(before).encode("utf-8", "surrogateescape")
        text = tried(octets.decode, charset)
        if text is not None and text != field_source(before):
            if class_of_field(name, text, after) not in (None, "Python can't read it before"):
                return "equal when raw octets are read in the charset of a body"
    return found


def class_of_field(name, before, after):
    if before == after:
        return "the same octets"
    if name.lower() == "content-transfer-encoding" or name.lower() == "mime-version":
        return "what only says how the body is carried"
    if name.lower() in ("content-type", "content-disposition"):
        return class_of_parameters(name, str(before), str(after))
    was, now = tried(field_text, before), tried(field_text, after)
    if now is None:
        return "Python can't read it before" if was is None else None
    if was == now:
        return "equal"
    if was is None:
        was = ""
    if bare(was) == bare(now):
        return "equal but for quotes and white space"
    if bare(was) == bare(unescaped(now.replace("\\\\", "\\"))):
        return "equal when RFC 5137 is undone"
    wider = re.sub(r"=\?iso-8859-1\?", "=?cp1252?", str(before), flags=re.I)
    if bare(tried(field_text, wider) or "") in (bare(now), bare(unescaped(now))):
        return "equal when the narrow label is read as the wider one"
    labelled = re.sub(r"=\?[A-Za-z0-9_-]+\?", "=?utf-8?", str(before))
    if bare(tried(field_text, labelled) or "") in (bare(now), bare(unescaped(now.replace("\\\\", "\\")))):
        return "equal when words are read as UTF-8, whatever their label says"
    whole = re.sub("[\udc80-\udcff]", lambda it: f"={ord(it.group()) - 0xDC00:02X}", field_source(before))
    if bare(tried(field_text, whole) or "") in (bare(now), bare(unescaped(now.replace("\\\\", "\\")))):
        return "equal when raw octets in words are read in the words' charset"
    if plainly(was) == plainly(unescaped(now.replace("\\\\", "\\"))):
        return "equal when what was downgraded is undone"
    if "big5" in str(before).lower() and "_" in str(before):
        return "a `_` is the second octet of a Big5 character, which Python reads as a space"
    return None if was else "Python can't read it before"


def class_of_parameters(name, before, after):
    def read(value):
        value = value.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")
        message = email.message_from_string(f"{name}: {value}\n\n")
        found = message.get_params(header=name, unquote=True) or []
        text = lambda it: email.utils.collapse_rfc2231_value(it) if isinstance(it, tuple) else field_text(it)
        return {key.lower(): text(it) for key, it in found if key.lower() != "charset"}
    was, now = tried(read, before), tried(read, after)
    if was is None:
        return "Python can't read it before"
    if now is None:
        return None
    if was == now:
        return "equal but for the charset"
    if was == {key: unescaped(text) for key, text in now.items()}:
        return "equal when RFC 5137 is undone"
    was = tried(read, re.sub(r"iso-8859-1'", "utf-8'", before, flags=re.I))
    if was in (now, {key: unescaped(text) for key, text in now.items()}):
        return "equal when extended values are read as UTF-8, whatever their Western label says"
    # Python takes the quote after an escaped backslash for an escaped quote.
    return "Python can't take the sections apart" if '\\\\";' in after else None


def undecoded(part, octets):
    """Tells whether Python gave up on base64: it wants the last group whole (hard cases, row 12)."""
    base64 = str(part.get("content-transfer-encoding", "")).strip().lower() == "base64"
    def digits(text):
        return b"".join(text.split())
    return base64 and digits(octets) == tried(lambda: digits(part.get_payload().encode("ascii", "surrogateescape")))


def by_lines(octets, label):
    """Reads each line as UTF-8, and under its label what is none (hard cases, row 50)."""
    return "\n".join(tried(line.decode, "utf-8") or line.decode(label) for line in octets.split(b"\n"))


def class_of_part(before, after):
    octets, now_octets = before.get_payload(decode=True) or b"", after.get_payload(decode=True) or b""
    label = (before.get_content_charset() or "us-ascii").lower()
    now = tried(now_octets.decode, after.get_content_charset() or "us-ascii")
    was = tried(octets.decode, label)
    if octets == now_octets and was == now:
        return "the same octets"
    if now is None:
        same = lines(octets.decode("latin-1")) == lines(now_octets.decode("latin-1"))
        return "the same octets, which Python can't read, but for line ends" if same else None
    if was is None and octets == now_octets:
        return "the same octets under a label that Python can read"
    named = "Python can't read " + label if was is None else None
    if undecoded(before, octets):
        named = "base64 that Python gives back undecoded"
    markup = before.get_content_subtype() in ("html", "xml", "xhtml+xml", "vnd.wap.wml")
    css = before.get_content_subtype() == "css"
    readings = [
        ("equal", was),
        ("equal when the narrow label is read as the wider one", tried(octets.decode, WIDER.get(label, label))),
        ("equal when it is read as UTF-8, whatever its label says", tried(octets.decode, "utf-8")),
        ("equal when each line is read as UTF-8, or as its label says", tried(by_lines, octets, WIDER.get(label, label))),
        ("equal when Big5 is read as code page 950", tried(octets.decode, "cp950")),
    ]
    for name, text in readings:
        if text is None:
            continue
        if text == now:
            return name
        if lines(text) == lines(now):
            return name + ", but for line ends and blanks before them"
        if (markup or css) and lines(DECLARED.sub(r"\1\2", text)) == lines(DECLARED.sub(r"\1\2", unescaped(now) if css else now)):
            return name + ", but for the charset that the text declares"
        if markup and lines(DECLARED.sub(r"\1\2", html.unescape(text))) == lines(DECLARED.sub(r"\1\2", html.unescape(now))):
            return name + ", with references"
        if not markup and lines(text) == lines(unescaped(now)):
            return "equal when RFC 5137 is undone"
    return named


def shown(part, new):
    """Where two parts begin to differ."""
    was, now = (lines((it.get_payload(decode=True) or b"").decode("latin-1")) for it in (part, new))
    at = next((at for at, (a, b) in enumerate(zip(was, now)) if a != b), 0)
    label = f"{part.get_content_type()} {part.get_content_charset()} -> {new.get_content_charset()}"
    start = max(0, at - 20)
    return f"{label}: {was[start:at + 40]!r} -> {now[start:at + 40]!r}"


def moved(old_fields, fields, charsets):
    """Pairs fields, those with each other that moved to Downgraded-NAME at the end."""
    went = [(name, value) for name, value in fields if name.startswith("Downgraded-") and name not in dict(old_fields)]
    rest = [field for field in fields if field not in went]
    def says(name, was, value):
        return class_of_raw(name, was, value, charsets) not in (None, "Python can't read it before")
    for name, was in old_fields:
        same = [] if field_source(was).isascii() else [it for it in went if it[0] == f"Downgraded-{name}"]
        to = next((it for it in same if says(name, was, it[1])), None)
        if to is None and same and name not in dict(rest):
            to = same[0]
        if to is None:
            yield name, was, *(rest.pop(0) if rest else ("nothing", ""))
        else:
            went.remove(to)
            yield name, was, name, to[1]
    yield from (("nothing", "", *field) for field in rest + went)


def compare(before, after):
    counts, unexplained = {}, []
    before, after = email.message_from_bytes(before), email.message_from_bytes(after)
    parts, now = list(before.walk()), list(after.walk())
    if len(parts) != len(now):
        return {"counts": {}, "unexplained": [f"{len(parts)} parts, and then {len(now)}"]}
    def note(kind, found, what):
        if found is None:
            unexplained.append(what)
        else:
            counts[kind + found] = counts.get(kind + found, 0) + 1
    charsets = sorted({part.get_content_charset() for part in parts} - {None, "utf-8"})
    for part, new in zip(parts, now):
        added = {"mime-version", "content-type", "content-transfer-encoding"}
        sizes = ("content-length", "content-md5", "lines")
        old_fields = [(name, value) for name, value in part.raw_items() if name.lower() not in sizes]
        fields = [(name, value) for name, value in new.raw_items() if name.lower() not in sizes]
        names = {name.lower() for name, _ in part.raw_items()}
        fields = [(name, value) for name, value in fields if name.lower() in names or name.lower() not in added]
        for name, was, other, value in moved(old_fields, fields, charsets):
            note("f: ", class_of_raw(name, was, value, charsets) if name == other else None, f"{name}: {was!r} -> {other}: {value!r}")
        if part.get_content_maintype() == "text":
            note("p: ", class_of_part(part, new), shown(part, new))
    return {"counts": counts, "unexplained": unexplained}


def main():
    octets = sys.stdin.buffer
    def message():
        length = octets.readline()
        return octets.read(int(length)) if length else None
    while (before := message()) is not None:
        print(json.dumps(compare(before, message())))


main()
