#!/usr/bin/env bash
# fast-mail-parser 0.10.0 ends a file's name at a semicolon that stands in quotes, and keeps the first quotation mark.
#
# One would guess that in `filename="a;b.pdf"` the semicolon is part of the name (RFC 2045 §5.1), as a comma is.
# Seen: `"a`.
# Needs: python3 with venv and pip. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder" && "$folder/bin/pip" install --quiet fast-mail-parser==0.10.0
seen=$("$folder/bin/python" - <<'PYTHON'
from fast_mail_parser import parse_email

for name in ("a,b.pdf", "a;b.pdf"):
    fields = f'From: a@x.example\nContent-Type: application/pdf\nContent-Disposition: attachment; filename="{name}"\n'
    print(parse_email(fields + "\nx\n").attachments[0].filename)
PYTHON
)
echo "fast-mail-parser 0.10.0:" "$seen"
[ "$seen" = 'a,b.pdf
"a' ]
