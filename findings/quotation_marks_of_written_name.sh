#!/usr/bin/env bash
# Symfony's Mime 5.4.53 and MailTools 2.21 (Perl) lose the quotation marks of a name, and MailTools breaks at a comma beside them.
#
# One would guess that a name with marks in it is written in quotes, with backslashes (RFC 5322 §3.2.4), as both put others in
# quotes where they must.
# Seen: `Dwayne "Rock" Johnson` goes as it is, which is a phrase of three words that readers show without the marks. MailTools
# writes `Johnson, "Rock"` so as well, which is two mailboxes, and the name of the second is `Rock`.
# Needs: Debian 12, python3, and root if php-cli, php-symfony-mime, php-email-validator or libmailtools-perl are not installed.
# Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" php=php-cli /usr/share/php/Symfony/Component/Mime/autoload.php=php-symfony-mime \
  /usr/share/php/Egulias/EmailValidator/autoload.php=php-email-validator /usr/share/perl5/Mail/Address.pm=libmailtools-perl
php=$(php -r '
  require "Egulias/EmailValidator/autoload.php";
  require "Symfony/Component/Mime/autoload.php";
  $from = new Symfony\Component\Mime\Address("d@x.example", "Dwayne \"Rock\" Johnson");
  echo (new Symfony\Component\Mime\Email())->from($from)->getHeaders()->get("from")->toString();')
perl=$(perl -MMail::Address -e '
  print join "\n", map { "From: " . Mail::Address->new($_, "d\@x.example")->format }
    "Dwayne \"Rock\" Johnson", "Johnson, \"Rock\"", "Johnson, Dwayne"')
read=$(python3 - "$php"$'\n'"$perl" <<'PYTHON'
import email.policy
import sys

for line in sys.argv[1].splitlines():
    field = email.message_from_string(line + "\n\n", policy=email.policy.default)["from"]
    print(*(mailbox.display_name or mailbox.addr_spec for mailbox in field.addresses), sep=" | ")
PYTHON
)
echo "Symfony: $php; MailTools: ${perl//$'\n'/, }; read as ${read//$'\n'/, }"
[ "$php" = 'From: Dwayne "Rock" Johnson <d@x.example>' ] && [ "$perl" = "$php"'
From: Johnson, "Rock" <d@x.example>
From: "Johnson, Dwayne" <d@x.example>' ] && [ "$read" = 'Dwayne Rock Johnson
Dwayne Rock Johnson
Johnson | Rock
Johnson, Dwayne' ]
