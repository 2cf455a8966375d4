"""notmuch: `notmuch show --format=json` of a database of its own.

Each message gets a Message-ID of its own in front, as notmuch takes two with one ID for the same. Its headers are decoded
strings: names and addresses are taken out of them by Python's email.utils.
"""

import email.utils
import json
import os
import subprocess

from protocol import answer_all

SETTINGS = """
[database]
path={0}
[user]
name=Ann
primary_email=ann@example.org
[new]
tags=
[show]
extra_headers=Comments;Sender
"""


def found(threads):
    """The messages of nested threads."""
    for thread in threads:
        if isinstance(thread, dict):
            yield thread
        elif thread:
            yield from found(thread)


def parts(part):
    yield part
    inner = part.get("content")
    for it in inner if isinstance(inner, list) else []:
        for of in it["body"] if "body" in it else [it]:
            yield from parts(of)


def people(headers, name):
    return email.utils.getaddresses([headers[name]]) if headers.get(name) else []


def seen(message):
    headers = message["headers"]
    all = [it for part in message["body"] for it in parts(part)]
    fields = ("From", "Sender", "To", "Cc", "Reply-To")
    return {
        "tree": [it["content-type"].lower() for it in all],
        "subject": headers.get("Subject"),
        "comments": headers.get("Comments"),
        "names": {field.lower(): [name or None for name, _ in people(headers, field)] for field in fields},
        "addresses": [address for _, address in people(headers, "From")],
        "files": [it["filename"] for it in all if "filename" in it],
        "texts": [it.get("content") for it in all if it["content-type"].lower().startswith("text/")],
    }


def shown(folder, messages):
    """What notmuch shows, by the number of a message."""
    for name in ("cur", "new", "tmp"):
        (folder / "mail" / name).mkdir(parents=True)
    for number, octets in enumerate(messages):
        (folder / f"mail/cur/{number:08d}:2,").write_bytes(b"Message-ID: <%d@driver>\n%b" % (number, octets))
    (folder / "config").write_text(SETTINGS.format(folder / "mail"))
    environment = os.environ | {"NOTMUCH_CONFIG": str(folder / "config"), "HOME": str(folder)}
    subprocess.run(["notmuch", "new", "--quiet"], env=environment, stdout=subprocess.DEVNULL, check=True)
    command = ["notmuch", "show", "--format=json", "--include-html", "*"]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
    threads = json.loads(done.stdout.decode(errors="replace"), strict=False)
    return {int(message["id"].split("@")[0]): message for message in found(threads)}


answer_all(shown, seen, never=["fields"])
