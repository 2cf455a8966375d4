#!/usr/bin/env bash
# Three readers do not know ISO-8859-8-I, the label of Hebrew mail in logical order (RFC 1556), and one of them shows Latin
# letters.
#
# One would guess that its octets are read as those of ISO-8859-8, from which it differs in nothing but what the order means.
# Seen: emailjs-mime-codec 2.0.9 reads `שלום` as `ùìåí`; Python's email.policy.default gives U+FFFD for each letter of a Subject,
# and an error for a text; Email::MIME 1.953 leaves the word as it is, and dies at the text. Ruby's mail 2.7.1 reads both.
# Needs: Debian 12, python3, Node.js and npm, and root if ruby-mail or libemail-mime-perl are not installed. Exit code 0 if it is
# as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" ruby=ruby /usr/share/doc/ruby-mail=ruby-mail \
  perl=perl /usr/share/perl5/Email/MIME.pm=libemail-mime-perl
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" emailjs-mime-codec@2.0.9
cd "$folder"
printf 'Subject: =?iso-8859-8-i?Q?=F9=EC=E5=ED?=\nMIME-Version: 1.0\nContent-Type: text/plain; charset=iso-8859-8-i\n' >message
printf 'Content-Transfer-Encoding: quoted-printable\n\n=F9=EC=E5=ED' >>message
emailjs=$(node -e 'console.log(require("emailjs-mime-codec").mimeWordsDecode("=?iso-8859-8-i?Q?=F9=EC=E5=ED?="))')
python=$(python3 - <<'PYTHON'
import email.policy

message = email.message_from_file(open("message"), policy=email.policy.default)
try:
    text = message.get_content()
except LookupError:
    text = "LookupError"
print(message["subject"], text)
PYTHON
)
perl=$(perl -CO -MEmail::MIME -0777 -ne '
  my $message = Email::MIME->new($_);
  print $message->header_str("Subject"), " ", eval { $message->body_str } // "error"' message)
ruby=$(ruby -W0 -rmail -e 'message = Mail.read("message"); print message.subject, " ", message.decoded')
echo "emailjs-mime-codec: $emailjs; Python: $python; Email::MIME: $perl; Ruby's mail: $ruby"
[ "$emailjs" = 'ùìåí' ] && [ "$python" = '���� LookupError' ] && [ "$ruby" = 'שלום שלום' ] &&
  [ "$perl" = '=?iso-8859-8-i?Q?=F9=EC=E5=ED?= error' ]
