"""Dovecot: ENVELOPE and BODYSTRUCTURE of the messages of a Maildir, as IMAP has them and doveadm fetches them.

Subject, names and the names of files stand there as they came: their words and extended parameters are decoded here, by
Python's email.header and email.utils. What is asked of Dovecot is where they begin and end.
"""

import email.header
import email.utils
import json
import os
import re
import subprocess

from protocol import answer_all

SETTINGS = """
base_dir = {0}/run
state_dir = {0}/state
log_path = {0}/log
ssl = no
mail_location = maildir:{0}/mail
mail_home = {0}/home
mail_uid = nobody
mail_gid = nogroup
first_valid_uid = 1
first_valid_gid = 1
namespace inbox {{
  inbox = yes
  separator = /
}}
"""
NAMES = ["from", "sender", "reply-to", "to", "cc"]  # in the order of ENVELOPE
TOKEN = re.compile(r'\s*(?:([()])|"((?:\\.|[^"\\])*)"|\{(\d+)\}\r\n|([^\s()"]+))', re.DOTALL)


def nested(text):
    """The lists of an answer of IMAP; NIL is None. `text` has a character for each octet, as lengths count these."""
    stack, at = [[]], 0
    while found := TOKEN.match(text, at):
        bracket, quoted, length, atom = found.groups()
        at = found.end()
        if bracket == "(":
            stack.append([])
        elif bracket == ")":
            inner = stack.pop()
            stack[-1].append(inner)
        elif length:
            stack[-1].append(characters(text[at : at + int(length)]))
            at += int(length)
        elif atom:
            stack[-1].append(None if atom == "NIL" else atom)
        else:
            stack[-1].append(characters(re.sub(r"\\(.)", r"\1", quoted)))
    return stack[0]


def characters(text):
    return text.encode("latin-1").decode(errors="replace")


def words(text):
    try:
        return str(email.header.make_header(email.header.decode_header(text))) if text and "=?" in text else text
    except (LookupError, ValueError, email.errors.HeaderParseError):
        return text


def parts(structure):
    """Type and parameters of each part in order."""
    if isinstance(structure[0], list):
        inner = [it for it in structure if isinstance(it, list) and it and (isinstance(it[0], list) or len(it) > 6)]
        subtype = next(it for it in structure if not isinstance(it, list))
        yield f"multipart/{subtype}".lower(), []
        for part in inner:
            yield from parts(part)
        return
    kind = f"{structure[0]}/{structure[1]}".lower()
    pair = [it for it in structure[7:] if isinstance(it, list) and len(it) == 2]
    disposition = next((it[1] for it in pair if isinstance(it[1], list)), [])
    yield kind, pairs(disposition) + pairs(structure[2] or [])
    if kind == "message/rfc822" and isinstance(structure[8], list):
        yield from parts(structure[8])


def pairs(flat):
    return list(zip(flat[::2], flat[1::2]))


def file_of(parameters):
    for name in ("filename", "name"):
        of = [it for it in parameters if it[0].lower().split("*")[0] == name]
        if of:
            (value,) = [it for key, it in email.utils.decode_params([("", ""), *of]) if key.lower() == name][:1] or [None]
            value = email.utils.collapse_rfc2231_value(value, errors="replace") if value else None
            return words(email.utils.unquote(value)) if value else None
    return None


def seen(row):
    envelope, structure = nested(row["imap.envelope"]), nested(row["imap.bodystructure"])
    found = list(parts(structure))
    # A mailbox without a host is where a group begins or ends.
    people = [[it for it in field or [] if it[3] is not None] for field in envelope[2:7]]
    files = [file_of(parameters) for _, parameters in found]
    return {
        "tree": [kind for kind, _ in found],
        "subject": words(envelope[1]),
        "names": {name: [words(it[0]) for it in field] for name, field in zip(NAMES, people)},
        "addresses": [f"{it[2]}@{it[3]}" for it in people[0]],
        "files": [it for it in files if it is not None],
    }


def fetched(folder, messages):
    for name in ("mail/cur", "mail/new", "mail/tmp", "home"):
        (folder / name).mkdir(parents=True)
    for number, octets in enumerate(messages):
        (folder / f"mail/cur/{number:08d}:2,").write_bytes(octets)
    (folder / "dovecot.conf").write_text(SETTINGS.format(folder))
    subprocess.run(["chown", "-R", "nobody:nogroup", folder], check=True)
    command = ["doveadm", "-c", folder / "dovecot.conf", "-f", "json", "fetch"]
    # Without -u it asks no daemon who the user is.
    environment = os.environ | {"USER": "nobody", "HOME": str(folder / "home")}
    what = "guid imap.envelope imap.bodystructure"
    done = subprocess.run([*command, what, "mailbox", "INBOX"], env=environment, stdout=subprocess.PIPE, check=True)
    # The lengths in its answers count octets.
    return {int(row["guid"]): row for row in json.loads(done.stdout.decode("latin-1"), strict=False)}


answer_all(fetched, seen, never=["fields", "comments", "texts"])
