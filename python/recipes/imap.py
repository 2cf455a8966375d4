#!/usr/bin/env python3
"""IMAP: converts the messages of a folder, each appended with its flags and date before the old one is deleted.

    python3 imap.py imap.example.org user INBOX

What fails halfway leaves a message twice and never less: the old one is marked only when the server has taken the new one.
"""

import getpass
import imaplib
import re
import sys

import septet

DATE = re.compile(rb'INTERNALDATE ("[^"]*")')
FLAGS = re.compile(rb"FLAGS \(([^)]*)\)")


def convert_folder(server, folder, profile="utf8"):
    """Converts what is in a folder and returns how many messages were replaced; `server` is logged in."""
    quoted = '"' + folder.replace("\\", r"\\").replace('"', r'\"') + '"'
    ok(server.select(quoted))
    replaced = []
    for uid in ok(server.uid("SEARCH", None, "UNDELETED"))[0].split():
        about, raw = fetched(ok(server.uid("FETCH", uid.decode(), "(FLAGS INTERNALDATE BODY.PEEK[])")))
        result = septet.convert(raw, profile)
        if result.changed:
            flags = [flag for flag in FLAGS.search(about)[1].decode().split() if flag.lower() != "\\recent"]
            ok(server.append(quoted, " ".join(flags), DATE.search(about)[1].decode(), result.bytes))
            replaced.append(uid.decode())
    if replaced:
        ok(server.uid("STORE", ",".join(replaced), "+FLAGS.SILENT", "(\\Deleted)"))
        # Of these alone, not of what others have marked (RFC 4315); a server without UIDPLUS keeps them marked.
        if "UIDPLUS" in server.capabilities:
            ok(server.uid("EXPUNGE", ",".join(replaced)))
    return len(replaced)


def fetched(response):
    """Returns what a server says of a message, and its octets; what is said may stand before them or behind."""
    about = b" ".join(item[0] if isinstance(item, tuple) else item for item in response)
    return about, next(item[1] for item in response if isinstance(item, tuple))


def ok(answer):
    """Returns the data of an answer that says OK."""
    if answer[0] != "OK":
        raise imaplib.IMAP4.error(answer[1])
    return answer[1]


if __name__ == "__main__":
    with imaplib.IMAP4_SSL(sys.argv[1]) as connection:
        connection.login(sys.argv[2], getpass.getpass())
        print(convert_folder(connection, sys.argv[3]), "replaced")
