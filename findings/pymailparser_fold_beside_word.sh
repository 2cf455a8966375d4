#!/usr/bin/env bash
# mail-parser 4.8.0 (PyPI) drops the blank of a fold between an encoded-word and plain text.
#
# One would guess that a fold is a blank (RFC 5322 §2.2.3), and that only one between two words goes (RFC 2047 §6.2):
# `un été indien`, as it is shown of the same Subject on one line.
# Seen: `unétéindien`.
# Needs: python3 with venv and pip. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder" && "$folder/bin/pip" install --quiet mail-parser==4.8.0
seen=$("$folder/bin/python" - <<'PYTHON'
import mailparser

for fold in ("", "\n"):
    fields = f"From: a@x.example\nSubject: un{fold} =?utf-8?Q?=C3=A9t=C3=A9?={fold} indien\n"
    print(mailparser.parse_from_bytes((fields + "\nx\n").encode()).subject)
PYTHON
)
echo "mail-parser 4.8.0 (PyPI):" "$seen"
[ "$seen" = 'un été indien
unétéindien' ]
