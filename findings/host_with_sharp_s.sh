#!/usr/bin/env bash
# Mail for `ann@straße.example` goes to one host from some programs, and to another from others.
#
# One would guess that it goes to xn--strae-oqa.example, as `ß` has been a letter of hosts of its own since 2010 (RFC 5891, RFC
# 5892), and as mutt 2.2.12, nodemailer 10.6.1 (npm) and Symfony's Mime 5.4.53 have it.
# Seen: Django 5.2.19, Flask-Mail 0.10.0, Flask-Mailman 1.1.1 and emails 1.1.3 (PyPI) address `ann@strasse.example`, who is
# somebody else's: Python's codec `idna` is that of 2003.
# Needs: Debian 12, Python with venv and pip, Node.js and npm, and root if the packages are not installed. Exit code 0 if it is
# as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" mutt=mutt php=php-cli \
  /usr/share/php/Symfony/Component/Mime/autoload.php=php-symfony-mime \
  /usr/share/php/Egulias/EmailValidator/autoload.php=php-email-validator /usr/share/doc/php-intl=php-intl
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder" &&
  "$folder/bin/pip" install --quiet django==5.2.19 flask-mail==0.10.0 flask-mailman==1.1.1 emails==1.1.3
npm install --silent --no-audit --no-fund --prefix "$folder" nodemailer@10.6.1
export ADDRESS='ann@straße.example'
python=$("$folder/bin/python" -W ignore - <<'PYTHON'
import os

import django.conf
import django.core.mail
import emails
import flask
import flask_mail
import flask_mailman

address = os.environ["ADDRESS"]
django.conf.settings.configure()
print(django.core.mail.EmailMessage("x", "x", "b@x.example", [address]).message()["To"])
application = flask.Flask("x")
flask_mail.Mail(application)
flask_mailman.Mail(application)
with application.app_context():
    print(flask_mail.Message("x", [address], "x", sender="b@x.example").as_string().split("To: ")[1].split()[0])
    print(flask_mailman.EmailMessage("x", "x", "b@x.example", [address]).message()["To"])
print(emails.Message(text="x", mail_from="b@x.example", mail_to=address).as_string().split("To: ")[1].split()[0])
PYTHON
)
cat >"$folder/write.mjs" <<'JS'
import nodemailer from "nodemailer";
const transport = nodemailer.createTransport({ streamTransport: true });
console.log((await transport.sendMail({ from: "b@x.example", to: process.env.ADDRESS, text: "x" })).envelope.to[0]);
JS
node=$(node "$folder/write.mjs")
php=$(php -r '
  require "Egulias/EmailValidator/autoload.php";
  require "Symfony/Component/Mime/autoload.php";
  echo (new Symfony\Component\Mime\Email())->from("b@x.example")->to(getenv("ADDRESS"))->text("x")->toString();' |
  tr -d '\r' | sed -n 's/^To: //p')
printf '#!/bin/sh\nexec cat >"%s/sent"\n' "$folder" >"$folder/send"
chmod +x "$folder/send"
HOME=$folder LC_ALL=C.UTF-8 mutt -n -e "set sendmail=$folder/send copy=no sendmail_wait=0" -s x -- "$ADDRESS" </dev/null
mutt=$(sed -n 's/^To: //p' "$folder/sent")
echo "Django, Flask-Mail, Flask-Mailman, emails:" $python
echo "nodemailer, Symfony, mutt: $node $php $mutt"
for it in $python; do [ "$it" = ann@strasse.example ]; done
for it in "$node" "$php" "$mutt"; do [ "$it" = ann@xn--strae-oqa.example ]; done
