#!/usr/bin/env bash
# msgconvert, of Email::Outlook::Message 0.921 (Perl), makes up charsets: `CP28592` for ISO-8859-2, `CP50220` for ISO-2022-JP.
#
# One would guess that the code page of a text in HTML (PidTagInternetCodepage, [MS-OXCMSG] §2.2.1.58.6) is declared by its name in MIME.
# Seen: but for four, it is `CP` and the number. That goes well with 1252; but neither glibc, Python, Node.js nor Perl itself know the
# names that become of ISO-8859-2, ISO-2022-JP, EUC-KR and KOI8-U, nor does Node.js (so no browser) `CP936` and `CP949`.
# Needs: Debian 12, Node.js, python3 with venv and pip, and root if libemail-outlook-message-perl is not installed. Exit code 0 if it is
# as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" msgconvert=libemail-outlook-message-perl \
  /usr/share/perl5/Email/Address.pm=libemail-address-perl
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder" && "$folder/bin/pip" install --quiet aspose-email-foss==26.3
cd "$folder"
bin/python - <<'PYTHON'
from aspose.email_foss import msg

for page in 1252, 28592, 50220, 51949, 21866, 936, 949:
    message = msg.MapiMessage.create("a", "b")
    message.set_property(0x1013, 0x102, b"<p>c</p>")
    message.set_property(0x3FDE, 3, page)
    message.save(f"{page}.msg")
PYTHON
for page in 1252 28592 50220 51949 21866 936 949; do
  msgconvert --outfile "$page.eml" "$page.msg"
  charset=$(sed -n 's/.*text\/html; charset=\([^\r]*\).*/\1/p' "$page.eml")
  known=
  ! iconv -f "$charset" -t UTF-8 </dev/null 2>/dev/null || known+=' glibc'
  ! python3 -c "import codecs; codecs.lookup('$charset')" 2>/dev/null || known+=' Python'
  ! node -e "new TextDecoder('$charset')" 2>/dev/null || known+=' Node.js'
  ! perl -MEncode -e "exit !find_encoding('$charset')" || known+=' Perl'
  echo "$charset:$known"
done >seen
echo "msgconvert $(dpkg-query -W -f '${Version}' libemail-outlook-message-perl), charsets and who knows them:" && cat seen
[ "$(cat seen)" = 'CP1252: glibc Python Node.js Perl
CP28592:
CP50220:
CP51949:
CP21866:
CP936: glibc Python Perl
CP949: glibc Python Perl' ]
