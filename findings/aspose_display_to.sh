#!/usr/bin/env bash
# aspose-email-foss 26.3 (PyPI) writes what Outlook shows as To in encoded-words.
#
# One would guess that PidTagDisplayTo has the names, with semicolons between them ([MS-OXOMSG] §2.2.1.9): `Smith, Ann; Jörg`.
# Seen: it is written as a field of mail, with addresses, quotation marks and `=?utf-8?b?SsO2cmc=?=`, so that this is shown.
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
message.add_recipient("ann@x.example", display_name="Smith, Ann")
message.add_recipient("j@x.example", display_name="Jörg")
message.save("a.msg")
print(extract_msg.openMsg("a.msg").getStringStream("__substg1.0_0E04"))
PYTHON
)
echo "aspose-email-foss 26.3, PidTagDisplayTo: $seen"
[ "$seen" = '"Smith, Ann" <ann@x.example>, =?utf-8?b?SsO2cmc=?= <j@x.example>' ]
