#!/usr/bin/env bash
# notmuch 0.37 gives a name with a backslash in two forms in the JSON of one message.
#
# One would guess that To is written as From is: a quoted string whose backslash is doubled, `"A \\ B" <a@x.example>`.
# Seen: From so, as it stands in the header; To as `A \\ B <a@x.example>`: without the marks, but the backslash doubled, so
# that a program that takes the name out of it has one backslash too many.
# Needs: Debian 12, and root if notmuch is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" notmuch=notmuch python3=python3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/mail/cur" "$folder/mail/new" "$folder/mail/tmp"
export NOTMUCH_CONFIG=$folder/config HOME=$folder
printf '[database]\npath=%s/mail\n[user]\nname=Ann\nprimary_email=ann@x.example\n' "$folder" >"$NOTMUCH_CONFIG"
cat >"$folder/mail/cur/1:2," <<'M'
Message-ID: <1@x.example>
Date: Sat, 21 Nov 2026 10:00:00 +0000
Subject: a
From: "A \\ B" <a@x.example>
To: "A \\ B" <a@x.example>

x
M
notmuch new --quiet >/dev/null
seen=$(notmuch show --format=json id:1@x.example |
  python3 -c 'import json, sys; it = json.load(sys.stdin)[0][0][0]["headers"]; print(it["From"]); print(it["To"])')
echo "$(notmuch --version):" "$seen"
[ "$seen" = '"A \\ B" <a@x.example>
A \\ B <a@x.example>' ]
