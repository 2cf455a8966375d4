#!/usr/bin/env bash
# flanker 0.9.11 guesses the charset of an encoded-word with a language (RFC 2231 §5), though the word names it.
#
# One would guess that `=?iso-8859-1*fr?Q?=E9t=E9_indien?=` is `été indien`, as it is without `*fr`.
# Seen: `ιtι indien`: the octets are taken for Greek.
# Needs: python3 with venv and pip. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder" && "$folder/bin/pip" install --quiet flanker==0.9.11 chardet==7.7.0
seen=$("$folder/bin/python" 2>/dev/null - <<'PYTHON'
from flanker import mime

for charset in ("iso-8859-1", "iso-8859-1*fr"):
    print(mime.from_string(f"From: a@x.example\nSubject: =?{charset}?Q?=E9t=E9_indien?=\n\nx\n").subject)
PYTHON
)
echo "flanker 0.9.11:" "$seen"
[ "$seen" = 'été indien
ιtι indien' ]
