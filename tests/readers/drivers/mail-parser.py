"""Reads mail with mail-parser (PyPI, the module `mailparser`). It gives no tree, and each file without a name gets one."""

import random

import mailparser

from protocol import answer

FIELDS = {"from": "from_", "sender": "sender", "to": "to", "cc": "cc", "reply-to": "reply_to"}


def seen(octets):
    random.seed(0)  # The names that it makes up are the same for the same message.
    mail = mailparser.parse_from_bytes(octets)
    fields = {field: getattr(mail, name) or [] for field, name in FIELDS.items()}
    mailboxes = {field: found for field, found in fields.items() if isinstance(found, list)}
    return {
        "fields": [name.lower() for name in mail.message.keys()],
        "subject": mail.subject or None,
        "comments": mail.comments or None,
        "names": {field: [name or None for name, _ in found] for field, found in mailboxes.items()},
        "addresses": [address for _, address in mailboxes.get("from", [])],
        "files": [it["filename"] for it in mail.attachments],
        "texts": mail.text_plain + mail.text_html,
    }


answer(seen, never=("tree",))
