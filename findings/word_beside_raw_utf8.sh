#!/usr/bin/env bash
# An encoded-word in a subject that has raw UTF-8 too, `é =?utf-8?Q?b?=`, is not decoded by two libraries of PyPI.
#
# One would guess `é b`: RFC 6532 allows raw UTF-8 in a text and takes no word away, and each alone is read well.
# Seen: fast-mail-parser 0.10.0 decodes the word where it stands first, and shows it as it is written behind raw UTF-8;
# mail-parser 4.8.0 shows it as it is written in both.
# Needs: Python with venv, and PyPI. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check fast-mail-parser==0.10.0 mail-parser==4.8.0
"$folder/bin/python" - <<'P'
import sys

import mailparser
from fast_mail_parser import parse_email

messages = [f"Subject: {text}\n\nx\n".encode() for text in ("é", "=?utf-8?Q?b?=", "é =?utf-8?Q?b?=", "=?utf-8?Q?b?= é")]
fast = [parse_email(it).subject for it in messages]
other = [mailparser.parse_from_bytes(it).subject for it in messages]
print("fast-mail-parser:", fast, "mail-parser:", other)
word = "=?utf-8?Q?b?="
sys.exit(fast != ["é", "b", f"é {word}", "b é"] or other != ["é", "b", f"é {word}", f"{word} é"])
P
