#!/usr/bin/env bash
# Ruby's mail 2.7.1 writes the local part and the domain of an address as encoded-words.
#
# One would guess that it is written raw (RFC 6532), or refused, and the domain in ASCII: a word may not be in an address (RFC
# 2047 §5).
# Seen: `<=?UTF-8?B?asO2cmc=?=@=?UTF-8?B?bcO8bGxlci5leGFtcGxl?=>`, to which nobody can reply: Python takes what stands there for
# the local part and the domain.
# Needs: Debian 12, python3, and root if ruby-mail is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" ruby=ruby /usr/share/doc/ruby-mail=ruby-mail
seen=$(ruby -W0 -rmail -e 'print Mail.new(to: "J\u00f6rg <j\u00f6rg@m\u00fcller.example>", body: "x").encoded' |
  tr -d '\r' | sed -n 's/^To: //p')
python=$(python3 - "$seen" <<'PYTHON'
import email.utils
import sys

print(email.utils.parseaddr(sys.argv[1])[1])
PYTHON
)
echo "Ruby's mail $(ruby -W0 -rmail -e 'print Mail::VERSION.version'): $seen; Python: $python"
[ "$seen" = '=?UTF-8?B?SsO2cmc=?= <=?UTF-8?B?asO2cmc=?=@=?UTF-8?B?bcO8bGxlci5leGFtcGxl?=>' ] &&
  [ "$python" = '=?UTF-8?B?asO2cmc=?=@=?UTF-8?B?bcO8bGxlci5leGFtcGxl?=' ]
