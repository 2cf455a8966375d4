"""Those that deliver: each message is one that arrives. procmail with formail, maildrop with reformail, getmail, fdm."""

import re
from pathlib import Path

from boxes import Seen, files, subject
from calling import NOBODY, copy, run


def delivered(command, place):
    """`command(folder)` is what is run for each message, and `place` what it fills."""

    def make(source, folder):
        words = command(folder)
        for file in files(source):
            run(*words, stdin=file.read_bytes(), env={"HOME": str(folder), "SENDER": "ann@x.example"})
        return folder / place

    return make


def procmail(recipe):
    def command(folder):
        (folder / "rc").write_text(f"MAILDIR={folder}\nLOGFILE={folder}/log\n:0:\n{recipe}\n")
        return ["procmail", "-f", "ann@x.example", "-m", folder / "rc"]

    return command


def maildrop(place):
    def command(folder):
        (folder / "rc").write_text(f'to "{folder}/{place}"\n')
        (folder / "rc").chmod(0o600)
        if place == "md":
            run("maildirmake.maildrop", folder / place)
        return ["maildrop", folder / "rc"]

    return command


def getmail(place):
    """Its Maildirs alone: on a crowded machine `getmail_mbox` waits in vain for its child."""

    def command(folder):
        for part in ("cur", "new", "tmp"):
            (folder / place / part).mkdir(parents=True, exist_ok=True)
        run("chown", "-R", "nobody:nogroup", folder)
        return [*NOBODY, "getmail_maildir", f"{folder}/{place}/"]

    return command


def formail_make(source, folder):
    with open(folder / "box", "wb") as box:
        for file in files(source):
            box.write(run("formail", stdin=file.read_bytes()))
    return folder / "box"


def split_by(program, *how):
    """What formail or reformail gives of a mailbox file, message by message."""

    def see(path, folder):
        (folder / "one").mkdir()
        script = f'f=$(mktemp {folder}/one/XXXXXX); cat > "$f"; echo "$f" >> {folder}/list'
        run(program, *how, "-s", "sh", "-c", script, stdin=path.read_bytes())
        return [Seen(subject(Path(name).read_bytes())) for name in (folder / "list").read_text().split()]

    return see


def fdm(folder, account, action):
    (folder / "fdm.conf").write_text(f'account "all" {account}\naction "out" {action}\nmatch all action "out"\n')
    (folder / "fdm.conf").chmod(0o600)
    run("fdm", "-f", folder / "fdm.conf", "-k", "fetch", env={"HOME": str(folder)})


def fdm_make(action):
    def make(source, folder):
        fdm(folder, f'maildir "{copy(source, folder / "given")}"', f'{action} "{folder}/box"')
        return folder / "box"

    return make


def fdm_seen(account):
    def see(path, folder):
        given = copy(path, folder / "given")
        run("chmod", "-R", "a+rwX", folder)  # it reads as a user of its own
        fdm(folder, f'{account} "{given}"', f'mbox "{folder}/seen"')
        return [Seen(subject(it)) for it in re.split(rb"(?m)^From (?=\S+ \w\w\w \w\w\w +\d)", (folder / "seen").read_bytes())[1:]]

    return see
