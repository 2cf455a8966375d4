#!/usr/bin/env bash
# flanker 0.9.11 guesses the charset of a message with octets beyond ASCII, whatever its parts say, if not all is UTF-8.
#
# One would guess that `charset=iso-8859-2` is heeded in 8bit as it is in quoted-printable, and that a part in UTF-8 is read
# as UTF-8, whatever stands beside it.
# Seen: `Łódź` in ISO-8859-2 becomes `£ódŒ`, and `Voilà` in UTF-8 becomes `VoilÃ` beside `été` in ISO-8859-1.
# Needs: python3 with venv and pip. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder" && "$folder/bin/pip" install --quiet flanker==0.9.11 chardet==7.7.0
seen=$("$folder/bin/python" 2>/dev/null - <<'PYTHON'
from flanker import mime

TOP = "From: a@x.example\nMIME-Version: 1.0\n"


def part(charset, encoding):
    return f"Content-Type: text/plain; charset={charset}\nContent-Transfer-Encoding: {encoding}\n\n".encode()


def show(message):
    print(*(ascii(it.body.strip()) for it in mime.from_string(TOP.encode() + message).walk(with_self=True) if it.body))


show(part("iso-8859-2", "quoted-printable") + b"=A3=F3d=BC\n")
show(part("iso-8859-2", "8bit") + "Łódź\n".encode("iso-8859-2"))
show(
    b"Content-Type: multipart/mixed; boundary=b\n\n--b\n"
    + part("utf-8", "8bit") + "Voilà.\n--b\n".encode()
    + part("iso-8859-1", "8bit") + "été\n--b--\n".encode("iso-8859-1")
)
PYTHON
)
echo "flanker 0.9.11:" "$seen"
[ "$seen" = "'\\u0141\\xf3d\\u017a'
'\\xa3\\xf3d\\u0152'
'Voil\\xc3\\xa0.' '\\xe9t\\xe9'" ]
