"""Reads messages with Python's email, and shows each on a line of JSON; see ../readers.py for what goes in and out."""

import email
import json
import sys
from email import policy
from email.header import decode_header, make_header


def tried(work, otherwise=None):
    try:
        return work()
    except Exception:
        return otherwise


def raw(text):
    """Raw octets of a field as the UTF-8 that they are."""
    return text and text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def decoded(text):
    return tried(lambda: str(make_header(decode_header(text))), text) if text and "=?" in text else text


def parts(message):
    yield message
    if message.is_multipart():
        for inner in message.get_payload():
            yield from parts(inner)


def seen(octets):
    message = email.message_from_bytes(octets, policy=policy.default)
    plain = email.message_from_bytes(octets)
    addresses = tried(lambda: message["from"].addresses, ()) or ()
    leaves = [part for part in parts(message) if not part.is_multipart()]
    return {
        "tree": [part.get_content_type() for part in parts(message)],
        "fields": [field.lower() for field in plain.keys()],
        "subject": raw(tried(lambda: str(message["subject"]))),
        "names": [raw(address.display_name) for address in addresses],
        "addresses": [address.addr_spec for address in addresses],
        "files": [raw(decoded(tried(part.get_filename))) for part in leaves],
        "texts": [tried(part.get_content) for part in leaves if part.get_content_maintype() == "text"],
    }


while length := sys.stdin.buffer.readline():
    shown = json.dumps(seen(sys.stdin.buffer.read(int(length))))
    print(shown.encode("utf-8", "backslashreplace").decode())
