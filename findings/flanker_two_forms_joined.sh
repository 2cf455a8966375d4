#!/usr/bin/env bash
# flanker 0.9.11 shows `filename*` and `filename` behind each other, as one name.
#
# One would guess one of both names: programs that write the extended form put the plain one beside it for old readers.
# Seen: `Ä.pdfA.pdf`, or `A.pdfÄ.pdf` where the plain one stands first.
# Needs: python3 with venv and pip. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder" && "$folder/bin/pip" install --quiet flanker==0.9.11
seen=$("$folder/bin/python" 2>/dev/null - <<'PYTHON'
from flanker import mime

for names in ("filename*=utf-8''%C3%84.pdf; filename=\"A.pdf\"", "filename=\"A.pdf\"; filename*=utf-8''%C3%84.pdf"):
    fields = f"From: a@x.example\nContent-Type: application/pdf\nContent-Disposition: attachment; {names}\n"
    print(mime.from_string(fields + "\nx\n").detected_file_name)
PYTHON
)
echo "flanker 0.9.11:" "$seen"
[ "$seen" = 'Ä.pdfA.pdf
A.pdfÄ.pdf' ]
