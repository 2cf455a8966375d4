#!/usr/bin/env bash
# emlx 1.0.4 (PyPI), which reads the files of Apple Mail, gives a text as it is encoded.
#
# One would guess that `text`, beside `headers`, whose words are decoded, is the text to read.
# Seen: `été` in quoted-printable is `=C3=A9t=C3=A9`, and in base64 it is `w6l0w6k=`. Of two Received fields `headers` has the last.
# Needs: python3 with venv and pip. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder" && "$folder/bin/pip" install --quiet emlx==1.0.4
seen=$("$folder/bin/python" - <<'PYTHON'
import emlx
import io
import plistlib

for encoding, text in ("8bit", "été"), ("quoted-printable", "=C3=A9t=C3=A9"), ("base64", "w6l0w6k="):
    message = (
        "Received: by b.example; Thu, 1 Jan 2026 00:00:01 +0000\nReceived: by a.example; Thu, 1 Jan 2026 00:00:00 +0000\n"
        "From: a@x.example\nSubject: =?utf-8?q?=C3=A9t=C3=A9?=\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n"
        f"Content-Transfer-Encoding: {encoding}\n\n{text}\n"
    ).encode()
    read = emlx.read(io.BytesIO(b"%-10d\n" % len(message) + message + plistlib.dumps({"flags": 1})))
    print(read.headers["Subject"], read.text.strip(), read.headers["Received"][:12])
PYTHON
)
echo "emlx 1.0.4:" && echo "$seen"
[ "$seen" = 'été été by a.example
été =C3=A9t=C3=A9 by a.example
été w6l0w6k= by a.example' ]
