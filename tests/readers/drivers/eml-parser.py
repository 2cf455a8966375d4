"""Reads mail with eml-parser (PyPI, the module `eml_parser`). It gives neither a tree nor the names of mailboxes."""

import re

import eml_parser

from protocol import answer

parser = eml_parser.EmlParser(include_raw_body=True)


def seen(octets):
    mail = parser.decode_email_bytes(octets)
    header = mail["header"]
    files = [it["filename"] for it in mail.get("attachment", [])]
    return {
        "subject": header.get("subject") or None,
        "comments": next(iter(header["header"].get("comments", [])), None),
        "addresses": [header["from"]] if header.get("from") else [],
        # A file without a name is called by its number.
        "files": [name for name in files if not re.fullmatch(r"part-\d{3}", name)],
        "texts": [it.get("content", "") for it in mail.get("body", [])],
    }


answer(seen, never=("tree", "fields", "names"))
