"""What copies a mailbox from one form to another: public-inbox's lei, GNU mailutils, and UW IMAP's mailutil."""

import os
from pathlib import Path

from boxes import Seen, seen_fields, seen_maildir
from calling import copy, run
from libraries import mbox_of_python


def lei(folder, *command):
    home = folder / "lei"
    home.mkdir(exist_ok=True)
    env = {"HOME": str(home), "XDG_RUNTIME_DIR": str(home)}
    run("lei", *command, env=env)
    run("lei", "daemon-kill", env=env, may_fail=True)


def lei_make(dialect):
    def make(source, folder):
        lei(folder, "convert", "-o", f"{dialect}:{folder}/lei.mbox", f"maildir:{source}")
        return folder / "lei.mbox"

    return make


def lei_seen(dialect):
    def see(path, folder):
        lei(folder, "convert", "-o", f"maildir:{folder}/seen", f"{dialect}:{path}")
        return seen_maildir(folder / "seen")

    return see


def has_plain_body(message):
    """movemail makes any other message empty (findings/movemail_empties_crlf.sh)."""
    return b"\r\n\r\n" not in message and b"\n\n" in message


def movemail_make(form):
    def make(source, folder):
        run("movemail.mailutils", "--preserve", f"maildir:{source}", f"{form}:{folder}/box")
        return folder / "box"

    return make


def mailutils_seen(form):
    def see(path, folder):
        headline = 'set headline="%a|%80s|"'
        copied = copy(path, folder / "box")
        said = run("mail.mailutils", "--norc", "-N", "-E", headline, "-H", "-f", f"{form}:{copied}", may_fail=True)
        lines = [line.split("|") for line in said.decode("utf-8", "replace").splitlines()]
        # In a Maildir it goes by marks of its own, `a=O` in a name, which nobody else writes.
        return [Seen(line[1].strip()[:24].strip(), None if form == "maildir" else line[0]) for line in lines if len(line) > 1]

    return see


def mailutil_name(path):
    return str(path).lstrip("/") if os.geteuid() == 0 else os.path.relpath(path, Path.home())


def mailutil_make(driver):
    def make(source, folder):
        start = mbox_of_python(source, folder)
        run("mailutil", "copy", mailutil_name(start), f"#driver.{driver}/{mailutil_name(folder)}/uw")
        return folder / "uw"

    return make


def mailutil_seen(path, folder):
    """What it copies of a mailbox into one in MMDF, which shows where each message ends."""
    given = copy(path, folder / "given")
    run("mailutil", "copy", mailutil_name(given), f"#driver.mmdf/{mailutil_name(folder)}/copy")
    found = (folder / "copy").read_bytes().split(b"\1\1\1\1\n")[1::2]
    return [it for it in seen_fields(found) if "FOLDER INTERNAL" not in it.subject and not it.subject.startswith("DON'T DELETE")]
