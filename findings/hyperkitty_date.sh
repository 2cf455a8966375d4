#!/usr/bin/env bash
# HyperKitty 1.3.12 (PyPI), Mailman's archiver: a Date with a comment of words is none, and the message is one of today.
#
# One would guess that `10:00:00 +0100 (GMT+01:00)`, which JavaMail writes where a zone has no name, and `(Central European Time)` are dates with a
# comment (RFC 5322 §3.3, §3.2.2), and that 10:00 EST is 15:00 in UTC (§4.3).
# Seen: with either comment there is no date, for which the archive takes the time of the import; `(CET)` is read. EST is taken for UTC.
# Needs: python3 with venv and pip. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder" && "$folder/bin/pip" install --quiet hyperkitty==1.3.12
seen=$("$folder/bin/python" -W ignore - <<'PYTHON'
from hyperkitty.lib.utils import parsedate

for zone in "+0100 (CET)", "+0100 (GMT+01:00)", "+0100 (Central European Time)", "EST":
    print(f"{zone}: {parsedate('Thu, 1 Jan 2026 10:00:00 ' + zone)}")
PYTHON
)
echo "HyperKitty 1.3.12:" && echo "$seen"
[ "$seen" = '+0100 (CET): 2026-01-01 10:00:00+01:00
+0100 (GMT+01:00): None
+0100 (Central European Time): None
EST: 2026-01-01 10:00:00+00:00' ]
