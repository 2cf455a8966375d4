#!/usr/bin/env bash
# flufl.bounce 6.0.0 (PyPI), which Mailman asks who has bounced, ends an address at its equals sign.
#
# One would guess that `list-ann=y.example@x.example` is read whole: `=` is a letter of addresses (RFC 5322 §3.2.3), and those
# that a list or a forwarder writes to know who is to blame, as SRS0=…, have one.
# Seen: `list-ann` has bounced, whom no list knows.
# Needs: Python with venv and pip. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder" && "$folder/bin/pip" install --quiet flufl.bounce==6.0.0
seen=$("$folder/bin/python" - <<'PYTHON'
import email

import flufl.bounce

for recipient in ("rfc822; ann@x.example", "rfc822; list-ann=y.example@x.example"):
    message = email.message_from_string(
        "MIME-Version: 1.0\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\n\n--b\n\nx\n"
        "--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; x.example\n\n"
        f"Final-Recipient: {recipient}\nAction: failed\nStatus: 5.1.1\n\n--b--\n"
    )
    print([it.decode() for it in flufl.bounce.scan_message(message)])
PYTHON
)
echo "flufl.bounce 6.0.0:" $seen
[ "$seen" = "['ann@x.example']
['list-ann']" ]
