#!/usr/bin/env bash
# notmuch 0.37 does not read Windows-31J, and what it says of such a text is no JSON.
#
# One would guess that a charset that IANA has registered and iconv knows by its name is read, and that JSON is UTF-8 in any case
# (RFC 8259 §8.1).
# Seen: GMime 3.2.13 makes `cp31j` of the label, which nobody knows: of `髙①` the octets stand in the JSON, which Python refuses, and in
# the Subject they are Latin letters.
# Needs: Debian 12, python3, and root if notmuch is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" notmuch=notmuch
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder"/mail/{cur,new,tmp}
export NOTMUCH_CONFIG=$folder/settings
printf '[database]\npath=%s/mail\n[user]\nname=a\nprimary_email=a@x.example\n' "$folder" >"$NOTMUCH_CONFIG"
cat >"$folder/mail/cur/1:2," <<'M'
From: a@x.example
Date: Thu, 1 Jan 2026 00:00:00 +0000
Message-ID: <1@x.example>
Subject: =?windows-31j?B?7uCHQA==?=
MIME-Version: 1.0
Content-Type: text/plain; charset=windows-31j
Content-Transfer-Encoding: base64

7uCHQA==
M
notmuch new >"$folder/log" 2>&1
notmuch show --format=json '*' >"$folder/shown"
seen=$(python3 - "$folder/shown" <<'PYTHON'
import json
import sys

octets = open(sys.argv[1], "rb").read()
try:
    json.loads(octets)
except UnicodeDecodeError:
    print("no JSON,", ascii(json.loads(octets.decode(errors="ignore"))[0][0][0]["headers"]["Subject"]))
PYTHON
)
iconv=$(base64 -d <<<7uCHQA== | iconv -f windows-31j -t UTF-8)
echo "notmuch $(notmuch --version | sed 's/.* //'): $seen; iconv: $iconv"
[ "$seen" = "no JSON, '\\xee\\xe0\\x87@'" ] && [ "$iconv" = '髙①' ]
