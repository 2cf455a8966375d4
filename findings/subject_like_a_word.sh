#!/usr/bin/env bash
# Six writers do not encode a Subject that reads like an encoded-word, so that another one arrives.
#
# One would guess that the Subject `Why is =?utf-8?Q?=C3=A9?= shown?` is shown as it was typed: a text that looks like an
# encoded-word must be encoded itself, since the reader can't tell the difference (RFC 2047 §5 (1), §6.1).
# Seen: nodemailer 10.6.1, Python 3.11.7, Symfony's Mime 5.4.53, PHPMailer 6.6.3, Mail::Message 3.012 and Go's gopkg.in/mail.v2
# 2.3.1 write it as it is, and `Why is é shown?` is read. Email::MIME 1.953 encodes it.
# Needs: Debian 12, Node.js and npm, python3, and root if the packages are not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" php=php-cli /usr/share/php/Symfony/Component/Mime/autoload.php=php-symfony-mime \
  /usr/share/php/Egulias/EmailValidator/autoload.php=php-email-validator \
  /usr/share/php/libphp-phpmailer/autoload.php=libphp-phpmailer perl=perl /usr/share/perl5/Email/MIME.pm=libemail-mime-perl \
  /usr/share/perl5/Mail/Message.pm=libmail-message-perl go=golang-go /usr/share/gocode/src/gopkg.in/mail.v2=golang-gopkg-mail.v2-dev
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix "$folder" nodemailer@10.6.1
export SUBJECT='Why is =?utf-8?Q?=C3=A9?= shown?'
cat >main.go <<'GO'
package main

import (
	"os"

	"gopkg.in/mail.v2"
)

func main() {
	message := mail.NewMessage()
	message.SetHeader("Subject", os.Getenv("SUBJECT"))
	message.SetBody("text/plain", "x")
	message.WriteTo(os.Stdout)
}
GO
written=$(
  node -e '
    const Composer = require("nodemailer/lib/mail-composer");
    new Composer({ subject: process.env.SUBJECT, text: "x" }).compile().build((error, message) => console.log(`${message}`));'
  python3 -c '
import email.mime.text, os
message = email.mime.text.MIMEText("x")
message["Subject"] = os.environ["SUBJECT"]
print(message)'
  php -r '
    require "Egulias/EmailValidator/autoload.php";
    require "Symfony/Component/Mime/autoload.php";
    require "libphp-phpmailer/autoload.php";
    $message = new Symfony\Component\Mime\Email();
    echo $message->subject(getenv("SUBJECT"))->from("a@x.example")->to("b@x.example")->text("x")->toString(), "\n";
    $message = new PHPMailer\PHPMailer\PHPMailer(true);
    $message->setFrom("a@x.example");
    $message->addAddress("b@x.example");
    $message->Subject = getenv("SUBJECT");
    $message->Body = "x";
    $message->preSend();
    echo $message->getSentMIMEMessage(), "\n";'
  perl -MMail::Message -e 'print Mail::Message->build(From => "a\@x.example", Subject => $ENV{SUBJECT}, data => "x")->string, "\n"'
  HOME=$folder GO111MODULE=off GOPATH=/usr/share/gocode go run main.go
)
encoded=$(perl -MEmail::MIME -e '
  my $message = Email::MIME->create(header_str => [From => "a\@x.example", Subject => $ENV{SUBJECT}], body => "x");
  print $message->as_string =~ s/\r?\n //gr' | grep ^Subject: | tr -d '\r')
count=$(grep -cFx "Subject: $SUBJECT" <<<"${written//$'\r'/}")
read=$(python3 -c '
import email.policy, os
print(email.message_from_string("Subject: " + os.environ["SUBJECT"] + "\n\n", policy=email.policy.default)["subject"])')
echo "$count of 6 write Subject: $SUBJECT, which is read as $read; Email::MIME writes $encoded"
[ "$count" = 6 ] && [ "$read" = 'Why is é shown?' ] && [[ $encoded == 'Subject: =?UTF-8?'* ]]
