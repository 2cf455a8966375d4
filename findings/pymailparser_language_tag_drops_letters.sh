#!/usr/bin/env bash
# mail-parser 4.8.0 (PyPI) drops the letters that are not ASCII of an encoded-word with a language (RFC 2231 §5).
#
# One would guess that `=?iso-8859-1*de?Q?J=F6rg?=` is `Jörg`, as it is without `*de`, or that it stays as it stands.
# Seen: `Jrg`. In UTF-8 the same word is read rightly.
# Needs: python3 with venv and pip. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder" && "$folder/bin/pip" install --quiet mail-parser==4.8.0
seen=$("$folder/bin/python" 2>/dev/null - <<'PYTHON'
import mailparser

for word in ("=?iso-8859-1?Q?J=F6rg?=", "=?iso-8859-1*de?Q?J=F6rg?=", "=?utf-8*de?Q?J=C3=B6rg?="):
    print(mailparser.parse_from_bytes(f"From: a@x.example\nSubject: {word}\n\nx\n".encode()).subject)
PYTHON
)
echo "mail-parser 4.8.0 (PyPI):" "$seen"
[ "$seen" = 'Jörg
Jrg
Jörg' ]
