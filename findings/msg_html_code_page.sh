#!/usr/bin/env bash
# Neither aspose-email-foss 26.3 nor extract-msg 0.57.0 (PyPI) heed the code page that an Outlook message names for its HTML.
#
# One would guess that the octets of PidTagHtml are read in PidTagInternetCodepage ([MS-OXCMSG] §2.2.1.58.6): with 20866, KOI8-R.
# Seen: aspose-email-foss reads UTF-8, whatever is named. What extract-msg makes mail of depends on what else is installed: alone, it
# takes windows-1252; beside charset-normalizer, which comes with requests, it guesses, and `Привет` becomes Chinese.
# Needs: python3 with venv and pip. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder" && "$folder/bin/pip" install --quiet aspose-email-foss==26.3 extract-msg==0.57.0
cd "$folder"
aspose=$(bin/python - <<'PYTHON'
from aspose.email_foss import msg

message = msg.MapiMessage.create("a", "b")
message.set_property(0x1013, 0x102, "<p>Привет</p>".encode("koi8-r"))
message.set_property(0x3FDE, 3, 20866)
message.save("a.msg")
with msg.MapiMessage.from_file("a.msg") as message:
    print(message.to_email_message().get_body(("html",)).get_content())
PYTHON
)
extract_msg() {
  bin/python - <<'PYTHON'
import extract_msg

with extract_msg.openMsg("a.msg") as message:
    html = [part for part in message.asEmailMessage().walk() if part.get_content_type() == "text/html"][0]
    print(html.get_payload(decode=True).decode())
PYTHON
}
alone=$(extract_msg)
bin/pip install --quiet charset-normalizer==3.5.3
beside=$(extract_msg)
echo "aspose-email-foss: $aspose; extract-msg: $alone, with charset-normalizer: $beside"
[ "$aspose $alone $beside" = '<p>������</p> <p>ðÒÉ×ÅÔ</p> <p>襓屺籥</p>' ]
