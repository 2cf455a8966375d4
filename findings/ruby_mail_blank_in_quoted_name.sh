#!/usr/bin/env bash
# Ruby's mail 2.7.1 has no name for a file if there is a blank in its quotes and a comment or a blank behind them.
#
# One would guess that `name="a b.pdf" (scanned)` is `a b.pdf`: RFC 2045 §5.1 has a comment in its own example.
# Seen: none. A field that its grammar does not know is mended, and for that taken apart at its blanks; without one in
# its quotes, the name in `name="Ab.pdf" ; x=y` is found, but in lower case.
# Needs: Debian 12, and root if ruby-mail is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" ruby=ruby /usr/share/doc/ruby-mail=ruby-mail
ruby -W0 -rmail -e '
  name = ->(type) { Mail.new("From: a@x.example\r\nMIME-Version: 1.0\r\nContent-Type: application/pdf; #{type}\r\n\r\nx").filename }
  seen = ["name=\"A b.pdf\"", "name=\"A b.pdf\" (scanned)", "name=\"A b.pdf\" ; x=y", "name=\"Ab.pdf\" ; x=y"].map(&name)
  puts "mail #{Mail::VERSION.version}: #{seen}"
  exit seen == ["A b.pdf", nil, nil, "ab.pdf"]'
