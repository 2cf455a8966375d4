#!/usr/bin/env bash
# NeoMutt 2022-04-29 drops the flags D (draft) and P (passed) of a message that it copies from one Maildir to another.
#
# One would guess that all letters of the name are copied, as mutt 2.2.12 does, from which it comes: NeoMutt keeps letters that it
# does not use when it changes others of the same file.
# Seen: of `:2,DFPRS` mutt's copy has all, and NeoMutt's `:2,FRS`: a draft is an ordinary message afterwards.
# Needs: Debian 12, Python 3, and root if mutt and neomutt are not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" mutt=mutt neomutt=neomutt python3=python3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder"/from/{cur,new,tmp}
printf 'From: a@x.example\nSubject: one\n\ntext\n' >"$folder/from/cur/1:2,DFPRS"
cat >"$folder/show.py" <<'PYTHON'
import os, pty, sys, termios
folder, program = sys.argv[1:]
pid, terminal = pty.fork()
if pid == 0:
    termios.tcsetwinsize(0, (30, 120))
    settings = f"set folder={folder} mbox_type=Maildir confirmappend=no confirmcreate=no quit=yes"
    keys = f'push "<tag-pattern>~A<enter><tag-prefix><copy-message>{folder}/{program}<enter><exit>"'
    command = [program, "-n", "-F", "/dev/null", "-e", settings, "-e", keys, "-f", f"{folder}/from"]
    os.execvpe(program, command, {**os.environ, "TERM": "xterm", "HOME": folder})
try:
    while os.read(terminal, 65536):
        pass
except OSError:
    os.waitpid(pid, 0)
PYTHON
for program in mutt neomutt; do python3 "$folder/show.py" "$folder" "$program"; done
seen=$(find "$folder/mutt" "$folder/neomutt" -type f | sed 's/.*:2,//' | tr '\n' ' ')
echo "$(mutt -v | head -n 1), $(neomutt -v | head -n 1): $seen"
[ "$seen" = 'DFPRS FRS ' ]
