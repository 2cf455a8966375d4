#!/usr/bin/env bash
# go-mbox 1.0.3 (Go): a message that its own writer and reader pass on is longer each time, and loses a `>`.
#
# One would guess that what the Writer is given the Reader gives back, or at least what it gave the last time.
# Seen: the lines that keep two messages apart become part of the text, so that each pass adds two empty lines; and a line `>From `
# comes back as `From `, since the Writer quotes `From ` alone, and the Reader takes a `>` from either.
# Needs: Debian 12, and root if its Go packages are not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" go=golang-go /usr/share/gocode/src/github.com/emersion/go-mbox=golang-github-emersion-go-mbox-dev
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/main.go" <<'GO'
package main

import (
	"bytes"
	"fmt"
	"io"
	"time"

	"github.com/emersion/go-mbox"
)

func main() {
	message := []byte("Subject: a\r\n\r\n>From b\r\n")
	for pass := 0; pass < 3; pass++ {
		var file bytes.Buffer
		writer := mbox.NewWriter(&file)
		into, _ := writer.CreateMessage("a@x.example", time.Unix(0, 0))
		into.Write(message)
		writer.Close()
		from, _ := mbox.NewReader(&file).NextMessage()
		message, _ = io.ReadAll(from)
		fmt.Printf("%q\n", message[14:])
	}
}
GO
seen=$(cd "$folder" && HOME=$folder GO111MODULE=off GOPATH=/usr/share/gocode go run main.go)
echo "go-mbox $(dpkg-query -W -f '${Version}' golang-github-emersion-go-mbox-dev):" "$seen"
[ "$seen" = '"From b\r\n\r\n\r\n"
"From b\r\n\r\n\r\n\r\n\r\n"
"From b\r\n\r\n\r\n\r\n\r\n\r\n\r\n"' ]
