"""Reads messages with Python's email package, and shows the tree of each on a line of JSON.

Standard input holds messages, each after its length in octets on a line. The answer is a list of parts in their order:
depth, media type, boundary, file name, names of the fields, and length and hash of the text where every reader should
read the same one (attack/seen.rs).
"""

import email
import hashlib
import json
import sys

# Labels that mean one thing alone to every reader.
SURE = {"utf-8", "utf-7", "us-ascii", "utf-16", "utf-16be", "utf-16le", "iso-2022-jp", "iso-2022-kr", "hz-gb-2312"}


def tried(work, *arguments, **named):
    try:
        return work(*arguments, **named)
    except Exception:
        return None


def shown(text):
    """Without lone surrogates, which JSON readers refuse."""
    return None if text is None else str(text).encode("utf-8", "backslashreplace").decode("utf-8")


def text_of(part):
    label = tried(part.get_content_charset) or "us-ascii"
    if part.get_content_type() != "text/plain" or label not in SURE:
        return None
    octets = tried(part.get_payload, decode=True)
    text = None if octets is None else tried(octets.decode, label)
    if text is None:
        return None
    text = text.replace("\r\n", "\n").removeprefix("\ufeff")
    text = "\n".join(line.rstrip(" \t") for line in text.split("\n")).strip("\n")
    return [len(text), hashlib.sha1(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]]


def seen(part, depth):
    yield {
        "depth": depth,
        "media": part.get_content_type().replace("message/global", "message/rfc822"),
        "boundary": shown(tried(part.get_boundary)) if part.is_multipart() else None,
        "name": shown(tried(part.get_filename)),
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
