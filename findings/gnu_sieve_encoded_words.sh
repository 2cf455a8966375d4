#!/usr/bin/env bash
# GNU sieve 3.15 compares a header as it is sent: encoded-words are not decoded, nor written.
#
# One would guess that `header :contains "subject" "Café"` is true of `Subject: =?UTF-8?Q?Caf=C3=A9?=`, as RFC 5228 §2.7.2 has it, and
# as it is in Pigeonhole.
# Seen: it is true of the raw UTF-8 `Subject: Café` alone, and of the word `"=?UTF-8?Q?Caf"` is found. Nor is anything encoded: what
# `addheader "X-A" "Café"` adds is raw UTF-8, where RFC 5293 §4 has an encoded-word or an error.
# Needs: Debian 12, and root if mailutils is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" sieve=mailutils
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >script <<'S'
require "fileinto";
if header :contains "subject" "Café" { fileinto "decoded"; }
elsif header :contains "subject" "=?UTF-8?Q?Caf" { fileinto "as it is sent"; }
S
printf 'From a@x.example Thu Jan  1 00:00:00 2026\nFrom: a@x.example\nSubject: %s\n\nx\n\n' '=?UTF-8?Q?Caf=C3=A9?=' Café >box
seen=$(LC_ALL=C.UTF-8 HOME=$folder sieve -n -v --mbox-url=box script 2>&1 | sed -n 's/.*delivering into //p')
printf 'require "editheader";\naddheader "X-A" "Café";\n' >script
LC_ALL=C.UTF-8 HOME=$folder sieve --mbox-url=box script >log 2>&1
added=$(grep -m 1 ^X-A box)
echo "GNU sieve $(dpkg-query -W -f '${Version}' mailutils):" $seen "| $added"
[ "$seen" = 'as it is sent
decoded' ] && [ "$added" = 'X-A: Café' ]
