#!/usr/bin/env bash
# extract-msg 0.57.0 (PyPI), `asEmailMessage`: a message that was sent, not received, loses its Subject, and its addresses are others.
#
# One would guess that an Outlook message without PidTagTransportMessageHeaders, as all are in Sent Items, gets the fields that its
# properties tell.
# Seen: there is no Subject, nor MIME-Version, but an empty Message-Id and Cc. Recipients are kept apart by semicolons, and names with a
# comma aren't quoted: of `Smith, Ann` and `Cy` Python's own parser finds `Smith` and Ann, but not Cy.
# Needs: python3 with venv and pip. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder" && "$folder/bin/pip" install --quiet aspose-email-foss==26.3 extract-msg==0.57.0
cd "$folder"
seen=$(bin/python - <<'PYTHON'
from aspose.email_foss import msg
import email.policy
import extract_msg

message = msg.MapiMessage.create("Minutes", "b")
for tag, value in (0x0C1A, "Jones, Bo"), (0x0C1E, "SMTP"), (0x0C1F, "bo@x.example"), (0x5D01, "bo@x.example"):
    message.set_property(tag, 0x1F, value)
message.add_recipient("ann@x.example", display_name="Smith, Ann")
message.add_recipient("cy@x.example", display_name="Cy")
message.save("a.msg")
with extract_msg.openMsg("a.msg") as message:
    octets = message.asEmailMessage().as_bytes()
print(octets.decode().partition("Content-Type")[0])
read = email.message_from_bytes(octets, policy=email.policy.default)
print("read:", read["Subject"], *[address.addr_spec for address in read["To"].addresses])
PYTHON
)
echo "extract-msg 0.57.0:" && echo "$seen"
[ "$seen" = 'From: Jones, Bo <bo@x.example>
Message-Id:
Authentication-Results:
To: Smith, Ann <ann@x.example>; Cy <cy@x.example>
Cc:
Bcc:

read: None Smith ann@x.example' ]
