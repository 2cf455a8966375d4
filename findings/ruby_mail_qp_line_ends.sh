#!/usr/bin/env bash
# Ruby's mail 2.7.1 writes each line end of a text in quoted-printable as `=0D` and a bare LF.
#
# One would guess that the lines of a text with LF end with CRLF once they are encoded, and that CR is escaped only where it is no
# line end (RFC 2045 §6.7, rule 4).
# Seen: `Grüße …` has its two lines end with `=0D` and LF, in a message whose header has CRLF. SMTP has CRLF there (RFC 5321
# §2.3.8), so what arrives are lines that end with CR CR LF: Python counts four of them.
# Needs: Debian 12, and root if ruby-mail is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" ruby=ruby /usr/share/doc/ruby-mail=ruby-mail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
ruby -W0 -rmail -e '
  text = "Gr\u00fc\u00dfe an alle, die dies lesen\nbis bald\n"
  print Mail.new(charset: "UTF-8", subject: "a", body: text).encoded' >"$folder/written"
ends=$(python3 - "$folder/written" <<'PYTHON'
import email.policy
import re
import sys

written = open(sys.argv[1], "rb").read()
text = written.partition(b"\r\n\r\n")[2]
sent = re.sub(rb"(?<!\r)\n", b"\r\n", written)
lines = email.message_from_bytes(sent, policy=email.policy.default).get_content().splitlines()
print(text, len(lines))
PYTHON
)
echo "Ruby's mail $(ruby -W0 -rmail -e 'print Mail::VERSION.version'): $ends"
[ "$ends" = "b'Gr=C3=BC=C3=9Fe an alle, die dies lesen=0D\\nbis bald=0D\\n' 4" ]
