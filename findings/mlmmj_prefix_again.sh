#!/usr/bin/env bash
# mlmmj 1.3.0 adds the list's prefix to a reply again, if who replied writes the Subject in base64.
#
# One would guess that an answer to `[list] Grüße` isn't called `[list] Re: [list] Grüße`, in whichever way the word is encoded.
# Seen: the prefix is found in an encoded-word with Q, and in plain text, but not in one with B; and each answer in base64 adds one.
# Needs: Debian 12, and root if mlmmj is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" mlmmj-process=mlmmj
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p archive control incoming moderation queue/discarded requeue subscribers.d digesters.d nomailsubs.d text
echo list@x.example >control/listaddress
echo '[list]' >control/prefix
seen=$(for subject in 'Re: [list] Hi' '=?utf-8?Q?Re=3A_[list]_Gr=C3=BC=C3=9Fe?=' '=?utf-8?B?UmU6IFtsaXN0XSBHcsO8w59l?='; do
  printf '%s\n' 'Return-Path: <ann@x.example>' 'From: ann@x.example' 'To: list@x.example' "Subject: $subject" '' hi >incoming/1
  "$(command -v mlmmj-process)" -P -L "$folder" -m "$folder/incoming/1"
  find queue -maxdepth 1 -type f -exec sed -n 's/^Subject: //p' {} \; -delete
done)
echo "mlmmj $(dpkg-query -W -f '${Version}' mlmmj):" && echo "$seen"
[ "$seen" = 'Re: [list] Hi
=?utf-8?Q?Re=3A_[list]_Gr=C3=BC=C3=9Fe?=
[list] =?utf-8?B?UmU6IFtsaXN0XSBHcsO8w59l?=' ]
