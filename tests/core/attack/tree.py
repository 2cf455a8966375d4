"""Reads messages with Python's email package, and shows the tree of each on a line of JSON.

Standard input holds messages, each after its length in octets on a line. The answer is a list of parts in their order:
depth, media type, boundary, file name, names of the fields, and length and hash of the text where every reader should
read the same one (attack/seen.rs).
"""

import base64
import email
import hashlib
import json
import re
import sys
from email.header import decode_header, make_header

# Labels that mean one thing alone to every reader.
SURE = {"utf-8", "utf-7", "us-ascii", "utf-16", "utf-16be", "utf-16le", "iso-2022-jp", "iso-2022-kr", "hz-gb-2312"}

WORD = r"=\?[^?\s]+\?[bq]\?[^?]*\?="
WORDS = re.compile(rf"{WORD}(\s*{WORD})*", re.IGNORECASE)


def tried(work, *arguments, **named):
    try:
        return work(*arguments, **named)
    except Exception:
        return None


def shown(text):
    """Without lone surrogates, which JSON readers refuse."""
    return None if text is None else str(text).encode("utf-8", "backslashreplace").decode("utf-8")


def in_characters(run):
    return str(tried(lambda: make_header(decode_header(run[0]))) or run[0])


def name_of(part):
    """A file name; encoded-words in it are decoded, as every program but this library does, and the blanks around them kept."""
    again = email.message.Message()
    for field, value in part.raw_items():
        if field.lower() in ("content-type", "content-disposition"):
            again[field] = value.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")
    name = tried(again.get_filename) or tried(part.get_filename)
    return name and WORDS.sub(in_characters, name)


def is_plainly_carried(part):
    """Not where the header ends before its end for Python (`X-Space : y`); nor where the transfer encoding is written oddly, or broken, and each reader makes something else of it."""
    if part.defects:
        return False
    named = [str(value).lower() for value in part.get_all("content-transfer-encoding", ["7bit"])]
    if named == ["base64"]:
        return tried(lambda: base64.b64decode("".join(part.get_payload().split()), validate=True)) is not None
    return named in (["7bit"], ["8bit"], ["binary"], ["quoted-printable"])


def text_of(part):
    label = tried(part.get_content_charset) or "us-ascii"
    if part.get_content_type() != "text/plain" or label not in SURE or not is_plainly_carried(part):
        return None
    octets = tried(part.get_payload, decode=True)
    text = None if octets is None else tried(octets.decode, label)
    if text is None:
        return [0, "unreadable"]
    text = text.replace("\r\n", "\n").removeprefix("\ufeff")
    text = "\n".join(line.rstrip(" \t") for line in text.split("\n")).strip("\n")
    return [len(text), hashlib.sha1(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]]


def seen(part, depth):
    yield {
        "depth": depth,
        "media": "message/rfc822" if part.get_content_type() == "message/global" else part.get_content_type(),
        "boundary": shown(tried(part.get_boundary)) if part.is_multipart() else None,
        "name": shown(name_of(part)),
        "fields": [shown(name.lower()) for name in part.keys()],
        "text": None if part.is_multipart() else text_of(part),
    }
    if part.is_multipart():
        for inner in part.get_payload():
            yield from seen(inner, depth + 1)


def main():
    octets = sys.stdin.buffer
    while length := octets.readline():
        print(json.dumps(list(seen(email.message_from_bytes(octets.read(int(length))), 0))))


main()
