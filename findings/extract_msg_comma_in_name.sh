#!/usr/bin/env bash
# extract-msg 0.57.0 (PyPI): `to` and `cc` of a received message have a semicolon within each name that has a comma.
#
# One would guess that `"Smith, Ann" <ann@x.example>` in the header that Outlook keeps is given as it stands, or as Outlook shows it, and
# that only what stands between two addresses becomes a semicolon.
# Seen: `"Smith; Ann" <ann@x.example>`, for each comma is replaced, in quotation marks as well. `sender` is right.
# Needs: python3 with venv and pip. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder" && "$folder/bin/pip" install --quiet aspose-email-foss==26.3 extract-msg==0.57.0
cd "$folder"
seen=$(bin/python - <<'PYTHON'
from aspose.email_foss import msg
import extract_msg

message = msg.MapiMessage.create("a", "b")
message.set_property(0x7D, 0x1F, 'From: "Smith, Ann" <ann@x.example>\r\nTo: "Smith, Ann" <ann@x.example>, Cy <cy@x.example>\r\n')
message.add_recipient("ann@x.example", display_name="Smith, Ann")
message.add_recipient("cy@x.example", display_name="Cy")
message.save("a.msg")
with extract_msg.openMsg("a.msg") as message:
    print(message.sender, "|", message.to)
PYTHON
)
echo "extract-msg 0.57.0: $seen"
[ "$seen" = '"Smith, Ann" <ann@x.example> | "Smith; Ann" <ann@x.example>; Cy <cy@x.example>' ]
