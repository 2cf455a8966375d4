#!/usr/bin/env bash
# s-nail 14.9.24: of a name in quotes that is not all ASCII a mark ends up in an encoded-word, and the other outside of it.
#
# One would guess that `"Jörg, M." <j@x.example>` is written as one word, or as a word and a quoted-string beside it: a word may
# not stand in quotes, nor have a quotation mark if it is part of a phrase (RFC 2047 §5).
# Seen: `=?utf-8?Q?"J=C3=B6rg,?= M." <j@x.example>`. The second mark opens a quoted-string that nothing ends, so Python's
# email.policy.default finds no address; and `"M. Jörg"` has its word inside of the quotes, with the closing mark.
# Needs: Debian 12, and root if s-nail is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" s-nail=s-nail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf '#!/bin/sh\nexec cat >"%s/sent"\n' "$folder" >"$folder/send"
chmod +x "$folder/send"
write() {
  HOME=$folder LC_ALL=C.UTF-8 s-nail -n -S mta="$folder/send" -S ttycharset=utf-8 -S sendcharsets=utf-8 -S from="$1" \
    -s x b@x.example </dev/null
  grep --text '^From: ' "$folder/sent"
}
first=$(write '"Jörg, M." <j@x.example>')
second=$(write '"M. Jörg" <j@x.example>')
python=$(python3 - "$first" <<'PYTHON'
import email.policy
import sys

message = email.message_from_string(sys.argv[1] + "\n\nx\n", policy=email.policy.default)
print(*(mailbox.addr_spec for mailbox in message["from"].addresses))
PYTHON
)
echo "s-nail $(s-nail --version | sed -n '1s/.* v\([0-9.]*\).*/\1/p'): $first; $second; Python: $python"
[ "$first" = 'From: =?utf-8?Q?"J=C3=B6rg,?= M." <j@x.example>' ] && [ "$python" = '"Jörg, M."' ] &&
  [ "$second" = 'From: "M. =?utf-8?Q?J=C3=B6rg"?= <j@x.example>' ]
