#!/usr/bin/env bash
# Three readers decode a percent sign of a section that is not extended: Email::MIME 1.953, Ruby's mail 2.7.1, public-inbox 1.9.0.
#
# One would guess that of a name in sections those without an asterisk at the end are as they stand (RFC 2231 §4.1): the one who
# wrote `title*2="isn't it!"` there need not escape it.
# Seen: `filename*0*=utf-8''%C3%A9; filename*1="%20off.txt"`, which is `é%20off.txt`, is `é off.txt`. Python's
# email.policy.default gives it right.
# Needs: Debian 12, python3, and root if libemail-mime-perl, ruby-mail or public-inbox are not installed. Exit code 0 if it is as
# seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" perl=perl /usr/share/perl5/Email/MIME.pm=libemail-mime-perl ruby=ruby \
  /usr/share/doc/ruby-mail=ruby-mail /usr/share/perl5/PublicInbox/Eml.pm=public-inbox
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf 'From: a@x.example\nMIME-Version: 1.0\nContent-Type: application/pdf\nContent-Disposition: attachment;\n' >message
printf " filename*0*=utf-8''%%C3%%A9; filename*1=\"%%20off.txt\"\n\nx\n" >>message
python=$(python3 -c '
import email.policy
print(email.message_from_file(open("message"), policy=email.policy.default).get_filename())')
perl=$(perl -CO -MEmail::MIME -0777 -ne 'print Email::MIME->new($_)->filename' message)
ruby=$(ruby -W0 -rmail -e 'print Mail.read("message").filename')
inbox=$(perl -CO -MPublicInbox::Eml -0777 -ne 'print PublicInbox::Eml->new(\$_)->filename' message)
echo "Email::MIME: $perl; Ruby's mail: $ruby; public-inbox: $inbox; Python: $python"
[ "$perl" = 'é off.txt' ] && [ "$ruby" = "$perl" ] && [ "$inbox" = "$perl" ] && [ "$python" = 'é%20off.txt' ]
