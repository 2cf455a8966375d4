#!/usr/bin/env bash
# Four writers put the quotation mark of a file's name into quotes as it is.
#
# One would guess that `12" single.mp3` is written with a backslash before its mark (RFC 5322 §3.2.4), or as an extended
# parameter.
# Seen: `filename="12" single.mp3"` from mimetext 3.0.28, Ruby's mail 2.7.1 and MIME::Lite 3.033, and with Symfony's Mime 5.4.53
# in `name`; Python reads `12`.
# Needs: Debian 12, python3, Node.js and npm, and root if the packages are not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" perl=perl /usr/share/perl5/MIME/Lite.pm=libmime-lite-perl \
  ruby=ruby /usr/share/doc/ruby-mail=ruby-mail \
  php=php-cli /usr/share/php/Symfony/Component/Mime/autoload.php=php-symfony-mime \
  /usr/share/php/Egulias/EmailValidator/autoload.php=php-email-validator
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" mimetext@3.0.28
export NAME='12" single.mp3'
cat >"$folder/write.mjs" <<'JS'
import { createMimeMessage } from "mimetext";
const message = createMimeMessage();
message.setSender("a@x.example");
message.setRecipient("b@x.example");
message.setSubject("x");
message.addMessage({ contentType: "text/plain", data: "x" });
message.addAttachment({ filename: process.env.NAME, contentType: "audio/mpeg", data: "eA==" });
console.log(message.asRaw());
JS
read_name() {
  python3 -c '
import email.policy, sys
message = email.message_from_binary_file(sys.stdin.buffer, policy=email.policy.default)
print([part.get_filename() for part in message.walk() if part.get_filename()])'
}
mimetext=$(node "$folder/write.mjs" | read_name)
ruby=$(ruby -W0 -rmail -e '
  print Mail.new(from: "a@x.example", body: "x").tap { |it| it.add_file(filename: ENV["NAME"], content: "x") }.encoded' | read_name)
perl=$(perl -MMIME::Lite -e '
  my $message = MIME::Lite->new(From => "a\@x.example", Type => "multipart/mixed");
  $message->attach(Type => "audio/mpeg", Filename => $ENV{NAME}, Data => "x");
  print $message->as_string' | read_name)
php=$(php -r '
  require "Egulias/EmailValidator/autoload.php";
  require "Symfony/Component/Mime/autoload.php";
  $message = (new Symfony\Component\Mime\Email())->from("a@x.example")->to("b@x.example")->text("x");
  echo $message->attach("x", getenv("NAME"))->toString();' | read_name)
echo "mimetext: $mimetext; Ruby's mail: $ruby;" \
  "MIME::Lite $(perl -MMIME::Lite -e 'print $MIME::Lite::VERSION'): $perl; Symfony: $php"
for seen in "$mimetext" "$ruby" "$perl" "$php"; do [ "$seen" = "['12']" ]; done
