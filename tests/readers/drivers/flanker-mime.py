"""Reads mail with flanker (PyPI): `mime.from_string` for the message, `address.parse_list` for its fields of addresses."""

from flanker import mime
from flanker.addresslib import address

from protocol import answer, tried

FIELDS = ("from", "sender", "to", "cc", "reply-to")


def seen(octets):
    message = mime.from_string(octets)
    parts = list(message.walk(with_self=True))
    texts = [part for part in parts if part.content_type.main == "text"]
    mailboxes = {field: address.parse_list(message.headers[field]) for field in FIELDS if field in message.headers}
    return {
        "tree": [str(part.content_type).lower() for part in parts],
        "fields": [name.lower() for name in message.headers.keys()],
        "subject": message.subject,
        "comments": message.headers.get("Comments"),
        "names": {field: [it.display_name or None for it in found] for field, found in mailboxes.items()},
        "addresses": [it.address for it in mailboxes.get("from", [])],
        "files": [name for part in parts if (name := tried(lambda: part.detected_file_name))],
        "texts": [tried(lambda: part.body) for part in texts],
    }


answer(seen)
