#!/usr/bin/env bash
# Neither msgconvert (Email::Outlook::Message 0.921, Perl) nor aspose-email-foss 26.3 (PyPI) heed the code page of an Outlook message
# whose strings are not Unicode.
#
# One would guess that these strings are read in PidTagMessageCodepage ([MS-OXCMSG]): with 1251, CF EE EA E0 is `Пока`.
# Seen: aspose-email-foss reads windows-1252. msgconvert declares the text as it is, but leaves Subject and names as raw octets.
# Needs: Debian 12, python3 with venv and pip, and root if libemail-outlook-message-perl is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" msgconvert=libemail-outlook-message-perl \
  /usr/share/perl5/Email/Address.pm=libemail-address-perl
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder" && "$folder/bin/pip" install --quiet aspose-email-foss==26.3
cd "$folder"
aspose=$(bin/python - <<'PYTHON'
from aspose.email_foss import msg

message = msg.MapiMessage.create("a", "b", unicode_strings=False)
for tag in 0x0037, 0x1000:
    message.set_property(tag, 0x1E, "Пока".encode("cp1251"))
message.set_property(0x3FFD, 3, 1251)
message.set_property(0x3FDE, 3, 1251)
message.save("a.msg")
with msg.MapiMessage.from_file("a.msg") as message:
    print(message.subject, message.body)
PYTHON
)
msgconvert --outfile a.eml a.msg
charset=$(sed -n 's/.*text\/plain; charset=\([^\r]*\).*/\1/p' a.eml)
text=$(sed '1,/^\r*$/d' a.eml | iconv -f "$charset" -t UTF-8 | tr -d '\r\n')
subject=$(sed -n 's/\r$//; s/^Subject: //p' a.eml | tr -d '\n' | od -An -tx1)
echo "aspose-email-foss: $aspose; msgconvert: $charset, text $text, Subject$subject"
[ "$aspose" = 'Ïîêà Ïîêà' ] && [ "$charset $text $subject" = 'CP1251 Пока  cf ee ea e0' ]
