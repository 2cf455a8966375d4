#!/usr/bin/env bash
# mutt 2.2.12 and NeoMutt 2022-04-29 write an MMDF mailbox that they cannot open, if messages have no line end at their ends.
#
# One would guess that a message of a Maildir can be copied into any form that `mbox_type` names: in mbox they add the line end.
# Seen: in MMDF the line that ends the message stands behind its last letters, `text^A^A^A^A`. If another message follows, both
# programs say `Mailbox is corrupt!` of the whole mailbox when it is opened again; none of its messages can be read.
# Needs: Debian 12, Python 3, and root if mutt and neomutt are not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" mutt=mutt neomutt=neomutt python3=python3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder"/from/{cur,new,tmp}
printf 'From: a@x.example\nSubject: one\n\ntext' >"$folder/from/cur/1:2,S"
printf 'From: a@x.example\nSubject: two\n\ntext' >"$folder/from/cur/2:2,S"
cat >"$folder/show.py" <<'PYTHON'
import os, pty, subprocess, sys, termios
folder, seen = sys.argv[1], []
def run(program, *arguments):
    pid, terminal = pty.fork()
    if pid == 0:
        termios.tcsetwinsize(0, (30, 120))
        os.execvpe(program, [program, "-n", "-F", "/dev/null", *arguments], {**os.environ, "TERM": "xterm", "HOME": folder})
    shown = b""
    try:
        while octets := os.read(terminal, 65536):
            shown += octets
    except OSError:
        pass
    os.waitpid(pid, 0)
    return shown
def copy(program, form, start, to):
    settings = f"set folder={folder} mbox_type={form} confirmappend=no confirmcreate=no quit=yes"
    keys = f'push "<tag-pattern>~A<enter><tag-prefix><copy-message>{folder}/{to}<enter><exit>"'
    return run(program, "-e", settings, "-e", keys, "-f", f"{folder}/{start}")
for program in ("mutt", "neomutt"):
    copy(program, "MMDF", "from", program)
    octets = open(f"{folder}/{program}", "rb").read()
    copy(program, "Maildir", program, program + ".again")
    seen.append((octets.count(b"\nSubject: "), b"text\1\1\1\1\n" in octets, os.path.exists(f"{folder}/{program}.again")))
print(seen)
sys.exit(seen != [(2, True, False)] * 2)
PYTHON
echo "$(mutt -v | head -n 1), $(neomutt -v | head -n 1): messages written, the end behind a text, read again:"
python3 "$folder/show.py" "$folder"
