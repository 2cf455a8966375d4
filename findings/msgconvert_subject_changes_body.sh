#!/usr/bin/env bash
# msgconvert, of Email::Outlook::Message 0.921 (Perl): what letters the Subject has decides whether the text can be read.
#
# One would guess that an Outlook message whose strings are all Unicode ([MS-OXMSG] §2.1.1.1) becomes mail in which the Subject is an
# encoded-word, or UTF-8, and the text is the UTF-8 that its part declares.
# Seen: the Subject is written raw. `Grüße` stands there in Latin-1, beside a text in UTF-8; `100 €` is UTF-8, but then all octets of
# the message are encoded once more: the text `é` arrives as `Ã©`, though it has nothing to do with the euro sign.
# Needs: Debian 12, python3 with venv and pip, and root if libemail-outlook-message-perl is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" msgconvert=libemail-outlook-message-perl \
  /usr/share/perl5/Email/Address.pm=libemail-address-perl
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder" && "$folder/bin/pip" install --quiet aspose-email-foss==26.3
cd "$folder"
bin/python - <<'PYTHON'
from aspose.email_foss import msg

for name, subject in ("none", "a"), ("latin", "Grüße"), ("euro", "100 €"):
    msg.MapiMessage.create(subject, "é").save(name + ".msg")
PYTHON
octets() { od -An -tx1 | tr -d ' \n'; }
for name in none latin euro; do
  msgconvert --outfile "$name.eml" "$name.msg" 2>/dev/null
  grep -q 'charset=UTF-8' "$name.eml"
  subject=$(sed -n 's/\r$//; s/^Subject: //p' "$name.eml" | tr -d '\n' | octets)
  echo "Subject $subject, text $(sed '1,/^\r*$/d' "$name.eml" | octets)"
done >seen
echo "msgconvert $(dpkg-query -W -f '${Version}' libemail-outlook-message-perl):" && cat seen
[ "$(cat seen)" = 'Subject 61, text c3a9
Subject 4772fcdf65, text c3a9
Subject 31303020e282ac, text c383c2a9' ]
