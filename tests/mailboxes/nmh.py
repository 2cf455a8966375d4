"""nmh: folders with sequences, `packf` and `inc`."""

import shutil

from boxes import LETTERS, Seen, files, marks, seen_folder
from calling import copy, run

MH = "/usr/bin/mh"


def nmh(folder, command, *arguments, stdin=b""):
    (folder / "profile").write_text(f"Path: {folder}/mh\n")
    (folder / "mh").mkdir(exist_ok=True)
    env = {"HOME": str(folder), "MH": str(folder / "profile")}
    return run(f"{MH}/{command}", *arguments, stdin=stdin, env=env)


def nmh_folder(source, folder):
    """A folder into which each message is filed, with the sequences of its flags."""
    nmh(folder, "folder", "-create", "+box")
    for file in files(source):
        nmh(folder, "refile", "-file", file, "-link", "+box")
    numbered = list(enumerate(files(source), 1))
    for sequence, has in (("flagged", "F"), ("replied", "R"), ("unseen", None)):
        chosen = [str(n) for n, file in numbered if (has in marks(file, {})[0] if has else "S" not in marks(file, {})[0])]
        nmh(folder, "mark", "+box", "-sequence", sequence, "-add", *chosen)
    nmh(folder, "mark", "+box", "-sequence", "others", "-add", "1", "5-9")
    return folder / "mh/box"


def ends_a_plain_line(message):
    """After any other message `inc` and formail do not find the next one: they want an empty line, and LF at its end.

    Not even in what their own `packf` and procmail write (findings/nmh_packf_joins.sh, findings/procmail_formail_joined.sh).
    """
    return message.endswith(b"\n") and not message.endswith(b"\r\n") and b"\0" not in message


def nmh_packed(*how):
    def make(source, folder):
        nmh_folder(source, folder)
        nmh(folder, "packf", *how, "-file", folder / "packed", "+box", "all")
        return folder / "packed"

    return make


def nmh_seen(path, folder):
    """What `inc` makes of a mailbox file."""
    nmh(folder, "folder", "-create", "+box")
    nmh(folder, "inc", "-file", copy(path, folder / "file"), "-silent", "+box")
    return seen_folder(folder / "mh/box")


def nmh_folder_seen(path, folder):
    """What nmh lists of a folder, with the marks of its sequences."""
    nmh(folder, "folder", "-create", "+other")
    shutil.copytree(path, folder / "mh/box")
    said = nmh(folder, "scan", "+box", "-width", "500", "-format", "%(msg)|%{subject}").decode("utf-8", "replace")
    sequences = {name: nmh_sequence(folder, name) for name in ("unseen", "flagged", "replied")}
    seen = []
    for line in said.splitlines():
        number, _, text = line.partition("|")
        has = {"F": number in sequences["flagged"], "R": number in sequences["replied"], "S": number not in sequences["unseen"]}
        seen.append(Seen(text.strip()[:24].strip(), "".join(it for it in LETTERS if has.get(it))))
    return seen


def nmh_sequence(folder, name):
    """The numbers of a sequence, whose line has ranges."""
    line = nmh(folder, "mark", "+box", "-list", "-sequence", name).decode().partition(":")[2]
    ranges = [word.split("-") for word in line.split() if word[0].isdigit()]
    return {str(number) for it in ranges for number in range(int(it[0]), int(it[-1]) + 1)}
