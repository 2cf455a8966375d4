"""Dovecot: doveadm without a daemon, as nobody, who owns the folder."""

import json

from boxes import Seen, files, marks
from calling import copy, run


DOVECOT = """base_dir = {0}/run
state_dir = {0}/state
log_path = {0}/log
ssl = no
mail_home = {0}/home
mail_uid = nobody
mail_gid = nogroup
first_valid_uid = 1
first_valid_gid = 1
mail_location = {1}
namespace inbox {{
  inbox = yes
  separator = /
}}
"""


def doveadm(base, location, *command, stdin=b""):
    base.mkdir(exist_ok=True)
    (base / "dovecot.conf").write_text(DOVECOT.format(base, location))
    run("chown", "-R", "nobody:nogroup", base)
    return run("doveadm", "-c", base / "dovecot.conf", *command, stdin=stdin, env={"USER": "nobody", "HOME": str(base)})


DOVECOT_PLACES = {
    "mbox": ("mbox:{0}/mail:INBOX={0}/inbox", "inbox"),
    "maildir": ("maildir:{0}/mail", "mail"),
    "sdbox": ("sdbox:{0}/mail", "mail"),
}
DOVECOT_FLAGS = {"\\Draft": "D", "\\Flagged": "F", "\\Answered": "R", "\\Seen": "S", "\\Deleted": "T"}


def dovecot_flags(letters, number):
    """IMAP's names for letters, of which Dovecot takes `$Forwarded` for a keyword, and two keywords for some of the messages."""
    names = [name for name, letter in {**DOVECOT_FLAGS, "$Forwarded": "P"}.items() if letter in letters]
    return names + [word for word, every in (("work", 6), ("$Label1", 9)) if number % every == 0]


def dovecot_fill(base, source, form):
    """Saves all messages, and sets their flags by their numbers."""
    location = DOVECOT_PLACES[form][0].format(base)
    for number, file in enumerate(files(source), 1):
        doveadm(base, location, "save", "-m", "INBOX", stdin=file.read_bytes())
        flags = dovecot_flags(marks(file, {})[0], number)
        if flags:
            doveadm(base, location, "flags", "add", " ".join(flags), "mailbox", "INBOX", str(number))
    return location


def dovecot_make(form):
    def make(source, folder):
        dovecot_fill(folder / "dovecot", source, form)
        return folder / "dovecot" / DOVECOT_PLACES[form][1]

    return make


def dovecot_exported(source, folder):
    """An sdbox, which septet does not read, as `doveadm backup` writes it into a Maildir."""
    base = folder / "dovecot"
    location = dovecot_fill(base, source, "sdbox")
    doveadm(base, location, "backup", f"maildir:{base}/export")
    return base / "export"


def dovecot_seen(form):
    def see(path, folder):
        base = folder / "dovecot"
        base.mkdir()
        location, name = DOVECOT_PLACES[form]
        copy(path, base / name)
        answer = doveadm(base, location.format(base), "-f", "json", "fetch", "hdr.subject flags", "mailbox", "INBOX", "all")
        return [dovecot_message(it) for it in json.loads(answer)]

    return see


def dovecot_message(it):
    flags = it["flags"].split()
    letters = {DOVECOT_FLAGS[flag] for flag in flags if flag in DOVECOT_FLAGS}
    words = sorted(flag for flag in flags if flag not in DOVECOT_FLAGS and flag != "\\Recent")
    return Seen(it["hdr.subject"].strip()[:24].strip(), "".join(sorted(letters)), tuple(words))
