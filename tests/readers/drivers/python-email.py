"""Reads mail with Python's own `email` (`email.policy.default`), as its documents' examples do."""

import email
from email import policy

from protocol import answer, tried

FIELDS = ("from", "sender", "to", "cc", "reply-to")


def seen(octets):
    message = email.message_from_bytes(octets, policy=policy.default)
    text = lambda field: tried(lambda: message[field] and str(message[field]))
    mailboxes = {field: tried(lambda: message[field].addresses, ()) for field in FIELDS if field in message}
    parts = list(message.walk())
    # An attached message is a part, and what is in it are parts too.
    leaves = [part for part in parts if not part.is_multipart()]
    return {
        "tree": [part.get_content_type() for part in parts],
        "fields": [field.lower() for field in message.keys()],
        "subject": text("subject"),
        "comments": text("comments"),
        "names": {field: [it.display_name or None for it in found] for field, found in mailboxes.items()},
        "addresses": [it.addr_spec for it in mailboxes.get("from", ())],
        "files": [name for part in parts if (name := tried(part.get_filename))],
        "texts": [tried(part.get_content) for part in leaves if part.get_content_maintype() == "text"],
    }


answer(seen)
