"""Programs of Maildirs: mblaze, mbsync, and the indexers notmuch and mu."""

from pathlib import Path

from boxes import Seen, files, marks, seen_maildir, subject
from calling import copy, run


def mblaze_mbox(source, folder):
    (folder / "box").write_bytes(run("mexport", *files(source)))
    return folder / "box"


def mblaze_mbox_seen(path, folder):
    for part in ("cur", "new", "tmp"):
        (folder / "seen" / part).mkdir(parents=True)
    run("mdeliver", "-M", folder / "seen", stdin=path.read_bytes())
    return seen_maildir(folder / "seen")


def mblaze_seen(path, folder):
    """What `mlist` names, and `mhdr` reads."""
    named = [Path(it) for it in run("mlist", path).decode().splitlines()]
    order = sorted(named, key=lambda file: file.name)
    said = [run("mhdr", "-h", "subject", file, may_fail=True).decode("utf-8", "replace") for file in order]
    return [Seen(text.strip()[:24].strip(), marks(file, {})[0]) for text, file in zip(said, order)]


MBSYNC = """MaildirStore far
Path {0}/
Inbox {1}

MaildirStore near
Path {0}/near/
Inbox {2}

Channel all
Far :far:
Near :near:
Create Near
CopyArrivalDate yes
SyncState {0}/state-
"""


def mbsync(source, folder):
    (folder / "near").mkdir()
    (folder / "mbsyncrc").write_text(MBSYNC.format(folder, copy(source, folder / "far"), folder / "box"))
    run("mbsync", "-c", folder / "mbsyncrc", "-a", env={"HOME": str(folder)})
    return folder / "box"


def mbsync_seen(path, folder):
    return seen_maildir(mbsync(path, folder))


def notmuch_seen(path, folder):
    copy(path, folder / "mail")
    env = {"HOME": str(folder), "NOTMUCH_CONFIG": str(folder / "config")}
    (folder / "config").write_text(f"[database]\npath={folder}/mail\n[user]\nname=a\nprimary_email=a@x.example\n"
                                   "[new]\ntags=\n[maildir]\nsynchronize_flags=true\n")
    run("notmuch", "new", "--quiet", env=env)
    return sorted(Seen(subject(Path(name).read_bytes()), marks(Path(name), {})[0])
                  for name in run("notmuch", "search", "--output=files", "*", env=env).decode().splitlines())


def mu_seen(path, folder):
    copy(path, folder / "mail")
    home = f"--muhome={folder}/mu"
    run("mu", "init", home, f"--maildir={folder}/mail", env={"HOME": str(folder)})
    run("mu", "index", home, "--quiet", env={"HOME": str(folder)})
    said = run("mu", "find", home, "--fields=l", "maildir:/", env={"HOME": str(folder)})
    return sorted(Seen(subject(Path(name).read_bytes()), marks(Path(name), {})[0]) for name in said.decode().splitlines())
