"""Mail programs for people: mutt and NeoMutt, on a terminal, and s-nail. Each copies a mailbox into the form that is asked for."""

import re

from boxes import Seen, seen_maildir
from calling import copy, on_terminal, run


def mutt_copied(program, form, source, to):
    settings = f"set folder={to.parent} mbox_type={form} confirmappend=no confirmcreate=no sort=mailbox-order"
    answers = "set quit=yes delete=no move=no wait_key=no resolve=no mark_old=no"
    keys = f'push "<tag-pattern>~A<enter><tag-prefix><copy-message>{to}<enter><exit>"'
    command = [program, "-n", "-F", "/dev/null", "-f", source, "-e", settings, "-e", answers, "-e", keys]
    on_terminal(*command, env={"HOME": "/nonexistent"})


def mutt_make(program, form):
    def make(source, folder):
        mutt_copied(program, form, source, folder / "box")
        return folder / "box"

    return make


def ends_a_line(message):
    """What mutt and NeoMutt write of any other message into MMDF they call corrupt (findings/mutt_mmdf_own_copy_corrupt.sh)."""
    return message.endswith(b"\n")


def mutt_seen(program):
    def see(path, folder):
        mutt_copied(program, "Maildir", copy(path, folder / "given"), folder / "seen")
        return seen_maildir(folder / "seen")

    return see


def snail(folder, *arguments, stdin=b""):
    listing = ["-S", "headline=%m|%a|%s|", "-S", "screen=9999"]
    return run("s-nail", "-:/", *listing, *arguments, stdin=stdin, env={"HOME": str(folder)}, may_fail=True)


def snail_make(form):
    def make(source, folder):
        commands = f"copy * {form}://{folder}/box\nexit\n".encode()
        snail(folder, "-#", "-f", f"maildir://{copy(source, folder / 'given')}", stdin=commands)
        return folder / "box"

    return make


def snail_seen(form):
    def see(path, folder):
        said = snail(folder, "-R", "-H", "-f", f"{form}://{copy(path, folder / 'given')}")
        found = re.findall(r"^\W*\d+\|(.)\|(.*)$", said.decode("utf-8", "replace"), re.MULTILINE)
        # What it read in `new` is R to it, and stands in `cur` afterwards.
        return [Seen(text.strip()[:24].strip(), letter.replace("R", "O")) for letter, text in found]

    return see
