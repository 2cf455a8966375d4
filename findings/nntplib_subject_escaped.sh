#!/usr/bin/env bash
# Python 3.11.7's nntplib (from 3.13 on: standard-nntplib of PyPI) writes a raw Greek letter beside an encoded-word as `\u03a9`,
# and fails on a raw `Ä` there.
#
# One would guess that `decode_header`, which is made for the subjects in a newsgroup's overview (UTF-8, RFC 3977 §3.1), turns
# `Ω =?utf-8?q?a?=` into `Ω a`: it decodes each of the two correctly by itself.
# Seen: `\u03a9 a`, a backslash and five characters, and UnicodeDecodeError for `Ä =?utf-8?q?a?=`. They come from `email.header`, whose
# `decode_header` does so to all who give it a text; a message read by `email.policy.default` has `Ω a`.
# Needs: python3 with venv and pip. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder" && "$folder/bin/pip" install --quiet standard-nntplib==3.13.0
seen=$("$folder/bin/python" -W ignore - <<'PYTHON'
from nntplib import decode_header

for subject in ("Ω", "=?utf-8?q?a?=", "Ω =?utf-8?q?a?=", "Ä =?utf-8?q?a?="):
    try:
        print(decode_header(subject))
    except UnicodeDecodeError as fault:
        print(type(fault).__name__)
PYTHON
)
echo "nntplib, Python $(python3 -c 'import platform; print(platform.python_version())'):" $seen
[ "$seen" = 'Ω
a
\u03a9 a
UnicodeDecodeError' ]
