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
# Servers limit the length of a command.
EXPUNGED_AT_ONCE = 500


def convert_folder(server, folder, profile="utf8"):
    """Converts what is in a folder and returns how many messages were replaced; `server` is logged in."""
    quoted = '"' + folder.replace("\\", r"\\").replace('"', r'\"') + '"'
    ok(server.select(quoted))
    # Asked now, since servers name more to those who are logged in.
    has_uidplus = b"UIDPLUS" in ok(server.capability())[0].upper().split()
    replaced = []
    for uid in ok(server.uid("SEARCH", None, "UNDELETED"))[0].decode().split():
        about, raw = fetched(ok(server.uid("FETCH", uid, "(FLAGS INTERNALDATE BODY.PEEK[])")))
        result = septet.convert(raw, profile)
        if result.changed:
            flags = [flag for flag in FLAGS.search(about)[1].decode().split() if flag.lower() != "\\recent"]
            ok(server.append(quoted, " ".join(flags), DATE.search(about)[1].decode(), result.bytes))
            ok(server.uid("STORE", uid, "+FLAGS.SILENT", "(\\Deleted)"))
            replaced.append(uid)
    # Of these alone, not of what others have marked (RFC 4315); a server without UIDPLUS keeps them marked.
    for start in range(0, len(replaced) if has_uidplus else 0, EXPUNGED_AT_ONCE):
        ok(server.uid("EXPUNGE", ",".join(replaced[start:start + EXPUNGED_AT_ONCE])))
    return len(replaced)


def fetched(response):
    """Returns what a server says of a message, before its octets and behind them, and these; none of one that is gone.

    What it says of other messages meanwhile stands in the same response.
    """
    for item, behind in zip(response, [*response[1:], b""]):
        if isinstance(item, tuple):
            return item[0] + (behind if isinstance(behind, bytes) else b""), item[1]
    return b"", b""


def ok(answer):
    """Returns the data of an answer that says OK; any other raises an error."""
    if answer[0] != "OK":
        raise imaplib.IMAP4.error(answer[1])
    return answer[1]


if __name__ == "__main__":
    with imaplib.IMAP4_SSL(sys.argv[1]) as connection:
        connection.login(sys.argv[2], getpass.getpass())
        print(convert_folder(connection, sys.argv[3]), "replaced")
