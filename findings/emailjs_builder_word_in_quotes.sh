#!/usr/bin/env bash
# emailjs-mime-builder 2.0.5 (npm) writes every name that is not ASCII as an encoded-word in quotation marks.
#
# One would guess that `Jörg` is written as a word alone: in a quoted-string it is none (RFC 2047 §5), and readers may show it
# raw.
# Seen: `"=?UTF-8?Q?J=C3=B6rg?=" <j@x.example>`, which Go's net/mail shows as it stands.
# Needs: Debian 12, Node.js and npm, and root if golang-go is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" go=golang-go
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" emailjs-mime-builder@2.0.5
cat >"$folder/write.cjs" <<'JS'
const Builder = require("emailjs-mime-builder").default;
const message = new Builder("text/plain").setHeader({ from: { name: "Jörg", address: "j@x.example" } }).setContent("x").build();
console.log(message.match(/^From: (.*)\r$/m)[1]);
JS
cat >"$folder/main.go" <<'GO'
package main

import (
	"fmt"
	"net/mail"
	"os"
)

func main() {
	read, _ := mail.ParseAddress(os.Args[1])
	fmt.Print(read.Name)
}
GO
seen=$(node "$folder/write.cjs")
go=$(HOME=$folder GO111MODULE=off go run "$folder/main.go" "$seen")
echo "emailjs-mime-builder 2.0.5: $seen; $(go version | cut -d " " -f 3) shows $go"
[ "$seen" = '"=?UTF-8?Q?J=C3=B6rg?=" <j@x.example>' ] && [ "$go" = '=?UTF-8?Q?J=C3=B6rg?=' ]
