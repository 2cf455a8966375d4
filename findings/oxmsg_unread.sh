#!/usr/bin/env bash
# Outlook messages that @tutao/oxmsg 0.2.3 (npm) writes, as Tuta Mail does to export, are refused by extract-msg 0.57.0 and
# aspose-email-foss 26.3 (PyPI).
#
# One would guess that a message with a file is read by who reads Outlook's.
# Seen: extract-msg opens those without a file alone ("incorrect OLE sector index for empty stream"), and aspose-email-foss none, for
# the properties are no multiple of 16 octets ([MS-OXMSG] §2.4). msgconvert reads them all.
# Needs: Node.js and npm, python3 with venv and pip. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder" && "$folder/bin/pip" install --quiet aspose-email-foss==26.3 extract-msg==0.57.0
npm install --silent --no-audit --no-fund --prefix "$folder" @tutao/oxmsg@0.2.3
cd "$folder"
cat >write.mjs <<'JS'
import { writeFileSync } from "node:fs";
import { Attachment, Email } from "@tutao/oxmsg";
const message = new Email(true).sender("bo@x.example", "Bo").to("ann@x.example", "Ann").subject("Hi").bodyText("text").sentOn(new Date(0));
writeFileSync("bare.msg", message.msg());
writeFileSync("with.msg", message.attach(new Attachment(new Uint8Array([65]), "a.txt")).msg());
JS
node write.mjs
seen=$(bin/python - <<'PYTHON'
from aspose.email_foss import msg
import extract_msg

for read in extract_msg.openMsg, msg.MapiMessage.from_file:
    for name in "bare.msg", "with.msg":
        try:
            print(read(name).subject)
        except Exception as fault:
            print(type(fault).__name__)
PYTHON
)
echo "extract-msg, aspose-email-foss:" $seen
[ "$seen" = 'Hi
OleFileError
MsgError
MsgError' ]
