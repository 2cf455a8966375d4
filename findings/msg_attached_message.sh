#!/usr/bin/env bash
# An Outlook message within another is none in the mail that aspose-email-foss 26.3 and extract-msg 0.57.0 (PyPI) make of it.
#
# One would guess that it becomes a part `message/rfc822` in 7bit or 8bit (RFC 2046 §5.2.1 forbids others), as msgconvert writes it.
# Seen: aspose-email-foss writes it in base64, so that Python, with which it is made, finds base64 for a text, and no Subject; with
# extract-msg the fields of the inner message are those of a part of the outer, and there is nothing attached.
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

outer = msg.MapiMessage.create("Outer", "out")
outer.add_recipient("ann@x.example", display_name="Ann")
outer.add_embedded_message_attachment(msg.MapiMessage.create("Inner", "in"), filename="inner.msg")
outer.save("a.msg")
with msg.MapiMessage.from_file("a.msg") as message:
    made = [message.to_email_message()]
with extract_msg.openMsg("a.msg") as message:
    made.append(message.asEmailMessage())
for message in made:
    read = email.message_from_bytes(message.as_bytes(), policy=email.policy.default)
    print([part["Subject"] or part.get_content_type() for part in read.walk()])
PYTHON
)
echo "aspose-email-foss, extract-msg:" && echo "$seen"
[ "$seen" = "['Outer', 'text/plain', 'message/rfc822', 'text/plain']
['multipart/mixed', 'multipart/related', 'multipart/alternative', 'text/plain', 'text/html', 'multipart/mixed', 'multipart/related', \
'multipart/alternative', 'text/plain', 'text/html']" ]
