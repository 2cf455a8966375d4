#!/usr/bin/env bash
# Six readers of mail take the year `100`, as programs wrote it in 2000, for the year 100.
#
# One would guess that 1900 is added to a year of three digits (RFC 5322 §4.3), as Ruby's own DateTime.rfc2822 does.
# Seen: `Sat, 1 Jan 100` is in the year 100 for Python 3.11.7's email.policy.default, Ruby's mail 2.7.1, Emacs 28.2, and
# mailparser 3.14.2, postal-mime 4.0.0 and letterparser 0.1.8 (npm).
# Needs: Debian 12, python3, Node.js and npm, and root if ruby-mail or emacs-nox are not installed. Exit code 0 if it is as
# seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" ruby=ruby /usr/share/doc/ruby-mail=ruby-mail emacs=emacs-nox
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" mailparser@3.14.2 postal-mime@4.0.0 letterparser@0.1.8
export DATE='Sat, 1 Jan 100 10:00:00 +0000'
cat >"$folder/read.mjs" <<'JS'
import { extract, parse } from "letterparser";
import { simpleParser } from "mailparser";
import PostalMime from "postal-mime";
const message = `Date: ${process.env.DATE}\r\nFrom: a@x.example\r\n\r\nx\r\n`;
const dates = [(await simpleParser(message)).date, (await PostalMime.parse(message)).date, extract(parse(message)).date];
console.log(dates.map((it) => new Date(it).getUTCFullYear()).join(" "));
JS
node=$(node "$folder/read.mjs")
python=$(python3 -c '
import email.policy, os
print(email.message_from_string("Date: " + os.environ["DATE"] + "\n\nx", policy=email.policy.default)["date"].datetime.year)')
ruby=$(ruby -W0 -rmail -e 'puts Mail.new("Date: #{ENV["DATE"]}\n\nx").date.year, DateTime.rfc2822(ENV["DATE"]).year')
emacs=$(emacs --batch --eval '(princ (nth 5 (decode-time (date-to-time (getenv "DATE")) t)))' 2>/dev/null)
echo "npm: $node; Python: $python; Emacs: $emacs; Ruby, mail and DateTime.rfc2822:" $ruby
[ "$node" = '100 100 100' ] && [ "$python" = 100 ] && [ "$emacs" = 100 ] && [ "$ruby" = $'100\n2000' ]
