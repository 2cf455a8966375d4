"""Reads mail with fast-mail-parser (PyPI): `parse_email` for what a person sees, `parse_email_tree` for the parts."""

from fast_mail_parser import parse_email, parse_email_tree, walk

from protocol import answer


def seen(octets):
    mail = parse_email(octets)
    parts = list(walk(parse_email_tree(octets)))
    fields = {"from": [mail.from_] if mail.from_ else [], "to": mail.to, "cc": mail.cc, "reply-to": mail.reply_to}
    return {
        "tree": [part.content_type.lower() for part in parts],
        "subject": mail.subject or None,
        "comments": next((values[0] for name, values in mail.headers.items() if name.lower() == "comments"), None),
        "names": {field: [it.display_name for it in found] for field, found in fields.items()},
        "addresses": [it.address for it in fields["from"]],
        "files": [part.filename for part in parts if part.filename],
        "texts": mail.text_plain + mail.text_html,
    }


answer(seen, never=("fields",))
