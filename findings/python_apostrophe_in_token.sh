#!/usr/bin/env bash
# Python's email.policy.default loses a file's name that is a token with an apostrophe or an asterisk in it.
#
# One would guess that `filename=it's.txt` needs no quotes: a token may have anything printable but blanks and tspecials (RFC 2045
# §5.1), which neither of the two is. PHPMailer, Symfony and Go's mime package leave them out for this reason.
# Seen: Python 3.11.7 finds no name in what PHPMailer 6.6.3 writes for `it's.txt`, `c.txt` for `a'b'c.txt`, and `a` for `a*b.txt`.
# The old policy compat32 gives all three as they are.
# Needs: Debian 12, python3, and root if php-cli or libphp-phpmailer are not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" php=php-cli /usr/share/php/libphp-phpmailer/autoload.php=libphp-phpmailer
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
php -r '
  require "libphp-phpmailer/autoload.php";
  $message = new PHPMailer\PHPMailer\PHPMailer(true);
  $message->setFrom("a@x.example");
  $message->addAddress("b@x.example");
  $message->Body = "x";
  foreach (["it'"'"'s.txt", "a'"'"'b'"'"'c.txt", "a*b.txt"] as $name) {
    $message->addStringAttachment("x", $name);
  }
  $message->preSend();
  echo $message->getSentMIMEMessage();' >"$folder/message"
seen=$(python3 - "$folder/message" <<'PYTHON'
import email.policy
import sys

for policy in (email.policy.default, email.policy.compat32):
    with open(sys.argv[1], newline="") as file:
        message = email.message_from_file(file, policy=policy)
    print(*(part.get_filename() for part in message.get_payload()[1:]))
PYTHON
)
written=$(sed -n 's/^Content-Disposition: attachment; //p' "$folder/message" | tr -d '\r')
echo "$(python3 --version) of ${written//$'\n'/, }: ${seen/$'\n'/; compat32: }"
[ "$written" = "$(printf '%s\n' "filename=it's.txt" "filename=a'b'c.txt" 'filename=a*b.txt')" ] &&
  [ "$seen" = "$(printf '%s\n' 'None c.txt a' "it's.txt a'b'c.txt a*b.txt")" ]
